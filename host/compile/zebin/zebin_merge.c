// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_merge.h"

#include "compile/zebin/buffer_image_mark.h"
#include "compile/zebin/elf_file.h"
#include "compile/zebin/zebin_yaml.h"

#include <stdlib.h>
#include <string.h>

/* The parts of a zebin that are joined, or are taken from the first one. */
struct part {
	struct elf_file file;
	struct elf_file_section *symbols, *names, *ze_info;
	yaml_document_t info;
	bool has_info;
};

static bool is_code(const struct elf_file_section *section)
{
	return section->head.sh_type == SHT_PROGBITS && !strncmp(section->name, ".text.", 6);
}

/* Whether nothing is lost when the section of all but the first part is left out. */
static bool is_common(const struct elf_file_section *section)
{
	switch (section->head.sh_type) {
	case SHT_NULL:
	case SHT_STRTAB:
	case SHT_SYMTAB:
	case SHT_NOTE:
	case ELF_FILE_ZE_INFO:
		return true;
	case ELF_FILE_MISC:
		return !strcmp(section->name, ELF_FILE_MISC_OPTIONS);
	default:
		return false;
	}
}

static const char *const lists[] = { "kernels", "kernels_misc_info" };

/* Whether .ze_info has lists of kernels only, besides its version. */
static bool is_plain(yaml_document_t *info)
{
	const yaml_node_t *root = yaml_document_get_root_node(info);
	size_t known = 0;

	if (!root || root->type != YAML_MAPPING_NODE)
		return false;
	for (size_t i = 0; i < 2; i++)
		known += zebin_yaml_item(info, zebin_yaml_get(info, root, lists[i]), 0) != NULL;
	known += zebin_yaml_get(info, root, "version") != NULL;
	return (size_t)(root->data.mapping.pairs.top - root->data.mapping.pairs.start) == known;
}

static bool open_part(struct part *part, struct zebin_bytes bytes)
{
	*part = (struct part){ .has_info = false };
	if (elf_file_read(&part->file, bytes.data, bytes.size) != COMPILE_OK ||
		part->file.kind != ELF_FILE_ZEBIN)
		return false;
	for (size_t i = 0; i < part->file.n; i++)
		if (!is_code(&part->file.sections[i]) && !is_common(&part->file.sections[i]))
			return false;
	part->symbols = elf_file_find(&part->file, SHT_SYMTAB, NULL);
	part->ze_info = elf_file_find(&part->file, ELF_FILE_ZE_INFO, NULL);
	if (!part->symbols || !part->ze_info || part->symbols->head.sh_link >= part->file.n)
		return false;
	part->names = &part->file.sections[part->symbols->head.sh_link];
	part->has_info = zebin_yaml_load(&part->info, part->ze_info->data, part->ze_info->size) ==
			 COMPILE_OK;
	return part->has_info && is_plain(&part->info);
}

static void close_part(struct part *part)
{
	if (part->has_info)
		yaml_document_delete(&part->info);
	elf_file_finish(&part->file);
}

/* Appends the symbols, but the first, which is empty; numbers[i] is the new one of section i. */
static bool join_symbols(struct part *into, const struct part *from, const unsigned *numbers)
{
	const size_t names = into->names->size;
	Elf64_Sym symbol;

	if (!elf_file_append(&into->file, into->names, 1, from->names->data, from->names->size))
		return false;
	for (size_t i = 1; elf_file_symbol(from->symbols, i, &symbol); i++) {
		if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL || symbol.st_shndx >= from->file.n ||
			!numbers[symbol.st_shndx])
			return false;
		symbol.st_shndx = (Elf64_Section)numbers[symbol.st_shndx];
		symbol.st_name += (Elf64_Word)names;
		if (!elf_file_append(&into->file, into->symbols, 1, &symbol, sizeof(symbol)))
			return false;
	}
	into->symbols->head.sh_info = (Elf64_Word)(into->symbols->size / sizeof(symbol));
	return true;
}

/* Finds the sections again, which adding one has moved. */
static bool add_code(struct part *into, const struct elf_file_section *code)
{
	const size_t symbols = (size_t)(into->symbols - into->file.sections);
	const size_t names = (size_t)(into->names - into->file.sections);
	const size_t ze_info = (size_t)(into->ze_info - into->file.sections);

	if (!elf_file_add(&into->file, code->name, SHT_PROGBITS, code->data, code->size))
		return false;
	into->file.sections[into->file.n - 1].head = code->head;
	into->file.sections[into->file.n - 1].head.sh_name = 0;
	into->symbols = &into->file.sections[symbols];
	into->names = &into->file.sections[names];
	into->ze_info = &into->file.sections[ze_info];
	return true;
}

static bool join_code(struct part *into, const struct part *from)
{
	unsigned *numbers = calloc(from->file.n, sizeof(*numbers));
	/* The flags say what the files are for. */
	bool ok = numbers && from->file.head.e_flags == into->file.head.e_flags;

	for (size_t i = 0; ok && i < from->file.n; i++)
		if (is_code(&from->file.sections[i])) {
			numbers[i] = (unsigned)into->file.n;
			ok = add_code(into, &from->file.sections[i]);
		}
	ok = ok && join_symbols(into, from, numbers);
	free(numbers);
	return ok;
}

/* A copy of a node of another document: its number there, 0 without memory. */
static int copy_node(yaml_document_t *to, yaml_document_t *from, int number)
{
	const yaml_node_t *node = yaml_document_get_node(from, number);
	int copy = 0;

	if (node->type == YAML_SCALAR_NODE)
		return yaml_document_add_scalar(to, NULL, node->data.scalar.value,
			(int)node->data.scalar.length, node->data.scalar.style);
	if (node->type == YAML_SEQUENCE_NODE) {
		copy = yaml_document_add_sequence(to, NULL, node->data.sequence.style);
		for (const yaml_node_item_t *item = node->data.sequence.items.start;
			copy && item < node->data.sequence.items.top; item++) {
			int child = copy_node(to, from, *item);
			if (!child || !yaml_document_append_sequence_item(to, copy, child))
				return 0;
		}
	} else if (node->type == YAML_MAPPING_NODE) {
		copy = yaml_document_add_mapping(to, NULL, node->data.mapping.style);
		for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
			copy && pair < node->data.mapping.pairs.top; pair++) {
			int key = copy_node(to, from, pair->key);
			int value = key ? copy_node(to, from, pair->value) : 0;
			if (!value || !yaml_document_append_mapping_pair(to, copy, key, value))
				return 0;
		}
	}
	return copy;
}

static bool join_info(yaml_document_t *into, yaml_document_t *from)
{
	for (size_t i = 0; i < 2; i++) {
		const yaml_node_t *list =
			zebin_yaml_get(from, yaml_document_get_root_node(from), lists[i]);
		const yaml_node_t *target =
			zebin_yaml_get(into, yaml_document_get_root_node(into), lists[i]);
		const int number = target ? (int)(target - into->nodes.start) + 1 : 0;

		if (!list)
			continue;
		if (!number)
			return false;
		for (const yaml_node_item_t *item = list->data.sequence.items.start;
			item < list->data.sequence.items.top; item++) {
			int copy = copy_node(into, from, *item);
			if (!copy || !yaml_document_append_sequence_item(into, number, copy))
				return false;
		}
	}
	return true;
}

static void *write_whole(struct part *whole, size_t *size)
{
	char *info = NULL;
	bool is_other = false;
	void *file = NULL;

	if (zebin_yaml_write(&whole->info, &info, &whole->ze_info->size, &is_other) && info) {
		whole->ze_info->data = info;
		file = elf_file_write(&whole->file, size);
	}
	free(info);
	return file;
}

void *zebin_merge(const struct zebin_bytes *parts, size_t n, size_t *size)
{
	struct part whole, part;
	bool ok = open_part(&whole, parts[0]);
	void *file = NULL;

	for (size_t i = 1; ok && i < n; i++) {
		ok = open_part(&part, parts[i]) && join_code(&whole, &part) &&
		     join_info(&whole.info, &part.info);
		close_part(&part);
	}
	if (ok)
		file = write_whole(&whole, size);
	close_part(&whole);
	/* Parts may have no images of buffers where others have. */
	for (size_t i = 0; file && i < n; i++)
		if (buffer_image_is_marked(parts[i].data, parts[i].size))
			buffer_image_mark(file, *size, true);
	return file;
}
