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

/*
 * The family of a PCI device id, and in `compiler` what the compiler calls the device. That is the
 * name of the family ("tgllp") if it has one. Else it is the version ("12.55.8"), because drivers
 * that tell a version refuse code for another revision; or the id ("0x56a0") if the version is 0.
 */
const struct device_family *device_family_of(
	uint32_t device_id, uint32_t ip_version, char compiler[16]);

#endif
