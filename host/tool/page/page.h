// SPDX-License-Identifier: MIT
#ifndef PAGE_H
#define PAGE_H

#include <jansson.h>
#include <stdio.h>

/*
 * Pages with source and native code side by side, of which nothing is loaded: what `zerocl isa` and
 * `zerocl prof` have in common. A page is data, as JSON, and scripts that show it: page.js, and
 * `script`, the command's own, which calls its show(). page.css is their style.
 */
void page_write(FILE *out, const json_t *data, const char *script);

/* A text that may not be UTF-8: if it is not, all but its ASCII characters are question marks. */
json_t *page_text(const char *text);
json_t *page_texts(const char *const *texts, size_t n);

#endif
