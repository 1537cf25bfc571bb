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
 * The same for another copy of the driver, which the caller has loaded and never closes: a forked
 * child has no use for the one that its parent had. NULL is zerocl_vgpu_install.
 */
ZEROCL_VGPU_API int zerocl_vgpu_install_into(void *driver, char *reason, size_t reason_size);

/*
 * Takes the oldest fault of a device (0: the first that ZEROCL_VGPU names; it is number + 2 on the
 * PCI bus), after the driver has reported that the device was lost: copies its report
 * (NUL-terminated, cut at size) and lets the context that it stopped run again. Returns the full
 * length of the report, or 0 when there is none.
 */
ZEROCL_VGPU_API size_t zerocl_vgpu_take_fault(unsigned number, char *report, size_t size);

/*
 * Sleeps until a batch of the device has ended since *seen was filled, `timeout_ns` or a tenth of a
 * second at most, and fills it anew; with a *seen of 0 it only does that. Returns 0 when there is
 * no such device.
 */
ZEROCL_VGPU_API int zerocl_vgpu_wait(unsigned number, uint64_t *seen, uint64_t timeout_ns);

/*
 * Reads the ZEROCL_VGPU_* variables of the environment again, which otherwise count as they are
 * when the device is first opened. The next kernel runs with them.
 */
ZEROCL_VGPU_API void zerocl_vgpu_read_environment(void);

/*
 * Names of machine code, sizes of memory and the order of commands, for the device's reports. They
 * are used only when zerocl_vgpu_wants_names() has the bit for them: of the first two with
 * ZEROCL_VGPU_CHECK and ZEROCL_VGPU_GDB, when lines matter more than that programs are built as
 * they would be without; of code with ZEROCL_VGPU_PROFILE; of commands with
 * ZEROCL_VGPU_CHECK=races.
 */
#define ZEROCL_VGPU_NAMES_CODE	   1
#define ZEROCL_VGPU_NAMES_MEMORY   2
#define ZEROCL_VGPU_NAMES_COMMANDS 4
struct zerocl_vgpu_line {
	uint32_t offset; /* bytes from the kernel's beginning; up to the next row */
	uint32_t line;	 /* of the source; 0: of none */
	uint32_t column; /* 0: not known */
};
struct zerocl_vgpu_code {
	const char *kernel;		      /* its name */
	const struct zerocl_vgpu_line *lines; /* by ascending offset */
	size_t n_lines;
	const char *source; /* whose lines they are; NULL: not known */
	/* Whether the kernel may call sub_group_barrier, of which machine code shows nothing. */
	int has_sub_group_barriers;
	/* From the first of these bytes of its local memory to before the end the compiler's own.
	 */
	uint32_t hidden_first, hidden_end;
	const void *binary; /* a zebin with debug information of the kernel, for GDB; NULL: none */
	size_t binary_size;
};
ZEROCL_VGPU_API int zerocl_vgpu_wants_names(void);
/*
 * Says what `size` bytes of code at a GPU address are. All arguments are copied. Returns 0 or
 * -ENOMEM.
 */
ZEROCL_VGPU_API int zerocl_vgpu_name_code(
	uint64_t address, size_t size, const struct zerocl_vgpu_code *code);
/* Forgets the code at that address. */
ZEROCL_VGPU_API void zerocl_vgpu_forget_code(uint64_t address);
/*
 * Says that an allocation has `size` bytes (> 0), which drivers round up to pages: accesses beyond
 * are then reported to the byte. Returns 0 or -ENOMEM.
 */
ZEROCL_VGPU_API int zerocl_vgpu_name_memory(uint64_t address, size_t size);
/*
 * Says that the application has just made the allocation at that address, by a call of this thread:
 * what commands do there is compared, and reports name the place of the call.
 */
ZEROCL_VGPU_API void zerocl_vgpu_own_memory(uint64_t address);
/*
 * Says that nobody has written a byte of the allocation at that address yet: kernels that read one
 * which neither a kernel nor zerocl_vgpu_write_memory has written are reported.
 */
ZEROCL_VGPU_API void zerocl_vgpu_clear_memory(uint64_t address);
/* Says that the host writes `size` bytes; 0: it may write any of the allocation at any time. */
ZEROCL_VGPU_API void zerocl_vgpu_write_memory(uint64_t address, size_t size);
/* Forgets the memory at that address. */
ZEROCL_VGPU_API void zerocl_vgpu_forget_memory(uint64_t address);

/* With ZEROCL_VGPU_CHECK=writes: whose last writer each kernel reports; 0: none (docs/RECORD.md).
 */
ZEROCL_VGPU_API void zerocl_vgpu_watch_byte(uint64_t address);

/*
 * Says that a command comes after those in `after`, after all that the application has seen end,
 * and after what comes before those. Returns its number, from 1 on; 0, which is ordered with all,
 * when memory is short. `name` (a constant) names it in reports; NULL: it runs a kernel of the
 * application. Of commands with the same `chain` (not 0), each comes after the one before it.
 */
#define ZEROCL_VGPU_ALL_COMMANDS UINT32_MAX /* among `after`: all that there are */
ZEROCL_VGPU_API uint32_t zerocl_vgpu_order_command(
	const char *name, uint32_t chain, const uint32_t *after, size_t n_after);
/* Says that the application has seen the command end. */
ZEROCL_VGPU_API void zerocl_vgpu_see_command(uint32_t command);
/* Says whose the work is that the calling thread submits from now on. */
ZEROCL_VGPU_API void zerocl_vgpu_enter_command(uint32_t command);
/* Says that the host reads or writes these bytes for the command, or may do so from now on. */
ZEROCL_VGPU_API void zerocl_vgpu_touch_memory(
	uint32_t command, uint64_t address, size_t size, int writes);

#ifdef __cplusplus
}
#endif

#endif
