// SPDX-License-Identifier: MIT
#include "compile/zebin/program_metadata.h"

#include "compile/spirv/spirv_blocks.h"
#include "compile/base/pool.h"
#include "compile/spirv/spirv_prints.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum compile_status program_metadata_find(const void *spirv, size_t spirv_size, const void *native,
	size_t native_size, struct program_metadata *facts, char *why, size_t why_size)
{
	struct spirv_module module;

	*facts = (struct program_metadata){ 0 };
	enum compile_status status = spirv_module_open(spirv, spirv_size, &module);
	if (why && why_size)
		snprintf(why, why_size, "%s", module.why);
	if (status == COMPILE_OK)
		status = compile_reflect_module(
			&module, native, native_size, &facts->reflection, why, why_size);
	if (status == COMPILE_OK)
		status = implicit_args_look(&module, &facts->hidden);
	if (status == COMPILE_OK)
		status = spirv_blocks_look(&module, &facts->blocks, &facts->n_blocks);
	facts->prints = status == COMPILE_OK && spirv_prints(&module);
	spirv_module_finish(&module);
	if (status != COMPILE_OK)
		program_metadata_finish(facts);
	return status;
}

/*
 * The bytes: a head, the kernels, the arguments of all of them, the uses, the blocks, the texts. In
 * kernels and arguments, a text is its place among the texts, and `args` is not used. The order
 * keeps each array aligned.
 */
struct head {
	size_t n_kernels, n_args, n_uses, n_blocks, n_texts; /* elements; bytes of texts */
	size_t global_bytes;
	unsigned is_uniform, has_state, prints, has_rows;
};

struct layout {
	size_t kernels, args, uses, blocks, texts, size;
};

/* False if that is more than can be. */
static bool lay_out(const struct head *head, struct layout *layout)
{
	const size_t most = UINT32_MAX / 64;

	if (head->n_kernels > most || head->n_args > most || head->n_uses > most ||
		head->n_blocks > most || head->n_texts > most)
		return false;
	layout->kernels = sizeof(*head);
	layout->args = layout->kernels + head->n_kernels * sizeof(struct compile_kernel);
	layout->uses = layout->args + head->n_args * sizeof(struct compile_arg);
	layout->blocks = layout->uses + head->n_uses * sizeof(unsigned);
	layout->texts = layout->blocks + head->n_blocks;
	layout->size = layout->texts + head->n_texts;
	return true;
}

static size_t text_size(const char *text)
{
	return strlen(text) + 1;
}

static void measure(const struct program_metadata *facts, struct head *head)
{
	const struct reflection *all = &facts->reflection;

	memset(head, 0, sizeof(*head));
	head->n_kernels = all->n_kernels;
	head->n_uses = facts->hidden.n_kernels;
	head->n_blocks = facts->n_blocks;
	head->global_bytes = all->global_bytes;
	head->is_uniform = facts->hidden.is_uniform;
	head->has_state = facts->hidden.has_state;
	head->prints = facts->prints;
	head->has_rows = all->has_rows;
	for (size_t i = 0; i < all->n_kernels; i++) {
		const struct compile_kernel *kernel = &all->kernels[i];

		head->n_args += kernel->n_args;
		head->n_texts += text_size(kernel->name) + text_size(kernel->attributes);
		for (size_t k = 0; k < kernel->n_args; k++)
			head->n_texts +=
				text_size(kernel->args[k].type) + text_size(kernel->args[k].name);
	}
}

/* Appends the text and leaves its place instead of it. */
static void put_text(const char **text, char *texts, size_t *at)
{
	size_t size = text_size(*text);

	memcpy(texts + *at, *text, size);
	*text = (const char *)(uintptr_t)*at;
	*at += size;
}

void *program_metadata_write(const struct program_metadata *facts, size_t *size)
{
	struct layout layout;
	struct head head;
	size_t at = 0;

	measure(facts, &head);
	char *data = lay_out(&head, &layout) ? calloc(1, layout.size) : NULL;
	if (!data)
		return NULL;
	struct compile_kernel *kernels = (void *)(data + layout.kernels);
	struct compile_arg *args = (void *)(data + layout.args);
	memcpy(data, &head, sizeof(head));
	for (size_t i = 0; i < head.n_kernels; i++) {
		kernels[i] = facts->reflection.kernels[i];
		for (size_t k = 0; k < kernels[i].n_args; k++, args++) {
			*args = kernels[i].args[k];
			put_text(&args->type, data + layout.texts, &at);
			put_text(&args->name, data + layout.texts, &at);
		}
		put_text(&kernels[i].name, data + layout.texts, &at);
		put_text(&kernels[i].attributes, data + layout.texts, &at);
		kernels[i].args = NULL;
	}
	if (head.n_uses)
		memcpy(data + layout.uses, facts->hidden.uses, head.n_uses * sizeof(unsigned));
	if (head.n_blocks)
		memcpy(data + layout.blocks, facts->blocks, head.n_blocks);
	*size = layout.size;
	return data;
}

/* Turns the place into the text. */
static bool get_text(const char **text, const char *texts, size_t size)
{
	uintptr_t at = (uintptr_t)*text;

	if (at >= size)
		return false;
	*text = texts + at;
	return true;
}

/* Works on a copy that the reflection keeps. */
static bool read_kernels(const struct head *head, const struct layout *layout, char *copy,
	struct program_metadata *out)
{
	struct compile_kernel *kernels = (void *)(copy + layout->kernels);
	struct compile_arg *args = (void *)(copy + layout->args);
	const char *texts = copy + layout->texts;
	size_t left = head->n_args;

	if (head->n_texts && texts[head->n_texts - 1])
		return false;
	for (size_t i = 0; i < head->n_kernels; i++) {
		if (kernels[i].n_args > left || !get_text(&kernels[i].name, texts, head->n_texts) ||
			!get_text(&kernels[i].attributes, texts, head->n_texts))
			return false;
		kernels[i].args = args;
		for (size_t k = 0; k < kernels[i].n_args; k++, args++, left--)
			if (!get_text(&args->type, texts, head->n_texts) ||
				!get_text(&args->name, texts, head->n_texts))
				return false;
	}
	out->reflection.kernels = kernels;
	out->reflection.n_kernels = head->n_kernels;
	out->reflection.global_bytes = head->global_bytes;
	out->reflection.has_rows = head->has_rows;
	return !left;
}

static bool copy_rest(const struct head *head, const struct layout *layout, const char *data,
	struct program_metadata *out)
{
	out->hidden = (struct implicit_args_facts){ .n_kernels = head->n_uses,
		.uses = malloc((head->n_uses + 1) * sizeof(unsigned)),
		.is_uniform = head->is_uniform,
		.has_state = head->has_state };
	out->prints = head->prints;
	out->n_blocks = head->n_blocks;
	out->blocks = head->n_blocks ? malloc(head->n_blocks) : NULL;
	if (!out->hidden.uses || (head->n_blocks && !out->blocks))
		return false;
	memcpy(out->hidden.uses, data + layout->uses, head->n_uses * sizeof(unsigned));
	if (head->n_blocks)
		memcpy(out->blocks, data + layout->blocks, head->n_blocks);
	return true;
}

bool program_metadata_read(const void *data, size_t size, struct program_metadata *facts)
{
	struct pool *pool = NULL;
	struct layout layout;
	struct head head;

	*facts = (struct program_metadata){ 0 };
	if (!data || size < sizeof(head))
		return false;
	memcpy(&head, data, sizeof(head));
	if (!lay_out(&head, &layout) || layout.size != size || head.n_uses != head.n_kernels ||
		head.n_blocks > head.n_kernels)
		return false;
	char *copy = pool_get(&pool, size);
	facts->reflection.pool = pool;
	if (copy) {
		memcpy(copy, data, size);
		if (read_kernels(&head, &layout, copy, facts) &&
			copy_rest(&head, &layout, data, facts))
			return true;
	}
	program_metadata_finish(facts);
	return false;
}

void program_metadata_finish(struct program_metadata *facts)
{
	reflection_finish(&facts->reflection);
	implicit_args_facts_finish(&facts->hidden);
	free(facts->blocks);
	*facts = (struct program_metadata){ 0 };
}
