// SPDX-License-Identifier: MIT
#ifndef SAMPLER_H
#define SAMPLER_H

#include "core/device/context.h"
#include "core/base/obj.h"

struct l0_sampler;

/* A sampler; fixed when it is made. */
struct sampler {
	struct obj base;
	struct context *context;
	cl_bool normalized;
	cl_addressing_mode address;
	cl_filter_mode filter;
	cl_sampler_properties *properties; /* as given, with the 0 at the end; NULL if none */
	size_t n_properties;
	struct l0_sampler *l0[]; /* on each device; NULL where there are no images */
};

OBJ_DEFINE(sampler, cl_sampler, OBJ_SAMPLER)

/* clCreateSamplerWithProperties, section 5.7.1; properties may be NULL. */
cl_int sampler_create(
	struct context *context, const cl_sampler_properties *properties, struct sampler **out);

/* clCreateSampler. */
cl_int sampler_create_flags(struct context *context, cl_bool normalized, cl_addressing_mode address,
	cl_filter_mode filter, struct sampler **out);

cl_int sampler_info(struct sampler *sampler, cl_sampler_info param, const struct info *info);

#endif
