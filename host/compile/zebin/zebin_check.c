// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_check.h"

#include "compile/zebin/zebin_check_info.h"

#include <stdio.h>
#include <string.h>

#define MAX_BSS ((uint64_t)1 << 28) /* bytes */

/* The sections that a zebin may have. */
static const struct kind {
	uint32_t type;
	const char *name;
	bool is_start; /* names begin so; any number of them */
} kinds[] = {
	{ SHT_NULL, "", true },
	{ SHT_STRTAB, "", true },
	{ SHT_PROGBITS, ".text.", true },
	{ SHT_PROGBITS, ".debug_", true },
	{ SHT_PROGBITS, ".data.const", false },
	{ SHT_PROGBITS, ".data.const.string", false },
	{ SHT_PROGBITS, ".data.global", false },
	{ SHT_NOBITS, ".bss.const", false },
	{ SHT_NOBITS, ".bss.global", false },
	{ SHT_SYMTAB, ".symtab", false },
	{ SHT_REL, ".rel", true },
	{ SHT_RELA, ".rela", true },
	{ SHT_NOTE, ".note.intelgt.", true },
	{ ELF_FILE_SPIRV, ".spv", false },
	{ ELF_FILE_ZE_INFO, ".ze_info", false },
	{ ELF_FILE_MISC, ".misc.", true },
	{ 0xff000012, ".gtpin_info", true },
	{ 0xff000013, ".visaasm.", true },
	{ 0xff000015, ".pisa", false },
};

#define N_KINDS (sizeof(kinds) / sizeof(*kinds))

static size_t kind_of(const struct elf_file_section *section)
{
	size_t i = 0;

	for (; i < N_KINDS; i++)
		if (kinds[i].type == section->head.sh_type &&
			(kinds[i].is_start ? !strncmp(section->name, kinds[i].name,
						     strlen(kinds[i].name))
					   : !strcmp(section->name, kinds[i].name)))
			break;
	return i;
}

/* The section of that number and type; NULL if it is another one. */
static const struct elf_file_section *section_of(
	const struct elf_file *file, uint64_t number, uint32_t type)
{
	const struct elf_file_section *section = number < file->n ? &file->sections[number] : NULL;

	return section && section->head.sh_type == type ? section : NULL;
}

/* Texts, the last of which ends. */
static bool is_texts(const struct elf_file_section *section)
{
	return section && section->size && !((const char *)section->data)[section->size - 1];
}

static const char *check_sections(const struct elf_file *file)
{
	unsigned seen[N_KINDS] = { 0 };

	if (!is_texts(section_of(file, file->head.e_shstrndx, SHT_STRTAB)))
		return "it has no names of sections";
	for (size_t i = 0; i < file->n; i++) {
		const struct elf_file_section *section = &file->sections[i];
		const size_t kind = kind_of(section);

		if (kind == N_KINDS)
			return "it has a section that no zebin has";
		if (seen[kind]++ && !kinds[kind].is_start)
			return "it has a section twice";
		if (section->head.sh_type == SHT_NOBITS && section->head.sh_size > MAX_BSS)
			return "its variables are too large";
		if (!strncmp(section->name, ".text.", 6) && !section->size)
			return "a kernel has no code";
	}
	return NULL;
}

/* Whether the section has room for what the symbol names; functions are in code. */
static bool holds(const struct elf_file_section *section, const Elf64_Sym *symbol)
{
	return section &&
	       (section->head.sh_type == SHT_PROGBITS || section->head.sh_type == SHT_NOBITS) &&
	       symbol->st_value <= section->head.sh_size &&
	       (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !strncmp(section->name, ".text.", 6));
}

static const char *check_symbols(const struct elf_file *file, const struct elf_file_section *table)
{
	const struct elf_file_section *names = section_of(file, table->head.sh_link, SHT_STRTAB);
	Elf64_Sym symbol;

	if (table->head.sh_entsize != sizeof(symbol) || table->size % sizeof(symbol) ||
		!is_texts(names))
		return "its table of symbols is not one";
	for (size_t i = 0; elf_file_symbol(table, i, &symbol); i++) {
		if (symbol.st_name >= names->size)
			return "a symbol has no name";
		const struct elf_file_section *section =
			symbol.st_shndx < file->n ? &file->sections[symbol.st_shndx] : NULL;
		if (symbol.st_shndx ? !holds(section, &symbol)
				    : ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
			return "a symbol is in no section";
	}
	return NULL;
}

/* Types are 1 for an address, 2 to 4 for something of four bytes. */
static const char *check_relocations(
	const struct elf_file *file, const struct elf_file_section *section)
{
	const struct elf_file_section *symbols =
		section_of(file, section->head.sh_link, SHT_SYMTAB);
	const struct elf_file_section *target =
		section_of(file, section->head.sh_info, SHT_PROGBITS);
	const bool has_addend = section->head.sh_type == SHT_RELA;
	const size_t unit = has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	Elf64_Rel rel;

	if (!symbols || section->head.sh_entsize != unit || section->size % unit || !target)
		return "its relocations are none";
	for (size_t at = 0; at < section->size; at += unit) {
		memcpy(&rel, (const char *)section->data + at, sizeof(rel));
		const uint32_t type = ELF64_R_TYPE(rel.r_info);
		const size_t size = type == 1 ? 8 : 4;

		if (!type || type > 4 || target->size < size ||
			rel.r_offset > target->size - size ||
			ELF64_R_SYM(rel.r_info) >= symbols->size / sizeof(Elf64_Sym))
			return "a relocation is of nothing";
	}
	return NULL;
}

/* The fourth, the version, is a text; all others are numbers, of which newer compilers have more.
 */
static const char *check_notes(const struct elf_file_section *notes)
{
	static const char wrong[] = "its notes are none";
	const char *value, *at = notes->data;
	size_t left = notes->size;
	Elf64_Nhdr head;

	while (elf_file_note(&at, &left, &head, &value)) {
		if (!head.n_type)
			return wrong;
		if (head.n_type == 4 ? !head.n_descsz || value[head.n_descsz - 1] != '\0'
				     : head.n_descsz != sizeof(uint32_t))
			return wrong;
	}
	return left ? wrong : NULL;
}

static const char *check_section(
	const struct elf_file *file, const struct elf_file_section *section)
{
	switch (section->head.sh_type) {
	case SHT_SYMTAB:
		return check_symbols(file, section);
	case SHT_REL:
	case SHT_RELA:
		return check_relocations(file, section);
	case SHT_NOTE:
		return strcmp(section->name, ".note.intelgt.compat") ? NULL : check_notes(section);
	default:
		return NULL;
	}
}

enum compile_status zebin_check(const struct elf_file *file, char *why, size_t why_size)
{
	const char *wrong = check_sections(file);

	for (size_t i = 0; !wrong && i < file->n; i++)
		wrong = check_section(file, &file->sections[i]);
	if (!wrong)
		return zebin_check_info(file, why, why_size);
	snprintf(why, why_size, "the native code is damaged: %s", wrong);
	return COMPILE_ERROR;
}
