// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "layer/tap/tap_header.h"
#include "layer/tap/tap_map.h"
#include "util/util_file.h"

enum { MOST_FOLDERS = 64, MOST_DEPTH = 32 };

/* Folders of -I, as they are written; "" is the working directory. */
struct folders {
	char *names[MOST_FOLDERS];
	size_t n;
};

static struct tap_map written; /* by the hash of folder and name */

static void read_folders(struct folders *folders, const char *options)
{
	folders->names[folders->n++] = strdup("");
	for (const char *at = options; at && (at = strstr(at, "-I"));) {
		at += 2;
		at += strspn(at, " \t");
		char quote = *at == '"' || *at == '\'' ? *at++ : 0;
		const char end[] = { quote ? quote : ' ', quote ? 0 : '\t', 0 };
		size_t length = strcspn(at, end);
		if (length && folders->n < MOST_FOLDERS)
			folders->names[folders->n++] = strndup(at, length);
		at += length;
	}
}

static char *read_file(const char *folder, const char *name, size_t *size)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name) >=
		(int)sizeof path)
		return NULL;
	return util_file_read(path, size);
}

static void scan(
	const struct folders *folders, const char *text, const char *beside, unsigned depth);

/* Writes the file if it is in that folder, and what it includes. */
static bool take(
	const struct folders *folders, const char *folder, const char *name, unsigned depth)
{
	struct record_entry entry = { .type = RECORD_HEADER, .texts = { folder, name } };
	char both[PATH_MAX];
	size_t size;

	if (snprintf(both, sizeof both, "%s%c%s", folder, '\n', name) >= (int)sizeof both)
		return false;
	XXH128_hash_t hash = XXH3_128bits(both, strlen(both));
	if (tap_map_get(&written, (struct tap_key){ hash.low64, hash.high64 }))
		return true;
	char *text = read_file(folder, name, &size);
	if (!text)
		return false;
	tap_map_set(&written, (struct tap_key){ hash.low64, hash.high64 }, 1);
	tap_content(&entry.memory, text, size, &entry.content);
	tap_write(&entry);
	record_free(&entry.memory);
	const char *slash = strrchr(name, '/');
	snprintf(both, sizeof both, "%.*s", slash ? (int)(slash + 1 - name) : 0, name);
	scan(folders, text, both, depth + 1);
	free(text);
	return true;
}

/* Each #include of a text, first beside the file that has it, then in the folders. */
static void scan(
	const struct folders *folders, const char *text, const char *beside, unsigned depth)
{
	char name[PATH_MAX];

	for (const char *at = text; depth < MOST_DEPTH && (at = strstr(at, "include"));) {
		at += strlen("include");
		at += strspn(at, " \t");
		size_t length = *at == '"' || *at == '<' ? strcspn(at + 1, "\">\n") : 0;
		bool found = false;
		for (size_t i = 0; i < 2 * folders->n && length && !found; i++) {
			const char *before = i < folders->n ? beside : "";
			found = snprintf(name, sizeof name, "%s%.*s", before, (int)length, at + 1) <
					(int)sizeof name &&
				take(folders, folders->names[i % folders->n], name, depth);
		}
	}
}

void tap_headers(cl_program program, const char *options)
{
	struct folders folders = { 0 };
	size_t size = 0;

	if (tap_next->clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size) || !size)
		return;
	char *source = calloc(1, size + 1);
	read_folders(&folders, options);
	if (source && folders.names[0] &&
		!tap_next->clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL))
		scan(&folders, source, "", 0);
	for (size_t i = 0; i < folders.n; i++)
		free(folders.names[i]);
	free(source);
}
