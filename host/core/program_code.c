// SPDX-License-Identifier: MIT
#include "core/program_code.h"

#include "compile/compile_load.h"
#include "core/error.h"
#include "core/program_names.h"
#include "l0/l0_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_int reflect(struct program_code *code, const void *spirv, size_t spirv_size, char **log)
{
	char why[256] = "";

	switch (compile_reflect(spirv, spirv_size, code->native, code->native_size,
		&code->reflection, why, sizeof why)) {
	case COMPILE_OK:
		return CL_SUCCESS;
	case COMPILE_NO_MEMORY:
		return CL_OUT_OF_HOST_MEMORY;
	default:
		*log = strdup(why);
		return error_say(CL_INVALID_BINARY, "%s", why);
	}
}

/* What the native code did not say of itself, the driver knows. */
static cl_int complete(struct program_code *code)
{
	for (size_t i = 0; i < code->reflection.n_kernels; i++) {
		struct compile_kernel *kernel = &code->reflection.kernels[i];
		struct l0_kernel *made;

		if (kernel->simd_size)
			continue;
		cl_int rc = l0_kernel_create(code->module, kernel->name, &made);
		if (rc)
			return rc == CL_INVALID_KERNEL_NAME ? CL_INVALID_BINARY : rc;
		const struct l0_kernel_info *info = l0_kernel_info(made);
		rc = info->n_args == kernel->n_args ? CL_SUCCESS : CL_INVALID_BINARY;
		kernel->simd_size = info->max_sub_group_size;
		kernel->local_bytes = info->local_size;
		kernel->private_bytes = info->private_size;
		kernel->spill_bytes = info->spill_size;
		l0_kernel_destroy(made);
		if (rc)
			return error_say(rc, "the SPIR-V is not that of the native code");
	}
	return CL_SUCCESS;
}

/* The loaded code's texts: where they are, Level Zero knows by the name of one of its variables. */
static cl_int note_prints(
	struct l0_module *module, struct compile_loadable *loadable, struct print_program *print)
{
	uint64_t address = 0;
	cl_int rc = CL_SUCCESS;

	*print = (struct print_program){ .kernels = loadable->prints,
		.by_driver = loadable->by_driver };
	loadable->prints = NULL;
	if (loadable->symbol)
		rc = l0_module_find(module, loadable->symbol, &address);
	if (rc || !loadable->symbol)
		return rc;
	print->texts = (struct print_texts){ .base = address - loadable->value,
		.data = loadable->texts,
		.size = loadable->n_texts };
	loadable->texts = NULL;
	return CL_SUCCESS;
}

cl_int program_code_load(struct context *context, const void *native, size_t size,
	const struct compile_reflection *reflection, const unsigned *uses,
	struct print_program *print, struct l0_module **module, char **log)
{
	struct compile_loadable loadable;

	if (!compile_load(native, size, reflection, uses, &loadable))
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc = l0_module_create(context->l0, L0_MODULE_NATIVE,
		loadable.code ? loadable.code : native, loadable.code ? loadable.size : size, NULL,
		module, log);
	if (!rc && (rc = note_prints(*module, &loadable, print))) {
		print_program_finish(print);
		l0_module_destroy(*module);
		*module = NULL;
	}
	compile_loadable_finish(&loadable);
	return rc;
}

cl_int program_code_create(struct context *context, void *native, size_t native_size,
	const void *spirv, size_t spirv_size, struct program_code **out, char **log)
{
	struct program_code *code = calloc(1, sizeof *code);
	cl_int rc = CL_OUT_OF_HOST_MEMORY;

	*log = NULL;
	if (!code) {
		free(native);
		return rc;
	}
	atomic_init(&code->refs, 1);
	pthread_mutex_init(&code->forms.lock, NULL);
	code->context = context_get(context);
	code->native = native;
	code->native_size = native_size;
	TRY(reflect(code, spirv, spirv_size, log));
	TRY(kernel_forms_init(code, spirv, spirv_size, log));
	TRY(program_code_load(context, native, native_size, &code->reflection, NULL, &code->print,
		&code->module, log));
	TRY(complete(code));
	program_names_tell(code, code->module, native, native_size, spirv, spirv_size);
	*out = code;
	return CL_SUCCESS;
fail:
	program_code_put(code);
	return rc;
}

struct program_code *program_code_get(struct program_code *code)
{
	atomic_fetch_add_explicit(&code->refs, 1, memory_order_relaxed);
	return code;
}

void program_code_put(struct program_code *code)
{
	if (!code || atomic_fetch_sub_explicit(&code->refs, 1, memory_order_acq_rel) != 1)
		return;
	kernel_forms_finish(code);
	pthread_mutex_destroy(&code->forms.lock);
	l0_module_destroy(code->module);
	print_program_finish(&code->print);
	compile_reflection_finish(&code->reflection);
	context_put(code->context);
	free(code->native);
	free(code);
}
