// SPDX-License-Identifier: MIT
#ifndef ISA_REPORT_H
#define ISA_REPORT_H

#include <stdio.h>

#include "tool/isa/isa_program.h"

/* For each kernel: its resources, warnings, calls and what they became, and the listing. */
void isa_report_text(FILE *out, const struct isa_program *program);

/*
 * One page (tool/page) with the source and, side by side, what each device's compiler makes of it.
 * The programs, at least one, are of the same file. The instruction at an offset of
 * kernel k on device d is #d<d>k<k>L<offset>.
 */
void isa_report_html(FILE *out, const struct isa_program *programs, size_t n);

/* "SIMD16, 128 registers, …" */
void isa_report_resources(const struct isa_kernel *kernel, char *text, size_t size);

#endif
