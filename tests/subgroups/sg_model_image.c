// SPDX-License-Identifier: MIT
/*
 * Blocks of images: bytes of rows, one below the other. Reads beyond the image repeat the texels of
 * its edge, writes beyond it vanish.
 */
#include <string.h>

#include "subgroups/sg_model.h"

enum { TEXEL = 4 };

/* Where the block of a sub-group begins; the word is the same for all of its lanes. */
struct corner {
	int x, y;
};

static struct corner read_corner(const struct sg_team *team)
{
	uint32_t word = team->w[team->first];

	return (struct corner){ (int)(word >> 16 & 511) - 140, (int)(word >> 25 & 63) - 13 };
}

static struct corner write_corner(const struct sg_team *team)
{
	uint32_t word = team->w[team->first];
	int band = (int)team->number * SG_IMAGE_BAND;

	return (struct corner){ (int)(word >> 16 & 127) * 4 - 140,
		band + (int)(word >> 25 & 7) - 4 };
}

static int clamp(int value, int end)
{
	return value < 0 ? 0 : value < end ? value : end - 1;
}

/* The byte of the nearest texel, at the same place in it. */
static uint8_t byte_at(const struct sg_team *team, int x, int y)
{
	int within = ((x % TEXEL) + TEXEL) % TEXEL;
	int texel = clamp((x - within) / TEXEL, SG_IMAGE_PITCH / TEXEL);

	return team->image[clamp(y, (int)team->rows) * SG_IMAGE_PITCH + texel * TEXEL + within];
}

/* Result k: the scalar e of the block, which lies in rows of so many, is lane e % width's. */
static void read_block(
	const struct sg_cell *cell, struct sg_team *team, unsigned k, unsigned columns)
{
	const struct corner corner = read_corner(team);
	unsigned scalar = sg_types[cell->type].size;

	for (unsigned lane = 0; lane < team->size; lane++) {
		size_t at = k * team->items + team->first + lane;
		uint8_t *vector = team->want + at * sg_cell_result_size(cell);
		for (unsigned i = 0; i < cell->width * scalar; i++) {
			unsigned e = i / scalar * team->width + lane;
			vector[i] =
				byte_at(team, corner.x + (int)(e % columns * scalar + i % scalar),
					corner.y + (int)(e / columns));
		}
		team->known[at] = SG_WANTED;
	}
}

/* Lanes that do not exist may write anything into their part of the block. */
static void write_block(const struct sg_cell *cell, struct sg_team *team, unsigned columns)
{
	const struct corner corner = write_corner(team);
	unsigned scalar = sg_types[cell->type].size;
	unsigned bytes = team->width * sg_cell_defined(cell, team->width) * scalar;

	for (unsigned i = 0; i < bytes; i++) {
		unsigned e = i / scalar, lane = e % team->width;
		int x = corner.x + (int)(e % columns * scalar + i % scalar);
		int y = corner.y + (int)(e / columns);
		if (x < 0 || x >= SG_IMAGE_PITCH || y < 0 || y >= (int)team->rows)
			continue;
		int at = y * SG_IMAGE_PITCH + x;
		team->known[at] = lane < team->size ? SG_WANTED : SG_UNDEFINED;
		if (lane < team->size)
			team->want[at] = team->a[(team->first + lane) * sg_cell_size(cell) +
						 e / team->width * scalar + i % scalar];
	}
}

void sg_model_image_read(const struct sg_cell *cell, struct sg_team *team)
{
	read_block(cell, team, 0, team->width);
}

void sg_model_image_write(const struct sg_cell *cell, struct sg_team *team)
{
	write_block(cell, team, team->width);
}

void sg_model_media_read(const struct sg_cell *cell, struct sg_team *team)
{
	unsigned columns = sg_cell_columns(cell, team->width);

	read_block(cell, team, 0, columns);
	read_block(cell, team, 1, columns / 2);
}

void sg_model_media_write(const struct sg_cell *cell, struct sg_team *team)
{
	write_block(cell, team, sg_cell_columns(cell, team->width));
}
