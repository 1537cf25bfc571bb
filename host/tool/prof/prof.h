// SPDX-License-Identifier: MIT
#ifndef PROF_H
#define PROF_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/base/tool_output.h"

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
	json_t *owned;	     /* what texts belong to */
	const char *command; /* the program's; set by the caller */
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

/*
 * What the kernel's counts should take on the device, from published rates (the device's
 * eu_rate.def): a lower bound for each part, as if everything else cost nothing. Waits, latencies,
 * the hits of caches and the clock's changes are not modelled.
 */
enum prof_part {
	PROF_ARITHMETIC, /* port 0 */
	PROF_SECOND,	 /* port 1 */
	PROF_BRANCH,
	PROF_SEND,
	PROF_SYSTOLIC,
	PROF_CACHE,  /* lines between the EUs and the level 3 cache */
	PROF_LOCAL,  /* local memory, with conflicts */
	PROF_MEMORY, /* the same lines, if none stays in a cache */
	PROF_PARTS
};
extern const char *const prof_part_names[PROF_PARTS];

struct prof_model {
	double cycles[PROF_PARTS]; /* of the device */
	enum prof_part bound;	   /* the longest of all but PROF_MEMORY, */
	double microseconds;	   /* and how long that is at the highest clock */
	double line_bytes;	   /* of all lines touched */
	double intensity;	   /* arithmetic operations for each of these bytes; 0: no bytes */
	/* Operations in a second: what the kernel may reach, and the device. */
	double peak, cache_gigabytes, memory_gigabytes;
	double reached; /* operations in the time of the bound */
};
struct prof_model prof_model_of(const struct prof_kernel *kernel);

/* Of the shape's resident threads, how many of those that a subslice could have; 0 to 1. */
double prof_occupancy(const struct prof_kernel *kernel, const struct prof_shape *shape);

/* The forms in which reports are written, of a struct prof_report. */
extern const struct tool_format prof_formats[];

/* The report as --format json writes it. */
json_t *prof_json(const struct prof_report *report);

/* A page (tool/page). */
void prof_html(FILE *file, const void *report);

/*
 * Compares with what --format json has written earlier: prints each count that is a cost and grew
 * by more than `percent`, and returns how many did; negative with a sentence on stderr when the
 * file cannot be read. Kernels that the earlier file does not have do not count.
 */
int prof_compare(FILE *file, const struct prof_report *report, const char *path, double percent);

/* 1234567 as "1,234,567". */
const char *prof_digits(uint64_t number, char text[32]);

#endif
