// SPDX-License-Identifier: MIT
#ifndef TESTS_CL_CASE_H
#define TESTS_CL_CASE_H

/*
 * Programs that use nothing but public OpenCL, through the ICD loader. The first argument names the
 * platform (part of its name, "ZeroCL" if absent), so that the same binary runs over other drivers
 * and they can be compared. A program whose platform is missing ends with 77, which ctest counts as
 * skipped; ours is never missing.
 */

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include "test.h"

#include <stdbool.h>

struct cl_case {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue; /* in order, with profiling */
	bool ours;
	bool intel;
};
extern struct cl_case cl;

/* The body of main: opens the platform, runs the tests, closes. */
int cl_run(int argc, char **argv, const char *name, const struct CMUnitTest *tests, size_t n_tests);
#define CL_RUN(argc, argv, tests)                                                                  \
	cl_run((argc), (argv), __FILE__, (tests), sizeof(tests) / sizeof *(tests))

/* Asserts success. */
#define CL(call) assert_int_equal((call), CL_SUCCESS)

/* Whether the device reports the extension. */
bool cl_has(const char *extension);

/* Whether the device has images. */
bool cl_has_images(void);

/* A built program; prints the log and fails the test when it cannot be built. */
cl_program cl_build(const char *source, const char *options);
/* A kernel of a program of its own; cl_kernel_done releases both. */
cl_kernel cl_make_kernel(const char *source, const char *options, const char *name);
void cl_kernel_done(cl_kernel kernel);
/* A kernel of a built program. */
cl_kernel cl_kernel_of(cl_program program, const char *name);

cl_mem cl_make_buffer(size_t size, const void *bytes);
void cl_read(cl_mem buffer, size_t size, void *bytes);

void cl_set_buffer(cl_kernel kernel, cl_uint index, cl_mem buffer);
void cl_set_uint(cl_kernel kernel, cl_uint index, cl_uint value);

/* One dimension; local 0 leaves the choice to the driver. */
void cl_launch(cl_kernel kernel, size_t global, size_t local);

/* Launches a kernel of `source` once, with one buffer, which is `data` before and after. */
void cl_run_on(const char *source, const char *options, const char *name, size_t global,
	size_t local, size_t size, void *data);

/*
 * Rows of calls that must fail. A row that differs is printed, and CL_ROWS_END fails the test if
 * there was any: one run shows all.
 */
void cl_row(const char *file, int line, const char *call, cl_int want, cl_int got);
void cl_rows_end(void);
#define CL_ROW(code, call) cl_row(__FILE__, __LINE__, #call, (code), (call))
/* For calls that give their code through `rc`; the result must be NULL. */
#define CL_ROW_MADE(code, call)                                                                    \
	do {                                                                                       \
		rc = 4711;                                                                         \
		assert_null(call);                                                                 \
		cl_row(__FILE__, __LINE__, #call, (code), rc);                                     \
	} while (0)

#endif
