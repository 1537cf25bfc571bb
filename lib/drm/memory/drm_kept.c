// SPDX-License-Identifier: MIT
#include "drm/memory/drm_kept.h"

#include <fcntl.h>
#include <sys/resource.h>

#include "drm/memory/drm_raw.h"

bool drm_kept_take(struct drm_kept *kept, int fd, unsigned *count)
{
	enum { HIGHEST_FIRST = 4096 }; /* the kernel's table grows with the number */
	struct rlimit limit;
	struct stat status;

	kept->fd = -1;
	if (drm_raw_fstat(fd, &status) == 0) {
		kept->device = status.st_dev;
		kept->inode = status.st_ino;
		if (!getrlimit(RLIMIT_NOFILE, &limit) && *count < limit.rlim_cur / 4) {
			rlim_t first = limit.rlim_cur / 2;
			kept->fd = drm_raw_fcntl(fd, F_DUPFD_CLOEXEC,
				first < HIGHEST_FIRST ? (long)first : HIGHEST_FIRST);
		}
	}
	drm_raw_close(fd);
	if (kept->fd < 0) {
		kept->fd = -1;
		return false;
	}
	++*count;
	return true;
}

bool drm_kept_same(const struct drm_kept *kept, int fd)
{
	struct stat status;

	return drm_raw_fstat(fd, &status) == 0 && status.st_ino == kept->inode &&
	       status.st_dev == kept->device;
}

bool drm_kept_there(const struct drm_kept *kept)
{
	return kept->fd >= 0 && drm_kept_same(kept, kept->fd);
}

void drm_kept_drop(struct drm_kept *kept, unsigned *count)
{
	if (kept->fd < 0)
		return;
	if (drm_kept_there(kept))
		drm_raw_close(kept->fd);
	kept->fd = -1;
	--*count;
}
