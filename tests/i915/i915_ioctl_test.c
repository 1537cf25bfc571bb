// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <string.h>
#include <sys/mman.h>

/* The table of ioctls: numbers, sizes and pointers that a program may get wrong. */

static const unsigned long known[] = {
	DRM_IOCTL_VERSION,
	DRM_IOCTL_GEM_CLOSE,
	DRM_IOCTL_GET_CAP,
	DRM_IOCTL_MODE_GETRESOURCES,
	DRM_IOCTL_PRIME_HANDLE_TO_FD,
	DRM_IOCTL_PRIME_FD_TO_HANDLE,
	DRM_IOCTL_I915_GETPARAM,
	DRM_IOCTL_I915_GEM_BUSY,
	DRM_IOCTL_I915_GEM_CREATE,
	DRM_IOCTL_I915_GEM_PREAD,
	DRM_IOCTL_I915_GEM_PWRITE,
	DRM_IOCTL_I915_GEM_MMAP,
	DRM_IOCTL_I915_GEM_SET_DOMAIN,
	DRM_IOCTL_I915_GEM_SW_FINISH,
	DRM_IOCTL_I915_GEM_SET_TILING,
	DRM_IOCTL_I915_GEM_GET_TILING,
	DRM_IOCTL_I915_GEM_GET_APERTURE,
	DRM_IOCTL_I915_GEM_MMAP_GTT,
	DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	DRM_IOCTL_I915_GEM_MADVISE,
	DRM_IOCTL_I915_GEM_EXECBUFFER2,
	DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
	DRM_IOCTL_I915_GEM_WAIT,
	DRM_IOCTL_I915_GEM_CONTEXT_CREATE,
	DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
	DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
	DRM_IOCTL_I915_GEM_SET_CACHING,
	DRM_IOCTL_I915_GEM_GET_CACHING,
	DRM_IOCTL_I915_REG_READ,
	DRM_IOCTL_I915_GET_RESET_STATS,
	DRM_IOCTL_I915_GEM_USERPTR,
	DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
	DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
	DRM_IOCTL_I915_QUERY,
	DRM_IOCTL_I915_GEM_VM_CREATE,
	DRM_IOCTL_I915_GEM_VM_DESTROY,
	DRM_IOCTL_I915_GEM_CREATE_EXT,
	DRM_IOCTL_SYNCOBJ_CREATE,
	DRM_IOCTL_SYNCOBJ_DESTROY,
	DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD,
	DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE,
	DRM_IOCTL_SYNCOBJ_WAIT,
	DRM_IOCTL_SYNCOBJ_RESET,
	DRM_IOCTL_SYNCOBJ_SIGNAL,
	DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
	DRM_IOCTL_SYNCOBJ_QUERY,
	DRM_IOCTL_SYNCOBJ_TRANSFER,
	DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL,
};
enum { KNOWN = sizeof known / sizeof *known };

static void bad_pointers(void **state)
{
	const struct bench *bench = *state;
	void *gone = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uint64_t pointers[] = { 0, 1, 4096, (uintptr_t)gone, UINT64_MAX, UINT64_MAX - 64,
		UINT64_C(0x800000000000), UINT64_C(0xffff800000000000) };

	for (unsigned i = 0; i < KNOWN; i++)
		for (unsigned j = 0; j < sizeof pointers / sizeof *pointers; j++) {
			int rc = i915_ioctl(bench->file, known[i], pointers[j]);
			if (rc != -EFAULT)
				fail_msg("0x%lx with pointer 0x%llx: %d", known[i],
					(unsigned long long)pointers[j], rc);
		}
	munmap(gone, 8192);
}

/* Nothing but zeroes, and nothing but ones: an answer, whatever it is, and no crash. */
static void any_contents(void **state)
{
	const struct bench *bench = *state;
	uint64_t argument[32];

	for (unsigned i = 0; i < KNOWN; i++)
		for (int fill = 0; fill < 256; fill += 51) {
			memset(argument, fill, sizeof argument);
			int rc = CALL(bench->file, known[i], argument);
			assert_in_range(-rc, 0, 133);
		}
}

static void across_the_end_of_a_page(void **state)
{
	const struct bench *bench = *state;
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_i915_gem_create create = { .size = 4096 };

	munmap(pages + 4096, 4096);
	memcpy(pages + 4096 - sizeof create, &create, sizeof create);
	assert_int_equal(
		CALL(bench->file, DRM_IOCTL_I915_GEM_CREATE, pages + 4096 - sizeof create), 0);
	memcpy(&create, pages + 4096 - sizeof create, sizeof create);
	assert_int_equal(bench_close(bench->file, create.handle), 0);
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GEM_CREATE, pages + 4096 - 8), -EFAULT);
	/* What can be read but not written. */
	mprotect(pages, 4096, PROT_READ);
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GEM_CREATE, pages + 4096 - sizeof create),
		-EFAULT);
	munmap(pages, 4096);
}

static void other_sizes(void **state)
{
	const struct bench *bench = *state;
	struct {
		struct drm_i915_gem_create create;
		uint64_t more[600];
	} big = { .create = { .size = 4096 } };

	/* A longer struct than the device knows: what it adds comes back as zeroes. */
	memset(big.more, 0xcc, sizeof big.more);
	assert_int_equal(
		CALL(bench->file, _IOC(_IOC_READ | _IOC_WRITE, 'd', 0x40 + 0x1b, 16 + 4000), &big),
		0);
	assert_int_not_equal(big.create.handle, 0);
	for (unsigned i = 0; i < 500; i++)
		assert_int_equal(big.more[i], 0);
	assert_int_equal(big.more[500], UINT64_C(0xcccccccccccccccc));
	/* A shorter one: the rest counts as zero, and nothing behind it is touched. */
	struct {
		uint32_t id, pad, poison[2];
	} small = { 7, 7, { 7, 7 } };
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &small), -EINVAL);
	small.pad = 0;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &small), 0);
	assert_int_not_equal(small.id, 7);
	assert_int_equal(small.poison[0], 7);
	/* One way only. */
	struct drm_i915_gem_create create = { .size = 4096 };
	assert_int_equal(CALL(bench->file, _IOC(_IOC_WRITE, 'd', 0x40 + 0x1b, 16), &create), 0);
	assert_int_equal(create.handle, 0);
	assert_int_equal(
		CALL(bench->file, _IOC(_IOC_READ, 'd', 0x40 + 0x1b, 16), &create), -EINVAL);
}

static void unknown(void **state)
{
	const struct bench *bench = *state;
	uint64_t argument[32] = { 0 };
	unsigned refused = 0;

	for (unsigned number = 0; number < 256; number++) {
		bool listed = number == 0x40 + 0x18; /* throttle, which has no argument */
		for (unsigned i = 0; i < KNOWN; i++)
			listed |= _IOC_NR(known[i]) == number;
		if (listed)
			continue;
		refused++;
		assert_int_equal(
			CALL(bench->file, _IOC(_IOC_READ | _IOC_WRITE, 'd', number, 8), argument),
			-EINVAL);
	}
	assert_true(refused > 200);
	assert_int_equal(CALL(bench->file, _IOC(_IOC_READ, 'e', 0, 8), argument), -ENOTTY);
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GEM_THROTTLE, NULL), 0);
}

/* The file of a parent process. */
static void dead_files(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench_open(bench);
	struct drm_i915_gem_create create = { .size = 4096 };
	struct drm_i915_gem_wait wait = { .bo_handle = bench_buffer(file, 4096) };

	file->dead = true;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE, &create), -ENODEV);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
	assert_int_equal(bench_close(file, wait.bo_handle), 0);
	assert_int_equal(bench_destroy(file, 1), 0);
	assert_int_equal(bench_stats(file, 1).batch_active, 1); /* lost */
	assert_int_equal(
		i915_mmap(file, NULL, 4096, PROT_READ, MAP_SHARED, (uint64_t)wait.bo_handle << 40),
		-ENODEV);
	file->dead = false; /* it did not close the object */
	assert_int_equal(bench_close(file, wait.bo_handle), 0);
	drm_file_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(bad_pointers),
		BENCH_TEST(any_contents),
		BENCH_TEST(across_the_end_of_a_page),
		BENCH_TEST(other_sizes),
		BENCH_TEST(unknown),
		BENCH_TEST(dead_files),
	};

	return cmocka_run_group_tests_name("i915_ioctl", tests, NULL, NULL);
}
