// SPDX-License-Identifier: MIT
#ifndef EU_CHECK_H
#define EU_CHECK_H

#include "eu/eu_memory.h"

/*
 * ZEROCL_VGPU_CHECK=1: what programs must not do, though the hardware lets them, goes to the log at
 * level error, with the instruction and the work-item's channel. Execution goes on as on hardware.
 * An instruction is reported once, for the channel that was first, and no more than
 * EU_CHECK_REPORTS instructions are.
 */
enum { EU_CHECK_REPORTS = 100 };

/* Whether checks are wanted; the environment is read once. Everything below does nothing else. */
bool eu_check_on(void);

/* A lane reaches beyond a surface or the group's local memory. */
void eu_check_bounds(const struct eu_view *view, unsigned lane, uint64_t offset, unsigned bytes);

/* A block message whose address is no multiple of `alignment`. */
void eu_check_alignment(const struct eu_thread *thread, const struct eu_send *send,
	uint64_t address, unsigned alignment);

/* A thread signals a barrier: all work-items that were started must be there. */
void eu_check_barrier(const struct eu_thread *thread, const struct eu_send *send);

/* A thread has ended while others of its group wait at a barrier. */
void eu_check_end(const struct eu_thread *thread);

#endif
