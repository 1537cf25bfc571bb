// SPDX-License-Identifier: MIT
#ifndef TESTS_CL_SPIRV_H
#define TESTS_CL_SPIRV_H

#include <stddef.h>
#include <stdint.h>

/*
 * The module that the text describes, of version 1.minor, to be freed; *size is in bytes. A text
 * that cannot be assembled is printed and fails the running test.
 */
uint32_t *cl_spirv_assemble(const char *text, unsigned minor, size_t *size);

#endif
