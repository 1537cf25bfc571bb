// SPDX-License-Identifier: MIT
/* Samplers: section 5.7 of the specification. */
#include "api/api.h"
#include "core/memory/sampler.h"

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
	cl_addressing_mode addressing_mode, cl_filter_mode filter_mode, cl_int *errcode_ret)
{
	API_RETURN_MADE(sampler, context,
		sampler_create_flags(context_from(context), normalized_coords, addressing_mode,
			filter_mode, &made));
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(
	cl_context context, const cl_sampler_properties *sampler_properties, cl_int *errcode_ret)
{
	API_RETURN_MADE(
		sampler, context, sampler_create(context_from(context), sampler_properties, &made));
}
