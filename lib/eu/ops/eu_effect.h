// SPDX-License-Identifier: MIT
#ifndef EU_EFFECT_H
#define EU_EFFECT_H

#include "eu/ops/eu_kernel.h"

enum { EU_EFFECT_SPANS = 12 };

/* Bytes of struct eu_thread that a micro-operation reads or writes. */
struct eu_effect {
	struct eu_span span[EU_EFFECT_SPANS];
	unsigned count;
};

/*
 * All that a micro-operation may read or write of the kernel's registers and temporaries, whatever
 * its row says: operands, payloads and masks of messages, operands of the generic path. What
 * belongs to other parts of the state, the row's reads and writes say (enum eu_state).
 */
struct eu_effect eu_effect_reads(const struct eu_kernel *kernel, const struct eu_uop *u);
struct eu_effect eu_effect_writes(const struct eu_kernel *kernel, const struct eu_uop *u);

/* Whether it is the variant with a mask. */
bool eu_effect_is_masked(const struct eu_uop *u);

/* Whether it writes a part of each element, so that the rest of what was there stays. */
bool eu_effect_is_partial(const struct eu_uop *u);

#endif
