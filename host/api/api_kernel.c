// SPDX-License-Identifier: MIT
/* Kernels: section 5.9 of the specification, and the queries of extensions. */
#include "api/api.h"
#include "api/icd.h"
#include "core/kernel/kernel.h"
#include "core/kernel/ndrange.h"
#include "core/queue/queue.h"

#include <string.h>

API_CREATE(kernel, clCreateKernel,
	(cl_program program, const char *kernel_name, cl_int *errcode_ret), program,
	kernel_create(program_from(program), kernel_name, &made))

API_ENTRY(clCreateKernelsInProgram,
	(cl_program program, cl_uint num_kernels, cl_kernel *kernels, cl_uint *num_kernels_ret),
	program, kernel_create_all(program_from(program), num_kernels, kernels, num_kernels_ret))

API_CREATE(kernel, clCloneKernel, (cl_kernel source_kernel, cl_int *errcode_ret), source_kernel,
	kernel_clone(kernel_from(source_kernel), &made))

API_ENTRY(clSetKernelArg,
	(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void *arg_value), kernel,
	kernel_set_arg(kernel_from(kernel), arg_index, arg_size, arg_value))

API_ENTRY(clGetKernelArgInfo,
	(cl_kernel kernel, cl_uint arg_indx, cl_kernel_arg_info param_name, API_INFO_PARAMS),
	kernel, kernel_arg_info(kernel_from(kernel), arg_indx, param_name, API_INFO))

API_ENTRY(clGetKernelWorkGroupInfo,
	(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
		API_INFO_PARAMS),
	kernel, kernel_group_info(kernel_from(kernel), device, param_name, API_INFO))

API_ENTRY(clGetKernelSubGroupInfo,
	(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
		size_t input_value_size, const void *input_value, API_INFO_PARAMS),
	kernel,
	kernel_sub_group_info(
		kernel_from(kernel), device, param_name, input_value_size, input_value, API_INFO))

/* The extension has three of the parameters: cl_intel_subgroups two, and
 * cl_intel_required_subgroup_size one. */
static cl_int check_khr_param(cl_kernel kernel, cl_kernel_sub_group_info param)
{
	REQUIRE(kernel_from(kernel), CL_INVALID_KERNEL);
	REQUIRE(param == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR ||
			param == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR ||
			param == CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
		CL_INVALID_VALUE);
	return CL_SUCCESS;
}

cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
	cl_kernel_sub_group_info param_name, size_t input_value_size, const void *input_value,
	API_INFO_PARAMS)
{
	cl_int rc = check_khr_param(kernel, param_name);

	if (!rc)
		rc = kernel_sub_group_info(kernel_from(kernel), device, param_name,
			input_value_size, input_value, API_INFO);
	return API_DONE(kernel, rc);
}

static cl_int suggest(struct queue *queue, struct kernel *kernel, cl_uint dims,
	const size_t *offset, const size_t *global, size_t *local)
{
	struct ndrange range;

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(kernel, CL_INVALID_KERNEL);
	REQUIRE(kernel->base.context == queue->context, CL_INVALID_CONTEXT);
	REQUIRE(dims >= 1 && dims <= 3, CL_INVALID_WORK_DIMENSION);
	REQUIRE(global, CL_INVALID_GLOBAL_WORK_SIZE);
	for (cl_uint i = 0; i < dims; i++)
		REQUIRE(global[i] > 0, CL_INVALID_GLOBAL_WORK_SIZE);
	REQUIRE(local, CL_INVALID_VALUE);

	cl_int rc = ndrange_resolve(kernel, queue->device, dims, offset, global, NULL, &range);
	if (!rc)
		memcpy(local, range.local, dims * sizeof *local);
	return rc;
}

API_ENTRY(clGetKernelSuggestedLocalWorkSize,
	(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
		const size_t *global_work_offset, const size_t *global_work_size,
		size_t *suggested_local_work_size),
	kernel,
	suggest(queue_from(command_queue), kernel_from(kernel), work_dim, global_work_offset,
		global_work_size, suggested_local_work_size))
