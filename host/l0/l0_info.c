// SPDX-License-Identifier: MIT
#include "l0/l0_private.h"
#include "l0/l0_ext.h"

#include "util/util_bits.h"
#include "util/util_settings.h"

#include <stdlib.h>
#include <string.h>

/* ze_device_fp_flags_t has the bits of cl_device_fp_config, in another order. */
static uint64_t fp_config(ze_device_fp_flags_t flags)
{
	static const struct {
		ze_device_fp_flags_t ze;
		uint64_t cl;
	} bits[] = {
		{ ZE_DEVICE_FP_FLAG_DENORM, CL_FP_DENORM },
		{ ZE_DEVICE_FP_FLAG_INF_NAN, CL_FP_INF_NAN },
		{ ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST, CL_FP_ROUND_TO_NEAREST },
		{ ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO, CL_FP_ROUND_TO_ZERO },
		{ ZE_DEVICE_FP_FLAG_ROUND_TO_INF, CL_FP_ROUND_TO_INF },
		{ ZE_DEVICE_FP_FLAG_FMA, CL_FP_FMA },
		{ ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT },
		{ ZE_DEVICE_FP_FLAG_SOFT_FLOAT, CL_FP_SOFT_FLOAT },
	};
	uint64_t config = 0;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(bits); i++)
		if (flags & bits[i].ze)
			config |= bits[i].cl;
	return config;
}

/* Which extensions of Level Zero the driver lists, of those that are asked for. */
enum { IP_VERSION = 1, FLOAT_ATOMICS = 2, DOT_PRODUCTS = 4, GLOBAL_OFFSET = 8 };

static unsigned listed(const char *name)
{
	static const struct {
		const char *name;
		unsigned bit;
	} rows[] = {
		{ L0_IP_VERSION_NAME, IP_VERSION },
		{ ZE_FLOAT_ATOMICS_EXT_NAME, FLOAT_ATOMICS },
		{ L0_DP_NAME, DOT_PRODUCTS },
		{ ZE_GLOBAL_OFFSET_EXP_NAME, GLOBAL_OFFSET },
	};

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].name, name))
			return rows[i].bit;
	return 0;
}

static cl_int gather_driver(struct l0_device *device, unsigned *has)
{
	struct l0_device_info *info = &device->info;
	ze_driver_properties_t driver = { .stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES };
	ze_api_version_t version;
	uint32_t n = 0;
	cl_int rc;

	if ((rc = L0_CALL(zeDriverGetProperties, device->driver, &driver)) ||
		(rc = L0_CALL(zeDriverGetApiVersion, device->driver, &version)) ||
		(rc = L0_CALL(zeDriverGetExtensionProperties, device->driver, &n, NULL)))
		return rc;
	/* Intel's driver makes its UUID of its version and the time when the process loaded it:
	 * here it is the same in all processes, as those that share memory want it. */
	memcpy(info->driver_uuid, &driver.driverVersion, sizeof(driver.driverVersion));
	info->api_major = ZE_MAJOR_VERSION(version);
	info->api_minor = ZE_MINOR_VERSION(version);
	ze_driver_extension_properties_t *extensions = calloc(n + 1, sizeof(*extensions));
	if (!extensions)
		return CL_OUT_OF_HOST_MEMORY;
	rc = L0_CALL(zeDriverGetExtensionProperties, device->driver, &n, extensions);
	for (uint32_t i = 0; !rc && i < n; i++)
		*has |= listed(extensions[i].name);
	info->can.global_offset = *has & GLOBAL_OFFSET && l0_ze.zeKernelSetGlobalOffsetExp;
	free(extensions);
	return rc;
}

static cl_int gather_device(struct l0_device *device, unsigned has)
{
	struct l0_device_info *info = &device->info;
	/* from 1.2 on the timer is in cycles per second, where the nanoseconds were rounded */
	bool cycles = info->api_major > 1 || info->api_minor >= 2;
	struct l0_ip_version ip = { .stype = L0_STRUCTURE_IP_VERSION };
	ze_device_properties_t p = { .stype = cycles ? ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2
						     : ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
		.pNext = has & IP_VERSION ? &ip : NULL };
	cl_int rc = L0_CALL(zeDeviceGetProperties, device->ze, &p);

	if (rc)
		return rc;
	memcpy(info->name, p.name, sizeof(info->name) - 1);
	memcpy(info->uuid, p.uuid.id, sizeof(info->uuid));
	info->device_id = p.deviceId;
	info->ip_version = ip.version;
	info->integrated = p.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
	info->ecc = p.flags & ZE_DEVICE_PROPERTY_FLAG_ECC;
	info->clock_mhz = p.coreClockRate;
	info->slices = p.numSlices;
	info->sub_slices_per_slice = p.numSubslicesPerSlice;
	info->eus_per_sub_slice = p.numEUsPerSubslice;
	info->threads_per_eu = p.numThreadsPerEU;
	info->max_alloc_size = p.maxMemAllocSize;
	info->tick_ns = cycles && p.timerResolution ? 1e9 / (double)p.timerResolution
						    : (double)p.timerResolution;
	info->kernel_timestamp_bits = p.kernelTimestampValidBits;
	return CL_SUCCESS;
}

static cl_int gather_compute(struct l0_device *device, unsigned has)
{
	struct l0_device_info *info = &device->info;
	ze_device_compute_properties_t c = { .stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES };
	struct l0_dp_properties dp = { .stype = L0_STRUCTURE_DP };
	ze_float_atomic_ext_properties_t atomics = {
		.stype = ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES,
		.pNext = has & DOT_PRODUCTS ? &dp : NULL
	};
	ze_device_module_properties_t m = { .stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
		.pNext = has & FLOAT_ATOMICS ? &atomics : atomics.pNext };
	cl_int rc;

	if ((rc = L0_CALL(zeDeviceGetComputeProperties, device->ze, &c)) ||
		(rc = L0_CALL(zeDeviceGetModuleProperties, device->ze, &m)))
		return rc;
	info->max_group_total = c.maxTotalGroupSize;
	memcpy(info->max_group, (uint32_t[]){ c.maxGroupSizeX, c.maxGroupSizeY, c.maxGroupSizeZ },
		sizeof(info->max_group));
	info->max_shared_local = c.maxSharedLocalMemory;
	info->n_sub_group_sizes = util_min_u32(c.numSubGroupSizes, L0_MAX_SUB_GROUP_SIZES);
	memcpy(info->sub_group_sizes, c.subGroupSizes,
		info->n_sub_group_sizes * sizeof(info->sub_group_sizes[0]));
	info->spirv_major = ZE_MAJOR_VERSION(m.spirvVersionSupported);
	info->spirv_minor = ZE_MINOR_VERSION(m.spirvVersionSupported);
	info->fp16 = m.flags & ZE_DEVICE_MODULE_FLAG_FP16;
	info->fp64 = m.flags & ZE_DEVICE_MODULE_FLAG_FP64;
	info->int64_atomics = m.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
	info->dp4a = m.flags & ZE_DEVICE_MODULE_FLAG_DP4A;
	info->dpas = !(has & DOT_PRODUCTS) || dp.flags & L0_DP_DPAS;
	info->fp64_atomics = atomics.fp64Flags;
	info->fp16_config = fp_config(m.fp16flags);
	info->fp32_config = fp_config(m.fp32flags);
	info->fp64_config = fp_config(m.fp64flags);
	info->soft_fp64 = !info->fp64 && util_settings()->soft_fp64;
	if (info->soft_fp64) {
		info->fp64 = true;
		info->fp64_atomics = 0;
		info->fp64_config = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
				    CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA |
				    CL_FP_SOFT_FLOAT;
	}
	info->max_argument_size = m.maxArgumentsSize;
	info->printf_size = m.printfBufferSize;
	return CL_SUCCESS;
}

static cl_int gather_memory(struct l0_device *device)
{
	struct l0_device_info *info = &device->info;
	ze_device_memory_properties_t memory = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES
	};
	ze_device_cache_properties_t cache = { .stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES };
	ze_device_memory_access_properties_t access = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES
	};
	uint32_t n_memories = 1, n_caches = 1;
	cl_int rc;

	if ((rc = L0_CALL(zeDeviceGetMemoryProperties, device->ze, &n_memories, &memory)) ||
		(rc = L0_CALL(zeDeviceGetMemoryAccessProperties, device->ze, &access)) ||
		(rc = L0_CALL(zeDeviceGetCacheProperties, device->ze, &n_caches, &cache)))
		return rc;
	info->memory_size = memory.totalSize;
	info->cache_size = cache.cacheSize;
	info->host_access = access.hostAllocCapabilities;
	info->device_access = access.deviceAllocCapabilities;
	info->shared_access = access.sharedSingleDeviceAllocCapabilities;
	return CL_SUCCESS;
}

/* What a device may well not have: a failure leaves zeros. */
static void gather_options(struct l0_device *device)
{
	struct l0_device_info *info = &device->info;
	ze_device_image_properties_t image = { .stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES };
	ze_pci_ext_properties_t pci = { .stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES };
	ze_device_external_memory_properties_t external = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES
	};

	if (!L0_CALL(zeDeviceGetImageProperties, device->ze, &image)) {
		info->image_1d = image.maxImageDims1D;
		info->image_2d = image.maxImageDims2D;
		info->image_3d = image.maxImageDims3D;
		info->image_array = image.maxImageArraySlices;
		info->samplers = image.maxSamplers;
		info->read_images = image.maxReadImageArgs;
		info->write_images = image.maxWriteImageArgs;
	}
	if (!L0_CALL(zeDeviceGetExternalMemoryProperties, device->ze, &external))
		info->imports_dma_buf =
			external.memoryAllocationImportTypes & ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
	if (l0_ze.zeDevicePciGetPropertiesExt &&
		!L0_CALL(zeDevicePciGetPropertiesExt, device->ze, &pci)) {
		info->has_pci = true;
		info->pci_domain = pci.address.domain;
		info->pci_bus = pci.address.bus;
		info->pci_device = pci.address.device;
		info->pci_function = pci.address.function;
	}
}

static cl_int find_ordinal(struct l0_device *device)
{
	ze_command_queue_group_properties_t groups[16];
	uint32_t n = UTIL_ARRAY_SIZE(groups);

	memset(groups, 0, sizeof(groups));
	for (uint32_t i = 0; i < n; i++)
		groups[i].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
	cl_int rc = L0_CALL(zeDeviceGetCommandQueueGroupProperties, device->ze, &n, groups);
	for (uint32_t i = 0; !rc && i < n; i++) {
		if (groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) {
			device->ordinal = i;
			return CL_SUCCESS;
		}
	}
	return rc ? rc : l0_check("no compute queue", ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

cl_int l0_device_gather(struct l0_device *device)
{
	unsigned has = 0;
	cl_int rc;

	memset(&device->info, 0, sizeof(device->info));
	if ((rc = gather_driver(device, &has)) || (rc = gather_device(device, has)) ||
		(rc = gather_compute(device, has)) || (rc = gather_memory(device)) ||
		(rc = find_ordinal(device)))
		return rc;
	gather_options(device);
	return CL_SUCCESS;
}
