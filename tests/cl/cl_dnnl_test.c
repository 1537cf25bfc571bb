// SPDX-License-Identifier: MIT
/*
 * oneDNN over its OpenCL runtime: a library that asks a driver for more than programs do. Some of
 * its kernels are OpenCL C; for others it generates machine code and puts that into the binary of a
 * program that it had built, which must be of the older form (patch tokens). What the sources of
 * 2.6 use of float atomics ends the translator of Debian 12 (an assertion), with Intel's driver the
 * whole process.
 */
#include "cl/cl_case.h"

#include <math.h>
#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_ocl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 5, COLUMNS = 33, COUNT = ROWS * COLUMNS };

#define DNNL(call) assert_int_equal((call), dnnl_success)

static dnnl_engine_t engine;
static dnnl_stream_t stream;
static dnnl_memory_desc_t shape;

static int start(void **state)
{
	const dnnl_dims_t dims = { ROWS, COLUMNS };

	(void)state;
	DNNL(dnnl_ocl_interop_engine_create(&engine, cl.device, cl.context));
	DNNL(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
	DNNL(dnnl_memory_desc_init_by_tag(&shape, 2, dims, dnnl_f32, dnnl_ab));
	return 0;
}

static int end(void **state)
{
	(void)state;
	DNNL(dnnl_stream_destroy(stream));
	DNNL(dnnl_engine_destroy(engine));
	return 0;
}

/* What run() allocates. */
static dnnl_ocl_interop_memory_kind_t memory_kind = dnnl_ocl_interop_buffer;

static dnnl_memory_t make_memory(const float *values)
{
	dnnl_memory_t memory;
	void *mapped;

	DNNL(dnnl_ocl_interop_memory_create(
		&memory, &shape, engine, memory_kind, DNNL_MEMORY_ALLOCATE));
	DNNL(dnnl_memory_map_data(memory, &mapped));
	memcpy(mapped, values, COUNT * sizeof *values);
	DNNL(dnnl_memory_unmap_data(memory, mapped));
	return memory;
}

static void take_memory(dnnl_memory_t memory, float *values)
{
	void *mapped;

	DNNL(dnnl_memory_map_data(memory, &mapped));
	memcpy(values, mapped, COUNT * sizeof *values);
	DNNL(dnnl_memory_unmap_data(memory, mapped));
	DNNL(dnnl_memory_destroy(memory));
}

/* One source and one destination. */
static void run(const void *operation, const float *in, float *out)
{
	dnnl_primitive_desc_t description;
	dnnl_primitive_t primitive;
	float poison[COUNT];

	memset(poison, 0xa5, sizeof poison);
	DNNL(dnnl_primitive_desc_create(&description, operation, NULL, engine, NULL));
	DNNL(dnnl_primitive_create(&primitive, description));
	dnnl_memory_t source = make_memory(in), destination = make_memory(poison);
	const dnnl_exec_arg_t args[] = { { DNNL_ARG_SRC, source }, { DNNL_ARG_DST, destination } };
	DNNL(dnnl_primitive_execute(primitive, stream, 2, args));
	DNNL(dnnl_stream_wait(stream));
	take_memory(destination, out);
	DNNL(dnnl_memory_destroy(source));
	DNNL(dnnl_primitive_destroy(primitive));
	DNNL(dnnl_primitive_desc_destroy(description));
}

static void make_input(float *in)
{
	for (int i = 0; i < COUNT; i++)
		in[i] = (float)(i * 7 % 19 - 9) / 4;
}

static void test_relu(void **state)
{
	dnnl_eltwise_desc_t operation;
	float in[COUNT], out[COUNT];

	(void)state;
	make_input(in);
	DNNL(dnnl_eltwise_forward_desc_init(
		&operation, dnnl_forward_inference, dnnl_eltwise_relu, &shape, 0.5f, 0));
	run(&operation, in, out);
	for (int i = 0; i < COUNT; i++)
		assert_true(out[i] == (in[i] < 0 ? in[i] / 2 : in[i]));
}

/* oneDNN has the functions of shared memory of platforms alone that it takes for Intel's. */
static void test_shared_memory(void **state)
{
	memory_kind = dnnl_ocl_interop_usm;
	test_relu(state);
	memory_kind = dnnl_ocl_interop_buffer;
}

static void test_logistic(void **state)
{
	dnnl_eltwise_desc_t operation;
	float in[COUNT], out[COUNT];

	(void)state;
	make_input(in);
	DNNL(dnnl_eltwise_forward_desc_init(
		&operation, dnnl_forward_inference, dnnl_eltwise_logistic, &shape, 0, 0));
	run(&operation, in, out);
	for (int i = 0; i < COUNT; i++)
		assert_true(fabs(out[i] - 1 / (1 + exp(-in[i]))) < 1e-6);
}

/* Sources, weights and destination of an operation. */
struct operands {
	dnnl_memory_desc_t shapes[3];
	void *values[3]; /* NULL for the destination: poison */
};

static dnnl_memory_t make_operand(
	dnnl_engine_t where, const dnnl_memory_desc_t *form, const void *values)
{
	size_t size = dnnl_memory_desc_get_size(form);
	dnnl_memory_t memory;
	void *mapped;

	DNNL(dnnl_memory_create(&memory, form, where, DNNL_MEMORY_ALLOCATE));
	DNNL(dnnl_memory_map_data(memory, &mapped));
	if (values)
		memcpy(mapped, values, size);
	else
		memset(mapped, 0xa5, size);
	DNNL(dnnl_memory_unmap_data(memory, mapped));
	return memory;
}

/* What the operation makes of the operands on an engine, to be freed; notes the implementation. */
static void *run_on(dnnl_engine_kind_t kind, const void *operation, const struct operands *operands,
	char implementation[64])
{
	static const int names[] = { DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST };
	dnnl_engine_t where = engine;
	dnnl_stream_t line = stream;
	dnnl_primitive_desc_t description;
	dnnl_primitive_t primitive;
	dnnl_exec_arg_t args[3];
	const char *name;
	void *mapped;

	if (kind == dnnl_cpu) {
		DNNL(dnnl_engine_create(&where, dnnl_cpu, 0));
		DNNL(dnnl_stream_create(&line, where, dnnl_stream_default_flags));
	}
	DNNL(dnnl_primitive_desc_create(&description, operation, NULL, where, NULL));
	DNNL(dnnl_primitive_desc_query(description, dnnl_query_impl_info_str, 0, (void *)&name));
	snprintf(implementation, 64, "%s", name);
	DNNL(dnnl_primitive_create(&primitive, description));
	for (int i = 0; i < 3; i++)
		args[i] = (dnnl_exec_arg_t){ names[i],
			make_operand(where, &operands->shapes[i], operands->values[i]) };
	DNNL(dnnl_primitive_execute(primitive, line, 3, args));
	DNNL(dnnl_stream_wait(line));
	size_t size = dnnl_memory_desc_get_size(&operands->shapes[2]);
	void *out = malloc(size);
	DNNL(dnnl_memory_map_data(args[2].memory, &mapped));
	memcpy(out, mapped, size);
	DNNL(dnnl_memory_unmap_data(args[2].memory, mapped));
	for (int i = 0; i < 3; i++)
		DNNL(dnnl_memory_destroy(args[i].memory));
	DNNL(dnnl_primitive_destroy(primitive));
	DNNL(dnnl_primitive_desc_destroy(description));
	if (kind == dnnl_cpu) {
		DNNL(dnnl_stream_destroy(line));
		DNNL(dnnl_engine_destroy(where));
	}
	return out;
}

/*
 * Small quarters, or small integers where operands are bytes: their sums are exact in any order, so
 * that both engines agree in every bit. Two products of bytes, one of them offset by 128, fit in 16
 * bits: a processor without VNNI saturates their sum.
 */
static void compare(const void *operation, struct operands *operands, const char *wanted)
{
	char implementation[64];

	for (int i = 0; i < 2; i++) {
		size_t size = dnnl_memory_desc_get_size(&operands->shapes[i]);
		bool bytes = operands->shapes[i].data_type == dnnl_s8;
		float *values = operands->values[i] = malloc(size);
		for (size_t k = 0; k < size / (bytes ? 1 : sizeof *values); k++) {
			int number = (int)((k + 3 * (size_t)i) * 7 % 19) - 9;
			if (bytes)
				((int8_t *)values)[k] = (int8_t)(7 * number);
			else
				values[k] = (float)number / 4;
		}
	}
	operands->values[2] = NULL;
	void *good = run_on(dnnl_cpu, operation, operands, implementation);
	void *out = run_on(dnnl_gpu, operation, operands, implementation);
	if (!strstr(implementation, wanted))
		fail_msg("oneDNN chose %s", implementation);
	assert_memory_equal(out, good, dnnl_memory_desc_get_size(&operands->shapes[2]));
	free(good);
	free(out);
	free(operands->values[0]);
	free(operands->values[1]);
}

static bool is(const char *family)
{
	const char *name = getenv("ZEROCL_VGPU");

	return name && strcmp(name, family) == 0;
}

static void multiply(const dnnl_dim_t n[3], bool turned, dnnl_data_type_t in, dnnl_data_type_t out,
	const char *wanted)
{
	const dnnl_dims_t left = { n[0], n[2] }, right = { n[2], n[1] }, both = { n[0], n[1] };
	dnnl_matmul_desc_t operation;
	struct operands operands;

	DNNL(dnnl_memory_desc_init_by_tag(&operands.shapes[0], 2, left, in, dnnl_ab));
	DNNL(dnnl_memory_desc_init_by_tag(
		&operands.shapes[1], 2, right, in, turned ? dnnl_ba : dnnl_ab));
	DNNL(dnnl_memory_desc_init_by_tag(&operands.shapes[2], 2, both, out, dnnl_ab));
	DNNL(dnnl_matmul_desc_init(
		&operation, &operands.shapes[0], &operands.shapes[1], NULL, &operands.shapes[2]));
	compare(&operation, &operands, wanted);
}

static const dnnl_dim_t sizes[][3] = { { 8, 8, 8 }, { 33, 17, 20 }, { 1, 100, 7 },
	{ 64, 48, 130 } };

/*
 * Machine code by oneDNN's own generator, of which there is a kernel for each kind of size. It has
 * none for Gen11.
 */
static void test_matmul(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		multiply(sizes[i], i % 2 != 0, dnnl_f32, dnnl_f32, is("icl") ? "" : "jit:gemm");
}

static void test_matmul_of_bytes(void **state)
{
	(void)state;
	if (is("icl"))
		skip_because("oneDNN's kernel wants more local memory than Gen11 has");
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		multiply(sizes[i], i % 2 != 0, dnnl_s8, dnnl_s32, "");
}

static void test_convolution(void **state)
{
	const dnnl_dims_t source = { 2, 3, 9, 10 }, weights = { 5, 3, 3, 3 },
			  destination = { 2, 5, 9, 10 }, strides = { 1, 1 }, padding = { 1, 1 };
	dnnl_convolution_desc_t operation;
	struct operands operands;

	(void)state;
	DNNL(dnnl_memory_desc_init_by_tag(&operands.shapes[0], 4, source, dnnl_f32, dnnl_nchw));
	DNNL(dnnl_memory_desc_init_by_tag(&operands.shapes[1], 4, weights, dnnl_f32, dnnl_oihw));
	DNNL(dnnl_memory_desc_init_by_tag(
		&operands.shapes[2], 4, destination, dnnl_f32, dnnl_nchw));
	DNNL(dnnl_convolution_forward_desc_init(&operation, dnnl_forward_inference,
		dnnl_convolution_direct, &operands.shapes[0], &operands.shapes[1], NULL,
		&operands.shapes[2], strides, padding, padding));
	compare(&operation, &operands, "");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_relu, start, end),
		cmocka_unit_test_setup_teardown(test_shared_memory, start, end),
		cmocka_unit_test_setup_teardown(test_logistic, start, end),
		cmocka_unit_test_setup_teardown(test_matmul, start, end),
		cmocka_unit_test_setup_teardown(test_matmul_of_bytes, start, end),
		cmocka_unit_test_setup_teardown(test_convolution, start, end),
	};

	return CL_RUN(argc, argv, tests);
}
