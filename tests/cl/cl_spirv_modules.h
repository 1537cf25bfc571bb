// SPDX-License-Identifier: MIT
#ifndef TESTS_CL_SPIRV_MODULES_H
#define TESTS_CL_SPIRV_MODULES_H

/* Modules of one kernel each, as texts of SPIR-V. */

/*
 * The parts of a module whose kernel has one global pointer to uint. `body` makes %y of %x, which
 * is o[i], and o[i] becomes it. There are %void, %uint, %c1 and %c5, and %ut, the type of a
 * function that makes a uint of another one.
 */
struct spirv_parts {
	const char *kernel; /* its name */
	const char *needs;  /* capabilities and extensions */
	const char *strings, *decorations, *types, *functions;
	const char *body;
};

/* OpAssumeTrueKHR and OpExpectKHR: o[i] += 1. */
extern const struct spirv_parts spirv_expect_assume;
/* k and, to be linked once, helper: o[i] *= 5. */
extern const struct spirv_parts spirv_once_k;
/* k2 and the same helper. */
extern const struct spirv_parts spirv_once_k2;
/* k3, which imports helper. */
extern const struct spirv_parts spirv_import_k3;
/* NoSignedWrap and NoUnsignedWrap: o[i] += 5. */
extern const struct spirv_parts spirv_no_wrap;
/* OpenCL.DebugInfo.100: o[i] += 5. */
extern const struct spirv_parts spirv_debug_info;

/* A decoration that no version of SPIR-V has: o[i] += 5. */
extern const struct spirv_parts spirv_unknown;
/* A type is added, which is not valid; what an older validator takes for wrong. */
extern const struct spirv_parts spirv_invalid, spirv_doubtful;

/* The whole text, until the next call. */
const char *spirv_join(const struct spirv_parts *parts);

/*
 * SPV_INTEL_media_block_io at 16 lanes: of two images of uints, 8 by 4 texels from byte 4, row 1 of
 * the first go, plus 5, to byte 8, row 2 of the second.
 */
extern const char spirv_media_block[];

/* k of an image of a buffer, a pointer and a number x: o[0] is the red of pixel x, o[1] the size.
 */
extern const char spirv_image_buffer[];

/* put of a pointer and a number v, which calls a function of the same name: o[i] = v. */
extern const char spirv_put[];

#endif
