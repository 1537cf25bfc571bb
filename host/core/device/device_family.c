// SPDX-License-Identifier: MIT
#include "core/device/device_family.h"

#include "util/util_bits.h"

#include <stdio.h>

#define IP(architecture, release) ((architecture) << 22 | (release) << 14)

const struct device_family device_families[] = {
#define FAMILY(symbol, name, ip_version, progress) { DEVICE_##symbol, name, ip_version, progress },
#include "core/device/device_family.def"
};

static const struct {
	uint32_t mask, value;
	enum device_family_number family;
	const char *compiler;
} models[] = {
#define MODEL(mask, value, family, compiler) { mask, value, DEVICE_##family, compiler },
#include "core/device/device_family.def"
};

const struct device_family *device_family_of(
	uint32_t device_id, uint32_t ip_version, char compiler[16])
{
	size_t i = 0;

	while ((device_id & models[i].mask) != models[i].value)
		i++;
	if (models[i].compiler)
		snprintf(compiler, 16, "%s", models[i].compiler);
	else if (ip_version)
		snprintf(compiler, 16, "%u.%u.%u", util_bits(ip_version, 31, 22),
			util_bits(ip_version, 21, 14), util_bits(ip_version, 5, 0));
	else
		snprintf(compiler, 16, "0x%04x", device_id);
	return &device_families[models[i].family];
}
