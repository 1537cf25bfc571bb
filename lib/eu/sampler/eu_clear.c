// SPDX-License-Identifier: MIT
#include "eu/sampler/eu_clear.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "eu/memory/eu_memory.h"
#include "eu/state/eu_float_mode.h"
#include "util/util_bits.h"
#include "util/util_thread.h"

enum {
	LINE = 64,
	LINES_PER_WORD = 64,
	ROW = 16, /* texels that are located at once */
};

/* Notes are rare: one lock for those of all buffers. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)

static bool fail(struct eu_thread *thread, const struct eu_send *send, enum gen_fault_kind kind,
	uint64_t address, const char *what)
{
	thread->worker->fault->address = address;
	gen_fault_add(thread->worker->fault, kind, "%s: %s", send->access.name, what);
	return false;
}

/* Sets or clears the note of the line at an address. */
static bool note_line(
	struct eu_thread *thread, const struct eu_send *send, uint64_t address, bool cleared)
{
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	struct eu_range range;

	if (!bus->find(bus->self, address, &range) || !range.cleared)
		return fail(
			thread, send, GEN_FAULT_PAGE, address, "notes a clear where no buffer is");
	uint64_t line = (address - range.first) / LINE;
	uint64_t *words = *range.cleared;

	if (!words) {
		if (!cleared)
			return true;
		words = calloc(
			(range.end - range.first) / LINE / LINES_PER_WORD + 1, sizeof(*words));
		if (!words)
			return fail(thread, send, GEN_FAULT_NO_MEMORY, address,
				"no memory to note a clear");
		*range.cleared = words;
	}
	if (cleared)
		words[line / LINES_PER_WORD] |= UINT64_C(1) << line % LINES_PER_WORD;
	else
		words[line / LINES_PER_WORD] &= ~(UINT64_C(1) << line % LINES_PER_WORD);
	return true;
}

bool eu_clear_note(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, const uint32_t pixel[3], bool cleared)
{
	const struct gen_surface_state *surface = &image->surface;
	const unsigned level = image->level_count ? image->level_count - 1 : 0;
	const struct eu_level *size = &image->level[image->first_level + level];
	const uint32_t width = surface->clear_bytes / image->bytes, height = surface->clear_rows;
	const uint32_t right = util_min_u32((pixel[0] + 1) * width, size->width);
	const uint32_t bottom = util_min_u32((pixel[1] + 1) * height, size->height);
	uint64_t offset[ROW], last = EU_NOWHERE;
	bool done = true;

	if (image->level_count == 0)
		return true;
	pthread_mutex_lock(&lock);
	for (uint32_t row = pixel[1] * height; row < bottom; row++)
		for (uint32_t column = pixel[0] * width; column < right; column += ROW) {
			const unsigned count = util_min_u32(ROW, right - column);
			int32_t x[ROW], y[ROW], z[ROW];

			for (unsigned i = 0; i < count; i++) {
				x[i] = (int32_t)(column + i);
				y[i] = (int32_t)row;
				z[i] = (int32_t)pixel[2];
			}
			eu_image_arrange(image, count, x, y, z);
			eu_image_locate(image, level, count, x, y, z, offset);
			if (cleared)
				eu_image_tell(thread, send, image, count, offset, true);
			for (unsigned i = 0; done && i < count; i++) {
				if (offset[i] == EU_NOWHERE || offset[i] / LINE == last)
					continue;
				last = offset[i] / LINE;
				done = note_line(
					thread, send, surface->base + last * LINE, cleared);
			}
		}
	pthread_mutex_unlock(&lock);
	return done;
}

/*
 * Whether the colour is taken as the bits of a texel: behind the four dwords of its channels there
 * are two of them, which are what the sampler reads.
 */
static bool takes_bits(const struct eu_image *image, const struct eu_send *send)
{
	return image->surface.clear_address && send->access.kind == EU_ACCESS_SAMPLER &&
	       image->bytes <= 8;
}

/* One line of texels of the colour. */
static bool make_line(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, const uint32_t *dwords, uint8_t line[LINE])
{
	const uint64_t address = image->surface.clear_address;
	const unsigned mode = eu_float_mode_get();
	uint32_t colour[8] = { 0 };

	if (image->format->unblock || image->format->kind == GEN_FORMAT_SHARED ||
		LINE % image->bytes)
		return fail(thread, send, GEN_FAULT_BAD_STATE, image->state,
			"texels of its format cannot be cleared");
	memcpy(colour, dwords + GEN_SURFACE_COLOUR, 4 * sizeof(*colour));
	if (address && !eu_memory_copy_from(thread->worker->dispatch->bus, address, colour,
			       sizeof(colour), NULL))
		return fail(thread, send, GEN_FAULT_PAGE, address, "its clear colour is nowhere");
	eu_float_mode_set(eu_float_mode_plain());
	if (!takes_bits(image, send))
		gen_format_encode(image->format,
			(const uint32_t *[]){ colour, colour + 1, colour + 2, colour + 3 }, 1,
			colour + 4);
	eu_float_mode_set(mode);
	for (unsigned at = 0; at < LINE; at += image->bytes)
		memcpy(line + at, colour + 4, image->bytes);
	return true;
}

/* The end of the tiles that hold a level: offset from the base. */
static uint64_t end_of(const struct eu_image *image, unsigned level)
{
	const struct eu_level *size = &image->level[image->first_level + level];
	const int32_t x = (int32_t)size->width - 1, y = (int32_t)size->height - 1;
	const int32_t z = (int32_t)size->depth - 1;
	uint64_t offset;

	eu_image_locate(image, level, 1, &x, &y, &z, &offset);
	if (offset == EU_NOWHERE)
		return 0;
	return util_align_up(offset + 1, image->surface.tile_mode == GEN_TILE_64 ? 65536 : 4096);
}

/* The lines of [at, end) that are noted. */
static void fill_lines(
	const struct eu_range *range, uint64_t at, uint64_t end, const uint8_t line[LINE])
{
	uint64_t *words = *range->cleared;

	pthread_mutex_lock(&lock);
	for (uint64_t i = (at - range->first) / LINE; i < (end - range->first) / LINE; i++) {
		uint64_t *word = &words[i / LINES_PER_WORD], bit = UINT64_C(1)
								   << i % LINES_PER_WORD;

		if (!*word)
			i |= LINES_PER_WORD - 1;
		if (!(*word & bit))
			continue;
		*word &= ~bit;
		memcpy(range->host + i * LINE, line, LINE);
	}
	pthread_mutex_unlock(&lock);
}

bool eu_clear_fill(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, const uint32_t dwords[GEN_SURFACE_STATE_DWORDS])
{
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	const uint64_t base = image->surface.base;
	struct eu_range range;
	uint8_t line[LINE];
	uint64_t end = 0;

	for (unsigned i = 0; i < image->level_count; i++)
		if (end < end_of(image, i))
			end = end_of(image, i);
	for (uint64_t at = base; at < base + end && bus->find(bus->self, at, &range);
		at = range.end) {
		if (!range.cleared || !*range.cleared)
			continue;
		if (!make_line(thread, send, image, dwords, line))
			return false;
		fill_lines(&range, at, base + end < range.end ? base + end : range.end, line);
	}
	return true;
}
