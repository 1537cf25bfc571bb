// SPDX-License-Identifier: MIT
#ifndef EU_MEMORY_H
#define EU_MEMORY_H

/*
 * eu/memory: messages to buffers, local memory and scratch space, executed from a decoded access
 * (eu_send.h). Nothing here reads a descriptor, and nothing knows of images.
 */
#include <stddef.h>
#include <string.h>

#include "eu/memory/eu_surface.h"
#include "eu/state/eu_thread.h"

/*
 * The handlers of EU_ACCESS_SCATTER and EU_ACCESS_ATOMIC that suit the access and the host, and the
 * one of EU_ACCESS_BLOCK.
 */
eu_message_fn eu_scatter_handler(const struct eu_access *access);
eu_message_fn eu_atomic_handler(const struct eu_access *access);
enum eu_status eu_block_run(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);

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
};

/*
 * Copies between GPU memory and the host, over several buffers when they adjoin. Returns false,
 * with *missing (unless NULL) the first address that nothing is bound to; part may have been
 * copied. What is copied to GPU memory may be a part of it.
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
static inline bool eu_view_open(
	struct eu_view *view, struct eu_thread *thread, const struct eu_send *send)
{
	*view = (struct eu_view){ .thread = thread, .send = send };
	if (send->access.space == EU_SPACE_SURFACE) {
		const struct eu_surface *surface = eu_surface_find(thread, send);

		if (!surface)
			return false;
		view->base = surface->base;
		view->limit = surface->size;
		view->host = surface->host;
		view->end = surface->reach;
	} else if (send->access.space == EU_SPACE_SLM) {
		view->host = thread->group->slm;
		view->limit = view->end = thread->worker->dispatch->slm_bytes;
	} else {
		const struct eu_range *range = &thread->worker->translations[send->site].range;

		view->host = range->host;
		view->first = range->first;
		view->end = range->end;
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

/* Bits of an SLM address that count, without the tag that marks local pointers. */
#define EU_SLM_MASK (UINT32_C(1) * GEN_SLM_BYTES - 1)

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

/* Dword `index` of a row of dwords, such as a header. */
static inline uint32_t eu_payload_dword(const uint8_t *bytes, unsigned index)
{
	uint32_t value;

	memcpy(&value, bytes + index * 4, 4);
	return value;
}

/* ---- where a lane's access is ---- */

/* What is added to the addresses of all lanes: only stateless messages have a base. */
static inline uint64_t eu_access_base(
	const struct eu_thread *thread, const struct eu_send *send, enum eu_space space)
{
	const uint8_t *header = thread->grf + send->src0;
	uint64_t base;

	if (space != EU_SPACE_STATELESS)
		return 0;
	base = thread->worker->dispatch->general_state_base;
	if (!send->access.has_header) /* as those of the load-store cache */
		return base + send->access.offset;
	if (send->access.kind == EU_ACCESS_BLOCK)
		base += eu_payload_dword(header, 5) & ~UINT32_C(0x3ff);
	else
		base += (uint64_t)eu_payload_dword(header, 2) + eu_payload_dword(header, 5);
	return base + send->access.offset;
}

/* What the registers hold as the address of a lane. */
static inline uint64_t eu_access_address(
	const uint8_t *addresses, unsigned lane, enum eu_space space)
{
	uint64_t wide;

	if (space != EU_SPACE_A64)
		return eu_payload_dword(addresses, lane);
	memcpy(&wide, addresses + lane * 8, 8);
	return wide;
}

/* The offset within its space that an address stands for. */
static inline uint64_t eu_access_offset(
	uint64_t base, uint64_t address, enum eu_space space, unsigned shift)
{
	if (space == EU_SPACE_A64)
		return address & EU_ADDRESS_MASK;
	address <<= shift;
	if (space == EU_SPACE_SLM)
		return address & EU_SLM_MASK;
	return space == EU_SPACE_STATELESS ? (base + address) & EU_ADDRESS_MASK : address;
}

/* The offset of a block, whose address is in the header that its payload begins with. */
static inline uint64_t eu_access_block(const struct eu_thread *thread, const struct eu_send *send)
{
	const uint8_t *address = thread->grf + send->src0 + send->access.at;
	enum eu_space space = (enum eu_space)send->access.space;

	return eu_access_offset(eu_access_base(thread, send, space),
		send->access.address	    ? eu_access_address(address, 0, space)
		: space == EU_SPACE_SURFACE ? send->access.offset
					    : 0,
		space, send->access.shift);
}

/* The offset of one lane; 0 is a block. For what need not be fast. */
uint64_t eu_access_lane(const struct eu_thread *thread, const struct eu_send *send, unsigned lane);

#endif
