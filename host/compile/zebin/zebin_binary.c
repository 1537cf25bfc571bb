// SPDX-License-Identifier: MIT
#include "compile/build/compile.h"
#include "compile/zebin/zebin_archive.h"
#include "compile/zebin/elf_file.h"
#include "compile/cache/compile_hash.h"
#include "compile/spirv/spirv_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Our section in a zebin: lines "<word> <value>", of which there may be more in later versions.
 *   zerocl 1          the version of this text
 *   family tgllp      what the native code is for
 */

/* The value of the line that begins with the word; false if there is none. */
static bool find_note(
	const struct compile_bytes *notes, const char *word, const char **value, size_t *size)
{
	const char *at = notes->data, *end = at ? at + notes->size : NULL;
	size_t length = strlen(word);

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		if (!line_end)
			line_end = end;
		if ((size_t)(line_end - at) > length && !memcmp(at, word, length) &&
			at[length] == ' ') {
			*value = at + length + 1;
			*size = (size_t)(line_end - *value);
			return true;
		}
		at = line_end + (line_end < end);
	}
	return false;
}

/* Numbers of a family in native code: in a zebin's notes, and in the head of patch tokens. */
static const struct family {
	const char *name;
	uint32_t product, core;
} families[] = {
	{ "skl", 18, 12 },
	{ "kbl", 19, 12 },
	{ "cfl", 20, 12 },
	{ "bxt", 22, 12 },
	{ "apl", 22, 12 },
	{ "glk", 23, 12 },
	{ "icllp", 26, 15 },
	{ "ehl", 28, 15 },
	{ "tgllp", 29, 18 },
	{ "rkl", 30, 18 },
	{ "adls", 31, 18 },
	{ "adlp", 32, 18 },
	{ "dg1", 1210, 18 },
};

static const struct family *find_family(const char *name)
{
	for (size_t i = 0; name && i < sizeof families / sizeof *families; i++)
		if (!strcmp(families[i].name, name))
			return &families[i];
	return NULL;
}

/* False if the zebin says that it is for another family: the driver would build it anew, itself. */
static bool is_for(const struct compile_elf *elf, const char *family)
{
	const struct family *known = find_family(family);
	const char *value;
	size_t size;
	const void *at = compile_elf_product(elf);
	uint32_t product;

	if (family && find_note(&elf->notes, "family", &value, &size))
		return size == strlen(family) && !memcmp(value, family, size);
	if (!known || !at)
		return true;
	memcpy(&product, at, sizeof product);
	return product == known->product;
}

/* The head of patch tokens: magic, version, core, and more. */
static bool has_tokens(const struct compile_elf *elf)
{
	return elf->tokens.size > 28 && !memcmp(elf->tokens.data, "CTNI", 4);
}

static bool tokens_are_for(const struct compile_elf *elf, const char *family)
{
	const struct family *known = find_family(family);
	uint32_t head[3];

	memcpy(head, elf->tokens.data, sizeof head);
	return !known || head[2] == known->core;
}

/*
 * Our section beside patch tokens: this line, then a zebin. Whoever changes the tokens has to leave
 * what does not match them.
 *   zerocl 1 <hash of the patch tokens, 64 digits>
 */
static const char inner_word[] = "zerocl 1 ";
#define INNER_START (sizeof inner_word - 1 + COMPILE_HASH_TEXT)

static void write_inner(const struct compile_bytes *tokens, char line[INNER_START + 1])
{
	unsigned char digest[COMPILE_HASH_SIZE];
	char text[COMPILE_HASH_TEXT];
	struct compile_hash hash;

	compile_hash_start(&hash);
	compile_hash_add(&hash, tokens->data, tokens->size);
	compile_hash_end(&hash, digest);
	compile_hash_write(digest, text);
	snprintf(line, INNER_START + 1, "%s%s\n", inner_word, text);
}

/* The zebin is there, and the tokens are still those that came with it. */
static bool find_inner(
	const struct compile_elf *elf, const char *family, struct compile_binary *out)
{
	const char *inner = elf->inner.data;
	char line[INNER_START + 1];
	struct compile_elf zebin;

	write_inner(&elf->tokens, line);
	if (elf->inner.size < INNER_START || memcmp(inner, line, INNER_START) != 0 ||
		!compile_elf_open(inner + INNER_START, elf->inner.size - INNER_START, &zebin) ||
		zebin.kind != COMPILE_ELF_ZEBIN || !is_for(&zebin, family))
		return false;
	out->native = inner + INNER_START;
	out->native_size = elf->inner.size - INNER_START;
	return true;
}

static enum compile_status open_elf(const void *data, size_t size, const char *family,
	const struct compile_elf *elf, struct compile_binary *binary)
{
	static const enum compile_binary_kind kinds[] = {
		[COMPILE_ELF_ZEBIN] = COMPILE_BINARY_EXECUTABLE,
		[COMPILE_ELF_EXECUTABLE] = COMPILE_BINARY_EXECUTABLE,
		[COMPILE_ELF_OBJECT] = COMPILE_BINARY_OBJECT,
		[COMPILE_ELF_LIBRARY] = COMPILE_BINARY_LIBRARY,
	};
	struct compile_elf inner;

	binary->kind = kinds[elf->kind];
	binary->spirv = elf->spirv.data;
	binary->spirv_size = elf->spirv.size;
	binary->options = elf->options.data;
	binary->options_size = elf->options.size;
	/* Strings come with their NUL, or without. */
	while (binary->options_size && !binary->options[binary->options_size - 1])
		binary->options_size--;
	if (elf->kind == COMPILE_ELF_ZEBIN && is_for(elf, family)) {
		binary->native = data;
		binary->native_size = size;
	} else if (elf->kind == COMPILE_ELF_EXECUTABLE && has_tokens(elf)) {
		if (tokens_are_for(elf, family) && !find_inner(elf, family, binary)) {
			binary->native = data;
			binary->native_size = size;
			binary->has_tokens = true;
			binary->is_other = elf->inner.data;
		}
	} else if (elf->kind == COMPILE_ELF_EXECUTABLE && elf->tokens.data &&
		   compile_elf_open(elf->tokens.data, elf->tokens.size, &inner) &&
		   inner.kind == COMPILE_ELF_ZEBIN && is_for(&inner, family)) {
		binary->native = elf->tokens.data;
		binary->native_size = elf->tokens.size;
	}
	if (binary->spirv && !compile_spirv_check(binary->spirv, binary->spirv_size, NULL, 0))
		return COMPILE_ERROR;
	return binary->native || binary->spirv ? COMPILE_OK : COMPILE_ERROR;
}

enum compile_status compile_binary_open_for(
	const void *data, size_t size, const char *family, struct compile_binary *binary)
{
	struct compile_bytes member;
	struct compile_elf elf;

	*binary = (struct compile_binary){ 0 };
	if (!data)
		return COMPILE_ERROR;
	if (family && compile_archive_find(data, size, family, &member)) {
		data = member.data;
		size = member.size;
	}
	if (compile_elf_open(data, size, &elf))
		return open_elf(data, size, family, &elf, binary);
	if (!compile_spirv_check(data, size, NULL, 0))
		return COMPILE_ERROR;
	binary->kind = COMPILE_BINARY_OBJECT;
	binary->spirv = data;
	binary->spirv_size = size;
	return COMPILE_OK;
}

enum compile_status compile_binary_open(
	const void *data, size_t size, struct compile_binary *binary)
{
	return compile_binary_open_for(data, size, NULL, binary);
}

void *compile_binary_make(const struct compile_binary *parts, const char *family, size_t *size)
{
	const struct compile_bytes spirv = { parts->spirv, parts->spirv_size };
	const struct compile_bytes options = { parts->options ? parts->options : "",
		parts->options_size };
	struct compile_section sections[3];
	struct compile_elf elf;
	char notes[64];
	size_t n = 0;

	if (!parts->native) {
		sections[n++] =
			(struct compile_section){ "SPIRV Object", COMPILE_SECTION_SPIRV, spirv };
		sections[n++] = (struct compile_section){ "BuildOptions", COMPILE_SECTION_OPTIONS,
			options };
		return compile_elf_make(parts->kind == COMPILE_BINARY_LIBRARY ? COMPILE_ELF_LIBRARY
									      : COMPILE_ELF_OBJECT,
			sections, n, size);
	}
	if (!compile_elf_open(parts->native, parts->native_size, &elf))
		return NULL;
	/* What has patch tokens, and what was made so before, is complete. */
	if (elf.kind == COMPILE_ELF_ZEBIN && !elf.notes.data) {
		snprintf(notes, sizeof notes, "zerocl 1\nfamily %s\n", family);
		sections[n++] = (struct compile_section){ COMPILE_SECTION_MISC_NOTES,
			COMPILE_SECTION_MISC, { notes, strlen(notes) } };
		if (!elf.spirv.data && spirv.data)
			sections[n++] =
				(struct compile_section){ ".spv", COMPILE_SECTION_SPIRV, spirv };
		if (!elf.options.data)
			sections[n++] = (struct compile_section){ COMPILE_SECTION_MISC_OPTIONS,
				COMPILE_SECTION_MISC, options };
	}
	return compile_elf_append(parts->native, parts->native_size, sections, n, size);
}

void *compile_binary_add_tokens(
	const void *tokens, size_t tokens_size, const void *zebin, size_t zebin_size, size_t *size)
{
	char line[INNER_START + 1], *inner;
	struct compile_section sections[4];
	struct compile_elf elf;
	size_t n = 0;

	if (!compile_elf_open(tokens, tokens_size, &elf) || elf.kind != COMPILE_ELF_EXECUTABLE ||
		!has_tokens(&elf) || !(inner = malloc(INNER_START + zebin_size)))
		return NULL;
	write_inner(&elf.tokens, line);
	memcpy(inner, line, INNER_START);
	memcpy(inner + INNER_START, zebin, zebin_size);
	if (elf.options.data)
		sections[n++] = (struct compile_section){ "BuildOptions", COMPILE_SECTION_OPTIONS,
			elf.options };
	if (elf.spirv.data)
		sections[n++] = (struct compile_section){ "SPIRV Object", COMPILE_SECTION_SPIRV,
			elf.spirv };
	sections[n++] = (struct compile_section){ "Intel(R) OpenCL Device Binary",
		COMPILE_SECTION_TOKENS, elf.tokens };
	sections[n++] = (struct compile_section){ COMPILE_SECTION_INNER, COMPILE_SECTION_OVERLOOKED,
		{ inner, INNER_START + zebin_size } };
	void *made = compile_elf_make(COMPILE_ELF_EXECUTABLE, sections, n, size);
	free(inner);
	return made;
}
