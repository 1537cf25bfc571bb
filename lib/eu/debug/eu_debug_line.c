// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_dwarf.h"

enum { LENGTH_BYTES = 4, VERSION_BYTES = 2 };

/* The path in place of the first file of the table, all else as it is. */
static bool put_files(struct eu_debug_bytes *from, const char *path, struct eu_debug_text *out)
{
	const uint8_t *at = from->at;

	while (eu_debug_take_uint(from, 1)) /* folders */
		while (eu_debug_take_uint(from, 1))
			;
	eu_debug_put(out, at, (size_t)(from->at - at));
	if (from->is_bad || !eu_debug_take_uint(from, 1))
		return false;
	while (eu_debug_take_uint(from, 1))
		;
	eu_debug_take_leb(from, false); /* its folder: the path is whole */
	eu_debug_put(out, path, strlen(path) + 1);
	eu_debug_put_uint(out, 0, 1);
	return !from->is_bad;
}

bool eu_debug_line(struct eu_debug_bytes lines, const char *path, struct eu_debug_text *out)
{
	size_t start = out->size;
	uint64_t length = eu_debug_take_uint(&lines, LENGTH_BYTES);
	const uint8_t *unit = eu_debug_take(&lines, length);

	if (!unit)
		return false;
	struct eu_debug_bytes from = eu_debug_bytes_of(unit, (size_t)length);
	uint64_t version = eu_debug_take_uint(&from, VERSION_BYTES);
	size_t header_size = (size_t)eu_debug_take_uint(&from, LENGTH_BYTES);
	const uint8_t *header = eu_debug_take(&from, header_size);
	size_t fixed = version >= 4 ? 6 : 5;
	if (version > 4 || !header || header_size <= fixed)
		return false;
	struct eu_debug_bytes table = eu_debug_bytes_of(header, header_size);
	eu_debug_take(&table, fixed + header[fixed - 1] - 1u);
	eu_debug_put_uint(out, 0, LENGTH_BYTES);
	eu_debug_put_uint(out, version, VERSION_BYTES);
	eu_debug_put_uint(out, 0, LENGTH_BYTES);
	size_t begin = out->size;
	eu_debug_put(out, header, (size_t)(table.at - header));
	if (path && !put_files(&table, path, out))
		return false;
	eu_debug_put(out, table.at, eu_debug_left(&table));
	uint32_t new_header = (uint32_t)(out->size - begin);
	eu_debug_put(out, from.at, eu_debug_left(&from));
	uint32_t whole = (uint32_t)(out->size - start - LENGTH_BYTES);
	if (out->failed)
		return false;
	memcpy(out->bytes + start, &whole, sizeof whole);
	memcpy(out->bytes + begin - LENGTH_BYTES, &new_header, sizeof new_header);
	return true;
}
