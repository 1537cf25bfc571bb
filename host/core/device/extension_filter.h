// SPDX-License-Identifier: MIT
#ifndef EXTENSION_FILTER_H
#define EXTENSION_FILTER_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * ZEROCL_DISABLE_EXTENSIONS=name,name… hides extensions, for applications that misbehave when they
 * see them. What is hidden with an extension is one table: extensions that need it, features of
 * OpenCL C, entry points, and queries. The variable is read once, by the first that asks.
 */

/* What belongs to an extension of device_family.c; an extension without a row has nothing. */
struct device_belonging {
	const char *extension;
	const char *extensions; /* that need it; this and the next: separated by spaces or NULL */
	const char *features;	/* of OpenCL C */
	const char *functions;
	/*
	 * Of clGetDeviceInfo and clGetPlatformInfo; 0 ends. Queries of OpenCL itself, which have an
	 * answer without the extension, then answer with that many bytes of zeros.
	 */
	struct {
		cl_uint param;
		uint16_t zeros;
	} queries[10];
};
extern const struct device_belonging device_belongings[];
extern const size_t device_n_belongings;

/* Whether the extension, feature or entry point is to be seen; true for all other names. */
bool device_shows(const char *name);

/* Whether the query is hidden, and then how many bytes of zeros answer it; 0: it is refused. */
bool device_hides_query(cl_uint param, uint16_t *zeros);

/*
 * What device_shows and device_hides_query go by: whether the text lists, between commas or spaces,
 * the extension or one that it needs.
 */
bool device_hidden_lists(const char *text, const char *extension);

#endif
