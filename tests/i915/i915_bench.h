// SPDX-License-Identifier: MIT
#ifndef I915_BENCH_H
#define I915_BENCH_H

#include "test.h"

#include <errno.h>
#include <libdrm/drm.h>
#include <libdrm/i915_drm.h>
#include <stdbool.h>

#include "drm/schedule/drm_lifetime.h"
#include "i915/i915_ioctl.h"

/* A device whose walkers are skipped, and one open file of it. */
struct bench {
	struct drm_device *device;
	struct drm_file *file;
};

int bench_setup(void **state);
int bench_teardown(void **state);
struct drm_file *bench_open(struct bench *bench);

#define BENCH_TEST(function) cmocka_unit_test_setup_teardown(function, bench_setup, bench_teardown)

/* An ioctl, with the argument in the caller's memory. */
#define CALL(file, request, argument) i915_ioctl(file, request, (uint64_t)(uintptr_t)(argument))

/* Objects: a new one, a view of it in this process, its end. */
uint32_t bench_buffer(struct drm_file *file, uint64_t size);
uint32_t *bench_map(struct drm_file *file, uint32_t handle, uint64_t size);
int bench_close(struct drm_file *file, uint32_t handle);
int bench_wait(struct drm_file *file, uint32_t handle, int64_t nanoseconds);
uint32_t bench_busy(struct drm_file *file, uint32_t handle);

uint32_t bench_syncobj(struct drm_file *file, uint32_t flags);
uint32_t bench_context(struct drm_file *file);
uint32_t bench_vm(struct drm_file *file);
void bench_set_vm(struct drm_file *file, uint32_t context, uint32_t vm);
/* One engine of the context for each of `classes` (instance 0). */
void bench_set_engines(
	struct drm_file *file, uint32_t context, unsigned count, const uint16_t *classes);
int bench_destroy(struct drm_file *file, uint32_t context);
struct drm_i915_reset_stats bench_stats(struct drm_file *file, uint32_t context);

/* Commands into memory; each returns where the next one goes. */
uint32_t *bench_store(uint32_t *at, uint64_t address, uint32_t value);
/* Goes on when the dword there is at least `value`. */
uint32_t *bench_semaphore(uint32_t *at, uint64_t address, uint32_t value);
uint32_t *bench_end(uint32_t *at);
/* `groups` groups of one thread of SIMD8, of Gen12LP, whose descriptor is there in the heap. */
uint32_t *bench_walker(uint32_t *at, uint64_t heap, uint32_t descriptor, uint32_t groups);

/* Assembles a kernel of Gen12LP, of at most `room` bytes. */
void bench_assemble(const char *text, uint8_t *out, size_t room);

/* A softpinned object. */
#define PINNED(bo, address)                                                                        \
	{                                                                                          \
		.handle = (bo), .offset = (address),                                               \
		.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS                     \
	}

/* EXECBUFFER2 of objects, the last of which is the batch. */
int bench_exec(struct drm_file *file, uint32_t context, uint64_t flags, unsigned count,
	struct drm_i915_gem_exec_object2 *objects);
#define EXEC(file, context, flags, ...)                                                            \
	bench_exec(file, context, flags,                                                           \
		sizeof((struct drm_i915_gem_exec_object2[]){ __VA_ARGS__ }) /                      \
			sizeof(struct drm_i915_gem_exec_object2),                                  \
		(struct drm_i915_gem_exec_object2[]){ __VA_ARGS__ })

double bench_seconds(void);

#endif
