// SPDX-License-Identifier: MIT
#include "core/base/error.h"

#include "compile/base/error_name.h"
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

static __attribute__((cold)) void tell(const char *function, const void *handle, cl_int code)
{
	char line[700];
	const char *sentence = error_sentence(code);
	snprintf(line, sizeof line, "%s: %s%s%s", function, error_name(code), sentence ? ": " : "",
		sentence ? sentence : "");
	said.code = CL_SUCCESS; /* who hears of it may call us */
	error_reporter report = atomic_load(&reporter);
	struct obj *obj = obj_any(handle);
	if (obj && obj->context && report)
		report(obj->context, line);
	else
		util_log(UTIL_LOG_WARN, "cl", "%s", line);
}

cl_int error_done(const char *function, const void *handle, cl_int code)
{
	if (code < 0)
		tell(function, handle, code);
	if (atomic_load_explicit(&any_said, memory_order_relaxed))
		said.code = CL_SUCCESS;
	return code;
}
