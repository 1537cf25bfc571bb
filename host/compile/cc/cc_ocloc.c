// SPDX-License-Identifier: MIT
#include "compile/cc/cc_ocloc.h"
#include "compile/base/pool.h"
#include "compile/cc/clang_pch.h"
#include "compile/cc/cc_log.h"
#include "compile/cc/igc_debug.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ocloc_api.h is C++; its two functions that matter are the same in all versions since 2021. */
typedef int (*invoke_fn)(unsigned n_args, const char *args[], uint32_t n_sources,
	const uint8_t **sources, const uint64_t *source_sizes, const char **source_names,
	uint32_t n_headers, const uint8_t **headers, const uint64_t *header_sizes,
	const char **header_names, uint32_t *n_outputs, uint8_t ***outputs, uint64_t **output_sizes,
	char ***output_names);
typedef int (*free_fn)(
	uint32_t *n_outputs, uint8_t ***outputs, uint64_t **output_sizes, char ***output_names);

/* What ocloc returns when it does not know one of its own arguments. */
#define OCLOC_INVALID_COMMAND_LINE (-5150)

static invoke_fn invoke;
static free_fn free_output;

/* Everything that one call hands to ocloc and gets from it. */
struct call {
	const char *args[16];
	unsigned n_args;
	char *options;
	char *source; /* prefix, source, NUL */
	const uint8_t *input;
	uint64_t input_size;
	const char *input_name;
	const uint8_t **headers;
	uint64_t *header_sizes;
	const char **header_names;

	uint32_t n_outputs;
	uint8_t **outputs;
	uint64_t *output_sizes;
	char **output_names;
};

static bool is_whole;

bool cc_ocloc_is_whole(void)
{
	return is_whole;
}

/* Loads the library that ocloc's file names with this start and one digit, to stay. */
static void *keep_library(const char *text, size_t size, const char *start, int flags)
{
	const size_t length = strlen(start);
	char name[32];

	for (const char *at = text; (at = memmem(at, size - (size_t)(at - text), start, length));
		at++) {
		if (size - (size_t)(at - text) < length + 2 || at[length] < '0' ||
			at[length] > '9' || at[length + 1])
			continue;
		snprintf(name, sizeof name, "%s%c", start, at[length]);
		return dlopen(name, flags);
	}
	return NULL;
}

/*
 * ocloc loads and unloads its front end for each build; this keeps the libraries. The flags of the
 * first dlopen stay with a library: without ocloc's RTLD_DEEPBIND, the front end calls the Compile
 * of clang_pch.c, and the back end the remove of igc_debug.c.
 */
static bool keep_libraries(void *function)
{
	const int flags = RTLD_LAZY | RTLD_LOCAL;
	void *front, *back;
	struct stat status;
	Dl_info info;
	int fd = dladdr(function, &info) ? open(info.dli_fname, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return false;
	void *text = fstat(fd, &status)
			     ? MAP_FAILED
			     : mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (text == MAP_FAILED)
		return false;
	front = keep_library(text, (size_t)status.st_size, "libigdfcl.so.", flags);
	back = keep_library(text, (size_t)status.st_size, "libigc.so.", flags);
	munmap(text, (size_t)status.st_size);
	if (front)
		clang_pch_install(front);
	return front && back;
}

bool cc_ocloc_load(const char **why)
{
	static const char *const names[] = { "libocloc.so", "libocloc.so.1" };
	void *library = NULL;

	for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		*why = "libocloc.so, Intel's OpenCL C compiler, is not installed: it comes with "
		       "the package intel-opencl-icd (Debian 12) or intel-ocloc (later)";
		return false;
	}
	*(void **)&invoke = dlsym(library, "oclocInvoke");
	*(void **)&free_output = dlsym(library, "oclocFreeOutput");
	*why = "libocloc.so has no oclocInvoke: its version is not known";
	if (!invoke || !free_output)
		return false;
	is_whole = keep_libraries(dlsym(library, "oclocInvoke"));
	return true;
}

static void add(struct call *call, const char *arg)
{
	call->args[call->n_args++] = arg;
}

/*
 * Ends in a line end: ocloc takes an empty source for none. A byte order mark, with which editors
 * begin a file, is one only where the compiler's input begins.
 */
static bool make_source(
	const struct compile_request *request, const char *prefix, struct call *call)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t before = strlen(prefix), size = request->source_size;
	const char *text = request->source;

	if (size >= sizeof(mark) - 1 && memcmp(text, mark, sizeof(mark) - 1) == 0) {
		text += sizeof(mark) - 1;
		size -= sizeof(mark) - 1;
	}
	call->source = malloc(before + size + 2);
	if (!call->source)
		return false;
	memcpy(call->source, prefix, before);
	memcpy(call->source + before, text, size);
	memcpy(call->source + before + size, "\n", 2);
	call->input = (const uint8_t *)call->source;
	call->input_size = before + size + 2;
	return true;
}

static bool make_headers(const struct compile_request *request, struct call *call)
{
	size_t n = request->n_headers;

	if (!n)
		return true;
	call->headers = calloc(n, sizeof *call->headers);
	call->header_sizes = calloc(n, sizeof *call->header_sizes);
	call->header_names = calloc(n, sizeof *call->header_names);
	if (!call->headers || !call->header_sizes || !call->header_names)
		return false;
	for (size_t i = 0; i < n; i++) {
		call->headers[i] = (const uint8_t *)request->headers[i].text;
		/* the front end reads up to a NUL, which fields of a message have */
		call->header_sizes[i] = request->headers[i].size + 1;
		call->header_names[i] = request->headers[i].name;
	}
	return true;
}

/* Of the extensions that Intel's runtime adds to those that ocloc knows. */
#define INTERNAL_OPTIONS                                                                           \
	"-cl-ext=+cl_khr_depth_images,+cl_khr_image2d_from_buffer,+cl_intel_media_block_io"

/*
 * "-options" is the application's string and what reflection needs; ocloc adds the rest. Never -q:
 * versions since 2023 leave out the compiler's warnings then.
 */
static bool make_call(const struct compile_request *request, const char *prefix, struct call *call)
{
	const char *user = request->options ? request->options : "";

	if (asprintf(&call->options, "%s%s-cl-kernel-arg-info", user, *user ? " " : "") < 0) {
		call->options = NULL;
		return false;
	}
	add(call, "ocloc");
	add(call, "compile");
	add(call, "-device");
	add(call, request->family);
	add(call, "-options");
	add(call, call->options);
	add(call, "-file");
	call->input_name = request->source ? "program.cl" : "program.spv";
	add(call, call->input_name);
	if (!(request->outputs & COMPILE_NATIVE))
		add(call, "-spv_only");
	if (!request->source) {
		add(call, "-spirv_input");
		call->input = request->spirv;
		call->input_size = request->spirv_size;
	} else if (!make_source(request, prefix, call)) {
		return false;
	} else {
		add(call, "-internal_options");
		add(call, request->soft_double ? INTERNAL_OPTIONS ",+cl_khr_fp64,+__opencl_c_fp64"
					       : INTERNAL_OPTIONS);
	}
	return make_headers(request, call);
}

static int run(const struct compile_request *request, struct call *call)
{
	return invoke(call->n_args, call->args, 1, &call->input, &call->input_size,
		&call->input_name, (uint32_t)request->n_headers, call->headers, call->header_sizes,
		call->header_names, &call->n_outputs, &call->outputs, &call->output_sizes,
		&call->output_names);
}

static void drop_outputs(struct call *call)
{
	if (call->outputs)
		free_output(
			&call->n_outputs, &call->outputs, &call->output_sizes, &call->output_names);
	call->n_outputs = 0;
	call->outputs = NULL;
}

/* Versions that can make both forms of binary have --format; the others make what we want. */
static int run_for_zebin(const struct compile_request *request, struct call *call)
{
	unsigned n_args = call->n_args;

	if (!(request->outputs & COMPILE_NATIVE))
		return run(request, call);
	add(call, "--format");
	add(call, request->outputs & COMPILE_TOKENS ? "patchtokens" : "zebin");
	int rc = run(request, call);
	if (rc != OCLOC_INVALID_COMMAND_LINE)
		return rc;
	drop_outputs(call);
	call->n_args = n_args;
	return run(request, call);
}

/* A copy of the output whose name ends so; NULL if there is none. */
static void *take(const struct call *call, const char *suffix, size_t *size)
{
	for (uint32_t i = 0; i < call->n_outputs; i++) {
		size_t length = strlen(call->output_names[i]);
		if (length < strlen(suffix) ||
			strcmp(call->output_names[i] + length - strlen(suffix), suffix) != 0)
			continue;
		*size = call->output_sizes[i];
		return bytes_copy(call->outputs[i], *size);
	}
	return NULL;
}

static void take_log(const struct call *call, struct compile_result *result)
{
	size_t size = 0;
	char *log = take(call, "stdout.log", &size);

	if (!log)
		return;
	size = strnlen(log, size);
	size = cc_log_clean(log, size);
	log[size] = '\0';
	result->log = log;
}

static void take_results(const struct compile_request *request, const struct call *call,
	struct compile_result *result)
{
	if (request->outputs & COMPILE_SPIRV && request->source)
		result->spirv = take(call, ".spv", &result->spirv_size);
	if (request->outputs & COMPILE_NATIVE)
		result->native = take(call, ".bin", &result->native_size);
	if ((request->outputs & COMPILE_SPIRV && request->source && !result->spirv) ||
		(request->outputs & COMPILE_NATIVE && !result->native))
		result->status = COMPILE_ERROR;
}

void cc_ocloc_build(
	const struct compile_request *request, const char *prefix, struct compile_result *result)
{
	struct call call = { 0 };

	*result = (struct compile_result){ .status = COMPILE_NO_MEMORY };
	if (make_call(request, prefix, &call)) {
		igc_debug_begin();
		int rc = run_for_zebin(request, &call);
		result->status = rc ? COMPILE_ERROR : COMPILE_OK;
		take_log(&call, result);
		if (!rc)
			take_results(request, &call, result);
		else if (result->log && cc_log_bad_options(result->log, strlen(result->log)))
			result->status = COMPILE_BAD_OPTIONS;
		igc_debug_end(result);
		drop_outputs(&call);
	}
	free(call.options);
	free(call.source);
	free(call.headers);
	free(call.header_sizes);
	free(call.header_names);
}
