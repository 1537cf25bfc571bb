// SPDX-License-Identifier: MIT
/*
 * What drivers copy, fill and clear with on an engine that draws: rectangles whose corners come
 * from memory as they are, and which one kernel covers with colours or with depth. There are no
 * other primitives, shaders of vertices, tests of depth, stencil, blending or samples. A kernel may
 * also note that texels are cleared, or resolve what is noted.
 */
#include "cs/cs_state.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "gen/gen_format.h"
#include "gen/gen_state.h"
#include "util/util_bits.h"

enum {
	CORNERS = 3,
	RECTANGLES = 15,  /* 3DPRIM_RECTLIST */
	SLOTS = 34,	  /* vertex elements */
	MOST_INPUTS = 32, /* of a kernel, of four dwords each */
	INPUT_BYTES = 64, /* in registers: two for a channel's planes each */
	MOST_EXTENT = 16384,
};

/* Which packets are kept, by bits 24:16 of the first dword, and where. */
#define KEPT(opcode, member)                                                                       \
	[opcode] = { offsetof(struct cs_drawing, member) + 1,                                      \
		sizeof(((struct cs_drawing *)0)->member) }
static const struct {
	uint16_t at, bytes;
} kept[0x200] = {
	KEPT(0x05, depth_buffer),
	KEPT(0x0d, multisample),
	KEPT(0x10, vertex),
	KEPT(0x13, setup),
	KEPT(0x1f, inputs),
	KEPT(0x20, pixel),
	KEPT(0x24, blend),
	KEPT(0x2a, table),
	KEPT(0x2f, samplers),
	KEPT(0x4a, generated),
	KEPT(0x4d, colours),
	KEPT(0x4e, depth),
	KEPT(0x4f, pixel_extra),
	KEPT(0x52, clear),
	KEPT(0x100, rectangle),
};

enum cs_status cs_draw_state(struct cs_stream *stream, const uint32_t *p)
{
	unsigned opcode = util_bits(p[0], 24, 16);
	unsigned bytes = util_min_u32(stream->length * 4, kept[opcode].bytes);

	if (bytes)
		memcpy((uint8_t *)&stream->drawing + kept[opcode].at - 1, p, bytes);
	/* Bits 28 and 27 resolve depth that is noted for rectangles: none ever is. */
	if (util_bits(stream->drawing.clear[1], 31, 30)) {
		stream->drawing.clear[1] = 0;
		return cs_bad_packet(stream, "the device clears neither depth nor stencil");
	}
	return CS_RUN;
}

enum cs_status cs_vertex_buffers(struct cs_stream *stream, const uint32_t *p)
{
	for (unsigned i = 1; i + 4 <= stream->length; i += 4) {
		unsigned number = util_bits(p[i], 31, 26);
		if (number < UTIL_ARRAY_SIZE(stream->drawing.buffers))
			memcpy(stream->drawing.buffers[number], p + i, 4 * sizeof(*p));
	}
	return CS_RUN;
}

enum cs_status cs_vertex_elements(struct cs_stream *stream, const uint32_t *p)
{
	struct cs_drawing *drawing = &stream->drawing;

	drawing->element_count =
		util_min_u32((stream->length - 1) / 2, UTIL_ARRAY_SIZE(drawing->elements));
	memcpy(drawing->elements, p + 1, drawing->element_count * sizeof(*drawing->elements));
	return CS_RUN;
}

/* One vertex: four dwords for each element. Returns false with the fault set. */
static bool fetch(struct cs_stream *stream, uint32_t number, uint32_t (*vertex)[4])
{
	const struct cs_drawing *drawing = &stream->drawing;

	for (unsigned i = 0; i < drawing->element_count; i++) {
		enum { NOTHING, SOURCE, ZERO, ONE_FLOAT, ONE };
		const uint32_t *element = drawing->elements[i];
		const uint32_t *buffer = drawing->buffers[util_bits(element[0], 31, 26) % 33];
		const struct gen_format *format = gen_format_find(util_bits(element[0], 24, 16));
		uint64_t offset = (uint64_t)util_bits(buffer[0], 11, 0) * number +
				  util_bits(element[0], 11, 0);
		uint32_t source[4] = { 0 };
		uint32_t *const channels[4] = { source, source + 1, source + 2, source + 3 };
		uint8_t texel[GEN_TEXEL_BYTES] = { 0 };

		if (!format || util_bits(buffer[0], 13, 13)) {
			cs_bad_packet(stream, "vertex element %u has no format or buffer", i);
			return false;
		}
		if (offset + format->bytes <= buffer[3]) {
			if (!cs_read(stream, "vertex", cs_address(buffer + 1) + offset, texel,
				    format->bytes))
				return false;
			gen_format_decode(format, texel, 1, channels);
		}
		for (unsigned c = 0; c < 4; c++) {
			unsigned control = util_bits(element[1], 30 - 4 * c, 28 - 4 * c);
			vertex[i][c] = control == SOURCE      ? source[c]
				       : control == ONE_FLOAT ? 0x3f800000
				       : control == ONE	      ? 1
							      : 0;
		}
	}
	return true;
}

/* Why what is to be drawn cannot be; NULL when it can. */
static const char *problem_of(const struct cs_drawing *d, const uint32_t *p)
{
	if (util_bits(p[1], 5, 0) != RECTANGLES || p[2] != CORNERS)
		return "the device draws single rectangles only";
	if (util_bits(p[0], 11, 10) || util_bits(p[1], 8, 8))
		return "the device draws neither by indices nor by indirect parameters";
	if (util_bits(d->vertex[7], 0, 0) || util_bits(d->setup[1], 1, 1))
		return "the device has no shaders of vertices and no viewports";
	if (!util_bits(d->pixel_extra[1], 31, 31) || util_bits(d->pixel[6], 2, 0) == 0)
		return "no kernel draws";
	if (util_bits(d->depth[1], 3, 1))
		return "the device tests no depth and has no stencil";
	if (util_bits(d->depth[1], 0, 0) != util_bits(d->pixel_extra[1], 27, 26))
		return "the device writes what depth the kernel computes, and no other";
	if (util_bits(d->multisample[1], 3, 1))
		return "the device has one sample in a pixel";
	if (util_bits(d->colours[1], 29, 29))
		return "the device does not blend";
	if (util_bits(d->pixel[6], 11, 11))
		return "the device pushes no constants to kernels that draw";
	return NULL;
}

/* The channels of colours that are written; false with the fault set. */
static bool read_channels(struct cs_stream *stream, uint8_t *channels)
{
	const uint32_t pointer = stream->drawing.blend[1];
	uint32_t entry[3] = { 0 };

	if (util_bits(pointer, 0, 0) &&
		!cs_read(stream, "blend state", stream->bases.dynamic + (pointer & ~63u), entry,
			sizeof(entry)))
		return false;
	if (util_bits(entry[1], 31, 31) || util_bits(entry[2], 31, 31)) {
		cs_bad_packet(stream, "the device does not blend");
		return false;
	}
	/* Write disables are alpha, red, green, blue from bit 3 down. */
	*channels = (uint8_t)((!util_bits(entry[1], 2, 2)) | !util_bits(entry[1], 1, 1) << 1 |
			      !util_bits(entry[1], 0, 0) << 2 | !util_bits(entry[1], 3, 3) << 3);
	return true;
}

/* The kernel of 16 channels, or else of 8, or else of 32, and the register of its first input. */
static unsigned choose_kernel(struct cs_stream *stream, struct eu_dispatch *dispatch)
{
	const uint32_t *ps = stream->drawing.pixel;
	unsigned widths = util_bits(ps[6], 2, 0); /* 8, 16, 32 from bit 0 up */
	unsigned slot = (widths & 2) && widths != 2 ? 2 : 0;
	static const uint8_t pointers[3] = { 1, 8, 10 };

	dispatch->simd = widths & 2 ? 16 : widths & 1 ? 8 : 32;
	dispatch->right_mask = UINT32_MAX >> (32 - dispatch->simd);
	dispatch->kernel =
		(stream->bases.instruction + (cs_address(ps + pointers[slot]) & ~UINT64_C(63))) &
		EU_ADDRESS_MASK;
	dispatch->cr0 = util_bits(ps[3], 16, 16) | util_bits(ps[3], 31, 31) << 2 |
			util_bits(ps[3], 15, 14) << 4;
	dispatch->scratch = cs_address(ps + 4) & ~UINT64_C(0x3ff);
	dispatch->scratch_bytes_per_thread =
		dispatch->scratch ? UINT32_C(1024) << util_min_u32(util_bits(ps[4], 3, 0), 11) : 0;
	return util_bits(ps[7], 22 - 8 * slot, 16 - 8 * slot);
}

/* A coordinate of a corner: the first pixel whose centre is not before it. */
static uint32_t edge(uint32_t bits, uint32_t most)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	value = ceilf(value - 0.5f);
	return value > 0 ? util_min_u32((uint32_t)fminf(value, MOST_EXTENT), most) : 0;
}

/* The corners are right bottom, left bottom, left top. */
static void place(
	const struct cs_drawing *d, uint32_t (*corner)[SLOTS][4], struct eu_pixels *pixels)
{
	uint32_t right = util_bits(d->rectangle[2], 15, 0) + 1;
	uint32_t bottom = util_bits(d->rectangle[2], 31, 16) + 1;

	pixels->left = edge(corner[1][1][0], right);
	pixels->right = edge(corner[0][1][0], right);
	pixels->top = edge(corner[2][1][1], bottom);
	pixels->bottom = edge(corner[0][1][1], bottom);
	if (pixels->left < util_bits(d->rectangle[1], 15, 0))
		pixels->left = util_bits(d->rectangle[1], 15, 0);
	if (pixels->top < util_bits(d->rectangle[1], 31, 16))
		pixels->top = util_bits(d->rectangle[1], 31, 16);
}

/* Inputs in registers: of each channel, its change along x and y, nothing, its value. */
static unsigned place_inputs(
	const struct cs_drawing *d, uint32_t (*corner)[SLOTS][4], uint32_t *registers)
{
	unsigned count = util_bits(d->inputs[1], 27, 22);
	unsigned first = 2 * util_bits(d->inputs[1], 10, 5);

	count = util_min_u32(count, MOST_INPUTS);
	for (unsigned i = 0; i < count; i++)
		for (unsigned c = 0; c < 4 && first + i < SLOTS; c++) {
			registers[i * 16 + c * 4 + 3] = corner[0][first + i][c];
			for (unsigned k = 1; k < CORNERS; k++)
				if (corner[k][first + i][c] != corner[0][first + i][c])
					return UINT32_MAX;
		}
	return count * (INPUT_BYTES / GEN_GRF_BYTES);
}

static enum cs_status run(struct cs_stream *stream, const uint32_t *p)
{
	/* By whether it is a clear, and whether one of what is noted so far. */
	static const uint8_t effects[2][2] = { { EU_PIXELS_DRAW, EU_PIXELS_RESOLVE },
		{ EU_PIXELS_NOTE, EU_PIXELS_FORGET } };
	const struct cs_drawing *d = &stream->drawing;
	const bool tables_18_8 =
		cs_register_get(&stream->registers, CS_REG_GT_MODE) & CS_GT_MODE_TABLES_18_8;
	struct eu_dispatch dispatch = cs_walker_prepare(stream);
	uint32_t corner[CORNERS][SLOTS][4] = { 0 }, payload[GEN_GRF_COUNT * 8] = { 0 };
	struct eu_pixels *pixels = &dispatch.pixels;
	struct gen_surface_state depth;
	/* The header's layer is the instance's number. */
	const bool layered = util_bits(d->generated[1], 31, 16) == 0xa000;
	unsigned first = choose_kernel(stream, &dispatch);

	pixels->effect = effects[util_bits(d->pixel[6], 8, 8)][util_bits(d->pixel[6], 7, 6) != 0];
	if (!read_channels(stream, &pixels->channels))
		return CS_FAULT;
	if (util_bits(d->depth[1], 0, 0) &&
		gen_depth_buffer_parse(stream->packets.generation, d->depth_buffer, &depth))
		pixels->depth = &depth;
	for (unsigned i = 0; i < CORNERS; i++)
		if (!fetch(stream, p[3] + i, corner[i]))
			return CS_FAULT;
	place(d, corner, pixels);
	if (pixels->left >= pixels->right || pixels->top >= pixels->bottom || !p[4])
		return CS_RUN;
	dispatch.cross_thread_registers = place_inputs(d, corner, payload);
	if (dispatch.cross_thread_registers == UINT32_MAX || first < 2)
		return cs_bad_packet(stream, "the device does not interpolate");
	dispatch.start = (const uint8_t *)payload;
	dispatch.per_thread_registers = first - 1;
	dispatch.threads_per_group = 1;
	dispatch.binding_table = util_bits(d->table[1], 15, 5) << (tables_18_8 ? 8 : 5);
	dispatch.sampler_state = d->samplers[1] & ~31u;
	dispatch.group_first[0] = pixels->left / (dispatch.simd / 2u);
	dispatch.group_end[0] = (pixels->right - 1) / (dispatch.simd / 2u) + 1;
	dispatch.group_first[1] = pixels->top / 2;
	dispatch.group_end[1] = (pixels->bottom - 1) / 2 + 1;
	dispatch.group_first[2] = layered ? p[5] : corner[0][0][1];
	dispatch.group_end[2] = dispatch.group_first[2] + (layered ? p[4] : 1);
	return cs_walker_run(stream, &dispatch);
}

enum cs_status cs_primitive(struct cs_stream *stream, const uint32_t *p)
{
	const char *problem = problem_of(&stream->drawing, p);

	if (cs_walker_is_skipped(stream, p))
		return CS_RUN;
	if (problem)
		return cs_bad_packet(stream, "%s", problem);
	return run(stream, p);
}
