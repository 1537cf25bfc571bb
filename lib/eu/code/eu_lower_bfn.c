// SPDX-License-Identifier: MIT
/* bfn, any function of three bits, as a few operations on two. */
#include "eu/code/eu_lower_operand.h"

/* What an operation computes; `step` has not been emitted yet. Or a source as it is. */
struct value {
	struct eu_alu_source at;
	bool is_step;
	struct eu_alu_step step;
};

/* Functions of two bits y and z, bit 2 * z + y of a table: a row, and which bits it takes inverted.
 * Row 0: no function, but the bit that is not inverted and named here. */
static const struct {
	uint16_t row;
	uint8_t operations;
	bool takes_z, inverts_y, inverts_z, inverts;
} twos[16] = {
	[1] = { EU_UOP_or, 2, .inverts = true },
	[2] = { EU_UOP_and, 2, .inverts_z = true },
	[3] = { 0, 1, .takes_z = true, .inverts = true },
	[4] = { EU_UOP_and, 2, .inverts_y = true },
	[5] = { 0, 1, .inverts = true },
	[6] = { EU_UOP_xor, 1 },
	[7] = { EU_UOP_and, 2, .inverts = true },
	[8] = { EU_UOP_and, 1 },
	[9] = { EU_UOP_xor, 2, .inverts = true },
	[10] = { 0, 0 },
	[11] = { EU_UOP_or, 2, .inverts_z = true },
	[12] = { 0, 0, .takes_z = true },
	[13] = { EU_UOP_or, 2, .inverts_y = true },
	[14] = { EU_UOP_or, 1 },
};
enum { NEVER = 0, ALWAYS = 15, MOST_TEMPS = 10 };

static struct eu_alu_source place(struct eu_alu *a, struct value v)
{
	if (!v.is_step)
		return v.at;
	v.step.uop.d = eu_alu_temp(a);
	eu_alu_emit(a, v.step.code, v.step.uop);
	return (struct eu_alu_source){ .offset = v.step.uop.d };
}

static struct value compute(struct eu_alu *a, unsigned row, struct value v, struct value w)
{
	struct eu_alu_source x = place(a, v), y = place(a, w);

	if (x.scalar && y.scalar)
		eu_alu_spread(a, &x);
	return (struct value){ .is_step = true,
		.step = { eu_uop_code(row, a->width, x.scalar | (unsigned)y.scalar << 1),
			{ .a = x.offset, .b = y.offset } } };
}

static struct value compute_one(struct eu_alu *a, unsigned row, struct value v)
{
	struct eu_alu_source x = place(a, v);

	return (struct value){ .is_step = true,
		.step = { eu_uop_code(row, a->width, x.scalar), { .a = x.offset } } };
}

static struct value invert(struct eu_alu *a, struct value v)
{
	return compute_one(a, EU_UOP_not, v);
}

static struct value of_two(struct eu_alu *a, unsigned table, struct value y, struct value z)
{
	struct value r = twos[table].takes_z ? z : y;

	if (twos[table].row)
		r = compute(a, twos[table].row, twos[table].inverts_y ? invert(a, y) : y,
			twos[table].inverts_z ? invert(a, z) : z);
	return twos[table].inverts ? invert(a, r) : r;
}

/* What the table of three bits is for the two others where bit `x` of them is `value`. */
static unsigned without(unsigned table, unsigned x, unsigned value)
{
	unsigned y = x == 0, z = x == 2 ? 1 : 2, two = 0;

	for (unsigned i = 0; i < 4; i++)
		two |= (table >> (value << x | (i & 1) << y | i >> 1 << z) & 1) << i;
	return two;
}

/* How a function of three depends on one of them, given what it is where that is 0 and where 1. */
enum way { SAME, AND, AND_NOT, OR, OR_NOT, XOR, MIX };

static enum way way_of(unsigned f0, unsigned f1)
{
	return f0 == f1		     ? SAME
	       : f0 == NEVER	     ? AND
	       : f1 == NEVER	     ? AND_NOT
	       : f1 == ALWAYS	     ? OR
	       : f0 == ALWAYS	     ? OR_NOT
	       : (f0 ^ f1) == ALWAYS ? XOR
				     : MIX;
}

static unsigned cost_of(unsigned f0, unsigned f1)
{
	static const uint8_t own[] = { 0, 1, 2, 1, 2, 1, 2 };
	enum way way = way_of(f0, f1);

	return own[way] + twos[f0].operations +
	       (way == SAME || way == XOR ? 0 : twos[way == MIX ? f0 ^ f1 : f1].operations);
}

bool eu_alu_bfn(struct eu_alu *a, struct eu_alu_step *step)
{
	unsigned table = a->inst->function, x = 0, f0, f1;
	struct value v[3], r;

	if (table == 0 || table == 0xff || a->temps + MOST_TEMPS > EU_TEMPS)
		return false;
	for (unsigned i = 0; i < 3; i++) {
		v[i] = (struct value){ .at = a->source[i] };
		if (cost_of(without(table, i, 0), without(table, i, 1)) <
			cost_of(without(table, x, 0), without(table, x, 1)))
			x = i;
	}
	f0 = without(table, x, 0);
	f1 = without(table, x, 1);
	struct value y = v[x == 0], z = v[x == 2 ? 1 : 2];
	switch (way_of(f0, f1)) {
	case SAME:
		r = of_two(a, f0, y, z);
		break;
	case AND:
		r = f1 == ALWAYS ? v[x] : compute(a, EU_UOP_and, of_two(a, f1, y, z), v[x]);
		break;
	case AND_NOT:
		r = invert(a, v[x]);
		r = f0 == ALWAYS ? r : compute(a, EU_UOP_and, of_two(a, f0, y, z), r);
		break;
	case OR:
		r = compute(a, EU_UOP_or, of_two(a, f0, y, z), v[x]);
		break;
	case OR_NOT:
		r = compute(a, EU_UOP_or, of_two(a, f1, y, z), invert(a, v[x]));
		break;
	case XOR:
		r = compute(a, EU_UOP_xor, of_two(a, f0, y, z), v[x]);
		break;
	default:
		r = compute(a, EU_UOP_and, of_two(a, f0 ^ f1, y, z), v[x]);
		r = compute(a, EU_UOP_xor, of_two(a, f0, y, z), r);
	}
	*step = r.is_step ? r.step : compute_one(a, EU_UOP_mov, r).step;
	return true;
}
