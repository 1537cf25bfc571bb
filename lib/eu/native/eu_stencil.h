// SPDX-License-Identifier: MIT
#ifndef EU_STENCIL_H
#define EU_STENCIL_H

#include "eu/ops/eu_kernel.h"

/*
 * Copy and patch: the handlers of micro-operations (eu_uop_tmpl.h), built once more so that their
 * operands and successors are relocations, are copied one behind the other and the operands put in.
 * The build makes a table of them (eu_stencil_tool.c). What has no stencil, because it reaches
 * for more than can be relocated, goes through its handler, which goes on in the copied code.
 */

/* What a relocation of a stencil puts in. Fields of the micro-operation first. */
enum eu_patch {
#define FIELD(NAME, field) EU_PATCH_##NAME,
#include "eu/ops/uop.def"
	EU_PATCH_SELF,	  /* bytes from thread->uops to the micro-operation */
	EU_PATCH_NEXT,	  /* from here on distances from the place of the relocation: code that */
	EU_PATCH_FULL,	  /* follows, at `target` with all channels on, */
	EU_PATCH_PARTIAL, /* with some, */
	EU_PATCH_PAST,	  /* `past` micro-operations further; */
	EU_PATCH_DATA,	  /* constants; */
	EU_PATCH_CALL,	  /* function `index` of the table */
};

struct eu_stencil_patch {
	uint16_t at; /* in the stencil */
	uint8_t what;
	bool is_signed; /* the processor extends the value with its sign */
	uint16_t index;
	int32_t addend;
};

struct eu_stencil {
	uint32_t code, size;   /* in the table's code */
	uint32_t first, count; /* patches */
};

/* All stencils for one instruction set of the host. */
struct eu_stencil_table {
	const uint8_t *code, *data;
	uint32_t data_size, slot_count, function_count;
	const struct eu_stencil *stencils;
	const struct eu_stencil_patch *patches;
	const uint16_t *slots;	      /* by code of a micro-operation: 0, or 1 + its stencil */
	const char *const *functions; /* what stencils call */
};

extern const struct eu_stencil_table eu_stencil_base, eu_stencil_avx2, eu_stencil_avx512;

/*
 * Makes machine code of a kernel that was made of eu_handlers_of(host), and lets its micro-
 * operations run that. Leaves it as it is, which works as well, when memory is short or the system
 * does not allow new code. Returns whether it did.
 */
bool eu_stencil_apply(struct eu_kernel *kernel, enum eu_host host);

/* Frees kernel->code. */
void eu_stencil_finish(struct eu_kernel *kernel);

#endif
