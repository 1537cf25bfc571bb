// SPDX-License-Identifier: MIT
#include "compile/zebin/ze_info.h"
#include "compile/base/pool.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compile/zebin/zebin_yaml.h"

#define MAX_ARGS 4096

/* What IGC puts among the kernels for a program with variables. */
static const char no_kernel[] = "Intel_Symbol_Table_Void_Program";

/* Numbers of a kernel's execution_env, and where they go. */
static const struct {
	const char *key;
	size_t offset; /* of a size_t in struct compile_kernel */
} numbers[] = {
	{ "simd_size", offsetof(struct compile_kernel, simd_size) },
	{ "slm_size", offsetof(struct compile_kernel, local_bytes) },
	{ "barrier_count", offsetof(struct compile_kernel, barriers) },
	{ "grf_count", offsetof(struct compile_kernel, grf_count) },
};

struct reader {
	yaml_document_t document;
	struct reflection *reflection;
	bool *seen;	    /* per kernel of the reflection */
	struct pool **pool; /* set: the kernels are to be taken from here too */
	struct compile_kernel *kernel;
	bool *known; /* per argument of the kernel: its kind is */
	char *why;
	size_t why_size;
};

static bool refuse(struct reader *reader, const char *what, const char *name)
{
	snprintf(reader->why, reader->why_size, "the native code's .ze_info %s%s", what, name);
	return false;
}

/* The same of the kernel that is read. */
static bool refuse_kernel(struct reader *reader, const char *what)
{
	return refuse(reader, what, reader->kernel->name);
}

static const yaml_node_t *get(struct reader *reader, const yaml_node_t *map, const char *key)
{
	return zebin_yaml_get(&reader->document, map, key);
}

static const yaml_node_t *item(struct reader *reader, const yaml_node_t *list, size_t i)
{
	return zebin_yaml_item(&reader->document, list, i);
}

/* The text of the key; "" if it is not there. */
static const char *text(struct reader *reader, const yaml_node_t *map, const char *key)
{
	const char *value = zebin_yaml_text(get(reader, map, key));

	return value ? value : "";
}

/* Leaves `value` alone if the key is not there. */
static bool get_number(
	struct reader *reader, const yaml_node_t *map, const char *key, size_t *value)
{
	return zebin_yaml_number(&reader->document, map, key, value) ||
	       refuse(reader, "has no number for ", key);
}

struct word {
	const char *word;
	unsigned value;
};

/* The value of the word; `other` if it is none of them. */
static unsigned look_up(const struct word *words, size_t n, const char *word, unsigned other)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(words[i].word, word))
			return words[i].value;
	return other;
}

#define LOOK_UP(words, word, other) look_up(words, sizeof(words) / sizeof(*words), word, other)

static const struct word spaces[] = {
	{ "global", COMPILE_ARG_BUFFER },
	{ "constant", COMPILE_ARG_BUFFER },
	{ "local", COMPILE_ARG_LOCAL },
	{ "image", COMPILE_ARG_IMAGE },
	{ "sampler", COMPILE_ARG_SAMPLER },
};

static const struct word accesses[] = {
	{ "readonly", CL_KERNEL_ARG_ACCESS_READ_ONLY },
	{ "writeonly", CL_KERNEL_ARG_ACCESS_WRITE_ONLY },
	{ "readwrite", CL_KERNEL_ARG_ACCESS_READ_WRITE },
	{ "__read_only", CL_KERNEL_ARG_ACCESS_READ_ONLY },
	{ "__write_only", CL_KERNEL_ARG_ACCESS_WRITE_ONLY },
	{ "__read_write", CL_KERNEL_ARG_ACCESS_READ_WRITE },
	{ "READ_ONLY", CL_KERNEL_ARG_ACCESS_READ_ONLY },
	{ "WRITE_ONLY", CL_KERNEL_ARG_ACCESS_WRITE_ONLY },
	{ "READ_WRITE", CL_KERNEL_ARG_ACCESS_READ_WRITE },
};

static const struct word addresses[] = {
	{ "__global", CL_KERNEL_ARG_ADDRESS_GLOBAL },
	{ "__constant", CL_KERNEL_ARG_ADDRESS_CONSTANT },
	{ "__local", CL_KERNEL_ARG_ADDRESS_LOCAL },
	{ "global", CL_KERNEL_ARG_ADDRESS_GLOBAL },
	{ "constant", CL_KERNEL_ARG_ADDRESS_CONSTANT },
	{ "local", CL_KERNEL_ARG_ADDRESS_LOCAL },
	{ "image", CL_KERNEL_ARG_ADDRESS_GLOBAL },
};

static void set_kind(struct compile_arg *arg, enum compile_arg_kind kind)
{
	static const size_t sizes[] = { [COMPILE_ARG_BUFFER] = sizeof(cl_mem),
		[COMPILE_ARG_IMAGE] = sizeof(cl_mem),
		[COMPILE_ARG_SAMPLER] = sizeof(cl_sampler),
		[COMPILE_ARG_QUEUE] = 0 };

	arg->kind = kind;
	if (kind != COMPILE_ARG_VALUE)
		arg->size = sizes[kind];
}

/* One of payload_arguments, for which there may be several. */
static bool read_payload(struct reader *reader, const yaml_node_t *node)
{
	size_t index = SIZE_MAX, size = 0, offset = 0;
	const char *type = text(reader, node, "arg_type");
	const char *space = text(reader, node, "addrspace");

	if (!get_number(reader, node, "arg_index", &index) ||
		!get_number(reader, node, "size", &size) ||
		!get_number(reader, node, "source_offset", &offset))
		return false;
	if (index == SIZE_MAX)
		return true;
	struct compile_arg *arg = &reader->kernel->args[index];
	if (!strcmp(type, "arg_byvalue")) {
		set_kind(arg, COMPILE_ARG_VALUE);
		if (arg->size < offset + size)
			arg->size = offset + size;
		arg->address = CL_KERNEL_ARG_ADDRESS_PRIVATE;
		reader->known[index] = true;
	} else if (!strcmp(type, "arg_bypointer")) {
		unsigned kind = LOOK_UP(spaces, space, UINT32_MAX);
		if (kind == UINT32_MAX)
			return refuse_kernel(reader, "has an unknown addrspace in kernel ");
		set_kind(arg, (enum compile_arg_kind)kind);
		arg->address = LOOK_UP(addresses, space, CL_KERNEL_ARG_ADDRESS_PRIVATE);
		if (kind == COMPILE_ARG_IMAGE)
			arg->access = LOOK_UP(accesses, text(reader, node, "access_type"),
				CL_KERNEL_ARG_ACCESS_READ_ONLY);
		reader->known[index] = true;
	}
	return true;
}

/* What an argument is that the code does not use, by its type. */
static enum compile_arg_kind kind_of(const struct compile_arg *arg)
{
	if (!strncmp(arg->type, "image", 5))
		return COMPILE_ARG_IMAGE;
	if (!strcmp(arg->type, "sampler_t"))
		return COMPILE_ARG_SAMPLER;
	if (arg->address == CL_KERNEL_ARG_ADDRESS_LOCAL)
		return COMPILE_ARG_LOCAL;
	return arg->address == CL_KERNEL_ARG_ADDRESS_PRIVATE ? COMPILE_ARG_VALUE
							     : COMPILE_ARG_BUFFER;
}

/* One of args_info, of what -cl-kernel-arg-info keeps. Its type_name is "float4;16". */
static bool read_info(struct reader *reader, const yaml_node_t *node)
{
	size_t index = SIZE_MAX;
	const char *name = text(reader, node, "name"), *type = text(reader, node, "type_name");
	const char *qualifiers = text(reader, node, "type_qualifiers");
	const char *size = strrchr(type, ';');

	if (!get_number(reader, node, "index", &index))
		return false;
	if (index >= reader->kernel->n_args)
		return refuse_kernel(reader, "has the wrong number for an argument of kernel ");
	struct compile_arg *arg = &reader->kernel->args[index];
	arg->name = pool_text(reader->pool, name, strlen(name));
	arg->type = pool_text(reader->pool, type, size ? (size_t)(size - type) : strlen(type));
	if (!arg->name || !arg->type)
		return false;
	arg->is_buffer_image = !strcmp(arg->type, "image1d_buffer_t");
	arg->address = LOOK_UP(
		addresses, text(reader, node, "address_qualifier"), CL_KERNEL_ARG_ADDRESS_PRIVATE);
	arg->access = LOOK_UP(
		accesses, text(reader, node, "access_qualifier"), CL_KERNEL_ARG_ACCESS_NONE);
	arg->qualifiers = reflection_qualifiers(qualifiers, strlen(qualifiers));
	if (!reader->known[index])
		set_kind(arg, kind_of(arg));
	unsigned long bytes = size ? strtoul(size + 1, NULL, 10) : 0;
	if (arg->kind == COMPILE_ARG_VALUE && bytes)
		arg->size = bytes;
	reader->known[index] = arg->kind != COMPILE_ARG_VALUE || arg->size;
	return true;
}

/* How many arguments: one more than the highest index. */
static bool count_args(
	struct reader *reader, const yaml_node_t *list, const char *key, size_t *count)
{
	const yaml_node_t *node;

	for (size_t i = 0; (node = item(reader, list, i)); i++) {
		size_t index = SIZE_MAX;
		if (!get_number(reader, node, key, &index))
			return false;
		if (index != SIZE_MAX && index >= MAX_ARGS)
			return refuse_kernel(
				reader, "has the wrong number for an argument of kernel ");
		if (index != SIZE_MAX && index >= *count)
			*count = index + 1;
	}
	return true;
}

/* What kernels_misc_info says of the kernel's arguments; NULL: nothing. */
static const yaml_node_t *find_info(struct reader *reader)
{
	const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
	const yaml_node_t *node, *list = get(reader, root, "kernels_misc_info");

	for (size_t i = 0; (node = item(reader, list, i)); i++)
		if (!strcmp(text(reader, node, "name"), reader->kernel->name))
			return get(reader, node, "args_info");
	return NULL;
}

static bool read_args(struct reader *reader, const yaml_node_t *payload)
{
	struct compile_kernel *kernel = reader->kernel;
	const yaml_node_t *node, *infos = find_info(reader);

	if (!count_args(reader, payload, "arg_index", &kernel->n_args) ||
		!count_args(reader, infos, "index", &kernel->n_args))
		return false;
	kernel->args = pool_get(reader->pool, kernel->n_args * sizeof(*kernel->args));
	reader->known = pool_get(reader->pool, kernel->n_args);
	if (!kernel->args || !reader->known)
		return false;
	for (size_t i = 0; i < kernel->n_args; i++) {
		kernel->args[i].name = kernel->args[i].type = "";
		kernel->args[i].access = CL_KERNEL_ARG_ACCESS_NONE;
	}
	for (size_t i = 0; (node = item(reader, payload, i)); i++)
		if (!read_payload(reader, node))
			return false;
	for (size_t i = 0; (node = item(reader, infos, i)); i++)
		if (!read_info(reader, node))
			return false;
	for (size_t i = 0; i < kernel->n_args; i++)
		if (!reader->known[i])
			return refuse_kernel(reader, "does not describe all arguments of kernel ");
	return true;
}

/* Adds a kernel that only .ze_info describes. */
static bool add_kernel(struct reader *reader, const yaml_node_t *node, const char *name)
{
	struct reflection *all = reader->reflection;
	struct compile_kernel *kernel = reader->kernel = &all->kernels[all->n_kernels];
	const yaml_node_t *env = get(reader, node, "execution_env");
	const yaml_node_t *size = get(reader, env, "required_work_group_size");

	kernel->name = pool_text(reader->pool, name, strlen(name));
	kernel->attributes = "";
	if (!kernel->name)
		return false;
	for (size_t i = 0; i < 3; i++) {
		const char *number = zebin_yaml_text(item(reader, size, i));
		kernel->work_group_size[i] = number ? strtoul(number, NULL, 10) : 0;
	}
	if (!get_number(reader, env, "required_sub_group_size", &kernel->sub_group_size) ||
		!read_args(reader, get(reader, node, "payload_arguments")))
		return false;
	all->n_kernels++;
	return true;
}

/* One buffer of a kernel's per_thread_memory_buffers; its size is per hardware thread. */
static bool read_buffer(struct reader *reader, const yaml_node_t *buffer)
{
	struct compile_kernel *kernel = reader->kernel;
	const char *usage = text(reader, buffer, "usage");
	size_t size = 0;

	if (!get_number(reader, buffer, "size", &size))
		return false;
	if (!*usage)
		return refuse(reader, "has a memory buffer of no usage", "");
	if (!strcmp(usage, "spill_fill_space"))
		kernel->spill_bytes += size;
	else if (!strcmp(text(reader, buffer, "is_simt_thread"), "true"))
		kernel->private_bytes += size;
	else
		kernel->private_bytes += kernel->simd_size ? size / kernel->simd_size : size;
	return true;
}

static bool read_kernel(struct reader *reader, const yaml_node_t *node)
{
	struct compile_kernel *kernel = reader->kernel;
	const yaml_node_t *env = get(reader, node, "execution_env");
	const yaml_node_t *buffer, *buffers = get(reader, node, "per_thread_memory_buffers");

	if (!env || env->type != YAML_MAPPING_NODE)
		return refuse_kernel(reader, "has no execution_env for kernel ");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!get_number(reader, env, numbers[i].key,
			    (size_t *)((char *)kernel + numbers[i].offset)))
			return false;
	if (kernel->simd_size != 1 && kernel->simd_size != 8 && kernel->simd_size != 16 &&
		kernel->simd_size != 32)
		return refuse_kernel(reader, "has no right simd_size for kernel ");
	for (size_t i = 0; (buffer = item(reader, buffers, i)); i++)
		if (!read_buffer(reader, buffer))
			return false;
	return true;
}

/* The number of the kernel: usually the one after the last. */
static size_t find_kernel(const struct reader *reader, const char *name, size_t guess)
{
	const struct reflection *all = reader->reflection;

	if (guess < all->n_kernels && !strcmp(all->kernels[guess].name, name))
		return guess;
	for (size_t i = 0; i < all->n_kernels; i++)
		if (!strcmp(all->kernels[i].name, name))
			return i;
	return all->n_kernels;
}

static bool read_kernels(struct reader *reader)
{
	struct reflection *all = reader->reflection;
	const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
	const yaml_node_t *node, *kernels = get(reader, root, "kernels");
	size_t guess = 0, n = 0;

	while (item(reader, kernels, n))
		n++;
	reader->seen = calloc(all->n_kernels + n + 1, sizeof(*reader->seen));
	if (reader->pool)
		all->kernels = pool_get(reader->pool, n * sizeof(*all->kernels));
	if (!reader->seen || (reader->pool && !all->kernels))
		return false;
	if (all->n_kernels && !n)
		return refuse(reader, "has no kernels", "");
	for (size_t i = 0; i < n; i++, guess++) {
		node = item(reader, kernels, i);
		const char *name = text(reader, node, "name");
		if (!*name)
			return refuse(reader, "has a kernel of no name", "");
		guess = find_kernel(reader, name, guess);
		if (guess == all->n_kernels && (!reader->pool || !strcmp(name, no_kernel)))
			continue;
		if (guess == all->n_kernels && !add_kernel(reader, node, name))
			return false;
		if (reader->seen[guess])
			return refuse(reader, "has twice the kernel ", name);
		reader->kernel = &all->kernels[guess];
		if (!read_kernel(reader, node))
			return false;
		reader->seen[guess] = true;
	}
	for (size_t i = 0; i < all->n_kernels; i++)
		if (!reader->seen[i])
			return refuse(reader, "does not have kernel ", all->kernels[i].name);
	return true;
}

enum compile_status ze_info_read(const void *data, size_t size, struct reflection *reflection,
	struct pool **pool, char *why, size_t why_size)
{
	char words[256];
	struct reader reader = { .reflection = reflection,
		.pool = pool,
		.why = why && why_size ? why : words,
		.why_size = why && why_size ? why_size : sizeof(words) };

	*reader.why = '\0';
	enum compile_status status = zebin_yaml_load(&reader.document, data, size);
	if (status == COMPILE_ERROR)
		refuse(&reader, "is not YAML", "");
	if (status != COMPILE_OK)
		return status;
	/* What finds something wrong has said so. */
	if (!read_kernels(&reader))
		status = *reader.why ? COMPILE_ERROR : COMPILE_NO_MEMORY;
	yaml_document_delete(&reader.document);
	free(reader.seen);
	return status;
}
