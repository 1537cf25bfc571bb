// SPDX-License-Identifier: MIT
#ifndef L0_FAKE_PRIVATE_H
#define L0_FAKE_PRIVATE_H

#include "l0_fake.h"

#include "l0/l0_loader.h"

/* Counts a call that can fail; whether this one shall. */
bool l0_fake_fails(void);

#define CAN_FAIL                                                                                   \
	do {                                                                                       \
		if (l0_fake_fails())                                                               \
			return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;                                 \
	} while (0)

/* What the driver and the device say of themselves: l0_fake_info.c. */
__typeof__(zeInit) fake_zeInit;
__typeof__(zeDriverGet) fake_zeDriverGet;
__typeof__(zeDriverGetApiVersion) fake_zeDriverGetApiVersion;
__typeof__(zeDriverGetProperties) fake_zeDriverGetProperties;
__typeof__(zeDriverGetExtensionProperties) fake_zeDriverGetExtensionProperties;
__typeof__(zeDeviceGet) fake_zeDeviceGet;
__typeof__(zeDeviceGetProperties) fake_zeDeviceGetProperties;
__typeof__(zeDeviceGetComputeProperties) fake_zeDeviceGetComputeProperties;
__typeof__(zeDeviceGetModuleProperties) fake_zeDeviceGetModuleProperties;
__typeof__(zeDeviceGetCommandQueueGroupProperties) fake_zeDeviceGetCommandQueueGroupProperties;
__typeof__(zeDeviceGetMemoryProperties) fake_zeDeviceGetMemoryProperties;
__typeof__(zeDeviceGetMemoryAccessProperties) fake_zeDeviceGetMemoryAccessProperties;
__typeof__(zeDeviceGetCacheProperties) fake_zeDeviceGetCacheProperties;
__typeof__(zeDeviceGetImageProperties) fake_zeDeviceGetImageProperties;
__typeof__(zeDevicePciGetPropertiesExt) fake_zeDevicePciGetPropertiesExt;

#endif
