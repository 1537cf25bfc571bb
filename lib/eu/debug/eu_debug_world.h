// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_WORLD_H
#define EU_DEBUG_WORLD_H

#include <pthread.h>

#include "eu/debug/eu_debug.h"
#include "eu/debug/eu_debug_packet.h"

/*
 * What the executing thread and the stub share: the resident EU threads, what each may do, and why
 * all of them stand. Everything is under `lock`, but the registers of EU threads and their memory:
 * those are the stub's while `state` is EU_DEBUG_STOPPED, the executing thread's otherwise.
 */

enum {
	EU_DEBUG_THREADS = 1024, /* resident: fftid has 10 bits */
	EU_DEBUG_POINTS = 256,	 /* breakpoints; also watchpoints */
	EU_DEBUG_DEVICE = 1,	 /* the thread that stands for the device while no kernel runs */
};

enum eu_debug_action { EU_DEBUG_RUN, EU_DEBUG_STEP, EU_DEBUG_HOLD };

/* Signals, as the protocol numbers them. */
enum { EU_DEBUG_SIGINT = 2, EU_DEBUG_SIGTRAP = 5, EU_DEBUG_SIGSEGV = 11 };

/* An EU thread that has begun and not ended. */
struct eu_debug_thread {
	struct eu_thread *thread;
	uint64_t id;	  /* GDB's, never used twice */
	unsigned lane;	  /* whose variables are shown: a channel */
	uint32_t inst;	  /* the last that eu_debug_step was called for */
	bool is_before;	  /* stands before `inst`; else it is executing or has executed it */
	bool is_known;	  /* has let the others of its group begin */
	bool has_stepped; /* one instruction since it was resumed to step */
	enum eu_debug_action action;
	uint64_t first, end; /* addresses that it steps through: empty but for vCont;r */
	/* The watchpoint that its current instruction triggers. */
	struct {
		char kind; /* that of its packet, 0: none */
		uint64_t address;
		unsigned channel;
		uint64_t before; /* what was there, as far as it has room */
	} hit;
};

struct eu_debug_point {
	char kind; /* '0', '1' breakpoints; '2' write, '3' read, '4' any access */
	uint64_t address, bytes;
};

enum eu_debug_state { EU_DEBUG_RUNNING, EU_DEBUG_STOPPED };

struct eu_debug_world {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int wake;		 /* an eventfd that the stub waits for */
	bool is_started, is_off; /* the stub; is_off: it could not, or the process is a fork */
	enum eu_debug_state state;
	bool attached;			    /* GDB is there, or has been */
	bool is_connected;		    /* it is there */
	const struct gen_device *device;    /* of the first walker */
	atomic_bool quiet;		    /* nothing to look for at each instruction */
	bool interrupted;		    /* GDB wants a stop */
	bool symbols_changed;		    /* GDB has to be told of code */
	bool symbols_gone;		    /* of code, too, that it knows and that has gone */
	const struct eu_dispatch *dispatch; /* of the walker that runs; NULL: none */
	struct eu_debug_thread *threads[EU_DEBUG_THREADS]; /* by fftid; NULL: none */
	unsigned count;					   /* of them */
	uint64_t last_id;
	enum eu_debug_action others; /* what threads do that begin now */
	struct eu_debug_point points[EU_DEBUG_POINTS];
	unsigned point_count, watch_count;
	/* Why it is stopped. */
	struct {
		uint64_t thread; /* its id */
		int signal;
		char what[64]; /* as a stop reply has it: "swbreak:;", or "" */
	} stop;
	struct eu_debug_text console; /* lines for GDB to show */
	bool exited;
	int status;
};

extern struct eu_debug_world eu_debug_world;

/* Below, the lock is held. */

/* The thread of that id; NULL: none, as for EU_DEBUG_DEVICE. */
struct eu_debug_thread *eu_debug_find(uint64_t id);
/* The live thread with the smallest id above `id`; NULL: none. */
struct eu_debug_thread *eu_debug_next(uint64_t id);

/* Where the thread stands: an instruction of its code, and its GPU address. */
uint32_t eu_debug_inst(const struct eu_debug_thread *t);
uint64_t eu_debug_code_base(const struct eu_debug_thread *t);
uint64_t eu_debug_address(const struct eu_debug_thread *t);

/* Stops everything. `t`: the thread that is the reason; NULL: none. */
void eu_debug_stop(struct eu_debug_thread *t, int signal, const char *what);
/* Lets everything go on, as the threads' actions say. */
void eu_debug_resume(void);
/* Wants a stop: at the next instruction of a thread, at once if there is none. */
void eu_debug_interrupt(void);
/* Nobody looks any more: points are gone, everything goes on. */
void eu_debug_release(void);

/*
 * Adds a breakpoint or watchpoint, unless it is there. False when there are too many. Removes one,
 * if it is there. Forgets the breakpoints in code that is gone, which GDB 13 does not remove.
 */
bool eu_debug_point_add(char kind, uint64_t address, uint64_t bytes);
void eu_debug_point_remove(char kind, uint64_t address, uint64_t bytes);
void eu_debug_points_forget(uint64_t first, uint64_t end);

/* The stub (eu_debug_stub.c): makes the socket and the thread. False with a line in the log. */
bool eu_debug_stub_start(void);

#endif
