// SPDX-License-Identifier: MIT
/* clGetProgramInfo and clGetProgramBuildInfo: section 5.8.8 of the specification. */
#include "core/base/error.h"
#include "core/base/info.h"
#include "core/program/program_code.h"
#include "core/program/program.h"
#include "util/util_file.h"

#include <stdlib.h>
#include <string.h>

/* The code of a built program on its first device (a reference). */
static cl_int built_code(const void *object, struct program_code **out)
{
	struct program *program = (struct program *)(uintptr_t)object;
	struct program_code **codes;
	cl_int rc = program_get_codes(program, &codes);

	if (rc)
		return rc;
	*out = program_code_get(program_first_code(program, codes));
	program_put_codes(program, codes);
	return CL_SUCCESS;
}

static cl_int answer_devices(const void *object, const struct info *info)
{
	const struct program *program = object;
	cl_device_id *devices = calloc(program->n_forms, sizeof *devices);

	REQUIRE(devices, CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < program->n_forms; i++)
		devices[i] = device_handle(program->forms[i].device);
	cl_int rc = info_bytes(info, devices, program->n_forms * sizeof *devices);
	free(devices);
	return rc;
}

static cl_int answer_il(const void *object, const struct info *info)
{
	const struct program *program = object;

	const struct program_form *form = &program->forms[0];

	return info_bytes(info, form->il, form->from_il ? form->il_size : 0);
}

/* What a program has that was not built here: the object, else what it was created from. Under the
 * program's lock. */
static const void *kept_binary(const struct program_form *form, size_t *size)
{
	*size = form->object ? form->object_size : form->from_il ? 0 : form->binary_size;
	return form->object ? form->object : form->binary;
}

/*
 * The size of what CL_PROGRAM_BINARIES gives and, unless `out` is NULL, its bytes: of the code of
 * the last build, else of kept_binary. Code makes its binary when it is asked for the first time
 * (see program_code_binary), so that the program's lock is not held then.
 */
static cl_int read_binary(
	struct program *program, struct program_form *form, void *out, size_t *size)
{
	struct program_code *code = NULL;
	const void *binary;

	pthread_mutex_lock(&program->lock);
	if (form->code && !form->code->is_whole)
		code = program_code_get(form->code);
	binary = code ? NULL : kept_binary(form, size);
	if (out && binary)
		memcpy(out, binary, *size);
	pthread_mutex_unlock(&program->lock);
	if (!code)
		return CL_SUCCESS;
	binary = program_code_binary(code, size);
	if (out && binary)
		memcpy(out, binary, *size);
	program_code_put(code);
	return binary ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int answer_binary_sizes(const void *object, const struct info *info)
{
	struct program *program = (struct program *)(uintptr_t)object;
	size_t *sizes = calloc(program->n_forms, sizeof *sizes);
	cl_int rc = sizes ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	for (cl_uint i = 0; !rc && i < program->n_forms; i++)
		rc = read_binary(program, &program->forms[i], NULL, &sizes[i]);
	if (!rc)
		rc = info_bytes(info, sizes, program->n_forms * sizeof *sizes);
	free(sizes);
	return rc;
}

static cl_int answer_binaries(const void *object, const struct info *info)
{
	struct program *program = (struct program *)(uintptr_t)object;
	const size_t bytes = program->n_forms * sizeof(unsigned char *);
	unsigned char **out = info->value;
	cl_int rc = CL_SUCCESS;
	size_t size;

	REQUIRE(!out || info->size >= bytes, CL_INVALID_VALUE);
	if (info->size_ret)
		*info->size_ret = bytes;
	for (cl_uint i = 0; out && !rc && i < program->n_forms; i++)
		if (out[i])
			rc = read_binary(program, &program->forms[i], out[i], &size);
	return rc;
}

static cl_int answer_kernel_count(const void *object, const struct info *info)
{
	struct program_code *code;
	cl_int rc = built_code(object, &code);

	if (rc)
		return rc;
	rc = info_bytes(info, &code->reflection.n_kernels, sizeof(size_t));
	program_code_put(code);
	return rc;
}

static cl_int answer_kernel_names(const void *object, const struct info *info)
{
	struct program_code *code;
	char *names = NULL;
	size_t size;
	cl_int rc = built_code(object, &code);

	if (rc)
		return rc;
	FILE *out = open_memstream(&names, &size);
	for (size_t i = 0; out && i < code->reflection.n_kernels; i++)
		fprintf(out, "%s%s", i ? ";" : "", code->reflection.kernels[i].name);
	rc = out && util_file_text(out, &names) ? info_string(info, names) : CL_OUT_OF_HOST_MEMORY;
	free(names);
	program_code_put(code);
	return rc;
}

static const struct info_row rows[] = {
	INFO_FN(CL_PROGRAM_REFERENCE_COUNT, info_references),
	INFO_FIELD(CL_PROGRAM_CONTEXT, struct program, context),
	INFO_FIELD(CL_PROGRAM_NUM_DEVICES, struct program, n_forms),
	INFO_FN(CL_PROGRAM_DEVICES, answer_devices),
	INFO_STRING(CL_PROGRAM_SOURCE, struct program, source),
	INFO_FN(CL_PROGRAM_IL, answer_il),
	INFO_FN(CL_PROGRAM_BINARY_SIZES, answer_binary_sizes),
	INFO_FN(CL_PROGRAM_BINARIES, answer_binaries),
	INFO_FN(CL_PROGRAM_NUM_KERNELS, answer_kernel_count),
	INFO_FN(CL_PROGRAM_KERNEL_NAMES, answer_kernel_names),
	INFO_CONSTANT(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, cl_bool, CL_FALSE),
	INFO_CONSTANT(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, cl_bool, CL_FALSE),
};

INFO_DEFINE(program, cl_program_info, CL_INVALID_PROGRAM)

/* The build rows are read with the program's lock held. */

static const cl_program_binary_type binary_types[] = {
	[COMPILE_BINARY_EXECUTABLE] = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
	[COMPILE_BINARY_OBJECT] = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
	[COMPILE_BINARY_LIBRARY] = CL_PROGRAM_BINARY_TYPE_LIBRARY,
};

static cl_int answer_binary_type(const void *object, const struct info *info)
{
	const struct program_form *form = object;
	cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;

	if (form->code)
		type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
	else if (form->object)
		type = form->is_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY
					: CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
	else if (form->binary && !form->from_il)
		type = binary_types[form->kind];
	return info_bytes(info, &type, sizeof type);
}

INFO_ANSWER(answer_global_size, struct program_form *form, size_t,
	form->code ? form->code->reflection.global_bytes : 0)

static const struct info_row build_rows[] = {
	INFO_FIELD(CL_PROGRAM_BUILD_STATUS, struct program_form, status),
	INFO_STRING(CL_PROGRAM_BUILD_OPTIONS, struct program_form, options),
	INFO_STRING(CL_PROGRAM_BUILD_LOG, struct program_form, log),
	INFO_FN(CL_PROGRAM_BINARY_TYPE, answer_binary_type),
	INFO_FN(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, answer_global_size),
};

cl_int program_build_info(struct program *program, cl_device_id device, cl_program_build_info param,
	const struct info *info)
{
	REQUIRE(program, CL_INVALID_PROGRAM);
	const struct program_form *form = program_form(program, device_from(device));
	REQUIRE(form, CL_INVALID_DEVICE);

	pthread_mutex_lock(&program->lock);
	cl_int rc = INFO_GET(build_rows, form, param, info);
	pthread_mutex_unlock(&program->lock);
	return rc;
}
