// SPDX-License-Identifier: MIT
#ifndef CC_LLVM_H
#define CC_LLVM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Functions of the C interface of the LLVM that the compiler is linked to (llvm-c/Core.h and
 * others), found when the compiler is loaded: nothing is built against it.
 */
struct compile_llvm {
	void *(*context_create)(void);
	void *(*buffer_over)(const char *data, size_t size, const char *name, int needs_nul);
	int (*parse)(void *context, void *buffer, void **module);
	void *(*first_function)(void *module);
	void *(*next_function)(void *function);
	const char *(*name)(void *value, size_t *size);
	int (*is_declaration)(void *value);
	void *(*first_use)(void *value);
	void (*delete_function)(void *function);
	void *(*write)(void *module);
	const char *(*buffer_start)(void *buffer);
	size_t (*buffer_size)(void *buffer);
};

/* From the libraries that `handle`, of dlopen, depends on. False: they lack one. */
bool compile_llvm_load(void *handle, struct compile_llvm *llvm);

#endif
