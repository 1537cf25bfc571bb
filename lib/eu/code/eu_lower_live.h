// SPDX-License-Identifier: MIT
#ifndef EU_LOWER_LIVE_H
#define EU_LOWER_LIVE_H

#include "eu/code/eu_lower.h"

enum { EU_LIVE_DWORDS = GEN_GRF_COUNT * GEN_GRF_BYTES / 4 };

/* What happens to general registers behind the beginning of a kernel. */
struct eu_live {
	uint8_t at_labels[EU_LIVE_DWORDS]; /* not 0: read behind some label before it is written */
	uint32_t count;
	/*
	 * Of the first `count` micro-operations: nobody reads what was in the registers that it
	 * writes, where it is executed or not: it may as well have been written before. A register
	 * that a channel has written is not read for others until channels join again.
	 */
	bool *fresh;
};

/* False: memory is short. eu_live_finish is for the caller. */
bool eu_live_find(struct eu_live *live, const struct eu_lowering *l, uint32_t count);
void eu_live_finish(struct eu_live *live);

#endif
