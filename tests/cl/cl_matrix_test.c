// SPDX-License-Identifier: MIT
/*
 * cl_intel_subgroup_matrix_multiply_accumulate and its split form: every function, against three
 * loops over matrices of numbers. Each kernel multiplies several times, so that of two sub-groups
 * that share a matrix one comes to the next product while the other still has this one to do.
 */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdio.h>
#include <string.h>

enum { ITEMS = 64, LANES = 8, ROUNDS = 3, MOST_ROWS = 8 };

/* An element: its name, width, and kind: 'u', 's', 'h' half, 'b' bfloat16. */
struct element {
	const char *name;
	unsigned bits;
	char kind;
};

static const struct element u8 = { "u8", 8, 'u' }, i8 = { "i8", 8, 's' }, u4 = { "u4", 4, 'u' },
			    i4 = { "i4", 4, 's' }, f16 = { "f16", 16, 'h' },
			    bf16 = { "bf16", 16, 'b' };

static const struct {
	const struct element *a, *b;
	unsigned steps; /* K */
	bool splits;	/* has a split form too */
} rows[] = {
	{ &i8, &i8, 32, true },
	{ &i8, &u8, 32, true },
	{ &u8, &i8, 32, true },
	{ &u8, &u8, 32, true },
	{ &i4, &i4, 64, false },
	{ &i4, &u4, 64, false },
	{ &u4, &i4, 64, false },
	{ &u4, &u4, 64, false },
	{ &f16, &f16, 16, true },
	{ &bf16, &bf16, 16, true },
};

static uint64_t seed = 5;
static uint32_t a[ROUNDS][ITEMS][MOST_ROWS], b[ROUNDS][ITEMS][LANES], c[ITEMS][MOST_ROWS],
	got[ITEMS][MOST_ROWS];

/* Random elements; of floats small integers, whose sums are exact. */
static void fill(uint32_t *words, size_t count, const struct element *element)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t bits = (uint32_t)(test_random(&seed) >> 32);

		words[i] = bits;
		if (element->bits < 16)
			continue;
		words[i] = 0;
		for (unsigned half = 0; half < 2; half++, bits >>= 16) {
			uint32_t sign = (bits & 1) << 15, power = bits >> 1 & 3;
			uint32_t value = element->kind == 'h'
						 ? (15 + power) << 10 | (bits & 8) << 6
						 : (127 + power) << 7 | (bits & 8) << 3;

			words[i] |= (sign | value) << 16 * half;
		}
	}
}

/* Element k of packed ones. */
static int32_t number(const uint32_t *words, unsigned k, const struct element *element)
{
	unsigned at = k * element->bits;
	uint32_t bits = words[at / 32] >> at % 32 & (UINT32_MAX >> (32 - element->bits));

	if (element->kind == 'u')
		return (int32_t)bits;
	if (element->kind == 's')
		return (int32_t)(bits << (32 - element->bits)) >> (32 - element->bits);
	unsigned fraction = element->kind == 'h' ? 10 : 7, one = element->kind == 'h' ? 15 : 127;
	uint32_t significand = (bits & ((1u << fraction) - 1)) | 1u << fraction;
	int32_t value = (int32_t)((significand << ((bits >> fraction & 31) - (one & 31))) * 2 >>
				  fraction); /* halves count 1 */

	return bits >> 15 ? -value : value;
}

/* Row m of a: element k is with item k / per of the sub-group, or of that which has the row. */
static int32_t left(unsigned round, unsigned item, unsigned m, unsigned k, unsigned shared,
	const struct element *element)
{
	unsigned per = 32 / element->bits, group = item / LANES;

	if (shared) {
		group = (group & ~1u) | m / shared;
		m %= shared;
	}
	return number(&a[round][group * LANES + k / per][m], k % per, element);
}

static void check(size_t row, unsigned m_count, bool split)
{
	const struct element *p = rows[row].a, *q = rows[row].b;
	bool is_float = p->bits == 16;
	unsigned shared = split ? m_count / 2 : 0;

	for (unsigned item = 0; item < ITEMS; item++)
		for (unsigned m = 0; m < m_count; m++) {
			int64_t sum = (int32_t)c[item][m];
			for (unsigned i = 0; i < ROUNDS * rows[row].steps; i++) {
				unsigned round = i / rows[row].steps, k = i % rows[row].steps;
				sum += (int64_t)left(round, item, m, k, shared, p) *
				       number(b[round][item], k, q);
			}
			uint32_t want = (uint32_t)sum;
			if (is_float) { /* both factors count halves */
				float value = (float)(sum - (int32_t)c[item][m]) / 4 +
					      (float)(int32_t)c[item][m];
				memcpy(&want, &value, 4);
			}
			if (got[item][m] != want)
				fail_msg("%s_%s%s, %u rows: item %u, row %u: 0x%x, not 0x%x",
					p->name, q->name, split ? "_split" : "", m_count, item, m,
					got[item][m], want);
		}
}

static void vector(char *text, size_t size, const char *type, unsigned width)
{
	snprintf(text, size, width > 1 ? "%s%u" : "%s", type, width);
}

static void run(size_t row, unsigned m_count, bool split)
{
	const struct element *p = rows[row].a, *q = rows[row].b;
	bool is_float = p->bits == 16;
	unsigned width = split ? m_count / 2 : m_count;
	char source[1024], left_type[16], sum_type[16], option[64];

	vector(left_type, sizeof left_type, p->kind == 'u' ? "uint" : "int", width);
	vector(sum_type, sizeof sum_type, is_float ? "float" : "int", m_count);
	snprintf(source, sizeof source,
		"__attribute__((intel_reqd_sub_group_size(8), reqd_work_group_size(16, 1, 1)))\n"
		"kernel void k(global const uint *a, global const uint *b, global uint *c) {\n"
		"	size_t i = get_global_id(0);\n"
		"	global %s *sums = (global %s *)(c + 8 * i);\n"
		"	%s sum = *sums;\n"
		"	for (uint r = 0; r < ROUNDS; r++, a += 64 * 8, b += 64 * 8)\n"
		"		sum = intel_sub_group_%s_%s%s_matrix_mad_k%u(\n"
		"			*(global const %s *)(a + 8 * i),\n"
		"			*(global const %sint8 *)(b + 8 * i), sum);\n"
		"	*sums = sum;\n"
		"}\n",
		sum_type, sum_type, sum_type, p->name, q->name, split ? "_split" : "",
		rows[row].steps, left_type, q->kind == 'u' ? "u" : "");
	snprintf(option, sizeof option, "-DROUNDS=%u", ROUNDS);
	fill(a[0][0], sizeof a / 4, p);
	fill(b[0][0], sizeof b / 4, q);
	for (unsigned i = 0; i < sizeof c / 4; i++)
		c[i / MOST_ROWS][i % MOST_ROWS] = (uint32_t)(test_random(&seed) >> 55) - 256;
	memcpy(got, c, sizeof got);
	for (unsigned i = 0; is_float && i < sizeof c / 4; i++) {
		float value = (float)(int32_t)c[i / MOST_ROWS][i % MOST_ROWS];
		memcpy(&got[i / MOST_ROWS][i % MOST_ROWS], &value, 4);
	}
	cl_kernel kernel = cl_make_kernel(source, option, "k");
	cl_mem buffers[3] = { cl_make_buffer(sizeof a, a), cl_make_buffer(sizeof b, b),
		cl_make_buffer(sizeof got, got) };
	for (cl_uint i = 0; i < 3; i++)
		cl_set_buffer(kernel, i, buffers[i]);
	cl_launch(kernel, ITEMS, 2 * LANES);
	memset(got, 0xee, sizeof got);
	cl_read(buffers[2], sizeof got, got);
	for (cl_uint i = 0; i < 3; i++)
		CL(clReleaseMemObject(buffers[i]));
	cl_kernel_done(kernel);
	check(row, m_count, split);
}

static void test_products(void **state)
{
	(void)state;
	if (!cl_has("cl_intel_subgroup_matrix_multiply_accumulate"))
		skip_because("no matrices of sub-groups");
	for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
		for (unsigned m_count = 1; m_count <= MOST_ROWS; m_count *= 2)
			run(row, m_count, false);
}

static void test_split_products(void **state)
{
	(void)state;
	if (!cl_has("cl_intel_subgroup_split_matrix_multiply_accumulate"))
		skip_because("no matrices that sub-groups share");
	for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
		for (unsigned m_count = 2; rows[row].splits && m_count <= MOST_ROWS; m_count *= 2)
			run(row, m_count, true);
}

/* The only sub-group of its group has nobody to share rows with. */
static void test_alone(void **state)
{
	static const char source[] = "__attribute__((intel_reqd_sub_group_size(8)))\n"
				     "kernel void k(global int *a)\n"
				     "{ a[0] = intel_sub_group_i8_i8_split_matrix_mad_k32(a[0], "
				     "(int8)(1), (int2)(0)).x; }\n";
	const size_t size = LANES;
	cl_event event;
	cl_int status;

	(void)state;
	if (!cl.ours || !cl_has("cl_intel_subgroup_split_matrix_multiply_accumulate"))
		skip_because("no matrices that sub-groups share, or another driver");
	cl_kernel kernel = cl_make_kernel(source, "", "k");
	cl_mem buffer = cl_make_buffer(64, NULL);
	cl_set_buffer(kernel, 0, buffer);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &size, &size, 0, NULL, &event));
	assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	assert_true(status < 0);
	CL(clReleaseEvent(event));
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_products),
		cmocka_unit_test(test_split_products),
		cmocka_unit_test(test_alone),
	};

	return CL_RUN(argc, argv, tests);
}
