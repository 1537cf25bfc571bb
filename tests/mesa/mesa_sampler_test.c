// SPDX-License-Identifier: MIT
#include "mesa_vulkan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_random.h"

/*
 * Samplers as Vulkan has them and OpenCL has not: filters that differ for larger and smaller
 * texels, a bias, cubes, comparisons, offsets, and texels that are gathered. What the first device
 * makes of images with random texels is compared with what lavapipe makes of the same.
 */

enum { SIZE = 13, LEVELS = 4, LAYERS = 12, PLACES = 4096 };
enum { WORDS = 2 * SIZE * SIZE * LAYERS }; /* of all texels, at most */

static struct mesa_vulkan vulkan[2]; /* the second is lavapipe */

struct row {
	const char *name, *shader, *known; /* known: the shader on lavapipe, if that is another */
	enum { PLANE, LAYERED, CUBE, CUBES } kind;
	VkFormat format; /* 0: floats */
	VkFilter large, small;
	VkSamplerMipmapMode mip;
	VkSamplerAddressMode wrap;
	float bias;
	VkCompareOp compare;
	bool compares, corners; /* corners: each device takes there what it likes */
};
#define FILTERS(l, s, m)                                                                           \
	.large = VK_FILTER_##l, .small = VK_FILTER_##s, .mip = VK_SAMPLER_MIPMAP_MODE_##m
#define LINEAR	   FILTERS(LINEAR, LINEAR, LINEAR)
#define FORMAT(f)  .format = VK_FORMAT_##f
#define WRAP(mode) .wrap = VK_SAMPLER_ADDRESS_MODE_##mode
#define SHADOW(op) .compares = true, .compare = VK_COMPARE_OP_##op
#define COMPARE(op)                                                                                \
	{ "compare " #op, "shadow", SHADOW(op) },                                                  \
	{                                                                                          \
		"gather, compare " #op, "gather_shadow", SHADOW(op), FORMAT(D16_UNORM)             \
	}
/* Texels by their offsets, and gathered, where the image goes on so. */
#define BEYOND(mode)                                                                               \
	{ "offset, " #mode, "offset", WRAP(mode) },                                                \
		{ "offset, linear, " #mode, "offset", LINEAR, WRAP(mode) },                        \
		{ "gather, " #mode, "gather_", WRAP(mode) },                                       \
		{ "gather by an offset, " #mode, "gather_offset", FORMAT(R8G8B8A8_UNORM),          \
			WRAP(mode) },                                                              \
		{ "gather by offsets, " #mode, "gather_own_", FORMAT(R8G8B8A8_UNORM),              \
			WRAP(mode) },                                                              \
	{                                                                                          \
		"gather by four offsets, " #mode, "gather_four", FORMAT(R8G8B8A8_UNORM),           \
			WRAP(mode)                                                                 \
	}
/* Gathered channels of numbers of a kind. */
#define CHANNELS(f, kind)                                                                          \
	{ "gather red of " #f, "gather_" #kind, FORMAT(f) },                                       \
		{ "gather green of " #f, "gather_green_" #kind, FORMAT(f) },                       \
		{ "gather alpha of " #f, "gather_alpha_" #kind, FORMAT(f) },                       \
		{ "gather by offsets of " #f, "gather_own_" #kind, FORMAT(f) },                    \
	{                                                                                          \
		"gather of a cube of " #f, "gather_cube_" #kind, NULL, CUBE, FORMAT(f),            \
			.corners = true                                                            \
	}
static struct row rows[] = {
	{ "nearest, then linear", "2D", FILTERS(NEAREST, LINEAR, NEAREST) },
	{ "linear, then nearest", "2D", FILTERS(LINEAR, NEAREST, LINEAR) },
	{ "bias", "2D", LINEAR, .bias = 0.75f },
	{ "bias downwards", "2D", FILTERS(NEAREST, LINEAR, LINEAR), .bias = -0.8f },
	{ "cube", "cube", NULL, CUBE, FILTERS(NEAREST, NEAREST, NEAREST) },
	{ "cube, linear", "cube", NULL, CUBE, FILTERS(LINEAR, LINEAR, NEAREST) },
	{ "cube, linear, between levels", "cube", NULL, CUBE, LINEAR },
	{ "cubes, linear, between levels", "cubes", NULL, CUBES, LINEAR },
	COMPARE(NEVER),
	COMPARE(LESS),
	COMPARE(EQUAL),
	COMPARE(LESS_OR_EQUAL),
	COMPARE(GREATER),
	COMPARE(NOT_EQUAL),
	COMPARE(GREATER_OR_EQUAL),
	COMPARE(ALWAYS),
	{ "compare, linear", "shadow", LINEAR, SHADOW(LESS) },
	{ "compare depth, linear", "shadow", LINEAR, SHADOW(LESS), FORMAT(D32_SFLOAT) },
	{ "compare depth of a cube", "shadow_cube", NULL, CUBE, SHADOW(LESS), FORMAT(D32_SFLOAT) },
	{ "compare cubes", "shadow_cubes", NULL, CUBES, SHADOW(LESS) },
	BEYOND(REPEAT),
	BEYOND(MIRRORED_REPEAT),
	BEYOND(CLAMP_TO_EDGE),
	BEYOND(CLAMP_TO_BORDER),
	BEYOND(MIRROR_CLAMP_TO_EDGE),
	{ "offset of a texel's number", "offset_texel", FORMAT(R16G16_UNORM) },
	{ "offset in layers", "offset_layer", NULL, LAYERED, LINEAR },
	{ "offset, compare", "offset_shadow", LINEAR, SHADOW(GREATER) },
	{ "gradients", "grad", "grad_known", LINEAR },
	{ "gradients, offset", "grad_offset", "grad_offset_known", LINEAR },
	{ "gradients, least", "grad_least", "grad_least_known", LINEAR },
	{ "gradients in layers", "grad_layer", "grad_layer_known", LAYERED, LINEAR },
	{ "gradients, compare", "grad_shadow", "grad_shadow_known", LINEAR, SHADOW(LESS) },
	{ "gradients on a cube", "grad_cube", "grad_cube_known", CUBE, LINEAR },
	{ "gradients on cubes", "grad_cubes", "grad_cubes_known", CUBES, LINEAR },
	CHANNELS(R32_SFLOAT, ),
	CHANNELS(R8G8B8A8_UNORM, ),
	CHANNELS(B8G8R8A8_SRGB, ),
	CHANNELS(R16G16_UNORM, ),
	CHANNELS(R8G8B8A8_SINT, i),
	CHANNELS(R16G16_SINT, i),
	CHANNELS(R8G8B8A8_UINT, u),
	CHANNELS(R16_UINT, u),
	{ "gather depth", "gather_", FORMAT(D32_SFLOAT) },
	{ "gather in layers", "gather_layer", NULL, LAYERED, FORMAT(R8G8B8A8_UNORM) },
	{ "gather by offsets in layers", "gather_own_layer", NULL, LAYERED, FORMAT(R32_SFLOAT) },
	{ "gather of cubes", "gather_cubes", NULL, CUBES, FORMAT(R8G8B8A8_UNORM), .corners = true },
	{ "gather, compare in layers", "gather_shadow_layer", NULL, LAYERED, SHADOW(LESS) },
	{ "gather, compare of a cube", "gather_shadow_cube", NULL, CUBE, SHADOW(LESS),
		.corners = true },
	{ "gather, compare of cubes", "gather_shadow_cubes", NULL, CUBES, SHADOW(LESS),
		.corners = true },
	{ "gather by an offset, compare", "gather_shadow_offset", SHADOW(GREATER) },
	{ "gather by offsets, compare", "gather_shadow_own", SHADOW(GREATER), FORMAT(D32_SFLOAT) },
	{ "level of four", "quads", "quads_known", LINEAR },
	{ "level of four, bias", "quads_bias", "quads_bias_known", LINEAR },
	{ "level of four, compare", "quads_shadow", "quads_shadow_known", LINEAR, SHADOW(LESS) },
	{ "level of four, asked for", "quads_lod", "quads_lod_known", LINEAR },
	{ "level of four, least", "quads_least", "quads_least_known", LINEAR },
};
enum { ROWS = sizeof rows / sizeof *rows };

static VkFormat format_of(const struct row *row)
{
	return row->format ? row->format : VK_FORMAT_R32_SFLOAT;
}

/* Bytes of a texel; few values, so that comparisons meet equal ones. */
static uint32_t fill_texels(VkFormat format, struct mesa_buffer *texels)
{
	const bool is_float = format == VK_FORMAT_R32_SFLOAT || format == VK_FORMAT_D32_SFLOAT;
	const bool is_short = format == VK_FORMAT_D16_UNORM || format == VK_FORMAT_R16_UINT;
	uint64_t random = 16;

	for (uint32_t i = 0; i < texels->count; i++) {
		float value = (float)test_random_below(&random, 17) / 16;

		if (is_float)
			memcpy(&texels->words[i], &value, sizeof value);
		else
			texels->words[i] = test_random_below(&random, 16) * 0x1111 |
					   test_random_below(&random, 16) * 0x11110000u;
	}
	return is_short ? 2 : 4;
}

static void fill_image(VkCommandBuffer commands, const struct mesa_image *image,
	const struct mesa_buffer *texels, uint32_t bytes)
{
	VkDeviceSize offset = 0;

	mesa_image_open(commands, image);
	for (uint32_t level = 0; level < LEVELS; level++) {
		mesa_image_level_from_buffer(commands, image, level, texels, offset);
		offset += ((VkDeviceSize)(SIZE >> level) * (SIZE >> level) * image->shape.layers *
					  bytes +
				  3) &
			  ~(VkDeviceSize)3;
	}
	mesa_barrier(commands);
}

static VkSampler make_sampler(const struct mesa_vulkan *device, const struct row *row)
{
	const VkSamplerCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
		.magFilter = row->large,
		.minFilter = row->small,
		.mipmapMode = row->mip,
		.addressModeU = row->wrap,
		.addressModeV = row->wrap,
		.addressModeW = row->wrap,
		.mipLodBias = row->bias,
		.maxLod = LEVELS,
		.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE,
		.compareEnable = row->compares,
		.compareOp = row->compare };
	VkSampler sampler;

	VK(vkCreateSampler(device->device, &info, NULL, &sampler));
	return sampler;
}

static void look_up(const struct row *row, unsigned on, float values[PLACES][4])
{
	static const struct {
		VkImageViewType view;
		uint32_t layers;
	} kinds[] = { { VK_IMAGE_VIEW_TYPE_2D, 1 }, { VK_IMAGE_VIEW_TYPE_2D_ARRAY, 3 },
		{ VK_IMAGE_VIEW_TYPE_CUBE, 6 }, { VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, LAYERS } };
	const struct mesa_vulkan *device = &vulkan[on];
	const struct mesa_shape shape = { kinds[row->kind].view, SIZE, SIZE, LEVELS,
		kinds[row->kind].layers };
	char name[64];

	snprintf(name, sizeof name, "lookup_%s", on && row->known ? row->known : row->shader);
	struct mesa_shader shader = mesa_shader_make(device, name, 0, 1u << MESA_SAMPLED);
	struct mesa_image image = mesa_image_make_levels(
		device, format_of(row), VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, shape);
	struct mesa_buffer texels = mesa_buffer_make(device, WORDS),
			   result = mesa_buffer_make(device, PLACES * 4);
	const uint32_t bytes = fill_texels(format_of(row), &texels);
	VkSampler sampler = make_sampler(device, row);

	mesa_shader_buffers(device, &shader, (struct mesa_buffer[]){ result, result, result });
	mesa_shader_image(device, &shader, MESA_SAMPLED, &image, sampler);
	VkCommandBuffer commands = mesa_begin(device);
	fill_image(commands, &image, &texels, bytes);
	mesa_bind(commands, &shader, PLACES);
	vkCmdDispatch(commands, PLACES / 64, 1, 1);
	mesa_finish(device, commands);
	memcpy(values, result.words, PLACES * sizeof *values);
	vkDestroySampler(device->device, sampler, NULL);
	mesa_image_free(device, &image);
	mesa_buffer_free(device, &texels);
	mesa_buffer_free(device, &result);
	mesa_shader_free(device, &shader);
}

static void sampled_alike(void **state)
{
	enum { MOST_APART = PLACES / 400 }; /* on a border, which each computes a bit elsewhere */
	static float values[2][PLACES][4];
	const struct row *row = *state;
	/* a gathered texel of each corner is none of the image's: 24 of 6 x 14 x 14 places */
	const unsigned most = MOST_APART + (row->corners ? PLACES * 24 / (6 * SIZE * SIZE) : 0);
	unsigned apart = 0;

	for (unsigned on = 0; on < 2; on++)
		look_up(row, on, values[on]);
	for (unsigned i = 0; i < PLACES; i++) {
		const float *a = values[0][i], *b = values[1][i];
		bool equal = true;

		for (unsigned c = 0; c < 4; c++)
			equal &= fabsf(a[c] - b[c]) <= 2e-3f;
		if (equal)
			continue;
		if (apart++ < 4)
			printf("place %u: %g %g %g %g, lavapipe %g %g %g %g\n", i, (double)a[0],
				(double)a[1], (double)a[2], (double)a[3], (double)b[0],
				(double)b[1], (double)b[2], (double)b[3]);
	}
	if (apart > most)
		fail_msg("%u of %u differ", apart, PLACES);
}

int main(int argc, char **argv)
{
	static struct CMUnitTest tests[ROWS];

	/* lavapipe does not take levels for near ones then */
	assert_int_equal(setenv("GALLIVM_PERF", "no_brilinear,no_rho_approx,no_quad_lod", 1), 0);
	for (unsigned i = 0; i < 2; i++) {
		const char *name = i ? "llvmpipe" : argc > 1 ? argv[1] : "";
		if (!mesa_vulkan_open(&vulkan[i], i) ||
			!strstr(vulkan[i].properties.deviceName, name)) {
			printf("skipped: Vulkan device %u is not %s\n", i, name);
			return 77;
		}
	}
	for (unsigned i = 0; i < ROWS; i++)
		tests[i] = (struct CMUnitTest){
			.name = rows[i].name, .test_func = sampled_alike, .initial_state = &rows[i]
		};
	int failed = _cmocka_run_group_tests("mesa_sampler", tests, ROWS, NULL, NULL);
	for (unsigned i = 0; i < 2; i++)
		mesa_vulkan_close(&vulkan[i]);
	return failed;
}
