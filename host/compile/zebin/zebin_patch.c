// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_patch.h"

#include "compile/base/pool.h"
#include "compile/zebin/buffer_image_mark.h"
#include "compile/zebin/elf_file.h"
#include "compile/zebin/zebin_patch_info.h"

#include <stdlib.h>
#include <string.h>

/* More than any constant asks for. */
#define ALIGNMENT ((size_t)256)

/* Moves the symbols of one section to another, in copies of the symbol tables. */
static bool move_symbols(struct elf_file *file, size_t from, size_t to, size_t by)
{
	for (size_t i = 1; i < file->n; i++) {
		struct elf_file_section *table = &file->sections[i];
		Elf64_Sym symbol;

		if (table->head.sh_type != SHT_SYMTAB || !table->size)
			continue;
		unsigned char *copy = pool_get(&file->pool, table->size);
		if (!copy)
			return false;
		memcpy(copy, table->data, table->size);
		for (size_t n = 0; elf_file_symbol(table, n, &symbol); n++) {
			if (symbol.st_shndx != from)
				continue;
			symbol.st_shndx = (Elf64_Section)to;
			symbol.st_value += by;
			memcpy(copy + n * sizeof(symbol), &symbol, sizeof(symbol));
		}
		table->data = copy;
	}
	return true;
}

/* Puts the strings of `texts` behind the other constants; they become the constants if there are
 * none. */
static bool move_texts(
	struct elf_file *file, struct elf_file_section *texts, struct elf_file_section **constants)
{
	if (!*constants) {
		texts->name = ".data.const";
		*constants = texts;
		return true;
	}
	struct elf_file_section *into = *constants;
	if (!elf_file_append(file, into, ALIGNMENT, texts->data, texts->size))
		return false;
	const size_t by = into->size - texts->size;
	*texts = (struct elf_file_section){ .name = "" };
	return move_symbols(
		file, (size_t)(texts - file->sections), (size_t)(into - file->sections), by);
}

/* Notes any variable in constant memory: by its address Level Zero tells where that is. */
static bool find_symbol(const struct elf_file *file, const struct elf_file_section *constants,
	struct zebin_patched *out)
{
	const size_t number = (size_t)(constants - file->sections);

	for (size_t i = 1; i < file->n; i++) {
		const struct elf_file_section *table = &file->sections[i];
		Elf64_Sym symbol;

		if (table->head.sh_type != SHT_SYMTAB)
			continue;
		for (size_t n = 0; elf_file_symbol(table, n, &symbol); n++) {
			const char *name = elf_file_symbol_name(file, table, &symbol);

			if (symbol.st_shndx != number || !*name ||
				ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL ||
				ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT)
				continue;
			out->value = symbol.st_value;
			out->symbol = strdup(name);
			return out->symbol;
		}
	}
	return true;
}

/* Copies constant memory for the reader of what kernels print. */
static bool copy_texts(const struct elf_file *file, const struct elf_file_section *constants,
	struct zebin_patched *out)
{
	if (!constants)
		return true;
	out->texts = bytes_copy(constants->data, constants->size);
	if (!out->texts)
		return false;
	out->n_texts = constants->size;
	return find_symbol(file, constants, out);
}

static bool patch(struct elf_file *file, bool is_foreign, const struct reflection *reflection,
	struct zebin_patch_info *info, struct zebin_patched *out)
{
	struct elf_file_section *texts = elf_file_find(file, SHT_PROGBITS, ".data.const.string");
	struct elf_file_section *constants = elf_file_find(file, SHT_PROGBITS, ".data.const");
	struct elf_file_section *ze_info = elf_file_find(file, ELF_FILE_ZE_INFO, NULL);

	/* Initialized constants would have to come before those that are zero. */
	const bool is_zeroed = texts && elf_file_named(file, ".bss.const");

	if (ze_info && !zebin_patch_info(ze_info->data, ze_info->size, is_foreign,
			       is_zeroed ? NULL : reflection, info))
		return false;
	out->by_driver = info->is_stuck || is_zeroed;
	if (!is_foreign && (out->by_driver || (!texts && !info->text)))
		return true;
	out->prints = info->prints;
	info->prints = NULL;
	if (texts && !out->by_driver && !move_texts(file, texts, &constants))
		return false;
	if (info->text) {
		ze_info->data = info->text;
		ze_info->size = info->size;
	}
	out->code = elf_file_write(file, &out->size);
	return out->code && (!out->prints || copy_texts(file, constants, out));
}

/* Takes the mark of lower_buffer_image.h off. */
static bool unmark(const void *native, size_t size, struct zebin_patched *out)
{
	if (!out->code) {
		out->code = bytes_copy(native, size);
		if (!out->code)
			return false;
		out->size = size;
	}
	return buffer_image_mark(out->code, out->size, false);
}

bool zebin_patch(const void *native, size_t size, bool is_foreign,
	const struct reflection *reflection, struct zebin_patched *out)
{
	struct zebin_patch_info info = { 0 };
	struct elf_file file;

	*out = (struct zebin_patched){ .by_driver = true };
	enum compile_status status = elf_file_read(&file, native, size);
	bool ok = status != COMPILE_NO_MEMORY;
	if (status == COMPILE_OK && file.kind == ELF_FILE_ZEBIN) {
		ok = patch(&file, is_foreign, reflection, &info, out);
		if (ok && buffer_image_is_marked(native, size))
			ok = unmark(native, size, out);
	}
	elf_file_finish(&file);
	free(info.text);
	free(info.prints);
	if (!ok)
		zebin_patched_finish(out);
	return ok;
}

void zebin_patched_finish(struct zebin_patched *patched)
{
	free(patched->code);
	free(patched->prints);
	free(patched->texts);
	free(patched->symbol);
	*patched = (struct zebin_patched){ 0 };
}
