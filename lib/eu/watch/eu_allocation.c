// SPDX-License-Identifier: MIT
#include "eu/watch/eu_allocation.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "eu/state/eu_bus.h"
#include "util/util_thread.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)
static struct eu_allocation *extents; /* under lock; ascending, none overlap */
static size_t count, capacity;	      /* under lock */

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
	memmove(extents + from, extents + to, (count - to) * sizeof *extents);
	count -= to - from;
}

bool eu_allocation_add(uint64_t address, uint64_t bytes)
{
	struct eu_allocation extent = { address & EU_ADDRESS_MASK,
		(address & EU_ADDRESS_MASK) + bytes };

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
	pthread_mutex_unlock(&lock);
	return true;
}

void eu_allocation_remove(uint64_t address)
{
	address &= EU_ADDRESS_MASK;
	pthread_mutex_lock(&lock);
	size_t at = up_to(address);
	if (at > 0 && extents[at - 1].first == address)
		forget(address, address + 1);
	pthread_mutex_unlock(&lock);
}

bool eu_allocation_find(uint64_t address, struct eu_allocation *out)
{
	pthread_mutex_lock(&lock);
	size_t at = up_to(address);
	if (at > 0)
		*out = extents[at - 1];
	pthread_mutex_unlock(&lock);
	return at > 0;
}
