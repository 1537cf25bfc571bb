// SPDX-License-Identifier: MIT
#ifndef EU_FORM_H
#define EU_FORM_H

#include "eu/ops/eu_kernel.h"

/*
 * The forms of instructions that kernels were made of, counted over the whole process: opcode,
 * execution size, types and modifiers, or a message with its descriptor. When ZEROCL_VGPU_FORMS
 * names a file, the process appends a line for each form when it ends: "<how>\t<times
 * executed>\t<form>\t<an instruction of it, as hexadecimal bytes>\n". ci/paths counts them,
 * build/COVERAGE.md is made of these files, and eu_form_test executes the instructions in them. The
 * interpreter notes them: then ZEROCL_VGPU_ENGINE may change while the process runs, and stencils
 * note nothing.
 */
enum eu_form_how {
	EU_FORM_VECTOR,	 /* by micro-operations with vector code, or none */
	EU_FORM_LOOP,	 /* by micro-operations of which one is a loop over channels */
	EU_FORM_GENERAL, /* by the general path */
	EU_FORM_INLINE,	 /* a message that is a micro-operation of its own */
	EU_FORM_CALL,	 /* a message by a call of its function */
	EU_FORM_DYNAMIC, /* a message whose descriptor is known when it is sent */
	EU_FORM_MISSING, /* not implemented */
};

/* Writes the form of instruction `index` as text. */
void eu_form_text(const struct eu_kernel *kernel, uint32_t index, char *text, size_t size);

#endif
