// SPDX-License-Identifier: MIT
#ifndef TAP_RECORD_H
#define TAP_RECORD_H

#include <CL/cl_icd.h>

#include "layer/call/record_file.h"

/*
 * The record that calls are written into, and the ids of what they name.
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

/* Whether several threads have made calls. */
bool tap_has_threads(void);

uint64_t tap_now(void);

/* Writes an item. */
void tap_write(const struct record_entry *entry);
/* Notes, once, a function that the layer cannot stand in for. */
void tap_unseen(const char *name);

/* The id of a handle, an allocation or a mapped address; a new one for one that was not seen. */
uint64_t tap_id(char letter, uint64_t handle);
/* The same, 0 if it was not seen as one of `letters`. */
uint64_t tap_id_known(const char *letters, uint64_t handle);
/* Names a handle that has just been created. */
uint64_t tap_id_new(char letter, uint64_t handle);

/* Writes chunks that are new, and gives their ids. */
void tap_content(struct record_memory *memory, const void *bytes, uint64_t size,
	struct record_content *content);
/* Where in memory bytes are, and the number of the call that left them there, or 0. */
struct tap_place {
	uint64_t offset;
	uint32_t number;
};
/* Writes an item of an id, a content, and a place if the type has one. */
void tap_write_content(enum record_type type, uint64_t id, struct tap_place place,
	const void *bytes, uint64_t size);
/* Writes a call of this thread, with a new number unless it has one. */
void tap_write_call(struct record_call *call);
uint32_t tap_call_number(void);

#endif
