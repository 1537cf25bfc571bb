// SPDX-License-Identifier: MIT
#include "drm/memory/drm_ids.h"

#include <stdlib.h>
#include <string.h>

uint32_t drm_ids_add(struct drm_ids *ids, void *object)
{
	uint32_t i = ids->lowest_free;

	while (i < ids->count && ids->slots[i])
		i++;
	if (i == ids->count) {
		uint32_t count = ids->count ? ids->count * 2 : 16;
		void **slots = realloc(ids->slots, count * sizeof(*slots));
		if (!slots)
			return 0;
		memset(slots + ids->count, 0, (count - ids->count) * sizeof(*slots));
		ids->slots = slots;
		ids->count = count;
	}
	ids->slots[i] = object;
	ids->lowest_free = i + 1;
	return i + 1;
}

void *drm_ids_find(const struct drm_ids *ids, uint64_t id)
{
	return id >= 1 && id <= ids->count ? ids->slots[id - 1] : NULL;
}

void *drm_ids_remove(struct drm_ids *ids, uint64_t id)
{
	void *object = drm_ids_find(ids, id);

	if (object) {
		ids->slots[id - 1] = NULL;
		if (id - 1 < ids->lowest_free)
			ids->lowest_free = (uint32_t)id - 1;
	}
	return object;
}

void drm_ids_finish(struct drm_ids *ids)
{
	free(ids->slots);
	*ids = (struct drm_ids){ 0 };
}
