// SPDX-License-Identifier: MIT
#include "mesa_vulkan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_random.h"

/*
 * Samplers as Vulkan has them and OpenCL has not: filters that differ for larger and smaller
 * texels, a bias, cubes and comparisons. What the first device makes of images with random texels
 * is compared with what lavapipe makes of the same.
 */

enum { SIZE = 13, LEVELS = 4, FACES = 6, TEXELS = 2 * SIZE * SIZE * FACES, PLACES = 4096 };

static struct mesa_vulkan vulkan[2]; /* the second is lavapipe */

struct row {
	const char *name, *shader;
	bool cube;
	VkFilter large, small;
	VkSamplerMipmapMode mip;
	float bias;
	VkCompareOp compare;
};
#define FILTERS(l, s, m)                                                                           \
	.large = VK_FILTER_##l, .small = VK_FILTER_##s, .mip = VK_SAMPLER_MIPMAP_MODE_##m
#define COMPARE(op)                                                                                \
	{                                                                                          \
		.name = "compare " #op, .shader = "lookup_2DShadow", .compare = VK_COMPARE_OP_##op \
	}
static struct row rows[] = {
	{ "nearest, then linear", "lookup_2D", FILTERS(NEAREST, LINEAR, NEAREST) },
	{ "linear, then nearest", "lookup_2D", FILTERS(LINEAR, NEAREST, LINEAR) },
	{ "bias", "lookup_2D", FILTERS(LINEAR, LINEAR, LINEAR), .bias = 0.75f },
	{ "bias downwards", "lookup_2D", FILTERS(NEAREST, LINEAR, LINEAR), .bias = -0.8f },
	{ "cube", "lookup_Cube", true, FILTERS(NEAREST, NEAREST, NEAREST) },
	{ "cube, linear", "lookup_Cube", true, FILTERS(LINEAR, LINEAR, NEAREST) },
	{ "cube, linear, between levels", "lookup_Cube", true, FILTERS(LINEAR, LINEAR, LINEAR) },
	COMPARE(NEVER),
	COMPARE(LESS),
	COMPARE(EQUAL),
	COMPARE(LESS_OR_EQUAL),
	COMPARE(GREATER),
	COMPARE(NOT_EQUAL),
	COMPARE(GREATER_OR_EQUAL),
	COMPARE(ALWAYS),
	{ "compare, linear", "lookup_2DShadow", FILTERS(LINEAR, LINEAR, LINEAR),
		.compare = VK_COMPARE_OP_LESS },
};
enum { ROWS = sizeof rows / sizeof *rows };

static void fill_image(
	VkCommandBuffer commands, const struct mesa_image *image, const struct mesa_buffer *texels)
{
	VkDeviceSize offset = 0;

	mesa_image_open(commands, image);
	for (uint32_t level = 0; level < LEVELS; level++) {
		mesa_image_level_from_buffer(commands, image, level, texels, offset);
		offset += (VkDeviceSize)(SIZE >> level) * (SIZE >> level) * image->shape.layers * 4;
	}
	mesa_barrier(commands);
}

static void look_up(const struct row *row, unsigned on, float values[PLACES])
{
	const bool compares = strstr(row->shader, "Shadow");
	const VkSamplerCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
		.magFilter = row->large,
		.minFilter = row->small,
		.mipmapMode = row->mip,
		.mipLodBias = row->bias,
		.maxLod = LEVELS,
		.compareEnable = compares,
		.compareOp = row->compare };
	const struct mesa_vulkan *device = &vulkan[on];
	struct mesa_shader shader = mesa_shader_make(device, row->shader, 0, 1u << MESA_SAMPLED);
	const struct mesa_shape shape = { row->cube ? VK_IMAGE_VIEW_TYPE_CUBE
						    : VK_IMAGE_VIEW_TYPE_2D,
		SIZE, SIZE, LEVELS, row->cube ? FACES : 1 };
	struct mesa_image image = mesa_image_make_levels(device, VK_FORMAT_R32_SFLOAT,
		VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, shape);
	struct mesa_buffer texels = mesa_buffer_make(device, TEXELS),
			   result = mesa_buffer_make(device, PLACES);
	uint64_t random = 16;
	VkSampler sampler;

	for (unsigned i = 0; i < TEXELS; i++) {
		/* few values, so that comparisons meet equal ones */
		float value = (float)test_random_below(&random, 17) / 16;
		memcpy(&texels.words[i], &value, sizeof value);
	}
	VK(vkCreateSampler(device->device, &info, NULL, &sampler));
	mesa_shader_buffers(device, &shader, (struct mesa_buffer[]){ result, result, result });
	mesa_shader_image(device, &shader, MESA_SAMPLED, &image, sampler);
	VkCommandBuffer commands = mesa_begin(device);
	fill_image(commands, &image, &texels);
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
	static float values[2][PLACES];
	unsigned apart = 0;

	for (unsigned on = 0; on < 2; on++)
		look_up(*state, on, values[on]);
	for (unsigned i = 0; i < PLACES; i++) {
		if (fabsf(values[0][i] - values[1][i]) <= 2e-3f)
			continue;
		if (apart++ < 4)
			printf("place %u: %g, lavapipe %g\n", i, values[0][i], values[1][i]);
	}
	if (apart > MOST_APART)
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
