// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile.h"

#include "eu/ops/eu_effect.h"

#include <string.h>

enum {
	NARROW = 16,		/* bytes of eight elements that are widened */
	WORTH_IT = 2,		/* micro-operations */
	WORTH_A_STORE = 24,	/* registers that are used meanwhile */
	WORTH_FLAGS = 64,	/* the same of masks, which are stored together */
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
	EIGHT(0xf0fffffe), 0x05040100, 0x0d0c0908, -1u, -1u, 0x05040100, 0x0d0c0908, -1u, -1u,
	EIGHT(0x80008000), EIGHT(0x7fff7fff), EIGHT(0x87ff87ff) };
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

void eu_compile_bits(struct eu_translator *s, int to, int masks, bool invert)
{
	eu_vector(s->c, EU_V_SIGNS, to, 0, masks);
	if (invert) {
		eu_put(s->c, 0x81); /* xor with a number */
		eu_put(s->c, 0xf0 | (unsigned)to);
		eu_put_32(s->c, 0xff);
	}
}

/*
 * Puts what is nowhere but in masks in the flags, which are stored as a whole: the processor does
 * not forward two stores to one load. Changes rsi and rcx.
 */
static void store_flags(struct eu_translator *s, const struct eu_holder *holders)
{
	const uint32_t place = EU_OFFSET(flag);
	unsigned turned = 0, bits;
	bool loaded = false;
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		if (!holders[r].dirty || !(holders[r].key & EU_MASKS))
			continue;
		if (!loaded)
			eu_general_memory(s->c, EU_GP_LOAD | EU_GP_WIDE, EU_RCX, EU_RDI, place);
		loaded = true;
		bits = 8 * ((unsigned)(holders[r].key & EU_PLACE) - place);
		eu_general_shift(s->c, EU_SHIFT_ROR, EU_GP_WIDE, EU_RCX, (bits - turned) & 63);
		turned = bits;
		eu_compile_bits(s, EU_RSI, r, holders[r].key & EU_INVERTED);
		eu_put(s->c, 0x40); /* mov cl, sil */
		eu_general(s->c, EU_GP_STORE_BYTE, EU_RSI, EU_RCX);
	}
	eu_general_shift(s->c, EU_SHIFT_ROL, EU_GP_WIDE, EU_RCX, turned);
	if (loaded)
		eu_general_memory(s->c, EU_GP_STORE | EU_GP_WIDE, EU_RCX, EU_RDI, place);
}

/* Puts what a register holds, which is no masks, in memory. */
static void store(struct eu_translator *s, int reg, int32_t key)
{
	eu_vector_memory(s->c, key & EU_SPLAT ? EU_V_STORE_DWORD : EU_V_STORE, reg, 0, EU_RDI,
		(uint32_t)(key & EU_PLACE));
}

/* Changes rsi and rcx at most. */
static void clean(struct eu_translator *s, int reg)
{
	struct eu_holder *holder = &s->holders[reg];
	if (holder->dirty && (holder->key & EU_MASKS)) {
		store_flags(s, s->holders);
		for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
			s->holders[r].dirty &= !(s->holders[r].key & EU_MASKS);
	} else if (holder->dirty) {
		store(s, reg, holder->key);
	}
	holder->dirty = false;
}

/* Whether a register holds something of these bytes. */
static bool touches(const struct eu_holder *holder, unsigned offset, unsigned bytes)
{
	int32_t key = holder->key, at = key & EU_PLACE;
	int32_t size = key & EU_SPLAT ? 4 : key & EU_MASKS ? 1 : EU_UNIT;
	return key >= 0 && at + size > (int32_t)offset && at < (int32_t)(offset + bytes);
}

/* Whether a register holds elements widened, of which some are in these bytes. */
static bool is_of(const struct eu_holder *holder, unsigned offset, unsigned bytes)
{
	return holder->narrow >= 0 && holder->narrow + NARROW > (int32_t)offset &&
	       holder->narrow < (int32_t)(offset + bytes);
}

/* How long a register is worth what it holds; 0: it holds nothing. */
static uint32_t worth(const struct eu_holder *holder)
{
	if (holder->key < 0 && holder->narrow < 0)
		return 0;
	if (holder->key >= 0 && (holder->key & EU_MASKS))
		return 1 + holder->used + WORTH_FLAGS;
	return 1 + holder->used + (holder->key >= 0 && holder->dirty ? WORTH_A_STORE : 0);
}

int eu_compile_take(struct eu_translator *s)
{
	int best = -1;
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		if (!s->holders[r].pinned &&
			(best < 0 || worth(&s->holders[r]) < worth(&s->holders[best])))
			best = r;
	clean(s, best);
	s->holders[best].key = s->holders[best].narrow = -1;
	s->holders[best].zeros = 0;
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
	} else {
		eu_vector_memory(s->c, EU_V_LOAD, reg, 0, EU_RDI, offset);
	}
	if (whole) {
		s->holders[reg].key = (int32_t)offset;
		s->holders[reg].zeros = s->zeros[offset / EU_UNIT];
	}
	return reg;
}

static uint8_t zeros_of(uint32_t number)
{
	return (uint8_t)(number ? __builtin_clz(number) : 32);
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
	if (offset >= EU_OFFSET(pool))
		s->holders[reg].zeros = zeros_of(s->kernel->pool[(offset - EU_OFFSET(pool)) / 4]);
	return reg;
}

void eu_compile_sync(struct eu_translator *s, unsigned offset, unsigned bytes)
{
	for (unsigned unit = offset / EU_UNIT; unit * EU_UNIT < offset + bytes; unit++)
		if (eu_compile_is_pending(s, unit)) {
			int reg = eu_compile_lanes(s, unit * EU_UNIT);
			eu_vector_memory(s->c, EU_V_STORE, reg, 0, EU_RDI, unit * EU_UNIT);
			s->holders[reg].pinned = false;
			forget_pending(s, unit);
		}
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		if (s->holders[r].dirty && touches(&s->holders[r], offset, bytes))
			clean(s, r);
}

/* Whatever is there is not needed. */
static void forget(struct eu_translator *s, unsigned offset, unsigned bytes)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		if (is_of(&s->holders[r], offset, bytes))
			s->holders[r].narrow = -1;
		if (touches(&s->holders[r], offset, bytes)) {
			s->holders[r].key = -1;
			s->holders[r].dirty = false;
		}
	}
}

void eu_compile_drop(struct eu_translator *s, unsigned offset, unsigned bytes)
{
	eu_compile_sync(s, offset, bytes);
	forget(s, offset, bytes);
	for (unsigned unit = offset / EU_UNIT; unit < EU_UNITS && unit * EU_UNIT < offset + bytes;
		unit++)
		s->zeros[unit] = 0;
}

int eu_compile_masks(struct eu_translator *s, unsigned place, bool *inverted)
{
	const int32_t key = (int32_t)place | EU_MASKS;
	int reg = find(s, key), other = find(s, key | EU_INVERTED);
	*inverted = reg < 0;
	return reg >= 0 ? use(s, reg) : other >= 0 ? use(s, other) : -1;
}

void eu_compile_bind_masks(struct eu_translator *s, unsigned place, int reg, bool inverted)
{
	forget(s, place, 1);
	s->holders[reg].key = (int32_t)place | EU_MASKS | (inverted ? EU_INVERTED : 0);
	s->holders[reg].dirty = true;
}

void eu_compile_bind(struct eu_translator *s, unsigned offset, int reg)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		int32_t key = s->holders[r].key;
		if (is_of(&s->holders[r], offset, EU_UNIT))
			s->holders[r].narrow = -1;
		if (r == reg || key < 0 || (uint32_t)(key & EU_PLACE) / EU_UNIT != offset / EU_UNIT)
			continue;
		s->holders[r].key = -1;
		s->holders[r].dirty = false;
	}
	s->holders[reg].key = (int32_t)offset;
	s->holders[reg].dirty = true;
	s->zeros[offset / EU_UNIT] = s->holders[reg].zeros;
	forget_pending(s, offset / EU_UNIT);
}

void eu_compile_bind_splat(struct eu_translator *s, unsigned offset, int reg)
{
	eu_compile_drop(s, offset, 4);
	s->holders[reg].key = (int32_t)offset | EU_SPLAT;
	s->holders[reg].dirty = true;
}

bool eu_compile_can_bind(unsigned offset, unsigned channels)
{
	unsigned end = offset + 4 * channels;
	bool lanes = offset >= EU_OFFSET(pm.lanes) && end <= EU_OFFSET(pm.bits);
	bool temp = offset >= EU_OFFSET(temp) && end <= EU_OFFSET(act);
	return offset % EU_UNIT == 0 && (end <= EU_OFFSET(acc_high) || temp || lanes);
}

enum { LOAD = EU_GP_LOAD | EU_GP_WIDE };

/* What is in general registers all the time. */
static void load_entered(struct eu_translator *s)
{
	if (!s->is_entered)
		return;
	eu_general_memory(s->c, LOAD, EU_R8, EU_RDI, offsetof(struct eu_thread, own));
	eu_general_memory(s->c, LOAD, EU_R9, EU_RDI, offsetof(struct eu_thread, delta));
	eu_general_memory(s->c, LOAD, EU_R10, EU_RDI, offsetof(struct eu_thread, lines));
	if (!s->is_sweep)
		return;
	eu_general_memory(s->c, LOAD, EU_R11, EU_RDI, offsetof(struct eu_thread, worker));
	eu_general_memory(s->c, LOAD, EU_R11, EU_R11, offsetof(struct eu_worker, surfaces));
}

void eu_compile_write_back(
	struct eu_translator *s, const struct eu_holder *holders, const struct eu_pending *pending)
{
	store_flags(s, holders);
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		if (holders[r].dirty && !(holders[r].key & EU_MASKS))
			store(s, r, holders[r].key);
	for (unsigned unit = 0; unit < GEN_GRF_COUNT; unit++)
		if (pending->bits[unit / 64] >> unit % 64 & 1) {
			eu_compile_add_up(s, 0, unit);
			eu_vector_memory(s->c, EU_V_STORE, 0, 0, EU_RDI, unit * EU_UNIT);
		}
}

void eu_compile_stencil(struct eu_translator *s, uint32_t index)
{
	eu_put(s->c, 0xe9);
	eu_put_fixup(s->c, EU_FIXUP_CALL, index);
	load_entered(s);
}

static void reload_masks(struct eu_translator *s, int reg, int32_t key)
{
	const unsigned place = (unsigned)(key & EU_PLACE), byte = place - EU_OFFSET(flag);
	const uint32_t bits = byte % 2 ? EU_CONSTANT_BITS_8 : EU_CONSTANT_BITS;
	eu_vector_memory(s->c, EU_V_SPLAT, reg, 0, EU_RDI, place - byte % 4);
	if (byte % 4 >= 2)
		eu_vector_number(s->c, EU_V_SHIFT_BY, 2, reg, reg, 16); /* to the right */
	eu_vector_constant(s->c, key & EU_INVERTED ? EU_V_AND_NOT : EU_V_AND, reg, reg, bits);
	eu_vector_constant(s->c, EU_V_EQUAL, reg, reg, bits);
}

void eu_compile_reload(struct eu_translator *s, const struct eu_holder *holders)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		int32_t key = holders[r].key;
		if (key >= 0 && (key & EU_MASKS))
			reload_masks(s, r, key);
		else if (key >= 0)
			eu_vector_memory(s->c, key & EU_SPLAT ? EU_V_SPLAT : EU_V_LOAD, r, 0,
				EU_RDI, (uint32_t)(key & EU_PLACE));
		else if (holders[r].narrow >= 0)
			eu_vector_memory(
				s->c, holders[r].widen, r, 0, EU_RDI, (uint32_t)holders[r].narrow);
	}
}

/* -- Blocks -- */

static bool translate(struct eu_translator *s, const struct eu_uop *u)
{
	bool message = eu_compile_message(s, u);
	bool tally = !message && eu_compile_tally(s, u);
	bool known = message || tally || eu_compile_alu(s, u);
	if (!message && !tally)
		s->address = -1;
	eu_compile_unpin(s);
	return known;
}

static void begin(struct eu_translator *s, struct eu_block *block, uint32_t first)
{
	*block = (struct eu_block){ .first = first };
	s->index = first;
	s->c = &block->code;
	s->detour_count = 0;
	s->is_plain = s->is_sweep = s->is_entered = false;
	s->address = -1;
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		s->holders[r] = (struct eu_holder){ .key = -1, .narrow = -1 };
	memset(s->zeros, 0, sizeof(s->zeros));
}

/* What is out of line comes behind a jump over it. */
static void write_detours(struct eu_translator *s)
{
	if (s->detour_count == 0)
		return;
	uint32_t over = eu_jump(s->c, EU_ALWAYS);
	s->is_long = over > EU_COMPILE_LONG;
	for (uint32_t i = 0; i < s->detour_count; i++)
		s->detours[i].write(s, &s->detours[i]);
	eu_jump_here(s->c, over);
}

/* Writes back what has changed. */
static void end(struct eu_translator *s, struct eu_block *block)
{
	eu_compile_write_back(s, s->holders, &s->pending);
	block->end = s->index;
	eu_compile_loop(s);
	write_detours(s);
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

void eu_compile_forget_dead(struct eu_translator *s, const struct eu_units *live)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++) {
		struct eu_holder *holder = &s->holders[r];
		if (holder->narrow >= 0 &&
			!(eu_units_has(live, (unsigned)holder->narrow / EU_UNIT) &&
				eu_units_has(
					live, (unsigned)(holder->narrow + NARROW - 1) / EU_UNIT)))
			holder->narrow = -1;
		unsigned place = (unsigned)(holder->key & EU_PLACE);
		if (holder->key < 0 || ((holder->key & EU_SPLAT) && !holder->dirty) ||
			eu_units_has(live, holder->key & EU_MASKS
						   ? EU_UNITS + place - EU_OFFSET(flag)
						   : place / EU_UNIT))
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

/*
 * Where a block has been entered for good: lets the stencil execute what has no translation and
 * goes on at the next micro-operation. Pending registers are in memory from then on too, where the
 * thread may go on alone, and stay pending unless they are written.
 */
static bool pass(struct eu_translator *s, const struct eu_uop *u)
{
	struct eu_effect writes = eu_effect_writes(s->kernel, u);
	struct eu_pending missing;
	if (!s->is_entered || (eu_uop_info(u->code)->does & (EU_DOES_BRANCH | EU_DOES_YIELD)))
		return false;
	for (unsigned i = 0; i < GEN_GRF_COUNT / 64; i++) {
		missing.bits[i] = s->pending.bits[i] & ~s->stored.bits[i];
		s->stored.bits[i] |= missing.bits[i];
	}
	eu_compile_write_back(s, s->holders, &missing);
	eu_compile_stencil(s, s->index);
	for (unsigned i = 0; i < writes.count; i++)
		for (unsigned unit = writes.span[i].first / EU_UNIT;
			unit * EU_UNIT < writes.span[i].first + (unsigned)writes.span[i].bytes;
			unit++)
			forget_pending(s, unit);
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		s->holders[r] = (struct eu_holder){ .key = -1, .narrow = -1 };
	memset(s->zeros, 0, sizeof(s->zeros));
	s->is_plain = false;
	return true;
}

static void count(struct eu_translator *s, const struct eu_uop *u)
{
	eu_general_memory(s->c, EU_GP_ADD_NUMBER | EU_GP_WIDE, 0, EU_RDI,
		offsetof(struct eu_thread, instructions));
	eu_put_32(s->c, u->count);
}

/*
 * Branches in a sweep, all of whose threads have all channels on and have left none behind: a
 * thread goes on alone if it is to be otherwise. False: not translated.
 */
static bool branch(struct eu_translator *s, const struct eu_uop *u)
{
	uint32_t lanes = s->kernel->lanes;
	if (!s->is_sweep)
		return false;
	if (u->code == EU_UOP_leave && (u->c & 0xff) == GEN_PRED_NONE) {
		if (lanes & ~u->imm)
			return false;
		count(s, u);
		s->index = s->kernel->label_uop[u->label] - 1;
		return true;
	}
	if (u->code == EU_UOP_leave && !eu_compile_leave(s, u, lanes))
		return false;
	if (u->code != EU_UOP_leave && u->code != EU_UOP_label)
		return false;
	count(s, u);
	return true;
}

/* Whether a block ends before the micro-operation; a sweep goes on past labels, but into no loop.
 */
static bool is_last(const struct eu_translator *s, const bool *starts, uint32_t first)
{
	bool is_top = s->kernel->uops[s->index].code == EU_UOP_count;
	return s->detour_count >= MOST_DETOURS ||
	       (s->index > first && (s->is_sweep ? is_top : starts[s->index]));
}

/* Translates from s->index on, as far as that goes. */
static void run(struct eu_translator *s, const bool *starts, const struct eu_live *live)
{
	uint32_t first = s->index;
	for (; s->index < 2 * s->kernel->uop_count; s->index++) {
		const struct eu_uop *u = &s->kernel->uops[s->index];
		bool unless = u->code == EU_UOP_unless;
		s->live = &live[s->index + 1];
		s->is_free = live[s->index].is_free;
		if (is_last(s, starts, first))
			break;
		uint32_t steps = eu_compile_strands(s, starts, live);
		if (steps) {
			s->index += steps - 1;
			continue;
		}
		if (!(unless ? !is_start(starts, s->index, u->past) && eu_compile_unless(s, u)
			     : translate(s, u) || branch(s, u) || pass(s, u)))
			break;
		s->index += unless ? u->past : 0;
		s->address = unless ? -1 : s->address;
		eu_compile_forget_dead(s, &live[s->index + 1].units);
	}
}

/* Makes the block that begins with the micro-operation, if any does; returns where to go on. */
static uint32_t make(struct eu_translator *s, struct eu_blocks *blocks, bool *starts,
	const struct eu_live *live, uint32_t first)
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

/* Begins the block behind the prologue once more, which takes the registers from where they are. */
static void begin_again(struct eu_translator *s, struct eu_block *block, bool sweep)
{
	const struct eu_prologue *prologue = &s->kernel->prologue;
	s->pending = s->stored = (struct eu_pending){ 0 };
	for (unsigned i = 0; i < prologue->count; i++) {
		unsigned unit = prologue->registers[i];
		s->pending.bits[unit / 64] |= UINT64_C(1) << unit % 64;
		s->slots[unit] = (uint8_t)i;
	}
	begin(s, block, prologue->end);
	s->is_entered = true;
	s->is_sweep = sweep;
	load_entered(s);
}

static void keep_if(struct eu_block *block, bool good)
{
	if (good && !block->code.failed)
		return;
	finish_block(block);
	*block = (struct eu_block){ 0 };
}

/* thread->sweep's next group: r9 leads to what it adds, r8 to its first thread's own. */
static void step_group(struct eu_translator *s)
{
	struct eu_code *c = s->c;
	eu_general_memory(c, LOAD, EU_RAX, EU_RDI, offsetof(struct eu_thread, sweep.step));
	for (uint32_t i = 0; i < s->kernel->prologue.count; i++) {
		uint32_t at = i * (uint32_t)GEN_GRF_BYTES;
		eu_vector_memory(c, EU_V_LOAD, (int)i % 8, 0, EU_R9, at);
		eu_vector_memory(c, EU_V_ADD, (int)i % 8, (int)i % 8, EU_RAX, at);
		eu_vector_memory(c, EU_V_STORE, (int)i % 8, 0, EU_R9, at);
	}
	eu_general_memory(c, LOAD, EU_RAX, EU_RDI, offsetof(struct eu_thread, group));
	eu_general_memory(c, EU_GP_COUNT, 0, EU_RAX, offsetof(struct eu_group, id));
	eu_general_memory(c, EU_GP_SET, 0, EU_RDI, offsetof(struct eu_thread, index));
	eu_put_32(c, UINT32_MAX);
	eu_general_memory(c, LOAD, EU_R8, EU_RDI, offsetof(struct eu_thread, sweep.first));
}

/*
 * What stands before the code of a thread in a sweep, which the first one jumps over: starts the
 * next thread as eu_thread_again would. Returns where it begins.
 */
static uint32_t start_next(struct eu_translator *s)
{
	struct eu_code *c = s->c;
	uint32_t over = eu_jump(c, EU_ALWAYS), start = c->size;
	eu_general_memory(
		c, EU_GP_STORE | EU_GP_WIDE, EU_R8, EU_RDI, offsetof(struct eu_thread, own));
	eu_general_memory(c, EU_GP_COUNT, 0, EU_RDI, offsetof(struct eu_thread, index));
	eu_general_memory(c, EU_GP_SET | EU_GP_WIDE, 0, EU_RDI, offsetof(struct eu_thread, flag));
	eu_put_32(c, 0);
	eu_jump_here(c, over);
	return start;
}

/* status = EU_DONE, return NULL */
static void stop(struct eu_code *c)
{
	static const uint8_t code[] = { 0xc5, 0xf8, 0x77 /* vzeroupper */, 0x31, 0xc0, 0xc3 };
	eu_put(c, 0xc6); /* mov byte [rdi + offset], the number */
	eu_put_place(c, 0, EU_RDI, offsetof(struct eu_thread, status));
	eu_put(c, EU_DONE);
	for (unsigned i = 0; i < sizeof(code); i++)
		eu_put(c, code[i]);
}

/*
 * Behind the last micro-operation of the sweep: goes on with the next thread at `start`, if there
 * is one, where the thread has come to its end; else lets it go on alone.
 */
static void end_sweep(struct eu_translator *s, uint32_t start)
{
	const struct eu_uop *u = &s->kernel->uops[s->index];
	bool whole = u->code == EU_UOP_end;
	struct eu_code *c = s->c;
	if (whole)
		count(s, u);
	uint32_t alone = whole ? 0 : eu_jump(c, EU_ALWAYS), ended = c->size;
	eu_put(c, 0x49); /* add r8, the number */
	eu_put(c, 0x81);
	eu_put(c, 0xc0);
	eu_put_32(c, s->kernel->prologue.count * (uint32_t)GEN_GRF_BYTES);
	eu_general_memory(c, EU_GP_COMPARE | EU_GP_WIDE, EU_R8, EU_RDI,
		offsetof(struct eu_thread, sweep.end));
	eu_jump_to(c, eu_jump(c, EU_IF_BELOW), start);
	eu_general_memory(c, EU_GP_COUNT, 1, EU_RDI, offsetof(struct eu_thread, sweep.groups));
	uint32_t out = eu_jump(c, EU_IF_ZERO);
	step_group(s);
	eu_jump_to(c, eu_jump(c, EU_ALWAYS), start);
	eu_jump_here(c, out);
	stop(c);
	s->blocks->again = c->size;
	load_entered(s);
	eu_jump_to(c, eu_jump(c, EU_ALWAYS), ended);
	if (!whole)
		eu_jump_here(c, alone);
	write_detours(s);
}

/* What `direct` does, for threads that follow each other. */
static void make_sweep(struct eu_translator *s, const bool *starts, const struct eu_live *live)
{
	const struct eu_probe *probe = s->kernel->probe;
	struct eu_block *block = &s->blocks->sweep;
	if (!s->kernel->registers_end || (probe && (probe->thread_begin || probe->thread_end)))
		return;
	begin_again(s, block, true);
	uint32_t start = start_next(s);
	run(s, starts, live);
	block->end = s->index;
	if (s->kernel->uops[s->index].code == EU_UOP_end)
		forget(s, EU_OFFSET(flag), 8);
	eu_compile_write_back(s, s->holders, &s->pending);
	end_sweep(s, start);
	keep_if(block, block->end > s->kernel->prologue.end);
}

static void make_direct(struct eu_translator *s, const bool *starts, const struct eu_live *live)
{
	const struct eu_prologue *prologue = &s->kernel->prologue;
	struct eu_blocks *blocks = s->blocks;
	if (!prologue->end)
		return;
	begin_again(s, &blocks->direct, false);
	run(s, starts, live);
	end(s, &blocks->direct);
	keep_if(&blocks->direct, blocks->direct.end > prologue->end);
	if (blocks->direct.code.size)
		make_sweep(s, starts, live);
}

void eu_blocks_make(struct eu_blocks *blocks, const struct eu_kernel *kernel)
{
	struct eu_translator s = { .kernel = kernel, .blocks = blocks };
	struct eu_live *live = eu_compile_live(kernel);
	bool *starts = calloc(2 * (size_t)kernel->uop_count + 1, sizeof(*starts));
	*blocks = (struct eu_blocks){ 0 };
	if (live && starts) {
		eu_compile_targets(kernel, false, starts);
		starts[0] = starts[kernel->prologue.end] = true;
		memcpy(starts + kernel->uop_count, starts, kernel->uop_count * sizeof(*starts));
		for (uint32_t i = 0; i < 2 * kernel->uop_count;)
			i = make(&s, blocks, starts, live, i);
		make_direct(&s, starts, live);
	}
	free(s.detours);
	free(s.run);
	free(starts);
	free(live);
}

void eu_blocks_finish(struct eu_blocks *blocks)
{
	for (uint32_t i = 0; i < blocks->count; i++)
		finish_block(&blocks->block[i]);
	finish_block(&blocks->direct);
	finish_block(&blocks->sweep);
	free(blocks->block);
}
