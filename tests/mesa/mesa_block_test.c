// SPDX-License-Identifier: MIT
#include "mesa_vulkan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test_random.h"

/*
 * Images of texels in blocks (BC, ETC2, EAC, ASTC), of several levels and layers, with random
 * blocks. What the first device reads of them is compared with what lavapipe reads of the same, or,
 * where lavapipe does not have the format, with the checksum of what another decoder makes of them
 * (texture2ddecoder 1.0.5, told that -128 is -127; of ASTC, ARM's own, astc-encoder-py 0.1.12).
 */

enum { WIDTH = 37, HEIGHT = 29, LEVELS = 4, LAYERS = 2, MOST_TEXELS = 2 * WIDTH * HEIGHT * LAYERS };

static struct mesa_vulkan vulkan[2]; /* the second is lavapipe */
static struct mesa_shader shaders[2];

/* How the values of texels become those whose checksum is known. */
enum values { BITS_8, UNORM = BITS_8, SRGB, EAC, SIGNED_EAC };

struct format {
	VkFormat format;
	const char *name;
	unsigned width, height, bytes; /* of a block */
	float error;		       /* that two decoders may be apart by */
	uint32_t checksum;	       /* 0: lavapipe knows */
	enum values values;
	/* Bits of the first byte that choose the kind of a block: each comes as often. 0: none do.
	 * 3: ASTC, where most blocks of random bits mean nothing; most are of one colour here. */
	uint8_t kinds;
};

#define ROW(which, ...)                                                                            \
	{                                                                                          \
		.format = VK_FORMAT_##which##_BLOCK, .name = #which, .width = 4, .height = 4,      \
		__VA_ARGS__                                                                        \
	}
#define ASTC(w, h, kind, sum)                                                                      \
	{                                                                                          \
		.format = VK_FORMAT_ASTC_##w##x##h##_##kind##_BLOCK,                               \
		.name = "ASTC_" #w "x" #h "_" #kind, .width = w, .height = h, .bytes = 16,         \
		.checksum = sum, .values = kind, .kinds = 3                                        \
	}
/* lavapipe rounds the colours of BC1 to BC5 down to 8 bits, and their mixtures once more. */
#define ROUGH (2.0f / 255)
static const struct format formats[] = {
	ROW(BC1_RGB_UNORM, .bytes = 8, .error = ROUGH),
	ROW(BC1_RGB_SRGB, .bytes = 8, .error = 2.5f * ROUGH),
	ROW(BC1_RGBA_UNORM, .bytes = 8, .error = ROUGH),
	ROW(BC1_RGBA_SRGB, .bytes = 8, .error = 2.5f * ROUGH),
	ROW(BC2_UNORM, .bytes = 16, .error = ROUGH),
	ROW(BC2_SRGB, .bytes = 16, .error = 2.5f * ROUGH),
	ROW(BC3_UNORM, .bytes = 16, .error = ROUGH),
	ROW(BC3_SRGB, .bytes = 16, .error = 2.5f * ROUGH),
	ROW(BC4_UNORM, .bytes = 8, .error = ROUGH),
	ROW(BC4_SNORM, .bytes = 8, .error = 2 * ROUGH),
	ROW(BC5_UNORM, .bytes = 16, .error = ROUGH),
	ROW(BC5_SNORM, .bytes = 16, .error = 2 * ROUGH),
	ROW(BC6H_UFLOAT, .bytes = 16, .kinds = 31),
	ROW(BC6H_SFLOAT, .bytes = 16, .kinds = 31),
	ROW(BC7_UNORM, .bytes = 16, .error = 1e-6f, .kinds = 7),
	ROW(BC7_SRGB, .bytes = 16, .error = 1 / 510.f, .kinds = 7),
	ROW(ETC2_R8G8B8_UNORM, .bytes = 8, .checksum = 0x46d11667),
	ROW(ETC2_R8G8B8_SRGB, .bytes = 8, .checksum = 0xabfd3367, .values = SRGB),
	ROW(ETC2_R8G8B8A1_UNORM, .bytes = 8, .checksum = 0xe90394fa),
	ROW(ETC2_R8G8B8A1_SRGB, .bytes = 8, .checksum = 0x881a34d9, .values = SRGB),
	ROW(ETC2_R8G8B8A8_UNORM, .bytes = 16, .checksum = 0x327e63ef),
	ROW(ETC2_R8G8B8A8_SRGB, .bytes = 16, .checksum = 0x59374840, .values = SRGB),
	ROW(EAC_R11_UNORM, .bytes = 8, .checksum = 0xd92fed87, .values = EAC),
	ROW(EAC_R11_SNORM, .bytes = 8, .checksum = 0xc93aa4fe, .values = SIGNED_EAC),
	ROW(EAC_R11G11_UNORM, .bytes = 16, .checksum = 0x01380094, .values = EAC),
	ROW(EAC_R11G11_SNORM, .bytes = 16, .checksum = 0xf33d7913, .values = SIGNED_EAC),
	ASTC(4, 4, UNORM, 0xa8190a92),
	ASTC(4, 4, SRGB, 0xf0756f41),
	ASTC(5, 4, UNORM, 0xe5acf44b),
	ASTC(5, 4, SRGB, 0x3a4a2b99),
	ASTC(5, 5, UNORM, 0xc5fcd142),
	ASTC(5, 5, SRGB, 0xba8bb82e),
	ASTC(6, 5, UNORM, 0x91eec573),
	ASTC(6, 5, SRGB, 0x82003b4a),
	ASTC(6, 6, UNORM, 0x77c71f07),
	ASTC(6, 6, SRGB, 0xe5b15711),
	ASTC(8, 5, UNORM, 0x37067214),
	ASTC(8, 5, SRGB, 0xf37cc2f2),
	ASTC(8, 6, UNORM, 0xc737bbbf),
	ASTC(8, 6, SRGB, 0x4d72647e),
	ASTC(8, 8, UNORM, 0x2372177f),
	ASTC(8, 8, SRGB, 0x1dd1d514),
	ASTC(10, 5, UNORM, 0x75ab5377),
	ASTC(10, 5, SRGB, 0x8990a593),
	ASTC(10, 6, UNORM, 0x19a07c87),
	ASTC(10, 6, SRGB, 0x6e791d83),
	ASTC(10, 8, UNORM, 0x92bf62fb),
	ASTC(10, 8, SRGB, 0xf2eb2e3f),
	ASTC(10, 10, UNORM, 0x77ddedac),
	ASTC(10, 10, SRGB, 0xe8b3c0ab),
	ASTC(12, 10, UNORM, 0xa6fbc41d),
	ASTC(12, 10, SRGB, 0x57f8d7e8),
	ASTC(12, 12, UNORM, 0xf85a1448),
	ASTC(12, 12, SRGB, 0x0d1a246f),
};
enum { FORMATS = sizeof formats / sizeof *formats };

static uint32_t blocks_of(const struct format *format, unsigned level)
{
	uint32_t width = WIDTH >> level, height = HEIGHT >> level;

	return (width + format->width - 1) / format->width *
	       ((height + format->height - 1) / format->height) * LAYERS;
}

static uint32_t texels_of(unsigned level)
{
	return (WIDTH >> level) * (HEIGHT >> level) * LAYERS;
}

static bool is_read(const struct mesa_vulkan *by, VkFormat format)
{
	VkFormatProperties properties;

	vkGetPhysicalDeviceFormatProperties(by->physical, format, &properties);
	return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
}

static void fill_image(const struct format *format, VkCommandBuffer commands,
	const struct mesa_image *image, const struct mesa_buffer *blocks)
{
	VkDeviceSize offset = 0;

	mesa_image_open(commands, image);
	for (unsigned level = 0; level < LEVELS; level++) {
		mesa_image_level_from_buffer(commands, image, level, blocks, offset);
		offset += blocks_of(format, level) * format->bytes;
	}
	mesa_barrier(commands);
}

/* What a device reads. */
static void read_texels(const struct format *format, unsigned on, float texels[MOST_TEXELS][4])
{
	const VkSamplerCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO };
	const struct mesa_vulkan *device = &vulkan[on];
	struct mesa_image image = mesa_image_make_levels(device, format->format,
		VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT,
		(struct mesa_shape){ VK_IMAGE_VIEW_TYPE_2D_ARRAY, WIDTH, HEIGHT, LEVELS, LAYERS });
	struct mesa_buffer blocks = mesa_buffer_make(device, MOST_TEXELS * 4),
			   result = mesa_buffer_make(device, MOST_TEXELS * 4);
	uint8_t *bytes = (uint8_t *)blocks.words;
	uint64_t random = format->format;
	uint32_t count = 0;
	VkSampler sampler;

	for (unsigned level = 0; level < LEVELS; level++)
		count += blocks_of(format, level);
	test_random_bytes(&random, bytes, count * format->bytes);
	for (uint32_t i = 0; i < count && format->kinds; i++) {
		uint8_t *first = &bytes[i * format->bytes];
		const unsigned kind = i & format->kinds;

		if (format->kinds == 3 && kind)
			memcpy(first, "\xfc\xfd\xff\xff\xff\xff\xff\xff", 8);
		if (format->kinds == 3)
			continue;
		*first = format->kinds == 7 ? (uint8_t)((*first | 1) << kind)
					    : (uint8_t)((*first & ~31) | kind);
	}
	VK(vkCreateSampler(device->device, &info, NULL, &sampler));
	mesa_shader_buffers(device, &shaders[on], (struct mesa_buffer[]){ result, result, result });
	mesa_shader_image(device, &shaders[on], MESA_SAMPLED, &image, sampler);
	VkCommandBuffer commands = mesa_begin(device);
	fill_image(format, commands, &image, &blocks);
	mesa_bind(commands, &shaders[on], LEVELS);
	vkCmdDispatch(commands, MOST_TEXELS / 64 + 1, 1, 1);
	mesa_finish(device, commands);
	memcpy(texels, result.words, MOST_TEXELS * sizeof *texels);
	vkDestroySampler(device->device, sampler, NULL);
	mesa_image_free(device, &image);
	mesa_buffer_free(device, &blocks);
	mesa_buffer_free(device, &result);
}

/* The value that the checksum counts. */
static uint8_t byte_of(enum values values, unsigned channel, float value)
{
	if (values == EAC && channel < 2)
		return (uint8_t)(lrintf(value * 2047) >> 3);
	if (values == SIGNED_EAC && channel < 2)
		return (uint8_t)((lrintf(value * 1023) + 1023) >> 3);
	if (values == SRGB && channel < 3)
		value = value <= 0.0031308f ? value * 12.92f
					    : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
	return (uint8_t)lrintf(value * 255);
}

/* FNV-1a of all texels. */
static uint32_t checksum(const struct format *format, float texels[MOST_TEXELS][4], uint32_t count)
{
	uint32_t sum = 0x811c9dc5;

	for (uint32_t i = 0; i < count; i++)
		for (unsigned c = 0; c < 4; c++)
			sum = (sum ^ byte_of(format->values, c, texels[i][c])) * 0x01000193;
	return sum;
}

static float seen[2][MOST_TEXELS][4];

static void blocks_are_decoded(void **state)
{
	const struct format *format = *state;
	uint32_t count = 0;

	for (unsigned level = 0; level < LEVELS; level++)
		count += texels_of(level);
	read_texels(format, 0, seen[0]);
	if (format->checksum) {
		assert_int_equal(checksum(format, seen[0], count), format->checksum);
		return;
	}
	read_texels(format, 1, seen[1]);
	for (uint32_t i = 0; i < count; i++)
		for (unsigned c = 0; c < 4; c++)
			if (!(fabsf(seen[0][i][c] - seen[1][i][c]) <= format->error) &&
				memcmp(&seen[0][i][c], &seen[1][i][c], 4) != 0)
				fail_msg("texel %u, channel %u: %.9g, lavapipe reads %.9g", i, c,
					seen[0][i][c], seen[1][i][c]);
}

int main(int argc, char **argv)
{
	static struct CMUnitTest tests[FORMATS];
	size_t count = 0;

	for (unsigned i = 0; i < 2; i++) {
		const char *name = i ? "llvmpipe" : argc > 1 ? argv[1] : "";
		if (!mesa_vulkan_open(&vulkan[i], i) ||
			!strstr(vulkan[i].properties.deviceName, name)) {
			printf("skipped: Vulkan device %u is not %s\n", i, name);
			return 77;
		}
		shaders[i] = mesa_shader_make(&vulkan[i], "block", 0, 1u << MESA_SAMPLED);
	}
	for (size_t i = 0; i < FORMATS; i++) {
		if (!is_read(&vulkan[0], formats[i].format) ||
			(!formats[i].checksum && !is_read(&vulkan[1], formats[i].format)))
			continue;
		tests[count++] = (struct CMUnitTest){ .name = formats[i].name,
			.test_func = blocks_are_decoded,
			.initial_state = (void *)&formats[i] };
	}
	int failed = _cmocka_run_group_tests("mesa_block", tests, count, NULL, NULL);
	for (unsigned i = 0; i < 2; i++) {
		mesa_shader_free(&vulkan[i], &shaders[i]);
		mesa_vulkan_close(&vulkan[i]);
	}
	return failed;
}
