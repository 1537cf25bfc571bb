// SPDX-License-Identifier: MIT
#ifndef ERROR_NAME_H
#define ERROR_NAME_H

#include <CL/cl.h>

/*
 * Returns "CL_INVALID_VALUE" …, or the number of a code without a name, valid until the thread's
 * next call.
 */
const char *error_name(cl_int code);

#endif
