// SPDX-License-Identifier: MIT
#include "l0_fake_private.h"

#include <string.h>

#define DRIVER ((ze_driver_handle_t)(uintptr_t)0x10)
#define DEVICE ((ze_device_handle_t)(uintptr_t)0x20)

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
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDriverGetExtensionProperties(
	ze_driver_handle_t driver, uint32_t *n, ze_driver_extension_properties_t *extensions)
{
	(void)driver;
	CAN_FAIL;
	if (extensions && *n)
		strcpy(extensions[0].name, ZE_GLOBAL_OFFSET_EXP_NAME);
	*n = 1;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGet(ze_driver_handle_t driver, uint32_t *n, ze_device_handle_t *devices)
{
	(void)driver;
	CAN_FAIL;
	if (devices && *n)
		devices[0] = DEVICE;
	*n = 1;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *p)
{
	(void)device;
	CAN_FAIL;
	p->type = ZE_DEVICE_TYPE_GPU;
	p->vendorId = 0x8086;
	p->deviceId = 0x9a49;
	p->flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
	p->maxMemAllocSize = 1u << 30;
	p->timerResolution = p->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? 20000000 : 50;
	p->timestampValidBits = 36;
	p->kernelTimestampValidBits = 32;
	p->numSlices = 1;
	p->numSubslicesPerSlice = 6;
	p->numEUsPerSubslice = 16;
	p->numThreadsPerEU = 7;
	strcpy(p->name, "Fake Graphics");
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetComputeProperties(
	ze_device_handle_t device, ze_device_compute_properties_t *p)
{
	(void)device;
	CAN_FAIL;
	p->maxTotalGroupSize = p->maxGroupSizeX = p->maxGroupSizeY = p->maxGroupSizeZ = 512;
	p->maxGroupCountX = p->maxGroupCountY = p->maxGroupCountZ = UINT32_MAX;
	p->maxSharedLocalMemory = 65536;
	p->numSubGroupSizes = 3;
	p->subGroupSizes[0] = 8;
	p->subGroupSizes[1] = 16;
	p->subGroupSizes[2] = 32;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeDeviceGetModuleProperties(
	ze_device_handle_t device, ze_device_module_properties_t *p)
{
	(void)device;
	CAN_FAIL;
	p->spirvVersionSupported = ZE_MAKE_VERSION(1, 2);
	p->flags = ZE_DEVICE_MODULE_FLAG_FP16;
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
	(void)device;
	CAN_FAIL;
	*n = 1;
	p->totalSize = 1u << 31;
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

ze_result_t fake_zeDevicePciGetPropertiesExt(ze_device_handle_t device, ze_pci_ext_properties_t *p)
{
	(void)device;
	p->address.device = 2;
	return ZE_RESULT_SUCCESS;
}
