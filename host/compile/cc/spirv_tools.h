// SPDX-License-Identifier: MIT
#ifndef SPIRV_TOOLS_H
#define SPIRV_TOOLS_H

#include "compile/base/request.h"

#include <stdbool.h>

/*
 * Validation and linking of SPIR-V. For zerocl-cc only, so that a module which crashes SPIRV-Tools
 * does not crash the application.
 */

/*
 * Whether the module is valid. False: the validator's sentence, with "error: " before it and a line
 * end after it, is in `log`, to be freed (NULL when out of memory). A module that uses what this
 * version of SPIRV-Tools does not know passes: the compiler may know it.
 */
bool spirv_tools_validate(const void *spirv, size_t size, char **log);

/*
 * Links modules: each import becomes the export of that name, equal types become one. Imports
 * that nobody exports stay as they are, for the compiler's own functions or for a later link.
 * Fills `result` with the module, or with COMPILE_ERROR and a log.
 */
void spirv_link(const struct compile_module *modules, size_t n, struct compile_result *result);

#endif
