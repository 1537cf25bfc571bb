// SPDX-License-Identifier: MIT
/* Random single instructions, through the engine and through the reference, bit for bit. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/code/eu_code.h"
#include "eu_test_numbers.h"

enum family { INTS, BITS, FLOATS, SINGLES, ANY, QUADS };

static const struct row {
	enum gen_op op;
	enum family family;
	unsigned sources;
	unsigned function;
} rows[] = {
	{ GEN_OP_mov, ANY, 1, 0 },
	{ GEN_OP_mov, INTS, 1, 0 },
	{ GEN_OP_mov, FLOATS, 1, 0 },
	{ GEN_OP_sel, BITS, 2, 0 },
	{ GEN_OP_sel, INTS, 2, 0 },
	{ GEN_OP_sel, FLOATS, 2, 0 },
	{ GEN_OP_not, INTS, 1, 0 },
	{ GEN_OP_and, INTS, 2, 0 },
	{ GEN_OP_or, INTS, 2, 0 },
	{ GEN_OP_xor, INTS, 2, 0 },
	{ GEN_OP_shr, INTS, 2, 0 },
	{ GEN_OP_shl, INTS, 2, 0 },
	{ GEN_OP_asr, INTS, 2, 0 },
	{ GEN_OP_rol, BITS, 2, 0 },
	{ GEN_OP_ror, BITS, 2, 0 },
	{ GEN_OP_cmp, INTS, 2, 0 },
	{ GEN_OP_cmp, FLOATS, 2, 0 },
	{ GEN_OP_csel, INTS, 3, 0 },
	{ GEN_OP_csel, FLOATS, 3, 0 },
	{ GEN_OP_bfrev, BITS, 1, 0 },
	{ GEN_OP_bfe, BITS, 3, 0 },
	{ GEN_OP_bfi1, BITS, 2, 0 },
	{ GEN_OP_bfi2, BITS, 3, 0 },
	{ GEN_OP_add, INTS, 2, 0 },
	{ GEN_OP_add, FLOATS, 2, 0 },
	{ GEN_OP_mul, INTS, 2, 0 },
	{ GEN_OP_mul, FLOATS, 2, 0 },
	{ GEN_OP_mad, INTS, 3, 0 },
	{ GEN_OP_mad, FLOATS, 3, 0 },
	{ GEN_OP_avg, INTS, 2, 0 },
	{ GEN_OP_addc, BITS, 2, 0 },
	{ GEN_OP_subb, BITS, 2, 0 },
	{ GEN_OP_mach, BITS, 2, 0 },
	{ GEN_OP_lzd, BITS, 1, 0 },
	{ GEN_OP_fbh, BITS, 1, 0 },
	{ GEN_OP_fbl, BITS, 1, 0 },
	{ GEN_OP_cbit, BITS, 1, 0 },
	{ GEN_OP_dp4a, BITS, 3, 0 },
	{ GEN_OP_frc, FLOATS, 1, 0 },
	{ GEN_OP_rndu, FLOATS, 1, 0 },
	{ GEN_OP_rndd, FLOATS, 1, 0 },
	{ GEN_OP_rnde, FLOATS, 1, 0 },
	{ GEN_OP_rndz, FLOATS, 1, 0 },
	{ GEN_OP_math, BITS, 2, GEN_MATH_IQOT },
	{ GEN_OP_math, BITS, 2, GEN_MATH_IREM },
	{ GEN_OP_math, FLOATS, 1, GEN_MATH_INV },
	{ GEN_OP_math, FLOATS, 1, GEN_MATH_SQT },
	{ GEN_OP_math, FLOATS, 1, GEN_MATH_RSQT },
	{ GEN_OP_math, FLOATS, 1, GEN_MATH_EXP },
	{ GEN_OP_math, FLOATS, 1, GEN_MATH_LOG },
	{ GEN_OP_math, FLOATS, 1, GEN_MATH_SIN },
	{ GEN_OP_math, FLOATS, 1, GEN_MATH_COS },
	{ GEN_OP_math, FLOATS, 2, GEN_MATH_FDIV },
	{ GEN_OP_mac, SINGLES, 2, 0 },
	{ GEN_OP_lrp, SINGLES, 3, 0 },
	{ GEN_OP_bfn, BITS, 3, 0 },
	{ GEN_OP_add3, BITS, 3, 0 },
	{ GEN_OP_mov, QUADS, 1, 0 },
	{ GEN_OP_not, QUADS, 1, 0 },
	{ GEN_OP_and, QUADS, 2, 0 },
	{ GEN_OP_or, QUADS, 2, 0 },
	{ GEN_OP_xor, QUADS, 2, 0 },
	{ GEN_OP_shr, QUADS, 2, 0 },
	{ GEN_OP_shl, QUADS, 2, 0 },
	{ GEN_OP_asr, QUADS, 2, 0 },
	{ GEN_OP_add, QUADS, 2, 0 },
	{ GEN_OP_mul, QUADS, 2, 0 },
	{ GEN_OP_sel, QUADS, 2, 0 },
	{ GEN_OP_cmp, QUADS, 2, 0 },
};

/* A device that has the instruction. */
static const struct gen_device *device_of(const struct row *row)
{
	bool is_late = row->op == GEN_OP_bfn || row->op == GEN_OP_add3;
	bool is_early = row->family == QUADS || row->op == GEN_OP_lrp;

	return gen_device_find(is_early ? "skl" : is_late ? "dg2" : NULL);
}

static uint64_t seed;

static unsigned pick(unsigned count)
{
	return (unsigned)(test_random(&seed) >> 33) % count;
}

/* Half of the time all operands are 32 bits wide, as in most of IGC's code. */
static uint8_t pick_type(enum family family, bool wide)
{
	static const uint8_t ints[] = { GEN_TYPE_D, GEN_TYPE_UD, GEN_TYPE_W, GEN_TYPE_UW,
		GEN_TYPE_B, GEN_TYPE_UB };
	static const uint8_t any[] = { GEN_TYPE_D, GEN_TYPE_UD, GEN_TYPE_W, GEN_TYPE_UW, GEN_TYPE_F,
		GEN_TYPE_HF, GEN_TYPE_B, GEN_TYPE_UB };
	switch (family) {
	case INTS:
		return ints[pick(wide ? 2 : 6)];
	case BITS:
		return ints[pick(2)];
	case FLOATS:
		return wide || pick(2) ? GEN_TYPE_F : GEN_TYPE_HF;
	case SINGLES:
		return GEN_TYPE_F;
	case QUADS:
		return pick(2) ? GEN_TYPE_UQ : pick(3) ? GEN_TYPE_Q : ints[pick(4)];
	case ANY:
		break;
	}
	return any[pick(8)];
}

static void pick_region(struct gen_operand *o, unsigned exec_size)
{
	static const uint8_t strides[] = { 0, 1, 2, 4, 8, 16, 32 }, steps[] = { 0, 1, 2, 4 };
	switch (pick(5)) {
	case 0:
	case 1:
		o->vstride = o->width = (uint8_t)exec_size;
		o->hstride = 1;
		break;
	case 2:
		o->vstride = 0, o->width = 1, o->hstride = 0;
		break;
	case 3:
		o->vstride = (uint8_t)(1 << pick(3)), o->width = 1, o->hstride = 0;
		break;
	case 4:
		o->vstride = strides[pick(7)], o->width = (uint8_t)(1 << pick(5));
		o->hstride = steps[pick(4)];
	}
	if (exec_size == 1)
		o->vstride = 0, o->width = 1, o->hstride = 0;
}

static void pick_immediate(struct gen_operand *o)
{
	static const float floats[] = { 0, 1, -1, 0.5f, 1e10f, 3, -0.1f, 65504 };
	float f = floats[pick(8)];
	uint32_t bits;
	memcpy(&bits, &f, 4);
	o->file = GEN_FILE_IMM;
	o->imm = test_random(&seed) >> (pick(2) ? 32 : 60);
	if (o->type == GEN_TYPE_B)
		o->type = GEN_TYPE_W;
	if (o->type == GEN_TYPE_UB)
		o->type = GEN_TYPE_UW;
	if (o->type == GEN_TYPE_W && pick(4) == 0)
		o->type = GEN_TYPE_V, o->imm = (uint32_t)test_random(&seed);
	if (o->type == GEN_TYPE_F)
		o->imm = bits;
	if (o->type == GEN_TYPE_F && pick(8) == 0)
		o->type = GEN_TYPE_VF, o->imm = (uint32_t)test_random(&seed);
	if (o->type == GEN_TYPE_UW || o->type == GEN_TYPE_HF)
		o->imm &= 0xffff;
	if (o->type == GEN_TYPE_W)
		o->imm = (uint64_t)(int64_t)(int16_t)o->imm;
	if (o->type == GEN_TYPE_D)
		o->imm = (uint64_t)(int64_t)(int32_t)o->imm;
	if (o->type == GEN_TYPE_UD)
		o->imm = (uint32_t)o->imm;
	if (gen_type_size(o->type) == 8)
		o->imm = test_random(&seed);
}

static unsigned extent(const struct gen_operand *o, unsigned count, bool is_destination)
{
	unsigned size = gen_type_size(o->type), last = 0;
	for (unsigned i = 0; i < count; i++) {
		unsigned at = is_destination
				      ? i * o->hstride
				      : i / o->width * o->vstride + i % o->width * o->hstride;
		last = at > last ? at : last;
	}
	return (o->sub + last + 1) * size;
}

static void pick_register(struct gen_operand *o, unsigned count, bool is_destination)
{
	unsigned size = gen_type_size(o->type), limit = 4096;
	o->file = pick(12) ? GEN_FILE_GRF : GEN_FILE_ACC;
	o->addressing = GEN_DIRECT;
	if (o->file == GEN_FILE_ACC) {
		o->reg = 0, o->sub = 0, limit = 256;
	} else {
		o->reg = (uint8_t)(10 + pick(12));
		o->sub = pick(2) ? 0 : (uint8_t)pick(32 / size);
	}
	if (!is_destination && o->file == GEN_FILE_GRF && pick(12) == 0) {
		o->addressing = pick(2) ? GEN_INDIRECT_1X1 : GEN_INDIRECT_VXH;
		o->sub = (uint8_t)pick(4), o->reg = 0;
		/* what lies beyond the registers is nothing */
		if (o->addressing == GEN_INDIRECT_VXH || extent(o, count, false) > limit - 1024)
			o->vstride = 0, o->width = 1, o->hstride = 0;
		o->offset = (int16_t)(pick(3) * size);
		return;
	}
	if (o->reg * 32 + extent(o, count, is_destination) > limit) {
		if (is_destination)
			o->hstride = 1;
		else
			o->vstride = 0, o->width = 1, o->hstride = 0;
		if (o->file == GEN_FILE_ACC)
			o->sub = 0;
	}
}

static bool takes_modifiers(const struct gen_inst *inst)
{
	switch (inst->op) {
	case GEN_OP_rol:
	case GEN_OP_ror:
	case GEN_OP_bfrev:
	case GEN_OP_bfe:
	case GEN_OP_bfi1:
	case GEN_OP_bfi2:
	case GEN_OP_addc:
	case GEN_OP_subb:
	case GEN_OP_dp4a:
	case GEN_OP_cbit:
	case GEN_OP_fbh:
	case GEN_OP_fbl:
	case GEN_OP_lzd:
	case GEN_OP_mach:
	case GEN_OP_bfn:
		return false;
	}
	return inst->op != GEN_OP_math || inst->source_count == 1;
}

static void pick_controls(struct gen_inst *inst)
{
	bool branches_on_cond = inst->op == GEN_OP_cmp || inst->op == GEN_OP_csel;
	inst->no_mask = pick(4) == 0;
	inst->flag = (uint8_t)pick(4);
	if (inst->channel_offset + inst->exec_size > 16 && inst->exec_size > 16)
		inst->flag &= 2;
	if (branches_on_cond || (inst->op != GEN_OP_math && pick(4) == 0))
		inst->cond = (uint8_t)(GEN_COND_EQ + pick(6));
	if (inst->op == GEN_OP_sel && inst->cond)
		inst->cond = pick(2) ? GEN_COND_LT : GEN_COND_GE;
	if (inst->op != GEN_OP_csel && !(inst->op == GEN_OP_sel && inst->cond) && pick(3) == 0) {
		inst->predicate = (uint8_t)(pick(3) ? GEN_PRED_SEQUENTIAL : 1 + pick(13));
		inst->predicate_invert = pick(2);
	}
	inst->saturate = pick(8) == 0 && inst->op != GEN_OP_cmp && takes_modifiers(inst);
	inst->acc_wr_en = (inst->op == GEN_OP_mach && pick(2)) || inst->op == GEN_OP_addc ||
			  inst->op == GEN_OP_subb;
}

static const struct row *pick_inst(struct gen_inst *inst)
{
	static const uint8_t sizes[] = { 16, 8, 1, 16, 8, 32, 4, 2 };
	const struct row *row = &rows[pick(sizeof rows / sizeof rows[0])];
	bool wide = pick(2);
	memset(inst, 0, sizeof *inst);
	inst->size = 16;
	inst->op = (uint8_t)row->op;
	inst->function = (uint8_t)(row->op == GEN_OP_bfn ? pick(256) : row->function);
	inst->source_count = (uint8_t)row->sources;
	inst->exec_size = sizes[pick(8)];
	bool is_accumulated = row->op == GEN_OP_mach || row->op == GEN_OP_addc ||
			      row->op == GEN_OP_subb || row->op == GEN_OP_mac;
	if (is_accumulated && inst->exec_size > 16) /* the accumulators have 16 dwords */
		inst->exec_size = 8;
	inst->channel_offset = (uint8_t)(pick(32 / inst->exec_size) * inst->exec_size);
	pick_controls(inst);
	inst->has_dst = true;
	inst->dst.type = pick_type(row->family, wide);
	inst->dst.hstride = (uint8_t)(pick(3) ? 1 : 1 << pick(3));
	inst->dst.width = 1;
	if (pick(10) == 0)
		inst->dst.file = GEN_FILE_NULL;
	else
		pick_register(&inst->dst, inst->exec_size, true);
	if (inst->acc_wr_en && inst->dst.file == GEN_FILE_ACC)
		inst->dst.file = GEN_FILE_NULL;
	bool orders = row->family == QUADS && (inst->op == GEN_OP_sel || inst->op == GEN_OP_cmp);
	for (unsigned s = 0; s < row->sources; s++) {
		struct gen_operand *o = &inst->src[s];
		o->type = s && orders ? inst->src[0].type : pick_type(row->family, wide);
		if (row->op == GEN_OP_mul && row->family == QUADS)
			o->type = pick_type(BITS, true); /* no factor has 64 bits */
		if (row->op == GEN_OP_mul && s == 1 && pick(2) && row->family == INTS)
			o->type = pick(2) ? GEN_TYPE_UW : GEN_TYPE_W;
		if (s + 1 == row->sources && row->sources < 3 && pick(4) == 0) {
			pick_immediate(o);
			continue;
		}
		pick_region(o, inst->exec_size);
		pick_register(o, inst->exec_size, false);
		bool shifts =
			row->op == GEN_OP_shl || row->op == GEN_OP_shr || row->op == GEN_OP_asr;
		if (takes_modifiers(inst) && !(shifts && row->family == QUADS)) {
			o->abs = row->family != QUADS && pick(8) == 0;
			o->neg = pick(6) == 0;
		}
	}
	if (row->family == QUADS) { /* what does not fit 64 bits is not defined */
		if (!orders)
			inst->cond = GEN_COND_NONE;
		inst->saturate = false;
		for (unsigned s = 0; s < 2 && orders; s++) {
			inst->src[s].type = inst->src[0].type;
			inst->src[s].neg = false;
		}
	}
	return row;
}

static void describe(const struct gen_inst *inst, char *text, size_t size)
{
	int at = snprintf(text, size,
		"%s(%u|M%u) f%u pred %u%s cond %u fn %u%s%s%s: ", gen_ops[inst->op].name,
		inst->exec_size, inst->channel_offset, inst->flag, inst->predicate,
		inst->predicate_invert ? "~" : "", inst->cond, inst->function,
		inst->no_mask ? " (W)" : "", inst->saturate ? " sat" : "",
		inst->acc_wr_en ? " acc" : "");
	for (int s = -1; s < inst->source_count; s++) {
		const struct gen_operand *o = s < 0 ? &inst->dst : &inst->src[s];
		at += snprintf(text + at, size - (size_t)at,
			" %s%s file%u addr%u r%u.%u<%u;%u,%u>:%s imm %llx", o->neg ? "-" : "",
			o->abs ? "abs" : "", o->file, o->addressing, o->reg, o->sub, o->vstride,
			o->width, o->hstride, gen_type_name(o->type), (unsigned long long)o->imm);
	}
}

static struct test_thread engine, other;
static struct reference reference;

static bool ends(struct reference *r, const struct gen_inst *inst, uint32_t lanes)
{
	(void)r, (void)lanes;
	return inst->end_of_thread;
}

static uint32_t before[3][32]; /* raw sources, for reports */

static void compare(const struct gen_inst *inst, uint32_t cr0, uint32_t dispatch)
{
	char text[1024];
	const struct eu_thread *t = &engine.thread;
	bool acc_float = gen_type_is_float(inst->dst.type) && inst->dst.file == GEN_FILE_ACC;
	bool same = test_same_bits(inst->dst.type, t->grf, other.thread.grf, 4096) &&
		    !memcmp(t->flag, reference.flag, 8) &&
		    (acc_float || !memcmp(t->acc, reference.acc, sizeof reference.acc));
	if (same)
		return;
	describe(inst, text, sizeof text);
	for (unsigned i = 0; i < 4096; i += 4)
		if (memcmp(t->grf + i, other.thread.grf + i, 4))
			print_error("r%u.%u: engine %08x, reference %08x\n", i / 32, i % 32 / 4,
				*(const uint32_t *)(const void *)(t->grf + i),
				*(const uint32_t *)(const void *)(other.thread.grf + i));
	for (unsigned i = 0; i < 256; i += 4)
		if (memcmp(t->acc + i, reference.acc + i, 4))
			print_error("acc %u: engine %08x, reference %08x\n", i / 4,
				*(const uint32_t *)(const void *)(t->acc + i),
				*(const uint32_t *)(const void *)(reference.acc + i));
	print_error("flags: engine %08x %08x, reference %08x %08x\n", t->flag[0], t->flag[1],
		((const uint32_t *)(const void *)reference.flag)[0],
		((const uint32_t *)(const void *)reference.flag)[1]);
	for (unsigned i = 0; i < inst->exec_size; i++)
		print_error("channel %u: %08x %08x %08x\n", i, before[0][i], before[1][i],
			before[2][i]);
	fail_msg("%s (cr0 0x%x, channels 0x%x)", text, cr0, dispatch);
}

/* Kernels set cr0 themselves; half of the time this one does, else it starts with it. */
static void add_prologue(struct gen_inst *inst, uint32_t *cr0)
{
	struct gen_operand reg = { .file = GEN_FILE_CR, .type = GEN_TYPE_UD, .width = 1 };
	struct gen_operand bits = { .file = GEN_FILE_IMM, .type = GEN_TYPE_UW, .imm = *cr0 };
	*inst = (struct gen_inst){ .size = 16, .op = GEN_OP_nop, .exec_size = 1 };
	if (pick(2))
		return;
	inst->op = GEN_OP_or;
	inst->no_mask = inst->has_dst = true;
	inst->source_count = 2;
	inst->dst = inst->src[0] = reg;
	inst->dst.hstride = 1;
	inst->src[1] = bits;
	*cr0 = 0;
}

/*
 * Makes registers halves whose sums lie next to the middle of two: what rounds them to single
 * precision first has to take care.
 */
static void fill_with_halves(struct eu_thread *thread)
{
	static const uint16_t halves[] = { 0x6801, 0x6802, 0xe801, 0x3c01, 0x3bfe, 0xbbfe, 0x0101,
		0x0c01, 0x07fe, 0x87fe };
	for (unsigned i = 0; i < 4096; i += 2)
		memcpy(thread->grf + i, &halves[pick(sizeof(halves) / sizeof(*halves))], 2);
}

/* Makes an instruction a sum of products of halves, and registers such halves. */
static void make_half_sum(struct gen_inst *inst, struct eu_thread *thread)
{
	inst->op = GEN_OP_mad;
	inst->source_count = 3;
	inst->saturate = inst->acc_wr_en = false;
	inst->cond = GEN_COND_NONE;
	for (int s = -1; s < 3; s++) {
		struct gen_operand *o = s < 0 ? &inst->dst : &inst->src[s];
		*o = (struct gen_operand){ .file = GEN_FILE_GRF,
			.type = GEN_TYPE_HF,
			.reg = (uint8_t)(10 + 4 * (s + 1)),
			.vstride = inst->exec_size,
			.width = inst->exec_size,
			.hstride = (uint8_t)(pick(2) ? 1 : 2),
			.neg = s >= 0 && pick(4) == 0 };
		o->vstride = (uint8_t)(o->vstride * o->hstride);
	}
	fill_with_halves(thread);
}

/* What a test of one way of executing is told; skips it where the host has no such way. */
static struct eu_options options_of(void *state)
{
	enum eu_host host = (enum eu_host)((uintptr_t)state % EU_HOSTS);
	bool stencils = (uintptr_t)state >= EU_HOSTS;
	struct eu_target best = eu_target_parse("stencil");
	if (host > best.host)
		skip_because(host == EU_HOST_AVX512 ? "no AVX-512" : "no AVX2");
	if (stencils && !best.stencils)
		skip_because("no stencils");
	return (struct eu_options){ .target = { host, stencils } };
}

static unsigned runs_of(unsigned usual)
{
	const char *count = getenv("ZEROCL_TEST_COUNT");
	return count ? (unsigned)strtoul(count, NULL, 0) : usual;
}

static struct gen_inst end_of_thread(uint32_t ip)
{
	return (struct gen_inst){ .ip = ip,
		.size = 16,
		.op = GEN_OP_send,
		.exec_size = 8,
		.no_mask = true,
		.end_of_thread = true,
		.sfid = GEN_SFID_THREAD_SPAWNER,
		.source_count = 2,
		.jip = -1,
		.uip = -1 };
}

static void random_instructions(void **state)
{
	struct eu_options options = options_of(*state);
	const char *first = getenv("ZEROCL_TEST_SEED");
	unsigned runs = runs_of(60000);
	for (unsigned n = 0; n < runs; n++) {
		seed = n + 1 + (first ? strtoul(first, NULL, 0) : 0);
		struct gen_inst insts[3] = { 0 };
		struct gen_program program = { .count = 3, .inst = insts };
		const struct gen_device *device = device_of(pick_inst(&insts[1]));
		insts[1].ip = 16;
		insts[2] = end_of_thread(32);
		uint32_t cr0 = pick(4) ? 0x4c0 : (pick(4) ? 0x4c0 : 0) | pick(4) << 4;
		uint32_t dispatch = pick(2) ? UINT32_MAX : (uint32_t)(test_random(&seed) >> 32);
		add_prologue(&insts[0], &cr0);
		test_thread_init(&engine, 1);
		test_fill_registers(&engine.thread, &seed);
		if (pick(16) == 0 && insts[1].exec_size <= 16)
			make_half_sum(&insts[1], &engine.thread);
		other = engine;
		struct eu_kernel *kernel =
			eu_kernel_create_for(device, &program, options, &engine.fault);
		assert_non_null(kernel);
		assert_int_equal(kernel->code != NULL, options.target.stencils);
		eu_thread_start(&engine.thread, kernel, dispatch, cr0);
		reference_start(&reference, &program, &other.thread, dispatch, cr0);
		reference.send = ends;
		test_fill_files(&engine.thread, &reference, 320, 90, &seed);
		for (unsigned k = 0; k < 3 * 32; k++)
			before[k / 32][k % 32] =
				k / 32 < insts[1].source_count && k % 32 < insts[1].exec_size
					? reference_source(&reference, &insts[1], k / 32, k % 32)
					: 0;
		assert_int_equal(eu_thread_run(&engine.thread, 1000), EU_DONE);
		reference_run(&reference, 10);
		compare(&insts[1], cr0, dispatch);
		eu_kernel_destroy(kernel);
	}
}

/*
 * A sum or product of halves of few registers, packed or one for all; or a copy, as dwords, to
 * floats, or from these, which are in registers of their own: numbers that are none may differ.
 */
static struct gen_inst pick_half_inst(uint32_t ip)
{
	static const uint8_t ops[] = { GEN_OP_mad, GEN_OP_mad, GEN_OP_mad, GEN_OP_mad, GEN_OP_add,
		GEN_OP_mul, GEN_OP_mov };
	struct gen_inst inst = { .ip = ip,
		.size = 16,
		.op = ops[pick(sizeof(ops))],
		.exec_size = pick(4) ? 16 : 8,
		.no_mask = pick(2),
		.has_dst = true,
		.jip = -1,
		.uip = -1 };
	const uint8_t types[] = { GEN_TYPE_UD, GEN_TYPE_HF, GEN_TYPE_F };
	unsigned from = 1, to = 1;
	inst.source_count = inst.op == GEN_OP_mad ? 3 : inst.op == GEN_OP_mov ? 1 : 2;
	if (inst.op == GEN_OP_mov) {
		from = pick(3);
		to = from == 1 ? 2 : from == 2 ? 1 : 0;
		inst.exec_size = from == 0 ? 8 : inst.exec_size;
	}
	for (int s = -1; s < inst.source_count; s++) {
		struct gen_operand *o = s < 0 ? &inst.dst : &inst.src[s];
		unsigned type = s < 0 ? to : from;
		bool one = s > 0 && pick(3) == 0;
		bool upper = type == 1 && inst.exec_size == 8 && pick(2);
		*o = (struct gen_operand){ .file = GEN_FILE_GRF,
			.type = types[type],
			.reg = (uint8_t)(type == 2 ? 30 + 2 * pick(4) : 10 + pick(8)),
			.sub = (uint8_t)(one	 ? pick(16)
					 : upper ? 8
						 : 0),
			.vstride = one ? 0 : inst.exec_size,
			.width = one ? 1 : inst.exec_size,
			.hstride = !one,
			.neg = s >= 0 && type && pick(8) == 0 };
	}
	return inst;
}

static void compare_rows(const struct gen_inst *insts, unsigned count, unsigned row)
{
	const uint8_t *a = engine.thread.grf, *b = other.thread.grf;
	char text[1024];
	if (test_same_bits(GEN_TYPE_HF, a, b, 30 * GEN_GRF_BYTES) &&
		test_same_bits(GEN_TYPE_F, a + 30 * GEN_GRF_BYTES, b + 30 * GEN_GRF_BYTES,
			8 * GEN_GRF_BYTES))
		return;
	for (unsigned i = 0; i < count; i++) {
		describe(&insts[i], text, sizeof text);
		print_error("%s\n", text);
	}
	for (unsigned i = 0; i < 4096; i += 2)
		if (memcmp(a + i, b + i, 2))
			print_error("r%u.%u: engine %02x%02x, reference %02x%02x\n", i / 32,
				i % 32 / 2, a[i + 1], a[i], b[i + 1], b[i]);
	fail_msg("row %u", row);
}

/* What is known of a register is forgotten when it changes. */
static void sums_of_halves_in_a_row(void **state)
{
	enum { ROW = 24 };
	struct eu_options options = options_of(*state);
	unsigned runs = runs_of(2000);
	for (unsigned n = 0; n < runs; n++) {
		struct gen_inst insts[ROW + 1];
		struct gen_program program = { .count = ROW + 1, .inst = insts };
		seed = n + 1;
		for (unsigned i = 0; i < ROW; i++)
			insts[i] = pick_half_inst(16 * i);
		insts[ROW] = end_of_thread(16 * ROW);
		uint32_t dispatch = pick(4) ? UINT32_MAX : (uint32_t)(test_random(&seed) >> 32);
		test_thread_init(&engine, 1);
		fill_with_halves(&engine.thread);
		memset(engine.thread.grf + 30 * GEN_GRF_BYTES, 0, 8 * GEN_GRF_BYTES);
		other = engine;
		struct eu_kernel *kernel = eu_kernel_create_for(
			gen_device_find(NULL), &program, options, &engine.fault);
		assert_non_null(kernel);
		eu_thread_start(&engine.thread, kernel, dispatch, 0x4c0);
		reference_start(&reference, &program, &other.thread, dispatch, 0x4c0);
		reference.send = ends;
		assert_int_equal(eu_thread_run(&engine.thread, 1000), EU_DONE);
		reference_run(&reference, 2 * ROW);
		compare_rows(insts, ROW, n);
		eu_kernel_destroy(kernel);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(random_instructions, (void *)EU_HOST_BASE),
		cmocka_unit_test_prestate(random_instructions, (void *)EU_HOST_AVX2),
		cmocka_unit_test_prestate(random_instructions, (void *)EU_HOST_AVX512),
		cmocka_unit_test_prestate(random_instructions, (void *)(EU_HOSTS + EU_HOST_BASE)),
		cmocka_unit_test_prestate(random_instructions, (void *)(EU_HOSTS + EU_HOST_AVX2)),
		cmocka_unit_test_prestate(random_instructions, (void *)(EU_HOSTS + EU_HOST_AVX512)),
		cmocka_unit_test_prestate(sums_of_halves_in_a_row, (void *)EU_HOST_AVX2),
		cmocka_unit_test_prestate(
			sums_of_halves_in_a_row, (void *)(EU_HOSTS + EU_HOST_AVX2)),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
