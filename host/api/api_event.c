// SPDX-License-Identifier: MIT
/* Events: sections 5.11 and 5.14 of the specification. */
#include "api/api.h"
#include "core/queue/event.h"

API_CREATE(event, clCreateUserEvent, (cl_context context, cl_int *errcode_ret), context,
	event_create_user(context_from(context), &made))

API_ENTRY(clSetUserEventStatus, (cl_event event, cl_int execution_status), event,
	event_set_user_status(event_from(event), execution_status))

API_ENTRY(clWaitForEvents, (cl_uint num_events, const cl_event *event_list),
	num_events &&event_list ? event_list[0] : NULL, event_wait(num_events, event_list))

API_ENTRY(clSetEventCallback,
	(cl_event event, cl_int command_exec_callback_type,
		void(CL_CALLBACK *pfn_notify)(cl_event, cl_int, void *), void *user_data),
	event,
	event_set_callback(event_from(event), command_exec_callback_type, pfn_notify, user_data))
