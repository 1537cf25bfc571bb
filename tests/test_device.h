// SPDX-License-Identifier: MIT
#ifndef TEST_DEVICE_H
#define TEST_DEVICE_H

#include <stdlib.h>

#include "gen/gen_device.h"

/* The device that a test runs for: the default one, or that of families.cmake. */
static inline const struct gen_device *test_device(void)
{
	return gen_device_find(getenv("ZEROCL_VGPU"));
}

/* What iga64 calls the generation of a device. */
static inline const char *test_assembler(const struct gen_device *device)
{
	static const char *const names[GEN_GENERATIONS] = {
		[GEN_9] = "9", [GEN_11] = "11", [GEN_12] = "12p1", [GEN_HPG] = "12p71"
	};

	return names[device->family->generation];
}

#endif
