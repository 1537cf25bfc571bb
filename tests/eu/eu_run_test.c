// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/message/eu_message.h"
#include "eu_test_program.h"

static struct test_thread t;

static void run(const char *text, uint32_t mask, enum eu_status expected)
{
	struct gen_program *program = test_assemble(text);
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find(NULL), program, &t.fault);
	assert_non_null(kernel);
	enum eu_status status = test_thread_run(&t, kernel, mask);
	if (status != expected)
		fail_msg("status %d: %s", status, t.fault.report);
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
}

/* Of a kernel's messages each has a translation; those of a function share its caller's first. */
static void functions_share_a_translation(void **state)
{
	(void)state;
	struct gen_program *program =
		test_assemble("send.dc1 (16|M0) r20 r10 null 0x0 0x08205E01\n"
			      "send.dc1 (16|M0) r22 r10 null 0x0 0x08205E01\n");

	for (unsigned is_function = 0; is_function < 2; is_function++) {
		struct eu_options options = { .target = eu_target_parse("stencil"),
			.is_function = is_function };
		struct eu_kernel *kernel =
			eu_kernel_create_for(gen_device_find(NULL), program, options, &t.fault);
		assert_non_null(kernel);
		assert_int_equal(kernel->send_count, 3);
		for (uint32_t i = 0; i < kernel->send_count; i++)
			assert_int_equal(kernel->sends[i].site, is_function ? 0 : i);
		for (uint32_t i = 0, n = 0; i < kernel->uop_count; i++)
			if (eu_uop_info(kernel->uops[i].code)->does & EU_DOES_SEND)
				assert_int_equal(kernel->uops[i].imm, n++);
		eu_kernel_destroy(kernel);
	}
	gen_program_destroy(program);
}

static void adds(void **state)
{
	(void)state;
	test_thread_init(&t, 1);
	uint32_t before[16];
	memcpy(before, t.thread.grf + 2 * 32, sizeof before);
	run("add (16|M0) r10.0<1>:d r2.0<8;8,1>:d 5:d", 0xffff, EU_DONE);
	for (unsigned i = 0; i < 16; i++)
		assert_int_equal(test_dword(&t, 10, i), before[i] + 5);
	assert_int_equal(t.worker.instructions, 2);
}

static void masks_channels_that_were_not_started(void **state)
{
	(void)state;
	test_thread_init(&t, 2);
	uint32_t before = test_dword(&t, 10, 9);
	run("add (16|M0) r10.0<1>:d r2.0<8;8,1>:d 5:d", 0x00ff, EU_DONE);
	assert_int_equal(test_dword(&t, 10, 9), before);
	assert_int_equal(test_dword(&t, 10, 7), test_dword(&t, 2, 7) + 5);
}

static void diverges(void **state)
{
	(void)state;
	test_thread_init(&t, 3);
	for (unsigned i = 0; i < 16; i++)
		test_set_dword(&t, 2, i, i);
	run("cmp (16|M0) (lt)f0.0 null:d r2.0<8;8,1>:d 5:d\n"
	    "(f0.0) if (16|M0) L1 L2\n"
	    "mov (16|M0) r10.0<1>:d 1:d\n"
	    "else (16|M0) L2 L2\n"
	    "L1:\n"
	    "mov (16|M0) r10.0<1>:d 2:d\n"
	    "L2:\n"
	    "endif (16|M0) L3\n"
	    "L3:\n"
	    "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 10:d\n",
		0xffff, EU_DONE);
	for (unsigned i = 0; i < 16; i++)
		assert_int_equal(test_dword(&t, 10, i), i < 5 ? 11 : 12);
}

/* Each channel goes round as often as its number says; time slices end in the middle. */
static void loops(void **state)
{
	(void)state;
	test_thread_init(&t, 4);
	for (unsigned i = 0; i < 16; i++)
		test_set_dword(&t, 2, i, 100 * i + 1);
	run("mov (16|M0) r10.0<1>:d 0:d\n"
	    "L1:\n"
	    "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 3:d\n"
	    "add (16|M0) (gt)f0.0 r2.0<1>:d r2.0<8;8,1>:d -1:d\n"
	    "(f0.0) while (16|M0) L1\n",
		0xffff, EU_DONE);
	for (unsigned i = 0; i < 16; i++)
		assert_int_equal(test_dword(&t, 10, i), 3 * (100 * i + 1));
}

static void calls_itself(void **state)
{
	(void)state;
	test_thread_init(&t, 5);
	for (unsigned i = 0; i < 8; i++) {
		test_set_dword(&t, 2, i, i);
		test_set_dword(&t, 10, i, 0);
	}
	/* f(n): r10++; if (n > 0) { n--; f(n); } r10 += 100; with r20… as the stack. */
	run("(W) mov (1|M0) a0.0:uw 0x280:uw\n"
	    "call (8|M0) r125.0 LF\n"
	    "goto (8|M0) LE LE\n"
	    "LF:\n"
	    "add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
	    "cmp (8|M0) (gt)f0.0 null:d r2.0<8;8,1>:d 0:d\n"
	    "(f0.0) if (8|M0) LX LX\n"
	    "(W) mov (2|M0) r[a0.0]<1>:ud r125.0<1;1,0>:ud\n"
	    "(W) add (1|M0) a0.0:uw a0.0:uw 32:uw\n"
	    "add (8|M0) r2.0<1>:d r2.0<8;8,1>:d -1:d\n"
	    "call (8|M0) r125.0 LF\n"
	    "(W) add (1|M0) a0.0:uw a0.0:uw -32:w\n"
	    "(W) mov (2|M0) r125.0<1>:ud r[a0.0]<1;1,0>:ud\n"
	    "LX:\n"
	    "endif (8|M0) LY\n"
	    "LY:\n"
	    "add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 100:d\n"
	    "ret (8|M0) r125.0\n"
	    "LE:\n"
	    "join (8|M0) LZ\n"
	    "LZ:\n",
		0xff, EU_DONE);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(test_dword(&t, 10, i), 101 * (i + 1));
}

/* What mov is to leave in the registers, where the address is `at` and more. */
struct indirect {
	const char *text;
	unsigned at, step, size, channels, source, lanes;
};

static void expect_indirect(const struct indirect *row, uint8_t *want)
{
	uint8_t from[64];
	memcpy(from, want + 2 * GEN_GRF_BYTES, sizeof(from));
	for (unsigned i = 0; i < row->channels; i++) {
		unsigned end = GEN_GRF_COUNT * GEN_GRF_BYTES, at = (row->at + i * row->step) % end;
		if (at > end - row->size)
			at = end - row->size;
		if (row->lanes >> i & 1)
			memcpy(want + at, from + i * row->source, row->size);
	}
}

/*
 * Arrays that Intel's compiler keeps in registers: destinations whose address is in a0, of all
 * sizes, of some channels, over the source, and beyond the last register. None of them takes the
 * generic path.
 */
static void stores_where_a0_leads(void **state)
{
	enum { END = GEN_GRF_COUNT * GEN_GRF_BYTES };
	static const struct indirect rows[] = {
		{ "mov (8|M0) r[a0.2,64]<1>:d r2.0<8;8,1>:d", 0x440, 4, 4, 8, 4, 0xff },
		{ "mov (16|M0) r[a0.2]<1>:f r2.0<8;8,1>:f", 0x404, 4, 4, 16, 4, 0xffff },
		{ "mov (8|M0) r[a0.2]<1>:d r2.0<8;8,1>:d", 0x44, 4, 4, 8, 4, 0xff },
		{ "(f0.0) mov (8|M0) r[a0.2]<1>:d r2.0<8;8,1>:d", 0x420, 4, 4, 8, 4, 0x34 },
		{ "(f0.0) mov (1|M0) r[a0.2]<1>:d r2.0<0;1,0>:d", 0x420, 4, 4, 1, 4, 0 },
		{ "(W) mov (1|M0) r[a0.2]<1>:uw r2.0<0;1,0>:ud", 0x42a, 2, 2, 1, 4, 1 },
		{ "mov (8|M0) r[a0.2]<2>:uw r2.0<8;8,1>:ud", 0x400, 4, 2, 8, 4, 0xff },
		{ "mov (8|M0) r[a0.2]<1>:uw r2.0<8;8,1>:ud", 0x44, 2, 2, 8, 4, 0xff },
		{ "mov (8|M0) r[a0.2]<1>:hf r2.0<8;8,1>:hf", 0x400, 2, 2, 8, 2, 0xff },
		{ "mov (8|M0) r[a0.2]<4>:ub r2.0<8;8,1>:uw", 0x401, 4, 1, 8, 2, 0xff },
		{ "mov (8|M0) r[a0.2,-32]<1>:d r2.0<8;8,1>:d", END - 16, 4, 4, 8, 4, 0xff },
		{ "mov (8|M0) r[a0.2]<1>:d r2.0<8;8,1>:d", END - 18, 4, 4, 8, 4, 0xff },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint8_t want[END];
		char text[256];
		int more = strstr(rows[i].text, ",64")	  ? 64
			   : strstr(rows[i].text, ",-32") ? -32
							  : 0;
		snprintf(text, sizeof(text),
			"(W) mov (1|M0) a0.2:uw %d:uw\n(W) mov (1|M0) f0.0:uw 0x34:uw\n%s\n",
			(int)rows[i].at - more, rows[i].text);
		test_thread_init(&t, i);
		memcpy(want, t.thread.grf, sizeof(want));
		expect_indirect(&rows[i], want);
		struct gen_program *program = test_assemble(text);
		struct eu_kernel *kernel =
			eu_kernel_create(gen_device_find(NULL), program, &t.fault);
		assert_non_null(kernel);
		assert_int_equal(kernel->generic_count, 0);
		assert_int_equal(test_thread_run(&t, kernel, 0xffff), EU_DONE);
		if (memcmp(t.thread.grf, want, sizeof(want)) != 0)
			fail_msg("row %u: %s", i, text);
		eu_kernel_destroy(kernel);
		gen_program_destroy(program);
	}
}

/* a0 as a vector, from which Mesa's compiler makes the addresses of a shuffle. */
static void reads_address_vectors(void **state)
{
	uint16_t words[8], got[8];

	(void)state;
	test_thread_init(&t, 6);
	memcpy(words, t.thread.grf + 2 * 32, sizeof words);
	run("(W) mov (8|M0) a0.0<1>:uw r2.0<8;8,1>:uw\n"
	    "(W) add (8|M0) a0.0<1>:uw a0.0<8;8,1>:uw 0x460:uw\n"
	    "(W) mov (8|M0) r10.0<1>:uw a0.0<8;8,1>:uw\n"
	    "(W) mov (8|M0) r11.0<1>:uw a0.0<0;4,1>:uw\n"
	    "(W) add (4|M0) r12.0<1>:uw a0.0<4;4,1>:uw a0.1<4;2,0>:uw\n"
	    "(W) mov (8|M0) r13.0<1>:uw a0.3<0;1,0>:uw\n",
		0xff, EU_DONE);
	for (unsigned i = 0; i < 8; i++)
		words[i] = (uint16_t)(words[i] + 0x460);
	assert_memory_equal(t.thread.grf + 10 * 32, words, sizeof words);
	memcpy(got, t.thread.grf + 11 * 32, sizeof got);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(got[i], words[i % 4]);
	memcpy(got, t.thread.grf + 12 * 32, sizeof got);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(got[i], (uint16_t)(words[i] + words[1 + i / 2 * 4]));
	memcpy(got, t.thread.grf + 13 * 32, sizeof got);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(got[i], words[3]);
}

/* Both halves of the timestamp at once, as newer compilers read it. */
static void reads_the_timestamp(void **state)
{
	(void)state;
	run("(W) mov (2|M0) r10.0<1>:ud tm0.0<2;2,1>:ud\n"
	    "(W) mov (1|M0) r11.0<1>:ud tm0.1<0;1,0>:ud\n",
		0xff, EU_DONE);
	assert_in_range(test_dword(&t, 11, 0) - test_dword(&t, 10, 1), 0, 1);
	assert_int_not_equal(test_dword(&t, 10, 0), test_dword(&t, 10, 1));
}

static void reports_what_it_cannot_do_only_when_reached(void **state)
{
	(void)state;
	const char *text = "cmp (8|M0) (eq)f0.0 null:d r2.0<0;1,0>:d 0:d\n"
			   "(f0.0) goto (8|M0) LE LE\n"
			   "brc (8|M0) LE LE\n"
			   "LE:\n"
			   "join (8|M0) LZ\n"
			   "LZ:\n"
			   "mov (8|M0) r10.0<1>:d 7:d\n";
	test_thread_init(&t, 6);
	test_set_dword(&t, 2, 0, 0);
	run(text, 0xff, EU_DONE);
	assert_int_equal(test_dword(&t, 10, 0), 7);
	test_thread_init(&t, 6);
	test_set_dword(&t, 2, 0, 1);
	run(text, 0xff, EU_FAULT);
	assert_int_equal(t.fault.kind, GEN_FAULT_BAD_INSTRUCTION);
	assert_non_null(strstr(t.fault.place.code, "brc"));
}

static void waits_at_barrier(void **state)
{
	(void)state;
	test_thread_init(&t, 7);
	struct gen_program *program = test_assemble("sync.bar null\n");
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find(NULL), program, &t.fault);
	assert_non_null(kernel);
	eu_thread_start(&t.thread, kernel, 0xffff, 0);
	t.thread.barrier_pending = true;
	t.thread.barrier_generation = t.group.generation;
	assert_int_equal(eu_thread_run(&t.thread, 1000), EU_BLOCKED);
	assert_int_equal(eu_thread_run(&t.thread, 1000), EU_BLOCKED);
	t.group.generation++;
	assert_int_equal(eu_thread_run(&t.thread, 1000), EU_DONE);
	assert_false(t.thread.barrier_pending);
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
}

/* mul of the low words into the accumulator, then macl: one multiplication if nobody looks. */
static void multiplies_dwords(void **state)
{
	(void)state;
	for (unsigned seed = 20; seed < 40; seed++) {
		test_thread_init(&t, seed);
		run("mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:uw\n"
		    "mach (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n"
		    "(W) mul (1|M0) acc0.0<1>:ud r2.1<0;1,0>:ud r3.4<0;1,0>:uw\n"
		    "(W) mach (1|M0) r11.0<1>:ud r2.1<0;1,0>:ud r3.2<0;1,0>:ud\n"
		    "mul (8|M8) acc0.0<1>:d r4.0<8;8,1>:d 0x5678:uw\n"
		    "mach (8|M8) r12.0<1>:d r4.0<8;8,1>:d 0x12345678:d\n"
		    "mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:uw\n"
		    "mach (8|M0) r2.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n"
		    "mov (8|M0) r13.0<1>:d acc0.0<8;8,1>:d\n"
		    "mul (8|M0) acc0.0<1>:d r4.0<8;8,1>:d r5.0<16;8,2>:uw\n"
		    "mach (8|M0) r14.0<1>:d r4.0<8;8,1>:d r6.0<8;8,1>:d\n"
		    "(W) mul (8|M8) acc0.0<1>:d r5.0<8;8,1>:d r6.0<16;8,2>:uw\n"
		    "add (8|M0) r15.0<1>:d r5.0<8;8,1>:d 1:d\n"
		    "mach (8|M8) r16.0<1>:d r5.0<8;8,1>:d r6.0<8;8,1>:d\n"
		    "mul (8|M0) acc0.0<1>:d r5.0<8;8,1>:d r6.0<16;8,2>:uw\n"
		    "(W) mov (1|M0) r6.3<1>:d 77:d\n"
		    "mach (8|M0) r17.0<1>:d r5.0<8;8,1>:d r6.0<8;8,1>:d\n"
		    "(W) mul (8|M0) acc0.0<1>:d r4.0<8;8,1>:d r5.0<16;8,2>:uw\n"
		    "mach (8|M8) r18.0<1>:d r4.0<8;8,1>:d r5.0<8;8,1>:d\n",
			0x0fff, EU_DONE);
		uint32_t before[5 * 8], words[8];
		struct test_thread fresh;
		test_thread_init(&fresh, seed);
		memcpy(before, fresh.thread.grf + 2 * 32, sizeof before);
		memcpy(words, fresh.thread.grf + 5 * 32, sizeof words);
		for (unsigned i = 0; i < 8; i++) {
			uint32_t product = before[i] * before[8 + i], x = before[16 + i];
			assert_int_equal(test_dword(&t, 10, i), product);
			assert_int_equal(test_dword(&t, 2, i), product);
			assert_int_equal(
				test_dword(&t, 13, i), before[i] * (before[8 + i] & 0xffff));
			if (i < 4)
				assert_int_equal(test_dword(&t, 12, i), x * 0x12345678u);
			assert_int_equal(test_dword(&t, 14, i),
				x * (words[i] & 0xffff) + x * (before[32 + i] & 0xffff0000));
			if (i < 4)
				assert_int_equal(test_dword(&t, 16, i), words[i] * before[32 + i]);
			if (i < 4)
				assert_int_equal(test_dword(&t, 18, i), x * words[i]);
			uint32_t high = i == 3 ? 77 : before[32 + i];
			assert_int_equal(test_dword(&t, 17, i),
				words[i] * ((high & 0xffff0000) | (before[32 + i] & 0xffff)));
		}
		assert_int_equal(test_dword(&t, 11, 0), before[1] * before[8 + 2]);
	}
}

/* The multiplications of a program that go through the accumulator. */
static unsigned multiplied_in_accumulator(const char *text)
{
	struct gen_program *program = test_assemble(text);
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find(NULL), program, &t.fault);
	unsigned n = 0;

	assert_non_null(kernel);
	for (uint32_t i = 0; i < kernel->uop_count; i++)
		n += kernel->uops[i].code >= EU_UOP_multiply &&
		     kernel->uops[i].code <= EU_UOP_multiply_last;
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
	return n;
}

/* However the region of the low words is written, and whichever channels are named: IGC has all. */
static void multiplies_dwords_at_once(void **state)
{
	static const struct {
		const char *region, *mask;
		unsigned first; /* channel of the second */
		bool at_once;
	} rows[] = {
		{ "16;8,2", "(W)", 0, true },
		{ "2;1,0", "(W)", 0, true },
		{ "8;8,1", "(W)", 0, false },
		{ "2;1,0", "(W)", 24, true },
		{ "2;1,0", "", 24, false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[200];
		snprintf(text, sizeof(text),
			"%s mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<%s>:uw\n"
			"mach (8|M%u) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n",
			rows[i].mask, rows[i].region, rows[i].first);
		assert_int_equal(multiplied_in_accumulator(text), !rows[i].at_once);
	}
}

/* Flags that all channels have are no predicate; others leave acc0 as it was. */
static void multiplies_dwords_behind_flags(void **state)
{
	static const char mul[] = "mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<2;1,0>:uw\n";
	static const char mach[] = "mach (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n";
	static const char clear[] = "(W) mov (1|M0) f1.0<1>:ud 0:ud\n";
#define SAME	   "cmp (32|M0) (eq)f1.0 null:uw r4.0<0;1,0>:uw r4.0<0;1,0>:uw\n"
#define SET(value) "(W) mov (1|M0) f1.0<1>:ud " value ":ud\n"
	const uint32_t channels = 0xffdb;
	static const struct {
		const char *flags, *on_mul, *between, *on_mach;
		uint8_t mul, mach; /* the channels that they have, of eight */
		bool at_once;
	} rows[] = {
		{ SAME, "(W&f1.0) ", "", "", 0xdb, 0xdb, true },
		{ SAME "(W&f1.0.any32h) mov (1|M0) f1.0<1>:ud 0xffffffff:ud\n", "(W&f1.0) ", "", "",
			0xff, 0xdb, true },
		{ SAME, "(W&f1.0) ", "", "(f1.0) ", 0xdb, 0xdb, true },
		{ SET("0x35"), "(W&f1.0) ", "", "(f1.0) ", 0x35, 0x11, true },
		{ SET("0x35"), "(W&f1.0) ", SET("0xf0"), "(f1.0) ", 0x35, 0xd0, false },
		{ SET("0x35"), "(W&f1.0) ", "", "", 0x35, 0xdb, false },
		{ SET("0x35"), "(W&~f1.0) ", "", "(f1.0) ", 0xca, 0x11, false },
		{ SAME, "(W&f1.0) ", "", "(W) ", 0xdb, 0xff, false },
		{ SAME SET("0x34"), "(W&f1.0) ", "", "", 0x34, 0xdb, false },
		{ "cmp (32|M0) (eq)f0.0 null:uw r4.0<0;1,0>:uw r4.0<0;1,0>:uw\n", "(W&f1.0) ", "",
			"", 0, 0xdb, false },
		{ "cmp (8|M8) (eq)f1.0 null:uw r4.0<0;1,0>:uw r4.0<0;1,0>:uw\n", "(W&f1.0) ", "",
			"", 0, 0xdb, false },
		{ "cmp (32|M0) (ne)f1.0 null:uw r4.0<0;1,0>:uw r4.0<0;1,0>:uw\n", "(W&f1.0) ", "",
			"", 0, 0xdb, false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t x[8], y[8], was[8];
		char text[900];
		snprintf(text, sizeof text, "%s%s%s%s%s%s%s", clear, rows[i].flags, rows[i].on_mul,
			mul, rows[i].between, rows[i].on_mach, mach);
		assert_int_equal(multiplied_in_accumulator(text), !rows[i].at_once);
		test_thread_init(&t, 50 + i);
		memcpy(x, t.thread.grf + 2 * 32, sizeof x);
		memcpy(y, t.thread.grf + 3 * 32, sizeof y);
		memcpy(was, t.thread.grf + 10 * 32, sizeof was);
		run(text, channels, EU_DONE);
		for (unsigned n = 0; n < 8; n++) {
			/* acc0 is 0 before */
			uint32_t low = rows[i].mul >> n & 1 ? x[n] * (y[n] & 0xffff) : 0;
			bool on = rows[i].mach >> n & 1;
			assert_int_equal(test_dword(&t, 10, n),
				on ? low + x[n] * (y[n] & 0xffff0000) : was[n]);
		}
	}
#undef SAME
#undef SET
}

/* What a thread has left in the accumulator must not be seen by the next. */
static void starts_with_clear_accumulators(void **state)
{
	(void)state;
	test_thread_init(&t, 41);
	struct gen_program *program = test_assemble("mov (8|M0) r10.0<1>:d acc0.0<8;8,1>:d\n"
						    "mov (8|M0) acc0.0<1>:d r2.0<8;8,1>:d\n");
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find(NULL), program, &t.fault);
	assert_non_null(kernel);
	for (unsigned turn = 0; turn < 2; turn++) {
		assert_int_equal(test_thread_run(&t, kernel, 0xff), EU_DONE);
		for (unsigned i = 0; i < 8; i++)
			assert_int_equal(test_dword(&t, 10, i), 0);
	}
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
}

static void refuses_payloads_beyond_the_registers(void **state)
{
	(void)state;
	test_thread_init(&t, 8);
	struct gen_program *program = test_assemble("");
	assert_int_equal(program->count, 1);
	program->inst[0].mlen = 2; /* from r127 on */
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find(NULL), program, &t.fault);
	assert_non_null(kernel);
	assert_int_equal(test_thread_run(&t, kernel, 0xff), EU_FAULT);
	assert_non_null(strstr(t.fault.place.code, "send"));
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
}

/* Found by ci/fuzz: there is no handler for comparing in no way. */
static void refuses_comparisons_without_a_condition(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"cmp (16|M0) (lt)f0.0 r26.0<1>:w acc0.0<16;16,1>:w r28.0<16;16,1>:w\n",
		"cmp (8|M0) (lt)f0.0 null:f r26.0<8;8,1>:f r28.0<8;8,1>:f\n",
		"csel (8|M0) (eq)f0.0 r26.0<1>:f r27.0<8;1>:f r28.0<8;1>:f r29.0<1>:f\n",
	};
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		test_thread_init(&t, 9);
		struct gen_program *program = test_assemble(texts[i]);
		program->inst[0].cond = GEN_COND_NONE;
		struct eu_kernel *kernel =
			eu_kernel_create(gen_device_find(NULL), program, &t.fault);
		assert_non_null(kernel);
		assert_int_equal(test_thread_run(&t, kernel, 0xffff), EU_FAULT);
		assert_non_null(strstr(t.fault.place.code, i == 2 ? "csel" : "cmp"));
		eu_kernel_destroy(kernel);
		gen_program_destroy(program);
	}
}

/* Found by ci/fuzz. */
static void negates_the_least_quadword(void **state)
{
	(void)state;
	test_thread_init(&t, 10);
	struct gen_program *program = test_assemble("mov (1|M0) r10.0<1>:d -r2.0<0;1,0>:d\n");
	program->inst[0].dst.type = program->inst[0].src[0].type = GEN_TYPE_Q;
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find(NULL), program, &t.fault);
	assert_non_null(kernel);
	test_set_dword(&t, 2, 0, 0);
	test_set_dword(&t, 2, 1, 0x80000000);
	assert_int_equal(test_thread_run(&t, kernel, 0xff), EU_DONE);
	assert_int_equal(test_dword(&t, 10, 0), 0);
	assert_int_equal(test_dword(&t, 10, 1), 0x80000000);
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
}

/* Only Gen9 compares quadwords; its compiler alone asks for it. */
static void compares_quadwords_where_the_hardware_does(void **state)
{
	static const struct {
		const char *device;
		enum eu_status status;
	} rows[] = { { "skl", EU_DONE }, { "icl", EU_FAULT }, { "tgllp", EU_FAULT },
		{ "dg2", EU_FAULT } };
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		test_thread_init(&t, 9);
		struct gen_program *program = test_assemble(
			"cmp (4|M0) (lt)f0.0 null<1>:d r26.0<4;4,1>:d r28.0<4;4,1>:d\n");
		struct gen_inst *inst = &program->inst[0];
		inst->dst.type = inst->src[0].type = inst->src[1].type = GEN_TYPE_Q;
		struct eu_kernel *kernel =
			eu_kernel_create(gen_device_find(rows[i].device), program, &t.fault);
		assert_non_null(kernel);
		assert_int_equal(test_thread_run(&t, kernel, 0xf), rows[i].status);
		eu_kernel_destroy(kernel);
		gen_program_destroy(program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_share_a_translation),
		cmocka_unit_test(adds),
		cmocka_unit_test(masks_channels_that_were_not_started),
		cmocka_unit_test(diverges),
		cmocka_unit_test(loops),
		cmocka_unit_test(calls_itself),
		cmocka_unit_test(stores_where_a0_leads),
		cmocka_unit_test(reads_address_vectors),
		cmocka_unit_test(reads_the_timestamp),
		cmocka_unit_test(reports_what_it_cannot_do_only_when_reached),
		cmocka_unit_test(waits_at_barrier),
		cmocka_unit_test(multiplies_dwords),
		cmocka_unit_test(multiplies_dwords_at_once),
		cmocka_unit_test(multiplies_dwords_behind_flags),
		cmocka_unit_test(starts_with_clear_accumulators),
		cmocka_unit_test(refuses_payloads_beyond_the_registers),
		cmocka_unit_test(refuses_comparisons_without_a_condition),
		cmocka_unit_test(compares_quadwords_where_the_hardware_does),
		cmocka_unit_test(negates_the_least_quadword),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
