// SPDX-License-Identifier: MIT
#ifndef EU_COMPILE_MESSAGE_H
#define EU_COMPILE_MESSAGE_H

#include "eu/native/eu_compile.h"

/* What the translations of messages share; the general registers are those of the host. */

/* rcx: what knows the window; rdx: the host memory of its offset 0. */
void eu_compile_load_window(struct eu_translator *s, const struct eu_uop *u, uint8_t space);

/*
 * rax: an offset in the window, which has been loaded; jumps away unless `bytes` from there on are
 * in it. Loses rcx and rsi.
 */
uint32_t eu_compile_jump_beyond(
	struct eu_translator *s, const struct eu_uop *u, uint8_t space, unsigned bytes);

/* A detour's `write`: the stencil executes the message. */
void eu_compile_write_call(struct eu_translator *s, const struct eu_detour *d);

/*
 * Translates a message that moves data without lanes, with what comes before it; false: it is none,
 * nothing has been done.
 */
bool eu_compile_plain_message(
	struct eu_translator *s, const struct eu_uop *u, enum eu_before before);

#endif
