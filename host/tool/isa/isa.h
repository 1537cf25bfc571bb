// SPDX-License-Identifier: MIT
#ifndef ISA_H
#define ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "compile/build/compile.h"
#include "compile/zebin/reflect.h"
#include "tool/base/disasm.h"

/* A program as `zerocl isa` shows it: source, native code, and what belongs together. */

struct isa_instruction {
	const char *text; /* as libiga64 writes it, without the address */
	unsigned long address;
	unsigned line; /* of the source, 0 if it belongs to none */
	bool is_code;  /* false: a label */
};

struct isa_kernel {
	const struct compile_kernel *info;
	struct isa_instruction *instructions;
	size_t n;
	char *listing;	/* owns the texts */
	bool has_lines; /* instructions have source lines */
};

/* A sub-group built-in, barrier or fence that the source calls. */
struct isa_call {
	unsigned line;
	char name[64];
};

struct isa_program {
	const char *path, *family;
	char *source;	    /* with NULs for ends of lines */
	const char **lines; /* lines[0] is line 1 */
	size_t n_lines;
	struct isa_call *calls;
	size_t n_calls;
	struct isa_kernel *kernels;
	size_t n_kernels;
	char *why; /* why it could not be opened; may be NULL */
	struct compile_result built;
	struct reflection reflection;
};

/*
 * Compiles the file for a family ("tgllp") with options (not NULL). False with a sentence, or the
 * compiler's log, in program->why. Finish it in any case.
 */
bool isa_program_open(struct isa_program *program, const struct disasm *disasm, const char *path,
	const char *family, const char *options);
void isa_program_finish(struct isa_program *program);

/*
 * What a call became in a kernel: "2 mov region, sync.bar" for the instructions of its line, or ""
 * if the kernel has none of them. Text is cut at size.
 */
void isa_program_became(const struct isa_kernel *kernel, unsigned line, char *text, size_t size);

/* Warning `i` of a kernel (from 0 on) into text; false if there are no more. */
bool isa_program_warning(const struct isa_program *program, const struct isa_kernel *kernel,
	unsigned i, char *text, size_t size);

/* Calls of a line of source, for tests: appends to *calls. `in_comment` is kept between lines. */
void isa_program_scan(
	const char *text, unsigned line, bool *in_comment, struct isa_call **calls, size_t *n);

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
