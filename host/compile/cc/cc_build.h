// SPDX-License-Identifier: MIT
#ifndef CC_BUILD_H
#define CC_BUILD_H

#include "compile/base/request.h"

/*
 * A step of a build in zerocl-cc. Of a source, SPIR-V is made, by the compiler (cc_ocloc.h) with
 * `prefix` before the source; of modules too, by linking them. Of SPIR-V, native code: what the
 * compiler lacks is made of other things (spirv_lower.h), images of buffers get rows
 * (lower_buffer_image.h), and the compiler does the rest. Without outputs, the SPIR-V is validated
 * (spirv_tools.h). Modules and SPIR-V are at addresses for words. Fills `result`, which is to be
 * finished, in every case; its log may be NULL.
 */
void cc_build(
	const struct compile_request *request, const char *prefix, struct compile_result *result);

#endif
