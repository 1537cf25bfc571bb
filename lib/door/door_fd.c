// SPDX-License-Identifier: MIT
#include "door/door_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drm/memory/drm_raw.h"
#include "i915/i915_ioctl.h"
#include "util/util_log.h"

enum { MOST_FDS = 65536 };

static _Atomic(struct drm_file *) files[MOST_FDS];
static atomic_int highest = -1;
/* Taken before the device's lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct drm_device *device; /* under lock */
static bool handlers_set;
/* Between vfork and exec a child has our memory, but descriptors of its own. */
static atomic_int owner;

const struct gen_device *door_fd_gen(void)
{
	const char *name = getenv("ZEROCL_VGPU");
	const struct gen_device *gen = gen_device_find(name && *name ? name : NULL);

	if (!gen)
		util_log(UTIL_LOG_ERROR, "i915", "ZEROCL_VGPU=%s: no such device", name);
	return gen;
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
	if (device)
		pthread_mutex_lock(&device->lock);
}

static void after_fork(void)
{
	if (device)
		pthread_mutex_unlock(&device->lock);
	pthread_mutex_unlock(&lock);
}

/* The device's threads are the parent's. The child may open the device anew. */
static void after_fork_in_child(void)
{
	for (int fd = 0; fd <= atomic_load(&highest); fd++) {
		struct drm_file *file = atomic_load(&files[fd]);
		if (file)
			file->dead = true;
	}
	after_fork();
	device = NULL;
	atomic_store(&owner, getpid());
}

static void at_exit(void)
{
	enum { GRACE_MS = 1000 };
	struct drm_device *found = door_fd_device();

	if (found)
		drm_device_leave(found, GRACE_MS);
}

static int make_device(void)
{
	const char *null = getenv("ZEROCL_VGPU_NULL");
	const struct gen_device *gen = door_fd_gen();

	if (device)
		return 0;
	if (!gen)
		return -ENODEV;
	device = drm_device_create(gen, &i915_front, null && *null && strcmp(null, "0") != 0);
	if (!device)
		return -ENOMEM;
	if (!handlers_set) {
		pthread_atfork(before_fork, after_fork, after_fork_in_child);
		atexit(at_exit); /* before the destructors of a driver, which may wait */
	}
	handlers_set = true;
	atomic_store(&owner, getpid());
	return 0;
}

struct drm_device *door_fd_device(void)
{
	struct drm_device *found;

	pthread_mutex_lock(&lock);
	found = device;
	pthread_mutex_unlock(&lock);
	return found;
}

/* With the lock held. Takes the caller's reference over. */
static void put_entry(int fd, struct drm_file *file)
{
	if (fd > atomic_load(&highest))
		atomic_store(&highest, fd);
	atomic_store(&files[fd], file);
}

int door_fd_open(unsigned minor, bool close_on_exec)
{
	struct drm_file *file = NULL;
	struct stat status;
	int fd;
	int rc;

	pthread_mutex_lock(&lock);
	rc = make_device();
	pthread_mutex_unlock(&lock);
	if (rc)
		return rc;
	fd = drm_raw_memfd("i915");
	if (fd < 0)
		return fd;
	rc = fd < MOST_FDS ? drm_raw_fstat(fd, &status) : -EMFILE;
	if (rc == 0 && !close_on_exec)
		rc = drm_raw_fcntl(fd, F_SETFD, 0);
	if (rc == 0)
		rc = drm_file_open(door_fd_device(), &file);
	if (rc) {
		drm_raw_close(fd);
		return rc;
	}
	file->minor = minor;
	file->inode = status.st_ino;
	file->inode_device = status.st_dev;
	door_fd_forget(fd); /* a number whose last owner closed it behind our back */
	pthread_mutex_lock(&lock);
	put_entry(fd, file);
	pthread_mutex_unlock(&lock);
	return fd;
}

/* Whether the descriptor still is what it was: somebody may have closed it behind our back. */
static bool same_file(int fd, const struct drm_file *file)
{
	struct stat status;

	return drm_raw_fstat(fd, &status) == 0 && status.st_ino == file->inode &&
	       status.st_dev == file->inode_device;
}

/* Takes the entry out, if it is the file that is meant (NULL: whatever it is). */
static void forget(int fd, const struct drm_file *meant)
{
	struct drm_file *file;

	pthread_mutex_lock(&lock);
	file = atomic_load(&files[fd]);
	if (meant && file != meant)
		file = NULL;
	if (file)
		atomic_store(&files[fd], NULL);
	pthread_mutex_unlock(&lock);
	if (file)
		drm_file_put(file);
}

struct drm_file *door_fd_get(int fd)
{
	struct drm_file *file;
	bool same;

	if (fd < 0 || fd >= MOST_FDS || !atomic_load_explicit(&files[fd], memory_order_relaxed))
		return NULL;
	pthread_mutex_lock(&lock);
	file = atomic_load(&files[fd]);
	if (file)
		drm_file_get(file);
	pthread_mutex_unlock(&lock);
	if (!file)
		return NULL;
	same = same_file(fd, file);
	if (!same) {
		forget(fd, file);
		drm_file_put(file);
	}
	return same ? file : NULL;
}

int door_fd_add(int fd, struct drm_file *file)
{
	if (fd < 0 || fd >= MOST_FDS || atomic_load(&owner) != getpid())
		return fd;
	door_fd_forget(fd);
	drm_file_get(file);
	pthread_mutex_lock(&lock);
	put_entry(fd, file);
	pthread_mutex_unlock(&lock);
	return fd;
}

void door_fd_forget(int fd)
{
	if (fd < 0 || fd >= MOST_FDS || !atomic_load_explicit(&files[fd], memory_order_relaxed) ||
		atomic_load(&owner) != getpid())
		return;
	forget(fd, NULL);
}
