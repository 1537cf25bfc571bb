// SPDX-License-Identifier: MIT
#include "compile/cache/compile_cache.h"

#include "compile/cache/compile_cache_folder.h"
#include "util/util_log.h"
#include "util/util_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The parts of an entry, which follow its head. */
enum part { TITLE, LOG, SPIRV, NATIVE, FACTS, N_PARTS };

struct head {
	char magic[8];
	unsigned char key[COMPILE_HASH_SIZE];
	uint64_t sizes[N_PARTS]; /* bytes; ABSENT */
	XXH128_hash_t check;	 /* of the head up to here and of the parts */
};

#define ABSENT UINT64_MAX
static const char magic[8] = "zcl-3\r\n";

/* For so many bytes it is quicker to ask the kernel for all pages at once. */
#define MANY_BYTES ((size_t)128 << 10)
/* A page of this size takes as long as 100 small ones, and is worth it when half of it is used. */
#define LARGE_PAGE ((size_t)2 << 20)

/* Memory that is about to be written, or NULL. */
static char *get_room(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t whole = (size + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
	char *room;

	if (size >= LARGE_PAGE / 2 && (room = aligned_alloc(LARGE_PAGE, whole))) {
		madvise(room, whole, MADV_HUGEPAGE);
		madvise(room, (size + page - 1) & ~(page - 1), MADV_POPULATE_WRITE);
		return room;
	}
	room = malloc(size);
	const uintptr_t start = ((uintptr_t)room + page - 1) & ~(uintptr_t)(page - 1);
	if (room && size >= MANY_BYTES)
		madvise((void *)start, ((uintptr_t)room + size - start) & ~(page - 1),
			MADV_POPULATE_WRITE);
	return room;
}

static bool read_all(int fd, void *data, size_t size)
{
	char *next = data;

	while (size) {
		ssize_t n = read(fd, next, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		next += n;
		size -= (size_t)n;
	}
	return true;
}

static void start_check(XXH3_state_t *state, const struct head *head)
{
	XXH3_128bits_reset(state);
	XXH3_128bits_update(state, head, offsetof(struct head, check));
}

/* Whether the head is that of an entry of this size, so that its parts can be read. */
static bool is_head(const struct head *head, uint64_t file_size)
{
	uint64_t left = file_size - sizeof(*head);

	if (memcmp(head->magic, magic, sizeof(magic)) != 0)
		return false;
	for (size_t i = 0; i < N_PARTS; i++) {
		if (head->sizes[i] == ABSENT)
			continue;
		if (head->sizes[i] > left)
			return false;
		left -= head->sizes[i];
	}
	return !left && head->sizes[LOG] != ABSENT && head->sizes[TITLE] != ABSENT;
}

static void drop_parts(void *parts[N_PARTS])
{
	for (size_t i = 0; i < N_PARTS; i++) {
		free(parts[i]);
		parts[i] = NULL;
	}
}

/*
 * Reads and checks an entry, whose file it closes; its parts, each with a NUL after it, are to be
 * freed. False: there is none, or, if *is_damaged, a file that is to go.
 */
static bool read_entry(int fd, struct head *head, void *parts[N_PARTS], bool *is_damaged)
{
	struct stat status;
	XXH3_state_t state;

	memset(parts, 0, N_PARTS * sizeof(*parts));
	*is_damaged = false;
	if (fd < 0)
		return false;
	bool ok = !fstat(fd, &status) && (size_t)status.st_size >= sizeof(*head) &&
		  read_all(fd, head, sizeof(*head)) && is_head(head, (uint64_t)status.st_size);
	if (ok)
		start_check(&state, head);
	*is_damaged = !ok;
	for (size_t i = 0; ok && i < N_PARTS; i++) {
		if (head->sizes[i] == ABSENT)
			continue;
		size_t size = (size_t)head->sizes[i];
		char *part = parts[i] = get_room(size + 1);
		ok = part;
		if (ok && !(ok = read_all(fd, part, size)))
			*is_damaged = true;
		if (ok) {
			part[size] = '\0';
			XXH3_128bits_update(&state, part, size);
		}
	}
	if (ok && !XXH128_isEqual(XXH3_128bits_digest(&state), head->check))
		ok = !(*is_damaged = true);
	close(fd);
	if (!ok)
		drop_parts(parts);
	return ok;
}

static void take_parts(const struct head *head, void *parts[N_PARTS], struct compile_result *result)
{
	free(parts[TITLE]);
	*result = (struct compile_result){ .status = COMPILE_OK,
		.log = parts[LOG],
		.spirv = parts[SPIRV],
		.native = parts[NATIVE],
		.facts = parts[FACTS] };
	result->facts_size = parts[FACTS] ? (size_t)head->sizes[FACTS] : 0;
	result->spirv_size = parts[SPIRV] ? (size_t)head->sizes[SPIRV] : 0;
	result->native_size = parts[NATIVE] ? (size_t)head->sizes[NATIVE] : 0;
}

/* Loads an entry of the folder, which it closes; `path` is its. */
static bool load_from(int folder, const char *path, const struct compile_cache_key *key,
	struct compile_result *result)
{
	char name[COMPILE_HASH_TEXT];
	void *parts[N_PARTS];
	struct head head;
	bool is_damaged;

	if (folder < 0)
		return false;
	compile_hash_write(key->bytes, name);
	bool found = read_entry(compile_cache_file(folder, name), &head, parts, &is_damaged);
	if (found && memcmp(head.key, key->bytes, sizeof(head.key)) != 0) {
		found = false;
		is_damaged = true;
		drop_parts(parts);
	}
	/* File systems keep the time of access rarely or never. */
	const struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, { .tv_nsec = UTIME_OMIT } };
	if (found)
		utimensat(folder, name, times, 0);
	if (is_damaged) {
		util_log(UTIL_LOG_WARN, "compile", "cache: %s/%s is damaged", path, name);
		unlinkat(folder, name, 0);
	}
	close(folder);
	if (found)
		take_parts(&head, parts, result);
	return found;
}

bool compile_cache_load(const struct compile_cache_key *key, struct compile_result *result)
{
	char path[PATH_MAX];

	return load_from(compile_cache_open(false, path, sizeof(path)), path, key, result);
}

bool compile_cache_load_shipped(const struct compile_cache_key *key, struct compile_result *result)
{
	char *program = realpath("/proc/self/exe", NULL), *path = NULL;
	bool found = false;

	if (program && asprintf(&path, "%s/ready/v1", dirname(program)) >= 0) {
		found = load_from(
			open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path, key, result);
		free(path);
	}
	free(program);
	return found;
}

static void set_part(struct iovec *part, uint64_t *size, const void *data, size_t data_size)
{
	part->iov_base = (void *)(uintptr_t)data;
	part->iov_len = data ? data_size : 0;
	*size = data ? data_size : ABSENT;
}

static void store_entry(
	const struct compile_cache_key *key, const char *title, const struct compile_result *result)
{
	char path[PATH_MAX], name[COMPILE_HASH_TEXT];
	struct head head = { .sizes = { 0 } };
	struct iovec parts[1 + N_PARTS];
	XXH3_state_t state;
	int folder = compile_cache_open(true, path, sizeof(path));
	size_t size = 0;

	if (folder < 0) {
		compile_cache_complain("no folder", path);
		return;
	}
	memcpy(head.magic, magic, sizeof(magic));
	memcpy(head.key, key->bytes, sizeof(head.key));
	parts[0] = (struct iovec){ &head, sizeof(head) };
	set_part(&parts[1 + TITLE], &head.sizes[TITLE], title, strlen(title));
	set_part(&parts[1 + LOG], &head.sizes[LOG], result->log, strlen(result->log));
	set_part(&parts[1 + SPIRV], &head.sizes[SPIRV], result->spirv, result->spirv_size);
	set_part(&parts[1 + NATIVE], &head.sizes[NATIVE], result->native, result->native_size);
	set_part(&parts[1 + FACTS], &head.sizes[FACTS], result->facts, result->facts_size);
	start_check(&state, &head);
	for (size_t i = 1; i <= N_PARTS; i++)
		XXH3_128bits_update(&state, parts[i].iov_base, parts[i].iov_len);
	head.check = XXH3_128bits_digest(&state);
	for (size_t i = 0; i <= N_PARTS; i++)
		size += parts[i].iov_len;
	compile_hash_write(key->bytes, name);
	if (compile_cache_put(folder, name, parts, 1 + N_PARTS))
		compile_cache_trim(folder, size);
	else
		compile_cache_complain("cannot write to", path);
	close(folder);
}

void compile_cache_store(const struct compile_cache_key *key, const struct compile_request *request,
	const struct compile_result *result)
{
	char *title = NULL;

	if (asprintf(&title, "%s %s %s", request->family, request->source ? "source" : "SPIR-V",
		    request->options ? request->options : "") >= 0) {
		store_entry(key, title, result);
		free(title);
	}
}

static void name_fingerprint(const char *path, struct compile_cache_key *key)
{
	static const char kind[] = "compiler";
	const char *folders = util_settings()->library_path;
	struct sha256_ctx hash;

	sha256_init(&hash);
	compile_hash_piece(&hash, kind, sizeof(kind));
	compile_hash_piece(&hash, path, strlen(path));
	compile_hash_piece(&hash, folders, folders ? strlen(folders) : 0);
	sha256_digest(&hash, COMPILE_HASH_SIZE, key->bytes);
}

char *compile_cache_load_fingerprint(const char *path)
{
	struct compile_cache_key key;
	struct compile_result result = { 0 };

	name_fingerprint(path, &key);
	if (!compile_cache_load(&key, &result))
		return NULL;
	char *text = result.log;
	result.log = NULL;
	compile_result_finish(&result);
	return text;
}

void compile_cache_store_fingerprint(const char *path, const char *fingerprint)
{
	const struct compile_result result = { .log = (char *)(uintptr_t)fingerprint };
	struct compile_cache_key key;
	char *title = NULL;

	name_fingerprint(path, &key);
	if (asprintf(&title, "compiler %s", path) >= 0) {
		store_entry(&key, title, &result);
		free(title);
	}
}

bool compile_cache_each(
	compile_cache_visit_fn remove, void *data, char *folder_path, size_t folder_size)
{
	int folder = compile_cache_open(false, folder_path, folder_size);
	struct compile_cache_file *files;
	size_t n;

	if (folder < 0)
		return false;
	files = compile_cache_files(folder, &n);
	for (size_t i = 0; i < n; i++) {
		void *parts[N_PARTS];
		struct head head;
		bool is_damaged;
		struct compile_cache_entry entry = { .name = files[i].name,
			.size = files[i].size,
			.used = files[i].used,
			.made = files[i].made };
		entry.is_sound = read_entry(
			compile_cache_file(folder, files[i].name), &head, parts, &is_damaged);
		entry.title = entry.is_sound ? parts[TITLE] : "";
		if (remove(&entry, data))
			unlinkat(folder, files[i].name, 0);
		drop_parts(parts);
	}
	free(files);
	close(folder);
	return true;
}
