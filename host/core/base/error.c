// SPDX-License-Identifier: MIT
#include "core/base/error.h"

#include "core/base/obj.h"
#include "util/util_bits.h"
#include "util/util_log.h"

#include <CL/cl_ext.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static _Thread_local struct {
	cl_int code; /* 0: no sentence */
	char text[512];
} said;

/* Whether a thread has ever kept a sentence: to find one's own costs a call at each entry point. */
static atomic_bool any_said;
static _Atomic(error_reporter) reporter;

#define NAME(code)                                                                                 \
	{                                                                                          \
		code, #code                                                                        \
	}
static const struct {
	cl_int code;
	const char *name;
} names[] = {
	NAME(CL_SUCCESS),
	NAME(CL_DEVICE_NOT_FOUND),
	NAME(CL_DEVICE_NOT_AVAILABLE),
	NAME(CL_COMPILER_NOT_AVAILABLE),
	NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
	NAME(CL_OUT_OF_RESOURCES),
	NAME(CL_OUT_OF_HOST_MEMORY),
	NAME(CL_PROFILING_INFO_NOT_AVAILABLE),
	NAME(CL_MEM_COPY_OVERLAP),
	NAME(CL_IMAGE_FORMAT_MISMATCH),
	NAME(CL_IMAGE_FORMAT_NOT_SUPPORTED),
	NAME(CL_BUILD_PROGRAM_FAILURE),
	NAME(CL_MAP_FAILURE),
	NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET),
	NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
	NAME(CL_COMPILE_PROGRAM_FAILURE),
	NAME(CL_LINKER_NOT_AVAILABLE),
	NAME(CL_LINK_PROGRAM_FAILURE),
	NAME(CL_DEVICE_PARTITION_FAILED),
	NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
	NAME(CL_INVALID_VALUE),
	NAME(CL_INVALID_DEVICE_TYPE),
	NAME(CL_INVALID_PLATFORM),
	NAME(CL_INVALID_DEVICE),
	NAME(CL_INVALID_CONTEXT),
	NAME(CL_INVALID_QUEUE_PROPERTIES),
	NAME(CL_INVALID_COMMAND_QUEUE),
	NAME(CL_INVALID_HOST_PTR),
	NAME(CL_INVALID_MEM_OBJECT),
	NAME(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
	NAME(CL_INVALID_IMAGE_SIZE),
	NAME(CL_INVALID_SAMPLER),
	NAME(CL_INVALID_BINARY),
	NAME(CL_INVALID_BUILD_OPTIONS),
	NAME(CL_INVALID_PROGRAM),
	NAME(CL_INVALID_PROGRAM_EXECUTABLE),
	NAME(CL_INVALID_KERNEL_NAME),
	NAME(CL_INVALID_KERNEL_DEFINITION),
	NAME(CL_INVALID_KERNEL),
	NAME(CL_INVALID_ARG_INDEX),
	NAME(CL_INVALID_ARG_VALUE),
	NAME(CL_INVALID_ARG_SIZE),
	NAME(CL_INVALID_KERNEL_ARGS),
	NAME(CL_INVALID_WORK_DIMENSION),
	NAME(CL_INVALID_WORK_GROUP_SIZE),
	NAME(CL_INVALID_WORK_ITEM_SIZE),
	NAME(CL_INVALID_GLOBAL_OFFSET),
	NAME(CL_INVALID_EVENT_WAIT_LIST),
	NAME(CL_INVALID_EVENT),
	NAME(CL_INVALID_OPERATION),
	NAME(CL_INVALID_GL_OBJECT),
	NAME(CL_INVALID_BUFFER_SIZE),
	NAME(CL_INVALID_MIP_LEVEL),
	NAME(CL_INVALID_GLOBAL_WORK_SIZE),
	NAME(CL_INVALID_PROPERTY),
	NAME(CL_INVALID_IMAGE_DESCRIPTOR),
	NAME(CL_INVALID_COMPILER_OPTIONS),
	NAME(CL_INVALID_LINKER_OPTIONS),
	NAME(CL_INVALID_DEVICE_PARTITION_COUNT),
	NAME(CL_INVALID_PIPE_SIZE),
	NAME(CL_INVALID_DEVICE_QUEUE),
	NAME(CL_INVALID_SPEC_ID),
	NAME(CL_MAX_SIZE_RESTRICTION_EXCEEDED),
	NAME(CL_PLATFORM_NOT_FOUND_KHR),
	NAME(CL_INVALID_COMMAND_BUFFER_KHR),
	NAME(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR),
	NAME(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR),
	NAME(CL_INVALID_MUTABLE_COMMAND_KHR),
	NAME(CL_INVALID_SEMAPHORE_KHR),
};
#undef NAME

const char *error_name(cl_int code)
{
	static _Thread_local char number[24];

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(names); i++)
		if (names[i].code == code)
			return names[i].name;
	snprintf(number, sizeof number, "error %d", code);
	return number;
}

cl_int error_say(cl_int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said.text, sizeof said.text, format, args);
	va_end(args);
	said.code = code;
	atomic_store_explicit(&any_said, true, memory_order_relaxed);
	return code;
}

cl_int error_at(cl_int code, const char *cond)
{
	if (said.code != code)
		error_say(code, "it must be that %s", cond);
	return code;
}

const char *error_sentence(cl_int code)
{
	return said.code == code && code ? said.text : NULL;
}

void error_set_reporter(error_reporter report)
{
	atomic_store(&reporter, report);
}

cl_int error_done(const char *function, const void *handle, cl_int code)
{
	char line[700];

	if (code >= 0) {
		if (atomic_load_explicit(&any_said, memory_order_relaxed))
			said.code = CL_SUCCESS;
		return code;
	}
	const char *sentence = error_sentence(code);
	snprintf(line, sizeof line, "%s: %s%s%s", function, error_name(code), sentence ? ": " : "",
		sentence ? sentence : "");
	said.code = CL_SUCCESS;
	error_reporter report = atomic_load(&reporter);
	struct obj *obj = obj_any(handle);
	if (obj && obj->context && report)
		report(obj->context, line);
	else
		util_log(UTIL_LOG_WARN, "cl", "%s", line);
	return code;
}
