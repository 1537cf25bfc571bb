// SPDX-License-Identifier: MIT
/*
 * Media block messages: rectangles of bytes of a 2D image, which the image block built-ins of
 * cl_intel_subgroups and cl_intel_media_block_io are. The driver writes the width of the surfaces
 * that they use in dwords.
 */
#include <string.h>

#include "eu/sampler/eu_image.h"
#include "eu/memory/eu_memory.h"
#include "util/util_bits.h"

enum { DWORD = 4, MAX_BYTES = 1024 };

/* A block: where it begins in the image, signed, and how it lies in registers. */
struct block {
	struct eu_thread *thread;
	const struct eu_send *send;
	const struct eu_image *image;
	int64_t x, y;		/* bytes, rows */
	unsigned width, height; /* bytes, rows */
	unsigned pitch;		/* bytes between rows in registers */
	int64_t columns, rows;	/* of the image, in bytes and rows */
};

static enum eu_status refuse(const struct block *block, const char *what)
{
	gen_fault_add(block->thread->worker->fault, GEN_FAULT_BAD_MESSAGE,
		"%s: %s (%u bytes by %u rows at %lld, %lld)", block->send->access.name, what,
		block->width, block->height, (long long)block->x, (long long)block->y);
	return EU_FAULT;
}

static unsigned pitch_of(unsigned width)
{
	unsigned pitch = DWORD;

	while (pitch < width)
		pitch *= 2;
	return pitch;
}

/* Fills *block from the header; EU_FAULT with worker->fault filled when it cannot be. */
static enum eu_status open(
	struct block *block, struct eu_thread *thread, const struct eu_send *send)
{
	const uint8_t *header = thread->grf + send->src0;
	uint32_t size = eu_payload_dword(header, 2);

	block->thread = thread;
	block->send = send;
	block->x = (int32_t)eu_payload_dword(header, 0);
	block->y = (int32_t)eu_payload_dword(header, 1);
	block->width = util_bits(size, 5, 0) + 1;
	block->height = util_bits(size, 21, 16) + 1;
	block->pitch = pitch_of(block->width);
	block->image = eu_image_find(thread, send);
	if (!block->image)
		return EU_FAULT;
	if (block->pitch * block->height > send->access.bytes)
		return refuse(block, "the block is larger than its registers");
	if (block->image->level_count == 0) {
		block->columns = block->rows = 0;
		return EU_RUN;
	}
	if (block->image->surface.type != GEN_SURFACE_2D)
		return refuse(block, "its surface is no 2D image");
	block->columns = (int64_t)block->image->surface.width * DWORD;
	block->rows = block->image->surface.height;
	return EU_RUN;
}

static int64_t clamp(int64_t value, int64_t end)
{
	return value < 0 ? 0 : value >= end ? end - 1 : value;
}

/* The image's byte that one of the block stands for: the nearest texel's at the same place in it.
 */
static uint64_t byte_at(const struct block *block, int64_t x, int64_t y)
{
	const unsigned bytes = block->image->bytes;
	int64_t texels = block->columns / bytes, texel, within;

	if (texels < 1)
		return eu_image_byte(block->image, (uint32_t)clamp(x, block->columns), 0);
	within = ((x % bytes) + bytes) % bytes;
	texel = clamp((x - within) / bytes, texels);
	return eu_image_byte(
		block->image, (uint32_t)(texel * bytes + within), (uint32_t)clamp(y, block->rows));
}

/* Dwords that lie in the image come at once, others byte by byte. */
static bool read_row(const struct block *block, int64_t y, uint8_t *out)
{
	struct eu_thread *thread = block->thread;

	for (unsigned i = 0; i < block->width; i++) {
		int64_t x = block->x + i;
		bool whole = x >= 0 && x % DWORD == 0 && x + DWORD <= block->columns &&
			     i + DWORD <= block->width;
		const uint8_t *at = eu_image_at(
			thread, block->send, block->image, byte_at(block, x, y), whole ? DWORD : 1);

		if (!at)
			return false;
		memcpy(out + i, at, whole ? DWORD : 1);
		i += whole ? DWORD - 1 : 0;
	}
	return true;
}

static enum eu_status read_block(struct eu_thread *thread, const struct eu_send *send)
{
	struct block block;
	uint8_t *out = thread->grf + send->dst;
	uint8_t rows[MAX_BYTES];

	if (open(&block, thread, send) != EU_RUN)
		return EU_FAULT;
	memset(rows, 0, sizeof(rows));
	for (unsigned r = 0; block.rows > 0 && r < block.height; r++)
		if (!read_row(&block, block.y + r, rows + r * block.pitch))
			return EU_FAULT;
	memcpy(out, rows, block.height * block.pitch);
	return EU_RUN;
}

/* What lies outside of the image vanishes. */
static bool write_row(const struct block *block, int64_t y, const uint8_t *row)
{
	struct eu_thread *thread = block->thread;

	if (y < 0 || y >= block->rows)
		return true;
	for (unsigned i = 0; i < block->width; i++) {
		int64_t x = block->x + i;
		uint8_t *at;

		if (x < 0 || x >= block->columns)
			continue;
		at = eu_image_at(thread, block->send, block->image,
			eu_image_byte(block->image, (uint32_t)x, (uint32_t)y), 1);
		if (!at)
			return false;
		*at = row[i];
	}
	return true;
}

static enum eu_status write_block(struct eu_thread *thread, const struct eu_send *send)
{
	struct block block;
	uint8_t copy[MAX_BYTES];
	const uint8_t *data;

	if (open(&block, thread, send) != EU_RUN)
		return EU_FAULT;
	data = eu_payload(thread, send, send->access.data, block.pitch * block.height, copy);
	for (unsigned r = 0; r < block.height; r++)
		if (!write_row(&block, block.y + r, data + r * block.pitch))
			return EU_FAULT;
	return EU_RUN;
}

enum eu_status eu_media_run(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	if (enabled == 0)
		return EU_RUN;
	return send->access.writes ? write_block(thread, send) : read_block(thread, send);
}
