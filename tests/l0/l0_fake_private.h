// SPDX-License-Identifier: MIT
#ifndef L0_FAKE_PRIVATE_H
#define L0_FAKE_PRIVATE_H

#include "l0_fake.h"

#include "l0/l0_loader.h"

/* Counts a call that can fail; whether this one shall. */
bool l0_fake_fails(void);

#define CAN_FAIL                                                                                   \
	do {                                                                                       \
		if (l0_fake.calls_lost)                                                            \
			return ZE_RESULT_ERROR_DEVICE_LOST;                                        \
		if (l0_fake_fails())                                                               \
			return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;                                 \
	} while (0)

/* calloc, or realloc of `old`, or aligned_alloc: none that a test makes fail. */
void *l0_fake_alloc(void *old, size_t size, size_t align);

/* Objects that l0_fake.live counts; zeroed. */
void *l0_fake_make(size_t size);
ze_result_t l0_fake_unmake(void *object);

/* Counts misuse of the API in l0_fake.errors and prints it. */
void l0_fake_misuse(const char *what);

/* A copy between an image and packed memory (`from` NULL), or between images. */
struct l0_fake_image_copy {
	ze_image_handle_t image, from;
	ze_image_region_t region, from_region;
	char *memory;
	bool to_image;
};
void l0_fake_image_run(const struct l0_fake_image_copy *copy);
ze_result_t l0_fake_append_image(ze_command_list_handle_t list,
	const struct l0_fake_image_copy *copy, ze_event_handle_t event);

/* l0_fake_memory.c */
__typeof__(zeMemAllocShared) fake_zeMemAllocShared;
__typeof__(zeMemAllocHost) fake_zeMemAllocHost;
__typeof__(zeMemAllocDevice) fake_zeMemAllocDevice;
__typeof__(zeMemFree) fake_zeMemFree;
__typeof__(zeContextMakeMemoryResident) fake_zeContextMakeMemoryResident;
__typeof__(zeContextEvictMemory) fake_zeContextEvictMemory;

/* l0_fake_module.c */
__typeof__(zeModuleCreate) fake_zeModuleCreate;
__typeof__(zeModuleDestroy) fake_zeModuleDestroy;
__typeof__(zeModuleGetFunctionPointer) fake_zeModuleGetFunctionPointer;
__typeof__(zeModuleGetGlobalPointer) fake_zeModuleGetGlobalPointer;
__typeof__(zeModuleBuildLogGetString) fake_zeModuleBuildLogGetString;
__typeof__(zeModuleBuildLogDestroy) fake_zeModuleBuildLogDestroy;

/* l0_fake_image.c */
__typeof__(zeImageCreate) fake_zeImageCreate;
__typeof__(zeImageDestroy) fake_zeImageDestroy;
__typeof__(zeImageViewCreateExp) fake_zeImageViewCreateExp;
__typeof__(zeSamplerCreate) fake_zeSamplerCreate;
__typeof__(zeSamplerDestroy) fake_zeSamplerDestroy;
__typeof__(zeCommandListAppendImageCopyFromMemory) fake_zeCommandListAppendImageCopyFromMemory;
__typeof__(zeCommandListAppendImageCopyToMemory) fake_zeCommandListAppendImageCopyToMemory;
__typeof__(zeCommandListAppendImageCopyRegion) fake_zeCommandListAppendImageCopyRegion;

/* What the driver and the device say of themselves: l0_fake_info.c. */
__typeof__(zeInit) fake_zeInit;
__typeof__(zeDriverGet) fake_zeDriverGet;
__typeof__(zeDriverGetApiVersion) fake_zeDriverGetApiVersion;
__typeof__(zeDriverGetProperties) fake_zeDriverGetProperties;
__typeof__(zeDriverGetExtensionProperties) fake_zeDriverGetExtensionProperties;
__typeof__(zeDeviceGet) fake_zeDeviceGet;
__typeof__(zeDeviceGetSubDevices) fake_zeDeviceGetSubDevices;
__typeof__(zeDeviceGetProperties) fake_zeDeviceGetProperties;
__typeof__(zeDeviceGetComputeProperties) fake_zeDeviceGetComputeProperties;
__typeof__(zeDeviceGetModuleProperties) fake_zeDeviceGetModuleProperties;
__typeof__(zeDeviceGetCommandQueueGroupProperties) fake_zeDeviceGetCommandQueueGroupProperties;
__typeof__(zeDeviceGetMemoryProperties) fake_zeDeviceGetMemoryProperties;
__typeof__(zeDeviceGetMemoryAccessProperties) fake_zeDeviceGetMemoryAccessProperties;
__typeof__(zeDeviceGetCacheProperties) fake_zeDeviceGetCacheProperties;
__typeof__(zeDeviceGetImageProperties) fake_zeDeviceGetImageProperties;
__typeof__(zeDeviceGetExternalMemoryProperties) fake_zeDeviceGetExternalMemoryProperties;
__typeof__(zeDevicePciGetPropertiesExt) fake_zeDevicePciGetPropertiesExt;

#endif
