// SPDX-License-Identifier: MIT
#include "drm/memory/drm_timeline.h"
#include "i915_bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* EXECBUFFER2: what is refused, what is bound where, in which order batches run. */

enum { SIZE = 65536, SECOND = 1000000000 };

#define DATA  UINT64_C(0x10000000)
#define CODE  UINT64_C(0x20000000)
#define OTHER UINT64_C(0x30000000)

/* A data object, a batch object, and views of both. */
struct pair {
	uint32_t data, code;
	uint32_t *numbers, *commands;
};

static struct pair pair_of(struct drm_file *file)
{
	struct pair pair = { .data = bench_buffer(file, SIZE), .code = bench_buffer(file, SIZE) };

	pair.numbers = bench_map(file, pair.data, SIZE);
	pair.commands = bench_map(file, pair.code, SIZE);
	return pair;
}

static void unmap(struct pair *pair)
{
	munmap(pair->numbers, SIZE);
	munmap(pair->commands, SIZE);
}

static void stores(void **state)
{
	struct bench *bench = *state;
	struct pair p = pair_of(bench->file);

	assert_int_equal(p.numbers[3], 0);
	bench_end(bench_store(p.commands, DATA + 12, 0x1234));
	assert_int_equal(EXEC(bench->file, 0, 0, PINNED(p.data, DATA), PINNED(p.code, CODE)), 0);
	assert_int_equal(bench_wait(bench->file, p.data, -1), 0);
	assert_int_equal(p.numbers[3], 0x1234);
	assert_int_equal(bench_busy(bench->file, p.data), 0);
	unmap(&p);
}

static void two_spaces_at_one_address(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file), q = pair_of(file);
	uint32_t first = bench_context(file), second = bench_context(file),
		 third = bench_context(file);

	/* The third shares the second's address space, so that DATA is bound there already. */
	uint32_t vm = bench_vm(file);
	bench_set_vm(file, second, vm);
	bench_set_vm(file, third, vm);
	struct drm_i915_gem_vm_control control = { .vm_id = vm };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_VM_DESTROY, &control), 0);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_VM_DESTROY, &control), -ENOENT);

	bench_end(bench_store(p.commands, DATA, 1));
	bench_end(bench_store(q.commands, DATA, 2));
	assert_int_equal(EXEC(file, first, 0, PINNED(p.data, DATA), PINNED(p.code, CODE)), 0);
	assert_int_equal(EXEC(file, second, 0, PINNED(q.data, DATA), PINNED(q.code, CODE)), 0);
	assert_int_equal(bench_wait(file, p.code, -1), 0);
	assert_int_equal(bench_wait(file, q.code, -1), 0);
	assert_int_equal(p.numbers[0], 1);
	assert_int_equal(q.numbers[0], 2);

	q.numbers[0] = 0;
	assert_int_equal(EXEC(file, third, 0, PINNED(q.code, CODE)), 0);
	assert_int_equal(bench_wait(file, q.code, -1), 0);
	assert_int_equal(q.numbers[0], 2);
	assert_int_equal(bench_stats(file, third).batch_active, 0);
	unmap(&p);
	unmap(&q);
}

static void in_order_and_at_once(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file), q = pair_of(file);
	uint32_t context = bench_context(file), other = bench_context(file);
	uint32_t *at;

	/* The first waits for numbers[0]; the second, of the same context, overtakes it not. */
	bench_end(bench_store(bench_semaphore(p.commands, DATA, 1), DATA + 4, 11));
	bench_end(bench_store(p.commands + 64, DATA + 4, 22));
	assert_int_equal(EXEC(file, context, 0, PINNED(p.data, DATA), PINNED(p.code, CODE)), 0);
	struct drm_i915_gem_exec_object2 list[] = { PINNED(p.data, DATA), PINNED(p.code, CODE) };
	struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)list,
		.buffer_count = 2,
		.batch_start_offset = 256,
		.rsvd1 = context };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec), 0);

	assert_int_equal(bench_wait(file, p.code, 0), -ETIME);

	/* Another context runs meanwhile, on the same engine, and releases the first. */
	at = bench_store(q.commands, OTHER, 7);
	bench_end(at);
	assert_int_equal(EXEC(file, other, 0, PINNED(q.data, OTHER), PINNED(q.code, CODE)), 0);
	assert_int_equal(bench_wait(file, q.code, -1), 0);
	assert_int_equal(q.numbers[0], 7);
	assert_int_equal(p.numbers[1], 0);
	assert_int_equal(bench_busy(file, p.data), 0x10000 << I915_ENGINE_CLASS_RENDER);
	assert_int_equal(bench_wait(file, p.data, 0), -ETIME);

	bench_end(bench_store(q.commands, DATA, 1));
	assert_int_equal(EXEC(file, other, 0, PINNED(p.data, DATA), PINNED(q.code, CODE)), 0);
	assert_int_equal(bench_wait(file, p.data, -1), 0);
	assert_int_equal(p.numbers[1], 22);
	unmap(&p);
	unmap(&q);
}

static void times_out(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file);
	struct drm_i915_gem_wait wait = { .bo_handle = p.data, .timeout_ns = SECOND / 5 };

	bench_end(bench_semaphore(p.commands, DATA, 1));
	assert_int_equal(EXEC(file, 0, 0, PINNED(p.data, DATA), PINNED(p.code, CODE)), 0);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_WAIT, &wait), -ETIME);
	assert_int_equal(wait.timeout_ns, 0);
	assert_int_equal(bench_wait(file, p.data, 0), -ETIME);
	__atomic_store_n(p.numbers, 1, __ATOMIC_RELEASE);
	wait.timeout_ns = INT64_MAX;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
	assert_true(wait.timeout_ns > 0);
	assert_int_equal(bench_wait(file, p.data, 0), 0);
	wait.flags = 1;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_WAIT, &wait), -EINVAL);
	assert_int_equal(bench_wait(file, 4711, 0), -ENOENT);
	unmap(&p);
}

/* Who listens hears of a batch that has ended, also of one that ended before it slept. */
static void tells_who_listens(void **state)
{
	struct bench *bench = *state;
	struct drm_device *device = bench->device;
	struct pair p = pair_of(bench->file);
	uint64_t seen = 0, before;

	drm_timeline_await(device, &seen, -1);
	assert_true(seen > 0);
	before = seen;
	drm_timeline_await(device, &seen, drm_timeline_now() + SECOND / 100);
	assert_int_equal(seen, before);

	bench_end(bench_semaphore(p.commands, DATA, 1));
	assert_int_equal(EXEC(bench->file, 0, 0, PINNED(p.data, DATA), PINNED(p.code, CODE)), 0);
	drm_timeline_await(device, &seen, drm_timeline_now() + SECOND / 100);
	assert_int_equal(seen, before);
	__atomic_store_n(&p.numbers[0], 1, __ATOMIC_RELEASE);
	drm_timeline_await(device, &seen, -1);
	assert_true(seen > before);
	assert_int_equal(bench_wait(bench->file, p.code, -1), 0);
	drm_timeline_await(device, &before, -1);
	assert_true(before >= seen);
	unmap(&p);
}

static void engines_wait_for_writers(void **state)
{
	static const uint16_t classes[] = { I915_ENGINE_CLASS_RENDER, I915_ENGINE_CLASS_COPY };
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file), q = pair_of(file);
	uint32_t context = bench_context(file);
	struct drm_i915_gem_exec_object2 written = PINNED(p.data, DATA), read = written;

	bench_set_engines(file, context, 2, classes);
	/* On the render engine: blocked, then writes. On the copy engine: overwrites, but after. */
	bench_end(bench_store(bench_semaphore(p.commands, DATA, 1), DATA + 4, 11));
	bench_end(bench_store(q.commands, DATA + 4, 22));
	written.flags |= EXEC_OBJECT_WRITE;
	assert_int_equal(EXEC(file, context, 0, written, PINNED(p.code, CODE)), 0);
	assert_int_equal(bench_busy(file, p.data),
		(0x10000 << I915_ENGINE_CLASS_RENDER) | (I915_ENGINE_CLASS_RENDER + 1));
	assert_int_equal(EXEC(file, context, 1, read, PINNED(q.code, OTHER)), 0);
	assert_int_equal(bench_wait(file, q.code, SECOND / 20), -ETIME);
	assert_int_equal(p.numbers[1], 0);
	usleep(50000); /* the copy engine sleeps by now */
	__atomic_store_n(p.numbers, 1, __ATOMIC_RELEASE);
	assert_int_equal(bench_wait(file, q.code, (int64_t)20 * SECOND), 0);
	assert_int_equal(p.numbers[1], 22);

	/* Those that ask for no order have none. */
	__atomic_store_n(p.numbers, 0, __ATOMIC_RELEASE);
	assert_int_equal(EXEC(file, context, 0, written, PINNED(p.code, CODE)), 0);
	read.flags |= EXEC_OBJECT_ASYNC;
	assert_int_equal(EXEC(file, context, 1, read, PINNED(q.code, OTHER)), 0);
	assert_int_equal(bench_wait(file, q.code, (int64_t)20 * SECOND), 0);
	assert_int_equal(bench_wait(file, p.code, 0), -ETIME);
	__atomic_store_n(p.numbers, 1, __ATOMIC_RELEASE);
	assert_int_equal(bench_wait(file, p.code, -1), 0);
	unmap(&p);
	unmap(&q);
}

/* One that is in the list again stays where it is, and is written if one of its entries says so. */
static void takes_objects_twice(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file);
	struct drm_i915_gem_exec_object2 list[] = { PINNED(p.data, DATA), { .handle = p.data },
		PINNED(p.data, DATA), PINNED(p.code, CODE), PINNED(p.code, CODE) };

	bench_end(bench_store(p.commands, DATA + 4, 33));
	list[1].flags = EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_WRITE;
	assert_int_equal(bench_exec(file, 0, 0, 5, list), 0);
	assert_int_equal(list[1].offset, DATA);
	assert_int_equal(bench_wait(file, p.data, -1), 0);
	assert_int_equal(p.numbers[1], 33);
	/* Not at two places, nor where the other entry does not let it be. */
	list[2].offset = OTHER;
	assert_int_equal(bench_exec(file, 0, 0, 5, list), -EINVAL);
	list[2].offset = DATA;
	list[1].alignment = UINT64_C(1) << 46;
	assert_int_equal(bench_exec(file, 0, 0, 5, list), -ENOSPC);
	unmap(&p);
}

/* One object, which is the batch. */
static const struct {
	uint64_t exec_flags, object_flags, offset, alignment;
	uint32_t start, length, relocations;
	int expected;
} refusals[] = {
	{ 0, 0x18, DATA, 0, 0, 0, 0, 0 },
	{ I915_EXEC_NO_RELOC, 0x18, DATA, 0, 0, 0, 0, 0 },
	{ I915_EXEC_SECURE, 0x18, DATA, 0, 0, 0, 0, -EPERM },
	{ I915_EXEC_FENCE_IN, 0x18, DATA, 0, 0, 0, 0, -EINVAL },
	{ I915_EXEC_FENCE_SUBMIT, 0x18, DATA, 0, 0, 0, 0, -EINVAL },
	{ UINT64_C(1) << 40, 0x18, DATA, 0, 0, 0, 0, -EINVAL },
	{ 5, 0x18, DATA, 0, 0, 0, 0, -EINVAL },
	{ 63, 0x18, DATA, 0, 0, 0, 0, -EINVAL },
	{ 0, UINT64_C(1) << 40, DATA, 0, 0, 0, 0, -EINVAL },
	{ 0, 0x18, DATA + 1, 0, 0, 0, 0, -EINVAL },
	{ 0, 0x18, DATA + 256, 0, 0, 0, 0, -EINVAL },
	{ 0, 0x18, UINT64_C(1) << 47, 0, 0, 0, 0, -EINVAL },		/* not canonical */
	{ 0, 0x18, UINT64_C(0xffff800000000000), 0, 0, 0, 0, 0 },	/* canonical */
	{ 0, 0x18, UINT64_C(0xfffffffffffff000), 0, 0, 0, 0, -EINVAL }, /* over the end */
	{ 0, 0x10, UINT64_C(1) << 32, 0, 0, 0, 0, -EINVAL },		/* 32 bits only */
	{ 0, 0x18, DATA, 3, 0, 0, 0, -EINVAL },
	{ 0, 0x18, DATA + 4096, 65536, 0, 0, 0, -EINVAL },
	{ 0, 0x18, DATA, 0, 4, 0, 0, -EINVAL },
	{ 0, 0x18, DATA, 0, 0, 4, 0, -EINVAL },
	{ 0, 0x18, DATA, 0, SIZE, 0, 0, -EINVAL },
	{ 0, 0x18, DATA, 0, 8, SIZE, 0, -EINVAL },
	{ 0, 0x18, DATA, 0, 0, 0, 1, -EINVAL },
};

static void refuses(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file);

	bench_end(p.commands);
	for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct drm_i915_gem_exec_object2 object = { .handle = p.code,
			.flags = refusals[i].object_flags,
			.offset = refusals[i].offset,
			.alignment = refusals[i].alignment,
			.relocation_count = refusals[i].relocations };
		struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)&object,
			.buffer_count = 1,
			.batch_start_offset = refusals[i].start,
			.batch_len = refusals[i].length,
			.flags = refusals[i].exec_flags };
		int rc = CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec);
		if (rc != refusals[i].expected)
			fail_msg("case %u: %d, should be %d", i, rc, refusals[i].expected);
	}
	struct drm_i915_gem_execbuffer2 exec = { .buffer_count = 0 };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec), -EINVAL);
	exec = (struct drm_i915_gem_execbuffer2){ .buffer_count = 1, .buffers_ptr = 8 };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec), -EFAULT);
	exec.buffer_count = 1000;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec), -EFAULT);
	exec.buffer_count = UINT32_MAX / 64;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec), -ENOMEM);
	exec.buffer_count = UINT32_MAX;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec), -EINVAL);
	assert_int_equal(EXEC(file, 77, 0, PINNED(p.code, CODE)), -ENOENT);
	assert_int_equal(EXEC(file, 0, 0, PINNED(77, CODE)), -ENOENT);
	assert_int_equal(EXEC(file, 0, 0, PINNED(p.data, DATA), PINNED(p.data, CODE)), -EINVAL);
	/* Two objects of one list at overlapping addresses. */
	assert_int_equal(
		EXEC(file, 0, 0, PINNED(p.data, DATA), PINNED(p.code, DATA + 4096)), -EINVAL);
	assert_int_equal(bench_wait(file, p.code, -1), 0);
	unmap(&p);
}

static void evicts_and_places(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file), q = pair_of(file);
	struct drm_i915_gem_exec_object2 free_list[2] = { { .handle = p.data, .offset = 1 },
		{ .handle = p.code, .offset = 1 } };

	bench_end(bench_store(p.commands, DATA, 5));
	assert_int_equal(EXEC(file, 0, 0, PINNED(p.data, DATA), PINNED(p.code, CODE)), 0);
	assert_int_equal(bench_wait(file, p.code, -1), 0);
	assert_int_equal(p.numbers[0], 5);
	/* Another object in the place of the first. */
	assert_int_equal(EXEC(file, 0, 0, PINNED(q.data, DATA), PINNED(p.code, CODE)), 0);
	assert_int_equal(bench_wait(file, p.code, -1), 0);
	assert_int_equal(q.numbers[0], 5);
	/* Those that are not pinned get an address, and are told. */
	assert_int_equal(bench_exec(file, 0, 0, 2, free_list), 0);
	assert_int_not_equal(free_list[0].offset, 1);
	assert_int_not_equal(free_list[0].offset, 0);
	assert_int_equal(free_list[0].offset % 4096, 0);
	assert_true(free_list[0].offset + SIZE <= UINT32_MAX);
	assert_int_equal(bench_wait(file, p.code, -1), 0);
	/* The first in the list is the batch, when asked. */
	p.numbers[0] = 0;
	q.numbers[0] = 0;
	assert_int_equal(
		EXEC(file, 0, I915_EXEC_BATCH_FIRST, PINNED(p.code, CODE), PINNED(p.data, DATA)),
		0);
	assert_int_equal(bench_wait(file, p.code, -1), 0);
	assert_int_equal(p.numbers[0], 5);
	assert_int_equal(q.numbers[0], 0);
	unmap(&p);
	unmap(&q);
}

static void closed_objects_live_while_they_run(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file);
	uint32_t context = bench_context(file);

	bench_end(bench_store(bench_semaphore(p.commands, DATA, 1), DATA + 4, 6));
	assert_int_equal(EXEC(file, context, 0, PINNED(p.data, DATA), PINNED(p.code, CODE)), 0);
	assert_int_equal(bench_close(file, p.data), 0);
	assert_int_equal(bench_close(file, p.code), 0);
	assert_int_equal(bench_close(file, p.code), -EINVAL);
	assert_int_equal(bench_wait(file, p.code, 0), -ENOENT);
	/* A persistent context, which is the default, ends what it has begun. */
	assert_int_equal(bench_destroy(file, context), 0);
	assert_int_equal(bench_destroy(file, context), -ENOENT);
	__atomic_store_n(p.numbers, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 2000 && __atomic_load_n(p.numbers + 1, __ATOMIC_ACQUIRE) != 6; i++)
		usleep(5000);
	assert_int_equal(p.numbers[1], 6);
	unmap(&p);
}

static void ends_with_its_context(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file);
	uint32_t context = bench_context(file);
	struct drm_i915_gem_context_param param = { .ctx_id = context,
		.param = I915_CONTEXT_PARAM_PERSISTENCE };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), 0);
	bench_end(bench_semaphore(p.commands, DATA, 1));
	assert_int_equal(EXEC(file, context, 0, PINNED(p.data, DATA), PINNED(p.code, CODE)), 0);
	assert_int_equal(bench_wait(file, p.data, 0), -ETIME);
	assert_int_equal(bench_destroy(file, context), 0);
	assert_int_equal(bench_wait(file, p.data, -1), 0);
	/* So does a file that is closed: the teardown must not hang either. */
	assert_int_equal(EXEC(file, 0, 0, PINNED(p.data, DATA), PINNED(p.code, CODE)), 0);
	struct drm_file *other = bench_open(bench);
	uint32_t handle = bench_buffer(other, SIZE);
	uint32_t *commands = bench_map(other, handle, SIZE);
	bench_end(bench_semaphore(commands, CODE + 1024, 1));
	assert_int_equal(EXEC(other, 0, 0, PINNED(handle, CODE)), 0);
	drm_file_close(other);
	munmap(commands, SIZE);
	unmap(&p);
}

static void user_pointers(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	struct pair p = pair_of(file);
	uint32_t *host =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_i915_gem_userptr user = { .user_ptr = (uintptr_t)host, .user_size = SIZE };
	struct drm_i915_gem_mmap_offset offset = { 0 };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
	offset.handle = user.handle;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), -ENODEV);
	bench_end(bench_store(p.commands, DATA + 40, 0x77));
	assert_int_equal(EXEC(file, 0, 0, PINNED(user.handle, DATA), PINNED(p.code, CODE)), 0);
	assert_int_equal(bench_wait(file, user.handle, -1), 0);
	assert_int_equal(host[10], 0x77);
	/* Bound already when its memory goes away. */
	munmap(host, SIZE);
	assert_int_equal(
		EXEC(file, 0, 0, PINNED(user.handle, DATA), PINNED(p.code, CODE)), -EFAULT);
	/* Nothing is bound there now, so that the batch faults and the process lives. */
	assert_int_equal(EXEC(file, 0, 0, PINNED(p.code, CODE)), 0);
	assert_int_equal(bench_wait(file, p.code, -1), 0);
	assert_int_equal(bench_stats(file, 0).batch_active, 1);
	assert_int_equal(bench_close(file, user.handle), 0);
	/* Read-only memory, and none at all. */
	host = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	user = (struct drm_i915_gem_userptr){ .user_ptr = (uintptr_t)host, .user_size = SIZE };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
	assert_int_equal(
		EXEC(file, 0, 0, PINNED(user.handle, DATA), PINNED(p.code, CODE)), -EFAULT);
	user.flags = I915_USERPTR_PROBE;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
	munmap(host, SIZE);
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_USERPTR, &user), -EFAULT);
	user.flags = 0;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
	assert_int_equal(
		EXEC(file, 0, 0, PINNED(user.handle, DATA), PINNED(p.code, CODE)), -EFAULT);
	unmap(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(stores),
		BENCH_TEST(two_spaces_at_one_address),
		BENCH_TEST(in_order_and_at_once),
		BENCH_TEST(times_out),
		BENCH_TEST(tells_who_listens),
		BENCH_TEST(engines_wait_for_writers),
		BENCH_TEST(takes_objects_twice),
		BENCH_TEST(refuses),
		BENCH_TEST(evicts_and_places),
		BENCH_TEST(closed_objects_live_while_they_run),
		BENCH_TEST(ends_with_its_context),
		BENCH_TEST(user_pointers),
	};

	return cmocka_run_group_tests_name("i915_exec", tests, NULL, NULL);
}
