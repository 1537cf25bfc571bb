// SPDX-License-Identifier: MIT
#include "eu/code/eu_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/util_bits.h"

enum {
	PREFIX_BYTES = 64, /* of the code, that choose the bucket */
	BUCKETS = 256,
	PLACES = 256, /* addresses whose kernel is remembered */
};

struct entry {
	struct entry *next; /* in its bucket */
	struct gen_program *program;
	struct eu_kernel *kernel;
	uint64_t used; /* value of cache->clock at last use */
	struct eu_options options;
	bool is_function;
};

struct eu_cache {
	const struct gen_device *device;
	struct entry *buckets[BUCKETS];
	struct {
		uint64_t address;
		struct entry *entry;
	} places[PLACES];
	unsigned count;
	uint64_t clock;
	struct eu_options options; /* of the kernel that was found last */
	const atomic_int *stop;	   /* of that walker */
	pthread_mutex_t lock;	   /* of all this while functions are looked for */
};

struct eu_cache *eu_cache_create(const struct gen_device *device)
{
	struct eu_cache *cache = calloc(1, sizeof *cache);

	if (!cache)
		return NULL;
	cache->device = device;
	pthread_mutex_init(&cache->lock, NULL);
	return cache;
}

static void entry_destroy(struct entry *entry)
{
	if (!entry)
		return;
	eu_kernel_destroy(entry->kernel);
	gen_program_destroy(entry->program);
	free(entry);
}

void eu_cache_destroy(struct eu_cache *cache)
{
	if (!cache)
		return;
	for (unsigned i = 0; i < BUCKETS; i++)
		while (cache->buckets[i]) {
			struct entry *entry = cache->buckets[i];
			cache->buckets[i] = entry->next;
			entry_destroy(entry);
		}
	pthread_mutex_destroy(&cache->lock);
	free(cache);
}

static unsigned bucket_of(const uint8_t *code, size_t limit)
{
	uint64_t hash = 0;

	for (size_t i = 0; i + 8 <= limit && i < PREFIX_BYTES; i += 8) {
		uint64_t word;
		memcpy(&word, code + i, sizeof word);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return (unsigned)(hash % BUCKETS);
}

static bool same_layout(struct eu_layout a, struct eu_layout b)
{
	return a.known == b.known && a.cross_first == b.cross_first && a.cross == b.cross &&
	       a.thread == b.thread;
}

static bool same_options(struct eu_options a, struct eu_options b)
{
	return a.target.host == b.target.host && a.target.stencils == b.target.stencils &&
	       a.create_probe == b.create_probe && a.wants_probe == b.wants_probe &&
	       a.probes == b.probes && a.counts == b.counts && same_layout(a.layout, b.layout);
}

static bool holds(const struct eu_cache *cache, const struct entry *entry, bool is_function,
	const uint8_t *code, size_t limit)
{
	uint32_t size = entry->program->code_size;

	return size <= limit && entry->is_function == is_function &&
	       !memcmp(entry->program->code, code, size) &&
	       same_options(entry->options, cache->options);
}

static void evict(struct eu_cache *cache)
{
	struct entry **oldest = NULL;

	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct entry **at = &cache->buckets[i]; *at; at = &(*at)->next)
			if (!oldest || (*at)->used < (*oldest)->used)
				oldest = at;
	struct entry *entry = *oldest;
	*oldest = entry->next;
	for (unsigned i = 0; i < PLACES; i++)
		if (cache->places[i].entry == entry)
			cache->places[i].entry = NULL;
	entry_destroy(entry);
	cache->count--;
}

static struct entry *add(struct eu_cache *cache, const uint8_t *code, size_t limit,
	bool is_function, struct gen_fault *fault)
{
	struct entry *entry = calloc(1, sizeof *entry);
	struct eu_options options = cache->options;
	unsigned bucket = bucket_of(code, limit);

	if (!entry) {
		gen_fault_add(fault, GEN_FAULT_NO_MEMORY, "no memory for a kernel");
		return NULL;
	}
	entry->is_function = is_function;
	entry->options = cache->options;
	options.is_function = is_function;
	if (is_function)
		options.layout.known = false; /* threads do not begin there */
	entry->program = gen_decode_until(cache->device, code, limit, cache->stop, fault);
	if (entry->program)
		entry->kernel = eu_kernel_create_for(cache->device, entry->program, options, fault);
	if (!entry->kernel) {
		entry_destroy(entry);
		return NULL;
	}
	cache->count++;
	entry->next = cache->buckets[bucket];
	cache->buckets[bucket] = entry;
	return entry;
}

/* The code at `address`; NULL and *fault when nothing is there. `what` says what is looked for. */
static const uint8_t *find_code(const struct eu_bus *bus, uint64_t address, const char *what,
	size_t *limit, struct gen_fault *fault)
{
	struct eu_range range;

	if (!bus->find(bus->self, address, &range)) {
		fault->address = address;
		gen_fault_add(fault, GEN_FAULT_PAGE, "%s 0x%012llx: nothing is bound there", what,
			(unsigned long long)address);
		return NULL;
	}
	*limit = (size_t)(range.end - address);
	return range.host + (address - range.first);
}

static struct entry *find(struct eu_cache *cache, const struct eu_bus *bus, uint64_t address,
	bool is_function, struct gen_fault *fault)
{
	unsigned place = (unsigned)(address / 64 % PLACES);
	const char *what = is_function ? "call of" : "kernel at";
	struct entry *entry =
		cache->places[place].address == address ? cache->places[place].entry : NULL;
	size_t limit;
	const uint8_t *code = find_code(bus, address, what, &limit, fault);

	if (!code)
		return NULL;
	if (!entry || !holds(cache, entry, is_function, code, limit))
		for (entry = cache->buckets[bucket_of(code, limit)];
			entry && !holds(cache, entry, is_function, code, limit);)
			entry = entry->next;
	if (!entry)
		entry = add(cache, code, limit, is_function, fault);
	if (!entry) {
		gen_fault_add(
			fault, fault->kind, "%s 0x%012llx", what, (unsigned long long)address);
		return NULL;
	}
	entry->used = ++cache->clock;
	cache->places[place].address = address;
	cache->places[place].entry = entry;
	return entry;
}

struct eu_kernel *eu_cache_find(struct eu_cache *cache, const struct eu_bus *bus, uint64_t address,
	struct eu_options options, const atomic_int *stop, struct gen_fault *fault)
{
	cache->stop = stop;
	cache->options = options;
	struct entry *entry = find(cache, bus, address, false, fault);
	while (cache->count > EU_CACHE_KERNELS) /* that one is the newest */
		evict(cache);
	return entry ? entry->kernel : NULL;
}

const struct eu_kernel *eu_cache_find_function(struct eu_worker *worker, uint64_t address)
{
	struct eu_cache *cache = worker->cache;

	pthread_mutex_lock(&cache->lock);
	struct entry *entry = find(cache, worker->dispatch->bus, address, true, worker->fault);
	pthread_mutex_unlock(&cache->lock);
	return entry ? entry->kernel : NULL;
}
