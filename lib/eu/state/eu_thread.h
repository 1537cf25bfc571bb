// SPDX-License-Identifier: MIT
#ifndef EU_THREAD_H
#define EU_THREAD_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "eu/state/eu_dispatch.h"
#include "eu/state/eu_send.h"
#include "gen/gen_device.h"
#include "gen/gen_fault.h"
#include "gen/gen_inst.h"

struct eu_cache;
struct eu_images;
struct eu_kernel;
struct eu_races;
struct eu_uop;
struct eu_worker;

enum { EU_GROUP_THREADS = 128 /* of a group, at most */ };

/* A thread group while it is resident. Only its worker touches it. */
struct eu_group {
	const struct eu_dispatch *dispatch;
	uint32_t id[3];
	uint32_t thread_count;
	uint32_t live;	     /* threads that have not ended */
	uint32_t arrived;    /* threads that signalled the barrier of this generation */
	uint32_t generation; /* barriers completed so far */
	uint8_t *slm;	     /* 64 KiB, of which dispatch->slm_bytes are the kernel's */
	uint32_t slm_reach;  /* bytes of them that messages may try without asking; 0: none */
	/* The thread of each pair that waits at a dpasw for the other one; NULL: none does. */
	struct eu_thread *waiting[EU_GROUP_THREADS / 2];
};

/* Last ranges hit, one per SEND site of the kernel, private to a worker. */
struct eu_translation {
	struct eu_range range;
	uint64_t reach; /* its bytes, less than 4 GiB */
	/* Of a message to a surface: first offsets of which its probe need not know (is_quiet). */
	uint32_t quiet_first, quiet_count;
};

/* A surface of the binding table, resolved once per walker and worker. */
struct eu_surface {
	uint64_t state;	       /* address of the RENDER_SURFACE_STATE, the key; 0: empty */
	uint64_t base;	       /* GPU address */
	uint64_t size;	       /* bytes that may be accessed; 0 for a null surface */
	struct eu_range range; /* what base maps to; empty when nothing */
	uint8_t *host;	       /* where base is */
	uint64_t reach;	       /* bytes from there on, no more than size or 4 GiB; 0: nothing */
	bool is_scratch;       /* the part of the thread that it was resolved for */
	uint32_t fftid;	       /* of that thread */
};

enum {
	EU_SURFACES = 256,
	EU_FUNCTIONS = 16, /* that a worker remembers */
};

/* A function outside of the kernel, which some thread has called through a pointer. */
struct eu_function {
	uint64_t address;
	const struct eu_kernel *kernel; /* NULL: none */
};

/* A host thread's private part of the engine. */
struct eu_worker {
	const struct eu_dispatch *dispatch;
	const struct gen_device *device;
	unsigned number; /* among those of its engine */
	struct eu_kernel *kernel;
	uint32_t kernel_base; /* where its code is, as an offset from the base of all code */
	struct eu_translation *translations; /* kernel's send_count of them */
	struct eu_surface *surfaces;	     /* EU_SURFACES, indexed by binding table index */
	struct eu_images *images;	     /* NULL until a message wants one */
	struct gen_fault *fault;	     /* filled by whoever returns EU_FAULT */
	const struct eu_probe *probe;	     /* the kernel's; NULL: nothing watches */
	struct eu_races *races;		     /* eu_shadow.h; NULL: none yet */
	uint64_t walkers;		     /* that it has worked on, this one included */
	const atomic_int *stop;		     /* non-zero: end everything now */
	struct eu_cache *cache;		     /* whose functions find_function finds */
	/* Finds the code at an address, or fills *fault. The kernel stays valid for the walker. */
	const struct eu_kernel *(*find_function)(struct eu_worker *worker, uint64_t address);
	struct eu_function functions[EU_FUNCTIONS]; /* of this walker */
	/* Called when a thread has executed the prologue. NULL: nobody is. */
	void (*keep)(struct eu_thread *thread);
	uint64_t instructions;
	uint32_t float_mode; /* the host's modes at the moment, but for exceptions (eu_run.h) */
};

enum {
	EU_ACC_BYTES = 256,    /* acc0 … acc7 */
	EU_TEMPS = 16,	       /* temporaries of micro-operations, 32 dwords each */
	EU_VALUES = 64,	       /* of compiled blocks */
	EU_POOL_DWORDS = 1024, /* constants of the kernel */
	EU_LABELS = 16384,     /* places where channels can wait */
	EU_FRAMES = GEN_MAX_LANES,
};

/* Whether the other thread of its pair has come to the dpasw at which the thread is. */
enum eu_meets { EU_MEETS_NOBODY, EU_MEETS_LATER, EU_MEETS_NOW };

/* A set of channels, as bits and as one dword of 0 or -1 for each channel. */
struct eu_mask {
	alignas(32) int32_t lanes[GEN_MAX_LANES];
	uint32_t bits;
};

/* What is put aside of an activation further out. */
struct eu_frame {
	uint32_t depth; /* of the activation */
	uint32_t label; /* or EU_FRAME_CALLER */
	uint32_t lanes; /* that wait at the label, or that have called */
	/*
	 * EU_FRAME_CALLER: where the code of the function is, and where it returns to, as offsets
	 * from the base of all code; and whose code the activation executes.
	 */
	uint32_t base, back;
	const struct eu_kernel *caller;
};

#define EU_FRAME_CALLER UINT32_MAX

/* Threads that follow each other in one place (prologue.sweep). */
struct eu_sweep {
	const uint8_t *first, *end; /* `own` of the first thread of each group, of the one behind */
	const uint8_t *step;	    /* what is added to `delta` for the next group, along x */
	const struct eu_uop *again; /* where a thread that has ended goes on as the next one */
	uint32_t groups; /* that are left, the thread's own included; 0: nobody follows */
};

enum { EU_SLICE = 32768 }; /* instructions a thread may run before others get their turn */

/*
 * The architectural state of one EU thread. Micro-operations address it by byte offset from its
 * start, so registers, accumulators, temporaries and the kernel's constants are one block.
 *
 * The dispatcher fills the payload into grf and calls eu_thread_start (eu_run.h) for all the rest.
 * The struct need not be cleared first, but its `kernel` must be NULL before the first start.
 */
struct eu_thread {
	alignas(64) uint8_t grf[GEN_GRF_COUNT * GEN_GRF_BYTES];
	/*
	 * Registers of other files, laid out as the hardware's; all of these, up to `zero`, start
	 * as zeros.
	 */
	alignas(64) uint8_t acc[EU_ACC_BYTES];
	int32_t acc_high[EU_ACC_BYTES / 4]; /* bits 63:32 of the dwords in acc */
	uint32_t a0_words[8];		    /* a0.0 … a0.15 as dwords */
	alignas(8) uint32_t flag[2];	    /* f0, f1 */
	uint32_t sr[4], cr[4], n0[4], tdr[4], tm[8], ip, ce, zero[8];
	/* The engine's own. */
	uint32_t mme[8][8]; /* what widens each element of a math macro's operand */
	alignas(64) int32_t temp[EU_TEMPS][GEN_MAX_LANES];
	struct eu_mask act;	/* channels that execute now; none outside of the kernel's width */
	struct eu_mask pm;	/* act and the predicate, while it is wanted */
	uint32_t full;		/* act when all channels are on */
	uint32_t dispatch_mask; /* channels that were started */
	uint32_t index;		/* in its group */
	uint32_t fftid;		/* unique among resident threads */
	uint32_t barrier_generation; /* group->generation when it signalled */
	bool barrier_pending;	     /* signalled, not yet passed by sync.bar */
	uint8_t meets;		     /* at a dpasw: enum eu_meets */
	bool held;		     /* by a probe: it begins the instruction again later */
	uint8_t status;		     /* enum eu_status that ended the last run; EU_RUN: none yet */
	uint32_t started_cr0;	     /* cr0 when it started */
	uint32_t float_mode;	     /* the host's modes while it runs: those of cr0 */
	/* 1 + the offset from which a message that a probe is told of lies in line, all of its
	 * lanes and all on; 0: nobody has found that. */
	uint64_t line;
	int64_t budget;	       /* instructions left in the time slice */
	uint64_t instructions; /* executed in the current run */
	struct eu_group *group;
	struct eu_worker *worker;
	const struct eu_kernel *kernel;
	uint64_t kernel_serial;	     /* whose constants are in the pool */
	uint64_t *tallies;	     /* the worker's for the kernel (eu_tally); NULL: none */
	const struct eu_uop *uops;   /* the kernel's, all-channels stream first */
	const struct eu_uop *resume; /* where the next run goes on */
	/*
	 * At prologue.direct: its registers, in their order, are the sums of these. lines[i] is n
	 * if each address of prologue.lines[i] is the one before and 1 << n more, EU_SAME if it is
	 * the one before, else EU_NO_LINE.
	 */
	const uint8_t *own, *lines;
	uint8_t *delta;
	struct eu_sweep
		sweep;	    /* at prologue.sweep; lines[i] is 0 where prologue.stretches[i] holds */
	uint32_t uop_count; /* of one stream */
	uint32_t depth;	    /* activations */
	uint32_t frame_count;
	uint32_t watched; /* while traced: 1 + the last instruction, its result not yet shown */
	struct eu_frame frames[EU_FRAMES];
	/* Of a message's eight lanes: offsets, two rows of pairs of dwords (eu_element_scatter). */
	alignas(64) uint32_t scatter[5][8];
	/* What compiled blocks have no registers for, and no place in grf: eight lanes each. */
	alignas(64) uint32_t values[EU_VALUES][8];
	alignas(64) uint32_t pool[EU_POOL_DWORDS];
	uint32_t wait[EU_LABELS]; /* channels waiting at each label, in program order */
};

#endif
