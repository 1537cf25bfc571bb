// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The fences of EXECBUFFER2. A gate is a batch that goes on when the program writes a number, so
 * that each test decides what is over and what is not.
 */

enum { SIZE = 4096 };

#define GATE  UINT64_C(0x10000000)
#define CODE  UINT64_C(0x20000000)
#define NOTES UINT64_C(0x30000000)

struct gate {
	struct drm_file *file;
	uint32_t number, code, notes; /* objects */
	uint32_t context;
	uint32_t *open, *commands, *note;
};

static struct gate make_gate(struct drm_file *file, uint32_t context)
{
	struct gate gate = { .file = file,
		.number = bench_buffer(file, SIZE),
		.code = bench_buffer(file, SIZE),
		.notes = bench_buffer(file, SIZE),
		.context = context };

	gate.open = bench_map(file, gate.number, SIZE);
	gate.commands = bench_map(file, gate.code, SIZE);
	gate.note = bench_map(file, gate.notes, SIZE);
	bench_end(bench_store(bench_semaphore(gate.commands, GATE, 1), NOTES, 1));
	return gate;
}

static void free_gate(struct gate *gate)
{
	munmap(gate->open, SIZE);
	munmap(gate->commands, SIZE);
	munmap(gate->note, SIZE);
}

/* Submits it with what the request asks for besides. */
static int submit(const struct gate *gate, struct drm_i915_gem_execbuffer2 *request)
{
	struct drm_i915_gem_exec_object2 objects[] = { PINNED(gate->number, GATE),
		PINNED(gate->notes, NOTES), PINNED(gate->code, CODE) };

	request->buffers_ptr = (uintptr_t)objects;
	request->buffer_count = 3;
	request->rsvd1 = gate->context;
	return CALL(gate->file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, request);
}

static int submit_array(
	const struct gate *gate, const struct drm_i915_gem_exec_fence *fences, unsigned count)
{
	struct drm_i915_gem_execbuffer2 request = { .flags = I915_EXEC_FENCE_ARRAY,
		.num_cliprects = count,
		.cliprects_ptr = (uintptr_t)fences };

	return submit(gate, &request);
}

static int submit_timeline(const struct gate *gate, const struct drm_i915_gem_exec_fence *fences,
	const uint64_t *values, unsigned count)
{
	struct drm_i915_gem_execbuffer_ext_timeline_fences extension = {
		.base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES,
		.fence_count = count,
		.handles_ptr = (uintptr_t)fences,
		.values_ptr = (uintptr_t)values
	};
	struct drm_i915_gem_execbuffer2 request = { .flags = I915_EXEC_USE_EXTENSIONS,
		.cliprects_ptr = (uintptr_t)&extension };

	return submit(gate, &request);
}

static int wait_value(struct drm_file *file, uint32_t handle, uint64_t value, bool forever)
{
	struct drm_syncobj_timeline_wait wait = { .handles = (uintptr_t)&handle,
		.points = (uintptr_t)&value,
		.count_handles = 1,
		.timeout_nsec = forever ? INT64_MAX : 0 };

	return CALL(file, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

static uint64_t query(struct drm_file *file, uint32_t handle, unsigned flags)
{
	uint64_t value = 99;
	struct drm_syncobj_timeline_array list = { .handles = (uintptr_t)&handle,
		.points = (uintptr_t)&value,
		.count_handles = 1,
		.flags = flags };

	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_QUERY, &list), 0);
	return value;
}

static void signalled_by_a_batch(void **state)
{
	struct bench *bench = *state;
	struct gate gate = make_gate(bench->file, 0);
	struct drm_i915_gem_exec_fence fence = { .handle = bench_syncobj(bench->file, 0),
		.flags = I915_EXEC_FENCE_SIGNAL };

	assert_int_equal(wait_value(bench->file, fence.handle, 0, false), -EINVAL);
	assert_int_equal(submit_array(&gate, &fence, 1), 0);
	assert_int_equal(wait_value(bench->file, fence.handle, 0, false), -ETIME);
	assert_int_equal(*gate.note, 0);
	*gate.open = 1;
	assert_int_equal(wait_value(bench->file, fence.handle, 0, true), 0);
	assert_int_equal(*gate.note, 1);
	free_gate(&gate);
}

/* The second context's batch waits for the first one's, though it uses none of its objects. */
static void waited_for_by_a_batch(void **state)
{
	struct bench *bench = *state;
	struct gate first = make_gate(bench->file, bench_context(bench->file)),
		    second = make_gate(bench->file, bench_context(bench->file));
	uint32_t done = bench_syncobj(bench->file, 0), next = bench_syncobj(bench->file, 0);
	struct drm_i915_gem_exec_fence fences[] = { { done, I915_EXEC_FENCE_WAIT },
		{ next, I915_EXEC_FENCE_SIGNAL } };

	*second.open = 1;
	assert_int_equal(submit_array(&second, fences, 2), -EINVAL); /* no fence there */
	fences[0].flags = I915_EXEC_FENCE_SIGNAL;
	assert_int_equal(submit_array(&first, fences, 1), 0);
	fences[0].flags = I915_EXEC_FENCE_WAIT;
	assert_int_equal(submit_array(&second, fences, 2), 0);
	assert_int_equal(bench_wait(bench->file, second.code, 20000000), -ETIME);
	assert_int_equal(*second.note, 0);
	*first.open = 1;
	assert_int_equal(wait_value(bench->file, next, 0, true), 0);
	assert_int_equal(*first.note, 1);
	assert_int_equal(*second.note, 1);
	free_gate(&first);
	free_gate(&second);
}

static void timelines(void **state)
{
	struct bench *bench = *state;
	struct gate first = make_gate(bench->file, bench_context(bench->file)),
		    second = make_gate(bench->file, bench_context(bench->file));
	uint32_t line = bench_syncobj(bench->file, 0);
	struct drm_i915_gem_exec_fence fence = { line, I915_EXEC_FENCE_SIGNAL };
	const unsigned last = DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED;

	assert_int_equal(submit_timeline(&first, &fence, (uint64_t[]){ 10 }, 1), 0);
	assert_int_equal(submit_timeline(&second, &fence, (uint64_t[]){ 20 }, 1), 0);
	assert_int_equal(query(bench->file, line, 0), 0);
	assert_int_equal(query(bench->file, line, last), 20);
	/* Value 20 needs 10 too, in whichever order the batches end. */
	*second.open = 1;
	assert_int_equal(bench_wait(bench->file, second.code, -1), 0);
	assert_int_equal(query(bench->file, line, 0), 0);
	assert_int_equal(wait_value(bench->file, line, 20, false), -ETIME);
	assert_int_equal(wait_value(bench->file, line, 21, false), -EINVAL);
	*first.open = 1;
	assert_int_equal(wait_value(bench->file, line, 15, true), 0);
	assert_int_equal(query(bench->file, line, 0), 20);
	/* A wait and a signal in one submission; a value that was dropped since counts as reached.
	 */
	struct drm_i915_gem_exec_fence both[] = { { line, I915_EXEC_FENCE_WAIT }, fence };
	assert_int_equal(submit_timeline(&first, both, (uint64_t[]){ 5, 30 }, 2), 0);
	assert_int_equal(wait_value(bench->file, line, 30, true), 0);
	assert_int_equal(submit_timeline(&first, both, (uint64_t[]){ 31, 40 }, 2), -EINVAL);
	assert_int_equal(query(bench->file, line, last), 30);
	both[0].flags |= I915_EXEC_FENCE_SIGNAL;
	assert_int_equal(submit_timeline(&first, both, (uint64_t[]){ 30, 40 }, 1), -EINVAL);
	free_gate(&first);
	free_gate(&second);
}

static bool readable(int fd, int milliseconds)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, milliseconds) == 1 && poll_fd.revents & POLLIN;
}

static void sync_files(void **state)
{
	struct bench *bench = *state;
	struct gate first = make_gate(bench->file, bench_context(bench->file)),
		    second = make_gate(bench->file, bench_context(bench->file));
	struct drm_i915_gem_execbuffer2 request = { .flags = I915_EXEC_FENCE_OUT,
		.rsvd2 = UINT64_C(0xccccccccdddddddd) };
	int out, done;

	assert_int_equal(submit(&first, &request), 0);
	assert_int_equal((uint32_t)request.rsvd2, 0xdddddddd);
	out = (int)(request.rsvd2 >> 32);
	assert_false(readable(out, 0));
	*second.open = 1;
	request = (struct drm_i915_gem_execbuffer2){
		.flags = I915_EXEC_FENCE_IN | I915_EXEC_FENCE_OUT, .rsvd2 = (uint32_t)out
	};
	assert_int_equal(submit(&second, &request), 0);
	assert_int_equal((uint32_t)request.rsvd2, out);
	done = (int)(request.rsvd2 >> 32);
	assert_false(readable(done, 20));
	assert_int_equal(*second.note, 0);
	*first.open = 1;
	assert_true(readable(done, -1));
	assert_true(readable(out, 0));
	assert_int_equal(*second.note, 1);
	/* A file that is closed or is none */
	close(out);
	close(done);
	request.flags = I915_EXEC_FENCE_IN;
	assert_int_equal(submit(&second, &request), -EINVAL);
	request.rsvd2 = 0;
	assert_int_equal(submit(&second, &request), -EINVAL);
	free_gate(&first);
	free_gate(&second);
}

/* What fails signals nothing. */
static void wrong_arguments(void **state)
{
	struct bench *bench = *state;
	struct gate gate = make_gate(bench->file, 0);
	uint32_t line = bench_syncobj(bench->file, 0);
	struct drm_i915_gem_exec_fence fences[] = { { line, I915_EXEC_FENCE_SIGNAL },
		{ 4711, I915_EXEC_FENCE_SIGNAL } };
	struct drm_i915_gem_execbuffer_ext_timeline_fences extension = { .base.name = 99 };
	struct drm_i915_gem_execbuffer2 request = { .flags = I915_EXEC_USE_EXTENSIONS };

	*gate.open = 1;
	assert_int_equal(submit_array(&gate, fences, 2), -ENOENT);
	fences[1] = (struct drm_i915_gem_exec_fence){ line, 4 };
	assert_int_equal(submit_array(&gate, fences, 2), -EINVAL);
	assert_int_equal(submit_array(&gate, (void *)8, 1), -EFAULT);
	assert_int_equal(submit_array(&gate, (void *)8, 0), 0);
	assert_int_equal(submit_timeline(&gate, fences, (void *)8, 1), -EFAULT);
	assert_int_equal(submit_timeline(&gate, fences, NULL, 1), 0); /* binary ones */
	assert_int_equal(wait_value(bench->file, line, 0, true), 0);
	request.cliprects_ptr = 8;
	assert_int_equal(submit(&gate, &request), -EFAULT);
	request.cliprects_ptr = (uintptr_t)&extension;
	assert_int_equal(submit(&gate, &request), -EINVAL);
	extension.base.name = 0;
	extension.base.next_extension = (uintptr_t)&extension;
	assert_int_equal(submit(&gate, &request), -EINVAL); /* a circle */
	extension.base.next_extension = 0;
	extension.fence_count = UINT64_MAX;
	assert_int_equal(submit(&gate, &request), -EINVAL);
	extension.fence_count = 0;
	assert_int_equal(submit(&gate, &request), 0);
	request.num_cliprects = 1;
	assert_int_equal(submit(&gate, &request), -EINVAL);
	request.flags |= I915_EXEC_FENCE_ARRAY;
	assert_int_equal(submit(&gate, &request), -EINVAL);
	request.flags = 0;
	assert_int_equal(submit(&gate, &request), -EINVAL);
	request.num_cliprects = 0;
	assert_int_equal(submit(&gate, &request), -EINVAL); /* cliprects_ptr */
	request = (struct drm_i915_gem_execbuffer2){ .flags = I915_EXEC_FENCE_SUBMIT };
	assert_int_equal(submit(&gate, &request), -EINVAL);
	assert_int_equal(bench_wait(bench->file, gate.code, -1), 0);
	free_gate(&gate);
}

/* A batch that faults ends the waits for it. */
static void faults(void **state)
{
	struct bench *bench = *state;
	struct gate gate = make_gate(bench->file, bench_context(bench->file));
	struct drm_i915_gem_exec_fence fence = { bench_syncobj(bench->file, 0),
		I915_EXEC_FENCE_SIGNAL };

	bench_end(bench_store(bench_semaphore(gate.commands, GATE, 1), 0xdead0000, 1));
	assert_int_equal(submit_timeline(&gate, &fence, (uint64_t[]){ 7 }, 1), 0);
	assert_int_equal(wait_value(bench->file, fence.handle, 7, false), -ETIME);
	*gate.open = 1;
	assert_int_equal(wait_value(bench->file, fence.handle, 7, true), 0);
	assert_int_equal(bench_stats(bench->file, gate.context).batch_active, 1);
	free_gate(&gate);
}

/* Objects that go before the batch that signals them has ended. */
static void destroyed_early(void **state)
{
	struct bench *bench = *state;
	struct gate gate = make_gate(bench->file, bench_context(bench->file));
	struct drm_i915_gem_exec_fence fence = { bench_syncobj(bench->file, 0),
		I915_EXEC_FENCE_SIGNAL };
	struct drm_syncobj_destroy destroy = { .handle = fence.handle };

	assert_int_equal(submit_timeline(&gate, &fence, (uint64_t[]){ 7 }, 1), 0);
	assert_int_equal(CALL(bench->file, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
	assert_int_equal(bench_destroy(bench->file, gate.context), 0);
	*gate.open = 1;
	assert_int_equal(bench_wait(bench->file, gate.code, -1), 0);
	free_gate(&gate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(signalled_by_a_batch),
		BENCH_TEST(waited_for_by_a_batch),
		BENCH_TEST(timelines),
		BENCH_TEST(sync_files),
		BENCH_TEST(wrong_arguments),
		BENCH_TEST(faults),
		BENCH_TEST(destroyed_early),
	};

	return cmocka_run_group_tests_name("i915_fence", tests, NULL, NULL);
}
