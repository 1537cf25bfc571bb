// SPDX-License-Identifier: MIT
#include "compile/build/compile.h"
#include "compile/base/pool.h"
#include "compile/cache/compile_cache.h"
#include "compile/zebin/reflect.h"
#include "compile/build/compile_helper.h"
#include "compile/build/compile_rewrite.h"
#include "compile/build/helper_build.h"
#include "compile/cache/compiler_fingerprint.h"
#include "compile/base/helper_protocol.h"
#include "compile/build/compile_parallel.h"
#include "compile/spirv/spirv_module.h"
#include "util/util_log.h"
#include "util/util_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The text that stands for the compiler, to be freed: as kept, if its files are still the same, or
 * as a helper tells it. NULL if it is not known.
 */
static char *find_fingerprint(int64_t deadline_ms)
{
	struct compile_helper *helper;
	char *why = NULL, *path = compile_helper_find(&why), *fingerprint = NULL;

	if (path)
		fingerprint = compile_cache_load_fingerprint(path);
	if (path && (!fingerprint || !compiler_fingerprint_was_current(fingerprint))) {
		free(fingerprint);
		fingerprint = NULL;
		if (compile_helper_acquire(false, deadline_ms, &helper, &why) == COMPILE_OK) {
			if (helper->fingerprint && (fingerprint = strdup(helper->fingerprint)))
				compile_cache_store_fingerprint(path, fingerprint);
			compile_helper_release(helper, true);
		}
	}
	free(path);
	free(why);
	return fingerprint;
}

/*
 * Notes what SPIR-V and native code tell: a cached build is quicker when it does not read them.
 * Without memory for it, the result is as good.
 */
static void note_facts(const struct compile_request *request, struct compile_result *result)
{
	const void *spirv = result->spirv ? result->spirv : request->spirv;
	const size_t spirv_size = result->spirv ? result->spirv_size : request->spirv_size;
	struct reflection facts;

	if (result->status != COMPILE_OK || !result->native || !spirv ||
		request->outputs & COMPILE_TOKENS)
		return;
	if (compile_reflect(spirv, spirv_size, result->native, result->native_size, &facts, NULL,
		    0) == COMPILE_OK)
		result->facts = reflection_write(&facts, &result->facts_size);
	reflection_finish(&facts);
}

/*
 * Makes native code of the request's SPIR-V. What cannot be built with implicit arguments is built
 * without them. Returns whether that may be kept: it was not for a reason that may pass.
 */
static bool build_native(
	const struct compile_request *request, int64_t deadline_ms, struct compile_result *made)
{
	struct compile_request plain = *request, longer;
	void *mended, *appended = NULL;
	bool is_final = true;

	enum compile_status status =
		compile_rewrite(request, COMPILE_REWRITE_FAULTS, &mended, &plain.spirv_size);
	if (mended)
		plain.spirv = mended;
	longer = plain;
	if (status == COMPILE_OK && request->implicit_args)
		status = compile_rewrite(
			&plain, COMPILE_REWRITE_IMPLICIT, &appended, &longer.spirv_size);
	made->status = COMPILE_ERROR;
	if (appended) {
		longer.spirv = appended;
		compile_parallel(&longer, deadline_ms, made);
		is_final = made->status == COMPILE_OK || made->status == COMPILE_ERROR;
	}
	if (status != COMPILE_OK)
		compile_fail(made, status, "out of memory");
	else if (made->status == COMPILE_ERROR || made->status == COMPILE_CRASHED)
		compile_parallel(&plain, deadline_ms, made);
	free(appended);
	free(mended);
	return is_final;
}

/* Adds what a step made, which is empty then, to what the steps before it made. */
static void add_step(struct compile_result *result, struct compile_result *made)
{
	char *log = NULL;

	if (made->log && asprintf(&log, "%s%s", result->log ? result->log : "", made->log) < 0) {
		log = NULL;
		compile_fail(made, COMPILE_NO_MEMORY, "out of memory");
	}
	free(result->log);
	free(made->log);
	made->log = log;
	made->spirv = result->spirv;
	made->spirv_size = result->spirv_size;
	*result = *made;
	*made = (struct compile_result){ 0 };
}

static void compile_cached(const struct compile_request *request, const char *fingerprint,
	int64_t deadline_ms, struct compile_result *result);

/*
 * Builds in steps: SPIR-V, unless the request has it, then native code. With a fingerprint, the
 * source has no name in the cache, and its native code may have one. Returns as build_native.
 */
static bool compile(const struct compile_request *request, const char *fingerprint,
	int64_t deadline_ms, struct compile_result *result)
{
	struct compile_request front = *request;
	struct compile_result made = { .status = COMPILE_OK };
	bool is_final = true;

	front.outputs = COMPILE_SPIRV;
	if (!request->spirv)
		helper_build(&front, deadline_ms, result);
	if (result->status != COMPILE_OK || !(request->outputs & COMPILE_NATIVE))
		return true;
	const struct compile_request native = {
		.spirv = request->spirv ? request->spirv : result->spirv,
		.spirv_size = request->spirv ? request->spirv_size : result->spirv_size,
		.implicit_args = request->implicit_args,
		.soft_double = request->soft_double,
		.options = request->options,
		.family = request->family,
		.outputs = request->outputs & ~(unsigned)COMPILE_SPIRV,
	};
	if (fingerprint && result->spirv)
		compile_cached(&native, fingerprint, deadline_ms, &made);
	else
		is_final = build_native(&native, deadline_ms, &made);
	add_step(result, &made);
	if (!result->facts && (request->spirv || request->outputs & COMPILE_SPIRV))
		note_facts(request, result);
	if (result->status != COMPILE_OK || !(request->outputs & COMPILE_SPIRV)) {
		free(result->spirv);
		result->spirv = NULL;
		result->spirv_size = 0;
	}
	return is_final;
}

/* When the build is to be stopped, of compile_clock_ms; negative: never. */
static int64_t find_deadline(void)
{
	unsigned seconds = util_settings()->build_timeout_s;

	return seconds ? compile_clock_ms() + (int64_t)seconds * 1000 : -1;
}

/* From the cache, or by the compiler and then kept. */
static void compile_cached(const struct compile_request *request, const char *fingerprint,
	int64_t deadline_ms, struct compile_result *result)
{
	struct compile_cache_key key;

	if (!fingerprint || !compile_cache_name(request, fingerprint, &key)) {
		compile(request, fingerprint, deadline_ms, result);
	} else if (!compile_cache_load(&key, result)) {
		const bool is_final = compile(request, NULL, deadline_ms, result);
		/* The compiler may be another one by now. */
		if (is_final && result->status == COMPILE_OK &&
			compiler_fingerprint_is_current(fingerprint))
			compile_cache_store(&key, request, result);
	}
}

static void compile_request(const struct compile_request *request, struct compile_result *result)
{
	const int64_t deadline_ms = find_deadline();
	char *fingerprint = compile_cache_on() ? find_fingerprint(deadline_ms) : NULL;

	compile_cached(request, fingerprint, deadline_ms, result);
	free(fingerprint);
}

static enum compile_status check_request(
	const struct compile_request *request, struct compile_result *result)
{
	char why[256] = "";

	if (compile_check_options(request->options, why, sizeof(why)) != COMPILE_OK)
		return compile_fail(result, COMPILE_BAD_OPTIONS, "error: %s\n", why);
	if (request->spirv &&
		!spirv_module_check(request->spirv, request->spirv_size, why, sizeof(why)))
		return compile_fail(result, COMPILE_ERROR, "error: %s\n", why);
	for (size_t i = 0; i < request->n_modules; i++)
		if (!spirv_module_check(
			    request->modules[i].spirv, request->modules[i].size, why, sizeof(why)))
			return compile_fail(
				result, COMPILE_ERROR, "error: module %zu: %s\n", i + 1, why);
	return COMPILE_OK;
}

/* Asked for the SPIR-V of SPIR-V: a copy. */
static enum compile_status copy_spirv(
	const struct compile_request *request, struct compile_result *result)
{
	if (!request->spirv || !(request->outputs & COMPILE_SPIRV))
		return COMPILE_OK;
	result->spirv = bytes_copy(request->spirv, request->spirv_size);
	if (!result->spirv)
		return compile_fail(result, COMPILE_NO_MEMORY, "out of memory");
	result->spirv_size = request->spirv_size;
	return COMPILE_OK;
}

enum compile_status compile_build(
	const struct compile_request *request, struct compile_result *result)
{
	int64_t start = compile_clock_ms();

	*result = (struct compile_result){ 0 };
	if (check_request(request, result) != COMPILE_OK)
		return result->status;
	if (!request->spirv || request->outputs & COMPILE_NATIVE) {
		compile_request(request, result);
	} else {
		result->log = strdup("");
	}
	if (result->status == COMPILE_OK)
		copy_spirv(request, result);
	util_log(UTIL_LOG_DEBUG, "compile", "%s for %s: status %d, %d ms",
		request->source	     ? "source"
		: request->n_modules ? "modules"
				     : "SPIR-V",
		request->family, (int)result->status, (int)(compile_clock_ms() - start));
	return result->status;
}
