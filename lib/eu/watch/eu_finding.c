// SPDX-License-Identifier: MIT
/* Findings as JSON, a line each, for tools that read them. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "eu/watch/eu_check.h"
#include "eu/watch/eu_watch.h"
#include "util/util_json.h"
#include "util/util_settings.h"

static void put_text(FILE *file, const char *name, const char *text)
{
	fprintf(file, "\"%s\":", name);
	util_json_text(file, text);
}

static void put_side(FILE *file, const struct eu_finding_side *side)
{
	const struct gen_fault_place *place = &side->place;

	fputc('{', file);
	put_text(file, "what", side->what);
	fputc(',', file);
	if (side->command) {
		put_text(file, "command", side->command);
		fputc('}', file);
		return;
	}
	put_text(file, "kernel", place->name);
	fputc(',', file);
	put_text(file, "code", place->code);
	fputc(',', file);
	put_text(file, "text", side->text);
	if (place->has_instruction)
		fprintf(file, ",\"offset\":%u,\"line\":%u,\"column\":%u,\"in_function\":%s",
			place->offset, place->line, place->column,
			place->in_function ? "true" : "false");
	if (side->by_compiler)
		fputs(",\"by_compiler\":true", file);
	if (place->has_thread)
		fprintf(file, ",\"group\":[%u,%u,%u],\"thread\":%u", place->group[0],
			place->group[1], place->group[2], place->thread);
	if (side->has_item)
		fprintf(file, ",\"item\":[%u,%u,%u]", side->item[0], side->item[1], side->item[2]);
	fputc('}', file);
}

void eu_finding_begin(void)
{
	static atomic_int begun;
	const char *path = util_settings()->check_output;
	struct util_json_line line;

	if (!path || atomic_exchange(&begun, (int)getpid()) == getpid())
		return;
	util_json_line_open(&line);
	if (line.stream) {
		fprintf(line.stream, "{\"process\":%d,", (int)getpid());
		put_text(line.stream, "program", program_invocation_short_name);
		fputc('}', line.stream);
	}
	util_json_line_close(&line, path, NULL);
}

/* A place in the program: what addr2line needs to know. */
static void put_place(FILE *file, const char *name, uintptr_t address)
{
	struct link_map *map;
	Dl_info info;

	if (!dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP) || !info.dli_fname)
		return;
	fprintf(file, ",\"%s\":{", name);
	put_text(file, "module", info.dli_fname);
	fputc(',', file);
	put_text(file, "function", info.dli_sname ? info.dli_sname : "");
	fprintf(file, ",\"offset\":%llu}", (unsigned long long)(address - map->l_addr));
}

static void put_memory(FILE *file, const struct eu_allocation *memory)
{
	fprintf(file, "\"memory\":{\"bytes\":%llu",
		(unsigned long long)(memory->end - memory->first));
	put_place(file, "created", memory->created);
	put_place(file, "released", memory->released);
	fputs("},", file);
}

static void put_finding(FILE *file, const struct eu_finding *finding)
{
	fputc('{', file);
	put_text(file, "tool", eu_check_name(finding->tool));
	fputc(',', file);
	put_text(file, "rule", finding->rule);
	fputc(',', file);
	if (finding->memory.is_programs)
		put_memory(file, &finding->memory);
	fprintf(file, "\"process\":%d,\"sides\":[", (int)getpid());
	for (unsigned i = 0; i < finding->count; i++) {
		if (i)
			fputc(',', file);
		put_side(file, &finding->sides[i]);
	}
	fputs("]}", file);
}

void eu_finding_write(const struct eu_finding *finding)
{
	const char *path = util_settings()->check_output;
	struct util_json_line line;

	if (!path)
		return;
	util_json_line_open(&line);
	if (line.stream)
		put_finding(line.stream, finding);
	util_json_line_close(&line, path, NULL);
}
