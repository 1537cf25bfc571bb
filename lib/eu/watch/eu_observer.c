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
#include "eu/watch/eu_unread.h"
#include "util/util_bits.h"
#include "util/util_log.h"

/* The first may hold a thread: then the others learn of the instruction when it comes again. */
static const struct eu_observer *const observers[] = {
	&eu_stop_observer,
	&eu_form_observer,
	&eu_check_observer,
	&eu_check_memory_observer,
	&eu_race_observer,
	&eu_nan_observer,
	&eu_writes_observer,
	&eu_trace_observer,
};

_Static_assert(UTIL_ARRAY_SIZE(observers) <= 8, "each has a bit of a byte");

/* Whoever wants these sees no message that eu_check_memory.c need not see again. */
enum { QUIET = EU_WATCH_MEMORY | EU_WATCH_CHECK | EU_WATCH_WALKERS };

struct eu_watch {
	struct eu_probe probe; /* the first member */
	const struct eu_send **sends;
	struct eu_send *narrow; /* those that load more than the kernel looks at, without that */
	uint8_t *wanting;	/* of each instruction: a bit for each row that wants it */
	unsigned reaching;	/* a bit for each row that wants the reach */
	/* That of the only row; NULL: it has none, or there are more. */
	void (*line)(const struct eu_event *event, uint64_t offset);
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
	struct eu_event event = { .thread = thread, .inst = inst, .send = watch->sends[inst] };
	unsigned wanting = watch->wanting[inst];
	uint64_t line = thread->line;
	struct eu_reach reach;
	struct eu_send dynamic;

	thread->line = 0;
	if (line != 0 && watch->line && !event.send->access.is_narrow &&
		!thread->kernel->program->inst[inst].no_mask) {
		event.facts = watch->rows[0].facts;
		watch->line(&event, line - 1);
		return;
	}
	event.channels = find_channels(thread, &thread->kernel->program->inst[inst]);
	if (event.send && !event.send->run)
		event.send = bind(thread, event.send, &dynamic);
	if ((wanting & watch->reaching) && event.send && eu_event_reach(&event, &reach))
		event.reach = &reach;
	for (unsigned rows = wanting; rows != 0 && !thread->held; rows &= rows - 1) {
		unsigned i = (unsigned)__builtin_ctz(rows);
		event.facts = watch->rows[i].facts;
		watch->rows[i].observer->step(&event);
	}
}

/* Tells all observers that want to know: calls their function `told` with the arguments. */
#define TELL(probe, told, ...)                                                                     \
	do {                                                                                       \
		const struct eu_watch *watch = watch_of(probe);                                    \
		for (unsigned i = 0; i < watch->count; i++)                                        \
			if (watch->rows[i].observer->told)                                         \
				watch->rows[i].observer->told(__VA_ARGS__);                        \
	} while (0)

static void fault(const struct eu_probe *probe, struct eu_thread *thread)
{
	TELL(probe, fault, thread);
}

static void group_begin(const struct eu_probe *probe, struct eu_thread *thread)
{
	TELL(probe, group_begin, thread);
}

static void thread_begin(const struct eu_probe *probe, struct eu_thread *thread)
{
	TELL(probe, thread_begin, thread);
}

static void thread_end(const struct eu_probe *probe, struct eu_thread *thread)
{
	TELL(probe, thread_end, thread);
}

static void walker_end(
	const struct eu_probe *probe, const struct eu_worker *worker, unsigned workers)
{
	(void)workers;
	TELL(probe, walker_end, worker);
}

static void no_texel(const struct eu_probe *probe, const struct eu_thread *thread,
	const struct eu_send *send, unsigned lane, uint64_t texel, uint64_t extent)
{
	TELL(probe, no_texel, thread, send, lane, texel, extent);
}

static void texels(const struct eu_probe *probe, struct eu_thread *thread,
	const struct eu_send *send, const struct eu_texels *found)
{
	TELL(probe, texels, thread, send, found, watch->rows[i].facts);
}

static void destroy(struct eu_probe *probe)
{
	struct eu_watch *watch = (struct eu_watch *)probe;

	for (unsigned i = 0; i < watch->count; i++)
		if (watch->rows[i].observer->destroy)
			watch->rows[i].observer->destroy(watch->rows[i].facts);
	free(watch->sends);
	free(watch->narrow);
	free(watch->wanting);
	free(watch);
}

/*
 * What of loads nobody looks at, those who judge accesses do not see. Without memory they do: what
 * they find may then be the compiler's.
 */
static void narrow_loads(struct eu_watch *watch, const struct eu_kernel *kernel)
{
	watch->narrow = calloc(kernel->send_count, sizeof *watch->narrow);
	for (uint32_t i = 0; watch->narrow && i < kernel->send_count; i++) {
		const struct eu_send *send = &kernel->sends[i];
		uint8_t unread = eu_unread_elements(kernel, send);
		uint8_t passed = eu_unread_passed(kernel, send);
		unsigned tail = eu_unread_tail(kernel, send);
		struct eu_send *narrow = &watch->narrow[i];
		uint32_t lanes = eu_unread_lanes(kernel, send);
		if (!unread && !passed && !tail && !lanes)
			continue;
		*narrow = *send;
		narrow->access.is_narrow = true;
		narrow->access.unread = lanes;
		if (tail) {
			narrow->access.bytes = (uint16_t)(send->access.bytes - tail);
		} else {
			narrow->access.passed = passed;
			narrow->access.channels &= (uint8_t)~unread;
			narrow->access.count =
				(uint8_t)(32 - __builtin_clz(narrow->access.channels));
			narrow->access.bytes = narrow->access.size * narrow->access.count;
		}
		watch->sends[send->inst] = narrow;
	}
}

/* NULL when memory is short: then the kernel runs unwatched, as the log says. */
static struct eu_probe *create(const struct eu_kernel *kernel, unsigned wanted)
{
	struct eu_watch *watch = calloc(1, sizeof *watch);

	if (watch)
		*watch = (struct eu_watch){ .probe = { .group_begin = group_begin,
						    .step = step,
						    .is_quiet = !(wanted & ~QUIET),
						    .no_texel = no_texel,
						    .texels = texels,
						    .fault = fault,
						    .walker_end = walker_end,
						    .destroy = destroy },
			.sends = calloc(kernel->program->count, sizeof(*watch->sends)),
			.wanting = calloc(kernel->program->count, sizeof *watch->wanting) };
	if (!watch || !watch->sends || !watch->wanting) {
		util_log(UTIL_LOG_ERROR, "check", "memory is short: a kernel runs unwatched");
		if (watch)
			destroy(&watch->probe);
		return NULL;
	}
	for (uint32_t i = 0; i < kernel->send_count; i++)
		watch->sends[kernel->sends[i].inst] = &kernel->sends[i];
	if (wanted & (EU_WATCH_MEMORY | EU_WATCH_RACES))
		narrow_loads(watch, kernel);
	if (wanted & (EU_WATCH_CHECK | EU_WATCH_MEMORY | EU_WATCH_RACES | EU_WATCH_NANS))
		eu_finding_begin();
	const struct eu_watched watched = { kernel, watch->sends, wanted };
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(observers); i++) {
		if (!(observers[i]->wanted & wanted))
			continue;
		for (uint32_t k = 0; k < kernel->program->count; k++)
			if (!observers[i]->wants || observers[i]->wants(&kernel->program->inst[k]))
				watch->wanting[k] |= (uint8_t)(1u << watch->count);
		watch->probe.thread_begin =
			observers[i]->thread_begin ? thread_begin : watch->probe.thread_begin;
		watch->probe.thread_end =
			observers[i]->thread_end ? thread_end : watch->probe.thread_end;
		watch->reaching |= (unsigned)observers[i]->wants_reach << watch->count;
		watch->rows[watch->count].observer = observers[i];
		watch->rows[watch->count++].facts =
			observers[i]->create ? observers[i]->create(&watched) : NULL;
	}
	watch->line = watch->count == 1 ? watch->rows[0].observer->line : NULL;
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
	return event->channels >> send->channel_offset & UINT32_MAX >> (32 - send->access.lanes) &
	       ~send->access.unread;
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

/* Those of a message whose addresses are side by side in registers. */
static void find_offsets(const struct eu_event *event, uint32_t lanes, struct eu_reach *reach)
{
	const struct eu_send *send = event->send;
	enum eu_space space = (enum eu_space)send->access.space;
	const uint8_t *addresses = event->thread->grf + send->src0 + send->access.at;
	uint64_t base = eu_access_base(event->thread, send, space);

	for (; lanes != 0; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		reach->offsets[reach->count] = eu_access_offset(
			base, eu_access_address(addresses, lane, space), space, send->access.shift);
		reach->channels[reach->count++] = (uint8_t)(lane + send->channel_offset);
	}
}

typedef uint32_t dwords __attribute__((vector_size(16)));
typedef uint64_t words __attribute__((vector_size(16)));

/* What `count` numbers, a multiple of four, differ in from those that begin so and are so apart. */
static uint64_t find_strays(const uint8_t *numbers, unsigned count, uint32_t first, uint32_t apart)
{
	dwords at = { first, first + apart, first + 2 * apart, first + 3 * apart };
	dwords strays = { 0 }, four;

	for (unsigned i = 0; i < count; i += 4, at += 4 * apart) {
		memcpy(&four, numbers + i * sizeof first, sizeof four);
		strays |= four ^ at;
	}
	return ((words)strays)[0] | ((words)strays)[1];
}

static uint64_t find_strays_wide(
	const uint8_t *numbers, unsigned count, uint64_t first, uint64_t apart)
{
	words at = { first, first + apart }, strays = { 0 }, two;

	for (unsigned i = 0; i < count; i += 2, at += 2 * apart) {
		memcpy(&two, numbers + i * sizeof first, sizeof two);
		strays |= two ^ at;
	}
	return strays[0] | strays[1];
}

/*
 * The same of `count` addresses that are as far from each other: most are. False, and nothing is
 * found, where they are not.
 */
static bool find_even(const struct eu_event *event, unsigned count, struct eu_reach *reach)
{
	const struct eu_send *send = event->send;
	const enum eu_space space = (enum eu_space)send->access.space;
	const uint8_t *addresses = event->thread->grf + send->src0 + send->access.at;
	const bool is_wide = space == EU_SPACE_A64;
	uint64_t first = eu_access_address(addresses, 0, space);
	uint64_t apart = eu_access_address(addresses, 1, space) - first;
	uint64_t most = space == EU_SPACE_SLM ? EU_SLM_MASK : UINT32_MAX, last;

	apart = is_wide ? apart : (uint64_t)(int64_t)(int32_t)apart;
	last = first + apart * (count - 1);
	if (is_wide ? find_strays_wide(addresses, count, first, apart) != 0 ||
				((first ^ last) & ~EU_ADDRESS_MASK) != 0
		    : find_strays(addresses, count, (uint32_t)first, (uint32_t)apart) != 0 ||
				first > most || last > most)
		return false;
	reach->count = count;
	reach->channel = send->channel_offset;
	reach->first = eu_access_offset(0, first, space, 0);
	reach->apart = apart;
	return true;
}

/* Whether the lanes are as far from each other. */
static bool is_even(const struct eu_reach *reach)
{
	const uint64_t *offsets = reach->offsets;
	unsigned count = reach->count;
	uint64_t strays = 0;

	for (unsigned i = 1; i < count; i++)
		strays |= (offsets[i] - offsets[i - 1]) ^ (offsets[1] - offsets[0]);
	return strays == 0 &&
	       (unsigned)(reach->channels[count - 1] - reach->channels[0]) == count - 1;
}

/* What is the same of all lanes together. */
static void find_shape(const struct eu_access *access, struct eu_reach *reach)
{
	unsigned count = reach->count;

	reach->low = reach->high = eu_reach_offset(reach, 0);
	for (unsigned i = reach->is_even ? count - 1 : 1; i < count; i++) {
		uint64_t offset = eu_reach_offset(reach, i);
		reach->low = offset < reach->low ? offset : reach->low;
		reach->high = offset > reach->high ? offset : reach->high;
	}
	reach->is_one = reach->low == reach->high;
	reach->high += access->bytes;
	reach->in_line = reach->is_even && (count == 1 || reach->apart == access->bytes);
	reach->by_element = reach->is_even && (count == 1 || reach->apart == access->size);
}

bool eu_event_reach(const struct eu_event *event, struct eu_reach *reach)
{
	const struct eu_send *send = event->send;
	const struct eu_access *access = &send->access;
	uint32_t lanes = lanes_of(event);
	bool is_all = access->lanes && access->lanes % 8 == 0 &&
		      lanes == UINT32_MAX >> (32 - access->lanes);
	bool is_whole = access->kind != EU_ACCESS_BLOCK &&
			access->at + access->lanes * access->address <= send->mlen * GEN_GRF_BYTES;

	reach->count = 0;
	if (lanes == 0)
		return false;
	reach->is_even = is_whole && is_all && access->shift == 0 &&
			 access->space != EU_SPACE_STATELESS &&
			 find_even(event, access->lanes, reach);
	if (!reach->is_even) {
		(is_whole ? find_offsets : find_lanes)(event, lanes, reach);
		if (is_even(reach)) {
			reach->is_even = true;
			reach->first = reach->offsets[0];
			reach->apart = reach->count > 1 ? reach->offsets[1] - reach->first : 0;
			reach->channel = reach->channels[0];
		}
	}
	find_shape(access, reach);
	return true;
}

/* A filter: all are at multiples of their size, and no two share a bit. */
bool eu_reach_is_apart(const struct eu_reach *reach, unsigned bytes)
{
	const uint64_t most = UINT64_C(1) << 32; /* so that no multiple wraps around */
	uint64_t seen[16] = { 0 }, again = bytes & (bytes - 1);
	uint64_t far = reach->apart + most;

	if (reach->is_even && far <= 2 * most && (far >= most + bytes || far <= most - bytes))
		return true;
	for (unsigned i = 0; i < reach->count; i++) {
		uint64_t offset = eu_reach_offset(reach, i);
		uint64_t bit = offset * UINT64_C(0x9e3779b97f4a7c15) >> 54;
		again |= (seen[bit / 64] >> (bit & 63) & 1) | (offset & (bytes - 1));
		seen[bit / 64] |= UINT64_C(1) << (bit & 63);
	}
	return !again;
}

bool eu_inst_is_message(const struct gen_inst *inst)
{
	return gen_ops[inst->op].class == GEN_CLASS_SEND && !inst->end_of_thread;
}

bool eu_access_may_load(const struct eu_access *access)
{
	return !access->is_float && access->operation == EU_ATOMIC_OR && access->slot <= 8;
}

bool eu_event_is_store(const struct eu_event *event)
{
	const struct eu_access *access = &event->send->access;

	return access->kind == EU_ACCESS_ATOMIC && !access->is_float &&
	       access->operation == EU_ATOMIC_MOV && !event->send->writes;
}
