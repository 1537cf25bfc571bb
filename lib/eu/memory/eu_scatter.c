// SPDX-License-Identifier: MIT
/*
 * Messages in which each lane has an address of its own: untyped surface read and write, byte,
 * dword and qword scattered, and their forms with 64-bit addresses.
 */
#include "eu/memory/eu_memory.h"

enum { MAX_LANES = 16 };

/* ---- any form, element by element: also what is out of bounds or crosses buffers ---- */

/* Moves an element between memory and a register slot, which is zero-extended by a load. */
static bool move_element(
	struct eu_view *view, unsigned lane, uint64_t offset, uint8_t *slot, unsigned size)
{
	const bool writes = view->send->access.writes;
	uint8_t *memory = eu_view_at(view, offset, size);

	if (writes && memory)
		memcpy(memory, slot, size);
	else if (writes)
		return eu_view_store(view, lane, offset, slot, size);
	if (writes)
		return true;
	if (size < 4)
		memset(slot, 0, 4);
	if (memory)
		memcpy(slot, memory, size);
	return memory || eu_view_load(view, lane, offset, slot, size);
}

static enum eu_status run_any(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	enum { MOST_DATA = MAX_LANES * 64 };
	const struct eu_access *access = &send->access;
	const enum eu_space space = (enum eu_space)access->space;
	const unsigned width = access->lanes * access->address;
	uint8_t addresses[MAX_LANES * 8], copy[MOST_DATA], *data = thread->grf + send->dst;
	struct eu_view view;
	uint64_t base;

	lanes &= (UINT32_C(1) << access->lanes) - 1;
	if (lanes == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send))
		return EU_FAULT;
	base = eu_access_base(thread, send, space);
	/* The result may replace the addresses. */
	memmove(addresses, eu_payload(thread, send, access->at, width, addresses), width);
	if (access->writes) {
		unsigned moved = (unsigned)__builtin_popcount(access->channels);
		data = (uint8_t *)(uintptr_t)eu_payload(
			thread, send, access->data, moved * access->lanes * access->slot, copy);
	}
	for (; lanes != 0; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		uint64_t offset = eu_access_offset(
			base, eu_access_address(addresses, lane, space), space, access->shift);
		uint8_t *slot = data + lane * access->slot;

		for (unsigned j = 0; j < access->count; j++) {
			if (!(access->channels >> j & 1))
				continue;
			if (!move_element(
				    &view, lane, offset + j * access->size, slot, access->size))
				return EU_FAULT;
			slot += access->lanes * access->slot;
		}
	}
	return EU_RUN;
}

/*
 * ---- frequent forms: the addresses of all lanes at once, in bounds or not, in a line or not. What
 * is not wholly in bounds is left to run_any, which decides about bounds and faults. ----
 */

#define TEMPLATE static inline __attribute__((always_inline))

/* Memory that is known to be there: offsets from `first` on, `span` bytes. */
struct window {
	uint8_t *host;
	uint64_t first, span;
};

/* Where each lane's data is, in bytes from the window's start. */
struct places {
	uint32_t at[MAX_LANES];
};

typedef uint32_t dword_memory __attribute__((aligned(1), may_alias));
typedef uint64_t qword_memory __attribute__((aligned(1), may_alias));

TEMPLATE bool window_open(
	struct window *w, struct eu_thread *thread, const struct eu_send *send, enum eu_space space)
{
	if (space == EU_SPACE_SURFACE) {
		unsigned index = send->access.index;
		const struct eu_surface *surface = &thread->worker->surfaces[index];
		if (index == EU_BTI_BINDLESS || surface->state == 0)
			surface = eu_surface_find(thread, send);
		if (!surface)
			return false;
		*w = (struct window){ surface->host, 0, surface->reach };
	} else if (space == EU_SPACE_SLM) {
		*w = (struct window){ thread->group->slm, 0, thread->worker->dispatch->slm_bytes };
	} else {
		const struct eu_range *range = &thread->worker->translations[send->site].range;
		*w = (struct window){ range->host, range->first, range->end - range->first };
	}
	return true;
}

/* Whether lane i's address is that of lane 0 plus i * step. */
TEMPLATE bool is_line(const uint8_t *addresses, enum eu_space space, unsigned lanes, unsigned step)
{
	if (space == EU_SPACE_A64) {
		const qword_memory *a = (const qword_memory *)addresses;
		uint64_t off = 0;
		for (unsigned i = 0; i < lanes; i++)
			off |= a[i] ^ (a[0] + (uint64_t)i * step);
		return off == 0;
	}
	const dword_memory *a = (const dword_memory *)addresses;
	uint32_t off = 0;
	for (unsigned i = 0; i < lanes; i++)
		off |= a[i] ^ (a[0] + i * step);
	/* Not a line in 64 bits when it wraps in 32. */
	return off == 0 && a[lanes - 1] >= a[0];
}

/* What lane 1 is from lane 0; addresses that differ by more are in no line of interest. */
TEMPLATE uint64_t step_of(const uint8_t *addresses, enum eu_space space)
{
	return space == EU_SPACE_A64 ? eu_access_address(addresses, 1, space) -
					       eu_access_address(addresses, 0, space)
				     : (uint32_t)(eu_access_address(addresses, 1, space) -
						  eu_access_address(addresses, 0, space));
}

/*
 * Finds the places of all lanes that are on; the others get that of the first. False unless `bytes`
 * at each are in the window.
 */
TEMPLATE bool find_places(struct places *places, const struct window *w, const uint8_t *addresses,
	uint64_t base, uint32_t enabled, enum eu_space space, unsigned lanes, unsigned bytes)
{
	uint64_t limit = w->span - bytes;
	unsigned one = (unsigned)__builtin_ctz(enabled);
	if (w->span < bytes)
		return false;
	limit = limit < UINT32_MAX ? limit : UINT32_MAX;
	if (space == EU_SPACE_SURFACE || space == EU_SPACE_SLM) {
		const dword_memory *a = (const dword_memory *)addresses;
		uint32_t bad = 0, mask = space == EU_SPACE_SLM ? EU_SLM_MASK : UINT32_MAX;
		uint32_t other = a[one] & mask;
		for (unsigned i = 0; i < lanes; i++) {
			uint32_t on = -(enabled >> i & 1), at = a[i] & mask;
			at = (at & on) | (other & ~on);
			places->at[i] = at;
			bad |= -(uint32_t)(at > (uint32_t)limit);
		}
		return bad == 0;
	}
	uint64_t bad = 0,
		 other = eu_access_offset(base, eu_access_address(addresses, one, space), space, 0);
	uint64_t step = step_of(addresses, space), reach = step * (lanes - 1);
	if (enabled == (UINT32_C(1) << lanes) - 1 && step < UINT32_MAX / MAX_LANES &&
		is_line(addresses, space, lanes, (unsigned)step)) {
		uint64_t into = other - w->first;
		for (unsigned i = 0; i < lanes; i++)
			places->at[i] = (uint32_t)(into + i * step);
		return into <= limit && reach <= limit - into;
	}
	for (unsigned i = 0; i < lanes; i++) {
		uint64_t on = -(uint64_t)(enabled >> i & 1);
		uint64_t at =
			eu_access_offset(base, eu_access_address(addresses, i, space), space, 0);
		at = ((at & on) | (other & ~on)) - w->first;
		places->at[i] = (uint32_t)at;
		bad |= -(uint64_t)(at > limit);
	}
	return bad == 0;
}

/* Loads the channels of all lanes. */
TEMPLATE void gather(uint8_t *out, const uint8_t *host, const struct places *places, unsigned lanes,
	unsigned channels)
{
	for (unsigned channel = 0; channel < 4; channel++) {
		if (!(channels >> channel & 1))
			continue;
		for (unsigned i = 0; i < lanes; i++)
			memcpy(out + 4 * i, host + places->at[i] + 4 * channel, 4);
		out += 4 * lanes;
	}
}

/* Loads a line: the same dwords for all, dwords side by side, or wider elements side by side. */
TEMPLATE bool load_line(
	uint8_t *out, const uint8_t *memory, unsigned step, unsigned lanes, unsigned channels)
{
	const unsigned count = 32 - (unsigned)__builtin_clz(channels);
	if (step == 4 || step == 0) {
		for (unsigned channel = 0; channel < count; channel++) {
			if (!(channels >> channel & 1))
				continue;
			if (step == 4)
				memcpy(out, memory + 4 * channel, 4 * lanes);
			else
				for (unsigned i = 0; i < lanes; i++)
					((dword_memory *)out)[i] =
						*(const dword_memory *)(memory + 4 * channel);
			out += 4 * lanes;
		}
		return true;
	}
	if (step != 4 * count || (channels & (channels + 1)) != 0)
		return false;
	const dword_memory *from = (const dword_memory *)memory;
	dword_memory *to = (dword_memory *)out;
	if (count == 2) {
		for (unsigned i = 0; i < lanes; i++) {
			uint32_t x = from[2 * i], y = from[2 * i + 1];
			to[i] = x;
			to[lanes + i] = y;
		}
		return true;
	}
	return false;
}

TEMPLATE bool load_dwords(const struct window *w, const uint8_t *addresses, uint64_t base,
	uint8_t *out, uint32_t enabled, enum eu_space space, unsigned lanes, unsigned channels)
{
	const unsigned count = 32 - (unsigned)__builtin_clz(channels), bytes = 4 * count;
	const uint32_t all = (UINT32_C(1) << lanes) - 1;
	const unsigned registers = (unsigned)__builtin_popcount(channels);
	uint8_t loaded[4 * MAX_LANES * 4];
	struct places places;
	if (enabled == all) {
		uint64_t step = step_of(addresses, space);
		if (step <= bytes && is_line(addresses, space, lanes, (unsigned)step)) {
			uint64_t into = eu_access_offset(base,
						eu_access_address(addresses, 0, space), space, 0) -
					w->first;
			uint64_t reach = step * (lanes - 1) + bytes;
			if (into >= w->span || reach > w->span - into)
				return false;
			if (load_line(out, w->host + into, (unsigned)step, lanes, channels))
				return true;
		}
		if (!find_places(&places, w, addresses, base, all, space, lanes, bytes))
			return false;
		gather(out, w->host, &places, lanes, channels);
		return true;
	}
	if (!find_places(&places, w, addresses, base, enabled, space, lanes, bytes))
		return false;
	gather(loaded, w->host, &places, lanes, channels);
	for (unsigned r = 0; r < registers; r++) {
		dword_memory *to = (dword_memory *)(out + 4 * r * lanes);
		const dword_memory *from = (const dword_memory *)(loaded + 4 * r * lanes);
		for (unsigned i = 0; i < lanes; i++) {
			uint32_t on = -(enabled >> i & 1);
			to[i] = (from[i] & on) | (to[i] & ~on);
		}
	}
	return true;
}

/* Stores a lane's dwords; the channels have no gaps. */
TEMPLATE void store_lane(
	uint8_t *memory, const uint8_t *data, unsigned lane, unsigned lanes, unsigned channels)
{
	const dword_memory *from = (const dword_memory *)data + lane;
	if (channels == 3) {
		uint64_t both = (uint64_t)from[lanes] << 32 | from[0];
		memcpy(memory, &both, 8);
		return;
	}
	for (unsigned channel = 0; channel < 4; channel++) {
		if (!(channels >> channel & 1))
			continue;
		memcpy(memory + 4 * channel, from, 4);
		from += lanes;
	}
}

TEMPLATE bool store_dwords(const struct window *w, const uint8_t *addresses, uint64_t base,
	const uint8_t *data, uint32_t enabled, enum eu_space space, unsigned lanes,
	unsigned channels)
{
	const unsigned count = 32 - (unsigned)__builtin_clz(channels), bytes = 4 * count;
	const uint32_t all = (UINT32_C(1) << lanes) - 1;
	struct places places;
	if (enabled == all && count <= 2 && channels != 2 &&
		is_line(addresses, space, lanes, bytes)) {
		uint64_t into =
			eu_access_offset(base, eu_access_address(addresses, 0, space), space, 0) -
			w->first;
		if (into >= w->span || (uint64_t)bytes * lanes > w->span - into)
			return false;
		if (count == 1) {
			memcpy(w->host + into, data, 4 * lanes);
			return true;
		}
		dword_memory *to = (dword_memory *)(w->host + into);
		const dword_memory *from = (const dword_memory *)data;
		for (unsigned i = 0; i < lanes; i++) {
			uint32_t x = from[i], y = from[lanes + i];
			to[2 * i] = x;
			to[2 * i + 1] = y;
		}
		return true;
	}
	if (!find_places(&places, w, addresses, base, enabled, space, lanes, bytes))
		return false;
	for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);
		store_lane(w->host + places.at[i], data, i, lanes, channels);
	}
	return true;
}

/* Elements of 1, 2 or 8 bytes, `count` for each lane; a load zero-extends them to slots. */
TEMPLATE bool move_elements(const struct window *w, const uint8_t *addresses, uint64_t base,
	uint8_t *data, uint32_t enabled, enum eu_space space, unsigned lanes, unsigned size,
	unsigned count, bool writes)
{
	const unsigned slot = size < 4 ? 4 : size;
	struct places places;
	if (!find_places(&places, w, addresses, base, enabled, space, lanes, size * count))
		return false;
	for (; enabled != 0; enabled &= enabled - 1) {
		unsigned i = (unsigned)__builtin_ctz(enabled);
		for (unsigned j = 0; j < count; j++) {
			uint8_t *there = w->host + places.at[i] + j * size;
			uint8_t *here = data + (j * lanes + i) * slot;
			uint64_t value = 0;
			memcpy(&value, writes ? here : there, size);
			memcpy(writes ? there : here, &value, writes ? size : slot);
		}
	}
	return true;
}

TEMPLATE enum eu_status run_form(struct eu_thread *thread, const struct eu_send *send,
	uint32_t enabled, enum eu_space space, unsigned lanes, unsigned size, unsigned channels,
	bool writes)
{
	const unsigned registers = (unsigned)__builtin_popcount(channels);
	const unsigned width = lanes * (space == EU_SPACE_A64 ? 8 : 4);
	uint8_t copy[MAX_LANES * 8], data_copy[MAX_LANES * 32], *data = thread->grf + send->dst;
	struct window w;
	enabled &= (UINT32_C(1) << lanes) - 1;
	if (enabled == 0)
		return EU_RUN;
	if (window_open(&w, thread, send, space)) {
		const uint8_t *addresses = eu_payload(thread, send, send->access.at, width, copy);
		uint64_t base = eu_access_base(thread, send, space);
		if (writes) /* it is only read */
			data = (uint8_t *)(uintptr_t)eu_payload(thread, send,
				send->access.at + width, lanes * (size < 4 ? 4 : size) * registers,
				data_copy);
		if (size != 4	 ? move_elements(&w, addresses, base, data, enabled, space, lanes,
					   size, send->access.count, writes)
			: writes ? store_dwords(&w, addresses, base, data, enabled, space, lanes,
					   channels)
				 : load_dwords(&w, addresses, base, data, enabled, space, lanes,
					   channels))
			return EU_RUN;
	}
	return run_any(thread, send, enabled);
}

/* ---- handlers ---- */

#define HANDLER(verb, space, lanes, size, writes)                                                  \
	static enum eu_status verb##_##space##_##lanes##_##size(                                   \
		struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)            \
	{                                                                                          \
		return run_form(thread, send, enabled, EU_SPACE_##space, lanes, size,              \
			send->access.channels, writes);                                            \
	}
#define HANDLERS(space, lanes, size)                                                               \
	HANDLER(load, space, lanes, size, false)                                                   \
	HANDLER(store, space, lanes, size, true)
#define ROW(space, lanes, size)                                                                    \
	[EU_SPACE_##space][lanes / 16][size] = { load_##space##_##lanes##_##size,                  \
		store_##space##_##lanes##_##size },
#define ALL_SIZES(form, space, lanes)                                                              \
	form(space, lanes, 1) form(space, lanes, 2) form(space, lanes, 4) form(space, lanes, 8)
#define ALL_LANES(form, space) ALL_SIZES(form, space, 8) ALL_SIZES(form, space, 16)
#define ALL_FORMS(form)                                                                            \
	ALL_LANES(form, SURFACE)                                                                   \
	ALL_LANES(form, STATELESS) ALL_LANES(form, SLM) ALL_LANES(form, A64)

ALL_FORMS(HANDLERS)

eu_message_fn eu_scatter_handler(const struct eu_access *access)
{
	static const eu_message_fn handlers[EU_SPACES][2][9][2] = { ALL_FORMS(ROW) };

	if (access->shift != 0 || access->count > 4 ||
		(access->size != 4 && access->channels + 1u != 1u << access->count) ||
		access->lanes < 8 || access->data != access->at + access->lanes * access->address)
		return run_any;
	return handlers[access->space][access->lanes / 16][access->size][access->writes];
}
