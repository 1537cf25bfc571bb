// SPDX-License-Identifier: MIT
/* Semaphores: section 5.13 of the specification. */
#include "api/api.h"
#include "core/command/semaphore.h"

API_CREATE(semaphore, clCreateSemaphoreWithPropertiesKHR,
	(cl_context context, const cl_semaphore_properties_khr *sema_props, cl_int *errcode_ret),
	context, semaphore_create(context_from(context), sema_props, &made))

/* Binary semaphores have no payload to give: the list is ignored. */

API_ENTRY(clEnqueueWaitSemaphoresKHR,
	(cl_command_queue command_queue, cl_uint num_sema_objects,
		const cl_semaphore_khr *sema_objects,
		const cl_semaphore_payload_khr *sema_payload_list, API_EVENT_PARAMS),
	command_queue,
	semaphore_wait(queue_from(command_queue), num_sema_objects, sema_objects, API_EVENTS))

API_ENTRY(clEnqueueSignalSemaphoresKHR,
	(cl_command_queue command_queue, cl_uint num_sema_objects,
		const cl_semaphore_khr *sema_objects,
		const cl_semaphore_payload_khr *sema_payload_list, API_EVENT_PARAMS),
	command_queue,
	semaphore_signal(queue_from(command_queue), num_sema_objects, sema_objects, API_EVENTS))

static cl_int no_handle(cl_semaphore_khr semaphore)
{
	REQUIRE(semaphore_from(semaphore), CL_INVALID_SEMAPHORE_KHR);
	return error_say(CL_INVALID_VALUE, "the semaphore was made to be exported as nothing");
}

/* Of cl_khr_external_semaphore, which is not reported; programs with semaphores look for it. */
API_ENTRY(clGetSemaphoreHandleForTypeKHR,
	(cl_semaphore_khr sema_object, cl_device_id device,
		cl_external_semaphore_handle_type_khr handle_type, size_t handle_size,
		void *handle_ptr, size_t *handle_size_ret),
	sema_object, no_handle(sema_object))
