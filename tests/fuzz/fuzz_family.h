// SPDX-License-Identifier: MIT
#ifndef FUZZ_FAMILY_H
#define FUZZ_FAMILY_H

#include "gen/gen_device.h"

/* The families of the virtual device; an input says by a byte which of them it runs on. */
enum { FUZZ_FAMILIES = 4 };

static inline const struct gen_device *fuzz_family(unsigned choice)
{
	static const char *const names[FUZZ_FAMILIES] = { "tgllp", "skl", "icl", "dg2" };

	return gen_device_find(names[choice % FUZZ_FAMILIES]);
}

#endif
