// SPDX-License-Identifier: MIT
#ifndef DRM_SYNC_FD_H
#define DRM_SYNC_FD_H

#include "drm/memory/drm_kept.h"
#include "drm/sync/drm_syncobj.h"

/*
 * Descriptors of fences (sync files, <linux/sync_file.h>) and of sync objects. Each is the end of a
 * pipe of which the device keeps the other end: one that can be read once the fence is over, as
 * poll(2) of a sync file tells, and that no longer exists for the device when the last copy of it
 * was closed, in whichever process. The file's number identifies it. Another process can poll it
 * but not import it: it has a device of its own.
 */
struct drm_sync_fd {
	struct drm_sync_fd *next;
	struct drm_kept end;	     /* what the device writes to */
	struct drm_fence *fence;     /* or */
	struct drm_syncobj *syncobj; /* a reference */
	int64_t over_at;	     /* 0: not told yet */
};

/* Makes a descriptor of a fence or of an object; the other is NULL. Both may be: the fence of a
 * batch that is not submitted yet comes later. Takes references of its own. Returns a descriptor
 * that closes on exec, or -EMFILE, -ENOMEM … */
int drm_sync_fd_create(
	struct drm_device *device, struct drm_fence *fence, struct drm_syncobj *syncobj);

/* Gives the last descriptor that was made the fence that it lacks. */
void drm_sync_fd_set(struct drm_device *device, struct drm_fence *fence);

/* The fence or the object behind a descriptor, NULL when there is none. It stays the descriptor's.
 */
struct drm_fence *drm_sync_fd_fence(struct drm_device *device, int fd);
struct drm_syncobj *drm_sync_fd_syncobj(struct drm_device *device, int fd);

/* Tells of the fences that are over since the last call. */
void drm_sync_fd_announce(struct drm_device *device);

/* SYNC_IOC_MERGE and SYNC_IOC_FILE_INFO. Returns 0 or a negative errno, -ENOTTY for any other
 * descriptor. Takes the lock. */
int drm_sync_fd_ioctl(struct drm_device *device, int fd, unsigned long request, uint64_t argument);

/* Closes the device's ends. */
void drm_sync_fd_finish(struct drm_device *device);

#endif
