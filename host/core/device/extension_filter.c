// SPDX-License-Identifier: MIT
#include "core/device/extension_filter.h"

#include "core/device/command_buffer_khr.h"
#include "core/device/device_ext.h"
#include "core/device/device_family.h"
#include "util/util_bits.h"
#include "util/util_log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct device_belonging device_belongings[] = {
	{ "cl_khr_fp16", .features = "__opencl_c_ext_fp16_global_atomic_load_store "
				    "__opencl_c_ext_fp16_local_atomic_load_store",
		.queries = { { CL_DEVICE_HALF_FP_CONFIG, sizeof(cl_device_fp_config) },
		{ CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, sizeof(cl_uint) },
		{ CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, sizeof(cl_uint) } } },
	{ "cl_khr_3d_image_writes", .features = "__opencl_c_3d_image_writes" },
	{ "cl_khr_image2d_from_buffer", .queries = {
		{ CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof(cl_uint) },
		{ CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, sizeof(cl_uint) } } },
	{ "cl_khr_create_command_queue", .functions = "clCreateCommandQueueWithPropertiesKHR" },
	{ "cl_khr_extended_versioning",
		.queries = { { CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, 0 } } },
	{ "cl_khr_il_program", .functions = "clCreateProgramWithILKHR" },
	{ "cl_khr_device_uuid", .queries = { { CL_DEVICE_UUID_KHR, 0 }, { CL_DRIVER_UUID_KHR, 0 },
		{ CL_DEVICE_LUID_VALID_KHR, 0 }, { CL_DEVICE_LUID_KHR, 0 },
		{ CL_DEVICE_NODE_MASK_KHR, 0 } } },
	{ "cl_khr_pci_bus_info", .queries = { { CL_DEVICE_PCI_BUS_INFO_KHR, 0 } } },
	{ "cl_khr_spirv_queries", .queries = { { CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, 0 },
		{ CL_DEVICE_SPIRV_EXTENSIONS_KHR, 0 }, { CL_DEVICE_SPIRV_CAPABILITIES_KHR, 0 } } },
	{ "cl_khr_suggested_local_work_size",
		.functions = "clGetKernelSuggestedLocalWorkSizeKHR" },
	{ "cl_khr_subgroups", .functions = "clGetKernelSubGroupInfoKHR" },
	{ "cl_khr_integer_dot_product",
		.features = "__opencl_c_integer_dot_product_input_4x8bit "
			    "__opencl_c_integer_dot_product_input_4x8bit_packed",
		.queries = { { CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, 0 },
			{ CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, 0 },
			{ CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
				0 } } },
	{ "cl_intel_command_queue_families",
		.queries = { { CL_DEVICE_QUEUE_FAMILY_PROPERTIES_INTEL, 0 } } },
	{ "cl_khr_semaphore",
		.functions = "clCreateSemaphoreWithPropertiesKHR clEnqueueWaitSemaphoresKHR "
			     "clEnqueueSignalSemaphoresKHR clGetSemaphoreInfoKHR "
			     "clReleaseSemaphoreKHR clRetainSemaphoreKHR "
			     "clGetSemaphoreHandleForTypeKHR",
		.queries = { { CL_DEVICE_SEMAPHORE_TYPES_KHR, 0 },
			{ CL_PLATFORM_SEMAPHORE_TYPES_KHR, 0 } } },
	{ "cl_khr_command_buffer", .extensions = "cl_khr_command_buffer_mutable_dispatch",
		.functions = "clCreateCommandBufferKHR clFinalizeCommandBufferKHR "
			     "clRetainCommandBufferKHR clReleaseCommandBufferKHR "
			     "clEnqueueCommandBufferKHR clGetCommandBufferInfoKHR "
			     "clCommandBarrierWithWaitListKHR clCommandCopyBufferKHR "
			     "clCommandCopyBufferRectKHR clCommandCopyBufferToImageKHR "
			     "clCommandCopyImageKHR clCommandCopyImageToBufferKHR "
			     "clCommandFillBufferKHR clCommandFillImageKHR "
			     "clCommandNDRangeKernelKHR clCommandSVMMemcpyKHR "
			     "clCommandSVMMemFillKHR",
		.queries = { { CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, 0 },
			{ CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, 0 },
			{ CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, 0 } } },
	{ "cl_khr_command_buffer_mutable_dispatch",
		.functions = "clUpdateMutableCommandsKHR clGetMutableCommandInfoKHR",
		.queries = { { CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, 0 } } },
	{ "cl_intel_subgroups", .extensions =
		"cl_intel_subgroups_short cl_intel_subgroups_char cl_intel_subgroups_long "
		"cl_intel_subgroup_local_block_io cl_intel_spirv_subgroups" },
	{ "cl_intel_media_block_io", .extensions = "cl_intel_spirv_media_block_io" },
	{ "cl_intel_required_subgroup_size",
		.queries = { { CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0 } } },
	{ "cl_intel_unified_shared_memory",
		.functions = "clHostMemAllocINTEL clDeviceMemAllocINTEL clSharedMemAllocINTEL "
			     "clMemFreeINTEL clMemBlockingFreeINTEL clGetMemAllocInfoINTEL "
			     "clSetKernelArgMemPointerINTEL clEnqueueMemsetINTEL "
			     "clEnqueueMemFillINTEL clEnqueueMemcpyINTEL "
			     "clEnqueueMigrateMemINTEL clEnqueueMemAdviseINTEL",
		.queries = { { CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, 0 },
			{ CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, 0 },
			{ CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, 0 },
			{ CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, 0 },
			{ CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, 0 } } },
	{ "cl_ext_buffer_device_address", .functions = "clSetKernelArgDevicePointerEXT" },
	{ "cl_ext_float_atomics",
		.features = "__opencl_c_ext_fp16_global_atomic_load_store "
			    "__opencl_c_ext_fp16_local_atomic_load_store "
			    "__opencl_c_ext_fp32_global_atomic_add "
			    "__opencl_c_ext_fp32_local_atomic_add "
			    "__opencl_c_ext_fp32_global_atomic_min_max "
			    "__opencl_c_ext_fp32_local_atomic_min_max",
		.queries = { { CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, 0 },
			{ CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, 0 },
			{ CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, 0 } } },
	{ "cl_intel_device_attribute_query", .queries = { { CL_DEVICE_IP_VERSION_INTEL, 0 },
		{ CL_DEVICE_ID_INTEL, 0 }, { CL_DEVICE_NUM_SLICES_INTEL, 0 },
		{ CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, 0 },
		{ CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL, 0 },
		{ CL_DEVICE_NUM_THREADS_PER_EU_INTEL, 0 },
		{ CL_DEVICE_FEATURE_CAPABILITIES_INTEL, 0 } } },
};
const size_t device_n_belongings = UTIL_ARRAY_SIZE(device_belongings);
/* clang-format on */

#define SEPARATORS ", "

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *asked; /* NULL: nothing is hidden */

static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	while (text && *(text += strspn(text, SEPARATORS))) {
		size_t size = strcspn(text, SEPARATORS);

		if (size == length && !memcmp(text, word, size))
			return true;
		text += size;
	}
	return false;
}

bool device_hidden_lists(const char *text, const char *extension)
{
	/* Loaders know a platform of theirs by it. */
	if (!strcmp(extension, "cl_khr_icd"))
		return false;
	if (has_word(text, extension))
		return true;
	for (size_t i = 0; i < device_n_belongings; i++)
		if (has_word(device_belongings[i].extensions, extension) &&
			device_hidden_lists(text, device_belongings[i].extension))
			return true;
	return false;
}

static bool is_extension(const char *name, size_t size)
{
	for (size_t i = 0; i < device_n_extensions; i++)
		if (strlen(device_extensions[i].name) == size &&
			!memcmp(device_extensions[i].name, name, size))
			return true;
	return false;
}

static void read_variable(void)
{
	const char *text = getenv("ZEROCL_DISABLE_EXTENSIONS");

	/* The application may change its environment later. */
	if (!text || !*text || !(asked = text = strdup(text)))
		return;
	while (*(text += strspn(text, SEPARATORS))) {
		size_t size = strcspn(text, SEPARATORS);

		if (!is_extension(text, size))
			util_log(UTIL_LOG_WARN, "cl",
				"ZEROCL_DISABLE_EXTENSIONS: there is no extension %.*s", (int)size,
				text);
		else if (size == strlen("cl_khr_icd") && !memcmp(text, "cl_khr_icd", size))
			util_log(UTIL_LOG_WARN, "cl",
				"ZEROCL_DISABLE_EXTENSIONS: cl_khr_icd cannot be hidden");
		text += size;
	}
}

static bool is_hidden(const char *extension)
{
	pthread_once(&once, read_variable);
	return asked && device_hidden_lists(asked, extension);
}

bool device_shows(const char *name)
{
	pthread_once(&once, read_variable);
	if (!asked)
		return true;
	for (size_t i = 0; i < device_n_belongings; i++) {
		const struct device_belonging *row = &device_belongings[i];

		if ((has_word(row->features, name) || has_word(row->functions, name)) &&
			is_hidden(row->extension))
			return false;
	}
	return !is_hidden(name);
}

bool device_hides_query(cl_uint param, uint16_t *zeros)
{
	pthread_once(&once, read_variable);
	for (size_t i = 0; asked && i < device_n_belongings; i++) {
		const struct device_belonging *row = &device_belongings[i];

		for (size_t k = 0; k < UTIL_ARRAY_SIZE(row->queries) && row->queries[k].param; k++)
			if (row->queries[k].param == param && is_hidden(row->extension)) {
				*zeros = row->queries[k].zeros;
				return true;
			}
	}
	return false;
}
