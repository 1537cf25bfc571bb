// SPDX-License-Identifier: MIT
#ifndef EU_PROFILE_H
#define EU_PROFILE_H

#include "eu/profile/eu_rate.h"
#include "eu/state/eu_host.h"

/*
 * ZEROCL_VGPU_PROFILE=<file>: counts what kernels execute and appends it to the file, a line of
 * JSON for each kernel and for its counts (docs/PROF.md). Kernels are lowered with counts
 * (eu_tally), which run as stencils or handlers do; the probe adds what messages touch. Each worker
 * counts for itself, and when a walker has ended its counts become part of the kernel's. They are
 * in the file at once, however the process ends.
 */
bool eu_profile_wanted(void);

/* For eu_options.create_probe and wants_probe, with counts. NULL when memory is short. */
struct eu_probe *eu_profile_create(const struct eu_kernel *kernel, unsigned probes);
bool eu_profile_wants(const struct gen_inst *inst, unsigned probes);

/* ---- what the files of the room share ---- */

/* What is counted of each message, behind the places of eu_tally. */
enum eu_profile_message {
	EU_PROFILE_LANES,     /* that were on, in sum */
	EU_PROFILE_BYTES,     /* that they asked for */
	EU_PROFILE_LINES,     /* lines of the cache that lie there: each once for a message */
	EU_PROFILE_CONFLICTS, /* cycles that banks of local memory take more than they need at best
			       */
	EU_PROFILE_CONTENDED, /* atomics on an element that a lane of the message had before them */
	EU_PROFILE_SCRATCH,   /* messages to the thread's own memory: spilled registers, arrays */
	EU_PROFILE_MESSAGE
};

/* Adds one message of `lanes`, bound and about to be executed, to its EU_PROFILE_MESSAGE places. */
void eu_profile_message(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes, uint64_t *counts);

enum { EU_PROFILE_PLAIN = 16 }; /* lanes, or half as many, of a message that is plain */

/*
 * A quicker way for messages as most are, plain ones: of eight or sixteen lanes with addresses of
 * their own, in one part of the payload, to a surface, local memory or GPU addresses. `lanes` is
 * not 0. Returns false when it has counted nothing: lanes lie too far apart, across lines or banks,
 * or in a surface that the worker has not met.
 */
typedef bool eu_profile_lanes(const struct eu_thread *thread, const struct eu_send *send,
	uint32_t lanes, uint64_t *counts);
extern eu_profile_lanes eu_profile_avx2, eu_profile_avx512;
bool eu_profile_is_plain(const struct eu_send *send);
eu_profile_lanes *eu_profile_select(enum eu_host host); /* NULL: none for that host */

/* What the message's memory is: "global", "local", "scratch", "image", or "" if it has none. */
const char *eu_profile_space(const struct eu_send *send);

/* What is counted of an instruction, in the order in which a line of counts has it. */
enum eu_profile_number {
	EU_PROFILE_EXECUTIONS,
	EU_PROFILE_CHANNELS, /* that were on, and for which the predicate held, in sum */
	EU_PROFILE_SPLIT,    /* branches: executions in which those went another way than others */
	EU_PROFILE_NUMBERS
};
/* Of the places of eu_tally. */
void eu_profile_instruction(const struct eu_kernel *kernel, uint32_t index, const uint64_t *counts,
	uint64_t numbers[EU_PROFILE_NUMBERS]);

/* A kernel's counts, of walkers that are alike. Under the room's lock. */
struct eu_profile_row {
	struct eu_profile_row *next;
	uint64_t name;	 /* eu_name_number, 0: none */
	unsigned number; /* of the line that describes the kernel */
	uint32_t group_threads, slm_bytes, scratch_bytes;
	struct eu_residence residence;
	uint64_t launches, groups, threads, items;
	int64_t at; /* where its line is in the file; negative: nowhere yet */
	uint64_t
		*counts; /* kernel->tally_count of them, then EU_PROFILE_MESSAGE for each message */
};

/*
 * Writes to ZEROCL_VGPU_PROFILE: the line that describes the kernel of the worker's walker, or a
 * function that it called; and the row's line, over the one that it has there.
 */
void eu_profile_describe(
	const struct eu_kernel *kernel, const struct eu_worker *worker, unsigned number);
void eu_profile_write(const struct eu_kernel *kernel, struct eu_profile_row *row);

#endif
