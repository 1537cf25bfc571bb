// SPDX-License-Identifier: MIT
#include "cs/cs_register.h"

#include "util/util_bits.h"

static bool in_engine(uint32_t offset)
{
	return offset - CS_ENGINE_BASE < CS_ENGINE_REGISTERS * 4;
}

/* What asks an engine to forget the tables of compressed surfaces. It is 0 when that is done, which
 * is at once, because the device reads none. */
static bool is_request(uint32_t offset)
{
	static const uint16_t requests[] = { 0x4208, 0x4218, 0x4228, 0x4238, 0x4248, 0x4298, 0x42a8,
		0x42b8, 0x42c8 };

	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(requests); i++)
		if (requests[i] == offset)
			return true;
	return false;
}

uint32_t cs_register_get(const struct cs_registers *registers, uint32_t offset)
{
	if (in_engine(offset))
		return registers->engine[(offset - CS_ENGINE_BASE) / 4];
	for (unsigned i = 0; i < registers->other_count; i++)
		if (registers->other[i].offset == offset)
			return registers->other[i].value;
	return 0;
}

bool cs_register_set(struct cs_registers *registers, uint32_t offset, uint32_t value)
{
	unsigned i = 0;

	if (offset == CS_REG_GT_MODE)
		value = (cs_register_get(registers, offset) & ~(value >> 16)) |
			(value & value >> 16);
	if (is_request(offset))
		return true;
	if (in_engine(offset)) {
		registers->engine[(offset - CS_ENGINE_BASE) / 4] = value;
		return true;
	}
	while (i < registers->other_count && registers->other[i].offset != offset)
		i++;
	if (i == CS_OTHER_REGISTERS)
		return false;
	if (i == registers->other_count)
		registers->other_count++;
	registers->other[i].offset = offset;
	registers->other[i].value = value;
	return true;
}

uint64_t cs_register_gpr(const struct cs_registers *registers, unsigned n)
{
	const uint32_t *gpr = &registers->engine[(CS_REG_GPR - CS_ENGINE_BASE) / 4 + 2 * n];

	return (uint64_t)gpr[1] << 32 | gpr[0];
}

void cs_register_set_gpr(struct cs_registers *registers, unsigned n, uint64_t value)
{
	uint32_t *gpr = &registers->engine[(CS_REG_GPR - CS_ENGINE_BASE) / 4 + 2 * n];

	gpr[0] = (uint32_t)value;
	gpr[1] = (uint32_t)(value >> 32);
}
