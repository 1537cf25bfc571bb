// SPDX-License-Identifier: MIT
#include "core/program/program.h"

#include "core/base/error.h"
#include "core/program/program_code.h"

#include <stdlib.h>
#include <string.h>

static void program_destroy(struct obj *obj)
{
	struct program *program = (struct program *)(void *)obj;

	program_code_put(program->code);
	context_put(program->context);
	pthread_mutex_destroy(&program->lock);
	free(program->object);
	free(program->specs);
	free(program->source);
	free(program->binary);
	free(program->options);
	free(program->log);
	obj_free(program);
}

cl_int program_new(struct context *context, struct program **out)
{
	struct program *program = calloc(1, sizeof *program);

	REQUIRE(program, CL_OUT_OF_HOST_MEMORY);
	obj_init(&program->base, OBJ_PROGRAM, &context->base, program_destroy);
	program->context = context_get(context);
	pthread_mutex_init(&program->lock, NULL);
	program->status = CL_BUILD_NONE;
	program->options = strdup("");
	program->log = strdup("");
	if (!program->options || !program->log) {
		program_put(program);
		return CL_OUT_OF_HOST_MEMORY;
	}
	*out = program;
	return CL_SUCCESS;
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

static size_t string_length(const char **strings, const size_t *lengths, cl_uint i)
{
	return lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
}

cl_int program_create_source(struct context *context, cl_uint count, const char **strings,
	const size_t *lengths, struct program **out)
{
	struct program *program = NULL;
	size_t size = 1;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(count > 0 && strings, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < count; i++)
		REQUIRE(strings[i], CL_INVALID_VALUE);

	TRY(program_new(context, &program));
	for (cl_uint i = 0; i < count; i++)
		size += string_length(strings, lengths, i);
	char *to = program->source = malloc(size);
	TRY(to ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < count; i++) {
		size_t length = string_length(strings, lengths, i);

		memcpy(to, strings[i], length);
		to += length;
	}
	*to = '\0';
	*out = program;
	return CL_SUCCESS;
fail:
	program_put(program);
	return rc;
}

static cl_int set_binary(struct program *program, const void *data, size_t size)
{
	struct compile_binary binary;

	program->binary = malloc(size);
	REQUIRE(program->binary, CL_OUT_OF_HOST_MEMORY);
	memcpy(program->binary, data, size);
	program->binary_size = size;
	enum compile_status status = compile_binary_open_for(
		program->binary, size, program->context->devices[0]->compiler_family, &binary);
	REQUIRE(status != COMPILE_NO_MEMORY, CL_OUT_OF_HOST_MEMORY);
	REQUIRE(status == COMPILE_OK,
		error_say(CL_INVALID_BINARY, "%s",
			*binary.why ? binary.why
				    : "this is neither SPIR-V nor a binary of this device"));
	program->il = binary.spirv;
	program->il_size = binary.spirv_size;
	program->native = binary.native;
	program->native_size = binary.native_size;
	program->is_other = binary.is_other;
	program->kind = binary.kind;
	return CL_SUCCESS;
}

cl_int program_create_il(struct context *context, const void *il, size_t size, struct program **out)
{
	struct program *program = NULL;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(context->devices[0]->hw->spirv_major, CL_INVALID_OPERATION);
	REQUIRE(il && size > 0, CL_INVALID_VALUE);

	TRY(program_new(context, &program));
	rc = set_binary(program, il, size);
	if (rc == CL_INVALID_BINARY || (!rc && program->native))
		rc = error_say(CL_INVALID_VALUE, "this is no SPIR-V module");
	TRY(rc);
	program->from_il = true;
	*out = program;
	return CL_SUCCESS;
fail:
	program_put(program);
	return rc;
}

static void set_status(cl_int *status, cl_int code)
{
	if (status)
		status[0] = code;
}

cl_int program_create_binary(struct context *context, cl_uint n_devices,
	const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries,
	cl_int *binary_status, struct program **out)
{
	struct program *program = NULL;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(devices && n_devices > 0, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n_devices; i++)
		REQUIRE(context_has_device(context, device_from(devices[i])), CL_INVALID_DEVICE);
	REQUIRE(n_devices == 1, error_say(CL_INVALID_DEVICE, "a device is named twice"));
	REQUIRE(lengths && binaries, CL_INVALID_VALUE);
	set_status(binary_status, CL_INVALID_VALUE);
	REQUIRE(lengths[0] > 0 && binaries[0], CL_INVALID_VALUE);

	TRY(program_new(context, &program));
	rc = set_binary(program, binaries[0], lengths[0]);
	set_status(binary_status, rc);
	TRY(rc);
	*out = program;
	return CL_SUCCESS;
fail:
	program_put(program);
	return rc;
}
