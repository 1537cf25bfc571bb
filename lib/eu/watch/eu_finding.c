// SPDX-License-Identifier: MIT
/*
 * Findings as JSON, a line each, for tools that read them. A line is one write, so that processes
 * may share the file.
 */
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
	fprintf(file, ",\"group\":[%u,%u,%u],\"thread\":%u", place->group[0], place->group[1],
		place->group[2], place->thread);
	if (side->has_item)
		fprintf(file, ",\"item\":[%u,%u,%u]", side->item[0], side->item[1], side->item[2]);
	fputc('}', file);
}

void eu_finding_write(const struct eu_finding *finding)
{
	const char *path = util_settings()->check_output;
	FILE *file = path ? fopen(path, "a") : NULL;
	char *line = NULL;
	size_t size = 0;
	FILE *text = file ? open_memstream(&line, &size) : NULL;

	if (text) {
		fputc('{', text);
		put_text(text, "tool", eu_check_name(finding->tool));
		fputc(',', text);
		put_text(text, "rule", finding->rule);
		fprintf(text, ",\"process\":%d,\"sides\":[", (int)getpid());
		for (unsigned i = 0; i < finding->count; i++) {
			if (i)
				fputc(',', text);
			put_side(text, &finding->sides[i]);
		}
		fputs("]}\n", text);
		if (!fclose(text)) {
			setvbuf(file, NULL, _IOFBF, size + 1);
			fwrite(line, 1, size, file);
		}
	}
	if (file)
		fclose(file);
	free(line);
}
