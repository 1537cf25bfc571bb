// SPDX-License-Identifier: MIT
#include "compile/build/compile_rewrite.h"

#include "compile/spirv/igc_faults.h"
#include "compile/spirv/implicit_args.h"
#include "util/util_bits.h"
#include "util/util_log.h"

#include <stdlib.h>
#include <string.h>

static bool has_option(const char *options, const char *start)
{
	const char *at = options ? strstr(options, start) : NULL;

	return at && (at == options || at[-1] == ' ');
}

/* Whether a kernel requires a size of groups. */
static bool has_required_size(const struct spirv_module *module)
{
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		if ((inst.op == SpvOpExecutionMode || inst.op == SpvOpExecutionModeId) &&
			inst.n > 1 &&
			(inst.operands[1] == SpvExecutionModeLocalSize ||
				inst.operands[1] == SpvExecutionModeLocalSizeId))
			return true;
	return false;
}

static bool is_wanted(const struct compile_request *request, const struct spirv_module *module)
{
	struct implicit_args_facts facts;
	unsigned uses = 0;

	if (implicit_args_look(module, &facts) != COMPILE_OK)
		return false;
	const bool is_uniform =
		facts.is_uniform || has_option(request->options, "-cl-uniform-work-group-size");
	for (size_t i = 0; i < facts.n_kernels; i++)
		uses |= facts.uses[i];
	implicit_args_facts_finish(&facts);
	if (uses & IMPLICIT_ARGS_WORK_DIM)
		return true;
	return !is_uniform &&
	       (uses & ~(unsigned)IMPLICIT_ARGS_GLOBAL_ID || has_required_size(module));
}

void *compile_rewrite_faults(const struct compile_request *request, size_t *out_size)
{
	struct spirv_module module;
	void *out = NULL;
	bool is_changed;

	if (spirv_module_open(request->spirv, request->spirv_size, &module) == COMPILE_OK &&
		igc_faults_mend(&module, &is_changed) == COMPILE_OK && is_changed)
		out = spirv_module_take(&module, out_size);
	spirv_module_finish(&module);
	return out;
}

void *compile_rewrite_implicit(const struct compile_request *request, size_t *out_size)
{
	struct spirv_module module;
	void *out = NULL;

	if (spirv_module_open(request->spirv, request->spirv_size, &module) == COMPILE_OK &&
		is_wanted(request, &module)) {
		if (implicit_args_append(&module) == COMPILE_OK)
			out = spirv_module_take(&module, out_size);
		else
			util_log(UTIL_LOG_INFO, "compile", "no implicit arguments: %s", module.why);
	}
	spirv_module_finish(&module);
	return out;
}
