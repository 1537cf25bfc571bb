// SPDX-License-Identifier: MIT
/* Building, compiling and linking: sections 5.8.4 and 5.8.5 of the specification. */
#include "compile/build/compile.h"
#include "compile/base/pool.h"
#include "core/base/error.h"
#include "core/program/program_code.h"
#include "core/program/program_job.h"
#include "core/program/program_thread.h"
#include "l0/l0_memory.h"
#include "util/util_log.h"
#include "util/util_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Codes that clBuildProgram, clCompileProgram and clLinkProgram have each their own of. */
static const struct {
	cl_int failure, bad_options;
} codes[] = {
	[PROGRAM_BUILD] = { CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS },
	[PROGRAM_COMPILE] = { CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS },
	[PROGRAM_LINK] = { CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS },
};

static cl_int compile_error(
	const struct program_job *job, enum compile_status status, const char *log)
{
	cl_int failure = codes[job->step].failure;
	const char *line = log && *log ? log : "see the build log";

	switch (status) {
	case COMPILE_OK:
		return CL_SUCCESS;
	case COMPILE_BAD_OPTIONS:
		return error_say(
			codes[job->step].bad_options, "%.*s", (int)strcspn(line, "\n"), line);
	case COMPILE_CRASHED:
		return error_say(failure, "the compiler died, see the build log");
	case COMPILE_MISSING:
		return error_say(
			CL_COMPILER_NOT_AVAILABLE, "no compiler was found, see the build log");
	case COMPILE_NO_MEMORY:
		return error_say(CL_OUT_OF_HOST_MEMORY, "no memory is left for the compiler");
	default:
		return error_say(failure, "the compiler found errors, see the build log");
	}
}

/* Adds a line to a log; without memory the log stays as it was. */
static void append_log(char **log, const char *text)
{
	size_t old = *log ? strlen(*log) : 0;
	char *grown = realloc(*log, old + strlen(text) + 2);

	if (!grown)
		return;
	*log = grown;
	sprintf(grown + old, "%s%s", old && grown[old - 1] != '\n' ? "\n" : "", text);
}

static cl_int job_load(struct program_job *job, const struct program_parts *parts)
{
	char *more = NULL;

	if (!program_thread_enter()) {
		free(parts->native);
		free(parts->spirv);
		return CL_OUT_OF_RESOURCES;
	}
	cl_int rc = program_code_create(
		job->program->context, job->form->device, parts, &job->code, &more);
	program_thread_leave();
	if (more && *more)
		append_log(&job->log, more);
	free(more);
	return rc;
}

static cl_int load_result(struct program_job *job, struct compile_result *result)
{
	struct program_parts parts = { .native = result->native,
		.native_size = result->native_size,
		.spirv = result->spirv,
		.spirv_size = result->spirv_size,
		.request = &job->request,
		.options = job->request.options,
		.facts = result->facts,
		.facts_size = result->facts_size };

	if (!parts.spirv && job->request.spirv) {
		parts.spirv = bytes_copy(job->request.spirv, job->request.spirv_size);
		parts.spirv_size = job->request.spirv_size;
		REQUIRE(parts.spirv, CL_OUT_OF_HOST_MEMORY);
	}
	result->native = result->spirv = NULL;
	cl_int rc = job_load(job, &parts);
	/* Fresh from the compiler: whatever is wrong with it is a failed build. */
	return rc == CL_INVALID_BINARY ? codes[job->step].failure : rc;
}

/* Makes what was compiled a binary that says what it is. */
static cl_int keep_object(struct program_job *job, const struct compile_result *result)
{
	const struct compile_binary parts = {
		.kind = job->is_library ? COMPILE_BINARY_LIBRARY : COMPILE_BINARY_OBJECT,
		.spirv = result->spirv ? result->spirv : job->request.spirv,
		.spirv_size = result->spirv ? result->spirv_size : job->request.spirv_size,
		.options = job->options,
		.options_size = strlen(job->options) + 1,
	};

	job->object = compile_binary_make(&parts, job->request.family, &job->object_size);
	return job->object ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int run_compiler(struct program_job *job)
{
	struct compile_result result = { 0 };
	enum compile_status status = compile_build(&job->request, &result);
	cl_int rc = compile_error(job, status, result.log);

	job->log = result.log;
	result.log = NULL;
	if (!rc)
		rc = result.native ? load_result(job, &result) : keep_object(job, &result);
	compile_result_finish(&result);
	return rc;
}

/* A binary's own native code, or its SPIR-V when that does not fit this device. */
static cl_int load_binary(struct program_job *job)
{
	const struct program_form *form = job->form;
	char why[256] = "";

	if (compile_check_options(job->options, why, sizeof why) != COMPILE_OK) {
		append_log(&job->log, why);
		return error_say(CL_INVALID_BUILD_OPTIONS, "%s", why);
	}
	struct program_parts parts = { .native = bytes_copy(form->native, form->native_size),
		.native_size = form->native_size,
		.spirv = form->il ? bytes_copy(form->il, form->il_size) : NULL,
		.spirv_size = form->il_size,
		.is_other = form->is_other };
	if (!parts.native || (form->il && !parts.spirv)) {
		free(parts.native);
		free(parts.spirv);
		return CL_OUT_OF_HOST_MEMORY;
	}
	cl_int rc = job_load(job, &parts);
	if ((rc != CL_INVALID_BINARY && rc != CL_BUILD_PROGRAM_FAILURE) || !form->il ||
		form->is_other)
		return rc;
	util_log(UTIL_LOG_INFO, "core", "the binary is built again from its SPIR-V: %s",
		job->log ? job->log : "its native code is not for this device");
	free(job->log);
	job->log = NULL;
	return run_compiler(job);
}

static bool has_live_kernel(const struct program *program)
{
	for (const struct program_kernel *link = program->kernels; link; link = link->next)
		if (atomic_load(&link->kernel->api_refs))
			return true;
	return false;
}

/* Takes the program for the jobs, or says why not. */
static cl_int jobs_begin(struct program_job *jobs)
{
	struct program *program = jobs->program;
	cl_int rc = CL_SUCCESS;

	for (struct program_job *job = jobs; job; job = job->next) {
		job->told_options = strdup(job->options);
		REQUIRE(job->told_options, CL_OUT_OF_HOST_MEMORY);
	}
	pthread_mutex_lock(&program->lock);
	if (has_live_kernel(program))
		rc = error_say(CL_INVALID_OPERATION, "the program has kernels");
	for (struct program_job *job = jobs; job; job = job->next)
		if (job->form->status == CL_BUILD_IN_PROGRESS)
			rc = error_say(CL_INVALID_OPERATION, "another build has not ended");
	for (struct program_job *job = jobs; !rc && job; job = job->next) {
		struct program_form *form = job->form;
		char *last = form->options;

		form->status = CL_BUILD_IN_PROGRESS;
		form->options = job->told_options;
		job->told_options = last;
		job->old_code = form->code;
		form->code = NULL;
		free(form->object);
		form->object = NULL;
	}
	pthread_mutex_unlock(&program->lock);
	for (struct program_job *job = jobs; job; job = job->next) {
		program_code_put(job->old_code);
		job->old_code = NULL;
	}
	return rc;
}

static void job_end(struct program_job *job, cl_int rc)
{
	struct program_form *form = job->form;

	pthread_mutex_lock(&job->program->lock);
	form->status = rc ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
	form->code = job->code;
	form->object = job->object;
	form->object_size = job->object_size;
	form->is_library = job->is_library;
	job->code = NULL;
	job->object = NULL;
	if (job->log) {
		free(form->log);
		form->log = job->log;
		job->log = NULL;
	} else {
		form->log[0] = '\0';
	}
	pthread_cond_broadcast(&job->program->built);
	pthread_mutex_unlock(&job->program->lock);
}

/* NULL when out of memory. */
static struct program_job *job_new(struct program *program, struct program_form *form,
	enum program_step step, const char *options)
{
	struct program_job *job = calloc(1, sizeof *job);

	if (!job)
		return NULL;
	job->program = program_get(program);
	job->form = form;
	job->step = step;
	job->options = pool_text(&job->pool, options, options ? strlen(options) : 0);
	job->request = (struct compile_request){ .options = job->options,
		.implicit_args = true,
		.soft_double = form->device->hw->soft_fp64,
		.family = form->device->compiler_family,
		.extensions = form->device->extensions.text,
		.features = form->device->features.text,
		.version = CL_VERSION_MAJOR(form->device->version) * 100 +
			   CL_VERSION_MINOR(form->device->version) * 10 };
	/* What is reported of kernels has their lines. */
	const char *more = util_settings()->build_options;
	bool checked = l0_memory_is_checked(program->context->l0);
	if (job->options && step != PROGRAM_LINK && (checked || more)) {
		size_t size = strlen(job->options) + (more ? strlen(more) : 0) + sizeof "  -g";
		char *words = pool_get(&job->pool, size);
		if (words)
			snprintf(words, size, "%s %s%s", job->options, more ? more : "",
				checked ? " -g" : "");
		job->request.options = words ? words : job->options;
	}
	if (job->options)
		return job;
	program_jobs_free(job);
	return NULL;
}

void program_jobs_free(struct program_job *jobs)
{
	while (jobs) {
		struct program_job *job = jobs;

		jobs = job->next;
		pool_free(job->pool);
		program_put(job->program);
		free(job->told_options);
		free(job->log);
		free(job);
	}
}

/* The program's source, or its SPIR-V with the constants as they are set now. */
cl_int program_job_input(struct program_job *job)
{
	struct program *program = job->program;
	cl_int rc = CL_SUCCESS;

	if (program->source) {
		job->request.source = program->source;
		job->request.source_size = strlen(program->source);
		return CL_SUCCESS;
	}
	job->request.spirv = job->form->il;
	job->request.spirv_size = job->form->il_size;
	pthread_mutex_lock(&program->lock);
	if (program->n_specs) {
		void *spirv = spirv_spec_apply(
			job->form->il, job->form->il_size, program->specs, program->n_specs);
		job->request.spirv =
			spirv ? pool_text(&job->pool, spirv, job->request.spirv_size) : NULL;
		free(spirv);
		rc = job->request.spirv ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
	}
	pthread_mutex_unlock(&program->lock);
	return rc;
}

static cl_int job_run(struct program_job *job)
{
	bool is_native = job->step == PROGRAM_BUILD && job->form->native;
	cl_int rc = is_native ? load_binary(job) : run_compiler(job);

	job_end(job, rc);
	return rc;
}

/* What a thread of its own does. */
struct program_task {
	struct program_job *jobs;
	program_notify_fn notify;
	void *notify_data;
};

static cl_int run_all(struct program_task *task)
{
	cl_int rc = CL_SUCCESS;

	for (struct program_job *job = task->jobs; job; job = job->next) {
		cl_int result = job_run(job);

		rc = rc ? rc : result;
	}
	if (task->notify)
		task->notify(program_handle(task->jobs->program), task->notify_data);
	return rc;
}

static void run_apart(void *data)
{
	struct program_task *task = data;

	(void)run_all(task);
	/* the last reference to the program may be the job's, and destroy its module */
	if (program_thread_enter()) {
		program_jobs_free(task->jobs);
		program_thread_leave();
	}
	free(task);
}

cl_int program_jobs_run(struct program_job *jobs, program_notify_fn notify, void *notify_data)
{
	struct program_task task = { jobs, notify, notify_data };
	struct program_task *apart = notify ? malloc(sizeof *apart) : NULL;
	cl_int rc = jobs_begin(jobs);

	if (!rc && apart) {
		*apart = task;
		if (program_thread_start(run_apart, apart))
			return CL_SUCCESS;
	}
	free(apart);
	if (!rc)
		rc = run_all(&task);
	program_jobs_free(jobs);
	return rc;
}

cl_int program_check_call(struct context *context, cl_uint n_devices, const cl_device_id *devices,
	program_notify_fn notify, const void *notify_data)
{
	REQUIRE(!n_devices == !devices, CL_INVALID_VALUE);
	REQUIRE(notify || !notify_data, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n_devices; i++)
		REQUIRE(context_has_device(context, device_from(devices[i])), CL_INVALID_DEVICE);
	return CL_SUCCESS;
}

cl_int program_jobs_new(struct program *program, enum program_step step, cl_uint n_devices,
	const cl_device_id *devices, const char *options, struct program_job **out)
{
	struct program_job *jobs = NULL, **end = &jobs;

	for (cl_uint i = 0; i < n_devices; i++)
		REQUIRE(program_form(program, device_from(devices[i])),
			error_say(CL_INVALID_DEVICE, "the program is not for this device"));
	for (cl_uint i = 0; i < program->n_forms; i++) {
		struct program_form *form = &program->forms[i];

		if (!program_is_named(form->device, n_devices, devices))
			continue;
		*end = job_new(program, form, step, options);
		if (!*end) {
			program_jobs_free(jobs);
			return CL_OUT_OF_HOST_MEMORY;
		}
		end = &(*end)->next;
	}
	*out = jobs;
	return CL_SUCCESS;
}

cl_int program_build(struct program *program, cl_uint n_devices, const cl_device_id *devices,
	const char *options, program_notify_fn notify, void *notify_data)
{
	struct program_job *jobs = NULL;
	char why[256];
	cl_int rc;

	REQUIRE(program, CL_INVALID_PROGRAM);
	rc = program_check_call(program->context, n_devices, devices, notify, notify_data);
	if (rc)
		return rc;
	/* Nobody would hear of it later. */
	REQUIRE(!notify || compile_check_options(options, why, sizeof why) == COMPILE_OK,
		error_say(CL_INVALID_BUILD_OPTIONS, "%s", why));
	REQUIRE(program->source || program->forms[0].binary,
		error_say(CL_INVALID_OPERATION, "the program was made by a link"));
	TRY(program_jobs_new(program, PROGRAM_BUILD, n_devices, devices, options, &jobs));
	for (struct program_job *job = jobs; job; job = job->next) {
		job->request.outputs = COMPILE_NATIVE | (program->source ? COMPILE_SPIRV : 0);
		TRY(program_job_input(job));
	}
	return program_jobs_run(jobs, notify, notify_data);
fail:
	program_jobs_free(jobs);
	return rc;
}
