// SPDX-License-Identifier: MIT
#ifndef DEVICE_FAMILY_H
#define DEVICE_FAMILY_H

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

/* The rows of device_family.def: families of hardware, the oldest first. */

enum device_family_number {
#define FAMILY(symbol, name, ip_version, progress) DEVICE_##symbol,
#include "core/device/device_family.def"
	DEVICE_N_FAMILIES
};

struct device_family {
	enum device_family_number number;
	const char *name;
	cl_uint ip_version;
	cl_bool independent_progress;
};

extern const struct device_family device_families[DEVICE_N_FAMILIES];

/* The family of a PCI device id, and what the compiler calls the device ("tgllp", "0x56a0"). */
const struct device_family *device_family_of(uint32_t device_id, char compiler[16]);

#endif
