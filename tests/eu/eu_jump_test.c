// SPDX-License-Identifier: MIT
/*
 * Jumps to addresses in registers (jmpi), by which IGC calls functions before Gen12 and comes back
 * from them; oneDNN's generator has tables of jumps. By each engine, on Gen9 and Gen11.
 */
#include "test.h"

#include <string.h>

#include "eu_test_program.h"

/* Where code is: the kernel, then functions. `BASE` is that of all code. */
enum { BASE = 0x40000, KERNEL = 0x3000, FUNCTIONS = 3, FUNCTION = 0x1000, NOWHERE = 0x70000 };

static struct test_thread t;
static struct eu_dispatch dispatch = { .instruction_base = BASE };
static struct gen_program *programs[FUNCTIONS];
static struct eu_kernel *functions[FUNCTIONS];
static const struct gen_device *device;
static struct eu_options options;

/* As IGC does it: an address less ip, and the place behind the jump; back the same way. */
#define CALL(address)                                                                              \
	"(W) add (1|M0) r2.0<1>:ud -ip<0;1,0>:ud " address "<0;1,0>:ud\n"                          \
	"(W) add (1|M0) r2.0<1>:ud r2.0<0;1,0>:ud -64:d\n"                                         \
	"(W) add (1|M0) r125.0<1>:ud ip<0;1,0>:ud 0x20:ud\n"                                       \
	"(W) jmpi r2.0\n"
#define RETURN                                                                                     \
	"(W) add (1|M0) r125.0<1>:ud -ip<0;1,0>:ud r125.0<0;1,0>:ud\n"                             \
	"(W) add (1|M0) r125.0<1>:ud r125.0<0;1,0>:ud -48:d\n"                                     \
	"(W) jmpi r125.0\n"
/* A stack of return addresses, in a0.0. */
#define SAVE                                                                                       \
	"(W) mov (1|M0) r[a0.0]<1>:ud r125.0<0;1,0>:ud\n"                                          \
	"(W) add (1|M0) a0.0<1>:uw a0.0<0;1,0>:uw 4:uw\n"
#define RESTORE                                                                                    \
	"(W) add (1|M0) a0.0<1>:uw a0.0<0;1,0>:uw -4:w\n"                                          \
	"(W) mov (1|M0) r125.0<1>:ud r[a0.0]<0;1,0>:ud\n"

static unsigned found;

static const struct eu_kernel *find_function(struct eu_worker *worker, uint64_t address)
{
	uint64_t number = (address - BASE) / FUNCTION;

	found++;
	if (address >= BASE && (address - BASE) % FUNCTION == 0 && number < FUNCTIONS &&
		functions[number])
		return functions[number];
	gen_fault_add(
		worker->fault, GEN_FAULT_PAGE, "nothing is at 0x%llx", (unsigned long long)address);
	return NULL;
}

static struct eu_kernel *lower(const struct gen_program *program, bool is_function)
{
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };

	options.is_function = is_function;
	struct eu_kernel *kernel = eu_kernel_create_for(device, program, options, &fault);
	if (!kernel)
		fail_msg("%s", fault.report);
	return kernel;
}

static void drop(void)
{
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		eu_kernel_destroy(functions[i]);
		gen_program_destroy(programs[i]);
		functions[i] = NULL;
		programs[i] = NULL;
	}
}

/* Puts functions where the addresses in r20 say. */
static void begin(unsigned count, const char *const *texts)
{
	uint32_t addresses[8] = { 0 };

	drop();
	for (unsigned i = 0; i < count; i++) {
		programs[i] = test_assemble_for(device, texts[i]);
		functions[i] = lower(programs[i], true);
		addresses[i] = i * FUNCTION;
	}
	test_thread_init(&t, 1);
	t.worker.dispatch = &dispatch;
	t.worker.find_function = find_function;
	t.worker.kernel_base = KERNEL;
	memcpy(t.thread.grf + 20 * 32, addresses, sizeof addresses);
}

static enum eu_status run(const char *text, uint32_t mask)
{
	struct gen_program *program = test_assemble_for(device, text);
	struct eu_kernel *kernel = lower(program, false);
	enum eu_status status = test_thread_run(&t, kernel, mask);

	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
	t.thread.kernel = NULL;
	return status;
}

static void run_well(const char *text, uint32_t mask)
{
	if (run(text, mask) != EU_DONE)
		fail_msg("%s", t.fault.report);
	assert_int_equal(t.thread.frame_count, 0);
	assert_int_equal(t.thread.depth, 0);
}

static void run_badly(const char *text, const char *report)
{
	if (run(text, 0xff) != EU_FAULT)
		fail_msg("not stopped by:\n%s", text);
	if (!strstr(t.fault.report, report))
		fail_msg("%s", t.fault.report);
}

/* Odd channels call the first function, the others the second, which calls the first, too. */
static void functions_come_back(void)
{
	static const char *const texts[] = {
		"mul (8|M0) r3.0<1>:d r3.0<8;8,1>:d 3:w\n" RETURN,
		SAVE CALL("r20.0") "add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1000:w\n" RESTORE RETURN,
	};

	for (uint32_t mask = 0xff; mask > 0; mask = mask * 3 / 7) {
		begin(2, texts);
		for (unsigned i = 0; i < 8; i++)
			test_set_dword(&t, 3, i, i);
		run_well("(W) mov (1|M0) a0.0<1>:uw 0xa00:uw\n"
			 "and (8|M0) (ne)f0.0 null<1>:d r3.0<8;8,1>:d 1:w\n"
			 "(f0.0) if (8|M0) LELSE LEND\n" CALL(
				 "r20.0") "add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 50:w\n"
					  "else (8|M0) LEND LEND\n"
					  "LELSE:\n" CALL("r20.1") "LEND:\n"
								   "endif (8|M0) LZ\n"
								   "LZ:\n"
								   "add (8|M0) r3.0<1>:d "
								   "r3.0<8;8,1>:d 1:w\n",
			mask);
		for (unsigned i = 0; i < 8; i++)
			assert_int_equal(test_dword(&t, 3, i),
				mask >> i & 1 ? 3 * i + (i % 2 ? 51 : 1001) : i);
	}
	assert_int_equal(programs[0]->count, 4); /* and no end of thread */
	assert_int_equal(programs[1]->count, 12);
}

/* Also where the caller has no instruction that asks who is on. */
static void all_channels_go_along(void)
{
	static const char *const texts[] = {
		"add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 3:w\n"
		"add (8|M8) r4.0<1>:d r4.0<8;8,1>:d 3:w\n" RETURN,
		SAVE CALL("r20.0") RESTORE RETURN,
		SAVE CALL("r20.1") "add (8|M8) r4.0<1>:d r4.0<8;8,1>:d 3:w\n" CALL("r20.0")
			RESTORE RETURN,
	};

	for (uint32_t mask = 0xffff; mask > 0; mask = mask * 3 / 7) {
		begin(3, texts);
		for (unsigned i = 0; i < 8; i++) {
			test_set_dword(&t, 3, i, i);
			test_set_dword(&t, 4, i, i);
		}
		found = 0;
		run_well("(W) mov (1|M0) a0.0<1>:uw 0xa00:uw\n" CALL("r20.2"), mask);
		assert_int_equal(found, 3); /* each is looked for once, and noted */
		for (unsigned i = 0; i < 16; i++)
			assert_int_equal(test_dword(&t, 3 + i / 8, i % 8),
				i % 8 + (mask >> i & 1 ? 6 + i / 8 * 3 : 0));
	}
}

/* Each channel goes as deep as r5 says, the others wait meanwhile. */
static void functions_call_themselves(void)
{
	static const char *const texts[] = { SAVE
		"cmp (8|M0) (gt)f0.0 null<1>:d r5.0<8;8,1>:d 0:w\n"
		"(f0.0) if (8|M0) LEND LEND\n"
		"add (8|M0) r5.0<1>:d r5.0<8;8,1>:d -1:w\n" CALL(
			"r20.0") "LEND:\n"
				 "endif (8|M0) LZ\n"
				 "LZ:\n"
				 "add (8|M0) r6.0<1>:d r6.0<8;8,1>:d 1:w\n" RESTORE RETURN };

	for (unsigned depth = 1; depth < 60; depth = depth * 2 + 1) {
		const char *text = "(W) mov (1|M0) a0.0<1>:uw 0xa00:uw\n"
				   "mov (8|M0) r6.0<1>:d 0:w\n" CALL("r20.0");
		begin(1, texts);
		for (unsigned i = 0; i < 8; i++)
			test_set_dword(&t, 5, i, i * depth / 7);
		if (depth > 20) {
			run_badly(text, "nested too deep");
			continue;
		}
		run_well(text, 0xff);
		for (unsigned i = 0; i < 8; i++)
			assert_int_equal(test_dword(&t, 6, i), i * depth / 7 + 1);
	}
}

/* oneDNN's tables: jumps behind the jump, of which the register chooses one. */
static void tables_are_of_the_kernel(void)
{
	for (unsigned n = 0; n < 4; n++) {
		begin(0, NULL);
		test_set_dword(&t, 21, 0, n);
		run_well("(W&f1.0) jmpi LEND\n"
			 "(W) mov (1|M0) f0.0<1>:uw 0xf:uw\n"
			 "(W) shl (1|M0) r6.1<1>:ud r21.0<0;1,0>:ud 4:w\n"
			 "(W) jmpi r6.1\n"
			 "(W) jmpi L0\n"
			 "(W) jmpi L1\n"
			 "(W) jmpi L2\n"
			 "(f0.0) mov (8|M0) r10.0<1>:d 3:w\n"
			 "(W) jmpi LEND\n"
			 "L0:\n"
			 "(f0.0) mov (8|M0) r10.0<1>:d 0:w\n"
			 "(W) jmpi LEND\n"
			 "L1:\n"
			 "(f0.0) mov (8|M0) r10.0<1>:d 1:w\n"
			 "(W) jmpi LEND\n"
			 "L2:\n"
			 "(f0.0) mov (8|M0) r10.0<1>:d 2:w\n"
			 "LEND:\n"
			 "(W) mov (1|M0) r11.0<1>:d 77:w\n",
			n % 2 ? 0xff : 0x3f);
		assert_int_equal(test_dword(&t, 10, 2), n);
		assert_int_not_equal(test_dword(&t, 10, 4), n);
		assert_int_equal(test_dword(&t, 11, 0), 77);
	}
}

/* A loop by a register goes back 4 instructions from behind its end, and yields. */
static void loops_yield(void)
{
	begin(0, NULL);
	run_well("(W) mov (1|M0) r21.0<1>:d 5000:w\n"
		 "(W) mov (1|M0) r22.0<1>:d -64:w\n"
		 "(W) mov (1|M0) r23.0<1>:d 0:w\n"
		 "(W) jmpi LTOP\n"
		 "LTOP:\n"
		 "(W) add (1|M0) r23.0<1>:d r23.0<0;1,0>:d 2:w\n"
		 "(W) add (1|M0) (ne)f0.0 r21.0<1>:d r21.0<0;1,0>:d -1:w\n"
		 "(W) nop\n"
		 "(W&f0.0) jmpi r22.0\n",
		0xff);
	assert_int_equal(test_dword(&t, 23, 0), 10000);
}

static void jumps_that_are_not_taken_do_nothing(void)
{
	begin(0, NULL);
	test_set_dword(&t, 2, 0, NOWHERE);
	run_well("(W) mov (1|M0) f0.0<1>:uw 0xfffe:uw\n"
		 "(W&f0.0) jmpi r2.0\n"
		 "(W) mov (1|M0) r10.0<1>:ud ip<0;1,0>:ud\n",
		0xff);
	assert_int_equal(test_dword(&t, 10, 0), KERNEL + 32);
}

static void wild_jumps_are_reported(void)
{
	static const char *const texts[] = {
		"(W) mov (1|M0) f0.0<1>:uw 0xf:uw\n"
		"(f0.0) goto (8|M0) LX LX\n" RETURN "LX:\n"
		"join (8|M0) LZ\n"
		"LZ:\n" RETURN,
	};

	begin(0, NULL);
	test_set_dword(&t, 2, 0, NOWHERE);
	run_badly("(W) nop\n(W) jmpi r2.0\n", "nothing is at 0xb3020");
	assert_non_null(strstr(t.fault.report, "called at 0x10"));
	begin(0, NULL);
	test_set_dword(&t, 2, 0, 16); /* between two instructions of a block */
	run_badly("(W&f1.0) jmpi LEND\n(W) jmpi r2.0\n(W) nop\n(W) nop\nLEND:\n(W) nop\n",
		"nothing is at 0x43030");
	/* A call that does not note where it comes back is the end of the code. */
	begin(1, (const char *const[]){ RETURN });
	run_badly("(W) mov (1|M0) r125.0<1>:ud 0x3040:ud\n"
		  "(W) add (1|M0) r2.0<1>:ud -ip<0;1,0>:ud r20.0<0;1,0>:ud\n"
		  "(W) add (1|M0) r2.0<1>:ud r2.0<0;1,0>:ud -48:d\n"
		  "(W) jmpi r2.0\n",
		"jumps back to 0x40, behind the end");
	/* Half of its channels are left behind. */
	begin(1, texts);
	run_badly("mov (8|M0) r3.0<1>:d 0:w\n" CALL("r20.0"),
		"was called with channels 0xff jumps back with 0xf");
}

struct body {
	void (*run)(void);
};

static void test(void **state)
{
	static const char *const devices[] = { "skl", "icl" };
	static const char *const targets[] = { "threaded,base", "stencil,base", "avx2", "stencil" };
	const struct body *body = *state;

	for (unsigned d = 0; d < sizeof devices / sizeof *devices; d++)
		for (unsigned k = 0; k < sizeof targets / sizeof *targets; k++) {
			device = gen_device_find(devices[d]);
			options = (struct eu_options){ .target = eu_target_parse(targets[k]) };
			body->run();
		}
	drop();
}

#define TEST(f)                                                                                    \
	{                                                                                          \
		.name = #f, .test_func = test, .initial_state = &(struct body)                     \
		{                                                                                  \
			f                                                                          \
		}                                                                                  \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(functions_come_back),
		TEST(all_channels_go_along),
		TEST(functions_call_themselves),
		TEST(tables_are_of_the_kernel),
		TEST(loops_yield),
		TEST(jumps_that_are_not_taken_do_nothing),
		TEST(wild_jumps_are_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
