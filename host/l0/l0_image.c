// SPDX-License-Identifier: MIT
#include "l0/l0_image.h"

#include "l0/l0_private.h"

#include <string.h>

/* A struct l0_image is Level Zero's own, by another name. */
static ze_image_handle_t ze_of(struct l0_image *image)
{
	return (ze_image_handle_t)(void *)image;
}

static const ze_image_type_t types[] = {
	[L0_IMAGE_1D] = ZE_IMAGE_TYPE_1D,
	[L0_IMAGE_1D_ARRAY] = ZE_IMAGE_TYPE_1DARRAY,
	[L0_IMAGE_2D] = ZE_IMAGE_TYPE_2D,
	[L0_IMAGE_2D_ARRAY] = ZE_IMAGE_TYPE_2DARRAY,
	[L0_IMAGE_3D] = ZE_IMAGE_TYPE_3D,
};

static const ze_image_format_layout_t layouts[] = {
	[L0_LAYOUT_8] = ZE_IMAGE_FORMAT_LAYOUT_8,
	[L0_LAYOUT_16] = ZE_IMAGE_FORMAT_LAYOUT_16,
	[L0_LAYOUT_32] = ZE_IMAGE_FORMAT_LAYOUT_32,
	[L0_LAYOUT_8_8] = ZE_IMAGE_FORMAT_LAYOUT_8_8,
	[L0_LAYOUT_8_8_8_8] = ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
	[L0_LAYOUT_16_16] = ZE_IMAGE_FORMAT_LAYOUT_16_16,
	[L0_LAYOUT_16_16_16_16] = ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16,
	[L0_LAYOUT_32_32] = ZE_IMAGE_FORMAT_LAYOUT_32_32,
	[L0_LAYOUT_32_32_32_32] = ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32,
	[L0_LAYOUT_10_10_10_2] = ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2,
	[L0_LAYOUT_5_6_5] = ZE_IMAGE_FORMAT_LAYOUT_5_6_5,
	[L0_LAYOUT_5_5_5_1] = ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1,
};

static const ze_image_format_type_t components[] = {
	[L0_UINT] = ZE_IMAGE_FORMAT_TYPE_UINT,
	[L0_SINT] = ZE_IMAGE_FORMAT_TYPE_SINT,
	[L0_UNORM] = ZE_IMAGE_FORMAT_TYPE_UNORM,
	[L0_SNORM] = ZE_IMAGE_FORMAT_TYPE_SNORM,
	[L0_FLOAT] = ZE_IMAGE_FORMAT_TYPE_FLOAT,
};

static ze_image_format_swizzle_t swizzle(char channel)
{
	static const char names[] = "rgba01"; /* as ZE_IMAGE_FORMAT_SWIZZLE_* are numbered */

	return (ze_image_format_swizzle_t)(strchr(names, channel) - names);
}

static ze_image_desc_t describe(const struct l0_image_desc *desc)
{
	const struct l0_image_format *format = &desc->format;

	return (ze_image_desc_t){
		.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
		.flags = desc->writable ? ZE_IMAGE_FLAG_KERNEL_WRITE : 0,
		.type = types[desc->type],
		.format = { layouts[format->layout], components[format->component],
			swizzle(format->channels[0]), swizzle(format->channels[1]),
			swizzle(format->channels[2]), swizzle(format->channels[3]) },
		.width = desc->width,
		.height = desc->height,
		.depth = desc->depth,
		.arraylevels = desc->layers,
	};
}

cl_int l0_image_create(
	struct l0_context *context, const struct l0_image_desc *desc, struct l0_image **out)
{
	ze_image_desc_t ze_desc = describe(desc);
	ze_image_handle_t ze;
	cl_int rc = L0_CALL(zeImageCreate, context->ze, context->device->ze, &ze_desc, &ze);

	if (!rc)
		*out = (void *)ze;
	return rc;
}

cl_int l0_image_view(struct l0_context *context, struct l0_image *of,
	const struct l0_image_desc *desc, struct l0_image **out)
{
	ze_image_desc_t ze_desc = describe(desc);
	ze_image_handle_t ze;

	if (!l0_ze.zeImageViewCreateExp)
		return l0_check("zeImageViewCreateExp", ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
	cl_int rc = L0_CALL(
		zeImageViewCreateExp, context->ze, context->device->ze, &ze_desc, ze_of(of), &ze);
	if (!rc)
		*out = (void *)ze;
	return rc;
}

void l0_image_destroy(struct l0_image *image)
{
	if (image)
		(void)L0_CALL(zeImageDestroy, ze_of(image));
}

static ze_image_region_t region_at(const uint32_t origin[3], const uint32_t region[3])
{
	return (ze_image_region_t){ origin[0], origin[1], origin[2], region[0], region[1],
		region[2] };
}

static ze_event_handle_t handle(struct l0_event *event)
{
	return event ? event->ze : NULL;
}

cl_int l0_list_image_write(struct l0_list *list, struct l0_image *to,
	const struct l0_image_box *box, const void *from, struct l0_event *signal)
{
	ze_image_region_t region = region_at(box->origin, box->region);

	return L0_CALL(zeCommandListAppendImageCopyFromMemory, l0_list_target(list), ze_of(to),
		from, &region, handle(signal), 0, NULL);
}

cl_int l0_list_image_read(struct l0_list *list, void *to, struct l0_image *from,
	const struct l0_image_box *box, struct l0_event *signal)
{
	ze_image_region_t region = region_at(box->origin, box->region);

	return L0_CALL(zeCommandListAppendImageCopyToMemory, l0_list_target(list), to, ze_of(from),
		&region, handle(signal), 0, NULL);
}

cl_int l0_list_image_copy(struct l0_list *list, struct l0_image *to, const uint32_t to_origin[3],
	struct l0_image *from, const struct l0_image_box *box, struct l0_event *signal)
{
	ze_image_region_t source = region_at(box->origin, box->region);
	ze_image_region_t target = region_at(to_origin, box->region);

	return L0_CALL(zeCommandListAppendImageCopyRegion, l0_list_target(list), ze_of(to),
		ze_of(from), &target, &source, handle(signal), 0, NULL);
}

cl_int l0_kernel_set_image(struct l0_kernel *kernel, uint32_t index, struct l0_image *image)
{
	return L0_CALL(zeKernelSetArgumentValue, kernel->ze, index, sizeof(image), &image);
}
