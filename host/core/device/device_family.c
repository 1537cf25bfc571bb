// SPDX-License-Identifier: MIT
#include "core/device/device_family.h"

#include "util/util_bits.h"

static const struct device_family families[] = {
	[DEVICE_GEN9] = { DEVICE_GEN9, "Gen9", 9 << 16, CL_TRUE },
	[DEVICE_GEN11] = { DEVICE_GEN11, "Gen11", 11 << 16, CL_TRUE },
	[DEVICE_GEN12LP] = { DEVICE_GEN12LP, "Gen12LP", 12 << 16, CL_FALSE },
};

/* PCI ids by their upper bits; the first row that fits counts. */
static const struct {
	uint32_t mask, value;
	enum device_generation generation;
	const char *compiler;
} ids[] = {
	{ 0xff00, 0x1900, DEVICE_GEN9, "skl" },
	{ 0xff00, 0x5900, DEVICE_GEN9, "kbl" },
	{ 0xff00, 0x8700, DEVICE_GEN9, "kbl" },
	{ 0xff00, 0x3e00, DEVICE_GEN9, "cfl" },
	{ 0xff00, 0x9b00, DEVICE_GEN9, "cfl" },
	{ 0xff00, 0x5a00, DEVICE_GEN9, "bxt" },
	{ 0xff00, 0x0a00, DEVICE_GEN9, "bxt" },
	{ 0xff00, 0x1a00, DEVICE_GEN9, "bxt" },
	{ 0xff00, 0x3100, DEVICE_GEN9, "glk" },
	{ 0xff00, 0x8a00, DEVICE_GEN11, "icllp" },
	{ 0xff00, 0x4500, DEVICE_GEN11, "ehl" },
	{ 0xff00, 0x4e00, DEVICE_GEN11, "ehl" },
	{ 0xff00, 0x9a00, DEVICE_GEN12LP, "tgllp" },
	{ 0xfff0, 0x4c80, DEVICE_GEN12LP, "rkl" },
	{ 0xfff0, 0x4c90, DEVICE_GEN12LP, "rkl" },
	{ 0xfff0, 0x4680, DEVICE_GEN12LP, "adls" },
	{ 0xfff0, 0x4690, DEVICE_GEN12LP, "adls" },
	{ 0xff00, 0x4600, DEVICE_GEN12LP, "adlp" },
	{ 0xfff0, 0xa780, DEVICE_GEN12LP, "adls" },
	{ 0xff00, 0xa700, DEVICE_GEN12LP, "adlp" },
	{ 0xff00, 0x4900, DEVICE_GEN12LP, "dg1" },
};

const struct device_family *device_family_of(uint32_t device_id, const char **compiler)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(ids); i++) {
		if ((device_id & ids[i].mask) != ids[i].value)
			continue;
		*compiler = ids[i].compiler;
		return &families[ids[i].generation];
	}
	return NULL;
}
