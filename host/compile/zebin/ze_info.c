// SPDX-License-Identifier: MIT
#include "compile/zebin/ze_info.h"

#include "compile/zebin/zebin_yaml.h"
#include "compile/zebin/ze_args.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	struct compile_reflection *reflection;
	bool *seen;		    /* per kernel of the reflection */
	struct compile_pool **pool; /* set: the kernels are to be taken from here too */
	char *why;
	size_t why_size;
};

static bool wrong(struct reader *reader, const char *what, const char *name)
{
	if (reader->why && reader->why_size)
		snprintf(reader->why, reader->why_size, "the native code's .ze_info %s%s", what,
			name);
	return false;
}

static yaml_node_t *get(struct reader *reader, const yaml_node_t *map, const char *key)
{
	return compile_yaml_get(&reader->document, map, key);
}

static const char *text(const yaml_node_t *node)
{
	return compile_yaml_text(node);
}

/* Leaves `value` alone if the key is not there. */
static bool get_number(
	struct reader *reader, const yaml_node_t *map, const char *key, size_t *value)
{
	return compile_yaml_number(&reader->document, map, key, value) ||
	       wrong(reader, "has no number for ", key);
}

/* One buffer of a kernel's per_thread_memory_buffers; its size is per hardware thread. */
static bool read_buffer(
	struct reader *reader, const yaml_node_t *buffer, struct compile_kernel *kernel)
{
	const char *usage = text(get(reader, buffer, "usage"));
	const char *per_lane = text(get(reader, buffer, "is_simt_thread"));
	size_t size = 0;

	if (!get_number(reader, buffer, "size", &size))
		return false;
	if (!usage)
		return wrong(reader, "has a memory buffer of no usage", "");
	if (!strcmp(usage, "spill_fill_space"))
		kernel->spill_bytes += size;
	else if (per_lane && !strcmp(per_lane, "true"))
		kernel->private_bytes += size;
	else
		kernel->private_bytes += kernel->simd_size ? size / kernel->simd_size : size;
	return true;
}

static bool read_kernel(
	struct reader *reader, const yaml_node_t *node, struct compile_kernel *kernel)
{
	const yaml_node_t *env = get(reader, node, "execution_env");
	const yaml_node_t *buffers = get(reader, node, "per_thread_memory_buffers");

	if (!env || env->type != YAML_MAPPING_NODE)
		return wrong(reader, "has no execution_env for kernel ", kernel->name);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (!get_number(reader, env, numbers[i].key,
			    (size_t *)((char *)kernel + numbers[i].offset)))
			return false;
	if (kernel->simd_size != 1 && kernel->simd_size != 8 && kernel->simd_size != 16 &&
		kernel->simd_size != 32)
		return wrong(reader, "has no right simd_size for kernel ", kernel->name);
	if (!buffers || buffers->type != YAML_SEQUENCE_NODE)
		return true;
	for (const yaml_node_item_t *item = buffers->data.sequence.items.start;
		item < buffers->data.sequence.items.top; item++)
		if (!read_buffer(reader, yaml_document_get_node(&reader->document, *item), kernel))
			return false;
	return true;
}

/* The number of the kernel: usually the one after the last. */
static size_t find_kernel(const struct reader *reader, const char *name, size_t guess)
{
	const struct compile_reflection *all = reader->reflection;

	if (guess < all->n_kernels && !strcmp(all->kernels[guess].name, name))
		return guess;
	for (size_t i = 0; i < all->n_kernels; i++)
		if (!strcmp(all->kernels[i].name, name))
			return i;
	return all->n_kernels;
}

static bool read_kernels(struct reader *reader)
{
	const struct compile_reflection *all = reader->reflection;
	const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
	const yaml_node_t *kernels = get(reader, root, "kernels");
	size_t guess = 0;

	if (reader->pool && !compile_ze_args_read(&reader->document, reader->reflection,
				    reader->pool, reader->why, reader->why_size))
		return false;
	reader->seen = calloc(all->n_kernels + 1, sizeof *reader->seen);
	if (!reader->seen)
		return false;
	if (!kernels || kernels->type != YAML_SEQUENCE_NODE)
		return all->n_kernels ? wrong(reader, "has no kernels", "") : true;
	for (const yaml_node_item_t *item = kernels->data.sequence.items.start;
		item < kernels->data.sequence.items.top; item++) {
		const yaml_node_t *node = yaml_document_get_node(&reader->document, *item);
		const char *name = text(get(reader, node, "name"));
		if (!name)
			return wrong(reader, "has a kernel of no name", "");
		size_t i = find_kernel(reader, name, guess);
		if (i == all->n_kernels)
			continue;
		if (reader->seen[i])
			return wrong(reader, "has twice the kernel ", name);
		if (!read_kernel(reader, node, &all->kernels[i]))
			return false;
		reader->seen[i] = true;
		guess = i + 1;
	}
	for (size_t i = 0; i < all->n_kernels; i++)
		if (!reader->seen[i])
			return wrong(reader, "does not have kernel ", all->kernels[i].name);
	return true;
}

/* What is read only where no SPIR-V tells it; most of the text. */
static const char *const spare[] = { "payload_arguments:", "per_thread_payload_arguments:",
	"binding_table_indices:", "kernels_misc_info:" };

static bool is_spare(const char *text, size_t size)
{
	while (size && strchr(" \r\n", text[size - 1]))
		size--;
	for (size_t i = 0; i < sizeof spare / sizeof *spare; i++)
		if (size == strlen(spare[i]) && !memcmp(text, spare[i], size))
			return true;
	return false;
}

/*
 * A copy without the values of those keys, to be freed: the lines below one that stand further to
 * the right, or as far if they are items of a list. NULL when out of memory.
 */
static char *drop_spare(const char *text, size_t size, size_t *kept)
{
	const size_t none = SIZE_MAX;
	char *copy = malloc(size + 1);
	size_t hidden = none; /* the column of the key whose value this is */

	*kept = 0;
	for (size_t at = 0, end; copy && at < size; at = end) {
		const char *line_end = memchr(text + at, '\n', size - at);
		size_t column = 0;

		end = line_end ? (size_t)(line_end - text) + 1 : size;
		while (at + column < end && text[at + column] == ' ')
			column++;
		char first = at + column < end ? text[at + column] : '\n';
		if (hidden != none &&
			(column > hidden || first == '\n' || (column == hidden && first == '-')))
			continue;
		hidden = is_spare(text + at + column, end - at - column) ? column : none;
		if (hidden != none)
			continue;
		memcpy(copy + *kept, text + at, end - at);
		*kept += end - at;
	}
	return copy;
}

enum compile_status compile_ze_info_read(const void *data, size_t size,
	struct compile_reflection *reflection, struct compile_pool **pool, char *why,
	size_t why_size)
{
	struct reader reader = {
		.reflection = reflection, .pool = pool, .why = why, .why_size = why_size
	};
	enum compile_status status = COMPILE_ERROR;
	yaml_parser_t parser;
	char words[256];

	if (!why || !why_size) {
		reader.why = words;
		reader.why_size = sizeof words;
	}
	*reader.why = '\0';

	char *less = pool ? NULL : drop_spare(data, size, &size);
	if ((!pool && !less) || !yaml_parser_initialize(&parser)) {
		free(less);
		return COMPILE_NO_MEMORY;
	}
	yaml_parser_set_input_string(&parser, less ? (const void *)less : data, size);
	if (!yaml_parser_load(&parser, &reader.document)) {
		if (parser.error == YAML_MEMORY_ERROR)
			status = COMPILE_NO_MEMORY;
		else
			wrong(&reader, "is not YAML", "");
	} else {
		/* Whoever finds something wrong says what. */
		if (read_kernels(&reader))
			status = COMPILE_OK;
		else if (!*reader.why)
			status = COMPILE_NO_MEMORY;
		yaml_document_delete(&reader.document);
	}
	yaml_parser_delete(&parser);
	free(less);
	free(reader.seen);
	return status;
}
