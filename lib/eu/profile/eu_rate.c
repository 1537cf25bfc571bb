// SPDX-License-Identifier: MIT
#include "eu/profile/eu_rate.h"

#include <string.h>

#include "util/util_bits.h"

enum pipe {
#define PIPE(name, ...) PIPE_##name,
#include "eu/profile/eu_rate.def"
};

static const struct {
	const char *name;
	uint8_t channels, cycles[GEN_GENERATIONS], port[GEN_GENERATIONS];
} pipes[] = {
#define PIPE(name, channels, c9, c11, c12, chpg, p9, p11, p12, phpg, source)                       \
	{ #name, channels, { c9, c11, c12, chpg }, { p9, p11, p12, phpg } },
#include "eu/profile/eu_rate.def"
};

/* Opcodes of the slow pipe, those that compute nothing, and those that do two operations. */
#define YES(op) [GEN_OP_##op] = true
static const bool slow[GEN_OP_COUNT] = { YES(bfe), YES(bfi1), YES(bfi2), YES(bfrev), YES(cbit),
	YES(fbh), YES(fbl), YES(mac), YES(mach), YES(lrp) };
static const bool moves[GEN_OP_COUNT] = { YES(mov), YES(movi), YES(smov), YES(sel), YES(csel),
	YES(cmp), YES(cmpn), YES(wait) };
static const bool does_two[GEN_OP_COUNT] = { YES(mad), YES(madm), YES(mac), YES(lrp), YES(add3) };

static enum pipe alu_pipe(const struct gen_inst *inst)
{
	enum gen_type type = (enum gen_type)(inst->dst.file == GEN_FILE_NULL || !inst->has_dst
						     ? inst->src[0].type
						     : inst->dst.type);

	if (inst->op == GEN_OP_math)
		return inst->function == GEN_MATH_FDIV || inst->function == GEN_MATH_POW
			       ? PIPE_division
			       : PIPE_math;
	if (inst->op == GEN_OP_dpas || inst->op == GEN_OP_dpasw)
		return PIPE_systolic;
	if (slow[inst->op])
		return PIPE_slow;
	if (type == GEN_TYPE_DF)
		return PIPE_double;
	if (gen_type_size(type) == 8)
		return PIPE_quad;
	if (!gen_type_is_float(type))
		return PIPE_integer;
	return type == GEN_TYPE_HF ? PIPE_half : PIPE_float;
}

static enum pipe pipe_of(const struct gen_inst *inst)
{
	switch (gen_ops[inst->op].class) {
	case GEN_CLASS_ALU:
		return inst->op == GEN_OP_wait ? PIPE_none : alu_pipe(inst);
	case GEN_CLASS_BRANCH:
		return PIPE_branch;
	case GEN_CLASS_SEND:
		return PIPE_message;
	default:
		return PIPE_none;
	}
}

/* Arithmetic operations of one channel. */
static unsigned operations_of(const struct gen_inst *inst)
{
	if (moves[inst->op])
		return 0;
	if (does_two[inst->op])
		return 2;
	if (inst->op == GEN_OP_dp4a)
		return 8;
	/* Products of pairs of halves, or of four bytes, and their sums. */
	if (inst->op == GEN_OP_dpas || inst->op == GEN_OP_dpasw)
		return 2u * inst->function * inst->repeat *
		       (gen_type_is_float((enum gen_type)inst->src[1].type) ? 2 : 4);
	return gen_ops[inst->op].class == GEN_CLASS_ALU;
}

struct eu_rate eu_rate_of(const struct gen_device *device, const struct gen_inst *inst)
{
	enum gen_generation generation = device->family->generation;
	enum pipe pipe = pipe_of(inst);
	unsigned channels = pipes[pipe].channels;
	unsigned passes = (inst->exec_size + channels - 1) / channels;

	if (pipe == PIPE_systolic)
		passes = inst->repeat;
	return (struct eu_rate){ .pipe = pipes[pipe].name,
		.port = pipes[pipe].port[generation],
		.cycles = passes * pipes[pipe].cycles[generation],
		.operations = operations_of(inst) };
}

struct eu_limits eu_limits_of(const struct gen_device *device)
{
	static const struct {
		const char *name;
		uint32_t gigabytes;
	} memories[] = {
#define MEMORY(name, gigabytes, source) { name, gigabytes },
#include "eu/profile/eu_rate.def"
	};
	static const struct eu_limits rows[GEN_GENERATIONS] = {
#define LIMIT(name, g9, g11, g12, hpg, source)                                                     \
	[GEN_9].name = g9, [GEN_11].name = g11, [GEN_12].name = g12, [GEN_HPG].name = hpg,
#include "eu/profile/eu_rate.def"
	};
	struct eu_limits limits = rows[device->family->generation];

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(memories); i++)
		if (!strcmp(memories[i].name, device->name))
			limits.gigabytes = memories[i].gigabytes;
	return limits;
}

struct eu_residence eu_residence_of(
	const struct gen_device *device, const struct eu_dispatch *dispatch)
{
	struct eu_limits limits = eu_limits_of(device);
	uint32_t threads = (uint32_t)device->eus_per_subslice * device->family->threads_per_eu;
	struct eu_residence most = { threads / dispatch->threads_per_group, "threads" };

	if (dispatch->slm_bytes && limits.slm_bytes / dispatch->slm_bytes < most.groups)
		most = (struct eu_residence){ limits.slm_bytes / dispatch->slm_bytes,
			"local memory" };
	if (dispatch->barrier && limits.barriers < most.groups)
		most = (struct eu_residence){ limits.barriers, "barriers" };
	return most;
}
