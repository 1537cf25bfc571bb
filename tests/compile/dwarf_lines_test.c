// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

#include "compile/build/compile.h"
#include "compile/build/kernel_lines.h"
#include "compile/zebin/dwarf_lines.h"
#include "compile/zebin/elf_file.h"

static const char source[] = "kernel void b(global int *p, local int *q)\n"
			     "{\n"
			     "  q[get_local_id(0)] = p[get_global_id(0)];\n"
			     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
			     "  long x = q[get_local_id(0) ^ 1];\n"
			     "  p[get_global_id(0)] = sub_group_clustered_reduce_add(x, 8);\n"
			     "}\n";

static struct compile_result built;

static int setup(void **state)
{
	const struct compile_request request = { .source = source,
		.source_size = sizeof source - 1,
		.options = "-g",
		.family = "tgllp",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE };

	(void)state;
	return compile_build(&request, &built);
}

static int teardown(void **state)
{
	(void)state;
	compile_result_finish(&built);
	return 0;
}

/* The lines of a kernel as bits. */
static unsigned lines_of(const char *kernel)
{
	struct dwarf_lines lines;
	unsigned set = 0;
	unsigned long last = 0;

	dwarf_lines_read(&lines, built.native, built.native_size, kernel);
	for (size_t i = 0; i < lines.n; i++) {
		assert_true(lines.rows[i].address >= last);
		last = lines.rows[i].address;
		assert_true(lines.rows[i].line < 32);
		set |= 1u << lines.rows[i].line;
	}
	if (lines.n) {
		assert_int_equal(dwarf_lines_at(&lines, last), 0);
		assert_int_equal(dwarf_lines_at(&lines, 0), lines.rows[0].line);
	}
	dwarf_lines_finish(&lines);
	return set & ~1u;
}

static void statements_have_lines(void **state)
{
	(void)state;
	assert_int_equal(lines_of("b") & 15u << 3, 15u << 3);
	assert_int_equal(lines_of("b") >> 8, 0); /* of our built-in function, the call's */
	assert_int_equal(lines_of("c"), 0);
}

static void without_lines_there_are_none(void **state)
{
	struct dwarf_lines lines;

	(void)state;
	dwarf_lines_read(&lines, source, sizeof source, "a");
	assert_int_equal(lines.n, 0);
	assert_int_equal(dwarf_lines_at(&lines, 16), 0);
	dwarf_lines_finish(&lines);
	dwarf_lines_read(&lines, source, 0, "a");
	assert_int_equal(lines.n, 0);
	dwarf_lines_finish(&lines);
}

/* Damaged and cut binaries give some rows or none, never a crash or an endless loop. */
static void damage_is_survived(void **state)
{
	char *copy = malloc(built.native_size);
	uint64_t seed = 7, random = 0;

	(void)state;
	assert_non_null(copy);
	for (int round = 0; round < 600; round++) {
		struct dwarf_lines lines;
		size_t size = built.native_size;

		memcpy(copy, built.native, size);
		for (int i = 0; i < 12; i++) {
			random = test_random(&seed);
			copy[random % size] = (char)(random >> 16);
		}
		if (round % 3 == 0)
			size = random % size;
		dwarf_lines_read(&lines, copy, size, "b");
		dwarf_lines_finish(&lines);
	}
	free(copy);
}

/* Moves of hashes to nowhere, which newer compilers count to the kernel, are not of its code. */
static void hashes_are_not_code(void **state)
{
	static const unsigned char move[16] = { 0x61, 0, 4, 0x80, 0x20, 0x42, 1, 0, 0, 0, 0, 0,
		0xde, 0xad, 0xbe, 0xef };
	size_t size, with_hashes, binary_size;
	struct elf_file file;
	Elf64_Sym *symbol;

	(void)state;
	const void *code = dwarf_lines_code(built.native, built.native_size, "b", &size);
	assert_non_null(code);
	assert_true(size >= 16 && size % 8 == 0);
	assert_int_equal(elf_file_read(&file, built.native, built.native_size), COMPILE_OK);
	struct elf_file_section *text = elf_file_find(&file, SHT_PROGBITS, ".text.b");
	struct elf_file_section *table = elf_file_find(&file, SHT_SYMTAB, NULL);
	assert_true(text && table && text->data == code);
	char *longer = calloc(1, size + 256), *symbols = malloc(table->size);
	memcpy(longer, code, size);
	for (int i = 0; i < 2; i++)
		memcpy(longer + size + sizeof(move) * i, move, sizeof(move));
	memcpy(symbols, table->data, table->size);
	for (size_t i = 0; i < table->size / sizeof(*symbol); i++) {
		symbol = (Elf64_Sym *)(void *)symbols + i;
		if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
			symbol->st_size = size + 2 * sizeof(move);
	}
	text->data = longer;
	text->size = size + 256;
	table->data = symbols;
	void *binary = elf_file_write(&file, &binary_size);
	assert_non_null(binary);
	const void *same = dwarf_lines_code(binary, binary_size, "b", &with_hashes);
	assert_int_equal(with_hashes, size);
	assert_memory_equal(same, code, size);
	free(binary);
	free(symbols);
	free(longer);
	elf_file_finish(&file);
}

/* A symbol without a name is that of the one section of code that none names. */
static void names_are_found(void **state)
{
	struct dwarf_lines want, lines;
	struct elf_file file;
	Elf64_Sym *symbol;
	size_t lost = 0, size;

	(void)state;
	dwarf_lines_read(&want, built.native, built.native_size, "b");
	assert_true(want.n > 0);
	assert_int_equal(elf_file_read(&file, built.native, built.native_size), COMPILE_OK);
	struct elf_file_section *table = elf_file_find(&file, SHT_SYMTAB, NULL);
	assert_non_null(table);
	char *symbols = malloc(table->size);
	assert_non_null(symbols);
	memcpy(symbols, table->data, table->size);
	for (size_t i = 0; i < table->size / sizeof(*symbol); i++) {
		symbol = (Elf64_Sym *)(void *)symbols + i;
		if (strcmp(elf_file_symbol_name(&file, table, symbol), ".text.b") != 0)
			continue;
		symbol->st_name = 0;
		lost++;
	}
	assert_true(lost > 0);
	table->data = symbols;
	void *binary = elf_file_write(&file, &size);
	assert_non_null(binary);
	dwarf_lines_read(&lines, binary, size, "b");
	assert_int_equal(lines.n, want.n);
	assert_memory_equal(lines.rows, want.rows, want.n * sizeof(*want.rows));
	dwarf_lines_finish(&lines);
	dwarf_lines_finish(&want);
	free(binary);
	free(symbols);
	elf_file_finish(&file);
}

/* Of several kernels, also those that print or read constants, with -g and without. */
static void kernels_side_by_side_have_lines(void **state)
{
	static const char text[] = "constant int table[4] = { 5, 6, 7, 8 };\n"
				   "kernel void looks(global int *p)\n"
				   "{\n"
				   "  p[get_global_id(0)] = table[get_global_id(0) & 3];\n"
				   "}\n"
				   "kernel void prints(global int *p)\n"
				   "{\n"
				   "  printf(\"%d\\n\", p[get_global_id(0)]);\n"
				   "}\n"
				   "kernel void adds(global int *p)\n"
				   "{\n"
				   "  p[get_global_id(0)] += 5;\n"
				   "}\n";
	static const struct {
		const char *kernel;
		unsigned line, first, last;
	} rows[] = { { "looks", 4, 2, 5 }, { "prints", 8, 6, 9 }, { "adds", 12, 10, 13 } };
	struct compile_request request = { .source = text,
		.source_size = sizeof text - 1,
		.options = "-g",
		.family = "tgllp",
		.outputs = COMPILE_SPIRV };
	struct compile_result spirv, code;

	(void)state;
	assert_int_equal(compile_build(&request, &spirv), COMPILE_OK);
	for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		const struct compile_request module = { .spirv = spirv.spirv,
			.spirv_size = spirv.spirv_size,
			.options = "-g",
			.family = "tgllp",
			.outputs = COMPILE_NATIVE };
		struct compile_request plain = module;
		struct dwarf_lines lines;
		bool is_found = false;

		plain.options = i % 2 ? "-g" : "";
		assert_int_equal(compile_build(&plain, &code), COMPILE_OK);
		kernel_lines_find(
			&lines, &module, code.native, code.native_size, rows[i / 2].kernel);
		for (size_t k = 0; k < lines.n; k++) {
			const unsigned line = lines.rows[k].line;
			assert_true(
				!line || (line >= rows[i / 2].first && line <= rows[i / 2].last));
			is_found = is_found || line == rows[i / 2].line;
		}
		assert_true(is_found);
		dwarf_lines_finish(&lines);
		compile_result_finish(&code);
	}
	compile_result_finish(&spirv);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statements_have_lines),
		cmocka_unit_test(without_lines_there_are_none),
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(hashes_are_not_code),
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(kernels_side_by_side_have_lines),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
