// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile.h"

#include <string.h>

enum {
	WORTH_IT = 2,		/* micro-operations */
	MOST_DETOURS = 1 << 12, /* of a block */
};

#define EIGHT(x) x, x, x, x, x, x, x, x
#define FROM(x, step)                                                                              \
	x, x + step, x + 2 * step, x + 3 * step, x + 4 * step, x + 5 * step, x + 6 * step,         \
		x + 7 * step
#define BITS_FROM(x) x, x << 1, x << 2, x << 3, x << 4, x << 5, x << 6, x << 7
#define STEPS(step)  FROM(0, step), FROM(8 * step, step)
const uint32_t eu_compile_constants[] = { STEPS(1), STEPS(2), STEPS(4), STEPS(8), STEPS(16),
	BITS_FROM(1), BITS_FROM(256), EIGHT(0x80000000), EIGHT(0x7fffffff), EIGHT(0xffff),
	EIGHT(0xff), EIGHT(31), EIGHT(0x3f800000), EIGHT(0xff00ff00), EIGHT(0x4f000000), EIGHT(1),
	EIGHT(0xf0fffffe), 0x05040100, 0x0d0c0908, -1u, -1u, 0x05040100, 0x0d0c0908, -1u, -1u };
const uint32_t eu_compile_constants_bytes = sizeof(eu_compile_constants);

/* -- Registers of the host -- */

static int find(const struct eu_translator *s, int32_t key)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		if (s->holders[r].key == key)
			return r;
	return -1;
}

void eu_compile_unpin(struct eu_translator *s)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		s->holders[r].pinned = false;
}

static int use(struct eu_translator *s, int reg)
{
	s->holders[reg].used = ++s->clock;
	s->holders[reg].pinned = true;
	return reg;
}

static void clean(struct eu_translator *s, int reg)
{
	struct eu_holder *holder = &s->holders[reg];
	if (holder->dirty)
		eu_vector_memory(s->c, EU_V_STORE, reg, 0, EU_RDI, (uint32_t)holder->key);
	holder->dirty = false;
}

int eu_compile_take(struct eu_translator *s)
{
	int best = -1;
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		const struct eu_holder *holder = &s->holders[r];
		if (holder->pinned)
			continue;
		if (best < 0 || (holder->key < 0 && s->holders[best].key >= 0) ||
			((holder->key < 0) == (s->holders[best].key < 0) &&
				holder->used < s->holders[best].used))
			best = r;
	}
	clean(s, best);
	s->holders[best].key = -1;
	return use(s, best);
}

static void forget_pending(struct eu_translator *s, unsigned unit)
{
	if (unit < GEN_GRF_COUNT)
		s->pending.bits[unit / 64] &= ~(UINT64_C(1) << unit % 64);
}

void eu_compile_add_up(struct eu_translator *s, int reg, unsigned unit)
{
	uint32_t at = s->slots[unit] * (uint32_t)GEN_GRF_BYTES;
	eu_vector_memory(s->c, EU_V_LOAD, reg, 0, EU_R8, at);
	eu_vector_memory(s->c, EU_V_ADD, reg, reg, EU_R9, at);
}

int eu_compile_lanes(struct eu_translator *s, unsigned offset)
{
	bool whole = offset % EU_UNIT == 0;
	int reg = whole ? find(s, (int32_t)offset) : -1;
	if (reg >= 0)
		return use(s, reg);
	if (!whole)
		eu_compile_sync(s, offset, EU_UNIT);
	reg = eu_compile_take(s);
	if (whole && eu_compile_is_pending(s, offset / EU_UNIT)) {
		eu_compile_add_up(s, reg, offset / EU_UNIT);
		s->holders[reg].dirty = true;
		forget_pending(s, offset / EU_UNIT);
	} else {
		eu_vector_memory(s->c, EU_V_LOAD, reg, 0, EU_RDI, offset);
	}
	if (whole)
		s->holders[reg].key = (int32_t)offset;
	return reg;
}

int eu_compile_splat(struct eu_translator *s, unsigned offset)
{
	int reg = find(s, (int32_t)offset | EU_SPLAT);
	if (reg >= 0)
		return use(s, reg);
	eu_compile_sync(s, offset, 4);
	reg = eu_compile_take(s);
	eu_vector_memory(s->c, EU_V_SPLAT, reg, 0, EU_RDI, offset);
	s->holders[reg].key = (int32_t)offset | EU_SPLAT;
	return reg;
}

void eu_compile_sync(struct eu_translator *s, unsigned offset, unsigned bytes)
{
	for (unsigned unit = offset / EU_UNIT; unit * EU_UNIT < offset + bytes; unit++)
		if (eu_compile_is_pending(s, unit)) {
			int reg = eu_compile_lanes(s, unit * EU_UNIT);
			s->holders[reg].pinned = false;
		}
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		int32_t key = s->holders[r].key;
		if (s->holders[r].dirty && key + EU_UNIT > (int32_t)offset &&
			key < (int32_t)(offset + bytes))
			clean(s, r);
	}
}

void eu_compile_drop(struct eu_translator *s, unsigned offset, unsigned bytes)
{
	eu_compile_sync(s, offset, bytes);
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		int32_t key = s->holders[r].key, size = key & EU_SPLAT ? 4 : EU_UNIT;
		int32_t at = key & ~EU_SPLAT;
		if (key >= 0 && at + size > (int32_t)offset && at < (int32_t)(offset + bytes))
			s->holders[r].key = -1;
	}
}

void eu_compile_bind(struct eu_translator *s, unsigned offset, int reg)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		int32_t key = s->holders[r].key;
		if (r == reg || key < 0 ||
			(uint32_t)(key & ~EU_SPLAT) / EU_UNIT != offset / EU_UNIT)
			continue;
		s->holders[r].key = -1;
		s->holders[r].dirty = false;
	}
	s->holders[reg].key = (int32_t)offset;
	s->holders[reg].dirty = true;
	forget_pending(s, offset / EU_UNIT);
}

bool eu_compile_can_bind(unsigned offset, unsigned channels)
{
	unsigned end = offset + 4 * channels;
	bool lanes = offset >= EU_OFFSET(pm.lanes) && end <= EU_OFFSET(pm.bits);
	bool temp = offset >= EU_OFFSET(temp) && end <= EU_OFFSET(act);
	return offset % EU_UNIT == 0 && (end <= EU_OFFSET(acc_high) || temp || lanes);
}

void eu_compile_write_back(
	struct eu_translator *s, const struct eu_holder *holders, const struct eu_pending *pending)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		if (holders[r].dirty)
			eu_vector_memory(s->c, EU_V_STORE, r, 0, EU_RDI, (uint32_t)holders[r].key);
	for (unsigned unit = 0; unit < GEN_GRF_COUNT; unit++)
		if (pending->bits[unit / 64] >> unit % 64 & 1) {
			eu_compile_add_up(s, 0, unit);
			eu_vector_memory(s->c, EU_V_STORE, 0, 0, EU_RDI, unit * EU_UNIT);
		}
}

/* -- Blocks -- */

static bool translate(struct eu_translator *s, const struct eu_uop *u)
{
	bool known = eu_compile_alu(s, u) || eu_compile_message(s, u);
	eu_compile_unpin(s);
	return known;
}

static void begin(struct eu_translator *s, struct eu_block *block, uint32_t first)
{
	*block = (struct eu_block){ .first = first };
	s->index = first;
	s->c = &block->code;
	s->detour_count = 0;
	s->is_plain = false;
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		s->holders[r] = (struct eu_holder){ .key = -1 };
}

/* Writes back what has changed; what is out of line comes behind a jump over it. */
static void end(struct eu_translator *s, struct eu_block *block)
{
	eu_compile_write_back(s, s->holders, &s->pending);
	block->end = s->index;
	if (s->detour_count == 0)
		return;
	uint32_t over = eu_jump(s->c, EU_ALWAYS);
	for (uint32_t i = 0; i < s->detour_count; i++)
		s->detours[i].write(s, &s->detours[i]);
	eu_jump_here(s->c, over);
}

static void finish_block(struct eu_block *block)
{
	free(block->code.bytes);
	free(block->code.fixups);
}

static struct eu_block *add_block(struct eu_blocks *blocks)
{
	if (blocks->count == blocks->capacity) {
		uint32_t capacity = blocks->capacity ? 2 * blocks->capacity : 16;
		struct eu_block *all = realloc(blocks->block, capacity * sizeof(*all));
		if (!all)
			return NULL;
		blocks->block = all;
		blocks->capacity = capacity;
	}
	return &blocks->block[blocks->count];
}

/* Registers of the host that hold what nobody reads any more hold nothing. */
static void forget_dead(struct eu_translator *s, const struct eu_units *live)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		struct eu_holder *holder = &s->holders[r];
		if (holder->key < 0 || (holder->key & EU_SPLAT) ||
			eu_units_has(live, (unsigned)holder->key / EU_UNIT))
			continue;
		holder->key = -1;
		holder->dirty = false;
	}
	for (unsigned i = 0; i < GEN_GRF_COUNT / 64; i++)
		s->pending.bits[i] &= live->bits[i];
}

/* Whether a branch leads to one of those that `unless` passes over. */
static bool is_start(const bool *starts, uint32_t index, unsigned past)
{
	for (unsigned i = 1; i <= past; i++)
		if (starts[index + i])
			return true;
	return false;
}

/* Translates from s->index on, as far as that goes. */
static void run(struct eu_translator *s, const bool *starts, const struct eu_units *live)
{
	uint32_t first = s->index;
	for (; s->index < 2 * s->kernel->uop_count; s->index++) {
		const struct eu_uop *u = &s->kernel->uops[s->index];
		bool unless = u->code == EU_UOP_unless;
		if ((s->index > first && starts[s->index]) || s->detour_count == MOST_DETOURS ||
			!(unless ? !is_start(starts, s->index, u->past) && eu_compile_unless(s, u)
				 : translate(s, u)))
			break;
		s->index += unless ? u->past : 0;
		forget_dead(s, &live[s->index + 1]);
	}
}

/* Makes the block that begins with the micro-operation, if any does; returns where to go on. */
static uint32_t make(struct eu_translator *s, struct eu_blocks *blocks, bool *starts,
	const struct eu_units *live, uint32_t first)
{
	struct eu_block *block = add_block(blocks);
	if (!block)
		return 2 * s->kernel->uop_count;
	begin(s, block, first);
	run(s, starts, live);
	if (s->index == first) {
		const struct eu_uop *u = &s->kernel->uops[first];
		if (u->code == EU_UOP_unless)
			starts[first + 1 + u->past] = true;
		finish_block(block);
		return first + 1;
	}
	end(s, block);
	if (s->index - first >= WORTH_IT && !block->code.failed)
		blocks->count++;
	else
		finish_block(block);
	return s->index;
}

/* Makes the block behind the prologue once more, which takes the registers from where they are. */
static void make_direct(struct eu_translator *s, const bool *starts, const struct eu_units *live)
{
	const struct eu_prologue *prologue = &s->kernel->prologue;
	struct eu_blocks *blocks = s->blocks;
	struct eu_block *block = &blocks->direct;
	uint32_t at = 0;
	while (at < blocks->count && blocks->block[at].first < prologue->end)
		at++;
	if (!prologue->end || at == blocks->count || blocks->block[at].first != prologue->end)
		return;
	for (unsigned i = 0; i < prologue->count; i++) {
		unsigned unit = prologue->registers[i];
		s->pending.bits[unit / 64] |= UINT64_C(1) << unit % 64;
		s->slots[unit] = (uint8_t)i;
	}
	begin(s, block, prologue->end);
	const uint32_t load = EU_GP_LOAD | EU_GP_WIDE;
	eu_general_memory(s->c, load, EU_R8, EU_RDI, offsetof(struct eu_thread, own));
	eu_general_memory(s->c, load, EU_R9, EU_RDI, offsetof(struct eu_thread, delta));
	eu_general_memory(s->c, load, EU_R10, EU_RDI, offsetof(struct eu_thread, lines));
	run(s, starts, live);
	end(s, block);
	if (block->end == blocks->block[at].end && !block->code.failed)
		return;
	finish_block(block);
	*block = (struct eu_block){ 0 };
}

void eu_blocks_make(struct eu_blocks *blocks, const struct eu_kernel *kernel)
{
	struct eu_translator s = { .kernel = kernel, .blocks = blocks };
	struct eu_units *live = eu_compile_live(kernel);
	bool *starts = calloc(2 * (size_t)kernel->uop_count + 1, sizeof(*starts));
	*blocks = (struct eu_blocks){ 0 };
	if (live && starts) {
		eu_compile_targets(kernel, false, starts);
		starts[0] = true;
		memcpy(starts + kernel->uop_count, starts, kernel->uop_count * sizeof(*starts));
		for (uint32_t i = 0; i < 2 * kernel->uop_count;)
			i = make(&s, blocks, starts, live, i);
		make_direct(&s, starts, live);
	}
	free(s.detours);
	free(starts);
	free(live);
}

void eu_blocks_finish(struct eu_blocks *blocks)
{
	for (uint32_t i = 0; i < blocks->count; i++)
		finish_block(&blocks->block[i]);
	finish_block(&blocks->direct);
	free(blocks->block);
}
