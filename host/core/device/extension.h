// SPDX-License-Identifier: MIT
#ifndef EXTENSION_H
#define EXTENSION_H

#include "l0/l0_device.h"

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The rows of compile/base/extension.def, and which of them ZEROCL_DISABLE_EXTENSIONS=name,name…
 * hides, for applications that misbehave when they see them. The variable is read once.
 */

/* An extension, or a feature of OpenCL C. */
struct extension {
	const char *name;
	cl_version version;
	unsigned families; /* bits 1 << enum device_family_number */
	bool (*when)(const struct l0_device_info *hw);
	const char *needs; /* extensions, separated by spaces, with which it is hidden */
};

extern const struct extension extension_rows[];
extern const size_t extension_n_rows;
extern const struct extension extension_features[];
extern const size_t extension_n_features;

/* Returns whether the extension or feature may be reported; true for all other names. */
bool extension_is_shown(const char *name);

/* The i-th of the extensions that a device of OpenCL 3.1 must report; NULL behind the last. */
const char *extension_of_3_1(size_t i);

/* The platform's version: 3.1 unless one of them is hidden. */
cl_version extension_platform_version(void);

/* Returns whether a query of the device or the platform is hidden, and in *zeros how many bytes of
 * zeros answer it then; 0: it is refused. */
bool extension_hides_query(cl_uint param, uint16_t *zeros);

/* Returns whether the text lists, between commas or spaces, the extension or one that it needs. */
bool extension_hidden_by(const char *text, const char *name);

#endif
