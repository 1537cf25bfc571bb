// SPDX-License-Identifier: MIT
#ifndef HELPER_PROTOCOL_H
#define HELPER_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the library and zerocl-cc say to each other over a socket. A message is a head and fields
 * {tag, size, bytes}, in the byte order of the machine that both run on. Readers check everything:
 * the other side may be an older build, or out of its mind.
 */

#define HELPER_MESSAGE_VERSION 7u
#define HELPER_MESSAGE_LIMIT   ((uint64_t)1 << 30) /* bytes of fields, at most */

enum helper_message_type {
	HELPER_MESSAGE_HELLO =
		1, /* helper, once: PID, IDENTITY; STATUS and LOG if it found no compiler */
	HELPER_MESSAGE_BUILD,	 /* library: the fields of a request */
	HELPER_MESSAGE_ACCEPTED, /* helper: the request is read, the compiler starts now */
	HELPER_MESSAGE_RESULT,	 /* helper: STATUS, LOG, SPIRV, NATIVE, OUTPUT */
	HELPER_MESSAGE_CRASH,	 /* helper, its last: SIGNAL */
	HELPER_MESSAGE_NO_MEMORY /* helper, its last: the limit was reached; SIGNAL */
};

enum helper_field {
	HELPER_FIELD_PID = 1, /* u32 */
	HELPER_FIELD_STATUS,  /* u32, enum compile_status */
	HELPER_FIELD_LOG,     /* text without NUL, as all texts */
	HELPER_FIELD_SOURCE,
	HELPER_FIELD_SPIRV,
	HELPER_FIELD_NATIVE,
	HELPER_FIELD_HEADER_NAME, /* any number of these, each followed by its HEADER_TEXT */
	HELPER_FIELD_HEADER_TEXT,
	HELPER_FIELD_OPTIONS,
	HELPER_FIELD_FAMILY,
	HELPER_FIELD_PREFIX,	  /* precedes the source, counts no lines */
	HELPER_FIELD_DIRECTORY,	  /* relative -I start there */
	HELPER_FIELD_OUTPUTS,	  /* u32, enum compile_output */
	HELPER_FIELD_SOFT_DOUBLE, /* u32 */
	HELPER_FIELD_OUTPUT,	  /* what the compiler printed aside from its log */
	HELPER_FIELD_SIGNAL,	  /* u32 */
	HELPER_FIELD_MODULE,	  /* any number of these: SPIR-V to be linked */
	HELPER_FIELD_MEMORY,	  /* u32, MiB that the build may use */
	HELPER_FIELD_FINGERPRINT  /* compiler_fingerprint.h; absent if it is not known */
};

/* A message that is being put together or was received. Zeroed is empty. */
struct helper_message {
	uint32_t type;
	unsigned char *data;
	size_t size;
	size_t room;
	bool broken; /* out of memory or over the limit: sending it fails */
};

/* A field of a received message; `data` points into it and is followed by a zero byte. */
struct helper_view {
	uint32_t tag;
	const char *data;
	size_t size;
};

enum helper_receive {
	HELPER_RECEIVED,
	HELPER_RECEIVE_END,	/* the other side is gone */
	HELPER_RECEIVE_TIMEOUT, /* deadline passed */
	HELPER_RECEIVE_GARBAGE, /* not a message, or one of another version */
	HELPER_RECEIVE_NO_MEMORY
};

void helper_message_put(
	struct helper_message *message, enum helper_field tag, const void *data, size_t size);
void helper_message_put_text(
	struct helper_message *message, enum helper_field tag, const char *text);
void helper_message_put_number(
	struct helper_message *message, enum helper_field tag, uint32_t value);

/* Steps through the fields: *at is 0 at first. False at the end. */
bool helper_message_next(
	const struct helper_message *message, size_t *at, struct helper_view *view);

/* The first field of that tag; `view` is empty (data "") and the answer false if there is none. */
bool helper_message_find(
	const struct helper_message *message, enum helper_field tag, struct helper_view *view);

/* The first field of that tag as a number; `fallback` if there is none of four bytes. */
uint32_t helper_message_number(
	const struct helper_message *message, enum helper_field tag, uint32_t fallback);

/* Writes all of it; false when the other side is gone or the message is broken. No SIGPIPE. */
bool helper_message_send(int fd, const struct helper_message *message);

/*
 * Reads one message into the empty `message`. `deadline_ms` is of CLOCK_MONOTONIC, negative for
 * never. The fields of a message that was received are all within its bounds.
 */
enum helper_receive helper_message_receive(
	int fd, struct helper_message *message, int64_t deadline_ms);

void helper_message_finish(struct helper_message *message);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t compile_clock_ms(void);

#endif
