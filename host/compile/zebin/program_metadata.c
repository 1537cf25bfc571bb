// SPDX-License-Identifier: MIT
#include "compile/zebin/program_metadata.h"

#include "compile/spirv/spirv_blocks.h"
#include "compile/base/pool.h"
#include "compile/spirv/spirv_prints.h"

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

/* Bytes that are written (`out`) or read, by the same functions. */
struct stream {
	FILE *out;
	const char *in;
	size_t left; /* bytes of `in` */
	bool is_bad;
	struct pool *pool; /* for what is read */
};

static void pass(struct stream *stream, void *data, size_t size)
{
	if (stream->out) {
		fwrite(data, 1, size, stream->out);
	} else if (size > stream->left) {
		memset(data, 0, size);
		stream->is_bad = true;
	} else {
		memcpy(data, stream->in, size);
		stream->in += size;
		stream->left -= size;
	}
}

#define PASS(stream, value) pass((stream), &(value), sizeof(value))

/* What is read stays where it is. */
static void pass_text(struct stream *stream, const char **text)
{
	const char *from = stream->out ? *text : stream->in;
	const size_t size = stream->out ? strlen(from) + 1 : strnlen(from, stream->left) + 1;

	if (stream->out) {
		fwrite(from, 1, size, stream->out);
	} else if (size > stream->left) {
		*text = "";
		stream->is_bad = true;
	} else {
		*text = from;
		stream->in += size;
		stream->left -= size;
	}
}

/* The number of elements, for each of which at least one byte follows. */
static void pass_count(struct stream *stream, size_t *n)
{
	PASS(stream, *n);
	if (!stream->out && *n > stream->left) {
		*n = 0;
		stream->is_bad = true;
	}
}

/* The elements of an array that is malloc'ed. */
static void *pass_array(struct stream *stream, void *array, size_t *n, size_t size)
{
	pass_count(stream, n);
	if (!stream->out && *n && !(array = calloc(*n, size))) {
		*n = 0;
		stream->is_bad = true;
	}
	if (*n)
		pass(stream, array, *n * size);
	return array;
}

/* Room for `n` elements that are about to be read; what is written has them. */
static void *get_room(struct stream *stream, void *array, size_t *n, size_t size)
{
	if (!stream->out && !(array = pool_get(&stream->pool, *n * size))) {
		*n = 0;
		stream->is_bad = true;
	}
	return array;
}

static void pass_arg(struct stream *stream, struct compile_arg *arg)
{
	struct compile_arg plain = *arg;

	plain.type = plain.name = NULL;
	PASS(stream, plain);
	if (!stream->out)
		*arg = plain;
	pass_text(stream, &arg->type);
	pass_text(stream, &arg->name);
}

static void pass_kernel(struct stream *stream, struct compile_kernel *kernel)
{
	struct compile_kernel plain = *kernel;

	plain.name = plain.attributes = NULL;
	plain.args = NULL;
	PASS(stream, plain);
	if (!stream->out)
		*kernel = plain;
	pass_text(stream, &kernel->name);
	pass_text(stream, &kernel->attributes);
	pass_count(stream, &kernel->n_args);
	kernel->args = get_room(stream, kernel->args, &kernel->n_args, sizeof(*kernel->args));
	for (size_t i = 0; i < kernel->n_args; i++)
		pass_arg(stream, &kernel->args[i]);
}

static void pass_metadata(struct stream *stream, struct program_metadata *facts)
{
	struct reflection *all = &facts->reflection;
	struct implicit_args_facts *hidden = &facts->hidden;
	unsigned flags = all->has_rows | hidden->is_uniform << 1 | facts->prints << 2;

	PASS(stream, all->global_bytes);
	PASS(stream, flags);
	all->has_rows = flags & 1;
	hidden->is_uniform = flags & 2;
	facts->prints = flags & 4;
	hidden->uses = pass_array(stream, hidden->uses, &hidden->n_kernels, sizeof(*hidden->uses));
	facts->blocks = pass_array(stream, facts->blocks, &facts->n_blocks, 1);
	pass_count(stream, &all->n_kernels);
	all->kernels = get_room(stream, all->kernels, &all->n_kernels, sizeof(*all->kernels));
	for (size_t i = 0; i < all->n_kernels; i++)
		pass_kernel(stream, &all->kernels[i]);
}

void *program_metadata_write(const struct program_metadata *facts, size_t *size)
{
	struct program_metadata same = *facts;
	char *data = NULL;
	struct stream stream = { .out = open_memstream(&data, size) };

	if (!stream.out)
		return NULL;
	pass_metadata(&stream, &same);
	stream.is_bad = ferror(stream.out);
	if (!fclose(stream.out) && !stream.is_bad)
		return data;
	free(data);
	return NULL;
}

bool program_metadata_read(const void *data, size_t size, struct program_metadata *facts)
{
	struct stream stream = { .left = size };

	*facts = (struct program_metadata){ .prints = false };
	if (!data || !(stream.in = pool_text(&stream.pool, data, size)))
		return false;
	pass_metadata(&stream, facts);
	facts->reflection.pool = stream.pool;
	if (!stream.is_bad && !stream.left &&
		facts->hidden.n_kernels == facts->reflection.n_kernels &&
		facts->n_blocks <= facts->reflection.n_kernels)
		return true;
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
