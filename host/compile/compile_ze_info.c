// SPDX-License-Identifier: MIT
#include "compile/compile_ze_info.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

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
	bool *seen; /* per kernel of the reflection */
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

static const char *text(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
						      : NULL;
}

/* The value of the key; NULL if `map` is none or has no such key. */
static yaml_node_t *get(struct reader *reader, const yaml_node_t *map, const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
		pair < map->data.mapping.pairs.top; pair++) {
		const char *name = text(yaml_document_get_node(&reader->document, pair->key));
		if (name && !strcmp(name, key))
			return yaml_document_get_node(&reader->document, pair->value);
	}
	return NULL;
}

/* Leaves `value` alone if the key is not there. */
static bool get_number(
	struct reader *reader, const yaml_node_t *map, const char *key, size_t *value)
{
	const yaml_node_t *node = get(reader, map, key);
	const char *digits = text(node);
	char *end;

	if (!node)
		return true;
	errno = 0;
	unsigned long long number = digits ? strtoull(digits, &end, 0) : 0;
	if (!digits || end == digits || *end || errno || strchr(digits, '-') || number > UINT32_MAX)
		return wrong(reader, "has no number for ", key);
	*value = (size_t)number;
	return true;
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

enum compile_status compile_ze_info_read(const void *data, size_t size,
	struct compile_reflection *reflection, char *why, size_t why_size)
{
	struct reader reader = { .reflection = reflection, .why = why, .why_size = why_size };
	enum compile_status status = COMPILE_ERROR;
	yaml_parser_t parser;

	reader.seen = calloc(reflection->n_kernels + 1, sizeof *reader.seen);
	if (!reader.seen || !yaml_parser_initialize(&parser)) {
		free(reader.seen);
		return COMPILE_NO_MEMORY;
	}
	yaml_parser_set_input_string(&parser, data, size);
	if (!yaml_parser_load(&parser, &reader.document)) {
		if (parser.error == YAML_MEMORY_ERROR)
			status = COMPILE_NO_MEMORY;
		else
			wrong(&reader, "is not YAML", "");
	} else {
		if (read_kernels(&reader))
			status = COMPILE_OK;
		yaml_document_delete(&reader.document);
	}
	yaml_parser_delete(&parser);
	free(reader.seen);
	return status;
}
