// SPDX-License-Identifier: MIT
#include "cs/cs_packet.h"

#include <string.h>

#include "util/util_bits.h"

#define BIT(n) (UINT32_C(1) << (n))
/* How each kind of packet has its opcode and its length. */
enum { MI_SHIFT = 23, MI_LONG_SHIFT = 23, BLT_SHIFT = 22, GFX_SHIFT = 16 };
enum { MI_LENGTH = 0xff, MI_LONG_LENGTH = 0x3ff, BLT_LENGTH = 0xff, GFX_LENGTH = 0xff };

#define PACKET(kind, opcode, text, least, most, bits, function, generations)                       \
	{ .name = text,                                                                            \
		.value = UINT32_C(opcode) << kind##_SHIFT,                                         \
		.mask = UINT32_MAX << kind##_SHIFT,                                                \
		.min = least,                                                                      \
		.max = most,                                                                       \
		.refused = bits,                                                                   \
		.handler = cs_##function,                                                          \
		.length_mask = kind##_LENGTH,                                                      \
		generations },
#define ALL		 UPTO(GEN_GENERATIONS)
#define FROM(generation) .first = (generation), .last = GEN_GENERATIONS
#define UPTO(generation) .last = (generation)

#define GLOBAL_GTT BIT(22)
#define LONGEST	   CS_MAX_DWORDS

static const struct cs_packet packets[] = {
#include "cs/cs_packet.def"
};

void cs_packet_index(struct cs_packet_index *index, enum gen_generation generation)
{
	index->generation = generation;
	memset(index->first_row, 0xff, sizeof(index->first_row));
	for (unsigned i = UTIL_ARRAY_SIZE(packets); i-- > 0;)
		index->first_row[packets[i].value >> MI_SHIFT] = (uint8_t)i;
}

const struct cs_packet *cs_packet_find(const struct cs_packet_index *index, uint32_t first_dword)
{
	unsigned key = first_dword >> MI_SHIFT;

	for (unsigned i = index->first_row[key]; i < UTIL_ARRAY_SIZE(packets); i++) {
		const struct cs_packet *packet = &packets[i];
		if (packet->value >> MI_SHIFT != key)
			break;
		if ((first_dword & packet->mask) == packet->value &&
			index->generation >= packet->first && index->generation <= packet->last)
			return packet;
	}
	return NULL;
}

unsigned cs_packet_count(void)
{
	return UTIL_ARRAY_SIZE(packets);
}

const struct cs_packet *cs_packet_row(unsigned i)
{
	return &packets[i];
}

unsigned cs_packet_length(const struct cs_packet *packet, uint32_t first_dword)
{
	return packet->max == 1 ? 1 : (first_dword & packet->length_mask) + 2;
}
