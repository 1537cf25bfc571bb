// SPDX-License-Identifier: MIT
#include "compile/zebin/elf_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#ifndef EM_INTELGT
#define EM_INTELGT 205
#endif

/* e_type of what is no zebin. */
static const uint16_t types[] = {
	[COMPILE_ELF_EXECUTABLE] = 0xff04,
	[COMPILE_ELF_OBJECT] = 0xff02,
	[COMPILE_ELF_LIBRARY] = 0xff03,
};

static bool is_kind(const Elf64_Ehdr *head, enum compile_elf_kind *kind)
{
	if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
		head->e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	*kind = COMPILE_ELF_ZEBIN;
	if (head->e_machine == EM_INTELGT)
		return true;
	for (size_t i = COMPILE_ELF_EXECUTABLE; i < sizeof types / sizeof *types; i++)
		if (head->e_type == types[i]) {
			*kind = (enum compile_elf_kind)i;
			return true;
		}
	return false;
}

/* The name of a section if it lies within the names, else "". */
static const char *name_of(
	const unsigned char *bytes, const Elf64_Shdr *names, const Elf64_Shdr *section)
{
	if (!names->sh_size || section->sh_name >= names->sh_size ||
		bytes[names->sh_offset + names->sh_size - 1])
		return "";
	return (const char *)bytes + names->sh_offset + section->sh_name;
}

static struct compile_bytes *place(struct compile_elf *elf, uint32_t type, const char *name)
{
	switch (type) {
	case COMPILE_SECTION_SPIRV:
		return &elf->spirv;
	case SHT_NOTE:
		return strcmp(name, ".note.intelgt.compat") ? NULL : &elf->compat;
	case COMPILE_SECTION_ZE_INFO:
		return &elf->ze_info;
	case COMPILE_SECTION_MISC:
		return strcmp(name, COMPILE_SECTION_MISC_NOTES) ? &elf->options : &elf->notes;
	case COMPILE_SECTION_OPTIONS:
		return elf->kind == COMPILE_ELF_ZEBIN ? NULL : &elf->options;
	case COMPILE_SECTION_OVERLOOKED:
		return elf->kind == COMPILE_ELF_EXECUTABLE && !strcmp(name, COMPILE_SECTION_INNER)
			       ? &elf->inner
			       : NULL;
	case COMPILE_SECTION_TOKENS:
		return elf->kind == COMPILE_ELF_EXECUTABLE ? &elf->tokens : NULL;
	default:
		return NULL;
	}
}

/* Reads section `i`; false if its bytes are not all there. */
static bool read_section(const unsigned char *bytes, size_t size, const Elf64_Ehdr *head,
	unsigned i, Elf64_Shdr *section)
{
	memcpy(section, bytes + head->e_shoff + i * sizeof *section, sizeof *section);
	if (section->sh_type == SHT_NULL || section->sh_type == SHT_NOBITS)
		section->sh_size = section->sh_offset = 0;
	return section->sh_offset <= size && section->sh_size <= size - section->sh_offset;
}

bool compile_elf_open(const void *data, size_t size, struct compile_elf *elf)
{
	const unsigned char *bytes = data;
	Elf64_Ehdr head;
	Elf64_Shdr names = { 0 }, section;

	*elf = (struct compile_elf){ 0 };
	if (size < sizeof head)
		return false;
	memcpy(&head, bytes, sizeof head);
	if (!is_kind(&head, &elf->kind) || head.e_shentsize != sizeof(Elf64_Shdr) ||
		head.e_shoff > size || head.e_shnum > (size - head.e_shoff) / sizeof(Elf64_Shdr))
		return false;
	if (head.e_shstrndx < head.e_shnum &&
		!read_section(bytes, size, &head, head.e_shstrndx, &names))
		return false;
	for (unsigned i = 0; i < head.e_shnum; i++) {
		if (!read_section(bytes, size, &head, i, &section))
			return false;
		struct compile_bytes *found =
			place(elf, section.sh_type, name_of(bytes, &names, &section));
		if (found && !found->data)
			*found = (struct compile_bytes){ bytes + section.sh_offset,
				section.sh_size };
	}
	return true;
}

const void *compile_elf_product(const struct compile_elf *elf)
{
	static const char owner[8] = "IntelGT";
	const unsigned char *at = elf->compat.data;
	size_t left = at && elf->kind == COMPILE_ELF_ZEBIN ? elf->compat.size : 0;
	uint32_t head[3]; /* size of the owner, of the value, kind */

	while (left >= sizeof head + sizeof owner) {
		memcpy(head, at, sizeof head);
		size_t value = sizeof head + sizeof owner;
		size_t size = value + (((size_t)head[1] + 3) & ~(size_t)3);
		if (head[0] != sizeof owner || memcmp(at + sizeof head, owner, sizeof owner) != 0 ||
			size > left)
			return NULL;
		if (head[2] == 1 && head[1] == sizeof(uint32_t))
			return at + value;
		at += size;
		left -= size;
	}
	return NULL;
}

bool compile_elf_part(const void *data, size_t size, uint32_t i, struct compile_elf_part *part)
{
	const unsigned char *bytes = data;
	Elf64_Ehdr head;
	Elf64_Shdr names = { 0 }, section;

	memcpy(&head, bytes, sizeof head);
	if (i >= head.e_shnum || !read_section(bytes, size, &head, i, &section))
		return false;
	if (head.e_shstrndx < head.e_shnum)
		read_section(bytes, size, &head, head.e_shstrndx, &names);
	*part = (struct compile_elf_part){ .name = name_of(bytes, &names, &section),
		.type = section.sh_type,
		.link = section.sh_link,
		.bytes = { bytes + section.sh_offset, section.sh_size } };
	return true;
}

static bool is_of_driver(const char *name, size_t size)
{
	static const char *const starts[] = { "__", "INTEL_" };

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (size >= strlen(starts[i]) && !memcmp(name, starts[i], strlen(starts[i])))
			return true;
	return !size;
}

/* The first undefined symbol of the table. */
static bool find_undefined(const unsigned char *bytes, const Elf64_Shdr *symbols,
	const Elf64_Shdr *names, char *name, size_t name_size)
{
	for (uint64_t at = 0; symbols->sh_size - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
		Elf64_Sym symbol;
		memcpy(&symbol, bytes + symbols->sh_offset + at, sizeof symbol);
		if (symbol.st_shndx != SHN_UNDEF || symbol.st_name >= names->sh_size)
			continue;
		const char *text = (const char *)bytes + names->sh_offset + symbol.st_name;
		size_t size = strnlen(text, names->sh_size - symbol.st_name);
		if (is_of_driver(text, size))
			continue;
		if (size >= name_size)
			size = name_size - 1;
		memcpy(name, text, size);
		name[size] = '\0';
		return true;
	}
	return false;
}

bool compile_elf_undefined(const void *data, size_t size, char *name, size_t name_size)
{
	Elf64_Ehdr head;
	Elf64_Shdr symbols, names;

	memcpy(&head, data, sizeof head);
	for (unsigned i = 0; i < head.e_shnum; i++)
		if (read_section(data, size, &head, i, &symbols) && symbols.sh_type == SHT_SYMTAB &&
			symbols.sh_link < head.e_shnum &&
			read_section(data, size, &head, symbols.sh_link, &names) &&
			find_undefined(data, &symbols, &names, name, name_size))
			return true;
	return false;
}

/* A file that is being written: `bytes` has room for all of it. */
struct writer {
	unsigned char *bytes;
	size_t size;
};

static uint64_t put(struct writer *writer, const void *data, size_t size)
{
	uint64_t at = writer->size = (writer->size + 7) & ~(size_t)7;

	if (size)
		memcpy(writer->bytes + at, data, size);
	writer->size += size;
	return at;
}

static size_t room_for(const Elf64_Ehdr *head, size_t size, const Elf64_Shdr *names,
	const struct compile_section *sections, size_t n)
{
	size_t room = size + names->sh_size + (head->e_shnum + n) * sizeof(Elf64_Shdr) + 32;

	for (size_t i = 0; i < n; i++)
		room += sections[i].bytes.size + strlen(sections[i].name) + 9;
	return room;
}

void *compile_elf_append(const void *elf, size_t size, const struct compile_section *sections,
	size_t n, size_t *out_size)
{
	const unsigned char *bytes = elf;
	Elf64_Ehdr head;
	Elf64_Shdr names = { 0 };

	memcpy(&head, bytes, sizeof head);
	if (head.e_shnum >= SHN_LORESERVE - n)
		return NULL;
	if (head.e_shstrndx < head.e_shnum)
		read_section(bytes, size, &head, head.e_shstrndx, &names);
	struct writer writer = { calloc(1, room_for(&head, size, &names, sections, n)), 0 };
	Elf64_Shdr *table = calloc(head.e_shnum + n, sizeof *table);
	if (!writer.bytes || !table) {
		free(writer.bytes);
		free(table);
		return NULL;
	}
	put(&writer, bytes, size);
	memcpy(table, bytes + head.e_shoff, head.e_shnum * sizeof *table);
	for (size_t i = 0; i < n; i++)
		table[head.e_shnum + i] = (Elf64_Shdr){ .sh_type = sections[i].type,
			.sh_offset = put(&writer, sections[i].bytes.data, sections[i].bytes.size),
			.sh_size = sections[i].bytes.size,
			.sh_addralign = 1 };
	/* The names grow at their end: those that are there keep their places. */
	uint64_t start = put(&writer, bytes + names.sh_offset, names.sh_size);
	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(sections[i].name) + 1;
		table[head.e_shnum + i].sh_name = (Elf64_Word)(writer.size - start);
		memcpy(writer.bytes + writer.size, sections[i].name, length);
		writer.size += length;
	}
	if (head.e_shstrndx < head.e_shnum) {
		table[head.e_shstrndx].sh_offset = start;
		table[head.e_shstrndx].sh_size = writer.size - start;
	}
	head.e_shnum = (Elf64_Half)(head.e_shnum + n);
	head.e_shoff = put(&writer, table, head.e_shnum * sizeof *table);
	memcpy(writer.bytes, &head, sizeof head);
	free(table);
	*out_size = writer.size;
	return writer.bytes;
}

void *compile_elf_without(const void *elf, size_t size, uint32_t type, size_t *out_size)
{
	const unsigned char *bytes = elf;
	size_t room = sizeof(Elf64_Ehdr) + 8;
	Elf64_Shdr section;
	Elf64_Ehdr head;

	memcpy(&head, bytes, sizeof head);
	for (unsigned i = 0; i < head.e_shnum; i++)
		if (read_section(bytes, size, &head, i, &section))
			room += section.sh_size + sizeof section + 8;
	struct writer writer = { calloc(1, room), 0 };
	Elf64_Shdr *table = calloc(head.e_shnum + 1u, sizeof *table);
	if (!writer.bytes || !table) {
		free(writer.bytes);
		free(table);
		return NULL;
	}
	writer.size = sizeof head;
	for (unsigned i = 0; i < head.e_shnum; i++) {
		if (!read_section(bytes, size, &head, i, &section) || section.sh_type == type ||
			section.sh_type == SHT_NULL)
			continue;
		memcpy(&table[i], bytes + head.e_shoff + i * sizeof section, sizeof section);
		table[i].sh_offset = put(&writer, bytes + section.sh_offset, section.sh_size);
	}
	head.e_shoff = put(&writer, table, head.e_shnum * sizeof *table);
	memcpy(writer.bytes, &head, sizeof head);
	free(table);
	*out_size = writer.size;
	return writer.bytes;
}

void *compile_elf_make(enum compile_elf_kind kind, const struct compile_section *sections, size_t n,
	size_t *out_size)
{
	static const char own[] = ".shstrtab";
	size_t table_size = (n + 2) * sizeof(Elf64_Shdr), names_size = 1 + sizeof own;
	size_t room = sizeof(Elf64_Ehdr) + table_size + 16;
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			EV_CURRENT },
		.e_type = types[kind],
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof head,
		.e_shoff = sizeof head,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)(n + 2),
		.e_shstrndx = (Elf64_Half)(n + 1),
	};

	for (size_t i = 0; i < n; i++) {
		names_size += strlen(sections[i].name) + 1;
		room += sections[i].bytes.size + 8;
	}
	struct writer writer = { calloc(1, room + names_size), sizeof head + table_size };
	Elf64_Shdr *table = calloc(n + 2, sizeof *table);
	char *names = calloc(1, names_size);
	size_t at = 1;
	if (writer.bytes && table && names) {
		for (size_t i = 0; i <= n; i++) {
			const char *name = i < n ? sections[i].name : own;
			strcpy(names + at, name);
			table[i + 1] = (Elf64_Shdr){ .sh_name = (Elf64_Word)at, .sh_addralign = 1 };
			at += strlen(name) + 1;
		}
		for (size_t i = 0; i <= n; i++) {
			const struct compile_bytes bytes =
				i < n ? sections[i].bytes
				      : (struct compile_bytes){ names, names_size };
			table[i + 1].sh_type = i < n ? sections[i].type : SHT_STRTAB;
			table[i + 1].sh_offset = put(&writer, bytes.data, bytes.size);
			table[i + 1].sh_size = bytes.size;
		}
		memcpy(writer.bytes, &head, sizeof head);
		memcpy(writer.bytes + sizeof head, table, table_size);
		*out_size = writer.size;
	} else {
		free(writer.bytes);
		writer.bytes = NULL;
	}
	free(table);
	free(names);
	return writer.bytes;
}
