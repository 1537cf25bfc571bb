// SPDX-License-Identifier: MIT
#ifndef PROGRAM_JOB_H
#define PROGRAM_JOB_H

#include "compile/spirv/spirv_spec.h"
#include "core/program/program.h"

enum program_step { PROGRAM_BUILD, PROGRAM_COMPILE, PROGRAM_LINK };

/* A build, compilation or link: everything that it needs, so that another thread can do it. */
struct program_job {
	struct program *program; /* a reference */
	enum program_step step;
	char *options;
	struct compile_request request;
	void **owned; /* what the request points to */
	size_t n_owned;
	struct compile_module *modules;
	struct compile_header *headers;
	program_notify_fn notify;
	void *notify_data;

	/* What it leaves, besides its return code. */
	struct program_code *code;
	void *object;
	size_t object_size;
	bool is_library;
	char *log;
};

/* NULL when out of memory. */
struct program_job *program_job_new(
	struct program *program, enum program_step step, const char *options);
void program_job_free(struct program_job *job);

/* A copy with a zero byte after it that lives as long as the job; NULL when out of memory. */
void *program_job_keep(struct program_job *job, const void *data, size_t size);

/* Takes the program's own source or SPIR-V as the input. */
cl_int program_job_input(struct program_job *job);

/*
 * Does the job, here or, with `notify`, on a thread of its own, and frees it.
 * CL_INVALID_OPERATION if the program has kernels or is being built.
 */
cl_int program_job_run(struct program_job *job, program_notify_fn notify, void *notify_data);

/* What all three calls check. */
cl_int program_check_call(struct context *context, cl_uint n_devices, const cl_device_id *devices,
	program_notify_fn notify, const void *notify_data);

#endif
