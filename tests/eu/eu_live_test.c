// SPDX-License-Identifier: MIT
/*
 * Which bytes of the flags nobody reads: where they are said to be dead, they are turned over, and
 * random programs show the same. Blocks, which keep no dead flags, show the same as handlers.
 */
#include "eu/native/eu_compile.h"
#include "eu_test_program.h"
#include "gen/gen_device.h"
#include "test_device.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 500, INSTRUCTIONS = 20, BYTES = 1 << 16, FIRST = 20, REGISTERS = 8, READ = 60 };
enum { SHOWN = (REGISTERS + 1) * 2 * GEN_GRF_BYTES };

static struct {
	char bytes[BYTES];
	size_t size;
	unsigned width, labels;
} text;
static uint64_t seed;

static unsigned any(unsigned count)
{
	return (unsigned)(test_random(&seed) >> 33) % count;
}

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	text.size += (size_t)vsnprintf(text.bytes + text.size, BYTES - text.size, format, list);
	va_end(list);
	assert_true(text.size < BYTES);
}

/* -- Programs ------------------------------------------------------------------------------- */

/* Channels of an instruction, as the program's width allows; at most 16, which registers hold. */
static const char *channels(void)
{
	static const char *const of[3][3] = { { "8|M0", "8|M0", "8|M0" },
		{ "16|M0", "8|M0", "8|M8" }, { "16|M0", "16|M16", "8|M8" } };

	return of[text.width / 16][any(3)];
}

static unsigned pair(void)
{
	return FIRST + 2 * any(REGISTERS);
}

static const char *flag(void)
{
	static const char *const names[] = { "f0.0", "f1.0", "f0.1", "f1.1" };

	return names[any(text.width == 32 ? 2 : 4)];
}

static void put_predicate(const char *name, const char *group)
{
	put("(%s%s%s) ", any(2) ? "~" : "", name, group);
}

/* How channels of a predicate belong together. */
static const char *group(void)
{
	static const char *const groups[] = { ".any8h", ".all8h", ".any4h", ".all2h", ".anyv" };

	return any(2) ? "" : groups[any(5)];
}

static void put_sources(void)
{
	put(" r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n", pair(), pair());
}

static void put_instruction(void)
{
	static const char *const conditions[] = { "lt", "gt", "eq", "ne" };
	static const char *const operations[] = { "add", "xor", "and" };

	const char *const name = flag();

	switch (any(14)) {
	default: /* comparisons, for some channels sometimes */
		if (any(4) == 0)
			put_predicate(name, "");
		put("cmp (%s) (%s)%s null<1>:d", channels(), conditions[any(4)], name);
		put_sources();
		break;
	case 5:
	case 6:
		put_predicate(name, "");
		put("sel (%s) r%u.0<1>:d", channels(), pair());
		put_sources();
		break;
	case 7:
		put_predicate(name, group());
		put("%s (%s) r%u.0<1>:d", operations[any(3)], channels(), pair());
		put_sources();
		break;
	case 8:
		put("%s (%s) (%s)%s r%u.0<1>:d", operations[any(3)], channels(), conditions[any(4)],
			name, pair());
		put_sources();
		break;
	case 9: /* as they are */
		put("(W) mov (1|M0) r%u.%u<1>:uw f%u.%u<0;1,0>:uw\n", READ, any(16), any(2),
			any(2));
		break;
	case 10:
		put("(W) mov (1|M0) f%u.%u<1>:uw r%u.%u<0;1,0>:uw\n", any(2), any(2), pair(),
			any(16));
		break;
	case 11: /* of one channel */
		put_predicate(name, "");
		put("mov (1|M0) r%u.%u<1>:d %u:w\n", pair(), any(8), any(1000));
		break;
	case 12: /* the general path's */
		put_predicate(name, group());
		put("avg (8|M0) r%u.0<1>:w r%u.0<8;8,1>:w r%u.0<8;8,1>:w\n", pair(), pair(),
			pair());
		break;
	case 13:
		put("(W) cmp (1|M0) (%s)%s null<1>:d r%u.%u<0;1,0>:d 0:w\n", conditions[any(4)],
			name, pair(), any(8));
	}
}

static void put_some(unsigned count)
{
	while (count-- > 0)
		put_instruction();
}

/* For some channels, and a few times. */
static void put_nest(void)
{
	const unsigned label = text.labels++;

	if (any(2)) {
		put_predicate(flag(), group());
		put("if (%u|M0) end%u end%u\n", text.width, label, label);
		put_some(any(4));
		put("end%u:\nendif (%u|M0) next%u\nnext%u:\n", label, text.width, label, label);
		return;
	}
	put("(W) mov (1|M0) r70.0<1>:d 3:w\ntop%u:\n", label);
	put_some(4);
	put("(W) add (1|M0) r70.0<1>:d r70.0<0;1,0>:d -1:w\n");
	for (unsigned first = 0; first < text.width; first += 16)
		put("cmp (%u|M%u) (gt)f1.0 null<1>:d r70.0<0;1,0>:d 0:w\n",
			text.width == 8 ? 8 : 16, first);
	put("(f1.0) while (%u|M0) top%u\n", text.width, label);
}

/* Before the end, messages that show registers. */
static void add_messages(struct gen_program *program)
{
	const uint32_t end = program->count - 1, count = program->count + REGISTERS + 1;

	program->inst = realloc(program->inst, count * sizeof(*program->inst));
	assert_non_null(program->inst);
	program->inst[count - 1] = program->inst[end];
	for (unsigned i = 0; i <= REGISTERS; i++) {
		unsigned reg = i < REGISTERS ? FIRST + 2 * i : READ;

		program->inst[end + i] = (struct gen_inst){ .op = GEN_OP_send,
			.no_mask = true,
			.exec_size = 8,
			.sfid = GEN_SFID_SLM,
			.source_count = 2,
			.src[0] = { .file = GEN_FILE_GRF, .reg = (uint8_t)reg },
			.mlen = 2,
			.jip = -1,
			.uip = -1 };
	}
	program->count = count;
	for (uint32_t i = 0; i < count; i++) {
		program->inst[i].ip = 16 * i;
		program->inst[i].size = 16;
	}
}

static struct gen_program *make_program(void)
{
	static const unsigned widths[] = { 8, 16, 32 };

	text.size = text.labels = 0;
	text.width = widths[any(3)];
	/* flags that are read behind a branch are alive everywhere: most have one, at the end */
	unsigned nests = any(4) ? 0 : any(3);
	for (unsigned i = 2 + any(INSTRUCTIONS); i > 0; i--)
		if (nests && any(6) == 0 && nests--)
			put_nest();
		else
			put_instruction();
	if (any(2))
		put_nest();
	struct gen_program *program = test_assemble(text.bytes);
	add_messages(program);
	return program;
}

/* -- What they show ------------------------------------------------------------------------- */

static struct {
	uint8_t bytes[SHOWN];
	size_t size;
} shown;

static enum eu_status show(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	(void)lanes;
	assert_true(shown.size + 2 * GEN_GRF_BYTES <= SHOWN);
	memcpy(shown.bytes + shown.size, thread->grf + send->src0, 2 * GEN_GRF_BYTES);
	shown.size += 2 * GEN_GRF_BYTES;
	return EU_RUN;
}

int test_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault)
{
	(void)device, (void)fault;
	send->run = show;
	return 0;
}

static struct eu_kernel *make_kernel(const struct gen_program *program, const char *target)
{
	struct gen_fault fault = { 0 };
	struct eu_options options = { .target = { EU_HOST_BASE, false }, .layout.known = true };

	if (target)
		options.target = eu_target_parse(target);
	struct eu_kernel *kernel = eu_kernel_create_for(test_device(), program, options, &fault);
	assert_non_null(kernel);
	return kernel;
}

static void run(const struct gen_program *program, const char *target, uint32_t lanes)
{
	static struct test_thread thread;
	struct eu_kernel *kernel = make_kernel(program, target);

	test_thread_init(&thread, 1);
	shown.size = 0;
	memset(shown.bytes, 0xa5, sizeof(shown.bytes));
	assert_int_equal(test_thread_run(&thread, kernel, lanes), EU_DONE);
	assert_int_equal(shown.size, SHOWN);
	eu_kernel_destroy(kernel);
}

/* Instructions that turn a byte of the flags over. */
static struct gen_inst flips[EU_FLAG_BYTES];

static int find_flips(void **state)
{
	(void)state;
	for (unsigned i = 0; i < EU_FLAG_BYTES; i++) {
		char line[128];
		snprintf(line, sizeof line,
			"(W) xor (1|M0) f%u.%u<1>:uw f%u.%u<0;1,0>:uw 0x%x:uw\n", i / 4, i / 2 % 2,
			i / 4, i / 2 % 2, i % 2 ? 0xff00 : 0xff);
		struct gen_program *program = test_assemble(line);
		uint32_t at = 0;
		while (program->inst[at].op != GEN_OP_xor)
			at++;
		flips[i] = program->inst[at];
		gen_program_destroy(program);
	}
	return 0;
}

/* The program with one more instruction before one, for those who come from the one before. */
static struct gen_program insert(
	const struct gen_program *program, uint32_t at, const struct gen_inst *news)
{
	struct gen_program out = { .count = program->count + 1 };

	out.inst = malloc(out.count * sizeof(*out.inst));
	assert_non_null(out.inst);
	memcpy(out.inst, program->inst, at * sizeof(*out.inst));
	out.inst[at] = *news;
	memcpy(out.inst + at + 1, program->inst + at, (program->count - at) * sizeof(*out.inst));
	for (uint32_t i = 0; i < out.count; i++) {
		struct gen_inst *inst = &out.inst[i];

		inst->ip = 16 * i;
		inst->size = 16;
		if (i == at)
			continue;
		inst->jip += inst->jip >= (int32_t)at;
		inst->uip += inst->uip >= (int32_t)at;
	}
	return out;
}

static uint32_t some_lanes(void)
{
	uint32_t all = text.width == 32 ? UINT32_MAX : (1u << text.width) - 1;

	return any(2) ? all : (all & (uint32_t)(test_random(&seed) >> 32)) | 1;
}

static bool is_dead(
	const struct eu_kernel *kernel, const struct eu_live *live, uint32_t inst, unsigned byte)
{
	const uint32_t first = kernel->inst_uop[inst];

	return !eu_units_has(&live[first].units, EU_UNITS + byte) &&
	       !eu_units_has(&live[kernel->uop_count + first].units, EU_UNITS + byte);
}

static void dead_flags_may_be_anything(void **state)
{
	static uint8_t expected[SHOWN];
	unsigned dead = 0, all = 0, general = 0;

	(void)state;
	for (unsigned n = 0; n < PROGRAMS; n++) {
		seed = n + 1;
		struct gen_program *program = make_program();
		const uint32_t lanes = some_lanes();
		struct eu_kernel *kernel = make_kernel(program, NULL);
		struct eu_live *live = eu_compile_live(kernel);

		assert_non_null(live);
		general += kernel->generic_count;
		run(program, NULL, lanes);
		memcpy(expected, shown.bytes, SHOWN);
		for (uint32_t at = 0; at + 1 < program->count; at++)
			for (unsigned byte = 0; byte < EU_FLAG_BYTES; byte++) {
				all++;
				if (!is_dead(kernel, live, at, byte))
					continue;
				dead++;
				struct gen_program other = insert(program, at, &flips[byte]);
				run(&other, NULL, lanes);
				free(other.inst);
				if (memcmp(shown.bytes, expected, SHOWN) != 0)
					fail_msg("program %u: byte %u of the flags is read after "
						 "instruction %u\n%s",
						n, byte, at, text.bytes);
			}
		free(live);
		eu_kernel_destroy(kernel);
		gen_program_destroy(program);
	}
	print_message("%u of %u are dead\n", dead, all);
	assert_true(dead > all / 8 && general > 0);
}

static void blocks_show_the_same(void **state)
{
	static uint8_t expected[SHOWN];

	(void)state;
	for (unsigned n = 0; n < 2 * PROGRAMS; n++) {
		seed = n + 1000;
		struct gen_program *program = make_program();
		const uint32_t lanes = some_lanes();

		run(program, NULL, lanes);
		memcpy(expected, shown.bytes, SHOWN);
		run(program, n % 2 ? "avx2" : "stencil", lanes);
		if (memcmp(shown.bytes, expected, SHOWN) != 0)
			fail_msg("program %u\n%s", n, text.bytes);
		gen_program_destroy(program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dead_flags_may_be_anything),
		cmocka_unit_test(blocks_show_the_same),
	};

	return cmocka_run_group_tests(tests, find_flips, NULL);
}
