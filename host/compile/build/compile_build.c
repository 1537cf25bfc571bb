// SPDX-License-Identifier: MIT
#include "compile/build/compile.h"
#include "compile/cache/compile_cache.h"
#include "compile/zebin/elf_file.h"
#include "compile/zebin/program_metadata.h"
#include "compile/build/compile_helper.h"
#include "compile/cache/compiler_fingerprint.h"
#include "compile/build/compile_macros.h"
#include "compile/build/helper_protocol.h"
#include "compile/build/compile_parallel.h"
#include "compile/spirv/spirv_module.h"
#include "util/util_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The end of a build that has no result of the compiler: the status and the text for the log. */
static enum compile_status fail(struct compile_result *result, enum compile_status status,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum compile_status fail(
	struct compile_result *result, enum compile_status status, const char *format, ...)
{
	char *log = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&log, format, args) < 0)
		log = NULL;
	va_end(args);
	compile_result_finish(result);
	result->status = status;
	result->log = log;
	return status;
}

/* MiB that a build may use: what is asked for, else three quarters of what the machine has. */
static uint32_t memory_limit(void)
{
	const char *asked = getenv("ZEROCL_BUILD_MEMORY");
	long value = asked ? strtol(asked, NULL, 10) : 0;
	uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

	if (value > 0 && value < 1 << 30)
		return (uint32_t)value;
	return (uint32_t)(bytes / 4 * 3 >> 20);
}

static void put_request(struct compile_message *message, const struct compile_request *request)
{
	char *prefix = compile_macros_prefix(request);
	char *folder = getcwd(NULL, 0);

	message->type = COMPILE_MESSAGE_BUILD;
	if (request->source)
		compile_message_put(
			message, COMPILE_FIELD_SOURCE, request->source, request->source_size);
	else if (request->spirv)
		compile_message_put(
			message, COMPILE_FIELD_SPIRV, request->spirv, request->spirv_size);
	for (size_t i = 0; i < request->n_modules; i++)
		compile_message_put(message, COMPILE_FIELD_MODULE, request->modules[i].spirv,
			request->modules[i].size);
	compile_message_put_number(message, COMPILE_FIELD_MEMORY, memory_limit());
	compile_message_put_number(message, COMPILE_FIELD_FOREIGN, request->is_foreign);
	for (size_t i = 0; i < request->n_headers; i++) {
		const struct compile_header *header = &request->headers[i];
		compile_message_put_text(message, COMPILE_FIELD_HEADER_NAME, header->name);
		compile_message_put(message, COMPILE_FIELD_HEADER_TEXT, header->text, header->size);
	}
	if (request->options)
		compile_message_put_text(message, COMPILE_FIELD_OPTIONS, request->options);
	compile_message_put_text(message, COMPILE_FIELD_FAMILY, request->family);
	compile_message_put_number(message, COMPILE_FIELD_OUTPUTS, request->outputs);
	if (prefix)
		compile_message_put_text(message, COMPILE_FIELD_PREFIX, prefix);
	else
		message->broken = true;
	if (folder)
		compile_message_put_text(message, COMPILE_FIELD_DIRECTORY, folder);
	free(prefix);
	free(folder);
}

/* Milliseconds that a build may take; negative for no limit. */
static int64_t time_limit(void)
{
	const char *seconds = getenv("ZEROCL_BUILD_TIMEOUT");
	long value = seconds ? strtol(seconds, NULL, 10) : 0;

	return value > 0 && value < 1 << 30 ? (int64_t)value * 1000 : -1;
}

/* A copy of the field; NULL (and `ok` false when out of memory) if it is not there. */
static void *take(
	const struct compile_message *message, enum compile_field tag, size_t *size, bool *ok)
{
	struct compile_view view;

	if (!compile_message_find(message, tag, &view))
		return NULL;
	char *copy = malloc(view.size + 1);
	if (!copy) {
		*ok = false;
		return NULL;
	}
	memcpy(copy, view.data, view.size + 1);
	*size = view.size;
	return copy;
}

static const char garbage[] = "error: the compiler process answered with garbage\n";

static enum compile_status take_result(
	const struct compile_message *message, struct compile_result *result)
{
	struct compile_view output;
	size_t size;
	bool ok = true;
	uint32_t status = compile_message_number(message, COMPILE_FIELD_STATUS, COMPILE_NO_MEMORY);

	if (status > COMPILE_NO_MEMORY)
		return fail(result, COMPILE_CRASHED, "%s", garbage);
	if (compile_message_find(message, COMPILE_FIELD_OUTPUT, &output))
		util_log(UTIL_LOG_DEBUG, "compile", "the compiler printed: %s", output.data);
	result->log = take(message, COMPILE_FIELD_LOG, &size, &ok);
	result->spirv = take(message, COMPILE_FIELD_SPIRV, &result->spirv_size, &ok);
	result->native = take(message, COMPILE_FIELD_NATIVE, &result->native_size, &ok);
	if (!result->log && ok)
		result->log = strdup("");
	if (!result->log || !ok)
		return fail(result, COMPILE_NO_MEMORY, "out of memory");
	return result->status = (enum compile_status)status;
}

static enum compile_status report_end(const struct compile_helper *helper, enum compile_receive end,
	const struct compile_message *last, struct compile_result *result)
{
	char *output = compile_helper_output(helper);
	const char *before = output ? output : "";
	const char *line_end = output && output[strlen(output) - 1] != '\n' ? "\n" : "";

	if (end == COMPILE_RECEIVED && last->type == COMPILE_MESSAGE_CRASH) {
		uint32_t number = compile_message_number(last, COMPILE_FIELD_SIGNAL, 0);
		fail(result, COMPILE_CRASHED, "%s%serror: the compiler crashed: %s\n", before,
			line_end, strsignal((int)(number & 127)));
	} else if (end == COMPILE_RECEIVED && last->type == COMPILE_MESSAGE_NO_MEMORY) {
		fail(result, COMPILE_CRASHED,
			"%s%serror: the compiler was stopped: it may use %u MiB "
			"(ZEROCL_BUILD_MEMORY)\n",
			before, line_end, memory_limit());
	} else if (end == COMPILE_RECEIVE_TIMEOUT) {
		fail(result, COMPILE_CRASHED,
			"%s%serror: the compiler was stopped after ZEROCL_BUILD_TIMEOUT=%s "
			"seconds\n",
			before, line_end, getenv("ZEROCL_BUILD_TIMEOUT"));
	} else if (end == COMPILE_RECEIVE_NO_MEMORY) {
		fail(result, COMPILE_NO_MEMORY, "out of memory");
	} else if (end == COMPILE_RECEIVE_END) {
		fail(result, COMPILE_CRASHED,
			"%s%serror: the compiler process ended in the middle of the build (killed, "
			"or out of memory)\n",
			before, line_end);
	} else {
		fail(result, COMPILE_CRASHED, "%s%s%s", before, line_end, garbage);
	}
	free(output);
	return result->status;
}

/*
 * One attempt. False: the helper was gone before it accepted the request (it may have been idle
 * for too long just now), so that another one may be tried.
 */
static bool attempt(struct compile_helper *helper, const struct compile_message *request,
	struct compile_result *result)
{
	struct compile_message reply = { 0 };
	int64_t limit = time_limit();
	int64_t deadline = limit < 0 ? -1 : compile_clock_ms() + limit;
	bool is_accepted = false, is_done = false;
	enum compile_receive rc = COMPILE_RECEIVE_END;

	if (compile_message_send(helper->channel, request))
		rc = compile_message_receive(helper->channel, &reply, deadline);
	if (rc == COMPILE_RECEIVED && reply.type == COMPILE_MESSAGE_ACCEPTED) {
		is_accepted = true;
		compile_message_finish(&reply);
		rc = compile_message_receive(helper->channel, &reply, deadline);
	}
	if (rc == COMPILE_RECEIVED && reply.type == COMPILE_MESSAGE_RESULT && is_accepted) {
		is_done = take_result(&reply, result) != COMPILE_CRASHED;
	} else if (is_accepted || rc != COMPILE_RECEIVE_END) {
		report_end(helper, rc, &reply, result);
	} else {
		compile_message_finish(&reply);
		compile_helper_release(helper, false);
		return false;
	}
	compile_message_finish(&reply);
	compile_helper_release(helper, is_done);
	return true;
}

static enum compile_status build_in_helper(
	const struct compile_message *request, struct compile_result *result)
{
	for (int i = 0; i < 2; i++) {
		struct compile_helper *helper;
		char *why;
		enum compile_status status = compile_helper_acquire(i > 0, &helper, &why);
		if (status != COMPILE_OK) {
			fail(result, status, "error: %s\n", why ? why : "out of memory");
			free(why);
			return status;
		}
		if (attempt(helper, request, result))
			return result->status;
	}
	return fail(result, COMPILE_CRASHED,
		"error: the compiler process ends as soon as a build is asked of it\n");
}

/*
 * The text that stands for the compiler, to be freed: as kept, if its files are still the same, or
 * as a helper tells it. NULL if it is not known.
 */
static char *identify(void)
{
	struct compile_helper *helper;
	char *why = NULL, *path = compile_helper_find(&why), *identity = NULL;

	if (path)
		identity = compile_cache_identity(path);
	if (path && (!identity || !compile_identity_held(identity))) {
		free(identity);
		identity = NULL;
		if (compile_helper_acquire(false, &helper, &why) == COMPILE_OK) {
			if (helper->identity && (identity = strdup(helper->identity)))
				compile_cache_keep_identity(path, identity);
			compile_helper_release(helper, true);
		}
	}
	free(path);
	free(why);
	return identity;
}

/* The name of a function or variable that the native code lacks, but for those that only the driver
 * gives; NULL if it lacks none. */
static const char *find_undefined(const struct elf_file *file)
{
	const struct elf_file_section *table = elf_file_find(file, SHT_SYMTAB, NULL);
	Elf64_Sym symbol;

	for (size_t i = 0; table && elf_file_symbol(table, i, &symbol); i++) {
		const char *name = elf_file_symbol_name(file, table, &symbol);

		if (symbol.st_shndx == SHN_UNDEF && *name && strncmp(name, "__", 2) != 0 &&
			strncmp(name, "INTEL_", 6) != 0)
			return name;
	}
	return NULL;
}

/* Level Zero is given nothing but a zebin that lacks nothing: it would take one that does, and jump
 * to nowhere. */
static void check_native(const struct compile_request *request, struct compile_result *result)
{
	const bool has_tokens = request->outputs & COMPILE_TOKENS;
	const char *name;
	struct elf_file file;

	enum compile_status status = elf_file_read(&file, result->native, result->native_size);
	if (status == COMPILE_NO_MEMORY)
		fail(result, status, "out of memory");
	else if (status != COMPILE_OK ||
		 file.kind != (has_tokens ? ELF_FILE_EXECUTABLE : ELF_FILE_ZEBIN))
		fail(result, COMPILE_ERROR,
			"error: the compiler made native code of another kind than it was asked "
			"for (%s)\n",
			has_tokens ? "patch tokens" : "a zebin");
	else if (!has_tokens && (name = find_undefined(&file)))
		fail(result, COMPILE_ERROR, "%serror: undefined reference to '%s'\n",
			result->log ? result->log : "", name);
	elf_file_finish(&file);
}

/* All that was asked for must be there. */
static void check_outputs(const struct compile_request *request, struct compile_result *result)
{
	if (result->status != COMPILE_OK)
		return;
	if ((!request->spirv && request->outputs & COMPILE_SPIRV && !result->spirv) ||
		(request->outputs & COMPILE_NATIVE && !result->native))
		fail(result, COMPILE_CRASHED,
			"error: the compiler process answered with less than it was asked for\n");
	else if (result->native)
		check_native(request, result);
}

/* The section stays, as an unused one, so that the others keep their numbers. */
static void remove_spirv(struct compile_result *result)
{
	struct elf_file file;
	size_t size;
	void *less = NULL;

	if (elf_file_read(&file, result->native, result->native_size) == COMPILE_OK) {
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

/*
 * Takes the SPIR-V out of the native code, and notes what both tell: what a cached build does not
 * read, copy or look for is quicker. Without memory for it, the result is as good.
 */
static void finish_native(const struct compile_request *request, struct compile_result *result)
{
	const void *spirv = result->spirv ? result->spirv : request->spirv;
	const size_t spirv_size = result->spirv ? result->spirv_size : request->spirv_size;
	struct compile_facts facts;

	if (result->status != COMPILE_OK || !result->native || !spirv ||
		request->outputs & COMPILE_TOKENS)
		return;
	if (compile_facts_look(spirv, spirv_size, result->native, result->native_size, &facts, NULL,
		    0) == COMPILE_OK) {
		result->facts = compile_facts_write(&facts, &result->facts_size);
		compile_facts_finish(&facts);
	}
	remove_spirv(result);
}

static void compile_as_one(const struct compile_request *request, struct compile_result *result)
{
	struct compile_message message = { 0 };

	put_request(&message, request);
	if (message.broken)
		fail(result, COMPILE_NO_MEMORY, "out of memory");
	else
		build_in_helper(&message, result);
	compile_message_finish(&message);
	check_outputs(request, result);
}

static void compile(const struct compile_request *request, struct compile_result *result)
{
	if (!compile_parallel(request, compile_as_one, result))
		compile_as_one(request, result);
	finish_native(request, result);
}

/* From the cache, or by the compiler and then kept. */
static void compile_cached(const struct compile_request *request, struct compile_result *result)
{
	struct compile_cache_key key, after;
	char *identity = compile_cache_on() ? identify() : NULL;

	if (!identity || !compile_cache_name(request, identity, &key)) {
		compile(request, result);
	} else if (!compile_cache_load(&key, result)) {
		compile(request, result);
		/* The compiler, and a file that was included, may be another one by now. */
		if (result->status == COMPILE_OK && compile_identity_holds(identity) &&
			(!key.is_bound ||
				(compile_cache_name(request, identity, &after) &&
					!memcmp(after.bytes, key.bytes, sizeof key.bytes))))
			compile_cache_store(&key, request, result);
	}
	free(identity);
}

static enum compile_status check_request(
	const struct compile_request *request, struct compile_result *result)
{
	char why[256] = "";

	if (compile_check_options(request->options, why, sizeof why) != COMPILE_OK)
		return fail(result, COMPILE_BAD_OPTIONS, "error: %s\n", why);
	if (request->spirv &&
		!compile_spirv_check(request->spirv, request->spirv_size, why, sizeof why))
		return fail(result, COMPILE_ERROR, "error: %s\n", why);
	for (size_t i = 0; i < request->n_modules; i++)
		if (!compile_spirv_check(
			    request->modules[i].spirv, request->modules[i].size, why, sizeof why))
			return fail(result, COMPILE_ERROR, "error: module %zu: %s\n", i + 1, why);
	return COMPILE_OK;
}

/* Asked for the SPIR-V of SPIR-V: a copy. */
static enum compile_status copy_spirv(
	const struct compile_request *request, struct compile_result *result)
{
	if (!request->spirv || !(request->outputs & COMPILE_SPIRV))
		return COMPILE_OK;
	result->spirv = malloc(request->spirv_size);
	if (!result->spirv)
		return fail(result, COMPILE_NO_MEMORY, "out of memory");
	memcpy(result->spirv, request->spirv, request->spirv_size);
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
	if (!request->spirv || request->is_foreign || request->outputs & COMPILE_NATIVE) {
		compile_cached(request, result);
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
