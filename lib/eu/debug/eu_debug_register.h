// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_REGISTER_H
#define EU_DEBUG_REGISTER_H

#include "eu/debug/eu_debug_world.h"

/*
 * The registers of an EU thread as GDB numbers them: rows of eu_debug_register.def, then the
 * general registers g0, g1 …, as many as the device has. `t` NULL is the device, which has none:
 * rip and what is made up are 0.
 */

enum { EU_DEBUG_REGISTER_BYTES = 32 };

/* The target description (GDB manual, "Target Description Format"). */
void eu_debug_describe(struct eu_debug_text *out, const struct gen_device *device);

unsigned eu_debug_register_count(const struct gen_device *device);
/* Bytes of a register; 0: there is none of that number. */
unsigned eu_debug_register_size(const struct gen_device *device, unsigned number);
/* Fills EU_DEBUG_REGISTER_BYTES at most. False for one whose value is not there. */
bool eu_debug_register_get(const struct eu_debug_thread *t, unsigned number, void *value);
/* False for one that cannot be written. */
bool eu_debug_register_set(struct eu_debug_thread *t, unsigned number, const void *value);

#endif
