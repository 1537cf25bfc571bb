// SPDX-License-Identifier: MIT
#ifndef DRM_SYNCOBJ_IOCTL_H
#define DRM_SYNCOBJ_IOCTL_H

#include "drm/memory/drm_device.h"

/*
 * The ioctls of sync objects (<drm.h>), which all kernel interfaces share: functions of the form
 * that a front's table has. `data` is the struct of the ioctl in kernel memory. With the lock held;
 * those that wait release it meanwhile. Return 0 or a negative errno.
 */
int drm_syncobj_ioctl_create(struct drm_file *file, void *data);
int drm_syncobj_ioctl_destroy(struct drm_file *file, void *data);
int drm_syncobj_ioctl_export(struct drm_file *file, void *data);
int drm_syncobj_ioctl_import(struct drm_file *file, void *data);
int drm_syncobj_ioctl_wait(struct drm_file *file, void *data);
int drm_syncobj_ioctl_reset(struct drm_file *file, void *data);
int drm_syncobj_ioctl_signal(struct drm_file *file, void *data);
int drm_syncobj_ioctl_timeline_wait(struct drm_file *file, void *data);
int drm_syncobj_ioctl_query(struct drm_file *file, void *data);
int drm_syncobj_ioctl_transfer(struct drm_file *file, void *data);
int drm_syncobj_ioctl_timeline_signal(struct drm_file *file, void *data);

#endif
