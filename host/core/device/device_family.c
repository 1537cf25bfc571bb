// SPDX-License-Identifier: MIT
#include "core/device/device_family.h"

#include "core/device/command_buffer_khr.h"
#include "util/util_bits.h"

static const struct device_family families[] = {
	[DEVICE_GEN9] = { DEVICE_GEN9, "Gen9", 9 << 16, CL_TRUE },
	[DEVICE_GEN11] = { DEVICE_GEN11, "Gen11", 11 << 16, CL_TRUE },
	[DEVICE_GEN12LP] = { DEVICE_GEN12LP, "Gen12LP", 12 << 16, CL_FALSE },
};

/* PCI ids by their upper bits; the first row that fits counts. */
static const struct {
	uint32_t mask, value;
	enum device_generation generation;
	const char *compiler;
} ids[] = {
	{ 0xff00, 0x1900, DEVICE_GEN9, "skl" },
	{ 0xff00, 0x5900, DEVICE_GEN9, "kbl" },
	{ 0xff00, 0x8700, DEVICE_GEN9, "kbl" },
	{ 0xff00, 0x3e00, DEVICE_GEN9, "cfl" },
	{ 0xff00, 0x9b00, DEVICE_GEN9, "cfl" },
	{ 0xff00, 0x5a00, DEVICE_GEN9, "bxt" },
	{ 0xff00, 0x0a00, DEVICE_GEN9, "bxt" },
	{ 0xff00, 0x1a00, DEVICE_GEN9, "bxt" },
	{ 0xff00, 0x3100, DEVICE_GEN9, "glk" },
	{ 0xff00, 0x8a00, DEVICE_GEN11, "icllp" },
	{ 0xff00, 0x4500, DEVICE_GEN11, "ehl" },
	{ 0xff00, 0x4e00, DEVICE_GEN11, "ehl" },
	{ 0xff00, 0x9a00, DEVICE_GEN12LP, "tgllp" },
	{ 0xfff0, 0x4c80, DEVICE_GEN12LP, "rkl" },
	{ 0xfff0, 0x4c90, DEVICE_GEN12LP, "rkl" },
	{ 0xfff0, 0x4680, DEVICE_GEN12LP, "adls" },
	{ 0xfff0, 0x4690, DEVICE_GEN12LP, "adls" },
	{ 0xff00, 0x4600, DEVICE_GEN12LP, "adlp" },
	{ 0xff00, 0xa700, DEVICE_GEN12LP, "adlp" },
	{ 0xff00, 0x4900, DEVICE_GEN12LP, "dg1" },
};

const struct device_family *device_family_of(uint32_t device_id, const char **compiler)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(ids); i++) {
		if ((device_id & ids[i].mask) != ids[i].value)
			continue;
		*compiler = ids[i].compiler;
		return &families[ids[i].generation];
	}
	return NULL;
}

static bool has_fp16(const struct l0_device_info *hw)
{
	return hw->fp16;
}

static bool has_int64_atomics(const struct l0_device_info *hw)
{
	return hw->int64_atomics;
}

static bool has_usm(const struct l0_device_info *hw)
{
	return hw->device_access && hw->shared_access;
}

static bool has_images(const struct l0_device_info *hw)
{
	return hw->image_2d && hw->image_3d && hw->samplers;
}

static bool has_pci(const struct l0_device_info *hw)
{
	return hw->has_pci;
}

static bool takes_spirv(const struct l0_device_info *hw)
{
	return hw->spirv_major > 0;
}

static bool takes_spirv_and_images(const struct l0_device_info *hw)
{
	return takes_spirv(hw) && has_images(hw);
}

#define ALL                                                                                        \
	{                                                                                          \
		true, true, true                                                                   \
	}
#define NONE                                                                                       \
	{                                                                                          \
		false, false, false                                                                \
	}
#define V1 CL_MAKE_VERSION(1, 0, 0)

/* clang-format off */
const struct device_feature device_extensions[] = {
	/* name                                version  Gen9, 11, 12LP   when, platform */
	{ "cl_khr_icd", CL_MAKE_VERSION(2, 0, 0), ALL, NULL, true },
	{ "cl_khr_byte_addressable_store",         V1, ALL, NULL, true },
	{ "cl_khr_global_int32_base_atomics",      V1, ALL, NULL, true },
	{ "cl_khr_global_int32_extended_atomics",  V1, ALL, NULL, true },
	{ "cl_khr_local_int32_base_atomics",       V1, ALL, NULL, true },
	{ "cl_khr_local_int32_extended_atomics",   V1, ALL, NULL, true },
	{ "cl_khr_int64_base_atomics",             V1, ALL, has_int64_atomics, false },
	{ "cl_khr_int64_extended_atomics",         V1, ALL, has_int64_atomics, false },
	{ "cl_khr_fp16",                           V1, ALL, has_fp16, false },
	{ "cl_khr_3d_image_writes",                V1, ALL, has_images, false },
	{ "cl_khr_depth_images",                   V1, ALL, has_images, false },
	{ "cl_khr_image2d_from_buffer",            V1, ALL, has_images, false },
	{ "cl_khr_create_command_queue",           V1, ALL, NULL, true },
	{ "cl_khr_extended_versioning",            V1, ALL, NULL, true },
	{ "cl_khr_il_program",                     V1, ALL, takes_spirv, false },
	{ "cl_khr_spirv_no_integer_wrap_decoration", V1, ALL, takes_spirv, false },
	{ "cl_khr_spirv_linkonce_odr",             V1, ALL, takes_spirv, false },
	{ "cl_khr_spirv_extended_debug_info",      V1, ALL, takes_spirv, false },
	{ "cl_khr_spirv_queries",                  V1, ALL, takes_spirv, false },
	{ "cl_khr_expect_assume",                  V1, ALL, takes_spirv, false },
	{ "cl_khr_device_uuid",                    V1, ALL, NULL, true },
	{ "cl_khr_pci_bus_info",                   V1, ALL, has_pci, false },
	{ "cl_khr_suggested_local_work_size",      V1, ALL, NULL, true },
	{ "cl_khr_subgroups",                      V1, { true, true, false }, NULL, false },
	{ "cl_khr_subgroup_extended_types",        V1, ALL, NULL, false },
	{ "cl_khr_subgroup_non_uniform_vote",      V1, ALL, NULL, false },
	{ "cl_khr_subgroup_ballot",                V1, ALL, NULL, false },
	{ "cl_khr_subgroup_non_uniform_arithmetic", V1, ALL, NULL, false },
	{ "cl_khr_subgroup_shuffle",               V1, ALL, NULL, false },
	{ "cl_khr_subgroup_shuffle_relative",      V1, ALL, NULL, false },
	{ "cl_khr_subgroup_clustered_reduce",      V1, ALL, NULL, false },
	{ "cl_khr_subgroup_rotate",                V1, ALL, NULL, false },
	{ "cl_khr_work_group_uniform_arithmetic",  V1, ALL, NULL, false },
	{ "cl_khr_extended_bit_ops",               V1, ALL, NULL, false },
	{ "cl_khr_integer_dot_product", CL_MAKE_VERSION(2, 0, 0), ALL, NULL, false },
	{ "cl_khr_priority_hints",                 V1, ALL, NULL, true },
	{ "cl_khr_throttle_hints",                 V1, ALL, NULL, true },
	{ "cl_intel_command_queue_families",       V1, ALL, NULL, true },
	{ "cl_khr_semaphore",                      V1, ALL, NULL, true },
	{ "cl_khr_command_buffer", COMMAND_BUFFER_VERSION, ALL, NULL, true },
	{ "cl_khr_command_buffer_mutable_dispatch", COMMAND_BUFFER_MUTABLE_VERSION, ALL, NULL, true },
	{ "cl_intel_subgroups",                    V1, ALL, NULL, true },
	{ "cl_intel_subgroups_short",              V1, ALL, NULL, true },
	{ "cl_intel_subgroups_char",               V1, ALL, NULL, true },
	{ "cl_intel_subgroups_long",               V1, ALL, NULL, true },
	{ "cl_intel_subgroup_local_block_io",      V1, ALL, NULL, false },
	{ "cl_intel_media_block_io",               V1, ALL, has_images, false },
	{ "cl_intel_required_subgroup_size",       V1, ALL, NULL, true },
	{ "cl_intel_split_work_group_barrier",     V1, ALL, NULL, false },
	{ "cl_intel_spirv_subgroups",              V1, ALL, takes_spirv, false },
	{ "cl_intel_spirv_media_block_io",         V1, ALL, takes_spirv_and_images, false },
	{ "cl_intel_unified_shared_memory", CL_MAKE_VERSION(1, 2, 0), ALL, has_usm, false },
	{ "cl_ext_buffer_device_address", CL_MAKE_VERSION(1, 0, 2), ALL, has_usm, false },
	{ "cl_ext_float_atomics",                  V1, ALL, NULL, false },
	{ "cl_intel_device_attribute_query",       V1, ALL, NULL, true },
};
const size_t device_n_extensions = UTIL_ARRAY_SIZE(device_extensions);

#define V3 CL_MAKE_VERSION(3, 0, 0)

const struct device_feature device_c_features[] = {
	{ "__opencl_c_int64",                            V3, ALL, NULL, false },
	{ "__opencl_c_images",                           V3, ALL, has_images, false },
	{ "__opencl_c_3d_image_writes",                  V3, ALL, has_images, false },
	{ "__opencl_c_read_write_images",                V3, ALL, has_images, false },
	{ "__opencl_c_atomic_order_acq_rel",             V3, ALL, NULL, false },
	{ "__opencl_c_atomic_order_seq_cst",             V3, ALL, NULL, false },
	{ "__opencl_c_atomic_scope_device",              V3, ALL, NULL, false },
	{ "__opencl_c_generic_address_space",            V3, ALL, NULL, false },
	{ "__opencl_c_program_scope_global_variables",   V3, ALL, NULL, false },
	{ "__opencl_c_integer_dot_product_input_4x8bit", V3, ALL, NULL, false },
	{ "__opencl_c_integer_dot_product_input_4x8bit_packed", V3, ALL, NULL, false },
	{ "__opencl_c_subgroups",                        V3, ALL, NULL, false },
	{ "__opencl_c_work_group_collective_functions",  V3, ALL, NULL, false },
	{ "__opencl_c_ext_fp16_global_atomic_load_store", V3, { false, false, true }, has_fp16, false },
	{ "__opencl_c_ext_fp16_local_atomic_load_store", V3, { false, false, true }, has_fp16, false },
	{ "__opencl_c_ext_fp32_global_atomic_add",       V3, ALL, NULL, false },
	{ "__opencl_c_ext_fp32_local_atomic_add",        V3, ALL, NULL, false },
	{ "__opencl_c_ext_fp32_global_atomic_min_max",   V3, ALL, NULL, false },
	{ "__opencl_c_ext_fp32_local_atomic_min_max",    V3, ALL, NULL, false },
};
const size_t device_n_c_features = UTIL_ARRAY_SIZE(device_c_features);
/* clang-format on */
