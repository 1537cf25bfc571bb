// SPDX-License-Identifier: MIT
#ifndef GEN_DECODE_H
#define GEN_DECODE_H

#include <stdatomic.h>
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

/* Kernels have at most this many bytes. */
enum { GEN_PROGRAM_BYTES = 4 << 20 };

/*
 * Decodes the kernel at `code`, of which at most `limit` bytes may be read. The kernel's own end is
 * found by following it: the last EOT that no branch passes, never the end of the buffer.
 * Returns NULL and fills *fault when the code cannot be decoded or libiga64 cannot be loaded, and
 * when *stop (which may be NULL) becomes non-zero. The caller destroys the program.
 */
struct gen_program *gen_decode_until(const struct gen_device *device, const void *code,
	size_t limit, const atomic_int *stop, struct gen_fault *fault);

static inline struct gen_program *gen_decode(
	const struct gen_device *device, const void *code, size_t limit, struct gen_fault *fault)
{
	return gen_decode_until(device, code, limit, NULL, fault);
}

void gen_program_destroy(struct gen_program *program);

/*
 * A program as text. Borrows the program. Slow to create, for reports and traces only; NULL when
 * memory is short.
 */
struct gen_disassembly *gen_disassembly_create(
	const struct gen_device *device, const struct gen_program *program);
void gen_disassembly_destroy(struct gen_disassembly *disassembly);

/* Writes instruction `index` in IGA's assembler syntax, NUL-terminated, cut at `size`. */
void gen_disassembly_text(
	const struct gen_disassembly *disassembly, uint32_t index, char *text, size_t size);

/* The same for one instruction. */
void gen_disassemble(const struct gen_device *device, const struct gen_program *program,
	uint32_t index, char *text, size_t size);

#endif
