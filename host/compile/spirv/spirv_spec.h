// SPDX-License-Identifier: MIT
#ifndef SPIRV_SPEC_H
#define SPIRV_SPEC_H

#include "compile/base/request.h"

/* Specialization constants of a SPIR-V module: section 5.8.3 of the specification. */

/*
 * The size in bytes of the constants with that SpecId (a bool has 1), 0 if the module has none.
 * `spirv` is one that compile_binary_open took.
 */
size_t spirv_spec_size(const void *spirv, size_t spirv_size, uint32_t spec_id);

struct spirv_spec {
	uint32_t id;
	unsigned char value[8]; /* as many bytes as its size */
};

/* A copy of the module, to be freed, in which these values are the constants' defaults; or NULL. */
void *spirv_spec_apply(
	const void *spirv, size_t spirv_size, const struct spirv_spec *specs, size_t n_specs);

#endif
