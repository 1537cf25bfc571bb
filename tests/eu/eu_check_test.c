// SPDX-License-Identifier: MIT
/* What ZEROCL_VGPU_CHECK reports of kernels, through Intel's driver; and what ends endless ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cs/intel_bench.h"

enum { ITEMS = 64 };

static struct intel intel;
static const char *log_path;

static int open_intel(void **state)
{
	const char *text;

	(void)state;
	log_path = getenv("ZEROCL_LOG_FILE");
	if (!log_path || !getenv("ZEROCL_VGPU_CHECK"))
		return -1;
	intel_open(&intel);
	text = intel_read("faulty.cl");
	intel_build_texts(&intel, 1, &text, "-cl-std=CL3.0");
	free((void *)(uintptr_t)text);
	return 0;
}

static int close_intel(void **state)
{
	(void)state;
	intel_close(&intel);
	return 0;
}

/* Runs a kernel over 64 items in one group: 64 bytes in, 64 dwords out. Returns the new log. */
static const char *log_of(const char *kernel, cl_int expected)
{
	static char log[1 << 16];
	static uint8_t in[ITEMS];
	static uint32_t out[ITEMS];

	for (unsigned i = 0; i < ITEMS; i++)
		in[i] = (uint8_t)i;
	memset(out, 0, sizeof out);
	assert_int_equal(truncate(log_path, 0), 0);
	assert_int_equal(
		INTEL_RUN(&intel, kernel, ITEMS, ITEMS, BUFFER(in), BUFFER(out)), expected);
	FILE *file = fopen(log_path, "r");
	assert_non_null(file);
	log[fread(log, 1, sizeof log - 1, file)] = 0;
	fclose(file);
	return log;
}

static void assert_has(const char *log, const char *word)
{
	if (!strstr(log, word))
		fail_msg("no \"%s\" in:\n%s", word, log);
}

static void good_kernels_are_not_reported(void **state)
{
	(void)state;
	assert_string_equal(log_of("good", 0), "");
}

static void bounds_are_reported(void **state)
{
	const char *log = log_of("reads_beyond", 0);

	(void)state;
	/* Bytes 50 to 63 are there. */
	assert_null(strstr(log, "channel 13, bytes 63 "));
	assert_has(log, "channel 14, bytes 64 to 64 of the 64 of buffer 0");
	assert_has(log, "instruction at 0x");
	assert_has(log, "group (0, 0, 0), thread 0");
	log = log_of("writes_beyond", 0);
	assert_null(strstr(log, "channel 3, bytes 252 "));
	assert_has(log, "channel 4, bytes 256 to 259 of the 256 of buffer 1");
}

static void local_bounds_are_reported(void **state)
{
	const char *log = log_of("local_beyond", 0);

	(void)state;
	/* The thread that came to the barrier last goes on first. */
	assert_has(log, "thread 3, instruction");
	assert_has(log, "channel 0, bytes 3072 to 3075 of 1024 of local memory");
}

static void absent_items_are_reported(void **state)
{
	(void)state;
	assert_has(log_of("parts_at_barrier", 0),
		"barrier: channels 0x00005555 do not reach it with the others");
}

static void misaligned_blocks_are_reported(void **state)
{
	(void)state;
	assert_has(log_of("misaligned_block", 0), "is not a multiple of 16");
}

/* Last: the driver takes the device for lost from here on. */
static void hanging_kernels_are_ended(void **state)
{
	(void)state;
	setenv("ZEROCL_VGPU_HANG_MS", "300", 1);
	assert_has(log_of("endless", CL_OUT_OF_RESOURCES), "runs for more than 300 ms");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_kernels_are_not_reported),
		cmocka_unit_test(bounds_are_reported),
		cmocka_unit_test(local_bounds_are_reported),
		cmocka_unit_test(absent_items_are_reported),
		cmocka_unit_test(misaligned_blocks_are_reported),
		cmocka_unit_test(hanging_kernels_are_ended),
	};

	return cmocka_run_group_tests(tests, open_intel, close_intel);
}
