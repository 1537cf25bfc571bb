// SPDX-License-Identifier: MIT
#ifndef L0_DEVICE_H
#define L0_DEVICE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The devices, found and opened by the first call of l0_device_open. What Level Zero knows of one
 * is gathered once into plain values; nobody above this layer sees a Level Zero type.
 */

#define L0_MAX_SUB_GROUP_SIZES 8

/* What newer drivers can do and the oldest (API 1.3) cannot. */
struct l0_capabilities {
	bool global_offset; /* zeKernelSetGlobalOffsetExp: offsets other than 0 */
};

/* Bits as in ZE_MEMORY_ACCESS_CAP_FLAG_*. */
enum l0_memory_access {
	L0_ACCESS_RW = 1,
	L0_ACCESS_ATOMIC = 2,
	L0_ACCESS_CONCURRENT = 4,
	L0_ACCESS_CONCURRENT_ATOMIC = 8
};

struct l0_device_info {
	char name[256]; /* as Level Zero gives it */
	uint32_t device_id;
	uint32_t ip_version;	 /* architecture << 22 | release << 14 | revision; 0: not told */
	uint8_t uuid[16];	 /* of the device */
	uint8_t driver_uuid[16]; /* of the driver */
	uint32_t api_major;
	uint32_t api_minor;
	uint32_t spirv_major; /* what zeModuleCreate takes */
	uint32_t spirv_minor;
	bool integrated;
	bool ecc;

	uint32_t clock_mhz;
	uint32_t slices;
	uint32_t sub_slices_per_slice;
	uint32_t eus_per_sub_slice;
	uint32_t threads_per_eu;

	double tick_ns;			/* of a device timestamp */
	uint32_t kernel_timestamp_bits; /* of l0_event_times */

	uint64_t max_alloc_size;
	uint64_t memory_size;
	uint64_t cache_size; /* of the last level that the device has */
	/* enum l0_memory_access; 0 means that there is no such memory */
	uint64_t host_access;
	uint64_t device_access;
	uint64_t shared_access;
	bool imports_dma_buf; /* l0_import */

	uint32_t max_group_total;
	uint32_t max_group[3];
	uint32_t max_shared_local;
	uint32_t n_sub_group_sizes;
	uint32_t sub_group_sizes[L0_MAX_SUB_GROUP_SIZES];

	uint32_t max_argument_size; /* bytes of all arguments of a kernel */
	uint64_t printf_size;
	bool fp16, fp64;
	bool soft_fp64; /* fp64 is asked for (ZEROCL_FP64), and the device has it not */
	bool int64_atomics;
	bool dp4a;
	bool dpas; /* systolic arrays; or the driver is too old to tell */
	/* cl_device_fp_atomic_capabilities_ext */
	uint32_t fp64_atomics;
	/* cl_device_fp_config bits, as the driver reports them */
	uint64_t fp16_config, fp32_config, fp64_config;

	/* Images: all 0 when the device has none. */
	uint32_t image_1d, image_2d, image_3d, image_array;
	uint32_t samplers, read_images, write_images;

	bool has_pci;
	uint32_t pci_domain, pci_bus, pci_device, pci_function;
	struct l0_capabilities can;
};

struct l0_device;

/*
 * A device by its place in Level Zero's order, NULL behind the last; if there is none at all,
 * l0_report says why. The first call looks for them (any thread, once per process) as ZEROCL_DEVICE
 * says:
 *   gpu   only Intel GPUs of this machine
 *   vgpu  only the virtual device
 *   auto  the GPUs if one is usable, else the virtual device (also when the variable is not set)
 */
struct l0_device *l0_device_open(size_t index);

/*
 * A tile of a device that Level Zero calls its sub-device, by its place; NULL behind the last. A
 * device has none where ZE_FLAT_DEVICE_HIERARCHY makes each tile a device.
 */
struct l0_device *l0_device_tile(const struct l0_device *device, size_t index);

const struct l0_device_info *l0_device_info(const struct l0_device *device);

/* Whether both are of one Level Zero driver, so that they can share memory. */
bool l0_device_has_driver_of(const struct l0_device *device, const struct l0_device *other);

/* Whether libzerocl-vgpu computes. */
bool l0_device_is_virtual(const struct l0_device *device);

/* One moment on two clocks: CLOCK_MONOTONIC in ns, and the device's timestamp. */
cl_int l0_device_clock(struct l0_device *device, uint64_t *host_ns, uint64_t *ticks);

/* CLOCK_MONOTONIC in ns: the clock to which all times of the runtime refer. */
uint64_t l0_host_clock(void);

/*
 * Counts how often the device was lost. Work submitted under an older count than the present one
 * and not finished will never finish.
 */
unsigned l0_device_losses(const struct l0_device *device);

/*
 * Looks whether the device was lost since, and raises the count: takes the virtual device's fault
 * report and lets it run again; asks the status of a real GPU when a call has told of a loss, or
 * a tenth of a second after the last time. Cheap.
 */
void l0_device_check(struct l0_device *device);

/*
 * Of a virtual device: sleeps until one of its batches has ended since *seen was filled,
 * `timeout_ns` at most, and fills it anew; one of 0 is filled at once. False on a real GPU.
 */
bool l0_device_doze(const struct l0_device *device, uint64_t *seen, uint64_t timeout_ns);

/* What the last loss was, for people: copied to `report` (NUL-terminated, cut at `size`). */
void l0_device_loss_report(struct l0_device *device, char *report, size_t size);

/*
 * What was found and why, for `zerocl info` and the log. Strings are never NULL and live as long
 * as the process; "" means that there is nothing to say. Opens the device if nobody did.
 */
struct l0_report {
	const char *wanted;   /* auto, gpu, vgpu */
	const char *loader;   /* path of libze_loader.so.1, "" if missing */
	const char *driver;   /* path of the driver in this process, "" if none was loaded */
	const char *gpu;      /* what was found under /dev/dri */
	const char *virtual_; /* path of libzerocl-vgpu.so.1 if it was installed */
	const char *failure;  /* why there is no device, and what to do; "" if there is one */
};

const struct l0_report *l0_report(void);

#endif
