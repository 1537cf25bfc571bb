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

#define COMPILE_MESSAGE_VERSION 6u
#define COMPILE_MESSAGE_LIMIT	((uint64_t)1 << 30) /* bytes of fields, at most */

enum compile_message_type {
	COMPILE_MESSAGE_HELLO =
		1, /* helper, once: PID, IDENTITY; STATUS and LOG if it found no compiler */
	COMPILE_MESSAGE_BUILD,	  /* library: the fields of a request */
	COMPILE_MESSAGE_ACCEPTED, /* helper: the request is read, the compiler starts now */
	COMPILE_MESSAGE_RESULT,	  /* helper: STATUS, LOG, SPIRV, NATIVE, OUTPUT */
	COMPILE_MESSAGE_CRASH,	  /* helper, its last: SIGNAL */
	COMPILE_MESSAGE_NO_MEMORY /* helper, its last: the limit was reached; SIGNAL */
};

enum compile_field {
	COMPILE_FIELD_PID = 1, /* u32 */
	COMPILE_FIELD_STATUS,  /* u32, enum compile_status */
	COMPILE_FIELD_LOG,     /* text without NUL, as all texts */
	COMPILE_FIELD_SOURCE,
	COMPILE_FIELD_SPIRV,
	COMPILE_FIELD_NATIVE,
	COMPILE_FIELD_HEADER_NAME, /* any number of these, each followed by its HEADER_TEXT */
	COMPILE_FIELD_HEADER_TEXT,
	COMPILE_FIELD_OPTIONS,
	COMPILE_FIELD_FAMILY,
	COMPILE_FIELD_PREFIX,	 /* goes before the source, counts no lines */
	COMPILE_FIELD_DIRECTORY, /* relative -I start there */
	COMPILE_FIELD_OUTPUTS,	 /* u32, enum compile_output */
	COMPILE_FIELD_OUTPUT,	 /* what the compiler printed aside from its log */
	COMPILE_FIELD_SIGNAL,	 /* u32 */
	COMPILE_FIELD_MODULE,	 /* any number of these: SPIR-V to be linked */
	COMPILE_FIELD_FOREIGN,	 /* u32, 1: validate the SPIR-V */
	COMPILE_FIELD_MEMORY,	 /* u32, MiB that the build may use */
	COMPILE_FIELD_IDENTITY	 /* compiler_fingerprint.h; absent if it is not known */
};

/* A message that is being put together or was received. Zeroed is empty. */
struct compile_message {
	uint32_t type;
	unsigned char *data;
	size_t size;
	size_t room;
	bool broken; /* out of memory or over the limit: sending it fails */
};

/* A field of a received message; `data` points into it and is followed by a zero byte. */
struct compile_view {
	uint32_t tag;
	const char *data;
	size_t size;
};

enum compile_receive {
	COMPILE_RECEIVED,
	COMPILE_RECEIVE_END,	 /* the other side is gone */
	COMPILE_RECEIVE_TIMEOUT, /* deadline passed */
	COMPILE_RECEIVE_GARBAGE, /* not a message, or one of another version */
	COMPILE_RECEIVE_NO_MEMORY
};

void compile_message_put(
	struct compile_message *message, enum compile_field tag, const void *data, size_t size);
void compile_message_put_text(
	struct compile_message *message, enum compile_field tag, const char *text);
void compile_message_put_number(
	struct compile_message *message, enum compile_field tag, uint32_t value);

/* Steps through the fields: *at is 0 at first. False at the end. */
bool compile_message_next(
	const struct compile_message *message, size_t *at, struct compile_view *view);

/* The first field of that tag; `view` is empty (data "") and the answer false if there is none. */
bool compile_message_find(
	const struct compile_message *message, enum compile_field tag, struct compile_view *view);

/* The first field of that tag as a number; `fallback` if there is none of four bytes. */
uint32_t compile_message_number(
	const struct compile_message *message, enum compile_field tag, uint32_t fallback);

/* Writes all of it; false when the other side is gone or the message is broken. No SIGPIPE. */
bool compile_message_send(int fd, const struct compile_message *message);

/*
 * Reads one message into the empty `message`. `deadline_ms` is of CLOCK_MONOTONIC, negative for
 * never. The fields of a message that was received are all within its bounds.
 */
enum compile_receive compile_message_receive(
	int fd, struct compile_message *message, int64_t deadline_ms);

void compile_message_finish(struct compile_message *message);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t compile_clock_ms(void);

#endif
