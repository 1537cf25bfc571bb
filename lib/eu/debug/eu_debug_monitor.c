// SPDX-License-Identifier: MIT
/* The commands of GDB's `monitor`: what its own commands cannot say of an EU thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/debug/eu_debug_register.h"
#include "eu/debug/eu_debug_session.h"
#include "eu/memory/eu_item.h"
#include "eu/ops/eu_kernel.h"
#include "eu/ops/eu_symbols.h"
#include "util/util_bits.h"

enum { CODE_LINES = 10, MOST_LINES = 200, CODE_BYTES = 160 };

typedef void (*command_fn)(
	struct eu_debug_thread *t, const char *argument, struct eu_debug_text *out);

static void show_lanes(struct eu_debug_thread *t, const char *argument, struct eu_debug_text *out)
{
	const struct eu_thread *thread = t->thread;
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	uint16_t id[3];

	(void)argument;
	eu_debug_format(out, "  lane  executes  local id\n");
	for (unsigned i = 0; i < dispatch->simd; i++) {
		if (!(thread->dispatch_mask >> i & 1))
			continue;
		eu_debug_format(out, "%c %4u  %-8s", i == t->lane ? '*' : ' ', i,
			thread->act.bits >> i & 1 ? "yes" : "no");
		if (eu_item_find(dispatch, thread->index, i, id))
			eu_debug_format(out, "  (%u,%u,%u)", id[0], id[1], id[2]);
		eu_debug_format(out, "\n");
	}
}

static void choose_lane(struct eu_debug_thread *t, const char *argument, struct eu_debug_text *out)
{
	char *end;
	unsigned long lane = strtoul(argument, &end, 10);

	if (end == argument || *end || lane >= t->thread->worker->dispatch->simd)
		eu_debug_format(out, "There is no lane \"%s\".\n", argument);
	else
		t->lane = (unsigned)lane;
}

static void show_code(struct eu_debug_thread *t, const char *argument, struct eu_debug_text *out)
{
	const struct eu_kernel *kernel = t->thread->kernel;
	unsigned long count = *argument ? strtoul(argument, NULL, 10) : CODE_LINES;
	uint32_t own = eu_debug_inst(t);
	char text[CODE_BYTES];

	count = count < MOST_LINES ? count : MOST_LINES;
	for (uint32_t i = own; i < kernel->program->count && i - own < count; i++) {
		gen_disassemble(kernel->device, kernel->program, i, text, sizeof text);
		eu_debug_format(out, "%s 0x%llx <+0x%x>: %s\n", i == own ? "=>" : "  ",
			(unsigned long long)(eu_debug_code_base(t) + kernel->program->inst[i].ip),
			kernel->program->inst[i].ip, text);
	}
}

/* Each thread: where it stands, and in which line. */
static void show_where(struct eu_debug_thread *t, const char *argument, struct eu_debug_text *out)
{
	(void)argument;
	for (struct eu_debug_thread *at = eu_debug_next(0); at; at = eu_debug_next(at->id)) {
		struct gen_fault_place place = { 0 };
		const uint32_t *group = at->thread->group->id;
		char where[512];
		eu_name_find(at->thread->worker, at->thread->kernel, eu_debug_inst(at), &place);
		gen_fault_place_text(&place, where, sizeof where);
		eu_debug_format(out, "%c %llu group (%u,%u,%u) thread %u, lanes 0x%08x: %s%s\n",
			at == t ? '*' : ' ', (unsigned long long)at->id, group[0], group[1],
			group[2], at->thread->index, at->thread->act.bits, where,
			at->thread->barrier_pending ? ", waits at a barrier" : "");
	}
}

static const struct {
	const char *name, *what;
	command_fn run;
} commands[] = {
	{ "lanes", "the work-items of the thread", show_lanes },
	{ "lane", "N: show variables of lane N, as `set $lane = N` does", choose_lane },
	{ "code", "[N]: the next N instructions of the EU", show_code },
	{ "where", "where each thread stands", show_where },
};

static void help(struct eu_debug_text *out)
{
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(commands); i++)
		eu_debug_format(out, "monitor %-6s %s\n", commands[i].name, commands[i].what);
}

void eu_debug_monitor(
	struct eu_debug_session *session, const char *command, struct eu_debug_text *out)
{
	struct eu_debug_thread *t =
		eu_debug_find(session->thread ? session->thread : eu_debug_world.stop.thread);
	size_t length = strcspn(command, " ");
	const char *argument = command + length + strspn(command + length, " ");

	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(commands); i++) {
		if (strlen(commands[i].name) != length ||
			strncmp(command, commands[i].name, length) != 0)
			continue;
		if (t)
			commands[i].run(t, argument, out);
		else
			eu_debug_format(out, "No kernel runs.\n");
		return;
	}
	help(out);
}
