// SPDX-License-Identifier: MIT
#ifndef COMMAND_BUFFER_H
#define COMMAND_BUFFER_H

#include "core/command/enqueue.h"
#include "core/device/command_buffer_khr.h"
#include "core/queue/queue.h"

/*
 * cl_khr_command_buffer and cl_khr_command_buffer_mutable_dispatch, section 5.17 of the
 * specification. A command buffer keeps its commands as they were recorded and last updated, and
 * makes recordings of them (command_buffer_recording.h): one when it is finalized, and another when
 * it is enqueued while all others are in flight or of an earlier version. Replaying is one command
 * of a queue.
 */

struct batch;
struct recorded;

struct command_buffer {
	struct obj base;
	struct queue *queue;			      /* a reference; the one it was made with */
	cl_command_buffer_properties_khr *properties; /* as given, with the 0; NULL if none */
	size_t n_properties;
	cl_command_buffer_flags_khr flags;
	bool keeps_groups; /* no update will add work-groups: then a size of groups must be given */
	struct queue recorder; /* see queue.record */

	pthread_mutex_t lock; /* what follows is under it */
	bool finalized;
	struct recorded **commands; /* references; the sync point of the n-th is n + 1 */
	cl_uint n_commands, max_commands;
	unsigned version;   /* of the commands: counts updates */
	bool executable;    /* every kernel has all its arguments */
	struct batch *idle; /* recordings of this version that no replay uses, linked by `next` */
	unsigned n_idle;
	struct recorded *next; /* what `recorder` fills */
};

OBJ_DEFINE(command_buffer, cl_command_buffer_khr, OBJ_COMMAND_BUFFER)

/*
 * A command of a command buffer; also what the application knows as a mutable command.
 * Its launch is of a clone of the application's kernel, so that neither sees the other's arguments.
 */
struct recorded {
	struct obj base;
	struct command_buffer *buffer; /* not a reference: it owns this */
	cl_command_type type;
	bool is_barrier;
	cl_sync_point_khr *waits;
	cl_uint n_waits;
	unsigned position;	 /* how many commands the recording has with it; when recorded */
	struct command *command; /* command_keep's; NULL for barriers and launches */

	struct kernel *original; /* of a launch: the application's, a reference; else NULL */
	struct kernel *kernel;	 /* the clone */
	struct ndrange range;
	bool has_local; /* the application chose the size of groups */
	bool keeps_groups;
	command_buffer_property *properties; /* as given, with the 0; NULL if none */
	size_t n_properties;
	cl_mutable_dispatch_fields_khr fields; /* what may be updated */
};

OBJ_DEFINE(recorded, cl_mutable_command_khr, OBJ_RECORDED)

/* clCreateCommandBufferKHR. */
cl_int command_buffer_create(cl_uint n_queues, const cl_command_queue *queues,
	const cl_command_buffer_properties_khr *properties, struct command_buffer **out);
/* clFinalizeCommandBufferKHR. */
cl_int command_buffer_finalize(struct command_buffer *buffer);
/* clEnqueueCommandBufferKHR. */
cl_int command_buffer_enqueue(cl_uint n_queues, const cl_command_queue *queues,
	struct command_buffer *buffer, const struct event_args *events);
/* clGetCommandBufferInfoKHR. */
cl_int command_buffer_info(
	struct command_buffer *buffer, cl_command_buffer_info_khr param, const struct info *info);

/* clUpdateMutableCommandsKHR. */
cl_int command_buffer_update(struct command_buffer *buffer, cl_uint n,
	const command_buffer_update_type *types, const void **configs);
/* clGetMutableCommandInfoKHR. */
cl_int recorded_info(
	struct recorded *recorded, cl_mutable_command_info_khr param, const struct info *info);

#endif
