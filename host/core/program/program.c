// SPDX-License-Identifier: MIT
#include "core/program/program.h"

#include "compile/base/pool.h"
#include "core/base/error.h"
#include "core/program/program_code.h"
#include "util/util_file.h"

#include <stdlib.h>
#include <string.h>

static void program_destroy(struct obj *obj)
{
	struct program *program = (struct program *)(void *)obj;

	for (cl_uint i = 0; i < program->n_forms; i++) {
		struct program_form *form = &program->forms[i];

		program_code_put(form->code);
		free(form->object);
		free(form->binary);
		free(form->options);
		free(form->log);
	}
	context_put(program->context);
	pthread_cond_destroy(&program->built);
	pthread_mutex_destroy(&program->lock);
	free(program->specs);
	free(program->source);
	obj_free(program);
}

bool program_is_named(const struct device *device, cl_uint n, const cl_device_id *devices)
{
	bool named = !n;

	for (cl_uint i = 0; i < n; i++)
		named |= device_from(devices[i]) == device;
	return named;
}

cl_int program_new(
	struct context *context, cl_uint n, const cl_device_id *devices, struct program **out)
{
	struct program *program =
		calloc(1, sizeof *program + context->n_devices * sizeof program->forms[0]);

	REQUIRE(program, CL_OUT_OF_HOST_MEMORY);
	obj_init(&program->base, OBJ_PROGRAM, &context->base, program_destroy);
	program->context = context_get(context);
	pthread_mutex_init(&program->lock, NULL);
	pthread_cond_init(&program->built, NULL);
	for (cl_uint i = 0; i < context->n_devices; i++) {
		struct program_form *form = &program->forms[program->n_forms];

		if (!program_is_named(context->devices[i], n, devices))
			continue;
		program->n_forms++;
		form->device = context->devices[i];
		form->status = CL_BUILD_NONE;
		form->options = strdup("");
		form->log = strdup("");
		if (form->options && form->log)
			continue;
		program_put(program);
		return CL_OUT_OF_HOST_MEMORY;
	}
	*out = program;
	return CL_SUCCESS;
}

struct program_form *program_form(struct program *program, const struct device *device)
{
	for (cl_uint i = 0; i < program->n_forms; i++)
		if (program->forms[i].device == device)
			return &program->forms[i];
	return NULL;
}

struct program_code *program_first_code(
	const struct program *program, struct program_code *const *codes)
{
	cl_uint i = 0;

	while (i + 1 < program->context->n_devices && !codes[i])
		i++;
	return codes[i];
}

cl_int program_get_codes(struct program *program, struct program_code ***out)
{
	struct program_code **codes =
		calloc(program->context->n_devices, sizeof(struct program_code *));

	REQUIRE(codes, CL_OUT_OF_HOST_MEMORY);
	pthread_mutex_lock(&program->lock);
	for (cl_uint i = 0; i < program->n_forms; i++) {
		const struct program_form *form = &program->forms[i];

		while (form->status == CL_BUILD_IN_PROGRESS)
			pthread_cond_wait(&program->built, &program->lock);
		if (form->code)
			codes[context_place(program->context, form->device)] =
				program_code_get(form->code);
	}
	pthread_mutex_unlock(&program->lock);
	if (program_first_code(program, codes)) {
		*out = codes;
		return CL_SUCCESS;
	}
	free(codes);
	return error_say(
		CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built, or not with success");
}

void program_put_codes(const struct program *program, struct program_code **codes)
{
	for (cl_uint i = 0; i < program->context->n_devices; i++)
		program_code_put(codes[i]);
	free(codes);
}

void program_add_kernel(struct program *program, struct program_kernel *link)
{
	pthread_mutex_lock(&program->lock);
	link->next = program->kernels;
	link->link = &program->kernels;
	if (link->next)
		link->next->link = &link->next;
	program->kernels = link;
	pthread_mutex_unlock(&program->lock);
}

void program_remove_kernel(struct program *program, const struct program_kernel *link)
{
	pthread_mutex_lock(&program->lock);
	if (link->link)
		*link->link = link->next;
	if (link->link && link->next)
		link->next->link = link->link;
	pthread_mutex_unlock(&program->lock);
}

cl_int program_create_source(struct context *context, cl_uint count, const char **strings,
	const size_t *lengths, struct program **out)
{
	struct program *program = NULL;
	size_t size;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(count > 0 && strings, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < count; i++)
		REQUIRE(strings[i], CL_INVALID_VALUE);

	TRY(program_new(context, 0, NULL, &program));
	FILE *text = open_memstream(&program->source, &size);
	TRY(text ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < count; i++)
		fwrite(strings[i], 1, lengths && lengths[i] ? lengths[i] : strlen(strings[i]),
			text);
	TRY(util_file_text(text, &program->source) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	*out = program;
	return CL_SUCCESS;
fail:
	program_put(program);
	return rc;
}

static cl_int set_binary(struct program_form *form, const void *data, size_t size)
{
	struct compile_binary binary;

	form->binary = bytes_copy(data, size);
	REQUIRE(form->binary, CL_OUT_OF_HOST_MEMORY);
	form->binary_size = size;
	enum compile_status status =
		compile_binary_open_for(form->binary, size, form->device->compiler_family, &binary);
	REQUIRE(status != COMPILE_NO_MEMORY, CL_OUT_OF_HOST_MEMORY);
	REQUIRE(status == COMPILE_OK,
		error_say(CL_INVALID_BINARY, "%s",
			*binary.why ? binary.why
				    : "this is neither SPIR-V nor a binary of this device"));
	form->il = binary.spirv;
	form->il_size = binary.spirv_size;
	form->native = binary.native;
	form->native_size = binary.native_size;
	form->is_other = binary.is_other;
	form->kind = binary.kind;
	return CL_SUCCESS;
}

cl_int program_create_il(struct context *context, const void *il, size_t size, struct program **out)
{
	struct program *program = NULL;
	bool takes_il = false;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	for (cl_uint i = 0; i < context->n_devices; i++)
		takes_il |= context->devices[i]->hw->spirv_major != 0;
	REQUIRE(takes_il, CL_INVALID_OPERATION);
	REQUIRE(il && size > 0, CL_INVALID_VALUE);

	TRY(program_new(context, 0, NULL, &program));
	for (cl_uint i = 0; i < program->n_forms; i++) {
		rc = set_binary(&program->forms[i], il, size);
		if (rc == CL_INVALID_BINARY || (!rc && program->forms[i].native))
			rc = error_say(CL_INVALID_VALUE, "this is no SPIR-V module");
		TRY(rc);
		program->forms[i].from_il = true;
	}
	*out = program;
	return CL_SUCCESS;
fail:
	program_put(program);
	return rc;
}

cl_int program_create_binary(struct context *context, cl_uint n_devices,
	const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries,
	cl_int *binary_status, struct program **out)
{
	struct program *program = NULL;
	cl_int rc, failure = CL_SUCCESS;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(devices && n_devices > 0, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n_devices; i++)
		REQUIRE(context_has_device(context, device_from(devices[i])), CL_INVALID_DEVICE);
	for (cl_uint i = 1; i < n_devices; i++)
		REQUIRE(!program_is_named(device_from(devices[i]), i, devices),
			error_say(CL_INVALID_DEVICE, "a device is named twice"));
	REQUIRE(lengths && binaries, CL_INVALID_VALUE);

	TRY(program_new(context, n_devices, devices, &program));
	for (cl_uint i = 0; i < n_devices; i++) {
		rc = CL_INVALID_VALUE;
		if (lengths[i] > 0 && binaries[i])
			rc = set_binary(program_form(program, device_from(devices[i])), binaries[i],
				lengths[i]);
		if (binary_status)
			binary_status[i] = rc;
		/* what cannot be there is said before what cannot be read */
		if (rc && failure != CL_INVALID_VALUE)
			failure = rc;
	}
	TRY(failure);
	*out = program;
	return CL_SUCCESS;
fail:
	program_put(program);
	return rc;
}
