// SPDX-License-Identifier: MIT
#ifndef GEN_FAULT_H
#define GEN_FAULT_H

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

/*
 * Why the device stopped: a guest fault is a value that travels from where it happened up to the
 * context. Each layer on the way appends what it alone knows (instruction, lane; thread group,
 * kernel; command; nearest buffer), one line each.
 */
struct gen_fault {
	enum gen_fault_kind kind;
	uint64_t address;  /* GPU virtual address of the access, of the packet, or 0 */
	char report[1024]; /* readable, NUL-terminated, lines end in '\n' */
};

/* Appends a line to the report (cut where it no longer fits); sets the kind when none is set yet.
 */
void gen_fault_add(struct gen_fault *fault, enum gen_fault_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
