// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_archive.h"

#include <ar.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* How members for a family are called, besides its own name. */
static const struct {
	const char *family, *version;
} versions[] = {
	{ "tgllp", "12.0.0" },
	{ "tgllp", "12.0" },
	{ "tgllp", "gen12lp" },
	{ "icllp", "11.0.0" },
	{ "icllp", "gen11" },
	{ "skl", "9.0.9" },
	{ "skl", "gen9" },
};

static bool is_name(const char *name, size_t size, const char *want)
{
	return size == strlen(want) && !memcmp(name, want, size);
}

static bool is_for(const char *name, size_t size, const char *family)
{
	if (size < 3 || memcmp(name, "64.", 3) != 0)
		return false;
	name += 3;
	size -= 3;
	if (is_name(name, size, family))
		return true;
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		if (!strcmp(versions[i].family, family) && is_name(name, size, versions[i].version))
			return true;
	return false;
}

/* The decimal number in the field; SIZE_MAX if it is none. */
static size_t number(const char *field, size_t size)
{
	size_t value = 0, i = 0;

	for (; i < size && field[i] >= '0' && field[i] <= '9'; i++)
		value = value * 10 + (size_t)(field[i] - '0');
	return i ? value : SIZE_MAX;
}

void zebin_archive_find(const void **data, size_t *size, const char *family)
{
	const char *bytes = *data;
	const size_t n = *size;
	struct ar_hdr head;

	if (n < SARMAG || memcmp(bytes, ARMAG, SARMAG) != 0)
		return;
	*data = NULL;
	*size = 0;
	for (size_t at = SARMAG; n - at >= sizeof(head);) {
		memcpy(&head, bytes + at, sizeof(head));
		at += sizeof(head);
		size_t length = number(head.ar_size, sizeof(head.ar_size));
		if (memcmp(head.ar_fmag, ARFMAG, sizeof(head.ar_fmag)) != 0 || length > n - at)
			return;
		/* Names end in a slash and blanks; long ones stand elsewhere, behind a slash. */
		const char *end = memchr(head.ar_name, '/', sizeof(head.ar_name));
		size_t name_size = end ? (size_t)(end - head.ar_name) : 0;
		const bool is_member = is_for(head.ar_name, name_size, family);
		if (is_member || is_name(head.ar_name, name_size, "generic_ir")) {
			*data = bytes + at;
			*size = length;
		}
		if (is_member)
			return;
		at += length;
		at += at < n ? length & 1 : 0;
	}
}
