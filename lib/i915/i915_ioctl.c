// SPDX-License-Identifier: MIT
#include "i915/i915_ioctl.h"

#include <errno.h>
#include <libdrm/i915_drm.h>
#include <string.h>

#include "i915/i915_handlers.h"
#include "drm/memory/drm_user.h"
#include "util/util_bits.h"
#include "util/util_log.h"

struct row {
	unsigned long request;
	const char *name;
	i915_handler *handler;
};

#define ROW(request, handler)                                                                      \
	[_IOC_NR(DRM_IOCTL_##request)] = { DRM_IOCTL_##request, #request, handler }

/* By number, in the order of <drm.h> and <i915_drm.h>. Where a number has two structs that begin
 * alike, the longer one stands. */
static const struct row rows[256] = {
	ROW(VERSION, i915_version_ioctl),
	ROW(GEM_CLOSE, i915_gem_close_ioctl),
	ROW(GET_CAP, i915_get_cap_ioctl),
	ROW(PRIME_HANDLE_TO_FD, i915_prime_export_ioctl),
	ROW(PRIME_FD_TO_HANDLE, i915_prime_import_ioctl),
	ROW(I915_GETPARAM, i915_getparam_ioctl),
	ROW(I915_GEM_BUSY, i915_gem_busy_ioctl),
	ROW(I915_GEM_THROTTLE, i915_gem_throttle_ioctl),
	ROW(I915_GEM_CREATE, i915_gem_create_ioctl),
	ROW(I915_GEM_PREAD, i915_gem_pread_ioctl),
	ROW(I915_GEM_PWRITE, i915_gem_pwrite_ioctl),
	ROW(I915_GEM_MMAP, i915_gem_mmap_ioctl),
	ROW(I915_GEM_SET_DOMAIN, i915_gem_set_domain_ioctl),
	ROW(I915_GEM_SW_FINISH, i915_gem_sw_finish_ioctl),
	ROW(I915_GEM_SET_TILING, i915_gem_set_tiling_ioctl),
	ROW(I915_GEM_GET_TILING, i915_gem_get_tiling_ioctl),
	ROW(I915_GEM_GET_APERTURE, i915_gem_get_aperture_ioctl),
	ROW(I915_GEM_MMAP_OFFSET, i915_gem_mmap_offset_ioctl),
	ROW(I915_GEM_MADVISE, i915_gem_madvise_ioctl),
	ROW(I915_GEM_EXECBUFFER2_WR, i915_execbuffer2_ioctl),
	ROW(I915_GEM_WAIT, i915_gem_wait_ioctl),
	ROW(I915_GEM_CONTEXT_CREATE_EXT, i915_context_create_ioctl),
	ROW(I915_GEM_CONTEXT_DESTROY, i915_context_destroy_ioctl),
	ROW(I915_GEM_SET_CACHING, i915_gem_set_caching_ioctl),
	ROW(I915_GEM_GET_CACHING, i915_gem_get_caching_ioctl),
	ROW(I915_REG_READ, i915_reg_read_ioctl),
	ROW(I915_GET_RESET_STATS, i915_reset_stats_ioctl),
	ROW(I915_GEM_USERPTR, i915_gem_userptr_ioctl),
	ROW(I915_GEM_CONTEXT_GETPARAM, i915_context_getparam_ioctl),
	ROW(I915_GEM_CONTEXT_SETPARAM, i915_context_setparam_ioctl),
	ROW(I915_QUERY, i915_query_ioctl),
	ROW(I915_GEM_VM_CREATE, i915_vm_create_ioctl),
	ROW(I915_GEM_VM_DESTROY, i915_vm_destroy_ioctl),
	ROW(I915_GEM_CREATE_EXT, i915_gem_create_ext_ioctl),
};
#undef ROW

/* How much of the struct goes in one direction: what both sides say it does. */
static size_t common_size(unsigned long asked, unsigned long known, unsigned direction)
{
	size_t theirs = _IOC_SIZE(asked);
	size_t ours = _IOC_SIZE(known);

	if (!(_IOC_DIR(asked) & _IOC_DIR(known) & direction))
		return 0;
	return theirs < ours ? theirs : ours;
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

int i915_ioctl(struct drm_file *file, unsigned long request, uint64_t argument)
{
	const struct row *row = &rows[_IOC_NR(request)];
	uint64_t data[32] = { 0 };
	int written;
	int rc;

	if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
		return -ENOTTY;
	if (!row->handler) {
		util_log(UTIL_LOG_DEBUG, "i915", "ioctl 0x%lx (number 0x%lx, %lu bytes): not known",
			request, (unsigned long)_IOC_NR(request),
			(unsigned long)_IOC_SIZE(request));
		return -EINVAL;
	}
	rc = drm_user_read(data, argument, common_size(request, row->request, _IOC_WRITE));
	if (rc)
		return rc;
	pthread_mutex_lock(&file->device->lock);
	rc = file->dead ? in_child(row, data) : row->handler(file, data);
	pthread_mutex_unlock(&file->device->lock);
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
