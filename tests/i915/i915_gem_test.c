// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drm/memory/drm_bo.h"
#include "drm/memory/drm_pages.h"

/* Objects: creation, handles, views, sharing. */

static void creates(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file, *other = bench_open(bench);
	struct drm_i915_gem_create create = { .size = 1 };
	struct drm_i915_gem_memory_class_instance region = { I915_MEMORY_CLASS_SYSTEM, 0 };
	struct drm_i915_gem_create_ext_memory_regions regions = {
		.base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS,
		.num_regions = 1,
		.regions = (uintptr_t)&region
	};
	struct drm_i915_gem_create_ext ext = { .size = 5000, .extensions = (uintptr_t)&regions };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE, &create), 0);
	assert_int_equal(create.size, 4096);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE_EXT, &ext), 0);
	assert_int_equal(ext.size, 8192);
	assert_int_not_equal(ext.handle, create.handle);
	/* Each file numbers its own. */
	assert_int_equal(bench_buffer(other, 4096), create.handle);
	assert_int_equal(bench_close(other, ext.handle), -EINVAL);
	create.size = 0;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE, &create), -EINVAL);
	create.size = UINT64_MAX;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE, &create), -EINVAL);
	create.size = UINT64_C(1) << 50;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE, &create), -E2BIG);
	region.memory_class = I915_MEMORY_CLASS_DEVICE;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE_EXT, &ext), -EINVAL);
	region.memory_class = I915_MEMORY_CLASS_SYSTEM;
	regions.regions = 1;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE_EXT, &ext), -EFAULT);
	regions.regions = (uintptr_t)&region;
	regions.base.next_extension = (uintptr_t)&regions; /* in a circle */
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE_EXT, &ext), -E2BIG);
	regions.base.next_extension = 8;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE_EXT, &ext), -EFAULT);
	regions.base = (struct i915_user_extension){ .name = 77 };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE_EXT, &ext), -EINVAL);
	ext.flags = 1;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE_EXT, &ext), -EINVAL);
	drm_file_close(other);
}

static void refuses_to_copy(struct drm_file *file, struct drm_i915_gem_pread read,
	struct drm_i915_gem_pwrite write, uint64_t offset)
{
	read.offset = write.offset = offset;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_PREAD, &read), -EINVAL);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_PWRITE, &write), -EINVAL);
}

static void maps(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t handle = bench_buffer(file, 16384);
	uint32_t *first = bench_map(file, handle, 16384), *second = bench_map(file, handle, 4096);
	struct drm_i915_gem_mmap old = { .handle = handle, .offset = 4096, .size = 4096 };
	struct drm_i915_gem_mmap_offset offset = { .handle = handle };
	uint32_t pattern[4] = { 1, 2, 3, 4 };

	assert_ptr_not_equal(first, second);
	first[5] = 55;
	assert_int_equal(second[5], 55);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_MMAP, &old), 0);
	((uint32_t *)(uintptr_t)old.addr_ptr)[1] = 66;
	assert_int_equal(first[1025], 66);
	old.offset = 16384;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_MMAP, &old), -EINVAL);
	old.handle = 99;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_MMAP, &old), -ENOENT);

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), 0);
	assert_int_equal(
		i915_mmap(file, NULL, 16385, PROT_READ, MAP_SHARED, offset.offset), -EINVAL);
	assert_int_equal(i915_mmap(file, NULL, 0, PROT_READ, MAP_SHARED, offset.offset), -EINVAL);
	assert_int_equal(
		i915_mmap(file, NULL, 4096, PROT_READ, MAP_SHARED, offset.offset + 4096), -EINVAL);
	assert_int_equal(i915_mmap(file, NULL, 4096, PROT_READ, MAP_SHARED, 0), -EINVAL);
	intptr_t fixed =
		i915_mmap(file, second, 4096, PROT_READ, MAP_SHARED | MAP_FIXED, offset.offset);
	assert_int_equal(fixed, (intptr_t)second);
	assert_int_equal(second[5], 55);
	offset.flags = 77;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), -EINVAL);
	offset = (struct drm_i915_gem_mmap_offset){ .handle = 99 };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), -ENOENT);

	struct drm_i915_gem_pwrite write = {
		.handle = handle, .offset = 80, .size = 16, .data_ptr = (uintptr_t)pattern
	};
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_PWRITE, &write), 0);
	assert_memory_equal(first + 20, pattern, 16);
	uint32_t got[4] = { 0 };
	struct drm_i915_gem_pread read = {
		.handle = handle, .offset = 80, .size = 16, .data_ptr = (uintptr_t)got
	};
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_PREAD, &read), 0);
	assert_memory_equal(got, pattern, 16);
	refuses_to_copy(file, read, write, 16384 - 8);
	refuses_to_copy(file, read, write, UINT64_MAX - 4096); /* where no pointer leads */
	read.offset = 0;
	read.data_ptr = 8;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_PREAD, &read), -EFAULT);
	/* A view lives longer than its object's handle. */
	assert_int_equal(bench_close(file, handle), 0);
	first[5]++;
	assert_int_equal(second[5], 56);
	munmap(first, 16384);
	munmap(second, 4096);
	munmap((void *)(uintptr_t)old.addr_ptr, 4096);
}

/* How many pages of the object have memory. */
static size_t count_pages(const struct drm_bo *bo)
{
	size_t count = bo->size / DRM_PAGE, there = 0;
	unsigned char *pages = malloc(count);

	assert_non_null(pages);
	assert_int_equal(mincore(bo->host, bo->size, pages), 0);
	for (size_t i = 0; i < count; i++)
		there += pages[i] & 1;
	free(pages);
	return there;
}

/* Whether this host makes large pages of memory files when it is asked to. */
static bool host_has_large_pages(void)
{
	enum { COLLAPSE = 25 };
	int fd = memfd_create("probe", MFD_CLOEXEC);
	bool has = false;
	intptr_t room = drm_pages_reserve(2 * DRM_LARGE_PAGE, MAP_PRIVATE);
	char *view;

	assert_true(fd >= 0 && room % DRM_LARGE_PAGE == 0);
	assert_int_equal(ftruncate(fd, DRM_LARGE_PAGE), 0);
	view = mmap((void *)room, DRM_LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		fd, 0);
	assert_ptr_equal(view, (void *)room);
	view[0] = 1;
	has = madvise(view, DRM_LARGE_PAGE, COLLAPSE) == 0;
	munmap(view, 2 * DRM_LARGE_PAGE);
	close(fd);
	return has;
}

/* Large objects get their memory when they are first mapped or bound; what they hold stays. */
static void fills(void **state)
{
	enum { LARGE = DRM_LARGE_PAGE, PAGES = LARGE / DRM_PAGE, ADDRESS = 1 << 28 };
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	const uint64_t sizes[] = { LARGE - DRM_PAGE, UINT64_C(150) * LARGE, 2 * LARGE + DRM_PAGE };
	const size_t expected[] = { 0, 0, 2 * PAGES };
	uint32_t batch = bench_buffer(file, 4096), bound = bench_buffer(file, LARGE);
	const struct drm_bo *bo = bench->device->objects;

	if (!host_has_large_pages())
		skip();
	memset(bo->host + 5, 7, 2);
	bench_end(bench_map(file, batch, 4096));
	assert_int_equal(count_pages(bo), 1);
	assert_int_equal(EXEC(file, 0, 0, PINNED(bound, ADDRESS), PINNED(batch, 2 * ADDRESS)), 0);
	assert_int_equal(bench_wait(file, batch, -1), 0);
	assert_int_equal(count_pages(bo), PAGES);
	assert_int_equal(bo->host[4] + bo->host[5] + bo->host[6] + bo->host[7], 14);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		uint32_t handle = bench_buffer(file, sizes[i]);
		bo = bench->device->objects;
		assert_int_equal(bo->size, sizes[i]);
		assert_int_equal(count_pages(bo), 0);
		munmap(bench_map(file, handle, 4096), 4096);
		assert_int_equal(count_pages(bo), expected[i]);
		assert_int_equal(bench_close(file, handle), 0);
	}
}

static void describes(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t handle = bench_buffer(file, 65536);
	struct drm_i915_gem_set_tiling set = {
		.handle = handle, .tiling_mode = I915_TILING_Y, .stride = 512
	};
	struct drm_i915_gem_get_tiling get = { .handle = handle };
	struct drm_i915_gem_caching caching = { .handle = handle, .caching = I915_CACHING_CACHED };
	struct drm_i915_gem_set_domain domain = { .handle = handle,
		.read_domains = I915_GEM_DOMAIN_CPU,
		.write_domain = I915_GEM_DOMAIN_CPU };
	struct drm_i915_gem_madvise advise = { .handle = handle, .madv = I915_MADV_DONTNEED };
	struct drm_i915_gem_sw_finish finish = { .handle = handle };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_SET_TILING, &set), 0);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_GET_TILING, &get), 0);
	assert_int_equal(get.tiling_mode, I915_TILING_Y);
	set.stride = 100;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_SET_TILING, &set), -EINVAL);
	set.tiling_mode = 9;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_SET_TILING, &set), -EINVAL);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_SET_CACHING, &caching), 0);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_GET_CACHING, &caching), 0);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain), 0);
	domain.read_domains = I915_GEM_DOMAIN_RENDER;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain), -EINVAL);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_MADVISE, &advise), 0);
	assert_int_equal(advise.retained, 1);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_SW_FINISH, &finish), 0);
	assert_int_equal(bench_close(file, handle), 0);
	get.handle = handle;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_GET_TILING, &get), -ENOENT);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_SW_FINISH, &finish), -ENOENT);
	struct drm_i915_gem_busy busy = { .handle = handle };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_BUSY, &busy), -ENOENT);
}

static int export(struct drm_file *file, uint32_t handle, int *fd)
{
	struct drm_prime_handle prime = { .handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR };
	int rc = CALL(file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);

	*fd = prime.fd;
	return rc;
}

static int import(struct drm_file *file, int fd, uint32_t *handle)
{
	struct drm_prime_handle prime = { .fd = fd };
	int rc = CALL(file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);

	*handle = prime.handle;
	return rc;
}

static void shares_between_files(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file, *other = bench_open(bench);
	uint32_t handle = bench_buffer(file, 8192), theirs, again;
	uint32_t *view = bench_map(file, handle, 8192);
	int fd, pipes[2];

	assert_int_equal(export(file, handle, &fd), 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(lseek(fd, 0, SEEK_END), 8192);
	bench_buffer(other, 4096); /* so that the numbers differ */
	assert_int_equal(import(other, fd, &theirs), 0);
	assert_int_not_equal(theirs, handle);
	assert_int_equal(import(other, fd, &again), 0);
	assert_int_equal(again, theirs);
	assert_int_equal(import(file, fd, &again), 0);
	assert_int_equal(again, handle);
	/* Neither its maker nor the descriptor is needed any more. */
	close(fd);
	view[7] = 77;
	assert_int_equal(bench_close(file, handle), 0);
	uint32_t *their_view = bench_map(other, theirs, 8192);
	assert_int_equal(their_view[7], 77);
	their_view[8] = 88;
	assert_int_equal(view[8], 88);

	assert_int_equal(export(file, 99, &fd), -ENOENT);
	assert_int_equal(import(file, -1, &again), -EBADF);
	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(import(file, pipes[0], &again), -EINVAL);
	close(pipes[0]);
	close(pipes[1]);
	/* Memory that its owner could take away from under us. */
	fd = memfd_create("loose", MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(fd, 8192), 0);
	assert_int_equal(import(file, fd, &again), -EINVAL);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	assert_int_equal(import(file, fd, &again), 0);
	close(fd);
	munmap(view, 8192);
	munmap(their_view, 8192);
	drm_file_close(other);
}

/* Somebody closes descriptors that are not theirs, and gets their numbers again. */
static void survives_closed_descriptors(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t handle = bench_buffer(file, 4096);
	int kept = bench->device->objects->file.fd, fd;

	assert_true(kept >= 0);
	assert_int_equal(close(kept), 0);
	assert_int_equal(dup2(STDERR_FILENO, kept), kept);
	assert_int_equal(export(file, handle, &fd), -EMFILE);
	assert_int_equal(bench_close(file, handle), 0);
	assert_true(fcntl(kept, F_GETFD) >= 0); /* not ours to close */
	close(kept);
}

static void *churn(void *self)
{
	struct drm_file *file = self;

	for (int i = 0; i < 300; i++) {
		uint32_t handle = bench_buffer(file, 4096 * (1 + (unsigned)i % 4));
		uint32_t *view = bench_map(file, handle, 4096);
		uint32_t context = bench_context(file);
		view[1] = 0;
		bench_end(bench_store(view + 8, UINT64_C(0x10000004), (uint32_t)i));
		struct drm_i915_gem_exec_object2 list[] = { PINNED(handle, UINT64_C(0x10000000)) };
		struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)list,
			.buffer_count = 1,
			.batch_start_offset = 32,
			.rsvd1 = context };
		assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec), 0);
		assert_int_equal(bench_wait(file, handle, -1), 0);
		assert_int_equal(view[1], i);
		assert_int_equal(bench_destroy(file, context), 0);
		assert_int_equal(bench_close(file, handle), 0);
		munmap(view, 4096);
	}
	return NULL;
}

static void many_threads(void **state)
{
	struct bench *bench = *state;
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, churn, bench->file), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void user_pointer_arguments(void **state)
{
	const struct bench *bench = *state;
	static const struct {
		uint64_t address, size;
		uint32_t flags;
		int expected;
	} cases[] = {
		{ 4096, 0, 0, -EINVAL },
		{ 4097, 4096, 0, -EINVAL },
		{ 4096, 4095, 0, -EINVAL },
		{ 0, 4096, 0, -EFAULT },
		{ 4096, UINT64_C(1) << 50, 0, -E2BIG },
		{ UINT64_MAX - 4095, 8192, 0, -EFAULT },
		{ 4096, 4096, 1 << 20, -EINVAL },
		{ 4096, 4096, I915_USERPTR_READ_ONLY, -ENODEV },
		{ 4096, 4096, I915_USERPTR_PROBE, -EFAULT },
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct drm_i915_gem_userptr user = { .user_ptr = cases[i].address,
			.user_size = cases[i].size,
			.flags = cases[i].flags };
		assert_int_equal(
			CALL(bench->file, DRM_IOCTL_I915_GEM_USERPTR, &user), cases[i].expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(creates),
		BENCH_TEST(maps),
		BENCH_TEST(fills),
		BENCH_TEST(describes),
		BENCH_TEST(shares_between_files),
		BENCH_TEST(survives_closed_descriptors),
		BENCH_TEST(many_threads),
		BENCH_TEST(user_pointer_arguments),
	};

	return cmocka_run_group_tests_name("i915_gem", tests, NULL, NULL);
}
