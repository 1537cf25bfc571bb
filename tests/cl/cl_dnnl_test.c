// SPDX-License-Identifier: MIT
/*
 * oneDNN over its OpenCL runtime: a library that asks a driver for more than programs do. Of 2.6,
 * only what it writes in OpenCL C: where it makes machine code itself, it wants the old form of
 * binaries (patch tokens), and some of its sources end the translator of Debian 12 (an assertion
 * about float atomics), with Intel's driver the whole process.
 */
#include "cl/cl_case.h"

#include <math.h>
#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_ocl.h>
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

static dnnl_memory_t make_memory(const float *values)
{
	dnnl_memory_t memory;
	void *mapped;

	DNNL(dnnl_memory_create(&memory, &shape, engine, DNNL_MEMORY_ALLOCATE));
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

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_relu, start, end),
		cmocka_unit_test_setup_teardown(test_logistic, start, end),
	};

	return CL_RUN(argc, argv, tests);
}
