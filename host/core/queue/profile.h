// SPDX-License-Identifier: MIT
#ifndef PROFILE_H
#define PROFILE_H

#include "core/batch/batch.h"

/*
 * Times of commands: the device's timestamps, which are some 32 bits wide, on the host's clock.
 * Each submission of a batch reads both clocks; what the batch does comes after that moment and,
 * unless a command takes longer than the counter needs to wrap around, before it wraps.
 */

/* Reads the clocks for `batch`, which is about to be submitted. */
void profile_submit(struct batch *batch);

/* Fills START and END of an event of the batch that the device has signalled. */
void profile_event(struct batch *batch, struct event *event);

/* `ticks` (of `bits` bits) after `base` (at base_ns), in ns; base_ns if it seems before it. */
uint64_t profile_time(
	uint64_t base_ns, uint64_t base, uint64_t ticks, unsigned bits, double tick_ns);

#endif
