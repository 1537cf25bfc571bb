// SPDX-License-Identifier: MIT
#ifndef SPIRV_PRINTS_H
#define SPIRV_PRINTS_H

#include "compile/spirv/spirv_module.h"

/* Whether anything in the module calls printf. */
bool spirv_prints(const struct spirv_module *module);

#endif
