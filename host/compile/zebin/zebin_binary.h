// SPDX-License-Identifier: MIT
#ifndef ZEBIN_BINARY_H
#define ZEBIN_BINARY_H

#include "compile/base/request.h"

enum compile_binary_kind {
	COMPILE_BINARY_EXECUTABLE,
	COMPILE_BINARY_OBJECT,
	COMPILE_BINARY_LIBRARY
};

/*
 * A program binary as clCreateProgramWithBinary gets it. On success the pointers are views into
 * `data` (not necessarily aligned; NULL if the binary has no such part).
 */
struct compile_binary {
	enum compile_binary_kind kind;
	const void *native; /* what zeModuleCreate gets; NULL too if it says to be for others */
	size_t native_size;
	const void *spirv;
	size_t spirv_size;
	const char *options; /* not NUL-terminated */
	size_t options_size;
	bool is_other; /* patch tokens, once of ours: the SPIR-V only tells of their arguments */
	char why[128]; /* on failure: a sentence, or "" */
};

/*
 * Takes the binaries of ZeroCL, of Intel's driver, and of ocloc (zebin, patch tokens in an ELF
 * container, archives for several devices: the member for `family`, see compile_request), compiled
 * objects and libraries, and bare SPIR-V. A zebin is checked (zebin_check.h); of a binary with
 * patch tokens that we did not make, only the SPIR-V counts. COMPILE_OK or COMPILE_ERROR: none of
 * them, or damaged; CL_INVALID_BINARY then.
 */
enum compile_status compile_binary_open_for(
	const void *data, size_t size, const char *family, struct compile_binary *binary);

/* The same for what is no archive, whatever family it is for, and was checked. */
enum compile_status compile_binary_open(
	const void *data, size_t size, struct compile_binary *binary);

/*
 * A program binary of these parts, which Intel's driver takes too, to be freed; NULL when out of
 * memory. With native code: that file, with the SPIR-V, the options and what we note added unless
 * they are there.
 */
void *compile_binary_make(const struct compile_binary *parts, const char *family, size_t *size);

/*
 * The binary of a program of one kernel for code generators that put theirs in its place (oneDNN's
 * of 2.6), to be freed; NULL when out of memory. `tokens` is what COMPILE_TOKENS gives;
 * `zebin`, a binary of compile_binary_make, is taken instead of it when nothing was changed.
 */
void *compile_binary_add_tokens(
	const void *tokens, size_t tokens_size, const void *zebin, size_t zebin_size, size_t *size);

#endif
