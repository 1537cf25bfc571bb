// SPDX-License-Identifier: MIT
/* clGetDeviceInfo: section 4.2 of the specification, and the queries of extensions. */
#include "core/device/device.h"

#include "core/device/command_buffer_khr.h"
#include "core/device/device_ext.h"
#include "core/device/device_family.h"
#include "core/device/extension.h"
#include "core/device/sub_device.h"
#include "core/device/svm_type.h"
#include "core/device/device_spirv.h"
#include "core/base/error.h"
#include "core/base/info.h"

#include <stdio.h>
#include <string.h>

#define DEVICE const struct device *device = object

static cl_int answer_name(const void *object, const struct info *info)
{
	DEVICE;
	return info_string(info, device->name);
}

/* Of the virtual device that nobody asked for, with the reason why it is there. */
static cl_int answer_version(const void *object, const struct info *info)
{
	DEVICE;
	const char *why = device->type == CL_DEVICE_TYPE_CPU ? l0_report()->gpu : "";
	char text[640];

	snprintf(text, sizeof text, "OpenCL 3.%u ZeroCL " ZEROCL_VERSION "%s%s%s",
		(unsigned)CL_VERSION_MINOR(device->version), *why ? " (" : "", why,
		*why ? ")" : "");
	return info_string(info, text);
}

static cl_int answer_c_versions(const void *object, const struct info *info)
{
	static const cl_name_version list[] = {
		{ CL_MAKE_VERSION(1, 0, 0), "OpenCL C" },
		{ CL_MAKE_VERSION(1, 1, 0), "OpenCL C" },
		{ CL_MAKE_VERSION(1, 2, 0), "OpenCL C" },
		{ CL_MAKE_VERSION(3, 0, 0), "OpenCL C" },
		{ CL_MAKE_VERSION(3, 1, 0), "OpenCL C" },
	};
	DEVICE;

	return info_bytes(
		info, list, sizeof list - (CL_VERSION_MINOR(device->version) ? 0 : sizeof *list));
}

static cl_int answer_il_version(const void *object, const struct info *info)
{
	DEVICE;
	char text[256] = "";
	size_t used = 0;

	for (uint32_t minor = device->il_minor + 1; device->hw->spirv_major && minor--;)
		used += (size_t)snprintf(text + used, sizeof text - used, "%sSPIR-V_%u.%u",
			used ? " " : "", device->hw->spirv_major, minor);
	return info_string(info, text);
}

static cl_int answer_ils(const void *object, const struct info *info)
{
	DEVICE;
	cl_name_version list[16] = { 0 };
	size_t n = 0;

	for (uint32_t minor = device->il_minor + 1; device->hw->spirv_major && minor--;) {
		if (n == UTIL_ARRAY_SIZE(list))
			break;
		list[n].version = CL_MAKE_VERSION(device->hw->spirv_major, minor, 0);
		strcpy(list[n++].name, "SPIR-V");
	}
	return info_bytes(info, list, n * sizeof *list);
}

static cl_int answer_sub_group_sizes(const void *object, const struct info *info)
{
	DEVICE;
	return info_bytes(info, device->sub_group_sizes,
		device->n_sub_group_sizes * sizeof *device->sub_group_sizes);
}

static cl_int answer_pci(const void *object, const struct info *info)
{
	DEVICE;
	const struct l0_device_info *hw = device->hw;
	cl_device_pci_bus_info_khr pci = { hw->pci_domain, hw->pci_bus, hw->pci_device,
		hw->pci_function };

	REQUIRE(hw->has_pci, CL_INVALID_VALUE);
	return info_bytes(info, &pci, sizeof pci);
}

/* The built-ins are made of ordinary multiplications: kernels/builtin/dot_product.cl. */
static cl_int answer_dot_product(const void *object, const struct info *info)
{
	static const cl_device_integer_dot_product_acceleration_properties_khr none;

	(void)object;
	return info_bytes(info, &none, sizeof none);
}

static cl_int answer_imports(const void *object, const struct info *info)
{
	DEVICE;

	REQUIRE(device_has_extension(device, "cl_khr_external_memory"), CL_INVALID_VALUE);
	return device_answer_imports(device, device->next, info);
}

static cl_int answer_svm_types(const void *object, const struct info *info)
{
	return svm_type_answer(object, info);
}

static cl_int answer_queue_families(const void *object, const struct info *info)
{
	static const cl_queue_family_properties_intel family = {
		.properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
		.capabilities = CL_QUEUE_DEFAULT_CAPABILITIES_INTEL,
		.count = 1,
		.name = "render and compute",
	};

	(void)object;
	return info_bytes(info, &family, sizeof family);
}

#define ANSWER(name, type, expression)                                                             \
	INFO_ANSWER(answer_##name, struct device *device, type, expression)
ANSWER(unified, cl_bool, device->hw->integrated)
ANSWER(ecc, cl_bool, device->hw->ecc)
ANSWER(progress, cl_bool, device->family->independent_progress)
ANSWER(half_width, cl_uint, device->hw->fp16 ? 8 : 0)
ANSWER(double_width, cl_uint, device->hw->fp64 ? 1 : 0)
ANSWER(ip_version, cl_uint,
	device->hw->ip_version ? device->hw->ip_version : device->family->ip_version)
ANSWER(double_atomics, cl_bitfield, device->hw->fp64 ? device->hw->fp64_atomics : 0)
ANSWER(intel_features, cl_device_feature_capabilities_intel,
	(device->hw->dp4a ? CL_DEVICE_FEATURE_FLAG_DP4A_INTEL : 0) |
		(device_has_extension(device, "cl_intel_subgroup_matrix_multiply_accumulate")
				? CL_DEVICE_FEATURE_FLAG_DPAS_INTEL
				: 0))

#define ATOMIC_ORDERS                                                                              \
	(CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |                         \
		CL_DEVICE_ATOMIC_ORDER_SEQ_CST)
#define ATOMIC_SCOPES (CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE)

#define FLOAT_ATOMICS                                                                              \
	(CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |          \
		CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT |                                           \
		CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT |     \
		CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT)

ANSWER(half_atomics, cl_bitfield,
	(device_has_feature(device, "__opencl_c_ext_fp16_global_atomic_load_store")
			? CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT
			: 0) |
		(device_has_feature(device, "__opencl_c_ext_fp16_local_atomic_load_store")
				? CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT
				: 0))

#define FIELD(param, member) INFO_FIELD(param, struct device, member)
/* What Level Zero knows. */
#define HW(param, member) INFO_VIA(param, struct device, hw, member)

static cl_int answer_partition(const void *object, const struct info *info)
{
	const struct device *device = object;
	const cl_device_partition_property by =
		device->n_tiles ? CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN : 0;

	return info_bytes(info, &by, sizeof by);
}

static cl_int answer_domains(const void *object, const struct info *info)
{
	const struct device *device = object;
	const cl_device_affinity_domain domains =
		device->n_tiles ? CL_DEVICE_AFFINITY_DOMAIN_NUMA |
					  CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE
				: 0;

	return info_bytes(info, &domains, sizeof domains);
}

static const struct info_row rows[] = {
	FIELD(CL_DEVICE_TYPE, type),
	INFO_CONSTANT(CL_DEVICE_VENDOR_ID, cl_uint, 0x8086),
	FIELD(CL_DEVICE_MAX_COMPUTE_UNITS, compute_units),
	INFO_CONSTANT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint, 3),
	FIELD(CL_DEVICE_MAX_WORK_ITEM_SIZES, max_group_sizes),
	FIELD(CL_DEVICE_MAX_WORK_GROUP_SIZE, max_group_size),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, cl_uint, 16),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, cl_uint, 8),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, cl_uint, 4),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, cl_uint, 1),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, cl_uint, 1),
	INFO_FN(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, answer_double_width),
	INFO_FN(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, answer_half_width),
	INFO_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, cl_uint, 16),
	INFO_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, cl_uint, 8),
	INFO_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, cl_uint, 4),
	INFO_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, cl_uint, 1),
	INFO_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint, 1),
	INFO_FN(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, answer_double_width),
	INFO_FN(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, answer_half_width),
	INFO_CONSTANT(CL_DEVICE_ADDRESS_BITS, cl_uint, 64),
	FIELD(CL_DEVICE_MAX_MEM_ALLOC_SIZE, max_alloc_size),
	FIELD(CL_DEVICE_IMAGE_SUPPORT, has_images),
	FIELD(CL_DEVICE_MAX_READ_IMAGE_ARGS, images.read_args),
	FIELD(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, images.write_args),
	FIELD(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, images.read_write_args),
	FIELD(CL_DEVICE_IMAGE2D_MAX_WIDTH, images.size_2d),
	FIELD(CL_DEVICE_IMAGE2D_MAX_HEIGHT, images.size_2d),
	FIELD(CL_DEVICE_IMAGE3D_MAX_WIDTH, images.size_3d),
	FIELD(CL_DEVICE_IMAGE3D_MAX_HEIGHT, images.size_3d),
	FIELD(CL_DEVICE_IMAGE3D_MAX_DEPTH, images.size_3d),
	FIELD(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, images.buffer),
	FIELD(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, images.layers),
	FIELD(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, images.pitch_align),
	FIELD(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, images.base_align),
	FIELD(CL_DEVICE_MAX_SAMPLERS, images.samplers),
	INFO_FN(CL_DEVICE_IL_VERSION, answer_il_version),
	INFO_FN(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, device_spirv_sets),
	INFO_FN(CL_DEVICE_SPIRV_EXTENSIONS_KHR, device_spirv_extensions),
	INFO_FN(CL_DEVICE_SPIRV_CAPABILITIES_KHR, device_spirv_capabilities),
	INFO_FN(CL_DEVICE_ILS_WITH_VERSION, answer_ils),
	INFO_CONSTANT(CL_DEVICE_MAX_PIPE_ARGS, cl_uint, 0),
	INFO_CONSTANT(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint, 0),
	INFO_CONSTANT(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint, 0),
	INFO_CONSTANT(CL_DEVICE_PIPE_SUPPORT, cl_bool, CL_FALSE),
	FIELD(CL_DEVICE_MAX_PARAMETER_SIZE, max_parameter_size),
	FIELD(CL_DEVICE_MEM_BASE_ADDR_ALIGN, mem_base_addr_align),
	INFO_CONSTANT(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint, 128),
	INFO_CONSTANT(
		CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type, CL_READ_WRITE_CACHE),
	INFO_CONSTANT(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint, DEVICE_CACHE_LINE),
	FIELD(CL_DEVICE_GLOBAL_MEM_SIZE, global_mem_size),
	FIELD(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, max_alloc_size),
	INFO_CONSTANT(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint, 8),
	INFO_CONSTANT(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t, 65536),
	FIELD(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, max_alloc_size),
	INFO_CONSTANT(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type, CL_LOCAL),
	FIELD(CL_DEVICE_LOCAL_MEM_SIZE, local_mem_size),
	INFO_FN(CL_DEVICE_ERROR_CORRECTION_SUPPORT, answer_ecc),
	INFO_FN(CL_DEVICE_HOST_UNIFIED_MEMORY, answer_unified),
	FIELD(CL_DEVICE_PROFILING_TIMER_RESOLUTION, timer_resolution),
	INFO_CONSTANT(CL_DEVICE_ENDIAN_LITTLE, cl_bool, CL_TRUE),
	INFO_CONSTANT(CL_DEVICE_AVAILABLE, cl_bool, CL_TRUE),
	INFO_CONSTANT(CL_DEVICE_COMPILER_AVAILABLE, cl_bool, CL_TRUE),
	INFO_CONSTANT(CL_DEVICE_LINKER_AVAILABLE, cl_bool, CL_TRUE),
	INFO_CONSTANT(
		CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities, CL_EXEC_KERNEL),
	INFO_CONSTANT(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_command_queue_properties,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
	INFO_CONSTANT(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_command_queue_properties, 0),
	INFO_CONSTANT(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, cl_uint, 0),
	INFO_CONSTANT(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, cl_uint, 0),
	INFO_CONSTANT(CL_DEVICE_MAX_ON_DEVICE_QUEUES, cl_uint, 0),
	INFO_CONSTANT(CL_DEVICE_MAX_ON_DEVICE_EVENTS, cl_uint, 0),
	INFO_CONSTANT(
		CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_device_device_enqueue_capabilities, 0),
	INFO_TEXT(CL_DEVICE_BUILT_IN_KERNELS, ""),
	INFO_EMPTY(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),
	FIELD(CL_DEVICE_PLATFORM, platform),
	INFO_FN(CL_DEVICE_NAME, answer_name),
	INFO_TEXT(CL_DEVICE_VENDOR, "Intel(R) Corporation"),
	INFO_TEXT(CL_DRIVER_VERSION, ZEROCL_VERSION),
	INFO_TEXT(CL_DEVICE_PROFILE, "FULL_PROFILE"),
	INFO_FN(CL_DEVICE_VERSION, answer_version),
	FIELD(CL_DEVICE_NUMERIC_VERSION, version),
	INFO_TEXT(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 "),
	INFO_CONSTANT(
		CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, cl_version_khr, CL_MAKE_VERSION(1, 2, 0)),
	INFO_FN(CL_DEVICE_OPENCL_C_ALL_VERSIONS, answer_c_versions),
	INFO_LIST(CL_DEVICE_OPENCL_C_FEATURES, struct device, features.list, features.n),
	INFO_STRING(CL_DEVICE_EXTENSIONS, struct device, extensions.text),
	INFO_LIST(CL_DEVICE_EXTENSIONS_WITH_VERSION, struct device, extensions.list, extensions.n),
	FIELD(CL_DEVICE_PRINTF_BUFFER_SIZE, printf_size),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool, CL_TRUE),
	FIELD(CL_DEVICE_PARENT_DEVICE, parent),
	FIELD(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, n_tiles),
	INFO_FN(CL_DEVICE_PARTITION_PROPERTIES, answer_partition),
	INFO_FN(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, answer_domains),
	INFO_FN(CL_DEVICE_PARTITION_TYPE, sub_device_answer_type),
	INFO_FN(CL_DEVICE_REFERENCE_COUNT, info_references),
	INFO_CONSTANT(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, cl_bitfield,
		CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR),
	FIELD(CL_DEVICE_SVM_CAPABILITIES, svm),
	INFO_FN(CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, answer_svm_types),
	INFO_CONSTANT(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
		cl_device_unified_shared_memory_capabilities_intel, 0),
	INFO_CONSTANT(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL,
		cl_device_unified_shared_memory_capabilities_intel, 0),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, cl_uint, 0),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, cl_uint, 0),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, cl_uint, 0),
	FIELD(CL_DEVICE_MAX_NUM_SUB_GROUPS, max_sub_groups),
	INFO_FN(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, answer_progress),
	INFO_CONSTANT(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities,
		ATOMIC_ORDERS | ATOMIC_SCOPES),
	INFO_CONSTANT(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities,
		ATOMIC_ORDERS | ATOMIC_SCOPES | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM),
	INFO_CONSTANT(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, cl_bool, CL_TRUE),
	INFO_CONSTANT(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool, CL_TRUE),
	INFO_CONSTANT(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool, CL_TRUE),
	INFO_CONSTANT(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t, 32),
	/* of the form that version 3.0 of the suite demands, and no version that exists */
	INFO_TEXT(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, "v0000-01-01-00"),
	INFO_FN(CL_DEVICE_SUB_GROUP_SIZES_INTEL, answer_sub_group_sizes),
	INFO_CONSTANT(CL_DEVICE_LUID_VALID_KHR, cl_bool, CL_FALSE),
	INFO_CONSTANT(CL_DEVICE_LUID_KHR, uint64_t, 0),
	INFO_CONSTANT(CL_DEVICE_NODE_MASK_KHR, cl_uint, 0),
	INFO_FN(CL_DEVICE_PCI_BUS_INFO_KHR, answer_pci),
	INFO_FN(CL_DEVICE_IP_VERSION_INTEL, answer_ip_version),
	INFO_CONSTANT(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
		cl_device_integer_dot_product_capabilities_khr,
		CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR |
			CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR),
	INFO_FN(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, answer_dot_product),
	INFO_FN(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
		answer_dot_product),
	INFO_FN(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, answer_imports),
	INFO_FN(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR,
		answer_imports),
	INFO_FN(CL_DEVICE_QUEUE_FAMILY_PROPERTIES_INTEL, answer_queue_families),
	INFO_FN(CL_DEVICE_FEATURE_CAPABILITIES_INTEL, answer_intel_features),
	INFO_CONSTANT(
		CL_DEVICE_SEMAPHORE_TYPES_KHR, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR),
	INFO_CONSTANT(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR,
		cl_device_command_buffer_capabilities_khr,
		CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
			CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR),
	INFO_CONSTANT(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR,
		cl_command_queue_properties, 0),
	INFO_CONSTANT(CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR,
		cl_command_queue_properties, COMMAND_BUFFER_QUEUES),
	INFO_CONSTANT(CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, cl_bitfield, FLOAT_ATOMICS),
	INFO_FN(CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, answer_double_atomics),
	INFO_FN(CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, answer_half_atomics),
	INFO_CONSTANT(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, cl_mutable_dispatch_fields_khr,
		COMMAND_BUFFER_FIELDS),
	HW(CL_DEVICE_MAX_CLOCK_FREQUENCY, clock_mhz),
	HW(CL_DEVICE_HALF_FP_CONFIG, fp16_config),
	HW(CL_DEVICE_SINGLE_FP_CONFIG, fp32_config),
	HW(CL_DEVICE_DOUBLE_FP_CONFIG, fp64_config),
	HW(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cache_size),
	HW(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, host_access),
	HW(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, device_access),
	HW(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, shared_access),
	HW(CL_DEVICE_UUID_KHR, uuid),
	HW(CL_DRIVER_UUID_KHR, driver_uuid),
	HW(CL_DEVICE_ID_INTEL, device_id),
	HW(CL_DEVICE_NUM_SLICES_INTEL, slices),
	HW(CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, sub_slices_per_slice),
	HW(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL, eus_per_sub_slice),
	HW(CL_DEVICE_NUM_THREADS_PER_EU_INTEL, threads_per_eu),
};

cl_int device_info(struct device *device, cl_device_info param, const struct info *info)
{
	static const char zero[16];
	uint16_t zeros;

	REQUIRE(device, CL_INVALID_DEVICE);

	if (extension_hides_query(param, &zeros)) {
		REQUIRE(zeros, error_say(CL_INVALID_VALUE, "the query's extension is hidden"));
		return info_bytes(info, zero, zeros);
	}
	return INFO_GET(rows, device, param, info);
}
