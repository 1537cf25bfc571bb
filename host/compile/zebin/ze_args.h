// SPDX-License-Identifier: MIT
#ifndef ZE_ARGS_H
#define ZE_ARGS_H

#include "compile/base/pool.h"
#include "compile/zebin/reflect.h"
#include "compile/zebin/zebin_yaml.h"

/*
 * Fills a reflection with the kernels and arguments that .ze_info knows: enough to run native code
 * that came without SPIR-V. Names and types are there if the code was built with
 * -cl-kernel-arg-info. False: malformed, or an argument that is not described, with a sentence in
 * `why`; or out of memory, with none.
 */
bool ze_args_read(yaml_document_t *document, struct reflection *reflection, struct pool **pool,
	char *why, size_t why_size);

#endif
