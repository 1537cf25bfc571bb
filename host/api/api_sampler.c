// SPDX-License-Identifier: MIT
/* Samplers: section 5.7 of the specification. */
#include "api/api.h"
#include "core/memory/sampler.h"

API_CREATE(sampler, clCreateSampler,
	(cl_context context, cl_bool normalized_coords, cl_addressing_mode addressing_mode,
		cl_filter_mode filter_mode, cl_int *errcode_ret),
	context,
	sampler_create_flags(
		context_from(context), normalized_coords, addressing_mode, filter_mode, &made))

API_CREATE(sampler, clCreateSamplerWithProperties,
	(cl_context context, const cl_sampler_properties *sampler_properties, cl_int *errcode_ret),
	context, sampler_create(context_from(context), sampler_properties, &made))
