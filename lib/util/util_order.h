// SPDX-License-Identifier: MIT
#ifndef UTIL_ORDER_H
#define UTIL_ORDER_H

/*
 * What the device did before it wrote a tag comes before what the host does once it has seen the
 * tag. The host sees it in the driver, whose loads the thread sanitizer does not know of: here it
 * is told. Nothing in other builds.
 *
 * Both sides are libraries of their own, and agree on an address that is libc's.
 */
#ifdef __SANITIZE_THREAD__
#include <unistd.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);
#endif

/* On the device, before a value is written for which somebody may wait. */
static inline void util_order_tell(void)
{
#ifdef __SANITIZE_THREAD__
	__tsan_release((void *)&environ);
#endif
}

/* After the driver, or another engine, has seen such a value. */
static inline void util_order_heard(void)
{
#ifdef __SANITIZE_THREAD__
	__tsan_acquire((void *)&environ);
#endif
}

#endif
