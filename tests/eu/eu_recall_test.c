// SPDX-License-Identifier: MIT
/*
 * Threads that pass over the prologue of their kernel do what they do without one: random programs
 * over random payloads, whose messages are compared.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "eu/engine/eu_worker.h"
#include "eu_test_program.h"
#include "test_device.h"

enum {
	THREADS = 5, /* of a group, at most */
	GROUPS = 3 * 2 * 2,
	MESSAGES = 4, /* of a program, one of which a loop may send ROUNDS times */
	ROUNDS = 3,
	SENT = MESSAGES + ROUNDS - 1,
	MESSAGE_BYTES = 4 * GEN_GRF_BYTES,
	PAYLOAD_REGISTERS = 4,
	PROGRAMS = 480,
};

/* What each thread has sent. */
struct log {
	unsigned count[GROUPS][THREADS];
	uint8_t sent[GROUPS][THREADS][SENT][MESSAGE_BYTES];
};

static struct log with, without, *log_now;
static _Atomic uint64_t *next_group;		     /* NULL: no other worker takes groups */
static bool steps_aside, is_aside[GROUPS][THREADS];  /* threads let others run, now and then … */
static unsigned aside_from;			     /* … of groups from this one on */
static uint8_t seen[GROUPS][THREADS][MESSAGE_BYTES]; /* by a probe, of the message that comes */
static unsigned probes;
static uint8_t payload_memory[(1 + THREADS) * PAYLOAD_REGISTERS * GEN_GRF_BYTES];

static uint32_t number_of(const struct eu_group *group)
{
	return group->id[0] - 4 + 3 * (group->id[1] - 1) + 6 * (group->id[2] - 7);
}

static void probe_step(const struct eu_probe *probe, struct eu_thread *thread, uint32_t inst)
{
	const struct gen_inst *message = &thread->kernel->program->inst[inst];

	(void)probe;
	memcpy(seen[number_of(thread->group)][thread->index],
		thread->grf + message->src[0].reg * GEN_GRF_BYTES, MESSAGE_BYTES);
	probes++;
}

static void probe_destroy(struct eu_probe *probe)
{
	(void)probe;
}

static struct eu_probe *probe_create(const struct eu_kernel *kernel, unsigned which)
{
	static struct eu_probe probe = { .step = probe_step, .destroy = probe_destroy };

	(void)kernel, (void)which;
	return &probe;
}

static bool probe_wants(const struct gen_inst *inst, unsigned which)
{
	(void)which;
	return gen_ops[inst->op].class == GEN_CLASS_SEND && !inst->end_of_thread;
}

enum eu_status test_message(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	uint32_t group = number_of(thread->group);
	unsigned *count = &log_now->count[group][thread->index];
	bool *aside = &is_aside[group][thread->index];

	*aside = steps_aside && group >= aside_from && !*aside &&
		 (3 * group + 7 * thread->index + *count) % 5 < 2;
	if (*aside)
		return EU_YIELD; /* the message comes again */
	assert_true(group < GROUPS && thread->index < THREADS && *count < SENT);
	if (next_group && !thread->index && !*count)
		atomic_fetch_add(next_group, 1);
	uint8_t *sent = log_now->sent[group][thread->index][(*count)++];
	memcpy(sent, thread->grf + send->src0, MESSAGE_BYTES);
	if (thread->kernel->probe)
		assert_memory_equal(sent, seen[group][thread->index], MESSAGE_BYTES);
	sent[0] ^= (uint8_t)lanes;
	for (unsigned i = 0; i < send->rlen * (unsigned)GEN_GRF_BYTES; i++)
		thread->grf[send->dst + i] = (uint8_t)(sent[i % MESSAGE_BYTES] + 7 * i);
	return EU_RUN;
}

/* The groups from `first` on; `shared`: another worker takes the one after each of ours. */
static void run(const struct gen_program *program, struct eu_dispatch *dispatch, struct log *log,
	bool has_layout, bool probed, unsigned first, bool shared, unsigned *prologues)
{
	struct gen_fault fault = { 0 };
	struct eu_payload payload = { 0 };
	atomic_int stop = 0;
	struct eu_options options = { .target = eu_target_select(),
		.layout = { has_layout, dispatch->cross_first,
			(uint16_t)dispatch->cross_thread_registers,
			(uint16_t)dispatch->per_thread_registers },
		.create_probe = probed ? probe_create : NULL,
		.wants_probe = probed ? probe_wants : NULL };
	struct eu_host_worker *crew = eu_host_worker_create(test_device(), 0);
	struct eu_kernel *kernel = eu_kernel_create_for(test_device(), program, options, &fault);

	assert_non_null(kernel);
	assert_true(eu_payload_prepare(&payload, dispatch, 768, &fault));
	struct eu_job job = {
		.dispatch = dispatch,
		.kernel = kernel,
		.payload = &payload,
		.stop = &stop,
		.group_count = GROUPS,
		.chunk = shared ? 1 : 3,
		.resident_threads = steps_aside ? 2 * THREADS : 768,
		.next_group = first,
	};
	next_group = shared ? &job.next_group : NULL;
	pthread_mutex_init(&job.lock, NULL);
	log_now = log;
	memset(log, 0, sizeof(*log));
	eu_host_worker_work(crew, &job);
	assert_int_equal(job.fault.kind, GEN_FAULT_NONE);
	*prologues += kernel->prologue.end > 0;
	pthread_mutex_destroy(&job.lock);
	eu_payload_finish(&payload);
	eu_kernel_destroy(kernel);
	eu_host_worker_destroy(crew);
}

/* One instruction; registers 10 to 33 hold what is computed, 5 and below are the payload. */
static int write_instruction(char *to, uint64_t *seed)
{
	static const char *const operations[] = { "add", "add", "add", "mul", "shl", "and", "xor",
		"asr" };
	static const char *const conditions[] = { "lt", "ge", "eq", "ne", "gt", "le" };
	static const char *const flags[] = { "f0.0", "f0.1", "f1.1" };
	const char *condition = conditions[test_random_below(seed, 6)];
	const char *flag = flags[test_random_below(seed, 3)];
	const char *operation = operations[test_random_below(seed, 8)];
	unsigned d = 10 + 2 * test_random_below(seed, 8), a = 10 + 2 * test_random_below(seed, 8);
	unsigned b = 10 + 2 * test_random_below(seed, 8), p = 1 + test_random_below(seed, 4);
	unsigned sub = test_random_below(seed, 8);

	switch (test_random_below(seed, 18)) {
	case 0:
		return sprintf(to, "mov (8|M0) r%u.0<1>:ud r0.0<8;8,1>:ud\n", d);
	case 1:
		return sprintf(to, "(W) mul (1|M0) r%u.%u<1>:d r0.%u<0;1,0>:d r%u.%u<0;1,0>:uw\n",
			d, sub, (unsigned[]){ 1, 6, 7 }[sub % 3], p, sub);
	case 2:
		return sprintf(to, "mov (16|M0) r%u.0<1>:d r%u.0<16;16,1>:uw\n", d, p);
	case 3:
		return sprintf(to, "add (16|M0) r%u.0<1>:d r%u.%u<0;1,0>:d r%u.0<16;16,1>:uw\n", d,
			a, sub, p);
	case 4:
		return sprintf(to, "%s (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.%u<0;1,0>:d\n",
			operation, d, a, p, sub);
	case 5:
		return sprintf(
			to, "%s (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d 0x%x:w\n", operation, d, a, sub);
	case 6:
		return sprintf(to, "cmp (16|M0) (%s)%s null:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n",
			condition, flag, a, b);
	case 7:
		return sprintf(to, "(%s%s) add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d 3:w\n",
			sub % 2 ? "~" : "", flag, d, a);
	case 8:
		return sprintf(to, "mov (8|M0) r%u.0<4>:ub r%u.0<32;8,4>:ub\n", d, a);
	case 9:
		return sprintf(to, "mov (8|M0) r%u.0<2>:uw r%u.0<16;8,2>:uw\n", d, a);
	case 10:
		return sprintf(to, "(%s%s) sel (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n",
			sub % 2 ? "~" : "", flag, d, a, b);
	case 11:
		return sprintf(to, "cmp (16|M0) (%s)%s r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n",
			condition, flag, d, a, b);
	case 12:
		return sprintf(to, "(W) mov (1|M0) r%u.%u<1>:ud %s<0;1,0>:uw\n", d, sub, flag);
	case 13:
	case 14: /* over the payload, which a thread without some channels leaves in part */
		return sprintf(to, "mov (8|M0) r%u.0<1>:d r%u.%u<0;1,0>:d\n", p,
			1 + test_random_below(seed, 4), sub);
	default:
		return sprintf(to, "%s (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n",
			operation, d, a, b);
	}
}

/*
 * A guard over which some channels go, and sums behind it in registers 28 to 33, which nothing else
 * reads but what may come last.
 */
static int write_guard(char *to, uint64_t *seed)
{
	char *end = to;
	end += sprintf(end,
		"cmp (16|M0) (%s)f0.1 null:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n"
		"(%sf0.1) goto (16|M0) L1 L1\n",
		test_random_below(seed, 2) ? "lt" : "ge", 10 + 2 * test_random_below(seed, 8),
		10 + 2 * test_random_below(seed, 8), test_random_below(seed, 2) ? "~" : "");
	for (unsigned i = 0; i < 4; i++) {
		unsigned d = 28 + 2 * test_random_below(seed, 3);
		end += sprintf(end,
			"add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.%u<0;1,0>:d\n"
			"xor (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r10.0<8;8,1>:d\n",
			d, 28 + 2 * test_random_below(seed, 3), 1 + test_random_below(seed, 4),
			test_random_below(seed, 8), 10 + 2 * test_random_below(seed, 8), d);
	}
	return (int)(end - to);
}

/*
 * Register 38, of all channels, is made of one that only those that are on have written, and which
 * is written again behind it: without all channels, of what a thread before has left there.
 */
static int write_stale(char *to, uint64_t *seed)
{
	return sprintf(to,
		"mov (16|M0) r36.0<1>:d %u:w\n"
		"(W) add (16|M0) r38.0<1>:d r36.0<8;8,1>:d %u:w\n"
		"mov (16|M0) r36.0<1>:d %u:w\n",
		test_random_below(seed, 999), test_random_below(seed, 999),
		test_random_below(seed, 999));
}

/*
 * guarded: some channels may not come to the messages but the first and the last. looped: the
 * message numbered so, and what comes before it, is in a loop.
 */
static struct gen_program *random_program(uint64_t *seed, bool guarded, unsigned looped)
{
	char text[8192], *to = text;
	unsigned count = 4 + test_random_below(seed, 24);

	/* All registers have something that does not depend on what ran here before. */
	for (unsigned r = 10; r < 34; r += 2)
		to += sprintf(to, "(W) %s (16|M0) r%u.0<1>:d r%u.%u<0;1,0>:d r%u.0<16;16,1>:uw\n",
			r & 4 ? "add" : "mov (16|M0) r34.0<1>:d 0:d\n(W) or", r,
			test_random_below(seed, 2) ? 0u : 1 + test_random_below(seed, 4),
			(unsigned[]){ 1, 6, 7, 0 }[test_random_below(seed, 4)],
			1 + test_random_below(seed, 3));
	for (unsigned message = 0; message < MESSAGES; message++) {
		bool last = message == MESSAGES - 1;
		bool stale = message == 0 && test_random_below(seed, 3) == 0;
		unsigned first = stale		   ? 38
				 : guarded && last ? 20 + 2 * test_random_below(seed, 7)
						   : 10 + 2 * test_random_below(seed, 7);
		if (guarded && message == 1)
			to += write_guard(to, seed);
		if (guarded && last)
			to += sprintf(to, "L1:\njoin (16|M0) L2\nL2:\n");
		if (message == looped)
			to += sprintf(to, "(W) mov (1|M0) r40.0<1>:d 0:d\nL3:\n");
		to += stale ? write_stale(to, seed) : 0;
		for (unsigned i = 0; i < count / (message + 1); i++)
			to += write_instruction(to, seed);
		to += sprintf(to, "send.dc0 (16|M0) r%u r%u null 0x0 0x08205E02\n",
			10 + 2 * test_random_below(seed, 8), first);
		if (message == looped)
			to += sprintf(to,
				"(W) add (1|M0) r40.0<1>:d r40.0<0;1,0>:d 1:d\n"
				"(W) cmp (1|M0) (lt)f1.0 null:d r40.0<0;1,0>:d %d:d\n"
				"(W&f1.0) jmpi L3\n",
				ROUNDS);
	}
	return test_assemble(text);
}

static void threads_do_the_same_without_the_prologue(void **state)
{
	uint64_t seed = 20;
	unsigned prologues = 0, probed = 0, none = 0;

	(void)state;
	for (unsigned i = 0; i < PROGRAMS; i++) {
		struct eu_dispatch dispatch = {
			.simd = 16,
			.threads_per_group = i % 5 ? THREADS : 1,
			.group_first = { 4, 1, 7 },
			.group_end = { 7, 3, 9 },
			.right_mask = (unsigned[]){ 0x3f, 0xffff, 0xffff, 1, 0xffff, 0x7fff,
				0xffff }[i % 7],
			.payload_bytes = sizeof(payload_memory),
			.cross_thread_registers = 1 + i % 3,
			.per_thread_registers = 3 - i % 3,
			.cross_first = i / 2 % 2,
			.numbers_threads = i / 4 % 2,
			.start = payload_memory,
			.cr0 = 0x4c0,
		};
		bool guarded = i % 2;
		unsigned looped = i % 3; /* not the last message */
		struct gen_program *program = random_program(&seed, guarded, looped);
		test_random_bytes(&seed, payload_memory, sizeof(payload_memory));
		unsigned first = i % 7 % 3;
		bool shared = i % 11 % 2;
		steps_aside = i % 13 % 2;
		aside_from = i % 3 * GROUPS / 3;
		run(program, &dispatch, &without, false, false, first, shared, &none);
		run(program, &dispatch, &with, true, true, first, shared, &probed);
		assert_memory_equal(with.sent, without.sent, sizeof(with.sent));
		run(program, &dispatch, &with, true, false, first, shared, &prologues);
		assert_memory_equal(with.count, without.count, sizeof(with.count));
		assert_in_range(with.count[first][dispatch.threads_per_group - 1],
			guarded ? 2 : SENT, SENT);
		assert_memory_equal(with.sent, without.sent, sizeof(with.sent));
		gen_program_destroy(program);
	}
	assert_int_equal(none, 0);
	assert_true(prologues > PROGRAMS / 2);
	assert_true(probed > PROGRAMS / 2);
	assert_true(probes > PROGRAMS * GROUPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_do_the_same_without_the_prologue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
