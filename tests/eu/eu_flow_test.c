// SPDX-License-Identifier: MIT
/* Random nests of control flow, through the engine and through one pointer for each channel. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "eu/message/eu_message.h"
#include "eu/native/eu_compile.h"
#include "eu/profile/eu_profile.h"
#include "eu_reference.h"
#include "eu_test_program.h"

enum { MAX_INSTS = 4096, MAX_DEPTH = 5, POINTS = 64, TURNS = 1 << 16 };

static struct gen_inst insts[MAX_INSTS];
static unsigned count, width;
static bool
	is_mixed; /* some instructions are for half the channels, or for those that are off too */
static uint64_t seed;

/* Places ahead where channels may wait, innermost last: each is one more than an index, or 0. */
static int *points[POINTS];
static unsigned point_count;

/* Branches whose JIP is the nearest of the points that were open then. */
static struct {
	unsigned inst, point_count;
	int *points[POINTS];
} pending[MAX_INSTS];
static unsigned pending_count;
static int storage[MAX_INSTS];
static unsigned storage_count;

static unsigned pick(unsigned n)
{
	return (unsigned)(test_random(&seed) >> 33) % n;
}

static int *new_place(void)
{
	return &storage[storage_count++];
}

static struct gen_inst *add(enum gen_op op)
{
	struct gen_inst *inst = &insts[count];
	memset(inst, 0, sizeof *inst);
	inst->ip = 16 * count++;
	inst->size = 16;
	inst->op = (uint8_t)op;
	inst->exec_size = (uint8_t)width;
	inst->jip = inst->uip = -1;
	return inst;
}

static struct gen_operand reg(unsigned number)
{
	return (struct gen_operand){ .file = GEN_FILE_GRF,
		.type = GEN_TYPE_D,
		.reg = (uint8_t)(number * 4),
		.vstride = (uint8_t)width,
		.width = (uint8_t)width,
		.hstride = 1 };
}

static struct gen_operand number(int value)
{
	return (struct gen_operand){
		.file = GEN_FILE_IMM, .type = GEN_TYPE_D, .imm = (uint64_t)(int64_t)value
	};
}

static struct gen_inst *add_alu(
	enum gen_op op, unsigned d, struct gen_operand a, struct gen_operand b)
{
	struct gen_inst *inst = add(op);
	inst->has_dst = true;
	inst->dst = reg(d);
	inst->dst.width = 1, inst->dst.vstride = 0;
	inst->src[0] = a;
	inst->src[1] = b;
	inst->source_count = 2;
	return inst;
}

static unsigned pick_flag(void)
{
	return width == 32 ? 2 * pick(2) : pick(4);
}

static void random_instruction(void)
{
	static const uint8_t ops[] = { GEN_OP_add, GEN_OP_xor, GEN_OP_mul, GEN_OP_shr };
	struct gen_inst *inst = add_alu((enum gen_op)ops[pick(4)], 2 + pick(12), reg(2 + pick(12)),
		pick(2) ? reg(2 + pick(12)) : number((int)pick(1000) - 500));
	if (pick(3) == 0) {
		inst->predicate = GEN_PRED_SEQUENTIAL;
		inst->predicate_invert = pick(2);
		inst->flag = (uint8_t)pick_flag();
	}
	if (is_mixed && width > 8 && pick(4) == 0) {
		inst->exec_size = (uint8_t)(width / 2);
		inst->channel_offset = (uint8_t)(pick(2) * width / 2);
	}
	if (is_mixed && pick(8) == 0)
		inst->no_mask = true;
}

static void random_alu(void)
{
	for (unsigned i = 0; i < (is_mixed ? 2 : 1); i++)
		random_instruction();
}

/* A new condition, different from channel to channel most of the time. */
static unsigned random_condition(void)
{
	unsigned flag = pick_flag();
	struct gen_inst *inst = add_alu(GEN_OP_and, 1, reg(2 + pick(12)), number(1 << pick(16)));
	inst->cond = (uint8_t)(pick(2) ? GEN_COND_EQ : GEN_COND_NE);
	inst->flag = (uint8_t)flag;
	return flag;
}

static struct gen_inst *add_branch(enum gen_op op, bool predicated)
{
	unsigned flag = predicated ? random_condition() : 0;
	struct gen_inst *inst = add(op);
	inst->flag = (uint8_t)flag;
	if (predicated) {
		inst->predicate = GEN_PRED_SEQUENTIAL;
		inst->predicate_invert = pick(2);
	}
	return inst;
}

static void jip_is_nearest_point(const struct gen_inst *inst)
{
	pending[pending_count].inst = (unsigned)(inst - insts);
	memcpy(pending[pending_count].points, points, sizeof points);
	pending[pending_count++].point_count = point_count;
}

static void add_block(unsigned depth, int *loop_end);

static void add_if(unsigned depth, int *loop_end)
{
	bool has_else = pick(2);
	int *otherwise = new_place(), *end = new_place();
	unsigned branch = (unsigned)(add_branch(GEN_OP_if, true) - insts);
	points[point_count++] = end;
	points[point_count++] = otherwise;
	add_block(depth + 1, loop_end);
	point_count--;
	if (has_else) {
		unsigned other = (unsigned)(add(GEN_OP_else) - insts);
		*otherwise = (int)count + 1;
		insts[branch].jip = (int32_t)count;
		add_block(depth + 1, loop_end);
		insts[other].jip = insts[other].uip = (int32_t)count;
	} else {
		insts[branch].jip = (int32_t)count;
		*otherwise = (int)count + 1;
	}
	point_count--;
	insts[branch].uip = (int32_t)count;
	*end = (int)count + 1;
	struct gen_inst *endif = add(GEN_OP_endif);
	endif->jip = (int32_t)count;
}

static void add_loop(unsigned depth)
{
	/* Registers 14 … 18 count the rounds of loops, one for each depth. */
	unsigned counter = 14 + depth;
	int *end = new_place();
	add_alu(GEN_OP_and, counter, reg(2 + pick(12)), number((int)pick(4)));
	unsigned top = count;
	points[point_count++] = end;
	add_block(depth + 1, end);
	point_count--;
	struct gen_inst *step = add_alu(GEN_OP_add, counter, reg(counter), number(-1));
	step->cond = GEN_COND_GE;
	step->flag = (uint8_t)pick_flag();
	*end = (int)count + 1;
	struct gen_inst *loop = add(GEN_OP_while);
	loop->predicate = GEN_PRED_SEQUENTIAL;
	loop->flag = step->flag;
	loop->jip = (int32_t)top;
}

/* One or two gotos over each other's targets, with blocks between. */
static void add_gotos(unsigned depth, int *loop_end)
{
	int *first = new_place(), *second = new_place();
	points[point_count++] = first;
	points[point_count++] = second;
	unsigned a = (unsigned)(add_branch(GEN_OP_goto, true) - insts);
	jip_is_nearest_point(&insts[a]);
	add_block(depth + 1, loop_end);
	unsigned b = (unsigned)(add_branch(GEN_OP_goto, pick(4) != 0) - insts);
	jip_is_nearest_point(&insts[b]);
	add_block(depth + 1, loop_end);
	insts[a].uip = (int32_t)count;
	*first = (int)count + 1;
	unsigned join = (unsigned)(add(GEN_OP_join) - insts);
	add_block(depth + 1, loop_end);
	insts[b].uip = insts[join].jip = (int32_t)count;
	*second = (int)count + 1;
	struct gen_inst *last = add(GEN_OP_join);
	last->jip = (int32_t)count;
	point_count -= 2;
}

static void add_block(unsigned depth, int *loop_end)
{
	random_alu();
	for (unsigned n = pick(4); n > 0 && count < MAX_INSTS - 600; n--) {
		unsigned what = depth < MAX_DEPTH ? pick(5) : 4;
		if (what == 0)
			add_if(depth, loop_end);
		else if (what == 1)
			add_loop(depth);
		else if (what == 2)
			add_gotos(depth, loop_end);
		else if (what == 3 && loop_end)
			jip_is_nearest_point(add_branch(GEN_OP_break, true));
		else
			random_alu();
		random_alu();
	}
}

/* Sets the JIPs, and the UIP of breaks: the end of the loop around them. */
static void resolve(void)
{
	for (unsigned n = 0; n < pending_count; n++) {
		struct gen_inst *inst = &insts[pending[n].inst];
		for (unsigned k = 0; k < pending[n].point_count; k++) {
			int at = *pending[n].points[k] - 1;
			if (at > (int)pending[n].inst && (inst->jip < 0 || at < inst->jip))
				inst->jip = at;
			if (inst->op == GEN_OP_break && insts[at].op == GEN_OP_while &&
				(inst->uip < 0 || at < inst->uip))
				inst->uip = at;
		}
	}
}

enum { SHARED = 3, SUM = 14 }; /* registers */

/* Results of a dead end, so that there is enough for a block. */
static void add_filling(void)
{
	for (unsigned i = 0; i < 4; i++)
		add_alu(GEN_OP_xor, 22, reg(4 + i), number((int)i));
}

/*
 * Where some channels are on, their results are read of all channels, of the others when they are
 * on again, and of half of them under the numbers of the other half.
 */
static void add_shared(void)
{
	add_alu(GEN_OP_xor, 19, reg(5), number(77));
	add_alu(GEN_OP_xor, 20, reg(6), number(78));
	add_alu(GEN_OP_xor, 21, reg(7), number(79));
	unsigned branch = (unsigned)(add_branch(GEN_OP_if, true) - insts);
	add_filling();
	add_alu(GEN_OP_add, 19, reg(6), number(3));
	add_alu(GEN_OP_add, SHARED, reg(19), number(1))->no_mask = true;
	add_alu(GEN_OP_add, 20, reg(4), number(5));
	add_alu(GEN_OP_add, 21, reg(4), number(6));
	if (width > 8) {
		struct gen_inst *half = add_alu(GEN_OP_xor, SHARED + 4, reg(21), number(9));
		half->exec_size = (uint8_t)(width / 2);
		half->channel_offset = (uint8_t)(width / 2);
	}
	add_filling();
	insts[branch].jip = insts[branch].uip = (int32_t)count;
	add(GEN_OP_endif)->jip = (int32_t)count;
	add_alu(GEN_OP_xor, SHARED + 8, reg(SHARED + 8), reg(20));
}

/* Channels add up what they have in some registers, and a message shows that, and nothing else. */
static void add_sum(void)
{
	add_shared();
	for (unsigned i = SHARED; i < SUM; i += 4) {
		add_alu(GEN_OP_mul, SUM, reg(SUM), number(31));
		add_alu(GEN_OP_xor, SUM, reg(SUM), reg(i));
	}
	struct gen_inst *message = add(GEN_OP_send);
	message->no_mask = true;
	message->exec_size = 8;
	message->sfid = GEN_SFID_SLM;
	message->source_count = 2;
	message->src[0] = reg(SUM);
	message->mlen = (uint8_t)(width / 8);
}

static void generate(struct gen_program *program)
{
	static const uint8_t widths[] = { 8, 16, 32 };
	count = point_count = pending_count = storage_count = 0;
	width = widths[pick(3)];
	add_block(0, NULL);
	add_block(0, NULL);
	if (is_mixed)
		add_sum();
	struct gen_inst *last = add(GEN_OP_send);
	last->no_mask = last->end_of_thread = true;
	last->exec_size = 8;
	last->sfid = GEN_SFID_THREAD_SPAWNER;
	last->source_count = 2;
	resolve();
	*program = (struct gen_program){ .count = count, .inst = insts };
}

static bool ends(struct reference *r, const struct gen_inst *inst, uint32_t lanes)
{
	(void)r, (void)lanes;
	return inst->end_of_thread;
}

/* ---- counts ---- */

enum { PLACES = 8 * MAX_INSTS };
static uint64_t places[PLACES];

static uint64_t *give_places(const struct eu_probe *probe, const struct eu_worker *worker)
{
	(void)probe, (void)worker;
	return places;
}

static void ignore_step(const struct eu_probe *probe, struct eu_thread *thread, uint32_t inst)
{
	(void)probe, (void)thread, (void)inst;
}

static void ignore_destroy(struct eu_probe *probe)
{
	(void)probe;
}

static struct eu_probe *make_probe(const struct eu_kernel *kernel, unsigned probes)
{
	static struct eu_probe probe = {
		.step = ignore_step, .tallies = give_places, .destroy = ignore_destroy
	};

	(void)probes;
	assert_true(kernel->tally_count <= PLACES);
	return &probe;
}

/* Every instruction is counted as one pointer for each channel reaches it. */
static void counts_are_those_of_the_reference(void **state)
{
	static struct test_thread engine, other;
	static struct reference reference;
	static struct reference_count counts[MAX_INSTS];
	uint64_t splits = 0;

	(void)state;
	for (unsigned n = 0; n < 600; n++) {
		struct gen_program program;
		struct eu_options options = { .target = { n / 2 % EU_HOSTS, n % 2 },
			.create_probe = make_probe,
			.wants_probe = eu_profile_wants,
			.counts = true };
		struct eu_target best = eu_target_parse(NULL);
		seed = n + 7000;
		generate(&program);
		uint32_t dispatch = width == 32 ? UINT32_MAX : (1u << width) - 1;
		if (pick(2))
			dispatch &= (uint32_t)(test_random(&seed) >> 32) | 1;
		if (options.target.host > best.host)
			options.target.host = best.host;
		test_thread_init(&engine, n + 1);
		other = engine;
		memset(places, 0, sizeof places);
		memset(counts, 0, sizeof counts);
		struct eu_kernel *kernel = eu_kernel_create_for(
			gen_device_find(NULL), &program, options, &engine.fault);
		assert_non_null(kernel);
		assert_int_equal(test_thread_run(&engine, kernel, dispatch), EU_DONE);
		reference_start(&reference, &program, &other.thread, dispatch, 0x4c0);
		reference.send = ends;
		reference.counts = counts;
		reference_run(&reference, 10000000);
		assert_memory_equal(engine.thread.grf, other.thread.grf, sizeof other.thread.grf);
		for (uint32_t i = 0; i + 1 < program.count; i++) {
			uint64_t numbers[EU_PROFILE_NUMBERS];
			bool is_branch = gen_ops[insts[i].op].class == GEN_CLASS_BRANCH;
			eu_profile_instruction(kernel, i, places, numbers);
			assert_int_equal(numbers[EU_PROFILE_EXECUTIONS], counts[i].executions);
			assert_int_equal(numbers[EU_PROFILE_CHANNELS], counts[i].channels);
			assert_int_equal(
				numbers[EU_PROFILE_SPLIT], is_branch ? counts[i].splits : 0);
			splits += is_branch ? counts[i].splits : 0;
		}
		eu_kernel_destroy(kernel);
	}
	assert_true(splits > 1000);
}

static void random_nests(void **state)
{
	(void)state;
	static struct test_thread engine, other;
	static struct reference reference;
	const char *runs = getenv("ZEROCL_TEST_COUNT");
	unsigned total = runs ? (unsigned)strtoul(runs, NULL, 0) : 1000;
	uint64_t branches = 0;
	for (unsigned n = 0; n < total; n++) {
		struct gen_program program;
		seed = (n + 1);
		generate(&program);
		uint32_t dispatch = width == 32 ? UINT32_MAX : (1u << width) - 1;
		if (pick(2))
			dispatch &= (uint32_t)(test_random(&seed) >> 32) | 1;
		test_thread_init(&engine, n + 1);
		other = engine;
		struct eu_kernel *kernel =
			eu_kernel_create(gen_device_find(NULL), &program, &engine.fault);
		if (!kernel)
			fail_msg("%s", engine.fault.report);
		enum eu_status status = test_thread_run(&engine, kernel, dispatch);
		if (status != EU_DONE)
			fail_msg("program %u: status %d: %s", n, status, engine.fault.report);
		reference_start(&reference, &program, &other.thread, dispatch, 0x4c0);
		reference.send = ends;
		reference_run(&reference, 10000000);
		branches += count;
		if (memcmp(engine.thread.grf, other.thread.grf, sizeof other.thread.grf) ||
			memcmp(engine.thread.flag, reference.flag, sizeof reference.flag))
			fail_msg("program %u (%u instructions, %u channels) differs", n, count,
				width);
		eu_kernel_destroy(kernel);
	}
	print_message("%u programs, %llu instructions\n", total, (unsigned long long)branches);
}

static int32_t shown[GEN_MAX_LANES];

static enum eu_status show(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	(void)lanes;
	memcpy(shown, thread->grf + send->src0, sizeof(*shown) * width);
	return EU_RUN;
}

int test_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault)
{
	if (send->sfid != GEN_SFID_SLM)
		return eu_message_bind(device, send, fault);
	send->run = show;
	return 0;
}

/* What the program shows; adds how often nobody reads what is in lanes that are off. */
static unsigned run_to_show(
	const struct gen_program *program, struct eu_options options, uint32_t dispatch)
{
	static struct test_thread engine;
	unsigned left = 0;

	test_thread_init(&engine, seed);
	struct eu_kernel *kernel =
		eu_kernel_create_for(gen_device_find(NULL), program, options, &engine.fault);
	assert_non_null(kernel);
	struct eu_live *live = eu_compile_live(kernel);
	assert_non_null(live);
	for (uint32_t i = 0; i < 2 * kernel->uop_count; i++)
		left += live[i].is_free;
	free(live);
	memset(shown, 0, sizeof(shown));
	assert_int_equal(test_thread_run(&engine, kernel, dispatch), EU_DONE);
	eu_kernel_destroy(kernel);
	return left;
}

/*
 * Where nobody looks at registers when a thread has ended, blocks keep what channels read that are
 * on, or will be, and nothing else.
 */
static void what_nobody_reads_need_not_be_kept(void **state)
{
	int32_t expected[GEN_MAX_LANES];
	unsigned left = 0;

	(void)state;
	is_mixed = true;
	for (unsigned n = 0; n < 400; n++) {
		struct gen_program program;
		struct eu_options plain = { .target = { EU_HOST_BASE, false } };
		struct eu_options blocks = { .target = eu_target_parse(n % 2 ? "avx2" : "stencil"),
			.layout.known = true };
		seed = n + 90000;
		generate(&program);
		uint32_t dispatch = width == 32 ? UINT32_MAX : (1u << width) - 1;
		if (pick(2))
			dispatch &= (uint32_t)(test_random(&seed) >> 32) | 1;
		assert_int_equal(run_to_show(&program, plain, dispatch), 0);
		memcpy(expected, shown, sizeof(shown));
		left += run_to_show(&program, blocks, dispatch);
		for (unsigned i = 0; i < width; i++)
			if ((dispatch >> i & 1) && shown[i] != expected[i])
				fail_msg(
					"program %u (%u instructions, %u channels): channel %u has "
					"%x, not %x",
					n, count, width, i, (unsigned)shown[i],
					(unsigned)expected[i]);
	}
	is_mixed = false;
	print_message("%u times nothing was kept\n", left);
	assert_true(left > 400);
}

/* Branches whose target is in a register have none that is known: who reaches them is stopped. */
static void branches_without_targets_fault(void **state)
{
	static const enum gen_op ops[] = { GEN_OP_while, GEN_OP_goto, GEN_OP_jmpi, GEN_OP_call };
	static struct test_thread engine;

	(void)state;
	for (unsigned k = 0; k < 2 * sizeof ops / sizeof *ops; k++) {
		struct gen_program program;
		seed = k + 1;
		generate(&program);
		unsigned at = k % 2 ? 0 : count / 2;
		struct gen_inst *inst = &insts[at];
		uint32_t ip = inst->ip;
		*inst = (struct gen_inst){ .op = (uint8_t)ops[k / 2],
			.size = 16,
			.ip = ip,
			.exec_size = (uint8_t)width,
			.jip = -1,
			.uip = -1 };
		test_thread_init(&engine, k + 1);
		struct eu_kernel *kernel =
			eu_kernel_create(gen_device_find(NULL), &program, &engine.fault);
		if (!kernel) {
			assert_non_null(strstr(engine.fault.report, "leads nowhere"));
			continue;
		}
		enum eu_status status = test_thread_run(
			&engine, kernel, width == 32 ? UINT32_MAX : (1u << width) - 1);
		if (at == 0)
			assert_int_equal(status, EU_FAULT);
		eu_kernel_destroy(kernel);
	}
}

/* Loops of any length end a time slice, also where a count of 16 bits would be 0 again. */
static void long_loops_yield(void **state)
{
	enum { LENGTH = 1 << 16 };
	static struct test_thread engine;
	struct gen_inst *long_insts = calloc(LENGTH + 1, sizeof(*long_insts));
	struct gen_program program = { .count = LENGTH + 1, .inst = long_insts };

	(void)state;
	assert_non_null(long_insts);
	for (uint32_t i = 0; i <= LENGTH; i++)
		long_insts[i] = (struct gen_inst){ .ip = 16 * i,
			.size = 16,
			.op = GEN_OP_nop,
			.exec_size = 1,
			.jip = -1,
			.uip = -1 };
	long_insts[LENGTH - 1].op = GEN_OP_while;
	long_insts[LENGTH - 1].exec_size = 8;
	long_insts[LENGTH - 1].jip = 0;
	long_insts[LENGTH].op = GEN_OP_send;
	long_insts[LENGTH].end_of_thread = true;
	long_insts[LENGTH].sfid = GEN_SFID_THREAD_SPAWNER;
	test_thread_init(&engine, 1);
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find(NULL), &program, &engine.fault);
	assert_non_null(kernel);
	eu_thread_start(&engine.thread, kernel, 0xff, 0x4c0);
	assert_int_equal(eu_thread_run(&engine.thread, 100), EU_YIELD);
	assert_int_equal(engine.thread.instructions, LENGTH);
	eu_kernel_destroy(kernel);
	free(long_insts);
}

/* Ends of turns of a few instructions: how many instructions they had, and who was on then. */
struct turn {
	uint64_t instructions;
	uint32_t on;
};

static unsigned take_turns(const struct gen_program *program, const char *target, uint32_t dispatch,
	struct turn *turns)
{
	static struct test_thread engine;
	struct eu_options options = { .target = eu_target_parse(target) };
	enum eu_status status = EU_YIELD;
	unsigned taken = 0;

	test_thread_init(&engine, seed);
	struct eu_kernel *kernel =
		eu_kernel_create_for(gen_device_find(NULL), program, options, &engine.fault);
	assert_non_null(kernel);
	eu_thread_start(&engine.thread, kernel, dispatch, 0x4c0);
	for (; status == EU_YIELD && taken < TURNS; taken++) {
		status = eu_thread_run(&engine.thread, 1 + taken % 40);
		turns[taken] = (struct turn){ engine.thread.instructions, engine.thread.act.bits };
	}
	assert_int_equal(status, EU_DONE);
	eu_kernel_destroy(kernel);
	return taken;
}

/* Blocks that take branches back end turns where handlers do. */
static void turns_end_at_the_same_branches(void **state)
{
	static const char *const targets[] = { "avx2", "stencil" };
	static struct turn expected[TURNS], turns[TURNS];
	unsigned all = 0;

	(void)state;
	for (unsigned n = 0; n < 300; n++) {
		struct gen_program program;
		seed = n + 70000;
		generate(&program);
		uint32_t dispatch = width == 32 ? UINT32_MAX : (1u << width) - 1;
		unsigned taken = take_turns(&program, "threaded,base", dispatch, expected);
		for (unsigned k = 0; k < 2; k++) {
			assert_int_equal(take_turns(&program, targets[k], dispatch, turns), taken);
			assert_memory_equal(turns, expected, taken * sizeof(*turns));
		}
		all += taken;
	}
	print_message("%u turns\n", all);
	assert_true(all > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_without_targets_fault),
		cmocka_unit_test(long_loops_yield),
		cmocka_unit_test(turns_end_at_the_same_branches),
		cmocka_unit_test(random_nests),
		cmocka_unit_test(what_nobody_reads_need_not_be_kept),
		cmocka_unit_test(counts_are_those_of_the_reference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
