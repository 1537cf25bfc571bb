// SPDX-License-Identifier: MIT
#include "tool/base/disasm.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/zebin/dwarf_lines.h"
#include "compile/zebin/elf_file.h"

#define FORMAT_PRINT_PC 8

/* The part of IGA's C interface that is used. Its header is not C. */
struct iga_context_options {
	size_t size;
	uint32_t platform;
};

struct iga_disassemble_options {
	uint32_t size;
	uint32_t formatting;
	uint32_t reserved[2];
	uint32_t decoding;
	uint32_t base_pc;
};

struct iga_assemble_options {
	uint32_t size, warnings, encoding, syntax, reserved[2], tokens, tokens_mode;
};

#define ENCODING_NOT_COMPACT 0x10
#define SYNTAX_EXTENSIONS    2

struct iga_diagnostic;

struct disasm {
	void *library;
	int (*context_create)(const struct iga_context_options *options, void **context);
	int (*context_release)(void *context);
	int (*context_disassemble)(void *context, const struct iga_disassemble_options *options,
		const void *code, uint32_t size, const char *(*label)(int32_t, void *),
		void *label_context, char **text);
	const char *(*version_string)(void);
	int (*context_assemble)(void *context, const struct iga_assemble_options *options,
		const char *text, void **code, uint32_t *size);
	int (*context_get_errors)(void *context, const struct iga_diagnostic **errors, uint32_t *n);
	int (*diagnostic_get_message)(
		const struct iga_diagnostic *diagnostic, const char **message);
	int (*diagnostic_get_text_line)(const struct iga_diagnostic *diagnostic, uint32_t *line);
};

/* Product families as zebin's note has them, and IGA's platform that decodes their code. */
static const struct platform_row {
	uint32_t first, last, platform;
} platforms[] = {
	{ 18, 25, 0x00090000 },	    /* Gen9: Skylake … Coffee Lake */
	{ 26, 28, 0x000b0000 },	    /* Gen11: Ice Lake … Elkhart Lake */
	{ 29, 33, 0x01000000 },	    /* Gen12LP: Tiger Lake … Alder Lake */
	{ 1210, 1210, 0x01000000 }, /* Gen12LP: DG1 */
	{ 1270, 1270, 0x01000002 }, /* Xe-HPG: DG2 */
	{ 1271, 1271, 0x01000004 }, /* Xe-HPC: Ponte Vecchio */
	{ 1272, 1273, 0x01000002 }, /* Xe-LPG: Meteor Lake, Arrow Lake */
	{ 1274, 1275, 0x02000000 }, /* Xe2: Battlemage, Lunar Lake */
	{ 1300, 1300, 0x03000000 }, /* Xe3: Panther Lake */
};

struct code {
	const void *bytes;
	size_t size;
	uint32_t family;
};

static bool load_symbol(const struct disasm *disasm, const char *name, void *function)
{
	void *address = dlsym(disasm->library, name);

	memcpy(function, &address, sizeof(address));
	return address != NULL;
}

struct disasm *disasm_open(char *why, size_t size)
{
	static const char *const names[] = { "libiga64.so.1", "libiga64.so.2", "libiga64.so" };
	struct disasm *disasm = calloc(1, sizeof(*disasm));

	if (!disasm)
		return NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !disasm->library; i++)
		disasm->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!disasm->library) {
		snprintf(why, size,
			"libiga64 is not installed (Debian's packages libigc1, libigc2)");
	} else if (load_symbol(disasm, "iga_context_create", &disasm->context_create) &&
		   load_symbol(disasm, "iga_context_release", &disasm->context_release) &&
		   load_symbol(disasm, "iga_context_disassemble", &disasm->context_disassemble) &&
		   load_symbol(disasm, "iga_version_string", &disasm->version_string) &&
		   load_symbol(disasm, "iga_context_assemble", &disasm->context_assemble) &&
		   load_symbol(disasm, "iga_context_get_errors", &disasm->context_get_errors) &&
		   load_symbol(
			   disasm, "iga_diagnostic_get_message", &disasm->diagnostic_get_message) &&
		   load_symbol(disasm, "iga_diagnostic_get_text_line",
			   &disasm->diagnostic_get_text_line)) {
		return disasm;
	} else {
		snprintf(why, size, "libiga64 lacks a function: %s", dlerror());
	}
	disasm_close(disasm);
	return NULL;
}

void disasm_close(struct disasm *disasm)
{
	if (disasm && disasm->library)
		dlclose(disasm->library);
	free(disasm);
}

const char *disasm_version(const struct disasm *disasm)
{
	return disasm->version_string();
}

/* The product family of a zebin; 0 if it names none. */
static uint32_t find_family(const struct elf_file *file)
{
	const void *product = elf_file_find_note(file, ELF_FILE_NOTE_PRODUCT);
	uint32_t family = 0;

	if (product)
		memcpy(&family, product, sizeof(family));
	return family;
}

static uint32_t find_platform(uint32_t family)
{
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++)
		if (family >= platforms[i].first && family <= platforms[i].last)
			return platforms[i].platform;
	return 0;
}

static bool find_code(const void *binary, size_t binary_size, const char *kernel, struct code *code,
	char *why, size_t size)
{
	struct elf_file file;

	if (elf_file_read(&file, binary, binary_size) || file.kind != ELF_FILE_ZEBIN) {
		elf_file_finish(&file);
		snprintf(why, size, "the program binary is no zebin");
		return false;
	}
	code->family = find_family(&file);
	elf_file_finish(&file);
	code->bytes = dwarf_lines_code(binary, binary_size, kernel, &code->size);
	if (!code->bytes)
		snprintf(why, size, "the program binary has no section .text.%s", kernel);
	return code->bytes != NULL;
}

/* Ends the text behind the instruction that ends the thread. */
static void cut_after_end(char *text)
{
	char *end = strstr(text, "{EOT");

	if (end && (end = strchr(end, '\n')))
		end[1] = 0;
}

static char *decode(const struct disasm *disasm, const struct code *code, uint32_t formatting,
	char *why, size_t size)
{
	struct iga_context_options options = { .size = sizeof(options) };
	struct iga_disassemble_options format = { .size = sizeof(format),
		.formatting = formatting };
	void *context = NULL;
	char *text = NULL, *copy = NULL;

	options.platform = find_platform(code->family);
	if (!options.platform) {
		snprintf(why, size, "product family %u is not known", code->family);
		return NULL;
	}
	if (!disasm->context_create(&options, &context)) {
		/* Padding after the thread's end may not decode: the text counts, not the status.
		 */
		disasm->context_disassemble(
			context, &format, code->bytes, (uint32_t)code->size, NULL, NULL, &text);
		copy = text ? strdup(text) : NULL;
		disasm->context_release(context);
	}
	if (copy && strstr(copy, "{EOT")) {
		cut_after_end(copy);
		return copy;
	}
	snprintf(why, size, "libiga64 could not decode the code");
	free(copy);
	return NULL;
}

char *disasm_kernel(const struct disasm *disasm, const void *binary, size_t binary_size,
	const char *kernel, bool addresses, char *why, size_t size)
{
	struct code code = { 0 };

	if (!find_code(binary, binary_size, kernel, &code, why, size))
		return NULL;
	return decode(disasm, &code, addresses ? FORMAT_PRINT_PC : 0, why, size);
}

uint32_t disasm_platform(const void *binary, size_t size)
{
	struct elf_file file;
	uint32_t platform = 0;

	if (elf_file_read(&file, binary, size) == COMPILE_OK && file.kind == ELF_FILE_ZEBIN)
		platform = find_platform(find_family(&file));
	elf_file_finish(&file);
	return platform;
}

/* The first of the errors, with the line that it is in. */
static void describe_error(
	const struct disasm *disasm, void *context, const char *text, char *why, size_t size)
{
	const struct iga_diagnostic *errors = NULL;
	const char *message;
	uint32_t n = 0, line;

	if (disasm->context_get_errors(context, &errors, &n) || !n ||
		disasm->diagnostic_get_text_line(errors, &line) ||
		disasm->diagnostic_get_message(errors, &message))
		return;
	for (uint32_t i = 1; i < line && text; i++)
		text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
	snprintf(why, size, "%s: %.*s", message, text ? (int)strcspn(text, "\n") : 0,
		text ? text : "");
}

void *disasm_assemble(const struct disasm *disasm, uint32_t platform, const char *text,
	size_t *code_size, char *why, size_t size)
{
	const struct iga_context_options options = { sizeof(options), platform };
	const struct iga_assemble_options how = {
		.size = sizeof(how), .encoding = ENCODING_NOT_COMPACT, .syntax = SYNTAX_EXTENSIONS
	};
	void *context = NULL, *code = NULL, *copy = NULL;
	uint32_t length = 0;

	bool failed = disasm->context_create(&options, &context);
	if (!failed && disasm->context_assemble(context, &how, text, &code, &length) == 0)
		copy = malloc(length);
	if (copy)
		memcpy(copy, code, length);
	else
		snprintf(why, size, "libiga64 could not assemble the code");
	if (context && !copy)
		describe_error(disasm, context, text, why, size);
	*code_size = length;
	if (context)
		disasm->context_release(context);
	return copy;
}
