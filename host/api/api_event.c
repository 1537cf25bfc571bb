// SPDX-License-Identifier: MIT
/* Events: sections 5.11 and 5.14 of the specification. */
#include "api/api.h"
#include "core/queue/event.h"

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
	API_RETURN_MADE(event, context, event_create_user(context_from(context), &made));
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status)
{
	return API_DONE(event, event_set_user_status(event_from(event), execution_status));
}

cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
	return API_DONE(num_events && event_list ? event_list[0] : NULL,
		event_wait(num_events, event_list));
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
	void(CL_CALLBACK *pfn_notify)(cl_event, cl_int, void *), void *user_data)
{
	return API_DONE(event, event_set_callback(event_from(event), command_exec_callback_type,
				       pfn_notify, user_data));
}
