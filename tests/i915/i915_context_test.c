// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <string.h>

/* Contexts and address spaces: parameters, identifiers, who keeps whom. */

static int get(struct drm_file *file, struct drm_i915_gem_context_param *param)
{
	return CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, param);
}

static int set(struct drm_file *file, uint32_t context, uint64_t name, uint64_t value)
{
	struct drm_i915_gem_context_param param = {
		.ctx_id = context, .param = name, .value = value
	};

	return CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param);
}

static void parameters(void **state)
{
	const struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t context = bench_context(file);
	struct drm_i915_gem_context_param param = { .ctx_id = context,
		.param = I915_CONTEXT_PARAM_GTT_SIZE };
	static const uint64_t flags[] = { I915_CONTEXT_PARAM_NO_ERROR_CAPTURE,
		I915_CONTEXT_PARAM_BANNABLE, I915_CONTEXT_PARAM_RECOVERABLE,
		I915_CONTEXT_PARAM_PERSISTENCE };

	assert_int_equal(get(file, &param), 0);
	assert_int_equal(param.value, UINT64_C(1) << 48);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned value = 0; value < 2; value++) {
			assert_int_equal(set(file, context, flags[i], value), 0);
			param.param = flags[i];
			param.value = 77;
			assert_int_equal(get(file, &param), 0);
			assert_int_equal(param.value, value);
		}
	assert_int_equal(set(file, context, I915_CONTEXT_PARAM_PRIORITY, (uint64_t)-5), 0);
	param.param = I915_CONTEXT_PARAM_PRIORITY;
	assert_int_equal(get(file, &param), 0);
	assert_int_equal((int64_t)param.value, -5);
	assert_int_equal(set(file, context, I915_CONTEXT_PARAM_PRIORITY, 5), -EPERM);
	assert_int_equal(set(file, context, I915_CONTEXT_PARAM_PRIORITY, 5000), -EINVAL);
	assert_int_equal(set(file, context, I915_CONTEXT_PARAM_GTT_SIZE, 1), -EINVAL);
	/* The driver's private parameter, which it does without. */
	assert_int_equal(set(file, context, 0x80000000, 1), -EINVAL);
	assert_int_equal(set(file, 99, I915_CONTEXT_PARAM_PERSISTENCE, 1), -ENOENT);
	param.param = 4711;
	assert_int_equal(get(file, &param), -EINVAL);

	struct drm_i915_gem_context_param_sseu sseu = { 0 };
	param = (struct drm_i915_gem_context_param){ .ctx_id = context,
		.param = I915_CONTEXT_PARAM_SSEU };
	assert_int_equal(get(file, &param), 0);
	assert_int_equal(param.size, sizeof sseu);
	param.value = (uintptr_t)&sseu;
	assert_int_equal(get(file, &param), 0);
	assert_int_equal(sseu.slice_mask, 1);
	assert_int_equal(sseu.subslice_mask, 0x3f);
	assert_int_equal(sseu.max_eus_per_subslice, 16);
	param.value = 8;
	assert_int_equal(get(file, &param), -EFAULT);
	param.size = 4;
	assert_int_equal(get(file, &param), -EINVAL);
}

static void engine_maps(void **state)
{
	const struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t context = bench_context(file), code = bench_buffer(file, 4096);
	I915_DEFINE_CONTEXT_PARAM_ENGINES(map, 2) = { .extensions = 0 };
	struct drm_i915_gem_context_param param = { .ctx_id = context,
		.param = I915_CONTEXT_PARAM_ENGINES,
		.size = sizeof map,
		.value = (uintptr_t)&map };
	struct drm_i915_gem_exec_object2 object = PINNED(code, 0x100000);

	map.engines[0].engine_class = 77;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), -ENOENT);
	map.engines[0] = (struct i915_engine_class_instance){ (uint16_t)I915_ENGINE_CLASS_INVALID,
		(uint16_t)I915_ENGINE_CLASS_INVALID_NONE };
	map.engines[1] = (struct i915_engine_class_instance){ I915_ENGINE_CLASS_VIDEO, 2 };
	param.size = 3;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), -EINVAL);
	param.size = sizeof map - 1;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), -EINVAL);
	param.size = 8 + 4 * 1000;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), -EINVAL);
	param.size = sizeof map;
	param.value = 8;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), -EFAULT);
	param.value = (uintptr_t)&map;
	map.extensions = 1;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), -EFAULT);
	map.extensions = 0;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), 0);
	uint32_t *commands = bench_map(file, code, 4096);
	bench_end(commands);
	assert_int_equal(bench_exec(file, context, 0, 1, &object), -EINVAL); /* no engine there */
	assert_int_equal(bench_exec(file, context, 2, 1, &object), -EINVAL);
	assert_int_equal(bench_exec(file, context, 1, 1, &object), 0);
	assert_int_equal(bench_wait(file, code, -1), 0);
	/* In use: settled. */
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), -EINVAL);
	assert_int_equal(set(file, context, I915_CONTEXT_PARAM_VM, bench_vm(file)), -EINVAL);
}

/* An index for any of several engines, and what the kernel refuses without firmware. */
static void engine_map_extensions(void **state)
{
	const struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t context = bench_context(file), code = bench_buffer(file, 4096);
	I915_DEFINE_CONTEXT_ENGINES_LOAD_BALANCE(
		any, 2) = { .base.name = I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE,
		.engine_index = 1,
		.num_siblings = 2,
		.engines = { { I915_ENGINE_CLASS_VIDEO, 2 }, { I915_ENGINE_CLASS_VIDEO, 0 } } };
	I915_DEFINE_CONTEXT_PARAM_ENGINES(map, 2) = { .extensions = (uintptr_t)&any,
		.engines = { { I915_ENGINE_CLASS_RENDER, 0 },
			{ (uint16_t)I915_ENGINE_CLASS_INVALID,
				(uint16_t)I915_ENGINE_CLASS_INVALID_NONE } } };
	struct drm_i915_gem_exec_object2 object = PINNED(code, 0x100000);
	const struct {
		uint16_t name, index, class;
		int expected;
	} cases[] = {
		{ 0, 0, I915_ENGINE_CLASS_VIDEO, -EEXIST },
		{ 0, 2, I915_ENGINE_CLASS_VIDEO, -EINVAL },
		{ 0, 1, I915_ENGINE_CLASS_RENDER, -EINVAL }, /* of two classes */
		{ 0, 1, 77, -EINVAL },
		{ I915_CONTEXT_ENGINES_EXT_BOND, 1, I915_ENGINE_CLASS_VIDEO, -ENODEV },
		{ I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT, 1, I915_ENGINE_CLASS_VIDEO, -ENODEV },
		{ 3, 1, I915_ENGINE_CLASS_VIDEO, -EINVAL },
		{ 0, 1, I915_ENGINE_CLASS_VIDEO, 0 },
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		any.base.name = cases[i].name;
		any.engine_index = cases[i].index;
		any.engines[1].engine_class = cases[i].class;
		struct drm_i915_gem_context_param param = { .ctx_id = context,
			.param = I915_CONTEXT_PARAM_ENGINES,
			.size = sizeof map,
			.value = (uintptr_t)&map };
		int rc = CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param);
		if (rc != cases[i].expected)
			fail_msg("case %u: %d, should be %d", i, rc, cases[i].expected);
	}
	uint32_t *commands = bench_map(file, code, 4096);
	bench_end(commands);
	assert_int_equal(bench_exec(file, context, 1, 1, &object), 0);
	assert_int_equal(bench_wait(file, code, -1), 0);
}

static void protected_contents(void **state)
{
	const struct bench *bench = *state;
	uint32_t context = bench_context(bench->file);
	struct drm_i915_gem_context_param param = {
		.ctx_id = context, .param = I915_CONTEXT_PARAM_PROTECTED_CONTENT, .value = 77
	};

	assert_int_equal(get(bench->file, &param), 0);
	assert_int_equal(param.value, 0);
	assert_int_equal(set(bench->file, context, I915_CONTEXT_PARAM_PROTECTED_CONTENT, 0), 0);
	assert_int_equal(
		set(bench->file, context, I915_CONTEXT_PARAM_PROTECTED_CONTENT, 1), -ENODEV);
}

static void extensions(void **state)
{
	const struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t vm = bench_vm(file);
	struct drm_i915_gem_context_create_ext_setparam first = {
		.base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
		.param = { .param = I915_CONTEXT_PARAM_VM, .value = vm }
	};
	struct drm_i915_gem_context_create_ext create = {
		.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS, .extensions = (uintptr_t)&first
	};
	struct drm_i915_gem_context_param param = { .param = I915_CONTEXT_PARAM_VM };
	struct drm_i915_gem_vm_control control = { 0 };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create), 0);
	/* Its address space, under a number of its own. */
	param.ctx_id = create.ctx_id;
	assert_int_equal(get(file, &param), 0);
	assert_int_not_equal(param.value, vm);
	control.vm_id = (uint32_t)param.value;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_VM_DESTROY, &control), 0);
	first.param.value = 99;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create), -ENOENT);
	first.param.ctx_id = 1;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create), -EINVAL);
	first.base.name = 99;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create), -EINVAL);
	create.extensions = 8;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create), -EFAULT);
	create.flags = 1u << 31;
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create), -EINVAL);
	control = (struct drm_i915_gem_vm_control){ .flags = 1 };
	assert_int_equal(CALL(file, DRM_IOCTL_I915_GEM_VM_CREATE, &control), -EINVAL);
}

static void identifiers(void **state)
{
	struct bench *bench = *state;
	struct drm_file *other = bench_open(bench);
	uint32_t first = bench_context(bench->file), second = bench_context(bench->file);
	struct drm_i915_reset_stats stats = { .ctx_id = second };

	assert_int_not_equal(first, second);
	assert_int_equal(CALL(other, DRM_IOCTL_I915_GET_RESET_STATS, &stats), -ENOENT);
	assert_int_equal(bench_destroy(other, first), -ENOENT);
	assert_int_equal(bench_destroy(bench->file, 0), -ENOENT); /* the file's own */
	assert_int_equal(bench_destroy(bench->file, first), 0);
	assert_int_equal(bench_context(bench->file), first); /* the lowest that is free */
	stats.flags = 1;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GET_RESET_STATS, &stats), -EINVAL);
	drm_file_close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(parameters),
		BENCH_TEST(engine_maps),
		BENCH_TEST(engine_map_extensions),
		BENCH_TEST(protected_contents),
		BENCH_TEST(extensions),
		BENCH_TEST(identifiers),
	};

	return cmocka_run_group_tests_name("drm_context", tests, NULL, NULL);
}
