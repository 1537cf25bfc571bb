// SPDX-License-Identifier: MIT
#ifndef EU_MEMORY_H
#define EU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eu/message/eu_surface.h"
#include "eu/state/eu_thread.h"

/* What the offsets of a message are relative to. */
enum eu_space {
	EU_SPACE_SURFACE,   /* a buffer surface: out of range reads 0, writes vanish */
	EU_SPACE_STATELESS, /* the general state base */
	EU_SPACE_SLM,	    /* the group's shared local memory: out of range as for surfaces */
	EU_SPACE_A64,	    /* nothing: GPU addresses */
	EU_SPACES
};

/*
 * The memory that one message reaches. Offsets [first, end) are at host + (offset - first); others
 * below `limit` have to be looked up and those from `limit` on do not exist. In the spaces
 * STATELESS and A64 an offset is a GPU address of 48 bits.
 */
struct eu_view {
	uint8_t *host;
	uint64_t first, end;
	uint64_t base;	/* GPU address of offset 0 */
	uint64_t limit; /* bytes */
	struct eu_thread *thread;
	const struct eu_send *send;
	enum eu_space space;
};

/*
 * Copies between GPU memory and the host, over several buffers when they adjoin. Returns false,
 * with *missing (unless NULL) the first address that nothing is bound to; part may have been
 * copied.
 */
bool eu_memory_copy_from(
	const struct eu_bus *bus, uint64_t address, void *out, size_t bytes, uint64_t *missing);
bool eu_memory_copy_to(const struct eu_bus *bus, uint64_t address, const void *in, size_t bytes,
	uint64_t *missing);

/*
 * Loads or stores `bytes` at an offset that is not, or not wholly, within the view's range; dword
 * by dword where that matters for bounds. The range found becomes the view's and the SEND site's.
 * Returns false with worker->fault filled when nothing is bound there. `lane` is of the message.
 */
bool eu_view_load(struct eu_view *view, unsigned lane, uint64_t offset, void *out, unsigned bytes);
bool eu_view_store(
	struct eu_view *view, unsigned lane, uint64_t offset, const void *in, unsigned bytes);

/*
 * Looks an offset up as eu_view_load does, for atomics: the host address of `bytes` that lie in one
 * buffer. Returns false on a fault; sets *host to NULL when the offset is out of range.
 */
bool eu_view_find(
	struct eu_view *view, unsigned lane, uint64_t offset, unsigned bytes, uint8_t **host);

/* Makes the view of a message. Returns false with worker->fault filled. */
static inline bool eu_view_open(struct eu_view *view, struct eu_thread *thread,
	const struct eu_send *send, enum eu_space space)
{
	view->thread = thread;
	view->send = send;
	view->space = space;
	if (space == EU_SPACE_SURFACE) {
		const struct eu_surface *surface = eu_surface_find(thread, send);
		uint64_t reach;

		if (!surface)
			return false;
		reach = surface->range.end - surface->base;
		view->base = surface->base;
		view->limit = surface->size;
		view->first = 0;
		view->end = reach < surface->size ? reach : surface->size;
		view->host = NULL;
		if (surface->range.end == 0)
			view->end = 0;
		else
			view->host = surface->range.host + (surface->base - surface->range.first);
	} else if (space == EU_SPACE_SLM) {
		view->host = thread->group->slm;
		view->first = 0;
		view->base = 0;
		view->limit = view->end = thread->worker->dispatch->slm_bytes;
	} else {
		const struct eu_range *range = &thread->worker->translations[send->site].range;

		view->host = range->host;
		view->first = range->first;
		view->end = range->end;
		view->base = 0;
		view->limit = EU_ADDRESS_MASK + 1;
	}
	return true;
}

/* Host address of `bytes` at an offset, or NULL when they are not all in the view's range. */
static inline uint8_t *eu_view_at(const struct eu_view *view, uint64_t offset, uint64_t bytes)
{
	uint64_t into = offset - view->first, span = view->end - view->first;

	return into < span && bytes <= span - into ? view->host + into : NULL;
}

/* Bits of an SLM address that count: 64 KiB, without the tag that marks local pointers. */
#define EU_SLM_MASK UINT32_C(0xffff)

/*
 * Bytes [first, first + bytes) of the payload, which is src0's registers followed by src1's; `copy`
 * is used when they lie in both.
 */
static inline const uint8_t *eu_payload(const struct eu_thread *thread, const struct eu_send *send,
	unsigned first, unsigned bytes, uint8_t *copy)
{
	unsigned cut = send->mlen * (unsigned)GEN_GRF_BYTES;
	const uint8_t *low = thread->grf + send->src0 + first;

	if (first + bytes <= cut)
		return low;
	if (first >= cut)
		return thread->grf + send->src1 + (first - cut);
	for (unsigned i = 0; i < bytes; i++)
		copy[i] = first + i < cut ? low[i] : thread->grf[send->src1 + (first + i - cut)];
	return copy;
}

#endif
