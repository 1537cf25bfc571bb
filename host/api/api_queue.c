// SPDX-License-Identifier: MIT
/* Command queues: sections 5.1 and 5.15 of the specification. */
#include "api/api.h"
#include "core/queue/queue.h"

API_CREATE(queue, clCreateCommandQueueWithProperties,
	(cl_context context, cl_device_id device, const cl_queue_properties *properties,
		cl_int *errcode_ret),
	context, queue_create(context_from(context), device_from(device), properties, &made))

cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(cl_context context,
	cl_device_id device, const cl_queue_properties_khr *properties, cl_int *errcode_ret)
{
	return clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

API_CREATE(queue, clCreateCommandQueue,
	(cl_context context, cl_device_id device, cl_command_queue_properties properties,
		cl_int *errcode_ret),
	context, queue_create_flags(context_from(context), device_from(device), properties, &made))

API_ENTRY(clReleaseCommandQueue, (cl_command_queue command_queue), NULL,
	queue_release(queue_from(command_queue)))

static cl_int set_property(struct queue *queue)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	return error_say(CL_INVALID_OPERATION,
		"the properties of a queue are fixed when it is made, since OpenCL 1.1");
}

API_ENTRY(clSetCommandQueueProperty,
	(cl_command_queue command_queue, cl_command_queue_properties properties, cl_bool enable,
		cl_command_queue_properties *old_properties),
	command_queue, set_property(queue_from(command_queue)))

API_ENTRY(clFlush, (cl_command_queue command_queue), command_queue,
	queue_flush(queue_from(command_queue)))

API_ENTRY(clFinish, (cl_command_queue command_queue), command_queue,
	queue_finish(queue_from(command_queue)))
