// SPDX-License-Identifier: MIT
#ifndef L0_IMPORT_H
#define L0_IMPORT_H

#include "l0/l0_context.h"

/*
 * Memory of other APIs, which a descriptor of a Linux dma_buf names. Only the context's device
 * reaches it, not the host. Any thread.
 *
 * A driver may know a dma_buf once only for each device (22.43 does: GEM has one handle for it,
 * which the driver closes with the first of two allocations). So imports of one dma_buf share an
 * allocation, and a second context of the device cannot have it at the same time.
 */

/*
 * Stores where the device sees the first of `size` bytes. The descriptor stays the caller's. The
 * device must be one that imports (l0_device_info). CL_INVALID_PROPERTY: it is no dma_buf;
 * CL_INVALID_BUFFER_SIZE: it has fewer bytes; CL_OUT_OF_RESOURCES: another context has it, or the
 * kernel, older than 5.3, does not tell dma_bufs apart; CL_OUT_OF_HOST_MEMORY.
 */
cl_int l0_import(struct l0_context *context, int fd, size_t size, void **out);

/* Gives up what l0_import stored; the device must not be using it any more. */
void l0_import_free(struct l0_context *context, void *address);

#endif
