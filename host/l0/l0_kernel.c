// SPDX-License-Identifier: MIT
#include "l0/l0_private.h"

#include "util/util_bits.h"

#include <stdlib.h>
#include <string.h>

static cl_int gather(struct l0_kernel *kernel)
{
	ze_kernel_properties_t p = { .stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES };
	cl_int rc = L0_CALL(zeKernelGetProperties, kernel->ze, &p);

	if (rc)
		return rc;
	kernel->info = (struct l0_kernel_info){
		.n_args = p.numKernelArgs,
		.required_group = { p.requiredGroupSizeX, p.requiredGroupSizeY,
			p.requiredGroupSizeZ },
		.required_num_sub_groups = p.requiredNumSubGroups,
		.max_sub_group_size = p.maxSubgroupSize,
		.local_size = p.localMemSize,
		.private_size = p.privateMemSize,
		.spill_size = p.spillMemSize,
	};
	return CL_SUCCESS;
}

cl_int l0_kernel_create(struct l0_module *module, const char *name, struct l0_kernel **out)
{
	ze_kernel_desc_t desc = { .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name };
	struct l0_kernel *kernel = calloc(1, sizeof(*kernel));

	if (!kernel)
		return CL_OUT_OF_HOST_MEMORY;
	kernel->device = module->context->device;
	cl_int rc = L0_CALL(zeKernelCreate, module->ze, &desc, &kernel->ze);
	if (rc == CL_INVALID_WORK_GROUP_SIZE) { /* some drivers refuse too large groups already here
						 */
		kernel->info.max_sub_group_size = kernel->device->info.sub_group_sizes[0];
		rc = CL_SUCCESS;
	} else if (!rc) {
		rc = gather(kernel);
	}
	if (!rc) {
		*out = kernel;
		return CL_SUCCESS;
	}
	l0_kernel_destroy(kernel);
	return rc;
}

void l0_kernel_destroy(struct l0_kernel *kernel)
{
	if (!kernel)
		return;
	if (kernel->ze)
		(void)L0_CALL(zeKernelDestroy, kernel->ze);
	free(kernel);
}

const struct l0_kernel_info *l0_kernel_info(const struct l0_kernel *kernel)
{
	return &kernel->info;
}

cl_int l0_kernel_set_arg(struct l0_kernel *kernel, uint32_t index, size_t size, const void *value)
{
	/* local memory changes what group size is best */
	if (!value)
		kernel->suggested_for[0] = 0;
	return L0_CALL(zeKernelSetArgumentValue, kernel->ze, index, size, value);
}

cl_int l0_kernel_set_group_size(struct l0_kernel *kernel, const size_t size[3])
{
	if (!memcmp(kernel->group_size, size, sizeof(kernel->group_size)))
		return CL_SUCCESS;
	cl_int rc = L0_CALL(zeKernelSetGroupSize, kernel->ze, (uint32_t)size[0], (uint32_t)size[1],
		(uint32_t)size[2]);
	/* after a failure it is not known */
	memcpy(kernel->group_size, rc ? (const size_t[3]){ 0, 0, 0 } : size,
		sizeof(kernel->group_size));
	return rc;
}

cl_int l0_kernel_set_offset(struct l0_kernel *kernel, const size_t offset[3])
{
	if (!memcmp(kernel->offset, offset, sizeof(kernel->offset)))
		return CL_SUCCESS;
	for (int i = 0; i < 3; i++)
		if (offset[i] > UINT32_MAX)
			return CL_INVALID_GLOBAL_OFFSET;
	if (!kernel->device->info.can.global_offset)
		return CL_INVALID_GLOBAL_OFFSET;
	cl_int rc = L0_CALL(zeKernelSetGlobalOffsetExp, kernel->ze, (uint32_t)offset[0],
		(uint32_t)offset[1], (uint32_t)offset[2]);
	memcpy(kernel->offset, rc ? (const size_t[3]){ SIZE_MAX, SIZE_MAX, SIZE_MAX } : offset,
		sizeof(kernel->offset));
	return rc;
}

cl_int l0_kernel_suggest_group_size(
	struct l0_kernel *kernel, const size_t global[3], uint32_t size[3])
{
	for (int i = 0; i < 3; i++)
		if (global[i] > UINT32_MAX)
			return CL_INVALID_GLOBAL_WORK_SIZE;
	if (!global[0] || memcmp(kernel->suggested_for, global, sizeof(kernel->suggested_for))) {
		cl_int rc = L0_CALL(zeKernelSuggestGroupSize, kernel->ze, (uint32_t)global[0],
			(uint32_t)global[1], (uint32_t)global[2], &size[0], &size[1], &size[2]);

		if (rc)
			return rc;
		memcpy(kernel->suggested_for, global, sizeof(kernel->suggested_for));
		memcpy(kernel->suggested, size, sizeof(kernel->suggested));
	}
	memcpy(size, kernel->suggested, sizeof(kernel->suggested));
	return CL_SUCCESS;
}

uint32_t l0_kernel_max_group_size(const struct l0_kernel *kernel)
{
	const struct l0_device_info *device = &kernel->device->info;
	/* a group stays on one sub-slice, a sub-group in one thread */
	uint32_t threads = device->eus_per_sub_slice * device->threads_per_eu;

	return util_min_u32(device->max_group_total, threads * kernel->info.max_sub_group_size);
}

bool l0_kernel_fits_device(const struct l0_kernel *kernel)
{
	return kernel->ze;
}

bool l0_kernel_fits_memory(const struct l0_kernel *kernel)
{
	const struct l0_device_info *device = &kernel->device->info;
	uint64_t threads = (uint64_t)device->slices * device->sub_slices_per_slice *
			   device->eus_per_sub_slice * device->threads_per_eu;

	return threads * kernel->info.private_size <= device->memory_size;
}
