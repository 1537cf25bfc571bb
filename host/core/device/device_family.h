// SPDX-License-Identifier: MIT
#ifndef DEVICE_FAMILY_H
#define DEVICE_FAMILY_H

#include "l0/l0_device.h"

#include <CL/cl.h>
#include <stdbool.h>

/*
 * What differs between the families of hardware and Level Zero does not tell, and the tables of
 * extensions and OpenCL C features with a column per family. A row is reported only when all that
 * it promises works.
 */

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

struct device_feature {
	const char *name;
	cl_version version;
	bool has[DEVICE_N_GENERATIONS];
	bool (*when)(const struct l0_device_info *hw); /* NULL: always */
	bool platform; /* of an extension: needs no device, and the platform reports it too */
};

extern const struct device_feature device_extensions[];
extern const size_t device_n_extensions;
extern const struct device_feature device_c_features[];
extern const size_t device_n_c_features;

#endif
