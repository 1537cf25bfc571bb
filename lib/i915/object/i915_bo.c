// SPDX-License-Identifier: MIT
#include "i915/object/i915_bo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "i915/door/i915_raw.h"
#include "i915/object/i915_user.h"
#include "util/util_bits.h"

/*
 * Memory files are kept open for export, but an application's descriptors are few (1024 often):
 * only a quarter of them, and above its own. Objects beyond that live without.
 */
static int keep_fd(struct i915_device *device, int fd)
{
	enum { HIGHEST_FIRST = 4096 }; /* the kernel's table grows with the number */
	struct rlimit limit;
	int kept = -1;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && device->kept_fds < limit.rlim_cur / 4) {
		rlim_t first = limit.rlim_cur / 2;
		kept = i915_raw_fcntl(
			fd, F_DUPFD_CLOEXEC, first < HIGHEST_FIRST ? (long)first : HIGHEST_FIRST);
	}
	i915_raw_close(fd);
	if (kept < 0)
		return -1;
	device->kept_fds++;
	return kept;
}

static void link_object(struct i915_bo *bo)
{
	bo->next = bo->device->objects;
	if (bo->next)
		bo->next->previous = bo;
	bo->device->objects = bo;
}

/* Takes the descriptor over, also when it fails. */
static int create_from_fd(struct i915_device *device, int fd, uint64_t size, struct i915_bo **out)
{
	struct i915_bo *bo = calloc(1, sizeof *bo);
	struct stat status;
	intptr_t host;
	int rc = -ENOMEM;

	if (!bo)
		goto fail;
	rc = i915_raw_fstat(fd, &status);
	if (rc)
		goto fail;
	host = i915_raw_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (i915_raw_failed(host)) {
		rc = (int)host;
		goto fail;
	}
	*bo = (struct i915_bo){
		.device = device,
		.refs = 1,
		.size = size,
		.host = (uint8_t *)host,
		.fd = keep_fd(device, fd),
		.inode_device = status.st_dev,
		.inode = status.st_ino,
	};
	link_object(bo);
	*out = bo;
	return 0;
fail:
	free(bo);
	i915_raw_close(fd);
	return rc;
}

int i915_bo_create(struct i915_device *device, uint64_t size, struct i915_bo **out)
{
	int fd;
	int rc;

	if (size > INT64_MAX)
		return -E2BIG;
	fd = i915_raw_memfd("i915-object");
	if (fd < 0)
		return fd;
	rc = i915_raw_ftruncate(fd, size);
	if (rc == 0)
		rc = i915_raw_fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	if (rc) {
		i915_raw_close(fd);
		return rc;
	}
	return create_from_fd(device, fd, size, out);
}

int i915_bo_create_userptr(
	struct i915_device *device, uint64_t address, uint64_t size, struct i915_bo **out)
{
	struct i915_bo *bo = calloc(1, sizeof *bo);

	if (!bo)
		return -ENOMEM;
	*bo = (struct i915_bo){
		.device = device,
		.refs = 1,
		.size = size,
		.host = (uint8_t *)(uintptr_t)address,
		.userptr = true,
		.fd = -1,
	};
	*out = bo;
	return 0;
}

int i915_bo_import(struct i915_device *device, int fd, struct i915_bo **out)
{
	struct stat status;
	int rc = i915_raw_fstat(fd, &status);
	int seals;
	int own;

	if (rc)
		return rc;
	for (struct i915_bo *bo = device->objects; bo; bo = bo->next) {
		if (bo->inode == status.st_ino && bo->inode_device == status.st_dev) {
			*out = i915_bo_get(bo);
			return 0;
		}
	}
	/* A memory file that cannot shrink: this one comes from a device in another process. */
	seals = i915_raw_fcntl(fd, F_GET_SEALS, 0);
	if (seals < 0 || !(seals & F_SEAL_SHRINK) || status.st_size <= 0 ||
		status.st_size % I915_PAGE)
		return -EINVAL;
	own = i915_raw_fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (own < 0)
		return own;
	return create_from_fd(device, own, (uint64_t)status.st_size, out);
}

/* Whether the descriptor still is ours: some programs close all that they did not open. */
static bool has_fd(const struct i915_bo *bo)
{
	struct stat status;

	return i915_raw_fstat(bo->fd, &status) == 0 && status.st_ino == bo->inode &&
	       status.st_dev == bo->inode_device;
}

int i915_bo_export(struct i915_bo *bo, bool close_on_exec)
{
	if (bo->userptr)
		return -EINVAL;
	if (bo->fd < 0 || !has_fd(bo))
		return -EMFILE;
	return i915_raw_fcntl(bo->fd, close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
}

struct i915_bo *i915_bo_get(struct i915_bo *bo)
{
	bo->refs++;
	return bo;
}

void i915_bo_put(struct i915_bo *bo)
{
	if (!bo || --bo->refs)
		return;
	if (!bo->userptr) {
		if (bo->previous)
			bo->previous->next = bo->next;
		else
			bo->device->objects = bo->next;
		if (bo->next)
			bo->next->previous = bo->previous;
		i915_raw_munmap(bo->host, bo->size);
	}
	if (bo->fd >= 0) {
		if (has_fd(bo))
			i915_raw_close(bo->fd);
		bo->device->kept_fds--;
	}
	for (unsigned i = 0; i < bo->use_count; i++)
		i915_timeline_put(bo->uses[i].timeline);
	free(bo->uses);
	free(bo);
}

intptr_t i915_bo_map(struct i915_bo *bo, uint64_t offset, void *address, size_t length,
	int protection, int flags)
{
	size_t bytes = util_align_up(length, I915_PAGE);
	intptr_t place;
	intptr_t mapped;

	if (length == 0 || bytes < length || !(flags & MAP_SHARED) || offset % I915_PAGE ||
		offset > bo->size || bytes > bo->size - offset)
		return -EINVAL;
	/* Room at an address that mmap picks by its own rules; then a second view of the memory. */
	place = i915_raw_mmap(address, bytes, PROT_NONE,
		(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) | MAP_PRIVATE | MAP_ANONYMOUS |
			MAP_NORESERVE,
		-1, 0);
	if (i915_raw_failed(place))
		return place;
	mapped = i915_raw_mremap(
		bo->host + offset, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)place);
	if (!i915_raw_failed(mapped) && protection != (PROT_READ | PROT_WRITE)) {
		int rc = i915_raw_mprotect((void *)mapped, bytes, protection);
		if (rc)
			mapped = rc;
	}
	if (i915_raw_failed(mapped))
		i915_raw_munmap((void *)place, bytes);
	return mapped;
}
