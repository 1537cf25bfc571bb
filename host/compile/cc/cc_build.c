// SPDX-License-Identifier: MIT
#include "compile/zebin/buffer_image_mark.h"
#include "compile/base/pool.h"
#include "compile/zebin/elf_file.h"
#include "compile/cc/cc_build.h"

#include "compile/base/compile_options.h"
#include "compile/spirv/spirv_double.h"
#include "compile/spirv/spirv_lower.h"
#include "compile/cc/cc_ocloc.h"
#include "compile/spirv/lower_buffer_image.h"
#include "compile/spirv/lower_version.h"
#include "compile/cc/spirv_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends a step for which the module is the reason: its sentence is the log. */
static void refuse(enum compile_status status, const struct spirv_module *module,
	struct compile_result *result)
{
	compile_fail(result, status, "error: %s\n",
		status == COMPILE_ERROR ? module->why : "out of memory");
}

/* Links the module with functions in OpenCL C that it calls, unless `text` is NULL. False: `result`
 * says what is wrong. */
static bool add_functions(const struct compile_request *request, struct spirv_module *module,
	const char *text, struct compile_result *result)
{
	const struct compile_request source = { .source = text,
		.source_size = text ? strlen(text) : 0,
		.options = "-cl-std=CL3.0",
		.family = request->family,
		.soft_double = request->soft_double,
		.outputs = COMPILE_SPIRV };
	struct compile_result built = { .status = COMPILE_OK };

	if (text)
		cc_ocloc_build(&source, "", &built);
	const struct compile_module modules[] = { { module->words,
							  module->n_words * sizeof(uint32_t) },
		{ built.spirv, built.spirv_size } };
	if (built.status == COMPILE_OK) {
		spirv_link(modules, text ? 2 : 1, result);
	} else {
		*result = (struct compile_result){ .status = built.status, .log = built.log };
		built.log = NULL;
	}
	compile_result_finish(&built);
	if (result->status != COMPILE_OK)
		return false;
	spirv_module_finish(module);
	const enum compile_status status =
		spirv_module_open(result->spirv, result->spirv_size, module);
	compile_result_finish(result);
	if (status != COMPILE_OK)
		refuse(status, module, result);
	return status == COMPILE_OK;
}

/* Replaces instructions; `what` is of enum spirv_lower_what. False as above. */
static bool lower_some(const struct compile_request *request, struct spirv_module *module,
	unsigned what, struct compile_result *result)
{
	char *text;
	const enum compile_status status = spirv_lower(module, what, &text);
	bool ok = status == COMPILE_OK;

	if (!ok)
		refuse(status, module, result);
	else if (text || what == SPIRV_LOWER_DOUBLE_CORE) /* types are to be merged then */
		ok = add_functions(request, module, text, result);
	free(text);
	return ok;
}

/*
 * Replaces instructions that the compiler or the device lacks; the module is the request's then.
 * False: `result` says what is wrong.
 */
static bool lower(const struct compile_request *request, struct spirv_module *module,
	struct compile_result *result)
{
	const bool is_fast = compile_options_have(request->options, "-cl-fast-relaxed-math");
	const bool doubles = request->soft_double && spirv_double_wanted(module);
	const unsigned what = SPIRV_LOWER_LACKING | (is_fast ? SPIRV_LOWER_FAST : 0) |
			      (doubles ? SPIRV_LOWER_DOUBLE_MATH : 0);
	enum compile_status status = lower_version(module);

	if (status == COMPILE_OK && !lower_some(request, module, what, result))
		return false;
	if (status == COMPILE_OK && doubles)
		status = spirv_double_types(module);
	if (status != COMPILE_OK)
		refuse(status, module, result);
	return status == COMPILE_OK &&
	       (!doubles || lower_some(request, module, SPIRV_LOWER_DOUBLE_CORE, result));
}

/*
 * Native code of the module, whose images of buffers get rows (lower_buffer_image.h) unless the
 * compiler's code cannot be marked.
 */
static void build_module(const struct compile_request *request, const char *prefix,
	struct spirv_module *module, struct compile_result *result)
{
	const size_t size = module->n_words * sizeof(uint32_t);
	struct compile_request plain = { .spirv_size = size,
		.options = request->options,
		.family = request->family,
		.outputs = request->outputs & ~(unsigned)COMPILE_SPIRV };
	struct compile_request rows = plain;

	void *before = bytes_copy(module->words, size);
	bool has_rows;

	*result = (struct compile_result){ .status = COMPILE_NO_MEMORY };
	if (!before)
		return;
	const enum compile_status status = lower_buffer_image(module, &has_rows);
	plain.spirv = before;
	if (status != COMPILE_OK) {
		refuse(status, module, result);
	} else if (has_rows) {
		rows.spirv = module->words;
		rows.spirv_size = module->n_words * sizeof(uint32_t);
		rows.outputs = COMPILE_NATIVE;
		cc_ocloc_build(&rows, prefix, result);
		has_rows = result->status != COMPILE_OK ||
			   buffer_image_mark(result->native, result->native_size, true);
	}
	if (status == COMPILE_OK && !has_rows) {
		compile_result_finish(result);
		cc_ocloc_build(&plain, prefix, result);
	}
	free(before);
}

/*
 * Takes out of a zebin the SPIR-V that it was made of: the library has that of before. The section
 * stays, as an unused one, so that the others keep their numbers.
 */
static void remove_spirv(struct compile_result *result)
{
	struct elf_file file;
	size_t size;
	void *less = NULL;

	if (elf_file_read(&file, result->native, result->native_size) == COMPILE_OK &&
		file.kind == ELF_FILE_ZEBIN) {
		struct elf_file_section *spirv = elf_file_find(&file, ELF_FILE_SPIRV, NULL);
		if (spirv) {
			*spirv = (struct elf_file_section){ .name = "" };
			less = elf_file_write(&file, &size);
		}
	}
	elf_file_finish(&file);
	if (less) {
		free(result->native);
		result->native = less;
		result->native_size = size;
	}
}

/* The native code of SPIR-V. */
static void build_spirv(
	const struct compile_request *request, const char *prefix, struct compile_result *result)
{
	struct spirv_module module;

	*result = (struct compile_result){ .status = COMPILE_OK };
	enum compile_status status =
		spirv_module_open(request->spirv, request->spirv_size, &module);
	if (status != COMPILE_OK)
		refuse(status, &module, result);
	else if (lower(request, &module, result))
		build_module(request, prefix, &module, result);
	if (result->status == COMPILE_OK && result->native)
		remove_spirv(result);
	spirv_module_finish(&module);
}

/* Whether the SPIR-V of the request is valid. */
static void validate(const struct compile_request *request, struct compile_result *result)
{
	const struct compile_module spirv = { request->spirv, request->spirv_size };
	const struct compile_module *modules = request->spirv ? &spirv : request->modules;
	const size_t n = request->spirv ? 1 : request->n_modules;

	*result = (struct compile_result){ .status = COMPILE_OK };
	for (size_t i = 0; result->status == COMPILE_OK && i < n; i++)
		if (!spirv_tools_validate(modules[i].spirv, modules[i].size, &result->log))
			result->status = COMPILE_ERROR;
}

void cc_build(
	const struct compile_request *request, const char *prefix, struct compile_result *result)
{
	if (request->source)
		cc_ocloc_build(request, prefix, result);
	else if (!request->outputs)
		validate(request, result);
	else if (request->spirv)
		build_spirv(request, prefix, result);
	else
		spirv_link(request->modules, request->n_modules, result);
}
