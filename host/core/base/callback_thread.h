// SPDX-License-Identifier: MIT
#ifndef CALLBACK_THREAD_H
#define CALLBACK_THREAD_H

#include "core/base/obj.h"

#include <stdbool.h>

/*
 * The callback thread: it alone calls the application, apart from threads of the application
 * itself. A callback may take any time and may wait for anything that the runtime does: no progress
 * of the runtime depends on this thread.
 */

/* Work for the callback thread, part of a larger struct. */
struct callback {
	struct callback *next;
	void (*call)(struct callback *callback);   /* calls the application */
	void (*finish)(struct callback *callback); /* frees the struct; not run at exit */
};

/*
 * Appends the list from `first` to `last`. Cannot fail: without a thread, and without memory for
 * one, the next call starts one. Any locks may be held.
 */
void callback_thread_add(struct callback *first, struct callback *last);

/* See obj_defer. */
bool callback_thread_destroy(
	struct obj *obj, void (*call)(struct obj *obj), void (*finish)(struct obj *obj));

#endif
