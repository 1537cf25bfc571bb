// SPDX-License-Identifier: MIT
#ifndef GEN_FAULT_H
#define GEN_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gen_fault_kind {
	GEN_FAULT_NONE,
	GEN_FAULT_PAGE,		   /* an address that nothing is bound to */
	GEN_FAULT_BAD_INSTRUCTION, /* illegal, or one that the device does not implement */
	GEN_FAULT_BAD_MESSAGE,	   /* a SEND whose descriptor or payload means nothing, or is not
				      implemented */
	GEN_FAULT_BAD_PACKET,	   /* a command that the streamer does not know */
	GEN_FAULT_BAD_STATE,	   /* state that cannot be run: no kernel, impossible sizes */
	GEN_FAULT_HANG,	     /* stopped because it never ended, or because its context went away */
	GEN_FAULT_NO_MEMORY, /* the host ran out of memory */
};

/* Where a fault happened, as far as it is known; all zeros when nothing is. */
struct gen_fault_place {
	uint64_t kernel; /* GPU address of the kernel that the walker started; 0: none */
	bool has_instruction, has_thread, has_lane;
	bool in_function;     /* the instruction is of a function that the kernel has called */
	uint32_t instruction; /* its number in the code that the thread executes */
	uint32_t offset;      /* bytes from the start of the kernel or function */
	uint32_t line;	      /* of the source; 0: not known */
	uint32_t column;      /* of that line; 0: not known */
	uint32_t group[3], thread;
	uint32_t lane;	/* channel of the thread */
	char name[80];	/* of the kernel; empty: not known */
	char code[160]; /* the instruction disassembled; empty: not known */
};

/*
 * Why the device stopped: a guest fault is a value that travels from where it happened up to the
 * context. Each layer on the way fills in what it alone knows; text is made of it once, by
 * gen_fault_text, where the device reports it.
 */
struct gen_fault {
	enum gen_fault_kind kind;
	uint64_t address; /* GPU virtual address of the access, of the packet, or 0 */
	struct gen_fault_place place;
	char report[1024]; /* what happened: NUL-terminated, lines end in '\n' */
};

/* Appends a line to the report (cut where it no longer fits); sets the kind when none is set yet.
 */
void gen_fault_add(struct gen_fault *fault, enum gen_fault_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Writes "kernel NAME, line L, instruction at 0xOFFSET: CODE", as much of it as is known, which may
 * be nothing. Returns the length that was written, less than size.
 */
size_t gen_fault_place_text(const struct gen_fault_place *place, char *text, size_t size);

/*
 * Writes the fault as lines that end in '\n': what happened, where, and what else was added to the
 * report. Returns the length that was written, less than size.
 */
size_t gen_fault_text(const struct gen_fault *fault, char *text, size_t size);

#endif
