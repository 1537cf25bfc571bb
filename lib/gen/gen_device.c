// SPDX-License-Identifier: MIT
#include "gen/gen_device.h"

#include <string.h>

#include "util/util_bits.h"

#define ENGINE(name) (1u << GEN_ENGINE_##name)
#define TYPE(name)   (UINT32_C(1) << GEN_TYPE_##name)

/* Where instructions have their fields, before Gen12 and from it on. */
#define OLD_FIELDS                                                                                 \
	.end_of_thread = 127, .predicate = 16, .sfid = 24, .immediate = 90,                        \
	.immediate_divergent = 42, .jumps_from_next = true
#define NEW_FIELDS                                                                                 \
	.end_of_thread = 34, .predicate = 24, .sfid = 92, .immediate = 46, .immediate_divergent = 46
/* What all have from Gen11 on. */
#define SINCE_GEN11                                                                                \
	.has_macl = true, .fences_local = true, .types = ~(TYPE(DF) | TYPE(Q) | TYPE(UQ))
#define ENGINES (ENGINE(RCS0) | ENGINE(BCS0) | ENGINE(VCS0) | ENGINE(VECS0))

static const struct gen_family gen9 = {
	.name = "Gen9",
	.generation = GEN_9,
	.iga_platform = 0x00090000,
	OLD_FIELDS,
	.types = UINT32_MAX,
	.inverts_goto = true,
	.threads_per_eu = 7,
	.timestamp_hz = 12000000,
	.engines = ENGINES,
};

static const struct gen_family gen11 = {
	.name = "Gen11",
	.generation = GEN_11,
	.iga_platform = 0x000b0000,
	OLD_FIELDS,
	SINCE_GEN11,
	.threads_per_eu = 7,
	.timestamp_hz = 12000000,
	.engines = ENGINES | ENGINE(VCS2),
};

static const struct gen_family gen12lp = {
	.name = "Gen12LP",
	.generation = GEN_12,
	.iga_platform = 0x01000000,
	NEW_FIELDS,
	SINCE_GEN11,
	.threads_per_eu = 8,
	.timestamp_hz = 19200000,
	.engines = ENGINES | ENGINE(VCS2),
};

static const struct gen_family xe_hpg = {
	.name = "Xe-HPG",
	.generation = GEN_HPG,
	.iga_platform = 0x01000002,
	NEW_FIELDS,
	SINCE_GEN11,
	.has_large_grf = true,
	.wide_handle = 39,
	.threads_per_eu = 8,
	.timestamp_hz = 19200000,
	.engines = ENGINES | ENGINE(VCS2) | ENGINE(CCS0),
};

static const struct gen_device devices[] = {
#define DEVICE(text, kind, id, step, n_slices, n_subslices, n_eus, mhz, gib, marketing)            \
	{ .name = text,                                                                            \
		.product = marketing,                                                              \
		.family = &kind,                                                                   \
		.pci_id = id,                                                                      \
		.revision = step,                                                                  \
		.slices = n_slices,                                                                \
		.subslices = (n_slices) * (n_subslices),                                           \
		.eus_per_subslice = n_eus,                                                         \
		.max_frequency_mhz = mhz,                                                          \
		.local_memory_bytes = UINT64_C(gib) << 30 },
#include "gen/gen_device.def"
#undef DEVICE
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

const struct gen_device *gen_device_row(unsigned i)
{
	return i < UTIL_ARRAY_SIZE(devices) ? &devices[i] : NULL;
}
