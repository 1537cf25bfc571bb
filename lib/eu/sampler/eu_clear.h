// SPDX-License-Identifier: MIT
#ifndef EU_CLEAR_H
#define EU_CLEAR_H

#include "eu/sampler/eu_image.h"

/*
 * Texels that are noted as cleared. Hardware keeps such notes beside a compressed surface: drivers
 * have rectangles noted instead of drawn, and which colour they have, the state of the surface says
 * that is used next. Here, notes belong to lines of 64 bytes of a buffer object, and lines that are
 * noted get the colour when a message first needs the surface that they are in. Who reads memory by
 * itself, as copies do, has the surface resolved before. Thread-safe.
 */

/*
 * Notes the texels that one pixel of a clear stands for, whose place is x, y and the layer z of the
 * last level; or forgets them. Returns false with worker->fault filled when no buffer is bound
 * there or memory is short.
 */
bool eu_clear_note(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, const uint32_t pixel[3], bool cleared);

/*
 * Fills lines of the image that are noted with the colour that its surface state, `dwords`, says.
 * Returns false with worker->fault filled when that is nowhere.
 */
bool eu_clear_fill(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, const uint32_t dwords[GEN_SURFACE_STATE_DWORDS]);

#endif
