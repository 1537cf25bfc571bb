// SPDX-License-Identifier: MIT
/* clBuildProgram: section 5.8.2 of the specification. */
#include "compile/compile.h"
#include "core/error.h"
#include "core/kernel.h"
#include "core/program_code.h"
#include "util/util_bits.h"
#include "util/util_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a build leaves, besides its return code. */
struct outcome {
	struct program_code *code;
	char *log;
};

static const struct {
	enum compile_status status;
	cl_int code;
	const char *sentence;
} compile_errors[] = {
	{ COMPILE_ERROR, CL_BUILD_PROGRAM_FAILURE, "the compiler found errors, see the build log" },
	{ COMPILE_BAD_OPTIONS, CL_INVALID_BUILD_OPTIONS, "see the build log" },
	{ COMPILE_CRASHED, CL_BUILD_PROGRAM_FAILURE, "the compiler died, see the build log" },
	{ COMPILE_MISSING, CL_COMPILER_NOT_AVAILABLE, "no compiler was found, see the build log" },
	{ COMPILE_NO_MEMORY, CL_OUT_OF_HOST_MEMORY, "no memory is left for the compiler" },
};

static cl_int compile_error(enum compile_status status)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(compile_errors); i++)
		if (compile_errors[i].status == status)
			return error_say(compile_errors[i].code, "%s", compile_errors[i].sentence);
	return CL_SUCCESS;
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

static cl_int load(struct program *program, void *native, size_t native_size, const void *spirv,
	size_t spirv_size, struct outcome *outcome)
{
	char *more = NULL;
	cl_int rc = program_code_create(
		program->context, native, native_size, spirv, spirv_size, &outcome->code, &more);

	if (more && *more)
		append_log(&outcome->log, more);
	free(more);
	return rc;
}

/* Makes the native code a binary that says what it is, and loads it. */
static cl_int load_result(struct program *program, const char *options,
	const struct compile_result *result, struct outcome *outcome)
{
	const struct compile_binary parts = {
		.kind = COMPILE_BINARY_EXECUTABLE,
		.native = result->native,
		.native_size = result->native_size,
		.spirv = result->spirv ? result->spirv : program->il,
		.spirv_size = result->spirv ? result->spirv_size : program->il_size,
		.options = options,
		.options_size = strlen(options) + 1,
	};
	size_t size;
	void *binary =
		compile_binary_make(&parts, program->context->devices[0]->compiler_family, &size);

	REQUIRE(binary, CL_OUT_OF_HOST_MEMORY);
	return load(program, binary, size, parts.spirv, parts.spirv_size, outcome);
}

static cl_int build_by_compiler(
	struct program *program, const char *options, struct outcome *outcome)
{
	const struct device *device = program->context->devices[0];
	struct compile_request request = {
		.source = program->source,
		.source_size = program->source ? strlen(program->source) : 0,
		.spirv = program->il,
		.spirv_size = program->il_size,
		.options = options,
		.family = device->compiler_family,
		.extensions = device->extensions.text,
		.features = device->features.text,
		.outputs = COMPILE_NATIVE | (program->il ? 0 : COMPILE_SPIRV),
	};
	struct compile_result result = { 0 };
	cl_int rc = compile_error(compile_build(&request, &result));

	outcome->log = result.log;
	result.log = NULL;
	if (!rc) {
		rc = load_result(program, options, &result, outcome);
		/* Fresh from the compiler: whatever is wrong with it is a failed build. */
		if (rc == CL_INVALID_BINARY)
			rc = CL_BUILD_PROGRAM_FAILURE;
	}
	compile_result_finish(&result);
	return rc;
}

/* A binary's own native code, or its SPIR-V when that does not fit this device. */
static cl_int build_from_binary(
	struct program *program, const char *options, struct outcome *outcome)
{
	char why[256] = "";

	if (compile_check_options(options, why, sizeof why) != COMPILE_OK) {
		append_log(&outcome->log, why);
		return error_say(CL_INVALID_BUILD_OPTIONS, "%s", why);
	}
	void *native = malloc(program->native_size);
	REQUIRE(native, CL_OUT_OF_HOST_MEMORY);
	memcpy(native, program->native, program->native_size);
	cl_int rc =
		load(program, native, program->native_size, program->il, program->il_size, outcome);
	if ((rc != CL_INVALID_BINARY && rc != CL_BUILD_PROGRAM_FAILURE) || !program->il)
		return rc;
	util_log(UTIL_LOG_INFO, "core", "the binary's native code is not for this device: %s",
		outcome->log && *outcome->log ? outcome->log : "it is built again from its SPIR-V");
	free(outcome->log);
	outcome->log = NULL;
	return build_by_compiler(program, options, outcome);
}

static bool has_live_kernel(const struct program *program)
{
	for (struct kernel *kernel = program->kernels; kernel; kernel = kernel->next)
		if (atomic_load(&kernel->base.api_refs))
			return true;
	return false;
}

/* Takes the program for a build, or says why not. */
static cl_int begin(struct program *program, const char *options)
{
	cl_int rc = CL_SUCCESS;

	char *copy = strdup(options);
	REQUIRE(copy, CL_OUT_OF_HOST_MEMORY);
	pthread_mutex_lock(&program->lock);
	if (program->status == CL_BUILD_IN_PROGRESS)
		rc = error_say(CL_INVALID_OPERATION, "another build has not ended");
	else if (has_live_kernel(program))
		rc = error_say(CL_INVALID_OPERATION, "the program has kernels");
	struct program_code *old = NULL;
	if (!rc) {
		char *last = program->options;

		program->status = CL_BUILD_IN_PROGRESS;
		program->options = copy;
		copy = last;
		old = program->code;
		program->code = NULL;
	}
	pthread_mutex_unlock(&program->lock);
	free(copy);
	program_code_put(old);
	return rc;
}

static void end(struct program *program, cl_int rc, struct outcome *outcome)
{
	pthread_mutex_lock(&program->lock);
	program->status = rc ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
	program->code = outcome->code;
	if (outcome->log) {
		free(program->log);
		program->log = outcome->log;
	} else {
		program->log[0] = '\0';
	}
	pthread_mutex_unlock(&program->lock);
}

cl_int program_build(struct program *program, cl_uint n_devices, const cl_device_id *devices,
	const char *options, program_notify_fn notify, void *notify_data)
{
	struct outcome outcome = { 0 };

	REQUIRE(program, CL_INVALID_PROGRAM);
	REQUIRE(!n_devices == !devices, CL_INVALID_VALUE);
	REQUIRE(notify || !notify_data, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n_devices; i++)
		REQUIRE(context_has_device(program->context, device_from(devices[i])),
			CL_INVALID_DEVICE);

	if (!options)
		options = "";
	cl_int rc = begin(program, options);
	if (rc)
		return rc;
	rc = program->native ? build_from_binary(program, options, &outcome)
			     : build_by_compiler(program, options, &outcome);
	end(program, rc, &outcome);
	if (notify)
		notify(program_handle(program), notify_data);
	return rc;
}
