// SPDX-License-Identifier: MIT
/*
 * The counts of ZEROCL_VGPU_PROFILE for the kernels of profile.cl, on ZeroCL, against what follows
 * from their source: each work-item's accesses, sub-group by sub-group.
 */
#include "cl/cl_case.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test_files.h"

enum { ELEMENTS = 1 << 16, WIDTH = 16, HALF = 8, LINE = 64, BANKS = 16 };
enum { EXECUTIONS = 1, LANES, SPLIT, BYTES, LINES, CONFLICTS, CONTENDED, SCRATCH };

static const char *path;
static char source[1 << 14];
static int numbers[ELEMENTS];

/* Builds a kernel of profile.cl alone: only then the compiler describes the lines of all code. */
static cl_program build(const char *name)
{
	char mark[80];
	size_t size;
	char *text = test_read_file(PROF_FOLDER "/profile.cl", &size);

	text = realloc(text, size + 1);
	assert_non_null(text);
	text[size] = 0;
	snprintf(mark, sizeof mark, "SIMD16 kernel void %s(", name);
	const char *kernel = strstr(text, mark), *first = strstr(text, "SIMD16 kernel void ");
	assert_non_null(kernel);
	size_t length = (size_t)(strstr(kernel, "\n}\n") + 3 - kernel);
	snprintf(source, sizeof source, "%.*s%.*s", (int)(first - text), text, (int)length, kernel);
	free(text);
	for (int i = 0; i < ELEMENTS; i++)
		numbers[i] = i * 37;
	return cl_build(source, "");
}

/* ---- what the device has counted ---- */

/* The kernel, its counts before the launch that is looked at (or NULL), and after it. */
static struct {
	json_t *kernel, *before, *counts;
} seen;

static void keep(json_t **to, json_t *row)
{
	json_decref(*to);
	*to = json_incref(row);
}

/* Reads the kernel of that name, and its counts for groups of so many threads. */
static void look(const char *name, unsigned threads)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	json_int_t number = 0;

	keep(&seen.kernel, NULL);
	keep(&seen.counts, NULL);
	assert_non_null(file);
	while (getline(&line, &size, file) >= 0) {
		json_t *row = json_loads(line, 0, NULL);
		const char *own = json_string_value(json_object_get(row, "name"));
		assert_non_null(row);
		if (own && !strcmp(own, name)) {
			number = json_integer_value(json_object_get(row, "kernel"));
			keep(&seen.kernel, row);
		} else if (number && json_integer_value(json_object_get(row, "counts")) == number &&
			   json_integer_value(json_object_get(row, "group_threads")) == threads) {
			keep(&seen.counts, row);
		}
		json_decref(row);
	}
	free(line);
	fclose(file);
}

static uint64_t number_at(const json_t *row, size_t i)
{
	return (uint64_t)json_integer_value(json_array_get(row, i));
}

static const char *member(size_t instruction, const char *name)
{
	const json_t *all = json_object_get(seen.kernel, "instructions");
	const char *text =
		json_string_value(json_object_get(json_array_get(all, instruction), name));

	return text ? text : "";
}

/* What the launch has added to a number of an instruction. */
static uint64_t added(size_t instruction, size_t column)
{
	const json_t *after = json_object_get(seen.counts, "rows");
	const json_t *before = json_object_get(seen.before, "rows");

	return number_at(json_array_get(after, instruction), column) -
	       number_at(json_array_get(before, instruction), column);
}

/* What it has added to the launches (1), groups (2), threads (3) or work-items (4). */
static uint64_t added_total(size_t which)
{
	return number_at(json_object_get(seen.counts, "totals"), which) -
	       number_at(json_object_get(seen.before, "totals"), which);
}

static size_t count_instructions(void)
{
	return json_array_size(json_object_get(seen.kernel, "instructions"));
}

/*
 * Of all messages to a space whose name has a word in it ("" is any): a sum. Blocks are left out:
 * with them threads of Xe-HPG load their arguments.
 */
static uint64_t sum(const char *space, const char *word, size_t column)
{
	uint64_t all = 0;

	for (size_t i = 0; i < count_instructions(); i++)
		if (!strcmp(member(i, "space"), space) && strstr(member(i, "message"), word) &&
			(*space != 'g' || !strstr(member(i, "message"), "block")))
			all += added(i, column);
	return all;
}

static void launch_often(const char *name, size_t global, size_t local, int n, unsigned times)
{
	static const int zeros[ELEMENTS];
	unsigned threads = (unsigned)(local + WIDTH - 1) / WIDTH;

	look(name, threads);
	keep(&seen.before, seen.counts);
	cl_program program = build(name);
	cl_kernel kernel = cl_kernel_of(program, name);
	cl_mem a = cl_make_buffer(sizeof zeros, zeros), b = cl_make_buffer(sizeof numbers, numbers);
	cl_set_buffer(kernel, 0, a);
	cl_set_buffer(kernel, 1, b);
	cl_set_uint(kernel, 2, (cl_uint)n);
	for (unsigned i = 0; i < times; i++)
		cl_launch(kernel, global, local);
	CL(clFinish(cl.queue));
	clReleaseMemObject(a);
	clReleaseMemObject(b);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	look(name, threads);
	assert_non_null(seen.kernel);
	assert_non_null(seen.counts);
	/* A program that was built again is another kernel for the device. */
	if (json_integer_value(json_object_get(seen.before, "counts")) !=
		json_integer_value(json_object_get(seen.counts, "counts")))
		keep(&seen.before, NULL);
}

static void launch(const char *name, size_t global, size_t local, int n)
{
	launch_often(name, global, local, n, 1);
}

/* ---- what follows from the source ---- */

/* Lines of a buffer, which begins with one, that a sub-group's items touch at their offsets. */
static unsigned lines_of(const size_t *at, unsigned count, unsigned bytes)
{
	size_t lines[WIDTH * 8];
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++)
		for (unsigned byte = 0; byte < bytes; byte++) {
			size_t line = (at[i] + byte) / LINE;
			unsigned k = 0;
			while (k < n && lines[k] != line)
				k++;
			if (k == n)
				lines[n++] = line;
		}
	return n;
}

/* Cycles beyond the least, when each of a sub-group's items has a dword of its own. */
static unsigned conflicts_of(const size_t *at, unsigned count)
{
	unsigned banks[BANKS] = { 0 }, most = 0, distinct = 0;

	for (unsigned i = 0; i < count; i++) {
		unsigned k = 0;
		while (at[k] != at[i])
			k++;
		if (k < i)
			continue;
		distinct++;
		banks[at[i] / 4 % BANKS]++;
	}
	for (unsigned i = 0; i < BANKS; i++)
		most = banks[i] > most ? banks[i] : most;
	return most - (distinct + BANKS - 1) / BANKS;
}

typedef size_t where(size_t item, int n);

static size_t at_own(size_t item, int n)
{
	(void)n;
	return 4 * item;
}

static size_t at_stride(size_t item, int n)
{
	return 4 * item * (size_t)n;
}

static size_t at_gathered(size_t item, int n)
{
	(void)n;
	return 4 * ((item * 37) & 4095);
}

static size_t at_vector(size_t item, int n)
{
	(void)n;
	return 16 * item;
}

static size_t at_stored(size_t item, int n)
{
	return 4 * (item * (size_t)n & 4095);
}

static size_t at_loaded(size_t item, int n)
{
	return 4 * ((item ^ 5) * (size_t)n & 4095);
}

/* The dword of a byte. */
static size_t at_looked(size_t item, int n)
{
	return item * (size_t)n & 255 & ~(size_t)3;
}

/* Sums over the sub-groups of groups of `local` items. */
static unsigned sum_lines(size_t global, size_t local, where *place, int n, unsigned bytes)
{
	unsigned all = 0;

	for (size_t group = 0; group < global; group += local)
		for (size_t first = 0; first < local; first += WIDTH) {
			size_t at[WIDTH], count = 0;
			for (; count < WIDTH && first + count < local; count++)
				at[count] = place(group + first + count, n);
			all += lines_of(at, (unsigned)count, bytes);
		}
	return all;
}

static unsigned sum_conflicts(size_t global, size_t local, where *place, int n)
{
	unsigned all = 0;

	for (size_t first = 0; first < local; first += WIDTH) {
		size_t at[WIDTH];
		for (size_t i = 0; i < WIDTH; i++)
			at[i] = place(first + i, n);
		all += conflicts_of(at, WIDTH);
	}
	return all * (unsigned)(global / local);
}

/* ---- the tests ---- */

static void lines_and_bytes_of_strides(void **state)
{
	static const int strides[] = { 1, 2, 3, 16, 31 };

	(void)state;
	for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
		int n = strides[i];
		launch("strided", 1024, 64, n);
		assert_int_equal(sum("global", "read", BYTES), 4 * 1024);
		assert_int_equal(sum("global", "write", BYTES), 4 * 1024);
		assert_int_equal(
			sum("global", "read", LINES), sum_lines(1024, 64, at_stride, n, 4));
		assert_int_equal(sum("global", "write", LINES), 1024 * 4 / LINE);
		assert_int_equal(sum("global", "read", EXECUTIONS), 1024 / WIDTH);
		assert_int_equal(sum("global", "read", LANES), 1024);
	}
}

static void sub_groups_that_are_not_full(void **state)
{
	(void)state;
	launch("strided", 300, 100, 1);
	assert_int_equal(sum("global", "read", EXECUTIONS), 3 * 7);
	assert_int_equal(sum("global", "read", LANES), 300);
	assert_int_equal(sum("global", "read", BYTES), 1200);
	assert_int_equal(sum("global", "read", LINES), sum_lines(300, 100, at_own, 1, 4));
	assert_int_equal(added_total(1), 1);
	assert_int_equal(added_total(2), 3);
	assert_int_equal(added_total(3), 21);
	assert_int_equal(added_total(4), 300);
}

static void gathers_and_vectors(void **state)
{
	(void)state;
	launch("gathers", 2048, 128, 0);
	assert_int_equal(sum("global", "read", LINES),
		2048 * 4 / LINE + sum_lines(2048, 128, at_gathered, 0, 4));
	launch("vectors", 512, 64, 0);
	assert_int_equal(sum("global", "read", BYTES), 16 * 512);
	assert_int_equal(sum("global", "write", LINES), sum_lines(512, 64, at_vector, 0, 16));
}

/* Lanes that have parts of a line in common, two lines each, or lie far apart. */
static void vectors_that_overlap(void **state)
{
	static const int strides[] = { 0, 1, 2, 5, 13, 17, 40, 61 };

	(void)state;
	for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
		int n = strides[i];
		launch("overlaps", 1024, 64, n);
		assert_int_equal(sum("global", "read", BYTES), 12 * 1024);
		assert_int_equal(
			sum("global", "read", LINES), sum_lines(1024, 64, at_stride, n, 12));
	}
}

static void conflicts_of_bytes(void **state)
{
	static const int strides[] = { 0, 1, 5, 16, 37, 64, 68, 128 };

	(void)state;
	for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
		int n = strides[i];
		launch("looks", 256, 64, n);
		assert_int_equal(sum("local", "read", BYTES), 256);
		assert_int_equal(
			sum("local", "read", CONFLICTS), sum_conflicts(256, 64, at_looked, n));
	}
}

static void conflicts_of_banks(void **state)
{
	static const int strides[] = { 1, 2, 3, 8, 16, 17, 64 };

	(void)state;
	for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
		int n = strides[i];
		launch("banks", 256, 64, n);
		assert_int_equal(sum("local", "write", BYTES), 4 * 256);
		assert_int_equal(
			sum("local", "write", CONFLICTS), sum_conflicts(256, 64, at_stored, n));
		assert_int_equal(
			sum("local", "read", CONFLICTS), sum_conflicts(256, 64, at_loaded, n));
		assert_int_equal(sum("local", "", LINES), 0);
	}
}

static void contended_atomics(void **state)
{
	static const int buckets[] = { 1, 3, 16, 64 };

	(void)state;
	for (size_t i = 0; i < sizeof buckets / sizeof *buckets; i++) {
		/* Such messages have half of the sub-group's lanes. */
		unsigned distinct = (unsigned)buckets[i] < HALF ? (unsigned)buckets[i] : HALF;
		launch("contends", 256, 64, buckets[i]);
		assert_int_equal(sum("global", "atomic", LANES), 256);
		assert_int_equal(sum("global", "atomic", EXECUTIONS), 256 / HALF);
		assert_int_equal(
			sum("global", "atomic", CONTENDED), 256 / HALF * (HALF - distinct));
	}
}

static void lanes_of_a_loop(void **state)
{
	uint64_t rounds = 0, lanes = 0, most_rounds = 0, most_lanes = 0;
	unsigned line = 1;

	(void)state;
	for (size_t first = 0; first < 1024; first += WIDTH) {
		uint64_t longest = 0;
		for (size_t item = first; item < first + WIDTH; item++) {
			uint64_t turns = item * 37 % 7;
			lanes += turns;
			longest = turns > longest ? turns : longest;
		}
		rounds += longest;
	}
	launch("loops", 1024, 64, 3);
	const char *mark = strstr(source, "// the body");
	for (const char *at = source; at < mark; at++)
		line += *at == '\n';
	for (size_t i = 0; i < count_instructions(); i++) {
		const json_t *one = json_array_get(json_object_get(seen.kernel, "instructions"), i);
		if ((unsigned)json_integer_value(json_object_get(one, "line")) != line ||
			json_integer_value(json_object_get(one, "width")) != WIDTH)
			continue;
		uint64_t own = added(i, EXECUTIONS), own_lanes = added(i, LANES);
		most_rounds = own > most_rounds ? own : most_rounds;
		most_lanes = own_lanes > most_lanes ? own_lanes : most_lanes;
	}
	assert_int_equal(most_rounds, rounds);
	assert_int_equal(most_lanes, lanes);
}

static void spilled_registers(void **state)
{
	(void)state;
	launch("spills", 64, 64, 5);
	assert_true(sum("scratch", "", SCRATCH) + sum("global", "", SCRATCH) > 0);
	launch("strided", 64, 64, 1);
	assert_int_equal(sum("scratch", "", SCRATCH) + sum("global", "", SCRATCH), 0);
}

/* A kernel that is launched again goes on counting in its line. */
static void launches_add_up(void **state)
{
	(void)state;
	launch_often("strided", 256, 32, 1, 5);
	assert_int_equal(added_total(1), 5);
	assert_int_equal(sum("global", "read", BYTES), 5 * 4 * 256);
	assert_int_equal(sum("global", "read", EXECUTIONS), 5 * 256 / WIDTH);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_bytes_of_strides),
		cmocka_unit_test(sub_groups_that_are_not_full),
		cmocka_unit_test(gathers_and_vectors),
		cmocka_unit_test(vectors_that_overlap),
		cmocka_unit_test(conflicts_of_bytes),
		cmocka_unit_test(conflicts_of_banks),
		cmocka_unit_test(contended_atomics),
		cmocka_unit_test(lanes_of_a_loop),
		cmocka_unit_test(spilled_registers),
		cmocka_unit_test(launches_add_up),
	};

	path = getenv("ZEROCL_VGPU_PROFILE");
	if (!path)
		return 1;
	fclose(fopen(path, "w"));
	return cl_run(argc, argv, __FILE__, tests, sizeof tests / sizeof *tests);
}
