// SPDX-License-Identifier: MIT
/* The probe of a kernel: hands what threads do to the observers that are wanted. */
#include "eu/watch/eu_watch.h"

#include <stdlib.h>

#include "eu/memory/eu_atomic.h"
#include "eu/memory/eu_memory.h"
#include "eu/ops/eu_send_uop.h"
#include "eu/ops/eu_uop.h"
#include "eu/profile/eu_profile.h"
#include "eu/watch/eu_check.h"
#include "eu/watch/eu_observer.h"
#include "util/util_bits.h"

/* The first may hold a thread: then the others learn of the instruction when it comes again. */
static const struct eu_observer *const observers[] = {
	&eu_stop_observer,
	&eu_form_observer,
	&eu_check_observer,
	&eu_race_observer,
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

/* Where the message's lanes are; false when it moves no data. */
static bool find_reach(const struct eu_event *event, struct eu_reach *reach)
{
	const struct eu_touch *touches = reach->touches;
	unsigned count = reach->count = eu_event_touches(event, reach->touches);

	if (count == 0)
		return false;
	const struct eu_access *access = &event->send->access;
	uint64_t low = UINT64_MAX, high = 0, first = touches[0].offset, strays = 0;
	uint64_t apart = count > 1 ? touches[1].offset - first : access->bytes;
	for (unsigned i = 0; i < count; i++) {
		uint64_t offset = touches[i].offset;
		low = offset < low ? offset : low;
		high = offset > high ? offset : high;
		strays |= offset ^ (first + i * apart);
	}
	bool is_even = strays == 0 && touches[count - 1].channel - touches[0].channel == count - 1;
	reach->low = low;
	reach->high = high + access->bytes;
	reach->is_one = low == high;
	reach->in_line = is_even && apart == access->bytes;
	reach->by_element = is_even && apart == access->size;
	return true;
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
	if (watch->wants_reach && event.send && find_reach(&event, &reach))
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

/* NULL when memory is short: then the kernel runs unwatched. */
static struct eu_probe *create(const struct eu_kernel *kernel, unsigned wanted)
{
	struct eu_watch *watch = calloc(1, sizeof *watch);

	if (!watch)
		return NULL;
	watch->probe = (struct eu_probe){ .thread_begin = thread_begin,
		.thread_end = thread_end,
		.step = step,
		.out_of_bounds = out_of_bounds,
		.fault = fault,
		.walker_end = walker_end,
		.destroy = destroy };
	watch->sends = calloc(kernel->program->count, sizeof(*watch->sends));
	if (!watch->sends) {
		free(watch);
		return NULL;
	}
	for (uint32_t i = 0; i < kernel->send_count; i++)
		watch->sends[kernel->sends[i].inst] = &kernel->sends[i];
	if (wanted & (EU_WATCH_CHECK | EU_WATCH_RACES))
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

unsigned eu_event_touches(const struct eu_event *event, struct eu_touch *touches)
{
	const struct eu_send *send = event->send;
	uint32_t lanes = lanes_of(event);
	unsigned count = 0;

	if (lanes == 0)
		return 0;
	const struct eu_access *access = &send->access;
	enum eu_space space = (enum eu_space)access->space;
	unsigned bytes = access->lanes * access->address;
	if (access->kind == EU_ACCESS_BLOCK || access->at + bytes > send->mlen * GEN_GRF_BYTES) {
		for (; lanes != 0; lanes &= lanes - 1) {
			unsigned lane = (unsigned)__builtin_ctz(lanes);
			touches[count++] = (struct eu_touch){ lane + send->channel_offset,
				eu_access_lane(event->thread, send, lane) };
		}
		return count;
	}
	const uint8_t *addresses = event->thread->grf + send->src0 + access->at;
	uint64_t base = eu_access_base(event->thread, send, space);
	bool narrow = space != EU_SPACE_A64 && space != EU_SPACE_STATELESS;
	uint64_t mask = space == EU_SPACE_SLM ? EU_SLM_MASK : UINT64_MAX;
	for (; lanes != 0; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		touches[count].channel = lane + send->channel_offset;
		touches[count++].offset =
			narrow ? ((uint64_t)eu_payload_dword(addresses, lane) << access->shift) &
					 mask
			       : eu_access_offset(base, eu_access_address(addresses, lane, space),
					 space, access->shift);
	}
	return count;
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
