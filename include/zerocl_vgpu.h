// SPDX-License-Identifier: MIT
#ifndef ZEROCL_VGPU_H
#define ZEROCL_VGPU_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ZEROCL_VGPU_API __attribute__((visibility("default")))

/*
 * The virtual Gen device, libzerocl-vgpu.so.1.
 *
 * zerocl_vgpu_install loads Intel's Level Zero driver (libze_intel_gpu.so.1) into this process and
 * redirects that library's calls to the kernel (open, ioctl, mmap, …) to the virtual device.
 * Nothing else of the process is touched. Call it before zeInit; calling it again does nothing.
 * Returns 0, or a negative errno with a sentence of why in reason (NUL-terminated, may be NULL).
 */
ZEROCL_VGPU_API int zerocl_vgpu_install(char *reason, size_t reason_size);

/*
 * After the driver has said that the device was lost: copies the report of the oldest fault that
 * was not taken yet (NUL-terminated, cut at size) and lets the contexts that it stopped run again.
 * Returns the full length of the report, or 0 when there is none.
 */
ZEROCL_VGPU_API size_t zerocl_vgpu_take_fault(char *report, size_t size);

#ifdef __cplusplus
}
#endif

#endif
