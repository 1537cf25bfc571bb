// SPDX-License-Identifier: MIT
#ifndef PROGRAM_JOB_H
#define PROGRAM_JOB_H

#include "compile/base/pool.h"
#include "compile/spirv/spirv_spec.h"
#include "core/program/program.h"

enum program_step { PROGRAM_BUILD, PROGRAM_COMPILE, PROGRAM_LINK };

/* A build, compilation or link for one device: all that it needs, so that another thread can do it.
 */
struct program_job {
	struct program_job *next; /* the same for another device; NULL for the last */
	struct program *program;  /* a reference */
	struct program_form *form;
	enum program_step step;
	char *options;
	struct compile_request request;
	struct pool *pool; /* owns what the request points to */
	struct compile_module *modules;
	struct compile_header *headers;

	/* What it leaves, besides its return code. */
	struct program_code *code;
	void *object;
	size_t object_size;
	bool is_library;
	char *log;
	char *told_options;	       /* for the form, and then what that had … */
	struct program_code *old_code; /* … as this */
};

/* A list of jobs for those devices of the program, n is 0 for all. CL_INVALID_DEVICE for one that
 * it has not, CL_OUT_OF_HOST_MEMORY. */
cl_int program_jobs_new(struct program *program, enum program_step step, cl_uint n_devices,
	const cl_device_id *devices, const char *options, struct program_job **out);
/* NULL is allowed. */
void program_jobs_free(struct program_job *jobs);

/* Takes the program's own source or SPIR-V as the input. */
cl_int program_job_input(struct program_job *job);

/*
 * Does the jobs of one program, here or, with `notify`, on a thread of its own, and frees them. The
 * error is that of the first that failed. CL_INVALID_OPERATION if the program has kernels or is
 * being built.
 */
cl_int program_jobs_run(struct program_job *jobs, program_notify_fn notify, void *notify_data);

/* What all three calls check. */
cl_int program_check_call(struct context *context, cl_uint n_devices, const cl_device_id *devices,
	program_notify_fn notify, const void *notify_data);

#endif
