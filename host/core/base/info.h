// SPDX-License-Identifier: MIT
#ifndef INFO_H
#define INFO_H

#include "core/base/error.h"
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

#define INFO(...) (&(const struct info){ __VA_ARGS__ })

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
 * INFO_FIELD(param, type, member)     the member of the object; a handle is the pointer behind it
 * INFO_VIA(param, type, p, member)    the member of what the member p points to
 * INFO_STRING(param, type, member)    the string that the member points to
 * INFO_STRING_VIA(param, type, p, m)  that of the member m of what the member p points to
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
	uint16_t via; /* 1 + offset of a pointer to what has the field; 0: the object has it */
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
#define INFO_POINTED(type_, pointer_) __typeof__(*((type_ *)0)->pointer_)
#define INFO_VIA(param_, type_, pointer_, member_)                                                 \
	{                                                                                          \
		.param = (param_), .size = sizeof(((type_ *)0)->pointer_->member_),                \
		.via = offsetof(type_, pointer_) + 1,                                              \
		.offset = offsetof(INFO_POINTED(type_, pointer_), member_)                         \
	}
#define INFO_STRING_VIA(param_, type_, pointer_, member_)                                          \
	{                                                                                          \
		.param = (param_), .via = offsetof(type_, pointer_) + 1,                           \
		.offset = offsetof(INFO_POINTED(type_, pointer_), member_)                         \
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

/* Defines a function for INFO_FN that answers with an expression of that type; `object_` declares
 * the object for it. */
#define INFO_ANSWER(function_, object_, type_, expression_)                                        \
	static cl_int function_(const void *object, const struct info *info)                       \
	{                                                                                          \
		const object_ = object;                                                            \
		type_ answer = expression_;                                                        \
                                                                                                   \
		return info_bytes(info, &answer, sizeof answer);                                   \
	}

/* The API reference count of an object that begins with a struct obj: for CL_*_REFERENCE_COUNT. */
cl_int info_references(const void *object, const struct info *info);

/* The row of `param`, or NULL. */
const struct info_row *info_find(const struct info_row *rows, size_t n_rows, cl_uint param);

/* Answers by a row; CL_INVALID_VALUE for a row of NULL. */
cl_int info_answer(const struct info_row *row, const void *object, const struct info *info);

/* Answers `param` from the array's rows. */
#define INFO_GET(rows_, object_, param_, info_)                                                    \
	info_answer(info_find((rows_), UTIL_ARRAY_SIZE(rows_), (param_)), (object_), (info_))

/* Defines name_info of objects that `rows` answer for. Returns `code_` for none. */
#define INFO_DEFINE(name_, param_type_, code_)                                                     \
	cl_int name_##_info(struct name_ *name_, param_type_ param, const struct info *info)       \
	{                                                                                          \
		REQUIRE(name_, code_);                                                             \
		return INFO_GET(rows, name_, param, info);                                         \
	}

#endif
