// SPDX-License-Identifier: MIT
#include "compile/base/error_name.h"

#include <CL/cl_ext.h>
#include <stdio.h>

const char *error_name(cl_int code)
{
	static _Thread_local char number[24];

	switch (code) {
#define NAME(code)                                                                                 \
	case code:                                                                                 \
		return #code;
#include "compile/base/error_name.def"
#undef NAME
	default:
		snprintf(number, sizeof(number), "error %d", code);
		return number;
	}
}
