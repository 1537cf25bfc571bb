// SPDX-License-Identifier: MIT
#ifndef INTEL_BENCH_H
#define INTEL_BENCH_H

#include "test.h"

#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

/*
 * Intel's OpenCL driver on the virtual device: the program is run with the device preloaded. The
 * driver is conformant on the hardware that the device imitates, so what differs is our fault.
 */
struct intel {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
};

/* What may be handed to a kernel. Buffers are made from the host memory and read back to it. */
struct intel_argument {
	enum { INTEL_BUFFER, INTEL_VALUE, INTEL_LOCAL } kind;
	void *data;
	size_t size;
};
#define BUFFER(array)                                                                              \
	{                                                                                          \
		INTEL_BUFFER, (array), sizeof(array)                                               \
	}
#define VALUE(variable)                                                                            \
	{                                                                                          \
		INTEL_VALUE, &(variable), sizeof(variable)                                         \
	}
#define LOCAL(bytes)                                                                               \
	{                                                                                          \
		INTEL_LOCAL, NULL, (bytes)                                                         \
	}
#define RANGE(...) ((const size_t[3]){ __VA_ARGS__ })

/* Opens the driver. Fails the test when its device is not there. */
void intel_open(struct intel *intel);
void intel_close(struct intel *intel);
/* The same for the first platform whose name has `platform` in it: a reference to compare with. */
void intel_open_platform(struct intel *intel, const char *platform);

/* Builds the test's kernels with these options. */
void intel_build(struct intel *intel, const char *options);
/* Builds these. */
void intel_build_texts(
	struct intel *intel, unsigned count, const char **texts, const char *options);
/* Builds a file of INTEL_SOURCES. */
void intel_build_file(struct intel *intel, const char *name, const char *options);
/* A file of INTEL_SOURCES as a string; the caller frees it. */
char *intel_read(const char *name);

/* Runs a kernel over the range and waits. Returns the error of the wait, fails on any other. */
cl_int intel_run(struct intel *intel, const char *kernel, unsigned dimensions, const size_t *offset,
	const size_t *global, const size_t *local, unsigned count,
	const struct intel_argument *arguments);
#define INTEL_RUN(intel, kernel, global, local, ...)                                               \
	intel_run(intel, kernel, 1, NULL, RANGE(global), RANGE(local),                             \
		sizeof((const struct intel_argument[]){ __VA_ARGS__ }) /                           \
			sizeof(struct intel_argument),                                             \
		(const struct intel_argument[]){ __VA_ARGS__ })

/*
 * Where ZEROCL_VGPU_FORMS is set, which makes the interpreter execute kernels, each run is done
 * again by stencils (the host's best, AVX2's and any host's by turns) with the same memory, and
 * fails the test if that ends with other bits. Not when this is false: what a kernel does may
 * depend on its items' order.
 */
extern bool intel_compares;
/*
 * Size of the floating-point numbers in the buffers, 0: none. Their NaNs count as equal: which of
 * its operands' NaNs a multiplication and addition gives is up to the host's instruction.
 */
extern unsigned intel_float_bytes;
/* Sets (NULL: unsets) a variable that the virtual device, if it is there, reads anew. */
void intel_setenv(const char *name, const char *value);

/* Has runs be by stencils where ZEROCL_VGPU_FORMS is set, or not; NULL: see ZEROCL_VGPU_ENGINE. */
void intel_choose(const char *engine);

/* Nanoseconds on the device of the last run. */
extern uint64_t intel_nanoseconds;

uint32_t intel_random(void);

#endif
