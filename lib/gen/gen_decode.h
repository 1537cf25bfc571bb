// SPDX-License-Identifier: MIT
#ifndef GEN_DECODE_H
#define GEN_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "gen/gen_device.h"
#include "gen/gen_fault.h"
#include "gen/gen_inst.h"

/* A decoded kernel. Immutable once made, so that any number of threads may share it. */
struct gen_program {
	uint32_t count;
	struct gen_inst *inst; /* in address order */
	uint8_t *code;	       /* a copy of the machine code, for disassembly */
	uint32_t code_size;    /* bytes, up to and with the last instruction */
};

/*
 * Decodes the kernel at `code`, of which at most `limit` bytes may be read. The kernel's own end is
 * found by following it: the last EOT that no branch passes, never the end of the buffer.
 * Returns NULL and fills *fault when the code cannot be decoded or libiga64 cannot be loaded.
 * The caller destroys the program.
 */
struct gen_program *gen_decode(
	const struct gen_device *device, const void *code, size_t limit, struct gen_fault *fault);
void gen_program_destroy(struct gen_program *program);

/*
 * Writes instruction `index` in IGA's assembler syntax, NUL-terminated, cut at `size`. Slow: for
 * reports and traces only.
 */
void gen_disassemble(const struct gen_device *device, const struct gen_program *program,
	uint32_t index, char *text, size_t size);

#endif
