// SPDX-License-Identifier: MIT
#ifndef COMPILE_CACHE_H
#define COMPILE_CACHE_H

#include "compile/base/request.h"
#include "compile/base/compile_hash.h"

#include <stdbool.h>
#include <time.h>

/*
 * What builds made, on disk, for all processes of the user: in ZEROCL_CACHE_DIR, else in zerocl
 * under XDG_CACHE_HOME or ~/.cache, unless ZEROCL_CACHE is 0. Never needed: whatever fails here is
 * a build by the compiler, and a line in the log. An entry that is damaged does not exist.
 *
 * The folder is ours alone (0700). Entries are written under another name and then renamed, so
 * that they are seen whole or not at all; after a power loss their check tells. Nothing is locked.
 */

/* Names an entry: everything that the result depends on, hashed. */
struct compile_cache_key {
	unsigned char bytes[COMPILE_HASH_SIZE];
};

/* Whether the cache is on. */
bool compile_cache_on(void);

/*
 * The name of what `request` makes with that compiler (see compiler_fingerprint.h). False: it has
 * none, because it depends on something that the request does not hold, such as a file that is
 * included. Then SPIR-V is made each time; the native code that is made of it has a name.
 */
bool compile_cache_name(const struct compile_request *request, const char *fingerprint,
	struct compile_cache_key *key);

/* Fills `result`, which was zeroed, and marks the entry as used. False, `result` zeroed: miss. */
bool compile_cache_load(const struct compile_cache_key *key, struct compile_result *result);

/*
 * The same from what was installed with the program that runs, in the folder `ready` beside it: the
 * format is that of the cache. An entry that is damaged goes, if this user may remove it.
 */
bool compile_cache_load_shipped(const struct compile_cache_key *key, struct compile_result *result);

/* Keeps a result with status COMPILE_OK and drops entries that were not used for long. */
void compile_cache_store(const struct compile_cache_key *key, const struct compile_request *request,
	const struct compile_result *result);

/* The text that was last kept about the compiler at `path`, to be freed, or NULL. */
char *compile_cache_load_fingerprint(const char *path);
void compile_cache_store_fingerprint(const char *path, const char *fingerprint);

struct compile_cache_entry {
	const char *name; /* hexadecimal */
	size_t size;	  /* bytes on disk */
	struct timespec used, made;
	const char *title; /* family, kind of input, options; "" if the entry is damaged */
	bool is_sound;	   /* its check holds */
};

/*
 * Calls `visit` for each entry, oldest use first; `remove` says whether to remove it, given its
 * answer. The folder's path goes to `folder` (at most `size` bytes). False and a sentence without a
 * period in `folder`: there is no cache.
 */
typedef bool (*compile_cache_visit_fn)(const struct compile_cache_entry *entry, void *data);
bool compile_cache_each(
	compile_cache_visit_fn remove, void *data, char *folder, size_t folder_size);

#endif
