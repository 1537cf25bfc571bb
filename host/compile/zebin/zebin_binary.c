// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_binary.h"

#include "compile/zebin/zebin_archive.h"
#include "compile/zebin/zebin_check.h"
#include "compile/zebin/elf_file.h"
#include "compile/base/compile_hash.h"
#include "compile/spirv/spirv_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sections of containers, as Intel's driver names them. */
#define SPIRV	"SPIRV Object"
#define OPTIONS "BuildOptions"

/*
 * Our section in a zebin: lines "<word> <value>", of which there may be more in later versions.
 *   zerocl 1          the version of this text
 *   family tgllp      what the native code is for
 */
#define NOTES ".misc.zerocl"

/* The value of the line that begins with the word; false if there is none. */
static bool find_note(
	const struct elf_file_section *notes, const char *word, const char **value, size_t *size)
{
	const char *at = notes ? notes->data : NULL, *end = at ? at + notes->size : NULL;
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
	{ "adln", 33, 18 },
	{ "dg1", 1210, 18 },
};

static const struct family *find_family(const char *name)
{
	for (size_t i = 0; name && i < sizeof(families) / sizeof(*families); i++)
		if (!strcmp(families[i].name, name))
			return &families[i];
	return NULL;
}

static struct elf_file_section *find_notes(const struct elf_file *file)
{
	return elf_file_find(file, ELF_FILE_MISC, NOTES);
}

static struct elf_file_section *find_options(const struct elf_file *file)
{
	return file->kind == ELF_FILE_ZEBIN
		       ? elf_file_find(file, ELF_FILE_MISC, ELF_FILE_MISC_OPTIONS)
		       : elf_file_find(file, ELF_FILE_OPTIONS, NULL);
}

static struct elf_file_section *find_tokens(const struct elf_file *file)
{
	return file->kind == ELF_FILE_EXECUTABLE ? elf_file_find(file, ELF_FILE_TOKENS, NULL)
						 : NULL;
}

/* False if the file is no zebin, or says to be for another family: the driver would build it anew,
 * itself. */
static bool is_zebin_for(const struct elf_file *file, const char *family)
{
	const struct family *known = find_family(family);
	const void *at = elf_file_find_note(file, ELF_FILE_NOTE_PRODUCT);
	const char *value;
	size_t size;
	uint32_t product;

	if (file->kind != ELF_FILE_ZEBIN)
		return false;
	if (family && find_note(find_notes(file), "family", &value, &size))
		return size == strlen(family) && !memcmp(value, family, size);
	if (!known || !at)
		return true;
	memcpy(&product, at, sizeof(product));
	return product == known->product;
}

/* The same of bytes that are a whole zebin. */
static bool bytes_are_for(const void *data, size_t size, const char *family)
{
	struct elf_file file;
	bool is_for = elf_file_read(&file, data, size) == COMPILE_OK && is_zebin_for(&file, family);

	elf_file_finish(&file);
	return is_for;
}

/* The head of patch tokens: magic, version, core, and more. */
static bool has_magic(const struct elf_file_section *tokens)
{
	return tokens->size > 28 && !memcmp(tokens->data, "CTNI", 4);
}

static bool tokens_are_for(const struct elf_file_section *tokens, const char *family)
{
	const struct family *known = find_family(family);
	uint32_t head[3];

	memcpy(head, tokens->data, sizeof(head));
	return !known || head[2] == known->core;
}

/*
 * Our section beside patch tokens: this line, then a zebin. A generator that changes the tokens
 * leaves the section, which then does not match them. Intel's driver overlooks sections in a
 * container only if they are of this type.
 *   zerocl 1 <hash of the patch tokens, 64 digits>
 */
#define INNER	   ".zerocl"
#define INNER_TYPE SHT_STRTAB
static const char inner_word[] = "zerocl 1 ";
#define INNER_START (sizeof(inner_word) - 1 + COMPILE_HASH_TEXT)

static void write_inner(const struct elf_file_section *tokens, char line[INNER_START + 1])
{
	unsigned char digest[COMPILE_HASH_SIZE];
	char text[COMPILE_HASH_TEXT];
	struct sha256_ctx hash;

	sha256_init(&hash);
	sha256_update(&hash, tokens->size, tokens->data);
	sha256_digest(&hash, COMPILE_HASH_SIZE, digest);
	compile_hash_write(digest, text);
	snprintf(line, INNER_START + 1, "%s%s\n", inner_word, text);
}

/* Whether a zebin is there, for the family, and the tokens are still those that came with it. */
static bool inner_counts(const struct elf_file_section *inner,
	const struct elf_file_section *tokens, const char *family)
{
	char line[INNER_START + 1];

	write_inner(tokens, line);
	return inner && inner->size >= INNER_START && !memcmp(inner->data, line, INNER_START) &&
	       bytes_are_for(
		       (const char *)inner->data + INNER_START, inner->size - INNER_START, family);
}

static void find_native(const void *data, size_t size, const char *family,
	const struct elf_file *file, struct compile_binary *binary)
{
	const struct elf_file_section *tokens = find_tokens(file);
	const struct elf_file_section *inner = elf_file_find(file, INNER_TYPE, INNER);

	if (is_zebin_for(file, family)) {
		binary->native = data;
		binary->native_size = size;
	} else if (tokens && !has_magic(tokens)) {
		if (bytes_are_for(tokens->data, tokens->size, family)) {
			binary->native = tokens->data;
			binary->native_size = tokens->size;
		}
	} else if (tokens && tokens_are_for(tokens, family)) {
		/* The driver's reader of tokens believes what they say: others' are not shown to
		 * it. */
		if (inner_counts(inner, tokens, family)) {
			binary->native = (const char *)inner->data + INNER_START;
			binary->native_size = inner->size - INNER_START;
		} else if (inner) {
			binary->native = data;
			binary->native_size = size;
			binary->is_other = true;
		} else if (!binary->spirv) {
			snprintf(binary->why, sizeof(binary->why),
				"its patch tokens are not read, and there is no SPIR-V");
		}
	}
}

static enum compile_status open_elf(const void *data, size_t size, const char *family,
	const struct elf_file *file, struct compile_binary *binary)
{
	static const enum compile_binary_kind kinds[] = {
		[ELF_FILE_ZEBIN] = COMPILE_BINARY_EXECUTABLE,
		[ELF_FILE_EXECUTABLE] = COMPILE_BINARY_EXECUTABLE,
		[ELF_FILE_OBJECT] = COMPILE_BINARY_OBJECT,
		[ELF_FILE_LIBRARY] = COMPILE_BINARY_LIBRARY,
	};
	const struct elf_file_section *spirv = elf_file_find(file, ELF_FILE_SPIRV, NULL);
	const struct elf_file_section *options = find_options(file);

	binary->kind = kinds[file->kind];
	if (spirv && spirv->data) {
		binary->spirv = spirv->data;
		binary->spirv_size = spirv->size;
	}
	if (options && options->data) {
		binary->options = options->data;
		binary->options_size = options->size;
	}
	/* Strings come with their NUL, or without. */
	while (binary->options_size && !binary->options[binary->options_size - 1])
		binary->options_size--;
	find_native(data, size, family, file, binary);
	if (binary->spirv && !spirv_module_check(binary->spirv, binary->spirv_size, NULL, 0))
		return COMPILE_ERROR;
	return binary->native || binary->spirv ? COMPILE_OK : COMPILE_ERROR;
}

static enum compile_status open_binary(
	const void *data, size_t size, const char *family, struct compile_binary *binary)
{
	struct elf_file file;

	*binary = (struct compile_binary){ 0 };
	if (!data)
		return COMPILE_ERROR;
	enum compile_status status = elf_file_read(&file, data, size);
	if (status == COMPILE_OK) {
		status = open_elf(data, size, family, &file, binary);
		elf_file_finish(&file);
		return status;
	}
	if (status != COMPILE_ERROR || !spirv_module_check(data, size, NULL, 0))
		return status;
	binary->kind = COMPILE_BINARY_OBJECT;
	binary->spirv = data;
	binary->spirv_size = size;
	return COMPILE_OK;
}

/* The driver is to read it. */
static enum compile_status check_native(struct compile_binary *binary)
{
	struct elf_file file;
	enum compile_status status = elf_file_read(&file, binary->native, binary->native_size);

	if (status == COMPILE_OK)
		status = zebin_check(&file, binary->why, sizeof(binary->why));
	elf_file_finish(&file);
	return status;
}

enum compile_status compile_binary_open_for(
	const void *data, size_t size, const char *family, struct compile_binary *binary)
{
	if (data && family)
		zebin_archive_find(&data, &size, family);
	enum compile_status status = open_binary(data, size, family, binary);
	return status == COMPILE_OK && binary->native && !binary->is_other ? check_native(binary)
									   : status;
}

enum compile_status compile_binary_open(
	const void *data, size_t size, struct compile_binary *binary)
{
	return open_binary(data, size, NULL, binary);
}

/* SPIR-V and options in a container, and written. */
static void *make_object(const struct compile_binary *parts, size_t *size)
{
	struct elf_file file;
	void *made = NULL;

	if (elf_file_create(&file,
		    parts->kind == COMPILE_BINARY_LIBRARY ? ELF_FILE_LIBRARY : ELF_FILE_OBJECT) &&
		elf_file_add(&file, SPIRV, ELF_FILE_SPIRV, parts->spirv, parts->spirv_size) &&
		elf_file_add(&file, OPTIONS, ELF_FILE_OPTIONS, parts->options, parts->options_size))
		made = elf_file_write(&file, size);
	elf_file_finish(&file);
	return made;
}

/* What has patch tokens, and what was made so before, is complete. */
static bool add_parts(struct elf_file *file, const struct compile_binary *parts, const char *notes)
{
	if (file->kind != ELF_FILE_ZEBIN || find_notes(file))
		return true;
	if (!elf_file_add(file, NOTES, ELF_FILE_MISC, notes, strlen(notes)))
		return false;
	if (parts->spirv && !elf_file_find(file, ELF_FILE_SPIRV, NULL) &&
		!elf_file_add(file, ".spv", ELF_FILE_SPIRV, parts->spirv, parts->spirv_size))
		return false;
	return find_options(file) || elf_file_add(file, ELF_FILE_MISC_OPTIONS, ELF_FILE_MISC,
					     parts->options, parts->options_size);
}

void *compile_binary_make(const struct compile_binary *parts, const char *family, size_t *size)
{
	struct elf_file file;
	char notes[64];
	void *made = NULL;

	if (!parts->native)
		return make_object(parts, size);
	snprintf(notes, sizeof(notes), "zerocl 1\nfamily %s\n", family);
	if (elf_file_read(&file, parts->native, parts->native_size) == COMPILE_OK &&
		add_parts(&file, parts, notes))
		made = elf_file_write(&file, size);
	elf_file_finish(&file);
	return made;
}

/* Adds a section of another file, if it is there. */
static bool add_copy(
	struct elf_file *file, const char *name, const struct elf_file_section *section)
{
	return !section ||
	       elf_file_add(file, name, section->head.sh_type, section->data, section->size);
}

void *compile_binary_add_tokens(
	const void *tokens, size_t tokens_size, const void *zebin, size_t zebin_size, size_t *size)
{
	struct elf_file from, made = { 0 };
	char *inner = malloc(INNER_START + 1 + zebin_size);
	void *bytes = NULL;

	if (inner && elf_file_read(&from, tokens, tokens_size) == COMPILE_OK) {
		const struct elf_file_section *native = find_tokens(&from);
		if (native && has_magic(native)) {
			write_inner(native, inner);
			memcpy(inner + INNER_START, zebin, zebin_size);
			if (elf_file_create(&made, ELF_FILE_EXECUTABLE) &&
				add_copy(&made, OPTIONS, find_options(&from)) &&
				add_copy(
					&made, SPIRV, elf_file_find(&from, ELF_FILE_SPIRV, NULL)) &&
				add_copy(&made, "Intel(R) OpenCL Device Binary", native) &&
				elf_file_add(
					&made, INNER, INNER_TYPE, inner, INNER_START + zebin_size))
				bytes = elf_file_write(&made, size);
		}
		elf_file_finish(&from);
	}
	elf_file_finish(&made);
	free(inner);
	return bytes;
}
