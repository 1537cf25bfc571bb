// SPDX-License-Identifier: MIT
#include "cs/cs_packet.h"

#include <string.h>

#include "util/util_bits.h"

#define BIT(n)	 (UINT32_C(1) << (n))
#define MI_MASK	 UINT32_C(0xff800000)
#define BLT_MASK UINT32_C(0xffc00000)
#define GFX_MASK UINT32_C(0xffff0000)
enum { MI_SHIFT = 23, BLT_SHIFT = 22, GFX_SHIFT = 16 };

#define ROW(kind, opcode, text, least, most, bits, function, generations)                          \
	{                                                                                          \
		.name = text, .value = UINT32_C(opcode) << kind##_SHIFT, .mask = kind##_MASK,      \
		.min = least, .max = most, .refused = bits, .handler = function, generations       \
	}
/* The generations that have the packet. */
#define ALL		 UPTO(GEN_GENERATIONS)
#define FROM(generation) .first = (generation), .last = GEN_GENERATIONS
#define UPTO(generation) .last = (generation)

#define GLOBAL_GTT BIT(22)
#define LONGEST	   CS_MAX_DWORDS

/* In ascending order of value, so that rows that share bits 31:23 are neighbours; of those, rows
 * for more than one opcode come last. */
static const struct cs_packet packets[] = {
	ROW(MI, 0x00, "MI_NOOP", 1, 1, 0, cs_ignore, ALL),
	ROW(MI, 0x01, "MI_SET_PREDICATE", 1, 1, 0, cs_refuse, FROM(GEN_HPG)),
	ROW(MI, 0x02, "MI_USER_INTERRUPT", 1, 1, 0, cs_ignore, FROM(GEN_12)),
	ROW(MI, 0x05, "MI_ARB_CHECK", 1, 1, 0, cs_ignore, ALL),
	ROW(MI, 0x08, "MI_ARB_ON_OFF", 1, 1, 0, cs_ignore, ALL),
	ROW(MI, 0x0a, "MI_BATCH_BUFFER_END", 1, 1, 0, cs_batch_buffer_end, ALL),
	ROW(MI, 0x1a, "MI_MATH", 2, LONGEST, 0, cs_math, ALL),
	ROW(MI, 0x1c, "MI_SEMAPHORE_WAIT", 4, 4, GLOBAL_GTT, cs_semaphore_wait, UPTO(GEN_11)),
	ROW(MI, 0x1c, "MI_SEMAPHORE_WAIT", 4, 5, GLOBAL_GTT, cs_semaphore_wait, FROM(GEN_12)),
	{ .name = "MI_STORE_DATA_IMM",
		.value = UINT32_C(0x20) << MI_SHIFT,
		.mask = MI_MASK,
		.min = 4,
		.max = LONGEST,
		.length_mask = 0x3ff,
		.refused = GLOBAL_GTT,
		.handler = cs_store_data_imm,
		ALL },
	ROW(MI, 0x22, "MI_LOAD_REGISTER_IMM", 3, LONGEST, 0, cs_load_register_imm, ALL),
	ROW(MI, 0x24, "MI_STORE_REGISTER_MEM", 4, 4, GLOBAL_GTT | BIT(21), cs_store_register_mem,
		ALL),
	ROW(MI, 0x26, "MI_FLUSH_DW", 5, 5, BIT(21), cs_flush_dw, ALL),
	ROW(MI, 0x28, "MI_REPORT_PERF_COUNT", 4, 4, 0, cs_refuse, ALL),
	ROW(MI, 0x29, "MI_LOAD_REGISTER_MEM", 4, 4, GLOBAL_GTT, cs_load_register_mem, ALL),
	ROW(MI, 0x2a, "MI_LOAD_REGISTER_REG", 3, 3, 0, cs_load_register_reg, ALL),
	ROW(MI, 0x2e, "MI_COPY_MEM_MEM", 5, 5, GLOBAL_GTT | BIT(21), cs_copy_mem_mem, ALL),
	ROW(MI, 0x2f, "MI_ATOMIC", 3, 11, GLOBAL_GTT | BIT(16), cs_atomic, ALL),
	ROW(MI, 0x31, "MI_BATCH_BUFFER_START", 3, 3, BIT(15), cs_batch_buffer_start, ALL),
	ROW(MI, 0x36, "MI_CONDITIONAL_BATCH_BUFFER_END", 4, 4, 0, cs_refuse, FROM(GEN_HPG)),
	ROW(BLT, 0x141, "XY_BLOCK_COPY_BLT", 2, LONGEST, 0, cs_refuse, UPTO(GEN_12)),
	ROW(BLT, 0x141, "XY_BLOCK_COPY_BLT", 22, 22, 0, cs_block_copy, FROM(GEN_HPG)),
	ROW(BLT, 0x144, "XY_FAST_COLOR_BLT", 2, LONGEST, 0, cs_refuse, UPTO(GEN_12)),
	ROW(BLT, 0x144, "XY_FAST_COLOR_BLT", 16, 16, 0, cs_fast_color, FROM(GEN_HPG)),
	ROW(BLT, 0x153, "XY_SRC_COPY_BLT", 2, LONGEST, 0, cs_refuse, ALL),
	ROW(GFX, 0x6101, "STATE_BASE_ADDRESS", 16, 19, 0, cs_state_base_address, UPTO(GEN_9)),
	ROW(GFX, 0x6101, "STATE_BASE_ADDRESS", 16, 22, 0, cs_state_base_address, FROM(GEN_11)),
	ROW(GFX, 0x6102, "STATE_SIP", 3, 3, 0, cs_ignore, ALL),
	ROW(GFX, 0x6104, "GPGPU_CSR_BASE_ADDRESS", 3, 3, 0, cs_ignore, ALL),
	ROW(GFX, 0x6105, "STATE_COMPUTE_MODE", 2, 2, 0, cs_ignore, FROM(GEN_12)),
	ROW(GFX, 0x6106, "3DSTATE_BTD", 6, 6, 0, cs_ignore, FROM(GEN_HPG)),
	ROW(GFX, 0x680b, "3DSTATE_VF_STATISTICS", 1, 1, 0, cs_ignore, ALL),
	ROW(GFX, 0x6904, "PIPELINE_SELECT", 1, 1, 0, cs_ignore, ALL),
	ROW(GFX, 0x7000, "MEDIA_VFE_STATE", 9, 9, 0, cs_media_vfe_state, UPTO(GEN_12)),
	ROW(GFX, 0x7001, "MEDIA_CURBE_LOAD", 4, 4, 0, cs_curbe_load, UPTO(GEN_12)),
	ROW(GFX, 0x7002, "MEDIA_INTERFACE_DESCRIPTOR_LOAD", 4, 4, 0, cs_interface_descriptor_load,
		UPTO(GEN_12)),
	ROW(GFX, 0x7004, "MEDIA_STATE_FLUSH", 2, 2, 0, cs_ignore, UPTO(GEN_12)),
	ROW(GFX, 0x7105, "GPGPU_WALKER", 15, 15, 0, cs_gpgpu_walker, UPTO(GEN_12)),
	ROW(GFX, 0x7200, "CFE_STATE", 6, 6, 0, cs_cfe_state, FROM(GEN_HPG)),
	ROW(GFX, 0x7208, "COMPUTE_WALKER", 39, 39, BIT(9), cs_compute_walker, FROM(GEN_HPG)),
	ROW(GFX, 0x7808, "3DSTATE_VERTEX_BUFFERS", 5, 133, 0, cs_vertex_buffers, ALL),
	ROW(GFX, 0x7809, "3DSTATE_VERTEX_ELEMENTS", 3, 69, 0, cs_vertex_elements, ALL),
	ROW(MI, 0xf0, "3DSTATE", 2, LONGEST, 0, cs_draw_state, ALL),
	ROW(MI, 0xf1, "3DSTATE", 2, LONGEST, 0, cs_draw_state, FROM(GEN_HPG)),
	ROW(GFX, 0x7919, "3DSTATE_BINDING_TABLE_POOL_ALLOC", 4, 4, 0, cs_binding_table_switch,
		UPTO(GEN_12)),
	ROW(GFX, 0x7919, "3DSTATE_BINDING_TABLE_POOL_ALLOC", 4, 4, 0, cs_binding_table_pool,
		FROM(GEN_HPG)),
	ROW(MI, 0xf2, "3DSTATE", 2, LONGEST, 0, cs_draw_state, ALL),
	ROW(GFX, 0x7a00, "PIPE_CONTROL", 6, 6, 0, cs_pipe_control, ALL),
	ROW(GFX, 0x7b00, "3DPRIMITIVE", 7, 10, 0, cs_primitive, ALL),
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
	uint32_t mask = packet->length_mask ? packet->length_mask : 0xff;

	return packet->max == 1 ? 1 : (first_dword & mask) + 2;
}
