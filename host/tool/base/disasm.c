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
#define ROWS_MARK	0x40000000u /* see lower_buffer_image.h */

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

struct disasm {
	void *library;
	int (*context_create)(const struct iga_context_options *options, void **context);
	int (*context_release)(void *context);
	int (*context_disassemble)(void *context, const struct iga_disassemble_options *options,
		const void *code, uint32_t size, const char *(*label)(int32_t, void *),
		void *label_context, char **text);
	const char *(*version_string)(void);
};

/* Product families as zebin's note has them, and IGA's platform that decodes their code. */
static const struct platform_row {
	uint32_t first, last, platform;
} platforms[] = {
	{ 18, 25, 0x00090000 },	    /* Gen9: Skylake … Coffee Lake */
	{ 26, 28, 0x000b0000 },	    /* Gen11: Ice Lake … Elkhart Lake */
	{ 29, 33, 0x01000000 },	    /* Gen12LP: Tiger Lake … Alder Lake */
	{ 1210, 1210, 0x01000000 }, /* Gen12LP: DG1 */
	{ 1270, 1270, 0x01020000 }, /* Xe-HPG: DG2 */
	{ 1271, 1271, 0x01040000 }, /* Xe-HPC: Ponte Vecchio */
	{ 1272, 1273, 0x01020000 }, /* Xe-LPG: Meteor Lake, Arrow Lake */
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
		   load_symbol(disasm, "iga_version_string", &disasm->version_string)) {
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

static bool find_code(const void *binary, size_t binary_size, const char *kernel, struct code *code,
	char *why, size_t size)
{
	struct elf_file file;
	const void *product;

	if (elf_file_read(&file, binary, binary_size) || file.kind != ELF_FILE_ZEBIN) {
		elf_file_finish(&file);
		snprintf(why, size, "the program binary is no zebin");
		return false;
	}
	product = elf_file_product(&file);
	if (product)
		memcpy(&code->family, product, sizeof(code->family));
	code->family &= ~ROWS_MARK;
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

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++)
		if (code->family >= platforms[i].first && code->family <= platforms[i].last)
			options.platform = platforms[i].platform;
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
