// SPDX-License-Identifier: MIT
#include "compile/zebin/elf_file.h"

#include "util/util_bits.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#ifndef EM_INTELGT
#define EM_INTELGT 205
#endif

/* e_type of containers. */
static const uint16_t types[] = {
	[ELF_FILE_EXECUTABLE] = 0xff04,
	[ELF_FILE_OBJECT] = 0xff02,
	[ELF_FILE_LIBRARY] = 0xff03,
};

static bool has_bytes(const Elf64_Shdr *head)
{
	return head->sh_type != SHT_NULL && head->sh_type != SHT_NOBITS;
}

static bool read_kind(struct elf_file *file)
{
	file->kind = ELF_FILE_ZEBIN;
	if (file->head.e_machine == EM_INTELGT)
		return true;
	for (size_t i = ELF_FILE_EXECUTABLE; i < sizeof(types) / sizeof(*types); i++)
		if (file->head.e_type == types[i]) {
			file->kind = (enum elf_file_kind)i;
			return true;
		}
	return false;
}

/* libelf leaves out sections that it does not find: all have to be there. */
static bool is_sound(const struct elf_file *file, size_t size)
{
	const Elf64_Ehdr *head = &file->head;

	return head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_ident[EI_DATA] == ELFDATA2LSB &&
	       head->e_shentsize == sizeof(Elf64_Shdr) && head->e_shoff <= size &&
	       head->e_shnum <= (size - head->e_shoff) / sizeof(Elf64_Shdr);
}

static bool read_section(
	const struct elf_file *file, Elf *elf, size_t i, struct elf_file_section *section)
{
	Elf_Scn *from = elf_getscn(elf, i);
	Elf_Data *data;
	const char *name = NULL;

	if (!from || !gelf_getshdr(from, &section->head))
		return false;
	if (file->head.e_shstrndx < file->head.e_shnum)
		name = elf_strptr(elf, file->head.e_shstrndx, section->head.sh_name);
	section->name = name ? name : "";
	if (!has_bytes(&section->head) || !section->head.sh_size)
		return true;
	data = elf_rawdata(from, NULL);
	if (!data || data->d_size != section->head.sh_size)
		return false;
	section->data = data->d_buf;
	section->size = data->d_size;
	return true;
}

static enum compile_status read_elf(struct elf_file *file, Elf *elf, size_t size)
{
	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &file->head) || !read_kind(file) ||
		!is_sound(file, size))
		return COMPILE_ERROR;
	file->n = file->head.e_shnum;
	file->sections = pool_get(&file->pool, (file->n + 1) * sizeof(*file->sections));
	if (!file->sections)
		return COMPILE_NO_MEMORY;
	for (size_t i = 0; i < file->n; i++)
		if (!read_section(file, elf, i, &file->sections[i]))
			return COMPILE_ERROR;
	return COMPILE_OK;
}

enum compile_status elf_file_read(struct elf_file *file, const void *data, size_t size)
{
	*file = (struct elf_file){ 0 };
	elf_version(EV_CURRENT);
	if (!data || size < sizeof(Elf64_Ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0)
		return COMPILE_ERROR;
	/* libelf takes memory that it could write to, and does not. */
	Elf *elf = elf_memory((char *)(uintptr_t)data, size);
	if (!elf)
		return COMPILE_ERROR;
	enum compile_status status = read_elf(file, elf, size);
	elf_end(elf);
	if (status != COMPILE_OK)
		elf_file_finish(file);
	return status;
}

bool elf_file_create(struct elf_file *file, enum elf_file_kind kind)
{
	*file = (struct elf_file){ .kind = kind,
		.head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				  EV_CURRENT },
			.e_type = types[kind],
			.e_version = EV_CURRENT,
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shstrndx = 1 } };
	return elf_file_add(file, "", SHT_NULL, NULL, 0) &&
	       elf_file_add(file, ".shstrtab", SHT_STRTAB, "", 1);
}

struct elf_file_section *elf_file_find(const struct elf_file *file, uint32_t type, const char *name)
{
	for (size_t i = 0; i < file->n; i++)
		if (file->sections[i].head.sh_type == type &&
			(!name || !strcmp(file->sections[i].name, name)))
			return &file->sections[i];
	return NULL;
}

/* The first one in use whose name has these two parts. */
static struct elf_file_section *find_name(
	const struct elf_file *file, const char *start, const char *rest)
{
	const size_t length = strlen(start);

	for (size_t i = 0; i < file->n; i++)
		if (file->sections[i].head.sh_type &&
			!strncmp(file->sections[i].name, start, length) &&
			!strcmp(file->sections[i].name + length, rest))
			return &file->sections[i];
	return NULL;
}

struct elf_file_section *elf_file_named(const struct elf_file *file, const char *name)
{
	return find_name(file, name, "");
}

struct elf_file_section *elf_file_code(const struct elf_file *file, const char *kernel)
{
	return find_name(file, ".text.", kernel);
}

bool elf_file_add(
	struct elf_file *file, const char *name, uint32_t type, const void *data, size_t size)
{
	struct elf_file_section *sections =
		pool_get(&file->pool, (file->n + 1) * sizeof(*sections));

	if (!sections || file->n + 1 >= SHN_LORESERVE)
		return false;
	if (file->n)
		memcpy(sections, file->sections, file->n * sizeof(*sections));
	sections[file->n++] = (struct elf_file_section){ .name = name,
		.data = data,
		.size = size,
		.head = { .sh_type = type, .sh_addralign = 1 } };
	file->sections = sections;
	return true;
}

bool elf_file_append(struct elf_file *file, struct elf_file_section *section, size_t alignment,
	const void *data, size_t size)
{
	const size_t at = util_align_up(section->size, alignment);
	char *joined = pool_get(&file->pool, at + size);

	if (!joined)
		return false;
	if (section->size)
		memcpy(joined, section->data, section->size);
	if (size)
		memcpy(joined + at, data, size);
	section->data = joined;
	section->size = at + size;
	return true;
}

bool elf_file_symbol(const struct elf_file_section *table, size_t i, Elf64_Sym *symbol)
{
	if (i >= table->size / sizeof(*symbol))
		return false;
	memcpy(symbol, (const Elf64_Sym *)table->data + i, sizeof(*symbol));
	return true;
}

const char *elf_file_symbol_name(
	const struct elf_file *file, const struct elf_file_section *table, const Elf64_Sym *symbol)
{
	const struct elf_file_section *names =
		table->head.sh_link < file->n ? &file->sections[table->head.sh_link] : NULL;

	if (!names || symbol->st_name >= names->size ||
		((const char *)names->data)[names->size - 1])
		return "";
	return (const char *)names->data + symbol->st_name;
}

bool elf_file_note(const char **at, size_t *left, Elf64_Nhdr *head, const char **value)
{
	static const char owner[8] = "IntelGT";
	const size_t start = sizeof(*head) + sizeof(owner);

	if (*left < start)
		return false;
	memcpy(head, *at, sizeof(*head));
	const size_t size = start + util_align_up(head->n_descsz, 4);
	if (head->n_namesz != sizeof(owner) ||
		memcmp(*at + sizeof(*head), owner, sizeof(owner)) != 0 || size > *left)
		return false;
	*value = *at + start;
	*at += size;
	*left -= size;
	return true;
}

const void *elf_file_find_note(const struct elf_file *file, enum elf_file_note note)
{
	const struct elf_file_section *notes =
		elf_file_find(file, SHT_NOTE, ".note.intelgt.compat");
	const char *value, *at = notes ? notes->data : NULL;
	size_t left = notes && file->kind == ELF_FILE_ZEBIN ? notes->size : 0;
	Elf64_Nhdr head;

	while (elf_file_note(&at, &left, &head, &value))
		if (head.n_type == note && head.n_descsz >= sizeof(uint32_t))
			return value;
	return NULL;
}

/* Adds the names of sections that are new, or have other names, to the section of names. */
static bool write_names(struct elf_file *file)
{
	struct elf_file_section *names =
		file->head.e_shstrndx < file->n ? &file->sections[file->head.e_shstrndx] : NULL;

	if (!names || names->head.sh_type != SHT_STRTAB)
		return true;
	for (size_t i = 0; i < file->n; i++) {
		struct elf_file_section *section = &file->sections[i];
		const char *text = names->data;
		const size_t size = names->size, at = section->head.sh_name;

		if (!section->head.sh_type) {
			section->head.sh_name = 0;
		} else if (at >= size || text[size - 1] || strcmp(text + at, section->name) != 0) {
			section->head.sh_name = (Elf64_Word)size;
			if (!elf_file_append(
				    file, names, 1, section->name, strlen(section->name) + 1))
				return false;
		}
	}
	return true;
}

void *elf_file_write(struct elf_file *file, size_t *size)
{
	size_t at = sizeof(file->head) + file->n * sizeof(Elf64_Shdr), table = sizeof(file->head);

	if (!write_names(file))
		return NULL;
	*size = at;
	for (size_t i = 0; i < file->n; i++)
		*size = util_align_up(*size, 8) + file->sections[i].size;
	unsigned char *bytes = calloc(1, *size);
	if (!bytes)
		return NULL;
	file->head.e_shoff = table;
	file->head.e_shnum = (Elf64_Half)file->n;
	file->head.e_phoff = file->head.e_phnum = 0;
	memcpy(bytes, &file->head, sizeof(file->head));
	for (size_t i = 0; i < file->n; i++, table += sizeof(Elf64_Shdr)) {
		const struct elf_file_section *section = &file->sections[i];
		Elf64_Shdr head = section->head;

		if (has_bytes(&head)) {
			at = util_align_up(at, 8);
			head.sh_offset = at;
			head.sh_size = section->size;
			if (section->size)
				memcpy(bytes + at, section->data, section->size);
			at += section->size;
		}
		memcpy(bytes + table, &head, sizeof(head));
	}
	return bytes;
}

void elf_file_finish(struct elf_file *file)
{
	pool_free(file->pool);
	*file = (struct elf_file){ 0 };
}
