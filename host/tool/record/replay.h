// SPDX-License-Identifier: MIT
#ifndef REPLAY_H
#define REPLAY_H

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

/* ---- replay.c ---- */

/*
 * Makes the calls of a record again, in one thread, and compares what they give with what is
 * recorded. They are made in the order in which they returned; commands of several threads enter
 * their queues in the order in which they did, and blocking calls are waited for where they
 * returned, so that nothing is waited for that the record completes later.
 */

/* Sets what the replay finds. False: nothing could be replayed; a sentence is in the log. */
bool replay_run(struct replay *replay);
/* Frees what replay_run made. The device may still work on it: that is waited for. */
void replay_finish(struct replay *replay);

/* ---- replay_call.c ---- */

/* Makes a call of the record: does not wait for its command where replay->is_entering is set. */
void replay_call(struct replay *replay, struct record_entry *entry);

/* Counts a failure where the call's result is not what it was, or must not be. */
void replay_check_error(
	struct replay *replay, const struct record_call *call, const uint64_t *words, cl_int error);

/* The id of the queue that a call is for; 0: none. */
uint64_t replay_queue_of(const struct record_call *call);

/* ---- replay_words.c ---- */

/*
 * Makes arguments of the values of a call. False, with a sentence, if they cannot be: the record is
 * not valid there, or has no contents. Memory lives as long as `memory`, but for that which the
 * command itself uses, which is kept.
 */
bool replay_words(struct replay *replay, struct record_memory *memory,
	const struct record_call *call, uint64_t *words, struct replay_output *output);

/* Bytes with addresses in shared memory: as they are now, or as they were when it was recorded. */
void replay_relocate(struct replay *replay, void *bytes, size_t size, bool as_recorded);

size_t replay_pixel(uint64_t image, bool *is_array_1d);

/* ---- replay_header.c: files that programs include ---- */

/* Writes the file below a folder of our own. */
void replay_header(struct replay *replay, struct record_entry *entry);
/* Options of a build, with our folders for those of the record. NULL: as they are. */
char *replay_options(struct replay *replay, struct record_memory *memory, const char *options);
void replay_headers_finish(struct replay *replay);

/* ---- replay_result.c: what items of a record say of memory ---- */

/* Compares what the call has read. */
void replay_result(struct replay *replay, struct record_entry *entry);
/* What the host wrote is written again; what the device has left is compared. */
void replay_wrote(struct replay *replay, struct record_entry *entry);
/* A new queue on a device that has the memory object; NULL: there is none. */
cl_command_queue replay_queue_create(struct replay *replay, const struct replay_object *object);
/*
 * Reads or writes the first bytes of a buffer, or of shared memory, through a queue of its own,
 * whatever else runs. False: it failed.
 */
bool replay_move(struct replay *replay, const struct replay_object *object, size_t size,
	void *bytes, bool is_write);
/* Compares what a buffer holds at its end. */
void replay_buffer(struct replay *replay, struct record_entry *entry);

/* ---- replay_watch.c, replay_state.c ---- */

/* The byte whose writers the virtual device is asked for. */
struct replay_watch {
	uint64_t id; /* of a buffer or of shared memory; 0: none */
	uint64_t byte;
};

/*
 * Asks for the writers of the byte, if the object that was just created is the watch's. Does
 * nothing on other devices, and for images, whose order of pixels the device alone knows.
 */
void replay_watch_created(
	const struct replay_watch *watch, uint64_t id, const struct replay_object *object);

/*
 * What memory holds after each launch of a replay: a line for each buffer, image and allocation,
 * "launch call id size hash kernel", so that two replays can be compared; and one object's bytes.
 */
struct replay_state {
	FILE *lines;	       /* NULL: none */
	bool finds_failures;   /* launches that end with an error are differences */
	uint64_t stop;	       /* the last launch that is made; 0: all */
	uint64_t dumped;       /* an object's id; 0: none */
	const char *dump_path; /* what it holds after the last launch */
	struct replay_watch watch;
};

/* For replay->after_launch, with a struct replay_state as data. */
bool replay_state_after_launch(struct replay *replay, const struct record_call *call);

#endif
