// SPDX-License-Identifier: MIT
#ifndef EU_CHECK_H
#define EU_CHECK_H

#include "eu/watch/eu_observer.h"

/*
 * ZEROCL_VGPU_CHECK=1: what programs must not do, though the hardware lets them, goes to the log at
 * level error, with the instruction and the work-item's channel. Execution goes on as on hardware.
 * An instruction is reported once, for the channel that was first, and no more than
 * EU_CHECK_REPORTS instructions are. Kernels and lines are named where eu_symbols.h knows them.
 */
enum { EU_CHECK_REPORTS = 100 };

/*
 * Reports what `thread` did: what, where in the kernel (instruction `inst`, or none when it is
 * UINT32_MAX), and by whom: `channel` of the thread is a work-item, none when it is negative.
 */
__attribute__((format(printf, 4, 5))) void eu_check_report(
	const struct eu_thread *thread, uint32_t inst, int channel, const char *format, ...);

/*
 * What a kernel's instructions say about each other, made once for each kernel that is checked:
 * where block addresses lose their low bits, and which moves are shuffles. Owned by the caller;
 * NULL when memory is short.
 */
void *eu_check_plan_create(const struct eu_watched *watched);
void eu_check_plan_destroy(void *plan);

/* Before an instruction, of which event->facts is the kernel's plan. */
void eu_check_step(const struct eu_event *event);

/*
 * Before a message: reads of local memory that no work-item of the group has written, of buffers
 * that nobody has, accesses through addresses beyond the end of a buffer, misaligned blocks, and
 * barriers that some work-items do not reach.
 */
void eu_check_message(const struct eu_event *event);
/* A thread starts, and with the first one its group: nothing of its local memory is written. */
void eu_check_begin(struct eu_thread *thread);

#endif
