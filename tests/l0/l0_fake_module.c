// SPDX-License-Identifier: MIT
#include "l0_fake_private.h"

#include <string.h>

ze_result_t fake_zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
	const ze_module_desc_t *desc, ze_module_handle_t *out, ze_module_build_log_handle_t *log)
{
	(void)context;
	(void)device;
	CAN_FAIL;
	if (log)
		*log = l0_fake_make(1);
	if (l0_fake.build_result)
		return (ze_result_t)l0_fake.build_result;
	if (desc->format == ZE_MODULE_FORMAT_NATIVE && l0_fake.refuses_native)
		return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
	l0_fake.n_spirv += desc->format == ZE_MODULE_FORMAT_IL_SPIRV;
	*out = l0_fake_make(1);
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeModuleDestroy(ze_module_handle_t module)
{
	return l0_fake_unmake(module);
}

ze_result_t fake_zeModuleGetFunctionPointer(
	ze_module_handle_t module, const char *name, void **pointer)
{
	(void)module;
	CAN_FAIL;
	if (!strcmp(name, "nobody"))
		return ZE_RESULT_ERROR_INVALID_FUNCTION_NAME;
	*pointer = (void *)(uintptr_t)(0x1000 * strlen(name));
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeModuleGetGlobalPointer(
	ze_module_handle_t module, const char *name, size_t *size, void **address)
{
	(void)module;
	(void)size;
	CAN_FAIL;
	if (!strcmp(name, "nobody"))
		return ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
	*address = &l0_fake;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeModuleBuildLogGetString(
	ze_module_build_log_handle_t log, size_t *size, char *text)
{
	(void)log;
	CAN_FAIL;
	if (text)
		memcpy(text, l0_fake.log ? l0_fake.log : "", *size);
	*size = l0_fake.log ? strlen(l0_fake.log) + 1 : 1;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeModuleBuildLogDestroy(ze_module_build_log_handle_t log)
{
	return l0_fake_unmake(log);
}
