// SPDX-License-Identifier: MIT
#include "compile/base/reflection.h"

#include "compile/base/pool.h"

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
