// SPDX-License-Identifier: MIT
#include "compile/base/reflection.h"

#include "compile/base/byte_stream.h"

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

static void pass_arg(struct byte_stream *stream, struct compile_arg *arg)
{
	struct compile_arg plain = *arg;

	plain.type = plain.name = NULL;
	BYTE_STREAM_PASS(stream, plain);
	plain.type = byte_stream_text(stream, arg->type);
	plain.name = byte_stream_text(stream, arg->name);
	if (!stream->out)
		*arg = plain;
}

static void pass_kernel(struct byte_stream *stream, struct compile_kernel *kernel)
{
	struct compile_kernel plain = *kernel;

	plain.name = plain.attributes = NULL;
	plain.args = NULL;
	BYTE_STREAM_PASS(stream, plain);
	plain.name = byte_stream_text(stream, kernel->name);
	plain.attributes = byte_stream_text(stream, kernel->attributes);
	plain.args = byte_stream_array(stream, kernel->args, &plain.n_args, sizeof(*plain.args));
	for (size_t i = 0; i < plain.n_args; i++)
		pass_arg(stream, &plain.args[i]);
	if (!stream->out)
		*kernel = plain;
}

static void pass_reflection(struct byte_stream *stream, struct reflection *all)
{
	struct reflection plain = *all;

	plain.kernels = NULL;
	plain.pool = NULL;
	BYTE_STREAM_PASS(stream, plain);
	plain.kernels =
		byte_stream_array(stream, all->kernels, &plain.n_kernels, sizeof(*plain.kernels));
	for (size_t i = 0; i < plain.n_kernels; i++)
		pass_kernel(stream, &plain.kernels[i]);
	if (!stream->out)
		*all = plain;
}

void *reflection_write(const struct reflection *reflection, size_t *size)
{
	struct reflection same = *reflection;
	struct byte_stream stream;
	char *data;

	if (!byte_stream_begin(&stream, &data, size, SIZE_MAX))
		return NULL;
	pass_reflection(&stream, &same);
	byte_stream_end(&stream, &data);
	return data;
}

bool reflection_read(const void *data, size_t size, struct reflection *reflection)
{
	struct byte_stream stream = { .left = size };

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
