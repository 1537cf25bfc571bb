// SPDX-License-Identifier: MIT
#include "drm/sync/drm_sync_fd.h"

#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "drm/memory/drm_raw.h"
#include "drm/memory/drm_user.h"

/* Whether the application still has a copy of the descriptor. */
static bool in_use(const struct drm_sync_fd *sync)
{
	struct pollfd poll = { .fd = sync->end.fd };

	return drm_kept_there(&sync->end) &&
	       (drm_raw_call(SYS_poll, (intptr_t)&poll, 1, 0, 0, 0, 0) <= 0 ||
		       !(poll.revents & POLLERR));
}

static void destroy(struct drm_device *device, struct drm_sync_fd *sync)
{
	drm_kept_drop(&sync->end, &device->kept_sync_fds);
	drm_fence_put(sync->fence);
	drm_syncobj_put(sync->syncobj);
	free(sync);
}

/* Drops the descriptors that the application has closed. */
static void sweep(struct drm_device *device)
{
	struct drm_sync_fd **link = &device->sync_fds;

	while (*link) {
		struct drm_sync_fd *sync = *link;
		if (in_use(sync)) {
			link = &sync->next;
			continue;
		}
		*link = sync->next;
		destroy(device, sync);
	}
}

void drm_sync_fd_finish(struct drm_device *device)
{
	while (device->sync_fds) {
		struct drm_sync_fd *sync = device->sync_fds;
		device->sync_fds = sync->next;
		destroy(device, sync);
	}
}

void drm_sync_fd_announce(struct drm_device *device)
{
	for (struct drm_sync_fd *sync = device->sync_fds; sync; sync = sync->next) {
		if (!sync->fence || sync->over_at || !drm_fence_over(sync->fence))
			continue;
		sync->over_at = drm_timeline_now();
		if (in_use(sync))
			drm_raw_call(SYS_write, sync->end.fd, (intptr_t) "", 1, 0, 0, 0);
	}
}

int drm_sync_fd_create(
	struct drm_device *device, struct drm_fence *fence, struct drm_syncobj *syncobj)
{
	struct drm_sync_fd *sync;
	int ends[2];
	int rc;

	sweep(device);
	rc = (int)drm_raw_call(SYS_pipe2, (intptr_t)ends, O_CLOEXEC | O_NONBLOCK, 0, 0, 0, 0);
	if (rc)
		return rc;
	sync = calloc(1, sizeof(*sync));
	if (!sync || !drm_kept_take(&sync->end, ends[1], &device->kept_sync_fds)) {
		if (!sync)
			drm_raw_close(ends[1]);
		drm_raw_close(ends[0]);
		rc = sync ? -EMFILE : -ENOMEM;
		free(sync);
		return rc;
	}
	sync->fence = fence ? drm_fence_get(fence) : NULL;
	sync->syncobj = syncobj ? drm_syncobj_get(syncobj) : NULL;
	sync->next = device->sync_fds;
	device->sync_fds = sync;
	drm_sync_fd_announce(device);
	return ends[0];
}

void drm_sync_fd_set(struct drm_device *device, struct drm_fence *fence)
{
	device->sync_fds->fence = drm_fence_get(fence);
	drm_sync_fd_announce(device);
}

static struct drm_sync_fd *find(struct drm_device *device, int fd)
{
	struct drm_sync_fd *sync = device->sync_fds;

	while (sync && !drm_kept_same(&sync->end, fd))
		sync = sync->next;
	return sync;
}

struct drm_fence *drm_sync_fd_fence(struct drm_device *device, int fd)
{
	struct drm_sync_fd *sync = find(device, fd);

	return sync ? sync->fence : NULL;
}

struct drm_syncobj *drm_sync_fd_syncobj(struct drm_device *device, int fd)
{
	struct drm_sync_fd *sync = find(device, fd);

	return sync ? sync->syncobj : NULL;
}

static int merge(struct drm_device *device, const struct drm_fence *fence, uint64_t argument)
{
	struct sync_merge_data data;
	const struct drm_fence *other;
	struct drm_fence *both;
	int rc = drm_user_read(&data, argument, sizeof(data));

	if (rc)
		return rc;
	if (data.flags || data.pad)
		return -EINVAL;
	other = drm_sync_fd_fence(device, data.fd2);
	if (!other)
		return -ENOENT;
	both = drm_fence_create(fence, other);
	if (!both)
		return -ENOMEM;
	data.fence = drm_sync_fd_create(device, both, NULL);
	drm_fence_put(both);
	if (data.fence < 0)
		return data.fence;
	rc = drm_user_write(argument, &data, sizeof(data));
	if (rc)
		drm_raw_close(data.fence);
	return rc;
}

/* All that a file waits for is one fence. */
static int get_info(const struct drm_sync_fd *sync, uint64_t argument)
{
	struct sync_file_info info;
	struct sync_fence_info fence = { .obj_name = "batches", .driver_name = "i915" };
	int rc = drm_user_read(&info, argument, sizeof(info));

	if (rc)
		return rc;
	if (info.flags || info.pad)
		return -EINVAL;
	fence.status = sync->over_at != 0;
	fence.timestamp_ns = (uint64_t)sync->over_at;
	if (info.num_fences)
		rc = drm_user_write(info.sync_fence_info, &fence, sizeof(fence));
	snprintf(info.name, sizeof(info.name), "i915-%llu", (unsigned long long)sync->end.inode);
	info.status = fence.status;
	info.num_fences = 1;
	return rc ? rc : drm_user_write(argument, &info, sizeof(info));
}

int drm_sync_fd_ioctl(struct drm_device *device, int fd, unsigned long request, uint64_t argument)
{
	const struct drm_sync_fd *sync;
	int rc = -ENOTTY;

	pthread_mutex_lock(&device->lock);
	sync = find(device, fd);
	if (sync && sync->fence && request == SYNC_IOC_MERGE)
		rc = merge(device, sync->fence, argument);
	else if (sync && sync->fence && request == SYNC_IOC_FILE_INFO)
		rc = get_info(sync, argument);
	drm_device_unlock(device);
	return rc;
}
