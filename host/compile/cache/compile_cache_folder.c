// SPDX-License-Identifier: MIT
#include "compile/cache/compile_cache_folder.h"

#include "compile/cache/compile_cache.h"
#include "util/util_file.h"
#include "util/util_log.h"
#include "util/util_settings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_SIZE ((uint64_t)1 << 30)
/* Files under names to come that are older than this are of processes that died. */
#define STALE_SECONDS 3600

/* The folder within that named by the user: another format of entries gets another one. */
static const char format_name[] = "v1";

void compile_cache_complain(const char *what, const char *name)
{
	static atomic_bool said;
	enum util_log_level level = atomic_exchange(&said, true) ? UTIL_LOG_DEBUG : UTIL_LOG_WARN;

	util_log(level, "compile", "cache: %s %s: %s", what, name, strerror(errno));
}

bool compile_cache_on(void)
{
	const char *asked = util_settings()->cache;

	return !asked || strcmp(asked, "0") != 0;
}

/* The home folder that the user's record names; false if there is none. */
static bool read_home(char *path, size_t size)
{
	struct passwd record, *found = NULL;
	char text[4096];
	const char *home = util_settings()->home;

	if (!home && !getpwuid_r(geteuid(), &record, text, sizeof(text), &found) && found)
		home = record.pw_dir;
	return home && *home == '/' && (size_t)snprintf(path, size, "%s/.cache", home) < size;
}

/* The folder of the user's; false and the reason in `path` if nothing names it. */
static bool choose_folder(char *path, size_t size)
{
	const char *asked = util_settings()->cache_folder;
	const char *base = util_settings()->user_cache_folder;
	char home[PATH_MAX];

	if (!compile_cache_on()) {
		snprintf(path, size, "ZEROCL_CACHE=0 turns it off");
		return false;
	}
	if (asked)
		return (size_t)snprintf(path, size, "%s", asked) < size;
	/* One that is not absolute is to be ignored, its specification says. */
	if ((!base || *base != '/') && read_home(home, sizeof(home)))
		base = home;
	if (base && *base == '/')
		return (size_t)snprintf(path, size, "%s/zerocl", base) < size;
	snprintf(path, size, "neither XDG_CACHE_HOME nor HOME says where it is");
	return false;
}

static bool make_folders(char *path)
{
	for (char *at = path + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		int rc = mkdir(path, 0700);
		*at = '/';
		if (rc && errno != EEXIST && errno != EROFS && errno != EACCES)
			return false;
	}
	return !mkdir(path, 0700) || errno == EEXIST;
}

/* Ours and nobody else's: native code that another user put here would run as us. */
static bool is_ours_alone(int folder)
{
	struct stat status;

	if (fstat(folder, &status) || status.st_uid != geteuid()) {
		errno = EPERM;
		return false;
	}
	return !(status.st_mode & 077) || !fchmod(folder, 0700);
}

int compile_cache_open(bool make, char *path, size_t size)
{
	char whole[PATH_MAX];

	if (!choose_folder(path, size))
		return -1;
	if ((size_t)snprintf(whole, sizeof(whole), "%s/%s", path, format_name) >= sizeof(whole)) {
		snprintf(path, size, "the name of its folder is too long");
		return -1;
	}
	if (make && !make_folders(whole))
		compile_cache_complain("cannot make", whole);
	int folder = open(whole, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder >= 0 && is_ours_alone(folder)) {
		snprintf(path, size, "%s", whole);
		return folder;
	}
	if (errno == ENOENT && !make)
		snprintf(path, size, "%s is not there: nothing was kept yet", whole);
	else
		snprintf(path, size, "%s: %s", whole, strerror(errno));
	if (folder >= 0)
		close(folder);
	return -1;
}

int compile_cache_file(int folder, const char *name)
{
	struct stat status;
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOATIME | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && !(status.st_mode & S_IWOTH) &&
		(status.st_uid == geteuid() || status.st_uid == 0))
		return fd;
	close(fd);
	return -1;
}

static bool fits_limit(const struct iovec *parts, int n_parts)
{
	size_t size = 0;

	for (int i = 0; i < n_parts; i++)
		size += parts[i].iov_len;
	if (util_file_fits(size))
		return true;
	errno = EFBIG;
	return false;
}

bool compile_cache_put(int folder, const char *name, const struct iovec *parts, int n_parts)
{
	static atomic_uint count;
	char other[64];
	struct timespec now;
	int fd;

	if (!fits_limit(parts, n_parts))
		return false;
	do {
		clock_gettime(CLOCK_REALTIME, &now);
		snprintf(other, sizeof(other), "new-%d-%u-%ld", (int)getpid(),
			atomic_fetch_add(&count, 1), now.tv_nsec);
		fd = openat(
			folder, other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	} while (fd < 0 && errno == EEXIST);
	if (fd < 0)
		return false;
	bool ok = true;
	for (int i = 0; ok && i < n_parts; i++)
		ok = util_file_write(fd, parts[i].iov_base, parts[i].iov_len);
	/* No fsync: a file that lost its bytes with the power fails its check. */
	ok = !close(fd) && ok;
	ok = ok && !renameat(folder, other, folder, name);
	if (!ok) {
		int error = errno;
		unlinkat(folder, other, 0);
		errno = error;
	}
	return ok;
}

static int by_use(const void *a, const void *b)
{
	const struct compile_cache_file *left = a, *right = b;

	if (left->used.tv_sec != right->used.tv_sec)
		return left->used.tv_sec < right->used.tv_sec ? -1 : 1;
	return (left->used.tv_nsec > right->used.tv_nsec) -
	       (left->used.tv_nsec < right->used.tv_nsec);
}

/* Adds the file if it is an entry, and removes it if a process left it half written. */
static bool take_file(
	int folder, const char *name, struct compile_cache_file **files, size_t *n, size_t *room)
{
	struct stat status;
	size_t length = strlen(name);

	if ((length != COMPILE_CACHE_NAME && strncmp(name, "new-", 4) != 0) ||
		fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW))
		return true;
	if (length != COMPILE_CACHE_NAME) {
		if (status.st_mtim.tv_sec < time(NULL) - STALE_SECONDS)
			unlinkat(folder, name, 0);
		return true;
	}
	if (*n == *room) {
		size_t more = *room ? *room * 2 : 64;
		void *grown = realloc(*files, more * sizeof **files);
		if (!grown)
			return false;
		*files = grown;
		*room = more;
	}
	struct compile_cache_file *file = &(*files)[(*n)++];
	memcpy(file->name, name, COMPILE_CACHE_NAME + 1);
	file->size = (size_t)status.st_blocks * 512;
	file->used = status.st_atim;
	file->made = status.st_mtim;
	return true;
}

struct compile_cache_file *compile_cache_files(int folder, size_t *n)
{
	struct compile_cache_file *files = NULL;
	size_t room = 0;
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = copy >= 0 ? fdopendir(copy) : NULL;

	*n = 0;
	if (!list) {
		if (copy >= 0)
			close(copy);
		return NULL;
	}
	bool ok = true;
	for (struct dirent *entry; ok && (entry = readdir(list));)
		ok = take_file(folder, entry->d_name, &files, n, &room);
	closedir(list);
	if (files)
		qsort(files, *n, sizeof(*files), by_use);
	return files;
}

static uint64_t size_limit(void)
{
	uint64_t mib = util_settings()->cache_size_mib;

	return mib ? mib << 20 : DEFAULT_SIZE;
}

/*
 * Looks when this process stores for the first time and then after each 64th of the limit, so that
 * processes that store a lot together pass it by little; what is left then is three quarters.
 */
void compile_cache_trim(int folder, size_t added)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static bool looked;
	static uint64_t since;
	const uint64_t limit = size_limit();
	uint64_t total = 0;
	size_t n, removed = 0;

	pthread_mutex_lock(&lock);
	since += added;
	bool is_time = !looked || since > limit / 64;
	looked = true;
	if (is_time)
		since = 0;
	pthread_mutex_unlock(&lock);
	if (!is_time)
		return;
	struct compile_cache_file *files = compile_cache_files(folder, &n);
	for (size_t i = 0; i < n; i++)
		total += files[i].size;
	if (total > limit - limit / 8)
		for (; removed < n && total > limit - limit / 4; removed++) {
			unlinkat(folder, files[removed].name, 0);
			total -= files[removed].size;
		}
	free(files);
	if (removed)
		util_log(UTIL_LOG_INFO, "compile", "cache: %zu of %zu entries removed", removed, n);
}
