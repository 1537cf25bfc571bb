// SPDX-License-Identifier: MIT
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Pages with source and native code side by side, of which nothing is loaded: what `zerocl isa` and
 * `zerocl prof` have in common. page.css is their style, page.js what a pointer does.
 *
 * A page: page_begin, a summary if there is any, page_panes, panes, page_end. A pane: page_pane,
 * its rows (page_source, page_code), page_pane_end. Rows of one source line have one colour.
 */
void page_begin(FILE *out, const char *title, const char *subtitle);
void page_panes(FILE *out);
void page_end(FILE *out);

/* `is_wide`: it takes more of the width than others. The heading is text. */
void page_pane(FILE *out, const char *id, bool is_wide, const char *heading, const char *small);
/* The rows of a pane, a list, which may be several between other elements. */
void page_rows(FILE *out);
void page_rows_end(FILE *out);
void page_pane_end(FILE *out);

/* Text as it is, in elements and attributes. */
void page_text(FILE *out, const char *text);

/* A number beside a row; `heat` from 0 to 1 colours it. */
struct page_cell {
	char text[24];
	double heat;
};

/* A line of one of the sources on the page; line 0 is none. */
struct page_place {
	size_t source;
	unsigned line;
};

/*
 * A line of a source; `link`: the id of what it became, or NULL. Its own id is s<source>l<line>.
 */
void page_source(FILE *out, struct page_place place, const char *text, const char *link,
	const struct page_cell *cells, size_t n_cells);

/*
 * An instruction as Intel's assembler writes it. `kernel` is the prefix of ids: the instruction's
 * is <kernel>L<offset>, to which labels lead.
 */
struct page_instruction {
	const char *kernel;
	unsigned long offset; /* from the beginning that labels count from */
	struct page_place place;
	const char *text;
};
void page_code(FILE *out, const struct page_instruction *instruction, const struct page_cell *cells,
	size_t n_cells);

/* A row with a label, "L160:". */
void page_label(FILE *out, const char *text);

#endif
