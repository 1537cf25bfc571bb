// SPDX-License-Identifier: MIT
#include "core/kernel/kernel_variant.h"

#include "compile/spirv/lower_buffer_image.h"
#include "core/base/error.h"
#include "core/program/program_code.h"
#include "core/program/program_names.h"
#include "l0/l0_module.h"
#include "util/util_log.h"

#include <stdlib.h>
#include <string.h>

static bool has_word(const char *text, size_t size, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= size; i++) {
		if (memcmp(text + i, word, length) != 0 || (i && text[i - 1] != ' '))
			continue;
		if (i + length == size || text[i + length] == ' ' || !text[i + length])
			return true;
	}
	return false;
}

/* Whether some launch of some kernel will need the second form. */
static bool may_need_second(const struct program_code *code)
{
	const struct compile_hidden_facts *facts = &code->forms.facts;

	for (size_t i = 0; i < facts->n_kernels; i++)
		if (facts->uses[i] & ~(unsigned)COMPILE_HIDDEN_GLOBAL_ID ||
			code->reflection.kernels[i].work_group_size[0])
			return true;
	return false;
}

static cl_int know_nothing(struct program_code *code)
{
	struct compile_hidden_facts *facts = &code->forms.facts;
	size_t n = code->reflection.n_kernels;

	facts->uses = calloc(n + 1, sizeof *facts->uses);
	if (!facts->uses)
		return CL_OUT_OF_HOST_MEMORY;
	for (size_t i = 0; i < n; i++)
		facts->uses[i] = KERNEL_USES_UNKNOWN;
	facts->n_kernels = n;
	facts->is_uniform = true;
	return CL_SUCCESS;
}

/* A generator's code gets what the kernel that it stands for asked for, and every launch's ids. */
static void know_other(struct kernel_forms *forms)
{
	const unsigned ids = COMPILE_HIDDEN_GLOBAL_ID | COMPILE_HIDDEN_GLOBAL_LINEAR_ID |
			     COMPILE_HIDDEN_GROUP_ID;

	for (size_t i = 0; i < forms->facts.n_kernels; i++)
		forms->facts.uses[i] |= ids;
	forms->facts.is_uniform = true;
}

cl_int kernel_forms_init(struct program_code *code, const struct compile_facts *facts)
{
	struct kernel_forms *forms = &code->forms;

	forms->may_print = !code->spirv || facts->prints;
	if (!code->spirv)
		return know_nothing(code);
	forms->facts = facts->hidden;
	if (code->is_other) {
		free(facts->blocks);
		know_other(forms);
		return CL_SUCCESS;
	}
	forms->blocks = facts->blocks;
	forms->n_blocks = facts->n_blocks;
	forms->may_be_ragged =
		!forms->facts.is_uniform &&
		!has_word(code->options, strlen(code->options), "-cl-uniform-work-group-size");
	forms->is_second_only = forms->facts.has_state && may_need_second(code);
	return CL_SUCCESS;
}

void kernel_forms_finish(struct program_code *code)
{
	l0_module_destroy(code->forms.module);
	print_program_finish(&code->forms.print);
	compile_hidden_facts_finish(&code->forms.facts);
	free(code->forms.blocks);
}

static cl_int refuse(const char *why)
{
	return error_say(CL_OUT_OF_RESOURCES, "the program cannot be built for such a range: %.*s",
		(int)strcspn(why, "\n"), why);
}

/* The SPIR-V of the second form, with the options of the first. */
static cl_int rewrite(const struct program_code *code, struct compile_request *request)
{
	char why[256] = "";
	void *spirv;

	if (!code->spirv || code->is_other)
		return refuse("its binary holds no SPIR-V of its kernels");
	switch (compile_hidden_rewrite(code->spirv, code->spirv_size, &code->reflection, &spirv,
		&request->spirv_size, why, sizeof why)) {
	case COMPILE_OK:
		break;
	case COMPILE_NO_MEMORY:
		return CL_OUT_OF_HOST_MEMORY;
	default:
		return refuse(why);
	}
	request->spirv = spirv;
	request->options = code->options;
	return CL_SUCCESS;
}

/* Both forms must have equal sub-groups: applications have asked for their size. */
static cl_int check_widths(const struct program_code *code, const struct compile_request *request,
	const struct compile_result *result)
{
	struct compile_reflection second;
	bool same = true;
	char why[256] = "";

	enum compile_status status = compile_reflect(request->spirv, request->spirv_size,
		result->native, result->native_size, &second, why, sizeof why);
	if (status != COMPILE_OK)
		return status == COMPILE_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : refuse(why);
	for (size_t i = 0; i < code->reflection.n_kernels && i < second.n_kernels; i++)
		same &= code->reflection.kernels[i].simd_size == second.kernels[i].simd_size;
	compile_reflection_finish(&second);
	return same ? CL_SUCCESS : refuse("its sub-groups would have another size");
}

static cl_int build(struct program_code *code)
{
	struct compile_request request = {
		.family = code->context->devices[0]->compiler_family,
		.outputs = COMPILE_NATIVE,
	};
	struct compile_result result = { 0 };
	char *log = NULL;
	cl_int rc;

	TRY(rewrite(code, &request));
	switch (compile_build(&request, &result)) {
	case COMPILE_OK:
		break;
	case COMPILE_NO_MEMORY:
		TRY(CL_OUT_OF_HOST_MEMORY);
		break;
	case COMPILE_MISSING:
		TRY(error_say(CL_COMPILER_NOT_AVAILABLE,
			"such a range needs the compiler, and none was found"));
		break;
	default:
		TRY(refuse(result.log));
	}
	TRY(check_widths(code, &request, &result));
	rc = program_code_load(code->context, result.native, result.native_size, &code->reflection,
		code->forms.facts.uses, &code->forms.print, &code->forms.module, &log);
	code->forms.has_rows = compile_rows_is_marked(result.native, result.native_size);
	if (!rc)
		program_names_tell(code, code->forms.module, result.native, result.native_size,
			request.spirv, request.spirv_size);
fail:
	compile_result_finish(&result);
	free((void *)(uintptr_t)request.spirv);
	free(log);
	return rc;
}

cl_int kernel_forms_second(struct program_code *code, struct l0_module **module)
{
	struct kernel_forms *forms = &code->forms;

	pthread_mutex_lock(&forms->lock);
	if (!forms->was_built) {
		forms->code = build(code);
		/* memory may be there another time */
		forms->was_built = forms->code != CL_OUT_OF_HOST_MEMORY;
		util_log(UTIL_LOG_DEBUG, "cl", "kernels with the hidden argument: %d",
			(int)forms->code);
	}
	cl_int rc = forms->code;
	*module = forms->module;
	pthread_mutex_unlock(&forms->lock);
	return rc;
}
