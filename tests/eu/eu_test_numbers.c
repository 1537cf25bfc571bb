// SPDX-License-Identifier: MIT
#include "eu_test_numbers.h"

#include <string.h>

static unsigned pick(uint64_t *state, unsigned n)
{
	return (unsigned)(test_random(state) >> 33) % n;
}

void test_fill_registers(struct eu_thread *thread, uint64_t *state)
{
	static const uint32_t corners[] = { 0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1,
		0x007fffff, 0x00800000, 0x7f7fffff, 0xffffffff, 0x7fffffff, 0x3f800000, 0xbf800000,
		0x4f000000, 0xcf000000, 0x3f000000, 0x7c003c00, 0xfc00bc00, 0x00010400, 0x7bff03ff,
		0x477fe000, 0x47800000, 0x33800000, 0x38800000 };

	for (unsigned i = 0; i < 1024; i++) {
		uint32_t word = (uint32_t)(test_random(state) >> 32);
		switch (pick(state, 6)) {
		case 0:
			word = corners[pick(state, sizeof corners / sizeof *corners)];
			break;
		case 1:
			word = (word & 0x807fffff) | (120 + pick(state, 16)) << 23;
			break;
		case 2:
			word = (word & 0x83ff83ff) | (10 + pick(state, 10)) << 10 |
			       (10 + pick(state, 10)) << 26;
			break;
		case 3:
			word = pick(state, 64) - 32;
			break;
		}
		memcpy(thread->grf + 4 * i, &word, 4);
	}
}

void test_fill_files(struct eu_thread *thread, struct reference *reference, unsigned first,
	unsigned count, uint64_t *state)
{
	for (unsigned i = 0; i < 64; i++) {
		uint32_t word;
		memcpy(&word, thread->grf + 128 + 4 * i, 4);
		memcpy(thread->acc + 4 * i, &word, 4);
		memcpy(reference->acc + 4 * i, &word, 4);
		int32_t high = (int32_t)(test_random(state) >> (pick(state, 2) ? 33 : 48));
		thread->acc_high[i] = high;
		reference->acc_wide[i] = (int64_t)((uint64_t)(uint32_t)high << 32 | word);
	}
	for (unsigned i = 0; i < 16; i++) {
		uint16_t address = (uint16_t)(first + 4 * pick(state, count));
		memcpy((uint8_t *)thread->a0_words + 2 * i, &address, 2);
		memcpy(reference->a0 + 2 * i, &address, 2);
	}
	for (unsigned i = 0; i < 2; i++) {
		uint32_t word = (uint32_t)(test_random(state) >> 32);
		switch (pick(state, 3)) {
		case 0:
			word |= 0xffff00ff;
			break;
		case 1:
			word &= 1;
			break;
		}
		thread->flag[i] = word;
		memcpy(reference->flag + 4 * i, &word, 4);
	}
}

bool test_same_bits(uint8_t type, const uint8_t *a, const uint8_t *b, unsigned bytes)
{
	unsigned size = gen_type_size(type);
	uint64_t infinity = type == GEN_TYPE_HF	  ? 0x7c00
			    : type == GEN_TYPE_DF ? UINT64_C(0x7ff0000000000000)
						  : 0x7f800000;
	uint64_t magnitude = size ? UINT64_MAX >> (65 - 8 * size) : 0;

	if (!memcmp(a, b, bytes))
		return true;
	for (unsigned i = 0; size && i < bytes; i += size) {
		uint64_t x = 0, y = 0;
		memcpy(&x, a + i, size);
		memcpy(&y, b + i, size);
		if (x != y && (!gen_type_is_float(type) || (x & magnitude) <= infinity ||
				      (y & magnitude) <= infinity))
			return false;
	}
	return true;
}

struct eu_send test_send(const struct gen_inst *inst)
{
	return (struct eu_send){
		.desc = inst->desc,
		.dst = (uint16_t)(inst->dst.reg * 32),
		.src0 = (uint16_t)(inst->src[0].reg * 32),
		.src1 = (uint16_t)(inst->src[1].reg * 32),
		.sfid = inst->sfid,
		.mlen = inst->mlen,
		.xlen = inst->xlen,
		.rlen = inst->rlen,
		.exec_size = inst->exec_size,
		.writes = inst->dst.file == GEN_FILE_GRF && inst->rlen > 0,
	};
}
