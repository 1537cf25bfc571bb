// SPDX-License-Identifier: MIT
#include "failure_alloc.h"
#include "i915_bench.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drm/schedule/drm_fault.h"
#include "util/util_log.h"

/*
 * The n-th allocation fails, for each n: of memory, maps, descriptors, threads and streams, from
 * the making of the device to its end. An ioctl returns -ENOMEM (a descriptor that cannot be kept
 * -EMFILE) and has done nothing, or it succeeds; a launch is done or ends with a report that says
 * that there was no memory. Leaks of memory are the address sanitizer's to find.
 * Usage: i915_failure_test [a name for this run, the n to begin with, and how many to go on by].
 */

enum { SIZE = 65536, DESCRIPTOR = 0x800, BATCH = 0x1000, GROUPS = 24, MOST = 4000 };

#define DATA UINT64_C(0x10000000)
#define CODE UINT64_C(0x30000000)
#define MORE UINT64_C(0x20000000)

static const char *first_text, *step_text;
static unsigned first = 1, step = 1, debug_step = 7; /* a process each time */
static uint8_t kernel[DESCRIPTOR];

/* A scene: gives the first error that it got. Gives everything back. */
typedef int (*scene)(struct drm_device *device, struct drm_file *file);

/* A call that may fail for want of memory, and only for that. */
static int may_fail(int rc)
{
	if (rc)
		assert_true(rc == -ENOMEM || rc == -EMFILE);
	return rc;
}
#define MAY(file, request, argument) may_fail(CALL(file, request, argument))

/* Objects, kept in an array so that all that were made can be closed. */
struct object {
	uint32_t handle;
	uint32_t *host; /* NULL: not mapped */
};

static int make_object(struct drm_file *file, struct object *out)
{
	struct drm_i915_gem_create create = { .size = SIZE };
	struct drm_i915_gem_mmap_offset offset = { .flags = I915_MMAP_OFFSET_WB };
	int rc = MAY(file, DRM_IOCTL_I915_GEM_CREATE, &create);

	*out = (struct object){ .handle = rc ? 0 : create.handle };
	offset.handle = out->handle;
	if (!rc)
		rc = MAY(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset);
	if (rc)
		return rc;
	intptr_t host =
		i915_mmap(file, NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, offset.offset);
	if (host < 0)
		return may_fail((int)host);
	out->host = (uint32_t *)host;
	return 0;
}

static void end_object(struct drm_file *file, const struct object *object)
{
	if (object->host)
		munmap(object->host, SIZE);
	if (object->handle)
		assert_int_equal(bench_close(file, object->handle), 0);
}

/* `more`: one more object between them, or NULL. */
static int execute(struct drm_file *file, uint32_t context, const struct object *data,
	const struct object *code, const struct object *more,
	const struct drm_i915_gem_exec_fence *fence)
{
	struct drm_i915_gem_exec_object2 list[] = { PINNED(data->handle, DATA),
		PINNED(code->handle, CODE), PINNED(code->handle, CODE) };
	struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)list,
		.buffer_count = more ? 3 : 2,
		.batch_start_offset = BATCH,
		.num_cliprects = fence ? 1 : 0,
		.cliprects_ptr = (uintptr_t)fence,
		.flags = fence ? I915_EXEC_FENCE_ARRAY : 0,
		.rsvd1 = context };

	list[0].flags |= EXEC_OBJECT_WRITE;
	if (more) {
		list[1].handle = more->handle;
		list[1].offset = MORE;
	}
	return MAY(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec);
}

/* Waits have to work, and may need memory: they are repeated as drivers do. */
static void wait_idle(struct drm_file *file, uint32_t handle)
{
	while (may_fail(bench_wait(file, handle, -1)))
		continue;
}

/* A launch of all groups, each of which writes 1 at a place of its own and reads it. */
static int run_groups(
	struct drm_device *device, struct drm_file *file, struct object *data, struct object *code)
{
	static const uint32_t descriptor[8] = { [6] = 1 };
	uint8_t *host = (uint8_t *)code->host;
	char report[2048];

	memcpy(host, kernel, sizeof(kernel));
	memcpy(host + DESCRIPTOR, descriptor, sizeof(descriptor));
	uint32_t *at = bench_walker((uint32_t *)(host + BATCH), CODE, DESCRIPTOR, GROUPS);
	bench_end(bench_store(at, DATA + SIZE / 2, 5));
	memset(data->host, 0xee, SIZE);
	int rc = execute(file, 0, data, code, NULL, NULL);
	if (rc)
		return rc;
	wait_idle(file, data->handle);
	if (drm_fault_take(device, report, sizeof(report))) {
		if (!strstr(report, "no memory") && !strstr(report, "no execution units"))
			fail_msg("%s", report);
		wait_idle(file, data->handle);
		assert_int_equal(drm_fault_take(device, report, sizeof(report)), 0);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < GROUPS; i++)
		assert_int_equal(data->host[16 * i], 1);
	assert_int_equal(data->host[SIZE / 8], 5);
	return 0;
}

static int launch(struct drm_device *device, struct drm_file *file)
{
	struct object data, code = { 0 };
	int rc = make_object(file, &data);

	if (!rc)
		rc = make_object(file, &code);
	if (!rc)
		rc = run_groups(device, file, &data, &code);
	/* the second launch has what the first one made, or makes it */
	if (data.host && code.host) {
		int again = run_groups(device, file, &data, &code);
		rc = rc ? rc : again;
	}
	end_object(file, &data);
	end_object(file, &code);
	return rc;
}

static int fences(struct drm_file *file, uint32_t binary, uint32_t line)
{
	uint64_t value = 7;
	struct drm_syncobj_timeline_array list = {
		.handles = (uintptr_t)&line, .points = (uintptr_t)&value, .count_handles = 1
	};
	struct drm_syncobj_transfer transfer = {
		.src_handle = binary, .dst_handle = line, .dst_point = 9
	};
	struct drm_syncobj_timeline_wait wait = { .handles = (uintptr_t)&line,
		.points = (uintptr_t)&value,
		.count_handles = 1,
		.timeout_nsec = INT64_MAX };
	struct drm_syncobj_handle file_of = { .handle = binary,
		.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE };
	int rc = MAY(file, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &list);

	if (!rc)
		rc = MAY(file, DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer);
	value = 9;
	if (!rc)
		rc = MAY(file, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
	if (rc || (rc = MAY(file, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &file_of)))
		return rc;
	file_of.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE;
	rc = MAY(file, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &file_of);
	close(file_of.fd);
	return rc;
}

/* Two batches of two contexts, one behind the other by a fence; both store. Between them one of the
 * first context with one more object. */
static int run_fenced(struct drm_file *file, const uint32_t *contexts, uint32_t fence,
	const struct object *data, const struct object *code)
{
	struct drm_i915_gem_exec_fence signal = { fence, I915_EXEC_FENCE_SIGNAL },
				       wait = { fence, I915_EXEC_FENCE_WAIT };
	uint32_t *at = (uint32_t *)((uint8_t *)code->host + BATCH);
	struct object more;
	int rc = make_object(file, &more), again = rc;

	memset(data->host, 0xee, SIZE);
	data->host[1] = 0;
	/* it ends when the host says so; until then the object is busy, whatever fails */
	bench_end(bench_store(bench_semaphore(at, DATA + 4, 1), DATA, 3));
	if (!rc)
		rc = again = execute(file, contexts[0], data, code, NULL, &signal);
	if (!rc) {
		again = execute(file, contexts[0], data, code, &more, NULL);
		assert_true(bench_busy(file, data->handle));
	}
	if (!again)
		again = execute(file, contexts[1], data, code, NULL, &wait);
	assert_true(rc || bench_busy(file, data->handle));
	__atomic_store_n(&data->host[1], 1, __ATOMIC_RELEASE);
	wait_idle(file, data->handle);
	assert_int_equal(data->host[0], rc ? 0xeeeeeeee : 3);
	end_object(file, &more);
	return rc ? rc : again;
}

static int make_context(struct drm_file *file, uint32_t *out)
{
	struct drm_i915_gem_vm_control vm = { 0 };
	struct drm_i915_gem_context_create_ext create = { 0 };
	int rc = MAY(file, DRM_IOCTL_I915_GEM_VM_CREATE, &vm);

	if (rc || (rc = MAY(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create)))
		return rc;
	*out = create.ctx_id;
	struct drm_i915_gem_context_param param = {
		.ctx_id = create.ctx_id, .param = I915_CONTEXT_PARAM_VM, .value = vm.vm_id
	};
	rc = MAY(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param);
	struct drm_i915_gem_vm_control end = { .vm_id = vm.vm_id };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_VM_DESTROY, &end), 0);
	return rc;
}

static int exchange(struct drm_file *file, uint32_t handle)
{
	struct drm_prime_handle prime = { .handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR };
	int rc = MAY(file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);

	if (rc)
		return rc;
	rc = MAY(file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
	close(prime.fd);
	return rc;
}

static int objects(struct drm_device *device, struct drm_file *file)
{
	struct object data, code = { 0 };
	struct drm_syncobj_create binary = { .flags = DRM_SYNCOBJ_CREATE_SIGNALED }, line = { 0 };
	uint32_t contexts[2] = { 0 };
	int rc = make_object(file, &data);

	(void)device;
	if (!rc)
		rc = make_object(file, &code);
	for (int i = 0; i < 2 && !rc; i++)
		rc = make_context(file, &contexts[i]);
	if (!rc)
		rc = MAY(file, DRM_IOCTL_SYNCOBJ_CREATE, &binary);
	if (!rc)
		rc = MAY(file, DRM_IOCTL_SYNCOBJ_CREATE, &line);
	if (!rc)
		rc = exchange(file, data.handle);
	if (!rc)
		rc = fences(file, binary.handle, line.handle);
	if (!rc)
		rc = run_fenced(file, contexts, binary.handle, &data, &code);
	end_object(file, &data);
	end_object(file, &code);
	for (int i = 0; i < 2; i++)
		if (contexts[i])
			assert_int_equal(bench_destroy(file, contexts[i]), 0);
	return rc;
}

static unsigned count_files(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(folder);
	while (readdir(folder))
		n++;
	closedir(folder);
	return n;
}

/* The device and all that is its. */
static int play(scene run)
{
	unsigned files = count_files();
	struct drm_device *device = drm_device_create(gen_device_find("tgllp"), &i915_front, false);
	struct drm_file *file = NULL;
	int rc = device ? drm_file_open(device, &file) : -ENOMEM;

	if (!rc) {
		rc = run(device, file);
		drm_file_close(file);
		assert_int_equal(device->files, 0);
		assert_null(device->objects);
		assert_int_equal(device->kept_fds, 0);
	}
	drm_device_destroy(device);
	assert_int_equal(count_files(), files);
	return rc;
}

/* `count` in a row. */
static void fail_each(scene run, unsigned count)
{
	unsigned n = first;

	assert_int_equal(play(run), 0);
	for (bool failed = true; failed; n += step) {
		assert_true(n < MOST);
		failure_alloc_after(n, count);
		int rc = play(run);
		failed = failure_alloc_failed();
		failure_alloc_after(0, 0);
		assert_true(failed || !rc);
	}
	assert_int_equal(play(run), 0);
	print_message("%u allocations\n", n - step - first);
	assert_true(n > 40);
}

/* The kernel of all launches, which each writes and reads a dword. */
static void assemble(void)
{
	bench_assemble("(W) shl (1|M0) r10.0<1>:ud r0.1<0;1,0>:ud 0x6:ud\n"
		       "(W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 0x10000000:ud\n"
		       "(W) mov (8|M0) r12.0<1>:ud 0x0:ud\n"
		       "(W) mov (1|M0) r12.0<1>:ud r10.0<0;1,0>:ud\n"
		       "(W) mov (8|M0) r11.0<1>:ud 0x1:ud\n"
		       "(W) send.dc1 (8|M0) null r12 r11 0x40 0x020D40FF\n"
		       "(W) send.dc1 (8|M0) r13 r12 null 0x0 0x021D00FF\n"
		       "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"
		       "(W) send.ts (8|M0) null r127 null 0x10000000 0x02000010 {EOT}\n",
		kernel, sizeof(kernel));
}

static void play_all(const char *mode)
{
	print_message("%s\n", mode);
	util_log(UTIL_LOG_TRACE, "test", "the log's file stays open");
	assemble();
	for (unsigned count = 1; count < 10; count += 4) {
		fail_each(objects, count);
		fail_each(launch, count);
	}
}

/* What the environment sets is decided once in a process. */
static void each_mode(void **state)
{
	static const struct {
		const char *variable, *value;
	} modes[] = {
		{ "ZEROCL_VGPU_STATISTICS", "/dev/null" },
		{ "ZEROCL_VGPU_ENGINE", "threaded" },
		{ "ZEROCL_VGPU_CHECK", "1" },
		{ "ZEROCL_VGPU_CHECK", "memory,init,lanes" },
		{ "ZEROCL_VGPU_PROFILE", "/dev/null" },
		{ "ZEROCL_VGPU_FORMS", "/dev/null" },
		{ "ZEROCL_VGPU_TRACE", "packets,walkers,instructions,messages" },
	};

	(void)state;
	setenv("ZEROCL_LOG", "trace", 1);
	setenv("ZEROCL_LOG_FILE", "/dev/null", 1);
	for (unsigned i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		int status = -1;
		setenv(modes[i].variable, modes[i].value, 1);
		pid_t child = fork();
		assert_true(child >= 0);
		if (!child) {
			execl("/proc/self/exe", "i915_failure_test", modes[i].variable, first_text,
				step_text, (char *)NULL);
			_exit(127);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		unsetenv(modes[i].variable);
		if (status)
			fail_msg("%s=%s: status 0x%x", modes[i].variable, modes[i].value,
				(unsigned)status);
	}
}

static char gdb_path[64];

/* Asks why the threads stand, and lets them go on each time that it is told ("$T"). */
static void let_run(int fd)
{
	char byte, before = 0;

	if (send(fd, "+$?#3f", 6, MSG_NOSIGNAL) < 0)
		return;
	for (; read(fd, &byte, 1) > 0; before = byte)
		if (before == '$' && byte == 'T' && send(fd, "+$c#63", 6, MSG_NOSIGNAL) < 0)
			return;
}

/* A GDB that is there at once and lets everything run. */
static void *be_gdb(void *unused)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, gdb_path);
	for (;;) {
		int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
			let_run(fd);
		close(fd);
		usleep(1000);
	}
	return unused;
}

/* 0: nothing failed; 1: the n-th allocation did. Ends as a process does. */
_Noreturn static void debug(unsigned n)
{
	struct drm_device *device = drm_device_create(gen_device_find("tgllp"), &i915_front, false);
	struct drm_file *file;
	pthread_t thread;

	setenv("ZEROCL_VGPU_GDB", gdb_path, 1);
	assert_non_null(device);
	assert_int_equal(drm_file_open(device, &file), 0);
	assert_int_equal(pthread_create(&thread, NULL, be_gdb, NULL), 0);
	failure_alloc_after(n, 1);
	int rc = launch(device, file);
	bool failed = failure_alloc_failed();
	failure_alloc_after(0, 0);
	assert_true(failed || !rc);
	drm_file_close(file);
	drm_device_destroy(device);
	exit(failed);
}

/* The debugger is there once in a process. */
static void debugged(void **state)
{
	int status = 0x100;

	(void)state;
	snprintf(gdb_path, sizeof(gdb_path), "/tmp/i915-failure-%d", (int)getpid());
	assemble();
	unsigned n = first;
	for (; status == 0x100; n += debug_step) {
		assert_true(n < MOST);
		pid_t child = fork();
		assert_true(child >= 0);
		if (!child)
			debug(n);
		assert_int_equal(waitpid(child, &status, 0), child);
		if (status & ~0x100)
			fail_msg("allocation %u: status 0x%x", n, (unsigned)status);
	}
	unlink(gdb_path);
	print_message("%u allocations\n", n - debug_step - first);
	assert_true(n > 40);
}

static const char *mode;

static void one_mode(void **state)
{
	(void)state;
	play_all(mode);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest each[] = { cmocka_unit_test(each_mode),
		cmocka_unit_test(debugged) };
	const struct CMUnitTest one[] = { cmocka_unit_test(one_mode) };

	first_text = argc > 2 ? argv[2] : "1";
	step_text = argc > 3 ? argv[3] : "1";
	first = (unsigned)strtoul(first_text, NULL, 10);
	step = (unsigned)strtoul(step_text, NULL, 10);
	if (argc > 3)
		debug_step = step;
	mode = argc > 1 ? argv[1] : NULL;
	return mode ? cmocka_run_group_tests_name(mode, one, NULL, NULL)
		    : cmocka_run_group_tests_name("i915_failure", each, NULL, NULL);
}
