// SPDX-License-Identifier: MIT
#include "cs/cs_state.h"
#include "eu/memory/eu_memory.h"
#include "util/util_order.h"

static bool find(const struct cs_stream *stream, uint64_t address, struct eu_range *range)
{
	const struct eu_bus *bus = stream->config.bus;

	return bus->find(bus->self, address & EU_ADDRESS_MASK, range);
}

static bool unbound(struct cs_stream *stream, const char *what, uint64_t address)
{
	cs_fail(stream, GEN_FAULT_PAGE, address & EU_ADDRESS_MASK,
		"%s at 0x%012llx: nothing is bound there", what,
		(unsigned long long)(address & EU_ADDRESS_MASK));
	return false;
}

bool cs_read(struct cs_stream *stream, const char *what, uint64_t address, void *out, size_t size)
{
	return eu_memory_copy_from(stream->config.bus, address, out, size, &address) ||
	       unbound(stream, what, address);
}

bool cs_write(
	struct cs_stream *stream, const char *what, uint64_t address, const void *data, size_t size)
{
	return eu_memory_copy_to(stream->config.bus, address, data, size, &address) ||
	       unbound(stream, what, address);
}

bool cs_copy(struct cs_stream *stream, uint64_t to, uint64_t from, uint64_t size)
{
	from &= EU_ADDRESS_MASK;
	while (size) {
		struct eu_range range;
		if (!find(stream, from, &range))
			return unbound(stream, "source", from);
		size_t here = range.end - from < size ? (size_t)(range.end - from) : (size_t)size;
		if (!cs_write(stream, "destination", to, range.host + (from - range.first), here))
			return false;
		from += here;
		to += here;
		size -= here;
	}
	return true;
}

bool cs_bound(const struct cs_stream *stream, uint64_t address, uint64_t size)
{
	uint64_t end = address + size;

	while (address < end) {
		struct eu_range range;
		if (!find(stream, address, &range))
			return false;
		address = range.end;
	}
	return true;
}

void *cs_map(struct cs_stream *stream, const char *what, uint64_t address, size_t size)
{
	struct eu_range range;

	address &= EU_ADDRESS_MASK;
	if (address % size) {
		cs_fail(stream, GEN_FAULT_BAD_PACKET, address,
			"%s at 0x%012llx: not a multiple of %zu", what, (unsigned long long)address,
			size);
		return NULL;
	}
	if (!find(stream, address, &range) || range.end - address < size) {
		unbound(stream, what, address);
		return NULL;
	}
	return range.host + (address - range.first);
}

bool cs_write32(struct cs_stream *stream, const char *what, uint64_t address, uint32_t value)
{
	uint32_t *at = cs_map(stream, what, address, sizeof(*at));

	if (!at)
		return false;
	util_order_tell();
	__atomic_store_n(at, value, __ATOMIC_RELEASE);
	return true;
}

bool cs_write64(struct cs_stream *stream, const char *what, uint64_t address, uint64_t value)
{
	if (address % sizeof(value))
		return cs_write32(stream, what, address, (uint32_t)value) &&
		       cs_write32(stream, what, address + 4, (uint32_t)(value >> 32));
	uint64_t *at = cs_map(stream, what, address, sizeof(*at));
	if (!at)
		return false;
	util_order_tell();
	__atomic_store_n(at, value, __ATOMIC_RELEASE);
	return true;
}
