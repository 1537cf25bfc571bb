// SPDX-License-Identifier: MIT
/*
 * Findings as JSON, a line each, for tools that read them. A line is one write, so that processes
 * may share the file.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "eu/watch/eu_check.h"
#include "eu/watch/eu_watch.h"
#include "util/util_settings.h"

/* A string as JSON; bytes that are no UTF-8 are the reader's to replace. */
static void put_text(FILE *file, const char *name, const char *text)
{
	fprintf(file, "\"%s\":\"", name);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			fprintf(file, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(file, "\\u%04x", c);
		else
			fputc(c, file);
	}
	fputc('"', file);
}

static void put_side(FILE *file, const struct eu_finding_side *side)
{
	const struct gen_fault_place *place = &side->place;

	fputc('{', file);
	put_text(file, "what", side->what);
	fputc(',', file);
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
	fprintf(file, ",\"group\":[%u,%u,%u],\"thread\":%u", place->group[0], place->group[1],
		place->group[2], place->thread);
	if (side->has_item)
		fprintf(file, ",\"item\":[%u,%u,%u]", side->item[0], side->item[1], side->item[2]);
	fputc('}', file);
}

/* Appends a line of JSON, which `write` makes, in one write. */
static void append(void (*write)(FILE *file, const void *what), const void *what)
{
	const char *path = util_settings()->check_output;
	FILE *file = path ? fopen(path, "a") : NULL;
	char *line = NULL;
	size_t size = 0;
	FILE *text = file ? open_memstream(&line, &size) : NULL;

	if (text) {
		write(text, what);
		if (!fclose(text)) {
			setvbuf(file, NULL, _IOFBF, size + 1);
			fwrite(line, 1, size, file);
		}
	}
	if (file)
		fclose(file);
	free(line);
}

static void put_process(FILE *file, const void *what)
{
	(void)what;
	fprintf(file, "{\"process\":%d,", (int)getpid());
	put_text(file, "program", program_invocation_short_name);
	fputs("}\n", file);
}

void eu_finding_begin(void)
{
	static atomic_int begun;

	if (atomic_exchange(&begun, (int)getpid()) != getpid())
		append(put_process, NULL);
}

static void put_finding(FILE *file, const void *what)
{
	const struct eu_finding *finding = what;

	fputc('{', file);
	put_text(file, "tool", eu_check_name(finding->tool));
	fputc(',', file);
	put_text(file, "rule", finding->rule);
	fprintf(file, ",\"process\":%d,\"sides\":[", (int)getpid());
	for (unsigned i = 0; i < finding->count; i++) {
		if (i)
			fputc(',', file);
		put_side(file, &finding->sides[i]);
	}
	fputs("]}\n", file);
}

void eu_finding_write(const struct eu_finding *finding)
{
	append(put_finding, finding);
}
