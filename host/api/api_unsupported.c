// SPDX-License-Identifier: MIT
/*
 * Entry points for what the device does not have. They check the handle and answer with the code
 * that the specification names for a device without the feature.
 */
#include "api/api.h"
#include "core/memory/mem.h"
#include "core/program/program.h"
#include "core/kernel/kernel.h"
#include "core/queue/queue.h"

#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

static cl_int no_objects(cl_context context, const char *what)
{
	REQUIRE(context_from(context), CL_INVALID_CONTEXT);
	return error_say(CL_INVALID_OPERATION, "no device of the context has %s", what);
}

static cl_int no_command(cl_command_queue queue, const char *what)
{
	REQUIRE(queue_from(queue), CL_INVALID_COMMAND_QUEUE);
	return error_say(CL_INVALID_OPERATION, "the device of the queue has no %s", what);
}

static cl_int not_an(const char *what, cl_int code)
{
	return error_say(code, "the handle is no %s: the device has none", what);
}

static cl_int no_builtin(
	struct context *context, cl_uint n, const cl_device_id *devices, const char *names)
{
	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(devices && n > 0, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(context_has_device(context, device_from(devices[i])), CL_INVALID_DEVICE);
	REQUIRE(names, CL_INVALID_VALUE);
	return error_say(CL_INVALID_VALUE, "the device has no built-in kernels");
}

static cl_int no_release_callback(struct program *program)
{
	REQUIRE(program, CL_INVALID_PROGRAM);
	return error_say(CL_INVALID_OPERATION, "programs have no global constructors");
}

static cl_int no_sharing(cl_context context)
{
	REQUIRE(context_from(context), CL_INVALID_CONTEXT);
	return error_say(CL_INVALID_CONTEXT, "the context does not share with OpenGL or EGL");
}

static cl_int no_gl_object(cl_mem mem)
{
	REQUIRE(mem_from(mem), CL_INVALID_MEM_OBJECT);
	return error_say(CL_INVALID_GL_OBJECT, "the object was not made from one of OpenGL");
}

/* Pipes: CL_DEVICE_PIPE_SUPPORT is CL_FALSE. */

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
	cl_uint pipe_max_packets, const cl_pipe_properties *properties, cl_int *errcode_ret)
{
	API_MADE(context, no_objects(context, "pipes"));
	return NULL;
}

API_ENTRY(clGetPipeInfo, (cl_mem pipe, cl_pipe_info param_name, API_INFO_PARAMS), pipe,
	not_an("pipe", CL_INVALID_MEM_OBJECT))

/* Native kernels and queues on the device: CL_DEVICE_EXECUTION_CAPABILITIES is CL_EXEC_KERNEL,
 * CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES is 0. */

API_ENTRY(clEnqueueNativeKernel,
	(cl_command_queue command_queue, void(CL_CALLBACK *user_func)(void *), void *args,
		size_t cb_args, cl_uint num_mem_objects, const cl_mem *mem_list,
		const void **args_mem_loc, API_EVENT_PARAMS),
	command_queue, no_command(command_queue, "native kernels"))

API_ENTRY(clSetDefaultDeviceCommandQueue,
	(cl_context context, cl_device_id device, cl_command_queue command_queue), context,
	no_objects(context, "queues of its own"))

/* Programs: CL_DEVICE_BUILT_IN_KERNELS is empty. */

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
	const cl_device_id *device_list, const char *kernel_names, cl_int *errcode_ret)
{
	API_MADE(
		context, no_builtin(context_from(context), num_devices, device_list, kernel_names));
	return NULL;
}

API_ENTRY(clSetProgramReleaseCallback,
	(cl_program program, void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
		void *user_data),
	program, no_release_callback(program_from(program)))

/* Sharing with OpenGL and EGL: none of its extensions is reported. */

#define SHARE(type, name, ...)                                                                     \
	type CL_API_CALL name(cl_context context, __VA_ARGS__, cl_int *errcode_ret)                \
	{                                                                                          \
		API_MADE(context, no_sharing(context));                                            \
		return NULL;                                                                       \
	}

SHARE(cl_mem, clCreateFromGLBuffer, cl_mem_flags flags, cl_GLuint bufobj)
SHARE(cl_mem, clCreateFromGLTexture, cl_mem_flags flags, cl_GLenum target, cl_GLint miplevel,
	cl_GLuint texture)
SHARE(cl_mem, clCreateFromGLTexture2D, cl_mem_flags flags, cl_GLenum target, cl_GLint miplevel,
	cl_GLuint texture)
SHARE(cl_mem, clCreateFromGLTexture3D, cl_mem_flags flags, cl_GLenum target, cl_GLint miplevel,
	cl_GLuint texture)
SHARE(cl_mem, clCreateFromGLRenderbuffer, cl_mem_flags flags, cl_GLuint renderbuffer)
SHARE(cl_mem, clCreateFromEGLImageKHR, CLeglDisplayKHR egldisplay, CLeglImageKHR eglimage,
	cl_mem_flags flags, const cl_egl_image_properties_khr *properties)
SHARE(cl_event, clCreateEventFromGLsyncKHR, cl_GLsync sync)
SHARE(cl_event, clCreateEventFromEGLSyncKHR, CLeglSyncKHR sync, CLeglDisplayKHR display)

API_ENTRY(clGetGLObjectInfo,
	(cl_mem memobj, cl_gl_object_type *gl_object_type, cl_GLuint *gl_object_name), memobj,
	no_gl_object(memobj))

API_ENTRY(clGetGLTextureInfo, (cl_mem memobj, cl_gl_texture_info param_name, API_INFO_PARAMS),
	memobj, no_gl_object(memobj))

API_ENTRY(clGetGLContextInfoKHR,
	(const cl_context_properties *properties, cl_gl_context_info param_name, API_INFO_PARAMS),
	NULL, error_say(CL_INVALID_OPERATION, "the platform does not share with OpenGL"))

#define HAND_OVER(name)                                                                            \
	cl_int CL_API_CALL name(cl_command_queue command_queue, cl_uint num_objects,               \
		const cl_mem *mem_objects, API_EVENT_PARAMS)                                       \
	{                                                                                          \
		return API_DONE(                                                                   \
			command_queue, no_command(command_queue, "objects of OpenGL or EGL"));     \
	}

HAND_OVER(clEnqueueAcquireGLObjects)
HAND_OVER(clEnqueueReleaseGLObjects)
HAND_OVER(clEnqueueAcquireEGLObjectsKHR)
HAND_OVER(clEnqueueReleaseEGLObjectsKHR)
