// SPDX-License-Identifier: MIT
#include "compile/zebin/buffer_image_mark.h"
#include "compile/cc/cc_build.h"

#include "compile/spirv/spirv_lower.h"
#include "compile/cc/cc_ocloc.h"
#include "compile/spirv/lower_buffer_image.h"
#include "compile/cc/spirv_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Validates and links what there is to link, which is the SPIR-V of the request then; false:
 * `linked` says what is wrong.
 */
static bool prepare_modules(struct compile_request *request, struct compile_result *linked)
{
	const struct compile_module spirv = { request->spirv, request->spirv_size };
	const struct compile_module *modules = request->spirv ? &spirv : request->modules;
	size_t n = request->spirv ? 1 : request->n_modules;

	*linked = (struct compile_result){ .status = COMPILE_OK };
	for (size_t i = 0; linked->status == COMPILE_OK && request->is_foreign && i < n; i++)
		if (!spirv_tools_validate(modules[i].spirv, modules[i].size, &linked->log))
			linked->status = COMPILE_ERROR;
	if (linked->status == COMPILE_OK && !request->source && !request->spirv) {
		spirv_link(modules, n, linked);
		request->spirv = linked->spirv;
		request->spirv_size = linked->spirv_size;
	}
	return linked->status == COMPILE_OK;
}

/* Has instructions that the compiler lacks made of others; false: `lowered` says what is wrong. */
static bool lower(struct compile_request *request, struct compile_result *lowered)
{
	struct spirv_lower parts;
	struct compile_result built = { 0 };

	*lowered = (struct compile_result){ .status = COMPILE_OK };
	if (request->source || !(request->outputs & COMPILE_NATIVE))
		return true;
	lowered->status = spirv_lower(request->spirv, request->spirv_size, &parts);
	if (lowered->status == COMPILE_OK && parts.spirv) {
		const struct compile_request source = { .source = parts.source,
			.source_size = parts.source_size,
			.options = "-cl-std=CL3.0",
			.family = request->family,
			.outputs = COMPILE_SPIRV };

		cc_ocloc_build(&source, "", &built);
		const struct compile_module modules[] = { { parts.spirv, parts.spirv_size },
			{ built.spirv, built.spirv_size } };
		lowered->status = built.status;
		if (built.status == COMPILE_OK)
			spirv_link(modules, 2, lowered);
		else
			lowered->log = built.log ? strdup(built.log) : NULL;
		if (lowered->status == COMPILE_OK) {
			request->spirv = lowered->spirv;
			request->spirv_size = spirv_lower_hide(lowered->spirv, lowered->spirv_size);
		}
		compile_result_finish(&built);
	}
	spirv_lower_finish(&parts);
	return lowered->status == COMPILE_OK;
}

/* `log` of a result with `first` in front of it; false when out of memory. */
static bool join_logs(const char *first, struct compile_result *result)
{
	char *log;

	if (asprintf(&log, "%s%s", first ? first : "", result->log ? result->log : "") < 0)
		return false;
	free(result->log);
	result->log = log;
	return true;
}

/* A result that is nothing but its status, and its log: malloc'ed, NULL is "out of memory". */
static void fail(enum compile_status status, char *log, struct compile_result *result)
{
	compile_result_finish(result);
	result->status = log ? status : COMPILE_NO_MEMORY;
	result->log = log;
}

/*
 * Native code of a module with images of buffers, see lower_buffer_image.h. False, with nothing in
 * `result`: the compiler's code cannot be marked.
 */
static bool build_rows(const struct compile_request *request, const char *prefix, const void *spirv,
	size_t size, struct compile_result *result)
{
	struct compile_request rows = {
		.options = request->options, .family = request->family, .outputs = COMPILE_NATIVE
	};
	char why[256], *log = NULL;
	void *words;
	bool ok = true;

	*result = (struct compile_result){ .status = COMPILE_OK };
	enum compile_status status =
		lower_buffer_image(spirv, size, &words, &rows.spirv_size, why, sizeof why);
	if (status != COMPILE_OK) {
		if (status == COMPILE_ERROR && asprintf(&log, "error: %s\n", why) < 0)
			log = NULL;
		fail(status, log, result);
		return true;
	}
	rows.spirv = words;
	cc_ocloc_build(&rows, prefix, result);
	if (result->status == COMPILE_OK)
		ok = buffer_image_finish(result->native, result->native_size, spirv, size);
	if (!ok)
		compile_result_finish(result);
	free(words);
	return ok;
}

/* What was made of the source, with `made`, its native code with rows. */
static void take_rows(struct compile_result *made, struct compile_result *result)
{
	bool ok = join_logs(result->log, made);

	free(result->native);
	result->native = NULL;
	if (!ok || made->status != COMPILE_OK) {
		fail(ok ? made->status : COMPILE_NO_MEMORY, ok ? made->log : NULL, result);
		if (ok)
			made->log = NULL;
	} else {
		free(result->log);
		result->log = made->log;
		result->native = made->native;
		result->native_size = made->native_size;
		made->log = NULL;
		made->native = NULL;
	}
	compile_result_finish(made);
}

/* Where images of buffers are likely, code that has no rows for them is not made first. */
static void build_source(
	const struct compile_request *request, const char *prefix, struct compile_result *result)
{
	static const char word[] = "image1d_buffer_t";
	struct compile_request front = *request;
	struct compile_result made;

	front.outputs |= COMPILE_SPIRV;
	if (memmem(request->source, request->source_size, word, sizeof word - 1))
		front.outputs = COMPILE_SPIRV;
	cc_ocloc_build(&front, prefix, result);
	if (result->status != COMPILE_OK || !(request->outputs & COMPILE_NATIVE))
		return;
	if (lower_buffer_image_wanted(result->spirv, result->spirv_size) &&
		build_rows(request, prefix, result->spirv, result->spirv_size, &made)) {
		take_rows(&made, result);
	} else if (!result->native) {
		compile_result_finish(result);
		cc_ocloc_build(request, prefix, result);
	}
}

void cc_build(
	const struct compile_request *asked, const char *prefix, struct compile_result *result)
{
	struct compile_request request = *asked;
	struct compile_result linked, lowered;

	if (!prepare_modules(&request, &linked)) {
		*result = linked;
		return;
	}
	if (!lower(&request, &lowered)) {
		*result = lowered;
		compile_result_finish(&linked);
		return;
	}
	*result = (struct compile_result){ .status = COMPILE_OK };
	if (request.source) {
		build_source(&request, prefix, result);
		if (!(request.outputs & COMPILE_SPIRV)) {
			free(result->spirv);
			result->spirv = NULL;
		}
	} else if (request.outputs & COMPILE_NATIVE &&
		   (!lower_buffer_image_wanted(request.spirv, request.spirv_size) ||
			   !build_rows(
				   &request, prefix, request.spirv, request.spirv_size, result))) {
		cc_ocloc_build(&request, prefix, result);
	}
	if (linked.spirv && result->status == COMPILE_OK && request.outputs & COMPILE_SPIRV) {
		result->spirv = linked.spirv;
		result->spirv_size = linked.spirv_size;
		linked.spirv = NULL;
	}
	compile_result_finish(&lowered);
	compile_result_finish(&linked);
}
