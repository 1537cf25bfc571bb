// SPDX-License-Identifier: MIT
#ifndef EU_MESSAGE_H
#define EU_MESSAGE_H

/*
 * eu/message: what a SEND means. The table of messages (eu_message.def), the decoder of
 * descriptors, the choice of a handler, and the messages that touch no memory. Handlers that do are
 * in eu/memory (buffers, local memory, scratch) and eu/sampler (images).
 */
#include "eu/state/eu_send.h"
#include "eu/state/eu_thread.h"

/*
 * Fills *access from the SEND's shared function and descriptors, which must be its final ones.
 * Returns NULL, or why there is no such message on the device; access->name is set in any case.
 */
const char *eu_access_decode(
	const struct gen_device *device, const struct eu_send *send, struct eu_access *access);

/* What the message is called in reports; never NULL. Reads only sfid and desc. */
const char *eu_access_name(const struct gen_device *device, const struct eu_send *send);

/*
 * Messages that have micro-operations of their own (eu_uop_message_tmpl.h): sixteen lanes or eight
 * load or store elements of a surface, of local memory or at GPU addresses, addresses first in the
 * payload. Returns whether a bound message is one, and fills *plain.
 */
enum { EU_PLAIN_BYTES = 16, EU_PLAIN_WORDS = 17, EU_PLAIN_FORMS };
struct eu_access_plain {
	bool write;
	uint8_t space;	   /* enum eu_space */
	unsigned lanes;	   /* 8 or 16 */
	unsigned channels; /* bit n: the n-th dword from a lane's address on; or EU_PLAIN_… */
	uint16_t data;	   /* of stores: byte offset of the data in grf */
};
bool eu_access_is_plain(const struct eu_send *send, struct eu_access_plain *plain);

/*
 * Decodes a message into send->access and stores its handler in send->run. Cheap enough to be
 * called for each execution of a SEND whose descriptors come from a0; mlen, xlen and rlen must then
 * be those of the descriptors. Returns 0, or -1 with *fault filled when the device has no such
 * message or does not implement it.
 */
int eu_message_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault);

/*
 * Whether a bound message is a fence that orders nothing but this thread's stores: one of local
 * memory, or the last message but the end of the thread.
 */
static inline bool eu_message_is_weak_fence(const struct eu_send *send)
{
	return send->access.kind == EU_ACCESS_FENCE &&
	       (send->last || send->access.space == EU_SPACE_SLM);
}

/* The handlers of messages without memory (eu_sync.c). */
enum eu_status eu_message_none(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);
enum eu_status eu_message_fence(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);
enum eu_status eu_message_barrier(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);
enum eu_status eu_message_end(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);

#endif
