// SPDX-License-Identifier: MIT
#include "tool/page/page.h"

#include <stdlib.h>
#include <string.h>

extern const char page_html[], page_css[], page_js[];

json_t *page_text(const char *text)
{
	json_t *string = json_string(text);
	char *copy = string ? NULL : strdup(text);

	for (char *at = copy; at && *at; at++)
		*at = (unsigned char)*at < 0x80 ? *at : '?';
	if (copy)
		string = json_string(copy);
	free(copy);
	return string;
}

json_t *page_texts(const char *const *texts, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, page_text(texts[i]));
	return array;
}

/* In a script, HTML ends at nothing but what begins with '<', which JSON has in texts alone. */
static int put_json(const char *text, size_t size, void *out)
{
	for (size_t i = 0; i < size; i++)
		if (text[i] == '<')
			fputs("\\u003c", out);
		else
			fputc(text[i], out);
	return 0;
}

void page_write(FILE *out, const json_t *data, const char *script)
{
	fprintf(out,
		"%s<style>\n%s</style>\n<body>\n<script id=\"data\" type=\"application/json\">",
		page_html, page_css);
	json_dump_callback(data, put_json, out, JSON_COMPACT | JSON_REAL_PRECISION(9));
	fprintf(out, "</script>\n<script>\n{\n%s%s}\n</script>\n", page_js, script);
}
