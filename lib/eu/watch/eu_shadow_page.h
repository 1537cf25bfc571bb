// SPDX-License-Identifier: MIT
#ifndef EU_SHADOW_PAGE_H
#define EU_SHADOW_PAGE_H

#include "eu/watch/eu_shadow.h"

/*
 * The cell of a unit has its time in the low 32 bits, then the number of the instruction. A cell
 * with all bits of SOMEBODY does not tell which work-item it was, nor its work-group.
 */
#define EU_SHADOW_SITE_AT  32
#define EU_SHADOW_SOMEBODY (UINT64_C(7) << 53)

/* The memory of eu_shadow.h: what is kept, page by page of what is watched. */
enum {
	EU_SHADOW_PAGE_SHIFT = 12,
	EU_SHADOW_PAGE = 1 << EU_SHADOW_PAGE_SHIFT,
	EU_SHADOW_LINE = 32,
	EU_SHADOW_WORD_SHIFT = 2,
	EU_SHADOW_ALIGN = 64, /* of pages and cells: the host's cache loads so many bytes */
	EU_SHADOW_KINDS = 3   /* the last write, the last read, another read */
};

/*
 * Cells are packed as eu_shadow.c has it; 0 is nobody.
 *
 * A line that is touched as a whole by work-items one after the other is kept as the first one's
 * cells. Others are kept by units: a dword, a word or a byte, as much as nobody has touched a part
 * of.
 */
struct eu_shadow_line {
	uint64_t cells[EU_SHADOW_KINDS];
};

/*
 * Reads of what is constant, by one walker: the time of one of them, 0 if there is none; and which
 * instruction was the last to read a dword as a whole, or else a byte. 1 is `first_site`, 0 is
 * none.
 */
struct eu_shadow_readers {
	uint32_t when, first_site;
	bool has_bytes;
	uint8_t dword[EU_SHADOW_PAGE / 4];
	uint8_t byte[EU_SHADOW_PAGE];
};

struct eu_shadow_page {
	/* Of each unit the last write, then of each both reads; or NULL. */
	_Alignas(EU_SHADOW_ALIGN) uint64_t *cells;
	unsigned shift;		/* log2 of a unit's bytes */
	uint32_t written, read; /* when one of the lines that are kept by units last was */
	bool is_narrow;		/* somebody has touched less than a dword in this walker */
	uint8_t apart;		/* how often in this walker it was not yet given a spot */
	bool last;		/* which of `readers` the walker fills that uses the page now */
	struct eu_shadow_spot *spot; /* in this walker (eu_shadow_spot.c); NULL: none */
	uint64_t by_units[EU_SHADOW_PAGE / EU_SHADOW_LINE / 64];      /* a bit for each line */
	struct eu_shadow_line lines[EU_SHADOW_PAGE / EU_SHADOW_LINE]; /* the others */
	struct eu_shadow_readers readers[2]; /* the other: of the walker before */
};

/* Of neighbours other places, and of those that are a power of two apart. */
static inline size_t eu_shadow_hash(uint64_t number)
{
	return (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* That of the number, made when it is not there; NULL without memory. */
struct eu_shadow_page *eu_shadow_search_page(
	struct eu_shadow *shadow, uint64_t number, struct eu_shadow_slot *recent);

/* The page of an address; NULL without memory. */
static inline __attribute__((always_inline)) struct eu_shadow_page *eu_shadow_find_page(
	struct eu_shadow *shadow, uint64_t address)
{
	uint64_t number = address >> EU_SHADOW_PAGE_SHIFT;
	struct eu_shadow_slot *recent = &shadow->recent[eu_shadow_hash(number) % EU_SHADOW_PAGES];

	return recent->page && recent->number == number
		       ? recent->page
		       : eu_shadow_search_page(shadow, number, recent);
}

/* The next eu_shadow_find_page of the address calls eu_shadow_search_page. */
static inline void eu_shadow_forget_page(struct eu_shadow *shadow, uint64_t address)
{
	uint64_t number = address >> EU_SHADOW_PAGE_SHIFT;

	shadow->recent[eu_shadow_hash(number) % EU_SHADOW_PAGES].page = NULL;
}

/* Stores in the cells what waits in the log (eu_shadow_spot.c), and empties that. */
void eu_shadow_flush(struct eu_shadow *shadow);
/* Takes the spot away from a page that has one: its cells are complete from then on. */
void eu_shadow_drop_spot(struct eu_shadow *shadow, struct eu_shadow_page *page);

/* Zeros, for the units of a page; NULL without memory. */
uint64_t *eu_shadow_take_cells(struct eu_shadow *shadow, unsigned shift);
/* Keeps smaller units of a page for themselves from now on; false without memory. */
bool eu_shadow_split(struct eu_shadow *shadow, struct eu_shadow_page *page, unsigned shift);

/* Keeps a read by units, of bytes [at, end) of a page; false without memory. */
bool eu_shadow_keep_read(struct eu_shadow *shadow, struct eu_shadow_page *page, unsigned at,
	unsigned end, uint64_t cell);

#endif
