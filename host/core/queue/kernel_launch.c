// SPDX-License-Identifier: MIT
#include "core/queue/kernel_launch.h"

#include "compile/spirv/implicit_args.h"
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

static cl_int send_image(struct kernel *kernel, struct l0_kernel *l0, cl_uint index,
	const struct mem *mem, bool is_second)
{
	struct l0_image *image = image_for(mem, image_arg_has_rows(kernel, index, is_second));

	REQUIRE(image, error_say(CL_OUT_OF_RESOURCES,
			       "another compiler made the second form of kernel '%s', which wants "
			       "another kind of image for argument %u",
			       kernel->info->name, index));
	return l0_kernel_set_image(l0, index, image);
}

/* Sends the arguments that this form of the kernel does not have yet. */
static cl_int send_args(struct kernel *kernel, const struct kernel_arg *kept, bool is_second)
{
	struct l0_kernel *l0 = is_second ? kernel->second : kernel->l0;

	for (cl_uint i = 0; i < kernel->n_args; i++) {
		const struct kernel_arg *arg = kept ? &kept[i] : &kernel->args[i];
		bool *changed = is_second ? &kernel->args[i].unsent : &kernel->args[i].changed;
		cl_int rc;

		if (!kept && !*changed)
			continue;
		if (arg->kind == KERNEL_ARG_VALUE)
			rc = l0_kernel_set_arg(l0, i, arg->size, arg->value);
		else if (arg->kind == KERNEL_ARG_BUFFER)
			rc = l0_kernel_set_arg(l0, i, sizeof(void *), address(arg));
		else if (arg->kind == KERNEL_ARG_IMAGE)
			rc = send_image(kernel, l0, i, arg->mem, is_second);
		else if (arg->kind == KERNEL_ARG_SAMPLER)
			rc = l0_kernel_set_sampler(l0, i, arg->sampler->l0);
		else
			rc = l0_kernel_set_arg(l0, i, arg->size, NULL);
		if (rc)
			return rc;
		*changed = kept != NULL;
	}
	return CL_SUCCESS;
}

/* Where the part is, as the form of the kernel wants to be told. */
static cl_int send_place(
	struct kernel *kernel, const struct ndrange *range, const struct ndrange_part *part)
{
	struct compile_hidden_value value;
	size_t offset[3];

	if (range->is_second) {
		if (!kernel->uses)
			return CL_SUCCESS;
		ndrange_hidden(range, part, kernel->info->simd_size, &value);
		return l0_kernel_set_arg(kernel->second, kernel->n_args, sizeof value, &value);
	}
	for (int i = 0; i < 3; i++) {
		offset[i] = range->offset[i] + part->first_item[i];
		/* beyond what can be said only if the kernel does not ask */
		if (offset[i] > UINT32_MAX)
			offset[i] = 0;
	}
	return l0_kernel_set_offset(kernel->l0, offset);
}

bool kernel_launch_prints(const struct kernel *kernel, const struct ndrange *range)
{
	return range->is_second ? kernel->second_prints : kernel->prints;
}

/* The last argument, behind the hidden one; see zebin_patch. */
static cl_int send_print(struct kernel *kernel, const struct ndrange *range, void *print)
{
	bool is_hidden = range->is_second && kernel->uses;

	if (!kernel_launch_prints(kernel, range))
		return CL_SUCCESS;
	return l0_kernel_set_arg(range->is_second ? kernel->second : kernel->l0,
		kernel->n_args + is_hidden, sizeof print, &print);
}

cl_int kernel_launch(struct l0_list *list, struct kernel *kernel, const struct ndrange *range,
	const struct kernel_arg *args, void *print, struct l0_event *begin, struct l0_event *signal)
{
	struct l0_kernel *l0 = range->is_second ? kernel->second : kernel->l0;
	size_t n = ndrange_n_parts(range);
	cl_int rc = send_args(kernel, args, range->is_second);

	if (!rc)
		rc = send_print(kernel, range, print);
	for (size_t i = 0; !rc && i < n; i++) {
		struct ndrange_part part;

		ndrange_part(range, i, &part);
		if ((rc = send_place(kernel, range, &part)) ||
			(rc = l0_kernel_set_group_size(l0, part.local)))
			return rc;
		rc = l0_list_launch(list, l0, part.groups, n == 1 ? signal : i == 0 ? begin : NULL);
	}
	if (!rc && n > 1 && signal)
		rc = l0_list_barrier(list, signal);
	return rc;
}
