// SPDX-License-Identifier: MIT
#ifndef L0_CONTEXT_H
#define L0_CONTEXT_H

#include "l0/l0_device.h"

/*
 * In which memory, modules, lists and events for one device are made. Its pools are thread-safe.
 * Those that are made together share their memory: what is allocated in one of them, but for
 * L0_MEMORY_DEVICE, the devices of all reach.
 */
struct l0_context;

/* The most that can be made together. */
#define L0_CONTEXT_DEVICES 64

/*
 * For each of n devices (1 to L0_CONTEXT_DEVICES), all different and of one driver, one that is
 * stored in `out`. The first must be destroyed last.
 */
cl_int l0_context_create(unsigned n, struct l0_device *const *devices, struct l0_context **out);
/* Everything made in it must be gone. NULL is allowed. */
void l0_context_destroy(struct l0_context *context);

#endif
