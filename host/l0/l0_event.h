// SPDX-License-Identifier: MIT
#ifndef L0_EVENT_H
#define L0_EVENT_H

#include "l0/l0_context.h"

/* How far something on the device is. */
enum l0_progress {
	L0_PENDING,
	L0_DONE,
	L0_LOST /* the device was lost: it will never be done */
};

/*
 * A device event: signalled once by the command that it is appended with, waited for by other
 * lists or by the host, and timestamped. Made by l0_queue_event, recycled and counted: each
 * list that signals it or waits for it must hold a reference until the list is done.
 */
struct l0_event;

struct l0_event *l0_event_retain(struct l0_event *event);
/* NULL is allowed. The last one recycles it. */
void l0_event_release(struct l0_event *event);

/* Whether the device has signalled it, or has skipped it: see l0_list_status, which knows. */
bool l0_event_signalled(struct l0_event *event);

/*
 * When the command with which it was signalled began and ended, in device ticks,
 * kernel_timestamp_bits wide. Only of a timed event, after L0_DONE.
 */
cl_int l0_event_times(struct l0_event *event, uint64_t *start, uint64_t *end);

#endif
