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
};

static const char *const op_names[GEN_OP_COUNT] = {
#define OP(name, mnemonic, sources) [GEN_OP_##name] = mnemonic,
#include "gen/gen_op.def"
#undef OP
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

const char *gen_type_name(enum gen_type type)
{
	return types[type].name;
}

const char *gen_op_name(enum gen_op op)
{
	return op_names[op];
}
