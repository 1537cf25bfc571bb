// SPDX-License-Identifier: MIT
/*
 * eu-stencil-tool OBJECT NAME: reads handlers that were built as stencils, one to a section, and
 * prints C: the table eu_stencil_NAME of eu_stencil.h. Runs while the project is built. A handler
 * becomes a stencil if all its relocations are of kinds that eu_stencil.c can put in elsewhere.
 */
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 256, MOST_SECTIONS = 16384 };

/* Names of enum eu_patch, and whether it is a distance. */
static const struct {
	const char *symbol, *name;
	bool distance;
} patches[] = {
#define FIELD(NAME, field) { "eu_hole_" #field, #NAME, false },
#include "eu/ops/uop.def"
	{ "eu_hole_self", "SELF", false },
	{ "eu_go_next", "NEXT", true },
	{ "eu_go_full", "FULL", true },
	{ "eu_go_partial", "PARTIAL", true },
	{ "eu_go_past", "PAST", true },
};
enum { PATCHES = sizeof patches / sizeof *patches, DATA = -2, CALL = -3, IMPOSSIBLE = -1 };

static uint8_t *file;
static const Elf64_Shdr *sections;
static const Elf64_Sym *symbols;
static const char *names, *section_names;
static unsigned section_count;
static unsigned relocations[MOST_SECTIONS]; /* of a section: the section with its relocations */
static unsigned data_at[MOST_SECTIONS];	    /* constants: 1 + place in what is printed */
static unsigned data_size;
static unsigned stencil_of[MOST_SECTIONS]; /* code: 1 + number */
static const char *functions[MOST_FUNCTIONS];
static unsigned function_count;

static void die(const char *what)
{
	fprintf(stderr, "eu-stencil-tool: %s\n", what);
	exit(1);
}

static void read_object(const char *path)
{
	FILE *in = fopen(path, "rb");
	long size = in && !fseek(in, 0, SEEK_END) ? ftell(in) : 0;
	file = size > 0 ? malloc((size_t)size) : NULL;
	if (!file || fseek(in, 0, SEEK_SET) || fread(file, 1, (size_t)size, in) != (size_t)size)
		die("cannot read the object");
	fclose(in);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)(void *)file;
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_machine != EM_X86_64 ||
		header->e_type != ET_REL || header->e_shnum >= MOST_SECTIONS || !header->e_shnum)
		die("not an object for x86-64");
	sections = (const Elf64_Shdr *)(void *)(file + header->e_shoff);
	section_count = header->e_shnum;
	section_names = (const char *)file + sections[header->e_shstrndx].sh_offset;
	for (unsigned i = 0; i < section_count; i++) {
		if (sections[i].sh_type == SHT_RELA)
			relocations[sections[i].sh_info] = i;
		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		symbols = (const Elf64_Sym *)(void *)(file + sections[i].sh_offset);
		names = (const char *)file + sections[sections[i].sh_link].sh_offset;
	}
	if (!symbols)
		die("no symbols");
}

static const Elf64_Rela *relocations_of(unsigned section, unsigned *count)
{
	const Elf64_Shdr *table = &sections[relocations[section]];
	*count = relocations[section] ? (unsigned)(table->sh_size / sizeof(Elf64_Rela)) : 0;
	return (const Elf64_Rela *)(void *)(file + table->sh_offset);
}

/* Constants that code may take along: they are not written, and nothing in them is relocated. */
static bool is_constant(unsigned section)
{
	const Elf64_Shdr *s = &sections[section];
	return s->sh_type == SHT_PROGBITS && !(s->sh_flags & (SHF_WRITE | SHF_EXECINSTR)) &&
	       !relocations[section];
}

static int find_function(const char *name)
{
	for (unsigned i = 0; i < function_count; i++)
		if (!strcmp(functions[i], name))
			return (int)i;
	if (function_count == MOST_FUNCTIONS)
		die("too many functions");
	functions[function_count] = name;
	return (int)function_count++;
}

/* Whether the distance at `offset` of a section's code is a jump's: nothing comes back from there.
 */
static bool is_jump(unsigned section, uint64_t offset)
{
	const uint8_t *at = file + sections[section].sh_offset + offset;
	bool always = offset >= 1 && at[-1] == 0xe9;
	return always || (offset >= 2 && at[-2] == 0x0f && (at[-1] & 0xf0) == 0x80);
}

/* The index in `patches`, DATA, CALL or IMPOSSIBLE. */
static int kind_of(unsigned section, const Elf64_Rela *r)
{
	unsigned type = ELF64_R_TYPE(r->r_info);
	const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(r->r_info)];
	bool distance = type == R_X86_64_PC32 || type == R_X86_64_PLT32;
	if (!distance && type != R_X86_64_32 && type != R_X86_64_32S)
		return IMPOSSIBLE;
	if (symbol->st_shndx != SHN_UNDEF)
		return distance && symbol->st_shndx < section_count && is_constant(symbol->st_shndx)
			       ? DATA
			       : IMPOSSIBLE;
	for (int i = 0; i < PATCHES; i++)
		if (!strcmp(names + symbol->st_name, patches[i].symbol))
			return patches[i].distance == distance &&
					       (!distance || is_jump(section, r->r_offset))
				       ? i
				       : IMPOSSIBLE;
	return type == R_X86_64_PLT32 ? CALL : IMPOSSIBLE;
}

static bool is_stencil(unsigned section)
{
	unsigned count;
	const Elf64_Rela *r = relocations_of(section, &count);
	for (unsigned i = 0; i < count; i++)
		if (kind_of(section, &r[i]) == IMPOSSIBLE || r[i].r_offset > UINT16_MAX ||
			r[i].r_addend != (int32_t)r[i].r_addend)
			return false;
	return sections[section].sh_size > 0;
}

/* Whether the code's last instruction is a jump to what follows; *last its relocation. */
static bool ends_in_jump(unsigned section, unsigned *last)
{
	unsigned count;
	const Elf64_Rela *r = relocations_of(section, &count);
	const Elf64_Shdr *s = &sections[section];
	for (*last = 0; *last < count; ++*last) {
		int kind = kind_of(section, &r[*last]);
		if (kind >= 0 && !strcmp(patches[kind].name, "NEXT") &&
			r[*last].r_offset + 4 == s->sh_size && s->sh_size >= 5 &&
			file[s->sh_offset + s->sh_size - 5] == 0xe9)
			return true;
	}
	return false;
}

static unsigned code_size(unsigned section)
{
	unsigned last;
	return (unsigned)sections[section].sh_size - (ends_in_jump(section, &last) ? 5 : 0);
}

static void print_bytes(const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		printf("%u,%s", bytes[i], i % 32 == 31 ? "\n" : "");
	printf("\n");
}

static void place_data(unsigned section)
{
	unsigned align = (unsigned)sections[section].sh_addralign;
	if (data_at[section])
		return;
	align = align ? align : 1;
	data_size = (data_size + align - 1) / align * align;
	data_at[section] = data_size + 1;
	data_size += (unsigned)sections[section].sh_size;
}

static unsigned print_patches(unsigned section)
{
	unsigned count, last, printed = 0;
	const Elf64_Rela *r = relocations_of(section, &count);
	bool drops = ends_in_jump(section, &last);
	for (unsigned i = 0; i < count; i++) {
		const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(r[i].r_info)];
		int kind = kind_of(section, &r[i]), index = 0;
		long addend = (long)r[i].r_addend;
		if (drops && i == last)
			continue;
		if (kind == DATA) {
			place_data(symbol->st_shndx);
			addend += (long)(data_at[symbol->st_shndx] - 1 + symbol->st_value);
		} else if (kind == CALL) {
			index = find_function(names + symbol->st_name);
		}
		printf("\t{ %u, EU_PATCH_%s, %d, %d, %ld },\n", (unsigned)r[i].r_offset,
			kind == DATA   ? "DATA"
			: kind == CALL ? "CALL"
				       : patches[kind].name,
			ELF64_R_TYPE(r[i].r_info) == R_X86_64_32S, index, addend);
		printed++;
	}
	return printed;
}

/* The section with the table of handlers. */
static const Elf64_Sym *find_table(void)
{
	for (unsigned i = 0; i < section_count; i++) {
		const Elf64_Shdr *s = &sections[i];
		for (unsigned k = 0; s->sh_type == SHT_SYMTAB && k < s->sh_size / s->sh_entsize;
			k++)
			if (!strcmp(names + symbols[k].st_name, "eu_stencil_handlers"))
				return &symbols[k];
	}
	die("no table of handlers");
	return NULL;
}

/* Numbers the stencils and fills the slot of each handler: 1 + number, 0 for none. */
static unsigned find_slots(const Elf64_Sym *table, uint16_t *slots, unsigned *order)
{
	unsigned count, stencils = 0;
	const Elf64_Rela *r = relocations_of(table->st_shndx, &count);
	for (unsigned i = 0; i < count; i++) {
		const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(r[i].r_info)];
		unsigned section = symbol->st_shndx;
		if (r[i].r_offset < table->st_value ||
			r[i].r_offset >= table->st_value + table->st_size)
			continue;
		if (ELF64_R_TYPE(r[i].r_info) != R_X86_64_64 || section >= section_count ||
			!(sections[section].sh_flags & SHF_EXECINSTR) ||
			symbol->st_value + (uint64_t)r[i].r_addend != 0)
			die("a handler that has no section of its own");
		if (!stencil_of[section] && is_stencil(section)) {
			order[stencils] = section;
			stencil_of[section] = ++stencils;
		}
		slots[(r[i].r_offset - table->st_value) / 8] = (uint16_t)stencil_of[section];
	}
	return stencils;
}

static void print_stencils(const unsigned *order, unsigned stencils)
{
	static unsigned counts[MOST_SECTIONS];
	printf("static const struct eu_stencil_patch patches[] = {\n");
	for (unsigned i = 0; i < stencils; i++)
		counts[i] = print_patches(order[i]);
	printf("};\nstatic const uint8_t code[] = {\n");
	for (unsigned i = 0; i < stencils; i++)
		print_bytes(file + sections[order[i]].sh_offset, code_size(order[i]));
	printf("};\nstatic const struct eu_stencil stencils[] = {\n");
	for (unsigned i = 0, at = 0, first = 0; i < stencils; i++) {
		printf("\t{ %u, %u, %u, %u },\n", at, code_size(order[i]), first, counts[i]);
		at += code_size(order[i]);
		first += counts[i];
	}
	printf("};\n");
}

static void print_data(void)
{
	uint8_t *data = calloc(1, data_size + 1);
	if (!data)
		die("no memory");
	for (unsigned i = 0; i < section_count; i++)
		if (data_at[i])
			memcpy(data + data_at[i] - 1, file + sections[i].sh_offset,
				sections[i].sh_size);
	printf("static const uint8_t data[] = {\n");
	print_bytes(data, data_size + 1);
	printf("};\n");
	free(data);
}

int main(int argc, char **argv)
{
	static unsigned order[MOST_SECTIONS];
	if (argc != 3)
		die("usage: eu-stencil-tool OBJECT NAME");
	read_object(argv[1]);
	const Elf64_Sym *table = find_table();
	unsigned slot_count = (unsigned)(table->st_size / 8);
	uint16_t *slots = calloc(slot_count + 1, sizeof *slots);
	if (!slots)
		die("no memory");
	unsigned stencils = find_slots(table, slots, order);
	printf("#include \"eu/native/eu_stencil.h\"\n");
	print_stencils(order, stencils);
	print_data();
	for (unsigned i = 0; i < function_count; i++)
		printf("extern const char function_%u[] __asm__(\"%s\");\n", i, functions[i]);
	printf("static const char *const functions[] = {\n");
	for (unsigned i = 0; i < function_count; i++)
		printf("\tfunction_%u,\n", i);
	printf("\tNULL };\nstatic const uint16_t slots[] = {\n");
	for (unsigned i = 0; i < slot_count; i++)
		printf("%u,%s", slots[i], i % 16 == 15 ? "\n" : "");
	printf("};\n_Static_assert(sizeof slots / sizeof *slots == sizeof(struct eu_handlers) / 8, "
	       "\"handlers\");\n");
	printf("const struct eu_stencil_table eu_stencil_%s = { code, data, sizeof data, %u, %u, "
	       "stencils, patches, slots, functions };\n",
		argv[2], slot_count, function_count);
	free(slots);
	free(file);
	return 0;
}
