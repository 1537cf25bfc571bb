// SPDX-License-Identifier: MIT
#include "compile/build/compile_rewrite.h"

#include "compile/base/compile_options.h"
#include "compile/spirv/igc_bugs.h"
#include "compile/spirv/implicit_args.h"
#include "compile/spirv/implicit_args_scan.h"
#include "util/util_bits.h"
#include "util/util_log.h"

static enum compile_status look(
	const struct compile_request *request, const struct spirv_module *module, bool *is_wanted)
{
	struct implicit_args_scan scan;
	const enum compile_status status = implicit_args_scan(module, &scan);
	unsigned uses = 0;

	for (uint32_t i = 0; status == COMPILE_OK && i < module->n_kernels; i++)
		uses |= implicit_args_kernel_uses(&scan, i);
	const bool is_uniform = scan.is_uniform || compile_options_have(request->options,
							   "-cl-uniform-work-group-size");
	*is_wanted = uses & IMPLICIT_ARGS_WORK_DIM ||
		     (!is_uniform && (uses & ~(unsigned)IMPLICIT_ARGS_GLOBAL_ID || scan.has_size));
	implicit_args_scan_finish(&scan);
	return status;
}

enum compile_status compile_rewrite(const struct compile_request *request,
	enum compile_rewrite_what what, void **out, size_t *out_size)
{
	struct spirv_module module;
	bool is_changed = false;

	*out = NULL;
	enum compile_status status =
		spirv_module_open(request->spirv, request->spirv_size, &module);
	if (status == COMPILE_OK && what == COMPILE_REWRITE_FAULTS)
		status = igc_bugs_mend(&module,
			!compile_options_have(request->options, "-cl-opt-disable"), &is_changed);
	else if (status == COMPILE_OK)
		status = look(request, &module, &is_changed);
	if (status == COMPILE_OK && is_changed && what == COMPILE_REWRITE_IMPLICIT)
		status = implicit_args_append(&module);
	if (status == COMPILE_OK && is_changed)
		*out = spirv_module_take(&module, out_size);
	else if (status == COMPILE_ERROR)
		util_log(UTIL_LOG_INFO, "compile", "the SPIR-V stays as it is: %s", module.why);
	spirv_module_finish(&module);
	return status == COMPILE_NO_MEMORY ? status : COMPILE_OK;
}
