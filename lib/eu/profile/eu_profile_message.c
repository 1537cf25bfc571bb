// SPDX-License-Identifier: MIT
/* What one message touches: bytes, lines of the cache, banks of local memory. */
#include "eu/memory/eu_memory.h"
#include "eu/memory/eu_surface.h"
#include "eu/profile/eu_profile.h"

enum {
	LINE_SHIFT = 6,
	BANKS = 16,
	BANK_USES = 16 * GEN_MAX_LANES,
	MOST_LINES = 4 * GEN_MAX_LANES,
	MOST_PLAIN = 16, /* bytes of a lane that is counted quickly */
};

/* Where the lanes of a message are that are on, in bytes from `base` on. */
struct touches {
	unsigned count;
	uint64_t base; /* a GPU address, or 0 in local memory */
	/* 0: by ascending lane, each is where the one before it ends; all are at one place. Bools
	 * would be read as one number that was written as two, which processors are slow at. */
	uint64_t strays, turns;
	uint64_t at[GEN_MAX_LANES];
};

static void gather(const struct eu_thread *thread, const struct eu_send *send, uint32_t lanes,
	struct touches *touches)
{
	touches->strays = touches->turns = 0;
	for (touches->count = 0; lanes != 0; lanes &= lanes - 1)
		touches->at[touches->count++] =
			eu_access_lane(thread, send, (unsigned)__builtin_ctz(lanes));
	for (unsigned i = 1; i < touches->count; i++) {
		touches->strays |= touches->at[i] - touches->at[i - 1] - send->access.bytes;
		touches->turns |= touches->at[i] ^ touches->at[i - 1];
	}
}

/* ---- lines of the cache ---- */

/* Lines of `bytes` adjoining ones. */
static unsigned lines_between(uint64_t first, uint64_t bytes)
{
	return (unsigned)(((first + bytes - 1) >> LINE_SHIFT) - (first >> LINE_SHIFT) + 1);
}

static unsigned count_lines(const struct touches *touches, unsigned bytes)
{
	uint64_t lines[MOST_LINES];
	unsigned count = 0;

	for (unsigned i = 0; i < touches->count; i++) {
		uint64_t first = (touches->base + touches->at[i]) >> LINE_SHIFT;
		uint64_t last = (touches->base + touches->at[i] + bytes - 1) >> LINE_SHIFT;
		for (uint64_t line = first; line <= last && count < MOST_LINES; line++) {
			unsigned k = 0;
			while (k < count && lines[k] != line)
				k++;
			lines[count] = line;
			count += k == count;
		}
	}
	return count;
}

/* ---- banks of local memory ---- */

/* Which dwords lanes use, and where the access of each begins. */
struct uses {
	unsigned count;
	uint32_t word[BANK_USES], at[BANK_USES];
};

/*
 * Adds a use; returns 1 if the bank has to move the dword for it. It gives one dword in a cycle, to
 * all lanes that read it; of writes to the same place each takes a cycle of its own.
 */
static unsigned use_word(struct uses *uses, uint32_t word, uint32_t at, bool writes)
{
	bool shared = false, again = false;

	for (unsigned i = 0; i < uses->count; i++) {
		shared |= uses->word[i] == word;
		again |= uses->word[i] == word && uses->at[i] == at;
	}
	uses->word[uses->count] = word;
	uses->at[uses->count] = at;
	uses->count += uses->count + 1 < BANK_USES;
	return !shared || (writes && again);
}

static unsigned count_conflicts(const struct touches *touches, const struct eu_access *access)
{
	unsigned cycles[BANKS] = { 0 }, all = 0, most = 0;
	struct uses uses;

	if (!touches->strays || (!touches->turns && !access->writes))
		return 0;
	uses.count = 0;
	for (unsigned i = 0; i < touches->count; i++) {
		uint32_t at = (uint32_t)touches->at[i], last = (at + access->bytes - 1) / 4;
		for (uint32_t word = at / 4; word <= last; word++) {
			unsigned own = use_word(&uses, word, at, access->writes);
			cycles[word % BANKS] += own;
			all += own;
		}
	}
	for (unsigned i = 0; i < BANKS; i++)
		most = cycles[i] > most ? cycles[i] : most;
	return most - (all + BANKS - 1) / BANKS;
}

/* Lanes that want an element which a lower one has. */
static unsigned count_contended(const struct touches *touches)
{
	unsigned count = 0;

	for (unsigned i = 0; i < touches->count && touches->strays; i++) {
		unsigned k = 0;
		while (k < i && touches->at[k] != touches->at[i])
			k++;
		count += k < i;
	}
	return count;
}

/* ---- messages ---- */

/* The surface that the message goes to; NULL: there is none, which the message itself reports. */
static const struct eu_surface *find_surface(struct eu_thread *thread, const struct eu_send *send)
{
	const struct eu_surface *surface = &thread->worker->surfaces[send->access.index];

	return send->access.index <= EU_BTI_LAST && surface->state ? surface
								   : eu_surface_peek(thread, send);
}

static void count_memory(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes, uint64_t *counts)
{
	const struct eu_access *access = &send->access;
	bool local = access->space == EU_SPACE_SLM;
	bool scratch = access->is_scratch;
	struct touches touches;

	touches.base = 0;
	if (access->space == EU_SPACE_SURFACE) {
		const struct eu_surface *surface = find_surface(thread, send);
		touches.base = surface ? surface->base : 0;
		scratch |= surface && surface->is_scratch;
	}
	gather(thread, send, lanes, &touches);
	counts[EU_PROFILE_BYTES] += (uint64_t)touches.count * access->size *
				    (unsigned)__builtin_popcount(access->channels);
	counts[EU_PROFILE_SCRATCH] += scratch;
	if (local)
		counts[EU_PROFILE_CONFLICTS] += count_conflicts(&touches, access);
	else
		counts[EU_PROFILE_LINES] +=
			!touches.turns || !touches.strays
				? lines_between(touches.base + touches.at[0],
					  access->bytes * (touches.turns ? touches.count : 1u))
				: count_lines(&touches, access->bytes);
	if (access->kind == EU_ACCESS_ATOMIC)
		counts[EU_PROFILE_CONTENDED] += count_contended(&touches);
}

/* The same of bytes in a row. */
static void count_block(struct eu_thread *thread, const struct eu_send *send, uint64_t *counts)
{
	const struct eu_access *access = &send->access;
	const struct eu_surface *surface =
		access->space == EU_SPACE_SURFACE ? find_surface(thread, send) : NULL;
	uint64_t at = eu_access_lane(thread, send, 0) + (surface ? surface->base : 0);

	counts[EU_PROFILE_BYTES] += access->bytes;
	counts[EU_PROFILE_SCRATCH] += access->is_scratch || (surface && surface->is_scratch);
	if (access->space != EU_SPACE_SLM)
		counts[EU_PROFILE_LINES] += lines_between(at, access->bytes);
}

/* Most often all of the first ones are on; for others the compiler calls a function. */
static unsigned count_bits(uint32_t lanes)
{
	return lanes != 0 && !(lanes & (lanes + 1)) ? 32 - (unsigned)__builtin_clz(lanes)
						    : (unsigned)__builtin_popcount(lanes);
}

void eu_profile_message(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes, uint64_t *counts)
{
	const struct eu_access *access = &send->access;

	counts[EU_PROFILE_LANES] += count_bits(lanes);
	if (lanes == 0)
		return;
	switch (access->kind) {
	case EU_ACCESS_BLOCK:
		count_block(thread, send, counts);
		break;
	case EU_ACCESS_SCATTER:
	case EU_ACCESS_ATOMIC:
		lanes &= UINT32_MAX >> (32 - access->lanes);
		if (lanes != 0)
			count_memory(thread, send, lanes, counts);
		break;
	case EU_ACCESS_MEDIA:
		counts[EU_PROFILE_BYTES] += access->bytes;
		break;
	}
}

bool eu_profile_is_plain(const struct eu_send *send)
{
	const struct eu_access *access = &send->access;
	unsigned bytes = access->size * (unsigned)__builtin_popcount(access->channels);

	return send->run && send->exec_size <= access->lanes &&
	       (access->kind == EU_ACCESS_SCATTER || access->kind == EU_ACCESS_ATOMIC) &&
	       (access->lanes == EU_PROFILE_PLAIN || access->lanes == EU_PROFILE_PLAIN / 2) &&
	       !access->is_scratch && access->space != EU_SPACE_STATELESS &&
	       (access->space != EU_SPACE_SURFACE || access->index <= EU_BTI_LAST) &&
	       access->shift == 0 && access->bytes == bytes && bytes <= MOST_PLAIN &&
	       (access->space != EU_SPACE_SLM || (bytes & (bytes - 1)) == 0) &&
	       access->at + access->lanes * (unsigned)access->address <=
		       send->mlen * (unsigned)GEN_GRF_BYTES;
}

eu_profile_lanes *eu_profile_select(enum eu_host host)
{
#ifdef __x86_64__
	if (host != EU_HOST_BASE)
		return host == EU_HOST_AVX512 ? eu_profile_avx512 : eu_profile_avx2;
#endif
	(void)host;
	return NULL;
}

const char *eu_profile_space(const struct eu_send *send)
{
	const struct eu_access *access = &send->access;

	switch (access->kind) {
	case EU_ACCESS_TYPED:
	case EU_ACCESS_TYPED_ATOMIC:
	case EU_ACCESS_TARGET:
	case EU_ACCESS_MEDIA:
	case EU_ACCESS_SAMPLER:
		return "image";
	case EU_ACCESS_SCATTER:
	case EU_ACCESS_ATOMIC:
	case EU_ACCESS_BLOCK:
		return access->space == EU_SPACE_SLM ? "local"
		       : access->is_scratch	     ? "scratch"
						     : "global";
	}
	return "";
}
