// SPDX-License-Identifier: MIT
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

/* One row of the device group: kernel `name` of kernels/bench/`name`.cl. */
struct bench_kernel {
	const char *class, *name;
	cl_uint dims;
	size_t size[2], local[2];
	/* Makes the arguments; the last buffer that it makes is the result. */
	void (*prepare)(cl_kernel kernel);
	/* Compares what one run has left in the result with plain C. */
	bool (*is_right)(const void *result);
};

/* Each ends with a row without a name. */
extern const struct bench_kernel bench_memory_kernels[], bench_compute_kernels[],
	bench_stream_kernels[], bench_dense_kernels[], bench_integer_kernels[],
	bench_irregular_kernels[];

/* For `prepare`: buffers with this in them as argument `index`. */
void bench_buffer(cl_kernel kernel, cl_uint index, const void *data, size_t bytes);
/* The result; nonsense is in it first. */
void bench_result(cl_kernel kernel, cl_uint index, size_t bytes);
/* An image; as the last one, it is the result. */
void bench_image(cl_kernel kernel, cl_uint index, cl_image_format format, size_t width,
	size_t height, const void *pixels);
void bench_int(cl_kernel kernel, cl_uint index, cl_int value);
void bench_long(cl_kernel kernel, cl_uint index, cl_long value);
void bench_float(cl_kernel kernel, cl_uint index, cl_float value);

/* The same numbers for every run and platform. */
cl_uint bench_random(cl_uint *state);
void bench_words(cl_uint *to, size_t count, cl_uint seed);
void bench_floats(float *to, size_t count, cl_uint seed); /* from -1 to 1 */

#endif
