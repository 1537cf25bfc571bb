// SPDX-License-Identifier: MIT
#include "eu/watch/eu_shadow.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_SHIFT = 12, PAGE = 1 << PAGE_SHIFT, WORD = 4 };

/* A byte, or a dword of which all bytes are alike. */
struct unit {
	struct eu_shadow_cell write, reads[2];
};

struct eu_shadow_page {
	uint64_t number, epoch;
	struct unit *units; /* NULL: the slot is unused */
	bool by_bytes;
};

static struct eu_shadow_page *find_slot(
	struct eu_shadow_page *pages, size_t capacity, uint64_t number)
{
	size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (capacity - 1);

	while (pages[i].units && pages[i].number != number)
		i = (i + 1) & (capacity - 1);
	return &pages[i];
}

static bool make_room(struct eu_shadow *shadow)
{
	size_t capacity = shadow->capacity ? 2 * shadow->capacity : 64;

	if (2 * (shadow->count + 1) <= shadow->capacity)
		return true;
	struct eu_shadow_page *pages = calloc(capacity, sizeof *pages);
	if (!pages)
		return false;
	for (size_t i = 0; i < shadow->capacity; i++)
		if (shadow->pages[i].units)
			*find_slot(pages, capacity, shadow->pages[i].number) = shadow->pages[i];
	free(shadow->pages);
	shadow->pages = pages;
	shadow->capacity = capacity;
	shadow->last = NULL;
	return true;
}

/* The page of an address, fresh when it was kept for another epoch; NULL without memory. */
static struct eu_shadow_page *find_page(struct eu_shadow *shadow, uint64_t address, uint64_t epoch)
{
	uint64_t number = address >> PAGE_SHIFT;
	struct eu_shadow_page *page = shadow->last;

	if (!page || page->number != number) {
		if (!make_room(shadow))
			return NULL;
		page = find_slot(shadow->pages, shadow->capacity, number);
	}
	if (!page->units) {
		page->units = calloc(PAGE / WORD, sizeof(*page->units));
		if (!page->units)
			return NULL;
		page->number = number;
		page->epoch = epoch;
		shadow->count++;
	}
	if (page->epoch != epoch) {
		memset(page->units, 0, PAGE / (page->by_bytes ? 1 : WORD) * sizeof(*page->units));
		page->epoch = epoch;
	}
	shadow->last = page;
	return page;
}

/* Keeps each byte for itself from now on. */
static bool page_split(struct eu_shadow_page *page)
{
	struct unit *units = malloc(PAGE * sizeof *units);

	if (!units)
		return false;
	for (unsigned i = 0; i < PAGE; i++)
		units[i] = page->units[i / WORD];
	free(page->units);
	page->units = units;
	page->by_bytes = true;
	return true;
}

struct touch {
	const struct eu_order *order;
	const struct eu_order_agent *agent;
	const struct eu_shadow_access *access;
	struct eu_shadow_cell cell;
	struct eu_shadow_race *race;
	bool found, judges_channels;
};

static bool is_ordered(const struct touch *t, const struct eu_shadow_cell *cell, bool writes)
{
	unsigned kind = (t->access->global ? EU_ORDER_GLOBAL_READ : EU_ORDER_LOCAL_READ) + writes;

	if (cell->when == 0 || (cell->atomic && t->cell.atomic))
		return true;
	if (cell->agent == t->cell.agent)
		return !t->judges_channels || cell->whole || t->cell.whole ||
		       cell->channel == t->cell.channel || cell->when < t->agent->closed[kind];
	return eu_order_is_before(
		t->order, t->agent, cell->agent, cell->when, (enum eu_order_kind)kind);
}

static void compare(struct touch *t, const struct eu_shadow_cell *cell, bool writes, unsigned byte)
{
	if (t->found || is_ordered(t, cell, writes))
		return;
	*t->race = (struct eu_shadow_race){ *cell, writes, byte };
	t->found = true;
}

/* How far away from this access another is: in another group, another agent, another channel. */
static unsigned distance(const struct touch *t, const struct eu_shadow_cell *cell)
{
	if (cell->when == 0)
		return 0;
	if (cell->agent / t->order->threads_per_group != t->agent->group->id)
		return 3;
	return cell->agent != t->cell.agent ? 2 : cell->channel != t->cell.channel;
}

static void keep_read(const struct touch *t, struct unit *unit)
{
	unsigned last = distance(t, &unit->reads[0]);

	if (last != 0 && last >= distance(t, &unit->reads[1]))
		unit->reads[1] = unit->reads[0];
	unit->reads[0] = t->cell;
}

static void touch_unit(struct touch *t, struct unit *unit, unsigned byte)
{
	compare(t, &unit->write, true, byte);
	if (!t->access->writes) {
		keep_read(t, unit);
		return;
	}
	for (unsigned i = 0; i < 2; i++)
		compare(t, &unit->reads[i], false, byte);
	memset(unit->reads, 0, sizeof unit->reads);
	unit->write = t->cell;
}

bool eu_shadow_touch(struct eu_shadow *shadow, const struct eu_order *order,
	struct eu_order_agent *agent, const struct eu_shadow_access *access,
	struct eu_shadow_race *race)
{
	struct touch t = { .order = order,
		.agent = agent,
		.access = access,
		.cell = access->cell,
		.race = race,
		.judges_channels = shadow->judges_channels };
	unsigned step;

	t.cell.when = agent->period;
	t.cell.agent = agent->id;
	agent->last[(access->global ? EU_ORDER_GLOBAL_READ : EU_ORDER_LOCAL_READ) +
		    access->writes] = agent->period;
	for (unsigned byte = 0; byte < access->bytes; byte += step) {
		uint64_t address = access->address + byte;
		unsigned at = (unsigned)(address & (PAGE - 1));
		bool whole = at % WORD == 0 && access->bytes - byte >= WORD;
		struct eu_shadow_page *page = find_page(shadow, address, access->epoch);
		step = page && !page->by_bytes ? WORD : 1;
		if (!page || (step == WORD && !whole && !page_split(page)))
			return t.found;
		step = page->by_bytes ? 1 : WORD;
		touch_unit(&t, &page->units[at / step], byte);
	}
	return t.found;
}

void eu_shadow_finish(struct eu_shadow *shadow)
{
	for (size_t i = 0; i < shadow->capacity; i++)
		free(shadow->pages[i].units);
	free(shadow->pages);
	memset(shadow, 0, sizeof *shadow);
}

void eu_races_destroy(struct eu_races *races)
{
	if (!races)
		return;
	eu_order_finish(&races->order);
	eu_shadow_finish(&races->shadow);
	free(races);
}
