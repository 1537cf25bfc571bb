// SPDX-License-Identifier: MIT
#ifndef L0_ORDER_H
#define L0_ORDER_H

#include "l0/l0_context.h"

/*
 * Tells the virtual device which commands are before which, where it looks for races between them
 * (ZEROCL_VGPU_CHECK): zerocl_vgpu.h. A command has a number; 0 is none. From any thread.
 */
bool l0_order_is_wanted(const struct l0_context *context);

#define L0_ORDER_ALL UINT32_MAX /* among `after`: all that have been added */

/* The rest is to be called where it is wanted only, or with the number 0, which does nothing. */
uint32_t l0_order_add(const struct l0_context *context, const char *name, uint32_t chain,
	const uint32_t *after, size_t n_after);
void l0_order_see(const struct l0_context *context, uint32_t number);
void l0_order_touch(const struct l0_context *context, uint32_t number, const void *address,
	size_t size, bool writes);
/* What the thread submits from now on; 0: nobody's. Where it is wanted only. */
void l0_order_enter(const struct l0_context *context, uint32_t number);

#endif
