// SPDX-License-Identifier: MIT
#ifndef SPIRV_TYPE_H
#define SPIRV_TYPE_H

#include "compile/spirv/spirv_module.h"

/*
 * If `inst` defines a type, gives `id`, the type's entry, the size and alignment that it has in
 * OpenCL C (section 6.1.5 and 6.2.6: vectors of three are as large as those of four). The types
 * that it is made of come before it. False if it is made of what cannot be, or is larger than 2^48
 * bytes.
 */
bool spirv_type_layout(
	const struct spirv_module *spirv, const struct spirv_inst *inst, struct spirv_id *id);

#endif
