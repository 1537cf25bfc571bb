// SPDX-License-Identifier: MIT
/* Programs: section 5.8 of the specification. */
#include "api/api.h"
#include "core/program/program.h"

API_CREATE(program, clCreateProgramWithSource,
	(cl_context context, cl_uint count, const char **strings, const size_t *lengths,
		cl_int *errcode_ret),
	context, program_create_source(context_from(context), count, strings, lengths, &made))

API_CREATE(program, clCreateProgramWithIL,
	(cl_context context, const void *il, size_t length, cl_int *errcode_ret), context,
	program_create_il(context_from(context), il, length, &made))

cl_program CL_API_CALL clCreateProgramWithILKHR(
	cl_context context, const void *il, size_t length, cl_int *errcode_ret)
{
	return clCreateProgramWithIL(context, il, length, errcode_ret);
}

API_CREATE(program, clCreateProgramWithBinary,
	(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
		const size_t *lengths, const unsigned char **binaries, cl_int *binary_status,
		cl_int *errcode_ret),
	context,
	program_create_binary(context_from(context), num_devices, device_list, lengths, binaries,
		binary_status, &made))

API_ENTRY(clBuildProgram,
	(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
		const char *options, void(CL_CALLBACK *pfn_notify)(cl_program, void *),
		void *user_data),
	program,
	program_build(
		program_from(program), num_devices, device_list, options, pfn_notify, user_data))

API_ENTRY(clCompileProgram,
	(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
		const char *options, cl_uint num_input_headers, const cl_program *input_headers,
		const char **header_include_names,
		void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
		void *user_data),
	program,
	program_compile(program_from(program), num_devices, device_list, options, num_input_headers,
		input_headers, header_include_names, pfn_notify, user_data))

API_CREATE(program, clLinkProgram,
	(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
		const char *options, cl_uint num_input_programs, const cl_program *input_programs,
		void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data,
		cl_int *errcode_ret),
	context,
	program_link(context_from(context), num_devices, device_list, options, num_input_programs,
		input_programs, pfn_notify, user_data, &made))

API_ENTRY(clSetProgramSpecializationConstant,
	(cl_program program, cl_uint spec_id, size_t spec_size, const void *spec_value), program,
	program_specialize(program_from(program), spec_id, spec_size, spec_value))

API_ENTRY(clGetProgramBuildInfo,
	(cl_program program, cl_device_id device, cl_program_build_info param_name,
		API_INFO_PARAMS),
	program, program_build_info(program_from(program), device, param_name, API_INFO))

cl_int CL_API_CALL clUnloadCompiler(void)
{
	return CL_SUCCESS; /* a hint; the compiler is in a process of its own */
}

static cl_int check_platform(struct platform *platform)
{
	REQUIRE(platform, CL_INVALID_PLATFORM);
	return CL_SUCCESS;
}

API_ENTRY(clUnloadPlatformCompiler, (cl_platform_id platform), NULL,
	check_platform(platform_from(platform)))
