// SPDX-License-Identifier: MIT
/* Kernels: ranges, offsets, local memory, arguments of every kind. */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

#define N 4096

static void fill_random(cl_uint *data, size_t n, uint64_t seed)
{
	test_random_bytes(&seed, data, n * sizeof *data);
}

static void test_vadd(void **state)
{
	static const char source[] = "kernel void vadd(global const uint *a, global const uint *b, "
				     "global uint *c, uint k)\n"
				     "{ size_t i = get_global_id(0); c[i] = a[i] + b[i] * k; }\n";
	static const size_t locals[] = { 0, 1, 7, 8, 16, 64, 256 };
	static cl_uint a[N], b[N], c[N];

	(void)state;
	fill_random(a, N, 1);
	fill_random(b, N, 2);
	memset(c, 0xee, sizeof c);
	cl_kernel kernel = cl_make_kernel(source, "", "vadd");
	cl_mem x = cl_make_buffer(sizeof a, a), y = cl_make_buffer(sizeof b, b);
	cl_mem z = cl_make_buffer(sizeof c, c);
	cl_set_buffer(kernel, 0, x);
	cl_set_buffer(kernel, 1, y);
	cl_set_buffer(kernel, 2, z);
	for (size_t t = 0; t < sizeof locals / sizeof *locals; t++) {
		size_t n = locals[t] ? (N - 64) / locals[t] * locals[t] : N - 61;

		CL(clEnqueueWriteBuffer(cl.queue, z, CL_TRUE, 0, sizeof c, c, 0, NULL, NULL));
		cl_set_uint(kernel, 3, 3 + (cl_uint)t);
		cl_launch(kernel, n, locals[t]);
		cl_uint *got = malloc(sizeof c);
		cl_read(z, sizeof c, got);
		for (size_t i = 0; i < N; i++)
			assert_int_equal(
				got[i], i < n ? a[i] + b[i] * (3 + (cl_uint)t) : 0xeeeeeeeeu);
		free(got);
	}
	clReleaseMemObject(x);
	clReleaseMemObject(y);
	clReleaseMemObject(z);
	cl_kernel_done(kernel);
}

/* Every work-item writes what it sees; dimensions, offsets and groups are all different. */
static void test_ids(void **state)
{
	static const char source[] =
		"kernel void ids(global ulong *o)\n"
		"{ size_t x = get_global_id(0) - get_global_offset(0);\n"
		"  size_t y = get_global_id(1) - get_global_offset(1);\n"
		"  size_t z = get_global_id(2) - get_global_offset(2);\n"
		"  size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;\n"
		"  ulong v = get_global_id(0);\n"
		"  v = v * 1000 + get_global_id(1); v = v * 1000 + get_global_id(2);\n"
		"  v = v * 10 + get_local_id(0); v = v * 10 + get_local_id(1);\n"
		"  v = v * 10 + get_local_id(2);\n"
		"  v = v * 10 + get_group_id(0); v = v * 10 + get_group_id(1);\n"
		"  v = v * 10 + get_group_id(2); o[i] = v; }\n";
	static const struct {
		cl_uint dims;
		size_t offset[3], global[3], local[3];
	} rows[] = {
		{ 1, { 0, 0, 0 }, { 24, 1, 1 }, { 8, 1, 1 } },
		{ 1, { 100, 0, 0 }, { 24, 1, 1 }, { 4, 1, 1 } },
		{ 2, { 3, 5, 0 }, { 6, 4, 1 }, { 3, 2, 1 } },
		{ 3, { 0, 0, 0 }, { 4, 3, 6 }, { 2, 3, 2 } },
		{ 3, { 7, 11, 900 }, { 4, 6, 5 }, { 4, 2, 1 } },
	};

	(void)state;
	cl_kernel kernel = cl_make_kernel(source, "", "ids");
	for (size_t t = 0; t < sizeof rows / sizeof *rows; t++) {
		const size_t *g = rows[t].global, *l = rows[t].local, *o = rows[t].offset;
		size_t n = g[0] * g[1] * g[2];
		cl_ulong got[256];

		memset(got, 0xee, sizeof got);
		cl_mem buffer = cl_make_buffer(sizeof got, got);
		cl_set_buffer(kernel, 0, buffer);
		CL(clEnqueueNDRangeKernel(cl.queue, kernel, rows[t].dims, o, g, l, 0, NULL, NULL));
		cl_read(buffer, sizeof got, got);
		for (size_t i = 0; i < 256; i++) {
			size_t x = i % g[0], y = i / g[0] % g[1], z = i / g[0] / g[1];
			cl_ulong v = x + o[0];

			v = (v * 1000 + y + o[1]) * 1000 + z + o[2];
			v = ((v * 10 + x % l[0]) * 10 + y % l[1]) * 10 + z % l[2];
			v = ((v * 10 + x / l[0]) * 10 + y / l[1]) * 10 + z / l[2];
			assert_int_equal(got[i], i < n ? v : 0xeeeeeeeeeeeeeeeeull);
		}
		clReleaseMemObject(buffer);
	}
	cl_kernel_done(kernel);
}

static const char reduce_source[] =
	"kernel void reduce(global const uint *a, global uint *o, local uint *t)\n"
	"{ size_t l = get_local_id(0); t[l] = a[get_global_id(0)];\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  for (size_t s = get_local_size(0) / 2; s; s >>= 1) {\n"
	"    if (l < s) t[l] += t[l + s];\n"
	"    barrier(CLK_LOCAL_MEM_FENCE); }\n"
	"  if (!l) o[get_group_id(0)] = t[0]; }\n"
	"kernel void fixed(global const uint *a, global uint *o)\n"
	"{ local uint t[256]; size_t l = get_local_id(0);\n"
	"  t[l ^ 1] = a[get_global_id(0)];\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  o[get_global_id(0)] = t[get_local_size(0) - 1 - l]; }\n";

static void test_local_memory(void **state)
{
	static const size_t locals[] = { 2, 16, 128, 256 };
	static cl_uint a[N], got[N];

	(void)state;
	fill_random(a, N, 3);
	cl_kernel kernel = cl_make_kernel(reduce_source, "", "reduce");
	cl_mem x = cl_make_buffer(sizeof a, a), y = cl_make_buffer(sizeof a, NULL);
	cl_set_buffer(kernel, 0, x);
	cl_set_buffer(kernel, 1, y);
	for (size_t t = 0; t < sizeof locals / sizeof *locals; t++) {
		size_t local = locals[t];

		memset(got, 0xee, sizeof got);
		CL(clEnqueueWriteBuffer(cl.queue, y, CL_FALSE, 0, sizeof got, got, 0, NULL, NULL));
		CL(clSetKernelArg(kernel, 2, local * sizeof(cl_uint), NULL));
		cl_launch(kernel, N, local);
		cl_read(y, sizeof got, got);
		for (size_t g = 0; g < N; g++) {
			cl_uint sum = 0;

			for (size_t i = 0; g < N / local && i < local; i++)
				sum += a[g * local + i];
			assert_int_equal(got[g], g < N / local ? sum : 0xeeeeeeeeu);
		}
	}
	clReleaseMemObject(x);
	clReleaseMemObject(y);
	cl_kernel_done(kernel);
}

static void test_local_variable(void **state)
{
	static const size_t locals[] = { 8, 64, 256 };
	static cl_uint a[N], got[N];

	(void)state;
	fill_random(a, N, 4);
	cl_kernel kernel = cl_make_kernel(reduce_source, "", "fixed");
	cl_mem x = cl_make_buffer(sizeof a, a), y = cl_make_buffer(sizeof a, NULL);
	cl_set_buffer(kernel, 0, x);
	cl_set_buffer(kernel, 1, y);
	for (size_t t = 0; t < sizeof locals / sizeof *locals; t++) {
		size_t local = locals[t];

		memset(got, 0xee, sizeof got);
		cl_launch(kernel, N, local);
		cl_read(y, sizeof got, got);
		for (size_t i = 0; i < N; i++) {
			size_t base = i / local * local, l = i % local;

			assert_int_equal(got[i], a[base + ((local - 1 - l) ^ 1)]);
		}
	}
	clReleaseMemObject(x);
	clReleaseMemObject(y);
	cl_kernel_done(kernel);
}

/* Arguments by value of all sizes, a structure, two local ones, and a NULL buffer. */
static void test_arguments(void **state)
{
	static const char source[] =
		"struct pair { char tag; ulong wide; short4 four; };\n"
		"kernel void args(char c, ushort s, global ulong *o, float3 f, struct pair p,\n"
		"  local uchar *small, global int *null, constant int *k, local ulong *big)\n"
		"{ small[0] = 5; big[0] = 6;\n"
		"  o[0] = c; o[1] = s; o[2] = (ulong)(f.x * 8); o[3] = (ulong)(f.z * 8);\n"
		"  o[4] = p.tag; o[5] = p.wide; o[6] = (ulong)(long)p.four.w;\n"
		"  o[7] = null ? 1 : 2; o[8] = k[3]; o[9] = small[0]; o[10] = big[0]; }\n";
	struct {
		cl_char tag;
		cl_ulong wide;
		cl_short4 four;
	} pair = { -3, 0x123456789abcdefull, { { 1, 2, 3, -4 } } };
	cl_char c = -2;
	cl_ushort s = 65535;
	cl_float3 f = { { 1.5f, 2.5f, 3.125f } };
	cl_int table[4] = { 1, 2, 3, 44 };
	cl_ulong got[11];

	(void)state;
	memset(got, 0xee, sizeof got);
	cl_kernel kernel = cl_make_kernel(source, "", "args");
	cl_mem o = cl_make_buffer(sizeof got, got), k = cl_make_buffer(sizeof table, table);
	CL(clSetKernelArg(kernel, 0, sizeof c, &c));
	CL(clSetKernelArg(kernel, 1, sizeof s, &s));
	cl_set_buffer(kernel, 2, o);
	CL(clSetKernelArg(kernel, 3, sizeof f, &f));
	CL(clSetKernelArg(kernel, 4, sizeof pair, &pair));
	CL(clSetKernelArg(kernel, 5, 3, NULL));
	cl_set_buffer(kernel, 6, NULL);
	cl_set_buffer(kernel, 7, k);
	CL(clSetKernelArg(kernel, 8, 80, NULL));
	cl_launch(kernel, 1, 1);
	cl_read(o, sizeof got, got);
	assert_int_equal((cl_long)got[0], -2);
	assert_int_equal(got[1], 65535);
	assert_int_equal(got[2], 12);
	assert_int_equal(got[3], 25);
	assert_int_equal((cl_long)got[4], -3);
	assert_int_equal(got[5], pair.wide);
	assert_int_equal((cl_long)got[6], -4);
	assert_int_equal(got[7], 2);
	assert_int_equal(got[8], 44);
	assert_int_equal(got[9], 5);
	assert_int_equal(got[10], 6);
	clReleaseMemObject(o);
	clReleaseMemObject(k);
	cl_kernel_done(kernel);
}

/* The arguments of a launch are those of its enqueue, whatever is set afterwards. */
static void test_arguments_are_captured(void **state)
{
	static const char source[] = "kernel void put(global uint *o, uint i, uint v)\n"
				     "{ o[i] = v + o[i]; }\n";
	static cl_uint got[512];

	(void)state;
	memset(got, 0, sizeof got);
	cl_kernel kernel = cl_make_kernel(source, "", "put");
	cl_mem o = cl_make_buffer(sizeof got, got);
	cl_set_buffer(kernel, 0, o);
	for (cl_uint i = 0; i < 1024; i++) {
		cl_set_uint(kernel, 1, i % 512);
		cl_set_uint(kernel, 2, 1 + i * 3);
		cl_launch(kernel, 1, 1);
	}
	cl_set_uint(kernel, 2, 99);
	cl_read(o, sizeof got, got);
	for (cl_uint i = 0; i < 512; i++)
		assert_int_equal(got[i], 2 + i * 3 + (i + 512) * 3);
	clReleaseMemObject(o);
	cl_kernel_done(kernel);
}

/* Nothing runs for a range with a zero, and the queue goes on. */
static void test_empty_range(void **state)
{
	static const char source[] = "kernel void one(global uint *o) { o[0]++; }\n";
	size_t none[2] = { 4, 0 };
	cl_uint got = 7;
	cl_event event;

	(void)state;
	cl_kernel kernel = cl_make_kernel(source, "", "one");
	cl_mem o = cl_make_buffer(sizeof got, &got);
	cl_set_buffer(kernel, 0, o);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, none, NULL, 0, NULL, &event));
	CL(clWaitForEvents(1, &event));
	CL(clReleaseEvent(event));
	cl_launch(kernel, 1, 1);
	cl_read(o, sizeof got, &got);
	assert_int_equal(got, 8);
	clReleaseMemObject(o);
	cl_kernel_done(kernel);
}

static void test_clone(void **state)
{
	static const char source[] = "kernel void put(global uint *o, uint i, uint v)\n"
				     "{ o[i] = v; }\n";
	cl_uint got[2] = { 0, 0 };
	cl_int rc;

	(void)state;
	skip_if(cl.intel); /* its clones have no arguments */
	cl_kernel kernel = cl_make_kernel(source, "", "put");
	cl_mem o = cl_make_buffer(sizeof got, got);
	cl_set_buffer(kernel, 0, o);
	cl_set_uint(kernel, 1, 0);
	cl_set_uint(kernel, 2, 11);
	cl_kernel clone = clCloneKernel(kernel, &rc);
	CL(rc);
	cl_set_uint(clone, 1, 1);
	cl_launch(kernel, 1, 1);
	cl_launch(clone, 1, 1);
	cl_read(o, sizeof got, got);
	assert_int_equal(got[0], 11);
	assert_int_equal(got[1], 11);
	CL(clReleaseKernel(clone));
	clReleaseMemObject(o);
	cl_kernel_done(kernel);
}

/* An array of an item in registers, with one element written at an index that items disagree on. */
static void test_private_array(void **state)
{
	static const char source[] =
		"kernel __attribute__((reqd_work_group_size(96, 1, 1))) void f(global uint *d)\n"
		"{ uint id = get_local_id(0); short at = d[id]; ushort a[8];\n"
		"  for (uint i = 0; i < 8; i++) a[i] = (ushort)(i * 77u + id);\n"
		"  a[(uint)at & 7] = (ushort)(id + 5);\n"
		"  uint h = 0; for (uint i = 0; i < 8; i++) h = h * 3 + a[i];\n"
		"  d[id] = h; }\n";
	cl_uint data[96];

	(void)state;
	for (unsigned id = 0; id < 96; id++)
		data[id] = id * 37 % 11;
	cl_run_on(source, "", "f", 96, 96, sizeof data, data);
	for (unsigned id = 0; id < 96; id++) {
		cl_uint want = 0;

		for (unsigned i = 0; i < 8; i++)
			want = want * 3 + (i == (id * 37 % 11 & 7) ? id + 5 : i * 77 + id);
		if (data[id] != want)
			fail_msg("item %u: %u, not %u", id, data[id], want);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vadd),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_local_memory),
		cmocka_unit_test(test_local_variable),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_arguments_are_captured),
		cmocka_unit_test(test_empty_range),
		cmocka_unit_test(test_clone),
		cmocka_unit_test(test_private_array),
	};

	return CL_RUN(argc, argv, tests);
}
