// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_elf.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/debug/eu_debug_dwarf.h"

/* How IGC's relocations say what they write. */
enum { RELOCATE_64 = 1, RELOCATE_32 = 2, RELOCATE_X86_32 = 10 };

enum section {
	SECTION_NULL,
	SECTION_TEXT,
	SECTION_INFO,
	SECTION_ABBREV,
	SECTION_LINE,
	SECTION_RANGES,
	SECTION_LOC,
	SECTION_STR,
	SECTION_FRAME,
	SECTION_SYMTAB,
	SECTION_STRTAB,
	SECTIONS
};

static const char *const names[SECTIONS] = { "", ".text", ".debug_info", ".debug_abbrev",
	".debug_line", ".debug_ranges", ".debug_loc", ".debug_str", ".debug_frame", ".symtab",
	".strtab" };

/* The zebin's own parts. */
struct zebin {
	struct eu_debug_bytes file;
	Elf64_Ehdr head;
	struct eu_debug_bytes names, symbols, strings;
};

static struct eu_debug_bytes part(const struct zebin *zebin, uint64_t offset, uint64_t size)
{
	struct eu_debug_bytes from = zebin->file;

	if (!eu_debug_take(&from, offset))
		return (struct eu_debug_bytes){ 0 };
	const uint8_t *bytes = eu_debug_take(&from, size);
	return eu_debug_bytes_of(bytes, bytes ? (size_t)size : 0);
}

static bool read_section(const struct zebin *zebin, unsigned index, Elf64_Shdr *out)
{
	uint64_t offset = zebin->head.e_shoff + (uint64_t)index * sizeof *out;
	struct eu_debug_bytes bytes = part(zebin, offset, sizeof *out);

	if (index >= zebin->head.e_shnum || !bytes.at)
		return false;
	memcpy(out, bytes.at, sizeof *out);
	return true;
}

/* The string at an offset, "" when there is none. */
static const char *string_at(const struct eu_debug_bytes *from, uint64_t offset)
{
	size_t size = eu_debug_left(from);

	return offset < size && memchr(from->at + offset, 0, size - offset)
		       ? (const char *)from->at + offset
		       : "";
}

static bool find_section(const struct zebin *zebin, const char *name, Elf64_Shdr *out)
{
	for (unsigned i = 0; read_section(zebin, i, out); i++)
		if (!strcmp(string_at(&zebin->names, out->sh_name), name))
			return true;
	return false;
}

static struct eu_debug_bytes contents(const struct zebin *zebin, const char *name)
{
	Elf64_Shdr head;

	return find_section(zebin, name, &head) && head.sh_type != SHT_NOBITS
		       ? part(zebin, head.sh_offset, head.sh_size)
		       : (struct eu_debug_bytes){ 0 };
}

static bool open_zebin(struct zebin *zebin, const void *binary, size_t size)
{
	Elf64_Shdr head;

	*zebin = (struct zebin){ .file = eu_debug_bytes_of(binary, size) };
	if (size < sizeof zebin->head || memcmp(binary, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(&zebin->head, binary, sizeof zebin->head);
	if (zebin->head.e_ident[EI_CLASS] != ELFCLASS64 ||
		zebin->head.e_shentsize != sizeof(Elf64_Shdr) ||
		!read_section(zebin, zebin->head.e_shstrndx, &head))
		return false;
	zebin->names = part(zebin, head.sh_offset, head.sh_size);
	zebin->symbols = contents(zebin, ".symtab");
	zebin->strings = contents(zebin, ".strtab");
	return true;
}

/* The name of a symbol, NULL behind the last. */
static const char *name_symbol(const struct zebin *zebin, uint64_t symbol)
{
	struct eu_debug_bytes from = zebin->symbols;
	Elf64_Sym entry;

	if (symbol >= eu_debug_left(&from) / sizeof entry)
		return NULL;
	memcpy(&entry, from.at + symbol * sizeof entry, sizeof entry);
	return string_at(&zebin->strings, entry.st_name);
}

/*
 * The section of code that no symbol names, if that is one: the linker of IGC 2.40 loses a name in
 * most files, another each time. NULL if all are named, or too few.
 */
static const char *find_nameless(const struct zebin *zebin)
{
	const char *found = NULL, *name;
	Elf64_Shdr head;

	for (unsigned i = 0; read_section(zebin, i, &head); i++) {
		const char *code = string_at(&zebin->names, head.sh_name);
		bool is_named = strncmp(code, ".text.", 6) != 0;
		for (uint64_t k = 0; !is_named && (name = name_symbol(zebin, k)); k++)
			is_named = !strcmp(name, code);
		if (!is_named && found)
			return NULL;
		if (!is_named)
			found = code;
	}
	return found;
}

static bool is_code_of(const struct zebin *zebin, uint64_t symbol, const char *kernel)
{
	const char *name = name_symbol(zebin, symbol);

	if (name && !*name)
		name = find_nameless(zebin);
	return name && !strncmp(name, ".text.", 6) && !strcmp(name + 6, kernel);
}

/* A copy of a section with its relocations applied: symbols have no value, addends are offsets. */
static void relocate(const struct zebin *zebin, const struct eu_debug_kernel *kernel,
	const char *name, struct eu_debug_text *out)
{
	struct eu_debug_bytes section = contents(zebin, name);
	char moves_name[32];
	Elf64_Rela rela;

	eu_debug_put(out, section.at, eu_debug_left(&section));
	snprintf(moves_name, sizeof moves_name, ".rela%s", name);
	struct eu_debug_bytes moves = contents(zebin, moves_name);
	while (!out->failed && eu_debug_left(&moves) >= sizeof rela) {
		memcpy(&rela, eu_debug_take(&moves, sizeof rela), sizeof rela);
		unsigned type = ELF64_R_TYPE(rela.r_info);
		unsigned size = type == RELOCATE_32 || type == RELOCATE_X86_32 ? 4 : 8;
		uint64_t value = (uint64_t)rela.r_addend;
		if (out->size < size || rela.r_offset > out->size - size)
			continue;
		if (type == RELOCATE_64)
			value += is_code_of(zebin, ELF64_R_SYM(rela.r_info), kernel->name)
					 ? kernel->address
					 : EU_DEBUG_ELSEWHERE;
		memcpy(out->bytes + rela.r_offset, &value, size);
	}
}

static struct eu_debug_bytes view(const struct eu_debug_text *text)
{
	return eu_debug_bytes_of(text->bytes, text->size);
}

/* The sections of DWARF. What is malformed is left out, and with it all of them but frames. */
static void describe(const struct eu_debug_kernel *kernel, struct eu_debug_text *sections)
{
	struct eu_debug_text info = { 0 }, frame = { 0 }, text = { 0 };
	struct eu_debug_bytes lines;
	struct zebin zebin;
	uint64_t at;
	bool done = false;

	if (kernel->binary && open_zebin(&zebin, kernel->binary, kernel->binary_size)) {
		relocate(&zebin, kernel, ".debug_info", &info);
		relocate(&zebin, kernel, ".debug_frame", &frame);
		for (unsigned i = SECTION_ABBREV; i <= SECTION_STR; i++)
			if (i != SECTION_LINE && i != SECTION_LOC)
				relocate(&zebin, kernel, names[i], &sections[i]);
		relocate(&zebin, kernel, names[SECTION_LINE], &text);
		lines = view(&text);
		done = eu_debug_info(view(&info), view(&sections[SECTION_ABBREV]),
			contents(&zebin, ".debug_loc"), kernel->source, &sections[SECTION_INFO],
			&sections[SECTION_LOC], &at);
		if (done && at != EU_DEBUG_NO_LINES)
			done = eu_debug_take(&lines, at) &&
			       eu_debug_line(lines, kernel->source, &sections[SECTION_LINE]);
	}
	for (unsigned i = SECTION_INFO; i <= SECTION_STR && !done; i++)
		sections[i].size = 0;
	if (!done || !eu_debug_frame(view(&frame), &sections[SECTION_FRAME])) {
		sections[SECTION_FRAME].size = 0;
		eu_debug_frame_of_kernel(&sections[SECTION_FRAME], kernel->address, kernel->bytes);
	}
	eu_debug_text_finish(&info);
	eu_debug_text_finish(&text);
	eu_debug_text_finish(&frame);
}

/* The kernel's name as a function. */
static void name_code(const struct eu_debug_kernel *kernel, struct eu_debug_text *sections)
{
	Elf64_Sym symbols[2] = { { 0 } };

	eu_debug_put_uint(&sections[SECTION_STRTAB], 0, 1);
	for (unsigned i = 1; i < SECTIONS; i++)
		eu_debug_put(&sections[SECTION_STRTAB], names[i], strlen(names[i]) + 1);
	symbols[1] = (Elf64_Sym){ .st_name = (uint32_t)sections[SECTION_STRTAB].size,
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = SECTION_TEXT,
		.st_value = kernel->address,
		.st_size = kernel->bytes };
	eu_debug_put(&sections[SECTION_STRTAB], kernel->name, strlen(kernel->name) + 1);
	eu_debug_put(&sections[SECTION_SYMTAB], symbols, sizeof symbols);
}

static void put_section(const struct eu_debug_kernel *kernel, unsigned i, uint64_t offset,
	const struct eu_debug_text *section, struct eu_debug_text *out)
{
	Elf64_Shdr head = { .sh_type = SHT_PROGBITS,
		.sh_offset = offset,
		.sh_size = section->size,
		.sh_addralign = 1 };

	for (unsigned k = 1; k <= i; k++)
		head.sh_name += k < i ? (uint32_t)strlen(names[k]) + 1 : 1;
	if (i == SECTION_NULL)
		head = (Elf64_Shdr){ 0 };
	if (i == SECTION_TEXT) {
		head.sh_type = SHT_NOBITS;
		head.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
		head.sh_addr = kernel->address;
		head.sh_size = kernel->bytes;
	}
	if (i == SECTION_SYMTAB) {
		head.sh_type = SHT_SYMTAB;
		head.sh_entsize = sizeof(Elf64_Sym);
		head.sh_link = SECTION_STRTAB;
		head.sh_info = 1;
	}
	if (i == SECTION_STRTAB)
		head.sh_type = SHT_STRTAB;
	eu_debug_put(out, &head, sizeof head);
}

static void put_file(const struct eu_debug_kernel *kernel, const struct eu_debug_text *sections,
	struct eu_debug_text *out)
{
	Elf64_Ehdr head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				    ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof head,
		.e_ehsize = sizeof head,
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = SECTION_STRTAB };
	const Elf64_Phdr segment = { .p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_vaddr = kernel->address,
		.p_paddr = kernel->address,
		.p_memsz = kernel->bytes,
		.p_align = 1 };
	uint64_t offset = sizeof head + sizeof segment;

	head.e_shoff = offset;
	for (unsigned i = 0; i < SECTIONS; i++)
		head.e_shoff += sections[i].size;
	eu_debug_put(out, &head, sizeof head);
	eu_debug_put(out, &segment, sizeof segment);
	for (unsigned i = 0; i < SECTIONS; i++)
		eu_debug_put(out, sections[i].bytes, sections[i].size);
	for (unsigned i = 0; i < SECTIONS; offset += sections[i++].size)
		put_section(kernel, i, offset, &sections[i], out);
}

bool eu_debug_elf(const struct eu_debug_kernel *kernel, struct eu_debug_text *out)
{
	struct eu_debug_text sections[SECTIONS] = { { 0 } };
	bool failed = false;

	describe(kernel, sections);
	name_code(kernel, sections);
	put_file(kernel, sections, out);
	for (unsigned i = 0; i < SECTIONS; i++) {
		failed = failed || sections[i].failed;
		eu_debug_text_finish(&sections[i]);
	}
	return !failed && !out->failed;
}
