// SPDX-License-Identifier: MIT
/* Programs: section 5.8 of the specification. */
#include "api/api.h"
#include "core/program/program.h"

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
	const char **strings, const size_t *lengths, cl_int *errcode_ret)
{
	API_RETURN_MADE(program, context,
		program_create_source(context_from(context), count, strings, lengths, &made));
}

cl_program CL_API_CALL clCreateProgramWithIL(
	cl_context context, const void *il, size_t length, cl_int *errcode_ret)
{
	API_RETURN_MADE(
		program, context, program_create_il(context_from(context), il, length, &made));
}

cl_program CL_API_CALL clCreateProgramWithILKHR(
	cl_context context, const void *il, size_t length, cl_int *errcode_ret)
{
	return clCreateProgramWithIL(context, il, length, errcode_ret);
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
	const cl_device_id *device_list, const size_t *lengths, const unsigned char **binaries,
	cl_int *binary_status, cl_int *errcode_ret)
{
	API_RETURN_MADE(program, context,
		program_create_binary(context_from(context), num_devices, device_list, lengths,
			binaries, binary_status, &made));
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
	const cl_device_id *device_list, const char *options,
	void(CL_CALLBACK *pfn_notify)(cl_program, void *), void *user_data)
{
	return API_DONE(program, program_build(program_from(program), num_devices, device_list,
					 options, pfn_notify, user_data));
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices,
	const cl_device_id *device_list, const char *options, cl_uint num_input_headers,
	const cl_program *input_headers, const char **header_include_names,
	void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data)
{
	return API_DONE(program, program_compile(program_from(program), num_devices, device_list,
					 options, num_input_headers, input_headers,
					 header_include_names, pfn_notify, user_data));
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
	const cl_device_id *device_list, const char *options, cl_uint num_input_programs,
	const cl_program *input_programs,
	void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data,
	cl_int *errcode_ret)
{
	API_RETURN_MADE(program, context,
		program_link(context_from(context), num_devices, device_list, options,
			num_input_programs, input_programs, pfn_notify, user_data, &made));
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(
	cl_program program, cl_uint spec_id, size_t spec_size, const void *spec_value)
{
	return API_DONE(
		program, program_specialize(program_from(program), spec_id, spec_size, spec_value));
}

cl_int CL_API_CALL clGetProgramBuildInfo(
	cl_program program, cl_device_id device, cl_program_build_info param_name, API_INFO_PARAMS)
{
	return API_DONE(
		program, program_build_info(program_from(program), device, param_name, API_INFO));
}

cl_int CL_API_CALL clUnloadCompiler(void)
{
	return CL_SUCCESS; /* a hint; the compiler is in a process of its own */
}

static cl_int check_platform(struct platform *platform)
{
	REQUIRE(platform, CL_INVALID_PLATFORM);
	return CL_SUCCESS;
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform)
{
	return API_DONE(NULL, check_platform(platform_from(platform)));
}
