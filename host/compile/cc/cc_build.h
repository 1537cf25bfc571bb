// SPDX-License-Identifier: MIT
#ifndef CC_BUILD_H
#define CC_BUILD_H

#include "compile/base/request.h"

/*
 * A build in zerocl-cc, all steps of it. SPIR-V is validated if it is foreign (spirv_tools.h),
 * modules are linked, what the compiler lacks is made of other things (spirv_lower.h), and images
 * of buffers get rows (lower_buffer_image.h); the compiler does the rest (cc_ocloc.h), with
 * `prefix` before a source. Modules and SPIR-V are at addresses for words. Of the outputs
 * COMPILE_SPIRV is for sources and modules only. Fills `result`, which is to be finished, in every
 * case; its log may be NULL.
 */
void cc_build(
	const struct compile_request *request, const char *prefix, struct compile_result *result);

#endif
