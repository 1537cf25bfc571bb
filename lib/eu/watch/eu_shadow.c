// SPDX-License-Identifier: MIT
#include "eu/watch/eu_shadow.h"

#include <string.h>

#include "eu/watch/eu_shadow_cell.h"
#include "gen/gen_inst.h"
#include "util/util_clones.h"

static struct eu_shadow_cell unpack(packed cell)
{
	return (struct eu_shadow_cell){ .when = (uint32_t)cell,
		.site = (uint32_t)(cell >> SITE_AT & SITE),
		.channel = cell >> CHANNEL_AT & 31,
		.atomic = cell & ATOMIC,
		.whole = cell & WHOLE };
}

struct touch {
	struct who *who;
	const struct eu_shadow_access *access;
	struct eu_shadow_race *race;
	bool found;
	packed whole;	/* the cell of `who` as a whole line has it */
	unsigned done;	/* bytes of that work-item's that have been touched */
	unsigned lane;	/* log2 of the bytes that each touches, LINE_SHIFT at most … */
	bool is_even;	/* … if they are such a number … */
	bool is_narrow; /* … and a line has as much room */
	unsigned byte;	/* of the access, where the turn is */
	unsigned shift; /* log2 of the bytes that all of it consists of */
};

/* The cell of the work-item that touches the byte so far behind the turn. */
static packed cell_at(const struct touch *t, unsigned bytes)
{
	unsigned lane = t->access->lane, at = t->done + bytes;

	return t->who->cell +
	       (t->is_even && lane <= LINE ? at >> t->lane : at / lane) * NEXT_CHANNEL;
}

__attribute__((noinline)) static void judge(
	struct touch *t, packed cell, bool writes, unsigned byte)
{
	unsigned kind = (t->access->global ? EU_ORDER_GLOBAL_READ : EU_ORDER_LOCAL_READ) + writes;
	const struct eu_order *order = t->who->order;
	const struct eu_order_agent *agent = t->who->agent;
	uint32_t when = (uint32_t)cell, other;
	bool ordered, known = eu_order_find_owner(order, when, &other);
	const struct eu_order_launch *launch = NULL;

	if (when <= order->begun) {
		launch = eu_order_find_launch(order, when);
		ordered = !launch;
		known &= (cell & LANE) != EU_SHADOW_SOMEBODY;
		other = known ? other : UINT32_MAX;
	} else if (!known) {
		ordered = true;
	} else if (other != agent->id) {
		ordered = eu_order_is_before(order, agent, other, when, (enum eu_order_kind)kind);
	} else {
		ordered = !t->who->shadow->judges_channels || when < agent->closed[kind] ||
			  ((cell | t->who->cell) & WHOLE);
		if (!ordered && !((cell ^ cell_at(t, byte)) & CHANNEL))
			return;
	}
	t->found = !ordered;
	if (ordered)
		t->who->ordered[writes] = cell & SAME;
	else
		*t->race = (struct eu_shadow_race){ unpack(cell), other, launch, writes,
			t->byte + byte };
}

/* What differs between the cells. */
static packed find_strays(const packed *cells, unsigned count, unsigned apart)
{
	packed first = cells[0], strays = 0;

	for (unsigned i = 1; i < count; i++)
		strays |= cells[i * apart] ^ first;
	return strays;
}

/* With units whose cells are so far apart. */
static void compare(struct touch *t, const packed *cells, unsigned count, unsigned apart,
	bool writes, unsigned shift)
{
	if (count > 1 && !t->found && !(find_strays(cells, count, apart) & SAME)) {
		if (!is_settled(t->who, cells[0], writes))
			judge(t, cells[0], writes, 0);
		if (t->found || is_settled(t->who, cells[0], writes))
			return;
	}
	for (unsigned i = 0; i < count && !t->found; i++)
		if (!is_settled(t->who, cells[i * apart], writes))
			judge(t, cells[i * apart], writes, i << shift);
}

/* How far away from the agent others are: another launch, another group, another agent, itself. */
INLINE unsigned distance(const struct who *w, uint32_t when)
{
	const struct eu_order *order = w->order;
	uint32_t other;

	if (when <= w->floor[false])
		return 0;
	if (when == w->agent->period)
		return 1;
	if (when <= order->begun)
		return eu_order_find_launch(order, when) ? 4 : 0;
	if (when <= w->agent->group->begun && order->now - when < order->owner_capacity)
		return 3;
	if (!eu_order_find_owner(order, when, &other))
		return 0;
	return 1u + (other != w->agent->id) + (other - w->first >= order->threads_per_group);
}

/*
 * Whether the last read is to be kept in place of the older one when `cell` takes its own: if it
 * counts, and only of units that another work-item has read where `*channels`.
 */
INLINE bool keeps_last(
	const struct who *w, packed last, packed older, packed cell, packed *channels)
{
	bool is_same = !((last ^ cell) & TIME);

	*channels = 0;
	if ((uint32_t)last <= w->floor[false])
		return false;
	if (is_same && !((older ^ cell) & TIME)) {
		*channels = CHANNEL;
		return true;
	}
	unsigned far = distance(w, (uint32_t)last);
	bool keeps = far >= distance(w, (uint32_t)older);
	*channels = keeps && (is_same || far == 1) ? CHANNEL : 0;
	return keeps;
}

/*
 * Whether the reads that are kept make each race that this one would: the last is as this one, of
 * the same period, and the older one of another agent, or as they are, of another work-item.
 */
INLINE bool is_said(const struct who *w, packed last, packed older, packed cell)
{
	if (((last ^ cell) & SAME) || (uint32_t)older <= w->floor[false])
		return false;
	return (uint32_t)older < w->own || (!((older ^ cell) & SAME) && ((older ^ last) & CHANNEL));
}

/* Reads of units in place of the last ones, those in place of the others if they are to stay. */
INLINE void keep_reads(
	const struct who *w, packed *reads, packed cell, unsigned bits, unsigned count)
{
	for (unsigned i = 0, end; i < count; i = end) {
		packed last = reads[2 * i], older = reads[2 * i + 1], channels;

		end = i + 1;
		if (is_said(w, last, older, cell_of(cell, bits, i)))
			continue;
		bool keeps = keeps_last(w, last, older, cell_of(cell, bits, i), &channels);
		/* As far as the same was there. */
		for (end = i; end < count &&
			      !(((reads[2 * end] ^ last) | (reads[2 * end + 1] ^ older)) & TIME);
			end++) {
			packed *unit = reads + 2 * end, own = cell_of(cell, bits, end);
			bool moves = keeps && (!channels || ((unit[0] ^ own) & CHANNEL));
			unit[1] = moves ? unit[0] : unit[1];
			unit[0] = own;
		}
	}
}

/* What work-items leave in units that they have read or written. */
INLINE void keep_units(const struct who *w, bool is_write, struct eu_shadow_page *page, unsigned at,
	packed cell, unsigned bits, unsigned count)
{
	packed *writes = find_write(page, at), *reads = find_reads(page, at);

	if (!is_write) {
		page->read = w->agent->period;
		keep_reads(w, reads, cell, bits, count);
		return;
	}
	for (unsigned i = 0; page->read > w->floor[false] && i < 2 * count; i++)
		reads[i] = 0;
	for (unsigned i = 0; i < count; i++)
		writes[i] = cell_of(cell, bits, i);
	page->written = w->agent->period;
}

/* As keep_reads; false where some of its units are the same work-item's and others are not. */
INLINE bool keep_read_whole(const struct who *w, struct eu_shadow_line *line, packed whole)
{
	packed last = line->cells[READ], channels;
	bool keeps = keeps_last(w, last, line->cells[OTHER_READ], whole, &channels);

	if (channels && ((last ^ whole) & LANE))
		return false;
	if (keeps && (!channels || ((last ^ whole) & CHANNEL)))
		line->cells[OTHER_READ] = last;
	line->cells[READ] = whole;
	return true;
}

INLINE void keep_write_whole(struct eu_shadow_line *line, packed whole)
{
	line->cells[WRITE] = whole;
	line->cells[READ] = line->cells[OTHER_READ] = 0;
}

/* ---- where nobody can race ---- */

INLINE bool are_free(const struct who *w, const packed *cells, unsigned apart, packed mine,
	unsigned bits, unsigned count, bool writes)
{
	for (unsigned i = 0; i < count; i++)
		if (!is_free(w, cells[i * apart], cell_of(mine, bits, i), writes))
			return false;
	return true;
}

INLINE bool touch_free_line(
	const struct who *w, bool is_write, struct eu_shadow_line *line, packed whole)
{
	const packed last = line->cells[READ];

	if (!is_free(w, line->cells[WRITE], whole, true))
		return false;
	if (!is_write)
		return keep_read_whole(w, line, whole);
	if ((uint32_t)last > w->floor[false] &&
		!(is_free(w, last, whole, false) &&
			is_free(w, line->cells[OTHER_READ], whole, false)))
		return false;
	keep_write_whole(line, whole);
	return true;
}

INLINE bool touch_free_units(const struct who *w, bool is_write, struct eu_shadow_page *page,
	unsigned at, unsigned bits, unsigned count)
{
	const packed *reads = find_reads(page, at), cell = w->cell;

	if (page->written > w->floor[true] &&
		!are_free(w, find_write(page, at), 1, cell, bits, count, true))
		return false;
	if (is_write && page->read > w->floor[false] &&
		!(are_free(w, reads, 2, cell, bits, count, false) &&
			are_free(w, reads + 1, 2, cell, bits, count, false)))
		return false;
	keep_units(w, is_write, page, at, cell, bits, count);
	return true;
}

/* ---- reads of units that lie apart ---- */

/* What tells whose reads are whose by their time alone. */
struct times {
	int64_t floor, known; /* up to then none count; it is not known or does not matter whose */
	int64_t begun;	      /* up to then they are another group's */
	int64_t own, period;
	bool is_alone; /* later ones are its group's, and the agent's are of this period */
	bool is_plain; /* no other launches count */
};

INLINE struct times find_times(const struct who *w)
{
	const struct eu_order *order = w->order;
	const struct eu_order_group *group = w->agent->group;
	const uint32_t capacity = order->owner_capacity;
	const uint32_t lost = order->now > capacity ? order->now - capacity : 0;
	const uint32_t floor = w->floor[false], known = lost > floor ? lost : floor;

	return (struct times){ .floor = floor,
		.known = known,
		.begun = known > group->begun ? known : group->begun,
		.own = w->own,
		.period = w->agent->period,
		.is_alone = w->own == w->agent->period && order->alone_since <= group->begun,
		.is_plain = floor >= order->begun };
}

/*
 * As keep_reads, of four units that may lie apart, without branches: nobody can tell which way they
 * go. False where it is to be looked up who has read some of them; then nothing is kept.
 */
INLINE bool keep_four(
	const struct times *times, packed *restrict reads, const packed *restrict cells)
{
	packed unknown = 0, last[4], older[4];

	for (unsigned i = 0; i < 4; i++) {
		packed cell = cells[i], from = reads[2 * i], to = reads[2 * i + 1];
		int64_t when = (int64_t)(from & TIME), before = (int64_t)(to & TIME);
		packed counts = MASK(when > times->known), near = MASK(when > times->begun);
		packed counts_older = MASK(before > times->known);
		packed near_older = MASK(before > times->begun);
		packed is_own = MASK(when == times->period);
		packed are_own = MASK(before == times->period);
		packed differs = MASK(((from ^ cell) & CHANNEL) != 0);
		packed two = MASK(((to ^ cell) & SAME) == 0) & MASK(((to ^ from) & CHANNEL) != 0);
		packed said = MASK(((from ^ cell) & SAME) == 0) & MASK(before > times->floor) &
			      (MASK(before < times->own) | two);
		packed moves = (is_own & differs & (are_own | ~counts_older)) |
			       (~is_own & (~counts_older | (counts & (~near | near_older))));
		unknown |= (near ^ is_own) | (near_older ^ are_own);
		moves &= MASK(when > times->floor) & ~said;
		last[i] = cell ^ ((cell ^ from) & said);
		older[i] = to ^ ((to ^ from) & moves);
	}
	if (unknown && !times->is_alone)
		return false;
	for (unsigned i = 0; i < 4; i++) {
		reads[2 * i] = last[i];
		reads[2 * i + 1] = older[i];
	}
	return true;
}

/* A cell that is nowhere but in units of which a lane is at work. */
#define TAKEN (UINT64_C(1) << 63)

/*
 * Reads units that lie apart, as far as nobody can race for them. Returns a bit for each place
 * where that is done. Where one before it is, it comes behind all others.
 */
__attribute__((noinline)) UTIL_CLONES static uint32_t read_apart(const struct who *w,
	struct eu_shadow_page *const *pages, const struct eu_shadow_place *places, unsigned count,
	unsigned shift)
{
	packed *units[GEN_MAX_LANES], reads[2 * GEN_MAX_LANES], cells[GEN_MAX_LANES];
	packed *again[GEN_MAX_LANES], cells_again[GEN_MAX_LANES];
	uint32_t done = 0;
	unsigned n = 0, n_again = 0;

	for (unsigned i = 0; i < count; i++) {
		struct eu_shadow_page *page = pages[i];
		const unsigned at = (unsigned)(places[i].address & (PAGE - 1));
		if (!page || page->shift != shift || (at & ((1u << shift) - 1)) ||
			!is_by_units(page, at))
			continue;
		packed *unit = find_reads(page, at);
		const packed cell = w->cell + places[i].channel * NEXT_CHANNEL;
		if (page->written > w->floor[true] &&
			!is_free(w, *find_write(page, at), cell, true))
			break;
		done |= UINT32_C(1) << i;
		if (unit[0] == TAKEN) {
			again[n_again] = unit;
			cells_again[n_again++] = cell;
			continue;
		}
		units[n] = unit;
		reads[2 * n] = unit[0];
		reads[2 * n + 1] = unit[1];
		cells[n++] = cell;
		unit[0] = TAKEN;
		page->read = w->agent->period;
		page->is_narrow |= shift < WORD_SHIFT;
	}
	const struct times times = find_times(w);
	for (unsigned i = n; i % 4 != 0; i++)
		reads[2 * i] = reads[2 * i + 1] = cells[i] = 0;
	for (unsigned i = 0; i < n; i += 4)
		if (!times.is_plain || !keep_four(&times, reads + 2 * i, cells + i))
			for (unsigned k = i; k < n && k < i + 4; k++)
				keep_reads(w, reads + 2 * k, cells[k], 0, 1);
	for (unsigned i = 0; i < n; i++) {
		units[i][0] = reads[2 * i];
		units[i][1] = reads[2 * i + 1];
	}
	for (unsigned i = 0; i < n_again; i++)
		keep_reads(w, again[i], cells_again[i], 0, 1);
	return done;
}

/* One unit of so many bytes, if it is kept as such. */
INLINE bool touch_free_unit(const struct who *w, bool is_write, struct eu_shadow_page *page,
	uint64_t address, unsigned shift)
{
	const unsigned at = (unsigned)(address & (PAGE - 1));

	if (!page || page->shift != shift || (at & ((1u << shift) - 1)) || !is_by_units(page, at))
		return false;
	page->is_narrow |= shift < WORD_SHIFT;
	return touch_free_units(w, is_write, page, at, 0, 1);
}

/*
 * Touches the bytes of a page line by line, as far as nobody can race for them: most. Returns how
 * many these are; whose turn it is behind them is in `w`.
 */
INLINE unsigned touch_free(struct who *w, const struct eu_shadow_access *access,
	struct eu_shadow_page *page, uint64_t address, unsigned lane, unsigned shift)
{
	const unsigned first = (unsigned)(address & (PAGE - 1));
	const unsigned end = first + access->bytes < PAGE ? first + access->bytes : PAGE;
	const unsigned odd = (first | lane) & ((1u << shift) - 1);
	const bool is_even = !(lane & (lane - 1)) && lane <= LINE && !(first & (lane - 1));
	/* As wide as cells: else the compiler stores half of what it loads, which waits. */
	const packed bits = is_even ? (unsigned)__builtin_ctz(lane) : LINE_SHIFT;
	const bool is_one = access->bytes == lane && first % LINE + lane <= LINE;
	unsigned at = first;

	if (odd || !(is_even || is_one))
		return 0;
	if (bits < WORD_SHIFT)
		page->is_narrow = true;
	while (at < end) {
		unsigned part = LINE - at % LINE < end - at ? LINE - at % LINE : end - at;
		if (is_by_units(page, at)) {
			if (!touch_free_units(w, access->writes, page, at, (unsigned)bits - shift,
				    part >> shift))
				break;
		} else if (part != LINE ||
			   !touch_free_line(w, access->writes, &page->lines[at / LINE],
				   w->cell | bits << LANE_AT)) {
			break;
		}
		at += part;
		w->cell += (part >> bits) * NEXT_CHANNEL;
	}
	return at - first;
}

/* ---- where somebody may ---- */

/* Of a line that is kept as a whole and touched so; false: its units must be looked at. */
static bool compare_whole(struct touch *t, const struct eu_shadow_line *line, unsigned kind)
{
	packed cell = line->cells[kind];
	bool writes = kind == WRITE;

	if (t->found || is_free(t->who, cell, t->whole, writes))
		return true;
	judge(t, cell, writes, 0);
	/* It was the same work-item. */
	return t->found || is_settled(t->who, cell, writes) || !((cell ^ t->whole) & LANE);
}

static bool touch_whole(struct touch *t, struct eu_shadow_line *line)
{
	if (!compare_whole(t, line, WRITE))
		return false;
	if (!t->access->writes)
		return keep_read_whole(t->who, line, t->whole);
	return (uint32_t)line->cells[READ] <= t->who->floor[false] ||
	       (compare_whole(t, line, READ) && compare_whole(t, line, OTHER_READ));
}

static void touch_units(struct touch *t, struct eu_shadow_page *page, unsigned at, unsigned bytes)
{
	unsigned shift = page->shift, count = bytes >> shift;
	packed *reads = find_reads(page, at);

	if (page->written > t->who->floor[true])
		compare(t, find_write(page, at), count, 1, true, shift);
	if (t->access->writes && page->read > t->who->floor[false]) {
		compare(t, reads, count, 2, false, shift);
		compare(t, reads + 1, count, 2, false, shift);
	}
	const bool at_once = t->is_narrow ? t->done == 0 : t->access->lane - t->done >= bytes;
	const unsigned bits = t->is_narrow ? t->lane - shift : LINE_SHIFT, n = at_once ? count : 1;
	for (unsigned i = 0; i < count; i += n)
		keep_units(t->who, t->access->writes, page, at + (i << shift),
			cell_at(t, i << shift), bits, n);
}

/* Bytes of one line. False without memory. */
static bool touch_line(struct touch *t, struct eu_shadow_page *page, unsigned at, unsigned bytes)
{
	struct eu_shadow_line *line = &page->lines[at / LINE];
	unsigned lane = t->access->lane;
	bool is_open = is_by_units(page, at), is_narrow = t->is_narrow;
	bool is_whole =
		bytes == LINE && t->is_even && (is_narrow ? t->done == 0 : lane - t->done >= LINE);

	if (t->shift < page->shift && !eu_shadow_split(t->who->shadow, page, t->shift))
		return false;
	page->is_narrow |= t->shift < WORD_SHIFT;
	t->whole = t->who->cell | (packed)t->lane << LANE_AT;
	if (is_open || !is_whole || !touch_whole(t, line)) {
		if (!page->cells &&
			!(page->cells = eu_shadow_take_cells(t->who->shadow, page->shift)))
			return false;
		if (!is_open)
			open_line(page, at);
		touch_units(t, page, at, bytes);
		is_open = true;
	}
	if (is_whole && t->access->writes) {
		keep_write_whole(line, t->whole);
		if (is_open)
			turn(page, at);
	}
	t->byte += bytes;
	if (t->byte < t->access->bytes) {
		t->who->cell = cell_at(t, bytes);
		t->done = is_narrow ? (t->done + bytes) & (lane - 1) : (t->done + bytes) % lane;
	}
	return true;
}

/* What touch_free has left of the access: all from a byte on that is the first of a work-item's. */
__attribute__((noinline)) static bool touch_rest(struct who *w,
	const struct eu_shadow_access *access, struct eu_shadow_race *race,
	struct eu_shadow_page *page, uint64_t address, unsigned byte)
{
	const unsigned bytes = access->bytes, lane = access->lane;
	const unsigned odd = (unsigned)address | bytes | lane;
	const bool is_even = !(lane & (lane - 1));
	struct touch t = { .who = w,
		.access = access,
		.race = race,
		.byte = byte,
		.is_even = lane >= LINE || is_even,
		.is_narrow = lane <= LINE && is_even,
		.lane = lane < LINE ? (unsigned)__builtin_ctz(lane) : LINE_SHIFT,
		.shift = odd & 3 ? !(odd & 1) : WORD_SHIFT };

	while (page && t.byte < bytes) {
		unsigned at = (unsigned)((address + t.byte) & (PAGE - 1));
		unsigned part = LINE - at % LINE, rest = bytes - t.byte;
		if (at == 0 && t.byte > 0)
			page = eu_shadow_find_page(w->shadow, address + t.byte);
		if (!page || !touch_line(&t, page, at, part < rest ? part : rest))
			break;
	}
	return t.found;
}

bool eu_shadow_touch(struct eu_shadow *shadow, const struct eu_order *order,
	struct eu_order_agent *agent, const struct eu_shadow_access *access,
	struct eu_shadow_race *race)
{
	struct eu_shadow_page *page = eu_shadow_find_page(shadow, access->address);
	struct who w = begin_touch(shadow, order, agent, access);

	unsigned done = 0;
	if (page)
		done = touch_free(&w, access, page, access->address, access->lane, page->shift);
	return done < access->bytes && touch_rest(&w, access, race, page, access->address, done);
}

bool eu_shadow_read_constant(struct eu_shadow *shadow, const struct eu_order_agent *agent,
	uint32_t first_site, uint32_t site, uint64_t address, uint64_t bytes)
{
	struct eu_shadow_page *page = eu_shadow_find_page(shadow, address);
	const unsigned at = (unsigned)(address & (PAGE - 1));

	if (!shadow->is_void || !page || bytes > PAGE - at || site >= UINT8_MAX)
		return false;
	struct eu_shadow_readers *readers = &page->readers[page->last];
	if (!readers->when) {
		readers->when = agent->period;
		readers->first_site = first_site;
	}
	if (!((at | bytes) & 3)) {
		memset(readers->dword + at / 4, (int)site + 1, bytes / 4);
	} else {
		memset(readers->byte + at, (int)site + 1, bytes);
		readers->has_bytes = true;
	}
	return true;
}

bool eu_shadow_keep_read(struct eu_shadow *shadow, struct eu_shadow_page *page, unsigned at,
	unsigned end, uint64_t cell)
{
	const unsigned odd = at | end;

	if ((odd & ((1u << page->shift) - 1)) && !eu_shadow_split(shadow, page, !(odd & 1)))
		return false;
	if (!page->cells && !(page->cells = eu_shadow_take_cells(shadow, page->shift)))
		return false;
	for (; at < end; at += 1u << page->shift) {
		if (!is_by_units(page, at))
			open_line(page, at);
		packed *reads = find_reads(page, at);
		if ((uint32_t)reads[0] > shadow->floor)
			reads[1] = reads[0];
		reads[0] = cell;
	}
	page->read = latest(page->read, cell);
	return true;
}

/* The page of each place; NULL: there is no memory for it. */
static void find_pages(struct eu_shadow *shadow, const struct eu_shadow_place *places,
	unsigned count, struct eu_shadow_page **pages)
{
	for (unsigned i = 0; i < count; i++) {
		bool is_near = i > 0 && places[i].address >> PAGE_SHIFT ==
						places[i - 1].address >> PAGE_SHIFT;
		pages[i] = is_near ? pages[i - 1] : eu_shadow_find_page(shadow, places[i].address);
	}
}

unsigned eu_shadow_touch_apart(struct eu_shadow *shadow, const struct eu_order *order,
	struct eu_order_agent *agent, const struct eu_shadow_access *access,
	const struct eu_shadow_place *places, unsigned count, struct eu_shadow_race *race)
{
	struct eu_shadow_page *pages[GEN_MAX_LANES];
	struct who w = begin_touch(shadow, order, agent, access);
	const packed cell = w.cell;
	const unsigned bytes = access->bytes, shift = (unsigned)__builtin_ctz(bytes);
	const bool is_unit = bytes == 1u << shift;
	uint32_t done = 0;

	find_pages(shadow, places, count, pages);
	if (is_unit && !access->writes && count > 2)
		done = read_apart(&w, pages, places, count, shift);
	for (unsigned i = 0; i < count; i++) {
		uint64_t address = places[i].address;
		if (done >> i & 1)
			continue;
		w.cell = cell | (packed)places[i].channel << CHANNEL_AT;
		if (is_unit && touch_free_unit(&w, access->writes, pages[i], address, shift))
			continue;
		unsigned bytes_done =
			pages[i] ? touch_free(&w, access, pages[i], address, bytes, pages[i]->shift)
				 : 0;
		if (bytes_done < bytes &&
			touch_rest(&w, access, race, pages[i], address, bytes_done))
			return i;
	}
	return count;
}
