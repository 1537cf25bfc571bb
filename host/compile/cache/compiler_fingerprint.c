// SPDX-License-Identifier: MIT
#include "compile/cache/compiler_fingerprint.h"

#include "compile/base/helper_protocol.h"
#include "util/util_file.h"
#include "util/util_settings.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

extern char **environ;

#define NOTE_TEXT 129
#define HELD_MS	  10

/* The build id among notes, in hexadecimal; "-" if there is none. */
static void read_notes(const unsigned char *notes, size_t size, char text[NOTE_TEXT])
{
	Elf64_Nhdr note;

	while (size >= sizeof(note)) {
		memcpy(&note, notes, sizeof(note));
		size_t name = sizeof(note), data = name + ((note.n_namesz + 3u) & ~3u);
		size_t end = data + ((note.n_descsz + 3u) & ~3u);
		if (end > size)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			!memcmp(notes + name, "GNU", 4) && note.n_descsz < NOTE_TEXT / 2) {
			for (size_t i = 0; i < note.n_descsz; i++)
				snprintf(text + 2 * i, 3, "%02x", notes[data + i]);
			return;
		}
		notes += end;
		size -= end;
	}
}

static void build_id(const struct dl_phdr_info *info, char text[NOTE_TEXT])
{
	strcpy(text, "-");
	for (unsigned i = 0; i < info->dlpi_phnum && *text == '-'; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		if (part->p_type == PT_NOTE)
			read_notes((const unsigned char *)(info->dlpi_addr + part->p_vaddr),
				part->p_memsz, text);
	}
}

/* "size inode device changed modified", or "-" if there is no such file. */
static void write_state(const char *path, char *text, size_t size)
{
	struct stat s;

	if (stat(path, &s))
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%lld %llu %llu %lld.%09ld %lld.%09ld", (long long)s.st_size,
			(unsigned long long)s.st_ino, (unsigned long long)s.st_dev,
			(long long)s.st_ctim.tv_sec, s.st_ctim.tv_nsec, (long long)s.st_mtim.tv_sec,
			s.st_mtim.tv_nsec);
}

/* Lines are "<build id, - or place>\t<state>\t<path>\n". */
static void write_line(FILE *out, const char *id, const char *path)
{
	char state[160];

	write_state(path, state, sizeof(state));
	fprintf(out, "%s\t%s\t%s\n", id, state, path);
}

static int write_object(struct dl_phdr_info *info, size_t size, void *file)
{
	char id[NOTE_TEXT], own[4096];
	const char *path = info->dlpi_name;

	(void)size;
	if (!*path) {
		ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);
		own[n > 0 ? n : 0] = '\0';
		path = own;
	}
	/* The kernel's own has no path. */
	if (!strchr(path, '/') || strpbrk(path, "\t\n"))
		return 0;
	build_id(info, id);
	write_line(file, id, path);
	return 0;
}

char *compiler_fingerprint_create(void)
{
	const char *folders = util_settings()->library_path;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	dl_iterate_phdr(write_object, out);
	write_line(out, "place", "/etc/ld.so.cache");
	char *copy = folders ? strdup(folders) : NULL;
	char *rest = copy;
	for (char *folder; (folder = strsep(&rest, ":;"));)
		if (*folder == '/' && !strpbrk(folder, "\t\n"))
			write_line(out, "place", folder);
	free(copy);
	return util_file_text(out, &text);
}

struct line {
	const char *text;
	size_t id_size, size; /* without the line end */
	const char *state, *path;
};

static bool next_line(const char **at, struct line *line)
{
	const char *end = strchr(*at, '\n');

	line->text = *at;
	line->state = end ? memchr(*at, '\t', (size_t)(end - *at)) : NULL;
	line->path =
		line->state ? memchr(line->state + 1, '\t', (size_t)(end - line->state - 1)) : NULL;
	if (!line->path)
		return false;
	line->id_size = (size_t)(line->state++ - line->text);
	line->path++;
	line->size = (size_t)(end - line->text);
	*at = end + 1;
	return true;
}

bool compiler_fingerprint_is_current(const char *fingerprint)
{
	struct line line;
	char state[160], path[4096];
	bool any = false;

	for (const char *at = fingerprint; next_line(&at, &line); any = true) {
		size_t length = line.size - (size_t)(line.path - line.text);
		if (length >= sizeof(path))
			return false;
		memcpy(path, line.path, length);
		path[length] = '\0';
		write_state(path, state, sizeof(state));
		if (strlen(state) != (size_t)(line.path - line.state) - 1 ||
			memcmp(state, line.state, strlen(state)) != 0)
			return false;
	}
	return any;
}

bool compiler_fingerprint_was_current(const char *fingerprint)
{
	static _Thread_local XXH128_hash_t
		last; /* each thread looks itself: no lock, safe to fork */
	static _Thread_local int64_t until_ms;
	XXH128_hash_t text = XXH3_128bits(fingerprint, strlen(fingerprint));
	int64_t now_ms = compile_clock_ms();

	if (now_ms < until_ms && XXH128_isEqual(text, last))
		return true;
	if (!compiler_fingerprint_is_current(fingerprint))
		return false;
	last = text;
	until_ms = now_ms + HELD_MS;
	return true;
}

void compiler_fingerprint_hash(const char *fingerprint, struct sha256_ctx *hash)
{
	struct line line;

	for (const char *at = fingerprint; next_line(&at, &line);) {
		if (line.id_size == 5 && !memcmp(line.text, "place", 5))
			continue;
		compile_hash_piece(hash, line.text, *line.text == '-' ? line.size : line.id_size);
	}
}

void compiler_fingerprint_hash_environment(struct sha256_ctx *hash)
{
	static const char *const starts[] = { "IGC_", "IGA_", "VISA_", "NEO", "OCL_", "SHADER_",
		"LLVM_", "LD_LIBRARY_PATH=", "ZEROCL_FRONTEND=", "ZEROCL_CC=" };

	for (size_t i = 0; environ && environ[i]; i++)
		for (size_t k = 0; k < sizeof(starts) / sizeof(*starts); k++)
			if (!strncmp(environ[i], starts[k], strlen(starts[k])))
				compile_hash_piece(hash, environ[i], strlen(environ[i]));
}

struct self {
	uintptr_t address;
	struct sha256_ctx *hash;
};

static int hash_self(struct dl_phdr_info *info, size_t size, void *data)
{
	struct self *self = data;
	char id[NOTE_TEXT], state[160];

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		if (part->p_type != PT_LOAD ||
			self->address - (info->dlpi_addr + part->p_vaddr) >= part->p_memsz)
			continue;
		build_id(info, id);
		if (*id == '-') {
			write_state(*info->dlpi_name ? info->dlpi_name : "/proc/self/exe", state,
				sizeof(state));
			compile_hash_piece(self->hash, state, strlen(state));
		}
		compile_hash_piece(self->hash, id, strlen(id));
		return 1;
	}
	return 0;
}

void compiler_fingerprint_hash_library(struct sha256_ctx *hash)
{
	struct self self = { (uintptr_t)&hash_self, hash };

	dl_iterate_phdr(hash_self, &self);
}
