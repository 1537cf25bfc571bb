// SPDX-License-Identifier: MIT
#ifndef DEMO_NATIVE_H
#define DEMO_NATIVE_H

#include <stddef.h>

/*
 * What a built-in became: the instructions that one disassembly (as libiga64 prints it) has more of
 * than another one, which is the same kernel without the built-in. Messages come first, by the name
 * of what they do, then synchronisation, then moves that cross lanes, then the rest; for example
 * "synchronized SLM fence, signal barrier, sync.bar, 2 mov". "no instruction" if there is no
 * difference. Returns the text's length; text is cut at size.
 */
size_t demo_native_difference(const char *with, const char *without, char *text, size_t size);

/* The class of an instruction's line, as it is counted and named above; "" for no instruction. */
void demo_native_class(const char *line, char *name, size_t size);

#endif
