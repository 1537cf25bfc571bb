// SPDX-License-Identifier: MIT
/* SPIR-V as applications bring it: reflected, its constants set, cut by its kernels, given
 * arguments and rows. */
#include "compile/zebin/reflect.h"
#include "compile/spirv/igc_bugs.h"
#include "compile/spirv/implicit_args.h"
#include "compile/spirv/lower_buffer_image.h"
#include "compile/spirv/spirv_spec.h"
#include "compile/spirv/spirv_module.h"
#include "compile/spirv/spirv_split.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const struct spirv_spec spec = { .id = 0, .value = { 1, 2, 3, 4, 5, 6, 7, 8 } };
	struct compile_module parts[SPIRV_SPLIT_MAX];
	struct reflection reflection;
	char why[64];
	struct spirv_module module;
	bool is_changed;

	compile_reflect(data, size, NULL, 0, &reflection, why, sizeof why);
	reflection_finish(&reflection);
	spirv_spec_size(data, size, 0);
	free(spirv_spec_apply(data, size, &spec, 1));
	for (size_t n = spirv_split(data, size, 3, parts); n;)
		free((void *)(uintptr_t)parts[--n].spirv);
	if (spirv_module_open(data, size, &module) == COMPILE_OK) {
		if (igc_bugs_mend(&module, data[12] & 1, &is_changed) == COMPILE_OK &&
			implicit_args_append(&module) == COMPILE_OK)
			lower_buffer_image(&module, &is_changed);
	}
	spirv_module_finish(&module);
	return 0;
}
