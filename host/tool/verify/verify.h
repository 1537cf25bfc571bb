// SPDX-License-Identifier: MIT
#ifndef VERIFY_H
#define VERIFY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/gen_device.h"

/*
 * `zerocl verify` executes single instructions, the vectors, as native kernels on two devices and
 * compares what they leave. A kernel holds a batch of vectors. Each of its work-groups is one EU
 * thread, and executes each vector with operands of its own: those of group g are in row g.
 */
enum {
	VERIFY_GROUPS = 40,
	VERIFY_OPERAND = 64, /* bytes of an operand: two registers */
	VERIFY_RESULT = 128, /* bytes that a vector leaves: four registers, at last the flags */
	VERIFY_MEMORY = 256, /* bytes of memory that a message works on, for each thread */
	VERIFY_ROW = 64,     /* bytes of a row, of an image that is such memory */
	VERIFY_SLOTS = 3,    /* sources of an instruction */
	VERIFY_BATCH = 48,
	VERIFY_MOST = 8192,
	VERIFY_LINES = 1024,
	VERIFY_AXES = 3, /* of images, at most */
};

/* What a vector does to an image, if anything: indices are those of the tables in verify_image.c.
 */
enum verify_image_kind { VERIFY_NO_IMAGE, VERIFY_SAMPLE, VERIFY_LOAD, VERIFY_STORE };
struct verify_image {
	enum verify_image_kind kind;
	uint8_t order, type, shape, addressing;
	bool is_linear, is_normalized;
};

/* A vector: an instruction, or a few, with sources in r20, r22, r24 and the result in r40 on. */
struct verify_vector {
	char name[32];		     /* of the operation or the message, for --only */
	char text[VERIFY_LINES];     /* lines of assembler, without dependencies */
	uint8_t types[VERIFY_SLOTS]; /* enum gen_type of each source; NONE: there is none */
	uint8_t type, stride, lanes; /* of the result; type NONE: bytes, compared as they are */
	uint8_t first;		     /* channel */
	uint16_t ulp;
	bool out_of_order; /* it completes out of order (math, send) */
	struct verify_image image;
	bool reaches_memory; /* what it leaves there is compared too */
	uint8_t texel;	     /* bytes of one, if that memory is an image's; 0: a buffer's */
};

struct verify_vectors {
	struct verify_vector *rows;
	size_t n;
	enum gen_generation generation;
};

/* How a process that runs batches tells how far it came; in memory that both have. */
struct verify_side {
	_Atomic unsigned started, done; /* batches */
	_Atomic bool is_known;		/* the following two are written */
	int generation; /* enum gen_generation; -1 if the device is not one of them */
	char name[128], driver[64], version[128];
	char why[512]; /* what went wrong last */
	uint8_t result[VERIFY_MOST][VERIFY_GROUPS][VERIFY_RESULT];
	uint8_t memory[VERIFY_MOST][VERIFY_GROUPS][VERIFY_MEMORY];
};

/*
 * The vectors of a generation whose name or text contains `only` (NULL: all), from the tables
 * verify_form.def, eu_message.def and those of verify_sequence.c and verify_image.c; images come
 * last. False without memory.
 */
bool verify_vectors_make(
	struct verify_vectors *vectors, enum gen_generation generation, const char *only);
void verify_vectors_finish(struct verify_vectors *vectors);

/* Adds the vectors of messages; a part of verify_vectors_make. */
bool verify_messages_add(struct verify_vectors *vectors, const char *only);
/* The same of control flow. */
bool verify_sequences_add(struct verify_vectors *vectors, const char *only);
/* Adds a copy of a vector unless `only` excludes it. False without memory. */
bool verify_vectors_add(
	struct verify_vectors *vectors, const struct verify_vector *vector, const char *only);

/* Appends to the text of a vector. */
void verify_put(struct verify_vector *vector, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The SEND of a generation: whole registers, lengths in registers; `mask` as "(W)" or "". */
void verify_send(char *text, size_t size, enum gen_generation generation, const char *mask,
	unsigned lanes, unsigned sfid, const char *dst, unsigned src0, unsigned src1, unsigned xlen,
	uint32_t desc);

/* The batch's assembler text, to be freed; NULL without memory. */
char *verify_code(const struct verify_vectors *vectors, size_t first, size_t n);

/* Operands: the bytes of all rows. In the place of those of no type is the address of memory. */
enum { VERIFY_OPERANDS_BYTES = GEN_TYPE_COUNT * VERIFY_SLOTS * VERIFY_GROUPS * VERIFY_OPERAND };
void verify_operands_fill(uint8_t *bytes, uint64_t address);
/* Where the operand of a type and source of group 0 is; those of the others follow. */
size_t verify_operand_at(uint8_t type, unsigned source);

/*
 * Runs the batches from `first` on the platform's first device, in this process. Returns when all
 * are done, or false with side->why.
 */
bool verify_run(struct verify_side *side, unsigned first, const char *only);

#endif
