// SPDX-License-Identifier: MIT
#ifndef DRM_IDS_H
#define DRM_IDS_H

#include <stdint.h>

/* Ids of objects, lowest first from 1, as the kernel's idr gives them. */
struct drm_ids {
	void **slots; /* slots[id - 1] */
	uint32_t count, lowest_free;
};

/* Returns the new id, or 0 when memory is short. */
uint32_t drm_ids_add(struct drm_ids *ids, void *object);
/* Returns NULL when there is no such id. */
void *drm_ids_find(const struct drm_ids *ids, uint64_t id);
/* Frees the id and returns its object, NULL when there is none. */
void *drm_ids_remove(struct drm_ids *ids, uint64_t id);
void drm_ids_finish(struct drm_ids *ids);

#endif
