// SPDX-License-Identifier: MIT
/* IGC's DWARF as other debuggers read it: libdw reads it here, and its expressions are evaluated.
 */
#include "eu/debug/eu_debug_dwarf.h"
#include "eu/debug/eu_debug_elf.h"
#include "eu/debug/eu_debug_memory.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "test_random.h"

enum { LANE = 11, ADDRESS = 0x12340000, CODE_BYTES = 0x80 };

static uint8_t registers[EU_DEBUG_CELLS];

/* ---- an evaluator of plain DWARF over the memory that GDB sees ---- */

static uint64_t peek(uint64_t address, size_t size)
{
	uint64_t into = address - EU_DEBUG_REGISTERS, value = 0;
	uint64_t lane_at = EU_DEBUG_CELLS + EU_DEBUG_CELL_LANE * sizeof(uint64_t);

	if (into == lane_at)
		return LANE;
	assert_true(into + size <= sizeof registers);
	memcpy(&value, registers + into, size);
	return value;
}

/* Registers of DWARF: rbx is where the general ones are, others are their number. */
static uint64_t contents(unsigned number)
{
	return number == EU_DEBUG_DWARF_RBX ? EU_DEBUG_REGISTERS : number;
}

static uint64_t evaluate(struct eu_debug_bytes from, bool *is_value)
{
	uint64_t stack[32] = { 0 }, *top = stack;

	*is_value = false;
	while (eu_debug_left(&from)) {
		unsigned op = (unsigned)eu_debug_take_uint(&from, 1);
		const uint8_t *at = from.at;
		if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
			*++top = op - DW_OP_lit0;
		else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
			*++top = contents(op - DW_OP_breg0);
			*top += eu_debug_take_leb(&from, true);
		} else if (op == DW_OP_const1u || op == DW_OP_const8u || op == DW_OP_const2u)
			*++top = eu_debug_take_uint(&from, op == DW_OP_const1u	 ? 1
							   : op == DW_OP_const2u ? 2
										 : 8);
		else if (op == DW_OP_constu)
			*++top = eu_debug_take_leb(&from, false);
		else if (op == DW_OP_plus_uconst)
			*top += eu_debug_take_leb(&from, false);
		else if (op == DW_OP_deref_size)
			*top = peek(*top, eu_debug_take_uint(&from, 1));
		else if (op == DW_OP_stack_value)
			*is_value = true;
		else if (op == DW_OP_bra || op == DW_OP_skip) {
			int16_t distance = (int16_t)eu_debug_take_uint(&from, 2);
			if (op == DW_OP_skip || *top--)
				from.at = at + 2 + distance;
		} else {
			uint64_t b = *top--, a = *top;
			if (op == DW_OP_swap) {
				*top = b;
				*++top = a;
			} else {
				*top = op == DW_OP_plus	   ? a + b
				       : op == DW_OP_minus ? a - b
				       : op == DW_OP_mul   ? a * b
				       : op == DW_OP_shr   ? a >> b
				       : op == DW_OP_shl   ? a << b
				       : op == DW_OP_and   ? a & b
				       : op == DW_OP_or	   ? a | b
				       : op == DW_OP_ge	   ? (int64_t)a >= (int64_t)b
							   : UINT64_MAX;
			}
		}
	}
	return *top;
}

/* What an expression of IGC's comes to. */
static uint64_t come_to(const void *bytes, size_t size, bool *is_value)
{
	struct eu_debug_text text = { 0 };

	assert_true(eu_debug_expression(eu_debug_bytes_of(bytes, size), &text));
	uint64_t value = evaluate(eu_debug_bytes_of(text.bytes, text.size), is_value);
	eu_debug_text_finish(&text);
	return value;
}
#define COMES_TO(is_value, ...)                                                                    \
	come_to((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }),        \
		is_value)

/* The address of a byte of a general register. */
static uint64_t place(unsigned number, unsigned byte)
{
	return EU_DEBUG_REGISTERS + number * 32 + byte;
}

static void test_lane_of_registers(void **state)
{
	bool is_value;

	(void)state;
	/* SIMD16, dwords from r9 on: lane 11 is in r10. As a value it is a place as well. */
	assert_true(COMES_TO(&is_value, 0xed, 0x33, 0x25, 0x23, 25, 0xeb, 0xed, 0x37, 0x1a, 0x08,
			    32, 0x1e, 0x08, 32, 0xec, 0x9f) == place(10, 12));
	assert_false(is_value);
	/* As a pointer: what is there is the place. Words from r4 on, two registers for 32 lanes.
	 */
	memcpy(registers + 10 * 32 + 24, &(uint64_t){ 0xabcd1234 }, 8);
	assert_true(COMES_TO(&is_value, 0xed, 0x32, 0x25, 0x23, 16 + 8, 0xeb, 0xed, 0x33, 0x1a,
			    0x08, 64, 0x1e, 0x08, 64, 0xec) == 0xabcd1234);
	/* Newer compilers: register, bit, DW_OP_INTEL_regval_bits. */
	assert_true(COMES_TO(&is_value, 0x08, 16 + 10, 0x08, 192, 0xfe, 64, 0x9f) == place(10, 24));
	assert_false(is_value);
}

static void test_whole_registers(void **state)
{
	bool is_value;

	(void)state;
	assert_true(COMES_TO(&is_value, 0x90, 41) == place(25, 0));
	assert_true(COMES_TO(&is_value, 0x63, 0x9d, 32, 0xa0, 1) == place(3, 20));
	assert_true(COMES_TO(&is_value, 0x90, 0x8f, 1) == place(127, 0));
	memcpy(registers + 70 * 32, &(uint32_t){ 0xff7fff }, 4);
	assert_true(COMES_TO(&is_value, 0x90, 86, 0x94, 4, 0x0a, 0xff, 0xff, 0x1a, 0x0e, 0, 0, 0, 0,
			    0, 0, 0, 0x0a, 0x22, 0x9f) == (EU_DEBUG_LOCAL | 0x7fff));
	assert_true(is_value);
}

/* What calls keep has registers of its own, which CFI restores. */
static void test_call_state(void **state)
{
	bool is_value;

	(void)state;
	assert_true(
		COMES_TO(&is_value, 0x90, 0x8f, 1, 0x08, 128, 0x08, 64, 0xec, 0x23, 16, 0xed, 0x34,
			0x1e, 0x22, 0x23, 0x80, 1) == EU_DEBUG_DWARF_RBP + 16 + LANE * 4 + 128);
	assert_true(COMES_TO(&is_value, 0x90, 0x8f, 1, 0x0a, 96, 0, 0x08, 32, 0xec, 0x08, 16,
			    0x1e) == EU_DEBUG_DWARF_R12 * 16);
	/* as newer compilers say it */
	assert_true(COMES_TO(&is_value, 0x0c, 0x8f, 0, 0, 0, 0x0a, 0x40, 0, 0xfe, 32, 0x08, 16,
			    0x1e) == EU_DEBUG_DWARF_R14 * 16);
}

/* SIMD32: the second half is elsewhere. Both ways end in one value. */
static void test_branches(void **state)
{
	const uint8_t code[] = { 0xed, 0x40, 0x2a, 0x28, 16, 0, 0xed, 0x33, 0x25, 0x23, 25, 0xeb,
		0xed, 0x37, 0x1a, 0x08, 32, 0x1e, 0x08, 32, 0xec, 0x9f, 0x2f, 1, 0, 0x31, 0x9f };
	uint8_t copy[sizeof code];
	bool is_value;

	(void)state;
	memcpy(copy, code, sizeof code);
	copy[4] = 19; /* to the constant */
	memcpy(registers + 10 * 32 + 12, &(uint32_t){ 4711 }, 4);
	assert_true(come_to(copy, sizeof copy, &is_value) == 4711);
	assert_true(is_value);
	copy[1] = 0x30; /* every lane is at least 0 */
	assert_true(come_to(copy, sizeof copy, &is_value) == 1);
}

static void test_unknown(void **state)
{
	static const struct {
		uint8_t bytes[4];
		size_t size;
	} wrong[] = { { { 0 }, 0 }, { { 0xec }, 1 }, { { 0xf0 }, 1 }, { { 0x0e, 1 }, 2 },
		{ { 0x90, 0xff, 0x7f }, 3 }, { { 0x03, 1, 2, 3 }, 4 }, { { 0x2f, 50, 0 }, 3 },
		{ { 0x30, 0x2f, 0xf0, 0xff }, 4 } };
	struct eu_debug_text text = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(eu_debug_expression(
			eu_debug_bytes_of(wrong[i].bytes, wrong[i].size), &text));
	assert_int_equal(text.size, 0);
	eu_debug_text_finish(&text);
}

/* ---- a zebin ---- */

static const uint8_t abbrev[] = { 1, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string,
	DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_addr, 0, 0, 2, DW_TAG_variable, 0,
	DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4, DW_AT_location, DW_FORM_exprloc, 0, 0,
	3, DW_TAG_base_type, 0, DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1, 0, 0, 4,
	DW_TAG_variable, 0, DW_AT_name, DW_FORM_string, DW_AT_location, DW_FORM_sec_offset, 0, 0,
	0 };
/* Its length is set later, the addresses by relocation; the type of `x` is at 0x39. */
static const uint8_t info[] = { 0x54, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1, 'k', '.', 'c', 'l', 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 'x', 0, 0x39, 0, 0, 0, 16, 0xed, 0x33, 0x25,
	0x23, 25, 0xeb, 0xed, 0x37, 0x1a, 0x08, 32, 0x1e, 0x08, 32, 0xec, 0x9f, 3, 'i', 'n', 't', 0,
	4, 4, 'y', 0, 0, 0, 0, 0, 4, 'z', 0, 20, 0, 0, 0, 0 };
static const uint8_t loc[] = { 1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x90, 41, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };

static uint8_t zebin[4096];

static Elf64_Shdr *add_section(Elf64_Ehdr *head, const char *name, unsigned type, const void *bytes,
	size_t size, size_t *end)
{
	static const char names[] = "\0.text.k\0.debug_info\0.debug_abbrev\0.debug_loc\0.symtab\0"
				    ".strtab\0.rela.debug_info\0.text.o";
	Elf64_Shdr *section = (Elf64_Shdr *)(void *)(zebin + head->e_shoff) + head->e_shnum++;
	size_t at = 0;

	while (strcmp(names + at, name) != 0)
		at += strlen(names + at) + 1;
	*section = (Elf64_Shdr){ .sh_name = (Elf64_Word)at,
		.sh_type = type,
		.sh_offset = *end,
		.sh_size = bytes ? size : sizeof names };
	memcpy(zebin + *end, bytes ? bytes : names, section->sh_size);
	*end += section->sh_size + 16;
	return section;
}

/* With a unit of the kernel `o` before that of `k`, whose symbol has no name then. */
static size_t make_zebin(bool has_other)
{
	enum { LOW = 17, HIGH = 25, NAME = 12, OTHER = 79 };
	Elf64_Ehdr *head = (Elf64_Ehdr *)(void *)zebin;
	const Elf64_Sym symbols[] = { { 0 }, { .st_name = !has_other }, { .st_name = OTHER } };
	const size_t own = has_other ? sizeof info : 0;
	const Elf64_Rela moves[] = { { .r_offset = own + LOW, .r_info = ELF64_R_INFO(1, 1) },
		{ .r_offset = own + HIGH, .r_info = ELF64_R_INFO(1, 1), .r_addend = CODE_BYTES },
		{ .r_offset = LOW, .r_info = ELF64_R_INFO(2, 1) },
		{ .r_offset = HIGH, .r_info = ELF64_R_INFO(2, 1), .r_addend = CODE_BYTES } };
	uint8_t units[2 * sizeof info];
	size_t end = sizeof *head + 9 * sizeof(Elf64_Shdr);

	memset(zebin, 0, sizeof zebin);
	*head = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
		.e_machine = 205,
		.e_shoff = sizeof *head,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 1,
		.e_shstrndx = 1 };
	memcpy(units, info, sizeof info);
	units[NAME] = 'o';
	memcpy(units + own, info, sizeof info);
	units[0] = units[own] = sizeof info - 4;
	add_section(head, ".strtab", SHT_STRTAB, NULL, 0, &end);
	add_section(head, ".symtab", SHT_SYMTAB, symbols, sizeof symbols, &end);
	add_section(head, ".debug_info", SHT_PROGBITS, units, own + sizeof info, &end);
	add_section(head, ".debug_abbrev", SHT_PROGBITS, abbrev, sizeof abbrev, &end);
	add_section(head, ".debug_loc", SHT_PROGBITS, loc, sizeof loc, &end);
	add_section(head, ".rela.debug_info", SHT_RELA, moves, sizeof moves / (has_other ? 1 : 2),
		&end);
	add_section(head, ".text.k", SHT_PROGBITS, "", 0, &end);
	if (has_other)
		add_section(head, ".text.o", SHT_PROGBITS, "", 0, &end);
	return end;
}

static struct eu_debug_kernel kernel_of(size_t size)
{
	return (struct eu_debug_kernel){ .address = ADDRESS,
		.bytes = CODE_BYTES,
		.name = "k",
		.binary = zebin,
		.binary_size = size };
}

static void check_file(bool has_other)
{
	struct eu_debug_kernel kernel = kernel_of(make_zebin(has_other));
	struct eu_debug_text file = { 0 };
	Dwarf_Die unit, die, type;
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	Dwarf_Addr address;
	Dwarf_Off next;
	size_t count, head;

	assert_true(eu_debug_elf(&kernel, &file));
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory(file.bytes, file.size);
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	assert_non_null(dwarf);
	assert_non_null(dwarf_offdie(dwarf, 11, &unit)); /* the first, and the only one */
	assert_int_equal(dwarf_nextcu(dwarf, 0, &next, &head, NULL, NULL, NULL), 0);
	assert_int_equal(dwarf_nextcu(dwarf, next, &next, &head, NULL, NULL, NULL), 1);
	assert_string_equal(dwarf_diename(&unit), "k.cl");
	assert_true(!dwarf_lowpc(&unit, &address) && address == ADDRESS);
	assert_true(!dwarf_highpc(&unit, &address) && address == ADDRESS + CODE_BYTES);
	assert_int_equal(dwarf_child(&unit, &die), 0);
	assert_string_equal(dwarf_diename(&die), "x");
	assert_non_null(dwarf_formref_die(dwarf_attr(&die, DW_AT_type, &attribute), &type));
	assert_string_equal(dwarf_diename(&type), "int");
	assert_non_null(dwarf_attr(&die, DW_AT_location, &attribute));
	assert_int_equal(dwarf_getlocation(&attribute, &ops, &count), 0);

	for (size_t i = 0; i < count; i++)
		assert_true(ops[i].atom < DW_OP_lo_user);
	assert_int_equal(dwarf_siblingof(&die, &die), 0);
	assert_int_equal(dwarf_siblingof(&die, &die), 0);
	assert_string_equal(dwarf_diename(&die), "y");
	assert_non_null(dwarf_attr(&die, DW_AT_location, &attribute));
	assert_int_equal(dwarf_getlocation_addr(&attribute, ADDRESS + 1, &ops, &count, 1), 1);
	assert_int_equal(count, 1);
	assert_int_equal(ops[0].atom, DW_OP_breg0 + EU_DEBUG_DWARF_RBX);
	assert_int_equal(ops[0].number, 25 * 32);
	dwarf_end(dwarf);
	elf_end(elf);
	eu_debug_text_finish(&file);
}

static void test_file(void **state)
{
	(void)state;
	check_file(false);
	check_file(true);
}

/* Zebins with a few bytes changed: whatever comes of them, it is made without a crash. */
static void test_damaged(void **state)
{
	uint64_t random = 3;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t size = make_zebin(i / 2 % 2);
		struct eu_debug_kernel kernel = kernel_of(size);
		struct eu_debug_text file = { 0 };
		for (unsigned k = test_random_below(&random, 6) + 1; k > 0; k--)
			zebin[test_random_below(&random, (uint32_t)size)] =
				(uint8_t)test_random(&random);
		if (i % 4 == 0)
			kernel.binary_size = test_random_below(&random, (uint32_t)size);
		kernel.source = i % 2 ? "/tmp/k.cl" : NULL;
		assert_true(eu_debug_elf(&kernel, &file));
		eu_debug_text_finish(&file);
	}
}

/*
 * A row that ends the prologue, and repeats the one before or goes back next, is left out, be it a
 * special opcode or not.
 */
static void test_prologue(void **state)
{
	enum { SAME = 13 + 5, SPECIAL = 13 + 5 + 15 % 14, BACK = 13 + 14 + 5 - 3 };
	static const uint8_t head[] = { 4, 0, 25, 0, 0, 0, 1, 1, 1, (uint8_t)-5, 14, 13, 0, 1, 1, 1,
		1, 0, 0, 0, 1, 0, 0, 1, 0, 'k', 0, 0, 0, 0, 0 };
	static const struct {
		uint8_t in[16], out[16];
		size_t in_size, out_size;
	} programs[] = {
		/* lines 1, 16, 13 */
		{ { DW_LNS_copy, DW_LNS_set_prologue_end, DW_LNS_advance_line, 15, DW_LNS_copy,
			  BACK, 0, 1, DW_LNE_end_sequence },
			{ DW_LNS_copy, DW_LNS_advance_line, 15, DW_LNS_set_prologue_end, BACK, 0, 1,
				DW_LNE_end_sequence },
			9, 8 },
		/* lines 1, 2, -1: a special opcode */
		{ { DW_LNS_copy, DW_LNS_set_prologue_end, SPECIAL, BACK, BACK, 0, 1,
			  DW_LNE_end_sequence },
			{ DW_LNS_copy, DW_LNS_advance_pc, 0, DW_LNS_advance_line, 1,
				DW_LNS_advance_pc, 1, DW_LNS_advance_line, 0x7d,
				DW_LNS_set_prologue_end, BACK, 0, 1, DW_LNE_end_sequence },
			8, 14 },
		/* lines 1, 2, 3: as it is */
		{ { DW_LNS_copy, DW_LNS_set_prologue_end, SPECIAL, SPECIAL, 0, 1,
			  DW_LNE_end_sequence },
			{ DW_LNS_copy, DW_LNS_set_prologue_end, SPECIAL, SPECIAL, 0, 1,
				DW_LNE_end_sequence },
			7, 7 },
		/* lines 1, 1, 2: the second is at the place of the first */
		{ { DW_LNS_copy, DW_LNS_set_prologue_end, SAME, DW_LNS_set_column, 7, SPECIAL, 0, 1,
			  DW_LNE_end_sequence },
			{ DW_LNS_copy, DW_LNS_advance_pc, 0, DW_LNS_advance_line, 0,
				DW_LNS_set_column, 7, DW_LNS_set_prologue_end, SPECIAL, 0, 1,
				DW_LNE_end_sequence },
			9, 12 },
		/* lines 1, 1, 2: the second is at another column */
		{ { DW_LNS_copy, DW_LNS_set_column, 7, DW_LNS_set_prologue_end, SAME, SPECIAL, 0, 1,
			  DW_LNE_end_sequence },
			{ DW_LNS_copy, DW_LNS_set_column, 7, DW_LNS_set_prologue_end, SAME, SPECIAL,
				0, 1, DW_LNE_end_sequence },
			9, 9 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		struct eu_debug_text unit = { 0 }, out = { 0 };
		eu_debug_put_uint(&unit, sizeof head + programs[i].in_size, 4);
		eu_debug_put(&unit, head, sizeof head);
		eu_debug_put(&unit, programs[i].in, programs[i].in_size);
		assert_true(eu_debug_line(eu_debug_bytes_of(unit.bytes, unit.size), NULL, &out));
		assert_int_equal(out.size, 4 + sizeof head + programs[i].out_size);
		assert_memory_equal(
			out.bytes + 4 + sizeof head, programs[i].out, programs[i].out_size);
		assert_int_equal(out.bytes[0], out.size - 4);
		eu_debug_text_finish(&unit);
		eu_debug_text_finish(&out);
	}
}

static void test_random_lines(void **state)
{
	uint64_t random = 5;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		struct eu_debug_text text = { 0 };
		uint8_t bytes[96];
		size_t size = test_random_below(&random, sizeof bytes - 32) + 32;
		test_random_bytes(&random, bytes, size);
		memset(bytes, 0, 10);
		bytes[0] = (uint8_t)(size - 4 - test_random_below(&random, 3));
		bytes[4] = (uint8_t)(2 + test_random_below(&random, 3));
		bytes[6] = (uint8_t)test_random_below(&random, 40);
		bytes[15] = (uint8_t)test_random_below(&random, 20);
		eu_debug_line(eu_debug_bytes_of(bytes, size), i % 2 ? "/tmp/k.cl" : NULL, &text);
		eu_debug_text_finish(&text);
	}
}

static void test_random_expressions(void **state)
{
	uint64_t random = 4;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		struct eu_debug_text text = { 0 };
		uint8_t bytes[24];
		size_t size = test_random_below(&random, sizeof bytes);
		test_random_bytes(&random, bytes, size);
		eu_debug_expression(eu_debug_bytes_of(bytes, size), &text);
		text.size = 0;
		eu_debug_frame(eu_debug_bytes_of(bytes, size), &text);
		eu_debug_text_finish(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lane_of_registers),
		cmocka_unit_test(test_whole_registers),
		cmocka_unit_test(test_call_state),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_prologue),
		cmocka_unit_test(test_random_lines),
		cmocka_unit_test(test_random_expressions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
