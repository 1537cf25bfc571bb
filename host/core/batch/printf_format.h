// SPDX-License-Identifier: MIT
#ifndef PRINTF_FORMAT_H
#define PRINTF_FORMAT_H

#include "core/program/program_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * What kernels print, as the compiler's code writes it: for each call of printf the address of its
 * format, then for each argument its type (4 bytes, below), of a vector the number of its elements
 * (4 bytes), and the value. Values take 4 or 8 bytes, texts are addresses of 8 bytes, and the
 * elements of a vector lie close together at the start of as much room as 4 or 8 bytes for each
 * would be. Nothing is aligned to more than 4 bytes.
 */
enum print_type {
	PRINT_CHAR = 1,
	PRINT_SHORT,
	PRINT_INT,
	PRINT_FLOAT,
	PRINT_TEXT,
	PRINT_LONG,
	PRINT_POINTER,
	PRINT_DOUBLE,
	PRINT_CHARS,
	PRINT_SHORTS,
	PRINT_INTS,
	PRINT_LONGS,
	PRINT_FLOATS,
	PRINT_DOUBLES
};

/*
 * Prints what the kernels of these programs wrote, by section 6.15.14 of the OpenCL C
 * specification, in the "C" locale. What cannot be there ends it: false then. Arguments that a
 * format asks for in vain print nothing, those that it does not ask for are passed over. What one
 * call of printf prints is together, whoever else prints to `out`.
 */
bool print_text(
	const void *data, size_t size, const struct print_texts *texts, size_t n_texts, FILE *out);

#endif
