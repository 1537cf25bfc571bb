// SPDX-License-Identifier: MIT
#include "drm/memory/drm_user.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "util/util_bits.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

enum {
	PAGE_BYTES = 4096,
	PROBE_PAGES = 256, /* addresses handed to one process_vm_readv, below IOV_MAX */
};

/* Linux 5.14 can populate; 0 not asked yet, 1 yes, -1 no. */
static atomic_int populate_known;

/* Raw: errno belongs to the caller of the ioctl, and libc's madvise may be somebody's wrapper. */
static int populate(uint64_t first, uint64_t end, bool write)
{
	int saved = errno;
	int rc;

	do {
		rc = (int)syscall(SYS_madvise, first, end - first,
			write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
		rc = rc ? -errno : 0;
	} while (rc == -EINTR || rc == -EAGAIN);
	errno = saved;
	return rc;
}

static bool can_populate(void)
{
	int known = atomic_load_explicit(&populate_known, memory_order_relaxed);

	if (!known) {
		uint64_t page = (uint64_t)(uintptr_t)&known & ~(uint64_t)(PAGE_BYTES - 1);
		known = populate(page, page + PAGE_BYTES, true) ? -1 : 1;
		atomic_store_explicit(&populate_known, known, memory_order_relaxed);
	}
	return known > 0;
}

/* The part of this thread's stack that is in use: mapped, readable, writable for certain. */
static bool on_stack(uint64_t address, size_t size)
{
	static _Thread_local uintptr_t bottom;
	static _Thread_local uintptr_t top;
	static _Thread_local bool asked;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (!asked) {
		pthread_attr_t attributes;
		void *base;
		size_t length;

		asked = true;
		if (!pthread_getattr_np(pthread_self(), &attributes)) {
			if (!pthread_attr_getstack(&attributes, &base, &length)) {
				bottom = (uintptr_t)base;
				top = bottom + length;
			}
			pthread_attr_destroy(&attributes);
		}
	}
	/* A signal handler or a fibre has another stack, below or above this one. */
	return here >= bottom && here < top && address > here && address < top &&
	       size <= top - address;
}

bool drm_user_mapped(uint64_t address, uint64_t size)
{
	int saved = errno;
	int rc = (int)syscall(SYS_msync, address, size, MS_ASYNC);

	errno = saved;
	return rc == 0;
}

static int copy_plain(void *mine, uint64_t theirs, size_t size, bool write)
{
	if (write)
		memcpy((void *)(uintptr_t)theirs, mine, size);
	else
		memcpy(mine, (void *)(uintptr_t)theirs, size);
	return 0;
}

/* Copies through the kernel, which notices what is not mapped. */
static int copy_checked(void *mine, uint64_t theirs, size_t size, bool write)
{
	struct iovec local = { mine, size };
	struct iovec remote = { (void *)(uintptr_t)theirs, size };
	int saved = errno;
	ssize_t done = write ? process_vm_writev(getpid(), &local, 1, &remote, 1, 0)
			     : process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	bool allowed = done >= 0 || (errno != EPERM && errno != ENOSYS);

	errno = saved;
	if (allowed)
		return done == (ssize_t)size ? 0 : -EFAULT;
	/* A sandbox that forbids it: trust the caller. */
	return copy_plain(mine, theirs, size, write);
}

static int copy(void *mine, uint64_t theirs, size_t size, bool write)
{
	uint64_t first = theirs & ~(uint64_t)(PAGE_BYTES - 1);

	if (size == 0)
		return 0;
	if (theirs + size < theirs || !theirs)
		return -EFAULT;
	if (!on_stack(theirs, size)) {
		if (!can_populate())
			return copy_checked(mine, theirs, size, write);
		if (populate(first, util_align_up(theirs + size, PAGE_BYTES), write))
			return -EFAULT;
	}
	return copy_plain(mine, theirs, size, write);
}

int drm_user_read(void *to, uint64_t from, size_t size)
{
	return copy(to, from, size, false);
}

int drm_user_write(uint64_t to, const void *from, size_t size)
{
	return copy((void *)(uintptr_t)from, to, size, true);
}

/* One byte of each page, for kernels that cannot populate. Cannot tell whether it is writable. */
static int probe_pages(uint64_t first, uint64_t end)
{
	struct iovec remote[PROBE_PAGES];
	uint8_t bytes[PROBE_PAGES];
	int saved = errno;

	while (first < end) {
		struct iovec local = { bytes, 0 };
		for (; local.iov_len < PROBE_PAGES && first < end; first += PAGE_BYTES)
			remote[local.iov_len++] = (struct iovec){ (void *)(uintptr_t)first, 1 };
		ssize_t done = process_vm_readv(
			getpid(), &local, 1, remote, (unsigned long)local.iov_len, 0);
		bool forbidden = done < 0 && (errno == EPERM || errno == ENOSYS);
		errno = saved;
		if (forbidden)
			return 0;
		if (done != (ssize_t)local.iov_len)
			return -EFAULT;
	}
	return 0;
}

int drm_user_pin(uint64_t address, uint64_t size, bool write)
{
	uint64_t first = address & ~(uint64_t)(PAGE_BYTES - 1);
	uint64_t end = util_align_up(address + size, PAGE_BYTES);

	if (size == 0)
		return 0;
	if (address + size < address || end < first || !address)
		return -EFAULT;
	if (!can_populate())
		return probe_pages(first, end);
	return populate(first, end, write) ? -EFAULT : 0;
}
