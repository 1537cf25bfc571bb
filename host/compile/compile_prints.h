// SPDX-License-Identifier: MIT
#ifndef COMPILE_PRINTS_H
#define COMPILE_PRINTS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a module calls printf anywhere; true too for one that it cannot read. */
bool compile_prints(const void *spirv, size_t size);

/*
 * Takes out, in place, what the driver's printer cannot read: arguments of printf that its format
 * does not ask for, and calls with an empty format. Whether there was any; an unreadable module has
 * none.
 */
bool compile_prints_mend(void *spirv, size_t size);

#endif
