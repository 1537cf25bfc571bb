// SPDX-License-Identifier: MIT
#ifndef EU_SURFACE_H
#define EU_SURFACE_H

#include "eu/state/eu_thread.h"

/*
 * The buffer surface that a message names by binding table index or, bindless, by the handle in its
 * extended descriptor. Looked up once per worker and walker: worker->surfaces is all zero when a
 * walker starts. Returns NULL with worker->fault filled when there is no surface state there or
 * when it is not a buffer.
 */
const struct eu_surface *eu_surface_find(struct eu_thread *thread, const struct eu_send *send);

/* The same for who only looks: leaves worker->fault as it is. */
const struct eu_surface *eu_surface_peek(struct eu_thread *thread, const struct eu_send *send);

/*
 * The address of the surface state that a message's binding table index stands for. Returns false
 * with worker->fault filled when no buffer holds the table.
 */
bool eu_surface_state(struct eu_thread *thread, const struct eu_send *send, uint64_t *state);

#endif
