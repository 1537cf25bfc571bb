// SPDX-License-Identifier: MIT
#ifndef EU_CHECK_H
#define EU_CHECK_H

#include "eu/state/eu_watcher.h"
#include "eu/state/eu_thread.h"

struct eu_kernel;

/*
 * ZEROCL_VGPU_CHECK=1: what programs must not do, though the hardware lets them, goes to the log at
 * level error, with the instruction and the work-item's channel. Execution goes on as on hardware.
 * An instruction is reported once, for the channel that was first, and no more than
 * EU_CHECK_REPORTS instructions are. Kernels and lines are named where eu_symbols.h knows them.
 */
enum { EU_CHECK_REPORTS = 100 };

/* Whether checks are wanted. The rest is for when they are. */
bool eu_check_on(void);

/* For worker->watcher: reports what lies out of bounds and how threads end. NULL unless wanted. */
const struct eu_watcher *eu_check_watcher(void);

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
struct eu_check_plan;
struct eu_check_plan *eu_check_plan_create(const struct eu_kernel *kernel);
void eu_check_plan_destroy(struct eu_check_plan *plan);

/* Before instruction `inst`, which is the message `send` or (NULL) none. */
void eu_check_step(struct eu_thread *thread, const struct eu_check_plan *plan, uint32_t inst,
	const struct eu_send *send);

/*
 * Before a message for these of its lanes: reads of local memory that no work-item of the group has
 * written, of buffers that nobody has, accesses through addresses beyond the end of a buffer,
 * misaligned blocks, and barriers that some work-items do not reach.
 */
void eu_check_message(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);
/* A group starts: nothing of its local memory is written. */
void eu_check_group(const struct eu_thread *thread);

#endif
