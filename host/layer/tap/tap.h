// SPDX-License-Identifier: MIT
#ifndef TAP_H
#define TAP_H

#include <CL/cl_icd.h>

#include "layer/call/record_file.h"

/*
 * What the calls of a program are, as they pass through the layer: written into a record.
 *
 * Locks: tap_lock guards all state of the room; no call of the program is made under it, but calls
 * of our own that wait for nothing. Functions below expect it to be held, but for tap_open.
 */

/* Words of ZEROCL_LAYER. */
struct tap_wishes {
	bool contents; /* record: what a replay needs */
	bool times;    /* times: when calls and commands began and ended */
	bool buffers;  /* buffers: with record, what buffers hold when they are released */
};

extern struct tap_wishes tap_wishes;
/* The next dispatch table: the driver's, or another layer's. */
extern const struct _cl_icd_dispatch *tap_next;

/* Opens this process's record: `output`.<process id>. False: nothing is recorded. */
bool tap_open(const char *output);
/* Whether calls are recorded: false before tap_open, in forked children, when the disk is full. */
bool tap_is_on(void);
void tap_lock(void);
void tap_unlock(void);

/* A call on its way. */
struct tap_call {
	const struct call *call;
	struct call_param params[CALL_MOST_PARAMS];
	unsigned n;
	uint64_t asked[CALL_MOST_PARAMS]; /* the arguments of the program */
	uint64_t words[CALL_MOST_PARAMS]; /* those that are passed on */
	uint64_t result;
	struct record_call record;
	struct record_cursor memory; /* of the values */
	cl_event event;		     /* where the event goes if the program wants none */
	cl_int error;		     /* the same for the error code */
	bool is_blocking;
	bool had_times;	 /* the program wants times of the new queue */
	bool is_written; /* before it was made */
	bool owns_event; /* the program wants none, we do */
};

/* Before the call is made: reads its arguments, and changes those that we need changed. */
void tap_before(struct tap_call *call);
/*
 * A blocking call has put its command into the queue, without waiting yet: writes so, since what
 * other threads enqueue comes behind it and may be in the record before it.
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

/* Whether several threads have made calls. */
bool tap_has_threads(void);

uint64_t tap_now(void);

/* Writes an item. The payload's memory is freed. */
void tap_write(enum record_type type, struct record_bytes *payload);
/* Notes, once, a function that the layer cannot stand in for. */
void tap_unseen(const char *name);

/* The id of a handle, an allocation or a mapped address; a new one for one that was not seen. */
uint64_t tap_id(char letter, uint64_t handle);
/* The same, 0 if it was not seen as one of `letters`. */
uint64_t tap_id_known(const char *letters, uint64_t handle);
/* Names a handle that has just been created. */
uint64_t tap_id_new(char letter, uint64_t handle);

/* Writes chunks that are new, and gives their ids. */
void tap_content(struct record_cursor *memory, const void *bytes, uint64_t size,
	struct record_content *content);
/* Where in memory bytes are, and the number of the call that left them there, or 0. */
struct tap_place {
	uint64_t offset;
	uint32_t number;
};
/* Writes an item of an id, a content, and a place if there is one. */
void tap_write_content(enum record_type type, uint64_t id, const struct tap_place *place,
	const void *bytes, uint64_t size);

/* Reads the arguments of a call into its values; those that it creates are left out. */
void tap_values(struct tap_call *call);
/* The ids of what the call has created. */
void tap_values_created(struct tap_call *call);

/* Files that a program includes, as far as the text shows them. */
void tap_headers(cl_program program, const char *options);

#endif
