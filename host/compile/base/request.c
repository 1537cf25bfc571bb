// SPDX-License-Identifier: MIT
#include "compile/base/request.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void compile_result_finish(struct compile_result *result)
{
	free(result->spirv);
	free(result->native);
	free(result->facts);
	free(result->log);
	*result = (struct compile_result){ 0 };
}

enum compile_status compile_fail(
	struct compile_result *result, enum compile_status status, const char *format, ...)
{
	char *log = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&log, format, args) < 0)
		log = NULL;
	va_end(args);
	compile_result_finish(result);
	result->status = status;
	result->log = log;
	return status;
}
