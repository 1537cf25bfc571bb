// SPDX-License-Identifier: MIT
#include "eu/watch/eu_allocation.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "eu/state/eu_bus.h"
#include "eu/watch/eu_written.h"
#include "util/util_thread.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)
static struct eu_allocation *extents; /* under lock; ascending, none overlap */
static size_t count, capacity;	      /* under lock */
static atomic_uint_fast64_t changes;  /* of extents */
static atomic_uint_fast64_t added;

/*
 * Bits of allocations that are gone, for later ones of the size: they are never given back, since
 * a host thread may just be setting some. Under lock.
 */
enum { SIZES = 64 };
static struct spare {
	struct spare *next;
} * spares[SIZES];

static unsigned size_of_bits(uint64_t bytes)
{
	uint64_t words = (bytes + 63) / 64;

	return words > 1 ? 64 - (unsigned)__builtin_clzll(words - 1) : 0;
}

/* All clear; NULL when memory is short. Under lock. */
static uint64_t *take_bits(uint64_t bytes)
{
	unsigned size = size_of_bits(bytes);
	struct spare *spare = spares[size];

	if (!spare)
		return calloc(UINT64_C(1) << size, 8);
	spares[size] = spare->next;
	return memset(spare, 0, (bytes + 63) / 64 * 8);
}

static void give_bits(const struct eu_allocation *extent)
{
	struct spare *spare = (struct spare *)(void *)extent->written;
	unsigned size = size_of_bits(extent->end - extent->first);

	if (!spare)
		return;
	spare->next = spares[size];
	spares[size] = spare;
}

/* How many begin at or before the address. Under lock. */
static size_t up_to(uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (extents[middle].first <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Takes out all that overlap [first, end). Under lock. */
static void forget(uint64_t first, uint64_t end)
{
	size_t from = up_to(first), to = from;

	if (from > 0 && extents[from - 1].end > first)
		from--;
	while (to < count && extents[to].first < end)
		to++;
	if (from == to)
		return;
	for (size_t i = from; i < to; i++)
		give_bits(&extents[i]);
	atomic_fetch_add(&changes, 1);
	memmove(extents + from, extents + to, (count - to) * sizeof *extents);
	count -= to - from;
}

bool eu_allocation_add(uint64_t address, uint64_t bytes)
{
	struct eu_allocation extent = { .first = address & EU_ADDRESS_MASK,
		.end = (address & EU_ADDRESS_MASK) + bytes,
		.born = atomic_fetch_add(&added, 1) + 1 };

	pthread_mutex_lock(&lock);
	if (count == capacity) {
		size_t wanted = capacity ? 2 * capacity : 64;
		struct eu_allocation *more = realloc(extents, wanted * sizeof *extents);
		if (!more) {
			pthread_mutex_unlock(&lock);
			return false;
		}
		extents = more;
		capacity = wanted;
	}
	forget(extent.first, extent.end);
	size_t at = up_to(extent.first);
	memmove(extents + at + 1, extents + at, (count - at) * sizeof *extents);
	extents[at] = extent;
	count++;
	atomic_fetch_add(&changes, 1);
	pthread_mutex_unlock(&lock);
	return true;
}

/* The one that begins there, or NULL. Under lock. */
static struct eu_allocation *at_first(uint64_t address)
{
	size_t at = up_to(address & EU_ADDRESS_MASK);

	return at > 0 && extents[at - 1].first == (address & EU_ADDRESS_MASK) ? &extents[at - 1]
									      : NULL;
}

void eu_allocation_remove(uint64_t address)
{
	address &= EU_ADDRESS_MASK;
	pthread_mutex_lock(&lock);
	if (at_first(address))
		forget(address, address + 1);
	pthread_mutex_unlock(&lock);
}

void eu_allocation_clear(uint64_t address)
{
	pthread_mutex_lock(&lock);
	struct eu_allocation *extent = at_first(address);
	if (extent) {
		give_bits(extent);
		extent->written = take_bits(extent->end - extent->first);
		atomic_fetch_add(&changes, 1);
	}
	pthread_mutex_unlock(&lock);
}

void eu_allocation_own(uint64_t address)
{
	pthread_mutex_lock(&lock);
	struct eu_allocation *extent = at_first(address);
	if (extent) {
		extent->is_programs = true;
		atomic_fetch_add(&changes, 1);
	}
	pthread_mutex_unlock(&lock);
}

uint64_t eu_allocation_moment(void)
{
	return atomic_load(&added);
}

void eu_allocation_write(uint64_t address, uint64_t bytes)
{
	address &= EU_ADDRESS_MASK;
	pthread_mutex_lock(&lock);
	size_t at = up_to(address);
	struct eu_allocation *extent = at > 0 ? &extents[at - 1] : NULL;
	if (extent && address < extent->end && bytes == 0) {
		give_bits(extent);
		extent->written = NULL;
		atomic_fetch_add(&changes, 1);
	} else if (extent && address < extent->end && extent->written) {
		uint64_t first = address - extent->first, most = extent->end - address;
		eu_written_add(extent->written, first, first + (bytes < most ? bytes : most));
	}
	pthread_mutex_unlock(&lock);
}

/* What a host thread has found, and when; `end`: up to there nothing else is found. */
static _Thread_local struct {
	struct eu_allocation extent;
	uint64_t end;
	uint64_t changes;
} recent[4];

bool eu_allocation_find(uint64_t address, struct eu_allocation *out)
{
	uint64_t now = atomic_load_explicit(&changes, memory_order_acquire);
	unsigned place = address >> 16 & 3;

	if (recent[place].changes == now && address >= recent[place].extent.first &&
		address < recent[place].end) {
		*out = recent[place].extent;
		return true;
	}
	pthread_mutex_lock(&lock);
	size_t at = up_to(address);
	if (at > 0) {
		*out = recent[place].extent = extents[at - 1];
		recent[place].end = at < count ? extents[at].first : UINT64_MAX;
		recent[place].changes = atomic_load(&changes);
	}
	pthread_mutex_unlock(&lock);
	return at > 0;
}
