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

#endif
