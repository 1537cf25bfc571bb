// SPDX-License-Identifier: MIT
#ifndef UTIL_ORDER_H
#define UTIL_ORDER_H

/*
 * The thread sanitizer does not see the loads of Intel's driver, by which the host learns that the
 * device has written a tag. These functions declare the order: what the device did before it wrote
 * the tag happens before what the host does after it has read it. They do nothing in other builds.
 * Device and host are separate libraries, so the address that they share is libc's.
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
