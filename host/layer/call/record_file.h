// SPDX-License-Identifier: MIT
#ifndef RECORD_FILE_H
#define RECORD_FILE_H

#include <stdio.h>

#include "layer/call/call.h"

/*
 * A record: what a program asked of OpenCL, as items in the order in which the calls returned.
 * While the program runs, items are written one by one into a raw file, so that the end of the
 * process, also by a signal, loses no more than the last. A packed file is the same, compressed
 * by zstd behind a header. Both are read by record_read, which trusts nothing in them.
 *
 * An item is its size and the XXH32 of what follows (32 bits each, little-endian), its type (a
 * byte), and its payload: numbers of 7 bits a byte, lowest first, the highest bit set but in the
 * last; texts and bytes, with their number before. The payload by type:
 */
enum record_type {
	RECORD_CALLS,  /* the rows of call.def: for each, name and signature; then until "" */
	RECORD_CHUNK,  /* id, bytes: part of a content, CHUNK_BYTES of it, less at its end */
	RECORD_CALL,   /* struct record_call */
	RECORD_RESULT, /* the call's number, content: what it wrote to the host, without gaps */
	RECORD_TIMES,  /* the call's number; when its command was queued, submitted, started, ended
			*/
	RECORD_DEVICE, /* id, platform, device, driver version; index among those of its platform */
	RECORD_NOTE,   /* a name, a text: about the program */
	RECORD_HEADER, /* a folder as in options, a name, content: a file that programs include */
	RECORD_BASE,   /* id, address, size: of an allocation of shared memory */
	/*
	 * id of memory, offset, content, number of a call: what the host wrote there before the
	 * next call. With a number: what host or device wrote by the time that command had ended,
	 * where several threads leave open who it was.
	 */
	RECORD_HOST_WROTE,
	RECORD_DEVICE_WROTE, /* the same: what the command has left */
	RECORD_KERNEL,	     /* id, name: of a kernel that was created with others */
	RECORD_BUFFER,	     /* id of a buffer, content: what it holds now */
	RECORD_ENTERED,	     /* the number of a blocking call: its command is in its queue now */
	RECORD_TYPES
};

enum { RECORD_CHUNK_BYTES = 4096 };
#define RECORD_MOST_BYTES ((uint64_t)64 << 30) /* of a raw record */

/* Bytes that grow. `failed` is set when memory ran out; all that follows is left out. */
struct record_bytes {
	unsigned char *data;
	size_t size, room;
	bool failed;
};

void record_put(struct record_bytes *bytes, const void *data, size_t size);

/* Blocks of memory that end together. `failed` is set when there was none for one of them. */
struct record_memory {
	void **blocks;
	size_t n;
	bool failed;
};

/* Zeroed memory, or NULL. */
void *record_allocate(struct record_memory *memory, size_t count, size_t size);
void record_free(struct record_memory *memory);

/* Bytes of the program, as the chunks that hold them. */
struct record_content {
	uint64_t size;
	uint32_t n, *chunks;
};

/* What an argument was. */
enum record_tag {
	RECORD_NULL,	 /* no address */
	RECORD_NUMBER,	 /* a number, or the id of a handle, 0 for none */
	RECORD_NUMBERS,	 /* an array of them */
	RECORD_CONTENTS, /* one content, or an array of them */
	RECORD_SHARED,	 /* an address in shared memory: id of the allocation, offset */
	RECORD_ADDRESS,	 /* some other address */
	RECORD_TAGS
};

struct record_value {
	enum record_tag tag;
	uint64_t number, offset;
	uint32_t count;
	uint64_t *numbers;
	struct record_content *contents;
};

/*
 * A call. Ids of handles are given in the order of creation, from 1, and never again.
 * Calls that record no arguments have no values.
 */
struct record_call {
	const struct call *call;
	uint32_t number;     /* from 1 */
	uint32_t thread;     /* from 0, in the order of their first calls */
	uint64_t begin, end; /* nanoseconds, CLOCK_MONOTONIC */
	int32_t error;
	uint64_t result; /* id of what was created, or 0 */
	unsigned n;
	struct record_value values[CALL_MOST_PARAMS];
};

/* An item, decoded: a call, or the numbers, texts and content of its payload, each in order. */
struct record_entry {
	enum record_type type;
	struct record_call *call; /* NULL: it is none, or not a valid one */
	uint64_t numbers[5];
	const char *texts[3]; /* belong to the record */
	struct record_content content;
	bool is_bad; /* the payload is not what the type says */
	size_t next; /* the item behind it */
	struct record_call own;
	struct record_memory memory; /* of what is decoded */
};

/* What the payloads of a type have, but for calls and chunks: n a number, t a text, c a content. */
extern const char *const record_layouts[RECORD_TYPES];

/* Write an item. False if it cannot be written whole. */
bool record_write(int fd, const struct record_entry *entry);
bool record_write_calls(int fd);
bool record_write_chunk(int fd, uint64_t id, const void *bytes, size_t size);

struct record_item {
	enum record_type type;
	const unsigned char *data;
	size_t size;
};

/* A whole record in memory. Chunks that are missing have no data. */
struct record {
	unsigned char *raw;
	size_t size;
	struct record_item *items;
	size_t n;
	struct record_item *chunks; /* by id */
	size_t n_chunks;
	const struct call **calls; /* by the numbers of the file */
	unsigned n_calls;
	bool torn; /* the last item was not whole */
};

/* Reads a raw or packed file. NULL, with a sentence in why, if it is not a whole valid record. */
struct record *record_read(const char *path, char *why, size_t why_size);
/* The same of a raw record in memory, which then belongs to the record, or is freed. */
struct record *record_parse(unsigned char *raw, size_t size, char *why, size_t why_size);
void record_destroy(struct record *record);

/* Writes the raw record as a packed file. */
bool record_pack(const char *path, const void *raw, size_t size, char *why, size_t why_size);

/* Decodes an item; end its memory. */
void record_decode(const struct record *record, size_t item, struct record_entry *entry);
/*
 * Decodes item `next` of an entry that is zeroed, or was decoded before, whose memory ends. False
 * behind the last item: there is no memory then.
 */
bool record_next(const struct record *record, struct record_entry *entry);
/* The same for the next valid call. */
bool record_next_call(const struct record *record, struct record_entry *entry);
/* A short text that is a content, "" if it is none. Belongs to the record. */
const char *record_content_text(const struct record *record, const struct record_content *content);
/* Copies bytes of a content. */
void record_content_copy(
	const struct record *record, const struct record_content *content, void *bytes);

#endif
