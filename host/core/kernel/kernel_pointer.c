// SPDX-License-Identifier: MIT
#include "core/kernel/kernel_pointer.h"

#include "compile/zebin/reflect.h"
#include "core/base/error.h"
#include "core/kernel/kernel_blocks.h"
#include "core/device/mem_address.h"
#include "core/device/device_ext.h"
#include "core/memory/usm.h"
#include "util/util_bits.h"

#include <string.h>

static cl_int check_kernel(const struct kernel *kernel, enum usm_type type)
{
	REQUIRE(kernel, CL_INVALID_KERNEL);
	REQUIRE(usm_context_capabilities(kernel->base.context, type), CL_INVALID_OPERATION);
	return CL_SUCCESS;
}

/* `code` is for an argument that takes no pointer to global or constant memory. */
static cl_int set_pointer(struct kernel *kernel, cl_uint index, uint64_t pointer, cl_int code)
{
	REQUIRE(index < kernel->n_args,
		error_say(CL_INVALID_ARG_INDEX, "kernel '%s' has %u arguments, there is no %u",
			kernel->info->name, kernel->n_args, index));
	struct kernel_arg *arg = &kernel->args[index];
	REQUIRE(arg->kind == KERNEL_ARG_BUFFER,
		error_say(code, "argument %u of kernel '%s' is no pointer to global memory", index,
			kernel->info->name));

	cl_int rc = kernel_widen_for_pointer(kernel, pointer);
	if (rc)
		return rc;
	pthread_mutex_lock(&kernel->lock);
	kernel_touch_arg(kernel, index);
	kernel->version += arg->mem != NULL;
	arg->mem = NULL;
	arg->pointer = pointer;
	arg->size = sizeof pointer;
	arg->set = true;
	arg->state = kernel->state;
	pthread_mutex_unlock(&kernel->lock);
	kernel_blocks_check(kernel, index);
	return CL_SUCCESS;
}

cl_int kernel_set_svm_pointer(struct kernel *kernel, cl_uint index, const void *pointer)
{
	struct usm_block block;
	cl_int rc = check_kernel(kernel, USM_SVM);

	if (rc)
		return rc;
	REQUIRE(index < kernel->n_args, CL_INVALID_ARG_INDEX);
	REQUIRE(!pointer || usm_find(kernel->base.context, pointer, &block),
		error_say(CL_INVALID_ARG_VALUE,
			"the pointer is not into shared memory of the context"));

	return set_pointer(kernel, index, (uintptr_t)pointer, CL_INVALID_ARG_VALUE);
}

cl_int kernel_set_usm_pointer(struct kernel *kernel, cl_uint index, const void *pointer)
{
	cl_int rc = check_kernel(kernel, USM_DEVICE);

	return rc ? rc : set_pointer(kernel, index, (uintptr_t)pointer, CL_INVALID_ARG_VALUE);
}

cl_int kernel_set_device_pointer(struct kernel *kernel, cl_uint index, cl_ulong address)
{
	REQUIRE(kernel, CL_INVALID_KERNEL);

	return set_pointer(kernel, index, address, CL_INVALID_ARG_INDEX);
}

/*
 * Each pointer of an array, which need not be aligned. What is of no allocation is of a buffer with
 * a device address, which the device always reaches, or of nothing.
 */
static cl_int reach_pointers(struct kernel *kernel, size_t size, const void *value)
{
	REQUIRE(size % sizeof(void *) == 0, CL_INVALID_VALUE);
	for (size_t i = 0; i < size / sizeof(void *); i++) {
		const void *pointer;

		memcpy(&pointer, (const char *)value + i * sizeof pointer, sizeof pointer);
		cl_int rc = usm_keep(kernel->base.context, pointer);
		if (rc && rc != CL_INVALID_VALUE)
			return rc;
	}
	return CL_SUCCESS;
}

static cl_int read_flag(size_t size, const void *value, cl_bool *flag)
{
	REQUIRE(value && size == sizeof *flag, CL_INVALID_VALUE);
	memcpy(flag, value, sizeof *flag);
	return CL_SUCCESS;
}

/* The parameters, and the memory that the device must have for them: for each row of one. */
static const struct {
	cl_kernel_exec_info param;
	enum usm_type type;
	bool is_list;
} params[] = {
	{ CL_KERNEL_EXEC_INFO_SVM_PTRS, USM_SVM, true },
	{ CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, USM_DEVICE, true },
	{ CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, USM_SHARED, true },
	{ CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, USM_HOST, false },
	{ CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, USM_DEVICE, false },
	{ CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, USM_SHARED, false },
	{ CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, USM_HOST, false },
	{ CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, USM_DEVICE, false },
	{ CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, USM_SHARED, false },
};

cl_int kernel_set_exec_info(
	struct kernel *kernel, cl_kernel_exec_info param, size_t size, const void *value)
{
	cl_bool flag = CL_FALSE;
	bool is_known = false;
	cl_int rc;

	REQUIRE(kernel, CL_INVALID_KERNEL);
	REQUIRE(value || !size, CL_INVALID_VALUE);
	if (param == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM) {
		if ((rc = read_flag(size, value, &flag)))
			return rc;
		REQUIRE(!flag, error_say(CL_INVALID_OPERATION,
				       "the device does not reach memory of the system's"));
		return CL_SUCCESS;
	}
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(params); i++) {
		if (params[i].param != param)
			continue;
		if ((rc = check_kernel(kernel, params[i].type)))
			return rc;
		if (params[i].is_list)
			return reach_pointers(kernel, size, value);
		if ((rc = read_flag(size, value, &flag)) ||
			(flag && (rc = usm_keep_type(kernel->base.context, params[i].type))))
			return rc;
		is_known = true;
	}
	return is_known ? CL_SUCCESS
			: error_say(CL_INVALID_VALUE, "there is no parameter 0x%x", param);
}
