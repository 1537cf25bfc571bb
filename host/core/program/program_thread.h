// SPDX-License-Identifier: MIT
#ifndef PROGRAM_THREAD_H
#define PROGRAM_THREAD_H

#include <stdbool.h>

/*
 * Threads that build while the application goes on. The process may exit meanwhile: then exit waits
 * for those that use the driver, and none begins to use it any more.
 */

/* Calls run(data) on a new thread, which takes no signals of the application. False: there is no
 * thread, and nothing was called. */
bool program_thread_start(void (*run)(void *data), void *data);

/* Brackets around each use of the driver by a build, on any thread. If program_thread_enter returns
 * false, the process exits: leave the driver alone, and do not call program_thread_leave. */
bool program_thread_enter(void);
void program_thread_leave(void);

#endif
