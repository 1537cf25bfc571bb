// SPDX-License-Identifier: MIT
#include "door/door_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "drm/memory/drm_raw.h"
#include "i915/i915_ioctl.h"
#include "util/util_file.h"
#include "util/util_log.h"
#include "util/util_settings.h"

enum { MOST_FDS = 65536 };

static _Atomic(struct door_file *) files[MOST_FDS];
static atomic_int highest = -1;
/* Taken before the device's lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct drm_device *devices[DOOR_MAX_DEVICES]; /* under lock */
/* Between vfork and exec a child has this memory, but descriptors of its own. */
static atomic_int owner;

/* ZEROCL_VGPU's name for the device, up to a comma; NULL: it names none, and the first is meant. */
static const char *find_name(unsigned number, size_t *size)
{
	const char *name = util_settings()->device;

	for (; name && number; number--)
		name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL;
	*size = name ? strcspn(name, ",") : 0;
	return name;
}

const struct gen_device *door_gen(unsigned number)
{
	char name[32] = "";
	size_t size;
	const char *asked = find_name(number, &size);
	const struct gen_device *gen, *row;

	if (size < sizeof(name) && asked)
		memcpy(name, asked, size);
	gen = gen_device_find(asked ? name : NULL);
	if (gen)
		return gen;
	if (strcmp(name, "list") != 0)
		util_log(UTIL_LOG_ERROR, "door",
			"ZEROCL_VGPU=%s: no such device; ZEROCL_VGPU=list prints them", asked);
	else
		for (unsigned i = 0; (row = gen_device_row(i)); i++)
			fprintf(stderr, "%-8s 8086:%04x %-8s %s, %u EUs\n", row->name, row->pci_id,
				row->family->name, row->product,
				(unsigned)(row->subslices * row->eus_per_subslice));
	return NULL;
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < DOOR_MAX_DEVICES; i++)
		if (devices[i])
			pthread_mutex_lock(&devices[i]->lock);
}

static void after_fork(void)
{
	for (unsigned i = 0; i < DOOR_MAX_DEVICES; i++)
		if (devices[i])
			pthread_mutex_unlock(&devices[i]->lock);
	pthread_mutex_unlock(&lock);
}

/* The device's threads are the parent's. The child may open the device anew. */
static void after_fork_in_child(void)
{
	for (int fd = 0; fd <= atomic_load(&highest); fd++) {
		struct door_file *file = atomic_load(&files[fd]);
		if (file && file->drm)
			file->drm->dead = true;
	}
	after_fork();
	memset(devices, 0, sizeof(devices));
	atomic_store(&owner, getpid());
}

static void at_exit(void)
{
	enum { GRACE_MS = 1000 };
	struct drm_device *found;

	for (unsigned i = 0; i < DOOR_MAX_DEVICES; i++)
		if ((found = door_device(i)))
			drm_device_leave(found, GRACE_MS);
}

static void set_handlers(void)
{
	pthread_atfork(before_fork, after_fork, after_fork_in_child);
	atexit(at_exit); /* before the destructors of a driver, which may wait */
	atomic_store(&owner, getpid());
}

/* With the lock held. */
static int make_device(unsigned number)
{
	const struct gen_device *gen;

	if (devices[number])
		return 0;
	gen = door_gen(number);
	if (!gen)
		return -ENODEV;
	devices[number] = drm_device_create(gen, &i915_front, util_settings()->null_execution);
	if (!devices[number])
		return -ENOMEM;
	return 0;
}

struct drm_device *door_device(unsigned number)
{
	struct drm_device *found;

	pthread_mutex_lock(&lock);
	found = number < DOOR_MAX_DEVICES ? devices[number] : NULL;
	pthread_mutex_unlock(&lock);
	return found;
}

/* Records what the descriptor is. Takes the caller's reference. */
static void set_entry(int fd, struct door_file *file)
{
	door_file_forget(fd); /* a number whose last owner closed it by a system call of its own */
	pthread_mutex_lock(&lock);
	if (fd > atomic_load(&highest))
		atomic_store(&highest, fd);
	atomic_store(&files[fd], file);
	pthread_mutex_unlock(&lock);
}

/* A memory file. Returns its descriptor or a negative errno. */
static int make_memory(const char *name, int flags)
{
	int fd = drm_raw_memfd(name);

	if (fd >= 0 && !(flags & O_CLOEXEC))
		drm_raw_fcntl(fd, F_SETFD, 0);
	return fd;
}

/*
 * Moves a descriptor to where applications that close those they do not know seldom look: daemons
 * close 3 to 1023. The limit counts when a descriptor is made, and not for one that is there.
 */
static int move_up(int fd, int flags)
{
	enum { FIRST = 4096, SPARE = 64 };
	int command = flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD;
	struct rlimit limit, higher;
	int moved;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_max < FIRST + SPARE)
		return fd;
	higher = limit;
	if (limit.rlim_cur < FIRST + SPARE)
		higher.rlim_cur = FIRST + SPARE;
	if (higher.rlim_cur != limit.rlim_cur)
		(void)setrlimit(RLIMIT_NOFILE, &higher);
	moved = (int)drm_raw_fcntl(fd, command, FIRST);
	if (higher.rlim_cur != limit.rlim_cur)
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	if (moved < 0)
		return fd;
	drm_raw_close(fd);
	return moved;
}

/* A memory file that holds the node's text, read from its start. */
static int open_text(const struct door_node *node, int flags)
{
	const struct gen_device *gen = door_gen(node->device);
	char text[DOOR_TEXT_BYTES];
	size_t length;
	int saved = errno;
	int fd;

	if (!gen)
		return -ENODEV;
	length = door_tree_read(node, gen, text);
	if (!util_file_fits(length))
		return -EIO;
	fd = make_memory("i915-sysfs", flags);
	if (fd < 0)
		return fd;
	if (pwrite(fd, text, length, 0) != (ssize_t)length) {
		errno = saved;
		drm_raw_close(fd);
		return -EIO;
	}
	drm_raw_fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	return fd;
}

/* Makes what a descriptor stands for. */
static int create(const struct door_node *node, int fd, int flags, struct door_file **out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct stat status;
	int rc = fd < MOST_FDS ? drm_raw_fstat(fd, &status) : -EMFILE;
	struct door_file *file = rc ? NULL : calloc(1, sizeof(*file));

	if (!file)
		return rc ? rc : -ENOMEM;
	pthread_once(&once, set_handlers);
	file->node = node;
	file->inode = status.st_ino;
	file->inode_device = status.st_dev;
	file->shared = node->kind == DOOR_SHARED && S_ISDIR(status.st_mode);
	atomic_init(&file->refs, 1);
	if (node->kind == DOOR_DEVICE && !(flags & O_PATH)) {
		pthread_mutex_lock(&lock);
		rc = make_device(node->device);
		if (rc == 0)
			rc = drm_file_open(devices[node->device], &file->drm);
		pthread_mutex_unlock(&lock);
	}
	if (rc) {
		free(file);
		return rc;
	}
	*out = file;
	return 0;
}

int door_file_open(const struct door_node *node, int flags)
{
	bool folder = door_node_is_folder(node);
	struct door_file *file;
	int fd;
	int rc;

	if (flags & O_PATH)
		flags &= O_PATH | O_DIRECTORY | O_CLOEXEC;
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return -EEXIST;
	if (folder && (flags & (O_ACCMODE | O_CREAT | O_TRUNC)))
		return -EISDIR;
	if (!folder && (flags & O_DIRECTORY))
		return -ENOTDIR;
	if (node->kind == DOOR_LINK && !(flags & O_PATH))
		return -ELOOP;
	if (node->kind == DOOR_TEXT && !(flags & O_PATH))
		return (flags & O_ACCMODE) == O_RDONLY ? open_text(node, flags) : -EACCES;
	fd = make_memory(folder ? "i915-folder" : "i915", flags);
	if (fd < 0)
		return fd;
	if (node->kind == DOOR_DEVICE)
		fd = move_up(fd, flags);
	rc = create(node, fd, flags, &file);
	if (rc) {
		drm_raw_close(fd);
		return rc;
	}
	set_entry(fd, file);
	return fd;
}

int door_file_share(const struct door_node *node, int fd)
{
	struct door_file *file;

	door_file_forget(fd);
	if (fd >= 0 && node && create(node, fd, O_PATH, &file) == 0)
		set_entry(fd, file);
	return fd;
}

void door_file_put(struct door_file *file)
{
	if (atomic_fetch_sub_explicit(&file->refs, 1, memory_order_acq_rel) != 1)
		return;
	if (file->drm)
		drm_file_close(file->drm);
	free(file);
}

/* Removes the entry, if it is `meant` (NULL: any file). */
static void forget(int fd, const struct door_file *meant)
{
	struct door_file *file;

	pthread_mutex_lock(&lock);
	file = atomic_load(&files[fd]);
	if (meant && file != meant)
		file = NULL;
	if (file)
		atomic_store(&files[fd], NULL);
	pthread_mutex_unlock(&lock);
	if (file)
		door_file_put(file);
}

static bool has_entry(int fd)
{
	return fd >= 0 && fd < MOST_FDS && atomic_load_explicit(&files[fd], memory_order_relaxed);
}

struct door_file *door_file_get(int fd)
{
	struct door_file *file;
	struct stat status;

	if (!has_entry(fd))
		return NULL;
	pthread_mutex_lock(&lock);
	file = atomic_load(&files[fd]);
	if (file)
		atomic_fetch_add_explicit(&file->refs, 1, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
	if (!file)
		return NULL;
	/* The number may have been closed and given out again by system calls that are not
	 * replaced. */
	if (drm_raw_fstat(fd, &status) == 0 && status.st_ino == file->inode &&
		status.st_dev == file->inode_device)
		return file;
	forget(fd, file);
	door_file_put(file);
	return NULL;
}

void door_file_forget(int fd)
{
	if (has_entry(fd) && atomic_load(&owner) == getpid())
		forget(fd, NULL);
}

int door_file_duplicate(int old, int fd)
{
	struct door_file *file = fd >= 0 && fd != old ? door_file_get(old) : NULL;

	if (!file) {
		if (fd != old)
			door_file_forget(fd);
	} else if (fd < MOST_FDS && atomic_load(&owner) == getpid()) {
		set_entry(fd, file);
	} else {
		door_file_put(file);
	}
	return fd;
}

int door_file_number(const char *path)
{
	char *end;
	long number;

	if (!path || strncmp(path, "/proc/", 6) != 0)
		return -1;
	path += 6;
	if (strncmp(path, "self/fd/", 8) == 0) {
		path += 8;
	} else {
		number = strtol(path, &end, 10);
		if (end == path || number != getpid() || strncmp(end, "/fd/", 4) != 0)
			return -1;
		path = end + 4;
	}
	number = strtol(path, &end, 10);
	return end != path && *end == '\0' && number >= 0 && number < 65536 ? (int)number : -1;
}

int door_file_find(int fd, const char *path, int flags, struct door_place *place)
{
	const int named = flags & AT_SYMLINK_NOFOLLOW ? -1 : door_file_number(path);
	struct door_file *file = named >= 0		  ? door_file_get(named)
				 : path && path[0] == '/' ? NULL
							  : door_file_get(fd);
	const struct door_node *node = file ? file->node : NULL;
	bool shared = file && file->shared;
	int rc;

	if (file)
		door_file_put(file);
	if (named >= 0 && node && !shared) {
		strcpy(place->canonical, node->path);
		place->path = path;
		place->node = node;
		return 0;
	}
	if (!node || !path || path[0]) {
		rc = door_tree_find(node && door_node_is_folder(node) ? node : NULL, path,
			!(flags & AT_SYMLINK_NOFOLLOW), place);
		/* Below a folder that is none on the machine there is nothing of the machine's. */
		return rc == DOOR_PASS && node && !shared && place->path == path ? -ENOENT : rc;
	}
	place->path = path;
	place->node = flags & AT_EMPTY_PATH ? node : NULL;
	return place->node && !shared ? 0 : DOOR_PASS;
}
