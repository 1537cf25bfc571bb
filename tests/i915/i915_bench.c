// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "test_files.h"

int bench_setup(void **state)
{
	static struct bench bench;

	bench.device = drm_device_create(gen_device_find(NULL), &i915_front, true);
	assert_non_null(bench.device);
	assert_int_equal(drm_file_open(bench.device, &bench.file), 0);
	*state = &bench;
	return 0;
}

int bench_teardown(void **state)
{
	struct bench *bench = *state;

	drm_file_close(bench->file);
	assert_int_equal(bench->device->files, 0);
	assert_null(bench->device->objects);
	assert_int_equal(bench->device->kept_fds, 0);
	drm_device_destroy(bench->device);
	return 0;
}

struct drm_file *bench_open(struct bench *bench)
{
	struct drm_file *file;

	assert_int_equal(drm_file_open(bench->device, &file), 0);
	return file;
}

uint32_t bench_buffer(struct drm_file *file, uint64_t size)
{
	struct drm_i915_gem_create create = { .size = size };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CREATE, &create), 0);
	assert_int_not_equal(create.handle, 0);
	return create.handle;
}

uint32_t *bench_map(struct drm_file *file, uint32_t handle, uint64_t size)
{
	struct drm_i915_gem_mmap_offset offset = { .handle = handle, .flags = I915_MMAP_OFFSET_WB };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), 0);
	intptr_t address =
		i915_mmap(file, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, offset.offset);
	assert_true(address > 0);
	return (uint32_t *)address;
}

int bench_close(struct drm_file *file, uint32_t handle)
{
	struct drm_gem_close close = { .handle = handle };

	return CALL(file, DRM_IOCTL_GEM_CLOSE, &close);
}

int bench_wait(struct drm_file *file, uint32_t handle, int64_t nanoseconds)
{
	struct drm_i915_gem_wait wait = { .bo_handle = handle, .timeout_ns = nanoseconds };

	return CALL(file, DRM_IOCTL_I915_GEM_WAIT, &wait);
}

uint32_t bench_busy(struct drm_file *file, uint32_t handle)
{
	struct drm_i915_gem_busy busy = { .handle = handle, .busy = 0xcccccccc };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_BUSY, &busy), 0);
	return busy.busy;
}

uint32_t bench_syncobj(struct drm_file *file, uint32_t flags)
{
	struct drm_syncobj_create create = { .flags = flags };

	assert_int_equal(CALL(file, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
	assert_int_not_equal(create.handle, 0);
	return create.handle;
}

uint32_t bench_context(struct drm_file *file)
{
	struct drm_i915_gem_context_create_ext create = { 0 };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create), 0);
	assert_int_not_equal(create.ctx_id, 0);
	return create.ctx_id;
}

uint32_t bench_vm(struct drm_file *file)
{
	struct drm_i915_gem_vm_control control = { 0 };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_VM_CREATE, &control), 0);
	assert_int_not_equal(control.vm_id, 0);
	return control.vm_id;
}

void bench_set_vm(struct drm_file *file, uint32_t context, uint32_t vm)
{
	struct drm_i915_gem_context_param param = {
		.ctx_id = context, .param = I915_CONTEXT_PARAM_VM, .value = vm
	};

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), 0);
}

void bench_set_engines(
	struct drm_file *file, uint32_t context, unsigned count, const uint16_t *classes)
{
	I915_DEFINE_CONTEXT_PARAM_ENGINES(map, 8) = { .extensions = 0 };
	struct drm_i915_gem_context_param param = { .ctx_id = context,
		.param = I915_CONTEXT_PARAM_ENGINES,
		.size = (uint32_t)(8 + count * sizeof map.engines[0]),
		.value = (uintptr_t)&map };

	for (unsigned i = 0; i < count; i++)
		map.engines[i].engine_class = classes[i];
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), 0);
}

int bench_destroy(struct drm_file *file, uint32_t context)
{
	struct drm_i915_gem_context_destroy destroy = { .ctx_id = context };

	return CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy);
}

struct drm_i915_reset_stats bench_stats(struct drm_file *file, uint32_t context)
{
	struct drm_i915_reset_stats stats = {
		.ctx_id = context, .reset_count = 99, .batch_active = 99, .batch_pending = 99
	};

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
	return stats;
}

uint32_t *bench_store(uint32_t *at, uint64_t address, uint32_t value)
{
	*at++ = 0x10000002;
	*at++ = (uint32_t)address;
	*at++ = (uint32_t)(address >> 32);
	*at++ = value;
	return at;
}

uint32_t *bench_semaphore(uint32_t *at, uint64_t address, uint32_t value)
{
	*at++ = 0x0e009003;
	*at++ = value;
	*at++ = (uint32_t)address;
	*at++ = (uint32_t)(address >> 32);
	*at++ = 0;
	return at;
}

uint32_t *bench_end(uint32_t *at)
{
	*at++ = 0x05000000;
	*at++ = 0;
	return at;
}

uint32_t *bench_walker(uint32_t *at, uint64_t heap, uint32_t descriptor, uint32_t groups)
{
	const uint32_t base = (uint32_t)heap | 1;
	const uint32_t packets[] = { 0x61010014, 1, 0, 0, base, 0, base, 0, base, 0, base, 0, 1, 1,
		1, 1, 1, 0, 0, 1, 0, 0, /* MEDIA_VFE_STATE */ 0x70000007, 0, 0, 0x02ff0100, 0, 0, 0,
		0, 0, /* MEDIA_INTERFACE_DESCRIPTOR_LOAD */ 0x70020002, 0, 32, descriptor,
		/* GPGPU_WALKER */ 0x7105000d, 0, 0, 0, 0, 0, 0, groups, 0, 0, 1, 0, 1, 0xff,
		0xffffffff };

	memcpy(at, packets, sizeof packets);
	return at + sizeof packets / 4;
}

void bench_assemble(const char *text, uint8_t *out, size_t room)
{
	char folder[TEST_FOLDER_MAX], source[80], binary[80], command[256];
	size_t size;

	test_folder_make(folder, "i915");
	snprintf(source, sizeof source, "%s/a.asm", folder);
	snprintf(binary, sizeof binary, "%s/a.bin", folder);
	test_write_text(source, text);
	snprintf(command, sizeof command, "iga64 -a -p=12p1 -Xauto-deps %s -o %s", source, binary);
	assert_int_equal(system(command), 0);
	void *code = test_read_file(binary, &size);
	assert_true(size < room);
	memcpy(out, code, size);
	free(code);
	assert_int_equal(test_folder_remove(folder), 0);
}

int bench_exec(struct drm_file *file, uint32_t context, uint64_t flags, unsigned count,
	struct drm_i915_gem_exec_object2 *objects)
{
	struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)objects,
		.buffer_count = count,
		.flags = flags,
		.rsvd1 = context };

	return CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec);
}

double bench_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
