// SPDX-License-Identifier: MIT
/* Typed surface messages: reads, writes and atomics of texels; and pixels that are drawn. */
#include <string.h>

#include "eu/memory/eu_atomic.h"
#include "eu/memory/eu_memory.h"
#include "eu/sampler/eu_clear.h"
#include "eu/state/eu_float_mode.h"
#include "eu/state/eu_probe.h"

enum {
	LANES = 8,
	ROW_BYTES = LANES * 4,
	MAX_ADDRESSES = 4, /* u, v, r, level */
	SELECT_RED = 4,	   /* then green, blue, alpha; below are constants */
};

/* A message and its texels; lanes that are not enabled have none. */
struct access {
	struct eu_thread *thread;
	const struct eu_send *send;
	const struct eu_image *image;
	uint32_t enabled;
	uint64_t offset[LANES];
};

/* The enabled lanes, in ascending order. */
#define EACH_LANE(i, enabled)                                                                      \
	for (uint32_t rest = (enabled), i; rest != 0 && (i = (uint32_t)__builtin_ctz(rest), true); \
		rest &= rest - 1)

static inline bool is_full(uint32_t enabled)
{
	return enabled == (1u << LANES) - 1;
}

/* Rows of the payload that hold coordinates. */
static unsigned addresses_of(const struct eu_send *send)
{
	return (unsigned)(send->access.data - send->access.at) / ROW_BYTES;
}

/* Row `number` of the payload. */
static void get_row(const struct access *access, unsigned number, uint32_t *values)
{
	uint8_t copy[ROW_BYTES];

	memcpy(values,
		eu_payload(access->thread, access->send,
			access->send->access.at + number * ROW_BYTES, ROW_BYTES, copy),
		ROW_BYTES);
}

/* Texels that are nowhere: reads give 0, writes vanish, but programs must not ask for them. */
static void report_bounds(const struct access *access, uint32_t coordinate[MAX_ADDRESSES][LANES])
{
	const struct eu_probe *probe = access->thread->worker->probe;
	const struct gen_surface_state *surface = &access->image->surface;

	EACH_LANE(i, probe && probe->no_texel ? access->enabled : 0)
	if (access->offset[i] == EU_NOWHERE)
		probe->no_texel(probe, access->thread, access->send, i,
			(uint64_t)coordinate[1][i] << 32 | coordinate[0][i],
			(uint64_t)surface->height << 32 | surface->width);
}

/* The texels of `count` lanes from `first` on. */
static void locate(struct access *access, unsigned level, unsigned first, unsigned count,
	int32_t *x, int32_t *y, int32_t *z)
{
	x += first, y += first, z += first;
	eu_image_arrange(access->image, count, x, y, z);
	eu_image_locate(access->image, level, count, x, y, z, access->offset + first);
	for (unsigned i = first; !is_full(access->enabled) && i < first + count; i++)
		access->offset[i] |= (uint64_t)(access->enabled >> i & 1) - 1;
}

/* Finds the texels. */
static void open(struct access *access, struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint32_t enabled)
{
	const unsigned addresses = addresses_of(send);
	uint32_t coordinate[MAX_ADDRESSES][LANES];
	int32_t x[LANES], y[LANES], z[LANES];

	access->thread = thread;
	access->send = send;
	access->image = image;
	access->enabled = enabled;
	for (unsigned n = 0; n < MAX_ADDRESSES; n++)
		if (n < addresses)
			get_row(access, n, coordinate[n]);
		else
			memset(coordinate[n], 0, ROW_BYTES);
	memcpy(x, coordinate[0], sizeof(x));
	memcpy(y, coordinate[1], sizeof(y));
	memcpy(z, coordinate[2], sizeof(z));
	for (unsigned i = 0, n = 1; i < LANES; i += n) {
		uint32_t level = coordinate[3][i];

		for (n = 1; i + n < LANES && coordinate[3][i + n] == level; n++)
			;
		locate(access, level, i, n, x, y, z);
	}
	report_bounds(access, coordinate);
}

static void wrong_texels(const struct access *access)
{
	gen_fault_add(access->thread->worker->fault, GEN_FAULT_BAD_MESSAGE,
		"%s: texels of %u bytes (%s) cannot be updated", access->send->access.name,
		access->image->bytes, access->image->format->name);
}

/* ---- reads ---- */

static bool read_texels(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint32_t enabled)
{
	struct access access;
	uint32_t value[4][LANES], *const values[4] = { value[0], value[1], value[2], value[3] };
	uint8_t texels[LANES * GEN_TEXEL_BYTES];
	uint8_t *out = thread->grf + send->dst;

	open(&access, thread, send, image, enabled);
	if (!eu_image_load(thread, send, image, LANES, access.offset, texels))
		return false;
	const struct gen_format *format =
		gen_format_of_typed_read(image->format, thread->worker->device->family->generation);
	gen_format_decode(format, texels, LANES, values);
	for (unsigned c = 0; c < 4; c++) {
		if (!(send->access.channels >> c & 1))
			continue;
		EACH_LANE(i, enabled)
		{
			if (access.offset[i] == EU_NOWHERE)
				value[c][i] = gen_format_absent(format, c);
			memcpy(out + i * 4, &value[c][i], 4);
		}
		out += ROW_BYTES;
	}
	return true;
}

/* ---- writes ---- */

/*
 * Where the surface's channel selects put the channels of a write: the first of those that select
 * the same one wins, and what selects a constant goes nowhere. Returns the channels of the surface
 * that get something, for which `values` is set.
 */
static unsigned place_channels(const struct eu_image *image, unsigned channels,
	uint32_t value[4][LANES], const uint32_t *values[4])
{
	unsigned written = 0;

	for (unsigned c = 4; c-- > 0;) {
		unsigned select = image->surface.select[c];

		if (select < SELECT_RED || !(channels >> c & 1))
			continue;
		values[select - SELECT_RED] = value[c];
		written |= 1u << (select - SELECT_RED);
	}
	return written;
}

/* Stores the channels of the lanes where they were located. */
static bool store(const struct access *access, unsigned channels, uint32_t value[4][LANES])
{
	static const uint32_t nothing[LANES];
	const uint32_t *values[4] = { nothing, nothing, nothing, nothing };
	uint8_t texels[LANES * GEN_TEXEL_BYTES], mask[GEN_TEXEL_BYTES];
	const struct eu_image *image = access->image;
	const unsigned written = place_channels(image, channels, value, values);

	if (image->format->kind == GEN_FORMAT_SHARED) {
		wrong_texels(access);
		return false;
	}
	gen_format_encode(image->format, values, LANES, texels);
	const bool whole = image->fill != 0 && (written & image->fill) == image->fill;
	if (!whole)
		gen_format_mask(image->format, written, mask);
	return eu_image_store(access->thread, access->send, image, LANES, access->offset, texels,
		whole ? NULL : mask);
}

static bool write_texels(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint32_t enabled)
{
	const unsigned channels = send->access.channels, addresses = addresses_of(send);
	uint32_t value[4][LANES];
	struct access access;

	open(&access, thread, send, image, enabled);
	for (unsigned c = 0, n = addresses; c < 4; c++)
		if (channels >> c & 1)
			get_row(&access, n++, value[c]);
		else
			memset(value[c], 0, ROW_BYTES);
	return store(&access, channels, value);
}

/* Formats are converted in the host's plain floating point modes. */
enum eu_status eu_typed_run(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	const struct eu_image *image;
	bool done = false;

	enabled = enabled >> send->access.first & ((1u << LANES) - 1);
	if (enabled == 0)
		return EU_RUN;
	image = eu_image_find(thread, send);
	if (!image)
		return EU_FAULT;
	const unsigned mode = eu_float_mode_suspend(thread->float_mode);
	if (eu_image_is_quick(thread, image))
		done = send->access.writes ? eu_quick_write(thread, send, image, enabled)
					   : eu_quick_read(thread, send, image, enabled);
	if (!done)
		done = send->access.writes ? write_texels(thread, send, image, enabled)
					   : read_texels(thread, send, image, enabled);
	eu_float_mode_resume(mode);
	return done ? EU_RUN : EU_FAULT;
}

/* ---- drawing ---- */

/* The depth of pixels, behind the colours of the message. */
static bool write_depth(const struct access *pixels, unsigned row, const int32_t *x,
	const int32_t *y, const int32_t *z)
{
	const struct eu_access *what = &pixels->send->access;
	const unsigned first = what->data + (4 * what->lanes + row) * 4;
	int32_t at[3][LANES];
	uint32_t value[4][LANES] = { { 0 } };
	struct access access = *pixels;
	uint8_t copy[ROW_BYTES];

	if (first + ROW_BYTES >
		(pixels->send->mlen + (unsigned)pixels->send->xlen) * GEN_GRF_BYTES) {
		gen_fault_add(access.thread->worker->fault, GEN_FAULT_BAD_MESSAGE,
			"%s: it carries no depth", what->name);
		return false;
	}
	memcpy(value[0], eu_payload(access.thread, access.send, first, ROW_BYTES, copy), ROW_BYTES);
	access.image = eu_image_depth(access.thread);
	memcpy(at[0], x, ROW_BYTES);
	memcpy(at[1], y, ROW_BYTES);
	memcpy(at[2], z, ROW_BYTES);
	locate(&access, access.image->level_count - 1, 0, LANES, at[0], at[1], at[2]);
	return store(&access, 1, value);
}

/* The pixels of `enabled`, which are channels `first` and up of the thread, `row` and up of the
 * message. */
static bool write_pixels(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled,
	unsigned row, unsigned first)
{
	const struct eu_access *what = &send->access;
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	const uint32_t *id = thread->group->id;
	uint32_t value[4][LANES] = { { 0 } };
	int32_t x[LANES] = { 0 }, y[LANES] = { 0 }, z[LANES] = { 0 };
	struct access access = { thread, send, eu_image_find(thread, send), enabled, { 0 } };
	uint8_t copy[4];

	if (!access.image)
		return false;
	EACH_LANE(i, enabled)
	{
		unsigned one = what->slot ? what->slot * what->lanes : 4;
		eu_dispatch_pixel(dispatch, id, first + i, (uint32_t *)&x[i], (uint32_t *)&y[i]);
		z[i] = (int32_t)id[2];
		for (unsigned c = 0; c < 4; c++)
			memcpy(&value[c][i],
				eu_payload(thread, send,
					what->data + c * one + (row + i) * what->slot, 4, copy),
				4);
	}
	if (dispatch->pixels.depth && !write_depth(&access, row, x, y, z))
		return false;
	/* The state names one level, as the last. */
	locate(&access, access.image->level_count - 1, 0, LANES, x, y, z);
	return store(&access, dispatch->pixels.channels, value);
}

/* The same of pixels that do not draw. Finding the image is all that resolves it. */
static bool note_pixels(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled, unsigned first)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	const struct eu_image *image = eu_image_find(thread, send);
	uint32_t at[3] = { 0, 0, thread->group->id[2] };
	bool done = image != NULL;

	if (dispatch->pixels.effect == EU_PIXELS_RESOLVE)
		return done;
	EACH_LANE(i, enabled)
	{
		eu_dispatch_pixel(dispatch, thread->group->id, first + i, &at[0], &at[1]);
		done = done && eu_clear_note(thread, send, image, at,
				       dispatch->pixels.effect == EU_PIXELS_NOTE);
	}
	return done;
}

enum eu_status eu_target_run(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	bool done = true;

	if (!thread->worker->dispatch->pixels.right) {
		gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_MESSAGE,
			"%s: nothing is drawn here", send->access.name);
		return EU_FAULT;
	}
	enabled &= (1u << send->access.lanes) - 1;
	const unsigned mode = eu_float_mode_suspend(thread->float_mode);
	for (unsigned row = 0; done && enabled >> row; row += LANES) {
		const uint32_t lanes = enabled >> row & ((1u << LANES) - 1);
		const unsigned first = send->access.first + row;

		done = thread->worker->dispatch->pixels.effect == EU_PIXELS_DRAW
			       ? write_pixels(thread, send, lanes, row, first)
			       : note_pixels(thread, send, lanes, first);
	}
	eu_float_mode_resume(mode);
	return done ? EU_RUN : EU_FAULT;
}

/* ---- atomics ---- */

enum eu_status eu_typed_atomic_run(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	const unsigned bytes = send->access.size, operands = send->access.operands;
	const unsigned addresses = addresses_of(send);
	const eu_atomic_fn apply = eu_atomic_int(send->access.operation, bytes);
	uint32_t operand[2][LANES] = { { 0 } };
	struct access access;

	enabled &= (1u << LANES) - 1;
	if (enabled == 0)
		return EU_RUN;
	const struct eu_image *image = eu_image_find(thread, send);
	if (!image)
		return EU_FAULT;
	open(&access, thread, send, image, enabled);
	if (access.image->bytes != bytes) {
		wrong_texels(&access);
		return EU_FAULT;
	}
	for (unsigned n = 0; n < operands; n++)
		get_row(&access, addresses + n, operand[n]);
	eu_image_tell(thread, send, access.image, LANES, access.offset, true);
	EACH_LANE(i, enabled)
	{
		uint32_t result = 0;

		if (access.offset[i] != EU_NOWHERE) {
			uint8_t *at =
				eu_image_at(thread, send, access.image, access.offset[i], bytes);

			if (!at)
				return EU_FAULT;
			if ((uintptr_t)at % bytes != 0) {
				wrong_texels(&access);
				return EU_FAULT;
			}
			result = (uint32_t)apply(at, operand[0][i], operand[1][i]);
		}
		if (send->access.returns && send->writes)
			memcpy(thread->grf + send->dst + i * 4, &result, 4);
	}
	return EU_RUN;
}
