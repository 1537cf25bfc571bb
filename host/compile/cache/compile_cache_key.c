// SPDX-License-Identifier: MIT
#include "compile/cache/compile_cache.h"

#include "compile/cache/compiler_fingerprint.h"
#include "compile/cache/compile_include.h"
#include "compile/base/compile_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The version of what a name is a hash of. */
static const char version[8] = "zcl-4\r\n";

static void hash_options(struct compile_hash *hash, const char *options, bool *is_known)
{
	const char *at = options ? options : "";
	struct compile_word word;
	bool is_open, has_debug = false;

	compile_hash_piece(hash, options, options ? strlen(options) : 0);
	while (compile_options_next(&at, &word, &is_open)) {
		/* The debugger's source is read from the file that follows. */
		if (word.size == 2 && !memcmp(word.text, "-s", 2))
			*is_known = false;
		has_debug |= word.size >= 2 && !memcmp(word.text, "-g", 2);
	}
	char *folder = has_debug ? getcwd(NULL, 0) : NULL;
	compile_hash_piece(hash, folder, folder ? strlen(folder) : 0);
	free(folder);
}

static void hash_inputs(struct compile_hash *hash, const struct compile_request *request)
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
	compile_hash_add(hash, &request->outputs, sizeof(request->outputs));
	compile_hash_piece(
		hash, request->implicit_args ? "implicit" : "", request->implicit_args ? 8 : 0);
}

/* NULL, for all, is another list than "". */
static void hash_names(struct compile_hash *hash, const char *names)
{
	compile_hash_piece(hash, names ? names : "*", names ? strlen(names) : 1);
}

bool compile_cache_name(const struct compile_request *request, const char *fingerprint,
	struct compile_cache_key *key)
{
	struct compile_hash hash;
	bool is_known = true;

	compile_hash_start(&hash);
	compile_hash_add(&hash, version, sizeof(version));
	compiler_fingerprint_hash_library(&hash);
	compiler_fingerprint_hash(fingerprint, &hash);
	compiler_fingerprint_hash_environment(&hash);
	hash_inputs(&hash, request);
	hash_names(&hash, request->extensions);
	hash_names(&hash, request->features);
	hash_options(&hash, request->options, &is_known);
	key->is_bound = false;
	if (request->source && !compile_include_hash(request, &hash, &key->is_bound))
		is_known = false;
	compile_hash_end(&hash, key->bytes);
	return is_known;
}
