// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_SESSION_H
#define EU_DEBUG_SESSION_H

#include "eu/debug/eu_debug_world.h"

/* One conversation with GDB: what each packet means. Knows no socket. Under the world's lock. */
struct eu_debug_session {
	bool no_ack;	 /* GDB has asked for no '+' */
	bool waits;	 /* for a stop reply */
	bool is_over;	 /* after this answer: detached, or gone */
	bool kills;	 /* after this answer the process is to be killed */
	uint64_t thread; /* that registers and memory are of */
	const struct gen_device *device;
	struct eu_debug_text text; /* the document that is being read, or nothing */
	char document[128];	   /* its name */
};

void eu_debug_session_init(struct eu_debug_session *session, const struct gen_device *device);
void eu_debug_session_finish(struct eu_debug_session *session);

/*
 * Answers a packet: appends the payload of the reply, which is empty for packets that are not
 * known. False: there is no reply yet, because the threads run.
 */
bool eu_debug_answer(struct eu_debug_session *session, const char *packet, size_t size,
	struct eu_debug_text *reply);

/* Appends the payload of the stop reply that GDB waits for. */
void eu_debug_stop_reply(struct eu_debug_session *session, struct eu_debug_text *reply);

/* Appends what a command of `monitor` prints (eu_debug_monitor.c). */
void eu_debug_monitor(
	struct eu_debug_session *session, const char *command, struct eu_debug_text *out);

#endif
