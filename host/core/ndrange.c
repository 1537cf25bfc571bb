// SPDX-License-Identifier: MIT
#include "core/ndrange.h"

#include "compile/compile_reflect.h"
#include "core/error.h"
#include "l0/l0_module.h"
#include "util/util_bits.h"

#include <string.h>

static cl_int check_args(const struct kernel *kernel, const struct device *device)
{
	size_t local = kernel->info->local_bytes;

	for (cl_uint i = 0; i < kernel->n_args; i++) {
		const struct kernel_arg *arg = &kernel->args[i];

		REQUIRE(arg->set,
			error_say(CL_INVALID_KERNEL_ARGS, "argument %u of kernel '%s' was not set",
				i, kernel->info->name));
		if (arg->kind == KERNEL_ARG_LOCAL)
			local += util_align_up(arg->size, 16);
	}
	REQUIRE(local <= device->local_mem_size,
		error_say(CL_OUT_OF_RESOURCES,
			"the kernel wants %zu bytes of local memory, the "
			"device has %llu",
			local, (unsigned long long)device->local_mem_size));
	return CL_SUCCESS;
}

static cl_int check_global(
	cl_uint dims, const size_t *offset, const size_t *global, struct ndrange *out)
{
	for (cl_uint i = 0; i < 3; i++) {
		out->global[i] = i >= dims ? 1 : global ? global[i] : 0;
		out->offset[i] = i < dims && offset ? offset[i] : 0;
		REQUIRE(out->offset[i] <= SIZE_MAX - out->global[i],
			error_say(CL_INVALID_GLOBAL_OFFSET,
				"offset and size of dimension %u add up to more than 64 bits", i));
	}
	return CL_SUCCESS;
}

static cl_int check_local(const struct kernel *kernel, const struct device *device, cl_uint dims,
	const size_t *local, struct ndrange *out)
{
	const size_t *required = kernel->info->work_group_size;
	size_t max = l0_kernel_max_group_size(kernel->l0);
	size_t items = 1;

	for (cl_uint i = 0; i < 3; i++) {
		out->local[i] = i < dims ? local[i] : 1;
		REQUIRE(!required[0] || out->local[i] == required[i],
			error_say(CL_INVALID_WORK_GROUP_SIZE,
				"kernel '%s' was compiled for groups of %zu x %zu x %zu",
				kernel->info->name, required[0], required[1], required[2]));
		REQUIRE(out->local[i] > 0, CL_INVALID_WORK_GROUP_SIZE);
		items = items <= max / out->local[i] ? items * out->local[i] : SIZE_MAX;
	}
	REQUIRE(items <= max, error_say(CL_INVALID_WORK_GROUP_SIZE,
				      "%zu work-items in a group of kernel '%s', at most %zu",
				      items, kernel->info->name, max));
	for (cl_uint i = 0; i < 3; i++)
		REQUIRE(out->local[i] <= device->max_group_sizes[i],
			error_say(CL_INVALID_WORK_ITEM_SIZE,
				"%zu work-items in dimension %u of a group, at most %zu",
				out->local[i], i, device->max_group_sizes[i]));
	for (cl_uint i = 0; i < 3; i++)
		REQUIRE(out->global[i] % out->local[i] == 0,
			error_say(CL_INVALID_WORK_GROUP_SIZE,
				"%zu work-items of dimension %u are no multiple of %zu, and the "
				"device has no non-uniform groups",
				out->global[i], i, out->local[i]));
	return CL_SUCCESS;
}

/* The largest divisor of n that is at most max. */
static size_t divisor(size_t n, size_t max)
{
	if (n <= max)
		return n;
	while (n % max)
		max--;
	return max;
}

/* A group for a range that Level Zero can not be asked about: whole rows as far as they go. */
static void choose_plain(
	const struct kernel *kernel, const struct device *device, struct ndrange *out)
{
	size_t room = l0_kernel_max_group_size(kernel->l0);

	for (cl_uint i = 0; i < 3; i++) {
		size_t max = room < device->max_group_sizes[i] ? room : device->max_group_sizes[i];

		out->local[i] = divisor(out->global[i], max);
		room /= out->local[i];
	}
}

static void choose_local(struct kernel *kernel, const struct device *device, struct ndrange *out)
{
	const size_t *required = kernel->info->work_group_size;
	size_t max = l0_kernel_max_group_size(kernel->l0);
	uint32_t size[3] = { 0 };

	if (required[0]) {
		memcpy(out->local, required, sizeof out->local);
		return;
	}
	bool good = !l0_kernel_suggest_group_size(kernel->l0, out->global, size);
	size_t items = (size_t)size[0] * size[1] * size[2];
	good = good && items > 0 && items <= max;
	for (cl_uint i = 0; good && i < 3; i++) {
		out->local[i] = size[i];
		good = out->global[i] % size[i] == 0;
	}
	if (!good)
		choose_plain(kernel, device, out);
}

cl_int ndrange_resolve(struct kernel *kernel, const struct device *device, cl_uint dims,
	const size_t *offset, const size_t *global, const size_t *local, struct ndrange *out)
{
	cl_int rc;

	REQUIRE(kernel, CL_INVALID_KERNEL);
	rc = check_args(kernel, device);
	if (rc)
		return rc;
	REQUIRE(dims >= 1 && dims <= 3,
		error_say(CL_INVALID_WORK_DIMENSION, "there are 1 to 3 dimensions, not %u", dims));
	memset(out, 0, sizeof *out);
	out->dims = dims;
	rc = check_global(dims, offset, global, out);
	if (rc)
		return rc;
	bool empty = !out->global[0] || !out->global[1] || !out->global[2];
	if (local || (kernel->info->work_group_size[0] && !empty)) {
		const size_t *wanted = local;

		if (!local)
			choose_local(kernel, device, out);
		rc = check_local(
			kernel, device, local ? dims : 3, wanted ? wanted : out->local, out);
		if (rc)
			return rc;
	} else if (!empty) {
		choose_local(kernel, device, out);
	}
	for (cl_uint i = 0; i < 3 && !empty; i++) {
		size_t groups = out->global[i] / out->local[i];

		REQUIRE(groups <= UINT32_MAX, error_say(CL_INVALID_GLOBAL_WORK_SIZE,
						      "%zu work-groups in dimension %u, at most %u",
						      groups, i, UINT32_MAX));
		out->groups[i] = (uint32_t)groups;
	}
	return CL_SUCCESS;
}
