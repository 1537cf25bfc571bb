// SPDX-License-Identifier: MIT
#ifndef CHECK_H
#define CHECK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "tool/base/tool_output.h"

/*
 * What the device has written to ZEROCL_VGPU_CHECK_OUTPUT (docs/CHECK.md): an array of findings,
 * each an object as the device made it. Here they become one for each place, whatever process or
 * build of a kernel they are from, and get two members: "file", the name of the source as far as it
 * is known, in each side, and "count", how often it was found; "processes" are the ids of who found
 * it.
 */
struct check_findings {
	json_t *list;
	json_t *processes; /* each that ran a kernel: "process", its id; "program"; "found" */
	unsigned suppressed;
};

/*
 * Reads a file of findings, in order. `sources` are files that the program may build kernels from:
 * a side whose line is the same there is of that file. `suppressions` is the text of a suppression
 * file, or NULL. False, with a sentence on stderr, when the file cannot be read; a file that is not
 * there has no findings. Finish them in any case.
 */
bool check_findings_read(struct check_findings *findings, const char *path,
	const char *const *sources, size_t n_sources, const char *suppressions);
void check_findings_finish(struct check_findings *findings);

/* A member of an object as text, "" when it has none; as a number, 0. */
const char *check_text(const json_t *object, const char *name);
unsigned check_number(const json_t *object, const char *name);

/* The forms in which findings are written, of a struct check_findings. */
extern const struct tool_format check_formats[];

#endif
