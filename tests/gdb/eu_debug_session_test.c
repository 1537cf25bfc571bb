// SPDX-License-Identifier: MIT
/* What packets are answered with, over an EU thread that stands before its first instruction. */
#include "eu/debug/eu_debug_memory.h"
#include "eu/debug/eu_debug_register.h"
#include "eu/debug/eu_debug_session.h"
#include "eu/eu_test_program.h"
#include "gen/gen_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "test_random.h"

#define world eu_debug_world

enum { CODE = 0x100000, DATA = 0x200000, DATA_BYTES = 64, SLM_BYTES = 128 };

static struct test_thread t;
static struct eu_dispatch dispatch;
static struct gen_program *program;
static struct eu_kernel *kernel;
static struct eu_debug_session session;
static uint8_t data[DATA_BYTES], slm[GEN_SLM_BYTES];

static bool find(void *self, uint64_t address, struct eu_range *range)
{
	(void)self;
	*range = (struct eu_range){ DATA, DATA + DATA_BYTES, data, 0, NULL };
	return address >= DATA && address < DATA + DATA_BYTES;
}

static const struct eu_bus bus = { .find = find };

static int setup(void **state)
{
	const struct gen_device *device = gen_device_find(NULL);
	struct gen_fault fault = { 0 };

	(void)state;
	program = test_assemble_for(device, "mov (8|M0) r10.0<1>:ud 1:ud\n"
					    "mov (8|M0) r11.0<1>:ud 2:ud\n");
	kernel = eu_kernel_create(device, program, &fault);
	assert_non_null(kernel);
	test_thread_init(&t, 1);
	dispatch = (struct eu_dispatch){ .bus = &bus,
		.kernel = CODE,
		.simd = 8,
		.threads_per_group = 1,
		.right_mask = 0xff,
		.slm_bytes = SLM_BYTES };
	t.worker.dispatch = &dispatch;
	t.worker.kernel = kernel;
	t.group.slm = slm;
	t.group.dispatch = &dispatch;
	t.thread.group = &t.group;
	t.thread.worker = &t.worker;
	eu_thread_start(&t.thread, kernel, 0xff, 0);
	world.dispatch = &dispatch;
	eu_debug_thread_begin(&t.thread);
	eu_debug_session_init(&session, device);
	eu_debug_stop(eu_debug_next(0), EU_DEBUG_SIGTRAP, "");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	eu_debug_release();
	eu_debug_thread_end(&t.thread);
	eu_debug_session_finish(&session);
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
	return 0;
}

/* The answer to a packet, "(none)" when there is none yet. Valid until the next. */
static const char *ask_bytes(const char *packet, size_t size)
{
	static struct eu_debug_text reply;

	reply.size = 0;
	eu_debug_put(&reply, "", 0);
	return eu_debug_answer(&session, packet, size, &reply) ? reply.bytes : "(none)";
}

static const char *ask(const char *packet)
{
	return ask_bytes(packet, strlen(packet));
}

static void test_queries(void **state)
{
	(void)state;
	assert_non_null(strstr(ask("qSupported:xmlRegisters=i386"), "qXfer:features:read+"));
	assert_string_equal(ask("qNonsense"), "");
	assert_string_equal(ask("vMustReplyEmpty"), "");
	assert_string_equal(ask(""), "");
	assert_string_equal(ask("qAttached"), "1");
	assert_string_equal(ask("qXfer:features:read:nothing.xml:0,100"), "E00");
	assert_string_equal(ask("qXfer:features:read:target.xml:0,5"), "m<?xml");
	assert_string_equal(ask("qXfer:features:read:target.xml:ffffffff,5"), "l");
	assert_string_equal(ask("qXfer:features:read:target.xml:0"), "E16");
	assert_string_equal(ask("QStartNoAckMode"), "OK");
	assert_true(session.no_ack);
}

static void test_threads(void **state)
{
	char packet[64];
	uint64_t id = eu_debug_next(0)->id;

	(void)state;
	snprintf(packet, sizeof packet, "m%llx", (unsigned long long)id);
	assert_string_equal(ask("qfThreadInfo"), packet);
	assert_string_equal(ask("qsThreadInfo"), "l");
	snprintf(packet, sizeof packet, "T%llx", (unsigned long long)id);
	assert_string_equal(ask(packet), "OK");
	assert_string_equal(ask("T7777"), "E16");
	assert_string_equal(ask("Hg7777"), "E16");
	snprintf(packet, sizeof packet, "Hg%llx", (unsigned long long)id);
	assert_string_equal(ask(packet), "OK");
	assert_string_equal(ask("Hc-1"), "OK");
	assert_non_null(strstr(ask("qXfer:threads:read::0,1000"), "(0,0,0).0"));
}

/* Registers by their number: what is written is read, and what cannot be written is not. */
static void test_registers(void **state)
{
	const struct gen_device *device = session.device;
	unsigned count = eu_debug_register_count(device), grf = count - 128;
	char packet[128];
	size_t digits = 0;

	(void)state;
	for (unsigned i = 0; i < count; i++)
		digits += 2 * eu_debug_register_size(device, i);
	assert_int_equal(strlen(ask("g")), digits);
	snprintf(packet, sizeof packet, "p%x", grf + 17);
	struct eu_debug_text want = { 0 };
	eu_debug_hex(&want, t.thread.grf + 17 * 32, 32);
	assert_string_equal(ask(packet), want.bytes);
	eu_debug_text_finish(&want);
	snprintf(packet, sizeof packet, "P%x=%064d", grf + 17, 7);
	assert_string_equal(ask(packet), "OK");
	assert_int_equal(t.thread.grf[17 * 32 + 31], 7);
	snprintf(packet, sizeof packet, "P%x=00", grf + 17);
	assert_string_equal(ask(packet), "E16");
	assert_string_equal(ask("p0"), "xxxxxxxxxxxxxxxx");
	assert_string_equal(ask("p10"), "0000100000000000"); /* rip */
	assert_string_equal(ask("P10=0000200000000000"), "E16");
	snprintf(packet, sizeof packet, "p%x", count);
	assert_string_equal(ask(packet), "E16");
	assert_string_equal(ask("G00"), "");
}

static void test_memory(void **state)
{
	(void)state;
	memcpy(data, "zerocl", 6);
	assert_string_equal(ask("m200000,6"), "7a65726f636c");
	assert_string_equal(ask("m20003e,10"), "0000"); /* as much as is there */
	assert_string_equal(ask("m300000,4"), "E14");
	assert_string_equal(ask("m200000"), "E16");
	assert_string_equal(ask("m200000,ffffff"), "E16");
	assert_string_equal(ask("M200001,2:4142"), "OK");
	assert_memory_equal(data, "zABocl", 6);
	assert_string_equal(ask("M200001,2:41"), "E16");
	assert_string_equal(ask_bytes("X200002,2:\0y", 12), "OK");
	assert_memory_equal(data, "zA\0ycl", 6);
	assert_string_equal(ask("X300000,0:"), "OK");
	/* Local memory; as a pointer of the generic address space; beyond it. */
	slm[5] = 0x5a;
	assert_string_equal(ask("ma00000000000005,1"), "5a");
	assert_string_equal(ask("m4000000000000005,1"), "5a");
	assert_string_equal(ask("ma00000000000080,1"), "E14");
	/* Registers, and the lane behind them. */
	t.thread.grf[3 * 32] = 0x77;
	assert_string_equal(ask("mb00000000000060,1"), "77");
	assert_string_equal(ask("Mb00000000000060,1:78"), "OK");
	assert_int_equal(t.thread.grf[3 * 32], 0x78);
	eu_debug_next(0)->lane = 6;
	assert_string_equal(ask("mb00000000002080,4"), "06000000");
}

static void test_points(void **state)
{
	(void)state;
	assert_string_equal(ask("Z0,100000,1"), "OK");
	assert_string_equal(ask("z0,100000,1"), "OK");
	assert_string_equal(ask("z0,100000,1"), "OK"); /* it may have gone with its code */
	assert_string_equal(ask("Z9,100000,1"), "");
	assert_string_equal(ask("Z2,b00000000000060,4"), "E16");
	assert_string_equal(ask("Z2,200000"), "E16");
	assert_string_equal(ask("Z0,100000,1"), "OK");
	assert_string_equal(ask("Z0,100000,1"), "OK"); /* again: it is there once */
	assert_int_equal(world.point_count, 1);
	assert_string_equal(ask("z0,100000,1"), "OK");
	assert_int_equal(world.point_count, 0);
	for (int i = 0; i < EU_DEBUG_POINTS; i++) {
		char packet[32];
		snprintf(packet, sizeof packet, "Z0,%x,1", 0x100000 + i);
		assert_string_equal(ask(packet), "OK");
	}
	assert_string_equal(ask("Z0,200000,1"), "E16");
	eu_debug_release();
	assert_int_equal(world.point_count, 0);
	assert_true(eu_debug_code_add(CODE, 32, "k", NULL, 0, NULL));
	assert_string_equal(ask("Z0,100010,1"), "OK");
	assert_string_equal(ask("Z0,100020,1"), "OK");
	eu_debug_code_remove(CODE);
	assert_int_equal(world.point_count, 1);
	assert_string_equal(ask("z0,100020,1"), "OK");
	assert_int_equal(world.point_count, 0);
	eu_debug_stop(eu_debug_next(0), EU_DEBUG_SIGTRAP, "");
}

static void test_actions(void **state)
{
	struct eu_debug_text text = { 0 };
	struct eu_debug_thread *own = eu_debug_next(0);
	char packet[64];

	(void)state;
	assert_string_equal(ask("vCont;x"), "E16");
	assert_string_equal(ask("vCont;r5"), "E16");
	assert_string_equal(ask("vCont;s:zz"), "E16");
	snprintf(packet, sizeof packet, "vCont;r%x,%x:%llx;c", CODE, CODE + 16,
		(unsigned long long)own->id);
	assert_string_equal(ask(packet), "(none)");
	assert_int_equal(own->action, EU_DEBUG_STEP);
	assert_int_equal(own->end, CODE + 16);
	assert_int_equal(world.others, EU_DEBUG_RUN);
	assert_int_equal(world.state, EU_DEBUG_RUNNING);
	/* It is known, executes one instruction in the range, and stops behind it. */
	eu_debug_step(&t.thread, 0);
	assert_true(t.thread.held);
	eu_debug_step(&t.thread, 0);
	assert_false(t.thread.held);
	assert_int_equal(world.state, EU_DEBUG_RUNNING);
	eu_debug_stop(own, EU_DEBUG_SIGINT, "");
	snprintf(packet, sizeof packet, "vCont;s:7777");
	assert_string_equal(ask(packet), "(none)");
	assert_int_equal(own->action, EU_DEBUG_HOLD);
	assert_int_equal(world.others, EU_DEBUG_HOLD);
	eu_debug_step(&t.thread, 1);
	assert_true(t.thread.held);
	eu_debug_stop(own, EU_DEBUG_SIGTRAP, "swbreak:;");
	eu_debug_stop_reply(&session, &text);
	snprintf(packet, sizeof packet, "T05swbreak:;thread:%llx;", (unsigned long long)own->id);
	assert_string_equal(text.bytes, packet);
	eu_debug_text_finish(&text);
}

/* Code that comes where other was: that has gone is told alone first. */
static void test_replaced_code(void **state)
{
	static const char list[] = "qXfer:libraries:read::0,1000";
	static const char none[] = "l<library-list></library-list>";

	(void)state;
	world.is_connected = true;
	assert_true(eu_debug_code_add(CODE, 64, "first", NULL, 0, NULL));
	assert_non_null(strstr(ask(list), "/first\""));
	world.symbols_changed = false;
	assert_true(eu_debug_code_add(CODE, 64, "second", NULL, 0, NULL));
	assert_true(world.symbols_changed);
	world.symbols_changed = false;
	assert_string_equal(ask(list), none);
	assert_true(world.symbols_changed);
	world.symbols_changed = false;
	assert_non_null(strstr(ask(list), "/second\""));
	assert_false(world.symbols_changed);
	eu_debug_code_remove(CODE);
	assert_true(world.symbols_changed);
	assert_string_equal(ask(list), none);
	world.is_connected = false;
}

static void test_endings(void **state)
{
	(void)state;
	assert_string_equal(ask("D"), "OK");
	assert_true(session.is_over && !session.kills);
	assert_string_equal(ask("vKill;1"), "OK");
	assert_true(session.kills);
}

/* Packets that are nearly right: any answer, and no crash. */
static void test_mutants(void **state)
{
	static const char *const packets[] = { "g", "p10", "m200000,40", "M200000,4:01020304",
		"X200000,2:ab", "Z0,100000,1", "z0,100000,1", "Z2,200000,4", "vCont;c",
		"vCont;s:2;c", "vCont;r100000,100010:2", "Hg2", "T2", "qRcmd,6c616e6573",
		"qRcmd,636f6465", "qRcmd,7768657265", "qXfer:threads:read::0,1000",
		"qXfer:libraries:read::0,100", "qXfer:features:read:target.xml:10,20",
		"vFile:open:2f7a65726f636c2f302f,0,0", "vFile:pread:0,100,0", "vFile:fstat:0",
		"qThreadExtraInfo,2", "P30=05000000" };
	uint64_t random = 5;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		char packet[128];
		strcpy(packet,
			packets[test_random_below(&random, sizeof packets / sizeof *packets)]);
		size_t size = strlen(packet);
		for (unsigned k = test_random_below(&random, 4); k > 0; k--)
			packet[test_random_below(&random, (uint32_t)size)] =
				"0f1,;:-zZ\xff="[test_random_below(&random, 11)];
		size = test_random_below(&random, 8) ? size
						     : test_random_below(&random, (uint32_t)size);
		packet[size] = 0;
		ask_bytes(packet, size);
		if (world.state == EU_DEBUG_RUNNING)
			eu_debug_stop(eu_debug_next(0), EU_DEBUG_SIGTRAP, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_queries, setup, teardown),
		cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
		cmocka_unit_test_setup_teardown(test_registers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_points, setup, teardown),
		cmocka_unit_test_setup_teardown(test_actions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_replaced_code, setup, teardown),
		cmocka_unit_test_setup_teardown(test_endings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mutants, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
