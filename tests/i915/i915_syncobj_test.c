// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drm/sync/drm_sync_fd.h"

/*
 * Sync objects, by their ioctls alone: what <drm.h> and the kernel's page on DRM sync objects say
 * of binary objects, timelines, descriptors and wrong arguments.
 */

#define MS INT64_C(1000000)

static int64_t after(int64_t nanoseconds)
{
	return drm_timeline_now() + nanoseconds;
}

/* Poisoned where it is answered. */
static int wait_for(struct drm_file *file, const uint32_t *handles, uint32_t count, unsigned flags,
	int64_t timeout, uint32_t *first)
{
	struct drm_syncobj_wait wait = { .handles = (uintptr_t)handles,
		.count_handles = count,
		.flags = flags,
		.timeout_nsec = timeout,
		.first_signaled = 0xcccccccc };
	int rc = CALL(file, DRM_IOCTL_SYNCOBJ_WAIT, &wait);

	*first = wait.first_signaled;
	return rc;
}

static int wait_one(struct drm_file *file, uint32_t handle, unsigned flags)
{
	uint32_t first;
	int rc = wait_for(file, &handle, 1, flags, 0, &first);

	assert_int_equal(first, rc ? 0xcccccccc : 0);
	return rc;
}

static int wait_value(struct drm_file *file, uint32_t handle, uint64_t value, unsigned flags)
{
	struct drm_syncobj_timeline_wait wait = { .handles = (uintptr_t)&handle,
		.points = (uintptr_t)&value,
		.count_handles = 1,
		.flags = flags };

	return CALL(file, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

static int array(struct drm_file *file, unsigned long request, uint32_t handle)
{
	struct drm_syncobj_array list = { .handles = (uintptr_t)&handle, .count_handles = 1 };

	return CALL(file, request, &list);
}

static int signal_value(struct drm_file *file, uint32_t handle, uint64_t value)
{
	struct drm_syncobj_timeline_array list = {
		.handles = (uintptr_t)&handle, .points = (uintptr_t)&value, .count_handles = 1
	};

	return CALL(file, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &list);
}

static uint64_t query(struct drm_file *file, uint32_t handle, unsigned flags)
{
	uint64_t value = UINT64_C(0xcccccccccccccccc);
	struct drm_syncobj_timeline_array list = { .handles = (uintptr_t)&handle,
		.points = (uintptr_t)&value,
		.count_handles = 1,
		.flags = flags };

	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_QUERY, &list), 0);
	return value;
}

static int transfer(struct drm_file *file, uint32_t from, uint64_t from_value, uint32_t to,
	uint64_t to_value, unsigned flags)
{
	struct drm_syncobj_transfer request = { .src_handle = from,
		.src_point = from_value,
		.dst_handle = to,
		.dst_point = to_value,
		.flags = flags };

	return CALL(file, DRM_IOCTL_SYNCOBJ_TRANSFER, &request);
}

static void binary(void **state)
{
	const struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t none = bench_syncobj(file, 0), over = bench_syncobj(file, 1);

	assert_int_equal(wait_one(file, over, 0), 0);
	assert_int_equal(wait_one(file, none, 0), -EINVAL); /* nothing to wait for */
	assert_int_equal(wait_one(file, none, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT), -ETIME);
	assert_int_equal(array(file, DRM_IOCTL_SYNCOBJ_SIGNAL, none), 0);
	assert_int_equal(wait_one(file, none, 0), 0);
	assert_int_equal(array(file, DRM_IOCTL_SYNCOBJ_RESET, none), 0);
	assert_int_equal(wait_one(file, none, 0), -EINVAL);
	assert_int_equal(query(file, over, 0), 0);
	assert_int_equal(query(file, over, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 0);
	/* A binary fence reaches no value of a timeline. */
	assert_int_equal(wait_value(file, over, 0, 0), 0);
	assert_int_equal(wait_value(file, over, 1, 0), -EINVAL);
}

static void several(void **state)
{
	const struct bench *bench = *state;
	struct drm_file *file = bench->file;
	const uint32_t handles[] = { bench_syncobj(file, 0), bench_syncobj(file, 1),
		bench_syncobj(file, 1), bench_syncobj(file, 0) };
	const unsigned submit = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	const unsigned all = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
	uint32_t first;

	assert_int_equal(wait_for(file, handles, 4, submit, 0, &first), 0);
	assert_int_equal(first, 1);
	assert_int_equal(wait_for(file, handles, 4, submit | all, after(MS), &first), -ETIME);
	assert_int_equal(first, 0xcccccccc);
	assert_int_equal(wait_for(file, handles, 4, 0, 0, &first), -EINVAL);
	assert_int_equal(wait_for(file, handles + 1, 2, all, INT64_MAX, &first), 0);
	assert_int_equal(wait_for(file, handles + 3, 1, submit, INT64_MIN, &first), -ETIME);
	const uint32_t wrong[] = { handles[1], 4711 };
	assert_int_equal(wait_for(file, wrong, 2, 0, 0, &first), -ENOENT);
	assert_int_equal(wait_for(file, wrong, 0, 0, 0, &first), -EINVAL);
	assert_int_equal(wait_for(file, (uint32_t *)8, 1, 0, 0, &first), -EFAULT);
	assert_int_equal(wait_for(file, handles, UINT32_MAX, 0, 0, &first), -ENOMEM);
	assert_int_equal(wait_for(file, handles, 1, 4, 0, &first), -EINVAL); /* timelines only */
}

static void timelines(void **state)
{
	const struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t line = bench_syncobj(file, 0);
	const unsigned available = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
	const unsigned submit = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;

	assert_int_equal(query(file, line, 0), 0);
	assert_int_equal(wait_value(file, line, 1, 0), -EINVAL);
	assert_int_equal(wait_value(file, line, 1, available), -ETIME);
	assert_int_equal(wait_value(file, line, 1, submit), -ETIME);
	assert_int_equal(signal_value(file, line, 5), 0);
	assert_int_equal(query(file, line, 0), 5);
	for (uint64_t value = 0; value <= 5; value++)
		assert_int_equal(wait_value(file, line, value, 0), 0);
	assert_int_equal(wait_value(file, line, 6, 0), -EINVAL);
	assert_int_equal(signal_value(file, line, UINT64_MAX), 0);
	assert_int_equal(query(file, line, 0), UINT64_MAX);
	assert_int_equal(wait_value(file, line, UINT64_MAX, available), 0);
	/* It does not fall. */
	assert_int_equal(signal_value(file, line, 7), 0);
	assert_int_equal(query(file, line, 0), UINT64_MAX);
	/* A binary signal ends the timeline. */
	assert_int_equal(array(file, DRM_IOCTL_SYNCOBJ_SIGNAL, line), 0);
	assert_int_equal(query(file, line, 0), 0);
	assert_int_equal(wait_value(file, line, 5, 0), -EINVAL);
	for (uint64_t value = 1; value <= 1000; value++)
		assert_int_equal(signal_value(file, line, value), 0);
	assert_int_equal(query(file, line, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 1000);
}

static void transfers(void **state)
{
	const struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t line = bench_syncobj(file, 0), other = bench_syncobj(file, 0);

	assert_int_equal(transfer(file, line, 0, other, 0, 0), -EINVAL);
	assert_int_equal(signal_value(file, line, 3), 0);
	assert_int_equal(transfer(file, line, 4, other, 9, 0), -EINVAL);
	assert_int_equal(transfer(file, line, 3, other, 9, 0), 0);
	assert_int_equal(query(file, other, 0), 9);
	assert_int_equal(transfer(file, other, 9, other, 10, 0), 0); /* to itself */
	assert_int_equal(query(file, other, 0), 10);
	assert_int_equal(transfer(file, line, 2, other, 0, 0), 0);
	assert_int_equal(query(file, other, 0), 0);
	assert_int_equal(wait_one(file, other, 0), 0);
	assert_int_equal(transfer(file, line, 0, 4711, 0, 0), -ENOENT);
	assert_int_equal(transfer(file, 4711, 0, line, 0, 0), -ENOENT);
	assert_int_equal(transfer(file, line, 3, other, 1, 2), 0); /* WAIT_FOR_SUBMIT */
	struct drm_syncobj_transfer padded = { .src_handle = line, .dst_handle = other, .pad = 1 };
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_TRANSFER, &padded), -EINVAL);
}

static void wrong_arguments(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file, *other = bench_open(bench);
	uint32_t handle = bench_syncobj(file, 0);
	struct drm_syncobj_create create = { .flags = 2 };
	struct drm_syncobj_destroy destroy = { .handle = handle, .pad = 1 };
	struct drm_syncobj_timeline_array list = {
		.handles = (uintptr_t)&handle, .points = 8, .count_handles = 1
	};

	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_CREATE, &create), -EINVAL);
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), -EINVAL);
	destroy.pad = 0;
	assert_int_equal(CALL(other, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), -EINVAL);
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_QUERY, &list), -EFAULT);
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &list), -EFAULT);
	list.flags = 2;
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_QUERY, &list), -EINVAL);
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &list), -EINVAL);
	struct drm_syncobj_array padded = {
		.handles = (uintptr_t)&handle, .count_handles = 1, .pad = 1
	};
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_RESET, &padded), -EINVAL);
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_SIGNAL, &padded), -EINVAL);
	assert_int_equal(array(file, DRM_IOCTL_SYNCOBJ_RESET, 99), -ENOENT);
	assert_int_equal(array(file, DRM_IOCTL_SYNCOBJ_SIGNAL, 0), -ENOENT);
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), -EINVAL);
	drm_file_close(other);
}

/* A wait in one thread ends by what another thread does. */
struct waiter {
	struct drm_file *file;
	uint32_t handle;
	int rc;
};

static void *wait_main(void *self)
{
	struct waiter *waiter = self;
	struct drm_syncobj_timeline_wait wait = { .handles = (uintptr_t)&waiter->handle,
		.points = (uintptr_t)(uint64_t[]){ 2 },
		.count_handles = 1,
		.timeout_nsec = INT64_MAX,
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT };

	waiter->rc = CALL(waiter->file, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
	return NULL;
}

static void begin_wait(struct bench *bench, struct waiter *waiter, pthread_t *thread)
{
	unsigned waiters = 0;

	assert_int_equal(pthread_create(thread, NULL, wait_main, waiter), 0);
	while (!waiters) {
		pthread_mutex_lock(&bench->device->lock);
		waiters = bench->device->waiters;
		pthread_mutex_unlock(&bench->device->lock);
	}
}

static void other_threads(void **state)
{
	struct bench *bench = *state;
	struct waiter waiter = { bench->file, bench_syncobj(bench->file, 0), 1 };
	struct drm_syncobj_destroy destroy = { .handle = waiter.handle };
	pthread_t thread;

	begin_wait(bench, &waiter, &thread);
	assert_int_equal(signal_value(bench->file, waiter.handle, 1), 0); /* not enough */
	assert_int_equal(signal_value(bench->file, waiter.handle, 3), 0);
	pthread_join(thread, NULL);
	assert_int_equal(waiter.rc, 0);
	/* The handle goes while it is waited for, and then the process. */
	assert_int_equal(array(bench->file, DRM_IOCTL_SYNCOBJ_RESET, waiter.handle), 0);
	begin_wait(bench, &waiter, &thread);
	assert_int_equal(CALL(bench->file, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
	drm_device_quiesce(bench->device, 0);
	pthread_join(thread, NULL);
	assert_int_equal(waiter.rc, -EINTR);
}

static int handle_to_fd(struct drm_file *file, uint32_t handle, unsigned flags, int *fd)
{
	struct drm_syncobj_handle request = { .handle = handle, .flags = flags, .fd = -1 };
	int rc = CALL(file, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &request);

	*fd = request.fd;
	return rc;
}

static int fd_to_handle(struct drm_file *file, int fd, unsigned flags, uint32_t *handle)
{
	struct drm_syncobj_handle request = { .handle = *handle, .flags = flags, .fd = fd };
	int rc = CALL(file, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &request);

	*handle = request.handle;
	return rc;
}

static bool readable(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLIN;
}

/* A second handle of the same object, in another file. */
static void shared_objects(void **state)
{
	struct bench *bench = *state;
	struct drm_file *other = bench_open(bench);
	uint32_t handle = bench_syncobj(bench->file, 0), second = 0;
	struct drm_syncobj_destroy destroy = { .handle = handle };
	int fd;

	assert_int_equal(handle_to_fd(bench->file, handle, 0, &fd), 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	int copy = dup(fd);
	close(fd);
	assert_int_equal(fd_to_handle(other, copy, 0, &second), 0);
	assert_int_equal(array(bench->file, DRM_IOCTL_SYNCOBJ_SIGNAL, handle), 0);
	assert_int_equal(wait_one(other, second, 0), 0);
	assert_int_equal(CALL(bench->file, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
	assert_int_equal(wait_one(other, second, 0), 0);
	/* The descriptor alone keeps it alive. */
	destroy.handle = second;
	assert_int_equal(CALL(other, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
	assert_int_equal(fd_to_handle(other, copy, 0, &second), 0);
	assert_int_equal(wait_one(other, second, 0), 0);
	/* It is no sync file, and other files are neither. */
	assert_int_equal(fd_to_handle(other, copy, 1, &second), -EINVAL);
	assert_int_equal(fd_to_handle(other, 0, 0, &second), -EINVAL);
	assert_int_equal(fd_to_handle(other, -1, 0, &second), -EINVAL);
	close(copy);
	assert_int_equal(fd_to_handle(other, copy, 0, &second), -EINVAL);
	drm_file_close(other);
}

static void sync_files(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t over = bench_syncobj(file, 1), none = bench_syncobj(file, 0), wrong = 4711;
	struct sync_merge_data merge = { .name = "both" };
	struct sync_fence_info fence = { .status = 99 };
	struct sync_file_info info = {
		.num_fences = 1, .status = 99, .sync_fence_info = (uintptr_t)&fence
	};
	int fd, unused;

	assert_int_equal(handle_to_fd(file, none, 1, &fd), -EINVAL);
	assert_int_equal(handle_to_fd(file, wrong, 1, &fd), -ENOENT);
	assert_int_equal(handle_to_fd(file, wrong, 0, &fd), -EINVAL);
	assert_int_equal(handle_to_fd(file, over, 2, &fd), -EINVAL);
	assert_int_equal(handle_to_fd(file, over, 1, &fd), 0);
	assert_true(readable(fd));
	/* What happens to the object later does not count. */
	assert_int_equal(array(file, DRM_IOCTL_SYNCOBJ_RESET, over), 0);
	assert_int_equal(fd_to_handle(file, fd, 1, &none), 0);
	assert_int_equal(wait_one(file, none, 0), 0);
	assert_int_equal(fd_to_handle(file, fd, 1, &wrong), -ENOENT);
	assert_int_equal(fd_to_handle(file, fd, 0, &wrong), -EINVAL);

	merge.fd2 = fd;
	assert_int_equal(
		drm_sync_fd_ioctl(bench->device, fd, SYNC_IOC_MERGE, (uintptr_t)&merge), 0);
	assert_true(readable(merge.fence));
	unused = merge.fence;
	assert_int_equal(
		drm_sync_fd_ioctl(bench->device, unused, SYNC_IOC_FILE_INFO, (uintptr_t)&info), 0);
	assert_int_equal(info.status, 1);
	assert_int_equal(info.num_fences, 1);
	assert_int_equal(fence.status, 1);
	assert_true(fence.timestamp_ns > 0 && fence.timestamp_ns <= (uint64_t)after(0));
	merge.fd2 = 0;
	assert_int_equal(
		drm_sync_fd_ioctl(bench->device, fd, SYNC_IOC_MERGE, (uintptr_t)&merge), -ENOENT);
	merge.flags = 1;
	assert_int_equal(
		drm_sync_fd_ioctl(bench->device, fd, SYNC_IOC_MERGE, (uintptr_t)&merge), -EINVAL);
	assert_int_equal(drm_sync_fd_ioctl(bench->device, fd, SYNC_IOC_MERGE, 8), -EFAULT);
	assert_int_equal(drm_sync_fd_ioctl(bench->device, 0, SYNC_IOC_MERGE, 8), -ENOTTY);
	close(unused);
	close(fd);
}

/* A device keeps none of the descriptors that a program has closed, and refuses when there are too
 * many. */
static void many_descriptors(void **state)
{
	struct bench *bench = *state;
	struct rlimit limit, low;
	uint32_t over = bench_syncobj(bench->file, 1);
	int fds[64], fd, count = 0;

	for (unsigned i = 0; i < 5000; i++) {
		assert_int_equal(handle_to_fd(bench->file, over, i % 2, &fd), 0);
		close(fd);
	}
	assert_true(bench->device->kept_sync_fds <= 1);
	getrlimit(RLIMIT_NOFILE, &limit);
	low = (struct rlimit){ 128, limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	while (count < 64 && handle_to_fd(bench->file, over, 1, &fds[count]) == 0)
		count++;
	assert_in_range(count, 8, 32);
	assert_int_equal(handle_to_fd(bench->file, over, 1, &fd), -EMFILE);
	while (count)
		close(fds[--count]);
	assert_int_equal(handle_to_fd(bench->file, over, 1, &fd), 0);
	close(fd);
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* In a child process, the parent's objects are no more; drivers that clean up there may go on. */
static void children(void **state)
{
	struct bench *bench = *state;
	uint32_t handle = bench_syncobj(bench->file, 0);
	struct drm_syncobj_destroy destroy = { .handle = handle };

	bench->file->dead = true;
	assert_int_equal(wait_value(bench->file, handle, 7, 0), 0);
	assert_int_equal(array(bench->file, DRM_IOCTL_SYNCOBJ_SIGNAL, handle), -ENODEV);
	assert_int_equal(array(bench->file, DRM_IOCTL_SYNCOBJ_RESET, handle), 0);
	assert_int_equal(CALL(bench->file, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
	bench->file->dead = false;
	assert_int_equal(array(bench->file, DRM_IOCTL_SYNCOBJ_SIGNAL, handle), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(binary),
		BENCH_TEST(several),
		BENCH_TEST(timelines),
		BENCH_TEST(transfers),
		BENCH_TEST(wrong_arguments),
		BENCH_TEST(other_threads),
		BENCH_TEST(shared_objects),
		BENCH_TEST(sync_files),
		BENCH_TEST(many_descriptors),
		BENCH_TEST(children),
	};

	return cmocka_run_group_tests_name("i915_syncobj", tests, NULL, NULL);
}
