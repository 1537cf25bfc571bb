// SPDX-License-Identifier: MIT
#ifndef CC_IMPORT_H
#define CC_IMPORT_H

#include <stdbool.h>

/*
 * Makes all calls that the library `handle` (of dlopen) makes to the function `name` of another
 * library go to `function`. False if it makes none, or its table cannot be written. Before other
 * threads use the library.
 */
bool compile_import_replace(void *handle, const char *name, void *function);

#endif
