// SPDX-License-Identifier: MIT
#ifndef I915_HANDLERS_H
#define I915_HANDLERS_H

#include "drm/memory/drm_device.h"

/*
 * One function for each ioctl, called with the device's lock held and with the argument in kernel
 * memory: as long as the request's struct, extended with zeroes when the caller's is shorter.
 * What it leaves there goes back to the caller, also when it fails.
 */
typedef int i915_handler(struct drm_file *file, void *data);

i915_handler i915_version_ioctl;
i915_handler i915_get_cap_ioctl;
i915_handler i915_getparam_ioctl;
i915_handler i915_reg_read_ioctl;
i915_handler i915_query_ioctl;
i915_handler i915_gem_create_ioctl;
i915_handler i915_gem_create_ext_ioctl;
i915_handler i915_gem_userptr_ioctl;
i915_handler i915_gem_close_ioctl;
i915_handler i915_gem_mmap_ioctl;
i915_handler i915_gem_mmap_offset_ioctl;
i915_handler i915_gem_pread_ioctl;
i915_handler i915_gem_pwrite_ioctl;
i915_handler i915_gem_busy_ioctl;
i915_handler i915_gem_wait_ioctl;
i915_handler i915_gem_set_domain_ioctl;
i915_handler i915_gem_sw_finish_ioctl;
i915_handler i915_gem_madvise_ioctl;
i915_handler i915_gem_set_caching_ioctl;
i915_handler i915_gem_get_caching_ioctl;
i915_handler i915_gem_set_tiling_ioctl;
i915_handler i915_gem_get_tiling_ioctl;
i915_handler i915_gem_get_aperture_ioctl;
i915_handler i915_gem_throttle_ioctl;
i915_handler i915_prime_export_ioctl;
i915_handler i915_prime_import_ioctl;
i915_handler i915_context_create_ioctl;
i915_handler i915_context_destroy_ioctl;
i915_handler i915_context_getparam_ioctl;
i915_handler i915_context_setparam_ioctl;
i915_handler i915_reset_stats_ioctl;
i915_handler i915_vm_create_ioctl;
i915_handler i915_vm_destroy_ioctl;
i915_handler i915_execbuffer2_ioctl;

/* The system memory of the device, in bytes: what the host has. */
uint64_t i915_memory_size(void);

#endif
