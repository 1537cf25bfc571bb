// SPDX-License-Identifier: MIT
#ifndef HOSTILE_H
#define HOSTILE_H

#include <CL/cl.h>

/*
 * Cases. Each runs in a process of its own. Whatever it does, calls answer with CL_SUCCESS and
 * right results, or with an error; no call crashes or hangs. A case returns the status to exit
 * with: 0 if that held.
 */

struct hostile {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel; /* b[i] = i + v */
	cl_mem buffer;	  /* HOSTILE_ITEMS of cl_int */
};

#define HOSTILE_ITEMS 1024

/* Ends the process with a message. */
_Noreturn void hostile_fail(const char *what, long value);

/* Opens everything. An error of OpenCL is returned, and what was opened is NULL or valid. */
cl_int hostile_open(struct hostile *h);
void hostile_close(struct hostile *h);
/* Launches with v and reads; fails if the calls succeed and a result is wrong. */
cl_int hostile_launch(const struct hostile *h, cl_command_queue queue, cl_int v);
/* Builds a program that is in no cache. */
cl_int hostile_build(const struct hostile *h);

/* hostile_main.c */
int hostile_builds(void);
int hostile_cached(void);
/* hostile_limit.c */
int hostile_no_thread_early(void);
int hostile_no_thread_late(void);
int hostile_closed(void);
int hostile_no_folder(void);
int hostile_no_stdio(void);
int hostile_no_file_size(void);
int hostile_small_stacks(void);
/* hostile_handle.c */
int hostile_released(void);
int hostile_many(void);
int hostile_private(void);
/* hostile_signal.c */
int hostile_handler(void);
int hostile_interrupted(void);
/* hostile_exit.c */
int hostile_exit_return(void);
int hostile_exit_call(void);
int hostile_exit_wait(void);

#endif
