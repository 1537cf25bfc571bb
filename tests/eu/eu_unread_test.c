// SPDX-License-Identifier: MIT
/* Which elements of a load of three a kernel does not look at. */
#include "eu/watch/eu_unread.h"
#include "eu/message/eu_message.h"
#include "eu_test_program.h"
#include "gen/gen_device.h"

#include "test.h"

/* The elements are in r10 and r11, r12 and r13, r14 and r15. */
#define LOAD "send.slm (16|M0) r10 r4 null:0 0x0 0x04682500\n"

static const struct row {
	const char *name;
	unsigned unread;
	const char *text;
} rows[] = {
	{ "the first and the last", 2,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n" },
	{ "all", 0,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "not (1|M0) r20.0<1>:d r13.7<0;1,0>:d\n" },
	{ "the last alone", 3, LOAD "not (16|M0) r20.0<1>:d r14.0<8;8,1>:d\n" },
	{ "none: it was the program that has loaded", 0, LOAD },
	{ "written before it is read", 2,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "mov (16|M0) r12.0<1>:d 0:d\n"
		     "not (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n" },
	{ "written in part", 0,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "mov (8|M0) r12.0<1>:d 0:d\n"
		     "not (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n" },
	{ "written for some", 0,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "(f0.0) mov (16|M0) r12.0<1>:d 0:d\n"
		     "not (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n" },
	{ "written and read in a branch", 2,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "(f0.0) goto (16|M0) over over\n"
		     "(W) shl (1|M0) r12.3<1>:d r20.0<0;1,0>:d 2:w\n"
		     "(W) not (1|M0) r20.0<1>:d r12.3<0;1,0>:d\n"
		     "over:\njoin (16|M0) end\nend:\n" },
	{ "written in a branch and read behind it", 0,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "(f0.0) goto (16|M0) over over\n"
		     "mov (16|M0) r12.0<1>:d 0:d\n"
		     "over:\njoin (16|M0) end\nend:\n"
		     "not (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n" },
	{ "read in the next turn of a loop", 0,
		"mov (16|M0) r12.0<1>:d 0:d\n"
		"again:\nnot (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n" LOAD
		"add (16|M0) r21.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		"(f0.0) while (16|M0) again\n" },
	{ "written in the next turn of a loop", 2,
		"again:\nmov (16|M0) r12.0<1>:d 0:d\n"
		"not (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n" LOAD
		"add (16|M0) r21.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		"(f0.0) while (16|M0) again\n" },
	{ "a message's address, of one lane", 2,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "(W) mov (1|M0) r12.0<1>:d 0:d\n"
		     "(W) send.slm (1|M0) r30 r12 null:0 0x0 0x02188500\n" },
	{ "a message's addresses", 0,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "send.slm (16|M0) r30 r12 null:0 0x0 0x04280500\n" },
	{ "a message's data", 0,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "send.slm (16|M0) null r4 r12:2 0x0 0x040E0504\n" },
	{ "by a function, which is called by a jump", 0,
		LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
		     "(W) jmpi r2.0\n" },
	{ "through an address register", 0, LOAD "not (8|M0) r20.0<1>:d r[a0.0]<1,0>:d\n" },
};

static enum eu_status run(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	(void)thread, (void)send, (void)lanes;
	return EU_RUN;
}

int test_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault)
{
	(void)fault;
	(void)eu_access_decode(device, send, &send->access); /* tests say what some are */
	send->run = run;
	return 0;
}

/* What `find` finds of the first message of each row's kernel. */
static void check_rows(
	const struct row *checked, size_t n, unsigned (*find)(struct eu_kernel *kernel))
{
	const struct gen_device *device = gen_device_find("dg2");

	assert_non_null(device);
	for (size_t i = 0; i < n; i++) {
		struct gen_program *program = test_assemble_for(device, checked[i].text);
		struct gen_fault fault = { 0 };
		struct eu_kernel *kernel = eu_kernel_create(device, program, &fault);
		assert_non_null(kernel);
		unsigned found = find(kernel);
		if (found != checked[i].unread)
			fail_msg("%s: %x, not %x", checked[i].name, found, checked[i].unread);
		eu_kernel_destroy(kernel);
		gen_program_destroy(program);
	}
}
#define CHECK(rows, find) check_rows(rows, sizeof(rows) / sizeof *(rows), find)

static unsigned find_elements(struct eu_kernel *kernel)
{
	kernel->sends[0].access = (struct eu_access){ .kind = EU_ACCESS_SCATTER,
		.reads = true,
		.lanes = 16,
		.size = 4,
		.count = 3,
		.channels = 7,
		.slot = 4 };
	return eu_unread_elements(kernel, &kernel->sends[0]);
}

static void test_rows(void **state)
{
	(void)state;
	CHECK(rows, find_elements);
}

static unsigned find_passed(struct eu_kernel *kernel)
{
	const struct eu_access access = { .kind = EU_ACCESS_SCATTER,
		.lanes = 16,
		.size = 4,
		.count = 2,
		.channels = 3,
		.slot = 4 };

	for (uint32_t k = 0; k < kernel->send_count; k++) {
		struct eu_send *send = &kernel->sends[k];
		send->access = access;
		send->access.reads = k == 0;
		send->access.writes = k > 0;
		send->access.data = (uint16_t)(k ? send->mlen * GEN_GRF_BYTES : 0);
	}
	return eu_unread_passed(kernel, &kernel->sends[0]);
}

/* What of a load of two goes nowhere but into stores of two, at its own place. */
static void test_passed(void **state)
{
#define PAIR "send.slm (16|M0) r10 r4 null:0 0x0 0x04483500\n"
	static const struct row passed[] = {
		{ "copied", 3, PAIR "send.slm (16|M0) null r4 r10:4 0x0 0x040E3504\n" },
		{ "copied the other way round", 0,
			PAIR "mov (16|M0) r22.0<1>:d r10.0<8;8,1>:d\n"
			     "mov (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n"
			     "send.slm (16|M0) null r4 r20:4 0x0 0x040E3504\n" },
		{ "the first copied to the second's place, and the second not read", 2,
			PAIR "send.slm (16|M0) null r4 r8:4 0x0 0x040E3504\n" },
		{ "copied, and the second looked at", 1,
			PAIR "send.slm (16|M0) null r4 r10:4 0x0 0x040E3504\n"
			     "not (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n" },
	};

	(void)state;
	CHECK(passed, find_passed);
}

static unsigned find_tail(struct eu_kernel *kernel)
{
	kernel->sends[0].access = (struct eu_access){
		.kind = EU_ACCESS_BLOCK, .reads = true, .lanes = 1, .bytes = 16, .skip = 16
	};
	return eu_unread_tail(kernel, &kernel->sends[0]);
}

/* How much of the end of a block of four dwords, in r10.4 on, nobody looks at. */
static void test_tail(void **state)
{
#define BLOCK "(W) send.slm (1|M0) r10 r4 null:0 0x0 0x0210D500\n"
	static const struct row tails[] = {
		{ "all", 0, BLOCK "not (4|M0) r20.0<1>:d r10.4<4;4,1>:d\n" },
		{ "the first two", 8, BLOCK "not (2|M0) r20.0<1>:d r10.4<2;2,1>:d\n" },
		{ "the first word", 12, BLOCK "not (1|M0) r20.0<1>:w r10.8<0;1,0>:w\n" },
		{ "the last alone", 0, BLOCK "not (1|M0) r20.0<1>:d r10.7<0;1,0>:d\n" },
		{ "the first and the third", 4,
			BLOCK "not (1|M0) r20.0<1>:d r10.4<0;1,0>:d\n"
			      "not (1|M0) r21.0<1>:d r10.6<0;1,0>:d\n" },
		{ "what is before it", 0, BLOCK "not (4|M0) r20.0<1>:d r10.0<4;4,1>:d\n" },
		{ "the last, once it is written", 12,
			BLOCK "not (1|M0) r20.0<1>:d r10.4<0;1,0>:d\n"
			      "(W) mov (1|M0) r10.7<1>:d 0:d\n"
			      "not (1|M0) r20.0<1>:d r10.7<0;1,0>:d\n" },
		{ "by a function, which is called by a jump", 0,
			LOAD "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
			     "(W) jmpi r2.0\n" },
		{ "through an address register", 0,
			BLOCK "not (8|M0) r20.0<1>:d r[a0.0]<1,0>:d\n" },
	};

	(void)state;
	CHECK(tails, find_tail);
}

static unsigned find_lanes(struct eu_kernel *kernel)
{
	return eu_unread_lanes(kernel, &kernel->sends[0]);
}

/* Which lanes of a load of one dword each, done for no channel, nobody looks at. */
static void test_lanes(void **state)
{
#define LANES "(W) send.slm (4|M0) r10 r4 null:0 0x0 0x02180500\n"
	static const struct row lanes[] = {
		{ "all", 0, LANES "not (4|M0) r20.0<1>:d r10.0<4;4,1>:d\n" },
		{ "the first", 14, LANES "not (1|M0) r20.0<1>:d r10.0<0;1,0>:d\n" },
		{ "the second and the fourth", 5, LANES "not (2|M0) r20.0<1>:d r10.1<2;1,0>:d\n" },
		{ "half of the last", 7, LANES "not (1|M0) r20.0<1>:w r10.7<0;1,0>:w\n" },
		{ "none: it was the program that has loaded", 0, LANES },
		{ "the first as an address, the others beside it", 14,
			LANES "(W) send.slm (1|M0) r30 r10 null:0 0x0 0x02180500\n" },
		{ "the first two as addresses, and beside them nothing", 12,
			LANES "(W) send.slm (2|M0) r30 r10 null:0 0x0 0x02180500\n" },
		{ "the first, with all copied", 14,
			LANES "(W) mov (4|M0) r12.1<1>:d r10.0<4;4,1>:d\n"
			      "not (1|M0) r20.0<1>:d r12.1<0;1,0>:d\n" },
		{ "the first, with all copied twice and the copy overwritten", 14,
			LANES "(W) mov (4|M0) r12.1<1>:d r10.0<4;4,1>:d\n"
			      "(W) mov (2|M0) r13.0<1>:d r12.1<2;2,1>:d\n"
			      "not (1|M0) r20.0<1>:d r13.0<0;1,0>:d\n"
			      "(W) mov (8|M0) r13.0<1>:d 0:d\n"
			      "not (8|M0) r20.0<1>:d r13.0<8;8,1>:d\n" },
		{ "the first and the third, copied apart", 10,
			LANES "(W) mov (4|M0) r12.0<2>:d r10.0<4;4,1>:d\n"
			      "not (2|M0) r20.0<1>:d r12.0<4;1,0>:d\n" },
		{ "none, but all are copied", 15,
			LANES "(W) mov (4|M0) r12.0<1>:d r10.0<4;4,1>:d\n" },
		{ "all, copied and turned over", 0,
			LANES "(W) mov (4|M0) r12.0<1>:d -r10.0<4;4,1>:d\n" },
		{ "the fourth, copied for all channels", 7,
			LANES "mov (16|M0) r12.0<1>:d r10.3<0;1,0>:d\n"
			      "not (16|M0) r20.0<1>:d r12.0<8;8,1>:d\n" },
		{ "a block's address in a header", 11,
			LANES "(W) send.dc0 (8|M0) r30 r10 null:0 0x0 0x02184200\n" },
		{ "a sampler's coordinates", 0,
			LANES "send.smpl (8|M0) r30 r9 null:0 0x0 0x0420A001\n" },
		{ "what is done for channels", 0,
			"send.slm (4|M0) r10 r4 null:0 0x0 0x02180500\n"
			"not (1|M0) r20.0<1>:d r10.0<0;1,0>:d\n" },
	};

	(void)state;
	CHECK(lanes, find_lanes);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows),
		cmocka_unit_test(test_passed), cmocka_unit_test(test_tail),
		cmocka_unit_test(test_lanes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
