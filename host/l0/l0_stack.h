// SPDX-License-Identifier: MIT
#ifndef L0_STACK_H
#define L0_STACK_H

/*
 * Runs `run` where the stack is as deep as the driver needs it: it has frames of tens of KiB when
 * it is opened and when it reads a module, and threads of the application may have 64 KiB in all.
 * That is here, or, while this thread waits, on a thread of its own.
 */
void l0_stack_run(void (*run)(void *data), void *data);

#endif
