// SPDX-License-Identifier: MIT
/* cl_khr_extended_bit_ops and cl_khr_integer_dot_product, against plain C. */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 4096

static uint64_t seed = 1;

/* Runs `k` over N items of `size` bytes: in[0], in[1], out; with the offsets and counts. */
static void run(const char *source, const char *options, size_t size, const void *in,
	const void *where, void *out)
{
	cl_kernel kernel = cl_make_kernel(source, options, "k");
	cl_mem buffers[3] = { cl_make_buffer(2 * N * size, in), cl_make_buffer(N * 8, where),
		cl_make_buffer(4 * N * size, NULL) };

	for (cl_uint i = 0; i < 3; i++)
		cl_set_buffer(kernel, i, buffers[i]);
	cl_launch(kernel, N, 0);
	memset(out, 0xee, 4 * N * size);
	cl_read(buffers[2], 4 * N * size, out);
	for (int i = 0; i < 3; i++)
		CL(clReleaseMemObject(buffers[i]));
	cl_kernel_done(kernel);
}

static uint64_t get(const void *data, size_t size, size_t i)
{
	uint64_t value = 0;

	memcpy(&value, (const char *)data + i * size, size);
	return value;
}

static uint64_t ones(unsigned count)
{
	return count ? UINT64_MAX >> (64 - count) : 0;
}

static uint64_t reverse(uint64_t value, unsigned width)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < width; i++)
		result |= (value >> i & 1) << (width - 1 - i);
	return result;
}

static void check_bits(size_t size, const void *in, const cl_uint *where, const void *out)
{
	unsigned width = (unsigned)size * 8;
	uint64_t all = ones(width);

	for (size_t i = 0; i < N; i++) {
		uint64_t base = get(in, size, i), insert = get(in, size, N + i);
		unsigned offset = where[2 * i], count = where[2 * i + 1];
		uint64_t mask = offset < 64 ? ones(count) << offset : 0;
		uint64_t field = offset < 64 ? base >> offset & ones(count) : 0;
		uint64_t sign = count && field >> (count - 1) & 1 ? ~ones(count) : 0;
		uint64_t moved = offset < 64 ? insert << offset : 0;

		assert_int_equal(get(out, size, 4 * i), ((base & ~mask) | (moved & mask)) & all);
		assert_int_equal(get(out, size, 4 * i + 1), (field | sign) & all);
		assert_int_equal(get(out, size, 4 * i + 2), field);
		assert_int_equal(get(out, size, 4 * i + 3), reverse(base, width));
	}
}

/* Scalars of all eight types; vectors of 4, whose elements are other work-items' scalars. */
static void test_bits(void **state)
{
	static const char scalar[] =
		"kernel void k(global T *in, global uint2 *w, global T *out)\n"
		"{ size_t i = get_global_id(0), n = get_global_size(0); T b = in[i];\n"
		"  out[4 * i] = bitfield_insert(b, in[n + i], w[i].x, w[i].y);\n"
		"  out[4 * i + 1] = (T)bitfield_extract_signed(b, w[i].x, w[i].y);\n"
		"  out[4 * i + 2] = (T)bitfield_extract_unsigned(b, w[i].x, w[i].y);\n"
		"  out[4 * i + 3] = bit_reverse(b); }\n";
	static const char vector[] =
		"#ifndef cl_khr_extended_bit_ops\n#error no macro\n#endif\n"
		"#define CAT(a, b) a##b\n#define V(t) CAT(t, 4)\n"
		"kernel void k(global T *in, global uint2 *w, global T *out)\n"
		"{ size_t i = get_global_id(0), n = get_global_size(0);\n"
		"  V(T) b = (V(T))(0, in[i], 1, 2), x = (V(T))(3, in[n + i], 4, 5);\n"
		"  V(T) r = bitfield_insert(b, x, w[i].x, w[i].y); out[4 * i] = r.y;\n"
		"  out[4 * i + 1] = (T)bitfield_extract_signed(b, w[i].x, w[i].y).y;\n"
		"  out[4 * i + 2] = (T)bitfield_extract_unsigned(b, w[i].x, w[i].y).y;\n"
		"  out[4 * i + 3] = bit_reverse(b).y; }\n";
	static const char *const types[] = { "char", "uchar", "short", "ushort", "int", "uint",
		"long", "ulong" };
	static uint64_t in[2 * N], out[4 * N];
	static cl_uint where[2 * N];

	(void)state;
	skip_if(!cl_has("cl_khr_extended_bit_ops"));
	for (size_t t = 0; t < 8; t++) {
		size_t size = (size_t)1 << t / 2;
		char options[64];

		snprintf(options, sizeof(options), "-DT=%s", types[t]);
		for (size_t i = 0; i < 2 * N; i++)
			in[i] = test_random(&seed);
		for (size_t i = 0; i < N; i++) {
			where[2 * i] = (cl_uint)(test_random(&seed) % (size * 8 + 1));
			where[2 * i + 1] =
				(cl_uint)(test_random(&seed) % (size * 8 + 1 - where[2 * i]));
			if (where[2 * i] == size * 8) /* no bit is there */
				where[2 * i] = 0;
		}
		run(vector, options, size, in, where, out);
		check_bits(size, in, where, out);
		/* from 2.0 on the front end's header has the functions' names */
		snprintf(
			options, sizeof(options), "-cl-std=CL%d.0 -DT=%s", t % 2 ? 2 : 3, types[t]);
		run(scalar, options, size, in, where, out);
		check_bits(size, in, where, out);
	}
}

static int64_t product(uint32_t a, uint32_t b, bool a_signed, bool b_signed)
{
	int64_t sum = 0;

	for (int i = 0; i < 32; i += 8) {
		int x = a >> i & 0xff, y = b >> i & 0xff;

		sum += (int64_t)(a_signed ? (int8_t)x : x) * (b_signed ? (int8_t)y : y);
	}
	return sum;
}

static int64_t saturate(int64_t value, bool is_signed)
{
	int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;

	return value < least ? least : value > most ? most : value;
}

/* The dot that was there before, beside the new ones, and its name for other things. */
static void test_old_dot(void **state)
{
	static const char source[] =
		"float of(float dot) { return dot * 2; }\n"
		"kernel void k(global uint *in, global uint2 *w, global uint *o)\n"
		"{ size_t i = get_global_id(0); float4 v = convert_float4(as_uchar4(in[i]));\n"
		"  o[4 * i] = dot(v.xy, v.zw) == v.x * v.z + v.y * v.w;\n"
		"  o[4 * i + 1] = dot(v.xyz, (float3)(1, 2, 4)) == v.x + v.y * 2 + v.z * 4;\n"
		"  half4 h = convert_half4(as_uchar4(in[i]) & (uchar4)(15));\n"
		"  o[4 * i + 2] = dot(h, (half4)(1)) == h.x + h.y + h.z + h.w && dot(h.x, h.y) == "
		"h.x * h.y;\n"
		"  float dot = of(v.x); o[4 * i + 3] = dot == 2 * v.x; }\n";
	static const char *const options[] = { "-DHALF", "-cl-std=CL2.0", "-cl-std=CL3.0" };
	static uint32_t in[2 * N], where[2 * N], out[4 * N];

	(void)state;
	skip_if(!cl_has("cl_khr_fp16"));
	for (int i = 0; i < 2 * N; i++)
		in[i] = (uint32_t)test_random(&seed);
	for (int k = 0; k < 3; k++) {
		run(source, options[k], 4, in, where, out);
		for (int i = 0; i < 4 * N; i++)
			assert_int_equal(out[i], 1);
	}
}

static void test_dot_products(void **state)
{
	static const char source[] =
		"#if !defined(cl_khr_integer_dot_product) || \\\n"
		"    !defined(__opencl_c_integer_dot_product_input_4x8bit) || \\\n"
		"    !defined(__opencl_c_integer_dot_product_input_4x8bit_packed)\n"
		"#error no macro\n#endif\n"
		"kernel void k(global uint *in, global uint2 *w, global uint *o)\n"
		"{ size_t i = get_global_id(0); uint a = in[i], b = in[i + get_global_size(0)];\n"
		"  uint c = w[i].x; R p = dot(AS(a), BS(b));\n"
		"  o[4 * i] = as_uint(p);\n"
		"  o[4 * i + 1] = as_uint(dot_acc_sat(AS(a), BS(b), (R)c));\n"
		"  o[4 * i + 2] = as_uint(P(a, b)); o[4 * i + 3] = as_uint(Q(a, b, (R)c)); }\n";
	static uint32_t in[2 * N], where[2 * N], out[4 * N];

	(void)state;
	skip_if(!cl_has("cl_khr_integer_dot_product"));
	for (int variant = 0; variant < 8; variant++) {
		int kind = variant % 4;
		bool a = kind & 1, b = kind & 2, either = kind != 0;
		const char *type = either ? "int" : "uint";
		char options[256], name[3] = { a ? 's' : 'u', b ? 's' : 'u', '\0' };

		for (int i = 0; i < 2 * N; i++) {
			in[i] = i % 64	  ? (uint32_t)test_random(&seed)
				: i % 128 ? 0x80808080
					  : 0xffffffff;
			where[i] = i % 3   ? (uint32_t)test_random(&seed)
				   : i % 2 ? 0x7fffff00
					   : 0xffffff00;
		}
		snprintf(options, sizeof(options),
			"%s -DR=%s -DAS=as_%schar4 -DBS=as_%schar4 -DP=dot_4x8packed_%s_%s "
			"-DQ=dot_acc_sat_4x8packed_%s_%s",
			variant / 4 ? "-cl-std=CL3.0" : "", type, a ? "" : "u", b ? "" : "u", name,
			type, name, type);
		run(source, options, 4, in, where, out);
		for (int i = 0; i < N; i++) {
			int64_t sum = product(in[i], in[N + i], a, b);
			int64_t acc = either ? (int32_t)where[2 * i] : (int64_t)where[2 * i];

			assert_int_equal(out[4 * i], (uint32_t)sum);
			assert_int_equal(out[4 * i + 1], (uint32_t)saturate(sum + acc, either));
			assert_int_equal(out[4 * i + 2], out[4 * i]);
			assert_int_equal(out[4 * i + 3], out[4 * i + 1]);
		}
	}
}

/*
 * Built-in functions of ZeroCL whose names are nowhere in the source: macros of the options, and
 * pasted tokens. The first is only a macro, the second and third have definitions, the fourth has
 * overloads that the compiler lacks.
 */
static void test_names_are_made(void **state)
{
	static const char source[] =
		"#define P(a, b) a##b\n"
		"__attribute__((intel_reqd_sub_group_size(16)))\n"
		"kernel void k(global uint *o) { uint i = get_global_id(0); local uint l[16];\n"
		"  l[i] = i * 3; barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  o[4 * i] = A(i, 1); o[4 * i + 1] = P(bit_rev, erse)(i);\n"
		"  o[4 * i + 2] = P(do, t_4x8packed_uu_uint)(i, 0x01010105u);\n"
		"#ifdef cl_intel_subgroup_local_block_io\n"
		"  o[4 * i + 3] = P(intel_sub_group_bl, ock_read)(l); }\n"
		"#else\n"
		"  o[4 * i + 3] = l[i]; }\n"
		"#endif\n";
	cl_uint out[64];

	(void)state;
	for (int k = 0; k < 2; k++) {
		cl_kernel kernel = cl_make_kernel(source,
			k ? "-DA=sub_group_rotate -cl-std=CL3.0" : "-DA=sub_group_rotate", "k");
		cl_mem buffer;

		memset(out, 0xee, sizeof(out));
		buffer = cl_make_buffer(sizeof(out), out);
		cl_set_buffer(kernel, 0, buffer);
		cl_launch(kernel, 16, 16);
		cl_read(buffer, sizeof(out), out);
		for (cl_uint i = 0; i < 16; i++) {
			assert_int_equal(out[4 * i], (i + 1) % 16);
			assert_int_equal(out[4 * i + 1], reverse(i, 32));
			assert_int_equal(out[4 * i + 2], i * 5);
			assert_int_equal(out[4 * i + 3], i * 3);
		}
		CL(clReleaseMemObject(buffer));
		cl_kernel_done(kernel);
	}
}

/* A name that nothing declares stays an error, which the log tells as it is. */
static void test_no_such_name(void **state)
{
	static const char *source = "kernel void k(global uint *o) { *o = bit_revers(*o); }\n";
	char log[4096] = "";
	cl_int rc;
	cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &rc);

	(void)state;
	CL(rc);
	assert_int_equal(
		clBuildProgram(program, 1, &cl.device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
	CL(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
	assert_non_null(strstr(log, "bit_revers"));
	assert_null(strstr(log, "zerocl_"));
	CL(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_old_dot),
		cmocka_unit_test(test_dot_products),
		cmocka_unit_test(test_names_are_made),
		cmocka_unit_test(test_no_such_name),
	};

	return CL_RUN(argc, argv, tests);
}
