// SPDX-License-Identifier: MIT
#ifndef REPLAY_WORDS_H
#define REPLAY_WORDS_H

#include "tool/record/replay_object.h"

/*
 * Makes arguments of the values of a call. False, with a sentence, if they cannot be: the record is
 * not valid there, or has no contents. Memory lives as long as `memory`, but for that which the
 * command itself uses, which is kept.
 */
bool replay_words(struct replay *replay, struct record_memory *memory,
	const struct record_call *call, uint64_t *words, struct replay_output *output);

/* Bytes with addresses in shared memory: as they are now, or as they were when it was recorded. */
void replay_relocate(struct replay *replay, void *bytes, size_t size, bool as_recorded);

size_t replay_pixel(uint64_t image, bool *is_array_1d);

#endif
