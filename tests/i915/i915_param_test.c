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

static int parameter(const struct bench *bench, int param)
{
	int value = -1;
	struct drm_i915_getparam get = { .param = param, .value = &value };

	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &get), 0);
	return value;
}

static void parameters(void **state)
{
	/* Without these, Intel's driver or Mesa's does not take the device. */
	static const int needed[] = { I915_PARAM_CHIPSET_ID, I915_PARAM_REVISION,
		I915_PARAM_HAS_EXEC_SOFTPIN, I915_PARAM_CS_TIMESTAMP_FREQUENCY,
		I915_PARAM_HAS_USERPTR_PROBE, I915_PARAM_HAS_WAIT_TIMEOUT };
	const struct bench *bench = *state;
	struct drm_i915_getparam get = { 0 };
	struct drm_i915_gem_execbuffer2 exec = { .buffer_count = 1,
		.flags = I915_EXEC_FENCE_SUBMIT };
	int value;

	for (unsigned i = 0; i < sizeof needed / sizeof *needed; i++)
		assert_true(parameter(bench, needed[i]) > 0);
	/* What is offered works, and what is not is refused. */
	assert_true(parameter(bench, I915_PARAM_HAS_SCHEDULER) & I915_SCHEDULER_CAP_PREEMPTION);
	assert_int_equal(parameter(bench, I915_PARAM_HAS_EXEC_SUBMIT_FENCE), 0);
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec), -EINVAL);
	assert_int_equal(parameter(bench, I915_PARAM_HUC_STATUS), 0);
	get.value = &value;
	get.param = I915_PARAM_PERF_REVISION;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &get), -ENODEV);
	get.param = 58; /* I915_PARAM_PXP_STATUS */
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &get), -ENODEV);
	get.param = I915_PARAM_HAS_GEM;
	get.value = NULL;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &get), -EFAULT);
	get.value = &value;
	get.param = 4711;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_GETPARAM, &get), -EINVAL);

	struct drm_get_cap cap = { .capability = DRM_CAP_PRIME };
	assert_int_equal(CALL(bench->file, DRM_IOCTL_GET_CAP, &cap), 0);
	assert_int_equal(cap.value, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT);
	cap.capability = DRM_CAP_SYNCOBJ;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_GET_CAP, &cap), 0);
	assert_int_equal(cap.value, 1);
	cap.capability = DRM_CAP_SYNCOBJ_TIMELINE;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_GET_CAP, &cap), 0);
	assert_int_equal(cap.value, 1);
	cap.capability = 4711;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_GET_CAP, &cap), -EINVAL);

	/* A display without anything. */
	struct drm_mode_card_res res, none = { 0 };
	memset(&res, 0xff, sizeof res);
	assert_int_equal(CALL(bench->file, DRM_IOCTL_MODE_GETRESOURCES, &res), 0);
	assert_memory_equal(&res, &none, sizeof res);
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

static unsigned count_bits(const uint8_t *bytes, unsigned count)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < count; i++)
		bits += (unsigned)__builtin_popcount(bytes[i]);
	return bits;
}

/* The topology and the parameters tell of the same slices, subslices and EUs. */
static void expect_same_topology(
	const struct bench *bench, const struct drm_i915_query_topology_info *topology)
{
	unsigned subslices = topology->max_slices * topology->max_subslices;
	const uint8_t *masks = topology->data + topology->subslice_offset;

	assert_int_equal(count_bits(topology->data, topology->subslice_offset),
		__builtin_popcount((unsigned)parameter(bench, I915_PARAM_SLICE_MASK)));
	assert_int_equal(count_bits(masks, topology->max_slices * topology->subslice_stride),
		parameter(bench, I915_PARAM_SUBSLICE_TOTAL));
	assert_int_equal(masks[0], parameter(bench, I915_PARAM_SUBSLICE_MASK));
	assert_int_equal(
		count_bits(topology->data + topology->eu_offset, subslices * topology->eu_stride),
		parameter(bench, I915_PARAM_EU_TOTAL));
	assert_int_equal(
		topology->max_eus_per_subslice * parameter(bench, I915_PARAM_SUBSLICE_TOTAL),
		parameter(bench, I915_PARAM_EU_TOTAL));
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
	assert_true(length > (int)sizeof *topology);
	assert_int_equal(query(bench->file, DRM_I915_QUERY_TOPOLOGY_INFO, 0, room, length), length);
	expect_same_topology(bench, topology);
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
	assert_int_equal(query(bench->file, DRM_I915_QUERY_PERF_CONFIG, 1, NULL, 0), -ENODEV);
	assert_int_equal(query(bench->file, 7, 0, NULL, 0), -ENODEV); /* GUC_SUBMISSION_VERSION */
	assert_true(query(bench->file, DRM_I915_QUERY_GEOMETRY_SUBSLICES, 0, NULL, 0) > 0);
	assert_int_equal(query(bench->file, 0, 0, NULL, 0), -EINVAL);
	assert_int_equal(query(bench->file, 4711, 0, NULL, 0), -EINVAL);
	assert_int_equal(query(bench->file, UINT64_MAX, 0, NULL, 0), -EINVAL);

	struct drm_i915_query list = { .num_items = 1, .items_ptr = 16 };
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_QUERY, &list), -EFAULT);
	list.flags = 1;
	assert_int_equal(CALL(bench->file, DRM_IOCTL_I915_QUERY, &list), -EINVAL);
}

/* What video engines can do, by which drivers choose among them. */
static void capabilities_of_engines(void **state)
{
	static const uint64_t wanted[] = {
		[I915_ENGINE_CLASS_VIDEO] = I915_VIDEO_CLASS_CAPABILITY_HEVC |
					    I915_VIDEO_AND_ENHANCE_CLASS_CAPABILITY_SFC,
		[I915_ENGINE_CLASS_VIDEO_ENHANCE] = I915_VIDEO_AND_ENHANCE_CLASS_CAPABILITY_SFC,
		[4] = 0, /* compute */
	};
	static const char *const models[] = { "skl", "icl", "tgllp", "dg2" };

	(void)state;
	for (size_t model = 0; model < sizeof models / sizeof *models; model++) {
		struct bench bench;
		uint64_t room[128];
		const struct drm_i915_query_engine_info *engines = (void *)room;

		memset(room, 0xa5, sizeof room);
		memset(room, 0, sizeof *engines);
		bench.device = drm_device_create(gen_device_find(models[model]), &i915_front, true);
		assert_non_null(bench.device);
		assert_int_equal(drm_file_open(bench.device, &bench.file), 0);
		assert_true(
			query(bench.file, DRM_I915_QUERY_ENGINE_INFO, 0, room, sizeof room) > 0);
		assert_true(engines->num_engines >= 4);
		for (unsigned i = 0; i < engines->num_engines; i++) {
			const struct drm_i915_engine_info *engine = &engines->engines[i];

			assert_true(engine->engine.engine_class < sizeof wanted / sizeof *wanted);
			assert_int_equal(engine->capabilities, wanted[engine->engine.engine_class]);
		}
		bench_teardown((void *[]){ &bench });
	}
}

/* Gen9 has one video engine. No such device is in the table yet. */
static void engines_of_a_version(void **state)
{
	struct gen_device gen9 = *gen_device_find(NULL);
	struct gen_family family = *gen9.family;
	struct bench bench;
	uint64_t room[128] = { 0 };
	const struct drm_i915_query_engine_info *engines = (void *)room;

	(void)state;
	gen9.family = &family;
	family.engines &= ~(1u << GEN_ENGINE_VCS2);
	bench.device = drm_device_create(&gen9, &i915_front, true);
	assert_non_null(bench.device);
	assert_int_equal(drm_file_open(bench.device, &bench.file), 0);
	assert_true(query(bench.file, DRM_I915_QUERY_ENGINE_INFO, 0, room, sizeof room) > 0);
	assert_int_equal(engines->num_engines, 4);
	assert_int_equal(engines->engines[3].engine.engine_class, I915_ENGINE_CLASS_VIDEO_ENHANCE);
	assert_int_equal(parameter(&bench, I915_PARAM_HAS_BSD2), 0);
	bench_teardown((void *[]){ &bench });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(version),
		BENCH_TEST(parameters),
		BENCH_TEST(registers),
		BENCH_TEST(queries),
		cmocka_unit_test(capabilities_of_engines),
		cmocka_unit_test(engines_of_a_version),
	};

	return cmocka_run_group_tests_name("i915_param", tests, NULL, NULL);
}
