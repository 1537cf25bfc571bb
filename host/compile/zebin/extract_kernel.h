// SPDX-License-Identifier: MIT
#ifndef EXTRACT_KERNEL_H
#define EXTRACT_KERNEL_H

#include <stddef.h>

/*
 * A copy of a SPIR-V module in which `kernel` is the only entry point, allocated; its size in bytes
 * goes to *only_size. NULL without memory, or if the module is malformed.
 */
void *extract_kernel(const void *spirv, size_t size, const char *kernel, size_t *only_size);

#endif
