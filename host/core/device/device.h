// SPDX-License-Identifier: MIT
#ifndef DEVICE_H
#define DEVICE_H

#include "core/base/obj.h"
#include "core/device/platform.h"
#include "l0/l0_device.h"

#include <CL/cl_ext.h>
#include <stdbool.h>

struct device_family;
struct extension;

/* Extensions and features of OpenCL C in the forms in which queries want them. */
struct device_names {
	char *text; /* separated by spaces */
	cl_name_version *list;
	size_t n;
};

/* Limits of images; all 0 without images. */
struct device_images {
	size_t size_2d; /* of 1D images too */
	size_t size_3d; /* in each direction */
	size_t layers;	/* of arrays */
	size_t buffer;	/* pixels of a 1D image of a buffer */
	size_t line;	/* … for native code that has no rows for it:
			   compile/spirv/lower_buffer_image.h */
	cl_uint read_args, write_args, read_write_args;
	cl_uint samplers;
	cl_uint pitch_align, base_align; /* of 2D images of buffers, pixels */
};

#define DEVICE_MAX_PIXEL  16 /* bytes of the largest pixel of an image */
#define DEVICE_CACHE_LINE 64 /* bytes */

/*
 * A device. Everything is fixed when it is created. The answers of clGetDeviceInfo are fields
 * here and of `hw`, constants, or functions; device_info.c has the rows.
 */
struct device {
	struct obj base;
	struct device *next;   /* of the platform; NULL for a sub-device */
	struct device *parent; /* of a sub-device; else NULL */
	struct device **tiles; /* sub-devices that are alive, under sub_device.c's lock */
	cl_uint n_tiles;       /* 0: it cannot be partitioned */
	struct platform *platform;
	struct l0_device *l0;
	const struct l0_device_info *hw;
	const struct device_family *family; /* what cannot be asked of Level Zero */
	char compiler_family[16];	    /* what host/compile calls it: "tgllp", "12.55.8" */
	bool is_virtual;
	cl_bool has_images; /* all of `images` is 0 if not */
	cl_device_type type;
	char name[256];
	cl_version version; /* of OpenCL: 3.0 or 3.1 */
	struct device_names extensions;
	struct device_names features;
	size_t sub_group_sizes[L0_MAX_SUB_GROUP_SIZES]; /* ascending */
	size_t n_sub_group_sizes;
	size_t max_group_size;
	size_t max_group_sizes[3];
	cl_ulong max_alloc_size;
	cl_ulong global_mem_size;
	cl_ulong local_mem_size;
	cl_uint mem_base_addr_align; /* bits */
	cl_uint compute_units;
	cl_uint max_sub_groups; /* of a work-group */
	size_t max_parameter_size;
	size_t printf_size;
	size_t timer_resolution; /* ns */
	uint32_t il_minor;	 /* the latest SPIR-V 1.x */
	cl_device_svm_capabilities svm;
	struct device_images images;
};

OBJ_DEFINE(device, cl_device_id, OBJ_DEVICE)

/*
 * Fills the names, all 0, with the rows that `has` accepts of the device and that are not hidden.
 * False: no memory; the device owns them, in either case.
 */
bool device_names_fill(struct device_names *names, const struct extension *rows, size_t n_rows,
	bool (*has)(const struct device *device, const struct extension *row),
	const struct device *device);

/*
 * Creates the device over `l0`, which lives as long as the library, and so does a device without a
 * parent. NULL: no memory.
 */
struct device *device_create(
	struct platform *platform, struct device *parent, struct l0_device *l0);
/* Frees a device whose handle nobody has. */
void device_destroy(struct device *device);

cl_int device_info(struct device *device, cl_device_info param, const struct info *info);

/* True when the device reports the extension of that name. */
bool device_has_extension(const struct device *device, const char *name);
/* The same of a feature of OpenCL C. */
bool device_has_feature(const struct device *device, const char *name);

/* The extension that imports memory of another API by that type of handle; NULL: none does. */
const char *device_importer_of(cl_properties type);
/* Answers with the types that all devices from the first to before `end` import. */
cl_int device_answer_imports(
	const struct device *first, const struct device *end, const struct info *info);

#endif
