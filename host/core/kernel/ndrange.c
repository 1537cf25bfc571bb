// SPDX-License-Identifier: MIT
#include "core/kernel/ndrange.h"

#include "compile/spirv/implicit_args.h"
#include "core/base/error.h"
#include "core/memory/usm.h"
#include "core/program/program_code.h"
#include "l0/l0_module.h"
#include "util/util_bits.h"
#include "util/util_settings.h"

#include <string.h>

/* Level Zero's sizes and offsets have 32 bits. */
#define LAUNCH_MAX UINT32_MAX
/* Launches that one range may become; only one of absurd size needs more. */
#define MAX_PARTS 4096

/* Whether the argument points to memory that another device has for itself. */
static bool is_of_another(
	struct context *context, const struct device *device, const struct kernel_arg *arg)
{
	struct usm_block block;

	if (arg->mem && arg->mem->only)
		return arg->mem->only != device;
	return arg->pointer && usm_find(context, (const void *)(uintptr_t)arg->pointer, &block) &&
	       block.type == USM_DEVICE && block.device != device;
}

static cl_int check_local_memory(
	const struct kernel *kernel, const struct kernel_form *form, const struct device *device)
{
	size_t local = form->info->local_bytes;

	for (cl_uint i = 0; i < kernel->n_args; i++) {
		const struct kernel_arg *arg = &kernel->args[i];

		if (arg->kind == KERNEL_ARG_LOCAL &&
			(arg->size > SIZE_MAX - 15 ||
				__builtin_add_overflow(
					local, util_align_up(arg->size, 16), &local)))
			local = SIZE_MAX;
	}
	REQUIRE(local <= device->local_mem_size,
		error_say(CL_OUT_OF_RESOURCES,
			"the kernel wants %zu bytes of local memory, the "
			"device has %llu",
			local, (unsigned long long)device->local_mem_size));
	return CL_SUCCESS;
}

/* Those that may have been set since the last check with success; the lock is held. */
static cl_int check_args(
	const struct kernel *kernel, const struct kernel_form *form, const struct device *device)
{
	struct context *context = kernel->base.context;
	bool any_local = !form->checked, has_others = context->n_devices > 1;
	cl_uint first, end;

	kernel_fresh(kernel, form->checked, &first, &end);
	for (cl_uint i = first; i < end; i++) {
		const struct kernel_arg *arg = &kernel->args[i];

		REQUIRE(arg->set,
			error_say(CL_INVALID_KERNEL_ARGS, "argument %u of kernel '%s' was not set",
				i, kernel->info->name));
		REQUIRE(!has_others || !is_of_another(context, device, arg),
			error_say(CL_INVALID_OPERATION,
				"argument %u of kernel '%s' points to memory of another device", i,
				kernel->info->name));
		any_local |= arg->kind == KERNEL_ARG_LOCAL;
	}
	return any_local ? check_local_memory(kernel, form, device) : CL_SUCCESS;
}

cl_int ndrange_check_args_locked(struct kernel *kernel, const struct device *device)
{
	struct kernel_form *form = kernel_form(kernel, device);

	if (form->checked == kernel->state)
		return CL_SUCCESS;
	REQUIRE(form->code,
		error_say(CL_INVALID_PROGRAM_EXECUTABLE,
			"the program was not built for %s, or not with success", device->name));
	cl_int rc = check_args(kernel, form, device);
	if (!rc)
		form->checked = kernel->state;
	return rc;
}

cl_int ndrange_check_args(struct kernel *kernel, const struct device *device)
{
	pthread_mutex_lock(&kernel->lock);
	cl_int rc = ndrange_check_args_locked(kernel, device);
	pthread_mutex_unlock(&kernel->lock);
	return rc;
}

static cl_int check_global(
	cl_uint dims, const size_t *offset, const size_t *global, struct ndrange *out)
{
	for (cl_uint i = dims; i < 3; i++)
		out->global[i] = 1;
	for (cl_uint i = 0; global && i < dims; i++)
		out->global[i] = global[i];
	for (cl_uint i = 0; offset && i < dims; i++) {
		out->offset[i] = offset[i];
		REQUIRE(out->offset[i] <= SIZE_MAX - out->global[i],
			error_say(CL_INVALID_GLOBAL_OFFSET,
				"offset and size of dimension %u add up to more than 64 bits", i));
	}
	return CL_SUCCESS;
}

static cl_int check_local(
	const struct kernel_form *form, cl_uint dims, const size_t *local, struct ndrange *out)
{
	const size_t *required = form->info->work_group_size;
	size_t max = l0_kernel_max_group_size(form->l0);
	size_t items = 1;

	for (cl_uint i = 0; i < 3; i++)
		out->local[i] = i < dims ? local[i] : 1;
	REQUIRE(!required[0] || !memcmp(out->local, required, sizeof out->local),
		error_say(CL_INVALID_WORK_GROUP_SIZE,
			"kernel '%s' was compiled for groups of %zu x %zu x %zu", form->info->name,
			required[0], required[1], required[2]));
	for (cl_uint i = 0; i < dims; i++) {
		REQUIRE(out->local[i] > 0, CL_INVALID_WORK_GROUP_SIZE);
		if (__builtin_mul_overflow(items, out->local[i], &items))
			items = SIZE_MAX / 2;
	}
	REQUIRE(items <= max && l0_kernel_fits_device(form->l0),
		error_say(CL_INVALID_WORK_GROUP_SIZE,
			"%zu work-items in a group of kernel '%s', at most %zu", items,
			form->info->name, max));
	for (cl_uint i = 0; i < dims; i++)
		REQUIRE(out->local[i] <= form->device->max_group_sizes[i],
			error_say(CL_INVALID_WORK_ITEM_SIZE,
				"%zu work-items in dimension %u of a group, at most %zu",
				out->local[i], i, form->device->max_group_sizes[i]));
	return CL_SUCCESS;
}

static bool is_ragged(const struct ndrange *range, cl_uint i)
{
	return (size_t)range->groups[i] * range->local[i] != range->global[i];
}

/* Divides the range into groups of its local size. */
static cl_int divide(struct ndrange *out)
{
	out->is_whole = true;
	for (cl_uint i = 0; i < 3; i++) {
		/* a division takes as long as the rest of this function */
		size_t groups = out->local[i] == 1 ? out->global[i]
						   : out->global[i] / out->local[i] +
							     (out->global[i] % out->local[i] != 0);

		REQUIRE(groups <= UINT32_MAX, error_say(CL_INVALID_GLOBAL_WORK_SIZE,
						      "%zu work-groups in dimension %u, at most %u",
						      groups, i, UINT32_MAX));
		out->groups[i] = (uint32_t)groups;
		out->is_whole &=
			out->global[i] && out->global[i] <= LAUNCH_MAX && !is_ragged(out, i);
	}
	return CL_SUCCESS;
}

static cl_int check_ragged(const struct kernel_form *form, const struct ndrange *out)
{
	for (cl_uint i = 0; i < 3; i++)
		REQUIRE(form->may_be_ragged || !is_ragged(out, i),
			error_say(CL_INVALID_WORK_GROUP_SIZE,
				"%zu work-items of dimension %u are no multiple of %zu, and "
				"kernel '%s' was compiled for groups of one size (before OpenCL C "
				"2.0, or with -cl-uniform-work-group-size)",
				out->global[i], i, out->local[i], form->info->name));
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

/* A group of at most `room` work-items: rows as far as they go, all of them whole if it `divides`.
 */
static void choose_rows(
	const struct kernel_form *form, size_t room, bool divides, struct ndrange *out)
{
	for (cl_uint i = 0; i < 3; i++) {
		size_t max = room < form->device->max_group_sizes[i]
				     ? room
				     : form->device->max_group_sizes[i];

		out->local[i] = divides		       ? divisor(out->global[i], max)
				: out->global[i] < max ? out->global[i]
						       : max;
		room /= out->local[i];
	}
}

static size_t items_of(const struct ndrange *range)
{
	return range->local[0] * range->local[1] * range->local[2];
}

/* How many work-items a group may have that we choose: eight sub-groups, if the kernel allows it.
 */
static size_t room_of(const struct kernel_form *form)
{
	size_t max = l0_kernel_max_group_size(form->l0), some = 8 * form->info->simd_size;

	return max < some ? max : some;
}

/* Groups that need not divide the range. Only for kernels that do not ask how it is divided. */
static void choose_ragged(const struct kernel_form *form, struct ndrange *out)
{
	if (form->may_be_ragged && !(form->uses & ~(unsigned)IMPLICIT_ARGS_GLOBAL_ID) &&
		items_of(out) < form->info->simd_size)
		choose_rows(form, room_of(form), false, out);
}

static void choose_local(struct kernel *kernel, struct kernel_form *form, struct ndrange *out)
{
	const size_t *required = form->info->work_group_size;
	size_t max = l0_kernel_max_group_size(form->l0);
	uint32_t size[3] = { 0 };

	if (required[0]) {
		memcpy(out->local, required, sizeof out->local);
		return;
	}
	struct kernel_instance *instance;
	pthread_mutex_lock(&kernel->lock);
	bool good = !kernel_take(form, &instance);
	pthread_mutex_unlock(&kernel->lock);
	if (good) {
		good = !l0_kernel_suggest_group_size(instance->l0, out->global, size);
		kernel_give(instance);
	}
	size_t items = (size_t)size[0] * size[1] * size[2];
	good = good && items > 0 && items <= max;
	for (cl_uint i = 0; good && i < 3; i++) {
		out->local[i] = size[i];
		good = out->global[i] % size[i] == 0;
	}
	if (!good)
		choose_rows(form, max, true, out);
	choose_ragged(form, out);
}

cl_int ndrange_resolve(struct kernel *kernel, const struct device *device, cl_uint dims,
	const size_t *offset, const size_t *global, const size_t *local, struct ndrange *out)
{
	REQUIRE(kernel, CL_INVALID_KERNEL);
	cl_int rc = ndrange_check_args(kernel, device);
	return rc ? rc : ndrange_resolve_sizes(kernel, device, dims, offset, global, local, out);
}

cl_int ndrange_resolve_sizes(struct kernel *kernel, const struct device *device, cl_uint dims,
	const size_t *offset, const size_t *global, const size_t *local, struct ndrange *out)
{
	struct kernel_form *form = kernel_form(kernel, device);
	cl_int rc;

	REQUIRE(dims >= 1 && dims <= 3,
		error_say(CL_INVALID_WORK_DIMENSION, "there are 1 to 3 dimensions, not %u", dims));
	memset(out, 0, sizeof *out);
	out->dims = dims;
	rc = check_global(dims, offset, global, out);
	if (rc)
		return rc;
	bool empty = !out->global[0] || !out->global[1] || !out->global[2];
	bool required = form->info->work_group_size[0];
	if (!local && !empty)
		choose_local(kernel, form, out);
	if ((local || (required && !empty)) &&
		(rc = check_local(form, local ? dims : 3, local ? local : out->local, out)))
		return rc;
	if (empty)
		return CL_SUCCESS;
	if ((rc = divide(out)) || (rc = check_ragged(form, out)))
		return rc;
	REQUIRE(ndrange_n_parts(out) <= MAX_PARTS,
		error_say(CL_OUT_OF_RESOURCES, "the range is too large"));
	return ndrange_check_launch(kernel, device, out);
}

/* A dimension is cut into runs of whole groups, and the ragged rest. */
struct cut {
	size_t whole;	 /* groups */
	size_t run;	 /* at most so many in a launch */
	size_t rest;	 /* work-items of the smaller group */
	size_t segments; /* launches */
};

static struct cut cut(const struct ndrange *range, int i)
{
	struct cut cut = {
		.whole = range->global[i] / range->local[i],
		.run = LAUNCH_MAX / range->local[i],
		.rest = range->global[i] % range->local[i],
	};

	cut.segments = cut.whole / cut.run + (cut.whole % cut.run != 0) + (cut.rest != 0);
	return cut;
}

size_t ndrange_n_parts(const struct ndrange *range)
{
	size_t n = 1;

	if (range->is_whole)
		return 1;
	for (int i = 0; i < 3; i++) {
		if (!range->global[i] || !range->local[i])
			return 0;
		size_t segments = cut(range, i).segments;
		n = n <= MAX_PARTS && segments <= MAX_PARTS ? n * segments : MAX_PARTS + 1;
	}
	return n;
}

void ndrange_part(const struct ndrange *range, size_t index, struct ndrange_part *part)
{
	if (range->is_whole) {
		*part = (struct ndrange_part){ .local = { range->local[0], range->local[1],
						       range->local[2] },
			.groups = { range->groups[0], range->groups[1], range->groups[2] } };
		return;
	}
	for (int i = 0; i < 3; i++) {
		struct cut dim = cut(range, i);
		size_t segment = index % dim.segments;
		size_t first = segment * dim.run;

		index /= dim.segments;
		part->local[i] = range->local[i];
		if (dim.rest && segment == dim.segments - 1) {
			first = dim.whole;
			part->local[i] = dim.rest;
			part->groups[i] = 1;
		} else {
			size_t left = dim.whole - first;
			part->groups[i] = (uint32_t)(left < dim.run ? left : dim.run);
		}
		part->first_group[i] = (uint32_t)first;
		part->first_item[i] = first * range->local[i];
	}
}

void ndrange_hidden(const struct ndrange *range, const struct ndrange_part *part, size_t simd_size,
	struct implicit_args_value *value)
{
	size_t items = range->local[0] * range->local[1] * range->local[2];

	for (int i = 0; i < 3; i++) {
		value->global_size[i] = range->global[i];
		value->offset[i] = range->offset[i];
		value->first_item[i] = range->offset[i] + part->first_item[i];
		value->groups[i].count = range->groups[i];
		value->groups[i].first = part->first_group[i];
		value->enqueued_size[i] = range->local[i];
	}
	value->dims = range->dims;
	value->enqueued_sub_groups =
		simd_size ? (uint32_t)((items + simd_size - 1) / simd_size) : 0;
}

/* What Level Zero tells a kernel that asks for its dimensions. */
static cl_uint dims_by_driver(const struct ndrange *range)
{
	return range->global[2] > 1 ? 3 : range->global[1] > 1 ? 2 : 1;
}

/* Whether a kernel without the implicit argument is told something wrong. */
static bool is_misled(const struct kernel_form *form, const struct ndrange *range)
{
	bool is_wide = false, has_rest = false, has_offset = false;
	bool is_plain =
		range->is_whole && !(range->offset[0] | range->offset[1] | range->offset[2]);

	for (cl_uint i = 0; i < 3 && !is_plain; i++) {
		is_wide |= range->offset[i] + range->global[i] > LAUNCH_MAX;
		has_rest |= is_ragged(range, i);
		has_offset |= range->offset[i] != 0;
	}
	/* the driver refuses groups of another size */
	if (has_rest && l0_kernel_info(form->l0)->required_group[0])
		return true;
	if (form->is_implicit)
		return false;
	if (form->uses == PROGRAM_USES_UNKNOWN && dims_by_driver(range) == range->dims)
		return is_wide;
	if (form->uses & IMPLICIT_ARGS_WORK_DIM)
		return true;
	if (is_wide || ((has_rest || has_offset) && !form->device->hw->can.global_offset))
		return form->uses;
	return has_rest && form->uses & ~(unsigned)IMPLICIT_ARGS_GLOBAL_ID;
}

/* Channels that the groups of a range take, those without a work-item too. */
static double channels(const struct kernel_form *form, const struct ndrange *range)
{
	return (double)range->groups[0] * range->groups[1] * range->groups[2] *
	       (double)util_align_up(items_of(range), form->info->simd_size);
}

/* Tools tell of groups: of those that the program asks for. */
static bool is_watched(void)
{
	const struct util_settings *settings = util_settings();

	return settings->check || settings->gdb || settings->profile || settings->trace;
}

void ndrange_regroup(
	const struct kernel *kernel, const struct device *device, struct ndrange *range)
{
	const struct kernel_form *form = kernel_form(kernel, device);
	const size_t simd = form->info->simd_size;

	if (!form->info->sees_no_groups || form->info->work_group_size[0] || !simd ||
		!(items_of(range) & (simd - 1)) || is_watched())
		return;
	for (cl_uint i = 0; i < 3; i++)
		if (range->global[i] > LAUNCH_MAX)
			return;
	for (unsigned divides = 0; divides < 2; divides++) {
		struct ndrange other = *range;

		choose_rows(form, room_of(form), divides, &other);
		if (divide(&other) || is_misled(form, &other) ||
			channels(form, &other) >= channels(form, range))
			continue;
		*range = other;
		return;
	}
}

cl_int ndrange_check_launch(
	const struct kernel *kernel, const struct device *device, const struct ndrange *range)
{
	REQUIRE(!ndrange_n_parts(range) || !is_misled(kernel_form(kernel, device), range),
		error_say(CL_OUT_OF_RESOURCES,
			"kernel '%s' was built without the implicit argument that such a range "
			"needs",
			kernel->info->name));
	return CL_SUCCESS;
}
