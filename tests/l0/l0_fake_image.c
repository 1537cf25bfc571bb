// SPDX-License-Identifier: MIT
/* Images of the fake device: pixels of `size` bytes, packed. */
#include "l0_fake_private.h"

#include <stdlib.h>
#include <string.h>

struct _ze_image_handle_t {
	uint32_t extent[3];
	uint32_t size; /* of a pixel */
	char *bytes;
	bool is_view;
};

static uint32_t pixel_size(ze_image_format_layout_t layout)
{
	static const uint32_t sizes[] = { 1, 2, 4, 2, 4, 4, 8, 8, 16, 4, 4, 2, 2, 2 };

	return sizes[layout];
}

static void describe(ze_image_handle_t image, const ze_image_desc_t *desc)
{
	bool has_rows = desc->type != ZE_IMAGE_TYPE_1D && desc->type != ZE_IMAGE_TYPE_1DARRAY;

	image->extent[0] = (uint32_t)desc->width;
	image->extent[1] = has_rows ? desc->height : 1;
	image->extent[2] = desc->type == ZE_IMAGE_TYPE_3D ? desc->depth : 1;
	if (desc->type == ZE_IMAGE_TYPE_1DARRAY)
		image->extent[1] = desc->arraylevels;
	if (desc->type == ZE_IMAGE_TYPE_2DARRAY)
		image->extent[2] = desc->arraylevels;
	image->size = pixel_size(desc->format.layout);
	/* no image of ours has any, and drivers end the process when told of too many */
	l0_fake.errors += desc->miplevels != 0;
}

ze_result_t fake_zeImageCreate(ze_context_handle_t context, ze_device_handle_t device,
	const ze_image_desc_t *desc, ze_image_handle_t *out)
{
	(void)context;
	(void)device;
	CAN_FAIL;
	ze_image_handle_t image = l0_fake_make(sizeof(*image));
	describe(image, desc);
	size_t size = (size_t)image->extent[0] * image->extent[1] * image->extent[2] * image->size;
	image->bytes = l0_fake_make(size);
	memset(image->bytes, 0xa5, size);
	*out = image;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeImageViewCreateExp(ze_context_handle_t context, ze_device_handle_t device,
	const ze_image_desc_t *desc, ze_image_handle_t of, ze_image_handle_t *out)
{
	(void)context;
	(void)device;
	CAN_FAIL;
	ze_image_handle_t image = l0_fake_make(sizeof(*image));
	describe(image, desc);
	image->bytes = of->bytes;
	image->is_view = true;
	*out = image;
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeImageDestroy(ze_image_handle_t image)
{
	if (!image->is_view)
		l0_fake_unmake(image->bytes);
	return l0_fake_unmake(image);
}

static char *pixel(ze_image_handle_t image, const ze_image_region_t *region, uint32_t y, uint32_t z)
{
	size_t row = (size_t)(region->originZ + z) * image->extent[1] + region->originY + y;

	return image->bytes + (row * image->extent[0] + region->originX) * image->size;
}

void l0_fake_image_run(const struct l0_fake_image_copy *copy)
{
	const ze_image_region_t *region = &copy->region;
	size_t row = (size_t)region->width * copy->image->size;

	for (uint32_t z = 0; z < region->depth; z++)
		for (uint32_t y = 0; y < region->height; y++) {
			char *memory = copy->memory + ((size_t)z * region->height + y) * row;
			char *ours = pixel(copy->image, region, y, z);

			if (copy->from)
				memcpy(ours, pixel(copy->from, &copy->from_region, y, z), row);
			else if (copy->to_image)
				memcpy(ours, memory, row);
			else
				memcpy(memory, ours, row);
		}
}

static bool can_copy(ze_image_handle_t image, const ze_image_region_t *region)
{
	return region->width && region->height && region->depth &&
	       region->originX + region->width <= image->extent[0] &&
	       region->originY + region->height <= image->extent[1] &&
	       region->originZ + region->depth <= image->extent[2];
}

ze_result_t fake_zeCommandListAppendImageCopyFromMemory(ze_command_list_handle_t list,
	ze_image_handle_t to, const void *from, const ze_image_region_t *region,
	ze_event_handle_t event, uint32_t n_waits, ze_event_handle_t *waits)
{
	struct l0_fake_image_copy copy = {
		.image = to, .region = *region, .memory = (char *)(uintptr_t)from, .to_image = true
	};

	(void)n_waits;
	(void)waits;
	l0_fake.errors += !can_copy(to, region);
	return l0_fake_append_image(list, &copy, event);
}

ze_result_t fake_zeCommandListAppendImageCopyToMemory(ze_command_list_handle_t list, void *to,
	ze_image_handle_t from, const ze_image_region_t *region, ze_event_handle_t event,
	uint32_t n_waits, ze_event_handle_t *waits)
{
	struct l0_fake_image_copy copy = { .image = from, .region = *region, .memory = to };

	(void)n_waits;
	(void)waits;
	l0_fake.errors += !can_copy(from, region);
	return l0_fake_append_image(list, &copy, event);
}

ze_result_t fake_zeCommandListAppendImageCopyRegion(ze_command_list_handle_t list,
	ze_image_handle_t to, ze_image_handle_t from, const ze_image_region_t *region,
	const ze_image_region_t *from_region, ze_event_handle_t event, uint32_t n_waits,
	ze_event_handle_t *waits)
{
	struct l0_fake_image_copy copy = {
		.image = to, .from = from, .region = *region, .from_region = *from_region
	};

	(void)n_waits;
	(void)waits;
	l0_fake.errors +=
		!can_copy(to, region) || !can_copy(from, from_region) || to->size != from->size;
	return l0_fake_append_image(list, &copy, event);
}

ze_result_t fake_zeSamplerCreate(ze_context_handle_t context, ze_device_handle_t device,
	const ze_sampler_desc_t *desc, ze_sampler_handle_t *out)
{
	(void)context;
	(void)device;
	(void)desc;
	CAN_FAIL;
	*out = l0_fake_make(1);
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeSamplerDestroy(ze_sampler_handle_t sampler)
{
	return l0_fake_unmake(sampler);
}
