// SPDX-License-Identifier: MIT
#include "compile/build/compile_implicit.h"

#include "compile/spirv/implicit_args_scan.h"
#include "util/util_bits.h"
#include "util/util_log.h"

#include <stdlib.h>
#include <string.h>

static bool has_option(const char *options, const char *start)
{
	const char *at = options ? strstr(options, start) : NULL;

	return at && (at == options || at[-1] == ' ');
}

bool compile_implicit_expected(const struct compile_request *request)
{
	static const char *const words[] = { "get_num_groups", "get_group_id", "get_global_size",
		"get_global_linear_id", "get_global_offset", "get_enqueued_",
		"reqd_work_group_size" };
	static const char dims[] = "get_work_dim";

	if (!request->source)
		return false;
	if (memmem(request->source, request->source_size, dims, strlen(dims)))
		return true;
	if (!(has_option(request->options, "-cl-std=CL2") ||
		    has_option(request->options, "-cl-std=CL3")) ||
		has_option(request->options, "-cl-uniform-work-group-size"))
		return false;
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(words); i++)
		if (memmem(request->source, request->source_size, words[i], strlen(words[i])))
			return true;
	return false;
}

/* Whether a kernel requires a size of groups. */
static bool has_required_size(const struct spirv_module *spirv)
{
	struct spirv_inst inst;

	for (uint32_t at = SPIRV_START; spirv_at(spirv, at, &inst) && inst.op != SpvOpFunction;
		at = inst.next)
		if ((inst.op == SpvOpExecutionMode || inst.op == SpvOpExecutionModeId) &&
			inst.n > 1 &&
			(inst.operands[1] == SpvExecutionModeLocalSize ||
				inst.operands[1] == SpvExecutionModeLocalSizeId))
			return true;
	return false;
}

static bool is_wanted(
	const struct compile_request *request, const struct implicit_args_module *module)
{
	unsigned uses = module->everywhere;

	for (uint32_t i = 0; i < module->n_functions; i++)
		uses |= module->functions[i].uses;
	if (uses & IMPLICIT_ARGS_WORK_DIM)
		return true;
	if (module->is_uniform || has_option(request->options, "-cl-uniform-work-group-size"))
		return false;
	return uses & ~(unsigned)IMPLICIT_ARGS_GLOBAL_ID || has_required_size(&module->spirv);
}

void *compile_implicit_rewrite(
	const struct compile_request *request, const void *spirv, size_t size, size_t *out_size)
{
	const struct reflection any_width = { 0 };
	struct implicit_args_module module;
	char why[256] = "";
	void *out = NULL;

	bool wanted = implicit_args_scan(spirv, size, &module, NULL, 0) == COMPILE_OK &&
		      is_wanted(request, &module);
	implicit_args_module_finish(&module);
	if (wanted && implicit_args_append(spirv, size, &any_width, &out, out_size, why,
			      sizeof(why)) != COMPILE_OK)
		util_log(UTIL_LOG_INFO, "compile", "no implicit arguments: %s", why);
	return out;
}
