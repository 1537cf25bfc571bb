// SPDX-License-Identifier: MIT
#ifndef CORE_INFO_H
#define CORE_INFO_H

#include "util/util_bits.h"

#include <CL/cl.h>
#include <stddef.h>

/* Where the answer of a query goes: the last three parameters of every clGet*Info. */
struct info {
	size_t size;
	void *value;
	size_t *size_ret;
};

/*
 * Gives `size` bytes: checks the room (CL_INVALID_VALUE when value is not NULL and the room is
 * less), copies, and sets *size_ret. size 0 is an empty answer and always fits.
 */
cl_int info_bytes(const struct info *info, const void *data, size_t size);

/* A string with its NUL; NULL is the empty string. */
cl_int info_string(const struct info *info, const char *text);

/*
 * A query parameter: `size` bytes at `offset` of the object, or what `answer` gives. A row of
 * type string is a `const char *` at offset. Rows are made by the INFO_ macros.
 */
struct info_row {
	cl_uint param;
	unsigned size;
	size_t offset;
	cl_int (*answer)(const void *object, const struct info *info);
	const char *name; /* of the parameter */
};

#define INFO_FIELD(param_, type_, member_)                                                         \
	{                                                                                          \
		.param = (param_), .size = sizeof(((type_ *)0)->member_),                          \
		.offset = offsetof(type_, member_), .name = #param_                                \
	}
#define INFO_STRING(param_, type_, member_)                                                        \
	{                                                                                          \
		.param = (param_), .offset = offsetof(type_, member_), .name = #param_             \
	}
#define INFO_FN(param_, answer_)                                                                   \
	{                                                                                          \
		.param = (param_), .answer = (answer_), .name = #param_                            \
	}

/* Answers `param` from the rows; CL_INVALID_VALUE when no row has it. */
cl_int info_get(const struct info_row *rows, size_t n_rows, const void *object, cl_uint param,
	const struct info *info);

/* info_get with the array's own length and the entry point's last three parameters. */
#define INFO_GET(rows_, object_, param_, size_, value_, size_ret_)                                 \
	info_get((rows_), UTIL_ARRAY_SIZE(rows_), (object_), (param_),                             \
		&(const struct info){ (size_), (value_), (size_ret_) })

#endif
