// SPDX-License-Identifier: MIT
#ifndef EU_CLEAR_H
#define EU_CLEAR_H

#include "eu/sampler/eu_image.h"

/*
 * Texels that are noted as cleared. To clear a rectangle, a driver may have it noted instead of
 * drawn. Hardware keeps such notes beside a compressed surface. They say nothing of the colour: the
 * surface state that is used next does. Here, a note belongs to a line of 64 bytes of a buffer
 * object. When a message first needs a surface, its lines that are noted get the colour. Copies
 * read memory itself, so drivers have a surface resolved before they copy it. Thread-safe.
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
 * Returns false with worker->fault filled when no buffer is bound where the colour should be, or
 * when no line of 64 bytes can be made of the format's texels.
 */
bool eu_clear_fill(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, const uint32_t dwords[GEN_SURFACE_STATE_DWORDS]);

#endif
