// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_dwarf.h"

#include "eu/debug/eu_debug_memory.h"

enum { NO_PLACE = -1, MOST_BYTES = 512, LANE_BYTES = 4 };

/* An expression while it is translated. */
struct translation {
	struct eu_debug_bytes from;
	struct eu_debug_text *out;
	size_t start;		     /* in out */
	bool is_lost;		     /* cannot be said */
	bool has_branches, is_value; /* a value, not a place */
	int64_t constant_at; /* where in out the last operation is, if it pushes a constant */
	uint64_t constant;
	int64_t place_at; /* where the last operation begins to read the place that is computed */
	int32_t moved[MOST_BYTES + 1]; /* where in out the operation at an offset of `from` is */
};

static void put(struct translation *t, unsigned op)
{
	eu_debug_put_uint(t->out, op, 1);
}

/* Pushes the contents of one of DWARF's registers, plus an offset. */
static void put_register(struct translation *t, unsigned number, int64_t offset)
{
	put(t, DW_OP_breg0 + number);
	eu_debug_put_sleb(t->out, offset);
}

static void put_cell(struct translation *t, uint64_t number, unsigned bytes)
{
	put(t, DW_OP_const8u);
	eu_debug_put_uint(t->out, EU_DEBUG_REGISTERS + EU_DEBUG_CELLS + number * sizeof(uint64_t),
		sizeof(uint64_t));
	put(t, DW_OP_deref_size);
	put(t, bytes);
}

/* Makes the number of a register its address. */
static void put_address_of(struct translation *t)
{
	put(t, DW_OP_lit0 + EU_DEBUG_IGC_GRF);
	put(t, DW_OP_minus);
	put(t, DW_OP_const1u);
	put(t, GEN_GRF_BYTES);
	put(t, DW_OP_mul);
	put_register(t, EU_DEBUG_DWARF_RBX, 0);
	put(t, DW_OP_plus);
}

/* Reads `bits` from the place whose address is on the stack. */
static void put_read(struct translation *t, uint64_t bits)
{
	t->is_lost = t->is_lost || (bits != 8 && bits != 16 && bits != 32 && bits != 64);
	t->place_at = (int64_t)t->out->size;
	put(t, DW_OP_deref_size);
	put(t, (unsigned)(bits / 8));
}

/* The constant that an operation pushes. False for another one. */
static bool read_constant(struct eu_debug_bytes *from, uint64_t *value)
{
	unsigned op = (unsigned)eu_debug_take_uint(from, 1);

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
		*value = op - DW_OP_lit0;
	else if (op >= DW_OP_const1u && op <= DW_OP_const8s)
		*value = eu_debug_take_uint(from, 1u << (op - DW_OP_const1u) / 2);
	else if (op == DW_OP_constu || op == DW_OP_consts)
		*value = eu_debug_take_leb(from, op == DW_OP_consts);
	else
		return false;
	return !from->is_bad;
}

/* What calls keep in a register: bits that have a register of their own in the description. */
static bool put_kept(
	struct translation *t, uint64_t first, uint64_t bits, struct eu_debug_bytes behind)
{
	static const struct {
		uint64_t first, bits;
		unsigned number;
	} kept[] = { { 0, 32, EU_DEBUG_DWARF_R13 }, { 64, 32, EU_DEBUG_DWARF_R14 },
		{ 96, 32, EU_DEBUG_DWARF_R12 }, { 128, 64, EU_DEBUG_DWARF_RBP } };

	for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
		if (kept[i].first == first && kept[i].bits == bits && !behind.is_bad) {
			put_register(t, kept[i].number, 0);
			t->from = behind;
			return true;
		}
	return false;
}

/* After that register as a place: bit, size. */
static bool put_call_state(struct translation *t)
{
	struct eu_debug_bytes ahead = t->from;
	uint64_t first, bits;

	return read_constant(&ahead, &first) && read_constant(&ahead, &bits) &&
	       eu_debug_take_uint(&ahead, 1) == DW_OP_INTEL_PUSH_BITS &&
	       put_kept(t, first, bits, ahead);
}

/* Its number, bit; the size is an operand. */
static bool put_call_bits(struct translation *t)
{
	struct eu_debug_bytes ahead = t->from;
	uint64_t number, first;

	if (!read_constant(&ahead, &number) || number != EU_DEBUG_IGC_CALL ||
		!read_constant(&ahead, &first) ||
		eu_debug_take_uint(&ahead, 1) != DW_OP_INTEL_REGVAL_BITS)
		return false;
	uint64_t bits = eu_debug_take_uint(&ahead, 1);
	return put_kept(t, first, bits, ahead);
}

/* A register as a place: its address, and how much of it the variable has. */
static void put_place(struct translation *t, uint64_t number)
{
	bool is_first = t->out->size == t->start;
	uint64_t bits = 0, skipped = 0;

	if (number < EU_DEBUG_IGC_GRF) {
		put_cell(t, number, sizeof(uint64_t));
		return;
	}
	number -= EU_DEBUG_IGC_GRF;
	t->is_lost = t->is_lost || number >= GEN_GRF_COUNT;
	if (number == EU_DEBUG_IGC_CALL - EU_DEBUG_IGC_GRF && put_call_state(t))
		return;
	bool is_piece = eu_debug_left(&t->from) && *t->from.at == DW_OP_bit_piece;
	if (is_piece) {
		eu_debug_take(&t->from, 1);
		bits = eu_debug_take_leb(&t->from, false);
		skipped = eu_debug_take_leb(&t->from, false);
	}
	t->is_lost = t->is_lost || bits % 8 || skipped % 8 || skipped > 8 * EU_DEBUG_CELLS;
	put_register(t, EU_DEBUG_DWARF_RBX, (int64_t)(number * GEN_GRF_BYTES + skipped / 8));
	if (is_piece && !(is_first && !eu_debug_left(&t->from))) {
		put(t, DW_OP_piece);
		eu_debug_put_leb(t->out, bits / 8);
	}
}

static void put_based(struct translation *t, uint64_t number)
{
	int64_t offset = (int64_t)eu_debug_take_leb(&t->from, true);

	t->is_lost = t->is_lost || number >= EU_DEBUG_IGC_GRF + GEN_GRF_COUNT;
	if (number < EU_DEBUG_IGC_GRF) {
		put_cell(t, number, sizeof(uint64_t));
	} else {
		put_register(t, EU_DEBUG_DWARF_RBX,
			(int64_t)((number - EU_DEBUG_IGC_GRF) * GEN_GRF_BYTES));
		put(t, DW_OP_deref);
	}
	put(t, DW_OP_consts);
	eu_debug_put_sleb(t->out, offset);
	put(t, DW_OP_plus);
}

/* Size, bit, place of a register: the value. The size is a constant, or nothing can be said. */
static void put_bits(struct translation *t)
{
	t->is_lost = t->is_lost || t->constant_at == NO_PLACE;
	if (t->is_lost)
		return;
	t->out->size = (size_t)t->constant_at;
	put(t, DW_OP_lit0 + 3);
	put(t, DW_OP_shr);
	put(t, DW_OP_plus);
	put_read(t, t->constant);
}

/* Bit, number of a register: the value. */
static void put_register_bits(struct translation *t)
{
	uint64_t bits = eu_debug_take_uint(&t->from, 1);

	put(t, DW_OP_lit0 + 3);
	put(t, DW_OP_shr);
	put(t, DW_OP_swap);
	put_address_of(t);
	put(t, DW_OP_plus);
	put_read(t, bits);
}

/* A value at the end of the expression: if it has just been read, its place can be said as well. */
static void put_value(struct translation *t, int64_t place)
{
	if (!t->has_branches && place != NO_PLACE && !eu_debug_left(&t->from))
		t->out->size = (size_t)place;
	else
		t->is_value = true;
}

/* Operations that are the same in both, with their operands. */
static void put_same(struct translation *t, unsigned op, const uint8_t *first)
{
	if (op == DW_OP_constu || op == DW_OP_consts || op == DW_OP_plus_uconst ||
		op == DW_OP_fbreg || op == DW_OP_piece)
		eu_debug_take_leb(&t->from, false);
	else if (op == DW_OP_pick || op == DW_OP_deref_size)
		eu_debug_take(&t->from, 1);
	else if (op == DW_OP_implicit_value)
		eu_debug_take(&t->from, eu_debug_take_leb(&t->from, false));
	else if (op == DW_OP_bra || op == DW_OP_skip)
		eu_debug_take(&t->from, 2);
	else if (op < DW_OP_deref || (op > DW_OP_deref && op < DW_OP_const1u) ||
		 (op > DW_OP_lit31 && op != DW_OP_nop && op != DW_OP_call_frame_cfa))
		t->is_lost = true;
	eu_debug_put(t->out, first, (size_t)(t->from.at - first));
}

static void translate_next(struct translation *t)
{
	const uint8_t *first = t->from.at;
	struct eu_debug_bytes ahead = t->from;
	int64_t place = t->place_at;
	size_t at = t->out->size;
	unsigned op = *first;
	uint64_t constant;

	t->place_at = NO_PLACE;
	if (put_call_bits(t)) {
		t->constant_at = NO_PLACE;
		return;
	}
	if (read_constant(&ahead, &constant)) {
		t->from = ahead;
		eu_debug_put(t->out, first, (size_t)(ahead.at - first));
		t->constant_at = (int64_t)at;
		t->constant = constant;
		return;
	}
	eu_debug_take(&t->from, 1);
	if (op >= DW_OP_reg0 && op < DW_OP_breg0)
		put_place(t, op - DW_OP_reg0);
	else if (op == DW_OP_regx)
		put_place(t, eu_debug_take_leb(&t->from, false));
	else if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		put_based(t, op - DW_OP_breg0);
	else if (op == DW_OP_bregx)
		put_based(t, eu_debug_take_leb(&t->from, false));
	else if (op == DW_OP_INTEL_PUSH_LANE)
		put_cell(t, EU_DEBUG_CELL_LANE, LANE_BYTES);
	else if (op == DW_OP_INTEL_REGS)
		put_address_of(t);
	else if (op == DW_OP_INTEL_PUSH_BITS)
		put_bits(t);
	else if (op == DW_OP_INTEL_REGVAL_BITS)
		put_register_bits(t);
	else if (op == DW_OP_stack_value)
		put_value(t, place);
	else
		put_same(t, op, first);
	t->constant_at = NO_PLACE;
}

/* Branches go where their targets have gone. */
static void fix_branches(struct translation *t)
{
	const uint8_t *bytes = t->from.first;
	int64_t size = t->from.end - bytes;

	for (int64_t at = 0; at + 3 <= size && t->has_branches; at++) {
		int16_t distance;
		if (t->moved[at] < 0 || (bytes[at] != DW_OP_bra && bytes[at] != DW_OP_skip))
			continue;
		memcpy(&distance, bytes + at + 1, sizeof distance);
		int64_t target = at + 3 + distance;
		if (target < 0 || target > size || t->moved[target] < 0) {
			t->is_lost = true;
			return;
		}
		distance = (int16_t)(t->moved[target] - (t->moved[at] + 3));
		memcpy(t->out->bytes + t->start + t->moved[at] + 1, &distance, sizeof distance);
	}
}

bool eu_debug_expression(struct eu_debug_bytes from, struct eu_debug_text *out)
{
	struct translation t = { .from = from,
		.out = out,
		.start = out->size,
		.constant_at = NO_PLACE,
		.place_at = NO_PLACE };
	size_t size = eu_debug_left(&from);

	t.from.first = from.at;
	if (size > MOST_BYTES || !size)
		return false;
	/* A byte of an operand may look like a branch; then a place is told as a value. */
	t.has_branches = memchr(from.at, DW_OP_skip, size) || memchr(from.at, DW_OP_bra, size);
	memset(t.moved, 0xff, sizeof t.moved);
	while (eu_debug_left(&t.from) && !t.is_lost) {
		t.moved[t.from.at - t.from.first] = (int32_t)(out->size - t.start);
		translate_next(&t);
	}
	t.moved[size] = (int32_t)(out->size - t.start);
	if (t.is_value)
		put(&t, DW_OP_stack_value);
	if (!out->failed)
		fix_branches(&t);
	if (!t.is_lost && !t.from.is_bad && !out->failed)
		return true;
	out->size = t.start;
	return false;
}
