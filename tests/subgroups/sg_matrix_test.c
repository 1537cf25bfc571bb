// SPDX-License-Identifier: MIT
/*
 * sg_matrix_test PLATFORM [all | NAME]: every sub-group built-in with every type and vector width,
 * at every sub-group size, over work-groups whose last sub-group is whole and partial, compared
 * with a scalar model; and every call that the compiler must refuse. Without "all", the first cell
 * of each function and one in five of the rest; with NAME, the functions whose names contain it.
 */
#include "cl/cl_case.h"
#include "subgroups/sg_program.h"
#include "subgroups/sg_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH	 96
#define MESSAGES 16 /* the compiler gives up after twenty */

static const char *only; /* part of a function's name */
static bool all;

static struct {
	unsigned right, refused, wrong, functions;
} counts;

static bool is_chosen(const struct sg_cell *cell)
{
	static const struct sg_row *last;
	bool first = cell->row != last;

	last = cell->row;
	if (*cell->row->extension && !cl_has(cell->row->extension))
		return false;
	if (only)
		return strstr(cell->row->name, only);
	return all || first || cell->index % 5 == 0;
}

static void say(const struct sg_cell *cell, unsigned simd, const char *what)
{
	char function[80], type[16];

	sg_cell_function(cell, function, sizeof function);
	sg_cell_type(cell, type, sizeof type);
	printf("c%u %s(%s) %s, SIMD%u: %s\n", cell->index, function, type, cell->row->extension,
		simd, what);
}

/* Work-groups of whole sub-groups, and of some with a partial one at the end or alone. */
static void run_cell(const struct sg_cell *cell, cl_program program, unsigned simd)
{
	const unsigned whole[] = { 2 * simd, simd }, partial[] = { simd + simd / 2 + 1, 3 };
	const unsigned *const locals[] = { whole, partial };
	char why[512];

	for (unsigned fill = 0; fill < 2; fill++) {
		bool right = true;
		for (unsigned k = 0; k < 2 && right; k++) {
			uint64_t seed = (uint64_t)cell->index << 16 | simd << 8 | fill << 4 | k;
			right = sg_run(cell, program, simd, locals[fill][k], k ? 2 : 5, seed, why,
				sizeof why);
		}
		if (right)
			counts.right++;
		else
			counts.wrong++;
		if (!right)
			say(cell, simd, why);
	}
}

static void run_batch(const struct sg_cell *const *cells, size_t n, unsigned simd)
{
	char *source = sg_source(cells, n, simd), *log;
	cl_program program;

	if (sg_build(source, simd, SG_ALL_CALLS, &program, &log)) {
		if (getenv("SG_SOURCE"))
			puts(source);
		printf("SIMD%u:\n%.4000s\n", simd, log);
		counts.wrong += (unsigned)(2 * n);
	} else {
		for (size_t i = 0; i < n; i++)
			run_cell(cells[i], program, simd);
	}
	CL(clReleaseProgram(program));
	free(source);
	free(log);
}

static void run_simd(unsigned simd)
{
	size_t n, n_batch = 0;
	struct sg_cell *cells = sg_cells(&n);
	const struct sg_cell *batch[BATCH];

	for (size_t i = 0; i < n; i++) {
		enum sg_refusal refusal = cells[i].row->refusal;
		bool runs = refusal != SG_NOT_LINKED && (refusal != SG_NO_SIMD32 || simd != 32);
		if (is_chosen(&cells[i]) && runs)
			batch[n_batch++] = &cells[i];
		if (n_batch == BATCH || (n_batch && i == n - 1)) {
			run_batch(batch, n_batch, simd);
			n_batch = 0;
		}
	}
	free(cells);
}

/* Both cells of a refusal are counted: whole and partial. */
static void count_refusal(const struct sg_cell *cell, unsigned simd, bool refused)
{
	if (refused)
		counts.refused += 2;
	else
		counts.wrong += 2;
	if (!refused)
		say(cell, simd, "was not refused");
}

/* The back end names the kernel behind its message, or, a newer one, before it. */
static bool log_refuses_simd32(const struct sg_cell *cell, const char *log)
{
	static const char *const forms[] = { "not supported in SIMD32\nin kernel: 'c%u'",
		"in kernel 'c%u': Block reads not supported in SIMD32\n",
		"in kernel 'c%u': Block writes not supported in SIMD32\n",
		"in kernel 'c%u': SIMD Media Block Read not supported in SIMD32\n",
		"in kernel 'c%u': SIMD Media Block Write not supported in SIMD32\n" };
	char text[128];
	bool found = false;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		snprintf(text, sizeof text, forms[i], cell->index);
		found |= strstr(log, text) != NULL;
	}
	return found;
}

/* Whether the log says of the cell what it must. */
static bool log_refuses(const struct sg_cell *cell, const char *log)
{
	char text[128];

	if (cell->row->refusal == SG_NO_SIMD32)
		return log_refuses_simd32(cell, log);
	if (cell->row->refusal == SG_NOT_LINKED && cl.intel)
		snprintf(text, sizeof text, "kernel : c%u)", cell->index);
	else if (cell->row->refusal == SG_NOT_LINKED)
		snprintf(text, sizeof text, "undefined reference to '_Z%zu%s",
			strlen(cell->row->name), cell->row->name);
	else
		snprintf(text, sizeof text, "cells:%u:", 1 + 8 * cell->index);
	const char *at = strstr(log, text);
	if (!at || cell->row->refusal)
		return at;
	return !strncmp(at + strcspn(at, " "), " error:", 7);
}

/* Builds what must be refused and looks for a message about each. */
static void refuse_batch(const struct sg_cell *const *cells, size_t n, unsigned simd)
{
	char *source = sg_source(cells, n, simd), *log;
	cl_program program;
	cl_int rc = sg_build(source, simd, SG_ALL_CALLS, &program, &log);

	for (size_t i = 0; i < n; i++) {
		bool refused = rc && log_refuses(cells[i], log);
		count_refusal(cells[i], simd, refused);
	}
	CL(clReleaseProgram(program));
	free(source);
	free(log);
}

static void refuse(const struct sg_cell *cells, size_t n, enum sg_refusal refusal, unsigned simd)
{
	const struct sg_cell *batch[BATCH];
	size_t n_batch = 0, room = refusal ? BATCH : MESSAGES;

	for (size_t i = 0; i < n; i++) {
		if (cells[i].row->refusal == refusal && is_chosen(&cells[i]))
			batch[n_batch++] = &cells[i];
		if (n_batch == room || (n_batch && i == n - 1)) {
			refuse_batch(batch, n_batch, simd);
			n_batch = 0;
		}
	}
}

static void summary(void)
{
	printf("matrix: %u cells right, %u refused by the compiler as they must be, %u wrong\n",
		counts.right, counts.refused, counts.wrong);
	fflush(stdout);
}

static void test_simd(void **state)
{
	unsigned simd = *(unsigned *)*state;

	run_simd(simd);
	summary();
	assert_int_equal(counts.wrong, 0);
}

/* Blocks at SIMD32, by the back end; functions without a body at each size. */
static void test_late_refusals(void **state)
{
	size_t n;
	struct sg_cell *cells = sg_cells(&n);

	(void)state;
	refuse(cells, n, SG_NO_SIMD32, 32);
	for (unsigned simd = 8; simd <= 32; simd *= 2)
		refuse(cells, n, SG_NOT_LINKED, simd);
	free(cells);
	summary();
	assert_int_equal(counts.wrong, 0);
}

/* Types without an overload, by the front end: it sees no sub-group size, so that one is enough. */
static void test_type_refusals(void **state)
{
	size_t n;
	struct sg_cell *cells = sg_refused_cells(&n, cl_has("cl_khr_fp64"));

	(void)state;
	refuse(cells, n, SG_NOTHING, 16);
	free(cells);
	summary();
	assert_int_equal(counts.wrong, 0);
}

int main(int argc, char **argv)
{
	static unsigned simds[] = { 8, 16, 32 };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_simd, &simds[0]),
		cmocka_unit_test_prestate(test_simd, &simds[1]),
		cmocka_unit_test_prestate(test_simd, &simds[2]),
		cmocka_unit_test(test_late_refusals),
		cmocka_unit_test(test_type_refusals),
	};

	all = argc > 2 && !strcmp(argv[2], "all");
	only = argc > 2 && !all ? argv[2] : NULL;
	return CL_RUN(argc, argv, tests);
}
