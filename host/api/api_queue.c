// SPDX-License-Identifier: MIT
/* Command queues: sections 5.1 and 5.15 of the specification. */
#include "api/api.h"
#include "core/queue/queue.h"

cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context,
	cl_device_id device, const cl_queue_properties *properties, cl_int *errcode_ret)
{
	API_RETURN_MADE(queue, context,
		queue_create(context_from(context), device_from(device), properties, &made));
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(cl_context context,
	cl_device_id device, const cl_queue_properties_khr *properties, cl_int *errcode_ret)
{
	return clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
	cl_command_queue_properties properties, cl_int *errcode_ret)
{
	API_RETURN_MADE(queue, context,
		queue_create_flags(context_from(context), device_from(device), properties, &made));
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue)
{
	return API_DONE(NULL, queue_release(queue_from(command_queue)));
}

static cl_int set_property(struct queue *queue)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	return error_say(CL_INVALID_OPERATION,
		"the properties of a queue are fixed when it is made, since OpenCL 1.1");
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue,
	cl_command_queue_properties properties, cl_bool enable,
	cl_command_queue_properties *old_properties)
{
	return API_DONE(command_queue, set_property(queue_from(command_queue)));
}

cl_int CL_API_CALL clFlush(cl_command_queue command_queue)
{
	return API_DONE(command_queue, queue_flush(queue_from(command_queue)));
}

cl_int CL_API_CALL clFinish(cl_command_queue command_queue)
{
	return API_DONE(command_queue, queue_finish(queue_from(command_queue)));
}
