// SPDX-License-Identifier: MIT
#ifndef TAP_VALUE_H
#define TAP_VALUE_H

#include "layer/tap/tap_record.h"

/* A call on its way. */
struct tap_call {
	const struct call *call;
	struct call_param params[CALL_MOST_PARAMS];
	unsigned n;
	uint64_t asked[CALL_MOST_PARAMS]; /* the arguments of the program */
	uint64_t words[CALL_MOST_PARAMS]; /* those that are passed on */
	uint64_t result;
	struct record_call record;
	struct record_memory memory; /* of the values */
	cl_event event;		     /* where the event goes if the program wants none */
	cl_int error;		     /* the same for the error code */
	bool is_blocking;
	bool had_times;	 /* the program wants times of the new queue */
	bool is_written; /* before it was made */
	bool owns_event; /* the program wants none, we do */
};

/* Reads the arguments of a call into its values; those that it creates are left out. */
void tap_values(struct tap_call *call);
/* The ids of what the call has created. */
void tap_values_created(struct tap_call *call);

#endif
