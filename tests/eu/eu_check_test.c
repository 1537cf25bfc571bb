// SPDX-License-Identifier: MIT
/* What ZEROCL_VGPU_CHECK reports of kernels, through Intel's driver; and what ends endless ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cs/intel_group.h"

enum { ITEMS = 64 };

static const char *log_path;

static int begin_group(void **state)
{
	log_path = getenv("ZEROCL_LOG_FILE");
	if (!log_path || !getenv("ZEROCL_VGPU_CHECK"))
		return -1;
	intel_begin(state);
	intel_build_file(&intel, "faulty.cl", "-cl-std=CL3.0");
	return 0;
}

/* The log since it was last looked at. */
static const char *new_log(void)
{
	static char log[1 << 16];
	FILE *file = fopen(log_path, "r");

	assert_non_null(file);
	log[fread(log, 1, sizeof log - 1, file)] = 0;
	fclose(file);
	assert_int_equal(truncate(log_path, 0), 0);
	return log;
}

/* Runs a kernel over 64 items in one group: 64 bytes in, 64 dwords out. Returns the new log. */
static const char *log_of(const char *kernel, cl_int expected)
{
	static uint8_t in[ITEMS];
	static uint32_t out[ITEMS];

	for (unsigned i = 0; i < ITEMS; i++)
		in[i] = (uint8_t)i;
	memset(out, 0, sizeof out);
	new_log();
	assert_int_equal(
		INTEL_RUN(&intel, kernel, ITEMS, ITEMS, BUFFER(in), BUFFER(out)), expected);
	return new_log();
}

/* Runs a kernel over a buffer of 16 pages that has no contents. */
static const char *log_of_empty_buffer(const char *name)
{
	cl_int error;
	cl_kernel kernel = clCreateKernel(intel.program, name, &error);
	cl_mem buffers[2];

	assert_int_equal(error, 0);
	for (cl_uint i = 0; i < 2; i++) {
		buffers[i] = clCreateBuffer(intel.context, CL_MEM_READ_WRITE, 65536, NULL, &error);
		assert_int_equal(error, 0);
		assert_int_equal(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), 0);
	}
	new_log();
	assert_int_equal(clEnqueueNDRangeKernel(intel.queue, kernel, 1, NULL, RANGE(ITEMS),
				 RANGE(ITEMS), 0, NULL, NULL),
		0);
	assert_int_equal(clFinish(intel.queue), 0);
	for (unsigned i = 0; i < 2; i++)
		clReleaseMemObject(buffers[i]);
	clReleaseKernel(kernel);
	return new_log();
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
	assert_string_equal(log_of("good_shuffles", 0), "");
	assert_string_equal(log_of_empty_buffer("reads_written"), "");
}

static void bounds_are_reported(void **state)
{
	const char *log = log_of("reads_beyond", 0);

	(void)state;
	/* Bytes 50 to 63 are there. The compiler numbers the buffers. */
	assert_null(strstr(log, "channel 13, bytes 63 "));
	assert_has(log, "channel 14, bytes 64 to 64 of the 64 of buffer ");
	assert_has(log, "instruction at 0x");
	assert_has(log, "group (0, 0, 0), thread 0");
	log = log_of("writes_beyond", 0);
	assert_null(strstr(log, "channel 3, bytes 252 "));
	assert_has(log, "channel 4, bytes 256 to 259 of the 256 of buffer ");
	assert_has(log, "work-item (4, 0, 0) of it");
	/* By address: the driver has bound the whole page. */
	log = log_of("beyond_by_address", 0);
	assert_has(log, "channel 15, bytes 256 to 259 of the 256 of the buffer at 0x");
	assert_has(log, "thread 3, work-item (63, 0, 0) of it");
}

static void unwritten_memory_is_reported(void **state)
{
	const char *log = log_of("local_unwritten", 0);

	(void)state;
	assert_has(
		log, "channel 10 reads byte 148 of local memory, which no work-item has written");
	assert_has(log, "work-item (26, 0, 0) of it");
	assert_has(log_of_empty_buffer("reads_unwritten"), "in a page that nobody has written");
}

static void absent_sources_are_reported(void **state)
{
	(void)state;
	assert_has(log_of("shuffles_absent", 0),
		"shuffle: channel 1 reads from channel 6, which is not active");
}

static void local_bounds_are_reported(void **state)
{
	const char *log = log_of("local_beyond", 0);

	(void)state;
	/* The thread that came to the barrier last goes on first. */
	assert_has(log, "thread 3, work-item (48, 0, 0) of it, instruction");
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
	/* Its message cannot say that any more: the address was divided by 16. */
	assert_has(log_of("misaligned_offset", 0), "block write at byte 0xc of a buffer");
	/* Reads need dwords only. */
	assert_has(log_of("misaligned_read", 0), "is not a multiple of 4");
	assert_has(log_of("misaligned_read_offset", 0), "3 is not a multiple of 4");
	assert_string_equal(log_of("aligned_reads", 0), "");
}

/* Last: the driver takes the device for lost from here on. */
static void hanging_kernels_are_ended(void **state)
{
	(void)state;
	intel_setenv("ZEROCL_VGPU_HANG_MS", "300");
	assert_has(log_of("endless", CL_OUT_OF_RESOURCES), "runs for more than 300 ms");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_kernels_are_not_reported),
		cmocka_unit_test(bounds_are_reported),
		cmocka_unit_test(local_bounds_are_reported),
		cmocka_unit_test(absent_items_are_reported),
		cmocka_unit_test(unwritten_memory_is_reported),
		cmocka_unit_test(absent_sources_are_reported),
		cmocka_unit_test(misaligned_blocks_are_reported),
		cmocka_unit_test(hanging_kernels_are_ended),
	};

	return INTEL_RUN_TESTS(tests, begin_group);
}
