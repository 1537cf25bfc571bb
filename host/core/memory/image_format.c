// SPDX-License-Identifier: MIT
#include "core/memory/image_format.h"

#include "core/base/error.h"
#include "core/device/device_ext.h"
#include "util/util_bits.h"

#include <CL/cl_gl.h>
#include <string.h>

#define ROW(order, channels, swizzle, type, bytes, layout, component)                              \
	{                                                                                          \
		{ order, type }, (bytes), (channels),                                              \
		{                                                                                  \
			layout, component, swizzle                                                 \
		}                                                                                  \
	}

/* A channel order with its three layouts, for all types of components. */
#define ROWS(order, channels, swizzle, l8, l16, l32)                                               \
	ROW(order, channels, swizzle, CL_UNORM_INT8, (channels), l8, L0_UNORM),                    \
		ROW(order, channels, swizzle, CL_UNORM_INT16, 2 * (channels), l16, L0_UNORM),      \
		ROW(order, channels, swizzle, CL_SNORM_INT8, (channels), l8, L0_SNORM),            \
		ROW(order, channels, swizzle, CL_SNORM_INT16, 2 * (channels), l16, L0_SNORM),      \
		ROW(order, channels, swizzle, CL_SIGNED_INT8, (channels), l8, L0_SINT),            \
		ROW(order, channels, swizzle, CL_SIGNED_INT16, 2 * (channels), l16, L0_SINT),      \
		ROW(order, channels, swizzle, CL_SIGNED_INT32, 4 * (channels), l32, L0_SINT),      \
		ROW(order, channels, swizzle, CL_UNSIGNED_INT8, (channels), l8, L0_UINT),          \
		ROW(order, channels, swizzle, CL_UNSIGNED_INT16, 2 * (channels), l16, L0_UINT),    \
		ROW(order, channels, swizzle, CL_UNSIGNED_INT32, 4 * (channels), l32, L0_UINT),    \
		ROW(order, channels, swizzle, CL_HALF_FLOAT, 2 * (channels), l16, L0_FLOAT),       \
		ROW(order, channels, swizzle, CL_FLOAT, 4 * (channels), l32, L0_FLOAT)

static const struct image_format formats[] = {
	ROWS(CL_RGBA, 4, "rgba", L0_LAYOUT_8_8_8_8, L0_LAYOUT_16_16_16_16, L0_LAYOUT_32_32_32_32),
	ROW(CL_BGRA, 4, "bgra", CL_UNORM_INT8, 4, L0_LAYOUT_8_8_8_8, L0_UNORM),
	ROWS(CL_R, 1, "r001", L0_LAYOUT_8, L0_LAYOUT_16, L0_LAYOUT_32),
	ROWS(CL_RG, 2, "rg01", L0_LAYOUT_8_8, L0_LAYOUT_16_16, L0_LAYOUT_32_32),
	ROW(CL_DEPTH, 1, "r001", CL_UNORM_INT16, 2, L0_LAYOUT_16, L0_UNORM),
	ROW(CL_DEPTH, 1, "r001", CL_FLOAT, 4, L0_LAYOUT_32, L0_FLOAT),
};

#define BIT(type) (1u << ((type)-CL_SNORM_INT8))
#define NORMALIZED                                                                                 \
	(BIT(CL_SNORM_INT8) | BIT(CL_SNORM_INT16) | BIT(CL_UNORM_INT8) | BIT(CL_UNORM_INT16))
#define INTEGERS                                                                                   \
	(BIT(CL_SIGNED_INT8) | BIT(CL_SIGNED_INT16) | BIT(CL_SIGNED_INT32) |                       \
		BIT(CL_UNSIGNED_INT8) | BIT(CL_UNSIGNED_INT16) | BIT(CL_UNSIGNED_INT32))
#define FLOATS (BIT(CL_HALF_FLOAT) | BIT(CL_FLOAT))
#define BYTES                                                                                      \
	(BIT(CL_SNORM_INT8) | BIT(CL_UNORM_INT8) | BIT(CL_SIGNED_INT8) | BIT(CL_UNSIGNED_INT8))
#define PACKED (BIT(CL_UNORM_SHORT_565) | BIT(CL_UNORM_SHORT_555) | BIT(CL_UNORM_INT_101010))

/* Which types of components go with an order: section 5.3.1.1. */
static const struct {
	cl_channel_order order;
	cl_uint types;
} valid[] = {
	{ CL_R, NORMALIZED | INTEGERS | FLOATS },
	{ CL_A, NORMALIZED | INTEGERS | FLOATS },
	{ CL_RG, NORMALIZED | INTEGERS | FLOATS },
	{ CL_RA, NORMALIZED | INTEGERS | FLOATS },
	{ CL_RGBA, NORMALIZED | INTEGERS | FLOATS | BIT(CL_UNORM_INT_101010_2) },
	{ CL_RGB, PACKED },
	{ CL_RGBx, PACKED },
	{ CL_BGRA, BYTES },
	{ CL_ARGB, BYTES },
	{ CL_ABGR, BYTES },
	{ CL_Rx, NORMALIZED | INTEGERS | FLOATS },
	{ CL_RGx, NORMALIZED | INTEGERS | FLOATS },
	{ CL_INTENSITY, NORMALIZED | FLOATS },
	{ CL_LUMINANCE, NORMALIZED | FLOATS },
	{ CL_DEPTH, BIT(CL_UNORM_INT16) | BIT(CL_FLOAT) },
	{ CL_DEPTH_STENCIL, BIT(CL_UNORM_INT24) | BIT(CL_FLOAT) },
	{ CL_sRGB, BIT(CL_UNORM_INT8) },
	{ CL_sRGBx, BIT(CL_UNORM_INT8) },
	{ CL_sRGBA, BIT(CL_UNORM_INT8) },
	{ CL_sBGRA, BIT(CL_UNORM_INT8) },
};

static bool is_valid(const cl_image_format *format)
{
	cl_channel_type type = format->image_channel_data_type;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(valid); i++)
		if (valid[i].order == format->image_channel_order)
			return type >= CL_SNORM_INT8 && type <= CL_UNORM_INT_101010_2 &&
			       valid[i].types & BIT(type);
	return false;
}

bool image_is_type(cl_mem_object_type type)
{
	return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

/* Depth images are flat. */
static bool goes_with(const struct image_format *format, cl_mem_object_type type)
{
	return format->cl.image_channel_order != CL_DEPTH || type == CL_MEM_OBJECT_IMAGE2D ||
	       type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

const struct image_format *image_format_find(
	const cl_image_format *format, cl_mem_object_type type, cl_int *rc)
{
	if (!format || !is_valid(format)) {
		*rc = error_say(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "%s",
			format ? "the channel order does not go with the type of the components"
			       : "there is no image format");
		return NULL;
	}
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(formats); i++)
		if (!memcmp(&formats[i].cl, format, sizeof(*format)) &&
			goes_with(&formats[i], type))
			return &formats[i];
	*rc = error_say(CL_IMAGE_FORMAT_NOT_SUPPORTED,
		"the device has no images of this type with channel order 0x%x and type 0x%x",
		format->image_channel_order, format->image_channel_data_type);
	return NULL;
}

cl_int image_format_list(struct context *context, cl_mem_flags flags, cl_mem_object_type type,
	cl_uint n, cl_image_format *out, cl_uint *n_ret)
{
	const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
	const cl_mem_flags known = access | CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR |
				   CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY |
				   CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS |
				   CL_MEM_KERNEL_READ_AND_WRITE | CL_MEM_IMMUTABLE_EXT;
	cl_uint found = 0;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(!(flags & ~known), CL_INVALID_VALUE);
	cl_mem_flags given = flags & access;
	REQUIRE(!(given & (given - 1)), CL_INVALID_VALUE);
	REQUIRE(image_is_type(type), CL_INVALID_VALUE);
	REQUIRE(n > 0 || !out, CL_INVALID_VALUE);

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(formats); i++) {
		if (!context->has_images || !goes_with(&formats[i], type))
			continue;
		if (out && found < n)
			out[found] = formats[i].cl;
		found++;
	}
	if (n_ret)
		*n_ret = found;
	return CL_SUCCESS;
}

/* To the nearest, ties to even; a NaN to 0. */
static long rounded(double value, double low, double high)
{
	if (value != value)
		return 0;
	value = value < low ? low : value > high ? high : value;
	value += 0x1.8p52;
	value -= 0x1.8p52;
	return (long)value;
}

static uint16_t half_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
	if (magnitude >= 0x7f800000)
		return (uint16_t)(sign | 0x7c00 | (magnitude > 0x7f800000 ? 0x200 : 0));
	if (magnitude >= 0x477ff000) /* from 65520 on */
		return (uint16_t)(sign | 0x7c00);
	if (magnitude < 0x38800000) /* below 2^-14: units of 2^-24 */
		return (uint16_t)(sign |
				  (uint32_t)rounded(
					  value < 0 ? -value * 0x1p24 : value * 0x1p24, 0, 1024));
	magnitude += 0xfff + (magnitude >> 13 & 1);
	return (uint16_t)(sign | ((magnitude - 0x38000000) >> 13));
}

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/*
 * One component; `color` has it as the entry point got it. Products are of single precision, as
 * OpenCL C has them (8.3.1, conversions to normalized integers).
 */
static uint32_t pack(cl_channel_type type, const void *color)
{
	cl_float f;
	cl_int i;
	cl_uint u;

	memcpy(&f, color, sizeof(f));
	memcpy(&i, color, sizeof(i));
	memcpy(&u, color, sizeof(u));
	switch (type) {
	case CL_UNORM_INT8:
		return (uint32_t)rounded(f * 255.0f, 0, 255);
	case CL_UNORM_INT16:
		return (uint32_t)rounded(f * 65535.0f, 0, 65535);
	case CL_SNORM_INT8:
		return (uint32_t)rounded(f * 127.0f, -127, 127);
	case CL_SNORM_INT16:
		return (uint32_t)rounded(f * 32767.0f, -32767, 32767);
	case CL_SIGNED_INT8:
		return (uint32_t)clamped(i, INT8_MIN, INT8_MAX);
	case CL_SIGNED_INT16:
		return (uint32_t)clamped(i, INT16_MIN, INT16_MAX);
	case CL_UNSIGNED_INT8:
		return (uint32_t)clamped(u, 0, UINT8_MAX);
	case CL_UNSIGNED_INT16:
		return (uint32_t)clamped(u, 0, UINT16_MAX);
	case CL_HALF_FLOAT:
		return half_of(f);
	default:
		return u; /* 32 bits as they are */
	}
}

void image_format_pack(const struct image_format *format, const void *color,
	unsigned char pixel[IMAGE_FORMAT_MAX_SIZE])
{
	size_t bytes = format->size / format->channels;

	for (size_t i = 0; i < format->channels; i++) {
		/* the place in the colour that a kernel would read it from */
		size_t place =
			(size_t)(strchr(format->l0.channels, "rgba"[i]) - format->l0.channels);
		uint32_t component = pack(format->cl.image_channel_data_type,
			(const char *)color + place * sizeof(component));

		memcpy(pixel + i * bytes, &component, bytes);
	}
}
