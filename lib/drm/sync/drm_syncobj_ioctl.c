// SPDX-License-Identifier: MIT
#include "drm/sync/drm_syncobj_ioctl.h"

#include <errno.h>
#include <libdrm/drm.h>
#include <stdlib.h>

#include "drm/memory/drm_user.h"
#include "drm/sync/drm_sync_fd.h"

/* Of handles in one call, as what the kernel can allocate for them. */
enum { MOST_HANDLES = 1 << 19 };

_Static_assert((int)DRM_WAIT_ALL == DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL &&
		       (int)DRM_WAIT_SUBMIT == DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT &&
		       (int)DRM_WAIT_AVAILABLE == DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE,
	"flags of waits have the same values");

static struct drm_syncobj *lookup(struct drm_file *file, uint32_t handle)
{
	return drm_ids_find(&file->syncobjs, handle);
}

/* Takes a reference. Returns 0 or -ENOMEM. */
static int add_handle(struct drm_file *file, struct drm_syncobj *syncobj, uint32_t *handle)
{
	*handle = drm_ids_add(&file->syncobjs, syncobj);
	if (!*handle)
		return -ENOMEM;
	drm_syncobj_get(syncobj);
	return 0;
}

/* Signals on the host: `fence`, NULL for one that is over. */
static int signal_now(struct drm_file *file, struct drm_syncobj *syncobj, bool timeline,
	uint64_t value, const struct drm_fence *fence)
{
	struct drm_moment moment;
	int rc = drm_syncobj_prepare(syncobj, 1, timeline, value, fence, &moment);

	if (rc == 0)
		drm_syncobj_commit(file->device, syncobj, timeline, moment);
	return rc;
}

int drm_syncobj_ioctl_create(struct drm_file *file, void *data)
{
	struct drm_syncobj_create *create = data;
	struct drm_syncobj *syncobj;
	int rc = 0;

	if (create->flags & ~DRM_SYNCOBJ_CREATE_SIGNALED)
		return -EINVAL;
	syncobj = drm_syncobj_create();
	if (!syncobj)
		return -ENOMEM;
	if (create->flags)
		rc = signal_now(file, syncobj, false, 0, NULL);
	if (rc == 0)
		rc = add_handle(file, syncobj, &create->handle);
	drm_syncobj_put(syncobj);
	return rc;
}

int drm_syncobj_ioctl_destroy(struct drm_file *file, void *data)
{
	const struct drm_syncobj_destroy *destroy = data;
	struct drm_syncobj *syncobj;

	if (destroy->pad)
		return -EINVAL;
	syncobj = drm_ids_remove(&file->syncobjs, destroy->handle);
	drm_syncobj_put(syncobj);
	return syncobj ? 0 : -EINVAL;
}

int drm_syncobj_ioctl_export(struct drm_file *file, void *data)
{
	struct drm_syncobj_handle *export = data;
	struct drm_syncobj *syncobj = lookup(file, export->handle);
	struct drm_fence *fence = NULL;
	int fd;

	if (export->pad || export->flags & ~DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
		return -EINVAL;
	if (!syncobj)
		return export->flags ? -ENOENT : -EINVAL;
	if (export->flags) {
		fence = drm_syncobj_find(syncobj, 0);
		if (!fence)
			return -EINVAL;
		syncobj = NULL;
	}
	fd = drm_sync_fd_create(file->device, fence, syncobj);
	if (fd < 0)
		return fd;
	export->fd = fd;
	return 0;
}

int drm_syncobj_ioctl_import(struct drm_file *file, void *data)
{
	struct drm_syncobj_handle *import = data;
	struct drm_syncobj *syncobj;
	struct drm_fence *fence;

	if (import->pad || import->flags & ~DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
		return -EINVAL;
	if (!import->flags) {
		syncobj = drm_sync_fd_syncobj(file->device, import->fd);
		return syncobj ? add_handle(file, syncobj, &import->handle) : -EINVAL;
	}
	fence = drm_sync_fd_fence(file->device, import->fd);
	if (!fence)
		return -EINVAL;
	syncobj = lookup(file, import->handle);
	return syncobj ? signal_now(file, syncobj, false, 0, fence) : -ENOENT;
}

/*
 * Sync objects, and values if `values` is not 0, of a list that the caller points to. Returns 0,
 * -EINVAL for an empty one, -ENOENT, -EFAULT or -ENOMEM. The list is the caller's to free, without
 * references.
 */
static int read_list(struct drm_file *file, uint64_t handles, uint64_t values, uint32_t count,
	struct drm_wait **out)
{
	struct drm_wait *list;
	uint32_t handle;
	int rc = 0;

	if (count == 0)
		return -EINVAL;
	list = count <= MOST_HANDLES ? calloc(count, sizeof(*list)) : NULL;
	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < count && rc == 0; i++) {
		rc = drm_user_read(&handle, handles + i * sizeof(handle), sizeof(handle));
		if (rc == 0 && values)
			rc = drm_user_read(
				&list[i].value, values + i * sizeof(uint64_t), sizeof(uint64_t));
		list[i].syncobj = rc ? NULL : lookup(file, handle);
		if (rc == 0 && !list[i].syncobj)
			rc = -ENOENT;
	}
	if (rc)
		free(list);
	else
		*out = list;
	return rc;
}

/* The part that both waits have. */
static int wait_for(struct drm_file *file, const struct drm_syncobj_timeline_wait *wait,
	uint64_t points, uint32_t *first)
{
	struct drm_wait *list;
	int64_t deadline = wait->timeout_nsec < 0 ? 0 : wait->timeout_nsec;
	uint32_t reached;
	int rc = read_list(file, wait->handles, points, wait->count_handles, &list);

	if (rc)
		return rc;
	for (uint32_t i = 0; i < wait->count_handles; i++)
		drm_syncobj_get(list[i].syncobj);
	rc = drm_syncobj_wait(
		file->device, list, wait->count_handles, wait->flags, deadline, &reached);
	free(list);
	if (rc == 0)
		*first = reached;
	return rc;
}

int drm_syncobj_ioctl_wait(struct drm_file *file, void *data)
{
	struct drm_syncobj_wait *wait = data;
	const struct drm_syncobj_timeline_wait same = { .handles = wait->handles,
		.timeout_nsec = wait->timeout_nsec,
		.count_handles = wait->count_handles,
		.flags = wait->flags };

	if (wait->flags & ~(unsigned)(DRM_WAIT_ALL | DRM_WAIT_SUBMIT))
		return -EINVAL;
	return wait_for(file, &same, 0, &wait->first_signaled);
}

int drm_syncobj_ioctl_timeline_wait(struct drm_file *file, void *data)
{
	struct drm_syncobj_timeline_wait *wait = data;

	if (wait->flags & ~(unsigned)(DRM_WAIT_ALL | DRM_WAIT_SUBMIT | DRM_WAIT_AVAILABLE))
		return -EINVAL;
	return wait_for(file, wait, wait->points, &wait->first_signaled);
}

int drm_syncobj_ioctl_reset(struct drm_file *file, void *data)
{
	const struct drm_syncobj_array *array = data;
	struct drm_wait *list;
	int rc = array->pad ? -EINVAL
			    : read_list(file, array->handles, 0, array->count_handles, &list);

	if (rc)
		return rc;
	for (uint32_t i = 0; i < array->count_handles; i++)
		drm_syncobj_reset(list[i].syncobj);
	free(list);
	return 0;
}

static int signal_list(
	struct drm_file *file, const struct drm_syncobj_timeline_array *array, bool timeline)
{
	struct drm_wait *list;
	int rc = read_list(file, array->handles, array->points, array->count_handles, &list);

	if (rc)
		return rc;
	for (uint32_t i = 0; i < array->count_handles && rc == 0; i++)
		rc = signal_now(file, list[i].syncobj, timeline, list[i].value, NULL);
	free(list);
	return rc;
}

int drm_syncobj_ioctl_signal(struct drm_file *file, void *data)
{
	const struct drm_syncobj_array *array = data;
	const struct drm_syncobj_timeline_array same = { .handles = array->handles,
		.count_handles = array->count_handles };

	return array->pad ? -EINVAL : signal_list(file, &same, false);
}

int drm_syncobj_ioctl_timeline_signal(struct drm_file *file, void *data)
{
	const struct drm_syncobj_timeline_array *array = data;

	return array->flags ? -EINVAL : signal_list(file, array, true);
}

int drm_syncobj_ioctl_query(struct drm_file *file, void *data)
{
	const struct drm_syncobj_timeline_array *array = data;
	struct drm_wait *list;
	int rc;

	if (array->flags & ~DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
		return -EINVAL;
	rc = read_list(file, array->handles, 0, array->count_handles, &list);
	if (rc)
		return rc;
	for (uint32_t i = 0; i < array->count_handles && rc == 0; i++) {
		uint64_t value = drm_syncobj_value(list[i].syncobj, array->flags != 0);
		rc = drm_user_write(array->points + i * sizeof(value), &value, sizeof(value));
	}
	free(list);
	return rc;
}

int drm_syncobj_ioctl_transfer(struct drm_file *file, void *data)
{
	enum { PATIENCE = 5 }; /* seconds */
	const struct drm_syncobj_transfer *transfer = data;
	struct drm_syncobj *to = lookup(file, transfer->dst_handle);
	struct drm_wait from = { lookup(file, transfer->src_handle), transfer->src_point, NULL };
	struct drm_fence *fence;
	uint32_t first;
	int rc = 0;

	if (transfer->pad)
		return -EINVAL;
	if (!to || !from.syncobj)
		return -ENOENT;
	drm_syncobj_get(to);
	drm_syncobj_get(from.syncobj);
	if (transfer->flags & DRM_WAIT_SUBMIT) {
		drm_syncobj_get(from.syncobj); /* the wait's */
		rc = drm_syncobj_wait(file->device, &from, 1, DRM_WAIT_SUBMIT | DRM_WAIT_AVAILABLE,
			drm_timeline_now() + PATIENCE * INT64_C(1000000000), &first);
	}
	fence = rc ? NULL : drm_syncobj_find(from.syncobj, transfer->src_point);
	if (fence) {
		drm_fence_get(fence); /* both may be the same object */
		rc = signal_now(file, to, transfer->dst_point != 0, transfer->dst_point, fence);
		drm_fence_put(fence);
	} else if (rc == 0) {
		rc = -EINVAL;
	}
	drm_syncobj_put(from.syncobj);
	drm_syncobj_put(to);
	return rc;
}
