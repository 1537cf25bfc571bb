// SPDX-License-Identifier: MIT
#include "eu/native/eu_stencil.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef EU_STENCILS

enum {
	THUNK_BYTES = 16,
	ENTER_BYTES = 24,
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
	uint8_t *code;	  /* data, thunks, then micro-operations */
	uint32_t *places; /* of each micro-operation of both streams, and the end */
	uint32_t thunks;
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
		return m->places[index + 1];
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

static void copy_and_patch(struct maker *m, uint32_t index, const struct eu_stencil *stencil)
{
	const struct eu_uop *u = &m->kernel->uops[index];
	uint8_t *code = m->code + m->places[index];
	memcpy(code, m->table->code + stencil->code, stencil->size);
	for (uint32_t i = 0; i < stencil->count; i++) {
		const struct eu_stencil_patch *p = &m->table->patches[stencil->first + i];
		uint32_t value;
		if (p->what <= EU_PATCH_SELF)
			value = operand(m, u, (enum eu_patch)p->what);
		else
			value = destination(m, index, p) - (m->places[index] + p->at);
		value += (uint32_t)p->addend;
		memcpy(code + p->at, &value, 4);
	}
}

/* mov rsi, the micro-operation; mov rax, its handler; jmp rax */
static void enter_handler(struct maker *m, uint32_t index)
{
	const struct eu_uop *u = &m->kernel->uops[index];
	uint8_t *code = m->code + m->places[index];
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

/* Finds the place of everything; returns the size of it all. */
static size_t lay_out(struct maker *m)
{
	size_t at = (m->table->data_size + DATA_ALIGN - 1) / DATA_ALIGN * DATA_ALIGN;
	m->thunks = (uint32_t)at;
	at += (size_t)m->table->function_count * THUNK_BYTES;
	for (uint32_t i = 0; i < 2 * m->kernel->uop_count; i++) {
		const struct eu_stencil *stencil = stencil_of(m, &m->kernel->uops[i]);
		m->places[i] = (uint32_t)at;
		at += stencil ? stencil->size : ENTER_BYTES;
		if (at > INT32_MAX)
			return 0;
	}
	m->places[2 * m->kernel->uop_count] = (uint32_t)at;
	return at;
}

static void write_code(struct maker *m)
{
	struct eu_kernel *kernel = m->kernel;
	memcpy(m->code, m->table->data, m->table->data_size);
	write_thunks(m);
	for (uint32_t i = 0; i < 2 * kernel->uop_count; i++) {
		const struct eu_stencil *stencil = stencil_of(m, &kernel->uops[i]);
		if (stencil)
			copy_and_patch(m, i, stencil);
		else
			enter_handler(m, i);
	}
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
	for (uint32_t i = 0; i < 2 * kernel->uop_count; i++) {
		uint8_t *entry = m->code + m->places[i];
		memcpy(&kernel->uops[i].run, &entry, sizeof entry);
	}
	return true;
}

bool eu_stencil_apply(struct eu_kernel *kernel, enum eu_host host)
{
	struct maker m = { .table = tables[host], .kernel = kernel };
	m.places = malloc((2 * (size_t)kernel->uop_count + 1) * sizeof *m.places);
	bool made = m.places && make(&m);
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
