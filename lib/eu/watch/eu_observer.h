// SPDX-License-Identifier: MIT
#ifndef EU_OBSERVER_H
#define EU_OBSERVER_H

#include "eu/ops/eu_kernel.h"

/*
 * The tools that watch kernels: each is an observer, a row of the table in eu_watch.c. An observer
 * learns of instructions before they are executed; of messages it gets the decoded access
 * (eu_send.h) and, lane by lane, what they are about to touch. It must not change the thread.
 */

/* A kernel, for what an observer wants to know of it before it runs. */
struct eu_watched {
	const struct eu_kernel *kernel;
	const struct eu_send *const
		*sends;	 /* of each instruction: the message that it is, or NULL */
	unsigned wanted; /* enum eu_watch_what */
};

/* One instruction that a thread is about to execute. */
struct eu_event {
	struct eu_thread *thread;     /* its group, worker and dispatch; its kernel's code */
	uint32_t inst;		      /* in that code */
	uint32_t channels;	      /* of the thread, that execute it */
	const struct eu_send *send;   /* the message that it is, with its access; NULL: none */
	const struct eu_reach *reach; /* NULL: not wanted, or it moves no such data */
	void *facts;		      /* what the observer made of the kernel */
};

struct eu_observer {
	unsigned wanted; /* any of these asks for it (enum eu_watch_what) */
	/* What the observer keeps of a kernel; NULL also when memory is short. May be NULL. */
	void *(*create)(const struct eu_watched *watched);
	void (*destroy)(void *facts);
	/* Whether a step is wanted before the instruction; NULL: before each. */
	bool (*wants)(const struct gen_inst *inst);
	bool wants_reach;
	void (*group_begin)(struct eu_thread *thread); /* with its first thread (eu_probe.h) */
	void (*thread_begin)(struct eu_thread *thread);
	void (*step)(const struct eu_event *event);
	/* The same, without a reach, of a message all of whose lanes are on and lie side by side
	 * from an offset on. May be NULL. */
	void (*line)(const struct eu_event *event, uint64_t offset);
	void (*no_texel)(const struct eu_thread *thread, const struct eu_send *send, unsigned lane,
		uint64_t texel, uint64_t extent);
	void (*texels)(struct eu_thread *thread, const struct eu_send *send,
		const struct eu_texels *texels, void *facts);
	void (*thread_end)(struct eu_thread *thread);
	void (*fault)(struct eu_thread *thread);
	void (*walker_end)(const struct eu_worker *worker);
};

extern const struct eu_observer eu_check_observer, eu_form_observer, eu_race_observer;
extern const struct eu_observer eu_check_memory_observer, eu_nan_observer, eu_stop_observer,
	eu_trace_observer;
extern const struct eu_observer eu_writes_observer;

/*
 * The lanes of a message that moves data of buffers or local memory, by ascending channel; a block
 * has one. Made once for each message, for the observers that want it.
 */
struct eu_reach {
	unsigned count;
	uint64_t low, high; /* what they touch lies in [low, high) */
	bool in_line;	    /* side by side without gaps, by channels one after the other, */
	bool by_element;    /* or each element of the lanes is so */
	bool is_one;	    /* all at the same place */
	bool is_even;	    /* as far from each other, by channels one after the other: */
	uint64_t first, apart;
	unsigned channel;		 /* of the first */
	uint64_t offsets[GEN_MAX_LANES]; /* of each, unless is_even */
	uint8_t channels[GEN_MAX_LANES];
};

/* Of lane `i` of these: access->bytes bytes from here in the access' space … */
static inline uint64_t eu_reach_offset(const struct eu_reach *reach, unsigned i)
{
	return reach->is_even ? reach->first + i * reach->apart : reach->offsets[i];
}

/* … by this channel of the thread. */
static inline unsigned eu_reach_channel(const struct eu_reach *reach, unsigned i)
{
	return reach->is_even ? reach->channel + i : reach->channels[i];
}

/* Whether a lane is where the one before it is; false of the first, and of none. */
static inline bool eu_reach_is_again(const struct eu_reach *reach, unsigned i)
{
	return i > 0 && i < reach->count &&
	       eu_reach_offset(reach, i - 1) == eu_reach_offset(reach, i);
}

/* Whether no two lanes share one of their `bytes`; may be false where none do. */
bool eu_reach_is_apart(const struct eu_reach *reach, unsigned bytes);

/* False for messages that have no such lanes. */
bool eu_event_reach(const struct eu_event *event, struct eu_reach *reach);

/* A message that is not the end of the thread: for `wants`. */
bool eu_inst_is_message(const struct gen_inst *inst);

/* An atomic operation by which atomic_load is compiled: whether it is one depends on the operand.
 */
bool eu_access_may_load(const struct eu_access *access);
/* An atomic exchange whose old value nobody wants: how atomic_store is compiled. */
bool eu_event_is_store(const struct eu_event *event);

#endif
