// SPDX-License-Identifier: MIT
#ifndef EU_SEND_UOP_H
#define EU_SEND_UOP_H

#include "eu/ops/eu_kernel.h"

/* What the micro-operations of messages do out of line. */

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
