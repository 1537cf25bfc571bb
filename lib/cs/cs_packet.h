// SPDX-License-Identifier: MIT
#ifndef CS_PACKET_H
#define CS_PACKET_H

#include "cs/cs_state.h"

/* One kind of packet: a first dword with (dword & mask) == value. */
struct cs_packet {
	const char *name;
	uint32_t value, mask;
	uint16_t min, max; /* length in dwords; 1 and 1: no length field */
	uint32_t refused;  /* bits of the first dword that ask for what the device has not */
	cs_handler *handler;
	uint8_t first, last;  /* of enum gen_generation: those that have it */
	uint16_t length_mask; /* of the length field */
};

/* Prepares the look-up of a generation's packets. */
void cs_packet_index(struct cs_packet_index *index, enum gen_generation generation);

/* The row of a packet, or NULL when there is none. */
const struct cs_packet *cs_packet_find(const struct cs_packet_index *index, uint32_t first_dword);

/* Rows in all, and row i: for tests and generated tables. */
unsigned cs_packet_count(void);
const struct cs_packet *cs_packet_row(unsigned i);

/* Length in dwords that the first dword declares; not checked against min and max. */
unsigned cs_packet_length(const struct cs_packet *packet, uint32_t first_dword);

#endif
