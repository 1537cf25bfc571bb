// SPDX-License-Identifier: MIT
#include "eu/watch/eu_shadow_page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	PAGE_SHIFT = EU_SHADOW_PAGE_SHIFT,
	PAGE = EU_SHADOW_PAGE,
	WORD_SHIFT = EU_SHADOW_WORD_SHIFT,
	KINDS = EU_SHADOW_KINDS
};

/* Memory for pages and their cells, large pages of the host where it has them. */
struct eu_shadow_slab {
	struct eu_shadow_slab *next;
	size_t used;
	_Alignas(EU_SHADOW_ALIGN) char bytes[];
};
enum { SLAB = 1 << 21, SLAB_BYTES = SLAB - sizeof(struct eu_shadow_slab) };

/* So many bytes in use are worth no sweep. */
enum { ENOUGH = 32 << 20 };

struct eu_shadow_unused {
	struct eu_shadow_unused *next;
};

static struct eu_shadow_slot *find_slot(
	struct eu_shadow_slot *slots, size_t capacity, uint64_t number)
{
	size_t i = eu_shadow_hash(number) & (capacity - 1);

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

/* What is taken: pages, and cells of a page whose units have 1, 2 or 4 bytes. */
enum { CELLS, PAGES = CELLS + WORD_SHIFT + 1 };
_Static_assert(PAGES + 1 == EU_SHADOW_SIZES, "a list for each");

static size_t bytes_of(unsigned size)
{
	return size == PAGES ? sizeof(struct eu_shadow_page)
			     : ((size_t)KINDS * PAGE >> (size - CELLS)) * sizeof(uint64_t);
}

static void give_back(struct eu_shadow *shadow, void *memory, unsigned size)
{
	struct eu_shadow_unused *unused = memory;

	unused->next = shadow->unused[size];
	shadow->unused[size] = unused;
	shadow->used -= bytes_of(size);
}

/* Zeros; NULL without memory. */
static void *take(struct eu_shadow *shadow, unsigned size)
{
	struct eu_shadow_slab *slab = shadow->slabs;
	struct eu_shadow_unused *unused = shadow->unused[size];
	size_t bytes = bytes_of(size);

	if (unused) {
		shadow->unused[size] = unused->next;
		shadow->used += bytes;
		return memset(unused, 0, bytes);
	}
	if (!slab || slab->used + bytes > SLAB_BYTES) {
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
	slab->used += bytes;
	shadow->used += bytes;
	return slab->bytes + slab->used - bytes;
}

/* A page of which nothing is known; NULL without memory. */
static struct eu_shadow_page *page_create(struct eu_shadow *shadow)
{
	struct eu_shadow_page *page = take(shadow, PAGES);

	if (page)
		page->shift = WORD_SHIFT;
	return page;
}

/* ---- what is constant ---- */

static unsigned reader_of(const struct eu_shadow_readers *readers, unsigned at)
{
	const unsigned site = readers->dword[at / 4];

	return site ? site : readers->byte[at];
}

/* Whether a list of sites has one where another has none. */
static bool differ(const uint8_t *before, const uint8_t *last, unsigned count)
{
	typedef uint8_t bytes __attribute__((vector_size(16)));
	typedef uint64_t words __attribute__((vector_size(16)));
	bytes more = { 0 }, a, b;

	for (unsigned i = 0; i < count; i += sizeof more) {
		memcpy(&a, before + i, sizeof a);
		memcpy(&b, last + i, sizeof b);
		more |= a & (bytes)(b == 0);
	}
	return ((words)more)[0] | ((words)more)[1];
}

/* Whether `before` may have bytes that `last` does not have. */
static bool has_more(const struct eu_shadow_readers *before, const struct eu_shadow_readers *last)
{
	return differ(before->dword, last->dword, sizeof before->dword) ||
	       (before->has_bytes && differ(before->byte, last->byte, sizeof before->byte));
}

/* Keeps by units what a walker has read and the one behind it has not. */
static void keep_readers(struct eu_shadow *shadow, struct eu_shadow_page *page,
	const struct eu_shadow_readers *from, const struct eu_shadow_readers *behind)
{
	for (unsigned at = 0, end; at < PAGE; at = end) {
		const unsigned reader = reader_of(from, at);
		const bool is_again = reader_of(behind, at) != 0;
		for (end = at + 1; end < PAGE && reader_of(from, end) == reader &&
				   (reader_of(behind, end) != 0) == is_again;)
			end++;
		const uint64_t number = from->first_site + reader - 1;
		if (reader && !is_again)
			(void)eu_shadow_keep_read(shadow, page, at, end,
				from->when | number << EU_SHADOW_SITE_AT | EU_SHADOW_SOMEBODY);
	}
}

static void forget_readers(struct eu_shadow_readers *readers)
{
	if (readers->when)
		memset(readers->dword, 0, sizeof readers->dword);
	if (readers->has_bytes)
		memset(readers->byte, 0, sizeof readers->byte);
	readers->when = 0;
	readers->has_bytes = false;
}

/*
 * A walker uses a page for the first time. Of earlier walkers, the reads of what was constant are
 * kept for commands to come: as bytes those of the last walker that made any; by units those of the
 * one before it that the last has not made again. (Who is ordered behind the later read of a byte
 * is behind the earlier one, too.) By units also all that count for this walker. A page of local
 * memory, of which nothing counts, is kept by dwords again if it can be.
 */
static void begin_page(struct eu_shadow *shadow, struct eu_shadow_page *page, bool is_local)
{
	struct eu_shadow_readers *last = &page->readers[page->last];
	struct eu_shadow_readers *before = &page->readers[!page->last];

	if (last->when) {
		if (before->when && has_more(before, last))
			keep_readers(shadow, page, before, last);
		forget_readers(before);
		page->last = !page->last;
	}
	before = &page->readers[!page->last];
	if (before->when > shadow->floor) {
		keep_readers(shadow, page, before, &page->readers[page->last]);
		forget_readers(before);
	}
	if (is_local && !page->is_narrow && page->shift < WORD_SHIFT) {
		if (page->cells)
			give_back(shadow, page->cells, CELLS + page->shift);
		*page = (struct eu_shadow_page){ .shift = WORD_SHIFT };
	}
	page->is_narrow = false;
	if (page->spot)
		page->written = shadow->begun; /* at most */
	page->spot = NULL;
	page->apart = 0;
}

struct eu_shadow_page *eu_shadow_search_page(
	struct eu_shadow *shadow, uint64_t number, struct eu_shadow_slot *recent)
{
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
	if (slot->begun != shadow->begun)
		begin_page(shadow, slot->page, number >= EU_SHADOW_LOCAL >> PAGE_SHIFT);
	else if (slot->page->spot)
		eu_shadow_drop_spot(shadow, slot->page);
	slot->begun = shadow->begun;
	*recent = *slot;
	return slot->page;
}

uint64_t *eu_shadow_take_cells(struct eu_shadow *shadow, unsigned shift)
{
	return take(shadow, CELLS + shift);
}

bool eu_shadow_split(struct eu_shadow *shadow, struct eu_shadow_page *page, unsigned shift)
{
	uint64_t *cells = page->cells ? take(shadow, CELLS + shift) : NULL;

	if (page->cells && !cells)
		return false;
	for (unsigned i = 0; page->cells && i < (unsigned)PAGE >> shift; i++) {
		const uint64_t *reads = page->cells + (PAGE >> page->shift);
		unsigned from = i >> (page->shift - shift);
		cells[i] = page->cells[from];
		memcpy(cells + (PAGE >> shift) + 2 * i, reads + 2 * from, 2 * sizeof *reads);
	}
	if (page->cells)
		give_back(shadow, page->cells, CELLS + page->shift);
	page->cells = cells;
	page->shift = shift;
	return true;
}

/* Gives back the pages that nothing counts of any more and that nobody has used since last time. */
static void sweep(struct eu_shadow *shadow, uint32_t floor)
{
	struct eu_shadow_slot *slots = calloc(shadow->capacity, sizeof *slots);
	uint32_t oldest = floor < shadow->swept ? floor : shadow->swept;

	if (!slots)
		return;
	for (size_t i = 0; i < shadow->capacity; i++) {
		const struct eu_shadow_slot *slot = &shadow->slots[i];
		if (slot->page && slot->begun >= oldest) {
			*find_slot(slots, shadow->capacity, slot->number) = *slot;
		} else if (slot->page) {
			if (slot->page->cells)
				give_back(shadow, slot->page->cells, CELLS + slot->page->shift);
			give_back(shadow, slot->page, PAGES);
			shadow->count--;
		}
	}
	free(shadow->slots);
	shadow->slots = slots;
	shadow->swept = shadow->begun;
}

void eu_shadow_begin(struct eu_shadow *shadow, const struct eu_order *order)
{
	if (order->era != shadow->era)
		eu_shadow_finish(shadow);
	shadow->era = order->era;
	memset(shadow->recent, 0, sizeof shadow->recent);
	eu_shadow_flush(shadow);
	memset(shadow->spots, 0, sizeof shadow->spots);
	shadow->begun = order->begun;
	shadow->floor = order->floor;
	shadow->is_void = order->floor == order->begun;
	if (shadow->used <= ENOUGH || shadow->used <= shadow->enough)
		return;
	sweep(shadow, order->floor);
	/* Sweeps cost little beside the pages that have come since. */
	shadow->enough = shadow->used + shadow->used / 8;
}

void eu_shadow_finish(struct eu_shadow *shadow)
{
	for (struct eu_shadow_slab *slab = shadow->slabs, *next; slab; slab = next) {
		next = slab->next;
		munmap(slab, SLAB);
	}
	free(shadow->slots);
	memset(shadow, 0, sizeof *shadow);
}
