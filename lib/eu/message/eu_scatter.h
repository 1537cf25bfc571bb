// SPDX-License-Identifier: MIT
#ifndef EU_SCATTER_H
#define EU_SCATTER_H

#include "eu/message/eu_memory.h"

/* A form of scattered message that has handlers of its own. */
struct eu_scatter_form {
	uint8_t space;	  /* enum eu_space */
	uint8_t lanes;	  /* 8 or 16 */
	uint8_t size;	  /* bytes of an element in memory */
	uint8_t channels; /* bit n: a lane moves the n-th element from its address on; 0: as it says
			   */
	eu_message_fn load, store;
};

/* The handlers for each instruction set of the host (enum eu_host); the last has no lanes. */
extern const struct eu_scatter_form eu_scatter_base[], eu_scatter_avx2[], eu_scatter_avx512[];

/*
 * Moves what a message of any form moves, lane by lane, and reports what does not work: for what
 * handlers leave to others, such as addresses out of bounds and those of another buffer.
 */
enum eu_status eu_scatter_load(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled);
enum eu_status eu_scatter_store(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled);

#endif
