// SPDX-License-Identifier: MIT
#include "l0_fake_private.h"

#include "l0/l0_ext.h"

#include <string.h>

#define DRIVER ((ze_driver_handle_t)(uintptr_t)0x10)

static const struct l0_fake_model models[] = {
#define IP(architecture, release, revision) ((architecture) << 22 | (release) << 14 | (revision))
#define MODEL(symbol, name, id, ip, sub_group, local, memory, integrated, fp64, dpas, tiles)       \
	{ name, id, ip, sub_group, local, memory, integrated, fp64, dpas, tiles },
#include "l0_fake_models.def"
};

static const struct l0_fake_model *listed[L0_FAKE_N_MODELS] = { models };
static uint32_t n_listed = 1;

void l0_fake_list(const enum l0_fake_model_number *numbers, unsigned n)
{
	n_listed = n;
	for (unsigned i = 0; i < n; i++)
		listed[i] = &models[numbers[i]];
}

/* The handle of a device is its model. */
static const struct l0_fake_model *model_of(ze_device_handle_t device)
{
	return (const struct l0_fake_model *)(const void *)device;
}

ze_result_t fake_zeInit(ze_init_flags_t flags)
{
	(void)flags;
	CAN_FAIL;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDriverGet(uint32_t *n, ze_driver_handle_t *drivers)
{
	CAN_FAIL;
	if (drivers && *n)
		drivers[0] = DRIVER;
	*n = 1;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDriverGetApiVersion(ze_driver_handle_t driver, ze_api_version_t *version)
{
	(void)driver;
	CAN_FAIL;
	*version = ZE_MAKE_VERSION(1, 3);
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDriverGetProperties(
	ze_driver_handle_t driver, ze_driver_properties_t *properties)
{
	(void)driver;
	CAN_FAIL;
	properties->driverVersion = 0x01030000;
	/* as of Intel's: the version, and a part of the time */
	memcpy(properties->uuid.id, (uint8_t[8]){ 0, 0, 3, 1, 0xd1, 0x0b, 0x53, 0x18 }, 8);
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDriverGetExtensionProperties(
	ze_driver_handle_t driver, uint32_t *n, ze_driver_extension_properties_t *extensions)
{
	(void)driver;
	CAN_FAIL;
	static const char *const names[] = { ZE_GLOBAL_OFFSET_EXP_NAME, ZE_FLOAT_ATOMICS_EXT_NAME,
		L0_IP_VERSION_NAME, L0_DP_NAME };
	/* A driver of newer models has all. */
	uint32_t has = listed[0]->ip_version ? 4 : 2;

	for (uint32_t i = 0; extensions && i < *n && i < has; i++)
		strcpy(extensions[i].name, names[i]);
	*n = has;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGet(ze_driver_handle_t driver, uint32_t *n, ze_device_handle_t *devices)
{
	(void)driver;
	CAN_FAIL;
	for (uint32_t i = 0; devices && i < *n && i < n_listed; i++)
		devices[i] = (ze_device_handle_t)(uintptr_t)listed[i];
	*n = n_listed;
	return ZE_RESULT_SUCCESS;
}

/* A tile has its part of the memory. */
ze_result_t fake_zeDeviceGetSubDevices(
	ze_device_handle_t device, uint32_t *n, ze_device_handle_t *devices)
{
	static struct l0_fake_model tiles[L0_FAKE_N_MODELS][L0_FAKE_MOST_TILES];
	const struct l0_fake_model *model = model_of(device);

	CAN_FAIL;
	for (uint32_t i = 0; devices && i < *n && i < model->tiles; i++) {
		struct l0_fake_model *tile = &tiles[model - models][i];

		*tile = *model;
		tile->memory_mib /= model->tiles;
		tile->tiles = 0;
		devices[i] = (ze_device_handle_t)(void *)tile;
	}
	*n = model->tiles;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *p)
{
	const struct l0_fake_model *model = model_of(device);
	struct l0_ip_version *ip = p->pNext;

	CAN_FAIL;
	p->type = ZE_DEVICE_TYPE_GPU;
	p->vendorId = 0x8086;
	p->deviceId = model->id;
	p->flags = model->integrated ? ZE_DEVICE_PROPERTY_FLAG_INTEGRATED : 0;
	p->maxMemAllocSize = 1u << 30;
	p->timerResolution = p->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? 20000000 : 50;
	p->timestampValidBits = 36;
	p->kernelTimestampValidBits = 32;
	p->numSlices = 1;
	p->numSubslicesPerSlice = 6;
	p->numEUsPerSubslice = 16;
	p->numThreadsPerEU = 7;
	strcpy(p->name, model->name);
	if (ip && ip->stype == L0_STRUCTURE_IP_VERSION)
		ip->version = model->ip_version;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetComputeProperties(
	ze_device_handle_t device, ze_device_compute_properties_t *p)
{
	const struct l0_fake_model *model = model_of(device);

	CAN_FAIL;
	p->maxTotalGroupSize = p->maxGroupSizeX = p->maxGroupSizeY = p->maxGroupSizeZ = 512;
	p->maxGroupCountX = p->maxGroupCountY = p->maxGroupCountZ = UINT32_MAX;
	p->maxSharedLocalMemory = model->local_kib << 10;
	for (uint32_t size = model->min_sub_group; size <= 32; size *= 2)
		p->subGroupSizes[p->numSubGroupSizes++] = size;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetModuleProperties(
	ze_device_handle_t device, ze_device_module_properties_t *p)
{
	const struct l0_fake_model *model = model_of(device);
	ze_float_atomic_ext_properties_t *atomics = p->pNext;
	struct l0_dp_properties *dp = atomics->pNext;

	CAN_FAIL;
	p->spirvVersionSupported = ZE_MAKE_VERSION(1, 2);
	p->flags = ZE_DEVICE_MODULE_FLAG_FP16 | (model->fp64 ? ZE_DEVICE_MODULE_FLAG_FP64 : 0);
	p->fp64flags = model->fp64 ? ZE_DEVICE_FP_FLAG_FMA : 0;
	atomics->fp64Flags = model->fp64 && model->ip_version
				     ? ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD |
					       ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD
				     : 0;
	if (dp && dp->stype == L0_STRUCTURE_DP)
		dp->flags = model->dpas ? L0_DP_DPAS : 0;
	p->fp32flags = ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_FMA;
	p->maxArgumentsSize = 2048;
	p->printfBufferSize = 4 << 20;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetCommandQueueGroupProperties(
	ze_device_handle_t device, uint32_t *n, ze_command_queue_group_properties_t *groups)
{
	(void)device;
	CAN_FAIL;
	groups[0].flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
	groups[1].flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
	*n = 2;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetMemoryProperties(
	ze_device_handle_t device, uint32_t *n, ze_device_memory_properties_t *p)
{
	CAN_FAIL;
	*n = 1;
	p->totalSize = (uint64_t)model_of(device)->memory_mib << 20;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetMemoryAccessProperties(
	ze_device_handle_t device, ze_device_memory_access_properties_t *p)
{
	(void)device;
	CAN_FAIL;
	p->hostAllocCapabilities = p->deviceAllocCapabilities =
		p->sharedSingleDeviceAllocCapabilities =
			ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetCacheProperties(
	ze_device_handle_t device, uint32_t *n, ze_device_cache_properties_t *p)
{
	(void)device;
	CAN_FAIL;
	*n = 1;
	p->cacheSize = 1 << 20;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetImageProperties(
	ze_device_handle_t device, ze_device_image_properties_t *p)
{
	(void)device;
	p->maxImageDims1D = p->maxImageDims2D = 16384;
	p->maxImageDims3D = p->maxImageArraySlices = 2048;
	p->maxImageBufferSize = 1 << 27;
	p->maxSamplers = 16;
	p->maxReadImageArgs = p->maxWriteImageArgs = 128;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetExternalMemoryProperties(
	ze_device_handle_t device, ze_device_external_memory_properties_t *p)
{
	(void)device;
	p->memoryAllocationImportTypes = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDevicePciGetPropertiesExt(ze_device_handle_t device, ze_pci_ext_properties_t *p)
{
	(void)device;
	p->address.device = 2;
	return ZE_RESULT_SUCCESS;
}
