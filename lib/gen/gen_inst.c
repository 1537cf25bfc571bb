// SPDX-License-Identifier: MIT
#include "gen/gen_inst.h"

static const struct {
	const char *name;
	uint8_t size;
	bool is_float, is_signed;
} types[GEN_TYPE_COUNT] = {
	[GEN_TYPE_NONE] = { "?", 0, false, false },
	[GEN_TYPE_UB] = { "ub", 1, false, false },
	[GEN_TYPE_B] = { "b", 1, false, true },
	[GEN_TYPE_UW] = { "uw", 2, false, false },
	[GEN_TYPE_W] = { "w", 2, false, true },
	[GEN_TYPE_UD] = { "ud", 4, false, false },
	[GEN_TYPE_D] = { "d", 4, false, true },
	[GEN_TYPE_UQ] = { "uq", 8, false, false },
	[GEN_TYPE_Q] = { "q", 8, false, true },
	[GEN_TYPE_HF] = { "hf", 2, true, true },
	[GEN_TYPE_F] = { "f", 4, true, true },
	[GEN_TYPE_DF] = { "df", 8, true, true },
	[GEN_TYPE_V] = { "v", 2, false, true },
	[GEN_TYPE_UV] = { "uv", 2, false, false },
	[GEN_TYPE_VF] = { "vf", 4, true, true },
	[GEN_TYPE_BF] = { "bf", 2, true, true },
	[GEN_TYPE_U2] = { "u2", 0, false, false },
	[GEN_TYPE_U4] = { "u4", 0, false, false },
	[GEN_TYPE_S2] = { "s2", 0, false, true },
	[GEN_TYPE_S4] = { "s4", 0, false, true },
};

const struct gen_op_info gen_ops[GEN_OP_COUNT] = {
#define NO	  GEN_OPCODE_NONE
#define I	  GEN_TAKES_I
#define Q	  GEN_TAKES_Q
#define F	  GEN_TAKES_F
#define COND	  GEN_DOES_COND
#define COMPARES  GEN_DOES_COMPARES
#define SELECTS	  GEN_DOES_SELECTS
#define READS_ACC GEN_DOES_READS_ACC
#define CARRIES	  GEN_DOES_CARRIES
#define JIP	  GEN_DOES_JIP
#define UIP	  GEN_DOES_UIP
#define REGISTER  GEN_DOES_REGISTER
#define LEAVES	  GEN_DOES_LEAVES
#define CALLS	  GEN_DOES_CALLS
#define OP(name, gen9, gen11, gen12, hpg, format, class, types, modifier, flags)                   \
	[GEN_OP_##name] = { #name, { gen9, gen11, gen12, hpg }, GEN_OPERANDS_##format,             \
		GEN_CLASS_##class, types, GEN_MODIFIER_##modifier, flags },
#include "gen/gen_op.def"
};

unsigned gen_type_size(enum gen_type type)
{
	return types[type].size;
}

bool gen_type_is_float(enum gen_type type)
{
	return types[type].is_float;
}

bool gen_type_is_signed(enum gen_type type)
{
	return types[type].is_signed;
}

int64_t gen_type_extend(enum gen_type type, uint64_t bits)
{
	const unsigned unused = 64 - 8 * (types[type].size ? types[type].size : 4u);

	return types[type].is_signed && !types[type].is_float ? (int64_t)(bits << unused) >> unused
							      : (int64_t)(bits << unused >> unused);
}

const char *gen_type_name(enum gen_type type)
{
	return types[type].name;
}

unsigned gen_operand_bytes(const struct gen_operand *o, unsigned channels)
{
	unsigned width = o->width && o->width < channels ? o->width : channels;
	unsigned last = (channels - 1) / width * o->vstride + (width - 1) * o->hstride;

	return (last + 1) * gen_type_size((enum gen_type)o->type);
}

enum gen_op gen_op_find(enum gen_generation generation, unsigned opcode)
{
	unsigned op = 0;

	while (op < GEN_OP_COUNT && gen_ops[op].opcode[generation] != opcode)
		op++;
	return (enum gen_op)op;
}
