// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"
#include "compile/cache/compile_cache.h"
#include "compile/build/compile_helper.h"

#include "test_files.h"
#include "test_settings.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A folder for each test; entries are in v1 there. */
static char top[TEST_FOLDER_MAX], folder[96];

static const char source[] = "#warning kept\nkernel void k(global int *a) { a[0] = 1; }";

static int start(void **state)
{
	(void)state;
	test_folder_make(top, "cache");
	snprintf(folder, sizeof folder, "%s/v1", top);
	test_setting("ZEROCL_CACHE", NULL);
	test_setting("ZEROCL_CACHE_SIZE", NULL);
	test_setting("ZEROCL_CACHE_DIR", top);
	return 0;
}

static int end(void **state)
{
	(void)state;
	return test_folder_remove(top);
}

static struct compile_request make_request(const char *text, const char *options)
{
	return (struct compile_request){ .source = text,
		.source_size = strlen(text),
		.options = options,
		.family = "tgllp",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE };
}

/* A key that stands for a number, and a result whose bytes depend on it. */
static struct compile_cache_key make_key(unsigned number)
{
	struct compile_cache_key key = { .bytes = { 0 } };

	memset(key.bytes, 0x5a, sizeof key.bytes);
	memcpy(key.bytes, &number, sizeof number);
	return key;
}

static struct compile_result make_result(unsigned number, size_t size)
{
	struct compile_result result = { .log = strdup("some words\n"),
		.spirv = malloc(size),
		.spirv_size = size,
		.native = malloc(size * 2),
		.native_size = size * 2 };

	assert_true(result.log && result.spirv && result.native);
	for (size_t i = 0; i < size; i++)
		((unsigned char *)result.spirv)[i] = (unsigned char)(number * 7 + i);
	for (size_t i = 0; i < size * 2; i++)
		((unsigned char *)result.native)[i] = (unsigned char)(number * 13 + i * 3);
	return result;
}

static void store(unsigned number, size_t size)
{
	const struct compile_cache_key key = make_key(number);
	const struct compile_request request = make_request(source, "-DX=1");
	struct compile_result result = make_result(number, size);

	compile_cache_store(&key, &request, &result);
	compile_result_finish(&result);
}

/* 1: there and right; 0: a miss; -1: there and wrong. */
static int look(unsigned number, size_t size)
{
	const struct compile_cache_key key = make_key(number);
	struct compile_result want = make_result(number, size), got = { 0 };
	int answer = 0;

	if (compile_cache_load(&key, &got))
		answer = got.spirv_size == size && got.native_size == 2 * size &&
					 !memcmp(got.spirv, want.spirv, size) &&
					 !memcmp(got.native, want.native, 2 * size) &&
					 !strcmp(got.log, want.log)
				 ? 1
				 : -1;
	compile_result_finish(&want);
	compile_result_finish(&got);
	return answer;
}

/* Files in the folder whose names start so, and the path of the last. */
static int count_files(const char *with, char *path, size_t size)
{
	DIR *list = opendir(folder);
	int n = 0;

	for (struct dirent *entry; list && (entry = readdir(list));) {
		if (*entry->d_name == '.' || strncmp(entry->d_name, with, strlen(with)) != 0)
			continue;
		n++;
		if (path)
			snprintf(path, size, "%s/%s", folder, entry->d_name);
	}
	if (list)
		closedir(list);
	return n;
}

/* What a process of its own saw: nothing that this one has kept in memory helps it. */
struct sight {
	enum compile_status status;
	size_t helpers; /* that it started */
	size_t native_size;
	unsigned char native[COMPILE_HASH_SIZE], log[256];
};

static struct sight build_apart(const struct compile_request *request)
{
	struct sight *shared = mmap(
		NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	assert_ptr_not_equal(shared, MAP_FAILED);
	memset(shared, 0xa5, sizeof *shared);
	pid_t child = fork();
	if (!child) {
		struct compile_result result;
		struct sha256_ctx hash;
		pid_t pids[4];
		shared->status = compile_build(request, &result);
		shared->helpers = compile_helper_pids(pids, 4);
		shared->native_size = result.native_size;
		sha256_init(&hash);
		compile_hash_piece(&hash, result.native, result.native_size);
		sha256_digest(&hash, COMPILE_HASH_SIZE, shared->native);
		snprintf((char *)shared->log, sizeof shared->log, "%s", result.log);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	struct sight sight = *shared;
	munmap(shared, sizeof *shared);
	return sight;
}

static void second_build_needs_no_compiler(void **state)
{
	struct compile_request request = make_request(source, "-cl-std=CL2.0");

	(void)state;
	struct sight first = build_apart(&request), second = build_apart(&request);
	assert_int_equal(first.status, COMPILE_OK);
	assert_int_equal(first.helpers, 1);
	assert_non_null(strstr((char *)first.log, "warning: kept"));
	assert_int_equal(second.status, COMPILE_OK);
	assert_int_equal(second.helpers, 0);
	assert_int_equal(second.native_size, first.native_size);
	assert_memory_equal(second.native, first.native, sizeof first.native);
	assert_string_equal((char *)second.log, (char *)first.log);
	/* A failure is not kept, and neither is anything when the cache is off. */
	struct compile_request bad = make_request("kernel void k() { nosuch(); }", "");
	assert_int_equal(build_apart(&bad).status, COMPILE_ERROR);
	assert_int_equal(build_apart(&bad).helpers, 1);
	test_setting("ZEROCL_CACHE", "0");
	assert_int_equal(build_apart(&request).helpers, 1);
	test_setting("ZEROCL_CACHE", NULL);
	assert_int_equal(build_apart(&request).helpers, 0);
}

static void damaged_entries_are_built_again(void **state)
{
	const struct compile_request request = make_request(source, "");
	char path[512];

	(void)state;
	struct sight first = build_apart(&request);
	/* the program, and which compiler made it */
	assert_int_equal(count_files("", path, sizeof path), 2);
	DIR *list = opendir(folder);
	for (struct dirent *entry; (entry = readdir(list));) {
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		int fd = open(path, O_WRONLY);
		if (fd >= 0) {
			assert_int_equal(pwrite(fd, "\377\0\377\0", 4, 300), 4);
			close(fd);
		}
	}
	closedir(list);
	struct sight second = build_apart(&request), third = build_apart(&request);
	assert_int_equal(second.status, COMPILE_OK);
	assert_int_equal(second.helpers, 1);
	assert_memory_equal(second.native, first.native, sizeof first.native);
	assert_int_equal(third.helpers, 0);
	assert_memory_equal(third.native, first.native, sizeof first.native);
}

static void every_damaged_byte_is_noticed(void **state)
{
	char path[512], bytes[2048];

	(void)state;
	store(1, 100);
	assert_int_equal(look(1, 100), 1);
	assert_int_equal(count_files("", path, sizeof path), 1);
	int fd = open(path, O_RDONLY);
	ssize_t size = read(fd, bytes, sizeof bytes);
	close(fd);
	assert_true(size > 300 && size < (ssize_t)sizeof bytes);
	for (ssize_t i = 0; i < size; i++) {
		bytes[i] ^= 0x10;
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		assert_int_equal(write(fd, bytes, (size_t)size), size);
		close(fd);
		bytes[i] ^= 0x10;
		assert_int_equal(look(1, 100), 0);
		assert_int_equal(access(path, F_OK), -1);
	}
	for (ssize_t cut = 0; cut <= size + 1; cut++) {
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		assert_int_equal(write(fd, bytes, (size_t)(cut > size ? size : cut)),
			cut > size ? size : cut);
		if (cut > size)
			assert_int_equal(write(fd, "", 1), 1);
		close(fd);
		assert_int_equal(look(1, 100), cut == size);
	}
	/* Sound, but under another name. */
	store(1, 100);
	char other[512];
	strcpy(other, path);
	memcpy(other + strlen(folder) + 1, "02", 2);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(look(2, 100), 0);
}

/* One of eight: looks and stores without rest. Ends with 1 when it ever reads something wrong. */
static void race(unsigned seed)
{
	for (unsigned i = 0; i < 400; i++) {
		unsigned number = (i * 7 + seed) % 5;
		if (look(number, 3000 + number) < 0)
			_exit(1);
		if (i % 3 == 0)
			store(number, 3000 + number);
	}
	_exit(0);
}

static void eight_processes_race(void **state)
{
	pid_t children[8];
	int status, killed = 0;

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		children[i] = fork();
		if (!children[i])
			race(i);
	}
	/* Two of them die wherever they are. */
	usleep(20000);
	kill(children[3], SIGKILL);
	kill(children[6], SIGKILL);
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		if (WIFSIGNALED(status))
			killed++;
		else
			assert_int_equal(WEXITSTATUS(status), 0);
	}
	assert_true(killed <= 2);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(look(i, 3000 + i), 1);
	assert_true(count_files("new-", NULL, 0) <= killed);
}

/* Eight processes build the same two programs at once, all with an empty cache. */
static void eight_processes_build(void **state)
{
	const struct compile_request requests[2] = { make_request(source, ""),
		make_request(source, "-DTWO") };
	pid_t children[8];
	int status;

	(void)state;
	for (int i = 0; i < 8; i++) {
		children[i] = fork();
		if (!children[i]) {
			struct compile_result result;
			_exit(compile_build(&requests[i % 2], &result) != COMPILE_OK);
		}
	}
	for (int i = 0; i < 8; i++) {
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(build_apart(&requests[0]).helpers, 0);
	assert_int_equal(build_apart(&requests[1]).helpers, 0);
	assert_int_equal(count_files("new-", NULL, 0), 0);
}

/* 0: it is so; 77: this machine does not let us try. */
static int on_full_disk(void)
{
	const struct compile_request request = make_request(source, "");
	struct compile_result result;

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		mount("zerocl-test", top, "tmpfs", 0, "size=16k,mode=0700"))
		return 77;
	store(1, 100);
	if (look(1, 100) != 1)
		return 2;
	store(2, 100000);
	if (look(2, 100000) || look(1, 100) != 1 || count_files("new-", NULL, 0))
		return 3;
	if (compile_build(&request, &result) != COMPILE_OK || !result.native)
		return 4;
	/* Room again. */
	umount(top);
	return 0;
}

static void full_disk_loses_nothing(void **state)
{
	int status;

	(void)state;
	pid_t child = fork();
	if (!child)
		_exit(on_full_disk());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip_because("no file system can be mounted");
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* Writing beyond it would kill the process. */
static void file_size_limit_is_kept(void **state)
{
	const struct compile_request request = make_request(source, "");
	int status;

	(void)state;
	pid_t child = fork();
	if (!child) {
		const struct rlimit limit = { 2000, 2000 };
		struct compile_result result;
		setrlimit(RLIMIT_FSIZE, &limit);
		store(1, 100);
		store(2, 1000);
		int rc = look(1, 100) != 1 || look(2, 1000) != 0 ||
			 compile_build(&request, &result) != COMPILE_OK;
		_exit(rc);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(count_files("new-", NULL, 0), 0);
}

static void unusable_folders_are_no_error(void **state)
{
	const struct compile_request request = make_request(source, "");
	char path[128], words[256];

	(void)state;
	snprintf(path, sizeof path, "%s/file", top);
	close(open(path, O_WRONLY | O_CREAT, 0600));
	test_setting("ZEROCL_CACHE_DIR", path);
	assert_int_equal(build_apart(&request).status, COMPILE_OK);
	store(1, 100);
	assert_int_equal(look(1, 100), 0);
	assert_false(compile_cache_each(NULL, NULL, words, sizeof words));
	assert_non_null(strstr(words, path));
	test_setting("ZEROCL_CACHE_DIR", "/proc/self/nosuch");
	assert_int_equal(build_apart(&request).status, COMPILE_OK);
	test_setting("ZEROCL_CACHE_DIR", top);
	if (geteuid()) {
		assert_int_equal(chmod(top, 0500), 0);
		assert_int_equal(build_apart(&request).status, COMPILE_OK);
		assert_int_equal(chmod(top, 0700), 0);
	} else {
		/* Another user's: what it holds must not be run. */
		store(1, 100);
		assert_int_equal(look(1, 100), 1);
		assert_int_equal(chown(folder, 65534, 65534), 0);
		assert_int_equal(look(1, 100), 0);
		assert_int_equal(build_apart(&request).status, COMPILE_OK);
	}
}

static void folder_is_private(void **state)
{
	struct stat status;
	char path[512], other[512];

	(void)state;
	mode_t mask = umask(0);
	store(1, 100);
	umask(mask);
	assert_int_equal(stat(folder, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0700);
	assert_int_equal(count_files("", path, sizeof path), 1);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	assert_int_equal(chmod(folder, 0777), 0);
	assert_int_equal(look(1, 100), 1);
	assert_int_equal(stat(folder, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0700);
	/* A link is no entry, wherever it leads. */
	snprintf(other, sizeof other, "%s/elsewhere", top);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(other, path), 0);
	assert_int_equal(look(1, 100), 0);
}

static bool sum_up(const struct compile_cache_entry *entry, void *data)
{
	*(size_t *)data += entry->size;
	return false;
}

static void oldest_go_first(void **state)
{
	char words[256];
	size_t total = 0;

	(void)state;
	test_setting("ZEROCL_CACHE_SIZE", "1");
	for (unsigned i = 0; i < 40; i++) {
		store(i, 20000);
		/* This one stays in use. */
		assert_int_equal(look(0, 20000), 1);
	}
	assert_true(compile_cache_each(sum_up, &total, words, sizeof words));
	assert_true(total <= 1 << 20);
	assert_true(total >= 1 << 19);
	assert_int_equal(look(1, 20000), 0);
	assert_int_equal(look(2, 20000), 0);
	assert_int_equal(look(39, 20000), 1);
	assert_int_equal(look(38, 20000), 1);
}

struct walk {
	unsigned n, sound, titled;
	bool remove_damaged;
};

static bool walk(const struct compile_cache_entry *entry, void *data)
{
	struct walk *found = data;

	found->n++;
	found->sound += entry->is_sound;
	found->titled += !strcmp(entry->title, "tgllp source -DX=1");
	return found->remove_damaged && !entry->is_sound;
}

static void entries_are_listed(void **state)
{
	struct walk found = { 0 };
	char words[256], path[256];

	(void)state;
	assert_false(compile_cache_each(walk, &found, words, sizeof words));
	assert_non_null(strstr(words, "nothing was kept yet"));
	store(1, 10);
	count_files("", path, sizeof path);
	store(2, 10);
	int fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	assert_true(compile_cache_each(walk, &found, words, sizeof words));
	assert_string_equal(words, folder);
	assert_int_equal(found.n, 2);
	assert_int_equal(found.sound, 1);
	assert_int_equal(found.titled, 1);
	found = (struct walk){ .remove_damaged = true };
	assert_true(compile_cache_each(walk, &found, words, sizeof words));
	assert_int_equal(count_files("", NULL, 0), 1);
	assert_int_equal(look(2, 10), 1);
}

static bool count_native(const struct compile_cache_entry *entry, void *n)
{
	*(unsigned *)n += !strncmp(entry->title, "tgllp SPIR-V", 12);
	return false;
}

/* Of a source that includes a file, native code is kept for the SPIR-V that it becomes. */
static void inclusions_are_read_each_time(void **state)
{
	static const char text[] = "#include \"value.h\"\n"
				   "kernel void k(global int *a) { a[0] = VALUE; }";
	static const char *const values[] = { "#define VALUE 1\n", "#define VALUE 1 // one\n",
		"#define VALUE 2\n" };
	struct compile_result results[3] = { { .status = COMPILE_OK } };
	char path[96], options[80], words[256];

	(void)state;
	snprintf(path, sizeof path, "%s/value.h", top);
	snprintf(options, sizeof options, "-I %s", top);
	const struct compile_request request = make_request(text, options);
	for (unsigned i = 0; i < 3; i++) {
		unsigned n = 0;

		test_write_text(path, values[i]);
		assert_int_equal(compile_build(&request, &results[i]), COMPILE_OK);
		assert_true(compile_cache_each(count_native, &n, words, sizeof words));
		assert_int_equal(n, i == 2 ? 2 : 1);
		assert_true(results[i].facts_size > 0);
	}
	assert_int_equal(results[0].native_size, results[1].native_size);
	assert_memory_equal(results[0].native, results[1].native, results[0].native_size);
	assert_int_equal(results[0].spirv_size, results[2].spirv_size);
	assert_memory_not_equal(results[0].spirv, results[2].spirv, results[0].spirv_size);
	for (unsigned i = 0; i < 3; i++)
		compile_result_finish(&results[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(second_build_needs_no_compiler, start, end),
		cmocka_unit_test_setup_teardown(damaged_entries_are_built_again, start, end),
		cmocka_unit_test_setup_teardown(every_damaged_byte_is_noticed, start, end),
		cmocka_unit_test_setup_teardown(eight_processes_race, start, end),
		cmocka_unit_test_setup_teardown(eight_processes_build, start, end),
		cmocka_unit_test_setup_teardown(full_disk_loses_nothing, start, end),
		cmocka_unit_test_setup_teardown(file_size_limit_is_kept, start, end),
		cmocka_unit_test_setup_teardown(unusable_folders_are_no_error, start, end),
		cmocka_unit_test_setup_teardown(folder_is_private, start, end),
		cmocka_unit_test_setup_teardown(oldest_go_first, start, end),
		cmocka_unit_test_setup_teardown(entries_are_listed, start, end),
		cmocka_unit_test_setup_teardown(inclusions_are_read_each_time, start, end),
	};

	return cmocka_run_group_tests_name("compile_cache", tests, NULL, NULL);
}
