// SPDX-License-Identifier: MIT
#ifndef GEN_DEVICE_H
#define GEN_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/gen_inst.h"

/* Hardware engines, in the order in which the kernel lists them. */
enum gen_engine {
	GEN_ENGINE_RCS0,
	GEN_ENGINE_BCS0,
	GEN_ENGINE_VCS0,
	GEN_ENGINE_VCS2,
	GEN_ENGINE_VECS0,
	GEN_ENGINE_CCS0,
	GEN_ENGINES
};

/* What devices of a hardware generation have in common. */
struct gen_family {
	const char *name;
	enum gen_generation generation;
	uint32_t iga_platform; /* libiga64's number of the instruction set */
	/* Bits of the 128-bit encoding. */
	uint8_t end_of_thread;
	uint8_t predicate; /* lowest of 4 */
	uint8_t sfid;	   /* lowest of 4 */
	uint8_t immediate; /* the target of jmpi and call is an offset, not in a register */
	uint8_t immediate_divergent; /* the same of brd and brc */
	bool jumps_from_next;	     /* the offset of jmpi counts from the next instruction */
	bool has_large_grf;	     /* threads may have 256 registers, not 128 */
	/* Handles of surfaces begin at bit 6 of a descriptor, not 12, where this bit says so of a
	 * descriptor in a0; 0: they never do. */
	uint8_t wide_handle;
	bool has_macl;	   /* mach without AccWrEn is macl */
	bool fences_local; /* code orders local memory by fences; else it is in order */
	uint32_t types;	   /* of the operands of arithmetic: bit n for enum gen_type n */
	bool inverts_goto; /* a forward goto with a predicate takes the channels where it is false
			    */
	uint8_t threads_per_eu;
	uint32_t timestamp_hz; /* of the command streamer's timestamp register */
	uint32_t engines;      /* bit n: enum gen_engine n */
};

/* One virtual device: a row of gen_device.def. */
struct gen_device {
	const char *name; /* as ZEROCL_VGPU names it */
	const char *product;
	const struct gen_family *family;
	uint16_t pci_id;
	uint8_t revision;
	uint8_t slices;
	uint8_t subslices; /* in all, dual subslices on Gen12 */
	uint8_t eus_per_subslice;
	uint32_t max_frequency_mhz;
	uint64_t local_memory_bytes; /* 0: the device shares the host's */
};

/* Registers of a thread, at most. */
static inline unsigned gen_family_registers(const struct gen_family *family)
{
	return family->has_large_grf ? GEN_GRF_COUNT : GEN_GRF_COUNT / 2;
}

/* EU threads that are resident at once; an FFTID is below this. */
static inline uint32_t gen_device_threads(const struct gen_device *device)
{
	return (uint32_t)device->subslices * device->eus_per_subslice *
	       device->family->threads_per_eu;
}

/* The device of that name, or NULL. NULL asks for the default (tgllp). */
const struct gen_device *gen_device_find(const char *name);

/* Device i, or NULL when there are not so many. */
const struct gen_device *gen_device_row(unsigned i);

#endif
