// SPDX-License-Identifier: MIT
#include "l0/l0_image.h"
#include "l0/l0_private.h"

#include <stdlib.h>

struct l0_sampler {
	ze_sampler_handle_t ze;
};

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
	struct l0_sampler *sampler = calloc(1, sizeof(*sampler));

	if (!sampler)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc =
		L0_CALL(zeSamplerCreate, context->ze, context->device->ze, &ze_desc, &sampler->ze);
	if (rc) {
		free(sampler);
		return rc;
	}
	*out = sampler;
	return CL_SUCCESS;
}

void l0_sampler_destroy(struct l0_sampler *sampler)
{
	if (!sampler)
		return;
	(void)L0_CALL(zeSamplerDestroy, sampler->ze);
	free(sampler);
}

cl_int l0_kernel_set_sampler(struct l0_kernel *kernel, uint32_t index, struct l0_sampler *sampler)
{
	return L0_CALL(
		zeKernelSetArgumentValue, kernel->ze, index, sizeof(sampler->ze), &sampler->ze);
}
