// SPDX-License-Identifier: MIT
#include "core/base/info.h"

#include "core/base/obj.h"

#include <string.h>

cl_int info_bytes(const struct info *info, const void *data, size_t size)
{
	REQUIRE(!info->value || info->size >= size,
		error_say(CL_INVALID_VALUE, "the answer has %zu bytes, there is room for %zu", size,
			info->size));

	if (info->value && size)
		memcpy(info->value, data, size);
	if (info->size_ret)
		*info->size_ret = size;
	return CL_SUCCESS;
}

cl_int info_string(const struct info *info, const char *text)
{
	if (!text)
		text = "";
	return info_bytes(info, text, strlen(text) + 1);
}

cl_int info_references(const void *object, const struct info *info)
{
	cl_uint count = atomic_load(&((const struct obj *)object)->api_refs);

	return info_bytes(info, &count, sizeof(count));
}

const struct info_row *info_find(const struct info_row *rows, size_t n_rows, cl_uint param)
{
	for (size_t i = 0; i < n_rows; i++)
		if (rows[i].param == param)
			return &rows[i];
	return NULL;
}

cl_int info_answer(const struct info_row *row, const void *object, const struct info *info)
{
	REQUIRE(row, error_say(CL_INVALID_VALUE, "the object has no parameter of this name"));

	const char *owner = object;
	if (row->via)
		owner = *(const char *const *)(const void *)(owner + row->via - 1);
	const char *field = owner + row->offset;
	if (row->answer)
		return row->answer(object, info);
	if (row->is_constant)
		return info_bytes(info, &row->constant, row->size); /* the host is little-endian */
	if (row->text)
		return info_string(info, row->text);
	if (row->n_offset) {
		size_t n = *(const size_t *)(const void *)((const char *)object + row->n_offset);

		return info_bytes(info, *(const void *const *)(const void *)field, n * row->size);
	}
	if (row->size)
		return info_bytes(info, field, row->size);
	return info_string(info, *(const char *const *)(const void *)field);
}
