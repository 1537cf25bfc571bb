// SPDX-License-Identifier: MIT
#include "i915/i915_ioctl.h"

#include <errno.h>
#include <libdrm/i915_drm.h>
#include <string.h>

#include "i915/i915_handler.h"
#include "drm/memory/drm_user.h"
#include "util/util_bits.h"
#include "util/util_log.h"

struct row {
	unsigned long request;
	const char *name;
	i915_handler *handler;
	i915_object_handler *object_handler; /* instead of the other */
	size_t handle;			     /* the object's: its offset in the struct */
};

/* By number. */
static const struct row rows[256] = {
#define IOCTL(id, function)                                                                        \
	[_IOC_NR(DRM_IOCTL_##id)] = { .request = DRM_IOCTL_##id, .name = #id, .handler = function },
#define OBJECT_IOCTL(id, function, type, member)                                                   \
	[_IOC_NR(DRM_IOCTL_##id)] = { .request = DRM_IOCTL_##id,                                   \
		.name = #id,                                                                       \
		.object_handler = function,                                                        \
		.handle = offsetof(struct type, member) },
#include "i915/i915_ioctl.def"
#undef IOCTL
#undef OBJECT_IOCTL
};

/* Bytes to copy in one direction: what the struct of the caller and that of the kernel share. */
static size_t common_size(unsigned long asked, unsigned long known, unsigned direction)
{
	size_t caller = _IOC_SIZE(asked);
	size_t kernel = _IOC_SIZE(known);

	if (!(_IOC_DIR(asked) & _IOC_DIR(known) & direction))
		return 0;
	return caller < kernel ? caller : kernel;
}

/* A shorter answer than the caller's struct leaves zeroes behind it, as the kernel's does. */
static int copy_out(uint64_t argument, const void *data, unsigned long asked, size_t size)
{
	static const char zeroes[256];
	size_t theirs = _IOC_SIZE(asked);
	int rc = drm_user_write(argument, data, size);

	while (rc == 0 && size && size < theirs) {
		size_t more = theirs - size < sizeof(zeroes) ? theirs - size : sizeof(zeroes);
		rc = drm_user_write(argument + size, zeroes, more);
		size += more;
	}
	return rc;
}

/*
 * The device of a parent process does nothing here. A driver that cleans up at exit may end the
 * process when that fails, so that what only ends or waits is said to have worked.
 */
static int in_child(const struct row *row, void *data)
{
	static const unsigned long harmless[] = {
		DRM_IOCTL_GEM_CLOSE,
		DRM_IOCTL_SYNCOBJ_DESTROY,
		DRM_IOCTL_SYNCOBJ_RESET,
		DRM_IOCTL_SYNCOBJ_WAIT,
		DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
		DRM_IOCTL_I915_GEM_WAIT,
		DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
		DRM_IOCTL_I915_GEM_VM_DESTROY,
	};
	struct drm_i915_reset_stats *stats = data;

	if (row->request == DRM_IOCTL_I915_GET_RESET_STATS) {
		stats->batch_active = 1; /* so that nobody waits for a batch */
		return 0;
	}

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(harmless); i++) {
		if (row->request == harmless[i])
			return 0;
	}
	return -ENODEV;
}

int i915_extensions_read(
	uint64_t user, i915_extension_fn *const *functions, unsigned count, void *self)
{
	enum { MOST_EXTENSIONS = 512 };
	struct i915_user_extension base;
	int rc = 0;

	for (unsigned i = 0; user && rc == 0; i++, user = base.next_extension) {
		rc = i < MOST_EXTENSIONS ? drm_user_read(&base, user, sizeof(base)) : -E2BIG;
		if (rc)
			return rc;
		if (base.flags || base.rsvd[0] || base.rsvd[1] || base.rsvd[2] || base.rsvd[3] ||
			base.name >= count)
			return -EINVAL;
		rc = functions[base.name](self, user);
	}
	return rc;
}

static int call(struct drm_file *file, const struct row *row, void *data)
{
	struct drm_bo *bo;
	uint32_t handle;

	if (row->handler)
		return row->handler(file, data);
	memcpy(&handle, (const char *)data + row->handle, sizeof(handle));
	bo = drm_ids_find(&file->objects, handle);
	return bo ? row->object_handler(bo, data) : -ENOENT;
}

int i915_ioctl(struct drm_file *file, unsigned long request, uint64_t argument)
{
	const struct row *row = &rows[_IOC_NR(request)];
	uint64_t data[32] = { 0 };
	int written;
	int rc;

	if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
		return -ENOTTY;
	if (!row->name) {
		util_log(UTIL_LOG_DEBUG, "i915", "ioctl 0x%lx (number 0x%lx, %lu bytes): not known",
			request, (unsigned long)_IOC_NR(request),
			(unsigned long)_IOC_SIZE(request));
		return -EINVAL;
	}
	rc = drm_user_read(data, argument, common_size(request, row->request, _IOC_WRITE));
	if (rc)
		return rc;
	pthread_mutex_lock(&file->device->lock);
	rc = file->dead ? in_child(row, data) : call(file, row, data);
	drm_device_unlock(file->device);
	written = copy_out(argument, data, request, common_size(request, row->request, _IOC_READ));
	if (written)
		rc = written;
	if (rc)
		util_log(UTIL_LOG_DEBUG, "i915", "%s: %s", row->name, strerrorname_np(-rc));
	else
		util_log(UTIL_LOG_TRACE, "i915", "%s", row->name);
	return rc;
}

const struct drm_front i915_front = { .ioctl = i915_ioctl, .mmap = i915_mmap };
