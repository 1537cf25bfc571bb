// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "drm/schedule/drm_fault.h"

/* Kernels that really run: turns of contexts, and memory that goes away meanwhile. */

enum { SIZE = 65536, DESCRIPTOR = 0x800, BATCH = 0x1000, PAGE = 4096 };

#define DATA UINT64_C(0x10000000)
#define USER UINT64_C(0x20000000)
#define CODE UINT64_C(0x30000000) /* of context n: CODE + n * SIZE */

/* Kernels, a descriptor and a batch in one object at CODE. */
struct code {
	uint32_t handle;
	uint64_t address;
	uint8_t *host;
};

static struct bench bench;
static uint32_t data;
static uint32_t *numbers;

static int setup(void **state)
{
	bench.device = drm_device_create(gen_device_find(NULL), &i915_front, false);
	assert_non_null(bench.device);
	assert_int_equal(drm_file_open(bench.device, &bench.file), 0);
	data = bench_buffer(bench.file, SIZE);
	numbers = bench_map(bench.file, data, SIZE);
	*state = &bench;
	return 0;
}

static int teardown(void **state)
{
	munmap(numbers, SIZE);
	return bench_teardown(state);
}

/* Stores 1 at `mine`, again and again until the dword at `theirs` is not 0. */
static void assemble(uint8_t *out, uint64_t mine, uint64_t theirs)
{
	static const char text[] =
		"(W) mov (8|M0) r10.0<1>:ud 0x0:ud\n(W) mov (8|M0) r12.0<1>:ud 0x0:ud\n"
		"(W) mov (1|M0) r10.0<1>:ud 0x%x:ud\n(W) mov (1|M0) r12.0<1>:ud 0x%x:ud\n"
		"(W) mov (8|M0) r11.0<1>:ud 0x1:ud\n"
		"LOOP:\n"
		"(W) send.dc1 (8|M0) null r10 r11 0x40 0x020D40FF\n"
		"(W) send.dc1 (8|M0) r13 r12 null 0x0 0x021D00FF\n"
		"(W) cmp (1|M0) (eq)f0.0 null<1>:ud r13.0<0;1,0>:ud 0x0:ud\n"
		"(W&f0.0) jmpi LOOP\n"
		"(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"
		"(W) send.ts (8|M0) null r127 null 0x10000000 0x02000010 {EOT}\n";
	char whole[1024];

	snprintf(whole, sizeof whole, text, (unsigned)mine, (unsigned)theirs);
	bench_assemble(whole, out, DESCRIPTOR);
}

/* A batch that runs one thread of the kernel above, then stores 5 at `tag`. */
static struct code make_code(unsigned number, uint64_t mine, uint64_t theirs, uint64_t tag)
{
	static const uint32_t descriptor[8] = { [6] = 1 };
	struct code code = { .handle = bench_buffer(bench.file, SIZE),
		.address = CODE + (uint64_t)number * SIZE };

	code.host = (uint8_t *)bench_map(bench.file, code.handle, SIZE);
	assemble(code.host, mine, theirs);
	memcpy(code.host + DESCRIPTOR, descriptor, sizeof descriptor);
	uint32_t *at = bench_walker((uint32_t *)(code.host + BATCH), code.address, DESCRIPTOR, 1);
	bench_end(bench_store(at, tag, 5));
	return code;
}

/* Runs the batch at BATCH with DATA and, if not 0, an object at USER. */
static int run(const struct code *code, uint32_t context, uint32_t user)
{
	struct drm_i915_gem_exec_object2 list[] = { PINNED(data, DATA), PINNED(user, USER),
		PINNED(code->handle, code->address) };
	unsigned first = user ? 0 : 1;
	struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)(list + first),
		.buffer_count = 3 - first,
		.batch_start_offset = BATCH,
		.rsvd1 = context };

	if (!user)
		list[1] = list[0];
	return CALL(bench.file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec);
}

static void wait_for(const uint32_t *number, uint32_t value)
{
	while (__atomic_load_n(number, __ATOMIC_ACQUIRE) != value)
		usleep(1000);
}

/* The kernel of each context waits for the next one's. */
static void contexts_take_turns(void **state)
{
	enum { CONTEXTS = 3 };
	struct code codes[CONTEXTS];

	(void)state;
	for (unsigned i = 0; i < CONTEXTS; i++) {
		codes[i] = make_code(
			i, DATA + 256 * i, DATA + 256 * ((i + 1) % CONTEXTS), DATA + 256 * i + 128);
		assert_int_equal(run(&codes[i], bench_context(bench.file), 0), 0);
	}
	assert_int_equal(bench_wait(bench.file, data, -1), 0);
	for (unsigned i = 0; i < CONTEXTS; i++) {
		assert_int_equal(numbers[64 * i], 1);
		assert_int_equal(numbers[64 * i + 32], 5);
		munmap(codes[i].host, SIZE);
	}
}

static uint32_t user_object(void *host)
{
	struct drm_i915_gem_userptr user = { .user_ptr = (uintptr_t)host, .user_size = SIZE };

	assert_int_equal(CALL(bench.file, DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
	return user.handle;
}

/* The test library has set handlers, which come first. */
static void reset_handlers(void)
{
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
}

static void expect_lost(uint32_t context, const char *word)
{
	char report[2048];

	assert_int_equal(bench_wait(bench.file, data, -1), 0);
	assert_int_equal(bench_stats(bench.file, context).batch_active, 1);
	assert_true(drm_fault_take(bench.device, report, sizeof report) > 0);
	if (!strstr(report, word) || !strstr(report, "0x000020000000"))
		fail_msg("%s", report);
	/* The device works as before. */
	assert_int_equal(bench_stats(bench.file, context).batch_active, 0);
}

/* An application that unmaps what a kernel, or a packet, uses. */
static void memory_that_is_unmapped(void **state)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	uint32_t context = bench_context(bench.file);
	uint32_t *host = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
	struct code code = make_code(0, USER, DATA, DATA + 128);

	(void)state;
	reset_handlers();
	assert_int_equal(run(&code, context, user_object(host)), 0);
	wait_for(host, 1);
	munmap(host, SIZE);
	expect_lost(context, "unmapped");

	host = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
	uint32_t *at = (uint32_t *)(code.host + BATCH);
	at = bench_semaphore(bench_store(at, DATA + 64, 3), DATA + 4, 1);
	bench_end(bench_store(at, USER, 4));
	assert_int_equal(run(&code, context, user_object(host)), 0);
	wait_for(numbers + 16, 3);
	munmap(host, SIZE);
	numbers[1] = 1;
	expect_lost(context, "unmapped");
	munmap(code.host, SIZE);
}

static void files_that_are_truncated(void **state)
{
	uint32_t context = bench_context(bench.file);
	FILE *file = tmpfile();
	struct code code = make_code(0, USER, DATA, DATA + 128);

	(void)state;
	reset_handlers();
	assert_non_null(file);
	assert_int_equal(ftruncate(fileno(file), SIZE), 0);
	uint32_t *host = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
	assert_int_equal(run(&code, context, user_object(host)), 0);
	wait_for(host, 1);
	assert_int_equal(ftruncate(fileno(file), 0), 0);
	expect_lost(context, "taken away");
	munmap(host, SIZE);
	fclose(file);
	munmap(code.host, SIZE);
}

/* An application that protects memory and has a handler that opens it again, slowly. */
static struct {
	void *page;
	volatile sig_atomic_t entered, left;
} barrier;

static void open_page(int signal, siginfo_t *info, void *context)
{
	const struct timespec long_time = { .tv_sec = 3 };

	(void)signal, (void)context;
	assert_ptr_equal(info->si_addr, barrier.page);
	barrier.entered = 1;
	nanosleep(&long_time, NULL);
	barrier.left = 1;
	mprotect(barrier.page, PAGE, PROT_READ | PROT_WRITE);
}

static void the_end_of_a_context_waits_for_the_engine(void **state)
{
	struct sigaction action = { .sa_sigaction = open_page, .sa_flags = SA_SIGINFO }, before;
	uint32_t context = bench_context(bench.file);
	struct drm_i915_gem_context_param param = { .ctx_id = context,
		.param = I915_CONTEXT_PARAM_PERSISTENCE };
	struct code code = make_code(0, USER, DATA, DATA + 128);
	uint32_t *host =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	barrier.page = host;
	barrier.entered = barrier.left = 0;
	assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
	assert_int_equal(CALL(bench.file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), 0);
	uint32_t *at = (uint32_t *)(code.host + BATCH);
	bench_end(bench_store(bench_semaphore(at, DATA + 4, 1), USER, 4));
	assert_int_equal(run(&code, context, user_object(host)), 0);
	mprotect(host, PAGE, PROT_NONE);
	__atomic_store_n(&numbers[1], 1, __ATOMIC_RELEASE);
	while (!barrier.entered)
		usleep(1000);
	assert_int_equal(bench_destroy(bench.file, context), 0);
	/* Nothing of the context uses the memory any more. */
	assert_int_equal(barrier.left, 1);
	assert_int_equal(host[0], 4);
	munmap(host, SIZE);
	sigaction(SIGSEGV, &before, NULL);
	munmap(code.host, SIZE);
}

/* When the process is about to end, waiting works, but no kernel is started. */
static void no_kernel_starts_at_the_end(void **state)
{
	struct code code = make_code(0, DATA, DATA + 4, DATA + 128);

	(void)state;
	numbers[1] = 1;
	assert_int_equal(run(&code, 0, 0), 0);
	assert_int_equal(bench_wait(bench.file, data, -1), 0);
	assert_int_equal(numbers[0], 1);
	assert_int_equal(numbers[32], 5);
	memset(numbers, 0, SIZE);
	drm_device_quiesce(bench.device, 0);
	assert_int_equal(run(&code, 0, 0), 0);
	assert_int_equal(bench_wait(bench.file, data, -1), 0);
	assert_int_equal(numbers[0], 0);
	assert_int_equal(numbers[32], 5);
	munmap(code.host, SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(contexts_take_turns, setup, teardown),
		cmocka_unit_test_setup_teardown(memory_that_is_unmapped, setup, teardown),
		cmocka_unit_test_setup_teardown(files_that_are_truncated, setup, teardown),
		cmocka_unit_test_setup_teardown(
			the_end_of_a_context_waits_for_the_engine, setup, teardown),
		cmocka_unit_test_setup_teardown(no_kernel_starts_at_the_end, setup, teardown),
	};

	return cmocka_run_group_tests_name("i915_walker", tests, NULL, NULL);
}
