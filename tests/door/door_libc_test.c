// SPDX-License-Identifier: MIT
#include "test.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm.h>
#include <libdrm/i915_drm.h>
#include <limits.h>
#include <link.h>
#include <linux/magic.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "zerocl_vgpu.h"

/*
 * An ordinary program with the virtual device preloaded: the device and its files are there, and
 * everything else is as without it.
 */

#define NODE  "/dev/dri/renderD128"
#define CLOCK "/sys/class/drm/card0/gt_max_freq_mhz"

/* What an open device answers: 0 or errno. */
static int ask(int fd)
{
	char name[8] = "";
	struct drm_version version = { .name = name, .name_len = 4 };

	if (ioctl(fd, DRM_IOCTL_VERSION, &version))
		return errno;
	assert_string_equal(name, "i915");
	return 0;
}

static int open_node(void)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ask(fd), 0);
	return fd;
}

static void opens_the_device(void **state)
{
	struct stat status, by_path;
	char link[PATH_MAX], name[64];
	int fd = open_node();

	(void)state;
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fstat(fd, &status), 0);
	assert_true(S_ISCHR(status.st_mode));
	assert_int_equal(status.st_rdev, makedev(226, 128));
	assert_int_equal(stat("/dev/dri/../dri//by-path/pci-0000:00:02.0-render", &by_path), 0);
	assert_memory_equal(&by_path, &status, sizeof status);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(name, link, sizeof link);
	assert_int_equal(length, strlen(NODE));
	assert_memory_equal(link, NODE, strlen(NODE));
	/* What the name of its descriptor means, as systemd's libraries open it again. */
	assert_int_equal(stat(name, &by_path), 0);
	assert_memory_equal(&by_path, &status, sizeof status);
	assert_string_equal(realpath(name, link), NODE);
	int again = open(name, O_RDWR | O_CLOEXEC);
	assert_int_equal(ask(again), 0);
	assert_int_equal(close(again), 0);
	int folder = open("/sys/devices/pci0000:00/0000:00:02.0", O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(name, sizeof name, "/proc/%d/fd/%d", getpid(), folder);
	again = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs filesystem;
	assert_int_equal(fstatfs(again, &filesystem), 0);
	assert_int_equal(filesystem.f_type, 0x62656572 /* of sysfs */);
	assert_int_equal(close(again), 0);
	assert_int_equal(close(folder), 0);
	/* Ioctls of every file, of no file, and of the device with a wrong pointer. */
	assert_int_equal(ioctl(fd, FIONCLEX), 0);
	assert_int_equal(fcntl(fd, F_GETFD), 0);
	assert_int_equal(isatty(fd), 0);
	assert_int_equal(errno, ENOTTY);
	assert_int_equal(ioctl(fd, DRM_IOCTL_VERSION, 8), -1);
	assert_int_equal(errno, EFAULT);
	errno = 4711;
	assert_int_equal(ask(fd), 0);
	assert_int_equal(errno, 4711);
	assert_int_equal(close(fd), 0);
	assert_int_equal(close(fd), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(ask(fd), EBADF);
	assert_int_equal(open(NODE, O_RDWR | O_CREAT | O_EXCL, 0600), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(open(NODE "/x", O_RDWR), -1);
	assert_int_equal(errno, ENOTDIR);
	assert_int_equal(open("/dev/dri/renderD129", O_RDWR), -1);
	assert_int_equal(errno, ENOENT);
}

static void duplicates(void **state)
{
	int fd = open_node(), copies[4], other;

	(void)state;
	copies[0] = dup(fd);
	copies[1] = fcntl(fd, F_DUPFD_CLOEXEC, 20);
	copies[2] = dup3(fd, 40, O_CLOEXEC);
	copies[3] = dup2(fd, 41);
	assert_true(copies[1] >= 20);
	struct drm_i915_gem_create create = { .size = 4096 };
	assert_int_equal(ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create), 0);
	close(fd);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(ask(copies[i]), 0);
		/* One file, one set of handles. */
		struct drm_i915_gem_busy busy = { .handle = create.handle };
		assert_int_equal(ioctl(copies[i], DRM_IOCTL_I915_GEM_BUSY, &busy), 0);
	}
	/* Replaced by another file, behind our back too. */
	other = open("/dev/null", O_RDWR);
	assert_int_equal(dup2(other, copies[0]), copies[0]);
	assert_int_equal(ask(copies[0]), ENOTTY);
	assert_int_equal(syscall(SYS_dup3, other, copies[1], 0), copies[1]);
	assert_int_equal(ask(copies[1]), ENOTTY);
	assert_int_equal(syscall(SYS_close, copies[2]), 0);
	assert_int_equal(ask(copies[2]), EBADF);
	assert_int_equal(ask(copies[3]), 0);
	close(copies[0]);
	close(copies[1]);
	close(copies[3]);
	close(other);
}

static void maps_objects(void **state)
{
	int fd = open_node();
	struct drm_i915_gem_create create = { .size = 8192 };
	struct drm_i915_gem_mmap_offset offset = { .flags = I915_MMAP_OFFSET_WB };

	(void)state;
	assert_int_equal(ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create), 0);
	offset.handle = create.handle;
	assert_int_equal(ioctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), 0);
	char *view = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset.offset);
	assert_ptr_not_equal(view, MAP_FAILED);
	view[8191] = 1;
	assert_int_equal(munmap(view, 8192), 0);
	assert_ptr_equal(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0), MAP_FAILED);
	assert_int_equal(errno, EINVAL);
	close(fd);
}

/* A driver reserves addresses, and places views of objects in them: large ones on large pages. */
static void reserves_addresses(void **state)
{
	enum { LARGE = 1 << 21, SIZE = LARGE + 4096 };
	const int flags = MAP_ANONYMOUS | MAP_SHARED;
	char *before = mmap(NULL, 4096, PROT_NONE, flags, -1, 0), *room, *next;

	(void)state;
	assert_ptr_not_equal(before, MAP_FAILED);
	room = mmap(NULL, SIZE, PROT_NONE, flags, -1, 0);
	assert_ptr_not_equal(room, MAP_FAILED);
	assert_int_equal((uintptr_t)room % LARGE, 0);
	assert_int_equal(msync(room, SIZE, MS_ASYNC), 0);
	/* No more than that is taken. */
	next = mmap(room + SIZE, 4096, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
	assert_ptr_equal(next, room + SIZE);
	assert_int_equal(munmap(next, 4096), 0);
	assert_int_equal(munmap(room, SIZE), 0);
	assert_int_equal(munmap(before, 4096), 0);
	assert_ptr_equal(mmap(NULL, 0, PROT_NONE, flags, -1, 0), MAP_FAILED);
	assert_int_equal(errno, EINVAL);
}

static void child(int fd, int expected)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(ask(fd) == expected ? 0 : 1);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void forks(void **state)
{
	int fd = open_node(), status;
	volatile int shared = fd;

	(void)state;
	child(fd, ENODEV);
	assert_int_equal(ask(fd), 0);
	/* A child with a device of its own. */
	pid_t pid = fork();
	if (pid == 0) {
		int own = open(NODE, O_RDWR);
		_exit(own >= 0 && ask(own) == 0 && close(fd) == 0 && close(own) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	/* A child that shares our memory closes its descriptors, not ours. */
	pid = vfork();
	if (pid == 0) {
		close(shared);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(ask(fd), 0);
	close(fd);
}

/* A thread that takes and releases the device's own locks all the time. */
static atomic_int names_wanted = 1;
static int (*name_code)(uint64_t, size_t, const struct zerocl_vgpu_code *);
static const struct zerocl_vgpu_code code = { .kernel = "k" };
static void (*forget_code)(uint64_t);
static int (*name_memory)(uint64_t, size_t);
static __typeof__(zerocl_vgpu_install) *install;

static void *name_things(void *unused)
{
	while (atomic_load(&names_wanted)) {
		name_code(0x1000, 64, &code);
		name_memory(0x2000, 64);
		forget_code(0x1000);
		(void)install(NULL, 0);
		closedir(opendir("/dev/dri"));
	}
	return unused;
}

/* A sync file is a descriptor that any part of a program may poll, copy, merge and close. */
static void sync_files(void **state)
{
	int fd = open(NODE, O_RDWR), pipe_ends[2];
	struct drm_syncobj_create create = { .flags = DRM_SYNCOBJ_CREATE_SIGNALED };
	struct drm_syncobj_handle export = {
		.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE, .fd = -1
	};
	struct sync_merge_data merge = { .name = "both", .fence = -1 };
	struct sync_file_info info = { .status = 99 };

	(void)state;
	assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
	export.handle = create.handle;
	assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &export), 0);
	struct pollfd poll_fd = { .fd = dup(export.fd), .events = POLLIN };
	assert_int_equal(poll(&poll_fd, 1, 0), 1);
	assert_int_equal(poll_fd.revents & POLLIN, POLLIN);
	merge.fd2 = poll_fd.fd;
	assert_int_equal(ioctl(export.fd, SYNC_IOC_MERGE, &merge), 0);
	assert_int_equal(ioctl(merge.fence, SYNC_IOC_FILE_INFO, &info), 0);
	assert_int_equal(info.status, 1);
	merge.fd2 = -1;
	assert_int_equal(ioctl(export.fd, SYNC_IOC_MERGE, &merge), -1);
	assert_int_equal(errno, ENOENT);
	/* Other files are what they were. */
	assert_int_equal(pipe(pipe_ends), 0);
	assert_int_equal(ioctl(pipe_ends[0], SYNC_IOC_FILE_INFO, &info), -1);
	assert_int_equal(errno, ENOTTY);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	close(poll_fd.fd);
	close(merge.fence);
	close(export.fd);
	close(fd);
}

static void forks_while_locks_are_held(void **state)
{
	pthread_t threads[3];

	(void)state;
	*(void **)&name_code = dlsym(RTLD_DEFAULT, "zerocl_vgpu_name_code");
	*(void **)&name_memory = dlsym(RTLD_DEFAULT, "zerocl_vgpu_name_memory");
	*(void **)&forget_code = dlsym(RTLD_DEFAULT, "zerocl_vgpu_forget_code");
	*(void **)&install = dlsym(RTLD_DEFAULT, "zerocl_vgpu_install");
	assert_true(name_code && name_memory && forget_code && install);
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, name_things, NULL), 0);
	for (int i = 0; i < 300; i++) {
		int status;
		pid_t pid = fork();
		if (pid == 0) {
			alarm(20); /* ends a child that waits for a lock which nobody releases */
			name_code(0x1000, 64, &code);
			name_memory(0x2000, 64);
			(void)install(NULL, 0);
			_exit(closedir(opendir("/dev/dri")));
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	atomic_store(&names_wanted, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

static void reads_sysfs(void **state)
{
	char text[64] = "";
	struct stat status;
	int fd = open(CLOCK, O_RDONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, text, sizeof text, 0), 5);
	assert_string_equal(text, "1300\n");
	assert_int_equal(write(fd, "1", 1), -1);
	close(fd);
	FILE *stream = fopen(CLOCK, "r");
	unsigned mhz = 0;
	assert_non_null(stream);
	assert_int_equal(fscanf(stream, "%u", &mhz), 1);
	assert_int_equal(mhz, 1300);
	fclose(stream);
	static const char *const modes[] = { "w", "a", "r+", "wx" };
	for (int i = 0; i < 4; i++) {
		assert_null(fopen(CLOCK, modes[i]));
		assert_int_equal(errno, i == 3 ? EEXIST : EACCES);
	}
	assert_null(fopen("/sys/class/drm/card0/nothing", "r"));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(lstat("/sys/class/drm/card0", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(access(CLOCK, R_OK), 0);
	assert_int_equal(access(CLOCK, W_OK), -1);
	assert_int_equal(errno, EACCES);
	assert_int_equal(access("/sys/class/drm/card0/prelim_uapi_version", F_OK), -1);
	assert_int_equal(errno, ENOENT);
	char canonical[PATH_MAX];
	assert_non_null(realpath("/sys/dev/char/226:128/device", canonical));
	assert_string_equal(canonical, "/sys/devices/pci0000:00/0000:00:02.0");
	assert_null(realpath("/sys/dev/char/226:129", canonical));
	assert_int_equal(errno, ENOENT);
}

/* What statx tells is what stat tells, and the mount, which libudev compares on its way. */
static void extends_status(void **state)
{
	static const char *const paths[] = { NODE, "/sys/class/drm", "/sys/class/drm/card0" };
	struct statx extended, mount;
	struct stat plain;

	(void)state;
	for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
		memset(&extended, 0xff, sizeof extended);
		assert_int_equal(statx(AT_FDCWD, paths[i], AT_SYMLINK_NOFOLLOW,
					 STATX_BASIC_STATS | STATX_MNT_ID, &extended),
			0);
		assert_int_equal(lstat(paths[i], &plain), 0);
		assert_int_equal(extended.stx_mode, plain.st_mode);
		assert_int_equal(extended.stx_ino, plain.st_ino);
		assert_int_equal(extended.stx_dev_major, major(plain.st_dev));
		assert_int_equal(extended.stx_dev_minor, minor(plain.st_dev));
		assert_int_equal(extended.stx_rdev_major, major(plain.st_rdev));
		assert_int_equal(extended.stx_rdev_minor, minor(plain.st_rdev));
		assert_int_equal(extended.stx_size, plain.st_size);
		assert_int_equal(statx(AT_FDCWD, i ? "/sys" : "/dev", 0, STATX_MNT_ID, &mount), 0);
		assert_int_equal(extended.stx_mask & STATX_MNT_ID, mount.stx_mask & STATX_MNT_ID);
		if (mount.stx_mask & STATX_MNT_ID)
			assert_int_equal(extended.stx_mnt_id, mount.stx_mnt_id);
	}
}

/* The names in a folder, dots included, as one text. */
static void list(DIR *folder, char *out)
{
	struct dirent *entry;

	*out = '\0';
	errno = 4711;
	while ((entry = readdir(folder)))
		strcat(strcat(out, entry->d_name), " ");
	assert_int_equal(errno, 4711);
}

static void reads_folders(void **state)
{
	char names[512];
	struct stat status;
	DIR *folder = opendir("/dev/dri");

	(void)state;
	assert_non_null(folder);
	list(folder, names);
	assert_string_equal(names, ". .. card0 renderD128 by-path ");
	rewinddir(folder);
	readdir(folder);
	long second = telldir(folder);
	readdir(folder);
	seekdir(folder, second);
	assert_string_equal(readdir(folder)->d_name, "..");
	assert_int_equal(fstatat(dirfd(folder), "card0", &status, 0), 0);
	assert_int_equal(status.st_rdev, makedev(226, 0));
	assert_int_equal(closedir(folder), 0);
	assert_null(opendir("/dev/dri/card0"));
	assert_int_equal(errno, ENOTDIR);
	assert_null(opendir("/dev/dri/nothing"));
	assert_int_equal(errno, ENOENT);

	int fd = open("/dev/dri", O_RDONLY | O_DIRECTORY), inner;
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &status), 0);
	assert_true(S_ISDIR(status.st_mode));
	assert_int_equal(fstatat(fd, "", &status, AT_EMPTY_PATH), 0);
	assert_true(S_ISDIR(status.st_mode));
	inner = openat(fd, "renderD128", O_RDWR);
	assert_int_equal(ask(inner), 0);
	close(inner);
	assert_int_equal(readlinkat(fd, "by-path/pci-0000:00:02.0-card", names, 64), 8);
	inner = openat(fd, "by-path", O_RDONLY);
	folder = fdopendir(dup(inner));
	close(inner);
	list(folder, names);
	assert_non_null(strstr(names, "pci-0000:00:02.0-render"));
	closedir(folder);
	assert_int_equal(close(fd), 0);
	assert_int_equal(fstatat(fd, "card0", &status, 0), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(open("/dev/dri", O_RDWR), -1);
	assert_int_equal(errno, EISDIR);
}

/* How often a folder lists a name. */
static unsigned lists(DIR *folder, const char *name)
{
	struct dirent *entry;
	unsigned n = 0;

	while ((entry = readdir(folder)))
		n += strcmp(entry->d_name, name) == 0;
	return n;
}

/* The machine's folders have the device's nodes too, and everything of their own. */
static void shares_folders(void **state)
{
	struct stat ours, theirs;
	DIR *folder = opendir("/sys/class");
	int fd = open("/dev", O_RDONLY | O_DIRECTORY), inner;
	char text[8] = "";
	long start;

	(void)state;
	assert_non_null(folder);
	assert_int_equal(lists(folder, "drm"), 1);
	rewinddir(folder);
	assert_int_equal(lists(folder, "mem"), access("/sys/class/mem", F_OK) == 0);
	rewinddir(folder);
	readdir(folder);
	start = telldir(folder);
	for (int i = 0; i < 5; i++)
		assert_non_null(readdir(folder));
	seekdir(folder, start);
	assert_int_equal(lists(folder, ".."), 1);
	assert_int_equal(closedir(folder), 0);

	assert_int_equal(fstat(fd, &ours), 0);
	assert_int_equal(syscall(SYS_fstat, fd, &theirs), 0);
	assert_memory_equal(&ours, &theirs, sizeof ours);
	inner = openat(fd, "dri/renderD128", O_RDWR);
	assert_int_equal(ask(inner), 0);
	close(inner);
	inner = openat(fd, "zero", O_RDONLY);
	assert_int_equal(read(inner, text, 8), 8);
	close(inner);
	assert_int_equal(openat(fd, "dri/nothing", O_RDONLY), -1);
	assert_int_equal(errno, ENOENT);
	folder = fdopendir(dup(fd));
	assert_int_equal(lists(folder, "null"), 1);
	rewinddir(folder);
	assert_int_equal(lists(folder, "dri"), 1);
	inner = dirfd(folder);
	assert_int_equal(closedir(folder), 0);
	assert_int_equal(fcntl(inner, F_GETFD), -1);
	assert_int_equal(errno, EBADF);
	close(fd);
}

/* Step by step as systemd's library follows a path, and asks whether it is one of sysfs. */
static void walks_by_descriptors(void **state)
{
	static const char *const steps[] = { "sys", "class", "drm", "..", "..", "devices",
		"pci0000:00", "0000:00:02.0", "drm", "card0" };
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), next;
	struct stat status;
	struct statfs system;
	char link[PATH_MAX];

	(void)state;
	for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
		next = openat(fd, steps[i], O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0)
			fail_msg("%s: %s", steps[i], strerror(errno));
		close(fd);
		fd = next;
		assert_int_equal(fstat(fd, &status), 0);
		assert_true(S_ISDIR(status.st_mode));
	}
	assert_int_equal(fstatfs(fd, &system), 0);
	assert_int_equal(system.f_type, 0x62656572 /* of sysfs */);
	next = openat(fd, "subsystem", O_PATH | O_NOFOLLOW);
	assert_int_equal(fstat(next, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(
		readlinkat(next, "", link, sizeof link), strlen("../../../../../class/drm"));
	close(next);
	next = openat(fd, "dev", O_PATH);
	assert_int_equal(fstat(next, &status), 0);
	assert_true(S_ISREG(status.st_mode));
	close(next);
	/* A path, not a device. */
	next = open(NODE, O_PATH);
	assert_int_equal(fstat(next, &status), 0);
	assert_int_equal(status.st_rdev, makedev(226, 128));
	assert_int_not_equal(ask(next), 0);
	close(next);
	close(fd);
	assert_int_equal(statfs(NODE, &system), 0);
	assert_int_equal(system.f_type, TMPFS_MAGIC);
	assert_int_equal(statfs("/sys/class/drm/nothing", &system), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(statfs("/proc", &system), 0);
	assert_int_equal(system.f_type, PROC_SUPER_MAGIC);
	assert_int_equal(open("/sys/class/drm/card0", O_RDONLY | O_NOFOLLOW), -1);
	assert_int_equal(errno, ELOOP);
}

static void leaves_others_alone(void **state)
{
	char path[] = "/tmp/i915-shim-XXXXXX", text[16] = "";
	struct stat ours, theirs;
	int fd = mkstemp(path), copy;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "hello", 5), 5);
	assert_int_equal(fstat(fd, &ours), 0);
	assert_int_equal(syscall(SYS_fstat, fd, &theirs), 0);
	assert_memory_equal(&ours, &theirs, sizeof ours);
	assert_int_equal(stat(path, &ours), 0);
	assert_memory_equal(&ours, &theirs, sizeof ours);
	char *view = mmap(NULL, 5, PROT_READ, MAP_SHARED, fd, 0);
	assert_memory_equal(view, "hello", 5);
	munmap(view, 5);
	copy = fcntl(fd, F_DUPFD, 0);
	assert_int_equal(pread(copy, text, 5, 0), 5);
	assert_string_equal(text, "hello");
	assert_int_equal(fcntl(fd, F_SETOWN, -getpgrp()), 0);
	assert_int_equal(fcntl(fd, F_GETOWN), -getpgrp());
	assert_int_equal(ioctl(fd, DRM_IOCTL_VERSION, text), -1);
	assert_int_equal(errno, ENOTTY);
	close(copy);
	close(fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(open(path, O_RDONLY), -1);
	assert_int_equal(errno, ENOENT);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0640);
	assert_int_equal(fstat(fd, &ours), 0);
	assert_int_equal(ours.st_mode & 0700, 0600);
	close(fd);
	unlink(path);

	DIR *folder = opendir("/proc/self/fd");
	assert_non_null(folder);
	assert_true(dirfd(folder) >= 0);
	assert_non_null(readdir(folder));
	long position = telldir(folder);
	rewinddir(folder);
	seekdir(folder, position);
	assert_int_equal(closedir(folder), 0);
	assert_null(opendir("/nothing"));
	assert_int_equal(errno, ENOENT);
	assert_null(fopen("/nothing", "r"));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(stat("/dev/null", &ours), 0);
	assert_int_equal(stat("/sys/class", &ours), 0);
	assert_int_equal(stat("/dev/drip", &ours), -1);
	char *canonical = realpath("/proc/../dev/./null", NULL);
	assert_string_equal(canonical, "/dev/null");
	free(canonical);
	assert_int_equal(faccessat(AT_FDCWD, "/dev/null", W_OK, AT_EACCESS), 0);
}

/* The room for static thread-local memory is small, and other libraries may have used it up. */
static void needs_no_static_thread_memory(void **state)
{
	void *library = dlopen("libzerocl-vgpu.so.1", RTLD_NOW | RTLD_NOLOAD);
	struct link_map *map = NULL;
	unsigned long flags = 0;

	(void)state;
	assert_non_null(library);
	assert_int_equal(dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
	for (const ElfW(Dyn) *row = map->l_ld; row->d_tag != DT_NULL; row++)
		if (row->d_tag == DT_FLAGS)
			flags = row->d_un.d_val;
	assert_true(flags & DF_BIND_NOW); /* these are the flags */
	assert_false(flags & DF_STATIC_TLS);
	dlclose(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opens_the_device),
		cmocka_unit_test(duplicates),
		cmocka_unit_test(maps_objects),
		cmocka_unit_test(reserves_addresses),
		cmocka_unit_test(forks),
		cmocka_unit_test(sync_files),
		cmocka_unit_test(forks_while_locks_are_held),
		cmocka_unit_test(reads_sysfs),
		cmocka_unit_test(extends_status),
		cmocka_unit_test(reads_folders),
		cmocka_unit_test(needs_no_static_thread_memory),
		cmocka_unit_test(shares_folders),
		cmocka_unit_test(walks_by_descriptors),
		cmocka_unit_test(leaves_others_alone),
	};

	return cmocka_run_group_tests_name("door_libc", tests, NULL, NULL);
}
