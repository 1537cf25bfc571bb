// SPDX-License-Identifier: MIT
#ifndef CS_BENCH_H
#define CS_BENCH_H

#include "test.h"

#include <string.h>

#include "cs/cs_stream.h"

/*
 * A test bench for the command streamer: memory is three arrays at GPU addresses of their own, the
 * clock is a variable, and the engine (in cs_fake_engine.c) records what it is asked to run.
 */

enum { BENCH_DWORDS = 4096 };

#define BENCH_BATCH UINT64_C(0x100000)
#define BENCH_CHILD UINT64_C(0x700000)
#define BENCH_DATA  UINT64_C(0xffff80000000) /* bit 47 is set: packets carry it canonical */
#define BENCH_NONE  UINT64_C(0x900000)	     /* nothing is bound here */
#define CANONICAL(address)                                                                         \
	(((address) >> 47) ? ((address) | UINT64_C(0xffff000000000000)) : (address))
#define ADDRESS(address) (uint32_t) CANONICAL(address), (uint32_t)(CANONICAL(address) >> 32)

struct bench {
	_Alignas(64) uint32_t batch[BENCH_DWORDS], child[BENCH_DWORDS], data[BENCH_DWORDS];
	struct eu_bus bus;
	struct cs_config config;
	struct cs_stream *stream;
	uint64_t ticks;
	atomic_int stop;
};

/* What the fake engine was asked, and what it is to answer. */
extern struct fake_engine {
	unsigned runs;
	struct eu_dispatch dispatch;
	int answer;
	uint8_t *start; /* gets what threads start with, if not NULL */
	size_t start_bytes;
} fake_engine;

int bench_setup(void **state);
int bench_teardown(void **state);

/* Copies `count` dwords to the batch, starts it and runs it with a budget of 10000 packets. */
enum cs_status bench_run(struct bench *bench, const uint32_t *batch, unsigned count);
#define RUN(bench, ...)                                                                            \
	bench_run(bench, (const uint32_t[]){ __VA_ARGS__ },                                        \
		sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

/* The batch must fault with this kind and with `word` in its report; resets the stream. */
void bench_expect_fault(struct bench *bench, enum gen_fault_kind kind, const char *word);

#define END			  0x05000000u
#define SDI(address, value)	  0x10000002u, ADDRESS(address), (value)
#define LRI(reg, value)		  0x11000001u, (reg), (value)
#define SRM(reg, address)	  0x12000002u, (reg), ADDRESS(address)
#define LRM(reg, address)	  0x14800002u, (reg), ADDRESS(address)
#define LRR(from, to)		  0x15000001u, (from), (to)
#define START_CHILD(address)	  0x18c00101u, ADDRESS(address)
#define CHAIN(address)		  0x18800101u, ADDRESS(address)
#define POST_SYNC(flags, address) 0x7a000004u, (flags), ADDRESS(address)

#endif
