// SPDX-License-Identifier: MIT
#ifndef EU_FLOW_H
#define EU_FLOW_H

#include "eu/eu_kernel.h"
#include "eu/eu_uop.h"

/* What the micro-operations of control flow do out of line. */

#define EU_FLOW_NOWHERE UINT32_MAX

/*
 * No channel is on: turns those on that wait at the lowest label, looked for from `first` on, and
 * returns where they go on. EU_FLOW_NOWHERE and a fault when no channel waits anywhere.
 * Sets thread->act.bits only.
 */
uint32_t eu_flow_resume(struct eu_thread *thread, uint32_t first);

/*
 * Enters an activation: writes the return pair and puts aside what waits in the activations
 * further out, whose labels may be the same. False and a fault when the thread is too deep.
 */
bool eu_flow_call(struct eu_thread *thread, const struct eu_uop *call);

/*
 * All running channels have returned: goes on with those that still wait in this activation, or
 * leaves it for the place and the channels in the return pair. Sets thread->act.bits only.
 */
uint32_t eu_flow_return(struct eu_thread *thread, const struct eu_uop *ret);

/* Executes a message for the channels that the micro-operation names. */
enum eu_status eu_flow_send(struct eu_thread *thread, const struct eu_uop *send);

/* Do a message's payload and answer lie inside the register file? */
bool eu_flow_send_fits(const struct eu_send *send);

/* Adds to the report of a fault which instruction it was; gives `status` back. */
enum eu_status eu_flow_send_stops(
	struct eu_thread *thread, const struct eu_send *send, enum eu_status status);

/* Reports that instruction `index` cannot be executed. */
void eu_flow_fault(struct eu_thread *thread, uint32_t index);

#endif
