// SPDX-License-Identifier: MIT
#ifndef EU_FLOW_H
#define EU_FLOW_H

#include "eu/code/eu_kernel.h"
#include "eu/code/eu_uop.h"

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
 * The same for an activation of another kernel's code, which eu_flow_return leaves again: `pair` is
 * where the return pair goes in struct eu_thread, `ip` where this kernel goes on. The caller then
 * sets the channels that are on, all of which are the kernel's.
 */
bool eu_flow_enter(
	struct eu_thread *thread, const struct eu_kernel *kernel, uint16_t pair, uint32_t ip);

/*
 * A call whose target is in a register: function pointers. The function may lie outside of the
 * kernel and is lowered when it is first called. Returns the micro-operation's handler and fills
 * *uop but for its count, or NULL when the instruction is no such call.
 */
eu_handler eu_flow_far_call(const struct gen_inst *inst, uint32_t index, struct eu_uop *uop);

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
