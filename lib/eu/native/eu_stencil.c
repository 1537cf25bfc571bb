// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile.h"
#include "eu/native/eu_stencil.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef EU_STENCILS

enum {
	THUNK_BYTES = 16,
	ENTER_BYTES = 24,
	JUMP_BYTES = 5,
	DATA_ALIGN = 64,
};

static const struct eu_stencil_table *const tables[EU_HOSTS] = {
	&eu_stencil_base,
	&eu_stencil_avx2,
	&eu_stencil_avx512,
};

/* A kernel's code while it is made. */
struct maker {
	const struct eu_stencil_table *table;
	struct eu_kernel *kernel;
	uint8_t *code;	    /* data, thunks, then micro-operations */
	uint32_t *places;   /* of each micro-operation of both streams, and the end */
	uint32_t *stencils; /* of those in blocks, executed by stencils */
	uint32_t thunks, constants, direct, sweep;
	uint32_t calls; /* the place of the next stencil that a block calls */
	uint32_t next;	/* where a stencil goes on; 0: at the next micro-operation */
	struct eu_blocks blocks;
};

/* Where the fields of struct eu_uop lie, in the order of enum eu_patch. */
static const struct {
	uint8_t offset, bytes;
} fields[] = {
#define FIELD(NAME, field) { offsetof(struct eu_uop, field), sizeof(((struct eu_uop *)0)->field) },
#include "eu/ops/uop.def"
};

static uint32_t operand(const struct maker *m, const struct eu_uop *u, enum eu_patch what)
{
	uint32_t value = 0; /* the host is x86-64 */
	if (what == EU_PATCH_SELF)
		return (uint32_t)((const char *)u - (const char *)m->kernel->uops);
	memcpy(&value, (const char *)u + fields[what].offset, fields[what].bytes);
	return value;
}

/* Whether all operands can be put in: some instructions extend them with their sign. */
static bool fits(const struct maker *m, const struct eu_stencil *stencil, const struct eu_uop *u)
{
	for (uint32_t i = 0; i < stencil->count; i++) {
		const struct eu_stencil_patch *p = &m->table->patches[stencil->first + i];
		if (p->what <= EU_PATCH_SELF && p->is_signed &&
			operand(m, u, (enum eu_patch)p->what) > INT32_MAX / 2)
			return false;
	}
	return true;
}

/* NULL: the handler executes it. */
static const struct eu_stencil *stencil_of(const struct maker *m, const struct eu_uop *u)
{
	unsigned slot = m->table->slots[u->code];
	const struct eu_stencil *stencil = slot ? &m->table->stencils[slot - 1] : NULL;
	return stencil && fits(m, stencil, u) ? stencil : NULL;
}

/* Where a relocation leads to, in the code. */
static uint32_t destination(const struct maker *m, uint32_t index, const struct eu_stencil_patch *p)
{
	const struct eu_uop *u = &m->kernel->uops[index];
	switch (p->what) {
	case EU_PATCH_NEXT:
		return m->next ? m->next : m->places[index + 1];
	case EU_PATCH_FULL:
		return m->places[u->target];
	case EU_PATCH_PARTIAL:
		return m->places[u->target + m->kernel->uop_count];
	case EU_PATCH_PAST:
		return m->places[index + 1 + u->past];
	case EU_PATCH_CALL:
		return m->thunks + p->index * THUNK_BYTES;
	default:
		return 0; /* the constants */
	}
}

static void copy_and_patch(
	struct maker *m, uint32_t index, uint32_t place, const struct eu_stencil *stencil)
{
	const struct eu_uop *u = &m->kernel->uops[index];
	uint8_t *code = m->code + place;
	memcpy(code, m->table->code + stencil->code, stencil->size);
	for (uint32_t i = 0; i < stencil->count; i++) {
		const struct eu_stencil_patch *p = &m->table->patches[stencil->first + i];
		uint32_t value;
		if (p->what <= EU_PATCH_SELF)
			value = operand(m, u, (enum eu_patch)p->what);
		else
			value = destination(m, index, p) - (place + p->at);
		value += (uint32_t)p->addend;
		memcpy(code + p->at, &value, 4);
	}
}

/* mov rsi, the micro-operation; mov rax, its handler; jmp rax */
static void enter_handler(struct maker *m, uint32_t index, uint32_t place)
{
	const struct eu_uop *u = &m->kernel->uops[index];
	uint8_t *code = m->code + place;
	memcpy(code, "\x48\xbe", 2);
	memcpy(code + 2, &u, 8);
	memcpy(code + 10, "\x48\xb8", 2);
	memcpy(code + 12, &u->run, 8);
	memcpy(code + 20, "\xff\xe0", 2);
}

/* jmp [rip + 2], the function: it may be too far away for a call. */
static void write_thunks(struct maker *m)
{
	for (uint32_t i = 0; i < m->table->function_count; i++) {
		uint8_t *thunk = m->code + m->thunks + i * THUNK_BYTES;
		memcpy(thunk, "\xff\x25\x02\0\0\0\xcc\xcc", 8);
		memcpy(thunk + 8, &m->table->functions[i], 8);
	}
}

static void write_uop(struct maker *m, uint32_t index, uint32_t place)
{
	const struct eu_stencil *stencil = stencil_of(m, &m->kernel->uops[index]);
	if (stencil)
		copy_and_patch(m, index, place, stencil);
	else
		enter_handler(m, index, place);
}

static uint32_t uop_bytes(const struct maker *m, uint32_t index)
{
	const struct eu_stencil *stencil = stencil_of(m, &m->kernel->uops[index]);
	return stencil ? stencil->size : ENTER_BYTES;
}

/* What the stencils take that a block calls, each with a jump back. */
static size_t call_bytes(const struct maker *m, const struct eu_block *block)
{
	size_t bytes = 0;
	for (uint32_t i = 0; i < block->code.fixup_count; i++) {
		const struct eu_fixup *fixup = &block->code.fixups[i];
		if (fixup->kind == EU_FIXUP_CALL)
			bytes += uop_bytes(m, fixup->target) + JUMP_BYTES;
	}
	return bytes;
}

static size_t lay_out_calls(struct maker *m, size_t at)
{
	m->calls = (uint32_t)at;
	for (uint32_t i = 0; i < m->blocks.count; i++)
		at += call_bytes(m, &m->blocks.block[i]);
	return at + call_bytes(m, &m->blocks.direct) + call_bytes(m, &m->blocks.sweep);
}

/* Of those that are in blocks, only the first can be reached but by its stencil. */
static size_t lay_out_stencils(struct maker *m, size_t at)
{
	for (uint32_t i = 0; i < m->blocks.count; i++) {
		const struct eu_block *block = &m->blocks.block[i];
		for (uint32_t u = block->first; u < block->end; u++) {
			m->stencils[u] = (uint32_t)at;
			if (u > block->first)
				m->places[u] = (uint32_t)at;
			at += uop_bytes(m, u);
		}
		at += JUMP_BYTES;
	}
	return at;
}

/* Finds the place of everything; returns the size of it all. */
static size_t lay_out(struct maker *m)
{
	const struct eu_block *block = m->blocks.block, *end = block + m->blocks.count;
	size_t at = (m->table->data_size + DATA_ALIGN - 1) / DATA_ALIGN * DATA_ALIGN;
	m->constants = (uint32_t)at;
	at += eu_compile_constants_bytes;
	m->thunks = (uint32_t)at;
	at += (size_t)m->table->function_count * THUNK_BYTES;
	for (uint32_t i = 0; i < 2 * m->kernel->uop_count && at <= INT32_MAX; i++) {
		m->places[i] = m->stencils[i] = (uint32_t)at;
		if (block != end && block->first == i) {
			at += block->code.size;
			i = block->end - 1;
			block++;
		} else {
			at += uop_bytes(m, i);
		}
	}
	m->places[2 * m->kernel->uop_count] = (uint32_t)at;
	m->direct = (uint32_t)at;
	at += m->blocks.direct.code.size + JUMP_BYTES;
	m->sweep = (uint32_t)at;
	at += m->blocks.sweep.code.size + JUMP_BYTES;
	at = at <= INT32_MAX ? lay_out_calls(m, lay_out_stencils(m, at)) : at;
	return at <= INT32_MAX ? at : 0;
}

static void write_jump(struct maker *m, uint32_t place, uint32_t to)
{
	uint32_t distance = to - (place + JUMP_BYTES);
	m->code[place] = 0xe9;
	memcpy(m->code + place + 1, &distance, 4);
}

/* A copy of a stencil that goes on at `back`; returns its place. */
static uint32_t write_call(struct maker *m, uint32_t index, uint32_t back)
{
	const struct eu_stencil *stencil = stencil_of(m, &m->kernel->uops[index]);
	uint32_t place = m->calls;
	if (!stencil)
		return m->stencils[index]; /* for good */
	m->next = place + stencil->size;
	copy_and_patch(m, index, place, stencil);
	write_jump(m, m->next, back);
	m->calls = m->next + JUMP_BYTES;
	m->next = 0;
	return place;
}

static uint32_t fixup_place(struct maker *m, const struct eu_fixup *fixup, uint32_t behind)
{
	switch (fixup->kind) {
	case EU_FIXUP_CONSTANT:
		return m->constants + fixup->target;
	case EU_FIXUP_PLACE:
		return m->places[fixup->target];
	case EU_FIXUP_CALL:
		return write_call(m, fixup->target, behind);
	default:
		return m->stencils[fixup->target];
	}
}

static void write_block_code(struct maker *m, const struct eu_block *block, uint32_t place)
{
	memcpy(m->code + place, block->code.bytes, block->code.size);
	for (uint32_t i = 0; i < block->code.fixup_count; i++) {
		const struct eu_fixup *fixup = &block->code.fixups[i];
		uint32_t behind = place + fixup->at + 4;
		uint32_t distance = fixup_place(m, fixup, behind) - behind;
		memcpy(m->code + place + fixup->at, &distance, 4);
	}
}

static void write_block(struct maker *m, const struct eu_block *block)
{
	uint32_t last = block->end - 1;
	write_block_code(m, block, m->places[block->first]);
	for (uint32_t i = block->first; i < block->end; i++)
		write_uop(m, i, m->stencils[i]);
	write_jump(m, m->stencils[last] + uop_bytes(m, last), m->places[block->end]);
}

/* One of those that threads enter which pass over the prologue. */
static void write_entered(struct maker *m, const struct eu_block *block, uint32_t place)
{
	if (!block->code.size)
		return;
	write_block_code(m, block, place);
	write_jump(m, place + block->code.size, m->places[block->end]);
}

static void set_entry(struct maker *m, struct eu_uop *u, uint32_t place)
{
	uint8_t *entry = m->code + place;
	memcpy(&u->run, &entry, sizeof(entry));
}

/* The micro-operation, number `index` of those behind both streams, at which a block is entered. */
static const struct eu_uop *set_entered(
	struct maker *m, const struct eu_block *block, uint32_t place, uint32_t index)
{
	struct eu_uop *u = &m->kernel->uops[2 * m->kernel->uop_count + index];
	if (!block->code.size)
		return NULL;
	*u = m->kernel->uops[block->first];
	set_entry(m, u, place);
	return u;
}

static void set_entries(struct maker *m)
{
	struct eu_kernel *kernel = m->kernel;
	struct eu_prologue *prologue = &kernel->prologue;
	const struct eu_blocks *blocks = &m->blocks;
	for (uint32_t i = 0; i < 2 * kernel->uop_count; i++)
		set_entry(m, &kernel->uops[i], m->places[i]);
	prologue->direct = set_entered(m, &blocks->direct, m->direct, 0);
	prologue->sweep = set_entered(m, &blocks->sweep, m->sweep, 1);
	prologue->again = set_entered(m, &blocks->sweep, m->sweep + blocks->again, 2);
	prologue->line_count = blocks->line_count;
	memcpy(prologue->lines, blocks->lines, sizeof(prologue->lines));
	prologue->stretch_count = blocks->stretch_count;
	memcpy(prologue->stretches, blocks->stretches, sizeof(prologue->stretches));
}

static void write_code(struct maker *m)
{
	const struct eu_block *block = m->blocks.block, *end = block + m->blocks.count;
	memcpy(m->code, m->table->data, m->table->data_size);
	memcpy(m->code + m->constants, eu_compile_constants, eu_compile_constants_bytes);
	write_thunks(m);
	for (uint32_t i = 0; i < 2 * m->kernel->uop_count; i++) {
		if (block != end && block->first == i) {
			write_block(m, block);
			i = block->end - 1;
			block++;
		} else {
			write_uop(m, i, m->places[i]);
		}
	}
	write_entered(m, &m->blocks.direct, m->direct);
	write_entered(m, &m->blocks.sweep, m->sweep);
}

/* Code is written before it may be executed, and never again. */
static bool make(struct maker *m)
{
	struct eu_kernel *kernel = m->kernel;
	size_t size = lay_out(m);
	if (!size)
		return false;
	void *code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		return false;
	m->code = code;
	write_code(m);
	if (mprotect(code, size, PROT_READ | PROT_EXEC)) {
		munmap(code, size);
		return false;
	}
	kernel->code = code;
	kernel->code_size = size;
	set_entries(m);
	return true;
}

bool eu_stencil_apply(struct eu_kernel *kernel, enum eu_host host)
{
	struct maker m = { .table = tables[host], .kernel = kernel };
	m.places = malloc((2 * (size_t)kernel->uop_count + 1) * sizeof *m.places);
	m.stencils = malloc(2 * (size_t)kernel->uop_count * sizeof(*m.stencils));
	if (host != EU_HOST_BASE)
		eu_blocks_make(&m.blocks, kernel);
	bool made = m.places && m.stencils && make(&m);
	eu_blocks_finish(&m.blocks);
	free(m.stencils);
	free(m.places);
	return made;
}

#else

bool eu_stencil_apply(struct eu_kernel *kernel, enum eu_host host)
{
	(void)kernel;
	(void)host;
	return false;
}

#endif

void eu_stencil_finish(struct eu_kernel *kernel)
{
	if (kernel->code)
		munmap(kernel->code, kernel->code_size);
	kernel->code = NULL;
}
