// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <string.h>

/* A device with memory of its own, beside that of the default. */
static int setup(void **state)
{
	static struct bench bench;

	bench.device = drm_device_create(gen_device_find("dg2"), &i915_front, true);
	assert_non_null(bench.device);
	assert_int_equal(drm_file_open(bench.device, &bench.file), 0);
	*state = &bench;
	return 0;
}

static int query(struct drm_file *file, uint64_t id, void *data, int32_t length)
{
	struct drm_i915_query_item item = {
		.query_id = id, .length = length, .data_ptr = (uintptr_t)data
	};
	struct drm_i915_query list = { .num_items = 1, .items_ptr = (uintptr_t)&item };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_QUERY, &list), 0);
	return item.length;
}

static void regions_are_listed(void **state)
{
	const struct bench *bench = *state;
	uint64_t room[128] = { 0 };
	const struct drm_i915_query_memory_regions *regions = (void *)room;
	const struct drm_i915_memory_region_info *local = &regions->regions[1];

	assert_true(query(bench->file, DRM_I915_QUERY_MEMORY_REGIONS, room, sizeof(room)) > 0);
	assert_int_equal(regions->num_regions, 2);
	assert_int_equal(regions->regions[0].region.memory_class, I915_MEMORY_CLASS_SYSTEM);
	assert_int_equal(local->region.memory_class, I915_MEMORY_CLASS_DEVICE);
	assert_int_equal(local->probed_size, UINT64_C(16) << 30);
	assert_int_equal(local->probed_cpu_visible_size, local->probed_size);
}

static void engines_include_compute(void **state)
{
	const struct bench *bench = *state;
	uint64_t room[128] = { 0 };
	const struct drm_i915_query_engine_info *engines = (void *)room;
	unsigned classes = 0;

	assert_true(query(bench->file, DRM_I915_QUERY_ENGINE_INFO, room, sizeof(room)) > 0);
	for (unsigned i = 0; i < engines->num_engines; i++)
		classes |= 1u << engines->engines[i].engine.engine_class;
	assert_true(classes >> I915_ENGINE_CLASS_COMPUTE & 1);
	assert_true(classes >> I915_ENGINE_CLASS_COPY & 1);
}

/* The value of a key of the firmware's table. */
static uint32_t configuration(const uint32_t *table, unsigned dwords, uint32_t key)
{
	for (unsigned i = 0; i + 2 < dwords; i += 2 + table[i + 1])
		if (table[i] == key)
			return table[i + 2];
	fail_msg("no key %u", key);
	return 0;
}

static void firmware_describes_the_device(void **state)
{
	const struct bench *bench = *state;
	uint32_t table[256];
	int length = query(bench->file, DRM_I915_QUERY_HWCONFIG_BLOB, table, sizeof(table));

	assert_true(length > 0 && length % 4 == 0);
	assert_int_equal(configuration(table, (unsigned)length / 4, 2), 32); /* subslices */
	assert_int_equal(configuration(table, (unsigned)length / 4, 3), 16); /* EUs of each */
	assert_int_equal(configuration(table, (unsigned)length / 4, 15), 8); /* threads of an EU */
}

/* GEM_CREATE_EXT with these regions; gives its result. */
static int create(const struct bench *bench, uint32_t flags,
	const struct drm_i915_gem_memory_class_instance *regions, uint32_t count, uint32_t *handle)
{
	struct drm_i915_gem_create_ext_memory_regions list = {
		.base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS,
		.num_regions = count,
		.regions = (uintptr_t)regions,
	};
	struct drm_i915_gem_create_ext request = {
		.size = 4096, .flags = flags, .extensions = (uintptr_t)&list
	};
	int rc = CALL(bench->file, DRM_IOCTL_I915_GEM_CREATE_EXT, &request);

	*handle = request.handle;
	return rc;
}

static void objects_are_placed(void **state)
{
	const struct bench *bench = *state;
	const struct drm_i915_gem_memory_class_instance both[] = { { I915_MEMORY_CLASS_DEVICE, 0 },
		{ I915_MEMORY_CLASS_SYSTEM, 0 }, { I915_MEMORY_CLASS_SYSTEM, 0 } },
							other = { I915_MEMORY_CLASS_DEVICE, 1 },
							none = { 7, 0 };
	const uint32_t access = I915_GEM_CREATE_EXT_FLAG_NEEDS_CPU_ACCESS;
	uint32_t handle;

	assert_int_equal(create(bench, 0, both, 1, &handle), 0);
	assert_int_equal(bench_close(bench->file, handle), 0);
	assert_int_equal(create(bench, access, both, 2, &handle), 0);
	/* The device chooses how it is mapped. */
	struct drm_i915_gem_mmap_offset offset = { .handle = handle, .flags = I915_MMAP_OFFSET_WB };
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), -ENODEV);
	offset.flags = I915_MMAP_OFFSET_FIXED;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), 0);
	assert_int_equal(bench_close(bench->file, handle), 0);
	assert_int_equal(create(bench, access, both, 1, &handle), -EINVAL);
	assert_int_equal(create(bench, access << 1, both, 2, &handle), -EINVAL);
	assert_int_equal(create(bench, 0, both, 3, &handle), -EINVAL); /* one twice */
	assert_int_equal(create(bench, 0, both, 0, &handle), -EINVAL);
	assert_int_equal(create(bench, 0, &other, 1, &handle), -EINVAL);
	assert_int_equal(create(bench, 0, &none, 1, &handle), -EINVAL);
	assert_int_equal(create(bench, 0, (void *)8, 1, &handle), -EFAULT);
}

static void parameters_differ(void **state)
{
	const struct bench *bench = *state;
	int value = -1;
	struct drm_i915_getparam param = { .param = I915_PARAM_HAS_LLC, .value = &value };

	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &param), 0);
	assert_int_equal(value, 0);
	param.param = I915_PARAM_SUBSLICE_MASK;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &param), 0);
	assert_int_equal((uint32_t)value, UINT32_MAX);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, bench_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(regions_are_listed),
		TEST(engines_include_compute),
		TEST(firmware_describes_the_device),
		TEST(objects_are_placed),
		TEST(parameters_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
