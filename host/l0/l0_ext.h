// SPDX-License-Identifier: MIT
#ifndef L0_EXT_H
#define L0_EXT_H

#include <level_zero/ze_api.h>

/* Of Level Zero's newer versions and of Intel's extensions, where Debian 12's headers are older. A
 * structure is passed only to a driver that lists its extension. */

/* Level Zero 1.8: the IP version, passed with ze_device_properties_t. */
#define L0_IP_VERSION_NAME	"ZE_extension_device_ip_version"
#define L0_STRUCTURE_IP_VERSION ((ze_structure_type_t)0x1000f)
struct l0_ip_version {
	ze_structure_type_t stype;
	const void *next;
	uint32_t version;
};

/* Intel's, since 23.22: dot products, passed with ze_device_module_properties_t. */
#define L0_DP_NAME	"ZE_intel_experimental_device_module_dp_properties"
#define L0_STRUCTURE_DP ((ze_structure_type_t)0x00030013)
#define L0_DP_DPAS	2u
struct l0_dp_properties {
	ze_structure_type_t stype;
	void *next;
	uint32_t flags;
};

#endif
