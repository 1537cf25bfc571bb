// SPDX-License-Identifier: MIT
#include "compile/build/compile.h"
#include "compile/base/pool.h"
#include "core/program/program_code.h"

#include "compile/base/compile_options.h"
#include "compile/spirv/implicit_args.h"
#include "compile/zebin/reflect.h"
#include "compile/zebin/zebin_patch.h"
#include "core/base/error.h"
#include "core/program/program_names.h"
#include "l0/l0_module.h"
#include "util/util_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Completes what was read of the kernels. */
static void note_facts(struct program_code *code)
{
	const struct reflection *all = &code->reflection;
	const unsigned ids =
		IMPLICIT_ARGS_GLOBAL_ID | IMPLICIT_ARGS_GLOBAL_LINEAR_ID | IMPLICIT_ARGS_GROUP_ID;

	for (size_t i = 0; i < all->n_kernels; i++) {
		if (!code->spirv)
			all->kernels[i].uses = PROGRAM_USES_UNKNOWN;
		if (!code->is_other)
			continue;
		/* a generator's code gets what the kernel that it stands for asked for, and ids */
		all->kernels[i].blocks = 0;
		all->kernels[i].sees_no_groups = false;
		all->kernels[i].uses |= ids;
	}
	code->may_print = !code->spirv || all->prints;
	code->may_be_ragged = code->spirv && !code->is_other && !all->is_uniform &&
			      !compile_options_have(code->options, "-cl-uniform-work-group-size");
}

/* What was noted of a program that has SPIR-V, or is to be seen in it. */
static cl_int code_reflect(struct program_code *code, const struct program_parts *parts, char **log)
{
	enum compile_status status = COMPILE_OK;
	char why[256] = "";

	if (!code->spirv || !reflection_read(parts->facts, parts->facts_size, &code->reflection))
		status = compile_reflect(code->spirv, code->spirv_size, code->native,
			code->native_size, &code->reflection, why, sizeof why);
	if (status == COMPILE_NO_MEMORY)
		return CL_OUT_OF_HOST_MEMORY;
	if (status != COMPILE_OK) {
		*log = strdup(why);
		return error_say(CL_INVALID_BINARY, "%s", why);
	}
	note_facts(code);
	return CL_SUCCESS;
}

static char *options_of(const struct program_code *code)
{
	struct compile_binary binary;

	if (compile_binary_open(code->native, code->native_size, &binary) != COMPILE_OK ||
		!binary.options)
		return strdup("");
	return strndup(binary.options, binary.options_size);
}

/* What the native code did not say of itself, the driver knows. */
static cl_int code_complete(struct program_code *code)
{
	for (size_t i = 0; i < code->reflection.n_kernels; i++) {
		struct compile_kernel *kernel = &code->reflection.kernels[i];
		struct l0_kernel *made;

		if (kernel->simd_size)
			continue;
		cl_int rc = l0_kernel_create(code->module, kernel->name, &made);
		if (rc)
			return rc == CL_INVALID_KERNEL_NAME ? CL_INVALID_BINARY : rc;
		const struct l0_kernel_info *info = l0_kernel_info(made);
		rc = info->n_args == kernel->n_args ? CL_SUCCESS : CL_INVALID_BINARY;
		kernel->simd_size = info->max_sub_group_size;
		kernel->local_bytes = info->local_size;
		kernel->private_bytes = info->private_size;
		kernel->spill_bytes = info->spill_size;
		l0_kernel_destroy(made);
		if (rc)
			return error_say(rc, "the SPIR-V is not that of the native code");
	}
	return CL_SUCCESS;
}

/* The loaded code's texts: where they are, Level Zero knows by the name of one of its variables. */
static void print_program_finish(struct print_program *print)
{
	free((void *)(uintptr_t)print->texts.data);
	free(print->kernels);
	*print = (struct print_program){ 0 };
}

static cl_int note_prints(
	struct l0_module *module, struct zebin_patched *loadable, struct print_program *print)
{
	uint64_t address = 0;
	cl_int rc = CL_SUCCESS;

	*print = (struct print_program){ .kernels = loadable->prints,
		.by_driver = loadable->by_driver };
	loadable->prints = NULL;
	if (loadable->symbol)
		rc = l0_module_find(module, loadable->symbol, &address);
	if (rc || !loadable->symbol)
		return rc;
	print->texts = (struct print_texts){ .base = address - loadable->value,
		.data = loadable->texts,
		.size = loadable->n_texts };
	loadable->texts = NULL;
	return CL_SUCCESS;
}

static struct l0_context *l0_of(const struct program_code *code)
{
	return code->context->on[context_place(code->context, code->device)];
}

/* Gives native code to Level Zero as it must be there. */
static cl_int load_native(struct program_code *code, char **log)
{
	struct zebin_patched loadable;

	if (!zebin_patch(
		    code->native, code->native_size, code->is_whole, &code->reflection, &loadable))
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc = l0_module_create(l0_of(code), L0_MODULE_NATIVE,
		loadable.code ? loadable.code : code->native,
		loadable.code ? loadable.size : code->native_size, NULL, &code->module, log);
	if (!rc && (rc = note_prints(code->module, &loadable, &code->print))) {
		print_program_finish(&code->print);
		l0_module_destroy(code->module);
		code->module = NULL;
	}
	zebin_patched_finish(&loadable);
	return rc;
}

/* To a driver that refuses what this compiler makes, such as an older one. It says so in the log.
 */
static cl_int load_spirv(struct program_code *code, char **log)
{
	char *why = NULL;
	cl_int rc = l0_module_create(l0_of(code), L0_MODULE_SPIRV, code->spirv, code->spirv_size,
		code->options, &code->module, &why);

	free(why);
	if (rc)
		return rc;
	util_log(UTIL_LOG_WARN, "core",
		"the driver refused native code (%s) and compiled the SPIR-V itself",
		*log ? *log : "it does not say why");
	free(*log);
	*log = strdup("warning: the driver refused the native code, and compiled the SPIR-V "
		      "itself\n");
	code->print.by_driver = true;
	code->reflection.has_rows = false; /* see lower_buffer_image.h */
	/* to be asked of the driver */
	for (size_t i = 0; i < code->reflection.n_kernels; i++)
		code->reflection.kernels[i].simd_size = 0;
	return CL_SUCCESS;
}

static cl_int code_load(struct program_code *code, char **log)
{
	cl_int rc = load_native(code, log);

	if ((rc == CL_INVALID_BINARY || rc == CL_BUILD_PROGRAM_FAILURE) && code->spirv &&
		!code->is_whole && load_spirv(code, log) == CL_SUCCESS)
		return CL_SUCCESS;
	return rc;
}

cl_int program_code_create(struct context *context, const struct device *device,
	const struct program_parts *parts, struct program_code **out, char **log)
{
	struct program_code *code = calloc(1, sizeof *code);
	cl_int rc = CL_OUT_OF_HOST_MEMORY;

	*log = NULL;
	if (!code) {
		free(parts->native);
		free(parts->spirv);
		return rc;
	}
	atomic_init(&code->refs, 1);
	pthread_mutex_init(&code->binary_lock, NULL);
	code->context = context_get(context);
	code->device = device;
	code->native = parts->native;
	code->native_size = parts->native_size;
	code->spirv = parts->spirv;
	code->spirv_size = parts->spirv_size;
	code->is_whole = !parts->options;
	code->is_other = parts->is_other;
	code->options = parts->options ? strdup(parts->options) : options_of(code);
	TRY(code->options ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	TRY(code_reflect(code, parts, log));
	TRY(code_load(code, log));
	TRY(code_complete(code));
	program_names_tell(code, parts->request);
	*out = code;
	return CL_SUCCESS;
fail:
	program_code_put(code);
	return rc;
}

struct compile_request program_code_request(const struct program_code *code, const char *options)
{
	return (struct compile_request){ .spirv = code->spirv,
		.spirv_size = code->spirv_size,
		.options = options,
		.soft_double = code->device->hw->soft_fp64,
		.family = code->device->compiler_family,
		.outputs = COMPILE_NATIVE };
}

/*
 * Code generators take the binary of a program of one kernel and put their own code in its place.
 * oneDNN's (2.6) knows the form with patch tokens alone, which Intel's driver gives, and nothing in
 * what it builds tells it from other programs: every binary of one kernel gets them, when it is
 * asked for. Without a compiler for them it stays as it is.
 */
static void add_tokens(struct program_code *code)
{
	struct compile_request request = program_code_request(code, code->options);
	struct compile_result result = { 0 };
	size_t size;

	if (code->reflection.n_kernels != 1 || !code->spirv)
		return;
	request.outputs |= COMPILE_TOKENS;
	compile_build(&request, &result);
	void *made = result.native ? compile_binary_add_tokens(result.native, result.native_size,
					     code->binary, code->binary_size, &size)
				   : NULL;
	if (made) {
		free(code->binary);
		code->binary = made;
		code->binary_size = size;
	} else {
		util_log(UTIL_LOG_INFO, "core", "a binary has no patch tokens: %s",
			result.log ? result.log : "no memory is left");
	}
	compile_result_finish(&result);
}

const void *program_code_binary(struct program_code *code, size_t *size)
{
	const struct compile_binary parts = { .native = code->native,
		.native_size = code->native_size,
		.spirv = code->spirv,
		.spirv_size = code->spirv_size,
		.options = code->options,
		.options_size = strlen(code->options) + 1 };

	if (code->is_whole) {
		*size = code->native_size;
		return code->native;
	}
	pthread_mutex_lock(&code->binary_lock);
	if (!code->binary) {
		code->binary = compile_binary_make(
			&parts, code->device->compiler_family, &code->binary_size);
		if (code->binary)
			add_tokens(code);
	}
	*size = code->binary_size;
	pthread_mutex_unlock(&code->binary_lock);
	return code->binary;
}

#define WIDE_OPTION "-cl-intel-greater-than-4GB-buffer-required"

/* The lock is held. */
static cl_int make_wide(struct program_code *code)
{
	char options[4096], *log = NULL;
	const struct compile_request request = program_code_request(code, options);
	struct compile_result result = { 0 };
	cl_int rc = CL_OUT_OF_HOST_MEMORY;

	if (snprintf(options, sizeof options, "%s " WIDE_OPTION, code->options) >=
		(int)sizeof options)
		return error_say(CL_OUT_OF_RESOURCES, "the options are too long");
	compile_build(&request, &result);
	struct program_parts parts = { .native = result.native,
		.native_size = result.native_size,
		.spirv = bytes_copy(code->spirv, code->spirv_size),
		.spirv_size = code->spirv_size,
		.request = &request,
		.options = options,
		.facts = result.facts,
		.facts_size = result.facts_size };
	result.native = NULL;
	if (parts.spirv && parts.native) {
		rc = program_code_create(code->context, code->device, &parts, &code->wide, &log);
	} else {
		if (parts.spirv)
			rc = error_say(CL_OUT_OF_RESOURCES,
				"the program could not be built again: %s",
				result.log ? result.log : "no log");
		free(parts.native);
		free(parts.spirv);
	}
	free(log);
	compile_result_finish(&result);
	return rc;
}

cl_int program_code_wide(struct program_code *code, struct program_code **out)
{
	cl_int rc = CL_SUCCESS;

	*out = code;
	if (compile_options_have(code->options, WIDE_OPTION))
		return CL_SUCCESS;
	REQUIRE(code->spirv && !code->is_other,
		error_say(CL_OUT_OF_RESOURCES,
			"a binary without SPIR-V cannot be built for so large an argument"));
	REQUIRE(!code->reflection.global_bytes,
		error_say(CL_OUT_OF_RESOURCES,
			"a program with variables cannot be there twice; with " WIDE_OPTION
			" it takes so large an argument"));
	pthread_mutex_lock(&code->binary_lock);
	if (!code->wide)
		rc = make_wide(code);
	*out = code->wide;
	pthread_mutex_unlock(&code->binary_lock);
	return rc;
}

struct program_code *program_code_get(struct program_code *code)
{
	atomic_fetch_add_explicit(&code->refs, 1, memory_order_relaxed);
	return code;
}

void program_code_put(struct program_code *code)
{
	if (!code || atomic_fetch_sub_explicit(&code->refs, 1, memory_order_acq_rel) != 1)
		return;
	program_code_put(code->wide);
	pthread_mutex_destroy(&code->binary_lock);
	l0_module_destroy(code->module);
	print_program_finish(&code->print);
	reflection_finish(&code->reflection);
	context_put(code->context);
	free(code->native);
	free(code->spirv);
	free(code->options);
	free(code->binary);
	free(code);
}
