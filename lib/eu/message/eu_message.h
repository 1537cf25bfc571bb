// SPDX-License-Identifier: MIT
#ifndef EU_MESSAGE_H
#define EU_MESSAGE_H

#include "eu/state/eu_thread.h"

/*
 * Finds the handler of a message from its sfid and descriptors and stores it in send->run. All
 * families of messages are rows of one table {sfid, type, name, bind}. Cheap enough to be called
 * for each execution of a SEND whose descriptors come from a0; mlen, xlen and rlen must then be
 * those of the descriptors.
 * Returns 0, or -1 with *fault naming the message and its descriptor when there is no such message
 * or it is not implemented.
 */
int eu_message_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault);

/*
 * Whether a bound message is a fence that orders nothing but this thread's stores: one of local
 * memory, or the last message but the end of the thread.
 */
bool eu_message_is_weak_fence(const struct eu_send *send);

/* Whether a bound message does nothing but end the thread. */
bool eu_message_ends(const struct eu_send *send);

/*
 * Messages that have micro-operations of their own (eu_uop_message_tmpl.h): sixteen lanes load or
 * store dwords of a surface or of local memory, addresses first in the payload.
 */
struct eu_message_plain {
	bool write, local;
	unsigned channels; /* bit n: the n-th dword from a lane's address on */
	uint16_t data;	   /* of stores: byte offset of the data in grf */
};
bool eu_message_is_plain(const struct eu_send *send, struct eu_message_plain *plain);

/* What the message is called in reports; never NULL. */
const char *eu_message_name(const struct eu_send *send);

#endif
