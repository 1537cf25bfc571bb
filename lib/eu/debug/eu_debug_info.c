// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_dwarf.h"

#include <stdlib.h>

enum { CODES = 4096, HEADER_BYTES = 11, LENGTH_BYTES = 4 };

/* Where a DIE was in its unit, and is now. */
struct move {
	uint32_t from, to;
};

/* A unit while it is rewritten. */
struct unit {
	struct eu_debug_bytes from, loc;
	struct eu_debug_text *out, *out_loc;
	const char *path;
	size_t start;	/* in out */
	uint64_t lines; /* in .debug_line */
	bool is_elsewhere;
	const uint8_t *abbrev[CODES]; /* behind the code, of each code; NULL: none */
	const uint8_t *abbrev_end;
	struct eu_debug_text moves;	 /* struct move, ascending */
	struct eu_debug_text references; /* uint32_t: offsets in out of references to DIEs */
};

static bool read_abbrev(struct unit *unit, struct eu_debug_bytes from)
{
	uint64_t code;

	unit->abbrev_end = from.end;
	while ((code = eu_debug_take_leb(&from, false)) != 0) {
		uint64_t name, form;
		if (code >= CODES)
			return false;
		unit->abbrev[code] = from.at;
		eu_debug_take_leb(&from, false);
		eu_debug_take(&from, 1);
		do {
			name = eu_debug_take_leb(&from, false);
			form = eu_debug_take_leb(&from, false);
		} while ((name || form) && !from.is_bad);
	}
	return !from.is_bad;
}

/* Bytes of values of a form, or of the number before them that says how many they have. */
static const struct {
	uint8_t form, bytes, counted;
} forms[] = {
	{ DW_FORM_flag_present, 0, 0 },
	{ DW_FORM_data1, 1, 0 },
	{ DW_FORM_flag, 1, 0 },
	{ DW_FORM_ref1, 1, 0 },
	{ DW_FORM_data2, 2, 0 },
	{ DW_FORM_ref2, 2, 0 },
	{ DW_FORM_data4, 4, 0 },
	{ DW_FORM_strp, 4, 0 },
	{ DW_FORM_ref4, 4, 0 },
	{ DW_FORM_ref_addr, 4, 0 },
	{ DW_FORM_sec_offset, 4, 0 },
	{ DW_FORM_addr, 8, 0 },
	{ DW_FORM_data8, 8, 0 },
	{ DW_FORM_ref8, 8, 0 },
	{ DW_FORM_ref_sig8, 8, 0 },
	{ DW_FORM_block1, 0, 1 },
	{ DW_FORM_block2, 0, 2 },
	{ DW_FORM_block4, 0, 4 },
};

/* Moves over a value of that form. False: the form is unknown, or the value is not there. */
static bool skip_value(struct eu_debug_bytes *from, uint64_t form)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].form == form)
			return eu_debug_take(
				from, forms[i].bytes + eu_debug_take_uint(from, forms[i].counted));
	if (form == DW_FORM_block || form == DW_FORM_exprloc)
		return eu_debug_take(from, eu_debug_take_leb(from, false));
	if (form == DW_FORM_sdata || form == DW_FORM_udata)
		eu_debug_take_leb(from, false);
	else if (form == DW_FORM_string)
		while (eu_debug_take_uint(from, 1))
			;
	else
		return false;
	return !from->is_bad;
}

/* An expression of the form `form`: one that cannot be said is empty, as of what is nowhere. */
static void put_expression(struct unit *unit, uint64_t form, struct eu_debug_bytes from)
{
	unsigned width = form == DW_FORM_block1 ? 1 : form == DW_FORM_block2 ? 2 : 4;
	bool is_leb = form == DW_FORM_block || form == DW_FORM_exprloc;
	struct eu_debug_text text = { 0 };

	if (is_leb)
		eu_debug_take_leb(&from, false);
	else
		eu_debug_take(&from, width);
	eu_debug_expression(from, &text);
	if (!is_leb && width < 4 && text.size >> 8 * width)
		text.size = 0;
	if (is_leb)
		eu_debug_put_leb(unit->out, text.size);
	else
		eu_debug_put_uint(unit->out, text.size, width);
	eu_debug_put(unit->out, text.bytes, text.size);
	eu_debug_text_finish(&text);
}

/* A location list, of which entries that cannot be said are left out. Returns its new offset. */
static uint64_t put_list(struct unit *unit, uint64_t offset)
{
	struct eu_debug_bytes from = unit->loc;
	uint64_t start = unit->out_loc->size, first, end;

	eu_debug_take(&from, offset);
	for (;;) {
		first = eu_debug_take_uint(&from, 8);
		end = eu_debug_take_uint(&from, 8);
		if (from.is_bad || (!first && !end))
			break;
		size_t before = unit->out_loc->size;
		eu_debug_put_uint(unit->out_loc, first, 8);
		eu_debug_put_uint(unit->out_loc, end, 8);
		if (first == UINT64_MAX) /* a new base */
			continue;
		size_t size = (size_t)eu_debug_take_uint(&from, 2);
		const uint8_t *bytes = eu_debug_take(&from, size);
		struct eu_debug_text text = { 0 };
		bool said = bytes && eu_debug_expression(eu_debug_bytes_of(bytes, size), &text) &&
			    text.size <= UINT16_MAX;
		eu_debug_put_uint(unit->out_loc, text.size, 2);
		eu_debug_put(unit->out_loc, text.bytes, text.size);
		if (!said)
			unit->out_loc->size = before;
		eu_debug_text_finish(&text);
	}
	eu_debug_put_uint(unit->out_loc, 0, 8);
	eu_debug_put_uint(unit->out_loc, 0, 8);
	return start;
}

/* Whether the attribute says that the unit is of another kernel's code. */
static bool is_elsewhere(uint64_t tag, uint64_t name, uint64_t form, const uint8_t *at)
{
	uint64_t address;

	if (tag != DW_TAG_compile_unit || name != DW_AT_low_pc || form != DW_FORM_addr)
		return false;
	memcpy(&address, at, sizeof address);
	return address & EU_DEBUG_ELSEWHERE;
}

static bool put_attribute(struct unit *unit, uint64_t tag, uint64_t name, uint64_t form)
{
	bool is_location = name == DW_AT_location || name == DW_AT_frame_base;
	const uint8_t *at = unit->from.at;
	uint32_t word = 0;

	if (!skip_value(&unit->from, form))
		return false;
	size_t size = (size_t)(unit->from.at - at);
	if (form == DW_FORM_ref4)
		eu_debug_put(&unit->references, &(uint32_t){ (uint32_t)unit->out->size },
			sizeof(uint32_t));
	if (unit->path && tag == DW_TAG_compile_unit && name == DW_AT_name &&
		form == DW_FORM_string) {
		eu_debug_put(unit->out, unit->path, strlen(unit->path) + 1);
	} else if (is_location && (form == DW_FORM_sec_offset || form == DW_FORM_data4)) {
		memcpy(&word, at, sizeof word);
		eu_debug_put_uint(unit->out, put_list(unit, word), sizeof word);
	} else if (is_location &&
		   (form == DW_FORM_exprloc || form == DW_FORM_block || form == DW_FORM_block1 ||
			   form == DW_FORM_block2 || form == DW_FORM_block4)) {
		put_expression(unit, form, eu_debug_bytes_of(at, size));
	} else if (name == DW_AT_stmt_list && size == sizeof word) {
		memcpy(&word, at, sizeof word);
		unit->lines = word;
		eu_debug_put_uint(unit->out, 0, sizeof word);
	} else {
		unit->is_elsewhere = unit->is_elsewhere || is_elsewhere(tag, name, form, at);
		eu_debug_put(unit->out, at, size);
	}
	/* References of other sizes than four bytes could not be changed in place. */
	return form != DW_FORM_ref1 && form != DW_FORM_ref2 && form != DW_FORM_ref8 &&
	       form != DW_FORM_ref_addr;
}

static bool put_die(struct unit *unit, const uint8_t *unit_first)
{
	const uint8_t *at = unit->from.at;
	uint64_t code = eu_debug_take_leb(&unit->from, false), name, form;
	struct move move = { (uint32_t)(at - unit_first),
		(uint32_t)(unit->out->size - unit->start) };

	eu_debug_put(&unit->moves, &move, sizeof move);
	eu_debug_put(unit->out, at, (size_t)(unit->from.at - at));
	if (!code)
		return !unit->from.is_bad;
	if (code >= CODES || !unit->abbrev[code])
		return false;
	struct eu_debug_bytes abbrev = eu_debug_bytes_of(
		unit->abbrev[code], (size_t)(unit->abbrev_end - unit->abbrev[code]));
	uint64_t tag = eu_debug_take_leb(&abbrev, false);
	eu_debug_take(&abbrev, 1);
	for (;;) {
		name = eu_debug_take_leb(&abbrev, false);
		form = eu_debug_take_leb(&abbrev, false);
		if (!name && !form)
			return !abbrev.is_bad;
		if (!put_attribute(unit, tag, name, form))
			return false;
	}
}

static int compare_moves(const void *a, const void *b)
{
	const struct move *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* References to DIEs go where these have gone. */
static bool fix_references(struct unit *unit)
{
	size_t count = unit->moves.size / sizeof(struct move);
	uint32_t at;

	if (unit->out->failed || unit->moves.failed || unit->references.failed)
		return false;
	for (size_t i = 0; i + sizeof at <= unit->references.size; i += sizeof at) {
		struct move wanted;
		memcpy(&at, unit->references.bytes + i, sizeof at);
		memcpy(&wanted.from, unit->out->bytes + at, sizeof wanted.from);
		const struct move *found = count ? bsearch(&wanted, unit->moves.bytes, count,
							   sizeof wanted, compare_moves)
						 : NULL;
		if (!found)
			return false;
		memcpy(unit->out->bytes + at, &found->to, sizeof found->to);
	}
	uint32_t length = (uint32_t)(unit->out->size - unit->start - LENGTH_BYTES);
	memcpy(unit->out->bytes + unit->start, &length, sizeof length);
	return true;
}

/* One unit of DWARF 4 with 32-bit offsets, as IGC writes them. */
static bool put_unit(struct unit *unit, struct eu_debug_bytes *info, struct eu_debug_bytes abbrev)
{
	const uint8_t *first = info->at;
	uint64_t length = eu_debug_take_uint(info, LENGTH_BYTES);
	const uint8_t *body = eu_debug_take(info, length);

	if (!body || length < HEADER_BYTES - LENGTH_BYTES)
		return false;
	unit->from = eu_debug_bytes_of(body, (size_t)length);
	uint64_t version = eu_debug_take_uint(&unit->from, 2);
	eu_debug_take(&abbrev, eu_debug_take_uint(&unit->from, 4));
	uint64_t address_bytes = eu_debug_take_uint(&unit->from, 1);
	if (version < 2 || version > 4 || address_bytes != 8 || !read_abbrev(unit, abbrev))
		return false;
	unit->start = unit->out->size;
	eu_debug_put(unit->out, first, HEADER_BYTES);
	while (eu_debug_left(&unit->from))
		if (!put_die(unit, first))
			return false;
	return fix_references(unit);
}

bool eu_debug_info(struct eu_debug_bytes info, struct eu_debug_bytes abbrev,
	struct eu_debug_bytes loc, const char *path, struct eu_debug_text *out,
	struct eu_debug_text *out_loc, uint64_t *lines)
{
	struct unit *unit = malloc(sizeof *unit);
	bool done = unit != NULL, found = false;

	while (done && !found && eu_debug_left(&info)) {
		*unit = (struct unit){ .loc = loc,
			.out = out,
			.out_loc = out_loc,
			.path = path,
			.lines = EU_DEBUG_NO_LINES };
		out->size = out_loc->size = 0; /* of the unit before */
		done = put_unit(unit, &info, abbrev);
		found = done && !unit->is_elsewhere;
		*lines = unit->lines;
		eu_debug_text_finish(&unit->moves);
		eu_debug_text_finish(&unit->references);
	}
	free(unit);
	return found && !out->failed && !out_loc->failed;
}
