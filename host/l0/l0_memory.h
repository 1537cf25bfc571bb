// SPDX-License-Identifier: MIT
#ifndef L0_MEMORY_H
#define L0_MEMORY_H

#include "l0/l0_context.h"

/* Unified shared memory: one address for host and device. */
enum l0_memory_kind {
	L0_MEMORY_SHARED, /* what buffers are made of: both sides at full speed if there is one
			     device and it is integrated, else HOST */
	L0_MEMORY_HOST,	  /* host memory that all devices of the context can reach */
	L0_MEMORY_DEVICE  /* the host cannot reach it, nor can other devices */
};

/*
 * `size` bytes (> 0) aligned to `align` (a power of two, 0: any). The bytes are undefined. More
 * than the device's max_alloc_size is asked for with ZE_experimental_relaxed_allocation_limits.
 * CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE,
 * CL_INVALID_BUFFER_SIZE.
 */
cl_int l0_memory_alloc(struct l0_context *context, enum l0_memory_kind kind, size_t size,
	size_t align, void **out);

/*
 * Whether the device reports what kernels reach beyond an allocation (ZEROCL_VGPU_CHECK): then
 * nothing that is a buffer of its own to kernels should share one.
 */
bool l0_memory_is_checked(const struct l0_context *context);

/*
 * For those reports: nobody has written a byte of the allocation that begins there; the host writes
 * these bytes, or (size 0) may write any of their allocation at any time. Bytes of an allocation
 * that is not named here count as written.
 */
void l0_memory_is_new(const struct l0_context *context, const void *address);
/* The application has just made the allocation that begins there, by a call of this thread. */
void l0_memory_own(const struct l0_context *context, const void *address);
void l0_memory_written(const struct l0_context *context, const void *address, size_t size);

/*
 * The device reaches the allocation that begins at `address` whether an argument names it or not,
 * until it is evicted, which it must be before it is freed. Level Zero's flag for indirect access
 * is not used: with it, driver 22.43 names an allocation twice if it is an argument too, and older
 * kernel drivers refuse the work.
 */
cl_int l0_memory_keep(struct l0_context *context, void *address, size_t size);
void l0_memory_evict(struct l0_context *context, void *address, size_t size);

/*
 * Free what is of L0_MEMORY_SHARED and L0_MEMORY_HOST, and of L0_MEMORY_DEVICE. No device may be
 * using it any more. NULL is allowed.
 */
void l0_memory_free(struct l0_context *context, void *address);
void l0_memory_free_device(struct l0_context *context, void *address);

#endif
