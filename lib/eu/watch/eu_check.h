// SPDX-License-Identifier: MIT
#ifndef EU_CHECK_H
#define EU_CHECK_H

#include "eu/watch/eu_allocation.h"
#include "eu/watch/eu_observer.h"
#include "eu/watch/eu_watch.h"

/*
 * ZEROCL_VGPU_CHECK: what programs must not do, though the hardware lets them, goes to the log at
 * level error and, as a line of JSON, to the file ZEROCL_VGPU_CHECK_OUTPUT. Execution goes on as on
 * hardware. A tool reports an instruction once, for the channel that was first, and no more than
 * EU_CHECK_REPORTS are made. Kernels and lines are named where eu_symbols.h knows them.
 */
enum { EU_CHECK_REPORTS = 400, EU_CHECK_SURFACES = 32 };

/* Who did something, and where in the code. */
struct eu_actor {
	const struct eu_worker *worker; /* of its walker; or one with the dispatch, to have names */
	const struct eu_thread *thread; /* that is at `inst` now; NULL: none */
	const char *command;		/* NULL; or it is no kernel, but this command, alone */
	const struct eu_kernel *kernel; /* whose instruction `inst` is; UINT32_MAX is none */
	uint32_t inst;
	uint32_t group[3], index; /* the thread's; UINT32_MAX: not known */
	int channel;		  /* of the thread: a work-item; negative: none of them */
};

/* A thread at one of its own instructions. */
struct eu_actor eu_actor_of(const struct eu_thread *thread, uint32_t inst, int channel);

/* What a tool reports: what was done, and perhaps what else had to do with it. */
struct eu_finding {
	unsigned tool; /* enum eu_check_tool */
	const char *rule;
	const struct eu_thread *thread; /* that was about to execute `inst`; NULL: none */
	uint32_t inst;
	unsigned count;
	struct eu_allocation memory; /* of which bytes are; `end` 0: none is known */
	struct eu_finding_side {
		char what[200];
		const char *command; /* or NULL */
		struct gen_fault_place place;
		uint16_t item[3]; /* local id */
		bool has_item;
		bool by_compiler; /* of no line, though the kernel has lines */
		char text[200];	  /* the line of the source; empty: not known */
	} sides[2];
};

/*
 * Begins a report of what the actor does. False, and then there is nothing to report, when nobody
 * wants the tool, or the instruction has been reported, or EU_CHECK_REPORTS have been made.
 */
bool eu_finding_open(
	struct eu_finding *finding, unsigned tool, const char *rule, const struct eu_actor *actor);
__attribute__((format(printf, 3, 4))) void eu_finding_add(
	struct eu_finding *finding, const struct eu_actor *actor, const char *format, ...);
void eu_finding_close(const struct eu_finding *finding);

/* Appends the finding to ZEROCL_VGPU_CHECK_OUTPUT, if that is set (eu_finding.c). */
void eu_finding_write(const struct eu_finding *finding);

/* Appends a line for the process there, the first time that it is called in it. */
void eu_finding_begin(void);

/* All three, for what a thread does alone, to memory of the allocation, or to what is none. */
__attribute__((format(printf, 7, 8))) void eu_check_report_memory(const struct eu_thread *thread,
	uint32_t inst, int channel, unsigned tool, const char *rule,
	const struct eu_allocation *memory, const char *format, ...);
#define eu_check_report(thread, inst, channel, tool, rule, ...)                                    \
	eu_check_report_memory(thread, inst, channel, tool, rule, NULL, __VA_ARGS__)

/*
 * The surfaces of the walker's binding table. It says nowhere how many there are; but Intel's
 * driver puts a kernel's surface states one after the other and its binding table behind them. Of a
 * table that is elsewhere, as Mesa's are, nothing is known. Returns how many were found,
 * EU_CHECK_SURFACES at most.
 */
struct gen_surface_state;
unsigned eu_check_find_surfaces(const struct eu_thread *thread, struct gen_surface_state *out);

/*
 * What a kernel's instructions say about each other, made once for each kernel that is checked:
 * where block addresses lose their low bits, and which moves are shuffles. Owned by the caller;
 * NULL when memory is short.
 */
void *eu_check_plan_create(const struct eu_watched *watched);
void eu_check_plan_destroy(void *plan);

/* Whether a kernel's plan may say something of such an instruction, or it may be a barrier. */
bool eu_check_wants(const struct gen_inst *inst);

/* Before an instruction, of which event->facts is the kernel's plan. */
void eu_check_step(const struct eu_event *event);

#endif
