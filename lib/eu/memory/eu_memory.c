// SPDX-License-Identifier: MIT
#include "eu/memory/eu_memory.h"

#include "eu/state/eu_probe.h"

enum direction { FROM_GPU, TO_GPU };

static bool copy(const struct eu_bus *bus, uint64_t address, void *data, size_t bytes,
	uint64_t *missing, enum direction direction)
{
	uint8_t *host = data;

	while (bytes > 0) {
		struct eu_range range;
		size_t part;

		address &= EU_ADDRESS_MASK;
		if (!bus->find(bus->self, address, &range)) {
			if (missing)
				*missing = address;
			return false;
		}
		part = range.end - address < bytes ? (size_t)(range.end - address) : bytes;
		if (direction == FROM_GPU)
			memcpy(host, range.host + (address - range.first), part);
		else
			memmove(range.host + (address - range.first), host, part);
		address += part;
		host += part;
		bytes -= part;
	}
	return true;
}

bool eu_memory_copy_from(
	const struct eu_bus *bus, uint64_t address, void *out, size_t bytes, uint64_t *missing)
{
	return copy(bus, address, out, bytes, missing, FROM_GPU);
}

bool eu_memory_copy_to(
	const struct eu_bus *bus, uint64_t address, const void *in, size_t bytes, uint64_t *missing)
{
	/* The host buffer is only read in this direction. */
	return copy(bus, address, (void *)(uintptr_t)in, bytes, missing, TO_GPU);
}

uint64_t eu_access_lane(const struct eu_thread *thread, const struct eu_send *send, unsigned lane)
{
	const struct eu_access *access = &send->access;
	enum eu_space space = (enum eu_space)access->space;
	uint8_t copy[8];

	if (access->kind == EU_ACCESS_BLOCK)
		return eu_access_block(thread, send);
	return eu_access_offset(eu_access_base(thread, send, space),
		eu_access_address(eu_payload(thread, send, access->at + lane * access->address,
					  access->address, copy),
			0, space),
		space, access->shift);
}

static bool is_bounded(const struct eu_view *view)
{
	return view->send->access.space == EU_SPACE_SURFACE ||
	       view->send->access.space == EU_SPACE_SLM;
}

static bool page_fault(const struct eu_view *view, unsigned lane, uint64_t address, unsigned bytes,
	const char *verb)
{
	struct gen_fault *fault = view->thread->worker->fault;

	fault->address = address;
	fault->place.has_lane = true;
	fault->place.lane = lane + view->send->channel_offset;
	gen_fault_add(fault, GEN_FAULT_PAGE,
		"%s: lane %u %s %u bytes at 0x%llx, where no buffer is bound",
		view->send->access.name, lane + view->send->channel_offset, verb, bytes,
		(unsigned long long)address);
	return false;
}

/* Moves the view of an unbounded space to the buffer that holds the address. */
static void follow(struct eu_view *view, uint64_t address)
{
	const struct eu_worker *worker = view->thread->worker;
	const struct eu_bus *bus = worker->dispatch->bus;
	struct eu_range range;

	if (is_bounded(view))
		return;
	if (!bus->find(bus->self, address, &range))
		return;
	uint64_t bytes = range.end - range.first;
	worker->translations[view->send->site] = (struct eu_translation){ .range = range,
		.reach = bytes < UINT32_MAX ? bytes : UINT32_MAX };
	view->host = range.host;
	view->first = range.first;
	view->end = range.end;
}

/* One piece within bounds. */
static bool transfer(struct eu_view *view, unsigned lane, uint64_t offset, void *data,
	unsigned bytes, enum direction direction)
{
	const struct eu_bus *bus = view->thread->worker->dispatch->bus;
	uint64_t address = (view->base + offset) & EU_ADDRESS_MASK, missing = 0;

	if (view->send->access.space == EU_SPACE_SLM) {
		if (direction == FROM_GPU)
			memcpy(data, view->host + offset, bytes);
		else
			memcpy(view->host + offset, data, bytes);
		return true;
	}
	if (copy(bus, address, data, bytes, &missing, direction))
		return true;
	return page_fault(view, lane, missing, bytes, direction == FROM_GPU ? "reads" : "writes");
}

static bool move(struct eu_view *view, unsigned lane, uint64_t offset, uint8_t *data,
	unsigned bytes, enum direction direction)
{
	unsigned piece = bytes < 4 ? bytes : 4;

	if (!is_bounded(view)) {
		offset &= EU_ADDRESS_MASK;
		follow(view, offset);
		return transfer(view, lane, offset, data, bytes, direction);
	}
	for (unsigned done = 0; done < bytes; done += piece) {
		uint64_t at = offset + done;

		if (at >= view->limit || view->limit - at < piece) {
			if (direction == FROM_GPU)
				memset(data + done, 0, piece);
		} else if (!transfer(view, lane, at, data + done, piece, direction)) {
			return false;
		}
	}
	return true;
}

bool eu_view_load(struct eu_view *view, unsigned lane, uint64_t offset, void *out, unsigned bytes)
{
	return move(view, lane, offset, out, bytes, FROM_GPU);
}

bool eu_view_store(
	struct eu_view *view, unsigned lane, uint64_t offset, const void *in, unsigned bytes)
{
	return move(view, lane, offset, (uint8_t *)(uintptr_t)in, bytes, TO_GPU);
}

bool eu_view_find(
	struct eu_view *view, unsigned lane, uint64_t offset, unsigned bytes, uint8_t **host)
{
	const struct eu_bus *bus = view->thread->worker->dispatch->bus;
	struct eu_range range;
	uint64_t address;

	*host = eu_view_at(view, offset, bytes);
	if (*host)
		return true;
	if (!is_bounded(view)) {
		offset &= EU_ADDRESS_MASK;
	} else if (offset >= view->limit || view->limit - offset < bytes) {
		return true;
	}
	follow(view, offset);
	address = (view->base + offset) & EU_ADDRESS_MASK;
	if (!bus->find(bus->self, address, &range) || range.end - address < bytes)
		return page_fault(view, lane, address, bytes, "updates");
	*host = range.host + (address - range.first);
	return true;
}
