// SPDX-License-Identifier: MIT
#include "core/device/device.h"

#include "compile/spirv/lower_buffer_image.h"
#include "core/device/device_ext.h"
#include "core/device/device_family.h"
#include "core/device/extension.h"
#include "core/device/sub_device.h"
#include "core/base/error.h"
#include "core/base/info.h"
#include "util/util_file.h"
#include "util/util_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_names(struct device_names *names)
{
	free(names->text);
	free(names->list);
}

bool device_names_fill(struct device_names *names, const struct extension *rows, size_t n_rows,
	bool (*has)(const struct device *device, const struct extension *row),
	const struct device *device)
{
	size_t size;
	FILE *out = open_memstream(&names->text, &size);

	names->list = calloc(n_rows, sizeof *names->list);
	for (size_t i = 0; out && names->list && i < n_rows; i++) {
		cl_name_version *entry = &names->list[names->n];

		if (!has(device, &rows[i]) || !extension_is_shown(rows[i].name))
			continue;
		fprintf(out, "%s%s", names->n++ ? " " : "", rows[i].name);
		entry->version = rows[i].version;
		strncpy(entry->name, rows[i].name, sizeof entry->name - 1);
	}
	return out && util_file_text(out, &names->text) && names->list;
}

static bool reports(const struct device *device, const struct extension *row)
{
	return row->families & 1u << device->family->number && row->when(device->hw);
}

/* Under ZEROCL_DEVICE=auto the virtual device is what computes, the host's processor. */
static cl_device_type type_of(const struct device *device)
{
	if (!device->is_virtual || !strcmp(l0_report()->wanted, "vgpu"))
		return CL_DEVICE_TYPE_GPU;
	return CL_DEVICE_TYPE_CPU;
}

static cl_device_svm_capabilities svm_of(const struct l0_device_info *hw)
{
	cl_device_svm_capabilities svm = 0;

	if (hw->shared_access & L0_ACCESS_RW)
		svm |= CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
	if (svm && hw->shared_access & L0_ACCESS_CONCURRENT)
		svm |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
	if (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER &&
		hw->shared_access & L0_ACCESS_CONCURRENT_ATOMIC)
		svm |= CL_DEVICE_SVM_ATOMICS;
	return svm;
}

static void fill_limits(struct device *device)
{
	const struct l0_device_info *hw = device->hw;
	uint64_t ticks = (uint64_t)hw->tick_ns;

	device->compute_units = hw->slices * hw->sub_slices_per_slice * hw->eus_per_sub_slice;
	device->n_sub_group_sizes = hw->n_sub_group_sizes;
	for (size_t i = 0; i < hw->n_sub_group_sizes; i++)
		device->sub_group_sizes[i] = hw->sub_group_sizes[i];
	device->max_group_size = hw->max_group_total;
	for (int i = 0; i < 3; i++)
		device->max_group_sizes[i] = hw->max_group[i];
	device->max_sub_groups =
		hw->n_sub_group_sizes ? hw->max_group_total / hw->sub_group_sizes[0] : 0;
	device->max_alloc_size = hw->max_alloc_size;
	device->global_mem_size = hw->memory_size;
	device->local_mem_size = hw->max_shared_local;
	device->mem_base_addr_align = 1024;
	device->max_parameter_size = hw->max_argument_size;
	device->printf_size = (size_t)hw->printf_size;
	/* Level Zero tells of its own compiling; modules are compiled by host/compile, which lowers
	 * what the compiler does not know of 1.4. */
	device->il_minor = hw->spirv_minor < 4 ? 4 : hw->spirv_minor;
	device->svm = svm_of(hw);
	device->timer_resolution = ticks ? (size_t)ticks : 1;
}

static void fill_images(struct device *device)
{
	const struct l0_device_info *hw = device->hw;

	device->has_images = hw->image_2d && hw->image_3d && hw->samplers;
	if (!device->has_images)
		return;
	device->images = (struct device_images){
		.size_2d = hw->image_2d,
		.size_3d = hw->image_3d,
		.layers = hw->image_array,
		.buffer = hw->image_1d,
		.line = hw->image_1d,
		.read_args = hw->read_images,
		.write_args = hw->write_images,
		.read_write_args = hw->write_images,
		.samplers = hw->samplers,
		.pitch_align = 4,
		.base_align = 1,
	};
	if (hw->image_2d < 2 * BUFFER_IMAGE_WIDTH)
		return;
	/* of the largest pixels a buffer may hold no more */
	size_t rows = (size_t)hw->image_2d << BUFFER_IMAGE_SHIFT;
	size_t held = (size_t)hw->max_alloc_size / DEVICE_MAX_PIXEL;
	device->images.buffer = rows < held ? rows : held;
}

/* OpenCL 3.1, where all that it demands is there, else 3.0. */
static cl_version version_of(const struct device *device)
{
	const char *missing = device->hw->spirv_major ? NULL : "SPIR-V 1.4";
	const char *name;

	if (!device->max_sub_groups)
		missing = "sub-groups";
	for (size_t i = 0; !missing && (name = extension_of_3_1(i)); i++)
		if (!device_has_extension(device, name))
			missing = name;
	if (missing)
		util_log(UTIL_LOG_INFO, "cl", "%s reports OpenCL 3.0: it has no %s", device->name,
			missing);
	return CL_MAKE_VERSION(3, missing ? 0 : 1, 0);
}

/* Makes room for the sub-devices. */
static bool count_tiles(struct device *device)
{
	while (l0_device_tile(device->l0, device->n_tiles))
		device->n_tiles++;
	device->tiles = calloc(device->n_tiles, sizeof *device->tiles);
	return device->tiles || !device->n_tiles;
}

struct device *device_create(struct platform *platform, struct device *parent, struct l0_device *l0)
{
	struct device *device = calloc(1, sizeof *device);

	if (!device)
		return NULL;
	obj_init(&device->base, OBJ_DEVICE, &platform->base, parent ? sub_device_destroy : NULL);
	device->platform = platform;
	device->parent = parent;
	device->l0 = l0;
	device->hw = l0_device_info(l0);
	device->is_virtual = l0_device_is_virtual(l0);
	device->type = type_of(device);
	snprintf(device->name, sizeof device->name, "%.*s%s", (int)sizeof device->name - 11,
		device->hw->name, device->is_virtual ? " (virtual)" : "");
	device->family = device_family_of(
		device->hw->device_id, device->hw->ip_version, device->compiler_family);
	fill_limits(device);
	fill_images(device);
	if (!count_tiles(device) ||
		!device_names_fill(
			&device->extensions, extension_rows, extension_n_rows, reports, device) ||
		!device_names_fill(&device->features, extension_features, extension_n_features,
			reports, device)) {
		device_destroy(device);
		return NULL;
	}
	device->version = version_of(device);
	return device;
}

void device_destroy(struct device *device)
{
	drop_names(&device->extensions);
	drop_names(&device->features);
	free(device->tiles);
	obj_free(device);
}

static bool has_name(const struct device_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->list[i].name, name))
			return true;
	return false;
}

bool device_has_extension(const struct device *device, const char *name)
{
	return has_name(&device->extensions, name);
}

bool device_has_feature(const struct device *device, const char *name)
{
	return has_name(&device->features, name);
}

static const struct {
	cl_external_memory_handle_type_khr type;
	const char *extension;
} importers[] = {
	{ CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, "cl_khr_external_memory_dma_buf" },
	{ CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, "cl_khr_external_memory_opaque_fd" },
};

const char *device_importer_of(cl_properties type)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(importers); i++)
		if (importers[i].type == type)
			return importers[i].extension;
	return NULL;
}

cl_int device_answer_imports(
	const struct device *first, const struct device *end, const struct info *info)
{
	cl_external_memory_handle_type_khr types[UTIL_ARRAY_SIZE(importers)];
	size_t n = 0;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(importers); i++) {
		const struct device *device = first;

		while (device != end && device_has_extension(device, importers[i].extension))
			device = device->next;
		if (device == end)
			types[n++] = importers[i].type;
	}
	return info_bytes(info, types, n * sizeof *types);
}
