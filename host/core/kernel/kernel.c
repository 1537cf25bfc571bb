// SPDX-License-Identifier: MIT
#include "core/kernel/kernel.h"

#include "core/base/error.h"
#include "core/kernel/image_arg.h"
#include "core/kernel/kernel_blocks.h"
#include "core/program/program_code.h"
#include "l0/l0_module.h"
#include "util/util_bits.h"
#include "util/util_settings.h"

#include <stdlib.h>
#include <string.h>

static cl_int add_instance(struct kernel *kernel, struct kernel_instance **link)
{
	struct kernel_instance *instance = calloc(1, sizeof(*instance));

	if (!instance)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc = l0_kernel_create(kernel->code->module, kernel->info->name, &instance->l0);
	if (rc) {
		free(instance);
		return rc;
	}
	*link = instance;
	return CL_SUCCESS;
}

cl_int kernel_take(struct kernel *kernel, struct kernel_instance **out)
{
	struct kernel_instance **link = &kernel->instances;
	cl_int rc = CL_SUCCESS;

	while (*link && atomic_load_explicit(&(*link)->taken, memory_order_acquire))
		link = &(*link)->next;
	if (!*link && (rc = add_instance(kernel, link)))
		return rc;
	atomic_store_explicit(&(*link)->taken, true, memory_order_relaxed);
	*out = *link;
	return CL_SUCCESS;
}

void kernel_give(struct kernel_instance *instance)
{
	atomic_store_explicit(&instance->taken, false, memory_order_release);
}

void kernel_destroy_instances(struct kernel *kernel)
{
	while (kernel->instances) {
		struct kernel_instance *instance = kernel->instances;

		kernel->instances = instance->next;
		l0_kernel_destroy(instance->l0);
		free(instance);
	}
}

static void kernel_destroy(struct obj *obj)
{
	struct kernel *kernel = (struct kernel *)(void *)obj;

	program_remove_kernel(kernel->program, &kernel->in_program);
	kernel_destroy_instances(kernel);
	for (cl_uint i = 0; kernel->args && i < kernel->n_args; i++)
		free(kernel->args[i].value);
	free(kernel->args);
	program_code_put(kernel->code);
	program_put(kernel->program);
	pthread_mutex_destroy(&kernel->lock);
	obj_free(kernel);
}

static enum kernel_arg_kind arg_kind(enum compile_arg_kind kind)
{
	static const enum kernel_arg_kind kinds[] = {
		[COMPILE_ARG_VALUE] = KERNEL_ARG_VALUE,
		[COMPILE_ARG_BUFFER] = KERNEL_ARG_BUFFER,
		[COMPILE_ARG_LOCAL] = KERNEL_ARG_LOCAL,
		[COMPILE_ARG_IMAGE] = KERNEL_ARG_IMAGE,
		[COMPILE_ARG_SAMPLER] = KERNEL_ARG_SAMPLER,
		[COMPILE_ARG_PIPE] = KERNEL_ARG_OTHER,
		[COMPILE_ARG_QUEUE] = KERNEL_ARG_OTHER,
	};

	return kind < UTIL_ARRAY_SIZE(kinds) ? kinds[kind] : KERNEL_ARG_OTHER;
}

void kernel_touch(struct kernel *kernel)
{
	static _Atomic uint64_t last;

	kernel->state = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

static cl_int make_args(struct kernel *kernel)
{
	const struct compile_kernel *info = kernel->info;

	kernel->args = calloc(info->n_args ? info->n_args : 1, sizeof *kernel->args);
	REQUIRE(kernel->args, CL_OUT_OF_HOST_MEMORY);
	kernel->n_args = (cl_uint)info->n_args;
	for (size_t i = 0; i < info->n_args; i++) {
		struct kernel_arg *arg = &kernel->args[i];

		arg->kind = arg_kind(info->args[i].kind);
		kernel->has_images |= arg->kind == KERNEL_ARG_IMAGE;
		if (arg->kind != KERNEL_ARG_VALUE)
			continue;
		arg->size = info->args[i].size;
		arg->value = calloc(1, arg->size ? arg->size : 1);
		REQUIRE(arg->value, CL_OUT_OF_HOST_MEMORY);
	}
	return CL_SUCCESS;
}

/* A kernel of `code`, which the caller holds. */
static cl_int make(struct program *program, struct program_code *code,
	const struct compile_kernel *info, struct kernel **out)
{
	struct kernel *kernel = calloc(1, sizeof *kernel);
	size_t number = (size_t)(info - code->reflection.kernels);
	cl_int rc;

	REQUIRE(kernel, CL_OUT_OF_HOST_MEMORY);
	obj_init(&kernel->base, OBJ_KERNEL, &program->base, kernel_destroy);
	pthread_mutex_init(&kernel->lock, NULL);
	kernel->program = program_get(program);
	kernel->code = program_code_get(code);
	kernel->info = info;
	kernel->uses = code->uses[number];
	kernel->prints = code->print.kernels && code->print.kernels[number];
	kernel->driver_prints = code->print.by_driver && code->may_print;
	kernel->may_be_ragged = code->may_be_ragged;
	kernel_touch(kernel);
	TRY(make_args(kernel));
	TRY(add_instance(kernel, &kernel->instances));
	kernel->l0 = kernel->instances->l0;
	TRY(l0_kernel_fits_memory(kernel->l0)
			? CL_SUCCESS
			: error_say(CL_OUT_OF_RESOURCES,
				  "the private memory of kernel '%s', %u bytes for each thread of "
				  "the device, is more than there is",
				  info->name, l0_kernel_info(kernel->l0)->private_size));
	kernel->is_implicit = code->spirv && !code->is_other &&
			      l0_kernel_info(kernel->l0)->n_args > info->n_args + kernel->prints;
	kernel->in_program.kernel = &kernel->base;
	program_add_kernel(program, &kernel->in_program);
	*out = kernel;
	return CL_SUCCESS;
fail:
	kernel_put(kernel);
	return rc;
}

static struct program_code *code_of(struct program *program)
{
	pthread_mutex_lock(&program->lock);
	struct program_code *code = program->code ? program_code_get(program->code) : NULL;
	pthread_mutex_unlock(&program->lock);
	return code;
}

cl_int kernel_create(struct program *program, const char *name, struct kernel **out)
{
	cl_int rc;

	REQUIRE(program, CL_INVALID_PROGRAM);
	REQUIRE(name, CL_INVALID_VALUE);
	struct program_code *code = code_of(program);
	REQUIRE(code, error_say(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built"));

	const struct compile_kernel *info = reflection_find(&code->reflection, name);
	TRY(info ? CL_SUCCESS
		 : error_say(CL_INVALID_KERNEL_NAME, "the program has no kernel '%s'", name));
	rc = make(program, code, info, out);
fail:
	program_code_put(code);
	return rc;
}

cl_int kernel_create_all(struct program *program, cl_uint n, cl_kernel *kernels, cl_uint *n_ret)
{
	cl_uint made = 0;
	cl_int rc;

	REQUIRE(program, CL_INVALID_PROGRAM);
	struct program_code *code = code_of(program);
	REQUIRE(code, error_say(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built"));

	cl_uint count = (cl_uint)code->reflection.n_kernels;
	TRY(!kernels || n >= count ? CL_SUCCESS
				   : error_say(CL_INVALID_VALUE,
					     "there are %u kernels and room for %u", count, n));
	for (; kernels && made < count; made++) {
		struct kernel *kernel;

		TRY(make(program, code, &code->reflection.kernels[made], &kernel));
		kernels[made] = kernel_handle(kernel);
	}
	if (n_ret)
		*n_ret = count;
	program_code_put(code);
	return CL_SUCCESS;
fail:
	while (made)
		kernel_put(kernel_from(kernels[--made]));
	program_code_put(code);
	return rc;
}

cl_int kernel_clone(struct kernel *source, struct kernel **out)
{
	struct kernel *kernel;

	REQUIRE(source, CL_INVALID_KERNEL);
	cl_int rc = make(source->program, source->code, source->info, &kernel);
	if (rc)
		return rc;
	pthread_mutex_lock(&source->lock);
	for (cl_uint i = 0; i < source->n_args; i++) {
		const struct kernel_arg *from = &source->args[i];
		struct kernel_arg *to = &kernel->args[i];

		to->set = from->set;
		to->state = from->set ? kernel->state : 0;
		to->size = from->size;
		to->mem = from->mem;
		to->sampler = from->sampler;
		to->pointer = from->pointer;
		if (from->kind == KERNEL_ARG_VALUE)
			memcpy(to->value, from->value, from->size);
	}
	pthread_mutex_unlock(&source->lock);
	*out = kernel;
	return CL_SUCCESS;
}

/* Whether that changes anything. Most values are words, where a call costs more than its work. */
static bool store(void *to, const void *from, size_t size)
{
	uint32_t old, new;

	if (size != sizeof new) {
		bool same = !memcmp(to, from, size);
		memcpy(to, from, size);
		return !same;
	}
	memcpy(&old, to, sizeof old);
	memcpy(&new, from, sizeof new);
	memcpy(to, &new, sizeof new);
	return old != new;
}

static cl_int set_value(
	const struct kernel *kernel, struct kernel_arg *arg, size_t size, const void *value)
{
	REQUIRE(value, CL_INVALID_ARG_VALUE);
	REQUIRE(size == arg->size || (size && !util_settings()->strict),
		error_say(CL_INVALID_ARG_SIZE, "the argument has %zu bytes, %zu were given",
			arg->size, size));

	/* Of another size: as Intel's driver, the first bytes change, what lies behind stays. */
	if (store(arg->value, value, size < arg->size ? size : arg->size) || !arg->set)
		arg->state = kernel->state;
	return CL_SUCCESS;
}

static cl_int set_local(
	const struct kernel *kernel, struct kernel_arg *arg, size_t size, const void *value)
{
	const struct device *device = kernel->base.context->devices[0];

	REQUIRE(!value, error_say(CL_INVALID_ARG_VALUE, "local memory has a size and no value"));
	REQUIRE(size <= device->local_mem_size,
		error_say(CL_INVALID_ARG_SIZE,
			"%zu bytes are more than the local memory of the "
			"device, %llu",
			size, (unsigned long long)device->local_mem_size));

	/* None, since OpenCL 3.1; Level Zero wants some. */
	size = size ? size : 1;
	if (!arg->set || arg->size != size)
		arg->state = kernel->state;
	arg->size = size;
	return CL_SUCCESS;
}

static cl_int set_buffer(
	struct kernel *kernel, struct kernel_arg *arg, size_t size, const void *value)
{
	const struct context *context = kernel->base.context;
	cl_mem handle = NULL;

	REQUIRE(size == sizeof(handle),
		error_say(CL_INVALID_ARG_SIZE, "a memory object has %zu bytes, %zu were given",
			sizeof(handle), size));
	if (value)
		memcpy(&handle, value, sizeof(handle));
	struct mem *mem = mem_from(handle);
	REQUIRE(mem || !handle, CL_INVALID_MEM_OBJECT);
	REQUIRE(!mem || !mem->image, error_say(CL_INVALID_MEM_OBJECT,
					     "the parameter is a pointer, the object an image"));
	REQUIRE(!mem || mem->context == context,
		error_say(CL_INVALID_MEM_OBJECT, "the memory object is of another context"));

	/* Always sent anew: an equal address may be a new allocation. */
	if (arg->mem != mem)
		kernel->version++;
	arg->mem = mem;
	arg->pointer = 0;
	arg->size = size;
	arg->state = kernel->state;
	return CL_SUCCESS;
}

cl_int kernel_set_arg(struct kernel *kernel, cl_uint index, size_t size, const void *value)
{
	cl_int rc;

	REQUIRE(kernel, CL_INVALID_KERNEL);
	REQUIRE(index < kernel->n_args,
		error_say(CL_INVALID_ARG_INDEX, "kernel '%s' has %u arguments, there is no %u",
			kernel->info->name, kernel->n_args, index));

	struct kernel_arg *arg = &kernel->args[index];
	pthread_mutex_lock(&kernel->lock);
	kernel_touch(kernel);
	switch (arg->kind) {
	case KERNEL_ARG_VALUE:
		rc = set_value(kernel, arg, size, value);
		break;
	case KERNEL_ARG_BUFFER:
		rc = set_buffer(kernel, arg, size, value);
		break;
	case KERNEL_ARG_LOCAL:
		rc = set_local(kernel, arg, size, value);
		break;
	case KERNEL_ARG_IMAGE:
		rc = image_arg_set(kernel, index, size, value);
		break;
	case KERNEL_ARG_SAMPLER:
		rc = image_arg_set_sampler(kernel, index, size, value);
		break;
	default:
		rc = error_say(CL_INVALID_MEM_OBJECT, "the device has no pipes or device queues");
		break;
	}
	if (!rc)
		arg->set = true;
	pthread_mutex_unlock(&kernel->lock);
	if (!rc)
		kernel_blocks_check(kernel, index);
	return rc;
}
