// SPDX-License-Identifier: MIT
#ifndef ZEROCL_VGPU_H
#define ZEROCL_VGPU_H

#include <stddef.h>
#include <stdint.h>

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

/*
 * Reads the ZEROCL_VGPU_* variables of the environment again, which otherwise count as they are
 * when the device is first opened. The next kernel runs with them.
 */
ZEROCL_VGPU_API void zerocl_vgpu_read_environment(void);

/*
 * What machine code is, so that the device's reports can name the kernel and the source line. Only
 * worth its work when zerocl_vgpu_wants_names() is not 0: ZEROCL_VGPU_CHECK=1 is set.
 */
struct zerocl_vgpu_line {
	uint32_t offset; /* bytes from the kernel's beginning; up to the next row */
	uint32_t line;	 /* of the source; 0: of none */
};
ZEROCL_VGPU_API int zerocl_vgpu_wants_names(void);
/*
 * `size` bytes of code at a GPU address are `kernel`; rows by ascending offset. All is copied. 0,
 * or -ENOMEM.
 */
ZEROCL_VGPU_API int zerocl_vgpu_name_code(uint64_t address, size_t size, const char *kernel,
	const struct zerocl_vgpu_line *lines, size_t n_lines);
/* That code is gone. */
ZEROCL_VGPU_API void zerocl_vgpu_forget_code(uint64_t address);
/*
 * An allocation is of `size` bytes (> 0), which drivers round up to pages: accesses beyond are then
 * reported to the byte. As above only worth its work when zerocl_vgpu_wants_names(). 0, or -ENOMEM.
 */
ZEROCL_VGPU_API int zerocl_vgpu_name_memory(uint64_t address, size_t size);
/* That memory is gone, or about to go. */
ZEROCL_VGPU_API void zerocl_vgpu_forget_memory(uint64_t address);

#ifdef __cplusplus
}
#endif

#endif
