// SPDX-License-Identifier: MIT
#include "l0/l0_image.h"
#include "l0/l0_private.h"

/* A struct l0_sampler is Level Zero's own, by another name. */
static ze_sampler_handle_t ze_of(struct l0_sampler *sampler)
{
	return (ze_sampler_handle_t)(void *)sampler;
}

static const ze_sampler_address_mode_t addresses[] = {
	[L0_ADDRESS_NONE] = ZE_SAMPLER_ADDRESS_MODE_NONE,
	[L0_ADDRESS_REPEAT] = ZE_SAMPLER_ADDRESS_MODE_REPEAT,
	[L0_ADDRESS_EDGE] = ZE_SAMPLER_ADDRESS_MODE_CLAMP,
	[L0_ADDRESS_BORDER] = ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
	[L0_ADDRESS_MIRROR] = ZE_SAMPLER_ADDRESS_MODE_MIRROR,
};

cl_int l0_sampler_create(
	struct l0_context *context, const struct l0_sampler_desc *desc, struct l0_sampler **out)
{
	ze_sampler_desc_t ze_desc = { .stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
		.addressMode = addresses[desc->address],
		.filterMode = desc->linear ? ZE_SAMPLER_FILTER_MODE_LINEAR
					   : ZE_SAMPLER_FILTER_MODE_NEAREST,
		.isNormalized = desc->normalized };
	ze_sampler_handle_t ze;
	cl_int rc = L0_CALL(zeSamplerCreate, context->ze, context->device->ze, &ze_desc, &ze);

	if (!rc)
		*out = (void *)ze;
	return rc;
}

void l0_sampler_destroy(struct l0_sampler *sampler)
{
	if (sampler)
		(void)L0_CALL(zeSamplerDestroy, ze_of(sampler));
}

cl_int l0_kernel_set_sampler(struct l0_kernel *kernel, uint32_t index, struct l0_sampler *sampler)
{
	return L0_CALL(zeKernelSetArgumentValue, kernel->ze, index, sizeof(sampler), &sampler);
}
