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

static struct mesa_image make_image(const struct mesa_vulkan *on, bool cube)
{
	const uint32_t layers = cube ? FACES : 1;
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R32_SFLOAT,
		.extent = { SIZE, SIZE, 1 },
		.mipLevels = LEVELS,
		.arrayLayers = layers,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.tiling = VK_IMAGE_TILING_OPTIMAL,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	struct mesa_image image = { .width = SIZE, .height = SIZE };
	VkMemoryRequirements needs;

	VK(vkCreateImage(on->device, &info, NULL, &image.image));
	vkGetImageMemoryRequirements(on->device, image.image, &needs);
	const VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needs.size,
		.memoryTypeIndex = mesa_memory_type(on, needs.memoryTypeBits, false) };
	VK(vkAllocateMemory(on->device, &memory, NULL, &image.memory));
	VK(vkBindImageMemory(on->device, image.image, image.memory, 0));
	const VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.image = image.image,
		.viewType = cube ? VK_IMAGE_VIEW_TYPE_CUBE : VK_IMAGE_VIEW_TYPE_2D,
		.format = VK_FORMAT_R32_SFLOAT,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, LEVELS, 0, layers } };
	VK(vkCreateImageView(on->device, &view, NULL, &image.view));
	return image;
}

static void fill_image(VkCommandBuffer commands, const struct mesa_image *image, bool cube,
	const struct mesa_buffer *texels)
{
	const uint32_t layers = cube ? FACES : 1;
	const VkImageMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.newLayout = VK_IMAGE_LAYOUT_GENERAL,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = image->image,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, LEVELS, 0, layers } };
	VkDeviceSize offset = 0;

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
	for (uint32_t level = 0; level < LEVELS; level++) {
		const VkBufferImageCopy copy = { .bufferOffset = offset,
			.imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, level, 0, layers },
			.imageExtent = { SIZE >> level, SIZE >> level, 1 } };

		vkCmdCopyBufferToImage(
			commands, texels->buffer, image->image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
		offset += (VkDeviceSize)(SIZE >> level) * (SIZE >> level) * layers * 4;
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
	struct mesa_image image = make_image(device, row->cube);
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
	fill_image(commands, &image, row->cube, &texels);
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
