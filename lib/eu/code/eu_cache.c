// SPDX-License-Identifier: MIT
#include "eu/code/eu_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/util_bits.h"
#include "util/util_settings.h"

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
	unsigned bucket;
	char engine[32]; /* asked for, if that may change */
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
	bool engines_change; /* for tests, which compare them */
	char engine[32];     /* asked for now */
};

struct eu_cache *eu_cache_create(const struct gen_device *device)
{
	struct eu_cache *cache = calloc(1, sizeof *cache);

	if (!cache)
		return NULL;
	cache->device = device;
	cache->engines_change = util_settings()->forms != NULL;
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

static bool holds(
	const struct eu_cache *cache, const struct entry *entry, const uint8_t *code, size_t limit)
{
	uint32_t size = entry->program->code_size;

	return size <= limit && !memcmp(entry->program->code, code, size) &&
	       (!cache->engines_change || !strcmp(entry->engine, cache->engine));
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

static struct entry *add(struct eu_cache *cache, const uint8_t *code, size_t limit, unsigned bucket,
	struct gen_fault *fault)
{
	struct entry *entry = calloc(1, sizeof *entry);

	if (!entry) {
		gen_fault_add(fault, GEN_FAULT_NO_MEMORY, "no memory for a kernel");
		return NULL;
	}
	entry->program = gen_decode(cache->device, code, limit, fault);
	if (entry->program)
		entry->kernel = eu_kernel_create(cache->device, entry->program, fault);
	if (!entry->kernel) {
		entry_destroy(entry);
		return NULL;
	}
	if (cache->count == EU_CACHE_KERNELS)
		evict(cache);
	cache->count++;
	memcpy(entry->engine, cache->engine, sizeof entry->engine);
	entry->bucket = bucket;
	entry->next = cache->buckets[bucket];
	cache->buckets[bucket] = entry;
	return entry;
}

static struct entry *find(struct eu_cache *cache, const uint8_t *code, size_t limit,
	struct entry *guess, struct gen_fault *fault)
{
	if (guess && holds(cache, guess, code, limit))
		return guess;
	unsigned bucket = bucket_of(code, limit);
	for (struct entry *entry = cache->buckets[bucket]; entry; entry = entry->next)
		if (holds(cache, entry, code, limit))
			return entry;
	return add(cache, code, limit, bucket, fault);
}

struct eu_kernel *eu_cache_find(
	struct eu_cache *cache, const struct eu_bus *bus, uint64_t address, struct gen_fault *fault)
{
	unsigned place = (unsigned)(address / 64 % PLACES);
	struct eu_range range;

	if (!bus->find(bus->self, address, &range)) {
		fault->address = address;
		gen_fault_add(fault, GEN_FAULT_PAGE, "kernel at 0x%012llx: nothing is bound there",
			(unsigned long long)address);
		return NULL;
	}
	if (cache->engines_change) {
		const char *engine = util_settings()->engine;
		snprintf(cache->engine, sizeof cache->engine, "%s", engine ? engine : "");
	}
	struct entry *guess =
		cache->places[place].address == address ? cache->places[place].entry : NULL;
	struct entry *entry = find(cache, range.host + (address - range.first),
		(size_t)(range.end - address), guess, fault);
	if (!entry) {
		gen_fault_add(
			fault, fault->kind, "kernel at 0x%012llx", (unsigned long long)address);
		return NULL;
	}
	entry->used = ++cache->clock;
	cache->places[place].address = address;
	cache->places[place].entry = entry;
	return entry->kernel;
}
