// SPDX-License-Identifier: MIT
#include "drm/memory/drm_bo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "drm/memory/drm_pages.h"
#include "drm/memory/drm_raw.h"
#include "drm/memory/drm_user.h"
#include "eu/watch/eu_allocation.h"
#include "util/util_bits.h"
#include "util/util_file.h"

static void link_object(struct drm_bo *bo)
{
	bo->next = bo->device->objects;
	if (bo->next)
		bo->next->previous = bo;
	bo->device->objects = bo;
}

/* Maps the file, in large pages of the host where it gives them. */
static intptr_t map_file(int fd, uint64_t size)
{
	intptr_t room = drm_pages_reserve(size, MAP_PRIVATE | MAP_NORESERVE);
	intptr_t mapped;

	if (drm_raw_failed(room))
		return room;
	mapped = drm_raw_mmap((void *)room, size, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0);
	if (drm_raw_failed(mapped))
		drm_raw_munmap((void *)room, size);
	else if (size >= DRM_LARGE_PAGE)
		(void)drm_raw_madvise((void *)mapped, size, MADV_HUGEPAGE);
	return mapped;
}

/* Takes ownership of the descriptor, also when it fails. */
static int create_from_fd(struct drm_device *device, int fd, uint64_t size, struct drm_bo **out)
{
	struct drm_bo *bo = calloc(1, sizeof(*bo));
	intptr_t host;
	int rc = -ENOMEM;

	if (!bo)
		goto fail;
	host = map_file(fd, size);
	if (drm_raw_failed(host)) {
		rc = (int)host;
		goto fail;
	}
	*bo = (struct drm_bo){
		.device = device,
		.refs = 1,
		.size = size,
		.host = (uint8_t *)host,
		.born = eu_allocation_count(),
	};
	drm_kept_take(&bo->file, fd, &device->kept_fds); /* without one, it is not exported */
	link_object(bo);
	*out = bo;
	return 0;
fail:
	free(bo);
	drm_raw_close(fd);
	return rc;
}

int drm_bo_create(struct drm_device *device, uint64_t size, struct drm_bo **out)
{
	int fd;
	int rc;

	if (size > INT64_MAX)
		return -E2BIG;
	if (!util_file_fits(size))
		return -ENOMEM;
	fd = drm_raw_memfd("i915-object");
	if (fd < 0)
		return fd;
	rc = drm_raw_ftruncate(fd, size);
	if (rc == 0)
		rc = drm_raw_fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	if (rc) {
		drm_raw_close(fd);
		return rc;
	}
	return create_from_fd(device, fd, size, out);
}

int drm_bo_create_userptr(
	struct drm_device *device, uint64_t address, uint64_t size, struct drm_bo **out)
{
	struct drm_bo *bo = calloc(1, sizeof(*bo));

	if (!bo)
		return -ENOMEM;
	*bo = (struct drm_bo){
		.device = device,
		.refs = 1,
		.size = size,
		.host = (uint8_t *)(uintptr_t)address,
		.born = eu_allocation_count(),
		.userptr = true,
		.file.fd = -1,
	};
	*out = bo;
	return 0;
}

int drm_bo_import(struct drm_device *device, int fd, struct drm_bo **out)
{
	struct stat status;
	int rc = drm_raw_fstat(fd, &status);
	int seals;
	int own;

	if (rc)
		return rc;
	for (struct drm_bo *bo = device->objects; bo; bo = bo->next) {
		if (bo->file.inode == status.st_ino && bo->file.device == status.st_dev) {
			*out = drm_bo_get(bo);
			return 0;
		}
	}
	/* A memory file that cannot shrink: this one comes from a device in another process. */
	seals = drm_raw_fcntl(fd, F_GET_SEALS, 0);
	if (seals < 0 || !(seals & F_SEAL_SHRINK) || status.st_size <= 0 ||
		status.st_size % DRM_PAGE)
		return -EINVAL;
	own = drm_raw_fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (own < 0)
		return own;
	return create_from_fd(device, own, (uint64_t)status.st_size, out);
}

int drm_bo_export(struct drm_bo *bo, bool close_on_exec)
{
	if (bo->userptr)
		return -EINVAL;
	if (!drm_kept_there(&bo->file))
		return -EMFILE;
	return drm_raw_fcntl(bo->file.fd, close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
}

struct drm_bo *drm_bo_get(struct drm_bo *bo)
{
	bo->refs++;
	return bo;
}

void drm_bo_put(struct drm_bo *bo)
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
		drm_raw_munmap(bo->host, bo->size);
	}
	drm_kept_drop(&bo->file, &bo->device->kept_fds);
	for (unsigned i = 0; i < bo->use_count; i++)
		drm_timeline_put(bo->uses[i].timeline);
	free(bo->uses);
	free(bo->cleared);
	free(bo);
}

void drm_bo_fill(struct drm_bo *bo)
{
	if (!bo->filled && !bo->userptr)
		drm_pages_fill(bo->host, bo->size);
	bo->filled = true;
}

intptr_t drm_bo_map(
	struct drm_bo *bo, uint64_t offset, void *address, size_t length, int protection, int flags)
{
	size_t bytes = util_align_up(length, DRM_PAGE);
	intptr_t place;
	intptr_t mapped;

	if (length == 0 || bytes < length || !(flags & MAP_SHARED) || offset % DRM_PAGE ||
		offset > bo->size || bytes > bo->size - offset)
		return -EINVAL;
	drm_bo_fill(bo);
	/* Room at an address that mmap picks by its own rules; then a second view of the memory. */
	place = drm_raw_mmap(address, bytes, PROT_NONE,
		(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) | MAP_PRIVATE | MAP_ANONYMOUS |
			MAP_NORESERVE,
		-1, 0);
	if (drm_raw_failed(place))
		return place;
	mapped = drm_raw_mremap(
		bo->host + offset, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)place);
	if (!drm_raw_failed(mapped) && protection != (PROT_READ | PROT_WRITE)) {
		int rc = drm_raw_mprotect((void *)mapped, bytes, protection);
		if (rc)
			mapped = rc;
	}
	if (drm_raw_failed(mapped))
		drm_raw_munmap((void *)place, bytes);
	return mapped;
}

bool drm_use_active(const struct drm_use *use, bool write)
{
	return !drm_timeline_over(use->timeline, write ? use->written : use->read);
}

static bool is_active(const struct drm_bo *bo)
{
	for (unsigned i = 0; i < bo->use_count; i++) {
		if (drm_use_active(&bo->uses[i], false))
			return true;
	}
	return false;
}

/* Drops the uses that are over, so that the list stays as short as the rings that are busy. */
static void drop_old_uses(struct drm_bo *bo)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < bo->use_count; i++) {
		struct drm_use *use = &bo->uses[i];
		if (use->timeline->completed >= use->read)
			drm_timeline_put(use->timeline);
		else
			bo->uses[kept++] = *use;
	}
	bo->use_count = kept;
}

static struct drm_use *find_use(const struct drm_bo *bo, const struct drm_timeline *timeline)
{
	for (unsigned i = 0; i < bo->use_count; i++) {
		if (bo->uses[i].timeline == timeline)
			return &bo->uses[i];
	}
	return NULL;
}

int drm_bo_prepare_use(struct drm_bo *bo, struct drm_timeline *timeline)
{
	if (find_use(bo, timeline))
		return 0;
	if (bo->use_count == bo->use_capacity)
		drop_old_uses(bo);
	if (bo->use_count == bo->use_capacity) {
		unsigned capacity = bo->use_capacity ? bo->use_capacity * 2 : 2;
		struct drm_use *uses = realloc(bo->uses, capacity * sizeof(*uses));
		if (!uses)
			return -ENOMEM;
		bo->uses = uses;
		bo->use_capacity = capacity;
	}
	bo->uses[bo->use_count++] = (struct drm_use){ .timeline = drm_timeline_get(timeline) };
	return 0;
}

void drm_bo_use(struct drm_bo *bo, struct drm_timeline *timeline, uint64_t number, bool write)
{
	struct drm_use *use = find_use(bo, timeline);

	use->read = number;
	if (write)
		use->written = number;
}

int drm_bo_wait(struct drm_bo *bo, int64_t nanoseconds, int64_t *left)
{
	int64_t start = drm_timeline_now();
	int64_t deadline = -1;
	struct drm_use *uses = NULL;
	unsigned count = 0;
	int rc = 0;

	if (nanoseconds >= 0)
		deadline = nanoseconds > INT64_MAX - start ? INT64_MAX : start + nanoseconds;
	if (is_active(bo)) {
		/* What uses it now, not what may come: a copy, because the lock will be dropped. */
		uses = malloc(bo->use_count * sizeof(*uses));
		if (!uses)
			return -ENOMEM;
		for (; count < bo->use_count; count++) {
			uses[count] = bo->uses[count];
			drm_timeline_get(uses[count].timeline);
		}
	}
	for (unsigned i = 0; i < count; i++) {
		if (rc == 0)
			rc = drm_timeline_wait(
				bo->device, uses[i].timeline, uses[i].read, deadline);
	}
	for (unsigned i = 0; i < count; i++)
		drm_timeline_put(uses[i].timeline);
	free(uses);
	*left = nanoseconds < 0			    ? nanoseconds
		: deadline - drm_timeline_now() > 0 ? deadline - drm_timeline_now()
						    : 0;
	return rc;
}
