// SPDX-License-Identifier: MIT
/*
 * Scattered writes. A page that is written unit by unit gets a spot: all of it is kept by units,
 * and no read of it counts, so that a write is compared with the last write alone. A bit for each
 * unit says whether that counts. If not, the unit's new cell goes to the end of a log, and is
 * stored in the page later: the cells of many pages are more than the host's caches hold, and
 * stores here and there wait for memory. A read, a unit of another size, and the end of the walker
 * take the spot away.
 */
#include <string.h>

#include "eu/watch/eu_observer.h"
#include "eu/watch/eu_shadow_cell.h"

/* So many writes a page waits for its spot, where lines must be opened or cells looked through. */
enum { ENOUGH = 64 };

/*
 * Where the parts of a log entry begin: the time (0), the instruction as counted from log_site,
 * whether it is atomic, the channel, the unit, the spot's number.
 */
enum {
	LOG_SITE_AT = 32,
	LOG_ATOMIC_AT = 37,
	LOG_CHANNEL_AT = 38,
	LOG_UNIT_AT = 43,
	LOG_SPOT_AT = 55
};
enum { LOG_SITES = 1 << (LOG_ATOMIC_AT - LOG_SITE_AT) };
_Static_assert(EU_SHADOW_SPOTS == 1 << (64 - LOG_SPOT_AT), "they have a number each");
_Static_assert(PAGE == 1 << (LOG_SPOT_AT - LOG_UNIT_AT), "units of a byte, too");

static uint64_t key_of(uint64_t address, unsigned shift)
{
	return (address >> PAGE_SHIFT << 2 | shift) + 1;
}

static unsigned spot_of(uint64_t address)
{
	return (address >> PAGE_SHIFT) % EU_SHADOW_SPOTS;
}

void eu_shadow_flush(struct eu_shadow *shadow)
{
	for (unsigned i = 0; i < shadow->log_used; i++) {
		const uint64_t entry = shadow->log[i];
		const packed site = shadow->log_site + (entry >> LOG_SITE_AT) % LOG_SITES;
		const packed channel = entry >> LOG_CHANNEL_AT & 31;
		packed *cells = shadow->spots[entry >> LOG_SPOT_AT].page->cells;
		cells[(entry >> LOG_UNIT_AT) % PAGE] = (entry & TIME) | site << SITE_AT |
						       channel << CHANNEL_AT |
						       (entry >> LOG_ATOMIC_AT & 1 ? ATOMIC : 0);
	}
	shadow->log_used = 0;
}

void eu_shadow_drop_spot(struct eu_shadow *shadow, struct eu_shadow_page *page)
{
	eu_shadow_flush(shadow);
	page->spot->key = 0;
	page->spot = NULL;
	page->written = shadow->spots_end;
	page->apart = 0;
}

static bool is_open(const struct eu_shadow_page *page)
{
	uint64_t all = UINT64_MAX;

	for (unsigned i = 0; i < sizeof page->by_units / sizeof *page->by_units; i++)
		all &= page->by_units[i];
	return all == UINT64_MAX;
}

/*
 * Gives the page at the address its spot, for units of 1 << shift bytes. False: it cannot have one,
 * or has to wait (ENOUGH).
 */
__attribute__((noinline)) static bool take_spot(
	const struct who *w, uint64_t address, unsigned shift)
{
	struct eu_shadow *shadow = w->shadow;
	struct eu_shadow_spot *spot = &shadow->spots[spot_of(address)];
	uint64_t *touched = shadow->touched[spot_of(address)];
	struct eu_shadow_page *page = eu_shadow_find_page(shadow, address);

	if (!page || !page->cells || page->shift != shift || page->read > w->floor[false])
		return false;
	if ((spot->key || page->written > w->floor[true] || !is_open(page)) &&
		page->apart++ < ENOUGH)
		return false;
	for (unsigned at = 0; at < PAGE; at += LINE)
		if (!is_by_units(page, at))
			open_line(page, at);
	if (page->read > w->floor[false])
		return false;
	if (spot->key)
		eu_shadow_drop_spot(shadow, spot->page);
	memset(touched, 0, sizeof shadow->touched[0]);
	for (unsigned i = 0; page->written > w->floor[true] && i < (unsigned)PAGE >> shift; i++)
		if ((uint32_t)page->cells[i] > w->floor[true])
			touched[i / 64] |= UINT64_C(1) << i % 64;
	*spot = (struct eu_shadow_spot){ key_of(address, shift), page,
		page->written > w->floor[true] };
	page->spot = spot;
	page->is_narrow |= shift < WORD_SHIFT;
	eu_shadow_forget_page(shadow, address);
	return true;
}

/* Writes a unit whose last write counts; false, and nothing is done, where it may race. */
__attribute__((noinline)) static bool write_unit(const struct who *w, packed *unit, packed cell)
{
	eu_shadow_flush(w->shadow);
	if (!is_free(w, *unit, cell, true))
		return false;
	*unit = cell;
	return true;
}

/* Makes room in the log for a message; returns the number of its instruction there. */
static uint64_t begin_log(struct eu_shadow *shadow, const struct eu_shadow_access *access)
{
	if (access->cell.site - shadow->log_site >= LOG_SITES ||
		shadow->log_used + GEN_MAX_LANES > EU_SHADOW_LOG) {
		eu_shadow_flush(shadow);
		shadow->log_site = access->cell.site;
	}
	return access->cell.site - shadow->log_site;
}

uint32_t eu_shadow_write_spots(struct eu_shadow *shadow, const struct eu_order *order,
	struct eu_order_agent *agent, const struct eu_shadow_access *access,
	const struct eu_reach *reach)
{
	const struct who w = begin_touch(shadow, order, agent, access);
	const unsigned shift = (unsigned)__builtin_ctz(access->bytes), count = reach->count;
	const uint64_t base = access->address, odd = access->bytes - 1;
	const bool is_plain = !access->cell.atomic;
	uint32_t done = 0;

	if (shift > WORD_SHIFT || access->bytes != 1u << shift)
		return 0;
	const uint64_t own = agent->period | begin_log(shadow, access) << LOG_SITE_AT |
			     (uint64_t)!is_plain << LOG_ATOMIC_AT;
	shadow->spots_end = agent->period;
	for (unsigned i = 0; i < count; i++) {
		const uint64_t address = base + eu_reach_offset(reach, i);
		const uint64_t channel = eu_reach_channel(reach, i) & 31, spot = spot_of(address);
		const uint64_t unit = (address & (PAGE - 1)) >> shift, bit = UINT64_C(1)
									     << unit % 64;
		uint64_t *touched = &shadow->touched[spot][unit / 64];
		if (address & odd)
			continue;
		if (shadow->spots[spot].key != key_of(address, shift) &&
			!take_spot(&w, address, shift))
			continue;
		if (!(*touched & bit) || !(is_plain | shadow->spots[spot].has_plain))
			shadow->log[shadow->log_used++] = own | channel << LOG_CHANNEL_AT |
							  unit << LOG_UNIT_AT | spot << LOG_SPOT_AT;
		else if (!write_unit(&w, shadow->spots[spot].page->cells + unit,
				 w.cell + channel * NEXT_CHANNEL))
			continue;
		*touched |= bit;
		shadow->spots[spot].has_plain |= is_plain;
		done |= UINT32_C(1) << i;
	}
	return done;
}
