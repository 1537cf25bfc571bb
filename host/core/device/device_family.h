// SPDX-License-Identifier: MIT
#ifndef DEVICE_FAMILY_H
#define DEVICE_FAMILY_H

#include <CL/cl.h>
#include <stdint.h>

/* What differs between the families of hardware and is not known from Level Zero. */

enum device_generation { DEVICE_GEN9, DEVICE_GEN11, DEVICE_GEN12LP, DEVICE_N_GENERATIONS };

struct device_family {
	enum device_generation generation;
	const char *name;
	cl_uint ip_version; /* CL_DEVICE_IP_VERSION_INTEL: major << 16 | minor << 8 */
	/* CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, as Intel's driver reports it */
	cl_bool independent_progress;
};

/*
 * The family of a PCI device id; *compiler is what IGC calls the device ("tgllp"). NULL for an id
 * that is none of these families'.
 */
const struct device_family *device_family_of(uint32_t device_id, const char **compiler);

#endif
