// SPDX-License-Identifier: MIT
#ifndef REPLAY_OBJECT_H
#define REPLAY_OBJECT_H

#include <CL/cl.h>
#include <limits.h>

#include "layer/call/record_file.h"

/* A replay, and the objects and results that it has by their numbers. */

struct replay_object {
	char letter; /* as in call.def; 0: none, or released */
	uint32_t references;
	uint64_t handle; /* or address */
	/* Shared memory: where it was. Its size; of other objects the size of a buffer. */
	uint64_t recorded, size;
	struct call_box box; /* of a mapped address */
	const char *name;    /* of a kernel; the record's, or allocated by the replay */
	uint64_t parent;     /* the context of a memory object, the buffer of a part of it */
};

/* What a call wrote to the host. */
struct replay_output {
	void *memory;
	uint64_t address; /* memory, or a mapped address */
	struct call_box box;
	cl_event event;	  /* ours; NULL if the call has waited */
	cl_event entered; /* the same, of a blocking call that is made, and has not waited yet */
	bool is_made;	  /* a blocking call, which is in the record further on */
	bool has_source;  /* the last that is kept is what the call reads */
};

/* A command of a program with several threads: clFinish waits for those that returned before. */
struct replay_command {
	uint64_t queue, end;
	cl_event event;
};

/* Memory that commands may still use. */
struct replay_kept {
	cl_event event; /* NULL: up to the end */
	void *memory;
};

struct replay {
	const struct record *record;
	const char *platform_name; /* part of it; NULL: the recorded one, else the first */
	/*
	 * Called after each command that runs a kernel, whose number (from 1) is in `launches`; may
	 * be NULL. Returns false to end the replay.
	 */
	bool (*after_launch)(struct replay *replay, const struct record_call *call);
	/* Called when a buffer, image or shared memory was created; may be NULL. */
	void (*after_create)(struct replay *replay, uint64_t id);
	void *data;	     /* of whoever asked */
	cl_event event;	     /* then: of that command */
	const char *options; /* added to those of builds; NULL: none */
	FILE *log;	     /* sentences about what differs; NULL: none */

	struct replay_object *objects; /* by id */
	uint64_t n_objects;
	struct replay_output *outputs; /* by the call's number */
	uint32_t n_outputs;
	struct replay_kept *kept;
	size_t n_kept;
	struct replay_command *commands;
	size_t n_commands;
	cl_platform_id platform;
	char folder[PATH_MAX]; /* temporary, with headers; "": none yet */
	char **headers;	       /* folders as in options */
	size_t n_headers;
	bool has_shared, has_threads;
	bool is_entering; /* a blocking call is made and not waited for */
	bool has_gates;	  /* a user event: commands may wait for what comes later */

	bool ignores_results; /* commands that fail are differences, results are not compared */
	uint64_t missing;     /* calls that the record lacks something for */

	uint64_t calls, launches, results, differences, failures;
	uint64_t first_launch; /* the launch before the first difference */
	bool has_ended;
};

/* The object with that id and letter; NULL if there is none, or none any more. */
struct replay_object *replay_object(struct replay *replay, uint64_t id, char letter);

/* Writes a sentence into the log, once the number of differences or failures was counted. */
void replay_say(struct replay *replay, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* An object that begins now. NULL: an id that cannot be. */
struct replay_object *replay_object_create(
	struct replay *replay, uint64_t id, char letter, uint64_t handle);

/* What the call writes to, which is kept up to its result. NULL: nothing, unless it is made. */
struct replay_output *replay_output(struct replay *replay, uint32_t number, bool make);
void replay_output_finish(struct replay_output *output);

#endif
