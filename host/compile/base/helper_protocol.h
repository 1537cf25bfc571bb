// SPDX-License-Identifier: MIT
#ifndef HELPER_PROTOCOL_H
#define HELPER_PROTOCOL_H

#include "compile/base/request.h"

/*
 * What the library and zerocl-cc say to each other over a socket. A message is a head and, but for
 * those that say no more than their type and number, what struct helper_message holds, as
 * byte_stream.h writes it. Readers check everything: the other side may be an older build, or out
 * of its mind.
 */

#define HELPER_MESSAGE_VERSION 8u
#define HELPER_MESSAGE_LIMIT   ((uint64_t)1 << 30) /* bytes behind the head, at most */

enum helper_message_type {
	HELPER_MESSAGE_HELLO = 1, /* helper, once; `result` is a log if it found no compiler */
	HELPER_MESSAGE_BUILD,	  /* library */
	HELPER_MESSAGE_ACCEPTED,  /* helper: the request is read, the compiler starts now */
	HELPER_MESSAGE_RESULT,	  /* helper */
	HELPER_MESSAGE_CRASH,	  /* helper, its last */
	HELPER_MESSAGE_NO_MEMORY  /* helper, its last: the limit was reached */
};

/* A message to be sent, or one that was received: then all is a view into `data`, and is empty if
 * the message has only a head. Texts that are NULL arrive as "". */
struct helper_message {
	enum helper_message_type type;
	uint32_t number; /* HELLO: the process; BUILD: MiB that it may use; CRASH: the signal */
	/* BUILD: what to make of what; nothing of what only the library knows */
	struct compile_request request;
	const char *prefix;	      /* BUILD: precedes the source, counts no lines */
	const char *directory;	      /* BUILD: relative -I start there */
	struct compile_result result; /* RESULT, HELLO */
	const char *text; /* HELLO: compiler_fingerprint.h, "" if it is not known; RESULT: what the
			     compiler printed aside from its log */
	void *data;
	struct pool *pool;
};

enum helper_receive {
	HELPER_RECEIVED,
	HELPER_RECEIVE_END,	/* the other side is gone */
	HELPER_RECEIVE_TIMEOUT, /* deadline passed */
	HELPER_RECEIVE_GARBAGE, /* not a message, or one of another version */
	HELPER_RECEIVE_NO_MEMORY
};

/* The message as bytes, to be freed; NULL when out of memory or above the limit. */
void *helper_message_pack(const struct helper_message *message, size_t *size);

/* Writes all of them; false when the other side is gone. No SIGPIPE. */
bool helper_message_send_packed(int fd, const void *bytes, size_t size);

/* Both in one. */
bool helper_message_send(int fd, const struct helper_message *message);

/* Sends a message of a head alone, also from a signal handler. */
bool helper_message_send_head(int fd, enum helper_message_type type, uint32_t number);

/*
 * Reads one message into `message`, which is to be finished if one was received. `deadline_ms` is
 * of CLOCK_MONOTONIC, negative for never.
 */
enum helper_receive helper_message_receive(
	int fd, struct helper_message *message, int64_t deadline_ms);

/* Also accepts a zeroed one. */
void helper_message_finish(struct helper_message *message);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t compile_clock_ms(void);

#endif
