// SPDX-License-Identifier: MIT
#include "layer/call/call.h"

#include <string.h>

#include <CL/cl_icd.h>

const struct call calls[] = {
#define CALL(name, kind, signature)                                                                \
	{ #name, CALL_##kind, signature, offsetof(struct _cl_icd_dispatch, name) / sizeof(void *) },
#define EXTENSION(name, kind, signature) { #name, CALL_##kind, signature, CALL_NO_SLOT },
#include "layer/call/call.def"
};

const unsigned call_count = sizeof calls / sizeof *calls;

const struct call *call_find(const char *name)
{
	for (unsigned i = 0; i < call_count; i++)
		if (!strcmp(calls[i].name, name))
			return &calls[i];
	return NULL;
}

bool call_is_recorded(const struct call *call)
{
	return call->kind >= CALL_STATE;
}

unsigned call_params(const struct call *call, struct call_param params[CALL_MOST_PARAMS])
{
	unsigned n = 0;

	for (const char *at = call->signature + 2; *at && n < CALL_MOST_PARAMS; at++, n++) {
		params[n] = (struct call_param){ .letter = *at };
		if (*at == 'h' || *at == 'o')
			params[n].rule = *++at;
	}
	return n;
}

unsigned call_bits(char letter)
{
	return letter == 'v' ? 0 : strchr("iBn", letter) ? 32 : 64;
}

char call_element(char letter)
{
	static const char arrays[] = "dqmgw", elements[] = "DQMGE";
	const char *array = letter ? strchr(arrays, letter) : NULL;

	return array ? elements[array - arrays] : 0;
}

int call_param_find(const struct call *call, char letter)
{
	struct call_param params[CALL_MOST_PARAMS];
	unsigned n = call_params(call, params);

	for (unsigned i = 0; i < n; i++)
		if (params[i].letter == letter)
			return (int)i;
	return -1;
}

bool call_runs_kernels(const struct call *call)
{
	return call->kind == CALL_ENQUEUE &&
	       (call_param_find(call, 'K') >= 0 || call_param_find(call, 'H') >= 0);
}

static size_t multiply(size_t a, size_t b)
{
	size_t product;

	return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

static size_t add(size_t a, size_t b)
{
	size_t sum;

	return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

size_t call_box_packed(const struct call_box *box)
{
	return multiply(multiply(box->width, box->height), box->depth);
}

size_t call_box_span(const struct call_box *box)
{
	if (!box->width || !box->height || !box->depth)
		return 0;
	size_t last =
		add(multiply(box->depth - 1, box->slice), multiply(box->height - 1, box->row));
	return add(add(last, box->width), box->offset);
}

static void move(const struct call_box *box, unsigned char *host, unsigned char *packed, bool out)
{
	for (size_t z = 0; z < box->depth; z++)
		for (size_t y = 0; y < box->height; y++, packed += box->width) {
			unsigned char *at = host + box->offset + z * box->slice + y * box->row;
			memcpy(out ? at : packed, out ? packed : at, box->width);
		}
}

void call_box_gather(const struct call_box *box, const void *host, void *packed)
{
	move(box, (unsigned char *)(uintptr_t)host, packed, false);
}

void call_box_scatter(const struct call_box *box, void *host, const void *packed)
{
	move(box, host, (unsigned char *)(uintptr_t)packed, true);
}

size_t call_pixel_size(uint32_t channel_order, uint32_t channel_type)
{
	static const struct {
		uint32_t type;
		unsigned char size, pixel; /* of a channel, or of all */
	} types[] = { { CL_SNORM_INT8, 1, 0 }, { CL_UNORM_INT8, 1, 0 }, { CL_SIGNED_INT8, 1, 0 },
		{ CL_UNSIGNED_INT8, 1, 0 }, { CL_SNORM_INT16, 2, 0 }, { CL_UNORM_INT16, 2, 0 },
		{ CL_SIGNED_INT16, 2, 0 }, { CL_UNSIGNED_INT16, 2, 0 }, { CL_HALF_FLOAT, 2, 0 },
		{ CL_SIGNED_INT32, 4, 0 }, { CL_UNSIGNED_INT32, 4, 0 }, { CL_FLOAT, 4, 0 },
		{ CL_UNORM_SHORT_565, 0, 2 }, { CL_UNORM_SHORT_555, 0, 2 },
		{ CL_UNORM_INT_101010, 0, 4 }, { CL_UNORM_INT24, 4, 0 } };
	static const uint32_t two[] = { CL_RG, CL_RA, CL_RGx };
	static const uint32_t three[] = { CL_RGB, CL_RGBx, CL_sRGB };
	static const uint32_t four[] = { CL_RGBA, CL_BGRA, CL_ARGB, CL_ABGR, CL_sRGBA, CL_sBGRA,
		CL_sRGBx, 0x4076 /* NV12, by plane */ };
	size_t channels = 1;

	for (unsigned i = 0; i < 8; i++)
		channels = i < 3 && channel_order == two[i]	? 2
			   : i < 3 && channel_order == three[i] ? 3
			   : channel_order == four[i]		? 4
								: channels;
	for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].type == channel_type)
			return types[i].pixel ? types[i].pixel : types[i].size * channels;
	return 0;
}

/* A box of one row; true. */
static bool linear(size_t size, struct call_box *box)
{
	*box = (struct call_box){
		.width = size, .height = 1, .depth = 1, .row = size, .slice = size
	};
	return true;
}

static const void *pointer(uint64_t word)
{
	return (const void *)(uintptr_t)word;
}

/* Of a rectangle of a buffer: the region and the host's origin, row and slice before it. */
static bool rectangle(const uint64_t *words, unsigned index, struct call_box *box)
{
	const size_t *origin = pointer(words[index - 6]), *region = pointer(words[index - 5]);

	if (!origin || !region)
		return false;
	*box = (struct call_box){ .width = region[0], .height = region[1], .depth = region[2] };
	box->row = words[index - 2] ? words[index - 2] : region[0];
	box->slice = words[index - 1] ? words[index - 1] : multiply(box->row, region[1]);
	box->offset =
		add(add(origin[0], multiply(origin[1], box->row)), multiply(origin[2], box->slice));
	return box->row >= region[0];
}

/* Rows of pixels, with the pitches that the call gives or those that follow from the region. */
static bool pixels(const size_t *region, size_t pixel, size_t row, size_t slice, bool is_array_1d,
	struct call_box *box)
{
	if (is_array_1d && slice)
		row = slice;
	*box = (struct call_box){ .width = multiply(region[0], pixel),
		.height = region[1],
		.depth = region[2],
		.row = row,
		.slice = slice };
	if (!box->row)
		box->row = box->width;
	if (!box->slice)
		box->slice = multiply(box->row, box->height);
	return pixel && box->row >= box->width;
}

/* The host memory of a new image, from its description. */
static bool new_image(
	const struct call *call, const uint64_t *words, unsigned index, struct call_box *box)
{
	int at = call_param_find(call, 'F');
	const cl_image_format *format = pointer(words[at]);
	const cl_image_desc *desc = pointer(words[at + 1]);
	cl_image_desc old = { 0 };

	if (!format)
		return false;
	if (call_param_find(call, 'I') < 0) {
		bool has_depth = index == (unsigned)at + 6;
		old = (cl_image_desc){ .image_type = has_depth ? CL_MEM_OBJECT_IMAGE3D
							       : CL_MEM_OBJECT_IMAGE2D,
			.image_width = words[at + 1],
			.image_height = words[at + 2],
			.image_depth = has_depth ? words[at + 3] : 1,
			.image_row_pitch = words[at + 3 + has_depth],
			.image_slice_pitch = has_depth ? words[at + 5] : 0 };
		desc = &old;
	}
	if (!desc)
		return false;
	bool is_array_1d = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	bool is_array = is_array_1d || desc->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
	bool is_1d = is_array_1d || desc->image_type == CL_MEM_OBJECT_IMAGE1D ||
		     desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
	size_t region[3] = { desc->image_width, is_1d ? 1 : desc->image_height,
		is_array				    ? desc->image_array_size
		: desc->image_type == CL_MEM_OBJECT_IMAGE3D ? desc->image_depth
							    : 1 };
	size_t pixel =
		call_pixel_size(format->image_channel_order, format->image_channel_data_type);
	return pixels(region, pixel, desc->image_row_pitch, desc->image_slice_pitch, false, box);
}

bool call_box_find(const struct call *call, const uint64_t *words, unsigned index,
	call_pixel *pixel, struct call_box *box)
{
	struct call_param params[CALL_MOST_PARAMS];
	unsigned n = call_params(call, params);
	char rule = index < n ? params[index].rule : 0;
	size_t size = rule == 'C' ? 16 : 0;

	if (rule == 'R')
		return rectangle(words, index, box);
	if (rule == 'N')
		return new_image(call, words, index, box);
	if (rule == 'I') {
		const size_t *region = pointer(words[index - 3]);
		bool is_array_1d = false;
		size_t bytes = region ? pixel(words[1], &is_array_1d) : 0;
		return bytes &&
		       pixels(region, bytes, words[index - 2], words[index - 1], is_array_1d, box);
	}
	if (rule >= '0' && rule <= '9')
		size = words[rule - '0'];
	return linear(size, box) && rule && index < n;
}

bool call_box_mapped(
	const struct call *call, const uint64_t *words, call_pixel *pixel, struct call_box *box)
{
	bool is_image = call_param_find(call, '3') >= 0, is_array_1d = false;
	const size_t *region = is_image ? pointer(words[5]) : NULL;
	const size_t *row = is_image ? pointer(words[6]) : NULL;
	const size_t *slice = is_image ? pointer(words[7]) : NULL;

	if (!is_image)
		return linear(words[5], box);
	size_t bytes = region ? pixel(words[1], &is_array_1d) : 0;
	return bytes && pixels(region, bytes, row ? *row : 0, slice ? *slice : 0, is_array_1d, box);
}

static ffi_type *type_of(char letter)
{
	switch (call_bits(letter)) {
	case 0:
		return &ffi_type_void;
	case 32:
		return letter == 'i' ? &ffi_type_sint32 : &ffi_type_uint32;
	default:
		return letter == 'l' ? &ffi_type_uint64 : &ffi_type_pointer;
	}
}

bool call_frame_init(struct call_frame *frame, const struct call *call)
{
	struct call_param params[CALL_MOST_PARAMS];
	unsigned n = call_params(call, params);

	for (unsigned i = 0; i < n; i++)
		frame->types[i] = type_of(params[i].letter);
	return ffi_prep_cif(&frame->cif, FFI_DEFAULT_ABI, n, type_of(call->signature[0]),
		       frame->types) == FFI_OK;
}

uint64_t call_invoke(struct call_frame *frame, const struct call *call, call_function function,
	const uint64_t *words)
{
	struct call_param params[CALL_MOST_PARAMS];
	uint32_t halves[CALL_MOST_PARAMS];
	void *values[CALL_MOST_PARAMS];
	unsigned n = call_params(call, params);
	ffi_arg result = 0;

	for (unsigned i = 0; i < n; i++) {
		halves[i] = (uint32_t)words[i];
		values[i] = call_bits(params[i].letter) == 32 ? (void *)&halves[i]
							      : (void *)(uintptr_t)&words[i];
	}
	ffi_call(&frame->cif, function, &result, values);
	return result;
}
