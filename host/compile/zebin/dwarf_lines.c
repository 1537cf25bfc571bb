// SPDX-License-Identifier: MIT
#include "compile/zebin/dwarf_lines.h"

#include "compile/zebin/elf_file.h"
#include "compile/zebin/extract_kernel.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opcodes of line programs, section 6.2.5 of DWARF 4. */
enum {
	OP_EXTENDED,
	OP_COPY,
	OP_ADVANCE_PC,
	OP_ADVANCE_LINE,
	OP_SET_FILE,
	OP_SET_COLUMN,
	OP_NEGATE,
	OP_BASIC_BLOCK,
	OP_CONST_ADD_PC,
	OP_FIXED_ADVANCE_PC
};
enum { EXTENDED_END = 1, EXTENDED_SET_ADDRESS = 2 };

/* Bytes that are read one after the other; past the end all are zero. */
struct cursor {
	const uint8_t *bytes;
	size_t size, at;
};

static uint64_t get(struct cursor *c, unsigned n)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < n; i++, c->at++)
		if (c->at < c->size)
			value |= (uint64_t)c->bytes[c->at] << 8 * i;
	return value;
}

static uint64_t get_leb(struct cursor *c, bool is_signed)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = (uint8_t)get(c, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && c->at < c->size);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= ~(uint64_t)0 << shift;
	return value;
}

static void skip_text(struct cursor *c)
{
	while (c->at < c->size && get(c, 1))
		;
}

/* What a program's header says. */
struct header {
	uint8_t unit, line_range, opcode_base, arguments[256];
	int8_t line_base;
};

/* Registers of the machine that runs a line program. */
struct machine {
	unsigned long address;
	unsigned file, line;
	bool ours; /* addresses are the kernel's */
};

static bool grow(struct compile_lines *lines)
{
	if (lines->n & (lines->n - 1))
		return true;
	struct compile_line_row *rows =
		reallocarray(lines->rows, lines->n ? 2 * lines->n : 1, sizeof *rows);
	lines->rows = rows ? rows : lines->rows;
	return rows;
}

static void put_row(struct compile_lines *lines, const struct machine *m, bool is_end)
{
	if (!m->ours || !grow(lines))
		return;
	lines->rows[lines->n++] =
		(struct compile_line_row){ m->address, !is_end && m->file == 1 ? m->line : 0 };
}

/* Sections that belong to lines: the program, and what it is moved by. */
struct sections {
	const char *kernel;
	struct compile_bytes program, moves, symbols, names;
};

/* IGC's symbols for this name the kernel's section; they are not in it. */
static bool is_of_kernel(const struct sections *s, uint64_t index)
{
	char name[6 + COMPILE_LINE_NAME_MAX];
	Elf64_Sym symbol;

	if (index >= s->symbols.size / sizeof symbol)
		return false;
	memcpy(&symbol, (const char *)s->symbols.data + index * sizeof symbol, sizeof symbol);
	int length = snprintf(name, sizeof name, ".text.%s", s->kernel);
	size_t room = (size_t)length + 1;
	return room <= sizeof name && s->names.size >= room &&
	       symbol.st_name <= s->names.size - room &&
	       !memcmp((const char *)s->names.data + symbol.st_name, name, room);
}

/* Whether the address at an offset of the program is one of the kernel's; adds where it begins. */
static bool move_address(const struct sections *s, size_t offset, unsigned long *address)
{
	Elf64_Rela rela;

	for (size_t at = 0; s->moves.size - at >= sizeof rela; at += sizeof rela) {
		memcpy(&rela, (const char *)s->moves.data + at, sizeof rela);
		if (rela.r_offset != offset)
			continue;
		if (!is_of_kernel(s, ELF64_R_SYM(rela.r_info)))
			return false;
		*address = (unsigned long)rela.r_addend;
		return true;
	}
	return false;
}

static void run_extended(
	struct compile_lines *lines, struct machine *m, struct cursor *c, const struct sections *s)
{
	size_t length = (size_t)get_leb(c, false), end = c->at + length;

	if (!length || end < c->at || end > c->size) {
		c->at = c->size;
		return;
	}
	switch (get(c, 1)) {
	case EXTENDED_END:
		put_row(lines, m, true);
		*m = (struct machine){ .file = 1, .line = 1 };
		break;
	case EXTENDED_SET_ADDRESS:
		m->ours = move_address(s, c->at, &m->address);
		break;
	default:
		break;
	}
	c->at = end;
}

static void run_standard(struct compile_lines *lines, struct machine *m, struct cursor *c,
	const struct header *h, unsigned op)
{
	switch (op) {
	case OP_COPY:
		put_row(lines, m, false);
		break;
	case OP_ADVANCE_PC:
		m->address += (unsigned long)get_leb(c, false) * h->unit;
		break;
	case OP_ADVANCE_LINE:
		m->line += (unsigned)get_leb(c, true);
		break;
	case OP_SET_FILE:
		m->file = (unsigned)get_leb(c, false);
		break;
	case OP_CONST_ADD_PC:
		m->address += (unsigned long)((255 - h->opcode_base) / h->line_range) * h->unit;
		break;
	case OP_FIXED_ADVANCE_PC:
		m->address += (unsigned long)get(c, 2);
		break;
	default:
		for (unsigned i = 0; i < h->arguments[op]; i++)
			get_leb(c, false);
	}
}

static void run_program(struct compile_lines *lines, struct cursor *c, const struct header *h,
	const struct sections *s)
{
	struct machine m = { .file = 1, .line = 1 };

	while (c->at < c->size) {
		unsigned op = (unsigned)get(c, 1);
		if (op == OP_EXTENDED) {
			run_extended(lines, &m, c, s);
		} else if (op < h->opcode_base) {
			run_standard(lines, &m, c, h, op);
		} else {
			unsigned special = op - h->opcode_base;
			m.address += (unsigned long)(special / h->line_range) * h->unit;
			m.line += (unsigned)(h->line_base + (int)(special % h->line_range));
			put_row(lines, &m, false);
		}
	}
}

/* One unit's line program; false behind the last one or at what is not understood. */
static bool read_unit(struct compile_lines *lines, struct cursor *all, const struct sections *s)
{
	struct header h = { 0 };
	size_t length = (size_t)get(all, 4), end = all->at + length;

	if (!length || end < all->at || end > all->size)
		return false;
	struct cursor c = { all->bytes, end, all->at };
	all->at = end;
	unsigned version = (unsigned)get(&c, 2);
	size_t program = (size_t)get(&c, 4);
	program += c.at;
	h.unit = (uint8_t)get(&c, 1);
	get(&c, version >= 4 ? 2 : 1);
	h.line_base = (int8_t)get(&c, 1);
	h.line_range = (uint8_t)get(&c, 1);
	h.opcode_base = (uint8_t)get(&c, 1);
	if (version < 2 || version > 4 || !h.line_range || !h.opcode_base || program > end)
		return false;
	for (unsigned i = 1; i < h.opcode_base; i++)
		h.arguments[i] = (uint8_t)get(&c, 1);
	while (c.at < program)
		skip_text(&c);
	c.at = program;
	run_program(lines, &c, &h, s);
	return true;
}

static void find_sections(struct sections *s, const void *binary, size_t size)
{
	struct compile_elf_part part, names;

	for (uint32_t i = 0; compile_elf_part(binary, size, i, &part); i++) {
		if (!strcmp(part.name, ".debug_line"))
			s->program = part.bytes;
		if (!strcmp(part.name, ".rela.debug_line") && part.type == SHT_RELA)
			s->moves = part.bytes;
		if (part.type == SHT_SYMTAB && compile_elf_part(binary, size, part.link, &names)) {
			s->symbols = part.bytes;
			s->names = names.bytes;
		}
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct compile_line_row *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

void compile_lines_read(
	struct compile_lines *lines, const void *binary, size_t size, const char *kernel)
{
	struct sections s = { .kernel = kernel };
	struct compile_elf elf;

	*lines = (struct compile_lines){ 0 };
	if (compile_elf_open(binary, size, &elf))
		find_sections(&s, binary, size);
	if (s.program.data) {
		struct cursor all = { s.program.data, s.program.size, 0 };
		while (read_unit(lines, &all, &s))
			;
	}
	/* Rows of one address keep their order: the last counts. */
	for (size_t i = 1; i < lines->n; i++)
		if (compare_rows(&lines->rows[i - 1], &lines->rows[i]) > 0) {
			qsort(lines->rows, lines->n, sizeof *lines->rows, compare_rows);
			break;
		}
}

struct compile_bytes compile_line_code(const void *binary, size_t size, const char *kernel)
{
	struct compile_elf_part part;
	struct compile_elf elf;

	if (compile_elf_open(binary, size, &elf))
		for (uint32_t i = 0; compile_elf_part(binary, size, i, &part); i++)
			if (!strncmp(part.name, ".text.", 6) && !strcmp(part.name + 6, kernel))
				return part.bytes;
	return (struct compile_bytes){ NULL, 0 };
}

/* IGC writes debug information for modules of one kernel only: builds such a one. */
static void read_alone(struct compile_lines *lines, const struct compile_request *module,
	struct compile_bytes code, const char *kernel)
{
	struct compile_request request = *module;
	struct compile_result alone = { 0 };
	void *only =
		compile_only_kernel(module->spirv, module->spirv_size, kernel, &request.spirv_size);

	request.spirv = only;
	request.outputs = COMPILE_NATIVE;
	if (only && compile_build(&request, &alone) == COMPILE_OK) {
		struct compile_bytes same =
			compile_line_code(alone.native, alone.native_size, kernel);
		if (same.data && same.size == code.size && !memcmp(same.data, code.data, code.size))
			compile_lines_read(lines, alone.native, alone.native_size, kernel);
	}
	compile_result_finish(&alone);
	free(only);
}

void compile_lines_find(struct compile_lines *lines, const struct compile_request *module,
	const void *native, size_t native_size, const char *kernel)
{
	struct compile_bytes code = compile_line_code(native, native_size, kernel);

	compile_lines_read(lines, native, native_size, kernel);
	if (!lines->n && code.data && module->spirv)
		read_alone(lines, module, code, kernel);
}

void compile_lines_finish(struct compile_lines *lines)
{
	free(lines->rows);
	*lines = (struct compile_lines){ 0 };
}

unsigned compile_lines_at(const struct compile_lines *lines, unsigned long address)
{
	unsigned line = 0;

	for (size_t i = 0; i < lines->n && lines->rows[i].address <= address; i++)
		line = lines->rows[i].line;
	return line;
}
