// SPDX-License-Identifier: MIT
#ifndef TAP_H
#define TAP_H

#include "layer/tap/tap_value.h"

/* What the calls of a program are, as they pass through the layer. Under tap_lock. */

/* Before the call is made: reads its arguments, and changes those that we need changed. */
void tap_before(struct tap_call *call);
/*
 * Notes in the record that a blocking call has put its command into the queue and does not wait
 * yet. What other threads enqueue now comes behind it, but may be in the record before it.
 */
void tap_entered(struct tap_call *call);
/* Then waits for it, without the lock, as the call would have. */
void tap_wait_blocking(struct tap_call *call);
/* After it, with result, begin and end set: writes it into the record. */
void tap_after(struct tap_call *call);
/* A call of which nothing but the times is recorded. */
void tap_passed(const struct call *call, uint64_t begin, uint64_t end);

/* Whether the program itself asked for times of the queue's commands. Any thread, no lock. */
bool tap_has_times(cl_command_queue queue);

#endif
