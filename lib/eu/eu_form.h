// SPDX-License-Identifier: MIT
#ifndef EU_FORM_H
#define EU_FORM_H

#include "eu/eu_kernel.h"

/*
 * The forms of instructions that kernels were made of, counted over the whole process: opcode,
 * execution size, types and modifiers, or a message with its descriptor. When ZEROCL_VGPU_FORMS
 * names a file, the process appends a line for each form when it ends: "<how>\t<was it
 * executed>\t<form>\n". docs/COVERAGE.md is made of these files.
 */
enum eu_form_how {
	EU_FORM_SPECIAL, /* by micro-operations of its own */
	EU_FORM_GENERAL, /* by the general path */
	EU_FORM_DYNAMIC, /* a message whose descriptor is known when it is sent */
	EU_FORM_MISSING, /* not implemented */
};

struct eu_form;

/* Writes the form of instruction `index` as text. */
void eu_form_text(const struct eu_kernel *kernel, uint32_t index, char *text, size_t size);

/* Finds or adds a form; it is the process's and never goes away. NULL: no memory. */
struct eu_form *eu_form_find(const char *text, enum eu_form_how how);

/* Notes that it was executed. May be called from any thread. */
void eu_form_execute(struct eu_form *form);

#endif
