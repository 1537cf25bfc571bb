// SPDX-License-Identifier: MIT
/* What a device of each family reports, with GPUs as the fake Level Zero describes them. */
#include "queue_fixture.h"

#include "l0/l0_private.h"

#include "core/base/info.h"
#include "core/device/device_ext.h"
#include "core/device/device_family.h"
#include "core/device/extension.h"
#include "test_settings.h"

#include <CL/cl_ext.h>
#include <string.h>

static void test_models(void **state)
{
	static const struct {
		uint32_t id;
		const char *family, *compiler;
	} rows[] = {
		{ 0x9a49, "Gen12LP", "tgllp" },
		{ 0x9a40, "Gen12LP", "tgllp" },
		{ 0x4c8a, "Gen12LP", "rkl" },
		{ 0x4680, "Gen12LP", "adls" },
		{ 0xa780, "Gen12LP", "adls" },
		{ 0xa7a0, "Gen12LP", "adlp" },
		{ 0x46d1, "Gen12LP", "adln" },
		{ 0x46a6, "Gen12LP", "adlp" },
		{ 0x4905, "Gen12LP", "dg1" },
		{ 0x8a52, "Gen11", "icllp" },
		{ 0x4e61, "Gen11", "ehl" },
		{ 0x1912, "Gen9", "skl" },
		{ 0x5912, "Gen9", "kbl" },
		{ 0x3e92, "Gen9", "cfl" },
		{ 0x3185, "Gen9", "glk" },
		{ 0x5a84, "Gen9", "bxt" },
		{ 0x56a0, "Xe-HPG", "0x56a0" },
		{ 0x4f84, "Xe-HPG", "0x4f84" },
		{ 0x7d67, "Xe-LPG", "0x7d67" },
		{ 0x0bd5, "Xe-HPC", "0x0bd5" },
		{ 0xe211, "Xe2", "0xe211" },
		{ 0xb0a0, "Xe3", "0xb0a0" },
		{ 0xfd80, "Xe3", "0xfd80" },
		{ 0xd741, "Xe3", "0xd741" },
		{ 0xd750, "other", "0xd750" }, /* Xe3P */
		{ 0, "other", "0x0000" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char compiler[16] = "";
		const struct device_family *family = device_family_of(rows[i].id, 0, compiler);

		assert_string_equal(family->name, rows[i].family);
		assert_ptr_equal(family, &device_families[family->number]);
		assert_string_equal(compiler, rows[i].compiler);
	}
}

/* Where the driver tells the version, with its revision. */
static void test_versions(void **state)
{
	static const struct {
		uint32_t id, version;
		const char *compiler;
	} rows[] = {
		{ 0x56a0, 0x030dc008, "12.55.8" },
		{ 0xe211, 0x05004004, "20.1.4" },
		{ 0x9a49, 0x03000000, "tgllp" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char compiler[16] = "";

		device_family_of(rows[i].id, rows[i].version, compiler);
		assert_string_equal(compiler, rows[i].compiler);
	}
}

/* What a family has more than another, as bits. */
enum {
	FP64 = 1,
	PROGRESS = 2, /* cl_khr_subgroups */
	MEDIA = 4,
	DPAS = 8,
	SPLIT = 16,
	BLOCK_2D = 32,
	PREFETCH = 64,
	HALF_ATOMICS = 128,
	DOUBLE_ATOMICS = 256,
};

static const struct {
	const char *name;
	bool is_feature;
} words[] = {
	{ "cl_khr_fp64", false },
	{ "cl_khr_subgroups", false },
	{ "cl_intel_media_block_io", false },
	{ "cl_intel_subgroup_matrix_multiply_accumulate", false },
	{ "cl_intel_subgroup_split_matrix_multiply_accumulate", false },
	{ "cl_intel_subgroup_2d_block_io", false },
	{ "cl_intel_subgroup_buffer_prefetch", false },
	{ "__opencl_c_ext_fp16_local_atomic_load_store", true },
	{ "__opencl_c_ext_fp64_global_atomic_add", true },
};

static const struct {
	enum l0_fake_model_number model;
	const char *family;
	unsigned has;
	size_t first_size;
	cl_uint max_sub_groups; /* of a work-group of 512 */
	cl_uint ip_version;
	cl_ulong local;
} wants[] = {
	{ L0_FAKE_SKL, "Gen9", FP64 | PROGRESS | MEDIA, 8, 64, 9 << 16, 65536 },
	{ L0_FAKE_ICL, "Gen11", PROGRESS | MEDIA, 8, 64, 11 << 16, 65536 },
	{ L0_FAKE_TGL, "Gen12LP", MEDIA | HALF_ATOMICS, 8, 64, 12 << 16, 65536 },
	{ L0_FAKE_DG2_OLD, "Xe-HPG", MEDIA | DPAS | SPLIT | HALF_ATOMICS, 8, 64,
		12 << 22 | 55 << 14, 65536 },
	{ L0_FAKE_DG2, "Xe-HPG", MEDIA | DPAS | SPLIT | HALF_ATOMICS, 8, 64,
		12 << 22 | 55 << 14 | 8, 65536 },
	{ L0_FAKE_MTL, "Xe-LPG", FP64 | MEDIA | HALF_ATOMICS | DOUBLE_ATOMICS, 8, 64,
		12 << 22 | 71 << 14 | 4, 65536 },
	{ L0_FAKE_ARL_H, "Xe-LPG", FP64 | MEDIA | DPAS | HALF_ATOMICS | DOUBLE_ATOMICS, 8, 64,
		12 << 22 | 74 << 14 | 4, 65536 },
	{ L0_FAKE_PVC, "Xe-HPC", FP64 | PROGRESS | DPAS | HALF_ATOMICS | DOUBLE_ATOMICS, 16, 32,
		12 << 22 | 60 << 14 | 7, 131072 },
	{ L0_FAKE_LNL, "Xe2",
		FP64 | PROGRESS | DPAS | BLOCK_2D | PREFETCH | HALF_ATOMICS | DOUBLE_ATOMICS, 16,
		32, 20 << 22 | 4 << 14 | 4, 131072 },
	{ L0_FAKE_BMG, "Xe2",
		FP64 | PROGRESS | DPAS | BLOCK_2D | PREFETCH | HALF_ATOMICS | DOUBLE_ATOMICS, 16,
		32, 20 << 22 | 1 << 14 | 4, 131072 },
	{ L0_FAKE_PTL, "Xe3",
		FP64 | PROGRESS | DPAS | BLOCK_2D | PREFETCH | HALF_ATOMICS | DOUBLE_ATOMICS, 16,
		32, 30 << 22 | 4, 131072 },
	{ L0_FAKE_NEW, "other", FP64 | DPAS | DOUBLE_ATOMICS, 16, 32, 45 << 22 | 1 << 14, 262144 },
};

static cl_ulong ask(struct device *device, cl_device_info param, size_t size)
{
	cl_ulong answer = 0;

	assert_int_equal(device_info(device, param, INFO(size, &answer, NULL)), CL_SUCCESS);
	return answer;
}

static void check_sizes(struct device *device, size_t first)
{
	size_t sizes[8] = { 0 }, bytes = 0;

	assert_int_equal(device_info(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL,
				 INFO(sizeof sizes, sizes, &bytes)),
		CL_SUCCESS);
	for (size_t i = 0; i < bytes / sizeof *sizes; i++)
		assert_int_equal(sizes[i], first << i);
	assert_int_equal(sizes[bytes / sizeof *sizes - 1], 32);
}

static void check_device(struct l0_device *l0, size_t row)
{
	struct device *device = device_create(platform_default(), NULL, l0);
	unsigned has = 0;

	assert_non_null(device);
	assert_string_equal(device->family->name, wants[row].family);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].is_feature ? device_has_feature(device, words[i].name)
					: device_has_extension(device, words[i].name))
			has |= 1u << i;
	if (has != wants[row].has)
		fail_msg("%s has %#x, not %#x", device->hw->name, has, wants[row].has);
	check_sizes(device, wants[row].first_size);
	assert_int_equal(ask(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(cl_uint)),
		wants[row].max_sub_groups);
	assert_int_equal(
		ask(device, CL_DEVICE_IP_VERSION_INTEL, sizeof(cl_uint)), wants[row].ip_version);
	assert_int_equal(ask(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong)), wants[row].local);
	assert_int_equal(ask(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_ulong)),
		has & FP64 ? CL_FP_FMA : 0);
	assert_int_equal(ask(device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, sizeof(cl_uint)),
		(has & FP64) != 0);
	assert_int_equal(ask(device, CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, sizeof(cl_ulong)),
		has & DOUBLE_ATOMICS
			? CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT
			: 0);
	assert_int_equal(
		ask(device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof(cl_bool)),
		(has & PROGRESS) != 0);
	device_destroy(device);
}

static void test_reports(void **state)
{
	char why[128];

	(void)state;
	for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
		l0_fake_list(&wants[i].model, 1);
		struct l0_device *l0 = l0_devices_find(why, sizeof why);

		assert_non_null(l0);
		check_device(l0, i);
		l0_devices_free(l0);
	}
}

/* GPUs of three kinds are there together, each as it is; a context is of any of them. */
static void test_together(void **state)
{
	static const enum l0_fake_model_number listed[] = { L0_FAKE_NEW, L0_FAKE_TGL, L0_FAKE_BMG,
		L0_FAKE_SKL };
	static const char *const families[] = { "Xe2", "other", "Gen9" };
	cl_device_id devices[4] = { NULL };
	struct context *context = NULL;
	cl_uint n = 0;

	(void)state;
	l0_fake_list(listed, 4);
	/* in the order of the variable, one that is named again or is not there aside */
	test_setting("ZEROCL_VISIBLE_DEVICES", "2,0,2,17,3");
	assert_int_equal(platform_devices(platform_default(), CL_DEVICE_TYPE_GPU, 4, devices, &n),
		CL_SUCCESS);
	assert_int_equal(n, 3);
	assert_null(devices[3]);
	for (cl_uint i = 0; i < n; i++)
		assert_string_equal(device_from(devices[i])->family->name, families[i]);
	assert_int_equal(
		platform_devices(platform_default(), CL_DEVICE_TYPE_DEFAULT, 1, devices + 3, &n),
		CL_SUCCESS);
	assert_int_equal(n, 1);
	assert_ptr_equal(devices[3], devices[0]);
	assert_int_equal(
		platform_devices(platform_default(), CL_DEVICE_TYPE_ALL, 1, devices + 3, &n),
		CL_SUCCESS);
	assert_int_equal(n, 3);

	assert_int_equal(context_create(NULL, 3, devices, NULL, NULL, &context), CL_SUCCESS);
	assert_int_equal(context->n_devices, 3);
	context_put(context);
	assert_int_equal(context_create(NULL, 2, devices, NULL, NULL, &context), CL_SUCCESS);
	assert_int_equal(context->n_devices, 2);
	for (cl_uint i = 0; i < 2; i++) {
		assert_ptr_equal(context->devices[i], device_from(devices[i]));
		assert_int_equal(context_place(context, context->devices[i]), i);
		assert_true(context->max_alloc_size <= context->devices[i]->max_alloc_size);
		assert_true(context->images.buffer <= context->devices[i]->images.buffer);
	}
	context_put(context);
	devices[3] = devices[1];
	assert_int_equal(context_create(NULL, 1, devices + 1, NULL, NULL, &context), CL_SUCCESS);
	assert_ptr_equal(context->devices[0], device_from(devices[1]));
	assert_true(context_has_device(context, device_from(devices[1])));
	assert_false(context_has_device(context, device_from(devices[0])));
	context_put(context);
	assert_int_equal(context_create_from_type(NULL, CL_DEVICE_TYPE_GPU, NULL, NULL, &context),
		CL_SUCCESS);
	assert_int_equal(context->n_devices, 3);
	for (cl_uint i = 0; i < 3; i++)
		assert_ptr_equal(context->devices[i], device_from(devices[i]));
	context_put(context);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_models),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_together),
	};
	static int table;

	obj_set_dispatch(&table);
	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
