// SPDX-License-Identifier: MIT
#include "eu/sampler/eu_image.h"

#include <stdlib.h>
#include <string.h>

#include "eu/sampler/eu_image_cache.h"
#include "eu/memory/eu_memory.h"
#include "eu/sampler/eu_clear.h"
#include "eu/state/eu_probe.h"
#include "gen/gen_tile.h"
#include "util/util_bits.h"
#include "util/util_clones.h"

enum {
	ALIGNMENT_1D = 64, /* texels between levels of one-dimensional images */
	MAX_LEVELS = 15,
	MOST_ENTRIES = 1 << 30, /* of a typed buffer: coordinates are signed */
	NULL_FORMAT = 0x002,	/* of a null surface: four channels of zeros */
};

static const struct eu_image *fail(
	struct eu_thread *thread, const struct eu_send *send, uint64_t address, const char *what)
{
	struct gen_fault *fault = thread->worker->fault;

	fault->address = address;
	gen_fault_add(fault, GEN_FAULT_BAD_STATE,
		"%s: its surface %s (binding table index 0x%x, surface state at 0x%llx)",
		send->access.name, what, send->access.index, (unsigned long long)address);
	return NULL;
}

/* ---- looking up ---- */

static bool is_buffer(const struct gen_surface_state *surface)
{
	return surface->type == GEN_SURFACE_BUFFER;
}

/* Whether it may have texels that are noted as cleared. */
static bool has_notes(const struct gen_surface_state *surface)
{
	return surface->aux_mode == GEN_AUX_CCS_D || surface->aux_mode == GEN_AUX_CCS_E;
}

/*
 * Why a surface cannot be used as an image; NULL when it can. Texels of a surface that may be
 * compressed are stored as they are, always, as hardware does with those that it cannot compress;
 * only that they are cleared is noted (eu_clear.h).
 */
static const char *problem_of(const struct gen_surface_state *surface, bool writes)
{
	const struct gen_format *format = gen_format_find(surface->format);

	if (surface->type > (writes ? GEN_SURFACE_3D : GEN_SURFACE_CUBE) &&
		surface->type != GEN_SURFACE_NULL && !is_buffer(surface))
		return "is neither an image nor a typed buffer";
	if (surface->type == GEN_SURFACE_NULL)
		return NULL;
	if (!format)
		return surface->format == GEN_FORMAT_RAW ? "is a raw buffer, not an image"
							 : "has a format that is not implemented";
	if (format->unblock && (writes || surface->type == GEN_SURFACE_1D || is_buffer(surface)))
		return "has texels in blocks, where there can be none";
	if (surface->aux_mode != GEN_AUX_NONE && !has_notes(surface))
		return "is compressed in a way that is not implemented";
	if (surface->samples > 1)
		return "is multisampled, which is not implemented";
	if (surface->tiled_resource_mode != 0 || surface->tile_mode == GEN_TILE_RESERVED)
		return "has a tiling that is not implemented";
	return NULL;
}

static uint32_t half(uint32_t size, unsigned times)
{
	return size >> times ? size >> times : 1;
}

/* How many blocks, or texels that stand alone, hold so many texels side by side. */
static uint32_t blocks(uint32_t texels, unsigned of)
{
	return (texels + of - 1) / of;
}

/* Whether texels follow each other; tiled ones of one dimension, of depth, lie as those of two. */
static bool is_line(const struct eu_image *image)
{
	const struct gen_surface_state *surface = &image->surface;

	return is_buffer(surface) ||
	       (surface->type == GEN_SURFACE_1D && surface->tile_mode == GEN_TILE_LINEAR);
}

/*
 * Level 1 lies below level 0 and level 2 to the right of that, the others below each other; in one
 * dimension they follow each other.
 */
static void place_levels(struct eu_image *image)
{
	const struct gen_surface_state *surface = &image->surface;
	const struct gen_format *format = image->format;
	const bool line = is_line(image);
	const uint32_t unit = surface->aligns_bytes ? image->bytes : 1;
	const uint32_t across = line ? ALIGNMENT_1D
				: surface->horizontal_alignment > unit
					? surface->horizontal_alignment / unit
					: 4;
	const uint32_t down = surface->vertical_alignment ? surface->vertical_alignment : 4;
	uint32_t x = surface->x_offset / format->width, y = surface->y_offset / format->height;

	for (unsigned i = 0; i < EU_LEVELS; i++) {
		struct eu_level *level = &image->level[i];

		level->width = half(surface->width, i);
		level->height = line ? 1 : half(surface->height, i);
		level->depth = surface->type == GEN_SURFACE_3D ? half(surface->depth, i)
			       : surface->array		       ? surface->depth
							       : 1;
		if (surface->type == GEN_SURFACE_CUBE)
			level->depth *= 6;
		level->x = x;
		level->y = y;
		if (line || i == 1)
			x += (uint32_t)util_align_up(blocks(level->width, format->width), across);
		else
			y += (uint32_t)util_align_up(blocks(level->height, format->height), down);
	}
	image->first_level = surface->min_lod;
	image->level_count = util_min_u32(surface->mip_count, MAX_LEVELS);
	image->level_count =
		image->level_count > surface->min_lod ? image->level_count - surface->min_lod : 0;
}

static void place_buffer(struct eu_image *image)
{
	uint64_t entries = image->surface.entries;

	image->level[0] =
		(struct eu_level){ entries < MOST_ENTRIES ? (uint32_t)entries : MOST_ENTRIES, 1, 1,
			image->surface.x_offset, 0 };
	image->first_level = 0;
	image->level_count = 1;
}

/* A buffer without a format has no texels, but a size: in bytes. It is looked up each time. */
static bool is_only_sized(const struct eu_image *image, const struct eu_send *send)
{
	return is_buffer(&image->surface) && image->surface.format == GEN_FORMAT_RAW &&
	       !send->access.reads && !send->access.writes;
}

static void map(struct eu_image *image, const struct eu_bus *bus)
{
	struct eu_range range;

	image->host = NULL;
	image->reach = 0;
	if (!bus->find(bus->self, image->surface.base, &range))
		return;
	image->host = range.host + (image->surface.base - range.first);
	image->reach = range.end - image->surface.base;
}

/* Places the texels that the surface describes. */
static void place(struct eu_image *image, const struct eu_bus *bus)
{
	image->format = gen_format_find(image->surface.format);
	image->bytes = image->format->bytes;
	image->fill = gen_format_fill(image->format);
	if (is_buffer(&image->surface))
		place_buffer(image);
	else
		place_levels(image);
	map(image, bus);
}

const struct eu_image *eu_image_depth(struct eu_thread *thread)
{
	struct eu_images *images = thread->worker->images;
	const struct eu_dispatch *dispatch = thread->worker->dispatch;

	if (images->depth.walker != images->walker) {
		images->depth.surface = *dispatch->pixels.depth;
		place(&images->depth, dispatch->bus);
		images->depth.walker = images->walker;
	}
	return &images->depth;
}

static bool resolve(struct eu_thread *thread, const struct eu_send *send, uint64_t address,
	struct eu_image *image)
{
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	uint32_t dwords[GEN_SURFACE_STATE_DWORDS];
	const char *problem;

	if (!eu_memory_copy_from(bus, address, dwords, sizeof(dwords), NULL))
		return fail(thread, send, address, "is described nowhere");
	gen_surface_state_parse(
		thread->worker->device->family->generation, dwords, &image->surface);
	image->walker = 0;
	if (is_only_sized(image, send)) {
		place_buffer(image);
		image->level[0].width = (uint32_t)image->surface.entries;
		image->format = gen_format_find(NULL_FORMAT);
		image->quick.ready = false;
		return true;
	}
	problem = problem_of(&image->surface, send->access.writes);
	if (problem)
		return fail(thread, send, address, problem);
	if (image->surface.type > GEN_SURFACE_CUBE || image->surface.type == GEN_SURFACE_3D)
		image->surface.array = false; /* others have no layers */
	if (image->surface.type == GEN_SURFACE_NULL) {
		image->format = gen_format_find(NULL_FORMAT);
		image->bytes = image->format->bytes;
		image->reach = 0;
		image->level_count = 0;
	} else {
		place(image, bus);
	}
	eu_quick_describe(image, thread->worker->device->family->generation);
	if (has_notes(&image->surface) &&
		thread->worker->dispatch->pixels.effect < EU_PIXELS_NOTE &&
		!eu_clear_fill(thread, send, image, dwords))
		return false;
	image->state = address;
	image->walker = thread->worker->images->walker;
	return true;
}

const struct eu_image *eu_image_find(struct eu_thread *thread, const struct eu_send *send)
{
	struct eu_worker *worker = thread->worker;
	unsigned index = send->access.index;
	struct eu_image *image;
	uint64_t address = 0;

	if (!eu_images_ready(worker))
		return NULL;
	if (index == EU_BTI_BINDLESS) {
		uint32_t offset = send->access.handle;

		address = (worker->dispatch->bindless_surface_base + offset) & EU_ADDRESS_MASK;
		image = &worker->images->bindless[(offset >> 6) % EU_BINDLESS_IMAGES];
		if (image->walker == worker->images->walker && image->state == address)
			return image;
	} else {
		image = &worker->images->bound[index];
		if (image->walker == worker->images->walker)
			return image;
		if (!eu_surface_state(thread, send, &address))
			return NULL;
	}
	return resolve(thread, send, address, image) ? image : NULL;
}

bool eu_images_ready(struct eu_worker *worker)
{
	if (worker->images)
		return true;
	worker->images = calloc(1, sizeof(*worker->images));
	if (!worker->images) {
		gen_fault_add(worker->fault, GEN_FAULT_NO_MEMORY, "no memory for images");
		return false;
	}
	worker->images->walker = 1;
	return true;
}

void eu_images_forget(struct eu_worker *worker)
{
	struct eu_images *images = worker->images;

	if (images && ++images->walker == 0) {
		memset(images, 0, sizeof(*images));
		images->walker = 1;
	}
}

void eu_images_finish(struct eu_worker *worker)
{
	free(worker->images);
	worker->images = NULL;
}

/* ---- where texels lie ---- */

void eu_image_arrange(
	const struct eu_image *image, unsigned count, int32_t *x, int32_t *y, int32_t *z)
{
	const struct gen_surface_state *surface = &image->surface;
	const bool line = surface->type == GEN_SURFACE_1D || is_buffer(surface);

	(void)x;
	if (!line && (surface->type == GEN_SURFACE_3D || surface->array))
		return;
	for (unsigned i = 0; i < count; i++) {
		z[i] = line && surface->array ? y[i] : 0;
		y[i] = line ? 0 : y[i];
	}
}

/* EU_OUTSIDE unless it is below the size. */
static inline uint64_t outside(int32_t index, uint32_t size)
{
	return (uint64_t)((uint32_t)index >= size) << 62;
}

static const struct gen_tile_64 *tile_64(const struct eu_image *image)
{
	return gen_tile_64_find(image->bytes, image->surface.type == GEN_SURFACE_3D);
}

/* Of entries of a buffer, or texels of a line; also between layers of lines. */
static uint64_t stride_of(const struct eu_image *image)
{
	return is_buffer(&image->surface) ? image->surface.pitch : image->bytes;
}

#define EACH(to, index, size, value)                                                               \
	for (unsigned i = 0; i < count; i++)                                                       \
	to[i] = (value) | outside(index[i], size)
#define EACH_TILE(EACH)                                                                            \
	if (surface->tile_mode == GEN_TILE_4)                                                      \
		EACH(gen_tile_4);                                                                  \
	else if (surface->tile_mode == GEN_TILE_Y)                                                 \
		EACH(gen_tile_y);                                                                  \
	else if (surface->tile_mode == GEN_TILE_X)                                                 \
		EACH(gen_tile_x);                                                                  \
	else                                                                                       \
		EACH(gen_tile_linear)

#define INLINE static inline __attribute__((always_inline))

INLINE void find_columns(const struct eu_image *image, const struct eu_level *level, unsigned count,
	const int32_t *restrict x, uint64_t *restrict column)
{
	const struct gen_surface_state *surface = &image->surface;
	const uint32_t bytes = image->bytes, width = level->width, left = level->x;

	if (is_line(image)) {
		const uint64_t stride = stride_of(image);
		EACH(column, x, width, ((uint64_t)(uint32_t)x[i] + left) * stride);
	} else if (surface->tile_mode == GEN_TILE_64) {
		EACH(column, x, width,
			gen_tile_64_column(tile_64(image), ((uint32_t)x[i] + left) * bytes));
	} else {
#define COLUMNS(tile) EACH(column, x, width, tile##_column(((uint32_t)x[i] + left) * bytes))
		EACH_TILE(COLUMNS);
	}
}

/* Slices of a three-dimensional image share tiles of 64 KiB, layers do not. */
INLINE void find_rows(const struct eu_image *image, const struct eu_level *level, unsigned count,
	const int32_t *restrict y, const int32_t *restrict z, uint64_t *restrict row)
{
	const struct gen_surface_state *surface = &image->surface;
	const uint32_t height = level->height, depth = level->depth, top = level->y;
	const uint32_t pitch = surface->pitch, qpitch = surface->qpitch;
	const uint32_t first = surface->min_array_element;
	const bool deep = surface->type == GEN_SURFACE_3D;

	if (is_line(image)) {
		const uint64_t layer = is_buffer(surface) ? 0 : qpitch * stride_of(image);
		EACH(row, y, height, ((uint64_t)(uint32_t)z[i] + first) * layer);
	} else if (surface->tile_mode == GEN_TILE_64) {
		EACH(row, y, height,
			gen_tile_64_row(tile_64(image), pitch, qpitch,
				(uint32_t)y[i] + top +
					(deep ? 0 : ((uint32_t)z[i] + first) * qpitch),
				deep ? (uint32_t)z[i] + first : 0));
	} else {
#define ROWS(tile)                                                                                 \
	EACH(row, y, height,                                                                       \
		tile##_row(pitch, (uint32_t)y[i] + ((uint32_t)z[i] + first) * qpitch + top))
		EACH_TILE(ROWS);
	}
	for (unsigned i = 0; i < count; i++)
		row[i] |= outside(z[i], depth);
}

/* The level; without texels if it does not exist. */
static const struct eu_level *level_of(const struct eu_image *image, unsigned number)
{
	static const struct eu_level none;

	return number < image->level_count ? &image->level[image->first_level + number] : &none;
}

/*
 * The same of texels in blocks: those of the blocks along an axis, and where texels lie in them,
 * each of which counts as `step`. The last blocks of a level may be beyond it in part.
 */
static void in_blocks(const struct eu_image *image, const struct eu_level *level, unsigned count,
	const int32_t *index, const int32_t *z, uint64_t *place)
{
	const unsigned size = z ? image->format->height : image->format->width;
	const unsigned step = z ? image->format->width : 1;
	struct eu_level whole = *level;
	int32_t block[EU_TEXELS] = { 0 };

	for (unsigned i = 0; i < count; i++)
		block[i] = (int32_t)((uint32_t)index[i] / size);
	whole.width = blocks(level->width, image->format->width);
	whole.height = blocks(level->height, image->format->height);
	if (z)
		find_rows(image, &whole, count, block, z, place);
	else
		find_columns(image, &whole, count, block, place);
	for (unsigned i = 0; i < count; i++)
		place[i] |= (uint64_t)((uint32_t)index[i] % size * step) << EU_IN_BLOCK |
			    outside(index[i], z ? level->height : level->width);
}

UTIL_CLONES void eu_image_columns(const struct eu_image *image, unsigned number, unsigned count,
	const int32_t *x, uint64_t *column)
{
	if (image->format->unblock)
		in_blocks(image, level_of(image, number), count, x, NULL, column);
	else
		find_columns(image, level_of(image, number), count, x, column);
}

UTIL_CLONES void eu_image_rows(const struct eu_image *image, unsigned number, unsigned count,
	const int32_t *y, const int32_t *z, uint64_t *row)
{
	if (image->format->unblock)
		in_blocks(image, level_of(image, number), count, y, z, row);
	else
		find_rows(image, level_of(image, number), count, y, z, row);
}

void eu_image_locate(const struct eu_image *image, unsigned level, unsigned count, const int32_t *x,
	const int32_t *y, const int32_t *z, uint64_t *offset)
{
	uint64_t row[EU_TEXELS];

	eu_image_columns(image, level, count, x, offset);
	eu_image_rows(image, level, count, y, z, row);
	for (unsigned i = 0; i < count; i++)
		offset[i] = eu_image_sum(offset[i], row[i]);
}

uint64_t eu_image_byte(const struct eu_image *image, uint32_t x, uint32_t y)
{
	const struct gen_surface_state *surface = &image->surface;

	x += surface->x_offset * image->bytes;
	y += surface->y_offset;
	if (surface->tile_mode == GEN_TILE_64)
		return gen_tile_64(tile_64(image), surface->pitch, surface->qpitch, x, y, 0);
	if (surface->tile_mode == GEN_TILE_4)
		return gen_tile_4(surface->pitch, x, y);
	if (surface->tile_mode == GEN_TILE_Y)
		return gen_tile_y(surface->pitch, x, y);
	if (surface->tile_mode == GEN_TILE_X)
		return gen_tile_x(surface->pitch, x, y);
	return gen_tile_linear(surface->pitch, x, y);
}

/* ---- memory ---- */

static bool page_fault(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint64_t offset, uint64_t missing, const char *verb)
{
	struct gen_fault *fault = thread->worker->fault;

	fault->address = missing;
	gen_fault_add(fault, GEN_FAULT_PAGE,
		"%s: %s the texel at byte 0x%llx of image %u (%s, 0x%llx), where no buffer is "
		"bound",
		send->access.name, verb, (unsigned long long)offset, send->access.index,
		image->format->name, (unsigned long long)image->surface.base);
	return false;
}

static bool load_far(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint64_t offset, unsigned bytes, uint8_t *texel)
{
	uint64_t missing = 0, address = (image->surface.base + offset) & EU_ADDRESS_MASK;

	if (offset == EU_NOWHERE) {
		memset(texel, 0, bytes);
		return true;
	}
	if (eu_memory_copy_from(thread->worker->dispatch->bus, address, texel, bytes, &missing))
		return true;
	return page_fault(thread, send, image, offset, missing, "reads");
}

/* The first offset from which `bytes` do not all lie in reach. */
static uint64_t limit_of(const struct eu_image *image, unsigned bytes)
{
	return image->reach >= bytes ? image->reach - bytes + 1 : 0;
}

/* Whether all texels are below the limit. */
UTIL_CLONES static bool is_near(unsigned count, const uint64_t *offset, uint64_t limit)
{
	uint64_t far = 0;

	for (unsigned i = 0; i < count; i++)
		far |= offset[i] >= limit;
	return !far;
}

static inline __attribute__((always_inline)) bool load(struct eu_thread *thread,
	const struct eu_send *send, const struct eu_image *image, unsigned count,
	const uint64_t *offset, uint8_t *texels, const unsigned bytes)
{
	const uint64_t limit = limit_of(image, bytes);
	const bool near = is_near(count, offset, limit);

	for (unsigned i = 0; near && i < count; i++)
		memcpy(texels + i * bytes, image->host + offset[i], bytes);
	for (unsigned i = 0; !near && i < count; i++) {
		if (offset[i] < limit)
			memcpy(texels + i * bytes, image->host + offset[i], bytes);
		else if (!load_far(thread, send, image, offset[i], bytes, texels + i * bytes))
			return false;
	}
	return true;
}

void eu_image_tell(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, unsigned count, const uint64_t *offset, bool writes)
{
	const struct eu_probe *probe = thread->worker->probe;

	if (!probe || !probe->texels)
		return;
	const struct eu_texels texels = { .base = image->surface.base & EU_ADDRESS_MASK,
		.bytes = image->bytes,
		.count = count,
		.offset = offset,
		.writes = writes,
		.atomic = send->access.kind == EU_ACCESS_TYPED_ATOMIC };

	probe->texels(probe, thread, send, &texels);
}

/* Texels of 2 bytes that share their chroma with a neighbour: 4 bytes of each. */
static bool load_pairs(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, unsigned count, const uint64_t *offset, uint8_t *texels)
{
	for (unsigned i = 0; i < count; i++, texels += 4) {
		uint64_t first = offset[i] == EU_NOWHERE ? EU_NOWHERE : offset[i] & ~UINT64_C(3);
		uint8_t pair[4];

		if (!load(thread, send, image, 1, &first, pair, 4))
			return false;
		gen_format_unpair(image->format, pair, offset[i] & 2, texels);
	}
	return true;
}

static bool load_blocks(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, unsigned count, const uint64_t *offset, uint8_t *texels)
{
	const struct gen_format *format = image->format;

	for (unsigned i = 0; i < count; i++, texels += format->decoded_bytes) {
		unsigned number = (unsigned)(offset[i] >> EU_IN_BLOCK);
		uint64_t first = offset[i] & ((UINT64_C(1) << EU_IN_BLOCK) - 1);
		uint8_t block[GEN_BLOCK_BYTES];

		memset(texels, 0, format->decoded_bytes);
		if (offset[i] == EU_NOWHERE)
			continue;
		if (!load(thread, send, image, 1, &first, block, image->bytes))
			return false;
		format->unblock(
			format, block, number % format->width, number / format->width, texels);
	}
	return true;
}

bool eu_image_load(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, unsigned count, const uint64_t *offset, uint8_t *texels)
{
	eu_image_tell(thread, send, image, count, offset, false);
	if (image->format->unblock)
		return load_blocks(thread, send, image, count, offset, texels);
	if (image->format->paired)
		return load_pairs(thread, send, image, count, offset, texels);
	switch (image->bytes) {
	case 1:
		return load(thread, send, image, count, offset, texels, 1);
	case 2:
		return load(thread, send, image, count, offset, texels, 2);
	case 4:
		return load(thread, send, image, count, offset, texels, 4);
	case 8:
		return load(thread, send, image, count, offset, texels, 8);
	case 16:
		return load(thread, send, image, count, offset, texels, 16);
	default:
		return load(thread, send, image, count, offset, texels, image->bytes);
	}
}

static bool store_far(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint64_t offset, const uint8_t *texel)
{
	uint64_t missing = 0, address = (image->surface.base + offset) & EU_ADDRESS_MASK;

	if (offset == EU_NOWHERE || eu_memory_copy_to(thread->worker->dispatch->bus, address, texel,
					    image->bytes, &missing))
		return true;
	return page_fault(thread, send, image, offset, missing, "writes");
}

static inline __attribute__((always_inline)) bool store(struct eu_thread *thread,
	const struct eu_send *send, const struct eu_image *image, unsigned count,
	const uint64_t *offset, const uint8_t *texels, const unsigned bytes)
{
	const uint64_t limit = limit_of(image, bytes);
	const bool near = is_near(count, offset, limit);

	for (unsigned i = 0; near && i < count; i++)
		memcpy(image->host + offset[i], texels + i * bytes, bytes);
	for (unsigned i = 0; !near && i < count; i++) {
		if (offset[i] < limit)
			memcpy(image->host + offset[i], texels + i * bytes, bytes);
		else if (!store_far(thread, send, image, offset[i], texels + i * bytes))
			return false;
	}
	return true;
}

/* Changes the bits of `mask` in a byte that other threads may change the rest of. */
static void store_bits(uint8_t *at, uint8_t value, uint8_t mask)
{
	uint8_t old = __atomic_load_n(at, __ATOMIC_RELAXED);

	if (mask == 0xff) {
		*at = value;
		return;
	}
	while (!__atomic_compare_exchange_n(at, &old, (uint8_t)((old & ~mask) | (value & mask)),
		true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* Byte by byte: what the mask leaves out is not written, not even with its old value. */
static bool store_masked(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, unsigned count, const uint64_t *offset, const uint8_t *texels,
	const uint8_t *mask)
{
	for (unsigned i = 0; i < count; i++, texels += image->bytes) {
		for (unsigned n = 0; n < image->bytes && offset[i] != EU_NOWHERE; n++) {
			uint8_t *at;

			if (mask[n] == 0)
				continue;
			at = eu_image_at(thread, send, image, offset[i] + n, 1);
			if (!at)
				return false;
			store_bits(at, texels[n], mask[n]);
		}
	}
	return true;
}

bool eu_image_store(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, unsigned count, const uint64_t *offset, const uint8_t *texels,
	const uint8_t *mask)
{
	eu_image_tell(thread, send, image, count, offset, true);
	if (mask)
		return store_masked(thread, send, image, count, offset, texels, mask);
	switch (image->bytes) {
	case 1:
		return store(thread, send, image, count, offset, texels, 1);
	case 2:
		return store(thread, send, image, count, offset, texels, 2);
	case 4:
		return store(thread, send, image, count, offset, texels, 4);
	case 8:
		return store(thread, send, image, count, offset, texels, 8);
	case 16:
		return store(thread, send, image, count, offset, texels, 16);
	default:
		return store(thread, send, image, count, offset, texels, image->bytes);
	}
}

uint8_t *eu_image_at(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint64_t offset, unsigned bytes)
{
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	uint64_t address = (image->surface.base + offset) & EU_ADDRESS_MASK;
	struct eu_range range;

	if (offset < limit_of(image, bytes))
		return image->host + offset;
	if (bus->find(bus->self, address, &range) && range.end - address >= bytes)
		return range.host + (address - range.first);
	page_fault(thread, send, image, offset, address, "updates");
	return NULL;
}
