// SPDX-License-Identifier: MIT
/* Kernel queries: section 5.9.4 of the specification, and cl_intel_required_subgroup_size. */
#include "compile/zebin/reflect.h"
#include "core/base/error.h"
#include "core/base/info.h"
#include "core/kernel/kernel.h"
#include "l0/l0_module.h"

#include <CL/cl_ext.h>

/* The rows of queries about groups see the kernel, as it is on a device, and an input. */
struct form_query {
	struct kernel *kernel;
	const struct kernel_form *form;
	const struct compile_kernel *info; /* the form's */
	size_t input_size;
	const void *input;
};

static const struct info_row rows[] = {
	INFO_STRING_VIA(CL_KERNEL_FUNCTION_NAME, struct kernel, info, name),
	INFO_FIELD(CL_KERNEL_NUM_ARGS, struct kernel, n_args),
	INFO_FN(CL_KERNEL_REFERENCE_COUNT, info_references),
	INFO_FIELD(CL_KERNEL_CONTEXT, struct kernel, base.context),
	INFO_FIELD(CL_KERNEL_PROGRAM, struct kernel, program),
	INFO_STRING_VIA(CL_KERNEL_ATTRIBUTES, struct kernel, info, attributes),
};

INFO_DEFINE(kernel, cl_kernel_info, CL_INVALID_KERNEL)

static cl_int known_string(const struct info *info, const char *text)
{
	REQUIRE(*text, CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
	return info_string(info, text);
}

static cl_int answer_arg_type(const void *object, const struct info *info)
{
	return known_string(info, ((const struct compile_arg *)object)->type);
}

static cl_int answer_arg_name(const void *object, const struct info *info)
{
	return known_string(info, ((const struct compile_arg *)object)->name);
}

static const struct info_row arg_rows[] = {
	INFO_FIELD(CL_KERNEL_ARG_ADDRESS_QUALIFIER, struct compile_arg, address),
	INFO_FIELD(CL_KERNEL_ARG_ACCESS_QUALIFIER, struct compile_arg, access),
	INFO_FN(CL_KERNEL_ARG_TYPE_NAME, answer_arg_type),
	INFO_FIELD(CL_KERNEL_ARG_TYPE_QUALIFIER, struct compile_arg, qualifiers),
	INFO_FN(CL_KERNEL_ARG_NAME, answer_arg_name),
};

cl_int kernel_arg_info(
	struct kernel *kernel, cl_uint index, cl_kernel_arg_info param, const struct info *info)
{
	REQUIRE(kernel, CL_INVALID_KERNEL);
	REQUIRE(index < kernel->n_args, CL_INVALID_ARG_INDEX);

	return INFO_GET(arg_rows, &kernel->info->args[index], param, info);
}

/* What the kernel is on a device; NULL is the one for which it was built, if there is one only. */
static cl_int find_form(struct form_query *query, cl_device_id handle)
{
	const struct kernel *kernel = query->kernel;
	const struct context *context = kernel->base.context;
	const struct device *device = device_from(handle);
	cl_uint n = 0;

	REQUIRE(!handle || context_has_device(context, device), CL_INVALID_DEVICE);
	for (cl_uint i = 0; i < context->n_devices; i++) {
		const struct kernel_form *form = &kernel->forms[i];

		if (!form->code || (device && form->device != device))
			continue;
		query->form = form;
		query->info = form->info;
		n++;
	}
	REQUIRE(n == 1, error_say(CL_INVALID_DEVICE,
				n ? "the kernel is there for several devices, and none is named"
				  : "the program was not built for the device"));
	return CL_SUCCESS;
}

INFO_ANSWER(answer_group_size, struct form_query *query, size_t,
	l0_kernel_max_group_size(query->form->l0))

static cl_int answer_local_size(const void *object, const struct info *info)
{
	const struct form_query *query = object;
	struct kernel *kernel = query->kernel;
	cl_ulong size = query->info->local_bytes;

	pthread_mutex_lock(&kernel->lock);
	for (cl_uint i = 0; i < kernel->n_args; i++)
		if (kernel->args[i].kind == KERNEL_ARG_LOCAL && kernel->args[i].set)
			size += kernel->args[i].size;
	pthread_mutex_unlock(&kernel->lock);
	return info_bytes(info, &size, sizeof size);
}

static cl_int answer_global_size(const void *object, const struct info *info)
{
	(void)object;
	(void)info;
	return error_say(CL_INVALID_VALUE, "only a custom device or a built-in kernel has it");
}

static const struct info_row group_rows[] = {
	INFO_FN(CL_KERNEL_GLOBAL_WORK_SIZE, answer_global_size),
	INFO_FN(CL_KERNEL_WORK_GROUP_SIZE, answer_group_size),
	INFO_VIA(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, struct form_query, info, work_group_size),
	INFO_FN(CL_KERNEL_LOCAL_MEM_SIZE, answer_local_size),
	INFO_VIA(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, struct form_query, info, simd_size),
	INFO_VIA(CL_KERNEL_PRIVATE_MEM_SIZE, struct form_query, info, private_bytes),
	INFO_VIA(CL_KERNEL_SPILL_MEM_SIZE_INTEL, struct form_query, info, spill_bytes),
};

cl_int kernel_group_info(struct kernel *kernel, cl_device_id device,
	cl_kernel_work_group_info param, const struct info *info)
{
	struct form_query query = { .kernel = kernel };

	REQUIRE(kernel, CL_INVALID_KERNEL);
	cl_int rc = find_form(&query, device);

	return rc ? rc : INFO_GET(group_rows, &query, param, info);
}

/* The work-items of a group of the local size that is the input. */
static cl_int input_items(const struct form_query *query, size_t *items)
{
	const size_t *local = query->input;
	size_t dims = query->input_size / sizeof *local;

	REQUIRE(query->input_size % sizeof *local == 0 && dims >= 1 && dims <= 3,
		error_say(CL_INVALID_VALUE, "the local size has %zu bytes, not 1 to 3 times %zu",
			query->input_size, sizeof *local));
	REQUIRE(local, CL_INVALID_VALUE);
	*items = 1;
	for (size_t i = 0; i < dims; i++)
		*items *= local[i];
	return CL_SUCCESS;
}

static cl_int answer_max_size(const void *object, const struct info *info)
{
	const struct form_query *query = object;
	size_t items;
	cl_int rc = input_items(query, &items);

	return rc ? rc : info_bytes(info, &query->info->simd_size, sizeof(size_t));
}

static cl_int answer_count(const void *object, const struct info *info)
{
	const struct form_query *query = object;
	size_t simd = query->info->simd_size;
	size_t items = 0;
	cl_int rc = input_items(query, &items);

	if (rc)
		return rc;
	size_t count = items / simd + (items % simd != 0);
	return info_bytes(info, &count, sizeof count);
}

static cl_int answer_local_for_count(const void *object, const struct info *info)
{
	const struct form_query *query = object;
	const struct compile_kernel *kernel = query->info;
	size_t local[3] = { 0 };
	size_t dims = info->size / sizeof *local;

	REQUIRE(query->input && query->input_size == sizeof(size_t), CL_INVALID_VALUE);
	if (!info->value)
		dims = 3;
	REQUIRE(dims >= 1 && dims <= 3 && (!info->value || info->size % sizeof *local == 0),
		error_say(
			CL_INVALID_VALUE, "the answer has 1 to 3 times %zu bytes", sizeof *local));

	size_t count = *(const size_t *)query->input;
	size_t max = l0_kernel_max_group_size(query->form->l0);
	const size_t *required = kernel->work_group_size;
	size_t items = count <= max ? count * kernel->simd_size : 0;
	if (items && items <= max && !required[0]) {
		local[0] = items;
		local[1] = local[2] = 1;
	} else if (items && required[0] * required[1] * required[2] == items) {
		for (size_t i = 0; i < 3; i++)
			local[i] = required[i];
	}
	return info_bytes(info, local, dims * sizeof *local);
}

static cl_int answer_max_sub_groups(const void *object, const struct info *info)
{
	const struct form_query *query = object;
	const size_t *required = query->info->work_group_size;
	size_t simd = query->info->simd_size;
	size_t items = required[0] ? required[0] * required[1] * required[2]
				   : l0_kernel_max_group_size(query->form->l0);
	size_t count = (items + simd - 1) / simd;

	return info_bytes(info, &count, sizeof count);
}

INFO_ANSWER(answer_compile_count, struct form_query *query, size_t,
	l0_kernel_info(query->form->l0)->required_num_sub_groups)

static const struct info_row sub_group_rows[] = {
	INFO_FN(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, answer_max_size),
	INFO_FN(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, answer_count),
	INFO_FN(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, answer_local_for_count),
	INFO_FN(CL_KERNEL_MAX_NUM_SUB_GROUPS, answer_max_sub_groups),
	INFO_FN(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, answer_compile_count),
	INFO_VIA(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, struct form_query, info, sub_group_size),
};

cl_int kernel_sub_group_info(struct kernel *kernel, cl_device_id device,
	cl_kernel_sub_group_info param, size_t input_size, const void *input,
	const struct info *info)
{
	struct form_query query = { .kernel = kernel, .input_size = input_size, .input = input };

	REQUIRE(kernel, CL_INVALID_KERNEL);
	cl_int rc = find_form(&query, device);

	return rc ? rc : INFO_GET(sub_group_rows, &query, param, info);
}
