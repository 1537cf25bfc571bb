// SPDX-License-Identifier: MIT
#include "eu_fake_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "eu/code/eu_code.h"
#include "eu/engine/eu_run.h"
#include "eu/watch/eu_watch.h"

enum { CODE_BYTES = 1 << 16, PHASES = 3, ROW = 128 };

struct fake fake;

static uint8_t code[CODE_BYTES];

/* The state of a fake thread, kept in its registers. */
struct fake_state {
	uint32_t r0[8];
	uint32_t step, begun;
};

static bool find(void *self, uint64_t address, struct eu_range *range)
{
	(void)self;
	if (address - FAKE_CODE >= CODE_BYTES)
		return false;
	*range = (struct eu_range){ FAKE_CODE, FAKE_CODE + CODE_BYTES, code, 0, NULL };
	return true;
}

const struct eu_bus fake_bus = { .find = find };

void fake_put_code(uint32_t offset, enum fake_kind kind, uint32_t variant)
{
	uint32_t words[24] = { kind };

	words[20] = variant;
	memcpy(code + offset, words, sizeof words);
}

void fake_reset(enum fake_kind kind)
{
	memset(&fake, 0, sizeof fake);
	memset(code, 0x5a, sizeof code);
	fake.kind = kind;
	fake_put_code(0, kind, 0);
}

struct gen_program *gen_decode_until(const struct gen_device *device, const void *from,
	size_t limit, const atomic_int *stop, struct gen_fault *fault)
{
	(void)stop;
	struct gen_program *program = calloc(1, sizeof *program);

	(void)device;
	if (!program || limit < 96)
		abort();
	if (*(const uint32_t *)from == FAKE_UNDECODABLE) {
		free(program);
		gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION, "undecodable");
		return NULL;
	}
	program->code = malloc(96);
	program->code_size = 96;
	memcpy(program->code, from, 96);
	return program;
}

void gen_disassemble(const struct gen_device *device, const struct gen_program *program,
	uint32_t index, char *text, size_t size)
{
	(void)device, (void)program, (void)index;
	if (size > 0)
		text[0] = 0;
}

void gen_program_destroy(struct gen_program *program)
{
	if (program)
		free(program->code);
	free(program);
}

struct eu_options eu_options_select(void)
{
	return (struct eu_options){ .probes = 0 };
}

struct eu_kernel *eu_kernel_create_for(const struct gen_device *device,
	const struct gen_program *program, struct eu_options options, struct gen_fault *fault)
{
	struct eu_kernel *kernel = calloc(1, sizeof *kernel);

	(void)options, (void)fault;
	kernel->device = device;
	kernel->program = program;
	kernel->send_count = 3;
	kernel->sends = calloc(kernel->send_count, sizeof *kernel->sends);
	kernel->changes_state = true; /* each thread is started as if it were the first */
	fake.kernels_made++;
	return kernel;
}

void eu_kernel_destroy(struct eu_kernel *kernel)
{
	if (!kernel)
		return;
	fake.kernels_destroyed++;
	free(kernel->sends);
	free(kernel);
}

static void expect(bool right)
{
	if (!right)
		atomic_fetch_add(&fake.mistakes, 1);
}

static struct fake_state *state_of(struct eu_thread *thread)
{
	return (struct fake_state *)thread->grf;
}

void eu_thread_start(struct eu_thread *thread, const struct eu_kernel *kernel,
	uint32_t dispatch_mask, uint32_t cr0)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	struct fake_state *state = state_of(thread);
	uint32_t all = dispatch->simd == 16 ? 0xffff : 0xff;
	bool last = thread->index + 1 == dispatch->threads_per_group;

	expect(kernel == thread->worker->kernel);
	expect(dispatch_mask == (last ? dispatch->right_mask : all));
	expect(cr0 == 0x30);
	expect(!thread->worker->keep); /* there is no prologue */
	expect(state->r0[1] == thread->group->id[0]);
	expect(state->r0[6] == thread->group->id[1]);
	expect(state->r0[7] == thread->group->id[2]);
	expect((state->r0[5] & 0x3ff) == thread->fftid);
	expect(atomic_fetch_add(&fake.fftids[thread->fftid], 1) == 0);
	if (thread->fftid > atomic_load(&fake.fftid_max))
		atomic_store(&fake.fftid_max, thread->fftid);
	state->step = state->begun = 0;
	thread->barrier_pending = false;
	thread->status = EU_RUN;
}

static enum eu_status end(struct eu_thread *thread)
{
	const uint32_t *id = thread->group->id;

	atomic_fetch_sub(&fake.fftids[thread->fftid], 1);
	if (id[0] < FAKE_BOX && id[1] < FAKE_BOX && id[2] < FAKE_BOX)
		atomic_fetch_add(&fake.ran[id[0]][id[1]][id[2]], 1);
	atomic_fetch_add(&fake.threads, 1);
	return EU_DONE;
}

static void signal_barrier(struct eu_thread *thread)
{
	struct eu_group *group = thread->group;

	thread->barrier_pending = true;
	thread->barrier_generation = group->generation;
	if (++group->arrived == group->thread_count) {
		group->arrived = 0;
		group->generation++;
	}
}

/* sync.bar: whether the thread may go on. */
static bool passes(struct eu_thread *thread)
{
	if (thread->barrier_pending && thread->barrier_generation == thread->group->generation)
		return false;
	thread->barrier_pending = false;
	return true;
}

static uint32_t value(const struct eu_thread *thread, uint32_t index, uint32_t phase)
{
	return 1 + thread->group->id[0] * 1000 + index * 10 + phase;
}

/* Even steps write and signal, odd steps wait and check. `stride`: 2 when odd threads left. */
static enum eu_status barriers(struct eu_thread *thread, uint32_t stride)
{
	struct fake_state *state = state_of(thread);
	uint32_t *slm = (uint32_t *)thread->group->slm;

	for (;;) {
		uint32_t phase = state->step / 2;
		if (phase == PHASES)
			return end(thread);
		if (state->step % 2 == 0) {
			if (phase == 0)
				expect(slm[thread->index] == 0xcdcdcdcd || stride > 1);
			slm[phase * ROW + thread->index] = value(thread, thread->index, phase);
			signal_barrier(thread);
			state->step++;
		}
		if (!passes(thread))
			return EU_BLOCKED;
		for (uint32_t i = 0; i < thread->group->thread_count; i += stride)
			expect(slm[phase * ROW + i] == value(thread, i, phase));
		state->step++;
	}
}

static enum eu_status leavers(struct eu_thread *thread)
{
	if (thread->index % 2 == 0)
		return barriers(thread, 2);
	if (thread->index % 4 == 3)
		signal_barrier(thread);
	return end(thread);
}

/* Counts the threads of the group that came here, in shared memory. */
static bool all_begun(struct eu_thread *thread)
{
	struct fake_state *state = state_of(thread);
	uint32_t *count = (uint32_t *)thread->group->slm;

	if (*count == 0xcdcdcdcd)
		*count = 0;
	*count += !state->begun;
	state->begun = 1;
	return *count == thread->group->thread_count;
}

static enum eu_status split_barrier(struct eu_thread *thread)
{
	struct fake_state *state = state_of(thread);

	/* The last thread signals only after the others could spin a while. */
	if (!state->step && thread->index + 1 == thread->group->thread_count &&
		state->r0[0]++ < 3) {
		all_begun(thread);
		return EU_YIELD;
	}
	if (!state->step) {
		signal_barrier(thread);
		state->step = 1;
	}
	if (!all_begun(thread))
		return EU_YIELD;
	return passes(thread) ? end(thread) : EU_BLOCKED;
}

static enum eu_status spin_groups(struct eu_thread *thread)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	struct fake_state *state = state_of(thread);

	if (!state->begun && thread->index == 0)
		atomic_fetch_add(&fake.groups_started, 1);
	state->begun = 1;
	return atomic_load(&fake.groups_started) == dispatch->group_end[0] ? end(thread) : EU_YIELD;
}

static enum eu_status faulting(struct eu_thread *thread)
{
	if (thread->group->id[0] != 5 || thread->index != 2)
		return end(thread);
	thread->worker->fault->address = 0xbad000;
	gen_fault_add(thread->worker->fault, GEN_FAULT_PAGE, "fake lane 3");
	return EU_FAULT;
}

static enum eu_status lost_barrier(struct eu_thread *thread)
{
	if (thread->index)
		return end(thread);
	thread->barrier_pending = true;
	thread->barrier_generation = thread->group->generation;
	return EU_BLOCKED;
}

static enum eu_status go(struct eu_thread *thread)
{
	switch (fake.kind) {
	case FAKE_BARRIERS:
		return barriers(thread, 1);
	case FAKE_LEAVERS:
		return leavers(thread);
	case FAKE_SPIN_THREADS:
		return all_begun(thread) ? end(thread) : EU_YIELD;
	case FAKE_SPLIT_BARRIER:
		return split_barrier(thread);
	case FAKE_SPIN_GROUPS:
		return spin_groups(thread);
	case FAKE_FAULT:
		return faulting(thread);
	case FAKE_LOST_BARRIER:
		return lost_barrier(thread);
	case FAKE_ENDLESS:
		atomic_fetch_add(&fake.threads, 1);
		return EU_YIELD;
	default:
		return end(thread);
	}
}

enum eu_status eu_thread_go(struct eu_thread *thread, uint32_t budget)
{
	expect(budget > 0);
	thread->worker->instructions++;
	enum eu_status status = go(thread);
	thread->status = (uint8_t)status;
	return status;
}
