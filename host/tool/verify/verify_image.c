// SPDX-License-Identifier: MIT
#include "tool/verify/verify_image.h"

#include <stdio.h>
#include <string.h>

#include "gen/gen_inst.h"

enum { TEXELS = 32, ITEMS_OF_GROUP = 8, ITEMS = VERIFY_GROUPS * ITEMS_OF_GROUP };
enum { MOST_BYTES = TEXELS * 16, AXES = VERIFY_AXES };

/*
 * A kernel for each shape and each letter of a type of pixels, which their names and functions
 * have. Of the four coordinates, `at` are a sampler's, `texel` whole ones, `place` those of texel
 * n.
 */
#define KERNELS(shape, at, texel, place, letter, vector)                                           \
	"kernel void sample_" shape "_" letter "(read_only image" shape "_t i, sampler_t s,\n"     \
	"global float4 *c, global " vector " *o) { size_t n = get_global_id(0);\n"                 \
	"o[n] = read_image" letter "(i, s, c[n]" at "); }\n"                                       \
	"kernel void load_" shape "_" letter "(read_only image" shape "_t i, global float4 *c,\n"  \
	"global " vector " *o) { size_t n = get_global_id(0);\n"                                   \
	"o[n] = read_image" letter "(i, convert_int4(c[n])" texel "); }\n"                         \
	"kernel void store_" shape "_" letter "(write_only image" shape                            \
	"_t i, global float4 *c)\n"                                                                \
	"{ int n = get_global_id(0);\n"                                                            \
	"float4 v = (float4)(c[n].xy, c[n + 40].xy);\n"                                            \
	"write_image" letter "(i, " place ", CONVERT_" letter "(v)); }\n"
#define SHAPE(...)                                                                                 \
	KERNELS(__VA_ARGS__, "f", "float4")                                                        \
	KERNELS(__VA_ARGS__, "i", "int4")                                                          \
	KERNELS(__VA_ARGS__, "ui", "uint4")

static const char source[] = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
			     "#define CONVERT_f(v) (v * 0.25f)\n"
			     "#define CONVERT_i(v) convert_int4_sat(v * 9999.0f)\n"
			     "#define CONVERT_ui(v) convert_uint4_sat(v * 9999.0f)\n";
static const char *const sources[] = { source, SHAPE("2d", ".xy", ".xy", "(int2)(n % 8, n / 8)"),
	SHAPE("3d", "", "", "(int4)(n % 4, n / 4 % 4, n / 16, 0)"),
	SHAPE("2d_array", "", "", "(int4)(n % 4, n / 4 % 4, n / 16, 0)"),
	SHAPE("1d", ".x", ".x", "n"), SHAPE("1d_array", ".xy", ".xy", "(int2)(n % 8, n / 8)") };

static const struct shape {
	const char *name;
	cl_mem_object_type type;
	uint8_t size[AXES];   /* texels, TEXELS in all; layers last */
	uint8_t axes, layers; /* coordinates; whether the last one is a layer */
} shapes[] = { { "2d", CL_MEM_OBJECT_IMAGE2D, { 8, 4, 1 }, 2, false },
	{ "3d", CL_MEM_OBJECT_IMAGE3D, { 4, 4, 2 }, 3, false },
	{ "2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, { 4, 4, 2 }, 3, true },
	{ "1d", CL_MEM_OBJECT_IMAGE1D, { 32, 1, 1 }, 1, false },
	{ "1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, { 8, 4, 1 }, 2, true } };

static const struct type {
	cl_channel_type type;
	const char *name;
	const char *letter;
	unsigned size;
	bool is_filtered; /* linearly; of SNORM, nothing small is left where neighbours cancel */
	uint8_t ulp;	  /* of a read; OpenCL C, "Normalized channel data types": 1.5 */
} types[] = {
	{ CL_SNORM_INT8, "CL_SNORM_INT8", "f", 1, false, 2 },
	{ CL_SNORM_INT16, "CL_SNORM_INT16", "f", 2, false, 2 },
	{ CL_UNORM_INT8, "CL_UNORM_INT8", "f", 1, true, 2 },
	{ CL_UNORM_INT16, "CL_UNORM_INT16", "f", 2, true, 2 },
	{ CL_HALF_FLOAT, "CL_HALF_FLOAT", "f", 2, true, 0 },
	{ CL_FLOAT, "CL_FLOAT", "f", 4, true, 0 },
	{ CL_SIGNED_INT8, "CL_SIGNED_INT8", "i", 1, false, 0 },
	{ CL_SIGNED_INT16, "CL_SIGNED_INT16", "i", 2, false, 0 },
	{ CL_SIGNED_INT32, "CL_SIGNED_INT32", "i", 4, false, 0 },
	{ CL_UNSIGNED_INT8, "CL_UNSIGNED_INT8", "ui", 1, false, 0 },
	{ CL_UNSIGNED_INT16, "CL_UNSIGNED_INT16", "ui", 2, false, 0 },
	{ CL_UNSIGNED_INT32, "CL_UNSIGNED_INT32", "ui", 4, false, 0 },
};

static const struct order {
	cl_channel_order order;
	const char *name;
	unsigned channels;
} orders[] = { { CL_R, "CL_R", 1 }, { CL_RG, "CL_RG", 2 }, { CL_RGBA, "CL_RGBA", 4 },
	{ CL_BGRA, "CL_BGRA", 4 } };

static const struct addressing {
	cl_addressing_mode mode;
	const char *name;
	bool needs_normalized;
} addressings[] = { { CL_ADDRESS_NONE, "none", false }, { CL_ADDRESS_CLAMP, "clamp", false },
	{ CL_ADDRESS_CLAMP_TO_EDGE, "clamp_to_edge", false }, { CL_ADDRESS_REPEAT, "repeat", true },
	{ CL_ADDRESS_MIRRORED_REPEAT, "mirrored_repeat", true } };

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- the list ---- */

/* Filters weigh by 8 bits: of numbers of one sign, the result is that near. */
enum { ULP_OF_FILTER = 1 << 15 };

static bool add(struct verify_vectors *vectors, const char *only, struct verify_image image,
	const char *how)
{
	const struct type *type = &types[image.type];
	struct verify_vector v = { .image = image, .lanes = 32, .stride = 1 };

	v.type = type->letter[0] == 'f' ? GEN_TYPE_F : GEN_TYPE_UD;
	v.ulp = image.kind == VERIFY_STORE ? 0 : image.is_linear ? ULP_OF_FILTER : type->ulp;
	if (image.kind == VERIFY_STORE)
		v.type = GEN_TYPE_UD;
	snprintf(v.name, sizeof v.name, "%s_image%s", image.kind == VERIFY_STORE ? "write" : "read",
		type->letter);
	snprintf(v.text, sizeof v.text, "%s %s %s %s %s", v.name, shapes[image.shape].name,
		orders[image.order].name, type->name, how);
	return verify_vectors_add(vectors, &v, only);
}

static bool add_samplers(
	struct verify_vectors *vectors, const char *only, const struct verify_image *format)
{
	unsigned type = format->type;
	bool right = true;
	char how[64];

	for (unsigned a = 0; a < COUNT(addressings); a++)
		for (unsigned more = 0; more < 4; more++) {
			bool is_normalized = more & 1, is_linear = more & 2;
			if ((addressings[a].needs_normalized && !is_normalized) ||
				(is_linear && !types[type].is_filtered) ||
				(a == 0 && is_normalized)) /* coordinates stay inside, in texels */
				continue;
			snprintf(how, sizeof how, "%s %s %s", addressings[a].name,
				is_linear ? "linear" : "nearest",
				is_normalized ? "normalized" : "texels");
			right = right && add(vectors, only,
						 (struct verify_image){ VERIFY_SAMPLE,
							 format->order, format->type, format->shape,
							 (uint8_t)a, is_linear, is_normalized },
						 how);
		}
	return right;
}

/* All formats of two dimensions; of other shapes one channel and four, and a type of each kind. */
static bool is_wanted(unsigned shape, unsigned order, unsigned type)
{
	cl_channel_type kind = types[type].type;

	if (orders[order].order == CL_BGRA && kind != CL_UNORM_INT8)
		return false;
	return shape == 0 || ((orders[order].channels == 1 || orders[order].order == CL_RGBA) &&
				     (kind == CL_UNORM_INT8 || kind == CL_FLOAT ||
					     kind == CL_SIGNED_INT16 || kind == CL_UNSIGNED_INT32));
}

bool verify_images_add(struct verify_vectors *vectors, const char *only)
{
	const unsigned all = COUNT(shapes) * COUNT(orders) * COUNT(types);
	bool right = true;

	for (unsigned i = 0; i < all && right; i++) {
		unsigned s = i / COUNT(types) / COUNT(orders), o = i / COUNT(types) % COUNT(orders);
		struct verify_image image = { .kind = VERIFY_LOAD,
			.order = (uint8_t)o,
			.type = (uint8_t)(i % COUNT(types)),
			.shape = (uint8_t)s };
		if (!is_wanted(s, o, image.type))
			continue;
		right = add_samplers(vectors, only, &image) &&
			add(vectors, only, image, "without a sampler");
		image.kind = VERIFY_STORE;
		right = right && add(vectors, only, image, "");
	}
	return right;
}

/* ---- coordinates and pixels ---- */

unsigned verify_image_axes(const struct verify_vector *vector)
{
	return vector->image.kind ? shapes[vector->image.shape].axes : 0;
}

float verify_image_coordinate(
	const struct verify_vector *vector, unsigned group, unsigned lane, unsigned axis)
{
	/* Texels begin at whole numbers, their centres are at halves. */
	static const float places[] = { -9.25f, -2.25f, -1.5f, -1, -0.75f, -0.5f, -0.25f, 0, 0.25f,
		0.5f, 0.75f, 1.25f, 2.5f, 3.5f, 3.75f, 7.5f, 8, 20.25f };
	const struct shape *shape = &shapes[vector->image.shape];
	unsigned n = group * ITEMS_OF_GROUP + lane / 4, texel = n % TEXELS;
	float at = places[(axis == 0 ? n : axis == 1 ? n / COUNT(places) : n * 7) % COUNT(places)];

	for (unsigned i = 0; i < axis; i++)
		texel /= shape->size[i];
	if (vector->image.kind == VERIFY_LOAD ||
		(vector->image.kind == VERIFY_SAMPLE &&
			addressings[vector->image.addressing].mode == CL_ADDRESS_NONE))
		at = (float)(texel % shape->size[axis]) + 0.5f;
	if (shape->layers && axis + 1u == shape->axes)
		return at; /* never normalized */
	return vector->image.is_normalized ? at / (float)shape->size[axis] : at;
}

/* Bytes of which each is a number of its type, and none a NaN, an infinity or below 0 if a float.
 */
static void fill_pixels(uint8_t *bytes, const struct type *type)
{
	for (unsigned i = 0; i < MOST_BYTES / type->size; i++) {
		uint32_t hash = (i + 1) * 2654435761u, bits = hash ^ hash >> 15;
		if (type->type == CL_HALF_FLOAT)
			bits = (bits & 0x3ff) | 0x3800;
		if (type->type == CL_FLOAT)
			bits = (bits & 0x7fffff) | 0x3f000000;
		memcpy(bytes + i * type->size, &bits, type->size);
	}
}

/* ---- running ---- */

static cl_int open_images(struct verify_images *images)
{
	cl_int rc;

	images->coordinates = clCreateBuffer(images->cl->context, CL_MEM_READ_WRITE,
		(ITEMS + 64) * sizeof(cl_float4), NULL, &rc);
	if (!rc)
		images->results = clCreateBuffer(images->cl->context, CL_MEM_READ_WRITE,
			(size_t)VERIFY_GROUPS * VERIFY_RESULT, NULL, &rc);
	if (!rc)
		images->program = clCreateProgramWithSource(images->cl->context, COUNT(sources),
			(const char **)(uintptr_t)sources, NULL, &rc);
	return rc ? rc : clBuildProgram(images->program, 1, &images->cl->device, "", NULL, NULL);
}

static cl_int write_coordinates(struct verify_images *images, const struct verify_vector *vector)
{
	float list[ITEMS + 64][4] = { { 0 } };

	for (unsigned n = 0; n < ITEMS + 64; n++)
		for (unsigned axis = 0; axis < AXES; axis++)
			list[n][axis] = verify_image_coordinate(
				vector, n / ITEMS_OF_GROUP, n % ITEMS_OF_GROUP * 4, axis);
	return clEnqueueWriteBuffer(images->cl->queue, images->coordinates, CL_TRUE, 0, sizeof list,
		list, 0, NULL, NULL);
}

static cl_mem make_image(
	struct verify_images *images, const struct verify_vector *vector, cl_int *rc)
{
	const struct type *type = &types[vector->image.type];
	const cl_image_format format = { orders[vector->image.order].order, type->type };
	const struct shape *shape = &shapes[vector->image.shape];
	const uint8_t *size = shape->size;
	const cl_image_desc desc = { .image_type = shape->type,
		.image_width = size[0],
		.image_height = size[1],
		.image_depth = size[2],
		.image_array_size = shape->layers ? size[shape->axes - 1] : 0 };
	uint8_t pixels[MOST_BYTES];

	fill_pixels(pixels, type);
	return clCreateImage(images->cl->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format,
		&desc, pixels, rc);
}

static cl_sampler make_sampler(
	struct verify_images *images, const struct verify_image *image, cl_int *rc)
{
	const cl_sampler_properties list[] = { CL_SAMPLER_NORMALIZED_COORDS, image->is_normalized,
		CL_SAMPLER_ADDRESSING_MODE, addressings[image->addressing].mode,
		CL_SAMPLER_FILTER_MODE, image->is_linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST,
		0 };

	return clCreateSamplerWithProperties(images->cl->context, list, rc);
}

static cl_int set_arguments(struct verify_images *images, const struct verify_vector *vector,
	cl_kernel kernel, cl_mem image, cl_sampler sampler)
{
	cl_uint n = 0;
	cl_int rc = clSetKernelArg(kernel, n++, sizeof image, &image);

	if (!rc && vector->image.kind == VERIFY_SAMPLE)
		rc = clSetKernelArg(kernel, n++, sizeof sampler, &sampler);
	if (!rc)
		rc = clSetKernelArg(kernel, n++, sizeof images->coordinates, &images->coordinates);
	if (!rc && vector->image.kind != VERIFY_STORE)
		rc = clSetKernelArg(kernel, n++, sizeof images->results, &images->results);
	return rc;
}

static cl_int run_on(struct verify_images *images, const struct verify_vector *vector, cl_mem image,
	cl_sampler sampler, void *result)
{
	static const char *const kinds[] = {
		[VERIFY_SAMPLE] = "sample", [VERIFY_LOAD] = "load", [VERIFY_STORE] = "store"
	};
	const struct shape *shape = &shapes[vector->image.shape];
	const size_t items = vector->image.kind == VERIFY_STORE ? TEXELS : ITEMS;
	const size_t origin[3] = { 0 },
		     region[3] = { shape->size[0], shape->size[1], shape->size[2] };
	char name[32];
	cl_int rc;

	snprintf(name, sizeof name, "%s_%s_%s", kinds[vector->image.kind], shape->name,
		types[vector->image.type].letter);
	cl_kernel kernel = clCreateKernel(images->program, name, &rc);
	if (!rc)
		rc = set_arguments(images, vector, kernel, image, sampler);
	if (!rc)
		rc = clEnqueueNDRangeKernel(
			images->cl->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
	if (!rc && vector->image.kind == VERIFY_STORE)
		rc = clEnqueueReadImage(images->cl->queue, image, CL_TRUE, origin, region, 0, 0,
			result, 0, NULL, NULL);
	else if (!rc)
		rc = clEnqueueReadBuffer(images->cl->queue, images->results, CL_TRUE, 0,
			(size_t)VERIFY_GROUPS * VERIFY_RESULT, result, 0, NULL, NULL);
	clReleaseKernel(kernel);
	return rc;
}

cl_int verify_image_run(struct verify_images *images, const struct verify_vector *vector,
	uint8_t result[VERIFY_GROUPS][VERIFY_RESULT])
{
	cl_int rc = images->program ? CL_SUCCESS : open_images(images);
	cl_mem image = rc ? NULL : make_image(images, vector, &rc);
	cl_sampler sampler = NULL;

	if (!rc)
		sampler = make_sampler(images, &vector->image, &rc);
	if (!rc)
		rc = write_coordinates(images, vector);
	if (!rc)
		rc = run_on(images, vector, image, sampler, result);
	clReleaseSampler(sampler);
	clReleaseMemObject(image);
	return rc;
}
