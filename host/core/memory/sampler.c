// SPDX-License-Identifier: MIT
#include "core/memory/sampler.h"

#include "compile/base/pool.h"
#include "core/base/error.h"
#include "core/base/info.h"
#include "l0/l0_image.h"

#include <stdlib.h>
#include <string.h>

static void sampler_destroy(struct obj *obj)
{
	struct sampler *sampler = (struct sampler *)(void *)obj;

	for (cl_uint i = 0; i < sampler->context->n_devices; i++)
		l0_sampler_destroy(sampler->l0[i]);
	context_put(sampler->context);
	free(sampler->properties);
	obj_free(sampler);
}

static const struct {
	cl_addressing_mode cl;
	enum l0_address l0;
} addresses[] = {
	{ CL_ADDRESS_NONE, L0_ADDRESS_NONE },
	{ CL_ADDRESS_CLAMP_TO_EDGE, L0_ADDRESS_EDGE },
	{ CL_ADDRESS_CLAMP, L0_ADDRESS_BORDER },
	{ CL_ADDRESS_REPEAT, L0_ADDRESS_REPEAT },
	{ CL_ADDRESS_MIRRORED_REPEAT, L0_ADDRESS_MIRROR },
};

/* What the device gets; CL_INVALID_VALUE for what is no mode. */
static cl_int sampler_describe(const struct sampler *sampler, struct l0_sampler_desc *desc)
{
	size_t i = 0;

	while (i < UTIL_ARRAY_SIZE(addresses) && addresses[i].cl != sampler->address)
		i++;
	REQUIRE(i < UTIL_ARRAY_SIZE(addresses),
		error_say(CL_INVALID_VALUE, "0x%x is no addressing mode", sampler->address));
	REQUIRE(sampler->filter == CL_FILTER_NEAREST || sampler->filter == CL_FILTER_LINEAR,
		error_say(CL_INVALID_VALUE, "0x%x is no filter mode", sampler->filter));
	REQUIRE(sampler->normalized == CL_TRUE || sampler->normalized == CL_FALSE,
		CL_INVALID_VALUE);
	*desc = (struct l0_sampler_desc){ .address = addresses[i].l0,
		.linear = sampler->filter == CL_FILTER_LINEAR,
		.normalized = sampler->normalized };
	return CL_SUCCESS;
}

/* The sampler of `wanted`, which has modes and a list of properties of the caller's. */
static cl_int sampler_make(
	struct context *context, const struct sampler *wanted, struct sampler **out)
{
	struct l0_sampler_desc desc;
	cl_int rc = sampler_describe(wanted, &desc);

	if (rc)
		return rc;
	REQUIRE(context->has_images,
		error_say(CL_INVALID_OPERATION, "no device of the context has images"));

	struct sampler *sampler =
		calloc(1, sizeof *sampler + context->n_devices * sizeof sampler->l0[0]);
	REQUIRE(sampler, CL_OUT_OF_HOST_MEMORY);
	*sampler = *wanted;
	obj_init(&sampler->base, OBJ_SAMPLER, &context->base, sampler_destroy);
	sampler->context = context_get(context);
	sampler->properties =
		bytes_copy(wanted->properties, wanted->n_properties * sizeof *wanted->properties);
	TRY(sampler->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < context->n_devices; i++)
		if (context->devices[i]->has_images)
			TRY(l0_sampler_create(context->on[i], &desc, &sampler->l0[i]));
	*out = sampler;
	return CL_SUCCESS;
fail:
	sampler_put(sampler);
	return rc;
}

cl_int sampler_create_flags(struct context *context, cl_bool normalized, cl_addressing_mode address,
	cl_filter_mode filter, struct sampler **out)
{
	const struct sampler wanted = {
		.normalized = normalized, .address = address, .filter = filter
	};

	REQUIRE(context, CL_INVALID_CONTEXT);
	return sampler_make(context, &wanted, out);
}

static cl_int take_property(
	struct sampler *sampler, const cl_sampler_properties *property, unsigned *seen)
{
	static const cl_sampler_properties names[] = { CL_SAMPLER_NORMALIZED_COORDS,
		CL_SAMPLER_ADDRESSING_MODE, CL_SAMPLER_FILTER_MODE };
	cl_uint *const values[] = { &sampler->normalized, &sampler->address, &sampler->filter };
	size_t i = 0;

	while (i < UTIL_ARRAY_SIZE(names) && names[i] != property[0])
		i++;
	REQUIRE(i < UTIL_ARRAY_SIZE(names),
		error_say(CL_INVALID_VALUE, "there is no sampler property 0x%llx",
			(unsigned long long)property[0]));
	REQUIRE(!(*seen & 1u << i), error_say(CL_INVALID_VALUE, "property 0x%llx is there twice",
					    (unsigned long long)property[0]));
	*seen |= 1u << i;
	REQUIRE(property[1] <= UINT32_MAX, CL_INVALID_VALUE);
	*values[i] = (cl_uint)property[1];
	return CL_SUCCESS;
}

cl_int sampler_create(
	struct context *context, const cl_sampler_properties *properties, struct sampler **out)
{
	struct sampler wanted = {
		.normalized = CL_TRUE, .address = CL_ADDRESS_CLAMP, .filter = CL_FILTER_NEAREST
	};
	unsigned seen = 0;

	REQUIRE(context, CL_INVALID_CONTEXT);
	for (size_t i = 0; properties && properties[i]; i += 2) {
		cl_int rc = take_property(&wanted, &properties[i], &seen);

		if (rc)
			return rc;
		wanted.n_properties = i + 2;
	}
	if (properties) {
		wanted.n_properties++;
		wanted.properties = (cl_sampler_properties *)(uintptr_t)properties; /* copied */
	}
	return sampler_make(context, &wanted, out);
}

static const struct info_row rows[] = {
	INFO_FN(CL_SAMPLER_REFERENCE_COUNT, info_references),
	INFO_FIELD(CL_SAMPLER_CONTEXT, struct sampler, context),
	INFO_FIELD(CL_SAMPLER_NORMALIZED_COORDS, struct sampler, normalized),
	INFO_FIELD(CL_SAMPLER_ADDRESSING_MODE, struct sampler, address),
	INFO_FIELD(CL_SAMPLER_FILTER_MODE, struct sampler, filter),
	INFO_LIST(CL_SAMPLER_PROPERTIES, struct sampler, properties, n_properties),
};

INFO_DEFINE(sampler, cl_sampler_info, CL_INVALID_SAMPLER)
