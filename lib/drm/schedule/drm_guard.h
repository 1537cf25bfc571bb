// SPDX-License-Identifier: MIT
#ifndef DRM_GUARD_H
#define DRM_GUARD_H

#include "drm/memory/drm_vm.h"
#include "gen/gen_fault.h"

/*
 * Memory that disappears while a batch uses it: the application unmaps or truncates what a user
 * pointer points to, or the host has no page left for a memory file. Hardware has the pages pinned;
 * here the device's thread gets SIGSEGV or SIGBUS. Its handler maps an empty page, so that the
 * access goes on, and stops the batch with a fault. Signals of other threads and for other
 * addresses, and accesses to pages that the application has protected while it has a handler of its
 * own, go to the handler that was there before.
 */
struct drm_guard {
	const struct drm_vm_snapshot *space; /* the batch's */
	atomic_int *stop;		     /* set to end the batch */
	atomic_int lost;		     /* the signal; 0: all memory was there */
	uint64_t lost_address;		     /* GPU address of the page */
};

/* Guards a batch until drm_guard_end, from whichever threads of the device it executes on. */
void drm_guard_begin(struct drm_guard *guard);
void drm_guard_end(struct drm_guard *guard);

/* Whether memory was lost; fills *fault then. After drm_guard_end. */
bool drm_guard_fault(const struct drm_guard *guard, struct gen_fault *fault);

#endif
