// SPDX-License-Identifier: MIT
#include "core/batch/kernel_launch.h"

#include "compile/spirv/implicit_args.h"
#include "compile/zebin/reflect.h"
#include "core/base/error.h"
#include "core/memory/image.h"
#include "core/kernel/image_arg.h"
#include "core/kernel/kernel.h"
#include "core/memory/mem.h"

/* What Level Zero wants of a pointer to global memory. */
static const void *address(const struct kernel_arg *arg)
{
	if (arg->mem)
		return &arg->mem->address;
	return arg->pointer ? &arg->pointer : NULL;
}

/* Sends the arguments that the instance does not have; of a snapshot, all. */
static cl_int send_args(struct kernel *kernel, unsigned place, const struct kernel_arg *kept,
	const struct kernel_instance *instance)
{
	const struct kernel_form *form = &kernel->forms[place];
	struct l0_kernel *l0 = instance->l0;
	cl_int rc = CL_SUCCESS;
	cl_uint first = 0, end = kernel->n_args;

	if (!kept)
		kernel_fresh(kernel, instance->state, &first, &end);
	for (cl_uint i = first; !rc && i < end; i++) {
		const struct kernel_arg *arg = kept ? &kept[i] : &kernel->args[i];

		if (!kept && arg->state <= instance->state)
			continue;
		if (arg->kind == KERNEL_ARG_VALUE)
			rc = l0_kernel_set_arg(l0, i, arg->size, arg->value);
		else if (arg->kind == KERNEL_ARG_BUFFER)
			rc = l0_kernel_set_arg(l0, i, sizeof(void *), address(arg));
		else if (arg->kind == KERNEL_ARG_IMAGE)
			rc = l0_kernel_set_image(
				l0, i, image_for(arg->mem, place, image_arg_has_rows(form, i)));
		else if (arg->kind == KERNEL_ARG_SAMPLER)
			rc = l0_kernel_set_sampler(l0, i, arg->sampler->l0[place]);
		else
			rc = l0_kernel_set_arg(l0, i, arg->size, NULL);
	}
	return rc;
}

cl_int kernel_launch_begin(struct kernel *kernel, unsigned place, const struct kernel_arg *args,
	struct kernel_instance **out)
{
	struct kernel_instance *instance;
	cl_int rc = kernel_take(&kernel->forms[place], &instance);

	if (rc)
		return rc;
	if (args || instance->state != kernel->state) {
		rc = send_args(kernel, place, args, instance);
		instance->state = rc || args ? 0 : kernel->state;
		if (instance->state)
			kernel_settle(kernel);
	}
	if (rc)
		kernel_give(instance);
	*out = instance;
	return rc;
}

/* Where the part is: by the implicit argument, or by the offset of the launch. */
static cl_int send_place(const struct kernel_form *form, struct l0_kernel *l0,
	const struct ndrange *range, const struct ndrange_part *part)
{
	struct implicit_args_value value;
	size_t offset[3];

	if (form->is_implicit) {
		ndrange_hidden(range, part, form->info->simd_size, &value);
		return l0_kernel_set_arg(l0, (uint32_t)form->info->n_args, sizeof(value), &value);
	}
	for (int i = 0; i < 3; i++) {
		offset[i] = range->offset[i] + part->first_item[i];
		/* beyond what can be said only if the kernel does not ask */
		if (offset[i] > UINT32_MAX)
			offset[i] = 0;
	}
	return l0_kernel_set_offset(l0, offset);
}

/* The last argument, behind the implicit one; see zebin_patch.h. */
static cl_int send_print(const struct kernel_form *form, struct l0_kernel *l0, void *print)
{
	if (!form->prints)
		return CL_SUCCESS;
	return l0_kernel_set_arg(
		l0, (uint32_t)form->info->n_args + form->is_implicit, sizeof(print), &print);
}

cl_int kernel_launch(struct l0_list *list, const struct kernel_form *form, struct l0_kernel *l0,
	const struct ndrange *range, void *print, struct l0_event *begin, struct l0_event *signal)
{
	size_t n = ndrange_n_parts(range);
	cl_int rc = send_print(form, l0, print);

	for (size_t i = 0; !rc && i < n; i++) {
		struct ndrange_part part;

		ndrange_part(range, i, &part);
		if ((rc = send_place(form, l0, range, &part)) ||
			(rc = l0_kernel_set_group_size(l0, part.local)))
			return rc;
		rc = l0_list_launch(list, l0, part.groups, n == 1 ? signal : i == 0 ? begin : NULL);
	}
	if (!rc && n > 1 && signal)
		rc = l0_list_barrier(list, signal);
	return rc;
}
