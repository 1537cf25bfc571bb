// SPDX-License-Identifier: MIT
#ifndef L0_CONTEXT_H
#define L0_CONTEXT_H

#include "l0/l0_device.h"

/* In which memory, modules, lists and events are made. Its pools are thread-safe. */
struct l0_context;

cl_int l0_context_create(struct l0_device *device, struct l0_context **out);
/* Everything made in it must be gone. NULL is allowed. */
void l0_context_destroy(struct l0_context *context);

struct l0_device *l0_context_device(const struct l0_context *context);

#endif
