// SPDX-License-Identifier: MIT
#ifndef PRINTF_STRINGS_H
#define PRINTF_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a module calls printf anywhere; true too for one that it cannot read. */
bool compile_prints(const void *spirv, size_t size);

#endif
