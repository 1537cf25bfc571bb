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
	struct reflection *reflection;
	bool *seen;	    /* per kernel of the reflection */
	struct pool **pool; /* set: the kernels are to be taken from here too */
	char *why;
	size_t why_size;
};

static bool refuse(struct reader *reader, const char *what, const char *name)
{
	if (reader->why && reader->why_size)
		snprintf(reader->why, reader->why_size, "the native code's .ze_info %s%s", what,
			name);
	return false;
}

static yaml_node_t *get(struct reader *reader, const yaml_node_t *map, const char *key)
{
	return zebin_yaml_get(&reader->document, map, key);
}

static const char *text(const yaml_node_t *node)
{
	return zebin_yaml_text(node);
}

/* Leaves `value` alone if the key is not there. */
static bool get_number(
	struct reader *reader, const yaml_node_t *map, const char *key, size_t *value)
{
	return zebin_yaml_number(&reader->document, map, key, value) ||
	       refuse(reader, "has no number for ", key);
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
		return refuse(reader, "has a memory buffer of no usage", "");
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
		return refuse(reader, "has no execution_env for kernel ", kernel->name);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!get_number(reader, env, numbers[i].key,
			    (size_t *)((char *)kernel + numbers[i].offset)))
			return false;
	if (kernel->simd_size != 1 && kernel->simd_size != 8 && kernel->simd_size != 16 &&
		kernel->simd_size != 32)
		return refuse(reader, "has no right simd_size for kernel ", kernel->name);
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
	const struct reflection *all = reader->reflection;
	const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
	const yaml_node_t *kernels = get(reader, root, "kernels");
	size_t guess = 0;

	if (reader->pool && !ze_args_read(&reader->document, reader->reflection, reader->pool,
				    reader->why, reader->why_size))
		return false;
	reader->seen = calloc(all->n_kernels + 1, sizeof(*reader->seen));
	if (!reader->seen)
		return false;
	if (!kernels || kernels->type != YAML_SEQUENCE_NODE)
		return all->n_kernels ? refuse(reader, "has no kernels", "") : true;
	for (const yaml_node_item_t *item = kernels->data.sequence.items.start;
		item < kernels->data.sequence.items.top; item++) {
		const yaml_node_t *node = yaml_document_get_node(&reader->document, *item);
		const char *name = text(get(reader, node, "name"));
		if (!name)
			return refuse(reader, "has a kernel of no name", "");
		size_t i = find_kernel(reader, name, guess);
		if (i == all->n_kernels)
			continue;
		if (reader->seen[i])
			return refuse(reader, "has twice the kernel ", name);
		if (!read_kernel(reader, node, &all->kernels[i]))
			return false;
		reader->seen[i] = true;
		guess = i + 1;
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
