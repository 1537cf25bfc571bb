// SPDX-License-Identifier: MIT
#include "eu/watch/eu_allocation.h"

#include <dlfcn.h>
#include <execinfo.h>
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

enum { RELEASED = 256, FRAMES = 24 };
static struct eu_allocation released[RELEASED]; /* under lock; a ring */
static unsigned release_count;			/* under lock */

/* Where the program has called an OpenCL entry point, or whatever it calls that does; 0: unknown.
 */
static uintptr_t find_caller(void)
{
	static const char *const ours[] = { "libzerocl", "libOpenCL", "libze_" };
	void *frames[FRAMES];
	int n = backtrace(frames, FRAMES);

	for (int i = 0; i < n; i++) {
		Dl_info info;
		bool is_ours = true;
		if (dladdr(frames[i], &info) && info.dli_fname) {
			const char *slash = strrchr(info.dli_fname, '/');
			const char *name = slash ? slash + 1 : info.dli_fname;
			is_ours = false;
			for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
				is_ours |= !strncmp(name, ours[k], strlen(ours[k]));
		}
		if (!is_ours)
			return (uintptr_t)frames[i] - 1; /* within the call */
	}
	return 0;
}

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

uint64_t eu_allocation_count(void)
{
	return atomic_fetch_add(&added, 1) + 1;
}

bool eu_allocation_add(uint64_t address, uint64_t bytes)
{
	struct eu_allocation extent = { .first = address & EU_ADDRESS_MASK,
		.end = (address & EU_ADDRESS_MASK) + bytes,
		.born = eu_allocation_count() };

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
	for (unsigned i = 0; i < RELEASED; i++) /* its memory is in use again */
		if (released[i].first < extent.end && extent.first < released[i].end)
			released[i] = (struct eu_allocation){ 0 };
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
	uintptr_t caller = find_caller();
	pthread_mutex_lock(&lock);
	const struct eu_allocation *extent = at_first(address);
	if (extent && extent->is_programs) {
		struct eu_allocation *gone = &released[release_count++ % RELEASED];
		*gone = *extent;
		gone->released = caller ? caller : 1;
	}
	if (extent)
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
	uintptr_t caller = find_caller();

	pthread_mutex_lock(&lock);
	struct eu_allocation *extent = at_first(address);
	if (extent) {
		extent->is_programs = true;
		extent->created = caller;
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

enum { PLACES = 64 /* 2^6 */ };

/*
 * What a host thread has found, and when; `end`: up to there nothing else is found.
 * `has_released`: so far, something has been released there.
 */
static _Thread_local struct found {
	struct eu_allocation extent;
	uint64_t end;
	uint64_t changes;
	bool has_released;
} recent[PLACES];

static struct found *found_near(uint64_t address)
{
	return &recent[(address >> 16) * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

static bool holds(const struct found *found, uint64_t address)
{
	return found->changes == atomic_load_explicit(&changes, memory_order_acquire) &&
	       address >= found->extent.first && address < found->end;
}

/* The newest that overlaps [first, end), or NULL. Under lock. */
static const struct eu_allocation *find_released(uint64_t first, uint64_t end)
{
	for (unsigned i = 0; i < RELEASED && i < release_count; i++) {
		const struct eu_allocation *gone = &released[(release_count - 1 - i) % RELEASED];
		if (first < gone->end && gone->first < end)
			return gone;
	}
	return NULL;
}

bool eu_allocation_find_released(uint64_t address, struct eu_allocation *out)
{
	const struct found *found = found_near(address);

	if (holds(found, address) && !found->has_released)
		return false;
	pthread_mutex_lock(&lock);
	const struct eu_allocation *gone = find_released(address, address + 1);
	if (gone)
		*out = *gone;
	pthread_mutex_unlock(&lock);
	return gone;
}

bool eu_allocation_find(uint64_t address, struct eu_allocation *out)
{
	struct found *found = found_near(address);

	if (holds(found, address)) {
		*out = found->extent;
		return true;
	}
	pthread_mutex_lock(&lock);
	size_t at = up_to(address);
	if (at > 0) {
		*out = found->extent = extents[at - 1];
		found->end = at < count ? extents[at].first : UINT64_MAX;
		found->has_released = find_released(found->extent.first, found->end);
		found->changes = atomic_load(&changes);
	}
	pthread_mutex_unlock(&lock);
	return at > 0;
}
