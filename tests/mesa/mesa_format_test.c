// SPDX-License-Identifier: MIT
#include "mesa_vulkan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mesa_case.h"
#include "test_random.h"

/*
 * Every format of texels that the Vulkan device reads, in images and in buffers: what a shader
 * reads is compared with what the specification says of the bits ("Fixed-Point Data Conversions",
 * "Floating-Point Format Conversions"), and what it writes of that, where it can, with the bits.
 */

static struct mesa_vulkan vulkan;

enum kind { UNORM, SNORM, UINT, SINT, FLOAT, SRGB, SHARED };

/* The channels of a format, from the lowest bit on, and how many bits each has. */
struct format {
	VkFormat format;
	const char *name;
	enum kind kind;
	const char *order;
	uint8_t bits[4];
};

#define ROW(format, kind, order, ...)                                                              \
	{                                                                                          \
		VK_FORMAT_##format, #format, kind, order,                                          \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define ALIKE(n, kind, vulkan_kind)                                                                \
	ROW(R##n##_##vulkan_kind, kind, "r", n),                                                   \
		ROW(R##n##G##n##_##vulkan_kind, kind, "rg", n, n),                                 \
		ROW(R##n##G##n##B##n##_##vulkan_kind, kind, "rgb", n, n, n),                       \
		ROW(R##n##G##n##B##n##A##n##_##vulkan_kind, kind, "rgba", n, n, n, n)
static const struct format formats[] = {
	ALIKE(8, UNORM, UNORM),
	ALIKE(8, SNORM, SNORM),
	ALIKE(8, UINT, UINT),
	ALIKE(8, SINT, SINT),
	ALIKE(8, SRGB, SRGB),
	ALIKE(16, UNORM, UNORM),
	ALIKE(16, SNORM, SNORM),
	ALIKE(16, UINT, UINT),
	ALIKE(16, SINT, SINT),
	ALIKE(16, FLOAT, SFLOAT),
	ALIKE(32, UINT, UINT),
	ALIKE(32, SINT, SINT),
	ALIKE(32, FLOAT, SFLOAT),
	ROW(B8G8R8A8_UNORM, UNORM, "bgra", 8, 8, 8, 8),
	ROW(B8G8R8A8_SRGB, SRGB, "bgra", 8, 8, 8, 8),
	ROW(A8B8G8R8_UNORM_PACK32, UNORM, "rgba", 8, 8, 8, 8),
	ROW(A8B8G8R8_SNORM_PACK32, SNORM, "rgba", 8, 8, 8, 8),
	ROW(A8B8G8R8_UINT_PACK32, UINT, "rgba", 8, 8, 8, 8),
	ROW(A8B8G8R8_SINT_PACK32, SINT, "rgba", 8, 8, 8, 8),
	ROW(A8B8G8R8_SRGB_PACK32, SRGB, "rgba", 8, 8, 8, 8),
	ROW(A2B10G10R10_UNORM_PACK32, UNORM, "rgba", 10, 10, 10, 2),
	ROW(A2B10G10R10_UINT_PACK32, UINT, "rgba", 10, 10, 10, 2),
	ROW(A2R10G10B10_UNORM_PACK32, UNORM, "bgra", 10, 10, 10, 2),
	ROW(A2R10G10B10_UINT_PACK32, UINT, "bgra", 10, 10, 10, 2),
	ROW(B10G11R11_UFLOAT_PACK32, FLOAT, "rgb", 11, 11, 10),
	ROW(E5B9G9R9_UFLOAT_PACK32, SHARED, "rgb", 9, 9, 9, 5),
	ROW(R5G6B5_UNORM_PACK16, UNORM, "bgr", 5, 6, 5),
	ROW(B5G6R5_UNORM_PACK16, UNORM, "rgb", 5, 6, 5),
	ROW(A1R5G5B5_UNORM_PACK16, UNORM, "bgra", 5, 5, 5, 1),
	ROW(R5G5B5A1_UNORM_PACK16, UNORM, "abgr", 1, 5, 5, 5),
	ROW(B5G5R5A1_UNORM_PACK16, UNORM, "argb", 1, 5, 5, 5),
	ROW(R4G4B4A4_UNORM_PACK16, UNORM, "abgr", 4, 4, 4, 4),
	ROW(B4G4R4A4_UNORM_PACK16, UNORM, "argb", 4, 4, 4, 4),
	ROW(D16_UNORM, UNORM, "r", 16),
	ROW(D32_SFLOAT, FLOAT, "r", 32),
};
enum { FORMATS = sizeof formats / sizeof *formats, WIDTH = 37, HEIGHT = 29 };
enum { TEXELS = WIDTH * HEIGHT, MOST_BYTES = 16 };

static unsigned texel_bits(const struct format *format)
{
	return format->bits[0] + format->bits[1] + format->bits[2] + format->bits[3];
}

/* Bits of a texel, which do not cross dwords. Reads whole dwords. */
static uint32_t take(const uint8_t *texel, unsigned shift, unsigned bits)
{
	uint32_t value;

	memcpy(&value, texel + shift / 32 * 4, sizeof value);
	return value >> shift % 32 & (UINT32_MAX >> (32 - bits));
}

/* The same into a texel, which is 0 there. */
static void put(uint8_t *texel, unsigned shift, unsigned bits, uint32_t value)
{
	for (unsigned bit = 0; bit < bits; bit++, shift++)
		texel[shift / 8] |= (uint8_t)((value >> bit & 1) << shift % 8);
}

static int32_t extended(uint32_t raw, unsigned bits)
{
	return (int32_t)(raw << (32 - bits)) >> (32 - bits);
}

/* The parts of a float of 32 bits, of 16, or of 10 or 11, which have no sign. */
static unsigned mantissa_bits(unsigned bits)
{
	return bits == 32 ? 23 : bits == 16 ? 10 : bits - 5;
}

static unsigned most_exponent(unsigned bits)
{
	return bits == 32 ? 255 : 31;
}

static double float_of(uint32_t raw, unsigned bits)
{
	unsigned mantissa = mantissa_bits(bits), most = most_exponent(bits);
	unsigned exponent = raw >> mantissa & most;
	double value = (raw & ((1u << mantissa) - 1)) * ldexp(1, -(int)mantissa) + (exponent != 0);

	value = ldexp(value, (int)(exponent ? exponent : 1) - (int)most / 2);
	return bits >= 16 && raw >> (bits - 1) ? -value : value;
}

static double number(const struct format *format, uint32_t raw, unsigned bits, bool alpha)
{
	const double most = ldexp(1, (int)bits) - 1;
	double value;

	switch (format->kind) {
	case UNORM:
		return raw / most;
	case SNORM:
		return fmax(extended(raw, bits) / ((most - 1) / 2), -1);
	case SRGB:
		value = raw / most;
		return alpha		  ? value
		       : value <= 0.04045 ? value / 12.92
					  : pow((value + 0.055) / 1.055, 2.4);
	case FLOAT:
		return float_of(raw, bits);
	default:
		return raw;
	}
}

/* The word of a channel as the specification has it; `error`: how far from it another may be. */
static uint32_t expected(
	const struct format *format, const uint8_t *texel, unsigned channel, float *error)
{
	const bool integer = format->kind == UINT || format->kind == SINT;
	const char *place = strchr(format->order, "rgba"[channel]);
	unsigned shift = 0, index = place ? (unsigned)(place - format->order) : 0;
	union {
		float number;
		uint32_t word;
	} as;

	*error = 0;
	if (!place && integer)
		return channel == 3;
	for (unsigned i = 0; i < index; i++)
		shift += format->bits[i];
	uint32_t raw = take(texel, shift, format->bits[index]);
	if (format->kind == UINT)
		return raw;
	if (format->kind == SINT)
		return (uint32_t)extended(raw, format->bits[index]);
	as.number = (float)number(format, raw, format->bits[index], channel == 3);
	if (format->kind == SHARED)
		as.number = (float)ldexp(raw, (int)take(texel, 27, 5) - 24);
	if (!place)
		as.number = channel == 3;
	if (format->kind == SRGB)
		*error = 1 / 510.f;
	else if (format->kind == UNORM || format->kind == SNORM)
		*error = fabsf(as.number) * 2.4e-7f;
	return as.word;
}

/* A random texel without what is no number, and without the second name of -1. */
static void choose_texel(uint64_t *random, const struct format *format, uint8_t *texel)
{
	memset(texel, 0, texel_bits(format) / 8);
	for (unsigned i = 0, shift = 0; i < 4 && format->bits[i]; shift += format->bits[i++]) {
		unsigned bits = format->bits[i], most = most_exponent(bits);
		uint32_t raw = (uint32_t)test_random(random) & (UINT32_MAX >> (32 - bits));

		if (format->kind == FLOAT && (raw >> mantissa_bits(bits) & most) == most)
			raw ^= 1u << mantissa_bits(bits);
		if (format->format == VK_FORMAT_D32_SFLOAT) /* between 0 and 1 */
			raw = raw >> 9 | (raw >> 8 & 1 ? 0x3f000000 : 0x3e000000);
		if (format->kind == SNORM && raw == 1u << (bits - 1))
			raw++;
		put(texel, shift, bits, raw);
	}
}

enum place { IMAGE, BUFFER };

/* One format in one place. */
struct row {
	const struct format *format;
	enum place place;
	char name[64];
};

/* The kinds of numbers that a shader sees, and a format of each that every device writes. */
enum { KINDS = 3 };
static const VkFormat any_format[KINDS] = { VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_UINT,
	VK_FORMAT_R32_SINT };
static const char *const shader_names[][KINDS] = { [IMAGE] = { "format_2D_", "format_2D_u",
							   "format_2D_i" },
	[BUFFER] = { "format_Buffer_", "format_Buffer_u", "format_Buffer_i" } };
static struct mesa_shader shaders[2][KINDS];

static VkFormatFeatureFlags features(const struct row *row)
{
	VkFormatProperties properties;

	vkGetPhysicalDeviceFormatProperties(vulkan.physical, row->format->format, &properties);
	return row->place == IMAGE ? properties.optimalTilingFeatures : properties.bufferFeatures;
}

/* Images or views of buffers of the same texels, for the shader and for the host. */
struct texels {
	struct mesa_buffer buffer;
	struct mesa_image image;
	VkBufferView view;
};

static struct texels make_texels(enum place place, VkFormat format, VkImageUsageFlags usage)
{
	struct texels texels = { .buffer = mesa_buffer_make(&vulkan, TEXELS * MOST_BYTES / 4 + 1) };
	VkBufferViewCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
		.buffer = texels.buffer.buffer,
		.format = format,
		.range = VK_WHOLE_SIZE };

	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].format == format)
			info.range = TEXELS * texel_bits(&formats[i]) / 8;
	if (place == IMAGE)
		texels.image = mesa_image_make(
			&vulkan, format, VK_IMAGE_TILING_OPTIMAL, usage, WIDTH, HEIGHT);
	else
		VK(vkCreateBufferView(vulkan.device, &info, NULL, &texels.view));
	return texels;
}

static void free_texels(enum place place, struct texels *texels)
{
	if (place == IMAGE)
		mesa_image_free(&vulkan, &texels->image);
	else
		vkDestroyBufferView(vulkan.device, texels->view, NULL);
	mesa_buffer_free(&vulkan, &texels->buffer);
}

/* `as`: of seen. */
static void run(enum place place, unsigned as, const struct texels texels[2],
	const struct mesa_buffer *result)
{
	const VkSamplerCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO };
	struct mesa_shader shader = shaders[place][as];
	VkSampler sampler;

	VK(vkCreateSampler(vulkan.device, &info, NULL, &sampler));
	mesa_shader_buffers(&vulkan, &shader, (struct mesa_buffer[]){ *result, *result, *result });
	VkCommandBuffer commands = mesa_begin(&vulkan);
	if (place == IMAGE) {
		mesa_shader_image(&vulkan, &shader, MESA_SAMPLED, &texels[0].image, sampler);
		mesa_shader_image(&vulkan, &shader, MESA_IMAGES, &texels[1].image, VK_NULL_HANDLE);
		for (unsigned i = 0; i < 2; i++)
			mesa_image_open(commands, &texels[i].image);
		mesa_image_from_buffer(commands, &texels[0].image, &texels[0].buffer);
		mesa_barrier(commands);
	} else {
		mesa_shader_texels(&vulkan, &shader, MESA_TEXELS, texels[0].view);
		mesa_shader_texels(&vulkan, &shader, MESA_TEXELS_OUT, texels[1].view);
	}
	mesa_bind(commands, &shader, WIDTH);
	vkCmdDispatch(commands, (TEXELS + 63) / 64, 1, 1);
	mesa_barrier(commands);
	if (place == IMAGE)
		mesa_image_to_buffer(commands, &texels[1].image, &texels[1].buffer);
	mesa_finish(&vulkan, commands);
	vkDestroySampler(vulkan.device, sampler, NULL);
}

static void check_read(
	const struct format *format, unsigned texel, const uint8_t *bytes, const uint32_t got[4])
{
	for (unsigned channel = 0; channel < 4; channel++) {
		union {
			uint32_t word;
			float number;
		} is = { .word = got[channel] }, should;
		float error;

		should.word = expected(format, bytes, channel, &error);
		if (is.word != should.word && !(fabsf(is.number - should.number) <= error))
			fail_msg("texel %u, channel %u: 0x%08x (%g), should be 0x%08x (%g)", texel,
				channel, is.word, is.number, should.word, should.number);
	}
}

static void format_is_read_and_written(void **state)
{
	const struct row *row = *state;
	const struct format *format = row->format;
	const unsigned as = format->kind == UINT ? 1 : format->kind == SINT ? 2 : 0;
	const VkFormatFeatureFlags has = features(row),
				   writes = row->place == IMAGE
						    ? VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT
						    : VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
	const unsigned bytes = texel_bits(format) / 8;
	struct texels texels[2] = { make_texels(
					    row->place, format->format, VK_IMAGE_USAGE_SAMPLED_BIT),
		make_texels(row->place, has & writes ? format->format : any_format[as],
			VK_IMAGE_USAGE_STORAGE_BIT) };
	struct mesa_buffer result = mesa_buffer_make(&vulkan, 4 * TEXELS);
	const uint8_t *in = (uint8_t *)texels[0].buffer.words,
		      *out = (uint8_t *)texels[1].buffer.words;
	uint64_t random = 1;

	for (unsigned i = 0; i < TEXELS; i++)
		choose_texel(&random, format, (uint8_t *)texels[0].buffer.words + i * bytes);
	run(row->place, as, texels, &result);
	for (unsigned i = 0; i < TEXELS; i++)
		check_read(format, i, in + i * bytes, result.words + 4 * i);
	if (has & writes)
		for (unsigned i = 0; i < TEXELS * bytes; i++)
			if (in[i] != out[i])
				fail_msg("texel %u, byte %u: 0x%02x was written as 0x%02x",
					i / bytes, i % bytes, in[i], out[i]);
	for (unsigned i = 0; i < 2; i++)
		free_texels(row->place, &texels[i]);
	mesa_buffer_free(&vulkan, &result);
}

int main(int argc, char **argv)
{
	static struct row rows[2 * FORMATS];
	static struct CMUnitTest tests[2 * FORMATS];
	size_t count = 0;

	if (!mesa_vulkan_open(&vulkan, 0) ||
		!strstr(vulkan.properties.deviceName, argc > 1 ? argv[1] : "")) {
		printf("skipped: there is no Vulkan device %s\n", argc > 1 ? argv[1] : "");
		return 77;
	}
	for (size_t i = 0; i < 2 * FORMATS; i++) {
		struct row *row = &rows[count];

		row->format = &formats[i / 2];
		row->place = i % 2 ? BUFFER : IMAGE;
		if (!(features(row) &
			    (row->place == IMAGE ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT
						 : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT)))
			continue;
		snprintf(row->name, sizeof row->name, "%s in %s", row->format->name,
			row->place == IMAGE ? "an image" : "a buffer");
		tests[count++] = (struct CMUnitTest){ .name = row->name,
			.test_func = format_is_read_and_written,
			.initial_state = row };
	}
	for (unsigned i = 0; i < 2 * KINDS; i++)
		shaders[i / KINDS][i % KINDS] =
			mesa_shader_make(&vulkan, shader_names[i / KINDS][i % KINDS], 0,
				i / KINDS == IMAGE ? 1u << MESA_IMAGES | 1u << MESA_SAMPLED
						   : 3u << MESA_TEXELS);
	int failed = _cmocka_run_group_tests("mesa_format", tests, count, NULL, NULL);
	for (unsigned i = 0; i < 2 * KINDS; i++)
		mesa_shader_free(&vulkan, &shaders[i / KINDS][i % KINDS]);
	mesa_vulkan_close(&vulkan);
	return failed;
}
