// SPDX-License-Identifier: MIT
#include "tool/page/page.h"

#include <string.h>

extern const char page_css[], page_js[];

void page_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		static const char special[] = "<>&\"";
		static const char *const names[] = { "&lt;", "&gt;", "&amp;", "&quot;" };
		const char *at = strchr(special, *text);
		if (at)
			fputs(names[at - special], out);
		else
			fputc(*text, out);
	}
}

static void put_span(FILE *out, const char *class, const char *text, size_t length)
{
	char copy[512];

	snprintf(copy, sizeof copy, "%.*s", (int)length, text);
	fprintf(out, "<span class=\"%s\">", class);
	page_text(out, copy);
	fputs("</span>", out);
}

void page_begin(FILE *out, const char *title, const char *subtitle)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>",
		out);
	page_text(out, title);
	fprintf(out, "</title>\n<style>\n%s</style></head>\n<body>\n<header><h1>", page_css);
	page_text(out, title);
	fputs("</h1><p>", out);
	page_text(out, subtitle);
	fputs("</p><button id=\"theme\">dark / light</button></header>\n", out);
}

void page_panes(FILE *out)
{
	fputs("<main>\n", out);
}

void page_end(FILE *out)
{
	fprintf(out, "</main>\n<script>\n%s</script>\n</body></html>\n", page_js);
}

void page_pane(FILE *out, const char *id, bool is_wide, const char *heading, const char *small)
{
	fprintf(out, "<section id=\"%s\"%s><h2>", id, is_wide ? " class=\"wide\"" : "");
	page_text(out, heading);
	fputs(" <small>", out);
	page_text(out, small);
	fputs("</small></h2>\n", out);
}

void page_rows(FILE *out)
{
	fputs("<ol>\n", out);
}

void page_rows_end(FILE *out)
{
	fputs("</ol>\n", out);
}

void page_pane_end(FILE *out)
{
	fputs("</section>\n", out);
}

/* The line's colour: neighbours are far from each other on the wheel. */
static void put_place(FILE *out, struct page_place place)
{
	fprintf(out, " data-line=\"%zu.%u\" style=\"--h:%zu\"", place.source, place.line,
		(place.line * 137 + place.source * 60) % 360);
}

static void put_cells(FILE *out, const struct page_cell *cells, size_t n_cells)
{
	for (size_t i = 0; i < n_cells; i++) {
		if (cells[i].heat > 0)
			fprintf(out, "<span class=\"v hot\" style=\"--a:%.2f\">%s</span>",
				0.08 + 0.6 * cells[i].heat, cells[i].text);
		else
			fprintf(out, "<span class=\"v\">%s</span>", cells[i].text);
	}
}

void page_source(FILE *out, struct page_place place, const char *text, const char *link,
	const struct page_cell *cells, size_t n_cells)
{
	fprintf(out, "<li id=\"s%zul%u\"", place.source, place.line);
	if (link)
		put_place(out, place);
	fputc('>', out);
	put_cells(out, cells, n_cells);
	if (link)
		fprintf(out, "<a class=\"n\" href=\"#%s\">%u</a>", link, place.line);
	else
		fprintf(out, "<span class=\"n\">%u</span>", place.line);
	fputs("<code>", out);
	page_text(out, text);
	fputs("</code></li>\n", out);
}

/* What a row shows at a glance: m for messages, f for control flow, s for waits and barriers. */
static const char *class_of(const char *op, size_t length)
{
	static const char *const flow[] = { "if", "else", "endif", "while", "break", "cont", "goto",
		"join", "jmpi", "call", "calla", "ret", "halt", "brd", "brc" };

	if (length >= 4 && !strncmp(op, "send", 4))
		return "m";
	if ((length >= 4 && !strncmp(op, "sync", 4)) || (length == 4 && !strncmp(op, "wait", 4)))
		return "s";
	for (size_t i = 0; i < sizeof flow / sizeof *flow; i++)
		if (strlen(flow[i]) == length && !strncmp(op, flow[i], length))
			return "f";
	return "a";
}

/* Operands with one blank between, what is a label as a link to it. */
static void put_operands(FILE *out, const char *kernel, const char *text, size_t length)
{
	const char *end = text + length;

	for (const char *at = text; at < end;) {
		size_t blanks = strspn(at, " \t"), size = strcspn(at + blanks, " \t");
		if (at + blanks >= end)
			break;
		at += blanks;
		if (at + size > end)
			size = (size_t)(end - at);
		if (at != text)
			fputc(' ', out);
		bool label = size > 1 && at[0] == 'L' && strspn(at + 1, "0123456789") >= size - 1;
		if (label)
			fprintf(out, "<a href=\"#%s%.*s\">%.*s</a>", kernel, (int)size, at,
				(int)size, at);
		else
			for (size_t i = 0; i < size; i++)
				page_text(out, (const char[]){ at[i], 0 });
		at += size;
	}
}

/* Cuts "(W) op (16|M0) operands {notes} // comment" into its parts. */
struct parts {
	const char *predicate, *op, *width, *operands, *notes, *comment;
	size_t predicate_size, op_size, width_size, operands_size, notes_size;
};

static struct parts cut(const char *text)
{
	struct parts p = { .predicate = text + strspn(text, " ") };
	const char *at = p.predicate;

	if (*at == '(')
		p.predicate_size = strcspn(at, ")") + (strchr(at, ')') != NULL);
	at += p.predicate_size;
	p.op = at + strspn(at, " ");
	p.op_size = strcspn(p.op, " ");
	at = p.op + p.op_size;
	p.width = at + strspn(at, " ");
	if (*p.width == '(')
		p.width_size = strcspn(p.width, ")") + (strchr(p.width, ')') != NULL);
	p.operands = p.width + p.width_size;
	p.operands += strspn(p.operands, " ");
	p.comment = strstr(p.operands, "//");
	if (!p.comment)
		p.comment = p.operands + strlen(p.operands);
	p.notes = memchr(p.operands, '{', (size_t)(p.comment - p.operands));
	if (!p.notes)
		p.notes = p.comment;
	p.notes_size = (size_t)(p.comment - p.notes);
	p.operands_size = (size_t)(p.notes - p.operands);
	while (p.notes_size && p.notes[p.notes_size - 1] == ' ')
		p.notes_size--;
	while (p.operands_size && p.operands[p.operands_size - 1] == ' ')
		p.operands_size--;
	return p;
}

void page_code(FILE *out, const struct page_instruction *instruction, const struct page_cell *cells,
	size_t n_cells)
{
	const struct parts p = cut(instruction->text);
	struct page_place place = instruction->place;

	fprintf(out, "<li id=\"%sL%lu\" class=\"%s\"", instruction->kernel, instruction->offset,
		class_of(p.op, p.op_size));
	if (place.line)
		put_place(out, place);
	fputc('>', out);
	put_cells(out, cells, n_cells);
	if (place.line)
		fprintf(out, "<a class=\"n\" href=\"#s%zul%u\">%u</a>", place.source, place.line,
			place.line);
	else
		fputs("<span class=\"n\"></span>", out);
	fprintf(out, "<span class=\"x\">%04lx</span>", instruction->offset);
	put_span(out, "p", p.predicate, p.predicate_size);
	put_span(out, "o", p.op, p.op_size);
	put_span(out, "w", p.width, p.width_size);
	fputs("<code>", out);
	put_operands(out, instruction->kernel, p.operands, p.operands_size);
	fputs("</code>", out);
	if (p.notes_size)
		put_span(out, "d", p.notes, p.notes_size);
	if (*p.comment)
		put_span(out, "c", p.comment, strlen(p.comment));
	fputs("</li>\n", out);
}

void page_label(FILE *out, const char *text)
{
	fputs("<li class=\"l\"><span class=\"n\"></span>", out);
	page_text(out, text);
	fputs("</li>\n", out);
}
