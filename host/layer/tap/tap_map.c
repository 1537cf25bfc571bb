// SPDX-License-Identifier: MIT
#include "layer/tap/tap_map.h"

#include <stdlib.h>

static struct tap_slot *slot_of(const struct tap_map *map, struct tap_key key)
{
	uint64_t at = (key.low ^ key.high) * 0x9e3779b97f4a7c15u >> 20;

	for (;; at++) {
		struct tap_slot *slot = &map->slots[at & (map->room - 1)];
		if (!slot->value || (slot->key.low == key.low && slot->key.high == key.high))
			return slot;
	}
}

uint64_t tap_map_get(const struct tap_map *map, struct tap_key key)
{
	return map->room ? slot_of(map, key)->value : 0;
}

static void grow(struct tap_map *map)
{
	struct tap_map larger = { .room = map->room ? map->room * 2 : 256 };

	larger.slots = calloc(larger.room, sizeof *larger.slots);
	if (!larger.slots)
		return;
	for (size_t i = 0; i < map->room; i++)
		if (map->slots[i].value)
			*slot_of(&larger, map->slots[i].key) = map->slots[i];
	larger.n = map->n;
	free(map->slots);
	*map = larger;
}

void tap_map_set(struct tap_map *map, struct tap_key key, uint64_t value)
{
	if (map->n * 2 >= map->room)
		grow(map);
	if (map->n + 1 >= map->room)
		return;
	struct tap_slot *slot = slot_of(map, key);
	map->n += !slot->value;
	*slot = (struct tap_slot){ key, value };
}
