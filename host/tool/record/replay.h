// SPDX-License-Identifier: MIT
#ifndef REPLAY_H
#define REPLAY_H

#include <CL/cl.h>
#include <limits.h>

#include "layer/call/record_file.h"

/*
 * Makes the calls of a record again, in one thread, and compares what they give with what is
 * recorded. They are made in the order in which they returned; commands of several threads enter
 * their queues in the order in which they did, and blocking calls are waited for where they
 * returned, so that nothing is waited for that the record completes later.
 */

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

/* Sets what the replay finds. False: nothing could be replayed; a sentence is in the log. */
bool replay_run(struct replay *replay);
/* Frees what replay_run made. The device may still work on it: that is waited for. */
void replay_finish(struct replay *replay);

/* The object with that id and letter; NULL if there is none, or none any more. */
struct replay_object *replay_object(struct replay *replay, uint64_t id, char letter);

/* Writes a sentence into the log, once the number of differences or failures was counted. */
void replay_say(struct replay *replay, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Makes arguments of the values of a call. False, with a sentence, if they cannot be: the record is
 * not valid there, or has no contents. Memory lives as long as the cursor, but for that which the
 * command itself uses, which is kept.
 */
bool replay_words(struct replay *replay, struct record_cursor *cursor,
	const struct record_call *call, uint64_t *words, struct replay_output *output);

/* Bytes with addresses in shared memory: as they are now, or as they were when it was recorded. */
void replay_relocate(struct replay *replay, void *bytes, size_t size, bool as_recorded);

/* Writes the file below a folder of our own. */
void replay_header(struct replay *replay, const struct record_item *item);
/* Options of a build, with our folders for those of the record. NULL: as they are. */
char *replay_options(struct replay *replay, struct record_cursor *cursor, const char *options);
void replay_headers_finish(struct replay *replay);

size_t replay_pixel(uint64_t image, bool *is_array_1d);

#endif
