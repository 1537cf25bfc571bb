// SPDX-License-Identifier: MIT
#include "tool/prof/prof.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/base/tool_output.h"

const struct prof_count_info prof_counts[PROF_COUNTS] = {
#define COUNT(name, is_cost, title, what) { #name, title, what, is_cost },
#include "tool/prof/prof_count.def"
#undef COUNT
};

/* The order of a row of counts, as the device writes it. */
enum { ROW_INDEX, EXECUTIONS, LANES, SPLIT, BYTES, LINES, CONFLICTS, CONTENDED, SCRATCH, ROW };

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

static unsigned number_of(const json_t *object, const char *name)
{
	return (unsigned)json_integer_value(json_object_get(object, name));
}

static uint64_t element_of(const json_t *array, size_t i)
{
	return (uint64_t)json_integer_value(json_array_get(array, i));
}

double prof_device(const struct prof_kernel *kernel, const char *name)
{
	return json_number_value(json_object_get(kernel->device, name));
}

const char *prof_device_text(const struct prof_kernel *kernel, const char *name)
{
	return text_of(kernel->device, name);
}

/* ---- kernels ---- */

/* The same kernel may be built and launched by several processes. */
static struct prof_kernel *find_kernel(struct prof_report *report, const json_t *line)
{
	for (size_t i = 0; i < report->n; i++) {
		struct prof_kernel *kernel = &report->kernels[i];
		if (!strcmp(kernel->name, text_of(line, "name")) &&
			!strcmp(kernel->code, text_of(line, "code")) &&
			json_equal(kernel->device, json_object_get(line, "device")))
			return kernel;
	}
	return NULL;
}

static void read_instruction(struct prof_instruction *to, const json_t *from)
{
	*to = (struct prof_instruction){ .text = text_of(from, "text"),
		.message = text_of(from, "message"),
		.space = text_of(from, "space"),
		.offset = number_of(from, "offset"),
		.line = number_of(from, "line"),
		.column = number_of(from, "column"),
		.width = number_of(from, "width"),
		.port = number_of(from, "port") % PROF_PORTS,
		.cycles = number_of(from, "cycles"),
		.operations = number_of(from, "operations"),
		.is_atomic = json_is_true(json_object_get(from, "atomic")),
		.is_barrier = json_is_true(json_object_get(from, "barrier")) };
}

static struct prof_kernel *add_kernel(struct prof_report *report, const json_t *line)
{
	struct prof_kernel *all = reallocarray(report->kernels, report->n + 1, sizeof *all);
	const json_t *instructions = json_object_get(line, "instructions");
	const char *source = text_of(line, "source");

	if (!all)
		return NULL;
	report->kernels = all;
	struct prof_kernel *kernel = &all[report->n];
	*kernel = (struct prof_kernel){ .name = text_of(line, "name"),
		.code = text_of(line, "code"),
		.source = source,
		.is_function = json_is_true(json_object_get(line, "function")),
		.simd = number_of(line, "simd"),
		.registers = number_of(line, "registers"),
		.device = json_object_get(line, "device"),
		.n_instructions = json_array_size(instructions) };
	report->n++;
	kernel->instructions = calloc(kernel->n_instructions + 1, sizeof *kernel->instructions);
	kernel->owned_source = strdup(source);
	if (!kernel->instructions || !kernel->owned_source ||
		!(kernel->lines = tool_output_lines(kernel->owned_source, &kernel->n_lines)))
		return NULL;
	for (size_t i = 0; i < kernel->n_instructions; i++)
		read_instruction(&kernel->instructions[i], json_array_get(instructions, i));
	return kernel;
}

/* ---- counts ---- */

static void add_row(struct prof_instruction *to, const json_t *row)
{
	uint64_t n[ROW], *counts = to->counts;
	bool is_message = *to->message, is_local = !strcmp(to->space, "local");
	bool is_scratch = !strcmp(to->space, "scratch"), is_image = !strcmp(to->space, "image");

	for (size_t i = 0; i < ROW; i++)
		n[i] = element_of(row, i);
	/* Of some messages the device knows when they are sent that they go to scratch space. */
	is_scratch = is_scratch || (n[SCRATCH] && n[SCRATCH] == n[EXECUTIONS]);
	bool is_global = is_message && !is_local && !is_scratch && !is_image;
	counts[PROF_instructions] += n[EXECUTIONS];
	counts[PROF_channels] += n[EXECUTIONS] * to->width;
	counts[PROF_lanes] += n[LANES];
	counts[PROF_divergent] += n[SPLIT];
	counts[PROF_messages] += is_message ? n[EXECUTIONS] : 0;
	counts[PROF_bytes] += is_global ? n[BYTES] : 0;
	counts[PROF_lines] += is_global ? n[LINES] : 0;
	counts[PROF_local_bytes] += is_local ? n[BYTES] : 0;
	counts[PROF_conflicts] += n[CONFLICTS];
	counts[PROF_atomics] += to->is_atomic ? n[LANES] : 0;
	counts[PROF_contended] += n[CONTENDED];
	counts[PROF_scratch] += n[SCRATCH];
	counts[PROF_scratch_lines] += is_scratch ? n[LINES] : 0;
	counts[PROF_images] += is_image ? n[EXECUTIONS] : 0;
	counts[PROF_barriers] += to->is_barrier ? n[EXECUTIONS] : 0;
	counts[PROF_operations] += n[LANES] * to->operations;
	counts[PROF_cycles] += n[EXECUTIONS] * to->cycles;
}

static void add_totals(struct prof_shape *to, const json_t *totals)
{
	to->launches += element_of(totals, 1);
	to->groups += element_of(totals, 2);
	to->threads += element_of(totals, 3);
	to->items += element_of(totals, 4);
}

static bool add_shape(struct prof_kernel *kernel, const json_t *line)
{
	const json_t *totals = json_object_get(line, "totals");
	const struct prof_shape like = { .group_threads = number_of(line, "group_threads"),
		.slm = number_of(line, "slm"),
		.scratch = number_of(line, "scratch"),
		.resident_groups = number_of(line, "resident_groups"),
		.limit = text_of(line, "limit") };

	add_totals(&kernel->total, totals);
	for (size_t i = 0; i < kernel->n_shapes; i++) {
		struct prof_shape *shape = &kernel->shapes[i];
		if (shape->group_threads != like.group_threads || shape->slm != like.slm ||
			shape->scratch != like.scratch)
			continue;
		add_totals(shape, totals);
		return true;
	}
	struct prof_shape *all = reallocarray(kernel->shapes, kernel->n_shapes + 1, sizeof *all);
	if (!all)
		return false;
	kernel->shapes = all;
	all[kernel->n_shapes] = like;
	add_totals(&all[kernel->n_shapes++], totals);
	return true;
}

static bool add_counts(struct prof_kernel *kernel, const json_t *line)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(line, "rows"), i, row)
	{
		uint64_t index = element_of(row, ROW_INDEX);
		if (index < kernel->n_instructions)
			add_row(&kernel->instructions[index], row);
	}
	return add_shape(kernel, line);
}

bool prof_line_counts(const struct prof_kernel *kernel, unsigned line, uint64_t counts[PROF_COUNTS])
{
	bool any = false;

	memset(counts, 0, PROF_COUNTS * sizeof *counts);
	for (size_t i = 0; i < kernel->n_instructions; i++) {
		if (kernel->instructions[i].line != line)
			continue;
		any = true;
		for (unsigned k = 0; k < PROF_COUNTS; k++)
			counts[k] += kernel->instructions[i].counts[k];
	}
	return any;
}

/* ---- files ---- */

/* The index in the report of each line that describes a kernel, by process and number. */
struct known {
	unsigned process, number;
	size_t kernel;
};

struct reader {
	struct prof_report *report;
	struct known *known;
	size_t n;
};

static bool read_kernel(struct reader *reader, const json_t *line)
{
	struct known *all = reallocarray(reader->known, reader->n + 1, sizeof *all);

	if (!all)
		return false;
	reader->known = all;
	struct prof_kernel *kernel = find_kernel(reader->report, line);
	if (!kernel)
		kernel = add_kernel(reader->report, line);
	if (!kernel)
		return false;
	all[reader->n++] = (struct known){ number_of(line, "process"), number_of(line, "kernel"),
		(size_t)(kernel - reader->report->kernels) };
	return true;
}

static bool read_counts(struct reader *reader, const json_t *line)
{
	for (size_t i = reader->n; i-- > 0;)
		if (reader->known[i].process == number_of(line, "process") &&
			reader->known[i].number == number_of(line, "counts"))
			return add_counts(&reader->report->kernels[reader->known[i].kernel], line);
	return true;
}

static bool read_lines(struct reader *reader, FILE *file)
{
	char *text = NULL;
	size_t size = 0;
	bool right = true;

	while (right && getline(&text, &size, file) >= 0) {
		json_t *line = json_loads(text, 0, NULL);
		if (!line)
			continue; /* a process was killed while it wrote */
		right = !json_array_append_new(reader->report->owned, line) &&
			(json_object_get(line, "kernel") ? read_kernel(reader, line)
							 : read_counts(reader, line));
	}
	free(text);
	return right && !ferror(file);
}

static int compare_kernels(const void *a, const void *b)
{
	const struct prof_kernel *x = a, *y = b;
	uint64_t more = x->counts[PROF_instructions], less = y->counts[PROF_instructions];

	if (more != less)
		return more > less ? -1 : 1;
	int order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->code, y->code);
}

/* Kernels that nobody has named are named after their code, those of one name apart. */
static bool name_kernels(struct prof_report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		struct prof_kernel *kernel = &report->kernels[i];
		unsigned same = 0;
		for (size_t k = 0; k < i && *kernel->name; k++) {
			const char *other = report->kernels[k].name;
			size_t length = strlen(kernel->name);
			same += !strncmp(other, kernel->name, length) &&
				(!other[length] || other[length] == '#');
		}
		if (*kernel->name && !same && !kernel->is_function)
			continue;
		int length =
			*kernel->name && !kernel->is_function
				? asprintf(&kernel->owned_name, "%s#%u", kernel->name, same + 1)
				: asprintf(&kernel->owned_name, "%s%s%s",
					  kernel->is_function && *kernel->name ? kernel->name : "",
					  kernel->is_function ? "function@" : "kernel@",
					  kernel->code);
		if (length < 0)
			return false;
		kernel->name = kernel->owned_name;
	}
	return true;
}

/* Whether the file is the kernel's source, but for the end of its last line. */
static bool is_source(const char *path, const struct prof_kernel *kernel)
{
	char *text = *kernel->source ? tool_output_read(path) : NULL;
	size_t length = text ? strlen(text) : 0, size = strlen(kernel->source);

	length -= length && text[length - 1] == '\n';
	size -= size && kernel->source[size - 1] == '\n';
	bool is = text && length == size && !memcmp(text, kernel->source, size);
	free(text);
	return is;
}

static void finish_kernels(struct prof_report *report, const char *const *sources, size_t n_sources)
{
	for (size_t i = 0; i < report->n; i++) {
		struct prof_kernel *kernel = &report->kernels[i];
		for (size_t k = 0; k < kernel->n_instructions; k++)
			for (unsigned c = 0; c < PROF_COUNTS; c++)
				kernel->counts[c] += kernel->instructions[k].counts[c];
		for (size_t k = 0; k < n_sources && !kernel->file; k++)
			kernel->file = is_source(sources[k], kernel) ? sources[k] : NULL;
	}
	if (report->n)
		qsort(report->kernels, report->n, sizeof *report->kernels, compare_kernels);
}

bool prof_report_read(
	struct prof_report *report, const char *path, const char *const *sources, size_t n_sources)
{
	FILE *file = fopen(path, "r");
	struct reader reader = { .report = report };

	*report = (struct prof_report){ .owned = json_array() };
	bool right = file && report->owned && read_lines(&reader, file);
	if (right) {
		finish_kernels(report, sources, n_sources);
		right = name_kernels(report);
	}
	if (!right)
		fprintf(stderr, "zerocl prof: %s: %s\n", path, strerror(errno));
	if (file)
		fclose(file);
	free(reader.known);
	return right;
}

void prof_report_finish(struct prof_report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		struct prof_kernel *kernel = &report->kernels[i];
		free(kernel->instructions);
		free(kernel->shapes);
		free(kernel->lines);
		free(kernel->owned_source);
		free(kernel->owned_name);
	}
	free(report->kernels);
	json_decref(report->owned);
	*report = (struct prof_report){ .n = 0 };
}
