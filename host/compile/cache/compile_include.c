// SPDX-License-Identifier: MIT
#include "compile/cache/compile_include.h"
#include "compile/base/compile_options.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FOLDERS 64
#define MAX_FILES   1024	      /* that are there */
#define MAX_SIZE    ((off_t)16 << 20) /* of one, bytes */

struct scan {
	struct compile_hash *hash;
	char *folders[MAX_FOLDERS]; /* where names start; "" is the current one */
	size_t n_folders;
	char *files[MAX_FILES]; /* read already, or waiting to be */
	size_t n_files;
	bool has_any;
};

/* Where the front end looks after the application's folders. */
static const char *const system_folders[] = { "/usr/local/include", "/usr/include" };

/* Words whose value is not in the source. */
static const char *const moods[] = { "__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include",
	"\?\?/" };

static bool add_folder(struct scan *scan, const char *text, size_t size)
{
	char *folder = malloc(size + 1);
	size_t out = 0;

	if (!folder || scan->n_folders == MAX_FOLDERS) {
		free(folder);
		return false;
	}
	for (size_t i = 0; i < size; i++)
		if (text[i] != '"')
			folder[out++] = text[i];
	folder[out] = '\0';
	scan->folders[scan->n_folders++] = folder;
	return true;
}

static bool add_folders(struct scan *scan, const char *options)
{
	const char *at = options ? options : "";
	struct compile_word word;
	bool is_open;

	if (!add_folder(scan, "", 0))
		return false;
	while (compile_options_next(&at, &word, &is_open)) {
		if (word.size < 2 || memcmp(word.text, "-I", 2) != 0)
			continue;
		if (word.size > 2) {
			word.text += 2;
			word.size -= 2;
		} else if (!compile_options_next(&at, &word, &is_open)) {
			break;
		}
		if (!add_folder(scan, word.text, word.size))
			return false;
	}
	for (size_t i = 0; i < sizeof(system_folders) / sizeof(*system_folders); i++)
		if (!add_folder(scan, system_folders[i], strlen(system_folders[i])))
			return false;
	return true;
}

/* Takes `path`, which is malloc'ed. */
static bool add_file(struct scan *scan, char *path)
{
	for (size_t i = 0; i < scan->n_files; i++) {
		if (!strcmp(scan->files[i], path)) {
			free(path);
			return true;
		}
	}
	if (scan->n_files == MAX_FILES) {
		free(path);
		return false;
	}
	scan->files[scan->n_files++] = path;
	return true;
}

/* One of the files that a name may mean: its path counts whether or not it is there. */
static bool add_candidate(
	struct scan *scan, const char *folder, size_t folder_size, const char *name, size_t size)
{
	char *path = NULL;
	const char *slash = folder_size && folder[folder_size - 1] != '/' ? "/" : "";

	if (asprintf(&path, "%.*s%s%.*s", (int)folder_size, folder, slash, (int)size, name) < 0)
		return false;
	bool is_there = !access(path, F_OK);
	compile_hash_piece(scan->hash, path, strlen(path));
	compile_hash_piece(scan->hash, is_there ? "+" : "-", 1);
	if (is_there)
		return add_file(scan, path);
	free(path);
	return true;
}

/* `from` is the file that includes; NULL for the source. */
static bool add_name(struct scan *scan, const char *from, const char *name, size_t size)
{
	const char *slash = from ? strrchr(from, '/') : NULL;

	scan->has_any = true;
	if (*name == '/')
		return add_candidate(scan, "", 0, name, size);
	if (slash && !add_candidate(scan, from, (size_t)(slash - from) + 1, name, size))
		return false;
	for (size_t i = 0; i < scan->n_folders; i++)
		if (!add_candidate(scan, scan->folders[i], strlen(scan->folders[i]), name, size))
			return false;
	return true;
}

/* The text without line ends that a backslash takes away; NUL-terminated, to be freed. */
static char *join_lines(const char *text, size_t size, size_t *out_size)
{
	char *out = malloc(size + 1);
	size_t n = 0;

	for (size_t i = 0; out && i < size; i++) {
		size_t end = i + 1;
		if (text[i] == '\\') {
			while (end < size && text[end] != '\n' && isspace((unsigned char)text[end]))
				end++;
			if (end < size && text[end] == '\n') {
				i = end;
				continue;
			}
		}
		out[n++] = text[i];
	}
	if (out)
		out[n] = '\0';
	*out_size = n;
	return out;
}

/* Skips blanks and comments within a line. */
static const char *skip_blanks(const char *at)
{
	for (;;) {
		if (*at == ' ' || *at == '\t' || *at == '\v' || *at == '\f' || *at == '\r') {
			at++;
		} else if (at[0] == '/' && at[1] == '*') {
			const char *end = strstr(at + 2, "*/");
			if (!end)
				return at;
			at = end + 2;
		} else {
			return at;
		}
	}
}

/* What stands after a # anywhere in the text, in strings and comments too: more never hurts. */
static bool scan_directive(struct scan *scan, const char *from, const char *at)
{
	static const char *const names[] = { "include", "include_next", "import", "embed" };
	size_t length = 0;
	bool is_one = false;

	at = skip_blanks(at);
	while (isalnum((unsigned char)at[length]) || at[length] == '_')
		length++;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		is_one |= length == strlen(names[i]) && !memcmp(at, names[i], length);
	if (!is_one)
		return true;
	at = skip_blanks(at + length);
	if (*at != '"' && *at != '<')
		return false;
	const char *end = at + 1 + strcspn(at + 1, *at == '"' ? "\"\n" : ">\n");
	if (!*end || *end == '\n' || end == at + 1)
		return false;
	return add_name(scan, from, at + 1, (size_t)(end - at - 1));
}

static bool scan_text(struct scan *scan, const char *from, const char *text, size_t text_size)
{
	size_t size;
	char *spliced = join_lines(text, text_size, &size);
	/* The rest of a text with a NUL in it would go unseen. */
	bool ok = spliced && !memchr(spliced, 0, size);

	for (size_t i = 0; ok && i < sizeof(moods) / sizeof(*moods); i++)
		ok = !strstr(spliced, moods[i]);
	for (const char *at = spliced; ok && (at = strpbrk(at, "#%?")); at++) {
		size_t sign = *at == '#' ? 1 : !strncmp(at, "%:", 2) ? 2 : 0;
		if (!strncmp(at, "\?\?=", 3))
			sign = 3;
		if (sign)
			ok = scan_directive(scan, from, at + sign);
	}
	free(spliced);
	return ok;
}

static bool scan_file(struct scan *scan, const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *text = NULL;
	bool ok = fd >= 0 && !fstat(fd, &status) && status.st_size <= MAX_SIZE;

	if (ok && S_ISDIR(status.st_mode)) {
		close(fd);
		return true;
	}
	ok = ok && S_ISREG(status.st_mode) && (text = malloc((size_t)status.st_size + 1));
	size_t size = 0;
	for (ssize_t n = 1; ok && n; size += (size_t)n) {
		n = read(fd, text + size, (size_t)status.st_size + 1 - size);
		/* One byte more than it had: it grows right now. */
		ok = n >= 0 && size + (size_t)n <= (size_t)status.st_size;
		if (!ok)
			break;
	}
	if (fd >= 0)
		close(fd);
	if (ok) {
		compile_hash_piece(scan->hash, text, size);
		ok = scan_text(scan, path, text, size);
	}
	free(text);
	return ok;
}

/* With a folder that is relative, or with #include, results depend on where we are. */
static void add_place(struct compile_hash *hash)
{
	char *folder = getcwd(NULL, 0);

	compile_hash_piece(hash, folder, folder ? strlen(folder) : 0);
	free(folder);
}

bool compile_include_hash(
	const struct compile_request *request, struct compile_hash *hash, bool *has_any)
{
	struct scan *scan = calloc(1, sizeof(*scan));
	bool ok = scan && add_folders(scan, request->options);

	*has_any = false;
	if (scan)
		scan->hash = hash;
	for (size_t i = 0; ok && request->options && i < sizeof(moods) / sizeof(*moods); i++)
		ok = !strstr(request->options, moods[i]);
	ok = ok && scan_text(scan, NULL, request->source, request->source_size);
	for (size_t i = 0; ok && i < request->n_headers; i++)
		ok = scan_text(scan, request->headers[i].name, request->headers[i].text,
			request->headers[i].size);
	for (size_t i = 0; ok && i < scan->n_files; i++)
		ok = scan_file(scan, scan->files[i]);
	if (ok && scan->has_any)
		add_place(hash);
	/* These add folders that are not searched here. */
	ok = ok && (!scan->has_any || (!getenv("CPATH") && !getenv("C_INCLUDE_PATH")));
	*has_any = ok && scan->has_any;
	for (size_t i = 0; scan && i < scan->n_folders; i++)
		free(scan->folders[i]);
	for (size_t i = 0; scan && i < scan->n_files; i++)
		free(scan->files[i]);
	free(scan);
	return ok;
}
