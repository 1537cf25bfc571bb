// SPDX-License-Identifier: MIT
#ifndef PROF_REPORT_H
#define PROF_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the device has written to ZEROCL_VGPU_PROFILE (docs/PROF.md), of all processes together. */

enum prof_count {
#define COUNT(name, ...) PROF_##name,
#include "tool/prof/prof_count.def"
#undef COUNT
	PROF_COUNTS
};

struct prof_count_info {
	const char *name, *title, *what;
	bool is_cost;
};
extern const struct prof_count_info prof_counts[PROF_COUNTS];

enum { PROF_PORTS = 5 };

struct prof_instruction {
	const char *text;
	const char *message, *space; /* "" unless it is a message */
	unsigned offset, line, column, width, port, cycles, operations;
	bool is_atomic, is_barrier;
	uint64_t counts[PROF_COUNTS];
};

/* Launches that are alike. */
struct prof_shape {
	unsigned group_threads, slm, scratch;
	unsigned resident_groups; /* of a subslice, by its limits */
	const char *limit;	  /* what keeps it from holding more */
	uint64_t launches, groups, threads, items;
};

struct prof_kernel {
	const char *name; /* unique in the report */
	const char *code; /* a hash of the machine code */
	bool is_function; /* called through a pointer; its launches are its callers' */
	unsigned simd, registers;
	const json_t *device;
	const char *file;   /* of the source, as far as it is known; else made of the name */
	const char *source; /* "": not known */
	const char **lines; /* of it: [0] is line 1 */
	size_t n_lines;
	struct prof_instruction *instructions;
	size_t n_instructions;
	struct prof_shape *shapes;
	size_t n_shapes;
	uint64_t counts[PROF_COUNTS];
	struct prof_shape total; /* of its shapes: launches, groups, threads, items */
	char *owned_name, *owned_source;
};

struct prof_report {
	struct prof_kernel *kernels; /* those with the most instructions executed first */
	size_t n;
	json_t *owned; /* what texts belong to */
};

/*
 * Reads a file. `sources` are files that the program may build kernels from: a kernel whose source
 * is the file's is of that file. False, with a sentence on stderr, when the file cannot be read.
 * Finish it in any case.
 */
bool prof_report_read(
	struct prof_report *report, const char *path, const char *const *sources, size_t n_sources);
void prof_report_finish(struct prof_report *report);

/* The sums of one line of the source; false when the kernel has no instruction of it. */
bool prof_line_counts(
	const struct prof_kernel *kernel, unsigned line, uint64_t counts[PROF_COUNTS]);

/* A member of the kernel's device. */
double prof_device(const struct prof_kernel *kernel, const char *name);
const char *prof_device_text(const struct prof_kernel *kernel, const char *name);

#endif
