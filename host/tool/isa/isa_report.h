// SPDX-License-Identifier: MIT
#ifndef ISA_REPORT_H
#define ISA_REPORT_H

#include <stdio.h>

#include "tool/isa/isa_program.h"

/* For each kernel: its resources, warnings, calls and what they became, and the listing. */
void isa_report_text(FILE *out, const struct isa_program *program);

/*
 * One page that loads nothing: source and listings side by side. Source line n is #s<n>,
 * instruction i of kernel k is #k<k>i<i>; each links to the other.
 */
void isa_report_html(FILE *out, const struct isa_program *program);

/* "SIMD16, 128 registers, …" */
void isa_report_resources(const struct isa_kernel *kernel, char *text, size_t size);

#endif
