// SPDX-License-Identifier: MIT
#ifndef SPIRV_EXTRACT_H
#define SPIRV_EXTRACT_H

#include <stddef.h>

/*
 * Returns a copy of a SPIR-V module in which `kernel` is the only entry point, to be freed, and its
 * size in bytes. NULL without memory, or if the module is malformed.
 */
void *spirv_extract_kernel(const void *spirv, size_t size, const char *kernel, size_t *only_size);

#endif
