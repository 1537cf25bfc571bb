// SPDX-License-Identifier: MIT
#ifndef BENCH_CL_H
#define BENCH_CL_H

#include <CL/cl.h>
#include <stdbool.h>

/* The first device of a platform, ready to run kernels of one source. */
struct bench_cl {
	cl_context context;
	cl_command_queue queue;
	cl_program program;
};

/* Ends the program with the call and its code unless `code` is CL_SUCCESS. */
void bench_check(cl_int code, const char *call);

/* Whether that platform's first device has the extension. */
bool bench_cl_has(const char *platform, const char *extension);

/* Opens the platform whose name contains `platform`; ends the program if there is none. */
void bench_cl_open(const char *platform, const char *source, struct bench_cl *out);
void bench_cl_close(struct bench_cl *cl);

#endif
