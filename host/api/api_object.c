// SPDX-License-Identifier: MIT
/* What is the same for every kind of object: clRetain*, clRelease* and clGet*Info. */
#include "api/api.h"
#include "core/command/semaphore.h"
#include "core/device/context.h"
#include "core/device/platform.h"
#include "core/kernel/kernel.h"
#include "core/memory/image.h"
#include "core/memory/mem.h"
#include "core/memory/sampler.h"
#include "core/program/program.h"
#include "core/queue/event.h"
#include "core/queue/queue.h"

#define RETAIN(name, handle_type, kind)                                                            \
	cl_int CL_API_CALL name(handle_type handle)                                                \
	{                                                                                          \
		return API_DONE(handle, obj_retain(handle, kind));                                 \
	}

#define RELEASE(name, handle_type, kind)                                                           \
	cl_int CL_API_CALL name(handle_type handle)                                                \
	{                                                                                          \
		return API_DONE(NULL, obj_release(handle, kind));                                  \
	}

/* `function` answers for what `from` makes of the handle. */
#define QUERY(name, handle_type, param_type, function, from)                                       \
	cl_int CL_API_CALL name(handle_type handle, param_type param_name, API_INFO_PARAMS)        \
	{                                                                                          \
		return API_DONE(handle, function(from(handle), param_name, API_INFO));             \
	}

RETAIN(clRetainContext, cl_context, OBJ_CONTEXT)
RELEASE(clReleaseContext, cl_context, OBJ_CONTEXT)
RETAIN(clRetainCommandQueue, cl_command_queue, OBJ_QUEUE)
RETAIN(clRetainMemObject, cl_mem, OBJ_MEM)
RELEASE(clReleaseMemObject, cl_mem, OBJ_MEM)
RETAIN(clRetainSampler, cl_sampler, OBJ_SAMPLER)
RELEASE(clReleaseSampler, cl_sampler, OBJ_SAMPLER)
RETAIN(clRetainProgram, cl_program, OBJ_PROGRAM)
RELEASE(clReleaseProgram, cl_program, OBJ_PROGRAM)
RETAIN(clRetainKernel, cl_kernel, OBJ_KERNEL)
RELEASE(clReleaseKernel, cl_kernel, OBJ_KERNEL)
RETAIN(clRetainEvent, cl_event, OBJ_EVENT)
RELEASE(clReleaseEvent, cl_event, OBJ_EVENT)
RETAIN(clRetainSemaphoreKHR, cl_semaphore_khr, OBJ_SEMAPHORE)
RELEASE(clReleaseSemaphoreKHR, cl_semaphore_khr, OBJ_SEMAPHORE)

QUERY(clGetDeviceInfo, cl_device_id, cl_device_info, device_info, device_from)
QUERY(clGetContextInfo, cl_context, cl_context_info, context_info, context_from)
QUERY(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info, queue_info, queue_from)
QUERY(clGetMemObjectInfo, cl_mem, cl_mem_info, mem_info, mem_from)
QUERY(clGetImageInfo, cl_mem, cl_image_info, image_info, mem_from)
QUERY(clGetSamplerInfo, cl_sampler, cl_sampler_info, sampler_info, sampler_from)
QUERY(clGetProgramInfo, cl_program, cl_program_info, program_info, program_from)
QUERY(clGetKernelInfo, cl_kernel, cl_kernel_info, kernel_info, kernel_from)
QUERY(clGetEventInfo, cl_event, cl_event_info, event_info, event_from)
QUERY(clGetEventProfilingInfo, cl_event, cl_profiling_info, event_profiling_info, event_from)
QUERY(clGetSemaphoreInfoKHR, cl_semaphore_khr, cl_semaphore_info_khr, semaphore_info,
	semaphore_from)
