// SPDX-License-Identifier: MIT
#include "compile/cc/clang_pch.h"
#include "compile/cache/compile_cache.h"
#include "compile/cache/compile_cache_folder.h"
#include "compile/cc/clang_pch_options.h"
#include "compile/cache/compiler_fingerprint.h"
#include "util/util_file.h"
#include "util/util_log.h"
#include "util/util_settings.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The result object of clang (IOCLFEBinaryResult), a C++ object, as C sees it. */
struct answer {
	const struct answer_methods *methods;
};

struct answer_methods {
	size_t (*size)(const struct answer *);
	const void *(*code)(const struct answer *);
	const char *(*name)(const struct answer *);
	int (*type)(const struct answer *);
	const char *(*log)(const struct answer *);
	void (*release)(struct answer *);
};

/*
 * libopencl-clang's Compile, the same since its first version. 0 is success. It does nothing with
 * `pch`, whose name promises what this file is for.
 */
typedef int (*clang_fn)(const char *source, const char **headers, unsigned n_headers,
	const char **names, const char *pch, size_t pch_size, const char *options, const char *more,
	const char *version, struct answer **answer);

enum { MAX_INCLUDES = 4, MAX_TEXTS = 2 + MAX_INCLUDES, MAX_CALL_HEADERS = 64 };

/* The texts that come with clang, with a NUL each; further ones come with each call. */
static struct clang_pch_text own_texts[2];
static const char *const own_names[2] = { "opencl-c.h", "opencl-c-base.h" };
static clang_fn clang;
static unsigned char compiler[COMPILE_HASH_SIZE]; /* its identity */

/* The header that was used last, in a file in memory; -1: there is none, or it is of no use. */
static struct compile_cache_key last_key;
static int last_header = -1;

/* The arguments of a call of clang on which the header depends. */
struct setup {
	struct compile_cache_key key;
	const char *options, *more, *version;
	const char *names[MAX_INCLUDES]; /* of the files that `more` includes */
	const char *texts[MAX_INCLUDES];
	unsigned n_includes;
};

static bool has_texts; /* and the identity of the compiler: headers can be compiled */
static bool is_preparing;

/* The word behind the option at `*at`, if it is that one, copied; moves on. */
static bool next_include(const char **at, char *name, size_t size)
{
	static const char option[] = "-include ";
	const char *found = strstr(*at, option);

	if (!found)
		return false;
	found += strlen(option);
	size_t length = strcspn(found, " \t\"");
	*at = found + length;
	if (length >= size)
		length = 0;
	memcpy(name, found, length);
	name[length] = '\0';
	return true;
}

static int find_name(const char **names, unsigned n, const char *name)
{
	int found = -1;

	for (unsigned i = 0; i < n; i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}

/* False: one of the files is not there, or there twice. */
static bool take_includes(
	struct setup *setup, const char **headers, unsigned n_headers, const char **names)
{
	const char *at = setup->more;
	char name[64];

	while (next_include(&at, name, sizeof name)) {
		int found = find_name(names, n_headers, name);

		if (found < 0 || setup->n_includes == MAX_INCLUDES)
			return false;
		setup->names[setup->n_includes] = names[found];
		setup->texts[setup->n_includes++] = headers[found];
	}
	return true;
}

/*
 * Fills `setup`; its options are written to `kept`. False: the program cannot be built with a
 * compiled header.
 */
static bool describe(struct setup *setup, const char **headers, unsigned n_headers,
	const char **names, const char *options, char *kept)
{
	struct clang_pch_text texts[MAX_TEXTS] = { own_texts[0], own_texts[1] };
	struct sha256_ctx hash;

	if (!take_includes(setup, headers, n_headers, names))
		return false;
	for (unsigned i = 0; i < setup->n_includes; i++)
		texts[2 + i] = (struct clang_pch_text){ setup->texts[i], strlen(setup->texts[i]) };
	if (!clang_pch_options(options, texts, 2 + setup->n_includes, kept))
		return false;
	setup->options = kept;
	sha256_init(&hash);
	compile_hash_piece(&hash, "front-3", 7);
	compile_hash_piece(&hash, compiler, sizeof compiler);
	compile_hash_piece(&hash, kept, strlen(kept));
	compile_hash_piece(&hash, setup->more, strlen(setup->more));
	compile_hash_piece(&hash, setup->version, strlen(setup->version));
	for (unsigned i = 0; i < setup->n_includes; i++) {
		compile_hash_piece(&hash, setup->names[i], strlen(setup->names[i]));
		compile_hash_piece(&hash, setup->texts[i], strlen(setup->texts[i]));
	}
	sha256_digest(&hash, COMPILE_HASH_SIZE, setup->key.bytes);
	return true;
}

static int file_in_memory(const char *data, size_t size)
{
	int fd = memfd_create("zerocl-header", MFD_CLOEXEC);

	if (fd < 0 || util_file_write(fd, data, size))
		return fd;
	close(fd);
	return -1;
}

static void take_header(const struct compile_cache_key *key, int fd)
{
	if (last_header >= 0)
		close(last_header);
	last_header = fd;
	last_key = *key;
}

/* Loads the header that is installed or in the cache. False: there is none. */
static bool load_header(const struct compile_cache_key *key)
{
	struct compile_result kept = { 0 };

	if (!memcmp(key, &last_key, sizeof(last_key)))
		return true;
	if (!compile_cache_load_shipped(key, &kept) && !compile_cache_load(key, &kept))
		return false;
	take_header(key, kept.native ? file_in_memory(kept.native, kept.native_size) : -1);
	compile_result_finish(&kept);
	return true;
}

static void store_header(const struct setup *setup, int fd)
{
	const struct compile_request request = {
		.family = "header", .source = "", .options = setup->options
	};
	char log[] = "";
	off_t size = lseek(fd, 0, SEEK_END);
	void *data =
		size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	if (data == MAP_FAILED)
		return;
	const struct compile_result result = {
		.status = COMPILE_OK, .log = log, .native = data, .native_size = (size_t)size
	};
	compile_cache_store(&setup->key, &request, &result);
	munmap(data, (size_t)size);
}

static bool is_silent(int rc, const struct answer *answer)
{
	const char *log = answer ? answer->methods->log(answer) : NULL;

	return !rc && answer && (!log || !*log);
}

/*
 * Calls clang with the compiled header. Clang looks for the sources of the header where they were
 * when it was compiled, in the root folder (clang_pch_prepare), so they are passed once more under
 * those names.
 */
static int clang_with(const struct setup *setup, int fd, const char *source, const char **headers,
	unsigned n_headers, const char **names, const char *options, struct answer **answer)
{
	const char *all[MAX_CALL_HEADERS], *all_names[MAX_CALL_HEADERS];
	char paths[MAX_TEXTS][68], *more;
	unsigned n = n_headers;

	*answer = NULL;
	if (n_headers > MAX_CALL_HEADERS - MAX_TEXTS ||
		asprintf(&more, "%s -include-pch /proc/self/fd/%d", setup->more, fd) < 0)
		return -1;
	for (unsigned i = 0; i < n_headers; i++) {
		all[i] = headers[i];
		all_names[i] = names[i];
	}
	for (unsigned i = 0; i < 2 + setup->n_includes; i++, n++) {
		snprintf(paths[i], sizeof paths[i], "/%s",
			i < 2 ? own_names[i] : setup->names[i - 2]);
		all[n] = i < 2 ? own_texts[i].text : setup->texts[i - 2];
		all_names[n] = paths[i];
	}
	int rc = clang(source, all, n, all_names, NULL, 0, options, more, setup->version, answer);
	free(more);
	return rc;
}

/* `more` without the option that asks for SPIR-V. */
static char *header_options(const char *more, int fd)
{
	static const char order[] = "-emit-spirv";
	char *text;

	if (asprintf(&text, "%s -emit-pch -o /proc/self/fd/%d", more, fd) < 0)
		return NULL;
	for (char *at; (at = strstr(text, order));)
		memset(at, ' ', strlen(order));
	return text;
}

/* Compiles the header, in the root folder (see clang_with), and keeps it. */
static void compile_header(const struct setup *setup)
{
	const char *texts[MAX_INCLUDES], *names[MAX_INCLUDES];
	struct answer *answer = NULL;
	int fd = memfd_create("zerocl-header", MFD_CLOEXEC);
	char *more = fd >= 0 ? header_options(setup->more, fd) : NULL;

	memcpy(texts, setup->texts, sizeof(texts));
	memcpy(names, setup->names, sizeof(names));
	int rc = !more || chdir("/") ? -1
				     : clang("\n", texts, setup->n_includes, names, NULL, 0,
					       setup->options, more, setup->version, &answer);
	if (is_silent(rc, answer))
		store_header(setup, fd);
	if (answer)
		answer->methods->release(answer);
	free(more);
	if (fd >= 0)
		close(fd);
}

/* The same in a process of its own: it takes longer than a build, and outlives this process. */
static void start_header(const struct setup *setup)
{
	char path[PATH_MAX];
	/* Without a folder there is no cache. */
	int folder = compile_cache_open(false, path, sizeof(path));

	if (folder < 0)
		return;
	close(folder);
	/* Of no use until the next process, so that it is tried once only. */
	take_header(&setup->key, -1);
	signal(SIGCHLD, SIG_IGN);
	if (fork())
		return;
	close_range(STDERR_FILENO + 1, ~0u, 0);
	compile_header(setup);
	_exit(0);
}

/* clang's function, with the compiled header if that is ready and the program is silent. */
static int clang_or_header(const char *source, const char **headers, unsigned n_headers,
	const char **names, const char *pch, size_t pch_size, const char *options, const char *more,
	const char *version, struct answer **answer)
{
	struct setup setup = { .more = more, .version = version };
	char *kept = malloc(strlen(options) + 2);
	bool is_known = kept && clang && has_texts && !pch && answer &&
			describe(&setup, headers, n_headers, names, options, kept);
	int rc = -1;

	if (is_known && is_preparing) {
		compile_header(&setup);
	} else if (is_known && !load_header(&setup.key)) {
		start_header(&setup);
	} else if (is_known && last_header >= 0) {
		rc = clang_with(
			&setup, last_header, source, headers, n_headers, names, options, answer);
		if (is_silent(rc, *answer)) {
			util_log(UTIL_LOG_DEBUG, "compile", "front end: the header was ready");
			free(kept);
			return rc;
		}
		if (*answer)
			(*answer)->methods->release(*answer);
		*answer = NULL;
	}
	free(kept);
	return clang ? clang(source, headers, n_headers, names, pch, pch_size, options, more,
			       version, answer)
		     : -1;
}

/*
 * The front end's header declares what fetches and modifies an atomic_uint for an operand of type
 * int too, but only for generic pointers; clang's own has each address space since OpenCL C 3.0.
 * There, neither is better for atomic_fetch_add(n, 1) with a global n. Newer front ends leave those
 * declarations out; here they repeat the ones for uint. Returns NULL if the text has none, or
 * without memory; the caller frees it.
 */
static char *mend_header(const char *text)
{
	static const char *const declared[] = { "atomic_fetch_prototype(KEY, uint, int)",
		"atomic_uint *object, int operand" };
	char *mended = NULL;

	for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
		const char *found = strstr(mended ? mended : text, declared[i]);

		if (found && !mended && (mended = strdup(text)))
			found = mended + (found - text);
		for (; found && mended; found = strstr(found, declared[i]))
			memcpy(mended + (strstr(found, ", int") - mended), ",uint", 5);
	}
	return mended;
}

__attribute__((visibility("default"))) int Compile(const char *source, const char **headers,
	unsigned n_headers, const char **names, const char *pch, size_t pch_size,
	const char *options, const char *more, const char *version, struct answer **answer);

/*
 * The front end's calls of clang resolve to this function and not to libopencl-clang's, because
 * the dynamic linker looks into the executable first. Returns what clang's function returns.
 */
int Compile(const char *source, const char **headers, unsigned n_headers, const char **names,
	const char *pch, size_t pch_size, const char *options, const char *more,
	const char *version, struct answer **answer)
{
	const char *texts[MAX_CALL_HEADERS];
	char *mended[MAX_CALL_HEADERS] = { 0 };
	bool is_many = n_headers > MAX_CALL_HEADERS;

	for (unsigned i = 0; i < n_headers && !is_many; i++) {
		mended[i] = mend_header(headers[i]);
		texts[i] = mended[i] ? mended[i] : headers[i];
	}
	int rc = clang_or_header(source, is_many ? headers : texts, n_headers, names, pch, pch_size,
		options, more, version, answer);
	for (unsigned i = 0; i < n_headers && !is_many; i++)
		free(mended[i]);
	return rc;
}

void clang_pch_prepare(void)
{
	is_preparing = true;
}

static void find_text(void *handle, const char *name, struct clang_pch_text *text)
{
	char size_name[64];

	snprintf(size_name, sizeof size_name, "%s_size", name);
	const uint32_t *size = dlsym(handle, size_name);
	const char *found = dlsym(handle, name);
	text->text = found && size ? strndup(found, *size) : NULL;
	text->size = text->text ? strlen(text->text) : 0;
}

void clang_pch_install(void *handle)
{
	const char *asked = util_settings()->front_end;
	char *identity;
	struct sha256_ctx hash;

	*(void **)&clang = dlsym(handle, "Compile");
	if (asked && !strcmp(asked, "stock"))
		return;
	find_text(handle, "PCM_OPENCL_C_H", &own_texts[0]);
	find_text(handle, "PCM_OPENCL_C_BASE_H", &own_texts[1]);
	if (!own_texts[0].size || !own_texts[1].size)
		return;
	identity = compiler_fingerprint_create();
	if (!identity)
		return;
	sha256_init(&hash);
	compiler_fingerprint_hash(identity, &hash);
	sha256_digest(&hash, COMPILE_HASH_SIZE, compiler);
	free(identity);
	has_texts = true;
}
