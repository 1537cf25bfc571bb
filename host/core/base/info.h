// SPDX-License-Identifier: MIT
#ifndef INFO_H
#define INFO_H

#include "util/util_bits.h"

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * A query parameter and where its answer comes from. Rows are made by the INFO_ macros:
 *
 * INFO_FIELD(param, type, member)     the member of the object
 * INFO_STRING(param, type, member)    the string that the member points to
 * INFO_LIST(param, type, list, n)     n elements, a size_t member, of what the member points to
 * INFO_CONSTANT(param, type, value)   a value
 * INFO_TEXT(param, text)              a literal
 * INFO_EMPTY(param)                   no bytes
 * INFO_FN(param, answer)              what a function gives
 */
struct info_row {
	cl_uint param;
	uint16_t size; /* of the field, the element or the constant */
	bool is_constant;
	size_t offset;
	size_t n_offset; /* of the number of elements; 0: the field is no list */
	uint64_t constant;
	const char *text;
	cl_int (*answer)(const void *object, const struct info *info);
};

#define INFO_FIELD(param_, type_, member_)                                                         \
	{                                                                                          \
		.param = (param_), .size = sizeof(((type_ *)0)->member_),                          \
		.offset = offsetof(type_, member_)                                                 \
	}
#define INFO_STRING(param_, type_, member_)                                                        \
	{                                                                                          \
		.param = (param_), .offset = offsetof(type_, member_)                              \
	}
#define INFO_LIST(param_, type_, list_, n_)                                                        \
	{                                                                                          \
		.param = (param_), .size = sizeof(*((type_ *)0)->list_),                           \
		.offset = offsetof(type_, list_), .n_offset = offsetof(type_, n_)                  \
	}
#define INFO_TEXT(param_, text_)                                                                   \
	{                                                                                          \
		.param = (param_), .text = (text_)                                                 \
	}
#define INFO_EMPTY(param_)                                                                         \
	{                                                                                          \
		.param = (param_), .is_constant = true                                             \
	}
#define INFO_CONSTANT(param_, type_, value_)                                                       \
	{                                                                                          \
		.param = (param_), .size = sizeof(type_), .is_constant = true,                     \
		.constant = (uint64_t)(value_)                                                     \
	}
#define INFO_FN(param_, answer_)                                                                   \
	{                                                                                          \
		.param = (param_), .answer = (answer_)                                             \
	}

/* The API reference count of an object that begins with a struct obj: for CL_*_REFERENCE_COUNT. */
cl_int info_references(const void *object, const struct info *info);

/* The row of `param`, or NULL. */
const struct info_row *info_find(const struct info_row *rows, size_t n_rows, cl_uint param);

/* Answers by a row; CL_INVALID_VALUE for a row of NULL. */
cl_int info_answer(const struct info_row *row, const void *object, const struct info *info);

/* Answers `param` from the array's rows into the entry point's last three parameters. */
#define INFO_GET(rows_, object_, param_, size_, value_, size_ret_)                                 \
	info_answer(info_find((rows_), UTIL_ARRAY_SIZE(rows_), (param_)), (object_),               \
		&(const struct info){ (size_), (value_), (size_ret_) })

#endif
