// SPDX-License-Identifier: MIT
#ifndef EU_COMPILE_ELEMENT_H
#define EU_COMPILE_ELEMENT_H

#include "eu/native/eu_compile.h"

/* What a lane moves: 1 << element bytes, which lie side by side in line. */
enum element { BYTE, WORD, DWORD, PAIR, QUAD };

/* Bytes behind the first lane's address that dword `part` of those that a lane loads has. */
unsigned eu_element_dword(const struct eu_detour *d, unsigned part);

/* Dwords of each lane that are the next lanes' too, or one: from memory at rdx + rax. */
void eu_element_load_planes(struct eu_translator *s, const struct eu_detour *d, unsigned half);

/* A half of the lanes, whose elements lie side by side, from memory at rdx + rax into d->to. */
void eu_element_load(struct eu_translator *s, const struct eu_detour *d, unsigned half);

/*
 * Register `to`: a dword of each lane of a half, from anywhere in bounds, lane by lane: the
 * processor takes longer for a gather, which is shorter. Lanes that are off get any number.
 */
void eu_element_gather(
	struct eu_translator *s, const struct eu_detour *d, int to, unsigned part, unsigned half);

/* The same to memory, of the registers that hold the dwords of each lane. */
void eu_element_store(struct eu_translator *s, const struct eu_detour *d, unsigned half);

/* The same to anywhere: rdx and each lane's offset, in the order of the lanes. */
void eu_element_scatter(struct eu_translator *s, const struct eu_detour *d, unsigned half);

#endif
