// SPDX-License-Identifier: MIT
#include "l0/l0_stack.h"
#include "l0/l0_private.h"
#include "zerocl_vgpu.h"

#include <stdlib.h>

/* The driver's build log, malloc'ed; NULL when it cannot be had. Destroys the handle. */
static char *take_log(ze_module_build_log_handle_t handle)
{
	size_t size = 0;
	char *text = NULL;

	if (!handle)
		return NULL;
	if (!L0_CALL(zeModuleBuildLogGetString, handle, &size, NULL)) {
		text = calloc(1, size + 1);
		if (text && size && L0_CALL(zeModuleBuildLogGetString, handle, &size, text))
			text[0] = '\0';
	}
	(void)L0_CALL(zeModuleBuildLogDestroy, handle);
	return text;
}

/* The arguments and the result of zeModuleCreate. */
struct creation {
	struct l0_module *module;
	const ze_module_desc_t *desc;
	ze_module_build_log_handle_t log;
	bool wants_log;
	cl_int rc;
};

static void module_read(void *data)
{
	struct creation *creation = data;
	struct l0_context *context = creation->module->context;

	creation->rc = L0_CALL(zeModuleCreate, context->ze, context->device->ze, creation->desc,
		&creation->module->ze, creation->wants_log ? &creation->log : NULL);
}

cl_int l0_module_create(struct l0_context *context, enum l0_module_format format, const void *code,
	size_t size, const char *flags, struct l0_module **out, char **log)
{
	ze_module_desc_t desc = { .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
		.format = format == L0_MODULE_NATIVE ? ZE_MODULE_FORMAT_NATIVE
						     : ZE_MODULE_FORMAT_IL_SPIRV,
		.inputSize = size,
		.pInputModule = code,
		.pBuildFlags = flags };
	struct l0_module *module = calloc(1, sizeof(*module));

	if (log)
		*log = NULL;
	if (!module)
		return CL_OUT_OF_HOST_MEMORY;
	module->context = context;
	struct creation creation = { .module = module, .desc = &desc, .wants_log = log };
	l0_stack_run(module_read, &creation);
	if (log)
		*log = take_log(creation.log);
	if (creation.rc) {
		free(module);
		return creation.rc;
	}
	*out = module;
	return CL_SUCCESS;
}

cl_int l0_module_find(struct l0_module *module, const char *name, uint64_t *address)
{
	void *found;
	cl_int rc = L0_CALL(zeModuleGetGlobalPointer, module->ze, name, NULL, &found);

	*address = rc ? 0 : (uint64_t)(uintptr_t)found;
	return rc;
}

void l0_module_destroy(struct l0_module *module)
{
	if (!module)
		return;
	for (size_t i = 0; i < module->n_named; i++)
		module->context->device->vgpu.forget_code(module->named[i]);
	(void)L0_CALL(zeModuleDestroy, module->ze);
	free(module->named);
	free(module);
}

bool l0_module_wants_names(const struct l0_module *module)
{
	const struct l0_vgpu *vgpu = &module->context->device->vgpu;

	return vgpu->wants_names && (vgpu->wants_names() & ZEROCL_VGPU_NAMES_CODE) &&
	       l0_ze.zeModuleGetFunctionPointer;
}

void l0_module_name_kernel(struct l0_module *module, const struct l0_code *code)
{
	const struct l0_vgpu *vgpu = &module->context->device->vgpu;
	struct zerocl_vgpu_line *copy = calloc(code->n_lines + 1, sizeof *copy);
	uint64_t *named = realloc(module->named, (module->n_named + 1) * sizeof *named);
	void *address = NULL;

	if (named)
		module->named = named;
	for (size_t i = 0; copy && i < code->n_lines; i++)
		copy[i] = (struct zerocl_vgpu_line){ code->lines[i].offset, code->lines[i].line,
			code->lines[i].column };
	const struct zerocl_vgpu_code told = { .kernel = code->kernel,
		.lines = copy,
		.n_lines = code->n_lines,
		.source = code->source,
		.has_sub_group_barriers = code->has_sub_group_barriers,
		.hidden_first = code->hidden_first,
		.hidden_end = code->hidden_end,
		.binary = code->binary,
		.binary_size = code->binary_size };
	if (named && copy && code->size &&
		!L0_CALL(zeModuleGetFunctionPointer, module->ze, code->kernel, &address) &&
		address) {
		uint64_t at = (uint64_t)(uintptr_t)address;
		if (!vgpu->name_code(at, code->size, &told))
			module->named[module->n_named++] = at;
	}
	free(copy);
}
