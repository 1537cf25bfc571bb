// SPDX-License-Identifier: MIT
#include <string.h>

#include "tool/page/page.h"
#include "tool/prof/prof.h"

extern const char prof_js[];

static json_t *describe_counts(void)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < PROF_COUNTS; i++)
		json_array_append_new(
			array, json_pack("{s:s, s:s, s:s}", "name", prof_counts[i].name, "title",
				       prof_counts[i].title, "what", prof_counts[i].what));
	return array;
}

/* The first kernel of the same source, which stands for it on the page. */
static size_t source_of(const struct prof_report *report, size_t index)
{
	size_t i = 0;

	while (strcmp(report->kernels[i].source, report->kernels[index].source))
		i++;
	return i;
}

void prof_html(FILE *out, const void *made)
{
	const struct prof_report *report = made;
	json_t *data = prof_json(report), *sources = json_array(), *kernel;
	size_t i;

	json_array_foreach(json_object_get(data, "kernels"), i, kernel)
	{
		const struct prof_kernel *own = &report->kernels[i];
		bool is_first = own->n_lines && source_of(report, i) == i;
		json_object_set_new(
			kernel, "source", json_integer((json_int_t)source_of(report, i)));
		json_array_append_new(sources,
			is_first
				? json_pack("{s:s, s:o}", "name", own->file ? own->file : own->name,
					  "lines", page_texts(own->lines, own->n_lines))
				: json_null());
	}
	json_object_update_new(
		data, json_pack("{s:o, s:o}", "counts", describe_counts(), "sources", sources));
	page_write(out, data, prof_js);
	json_decref(data);
}
