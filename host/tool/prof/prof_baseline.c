// SPDX-License-Identifier: MIT
#include <string.h>

#include "tool/prof/prof.h"

/* The kernel of that name in an earlier report; NULL: there is none. */
static const json_t *find_kernel(const json_t *root, const char *name)
{
	const json_t *kernel;
	size_t i;

	json_array_foreach(json_object_get(root, "kernels"), i, kernel)
	{
		const char *other = json_string_value(json_object_get(kernel, "name"));
		if (other && !strcmp(other, name))
			return kernel;
	}
	return NULL;
}

static int compare_kernel(
	FILE *file, const struct prof_kernel *kernel, const json_t *earlier, double percent)
{
	const json_t *counts = json_object_get(earlier, "counts");
	char before_text[32], now_text[32];
	int grown = 0;

	for (unsigned i = 0; i < PROF_COUNTS; i++) {
		json_int_t integer =
			json_integer_value(json_object_get(counts, prof_counts[i].name));
		double before = (double)integer, now = (double)kernel->counts[i];
		if (!prof_counts[i].is_cost || now <= before * (1 + percent / 100))
			continue;
		fprintf(file, "zerocl prof: %s: %s grew from %s to %s", kernel->name,
			prof_counts[i].title, prof_digits((uint64_t)integer, before_text),
			prof_digits(kernel->counts[i], now_text));
		if (before > 0)
			fprintf(file, " (%+.2f%%)", 100 * (now / before - 1));
		fputc('\n', file);
		grown++;
	}
	return grown;
}

int prof_compare(FILE *file, const struct prof_report *report, const char *path, double percent)
{
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error);
	int grown = 0;

	if (!json_object_get(root, "zerocl_prof")) {
		fprintf(stderr, "zerocl prof: %s: %s\n", path,
			root ? "not made by zerocl prof --format json" : error.text);
		json_decref(root);
		return -1;
	}
	for (size_t i = 0; i < report->n; i++) {
		const json_t *earlier = find_kernel(root, report->kernels[i].name);
		if (earlier)
			grown += compare_kernel(file, &report->kernels[i], earlier, percent);
	}
	json_decref(root);
	return grown;
}
