// SPDX-License-Identifier: MIT
/* cl_khr_spirv_queries. A row is there only when tests/cl/cl_capability_test.c runs it. */
#include "core/device/device_spirv.h"

#include "core/device/device.h"
#include "core/base/info.h"

#include <spirv/unified1/spirv.h>

/* Of the registry of SPIR-V, where the headers are older. */
enum { GROUP_NON_UNIFORM_ROTATE = 6026 };

/* `with`: the extension of OpenCL that has it, NULL: OpenCL itself. `images`: only with images. */
static const struct {
	cl_uint capability;
	bool images;
	const char *with;
} capabilities[] = {
	{ SpvCapabilityAddresses, false, NULL },
	{ SpvCapabilityFloat16Buffer, false, NULL },
	{ SpvCapabilityInt16, false, NULL },
	{ SpvCapabilityInt8, false, NULL },
	{ SpvCapabilityInt64, false, NULL },
	{ SpvCapabilityKernel, false, NULL },
	{ SpvCapabilityLinkage, false, NULL },
	{ SpvCapabilityVector16, false, NULL },
	{ SpvCapabilityGenericPointer, false, NULL },
	{ SpvCapabilityGroups, false, NULL },
	{ SpvCapabilitySubgroupDispatch, false, NULL },
	{ SpvCapabilityImage1D, true, NULL },
	{ SpvCapabilityImageBasic, true, NULL },
	{ SpvCapabilityImageBuffer, true, NULL },
	{ SpvCapabilityImageReadWrite, true, NULL },
	{ SpvCapabilityLiteralSampler, true, NULL },
	{ SpvCapabilitySampled1D, true, NULL },
	{ SpvCapabilitySampledBuffer, true, NULL },
	{ SpvCapabilityFloat16, false, "cl_khr_fp16" },
	{ SpvCapabilityInt64Atomics, false, "cl_khr_int64_base_atomics" },
	{ SpvCapabilityExpectAssumeKHR, false, "cl_khr_expect_assume" },
	{ SpvCapabilityBitInstructions, false, "cl_khr_extended_bit_ops" },
	{ SpvCapabilityDotProductKHR, false, "cl_khr_integer_dot_product" },
	{ SpvCapabilityDotProductInput4x8BitKHR, false, "cl_khr_integer_dot_product" },
	{ SpvCapabilityDotProductInput4x8BitPackedKHR, false, "cl_khr_integer_dot_product" },
	{ SpvCapabilityGroupNonUniform, false, "cl_khr_subgroup_non_uniform_vote" },
	{ SpvCapabilityGroupNonUniformVote, false, "cl_khr_subgroup_non_uniform_vote" },
	{ SpvCapabilityGroupNonUniformBallot, false, "cl_khr_subgroup_ballot" },
	{ SpvCapabilityGroupNonUniformArithmetic, false, "cl_khr_subgroup_non_uniform_arithmetic" },
	{ SpvCapabilityGroupNonUniformShuffle, false, "cl_khr_subgroup_shuffle" },
	{ SpvCapabilityGroupNonUniformShuffleRelative, false, "cl_khr_subgroup_shuffle_relative" },
	{ SpvCapabilityGroupNonUniformClustered, false, "cl_khr_subgroup_clustered_reduce" },
	{ GROUP_NON_UNIFORM_ROTATE, false, "cl_khr_subgroup_rotate" },
	{ SpvCapabilityGroupUniformArithmeticKHR, false, "cl_khr_work_group_uniform_arithmetic" },
	{ SpvCapabilityAtomicFloat32AddEXT, false, "cl_ext_float_atomics" },
	{ SpvCapabilityAtomicFloat32MinMaxEXT, false, "cl_ext_float_atomics" },
	{ SpvCapabilitySubgroupShuffleINTEL, false, "cl_intel_spirv_subgroups" },
	{ SpvCapabilitySubgroupBufferBlockIOINTEL, false, "cl_intel_spirv_subgroups" },
	{ SpvCapabilitySubgroupImageBlockIOINTEL, true, "cl_intel_spirv_subgroups" },
	{ SpvCapabilitySubgroupImageMediaBlockIOINTEL, true, "cl_intel_spirv_media_block_io" },
	{ SpvCapabilitySplitBarrierINTEL, false, "cl_intel_split_work_group_barrier" },
};

struct name {
	const char *name, *with;
};

static const struct name extensions[] = {
	{ "SPV_KHR_expect_assume", "cl_khr_expect_assume" },
	{ "SPV_KHR_bit_instructions", "cl_khr_extended_bit_ops" },
	{ "SPV_KHR_integer_dot_product", "cl_khr_integer_dot_product" },
	{ "SPV_KHR_linkonce_odr", "cl_khr_spirv_linkonce_odr" },
	{ "SPV_KHR_no_integer_wrap_decoration", "cl_khr_spirv_no_integer_wrap_decoration" },
	{ "SPV_KHR_subgroup_rotate", "cl_khr_subgroup_rotate" },
	{ "SPV_KHR_uniform_group_instructions", "cl_khr_work_group_uniform_arithmetic" },
	{ "SPV_EXT_shader_atomic_float_add", "cl_ext_float_atomics" },
	{ "SPV_EXT_shader_atomic_float_min_max", "cl_ext_float_atomics" },
	{ "SPV_INTEL_subgroups", "cl_intel_spirv_subgroups" },
	{ "SPV_INTEL_media_block_io", "cl_intel_spirv_media_block_io" },
	{ "SPV_INTEL_split_barrier", "cl_intel_split_work_group_barrier" },
};

static const struct name sets[] = {
	{ "OpenCL.std", NULL },
	{ "OpenCL.DebugInfo.100", "cl_khr_spirv_extended_debug_info" },
};

static bool has(const struct device *device, const char *with)
{
	return device->hw->spirv_major && (!with || device_has_extension(device, with));
}

static cl_int answer_names(
	const struct device *device, const struct name *names, size_t n, const struct info *info)
{
	const char *list[UTIL_ARRAY_SIZE(extensions)];
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (has(device, names[i].with))
			list[count++] = names[i].name;
	return info_bytes(info, list, count * sizeof *list);
}

cl_int device_spirv_sets(const void *device, const struct info *info)
{
	return answer_names(device, sets, UTIL_ARRAY_SIZE(sets), info);
}

cl_int device_spirv_extensions(const void *device, const struct info *info)
{
	return answer_names(device, extensions, UTIL_ARRAY_SIZE(extensions), info);
}

cl_int device_spirv_capabilities(const void *object, const struct info *info)
{
	const struct device *device = object;
	cl_uint list[UTIL_ARRAY_SIZE(capabilities)];
	size_t count = 0;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(capabilities); i++)
		if (has(device, capabilities[i].with) &&
			(!capabilities[i].images || device->has_images))
			list[count++] = capabilities[i].capability;
	return info_bytes(info, list, count * sizeof *list);
}
