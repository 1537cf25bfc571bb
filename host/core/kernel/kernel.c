// SPDX-License-Identifier: MIT
#include "core/kernel/kernel.h"

#include "core/base/error.h"
#include "core/kernel/image_arg.h"
#include "core/kernel/kernel_blocks.h"
#include "core/memory/usm.h"
#include "core/program/program_code.h"
#include "l0/l0_module.h"
#include "util/util_bits.h"
#include "util/util_settings.h"

#include <stdlib.h>
#include <string.h>

static cl_int add_instance(struct kernel_form *form, struct kernel_instance **link)
{
	struct kernel_instance *instance = calloc(1, sizeof(*instance));

	if (!instance)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc = l0_kernel_create(form->code->module, form->info->name, &instance->l0);
	if (rc) {
		free(instance);
		return rc;
	}
	*link = instance;
	return CL_SUCCESS;
}

cl_int kernel_take(struct kernel_form *form, struct kernel_instance **out)
{
	struct kernel_instance **link = &form->instances;
	cl_int rc = CL_SUCCESS;

	while (*link && atomic_load_explicit(&(*link)->taken, memory_order_acquire))
		link = &(*link)->next;
	if (!*link && (rc = add_instance(form, link)))
		return rc;
	atomic_store_explicit(&(*link)->taken, true, memory_order_relaxed);
	*out = *link;
	return CL_SUCCESS;
}

void kernel_give(struct kernel_instance *instance)
{
	atomic_store_explicit(&instance->taken, false, memory_order_release);
}

void kernel_destroy_instances(struct kernel_form *form)
{
	while (form->instances) {
		struct kernel_instance *instance = form->instances;

		form->instances = instance->next;
		l0_kernel_destroy(instance->l0);
		free(instance);
	}
}

static void free_forms(const struct context *context, struct kernel_form *forms)
{
	for (cl_uint i = 0; forms && i < context->n_devices; i++) {
		kernel_destroy_instances(&forms[i]);
		program_code_put(forms[i].code);
	}
	free(forms);
}

static void kernel_destroy(struct obj *obj)
{
	struct kernel *kernel = (struct kernel *)(void *)obj;

	program_remove_kernel(kernel->program, &kernel->in_program);
	free_forms(kernel->base.context, kernel->forms);
	free_forms(kernel->base.context, kernel->narrow);
	for (cl_uint i = 0; kernel->args && i < kernel->n_args; i++)
		free(kernel->args[i].value);
	free(kernel->args);
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

/* Kernels take numbers by the block: an atomic addition costs as much as the rest of setting. */
static void set_state(struct kernel *kernel)
{
	enum { BLOCK = 1 << 16 };
	static _Atomic uint64_t next_block;

	if (kernel->state % BLOCK == 0)
		kernel->state = atomic_fetch_add_explicit(&next_block, BLOCK, memory_order_relaxed);
	kernel->state++;
}

void kernel_touch(struct kernel *kernel)
{
	set_state(kernel);
	kernel->fresh.first = 0;
	kernel->fresh.end = UINT32_MAX;
}

void kernel_touch_arg(struct kernel *kernel, cl_uint index)
{
	set_state(kernel);
	if (index < kernel->fresh.first)
		kernel->fresh.first = index;
	if (index >= kernel->fresh.end)
		kernel->fresh.end = index + 1;
}

void kernel_settle(struct kernel *kernel)
{
	kernel->fresh.since = kernel->state;
	kernel->fresh.first = UINT32_MAX;
	kernel->fresh.end = 0;
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

/* What the kernel is by the code of one device, which the caller holds. */
static cl_int make_form(
	struct kernel_form *form, struct program_code *code, const struct compile_kernel *info)
{
	size_t number = (size_t)(info - code->reflection.kernels);
	cl_int rc;

	form->code = program_code_get(code);
	form->info = info;
	form->uses = info->uses;
	form->prints = code->print.kernels && code->print.kernels[number];
	form->driver_prints = code->print.by_driver && code->may_print;
	form->may_be_ragged = code->may_be_ragged;
	if ((rc = add_instance(form, &form->instances)))
		return rc;
	form->l0 = form->instances->l0;
	REQUIRE(l0_kernel_fits_memory(form->l0),
		error_say(CL_OUT_OF_RESOURCES,
			"the private memory of kernel '%s', %u bytes for each thread of "
			"the device, is more than there is",
			info->name, l0_kernel_info(form->l0)->private_size));
	form->is_implicit = code->spirv && !code->is_other &&
			    l0_kernel_info(form->l0)->n_args > info->n_args + form->prints;
	return CL_SUCCESS;
}

/* Whether two devices have the same parameters. */
static bool are_alike(const struct compile_kernel *a, const struct compile_kernel *b)
{
	bool same = a->n_args == b->n_args;

	for (size_t i = 0; same && i < a->n_args; i++)
		same = a->args[i].kind == b->args[i].kind && a->args[i].size == b->args[i].size &&
		       (!*a->args[i].type || !*b->args[i].type ||
			       !strcmp(a->args[i].type, b->args[i].type));
	return same;
}

/* The kernel of that name of all codes, by place, which the caller holds; NULL for none. */
static cl_int make(struct program *program, struct program_code *const *codes, const char *name,
	struct kernel **out)
{
	const struct context *context = program->context;
	struct kernel *kernel = calloc(1, sizeof *kernel);
	cl_int rc;

	REQUIRE(kernel, CL_OUT_OF_HOST_MEMORY);
	obj_init(&kernel->base, OBJ_KERNEL, &program->base, kernel_destroy);
	pthread_mutex_init(&kernel->lock, NULL);
	kernel->program = program_get(program);
	kernel_touch(kernel);
	kernel->forms = calloc(context->n_devices, sizeof *kernel->forms);
	TRY(kernel->forms ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < context->n_devices; i++) {
		const struct compile_kernel *info =
			codes[i] ? reflection_find(&codes[i]->reflection, name) : NULL;

		kernel->forms[i].device = context->devices[i];
		if (!codes[i])
			continue;
		TRY(info ? CL_SUCCESS
			 : error_say(
				   CL_INVALID_KERNEL_NAME, "the program has no kernel '%s'", name));
		if (!kernel->info)
			kernel->info = info;
		TRY(are_alike(kernel->info, info)
				? CL_SUCCESS
				: error_say(CL_INVALID_KERNEL_DEFINITION,
					  "kernel '%s' has other parameters on another device",
					  name));
		TRY(make_form(&kernel->forms[i], codes[i], info));
	}
	TRY(make_args(kernel));
	kernel->in_program.kernel = &kernel->base;
	program_add_kernel(program, &kernel->in_program);
	*out = kernel;
	return CL_SUCCESS;
fail:
	kernel_put(kernel);
	return rc;
}

cl_int kernel_widen_for_pointer(struct kernel *kernel, uint64_t pointer)
{
	struct context *context = kernel->base.context;
	struct usm_block block = { .size = SIZE_MAX };

	/* what is of no allocation is of a buffer with a device address */
	if (!pointer || !atomic_load(&context->has_wide))
		return CL_SUCCESS;
	(void)usm_find(context, (const void *)(uintptr_t)pointer, &block);
	return kernel_widen(kernel, block.size);
}

static cl_int make_wide_forms(struct kernel *kernel, struct kernel_form **out)
{
	const struct context *context = kernel->base.context;
	struct kernel_form *forms = calloc(context->n_devices, sizeof *forms);
	cl_int rc = forms ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	for (cl_uint i = 0; !rc && i < context->n_devices; i++) {
		struct program_code *code;

		forms[i].device = context->devices[i];
		if (!kernel->forms[i].code ||
			(rc = program_code_wide(kernel->forms[i].code, &code)))
			continue;
		const struct compile_kernel *info =
			reflection_find(&code->reflection, kernel->info->name);
		rc = info ? make_form(&forms[i], code, info) : CL_OUT_OF_RESOURCES;
	}
	if (rc) {
		free_forms(context, forms);
		return rc;
	}
	*out = forms;
	return CL_SUCCESS;
}

cl_int kernel_widen(struct kernel *kernel, size_t size)
{
	struct kernel_form *forms = NULL;
	cl_int rc;

	if (size <= kernel->base.context->max_alloc_size || kernel->narrow)
		return CL_SUCCESS;
	if ((rc = make_wide_forms(kernel, &forms)))
		return rc;
	pthread_mutex_lock(&kernel->lock);
	if (!kernel->narrow) {
		kernel->narrow = kernel->forms;
		kernel->forms = forms;
		forms = NULL;
	}
	pthread_mutex_unlock(&kernel->lock);
	free_forms(kernel->base.context, forms);
	return CL_SUCCESS;
}

cl_int kernel_create(struct program *program, const char *name, struct kernel **out)
{
	struct program_code **codes;
	cl_int rc;

	REQUIRE(program, CL_INVALID_PROGRAM);
	REQUIRE(name, CL_INVALID_VALUE);
	if ((rc = program_get_codes(program, &codes)))
		return rc;

	rc = make(program, codes, name, out);
	program_put_codes(program, codes);
	return rc;
}

cl_int kernel_create_all(struct program *program, cl_uint n, cl_kernel *kernels, cl_uint *n_ret)
{
	struct program_code **codes;
	cl_uint made = 0;
	cl_int rc;

	REQUIRE(program, CL_INVALID_PROGRAM);
	if ((rc = program_get_codes(program, &codes)))
		return rc;

	const struct reflection *reflection = &program_first_code(program, codes)->reflection;
	cl_uint count = (cl_uint)reflection->n_kernels;
	TRY(!kernels || n >= count ? CL_SUCCESS
				   : error_say(CL_INVALID_VALUE,
					     "there are %u kernels and room for %u", count, n));
	for (; kernels && made < count; made++) {
		struct kernel *kernel;

		TRY(make(program, codes, reflection->kernels[made].name, &kernel));
		kernels[made] = kernel_handle(kernel);
	}
	if (n_ret)
		*n_ret = count;
fail:
	while (rc && made)
		kernel_put(kernel_from(kernels[--made]));
	program_put_codes(program, codes);
	return rc;
}

cl_int kernel_clone(struct kernel *source, struct kernel **out)
{
	struct kernel *kernel;

	REQUIRE(source, CL_INVALID_KERNEL);
	const cl_uint n = source->base.context->n_devices;
	struct program_code **codes = calloc(n, sizeof *codes);
	REQUIRE(codes, CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < n; i++)
		codes[i] = source->forms[i].code;
	cl_int rc = make(source->program, codes, source->info->name, &kernel);
	free(codes);
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
	REQUIRE(!value, error_say(CL_INVALID_ARG_VALUE, "local memory has a size and no value"));
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

	const struct compile_arg *info = &kernel->info->args[arg - kernel->args];
	REQUIRE(!mem || !(mem->flags & CL_MEM_IMMUTABLE_EXT) ||
			info->address == CL_KERNEL_ARG_ADDRESS_CONSTANT ||
			info->qualifiers & CL_KERNEL_ARG_TYPE_CONST,
		error_say(CL_INVALID_ARG_VALUE,
			"the buffer is immutable, the parameter points to no constant"));

	/* Always sent anew: an equal address may be a new allocation. */
	if (arg->mem != mem)
		kernel->version++;
	arg->mem = mem;
	arg->pointer = 0;
	arg->size = size;
	arg->state = kernel->state;
	return CL_SUCCESS;
}

/* A surface has the size of the whole allocation, whichever part of it the argument is. */
static cl_int widen_for(struct kernel *kernel, size_t size, const void *value)
{
	cl_mem handle = NULL;

	if (size == sizeof(handle) && value)
		memcpy(&handle, value, sizeof(handle));
	const struct mem *mem = mem_from(handle);
	if (!mem)
		return CL_SUCCESS;
	if (mem->borrowed)
		return kernel_widen_for_pointer(kernel, (uintptr_t)mem->address);
	return kernel_widen(kernel, mem->parent ? mem->parent->size : mem->size);
}

cl_int kernel_set_arg(struct kernel *kernel, cl_uint index, size_t size, const void *value)
{
	cl_int rc;

	REQUIRE(kernel, CL_INVALID_KERNEL);
	REQUIRE(index < kernel->n_args,
		error_say(CL_INVALID_ARG_INDEX, "kernel '%s' has %u arguments, there is no %u",
			kernel->info->name, kernel->n_args, index));

	struct kernel_arg *arg = &kernel->args[index];
	if (arg->kind == KERNEL_ARG_BUFFER && (rc = widen_for(kernel, size, value)))
		return rc;
	pthread_mutex_lock(&kernel->lock);
	kernel_touch_arg(kernel, index);
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
	if (!rc && arg->kind != KERNEL_ARG_VALUE)
		kernel_blocks_check(kernel, index);
	return rc;
}
