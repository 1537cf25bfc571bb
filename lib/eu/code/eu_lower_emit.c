// SPDX-License-Identifier: MIT
#include "eu/code/eu_lower.h"

#include <stdlib.h>

bool eu_lower_reserve(
	struct eu_lowering *l, void **array, uint32_t *capacity, uint32_t needed, size_t size)
{
	if (needed <= *capacity)
		return true;
	uint32_t wanted = *capacity ? 2 * *capacity : 64;
	void *larger = realloc(*array, wanted * size);
	if (!larger) {
		l->no_memory = true;
		return false;
	}
	*array = larger;
	*capacity = wanted;
	return true;
}

void eu_lower_emit(struct eu_lowering *l, unsigned full, unsigned partial, const struct eu_uop *uop)
{
	uint32_t capacity = l->capacity, needed = l->count + 1;
	if (!eu_lower_reserve(l, (void **)&l->full, &capacity, needed, sizeof(*l->full)) ||
		!eu_lower_reserve(
			l, (void **)&l->partial, &l->capacity, needed, sizeof(*l->partial)))
		return;
	l->full[l->count] = l->partial[l->count] = *uop;
	l->full[l->count].code = (uint16_t)full;
	l->partial[l->count].code = (uint16_t)partial;
	l->count++;
}

void eu_lower_emit_plain(struct eu_lowering *l, unsigned code, struct eu_uop uop)
{
	eu_lower_emit(l, code, code, &uop);
}

void eu_lower_emit_counting(struct eu_lowering *l, unsigned code, struct eu_uop uop)
{
	uop.count = (uint16_t)l->block;
	l->block = 0;
	eu_lower_emit(l, code, code, &uop);
}
