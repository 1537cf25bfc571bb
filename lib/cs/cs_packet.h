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
	cs_handler handler;
};

/* Fills first_row for cs_packet_find. */
void cs_packet_index(uint8_t first_row[CS_PACKET_KEYS]);

/* The row of a packet, or NULL when there is none. */
const struct cs_packet *cs_packet_find(
	const uint8_t first_row[CS_PACKET_KEYS], uint32_t first_dword);

/* Rows in all, and row i: for tests and generated tables. */
unsigned cs_packet_count(void);
const struct cs_packet *cs_packet_row(unsigned i);

/* Length in dwords that the first dword declares; not checked against min and max. */
unsigned cs_packet_length(const struct cs_packet *packet, uint32_t first_dword);

#endif
