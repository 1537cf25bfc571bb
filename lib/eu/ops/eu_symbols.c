// SPDX-License-Identifier: MIT
#include "eu/ops/eu_symbols.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/state/eu_dispatch.h"
#include "eu/ops/eu_kernel.h"
#include "eu/memory/eu_memory.h"
#include "util/util_thread.h"

struct name {
	struct name *next;
	uint64_t number;
	uint64_t first, end;   /* addresses */
	char *kernel, *source; /* source: or NULL */
	struct eu_name_line *lines;
	size_t count;
	struct eu_name traits;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)
static struct name *names; /* under lock; the newest first */
static uint64_t added;	   /* under lock */

static void name_free(struct name *name)
{
	if (!name)
		return;
	free(name->kernel);
	free(name->source);
	free(name->lines);
	free(name);
}

/* Takes out all whose code is in the range. Under lock. */
static void forget(uint64_t first, uint64_t end)
{
	for (struct name **at = &names; *at;) {
		struct name *name = *at;
		if (name->first >= end || name->end <= first) {
			at = &name->next;
			continue;
		}
		*at = name->next;
		name_free(name);
	}
}

bool eu_name_add(uint64_t address, uint64_t bytes, const struct eu_name *from)
{
	struct name *name = calloc(1, sizeof *name);

	if (!name)
		return false;
	address &= EU_ADDRESS_MASK;
	*name = (struct name){ .first = address,
		.end = address + bytes,
		.kernel = strdup(from->kernel),
		.source = from->source ? strdup(from->source) : NULL,
		.lines = calloc(from->count + 1, sizeof *from->lines),
		.count = from->count,
		.traits = { .count = from->count,
			.has_sub_group_barriers = from->has_sub_group_barriers,
			.hidden_first = from->hidden_first,
			.hidden_end = from->hidden_end } };
	if (!name->kernel || !name->lines || (from->source && !name->source)) {
		name_free(name);
		return false;
	}
	if (from->count)
		memcpy(name->lines, from->lines, from->count * sizeof *from->lines);
	pthread_mutex_lock(&lock);
	forget(name->first, name->end);
	name->next = names;
	name->number = ++added;
	names = name;
	pthread_mutex_unlock(&lock);
	return true;
}

void eu_name_remove(uint64_t address)
{
	address &= EU_ADDRESS_MASK;
	pthread_mutex_lock(&lock);
	forget(address, address + 1);
	pthread_mutex_unlock(&lock);
}

static struct eu_name_line line_at(const struct name *name, uint64_t offset)
{
	struct eu_name_line line = { 0 };

	for (size_t i = 0; i < name->count && name->lines[i].offset <= offset; i++)
		line = name->lines[i];
	return line;
}

/* The name of the kernel that the walker has started, and how far in that was. Under lock. */
static const struct name *find(const struct eu_worker *worker, uint64_t *entry)
{
	const struct eu_dispatch *dispatch = worker->dispatch;
	uint64_t address = dispatch ? dispatch->kernel & EU_ADDRESS_MASK : 0;

	for (const struct name *name = names; name; name = name->next)
		if (address >= name->first && address < name->end) {
			*entry = address - name->first;
			return name;
		}
	return NULL;
}

uint64_t eu_name_number(const struct eu_worker *worker)
{
	uint64_t entry;

	pthread_mutex_lock(&lock);
	const struct name *name = find(worker, &entry);
	uint64_t number = name ? name->number : 0;
	pthread_mutex_unlock(&lock);
	return number;
}

void eu_name_find(const struct eu_worker *worker, const struct eu_kernel *kernel, uint32_t inst,
	struct gen_fault_place *place)
{
	const struct eu_kernel *own = worker->kernel;
	bool is_own = !own || kernel == own;
	uint64_t entry = 0;

	place->has_instruction = inst != UINT32_MAX && kernel;
	place->in_function = place->has_instruction && !is_own;
	if (place->has_instruction) {
		place->instruction = inst;
		place->offset = kernel->program->inst[inst].ip;
		gen_disassemble(
			kernel->device, kernel->program, inst, place->code, sizeof place->code);
	}
	pthread_mutex_lock(&lock);
	const struct name *name = find(worker, &entry);
	if (name) {
		snprintf(place->name, sizeof place->name, "%s", name->kernel);
		/* Offsets are from what the kernel's author sees as its beginning. */
		place->offset += place->has_instruction && is_own ? (uint32_t)entry : 0;
		if (place->has_instruction && is_own) {
			struct eu_name_line line = line_at(name, place->offset);
			place->line = line.line;
			place->column = line.column;
		}
	}
	pthread_mutex_unlock(&lock);
}

bool eu_name_program(const struct eu_worker *worker, const struct eu_kernel *kernel,
	struct eu_name_program *program)
{
	const struct gen_program *code = kernel->program;
	uint64_t entry;

	*program = (struct eu_name_program){ .lines = calloc(code->count, sizeof *program->lines) };
	pthread_mutex_lock(&lock);
	const struct name *name = program->lines ? find(worker, &entry) : NULL;
	if (name) {
		program->kernel = strdup(name->kernel);
		program->source = name->source ? strdup(name->source) : NULL;
	}
	for (uint32_t i = 0; name && kernel == worker->kernel && i < code->count; i++) {
		program->lines[i] = line_at(name, code->inst[i].ip + entry);
		program->lines[i].offset = code->inst[i].ip + (uint32_t)entry;
	}
	pthread_mutex_unlock(&lock);
	return program->lines;
}

void eu_name_program_finish(struct eu_name_program *program)
{
	free(program->kernel);
	free(program->source);
	free(program->lines);
}

bool eu_name_text(const struct eu_worker *worker, uint32_t line, char *text, size_t size)
{
	uint64_t entry;

	text[0] = 0;
	pthread_mutex_lock(&lock);
	const struct name *name = find(worker, &entry);
	const char *at = name && line ? name->source : NULL;
	while (at && --line) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (at)
		snprintf(text, size, "%.*s", (int)strcspn(at, "\r\n"), at);
	pthread_mutex_unlock(&lock);
	return at != NULL;
}

struct eu_name eu_name_traits(const struct eu_worker *worker)
{
	struct eu_name traits = { .has_sub_group_barriers = true };
	uint64_t entry;

	pthread_mutex_lock(&lock);
	const struct name *name = find(worker, &entry);
	if (name)
		traits = name->traits;
	pthread_mutex_unlock(&lock);
	return traits;
}
