// SPDX-License-Identifier: MIT
#ifndef EU_SEND_UOP_H
#define EU_SEND_UOP_H

#include "eu/ops/eu_kernel.h"

/* What the micro-operations of messages do out of line. */

/* The words of MESSAGE rows in uop.def: what is done (false or true: a store), and where. */
enum {
	EU_ROW_load,
	EU_ROW_store,
	EU_ROW_surface = EU_SPACE_SURFACE,
	EU_ROW_local = EU_SPACE_SLM,
	EU_ROW_far = EU_SPACE_A64
};

/* Executes a message for the channels that the micro-operation names. */
enum eu_status eu_send_execute(struct eu_thread *thread, const struct eu_uop *u);

/*
 * Binds a copy of a message whose descriptors lie in a0, for one execution. False, with *fault
 * filled, when there is no such message.
 */
bool eu_send_bind(const struct eu_thread *thread, struct eu_send *send, struct gen_fault *fault);

/* Adds to the report of a fault which instruction it was; returns `status`. */
enum eu_status eu_send_stops(
	struct eu_thread *thread, const struct eu_send *send, enum eu_status status);

/* Reports that instruction `index` cannot be executed. */
void eu_send_fault(struct eu_thread *thread, uint32_t index);

#endif
