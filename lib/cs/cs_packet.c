// SPDX-License-Identifier: MIT
#include "cs/cs_packet.h"

#include <string.h>

#include "util/util_bits.h"

#define MI(opcode)  ((uint32_t)(opcode) << 23)
#define GFX(opcode) ((uint32_t)(opcode) << 16)
#define BIT(n)	    (UINT32_C(1) << (n))

enum { GLOBAL_GTT = 22, MI_MASK_SHIFT = 23 };
#define MI_MASK	 UINT32_C(0xff800000)
#define GFX_MASK UINT32_C(0xffff0000)

/* In ascending order of value, so that rows that share bits 31:23 are neighbours. */
static const struct cs_packet packets[] = {
	{ "MI_NOOP", MI(0x00), MI_MASK, 1, 1, 0, cs_ignore },
	{ "MI_USER_INTERRUPT", MI(0x02), MI_MASK, 1, 1, 0, cs_ignore },
	{ "MI_ARB_CHECK", MI(0x05), MI_MASK, 1, 1, 0, cs_ignore },
	{ "MI_ARB_ON_OFF", MI(0x08), MI_MASK, 1, 1, 0, cs_ignore },
	{ "MI_BATCH_BUFFER_END", MI(0x0a), MI_MASK, 1, 1, 0, cs_batch_buffer_end },
	{ "MI_MATH", MI(0x1a), MI_MASK, 2, CS_MAX_DWORDS, 0, cs_math },
	{ "MI_SEMAPHORE_WAIT", MI(0x1c), MI_MASK, 4, 5, BIT(GLOBAL_GTT), cs_semaphore_wait },
	{ "MI_STORE_DATA_IMM", MI(0x20), MI_MASK, 4, 5, BIT(GLOBAL_GTT), cs_store_data_imm },
	{ "MI_LOAD_REGISTER_IMM", MI(0x22), MI_MASK, 3, CS_MAX_DWORDS, 0, cs_load_register_imm },
	{ "MI_STORE_REGISTER_MEM", MI(0x24), MI_MASK, 4, 4, BIT(GLOBAL_GTT) | BIT(21),
		cs_store_register_mem },
	{ "MI_FLUSH_DW", MI(0x26), MI_MASK, 5, 5, BIT(21), cs_flush_dw },
	{ "MI_REPORT_PERF_COUNT", MI(0x28), MI_MASK, 4, 4, 0, cs_refuse },
	{ "MI_LOAD_REGISTER_MEM", MI(0x29), MI_MASK, 4, 4, BIT(GLOBAL_GTT), cs_load_register_mem },
	{ "MI_LOAD_REGISTER_REG", MI(0x2a), MI_MASK, 3, 3, 0, cs_load_register_reg },
	{ "MI_ATOMIC", MI(0x2f), MI_MASK, 3, 11, BIT(GLOBAL_GTT) | BIT(16), cs_atomic },
	{ "MI_BATCH_BUFFER_START", MI(0x31), MI_MASK, 3, 3, BIT(15), cs_batch_buffer_start },
	{ "XY_BLOCK_COPY_BLT", BIT(30) | 0x41 << 22, UINT32_C(0xffc00000), 2, CS_MAX_DWORDS, 0,
		cs_refuse },
	{ "XY_FAST_COLOR_BLT", BIT(30) | 0x44 << 22, UINT32_C(0xffc00000), 2, CS_MAX_DWORDS, 0,
		cs_refuse },
	{ "XY_SRC_COPY_BLT", BIT(30) | 0x53 << 22, UINT32_C(0xffc00000), 2, CS_MAX_DWORDS, 0,
		cs_refuse },
	{ "STATE_BASE_ADDRESS", GFX(0x6101), GFX_MASK, 16, 22, 0, cs_state_base_address },
	{ "STATE_SIP", GFX(0x6102), GFX_MASK, 3, 3, 0, cs_ignore },
	{ "GPGPU_CSR_BASE_ADDRESS", GFX(0x6104), GFX_MASK, 3, 3, 0, cs_ignore },
	{ "STATE_COMPUTE_MODE", GFX(0x6105), GFX_MASK, 2, 2, 0, cs_ignore },
	{ "PIPELINE_SELECT", GFX(0x6904), GFX_MASK, 1, 1, 0, cs_ignore },
	{ "MEDIA_VFE_STATE", GFX(0x7000), GFX_MASK, 9, 9, 0, cs_media_vfe_state },
	{ "MEDIA_INTERFACE_DESCRIPTOR_LOAD", GFX(0x7002), GFX_MASK, 4, 4, 0,
		cs_interface_descriptor_load },
	{ "MEDIA_STATE_FLUSH", GFX(0x7004), GFX_MASK, 2, 2, 0, cs_ignore },
	{ "GPGPU_WALKER", GFX(0x7105), GFX_MASK, 15, 15, 0, cs_gpgpu_walker },
	{ "PIPE_CONTROL", GFX(0x7a00), GFX_MASK, 6, 6, 0, cs_pipe_control },
};

void cs_packet_index(uint8_t first_row[CS_PACKET_KEYS])
{
	memset(first_row, 0xff, CS_PACKET_KEYS);
	for (unsigned i = UTIL_ARRAY_SIZE(packets); i-- > 0;)
		first_row[packets[i].value >> MI_MASK_SHIFT] = (uint8_t)i;
}

const struct cs_packet *cs_packet_find(
	const uint8_t first_row[CS_PACKET_KEYS], uint32_t first_dword)
{
	unsigned key = first_dword >> MI_MASK_SHIFT;

	for (unsigned i = first_row[key]; i < UTIL_ARRAY_SIZE(packets); i++) {
		if ((first_dword & packets[i].mask) == packets[i].value)
			return &packets[i];
		if (packets[i].value >> MI_MASK_SHIFT != key)
			break;
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
	return packet->max == 1 ? 1 : util_bits(first_dword, 7, 0) + 2;
}
