// SPDX-License-Identifier: MIT
#include "gen/gen_device.h"

#include <string.h>

#include "util/util_bits.h"

static const struct gen_family gen12lp = {
	.generation = GEN_12,
	.iga_platform = 0x01000000,
	.end_of_thread = 34,
	.predicate = 24,
	.sfid = 92,
	.immediate = 46,
	.has_macl = true,
	.types = ~(UINT32_C(1) << GEN_TYPE_DF),
};

/* The first row is the default. */
static const struct gen_device devices[] = {
	{
		.name = "tgllp", /* Tiger Lake U GT2 */
		.pci_id = 0x9a49,
		.revision = 1,
		.version = 12,
		.family = &gen12lp,
		.slices = 1,
		.subslices = 6,
		.eus_per_subslice = 16,
		.threads_per_eu = 8,
		.timestamp_hz = 19200000,
		.max_frequency_mhz = 1300,
		.slm_bytes = 65536,
	},
};

const struct gen_device *gen_device_find(const char *name)
{
	if (!name)
		return &devices[0];
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(devices); i++) {
		if (strcmp(devices[i].name, name) == 0)
			return &devices[i];
	}
	return NULL;
}
