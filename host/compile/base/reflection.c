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
