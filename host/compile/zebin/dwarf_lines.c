// SPDX-License-Identifier: MIT
#include "compile/zebin/dwarf_lines.h"

#include "compile/base/compile_macros.h"
#include "compile/zebin/elf_file.h"

#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* Added to addresses in the code of other kernels. */
#define ELSEWHERE ((uint64_t)1 << 48)

/*
 * The section of code that no symbol names, if that is one: the linker of IGC 2.40 loses a name in
 * most files, another each time. "" if all are named, or too few.
 */
static const char *find_nameless(
	const struct elf_file *file, const struct elf_file_section *symbols)
{
	const char *found = "";
	Elf64_Sym symbol;

	for (size_t i = 0; i < file->n; i++) {
		const char *code = file->sections[i].name;
		bool is_named = strncmp(code, ".text.", 6) != 0;
		for (size_t k = 0; !is_named && elf_file_symbol(symbols, k, &symbol); k++)
			is_named = !strcmp(elf_file_symbol_name(file, symbols, &symbol), code);
		if (!is_named && *found)
			return "";
		if (!is_named)
			found = code;
	}
	return found;
}

/*
 * Applies the relocations of the line program, which libdw does not do: addresses count from the
 * start of the kernel's code. IGC's symbols for this name the section; they are not in it.
 */
static bool relocate(struct elf_file *file, struct elf_file_section *program, const char *kernel)
{
	const struct elf_file_section *moves = elf_file_named(file, ".rela.debug_line");
	const struct elf_file_section *symbols = elf_file_find(file, SHT_SYMTAB, NULL);
	unsigned char *copy = pool_get(&file->pool, program->size);
	const char *nameless = NULL;
	Elf64_Sym symbol;
	Elf64_Rela rela;

	if (!copy || !moves || !symbols)
		return false;
	memcpy(copy, program->data, program->size);
	for (size_t at = 0; moves->size - at >= sizeof(rela); at += sizeof(rela)) {
		memcpy(&rela, (const char *)moves->data + at, sizeof(rela));
		if (!elf_file_symbol(symbols, ELF64_R_SYM(rela.r_info), &symbol) ||
			program->size < sizeof(uint64_t) ||
			rela.r_offset > program->size - sizeof(uint64_t))
			continue;
		const char *name = elf_file_symbol_name(file, symbols, &symbol);
		uint64_t address = (uint64_t)rela.r_addend;
		if (!*name)
			name = nameless = nameless ? nameless : find_nameless(file, symbols);
		if (strncmp(name, ".text.", 6) != 0 || strcmp(name + 6, kernel) != 0)
			address += ELSEWHERE;
		memcpy(copy + rela.r_offset, &address, sizeof(address));
	}
	program->data = copy;
	return true;
}

/* Appends the rows of one line table. */
static void read_table(struct dwarf_lines *lines, Dwarf_Lines *table, size_t n, Dwarf_Files *files)
{
	const char *own = dwarf_filesrc(files, 1, NULL, NULL);
	struct dwarf_line *rows = reallocarray(lines->rows, lines->n + n + 1, sizeof(*rows));

	if (!rows)
		return;
	lines->rows = rows;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(table, i);
		Dwarf_Addr address;
		bool is_end = true;
		int number = 0, column = 0;

		if (!line || dwarf_lineaddr(line, &address) || address >= ELSEWHERE)
			continue;
		dwarf_lineendsequence(line, &is_end);
		if (is_end || dwarf_linesrc(line, NULL, NULL) != own || dwarf_lineno(line, &number))
			number = 0;
		(void)dwarf_linecol(line, &column);
		rows[lines->n++] = (struct dwarf_line){ (unsigned long)address, (unsigned)number,
			(unsigned)column };
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct dwarf_line *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void read_tables(struct dwarf_lines *lines, Dwarf *dwarf)
{
	Dwarf_Off at = 0, next;
	Dwarf_CU *unit = NULL;
	Dwarf_Files *files;
	Dwarf_Lines *table;
	size_t n, n_files;

	while (!dwarf_next_lines(dwarf, at, &next, &unit, &files, &n_files, &table, &n)) {
		read_table(lines, table, n, files);
		at = next;
	}
	/* Each table is sorted: rows of one address keep their order, in which the last counts. */
	for (size_t i = 1; i < lines->n; i++)
		if (compare_rows(&lines->rows[i - 1], &lines->rows[i]) > 0) {
			qsort(lines->rows, lines->n, sizeof(*lines->rows), compare_rows);
			break;
		}
}

/* Code of our built-in functions counts to the line before it, which has called them. */
static void find_callers(struct dwarf_lines *lines)
{
	const struct dwarf_line *caller = NULL;

	for (size_t i = 0; i < lines->n && !caller; i++)
		if (lines->rows[i].line > 0 && lines->rows[i].line < COMPILE_FAR_LINE)
			caller = &lines->rows[i];
	for (size_t i = 0; i < lines->n; i++) {
		struct dwarf_line *row = &lines->rows[i];
		if (row->line > 0 && row->line < COMPILE_FAR_LINE) {
			caller = row;
		} else if (row->line > 0) {
			row->line = caller ? caller->line : 0;
			row->column = caller ? caller->column : 0;
		}
	}
}

void dwarf_lines_read(
	struct dwarf_lines *lines, const void *binary, size_t size, const char *kernel)
{
	struct elf_file_section *program;
	struct elf_file file;
	void *relocated = NULL;

	*lines = (struct dwarf_lines){ 0 };
	if (elf_file_read(&file, binary, size) == COMPILE_OK &&
		(program = elf_file_named(&file, ".debug_line")) && program->size &&
		relocate(&file, program, kernel))
		relocated = elf_file_write(&file, &size);
	elf_file_finish(&file);
	Elf *elf = relocated ? elf_memory(relocated, size) : NULL;
	Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	if (dwarf)
		read_tables(lines, dwarf);
	find_callers(lines);
	dwarf_end(dwarf);
	elf_end(elf);
	free(relocated);
}

void dwarf_lines_finish(struct dwarf_lines *lines)
{
	free(lines->rows);
	*lines = (struct dwarf_lines){ 0 };
}

unsigned dwarf_lines_at(const struct dwarf_lines *lines, unsigned long address)
{
	unsigned line = 0;

	for (size_t i = 0; i < lines->n && lines->rows[i].address <= address; i++)
		line = lines->rows[i].line;
	return line;
}

/*
 * The size of code without the hashes behind its end, which say what it was made of: instructions
 * that move a constant to nowhere. Newer compilers count them to the kernel.
 */
static size_t without_hashes(const unsigned char *code, size_t size)
{
	/* mov (16) null:ud <constant>:ud {W} of Gen12 and later, without the byte of the
	 * dependencies and the constant */
	static const unsigned char move[] = { 0x20, 0x42, 1, 0, 0, 0, 0, 0 };
	const size_t length = 16;

	while (size >= length && code[size - length] == 0x61 &&
		!memcmp(code + size - length + 4, move, sizeof(move)))
		size -= length;
	return size;
}

/* The size of the code, without what the compiler puts behind its end, as its symbol has it. */
static size_t size_of(
	const struct elf_file *file, const struct elf_file_section *code, const char *kernel)
{
	const struct elf_file_section *symbols = elf_file_find(file, SHT_SYMTAB, NULL);
	Elf64_Sym symbol;

	for (uint32_t i = 0; symbols && elf_file_symbol(symbols, i, &symbol); i++)
		if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size &&
			symbol.st_size < code->size &&
			!strcmp(elf_file_symbol_name(file, symbols, &symbol), kernel))
			return without_hashes(code->data, symbol.st_size);
	return code->size;
}

const void *dwarf_lines_code(const void *binary, size_t size, const char *kernel, size_t *code_size)
{
	const struct elf_file_section *code = NULL;
	const void *data = NULL;
	struct elf_file file;

	*code_size = 0;
	if (elf_file_read(&file, binary, size) == COMPILE_OK &&
		(code = elf_file_code(&file, kernel))) {
		data = code->data;
		*code_size = size_of(&file, code, kernel);
	}
	elf_file_finish(&file);
	return data;
}

const void *dwarf_lines_within(const void *binary, size_t size, const char *kernel,
	const void *code, size_t code_size, size_t *within_size)
{
	const size_t start = sizeof DWARF_LINES_SECTION - 1;
	const void *found = NULL;
	struct elf_file file;
	size_t same_size;

	if (elf_file_read(&file, binary, size) == COMPILE_OK)
		for (size_t i = 0; !found && i < file.n; i++) {
			const struct elf_file_section *at = &file.sections[i];
			if (strncmp(at->name, DWARF_LINES_SECTION, start) != 0 ||
				strcmp(at->name + start, kernel) != 0)
				continue;
			const void *same = dwarf_lines_code(at->data, at->size, kernel, &same_size);
			if (same && same_size == code_size && !memcmp(same, code, code_size)) {
				found = at->data;
				*within_size = at->size;
			}
		}
	elf_file_finish(&file);
	return found;
}
