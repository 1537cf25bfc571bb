// SPDX-License-Identifier: MIT
#ifndef EU_IMAGE_H
#define EU_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "eu/sampler/eu_quick.h"
#include "eu/state/eu_probe.h"
#include "eu/state/eu_thread.h"
#include "gen/gen_format.h"
#include "gen/gen_state.h"

/*
 * eu/sampler: messages to images, executed from a decoded access (eu_send.h): where texels lie,
 * filters, formats. The handlers of EU_ACCESS_TYPED, _TYPED_ATOMIC, _TARGET, _MEDIA and _SAMPLER.
 */
enum eu_status eu_typed_run(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);
enum eu_status eu_typed_atomic_run(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);
enum eu_status eu_target_run(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);
enum eu_status eu_media_run(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);
enum eu_status eu_sample_run(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);

enum {
	EU_LEVELS = 16,
	EU_TEXELS = 128, /* that one message touches at most: 16 lanes, 8 texels for each */
};

/* Where a texel lies that is outside of its image. */
#define EU_NOWHERE UINT64_MAX

enum { EU_IN_BLOCK = 48 };
#define EU_OUTSIDE (UINT64_C(1) << 62)

/*
 * One level of detail: its size in texels and where it begins within a slice, in blocks, counted
 * from the surface's base.
 */
struct eu_level {
	uint32_t width, height, depth; /* depth also counts layers */
	uint32_t x, y;
};

/* An image surface of the binding table, worked out once per walker and worker. */
struct eu_image {
	uint64_t state;	 /* address of the RENDER_SURFACE_STATE, the key */
	uint32_t walker; /* that it was looked up for */
	struct gen_surface_state surface;
	const struct gen_format *format;
	unsigned bytes; /* of a texel or a block in memory */
	uint8_t fill;	/* the channels, as bits, that are all of a texel; 0: more is in it */
	uint8_t *host;	/* what the base maps to … */
	uint64_t reach; /* … and how many bytes follow there; 0: look them up */
	unsigned first_level, level_count; /* levels that exist, the first one is level 0's */
	struct eu_level level[EU_LEVELS];
	struct eu_quick quick;
};

/*
 * The image that a message names by binding table index or, bindless, by the handle in its extended
 * descriptor. Returns NULL with worker->fault filled when there is no surface state there, or one
 * that is no image, or an image of a kind that is not implemented.
 */
const struct eu_image *eu_image_find(struct eu_thread *thread, const struct eu_send *send);

/* The image of the depth of pixels, which the dispatch describes. Call after eu_image_find. */
const struct eu_image *eu_image_depth(struct eu_thread *thread);

/* Forgets what was looked up: a new walker starts. */
void eu_images_forget(struct eu_worker *worker);
void eu_images_finish(struct eu_worker *worker);

/*
 * Coordinates of a message (u, v, r) as texel coordinates: one-dimensional images have their layer
 * in z, like all others, and what an image has no use for is 0. In place.
 */
void eu_image_arrange(
	const struct eu_image *image, unsigned count, int32_t *x, int32_t *y, int32_t *z);

/*
 * Offsets from the image's base of `count` texels of a level, counted from the surface's first one;
 * EU_NOWHERE for those that do not exist. Of texels in blocks, those of their blocks, and from bit
 * EU_IN_BLOCK on their number in it, row by row.
 */
void eu_image_locate(const struct eu_image *image, unsigned level, unsigned count, const int32_t *x,
	const int32_t *y, const int32_t *z, uint64_t *offset);

/*
 * What columns, and rows of a slice or layer, add to such an offset; with EU_OUTSIDE where there is
 * none. A sum of both from EU_OUTSIDE on is EU_NOWHERE.
 */
void eu_image_columns(const struct eu_image *image, unsigned level, unsigned count,
	const int32_t *x, uint64_t *column);
void eu_image_rows(const struct eu_image *image, unsigned level, unsigned count, const int32_t *y,
	const int32_t *z, uint64_t *row);

static inline uint64_t eu_image_sum(uint64_t column, uint64_t row)
{
	return column + row < EU_OUTSIDE ? column + row : EU_NOWHERE;
}

/* Offset of byte `x` of row `y` of slice 0 of level 0, for media blocks. Not checked. */
uint64_t eu_image_byte(const struct eu_image *image, uint32_t x, uint32_t y);

/* Whether a message may be executed in registers (eu_quick.h): nobody is to be told of its texels.
 */
static inline bool eu_image_is_quick(const struct eu_thread *thread, const struct eu_image *image)
{
	const struct eu_probe *probe = thread->worker->probe;

	return image->quick.ready && !(probe && (probe->texels || probe->no_texel));
}

/* Tells whoever watches the worker of texels that are about to be touched. */
void eu_image_tell(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, unsigned count, const uint64_t *offset, bool writes);

/*
 * Loads texels as gen_format_decode takes them; those at EU_NOWHERE are zeros. Returns false with
 * worker->fault filled when no buffer is bound there.
 */
bool eu_image_load(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, unsigned count, const uint64_t *offset, uint8_t *texels);

/*
 * Stores texels, in order; those at EU_NOWHERE vanish. `mask` (or NULL for all) has the bits of a
 * texel that change.
 */
bool eu_image_store(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, unsigned count, const uint64_t *offset, const uint8_t *texels,
	const uint8_t *mask);

/*
 * The host address of `bytes` at an offset that lie in one buffer. Returns NULL with worker->fault
 * filled when no buffer is bound there.
 */
uint8_t *eu_image_at(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint64_t offset, unsigned bytes);

#endif
