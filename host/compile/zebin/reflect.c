// SPDX-License-Identifier: MIT
#include "compile/zebin/reflect.h"

#include "compile/spirv/spirv_reflect.h"
#include "compile/zebin/buffer_image_mark.h"
#include "compile/zebin/elf_file.h"
#include "compile/zebin/ze_info.h"

#include <stdio.h>

/* What is wrong with the native code, or NULL; *status is that of reading it. */
static const char *read_native(struct reflection *out, const void *native, size_t size,
	bool is_alone, enum compile_status *status, char *why, size_t why_size)
{
	const struct elf_file_section *ze_info;
	struct elf_file file = { 0 };
	const char *wrong = NULL;

	*status = elf_file_read(&file, native, size);
	if (*status == COMPILE_ERROR) {
		wrong = "the native code is no zebin";
	} else if (*status == COMPILE_OK && file.kind != ELF_FILE_ZEBIN) {
		if (is_alone)
			wrong = "the native code does not describe its kernels, and there is no "
				"SPIR-V that does";
	} else if (*status == COMPILE_OK &&
		   (!(ze_info = elf_file_find(&file, ELF_FILE_ZE_INFO, NULL)) || !ze_info->data)) {
		if (out->n_kernels)
			wrong = "the native code has no kernels";
	} else if (*status == COMPILE_OK) {
		*status = ze_info_read(ze_info->data, ze_info->size, out,
			is_alone ? &out->pool : NULL, why, why_size);
	}
	elf_file_finish(&file);
	return wrong;
}

/* compile_reflect of an open module, or NULL. */
static enum compile_status reflect_module(struct spirv_module *spirv, const void *native,
	size_t native_size, struct reflection *out, char *why, size_t why_size)
{
	enum compile_status status = COMPILE_OK;
	const char *wrong = NULL;

	*out = (struct reflection){ 0 };
	if (why && why_size)
		*why = '\0';
	if (spirv && (status = spirv_reflect(spirv, out)) != COMPILE_OK)
		wrong = spirv->why;
	else if (native || !spirv)
		wrong = read_native(out, native, native_size, !spirv, &status, why, why_size);
	if (wrong && status != COMPILE_NO_MEMORY) {
		status = COMPILE_ERROR;
		if (why && why_size)
			snprintf(why, why_size, "%s", wrong);
	}
	out->has_rows = buffer_image_is_marked(native, native_size);
	if (status != COMPILE_OK)
		reflection_finish(out);
	return status;
}

enum compile_status compile_reflect(const void *spirv, size_t spirv_size, const void *native,
	size_t native_size, struct reflection *out, char *why, size_t why_size)
{
	struct spirv_module module;
	enum compile_status status;

	if (!spirv)
		return reflect_module(NULL, native, native_size, out, why, why_size);
	*out = (struct reflection){ 0 };
	status = spirv_module_open(spirv, spirv_size, &module);
	if (status == COMPILE_OK)
		status = reflect_module(&module, native, native_size, out, why, why_size);
	else if (why && why_size)
		snprintf(why, why_size, "%s", module.why);
	spirv_module_finish(&module);
	return status;
}
