// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_merge.h"

#include "compile/spirv/lower_buffer_image.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SECTIONS 4096

/* A section of the file to be: its name and bytes. */
struct piece {
	Elf64_Shdr head;
	const char *name;
	const void *data;
};

struct merge {
	struct piece *pieces;
	size_t n_pieces;
	FILE *symbols, *names;
	char *symbol_bytes, *name_bytes;
	size_t symbol_size, name_size;
	char *ze_info;
	size_t ze_info_size;
};

/* A zebin that compile_elf_open takes, and is aligned by memcpy only. */
struct part {
	const unsigned char *bytes;
	Elf64_Ehdr head;
	Elf64_Shdr names;
};

static Elf64_Shdr section_of(const struct part *part, unsigned i)
{
	Elf64_Shdr section;

	memcpy(&section, part->bytes + part->head.e_shoff + i * sizeof section, sizeof section);
	/* Those have no bytes, whatever they say. */
	if (section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS)
		section.sh_offset = section.sh_size = 0;
	return section;
}

static const char *text_at(const struct part *part, uint64_t offset)
{
	return offset < part->names.sh_size
		       ? (const char *)part->bytes + part->names.sh_offset + offset
		       : "";
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool open_part(const struct compile_bytes *bytes, struct part *part)
{
	struct compile_elf elf;

	part->bytes = bytes->data;
	if (!compile_elf_open(bytes->data, bytes->size, &elf) || elf.kind != COMPILE_ELF_ZEBIN)
		return false;
	memcpy(&part->head, bytes->data, sizeof part->head);
	if (part->head.e_shstrndx >= part->head.e_shnum || part->head.e_shnum > MAX_SECTIONS)
		return false;
	part->names = section_of(part, part->head.e_shstrndx);
	return part->names.sh_size && !part->bytes[part->names.sh_offset + part->names.sh_size - 1];
}

static bool is_code(const struct part *part, const Elf64_Shdr *section)
{
	return section->sh_type == SHT_PROGBITS &&
	       begins(text_at(part, section->sh_name), ".text.");
}

/* Whether nothing is lost when the section of all but the first part is left out. */
static bool is_common(const struct part *part, const Elf64_Shdr *section)
{
	switch (section->sh_type) {
	case SHT_NULL:
	case SHT_STRTAB:
	case SHT_SYMTAB:
	case SHT_NOTE:
	case COMPILE_SECTION_SPIRV:
	case COMPILE_SECTION_ZE_INFO:
		return true;
	case COMPILE_SECTION_MISC:
		return !strcmp(text_at(part, section->sh_name), COMPILE_SECTION_MISC_OPTIONS) ||
		       !strcmp(text_at(part, section->sh_name), COMPILE_SECTION_MISC_NOTES);
	default:
		return false;
	}
}

static void add_piece(struct merge *merge, const char *name, Elf64_Shdr head, const void *data)
{
	merge->pieces[merge->n_pieces++] =
		(struct piece){ .head = head, .name = name, .data = data };
}

static Elf64_Word add_name(struct merge *merge, const char *name)
{
	long at = ftell(merge->names);

	fwrite(name, 1, strlen(name) + 1, merge->names);
	return (Elf64_Word)at;
}

/* Its symbols, but the first, which is empty; `numbers` are the sections' new ones. */
static bool take_symbols(struct merge *merge, const struct part *part, const Elf64_Shdr *section,
	const unsigned *numbers)
{
	Elf64_Sym symbol;

	for (uint64_t at = sizeof symbol;
		section->sh_size - at >= sizeof symbol && at < section->sh_size;
		at += sizeof symbol) {
		memcpy(&symbol, part->bytes + section->sh_offset + at, sizeof symbol);
		if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL ||
			symbol.st_shndx >= part->head.e_shnum || !numbers[symbol.st_shndx])
			return false;
		symbol.st_shndx = (Elf64_Section)numbers[symbol.st_shndx];
		symbol.st_name = add_name(merge, text_at(part, symbol.st_name));
		fwrite(&symbol, sizeof symbol, 1, merge->symbols);
	}
	return true;
}

static bool take_code(struct merge *merge, const struct part *part)
{
	unsigned *numbers = calloc(part->head.e_shnum, sizeof *numbers);
	bool ok = numbers;

	for (unsigned i = 0; ok && i < part->head.e_shnum; i++) {
		Elf64_Shdr section = section_of(part, i);

		if (!is_code(part, &section)) {
			ok = is_common(part, &section);
			continue;
		}
		numbers[i] = (unsigned)merge->n_pieces;
		add_piece(merge, text_at(part, section.sh_name), section,
			part->bytes + section.sh_offset);
	}
	for (unsigned i = 0; ok && i < part->head.e_shnum; i++) {
		Elf64_Shdr section = section_of(part, i);

		if (section.sh_type == SHT_SYMTAB)
			ok = take_symbols(merge, part, &section, numbers);
	}
	free(numbers);
	return ok;
}

/* The lines of a part's .ze_info that belong to the key at column 0, without the key. */
static struct compile_bytes block_of(struct compile_bytes text, const char *key)
{
	const char *at = text.data, *end = at + text.size;
	struct compile_bytes block = { NULL, 0 };

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		const char *next = line_end ? line_end + 1 : end;

		if (block.data) {
			if (*at != ' ')
				break;
			block.size += (size_t)(next - at);
		} else if ((size_t)(end - at) > strlen(key) && !memcmp(at, key, strlen(key))) {
			block.data = next;
		}
		at = next;
	}
	return block;
}

static const char *const lists[] = { "kernels:", "kernels_misc_info:" };

/* Whether there is nothing else in it. */
static bool is_plain(struct compile_bytes text)
{
	static const char *const others[] = { "---", "version:", "...", " ", "\n" };
	const char *at = text.data, *end = at + text.size;

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		bool is_known = false;

		if (!line_end)
			return !*at;
		for (size_t i = 0; i < sizeof others / sizeof *others; i++)
			is_known |= !strncmp(at, others[i], strlen(others[i]));
		for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
			is_known |= (size_t)(line_end - at) == strlen(lists[i]) &&
				    !memcmp(at, lists[i], strlen(lists[i]));
		if (!is_known)
			return false;
		at = line_end + 1;
	}
	return true;
}

static bool join_info(struct merge *merge, const struct compile_bytes *parts, size_t n)
{
	struct compile_elf elf;
	FILE *out = open_memstream(&merge->ze_info, &merge->ze_info_size);
	bool ok = out;

	for (size_t k = 0; ok && k < sizeof lists / sizeof *lists; k++) {
		bool any = false;

		for (size_t i = 0; ok && i < n; i++) {
			compile_elf_open(parts[i].data, parts[i].size, &elf);
			ok = elf.ze_info.data && is_plain(elf.ze_info);
			struct compile_bytes block = { NULL, 0 };
			if (ok)
				block = block_of(elf.ze_info, lists[k]);
			if (ok && !k && !i) {
				const char *first = memmem(elf.ze_info.data, elf.ze_info.size,
					"kernels:\n", strlen("kernels:\n"));
				ok = first;
				if (ok)
					fwrite(elf.ze_info.data, 1,
						(size_t)(first - (const char *)elf.ze_info.data),
						out);
			}
			if (!block.data)
				continue;
			if (!any)
				fprintf(out, "%s\n", lists[k]);
			any = true;
			fwrite(block.data, 1, block.size, out);
		}
		ok = ok && (any || k);
	}
	if (out) {
		fputs("...\n", out);
		ok = !ferror(out) && ok;
		ok = !fclose(out) && ok;
	}
	return ok;
}

/* The sections that are no code, of the first part, with what was joined in their place. */
static bool take_rest(struct merge *merge, const struct part *first, struct compile_bytes spirv)
{
	for (unsigned i = 1; i < first->head.e_shnum; i++) {
		Elf64_Shdr section = section_of(first, i);
		const char *name = text_at(first, section.sh_name);
		const void *data = first->bytes + section.sh_offset;

		if (is_code(first, &section) || section.sh_type == SHT_STRTAB)
			continue;
		if (section.sh_type == SHT_SYMTAB) {
			fflush(merge->symbols);
			section.sh_size = merge->symbol_size;
			section.sh_info = (Elf64_Word)(merge->symbol_size / sizeof(Elf64_Sym));
			data = merge->symbol_bytes;
		} else if (section.sh_type == COMPILE_SECTION_SPIRV) {
			section.sh_size = spirv.size;
			data = spirv.data;
		} else if (section.sh_type == COMPILE_SECTION_ZE_INFO) {
			section.sh_size = merge->ze_info_size;
			data = merge->ze_info;
		}
		add_piece(merge, name, section, data);
	}
	for (size_t i = 0; i < merge->n_pieces; i++)
		merge->pieces[i].head.sh_name = add_name(merge, merge->pieces[i].name);
	Elf64_Shdr names = { .sh_name = add_name(merge, ".strtab"), .sh_type = SHT_STRTAB };
	fflush(merge->names);
	names.sh_size = merge->name_size;
	add_piece(merge, ".strtab", names, merge->name_bytes);
	return !ferror(merge->names) && !ferror(merge->symbols);
}

static void *write_file(struct merge *merge, Elf64_Ehdr head, size_t *out_size)
{
	size_t size = sizeof head + merge->n_pieces * sizeof(Elf64_Shdr);

	for (size_t i = 0; i < merge->n_pieces; i++)
		size += merge->pieces[i].head.sh_size;
	unsigned char *bytes = malloc(size);
	if (!bytes)
		return NULL;
	size_t at = sizeof head;
	for (size_t i = 0; i < merge->n_pieces; i++) {
		Elf64_Shdr *section = &merge->pieces[i].head;

		if (section->sh_type == SHT_NULL)
			continue;
		if (section->sh_size)
			memcpy(bytes + at, merge->pieces[i].data, section->sh_size);
		section->sh_offset = at;
		at += section->sh_size;
		if (section->sh_type == SHT_SYMTAB)
			section->sh_link = (Elf64_Word)(merge->n_pieces - 1);
	}
	head.e_shoff = at;
	head.e_shnum = (Elf64_Half)merge->n_pieces;
	head.e_shstrndx = (Elf64_Half)(merge->n_pieces - 1);
	memcpy(bytes, &head, sizeof head);
	for (size_t i = 0; i < merge->n_pieces; i++, at += sizeof(Elf64_Shdr))
		memcpy(bytes + at, &merge->pieces[i].head, sizeof(Elf64_Shdr));
	*out_size = at;
	return bytes;
}

static void *merge_parts(struct merge *merge, const struct compile_bytes *parts, size_t n,
	struct compile_bytes spirv, size_t *size)
{
	static const Elf64_Sym no_symbol;
	struct part part, first = { .bytes = NULL };

	add_name(merge, "");
	fwrite(&no_symbol, sizeof no_symbol, 1, merge->symbols);
	add_piece(merge, "", (Elf64_Shdr){ .sh_type = SHT_NULL }, NULL);
	for (size_t i = 0; i < n; i++) {
		if (!open_part(&parts[i], &part) || !take_code(merge, &part))
			return NULL;
		if (!i)
			first = part;
		/* What the files are for. */
		if (part.head.e_flags != first.head.e_flags || merge->n_pieces > MAX_SECTIONS)
			return NULL;
	}
	if (!join_info(merge, parts, n) || !take_rest(merge, &first, spirv))
		return NULL;
	return write_file(merge, first.head, size);
}

void *compile_merge(
	const struct compile_bytes *parts, size_t n, struct compile_bytes spirv, size_t *size)
{
	struct merge merge = { .n_pieces = 0 };
	void *file = NULL;

	merge.pieces = calloc((n + 1) * MAX_SECTIONS, sizeof *merge.pieces);
	merge.symbols = open_memstream(&merge.symbol_bytes, &merge.symbol_size);
	merge.names = open_memstream(&merge.name_bytes, &merge.name_size);
	if (merge.pieces && merge.symbols && merge.names)
		file = merge_parts(&merge, parts, n, spirv, size);
	/* Parts may have no images of buffers where others have. */
	for (size_t i = 0; file && i < n; i++)
		if (compile_rows_is_marked(parts[i].data, parts[i].size))
			compile_rows_mark(file, *size, true);
	if (merge.symbols)
		fclose(merge.symbols);
	if (merge.names)
		fclose(merge.names);
	free(merge.symbol_bytes);
	free(merge.name_bytes);
	free(merge.ze_info);
	free(merge.pieces);
	return file;
}
