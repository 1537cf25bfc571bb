// SPDX-License-Identifier: MIT
#ifndef SPIRV_PRINTS_H
#define SPIRV_PRINTS_H

#include "compile/spirv/spirv_module.h"

/* Whether anything in the module calls printf. */
bool spirv_prints(const struct spirv_module *module);

/* Whether anything in the module may wait at a barrier of its sub-group alone. */
bool spirv_has_sub_group_barriers(const struct spirv_module *module);

#endif
