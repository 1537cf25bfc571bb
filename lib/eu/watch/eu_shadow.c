// SPDX-License-Identifier: MIT
#include "eu/watch/eu_shadow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gen/gen_inst.h"

enum { PAGE_SHIFT = 12, PAGE = 1 << PAGE_SHIFT, LINE = 64, WORD_SHIFT = 2 };

/* A cell as pages keep it; its time are the low bits, 0 is nobody. */
typedef uint64_t packed;
#define TIME	   UINT64_C(0xffffffff)
#define SITE_AT	   32
#define CHANNEL_AT 56
#define CHANNEL	   (UINT64_C(31) << CHANNEL_AT)
#define ATOMIC	   (UINT64_C(1) << 61)
#define WHOLE	   (UINT64_C(1) << 62)
#define SAME	   (TIME | ATOMIC | WHOLE) /* of cells that are ordered alike */

static packed pack(const struct eu_shadow_cell *cell)
{
	return cell->when | (packed)(cell->site & 0xffffff) << SITE_AT |
	       (packed)(cell->channel & 31) << CHANNEL_AT | (cell->atomic ? ATOMIC : 0) |
	       (cell->whole ? WHOLE : 0);
}

static struct eu_shadow_cell unpack(packed cell)
{
	return (struct eu_shadow_cell){ .when = (uint32_t)cell,
		.site = cell >> SITE_AT & 0xffffff,
		.channel = cell >> CHANNEL_AT & 31,
		.atomic = cell & ATOMIC,
		.whole = cell & WHOLE };
}

/* A unit is a dword, a word or a byte: as much as nobody has touched a part of. */
struct eu_shadow_page {
	packed *cells;	/* of all units the last writes, the last reads, and other reads */
	unsigned shift; /* log2 of a unit's bytes */
	uint32_t written[PAGE / LINE], read[PAGE / LINE]; /* when lines last were */
	packed words[3 * PAGE >> WORD_SHIFT];
};

/* Many pages, from large pages of the host where it has them. */
struct eu_shadow_slab {
	struct eu_shadow_slab *next;
	size_t used;
	struct eu_shadow_page pages[];
};
enum { SLAB = 1 << 21, SLAB_PAGES = (SLAB - 64) / sizeof(struct eu_shadow_page) };

static struct eu_shadow_slot *find_slot(
	struct eu_shadow_slot *slots, size_t capacity, uint64_t number)
{
	size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (capacity - 1);

	while (slots[i].page && slots[i].number != number)
		i = (i + 1) & (capacity - 1);
	return &slots[i];
}

static bool make_room(struct eu_shadow *shadow)
{
	size_t capacity = shadow->capacity ? 2 * shadow->capacity : 64;

	if (2 * (shadow->count + 1) <= shadow->capacity)
		return true;
	struct eu_shadow_slot *slots = calloc(capacity, sizeof *slots);
	if (!slots)
		return false;
	for (size_t i = 0; i < shadow->capacity; i++)
		if (shadow->slots[i].page)
			*find_slot(slots, capacity, shadow->slots[i].number) = shadow->slots[i];
	free(shadow->slots);
	shadow->slots = slots;
	shadow->capacity = capacity;
	return true;
}

/* A page of which nothing is known; NULL without memory. */
static struct eu_shadow_page *page_create(struct eu_shadow *shadow)
{
	struct eu_shadow_slab *slab = shadow->slabs;

	if (!slab || slab->used == SLAB_PAGES) {
		slab = mmap(
			NULL, 2 * SLAB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (slab == MAP_FAILED)
			return NULL;
		char *at = (char *)slab, *start = at + (SLAB - (uintptr_t)at % SLAB) % SLAB;
		if (start > at)
			munmap(at, (size_t)(start - at));
		if (start < at + SLAB)
			munmap(start + SLAB, (size_t)(at + SLAB - start));
		(void)madvise(start, SLAB, MADV_HUGEPAGE);
		slab = (struct eu_shadow_slab *)(void *)start;
		slab->next = shadow->slabs;
		shadow->slabs = slab;
	}
	struct eu_shadow_page *page = &slab->pages[slab->used++];
	page->shift = WORD_SHIFT;
	page->cells = page->words;
	return page;
}

/* The page of an address; NULL without memory. */
static struct eu_shadow_page *find_page(struct eu_shadow *shadow, uint64_t address)
{
	uint64_t number = address >> PAGE_SHIFT;
	struct eu_shadow_slot *recent = &shadow->recent[number % EU_SHADOW_PLACES];

	if (recent->page && recent->number == number)
		return recent->page;
	if (!make_room(shadow))
		return NULL;
	struct eu_shadow_slot *slot = find_slot(shadow->slots, shadow->capacity, number);
	if (!slot->page) {
		slot->page = page_create(shadow);
		if (!slot->page)
			return NULL;
		slot->number = number;
		shadow->count++;
	}
	*recent = *slot;
	return slot->page;
}

void eu_shadow_prefetch(struct eu_shadow *shadow, const uint64_t *addresses, unsigned count)
{
	struct eu_shadow_page *pages[GEN_MAX_LANES];

	for (unsigned i = 0; i < count; i++) {
		pages[i] = find_page(shadow, addresses[i]);
		__builtin_prefetch(pages[i]);
	}
	for (unsigned i = 0; i < count; i++) {
		unsigned at = (unsigned)(addresses[i] & (PAGE - 1));
		if (!pages[i])
			continue;
		__builtin_prefetch(&pages[i]->written[at / LINE], 1);
		__builtin_prefetch(&pages[i]->read[at / LINE], 1);
		__builtin_prefetch(&pages[i]->cells[at >> pages[i]->shift], 1);
	}
}

/* Keeps smaller units for themselves from now on. */
static bool page_split(struct eu_shadow_page *page, unsigned shift)
{
	unsigned count = 3 * PAGE >> shift;
	packed *cells = malloc(count * sizeof *cells);

	if (!cells)
		return false;
	for (unsigned i = 0; i < count; i++)
		cells[i] = page->cells[i >> (page->shift - shift)];
	if (page->cells != page->words)
		free(page->cells);
	page->cells = cells;
	page->shift = shift;
	return true;
}

struct touch {
	struct eu_shadow *shadow;
	const struct eu_order *order;
	const struct eu_order_agent *agent;
	const struct eu_shadow_access *access;
	struct eu_shadow_race *race;
	bool found, judges_channels;
	uint32_t floor;	      /* up to then nothing counts */
	packed cell;	      /* of the work-item whose turn it is, … */
	unsigned done;	      /* … of whose bytes so many have been touched */
	unsigned byte;	      /* of the access, where the turn is */
	packed ordered[2];    /* reads, writes: found to be ordered, whatever the channel */
	uint32_t last, older; /* times whose distances have been compared … */
	bool keeps, is_own;   /* … and what came of it */
};

#define NEXT_CHANNEL (UINT64_C(1) << CHANNEL_AT)

/* The cell of the work-item that touches the byte so far behind the turn. */
static packed cell_at(const struct touch *t, unsigned bytes)
{
	return t->cell + (t->done + bytes) / t->access->lane * NEXT_CHANNEL;
}

static void judge(struct touch *t, packed cell, bool writes, unsigned byte)
{
	unsigned kind = (t->access->global ? EU_ORDER_GLOBAL_READ : EU_ORDER_LOCAL_READ) + writes;
	uint32_t when = (uint32_t)cell, other;
	bool ordered, known = eu_order_find_owner(t->order, when, &other);
	const struct eu_order_launch *launch = NULL;

	if (when <= t->order->begun && !(cell & t->cell & ATOMIC)) {
		launch = eu_order_find_launch(t->order, when);
		ordered = !launch;
		other = known ? other : UINT32_MAX;
	} else if (!known || (cell & t->cell & ATOMIC)) {
		ordered = true;
	} else if (other != t->agent->id) {
		ordered = eu_order_is_before(
			t->order, t->agent, other, when, (enum eu_order_kind)kind);
	} else {
		ordered = !t->judges_channels || when < t->agent->closed[kind] ||
			  ((cell | t->cell) & WHOLE);
		if (!ordered && !((cell ^ cell_at(t, byte)) & CHANNEL))
			return;
	}
	t->found = !ordered;
	if (ordered)
		t->ordered[writes] = cell & SAME;
	else
		*t->race = (struct eu_shadow_race){ unpack(cell), other, launch, writes,
			t->byte + byte };
}

/* What differs between the cells. */
static packed find_strays(const packed *cells, unsigned count)
{
	packed first = cells[0], strays = 0;

	for (unsigned i = 1; i < count; i++)
		strays |= cells[i] ^ first;
	return strays;
}

static bool is_settled(const struct touch *t, packed cell, bool writes)
{
	return (uint32_t)cell <= t->floor || (cell & SAME) == t->ordered[writes];
}

static void compare(
	struct touch *t, const packed *cells, unsigned count, bool writes, unsigned shift)
{
	if (count > 1 && !t->found && !(find_strays(cells, count) & SAME)) {
		if (!is_settled(t, cells[0], writes))
			judge(t, cells[0], writes, 0);
		if (t->found || is_settled(t, cells[0], writes))
			return;
	}
	for (unsigned i = 0; i < count && !t->found; i++)
		if (!is_settled(t, cells[i], writes))
			judge(t, cells[i], writes, i << shift);
}

/* How far away from the agent others are: another launch, another group, another agent, itself. */
static unsigned distance(const struct touch *t, uint32_t when)
{
	__typeof__(*t->shadow->distances) *known = &t->shadow->distances[when % EU_SHADOW_PLACES];
	uint32_t other;

	if (when <= t->order->begun)
		return eu_order_find_launch(t->order, when) ? 4 : 0;
	if (known->when == when && known->agent == t->agent->id)
		return known->distance;
	*known = (__typeof__(*known)){ when, t->agent->id, 0 };
	if (!eu_order_find_owner(t->order, when, &other))
		return 0;
	if (other / t->order->threads_per_group != t->agent->group->id)
		known->distance = 3;
	else
		known->distance = other != t->agent->id ? 2 : 1;
	return known->distance;
}

/* Whether the last read, of another work-item than the cell's, is to be kept in place of `older`.
 */
static bool keeps_last(struct touch *t, packed last, packed older, packed cell)
{
	if ((uint32_t)last != t->last || (uint32_t)older != t->older) {
		unsigned far = distance(t, t->last = (uint32_t)last);
		t->keeps = far >= distance(t, t->older = (uint32_t)older);
		t->is_own = far == 1;
	}
	return t->keeps && (!t->is_own || ((last ^ cell) & CHANNEL));
}

/* The same of units of a lane each, where all were read at one time, and before at another. */
static bool keep_alike(struct touch *t, packed *reads, packed *older, unsigned count)
{
	packed last = reads[0], cell = t->cell, elsewhere = 0;
	bool keeps = false;

	if ((find_strays(reads, count) | find_strays(older, count)) & TIME)
		return false;
	if (!((last ^ cell) & TIME)) {
		for (unsigned i = 0; i < count; i++)
			elsewhere |= (reads[i] ^ (cell + i * NEXT_CHANNEL)) & CHANNEL;
	} else if ((uint32_t)last > t->floor) {
		keeps = keeps_last(t, last, older[0], cell);
		elsewhere = t->is_own;
	}
	if (elsewhere)
		return false;
	if (keeps)
		memcpy(older, reads, count * sizeof *reads);
	for (unsigned i = 0; i < count; i++)
		reads[i] = cell + i * NEXT_CHANNEL;
	return true;
}

static void keep_reads(
	struct touch *t, packed *reads, packed *older, unsigned count, unsigned shift)
{
	packed cell = t->cell;
	unsigned done = t->done;

	if (count > 1 && t->access->lane == 1u << shift && keep_alike(t, reads, older, count))
		return;
	for (unsigned i = 0; i < count; i++) {
		packed last = reads[i];
		if ((uint32_t)last > t->floor && ((last ^ cell) & (TIME | CHANNEL)) &&
			keeps_last(t, last, older[i], cell))
			older[i] = last;
		reads[i] = cell;
		done += 1u << shift;
		if (done == t->access->lane) {
			done = 0;
			cell += NEXT_CHANNEL;
		}
	}
}

static void keep_writes(const struct touch *t, packed *writes, unsigned count, unsigned shift)
{
	unsigned lane = t->access->lane >> shift;
	packed cell = t->cell;

	if (lane == 1) {
		for (unsigned i = 0; i < count; i++)
			writes[i] = cell + i * NEXT_CHANNEL;
		return;
	}
	for (unsigned i = 0, done = t->done >> shift; i < count; i++) {
		writes[i] = cell;
		if (++done == lane) {
			done = 0;
			cell += NEXT_CHANNEL;
		}
	}
}

/* Bytes of one line. */
static void touch_line(struct touch *t, struct eu_shadow_page *page, unsigned at, unsigned bytes)
{
	unsigned line = at / LINE, shift = page->shift, units = PAGE >> shift;
	unsigned count = bytes >> shift;
	packed *writes = page->cells + (at >> shift), *reads = writes + units;

	if (page->written[line] > t->floor)
		compare(t, writes, count, true, shift);
	if (!t->access->writes) {
		keep_reads(t, reads, reads + units, count, shift);
		page->read[line] = t->agent->period;
	} else {
		if (page->read[line] > t->floor) {
			compare(t, reads, count, false, shift);
			compare(t, reads + units, count, false, shift);
			memset(reads, 0, count * sizeof *reads);
			memset(reads + units, 0, count * sizeof *reads);
		}
		keep_writes(t, writes, count, shift);
		page->written[line] = t->agent->period;
	}
	t->cell = cell_at(t, bytes);
	t->done = (t->done + bytes) % t->access->lane;
	t->byte += bytes;
}

bool eu_shadow_touch(struct eu_shadow *shadow, const struct eu_order *order,
	struct eu_order_agent *agent, const struct eu_shadow_access *access,
	struct eu_shadow_race *race)
{
	struct touch t = { .shadow = shadow,
		.order = order,
		.agent = agent,
		.access = access,
		.cell = pack(&access->cell) | agent->period,
		.race = race,
		.judges_channels = shadow->judges_channels,
		.floor = access->global ? order->floor : agent->group->begun };
	unsigned odd = (unsigned)access->address | access->bytes | access->lane;
	unsigned shift = odd & 3 ? !(odd & 1) : WORD_SHIFT;

	agent->last[(access->global ? EU_ORDER_GLOBAL_READ : EU_ORDER_LOCAL_READ) +
		    access->writes] = agent->period;
	while (t.byte < access->bytes) {
		struct eu_shadow_page *page = find_page(shadow, access->address + t.byte);
		unsigned at = (unsigned)((access->address + t.byte) & (PAGE - 1));
		unsigned part = LINE - at % LINE, rest = access->bytes - t.byte;
		if (!page || (shift < page->shift && !page_split(page, shift)))
			return t.found;
		touch_line(&t, page, at, part < rest ? part : rest);
	}
	return t.found;
}

void eu_shadow_finish(struct eu_shadow *shadow)
{
	for (struct eu_shadow_slab *slab = shadow->slabs, *next; slab; slab = next) {
		next = slab->next;
		for (size_t i = 0; i < slab->used; i++)
			if (slab->pages[i].cells != slab->pages[i].words)
				free(slab->pages[i].cells);
		munmap(slab, SLAB);
	}
	free(shadow->slots);
	memset(shadow, 0, sizeof *shadow);
}
