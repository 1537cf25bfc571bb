// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_patch.h"

#include "compile/zebin/elf_file.h"
#include "compile/zebin/zebin_patch_info.h"
#include "compile/spirv/lower_buffer_image.h"
#include "util/util_bits.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* More than any constant asks for. */
#define ALIGNMENT 256u

#define TEXTS	  ".data.const.string"
#define CONSTANTS ".data.const"
#define ZEROES	  ".bss.const"
#define NONE	  0u /* section 0 is never there */

/* A zebin that is changed. What is new comes after all that was there. */
struct loader {
	unsigned char *bytes; /* with room for what is new; malloc'ed */
	size_t size;
	Elf64_Ehdr head;
	Elf64_Shdr *sections;
	unsigned texts, constants, zeroes, ze_info; /* their numbers */
};

static void find_section(struct loader *loader, const unsigned char *bytes, unsigned i)
{
	const Elf64_Shdr *section = &loader->sections[i];
	const Elf64_Shdr *names = &loader->sections[loader->head.e_shstrndx];

	if (section->sh_type == COMPILE_SECTION_ZE_INFO)
		loader->ze_info = i;
	if (loader->head.e_shstrndx >= loader->head.e_shnum || names->sh_type != SHT_STRTAB ||
		section->sh_name >= names->sh_size || bytes[names->sh_offset + names->sh_size - 1])
		return;
	const char *name = (const char *)bytes + names->sh_offset + section->sh_name;
	if (!strcmp(name, ZEROES))
		loader->zeroes = i;
	else if (!strcmp(name, TEXTS) && section->sh_type == SHT_PROGBITS)
		loader->texts = i;
	else if (!strcmp(name, CONSTANTS) && section->sh_type == SHT_PROGBITS)
		loader->constants = i;
}

/* Appends so many bytes, which there is room for; zeroes if `data` is NULL. */
static uint64_t append(struct loader *loader, const void *data, size_t size)
{
	uint64_t at = loader->size;

	if (data && size)
		memcpy(loader->bytes + at, data, size);
	loader->size += size;
	return at;
}

static void align(struct loader *loader)
{
	loader->size = (loader->size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* The symbols of one section move to another. */
static void move_symbols(struct loader *loader, unsigned from, unsigned to, uint64_t by)
{
	for (unsigned i = 1; i < loader->head.e_shnum; i++) {
		const Elf64_Shdr *table = &loader->sections[i];

		if (table->sh_type != SHT_SYMTAB)
			continue;
		for (uint64_t at = 0; table->sh_size - at >= sizeof(Elf64_Sym);
			at += sizeof(Elf64_Sym)) {
			unsigned char *place = loader->bytes + table->sh_offset + at;
			Elf64_Sym symbol;

			memcpy(&symbol, place, sizeof symbol);
			if (symbol.st_shndx != from)
				continue;
			symbol.st_shndx = (Elf64_Section)to;
			symbol.st_value += by;
			memcpy(place, &symbol, sizeof symbol);
		}
	}
}

/* Gives the section another name: all names go to the end of the file, with one more. */
static void rename_section(struct loader *loader, Elf64_Shdr *section, const char *name)
{
	Elf64_Shdr *names = &loader->sections[loader->head.e_shstrndx];
	uint64_t start = append(loader, loader->bytes + names->sh_offset, names->sh_size);

	section->sh_name = (Elf64_Word)names->sh_size;
	append(loader, name, strlen(name) + 1);
	names->sh_offset = start;
	names->sh_size = loader->size - start;
}

static void move_texts(struct loader *loader)
{
	Elf64_Shdr *texts = &loader->sections[loader->texts];
	Elf64_Shdr *constants = &loader->sections[loader->constants];

	if (loader->constants == NONE) {
		rename_section(loader, texts, CONSTANTS);
		loader->constants = loader->texts;
		return;
	}
	align(loader);
	uint64_t start = append(loader, loader->bytes + constants->sh_offset, constants->sh_size);
	align(loader);
	uint64_t by = append(loader, loader->bytes + texts->sh_offset, texts->sh_size) - start;
	constants->sh_offset = start;
	constants->sh_size = loader->size - start;
	move_symbols(loader, loader->texts, loader->constants, by);
	*texts = (Elf64_Shdr){ .sh_type = SHT_NULL };
}

/* Looks at the file; false if it is no zebin. */
static bool look(struct loader *loader, const void *native, size_t size)
{
	struct compile_elf elf;

	*loader = (struct loader){ 0 };
	if (!native || !compile_elf_open(native, size, &elf) || elf.kind != COMPILE_ELF_ZEBIN)
		return false;
	memcpy(&loader->head, native, sizeof loader->head);
	loader->size = size;
	return true;
}

static bool read_sections(struct loader *loader, const void *native)
{
	size_t size = loader->head.e_shnum * sizeof *loader->sections;

	loader->sections = malloc(size + 1);
	if (!loader->sections)
		return false;
	memcpy(loader->sections, (const unsigned char *)native + loader->head.e_shoff, size);
	for (unsigned i = 1; i < loader->head.e_shnum; i++)
		find_section(loader, native, i);
	return true;
}

/* A copy of the file with room for all that may be added. */
static bool make_room(struct loader *loader, const void *native, size_t size_of_info)
{
	const unsigned added[] = { loader->texts, loader->constants, loader->head.e_shstrndx };
	size_t room = loader->size + 4 * (size_t)ALIGNMENT + size_of_info +
		      loader->head.e_shnum * sizeof *loader->sections;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(added); i++)
		if (added[i] != NONE && added[i] < loader->head.e_shnum)
			room += loader->sections[added[i]].sh_size;
	loader->bytes = calloc(1, room);
	if (loader->bytes)
		memcpy(loader->bytes, native, loader->size);
	return loader->bytes;
}

/* Writes the table of sections anew. */
static void end(struct loader *loader)
{
	align(loader);
	loader->head.e_shoff =
		append(loader, loader->sections, loader->head.e_shnum * sizeof *loader->sections);
	memcpy(loader->bytes, &loader->head, sizeof loader->head);
}

static void put_info(struct loader *loader, const struct compile_load_info *info)
{
	Elf64_Shdr *section = &loader->sections[loader->ze_info];

	section->sh_offset = append(loader, info->text, info->size);
	section->sh_size = info->size;
}

/* What says where constant memory is: any variable in it. */
static bool note_symbol(const struct loader *loader, struct compile_loadable *out)
{
	for (unsigned i = 1; i < loader->head.e_shnum; i++) {
		const Elf64_Shdr *table = &loader->sections[i];
		const Elf64_Shdr *names = &loader->sections[table->sh_link];

		if (table->sh_type != SHT_SYMTAB || table->sh_link >= loader->head.e_shnum ||
			names->sh_type != SHT_STRTAB)
			continue;
		for (uint64_t at = 0; table->sh_size - at >= sizeof(Elf64_Sym);
			at += sizeof(Elf64_Sym)) {
			Elf64_Sym symbol;

			memcpy(&symbol, loader->bytes + table->sh_offset + at, sizeof symbol);
			if (symbol.st_shndx != loader->constants ||
				ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL ||
				ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT ||
				symbol.st_name >= names->sh_size)
				continue;
			out->value = symbol.st_value;
			out->symbol = strndup(
				(const char *)loader->bytes + names->sh_offset + symbol.st_name,
				names->sh_size - symbol.st_name);
			return out->symbol;
		}
	}
	return true;
}

/* For whoever reads what kernels print. */
static bool note_texts(const struct loader *loader, struct compile_loadable *out)
{
	const Elf64_Shdr *constants = &loader->sections[loader->constants];

	if (loader->constants == NONE)
		return true;
	out->texts = malloc(constants->sh_size + 1);
	if (!out->texts)
		return false;
	memcpy(out->texts, loader->bytes + constants->sh_offset, constants->sh_size);
	out->n_texts = constants->sh_size;
	return note_symbol(loader, out);
}

static bool change(struct loader *loader, const void *native, const struct compile_load_info *info,
	struct compile_loadable *out)
{
	if (!make_room(loader, native, info->size))
		return false;
	if (loader->texts != NONE)
		move_texts(loader);
	if (info->text)
		put_info(loader, info);
	end(loader);
	out->code = loader->bytes;
	out->size = loader->size;
	return !out->prints || note_texts(loader, out);
}

/* Whether there is a section of texts and no way to move it. */
static bool is_stuck(const struct loader *loader)
{
	if (loader->texts == NONE)
		return false;
	/* what is there at first comes before what is zero at first */
	return loader->zeroes != NONE || loader->head.e_shstrndx == NONE;
}

static bool load(struct loader *loader, const void *native,
	const struct compile_reflection *reflection, const unsigned *uses,
	struct compile_loadable *out)
{
	struct compile_load_info info = { 0 };
	bool ok = read_sections(loader, native);

	if (ok && loader->ze_info != NONE) {
		const Elf64_Shdr *section = &loader->sections[loader->ze_info];

		ok = compile_load_info((const char *)native + section->sh_offset, section->sh_size,
			reflection, uses, &info);
	}
	out->by_driver = info.is_stuck || is_stuck(loader);
	if (ok && !out->by_driver) {
		out->prints = info.prints;
		info.prints = NULL;
		if (info.text || loader->texts != NONE)
			ok = change(loader, native, &info, out);
	}
	free(info.text);
	free(info.prints);
	return ok;
}

/* Takes the mark of lower_buffer_image.h off. */
static bool unmark(const void *native, size_t size, struct compile_loadable *out)
{
	if (!out->code) {
		out->code = malloc(size + 1);
		if (!out->code)
			return false;
		memcpy(out->code, native, size);
		out->size = size;
	}
	return compile_rows_mark(out->code, out->size, false);
}

bool compile_load(const void *native, size_t size, const struct compile_reflection *reflection,
	const unsigned *uses, struct compile_loadable *out)
{
	struct loader loader;

	*out = (struct compile_loadable){ .by_driver = true };
	if (!look(&loader, native, size))
		return true;
	bool ok = load(&loader, native, reflection, uses, out);
	free(loader.sections);
	if (!out->code)
		free(loader.bytes);
	if (ok && compile_rows_is_marked(native, size))
		ok = unmark(native, size, out);
	if (!ok)
		compile_loadable_finish(out);
	return ok;
}

void compile_loadable_finish(struct compile_loadable *loadable)
{
	free(loadable->code);
	free(loadable->prints);
	free(loadable->texts);
	free(loadable->symbol);
	*loadable = (struct compile_loadable){ 0 };
}
