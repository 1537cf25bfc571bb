// SPDX-License-Identifier: MIT
#ifndef DOOR_LIBC_H
#define DOOR_LIBC_H

#include <stddef.h>

/*
 * The replacements of libc's entry points: what both doors of the virtual device lead to. They
 * behave as libc's own for everything that is not the virtual device.
 */
struct door_replacement {
	const char *symbol;
	void (*function)(void); /* of whatever type the symbol has */
};

/* The table and its length. */
const struct door_replacement *door_libc_table(size_t *count);

#endif
