// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <stdlib.h>
#include <string.h>

/* What the device says about itself: VERSION, GET_CAP, GETPARAM, REG_READ, QUERY. */

static void version(void **state)
{
	const struct bench *bench = *state;
	char name[8] = "xxxxxxx";
	struct drm_version version = { .name = name, .name_len = 3 };

	assert_int_equal(CALL(bench->file, DRM_IOCTL_VERSION, &version), 0);
	assert_int_equal(version.name_len, 4);
	assert_string_equal(name, "i91xxxx");
	version.name_len = sizeof name;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_VERSION, &version), 0);
	assert_string_equal(name, "i915xxx");
	assert_true(version.desc_len > 0 && version.date_len > 0);
	version.name = (char *)8;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_VERSION, &version), -EFAULT);
}

static void parameters(void **state)
{
	const struct bench *bench = *state;
	static const struct {
		int param, expected;
	} cases[] = {
		{ I915_PARAM_CHIPSET_ID, 0x9a49 },
		{ I915_PARAM_REVISION, 1 },
		{ I915_PARAM_HAS_EXEC_SOFTPIN, 1 },
		{ I915_PARAM_HAS_SCHEDULER, 0x1f },
		{ I915_PARAM_CS_TIMESTAMP_FREQUENCY, 19200000 },
		{ I915_PARAM_SUBSLICE_TOTAL, 6 },
		{ I915_PARAM_EU_TOTAL, 96 },
		{ I915_PARAM_SUBSLICE_MASK, 0x3f },
		{ I915_PARAM_HAS_USERPTR_PROBE, 1 },
	};
	struct drm_i915_getparam get = { 0 };
	int value;

	get.value = &value;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		value = -1;
		get.param = cases[i].param;
		assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &get), 0);
		assert_int_equal(value, cases[i].expected);
	}
	get.value = NULL;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &get), -EFAULT);
	get.value = &value;
	get.param = 4711;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &get), -EINVAL);

	struct drm_get_cap cap = { .capability = DRM_CAP_PRIME };
	assert_int_equal(CALL(bench->file, DRM_IOCTL_GET_CAP, &cap), 0);
	assert_int_equal(cap.value, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT);
	cap.capability = 4711;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_GET_CAP, &cap), -EINVAL);
}

static void registers(void **state)
{
	const struct bench *bench = *state;
	struct drm_i915_reg_read read = { .offset = 0x2358 | I915_REG_READ_8B_WA };
	uint64_t first;

	double before = bench_seconds();
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_REG_READ, &read), 0);
	double start = bench_seconds();
	first = read.val;
	assert_true(first < UINT64_C(1) << 36);
	while (bench_seconds() - start < 0.02)
		continue;
	double end = bench_seconds();
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_REG_READ, &read), 0);
	/* At 19.2 MHz it advances by no less than between the reads, no more than around them. */
	assert_true(read.val - first + 1 >= (uint64_t)((end - start) * 19.2e6));
	assert_true(read.val - first <= (uint64_t)((bench_seconds() - before) * 19.2e6) + 1);
	read.offset = 0x2360;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_REG_READ, &read), -EINVAL);
}

/* One item; gives its length. */
static int query(struct drm_file *file, uint64_t id, uint32_t flags, void *data, int32_t length)
{
	struct drm_i915_query_item item = {
		.query_id = id, .flags = flags, .length = length, .data_ptr = (uintptr_t)data
	};
	struct drm_i915_query list = { .num_items = 1, .items_ptr = (uintptr_t)&item };

	assert_int_equal(CALL(file, DRM_IOCTL_I915_QUERY, &list), 0);
	return item.length;
}

static void queries(void **state)
{
	const struct bench *bench = *state;
	uint64_t room[128];
	struct drm_i915_query_topology_info *topology = (void *)room;
	struct drm_i915_query_engine_info *engines = (void *)room;
	struct drm_i915_query_memory_regions *regions = (void *)room;

	memset(room, 0, sizeof room);
	int length = query(bench->file, DRM_I915_QUERY_TOPOLOGY_INFO, 0, NULL, 0);
	assert_int_equal(length, sizeof *topology + 1 + 1 + 6 * 2);
	assert_int_equal(query(bench->file, DRM_I915_QUERY_TOPOLOGY_INFO, 0, room, length), length);
	assert_int_equal(topology->max_slices, 1);
	assert_int_equal(topology->max_subslices, 6);
	assert_int_equal(topology->max_eus_per_subslice, 16);
	assert_int_equal(topology->data[topology->subslice_offset], 0x3f);
	assert_int_equal(topology->data[topology->eu_offset + 5 * topology->eu_stride], 0xff);
	assert_int_equal(
		query(bench->file, DRM_I915_QUERY_TOPOLOGY_INFO, 0, room, length - 1), -EINVAL);
	assert_int_equal(
		query(bench->file, DRM_I915_QUERY_TOPOLOGY_INFO, 1, room, length), -EINVAL);
	assert_int_equal(
		query(bench->file, DRM_I915_QUERY_TOPOLOGY_INFO, 0, (void *)8, length), -EFAULT);

	memset(room, 0, sizeof room);
	assert_true(query(bench->file, DRM_I915_QUERY_ENGINE_INFO, 0, room, sizeof room) > 0);
	assert_int_equal(engines->num_engines, 5);
	assert_int_equal(engines->engines[0].engine.engine_class, I915_ENGINE_CLASS_RENDER);
	assert_int_equal(engines->engines[1].engine.engine_class, I915_ENGINE_CLASS_COPY);

	memset(room, 0, sizeof room);
	assert_true(query(bench->file, DRM_I915_QUERY_MEMORY_REGIONS, 0, room, sizeof room) > 0);
	assert_int_equal(regions->num_regions, 1);
	assert_int_equal(regions->regions[0].region.memory_class, I915_MEMORY_CLASS_SYSTEM);
	assert_true(regions->regions[0].probed_size > 1 << 20);

	assert_int_equal(query(bench->file, DRM_I915_QUERY_HWCONFIG_BLOB, 0, NULL, 0), -ENODEV);
	assert_true(query(bench->file, DRM_I915_QUERY_GEOMETRY_SUBSLICES, 0, NULL, 0) > 0);
	assert_int_equal(query(bench->file, 0, 0, NULL, 0), -EINVAL);
	assert_int_equal(query(bench->file, 4711, 0, NULL, 0), -EINVAL);
	assert_int_equal(query(bench->file, UINT64_MAX, 0, NULL, 0), -EINVAL);

	struct drm_i915_query list = { .num_items = 1, .items_ptr = 16 };
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_QUERY, &list), -EFAULT);
	list.flags = 1;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_QUERY, &list), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(version),
		BENCH_TEST(parameters),
		BENCH_TEST(registers),
		BENCH_TEST(queries),
	};

	return cmocka_run_group_tests_name("i915_param", tests, NULL, NULL);
}
