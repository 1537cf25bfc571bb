// SPDX-License-Identifier: MIT
#ifndef APPEND_H
#define APPEND_H

#include "core/batch/batch.h"
#include "core/batch/command.h"

/* Commands put into the list of a batch. Locks: that of the batch's queue is held for all. */

/*
 * Makes room for what `command` adds to the batch, and for n_events events and n_signals signals
 * of the caller, two of which append_command may take. CL_OUT_OF_HOST_MEMORY.
 */
cl_int append_reserve(
	struct batch *batch, const struct command *command, unsigned n_events, unsigned n_signals);

/*
 * Appends a command for which there is room, and has its objects live until the batch is done.
 * `signal`, which may be NULL, comes when the command is done. If `begin` is not NULL, *begin, NULL
 * before, becomes an event with the time of its start, owned by the caller, unless `signal` has
 * that time too; it stays NULL on an error. Locks: takes kernel->lock for a launch.
 */
cl_int append_command(struct batch *batch, const struct command *command, struct l0_event *signal,
	struct l0_event **begin);

/*
 * Appends the command to a batch that becomes a recording, behind a barrier if `barrier` is set and
 * an earlier command has none behind it. Neither end of the command is memory of the application.
 */
cl_int append_record(struct batch *batch, const struct command *command, bool barrier);

/* Appends a copy between two ranges that the device reaches; `signal` may be NULL. */
cl_int append_box(struct l0_list *list, const struct box_copy *copy, struct l0_event *signal);

/*
 * Has the kernel and what its arguments name (`args`, or if NULL its own) live until the batch is
 * done; there is room for them. Locks: kernel->lock is held.
 */
void append_launch_objects(
	struct batch *batch, struct kernel *kernel, const struct kernel_arg *args);

#endif
