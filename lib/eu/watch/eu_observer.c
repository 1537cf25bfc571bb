// SPDX-License-Identifier: MIT
/* The probe of a kernel: hands what threads do to the observers that are wanted. */
#include "eu/watch/eu_watch.h"

#include <stdlib.h>
#include <string.h>

#include "eu/memory/eu_atomic.h"
#include "eu/memory/eu_memory.h"
#include "eu/ops/eu_send_uop.h"
#include "eu/ops/eu_uop.h"
#include "eu/profile/eu_profile.h"
#include "eu/watch/eu_check.h"
#include "eu/watch/eu_observer.h"
#include "util/util_bits.h"
#include "util/util_log.h"

/* The first may hold a thread: then the others learn of the instruction when it comes again. */
static const struct eu_observer *const observers[] = {
	&eu_stop_observer,
	&eu_form_observer,
	&eu_check_observer,
	&eu_race_observer,
	&eu_nan_observer,
	&eu_writes_observer,
	&eu_trace_observer,
};

struct eu_watch {
	struct eu_probe probe; /* the first member */
	const struct eu_send **sends;
	bool wants_reach;
	unsigned count;
	struct {
		const struct eu_observer *observer;
		void *facts;
	} rows[UTIL_ARRAY_SIZE(observers)];
};

static const struct eu_watch *watch_of(const struct eu_probe *probe)
{
	return (const struct eu_watch *)probe;
}

static uint32_t find_channels(const struct eu_thread *thread, const struct gen_inst *inst)
{
	uint32_t on = inst->no_mask ? UINT32_MAX : thread->act.bits;

	if (inst->predicate != GEN_PRED_NONE)
		on &= eu_predicate_bits(
			thread->flag, inst->flag, inst->predicate, inst->predicate_invert);
	return on & gen_inst_channels(inst);
}

/* A message whose descriptors are known only now, as it will be executed; or as it is. */
static const struct eu_send *bind(
	const struct eu_thread *thread, const struct eu_send *send, struct eu_send *dynamic)
{
	struct gen_fault unbound = { .kind = GEN_FAULT_NONE }; /* reported when it is executed */

	*dynamic = *send;
	return eu_send_bind(thread, dynamic, &unbound) ? dynamic : send;
}

static void step(const struct eu_probe *probe, struct eu_thread *thread, uint32_t inst)
{
	const struct eu_watch *watch = watch_of(probe);
	struct eu_event event = { .thread = thread,
		.inst = inst,
		.channels = find_channels(thread, &thread->kernel->program->inst[inst]),
		.send = watch->sends[inst] };
	struct eu_reach reach;
	struct eu_send dynamic;

	if (event.send && !event.send->run)
		event.send = bind(thread, event.send, &dynamic);
	if (watch->wants_reach && event.send && eu_event_reach(&event, &reach))
		event.reach = &reach;
	for (unsigned i = 0; i < watch->count && !thread->held; i++) {
		event.facts = watch->rows[i].facts;
		watch->rows[i].observer->step(&event);
	}
}

static void fault(const struct eu_probe *probe, struct eu_thread *thread)
{
	const struct eu_watch *watch = watch_of(probe);

	for (unsigned i = 0; i < watch->count; i++)
		if (watch->rows[i].observer->fault)
			watch->rows[i].observer->fault(thread);
}

static void thread_begin(const struct eu_probe *probe, struct eu_thread *thread)
{
	const struct eu_watch *watch = watch_of(probe);

	for (unsigned i = 0; i < watch->count; i++)
		if (watch->rows[i].observer->thread_begin)
			watch->rows[i].observer->thread_begin(thread);
}

static void thread_end(const struct eu_probe *probe, struct eu_thread *thread)
{
	const struct eu_watch *watch = watch_of(probe);

	for (unsigned i = 0; i < watch->count; i++)
		if (watch->rows[i].observer->thread_end)
			watch->rows[i].observer->thread_end(thread);
}

static void walker_end(
	const struct eu_probe *probe, const struct eu_worker *worker, unsigned workers)
{
	const struct eu_watch *watch = watch_of(probe);

	(void)workers;
	for (unsigned i = 0; i < watch->count; i++)
		if (watch->rows[i].observer->walker_end)
			watch->rows[i].observer->walker_end(worker);
}

static void out_of_bounds(const struct eu_probe *probe, const struct eu_thread *thread,
	const struct eu_send *send, unsigned lane, uint64_t offset, unsigned bytes, uint64_t base,
	uint64_t limit)
{
	const struct eu_watch *watch = watch_of(probe);

	for (unsigned i = 0; i < watch->count; i++)
		if (watch->rows[i].observer->out_of_bounds)
			watch->rows[i].observer->out_of_bounds(
				thread, send, lane, offset, bytes, base, limit);
}

static void destroy(struct eu_probe *probe)
{
	struct eu_watch *watch = (struct eu_watch *)probe;

	for (unsigned i = 0; i < watch->count; i++)
		if (watch->rows[i].observer->destroy)
			watch->rows[i].observer->destroy(watch->rows[i].facts);
	free(watch->sends);
	free(watch);
}

/* NULL when memory is short: then the kernel runs unwatched, as the log says. */
static struct eu_probe *create(const struct eu_kernel *kernel, unsigned wanted)
{
	struct eu_watch *watch = calloc(1, sizeof *watch);
	const struct eu_send **sends = calloc(kernel->program->count, sizeof(*sends));

	if (!watch || !sends) {
		util_log(UTIL_LOG_ERROR, "check", "memory is short: a kernel runs unwatched");
		free(watch);
		free(sends);
		return NULL;
	}
	watch->probe = (struct eu_probe){ .thread_begin = thread_begin,
		.thread_end = thread_end,
		.step = step,
		.out_of_bounds = out_of_bounds,
		.fault = fault,
		.walker_end = walker_end,
		.destroy = destroy };
	watch->sends = sends;
	for (uint32_t i = 0; i < kernel->send_count; i++)
		watch->sends[kernel->sends[i].inst] = &kernel->sends[i];
	if (wanted & (EU_WATCH_CHECK | EU_WATCH_RACES | EU_WATCH_NANS))
		eu_finding_begin();
	const struct eu_watched watched = { kernel, watch->sends, wanted };
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(observers); i++) {
		if (!(observers[i]->wanted & wanted))
			continue;
		watch->wants_reach |= observers[i]->wants_reach;
		watch->rows[watch->count].observer = observers[i];
		watch->rows[watch->count++].facts =
			observers[i]->create ? observers[i]->create(&watched) : NULL;
	}
	return &watch->probe;
}

static bool wants_probe(const struct gen_inst *inst, unsigned wanted)
{
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(observers); i++)
		if ((observers[i]->wanted & wanted) && observers[i]->wants(inst))
			return true;
	return false;
}

struct eu_options eu_options_select(void)
{
	unsigned wanted = eu_watch_wanted();
	struct eu_options options = { .target = eu_target_select(), .probes = wanted };

	/* Who watches each instruction does not count. */
	if (!wanted && eu_profile_wanted()) {
		options.create_probe = eu_profile_create;
		options.wants_probe = eu_profile_wants;
		options.counts = true;
	}
	if (!wanted)
		return options;
	options.create_probe = create;
	options.wants_probe = wants_probe;
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(observers); i++)
		if ((observers[i]->wanted & wanted) && !observers[i]->wants)
			options.wants_probe = NULL;
	return options;
}

static uint32_t lanes_of(const struct eu_event *event)
{
	const struct eu_send *send = event->send;
	unsigned kind = send && send->run ? send->access.kind : EU_ACCESS_NONE;

	if (kind == EU_ACCESS_BLOCK)
		return event->channels >> send->channel_offset != 0;
	if (kind != EU_ACCESS_SCATTER && kind != EU_ACCESS_ATOMIC)
		return 0;
	return event->channels >> send->channel_offset & UINT32_MAX >> (32 - send->access.lanes);
}

/* One by one. */
static void find_lanes(const struct eu_event *event, uint32_t lanes, struct eu_reach *reach)
{
	for (; lanes != 0; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		reach->channels[reach->count] = (uint8_t)(lane + event->send->channel_offset);
		reach->offsets[reach->count++] = eu_access_lane(event->thread, event->send, lane);
	}
}

/* Those of a message whose addresses are side by side in registers, all `count` of them. */
static void find_offsets(const struct eu_event *event, unsigned count, uint64_t *offsets)
{
	const struct eu_send *send = event->send;
	enum eu_space space = (enum eu_space)send->access.space;
	const uint8_t *addresses = event->thread->grf + send->src0 + send->access.at;
	uint64_t base = eu_access_base(event->thread, send, space);
	unsigned shift = send->access.shift;
	uint32_t mask = space == EU_SPACE_SLM ? EU_SLM_MASK : UINT32_MAX;

	if (space == EU_SPACE_A64)
		for (unsigned i = 0; i < count; i++) {
			uint64_t wide;
			memcpy(&wide, addresses + i * 8, sizeof wide);
			offsets[i] = wide & EU_ADDRESS_MASK;
		}
	else if (space != EU_SPACE_STATELESS && shift == 0)
		for (unsigned i = 0; i < count; i++)
			offsets[i] = eu_payload_dword(addresses, i) & mask;
	else
		for (unsigned i = 0; i < count; i++)
			offsets[i] = eu_access_offset(
				base, eu_payload_dword(addresses, i), space, shift);
}

/* Keeps of all lanes those. */
static void leave_out(uint32_t lanes, unsigned channel_offset, struct eu_reach *reach)
{
	for (reach->count = 0; lanes != 0; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		reach->offsets[reach->count] = reach->offsets[lane];
		reach->channels[reach->count++] = (uint8_t)(lane + channel_offset);
	}
}

/* What is the same of all lanes together. */
static void find_shape(const struct eu_access *access, struct eu_reach *reach)
{
	const uint64_t *offsets = reach->offsets;
	unsigned count = reach->count;
	uint64_t apart = count > 1 ? offsets[1] - offsets[0] : access->bytes, strays = 0;

	for (unsigned i = 1; i < count; i++)
		strays |= (offsets[i] - offsets[i - 1]) ^ apart;
	reach->low = offsets[0];
	reach->high = offsets[count - 1];
	for (unsigned i = 0; strays != 0 && i < count; i++) {
		reach->low = offsets[i] < reach->low ? offsets[i] : reach->low;
		reach->high = offsets[i] > reach->high ? offsets[i] : reach->high;
	}
	if (reach->high < reach->low) {
		uint64_t low = reach->high;
		reach->high = reach->low;
		reach->low = low;
	}
	reach->is_one = reach->low == reach->high;
	reach->high += access->bytes;
	bool is_even = strays == 0 &&
		       (unsigned)(reach->channels[count - 1] - reach->channels[0]) == count - 1;
	reach->in_line = is_even && apart == access->bytes;
	reach->by_element = is_even && apart == access->size;
}

bool eu_event_reach(const struct eu_event *event, struct eu_reach *reach)
{
	const struct eu_send *send = event->send;
	uint32_t lanes = lanes_of(event);

	reach->count = 0;
	if (lanes == 0)
		return false;
	const struct eu_access *access = &send->access;
	if (access->kind == EU_ACCESS_BLOCK ||
		access->at + access->lanes * access->address > send->mlen * GEN_GRF_BYTES) {
		find_lanes(event, lanes, reach);
	} else {
		unsigned all = 32 - (unsigned)__builtin_clz(lanes);
		find_offsets(event, all, reach->offsets);
		for (unsigned i = 0; i < all; i++)
			reach->channels[i] = (uint8_t)(i + send->channel_offset);
		reach->count = all;
		if (lanes != UINT32_MAX >> (32 - all))
			leave_out(lanes, send->channel_offset, reach);
	}
	find_shape(access, reach);
	return true;
}

bool eu_inst_is_message(const struct gen_inst *inst)
{
	return gen_ops[inst->op].class == GEN_CLASS_SEND && !inst->end_of_thread;
}

bool eu_event_is_store(const struct eu_event *event)
{
	const struct eu_access *access = &event->send->access;

	return access->kind == EU_ACCESS_ATOMIC && !access->is_float &&
	       access->operation == EU_ATOMIC_MOV && !event->send->writes;
}
