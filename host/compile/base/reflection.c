// SPDX-License-Identifier: MIT
#include "compile/base/reflection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reflection_finish(struct reflection *reflection)
{
	pool_free(reflection->pool);
	*reflection = (struct reflection){ 0 };
}

const struct compile_kernel *reflection_find(const struct reflection *reflection, const char *name)
{
	for (size_t i = 0; i < reflection->n_kernels; i++)
		if (!strcmp(reflection->kernels[i].name, name))
			return &reflection->kernels[i];
	return NULL;
}

cl_kernel_arg_type_qualifier reflection_qualifiers(const char *text, size_t size)
{
	static const struct {
		const char *word;
		cl_kernel_arg_type_qualifier qualifier;
	} words[] = {
		{ "const", CL_KERNEL_ARG_TYPE_CONST },
		{ "restrict", CL_KERNEL_ARG_TYPE_RESTRICT },
		{ "volatile", CL_KERNEL_ARG_TYPE_VOLATILE },
		{ "pipe", CL_KERNEL_ARG_TYPE_PIPE },
	};
	cl_kernel_arg_type_qualifier all = CL_KERNEL_ARG_TYPE_NONE;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (memmem(text, size, words[i].word, strlen(words[i].word)))
			all |= words[i].qualifier;
	return all;
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

static void pass_reflection(struct stream *stream, struct reflection *all)
{
	struct reflection plain = *all;

	plain.kernels = NULL;
	plain.pool = NULL;
	PASS(stream, plain);
	if (!stream->out)
		*all = plain;
	pass_count(stream, &all->n_kernels);
	all->kernels = get_room(stream, all->kernels, &all->n_kernels, sizeof(*all->kernels));
	for (size_t i = 0; i < all->n_kernels; i++)
		pass_kernel(stream, &all->kernels[i]);
}

void *reflection_write(const struct reflection *reflection, size_t *size)
{
	struct reflection same = *reflection;
	char *data = NULL;
	struct stream stream = { .out = open_memstream(&data, size) };

	if (!stream.out)
		return NULL;
	pass_reflection(&stream, &same);
	stream.is_bad = ferror(stream.out);
	if (!fclose(stream.out) && !stream.is_bad)
		return data;
	free(data);
	return NULL;
}

bool reflection_read(const void *data, size_t size, struct reflection *reflection)
{
	struct stream stream = { .left = size };

	*reflection = (struct reflection){ 0 };
	if (!data || !(stream.in = pool_text(&stream.pool, data, size)))
		return false;
	pass_reflection(&stream, reflection);
	reflection->pool = stream.pool;
	if (!stream.is_bad && !stream.left)
		return true;
	reflection_finish(reflection);
	return false;
}
