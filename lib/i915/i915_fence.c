// SPDX-License-Identifier: MIT
#include "i915/i915_fence.h"

#include <errno.h>
#include <stdlib.h>

#include "drm/memory/drm_raw.h"
#include "drm/memory/drm_user.h"
#include "drm/sync/drm_sync_fd.h"
#include "i915/i915_handler.h"
#include "util/util_bits.h"

/* One row of FENCE_ARRAY (value 0) or of TIMELINE_FENCES. */
static int read_fence(
	struct i915_fences *fences, const struct drm_i915_gem_exec_fence *row, uint64_t value)
{
	struct drm_syncobj *syncobj = drm_ids_find(&fences->file->syncobjs, row->handle);
	struct drm_fence *fence;
	struct i915_signal *more;
	int rc;

	if (row->flags & __I915_EXEC_FENCE_UNKNOWN_FLAGS)
		return -EINVAL;
	if (!syncobj)
		return -ENOENT;
	if (row->flags & I915_EXEC_FENCE_WAIT) {
		/* A batch that waits for itself */
		if (value && row->flags & I915_EXEC_FENCE_SIGNAL)
			return -EINVAL;
		fence = drm_syncobj_find(syncobj, value);
		if (!fence)
			return -EINVAL;
		rc = drm_points_merge(fences->waits, &fence->points);
		if (rc)
			return rc;
	}
	if (!(row->flags & I915_EXEC_FENCE_SIGNAL))
		return 0;
	more = realloc(fences->signals, (fences->signal_count + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	fences->signals = more;
	more[fences->signal_count++] = (struct i915_signal){ syncobj, value, { 0 } };
	return 0;
}

/* `values` is 0 for FENCE_ARRAY. */
static int read_array(struct i915_fences *fences, uint64_t rows, uint64_t values, uint64_t count)
{
	struct drm_i915_gem_exec_fence row;
	uint64_t value = 0;
	int rc = 0;

	if (count > UINT32_MAX)
		return -EINVAL;
	for (uint64_t i = 0; i < count && rc == 0; i++) {
		rc = drm_user_read(&row, rows + i * sizeof(row), sizeof(row));
		if (rc == 0 && values)
			rc = drm_user_read(&value, values + i * sizeof(value), sizeof(value));
		if (rc == 0)
			rc = read_fence(fences, &row, value);
	}
	return rc;
}

/* At most one. */
static int read_timeline(void *self, uint64_t user)
{
	struct drm_i915_gem_execbuffer_ext_timeline_fences extension;
	struct i915_fences *fences = self;
	int rc = fences->has_list ? -EINVAL : drm_user_read(&extension, user, sizeof(extension));

	fences->has_list = true;
	return rc ? rc
		  : read_array(fences, extension.handles_ptr, extension.values_ptr,
			    extension.fence_count);
}

int i915_fences_read(struct i915_fences *fences, struct drm_file *file,
	const struct drm_i915_gem_execbuffer2 *request, struct drm_points *waits)
{
	static i915_extension_fn *const extensions[] = {
		[DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES] = read_timeline,
	};
	int rc = 0;

	fences->file = file;
	fences->waits = waits;
	if (request->flags & I915_EXEC_FENCE_IN) {
		struct drm_fence *in =
			drm_sync_fd_fence(file->device, (int)(uint32_t)request->rsvd2);
		rc = in ? drm_points_merge(waits, &in->points) : -EINVAL;
	}
	if (rc)
		return rc;
	if (request->flags & I915_EXEC_FENCE_ARRAY)
		return read_array(fences, request->cliprects_ptr, 0, request->num_cliprects);
	if (request->flags & I915_EXEC_USE_EXTENSIONS)
		return i915_extensions_read(
			request->cliprects_ptr, extensions, UTIL_ARRAY_SIZE(extensions), fences);
	return 0;
}

int i915_fences_prepare(struct i915_fences *fences, struct drm_device *device, uint64_t flags,
	struct drm_timeline *timeline, uint64_t number)
{
	int rc = 0;

	if (!fences->signal_count && !(flags & I915_EXEC_FENCE_OUT))
		return 0;
	fences->done = drm_fence_create(NULL, NULL);
	if (!fences->done)
		return -ENOMEM;
	rc = drm_points_add(&fences->done->points, timeline, number);
	for (uint32_t i = 0; i < fences->signal_count && rc == 0; i++) {
		struct i915_signal *signal = &fences->signals[i];
		rc = drm_syncobj_prepare(signal->syncobj, fences->signal_count, signal->value != 0,
			signal->value, fences->done, &signal->moment);
		fences->prepared += rc == 0;
	}
	if (rc == 0 && flags & I915_EXEC_FENCE_OUT) {
		fences->out_fd = drm_sync_fd_create(device, NULL, NULL);
		rc = fences->out_fd < 0 ? fences->out_fd : 0;
	}
	return rc;
}

void i915_fences_commit(struct i915_fences *fences, struct drm_device *device,
	struct drm_i915_gem_execbuffer2 *request)
{
	for (uint32_t i = 0; i < fences->signal_count; i++) {
		const struct i915_signal *signal = &fences->signals[i];
		drm_syncobj_commit(device, signal->syncobj, signal->value != 0, signal->moment);
	}
	fences->prepared = 0;
	if (fences->out_fd < 0)
		return;
	drm_sync_fd_set(device, fences->done);
	request->rsvd2 = (request->rsvd2 & UINT32_MAX) | (uint64_t)fences->out_fd << 32;
	fences->out_fd = -1;
}

void i915_fences_finish(struct i915_fences *fences)
{
	for (uint32_t i = 0; i < fences->prepared; i++)
		drm_fence_put(fences->signals[i].moment.fence);
	if (fences->out_fd >= 0)
		drm_raw_close(fences->out_fd);
	drm_fence_put(fences->done);
	free(fences->signals);
}
