// SPDX-License-Identifier: MIT
#ifndef GEN_DEVICE_H
#define GEN_DEVICE_H

#include <stdint.h>

/* One virtual device: what the kernel driver, the topology query and the EU need to know. */
struct gen_device {
	const char *name; /* as ZEROCL_VGPU names it */
	uint16_t pci_id;
	uint8_t revision;
	uint8_t version;       /* 9, 11, 12 */
	uint32_t iga_platform; /* libiga64's number of the instruction set */
	uint8_t slices;
	uint8_t subslices; /* in all, dual subslices on Gen12 */
	uint8_t eus_per_subslice;
	uint8_t threads_per_eu;
	uint32_t timestamp_hz; /* of the command streamer's timestamp register */
	uint32_t max_frequency_mhz;
	uint32_t slm_bytes; /* per thread group, at most */
};

/* EU threads that are resident at once; an FFTID is below this. */
static inline uint32_t gen_device_threads(const struct gen_device *device)
{
	return (uint32_t)device->subslices * device->eus_per_subslice * device->threads_per_eu;
}

/* The device of that name, or NULL. NULL asks for the default (tgllp). */
const struct gen_device *gen_device_find(const char *name);

#endif
