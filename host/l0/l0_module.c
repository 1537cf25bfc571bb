// SPDX-License-Identifier: MIT
#include "l0/l0_private.h"

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

cl_int l0_module_create(struct l0_context *context, enum l0_module_format format, const void *code,
	size_t size, const char *flags, struct l0_module **out, char **log)
{
	ze_module_build_log_handle_t handle = NULL;
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
	cl_int rc = L0_CALL(zeModuleCreate, context->ze, context->device->ze, &desc, &module->ze,
		log ? &handle : NULL);
	if (log)
		*log = take_log(handle);
	if (rc) {
		free(module);
		return rc;
	}
	*out = module;
	return CL_SUCCESS;
}

void l0_module_destroy(struct l0_module *module)
{
	if (!module)
		return;
	(void)L0_CALL(zeModuleDestroy, module->ze);
	free(module);
}
