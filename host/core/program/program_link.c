// SPDX-License-Identifier: MIT
/* Compiling and linking apart, specialization: sections 5.8.3 and 5.8.5 of the specification. */
#include "core/base/error.h"
#include "core/program/program_job.h"

#include <stdlib.h>
#include <string.h>

static cl_int check_headers(cl_uint n, const cl_program *headers, const char **names)
{
	REQUIRE(n ? headers && names : !headers && !names, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++) {
		const struct program *header = program_from(headers[i]);

		REQUIRE(header, CL_INVALID_PROGRAM);
		REQUIRE(names[i], CL_INVALID_VALUE);
		REQUIRE(header->source,
			error_say(CL_INVALID_OPERATION, "header %s has no source", names[i]));
	}
	return CL_SUCCESS;
}

static cl_int take_headers(
	struct program_job *job, cl_uint n, const cl_program *headers, const char **names)
{
	job->headers = pool_get(&job->pool, n * sizeof *job->headers);
	REQUIRE(job->headers, CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < n; i++) {
		const char *text = program_from(headers[i])->source;
		struct compile_header *header = &job->headers[i];

		header->size = strlen(text);
		header->text = pool_text(&job->pool, text, header->size);
		header->name = pool_text(&job->pool, names[i], strlen(names[i]));
		REQUIRE(header->text && header->name, CL_OUT_OF_HOST_MEMORY);
	}
	job->request.headers = job->headers;
	job->request.n_headers = n;
	return CL_SUCCESS;
}

cl_int program_compile(struct program *program, cl_uint n_devices, const cl_device_id *devices,
	const char *options, cl_uint n_headers, const cl_program *headers, const char **names,
	program_notify_fn notify, void *notify_data)
{
	struct program_job *jobs = NULL;
	char why[256];
	cl_int rc;

	REQUIRE(program, CL_INVALID_PROGRAM);
	TRY(program_check_call(program->context, n_devices, devices, notify, notify_data));
	TRY(check_headers(n_headers, headers, names));
	REQUIRE(program->source || program->forms[0].from_il,
		error_say(CL_INVALID_OPERATION, "the program has neither source nor IL"));
	REQUIRE(compile_check_options(options, why, sizeof why) == COMPILE_OK,
		error_say(CL_INVALID_COMPILER_OPTIONS, "%s", why));
	TRY(program_jobs_new(program, PROGRAM_COMPILE, n_devices, devices, options, &jobs));
	for (struct program_job *job = jobs; job; job = job->next) {
		job->request.outputs = COMPILE_SPIRV;
		TRY(take_headers(job, n_headers, headers, names));
		TRY(program_job_input(job));
	}
	return program_jobs_run(jobs, notify, notify_data);
fail:
	program_jobs_free(jobs);
	return rc;
}

/*
 * The SPIR-V that the program has to offer to a link for a device, valid while its lock is held, or
 * NULL.
 */
static const void *offered(const struct program_form *form, size_t *size)
{
	struct compile_binary binary;

	if (form->object &&
		compile_binary_open(form->object, form->object_size, &binary) == COMPILE_OK) {
		*size = binary.spirv_size;
		return binary.spirv;
	}
	*size = form->il_size;
	return form->binary && !form->from_il && !form->code &&
			       form->kind != COMPILE_BINARY_EXECUTABLE
		       ? form->il
		       : NULL;
}

/* Adds it, or says by *lacks that there is none. */
static cl_int take_input(struct program_job *job, struct program *input, bool *lacks)
{
	struct compile_module *module = &job->modules[job->request.n_modules];
	const struct program_form *form = program_form(input, job->form->device);
	const void *spirv = NULL;
	cl_int rc = CL_SUCCESS;

	pthread_mutex_lock(&input->lock);
	if (form && form->status == CL_BUILD_IN_PROGRESS)
		rc = error_say(CL_INVALID_OPERATION, "a program is still being compiled");
	else if (form)
		spirv = offered(form, &module->size);
	if (spirv)
		module->spirv = pool_text(&job->pool, spirv, module->size);
	pthread_mutex_unlock(&input->lock);
	if (rc)
		return rc;
	*lacks = !spirv;
	REQUIRE(!spirv || module->spirv, CL_OUT_OF_HOST_MEMORY);
	job->request.n_modules += spirv != NULL;
	return CL_SUCCESS;
}

/* A device for which no program has anything gets nothing; its job has no modules then. */
static cl_int take_inputs(struct program_job *job, cl_uint n, const cl_program *inputs)
{
	job->modules = pool_get(&job->pool, n * sizeof *job->modules);
	REQUIRE(job->modules, CL_OUT_OF_HOST_MEMORY);
	job->request.modules = job->modules;
	bool any_lacks = false;
	for (cl_uint i = 0; i < n; i++) {
		bool lacks;
		cl_int rc = take_input(job, program_from(inputs[i]), &lacks);

		if (rc)
			return rc;
		any_lacks |= lacks;
	}
	REQUIRE(!any_lacks || (!job->request.n_modules && job->program->n_forms > 1),
		error_say(CL_INVALID_OPERATION,
			"a program is neither a compiled object nor a library"));
	return CL_SUCCESS;
}

/* Makes a job complete. */
static cl_int prepare_link(
	struct program_job *job, bool is_library, cl_uint n, const cl_program *inputs)
{
	cl_int rc = take_inputs(job, n, inputs);

	if (rc)
		return rc;
	job->is_library = is_library;
	job->request.outputs = COMPILE_SPIRV | (is_library ? 0 : COMPILE_NATIVE);
	/* The linker's own words are none to the compiler. */
	char *words = pool_text(&job->pool, job->options, strlen(job->options));
	REQUIRE(words, CL_OUT_OF_HOST_MEMORY);
	job->request.options = compile_link_options(words);
	return CL_SUCCESS;
}

/* Drops the jobs that have nothing to link. */
static cl_int drop_empty(struct program_job **jobs)
{
	struct program_job **link = jobs;

	while (*link) {
		struct program_job *job = *link;

		if (job->request.n_modules) {
			link = &job->next;
			continue;
		}
		*link = job->next;
		job->next = NULL;
		program_jobs_free(job);
	}
	REQUIRE(*jobs,
		error_say(CL_INVALID_OPERATION, "no program is a compiled object or a library"));
	return CL_SUCCESS;
}

cl_int program_link(struct context *context, cl_uint n_devices, const cl_device_id *devices,
	const char *options, cl_uint n_inputs, const cl_program *inputs, program_notify_fn notify,
	void *notify_data, struct program **out)
{
	struct program *program = NULL;
	struct program_job *jobs = NULL;
	bool is_library;
	char why[256];
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	TRY(program_check_call(context, n_devices, devices, notify, notify_data));
	REQUIRE(n_inputs && inputs, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n_inputs; i++)
		REQUIRE(program_from(inputs[i]) && program_from(inputs[i])->context == context,
			CL_INVALID_PROGRAM);
	REQUIRE(compile_check_link_options(options, &is_library, why, sizeof why) == COMPILE_OK,
		error_say(CL_INVALID_LINKER_OPTIONS, "%s", why));
	TRY(program_new(context, n_devices, devices, &program));
	TRY(program_jobs_new(program, PROGRAM_LINK, 0, NULL, options, &jobs));
	for (struct program_job *job = jobs; job; job = job->next)
		TRY(prepare_link(job, is_library, n_inputs, inputs));
	TRY(drop_empty(&jobs));
	/* Before the thread's callback can ask for it. */
	*out = program;
	rc = program_jobs_run(jobs, notify, notify_data);
	if (!rc || rc == CL_LINK_PROGRAM_FAILURE)
		return rc;
	*out = NULL;
	program_put(program);
	return rc;
fail:
	program_jobs_free(jobs);
	program_put(program);
	return rc;
}

cl_int program_specialize(struct program *program, cl_uint id, size_t size, const void *value)
{
	struct spirv_spec spec = { .id = id };
	cl_int rc = CL_SUCCESS;
	size_t i = 0;

	REQUIRE(program && program->forms[0].from_il, CL_INVALID_PROGRAM);
	size_t wanted = spirv_spec_size(program->forms[0].il, program->forms[0].il_size, id);
	REQUIRE(wanted, error_say(CL_INVALID_SPEC_ID, "the module has no constant %u", id));
	REQUIRE(value && size == wanted,
		error_say(CL_INVALID_VALUE, "constant %u has %zu bytes", id, wanted));
	memcpy(spec.value, value, size);
	pthread_mutex_lock(&program->lock);
	while (i < program->n_specs && program->specs[i].id != id)
		i++;
	struct spirv_spec *specs = realloc(program->specs,
		(i + 1 > program->n_specs ? i + 1 : program->n_specs) * sizeof *specs);
	if (specs) {
		program->specs = specs;
		program->n_specs += i == program->n_specs;
		specs[i] = spec;
	} else {
		rc = CL_OUT_OF_HOST_MEMORY;
	}
	pthread_mutex_unlock(&program->lock);
	return rc;
}
