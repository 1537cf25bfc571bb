// SPDX-License-Identifier: MIT
#include "compile/build/helper_build.h"

#include "compile/base/pool.h"
#include "compile/build/compile_helper.h"
#include "compile/base/compile_macros.h"
#include "compile/base/helper_protocol.h"
#include "compile/base/compile_options.h"
#include "compile/zebin/elf_file.h"
#include "compile/zebin/reflect.h"
#include "util/util_log.h"
#include "util/util_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MiB that a build may use: what is asked for, else three quarters of what the machine has. */
static uint32_t memory_limit(void)
{
	unsigned asked = util_settings()->build_memory_mib;
	uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

	return asked ? asked : (uint32_t)(bytes / 4 * 3 >> 20);
}

/* The message for the request, to be freed; NULL without memory. */
static void *pack_request(const struct compile_request *request, unsigned defined, size_t *size)
{
	char *prefix = compile_macros_prefix(request, defined);
	char *options = compile_macros_options(request);
	char *folder = getcwd(NULL, 0);
	struct helper_message message = { .type = HELPER_MESSAGE_BUILD,
		.number = memory_limit(),
		.request = *request,
		.prefix = prefix,
		.directory = folder };
	void *packed = NULL;

	message.request.options = options;
	if (prefix && options)
		packed = helper_message_pack(&message, size);
	free(options);
	free(prefix);
	free(folder);
	return packed;
}

/* A copy; NULL (and `ok` false when out of memory) of nothing. */
static void *copy_bytes(const void *data, size_t size, bool *ok)
{
	void *copy = data ? bytes_copy(data, size) : NULL;

	*ok = *ok && (copy || !data);
	return copy;
}

static const char garbage[] = "error: the compiler process answered with garbage\n";

static enum compile_status take_result(
	const struct helper_message *message, struct compile_result *result)
{
	const struct compile_result *said = &message->result;
	bool ok = true;

	if (said->status > COMPILE_NO_MEMORY)
		return compile_fail(result, COMPILE_CRASHED, "%s", garbage);
	if (*message->text)
		util_log(UTIL_LOG_DEBUG, "compile", "the compiler printed: %s", message->text);
	*result = (struct compile_result){ .status = said->status,
		.log = copy_bytes(said->log, strlen(said->log), &ok),
		.spirv = copy_bytes(said->spirv, said->spirv_size, &ok),
		.spirv_size = said->spirv_size,
		.native = copy_bytes(said->native, said->native_size, &ok),
		.native_size = said->native_size };
	return ok ? result->status : compile_fail(result, COMPILE_NO_MEMORY, "out of memory");
}

static enum compile_status report_end(const struct compile_helper *helper, enum helper_receive end,
	const struct helper_message *last, struct compile_result *result)
{
	char *output = compile_helper_output(helper);
	const char *before = output ? output : "";
	const char *line_end = output && output[strlen(output) - 1] != '\n' ? "\n" : "";

	if (end == HELPER_RECEIVED && last->type == HELPER_MESSAGE_CRASH) {
		compile_fail(result, COMPILE_CRASHED, "%s%serror: the compiler crashed: %s\n",
			before, line_end, strsignal((int)(last->number & 127)));
	} else if (end == HELPER_RECEIVED && last->type == HELPER_MESSAGE_NO_MEMORY) {
		compile_fail(result, COMPILE_CRASHED,
			"%s%serror: the compiler was stopped: it may use %u MiB "
			"(ZEROCL_BUILD_MEMORY)\n",
			before, line_end, memory_limit());
	} else if (end == HELPER_RECEIVE_TIMEOUT) {
		compile_fail(result, COMPILE_CRASHED,
			"%s%serror: the compiler was stopped after ZEROCL_BUILD_TIMEOUT=%u "
			"seconds\n",
			before, line_end, util_settings()->build_timeout_s);
	} else if (end == HELPER_RECEIVE_NO_MEMORY) {
		compile_fail(result, COMPILE_NO_MEMORY, "out of memory");
	} else if (end == HELPER_RECEIVE_END) {
		compile_fail(result, COMPILE_CRASHED,
			"%s%serror: the compiler process ended in the middle of the build (killed, "
			"or out of memory)\n",
			before, line_end);
	} else {
		compile_fail(result, COMPILE_CRASHED, "%s%s%s", before, line_end, garbage);
	}
	free(output);
	return result->status;
}

/* An option of Intel's compiler, with flags that it reads once in the life of a process. */
#define IGC_FLAGS "-igc_opts"

/* A request in a message. */
struct packed {
	void *message;
	size_t size;
	bool is_alone; /* it wants a process of its own */
};

/*
 * One attempt. False: the helper was gone before it accepted the request (it may have been idle
 * for too long just now), so that another one may be tried.
 */
static bool attempt(struct compile_helper *helper, const struct packed *request,
	int64_t deadline_ms, struct compile_result *result)
{
	struct helper_message reply = { 0 };
	bool is_accepted = false, is_done = false;
	enum helper_receive rc = HELPER_RECEIVE_END;

	if (helper_message_send_packed(helper->channel, request->message, request->size))
		rc = helper_message_receive(helper->channel, &reply, deadline_ms);
	if (rc == HELPER_RECEIVED && reply.type == HELPER_MESSAGE_ACCEPTED) {
		is_accepted = true;
		helper_message_finish(&reply);
		rc = helper_message_receive(helper->channel, &reply, deadline_ms);
	}
	if (rc == HELPER_RECEIVED && reply.type == HELPER_MESSAGE_RESULT && is_accepted) {
		is_done = take_result(&reply, result) != COMPILE_CRASHED;
	} else if (is_accepted || rc != HELPER_RECEIVE_END) {
		report_end(helper, rc, &reply, result);
	} else {
		helper_message_finish(&reply);
		compile_helper_release(helper, false);
		return false;
	}
	helper_message_finish(&reply);
	compile_helper_release(helper, is_done && !request->is_alone);
	return true;
}

static enum compile_status send_packed(
	const struct packed *request, int64_t deadline_ms, struct compile_result *result)
{
	for (int i = 0; i < 2; i++) {
		struct compile_helper *helper;
		char *why;
		enum compile_status status = compile_helper_acquire(
			i > 0 || request->is_alone, deadline_ms, &helper, &why);
		if (status != COMPILE_OK) {
			compile_fail(result, status, "error: %s\n", why ? why : "out of memory");
			free(why);
			return status;
		}
		if (attempt(helper, request, deadline_ms, result))
			return result->status;
	}
	return compile_fail(result, COMPILE_CRASHED,
		"error: the compiler process ends as soon as a build is asked of it\n");
}

/* Fills the result, which was zeroed. */
static enum compile_status send_request(const struct compile_request *request, unsigned defined,
	int64_t deadline_ms, struct compile_result *result)
{
	struct packed packed = { .is_alone = compile_options_have(request->options, IGC_FLAGS) };

	packed.message = pack_request(request, defined, &packed.size);
	if (packed.message)
		send_packed(&packed, deadline_ms, result);
	else
		compile_fail(result, COMPILE_NO_MEMORY, "out of memory");
	free(packed.message);
	return result->status;
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
		compile_fail(result, status, "out of memory");
	else if (status != COMPILE_OK ||
		 file.kind != (has_tokens ? ELF_FILE_EXECUTABLE : ELF_FILE_ZEBIN))
		compile_fail(result, COMPILE_ERROR,
			"error: the compiler made native code of another kind than it was asked "
			"for (%s)\n",
			has_tokens ? "patch tokens" : "a zebin");
	else if (!has_tokens && (name = find_undefined(&file)))
		compile_fail(result, COMPILE_ERROR, "%serror: undefined reference to '%s'\n",
			result->log ? result->log : "", name);
	elf_file_finish(&file);
}

/* All that was asked for must be there. */
static void check_outputs(const struct compile_request *request, struct compile_result *result)
{
	if (result->status != COMPILE_OK)
		return;
	if ((request->outputs & COMPILE_SPIRV && !result->spirv) ||
		(request->outputs & COMPILE_NATIVE && !result->native))
		compile_fail(result, COMPILE_CRASHED,
			"error: the compiler process answered with less than it was asked for\n");
	else if (result->native)
		check_native(request, result);
}

/*
 * Of SPIR-V that crashes the compiler, the validator says what is wrong. What it does not know, or
 * does not like, the compiler may well build: nobody asks it before.
 */
static void explain_crash(
	const struct compile_request *request, int64_t deadline_ms, struct compile_result *result)
{
	struct compile_request validation = *request;
	struct compile_result judged = { 0 };

	if (request->source || result->status != COMPILE_CRASHED)
		return;
	validation.outputs = 0;
	if (send_request(&validation, 0, deadline_ms, &judged) == COMPILE_ERROR) {
		compile_result_finish(result);
		*result = judged;
	} else {
		compile_result_finish(&judged);
	}
}

/* Or may: the compiler tells of one memory for spilled registers and private variables. */
static bool spills_at_simd32(const struct compile_result *result)
{
	struct reflection facts;
	bool found = false;

	if (result->status != COMPILE_OK || !result->native ||
		compile_reflect(NULL, 0, result->native, result->native_size, &facts, NULL, 0) !=
			COMPILE_OK)
		return false;
	for (size_t i = 0; i < facts.n_kernels; i++)
		found |= facts.kernels[i].simd_size == 32 &&
			 (facts.kernels[i].spill_bytes || facts.kernels[i].private_bytes);
	reflection_finish(&facts);
	return found;
}

/*
 * Of kernels at SIMD32 that need more registers than there are, two steps of the compiler lose
 * values (docs/COMPATIBILITY.md): such are built again without these, if the compiler can.
 */
static void build_without_steps(
	const struct compile_request *request, int64_t deadline_ms, struct compile_result *result)
{
	const char *own = util_settings()->visa_options;
	struct compile_request without = *request;
	struct compile_result again = { 0 };
	char *options;

	if (!spills_at_simd32(result) || compile_options_have(request->options, IGC_FLAGS) ||
		asprintf(&options,
			"%s " IGC_FLAGS " 'VISAOptions=%s -nosplitonspill -nospillcleanup'",
			request->options ? request->options : "", own ? own : "") < 0)
		return;
	without.options = options;
	if (send_request(&without, 0, deadline_ms, &again) == COMPILE_OK) {
		const struct compile_result before = *result;
		*result = again;
		again = before;
	}
	compile_result_finish(&again);
	free(options);
}

void helper_build(
	const struct compile_request *request, int64_t deadline_ms, struct compile_result *result)
{
	unsigned missing = compile_macros_mentioned(request), defined = 0;

	do {
		compile_result_finish(result);
		defined |= missing;
		send_request(request, defined, deadline_ms, result);
		missing = result->status == COMPILE_ERROR
				  ? compile_macros_missing(request, result->log) & ~defined
				  : 0;
	} while (missing);
	explain_crash(request, deadline_ms, result);
	build_without_steps(request, deadline_ms, result);
	check_outputs(request, result);
}
