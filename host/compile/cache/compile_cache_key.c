// SPDX-License-Identifier: MIT
#include "compile/cache/compile_cache.h"

#include "compile/cache/compiler_fingerprint.h"
#include "compile/base/compile_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The version of what a name is a hash of. */
static const char version[8] = "zcl-7\r\n";

/* Words whose value is not in the source. */
static const char *const moods[] = { "__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include",
	"\?\?/" };

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

/* Whether a directive begins there that reads a file; in strings and comments too. */
static bool is_inclusion(const char *at)
{
	static const char *const names[] = { "include", "include_next", "import", "embed" };
	size_t length = 0;

	at = skip_blanks(at);
	while (isalnum((unsigned char)at[length]) || at[length] == '_')
		length++;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (length == strlen(names[i]) && !memcmp(at, names[i], length))
			return true;
	return false;
}

/* Whether the text is all that the compiler reads for it. The rest of one with a NUL would go
 * unseen. */
static bool is_whole(const char *text, size_t text_size)
{
	size_t size;
	char *joined = join_lines(text, text_size, &size);
	bool ok = joined && !memchr(joined, 0, size);

	for (size_t i = 0; ok && i < sizeof(moods) / sizeof(*moods); i++)
		ok = !strstr(joined, moods[i]);
	for (const char *at = joined; ok && (at = strpbrk(at, "#%?")); at++) {
		const size_t sign = *at == '#'		       ? 1
				    : !strncmp(at, "%:", 2)    ? 2
				    : !strncmp(at, "\?\?=", 3) ? 3
							       : 0;
		ok = !sign || !is_inclusion(at + sign);
	}
	free(joined);
	return ok;
}

static void hash_options(struct sha256_ctx *hash, const char *options, bool *is_known)
{
	char *folder = compile_options_have(options, "-g") ? getcwd(NULL, 0) : NULL;

	compile_hash_piece(hash, options, options ? strlen(options) : 0);
	/* The debugger's source is read from the file that follows. */
	if (compile_options_have_word(options, "-s"))
		*is_known = false;
	compile_hash_piece(hash, folder, folder ? strlen(folder) : 0);
	free(folder);
}

static void hash_inputs(struct sha256_ctx *hash, const struct compile_request *request)
{
	compile_hash_piece(hash, request->source, request->source_size);
	compile_hash_piece(hash, request->spirv, request->spirv_size);
	for (size_t i = 0; i < request->n_modules; i++)
		compile_hash_piece(hash, request->modules[i].spirv, request->modules[i].size);
	for (size_t i = 0; i < request->n_headers; i++) {
		const struct compile_header *header = &request->headers[i];
		compile_hash_piece(hash, header->name, strlen(header->name));
		compile_hash_piece(hash, header->text, header->size);
	}
	compile_hash_piece(hash, request->family, strlen(request->family));
	compile_hash_piece(hash, &request->outputs, sizeof(request->outputs));
	compile_hash_piece(
		hash, request->implicit_args ? "implicit" : "", request->implicit_args ? 8 : 0);
	compile_hash_piece(
		hash, request->soft_double ? "double" : "", request->soft_double ? 6 : 0);
}

/* NULL, for all, is another list than "". */
static void hash_names(struct sha256_ctx *hash, const char *names)
{
	compile_hash_piece(hash, names ? names : "*", names ? strlen(names) : 1);
}

bool compile_cache_name(const struct compile_request *request, const char *fingerprint,
	struct compile_cache_key *key)
{
	struct sha256_ctx hash;
	bool is_known = true;

	sha256_init(&hash);
	compile_hash_piece(&hash, version, sizeof(version));
	compiler_fingerprint_hash_library(&hash);
	compiler_fingerprint_hash(fingerprint, &hash);
	compiler_fingerprint_hash_environment(&hash);
	hash_inputs(&hash, request);
	hash_names(&hash, request->extensions);
	hash_names(&hash, request->features);
	compile_hash_piece(&hash, &request->version, sizeof(request->version));
	hash_options(&hash, request->options, &is_known);
	for (size_t i = 0; request->options && i < sizeof(moods) / sizeof(*moods); i++)
		is_known = is_known && !strstr(request->options, moods[i]);
	is_known =
		is_known && (!request->source || is_whole(request->source, request->source_size));
	sha256_digest(&hash, COMPILE_HASH_SIZE, key->bytes);
	return is_known;
}
