// SPDX-License-Identifier: MIT
#include "compile/zebin/ze_args.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGS 4096

/* What IGC puts among the kernels for a program with variables. */
static const char no_kernel[] = "Intel_Symbol_Table_Void_Program";

struct reader {
	yaml_document_t *document;
	struct pool **pool;
	struct compile_kernel *kernel;
	bool *known; /* per argument: its kind is */
	char *why;
	size_t why_size;
};

static bool refuse(struct reader *reader, const char *what)
{
	if (reader->why && reader->why_size)
		snprintf(reader->why, reader->why_size, "the native code's .ze_info %s %s", what,
			reader->kernel ? reader->kernel->name : "");
	return false;
}

static const char *text(struct reader *reader, const yaml_node_t *map, const char *key)
{
	const char *value = zebin_yaml_text(zebin_yaml_get(reader->document, map, key));

	return value ? value : "";
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

	if (!zebin_yaml_number(reader->document, node, "arg_index", &index) ||
		!zebin_yaml_number(reader->document, node, "size", &size) ||
		!zebin_yaml_number(reader->document, node, "source_offset", &offset))
		return refuse(reader, "has no number for an argument of kernel");
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
			return refuse(reader, "has an unknown addrspace in kernel");
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

	if (!zebin_yaml_number(reader->document, node, "index", &index) ||
		index >= reader->kernel->n_args)
		return refuse(reader, "has the wrong number for an argument of kernel");
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
	arg->qualifiers = (strstr(qualifiers, "const") ? CL_KERNEL_ARG_TYPE_CONST : 0) |
			  (strstr(qualifiers, "restrict") ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
			  (strstr(qualifiers, "volatile") ? CL_KERNEL_ARG_TYPE_VOLATILE : 0) |
			  (strstr(qualifiers, "pipe") ? CL_KERNEL_ARG_TYPE_PIPE : 0);
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

	for (size_t i = 0; (node = zebin_yaml_item(reader->document, list, i)); i++) {
		size_t index = SIZE_MAX;
		if (!zebin_yaml_number(reader->document, node, key, &index) ||
			(index != SIZE_MAX && index >= MAX_ARGS))
			return refuse(reader, "has the wrong number for an argument of kernel");
		if (index != SIZE_MAX && index >= *count)
			*count = index + 1;
	}
	return true;
}

static const yaml_node_t *find_info(struct reader *reader, const char *name)
{
	const yaml_node_t *list = zebin_yaml_get(reader->document,
		yaml_document_get_root_node(reader->document), "kernels_misc_info");
	const yaml_node_t *node;

	for (size_t i = 0; (node = zebin_yaml_item(reader->document, list, i)); i++)
		if (!strcmp(text(reader, node, "name"), name))
			return zebin_yaml_get(reader->document, node, "args_info");
	return NULL;
}

static bool read_args(struct reader *reader, const yaml_node_t *payload, const yaml_node_t *infos)
{
	struct compile_kernel *kernel = reader->kernel;
	const yaml_node_t *node;

	kernel->args = pool_get(reader->pool, kernel->n_args * sizeof(*kernel->args));
	reader->known = pool_get(reader->pool, kernel->n_args);
	if (!kernel->args || !reader->known)
		return false;
	for (size_t i = 0; i < kernel->n_args; i++) {
		kernel->args[i].name = kernel->args[i].type = "";
		kernel->args[i].access = CL_KERNEL_ARG_ACCESS_NONE;
	}
	for (size_t i = 0; (node = zebin_yaml_item(reader->document, payload, i)); i++)
		if (!read_payload(reader, node))
			return false;
	for (size_t i = 0; (node = zebin_yaml_item(reader->document, infos, i)); i++)
		if (!read_info(reader, node))
			return false;
	for (size_t i = 0; i < kernel->n_args; i++)
		if (!reader->known[i])
			return refuse(reader, "does not describe all arguments of kernel");
	return true;
}

static bool read_kernel(struct reader *reader, const yaml_node_t *node, const char *name)
{
	struct compile_kernel *kernel = reader->kernel;
	const yaml_node_t *payload = zebin_yaml_get(reader->document, node, "payload_arguments");
	const yaml_node_t *env = zebin_yaml_get(reader->document, node, "execution_env");
	const yaml_node_t *size = zebin_yaml_get(reader->document, env, "required_work_group_size");

	kernel->name = pool_text(reader->pool, name, strlen(name));
	kernel->attributes = "";
	if (!kernel->name)
		return false;
	for (size_t i = 0; i < 3; i++) {
		const char *number = zebin_yaml_text(zebin_yaml_item(reader->document, size, i));
		kernel->work_group_size[i] = number ? strtoul(number, NULL, 10) : 0;
	}
	if (!zebin_yaml_number(
		    reader->document, env, "required_sub_group_size", &kernel->sub_group_size))
		return refuse(reader, "has no right sub-group size for kernel");
	const yaml_node_t *infos = find_info(reader, name);
	return count_args(reader, payload, "arg_index", &kernel->n_args) &&
	       count_args(reader, infos, "index", &kernel->n_args) &&
	       read_args(reader, payload, infos);
}

bool ze_args_read(yaml_document_t *document, struct reflection *reflection, struct pool **pool,
	char *why, size_t why_size)
{
	struct reader reader = {
		.document = document, .pool = pool, .why = why, .why_size = why_size
	};
	const yaml_node_t *node, *kernels = zebin_yaml_get(document,
					 yaml_document_get_root_node(document), "kernels");
	size_t n = 0;

	while (zebin_yaml_item(document, kernels, n))
		n++;
	reflection->kernels = pool_get(pool, n * sizeof(*reflection->kernels));
	if (!reflection->kernels)
		return false;
	for (size_t i = 0; (node = zebin_yaml_item(document, kernels, i)); i++) {
		const char *name = text(&reader, node, "name");
		if (!strcmp(name, no_kernel))
			continue;
		reader.kernel = &reflection->kernels[reflection->n_kernels];
		if (!read_kernel(&reader, node, name))
			return false;
		reflection->n_kernels++;
	}
	return true;
}
