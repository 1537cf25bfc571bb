// SPDX-License-Identifier: MIT
#include "eu_mutant.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "eu/message/eu_message.h"
#include "gen/gen_decode.h"
#include "test_random.h"

static uint32_t draw(uint64_t *random, uint32_t below)
{
	return (uint32_t)(test_random(random) >> 16) % below;
}

/* A descriptor of the row's kind, with the rest of another one's bits or others. */
static uint32_t make_desc(uint64_t *random, unsigned sfid, uint32_t type, uint32_t desc)
{
	if (draw(random, 2))
		desc ^= 1u << draw(random, 19);
	if (draw(random, 4) == 0)
		desc = (desc & ~0xffu) |
		       (draw(random, 2) ? draw(random, 16) : 0xfc + draw(random, 4));
	switch (sfid) {
	case GEN_SFID_SAMPLER:
		return (desc & ~(0x1fu << 12)) | type << 12;
	case GEN_SFID_UGM:
	case GEN_SFID_SLM:
	case GEN_SFID_UGML:
	case GEN_SFID_TGM:
		return (desc & ~0x3fu) | type;
	default:
		return (desc & ~(0x1fu << 14)) | (type & 0x1f) << 14 | (type >> 5) << 18;
	}
}

/* Whether the device executes it: what it refuses ends the thread. */
static bool is_accepted(const struct gen_device *device, const struct gen_inst *inst)
{
	struct gen_fault fault = { 0 };
	struct eu_send send = {
		.desc = inst->desc,
		.exdesc = inst->exdesc,
		.sfid = inst->sfid,
		.mlen = inst->mlen,
		.xlen = inst->xlen,
		.rlen = inst->rlen,
		.exec_size = inst->exec_size,
		.writes = inst->rlen > 0,
	};

	return eu_message_bind(device, &send, &fault) == 0;
}

/* Another message of the table in place of the instruction's. */
static void change_message(const struct gen_device *device, struct gen_inst *inst, uint64_t *random)
{
	static const struct {
		uint8_t sfid, type, first, last;
	} rows[] = {
#define MESSAGE(sfid, type, first, last, ...) { GEN_SFID_##sfid, type, GEN_##first, GEN_##last },
#include "eu/message/eu_message.def"
#undef MESSAGE
	};
	enum gen_generation generation = device->family->generation;
	const struct gen_inst before = *inst;

	for (unsigned i = 0; i < 40; i++) {
		unsigned row = draw(random, sizeof(rows) / sizeof(rows[0]));

		if (rows[row].first > generation || rows[row].last < generation)
			continue;
		*inst = before;
		inst->sfid = rows[row].sfid;
		inst->desc = make_desc(random, inst->sfid, rows[row].type, before.desc);
		if (draw(random, 2)) {
			inst->mlen = (uint8_t)(1 + draw(random, 4));
			inst->xlen = (uint8_t)draw(random, 5);
			inst->rlen = (uint8_t)draw(random, 9);
			inst->desc = (inst->desc & ~(0x1ffu << 20)) | (uint32_t)inst->rlen << 20 |
				     (uint32_t)inst->mlen << 25;
		}
		if (is_accepted(device, inst))
			return;
	}
	*inst = before;
}

struct gen_program *eu_mutant_create(const struct gen_device *device, const uint8_t *bytes,
	size_t size, const struct gen_program *whole, uint64_t *random)
{
	uint8_t *code = malloc(size);
	struct gen_fault fault = { 0 };

	assert_non_null(code);
	memcpy(code, bytes, size);
	for (unsigned i = 0, n = 1 + draw(random, 3); i < n; i++) {
		const struct gen_inst *to = &whole->inst[draw(random, whole->count)];
		const struct gen_inst *from = &whole->inst[draw(random, whole->count)];

		if (draw(random, 2) && from->size == to->size)
			memcpy(code + to->ip, bytes + from->ip, to->size);
		else
			code[to->ip + draw(random, to->size)] ^= (uint8_t)(1u << draw(random, 8));
	}
	struct gen_program *program = gen_decode(device, code, size, &fault);
	free(code);
	for (uint32_t i = 0; program && i < program->count; i++)
		if (gen_ops[program->inst[i].op].class == GEN_CLASS_SEND &&
			!program->inst[i].end_of_thread && draw(random, 4) == 0)
			change_message(device, &program->inst[i], random);
	return program;
}
