// SPDX-License-Identifier: MIT
#ifndef DOOR_ENTRY_H
#define DOOR_ENTRY_H

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "drm/memory/drm_raw.h"

/*
 * How libc's entry points are written. Each is called door_libc_X in C and X in the symbol table,
 * so that it needs to agree with no libc header, and is exported for LD_PRELOAD.
 */
#define DOOR_ENTRY(type, name, ...)                                                                \
	__attribute__((visibility("default"))) type door_libc_##name(__VA_ARGS__) __asm__(#name);  \
	type door_libc_##name(__VA_ARGS__)

/* Another name for an entry point of the same file: arguments that it adds are ignored. */
#define DOOR_ALIAS(name, entry)                                                                    \
	extern __typeof__(door_libc_##entry) door_libc_##name __asm__(#name)                       \
		__attribute__((alias(#entry), visibility("default")));

/* Results in the kernel's convention become libc's. */
static inline long door_entry_finish(long result)
{
	if (!drm_raw_failed(result))
		return result;
	errno = (int)-result;
	return -1;
}

/* The C or C++ library's function of that name. NULL and ENOSYS when nothing that is loaded has
 * it. Leaves errno alone otherwise. */
void *door_entry_real(const char *symbol);

/* The same into a pointer to a function, looked up once. */
#define DOOR_REAL(pointer, symbol)                                                                 \
	do {                                                                                       \
		static _Atomic(void *) known;                                                      \
		void *address = atomic_load_explicit(&known, memory_order_acquire);                \
		if (!address) {                                                                    \
			address = door_entry_real(symbol);                                         \
			atomic_store_explicit(&known, address, memory_order_release);              \
		}                                                                                  \
		*(void **)&(pointer) = address;                                                    \
	} while (0)

/* std::filebuf::open(const char *, std::ios_base::openmode): see there. */
#define DOOR_FILEBUF_OPEN "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode"
void *door_entry_filebuf_open(void *self, const char *path, int mode);

/* A symbol and what replaces it. */
struct door_replacement {
	const char *symbol;
	void (*function)(void); /* of whatever type the symbol has */
};

/* The replacements for both doors, which behave as the C library's functions for everything that is
 * not the virtual device. */
const struct door_replacement *door_entry_table(size_t *count);

#endif
