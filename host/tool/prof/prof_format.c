// SPDX-License-Identifier: MIT
#include "tool/prof/prof.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *prof_digits(uint64_t number, char text[32])
{
	char plain[24];
	int length = snprintf(plain, sizeof plain, "%llu", (unsigned long long)number), to = 0;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[to++] = ',';
		text[to++] = plain[i];
	}
	text[to] = 0;
	return text;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* The source's name as far as it is known. */
static const char *file_of(const struct prof_kernel *kernel, char name[160])
{
	if (kernel->file)
		return kernel->file;
	snprintf(name, 160, "%s.cl", kernel->name);
	return name;
}

/* ---- text ---- */

static void print_shapes(FILE *file, const struct prof_kernel *kernel)
{
	char digits[32];

	for (size_t i = 0; i < kernel->n_shapes && !kernel->is_function; i++) {
		const struct prof_shape *shape = &kernel->shapes[i];
		fprintf(file, "  %s %s of %s %s", prof_digits(shape->launches, digits),
			shape->launches == 1 ? "launch" : "launches",
			prof_digits(shape->groups, (char[32]){ 0 }),
			shape->groups == 1 ? "group" : "groups");
		fprintf(file, ", %u thread%s each", shape->group_threads,
			shape->group_threads == 1 ? "" : "s");
		if (shape->slm)
			fprintf(file, ", %u bytes of local memory", shape->slm);
		fprintf(file, ": %s work-item%s\n", prof_digits(shape->items, digits),
			shape->items == 1 ? "" : "s");
		fprintf(file, "    occupancy %.0f%%: a subslice holds %u groups, limited by %s\n",
			100 * prof_occupancy(kernel, shape), shape->resident_groups, shape->limit);
	}
}

static void print_counts(FILE *file, const struct prof_kernel *kernel)
{
	const uint64_t *counts = kernel->counts;
	char digits[32];

	for (unsigned i = 0; i < PROF_COUNTS; i++) {
		if (!counts[i] || i == PROF_channels || i == PROF_cycles)
			continue;
		fprintf(file, "  %-14s %20s", prof_counts[i].title, prof_digits(counts[i], digits));
		if (i == PROF_lanes)
			fprintf(file, "  %.1f%% of the channels",
				percent(counts[i], counts[PROF_channels]));
		if (i == PROF_lines)
			fprintf(file, "  %.1f%% of their bytes asked for",
				percent(counts[PROF_bytes],
					counts[i] * (uint64_t)prof_device(kernel, "line_bytes")));
		fputc('\n', file);
	}
}

/* Messages by kind, in the order in which the code has them. */
static void print_messages(FILE *file, const struct prof_kernel *kernel)
{
	char digits[32];

	for (size_t i = 0; i < kernel->n_instructions; i++) {
		const char *kind = kernel->instructions[i].message;
		uint64_t sum = 0;
		bool seen = !*kind;
		for (size_t k = 0; k < kernel->n_instructions && !seen; k++) {
			bool same = !strcmp(kernel->instructions[k].message, kind);
			seen = same && k < i;
			sum += same ? kernel->instructions[k].counts[PROF_instructions] : 0;
		}
		if (!seen && sum)
			fprintf(file, "    %-40s %15s\n", kind, prof_digits(sum, digits));
	}
}

static void print_model(FILE *file, const struct prof_kernel *kernel)
{
	struct prof_model model = prof_model_of(kernel);

	fprintf(file,
		"  model: %.3g us at least, bound by %s; %.3g operations for each byte of lines\n",
		model.microseconds, prof_part_names[model.bound], model.intensity);
}

/* The lines with the most instructions executed. */
static void print_lines(FILE *file, const struct prof_kernel *kernel)
{
	enum { MOST = 8 };
	uint64_t counts[PROF_COUNTS], last = UINT64_MAX;
	unsigned last_line = 0;
	char name[160];

	for (unsigned n = 0; n < MOST && kernel->n_lines; n++) {
		uint64_t best = 0;
		unsigned line = 0;
		for (unsigned i = 1; i <= kernel->n_lines; i++) {
			prof_line_counts(kernel, i, counts);
			uint64_t own = counts[PROF_instructions];
			if (own > best && (own < last || (own == last && i > last_line))) {
				best = own;
				line = i;
			}
		}
		if (!line)
			return;
		const char *text = kernel->lines[line - 1];
		fprintf(file, "  %5.1f%%  %s:%u: %s\n",
			percent(best, kernel->counts[PROF_instructions]), file_of(kernel, name),
			line, text + strspn(text, " \t"));
		last = best;
		last_line = line;
	}
}

static void write_text(FILE *file, const void *data)
{
	const struct prof_report *report = data;
	for (size_t i = 0; i < report->n; i++) {
		const struct prof_kernel *kernel = &report->kernels[i];
		fprintf(file, "%skernel %s on %s: SIMD%u, %u of %.0f registers\n", i ? "\n" : "",
			kernel->name, prof_device_text(kernel, "name"), kernel->simd,
			kernel->registers, prof_device(kernel, "registers"));
		print_shapes(file, kernel);
		print_counts(file, kernel);
		print_messages(file, kernel);
		print_model(file, kernel);
		print_lines(file, kernel);
	}
	if (!report->n)
		fputs("zerocl prof: no kernel was executed\n", file);
}

/* ---- JSON ---- */

static json_t *make_counts(const uint64_t *counts)
{
	json_t *object = json_object();

	for (unsigned i = 0; i < PROF_COUNTS; i++)
		if (counts[i])
			json_object_set_new(
				object, prof_counts[i].name, json_integer((json_int_t)counts[i]));
	return object;
}

static json_t *make_shapes(const struct prof_kernel *kernel)
{
	json_t *array = json_array();

	for (size_t i = 0; i < kernel->n_shapes; i++) {
		const struct prof_shape *shape = &kernel->shapes[i];
		json_array_append_new(array,
			json_pack("{s:i, s:i, s:i, s:I, s:I, s:I, s:I, s:i, s:f, s:s}",
				"group_threads", (int)shape->group_threads, "local_bytes",
				(int)shape->slm, "scratch_bytes", (int)shape->scratch, "launches",
				(json_int_t)shape->launches, "groups", (json_int_t)shape->groups,
				"threads", (json_int_t)shape->threads, "items",
				(json_int_t)shape->items, "resident_groups",
				(int)shape->resident_groups, "occupancy",
				prof_occupancy(kernel, shape), "limit", shape->limit));
	}
	return array;
}

static json_t *make_instructions(const struct prof_kernel *kernel)
{
	json_t *array = json_array();

	for (size_t i = 0; i < kernel->n_instructions; i++) {
		const struct prof_instruction *one = &kernel->instructions[i];
		json_t *object = json_pack("{s:i, s:s, s:i, s:i, s:i, s:o}", "offset",
			(int)one->offset, "text", one->text, "line", (int)one->line, "column",
			(int)one->column, "width", (int)one->width, "counts",
			make_counts(one->counts));
		if (*one->message)
			json_object_update_new(object, json_pack("{s:s, s:s}", "message",
							       one->message, "space", one->space));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *make_lines(const struct prof_kernel *kernel)
{
	json_t *array = json_array();
	uint64_t counts[PROF_COUNTS];

	for (unsigned line = 1; line <= kernel->n_lines; line++)
		if (prof_line_counts(kernel, line, counts))
			json_array_append_new(array,
				json_pack("{s:i, s:s, s:o}", "line", (int)line, "text",
					kernel->lines[line - 1], "counts", make_counts(counts)));
	return array;
}

static json_t *make_model(const struct prof_kernel *kernel)
{
	struct prof_model model = prof_model_of(kernel);
	json_t *cycles = json_object();

	for (unsigned i = 0; i < PROF_PARTS; i++)
		json_object_set_new(cycles, prof_part_names[i], json_real(model.cycles[i]));
	return json_pack("{s:s, s:f, s:f, s:o, s:f, s:f, s:f, s:f}", "bound",
		prof_part_names[model.bound], "microseconds", model.microseconds,
		"operations_per_byte", model.intensity, "device_cycles", cycles, "peak", model.peak,
		"reached", model.reached, "cache_gigabytes", model.cache_gigabytes,
		"memory_gigabytes", model.memory_gigabytes);
}

json_t *prof_json(const struct prof_report *report)
{
	json_t *kernels = json_array();
	char name[160];

	for (size_t i = 0; i < report->n; i++) {
		const struct prof_kernel *kernel = &report->kernels[i];
		json_array_append_new(kernels,
			json_pack("{s:s, s:s, s:b, s:s, s:i, s:i, s:O, s:o, s:o, s:o, s:o, s:o}",
				"name", kernel->name, "code", kernel->code, "function",
				kernel->is_function, "file", file_of(kernel, name), "simd",
				(int)kernel->simd, "registers", (int)kernel->registers, "device",
				kernel->device, "shapes", make_shapes(kernel), "counts",
				make_counts(kernel->counts), "model", make_model(kernel), "lines",
				make_lines(kernel), "instructions", make_instructions(kernel)));
	}
	return json_pack("{s:i, s:s, s:o}", "zerocl_prof", 1, "command", report->command, "kernels",
		kernels);
}

static void write_json(FILE *file, const void *data)
{
	const struct prof_report *report = data;
	json_t *root = prof_json(report);

	json_dumpf(root, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	fputc('\n', file);
	json_decref(root);
}

/* ---- callgrind's format, which KCachegrind and callgrind_annotate read ---- */

static void put_events(FILE *file, const uint64_t *counts)
{
	for (unsigned i = 0; i < PROF_COUNTS; i++)
		fprintf(file, " %llu", (unsigned long long)counts[i]);
	fputc('\n', file);
}

static void write_callgrind(FILE *file, const void *data)
{
	const struct prof_report *report = data;
	uint64_t totals[PROF_COUNTS] = { 0 };
	char name[160];

	fprintf(file,
		"# callgrind format\nversion: 1\ncreator: zerocl prof " ZEROCL_VERSION
		"\ncmd: %s\npositions: instr line\nevents:",
		report->command);
	for (unsigned i = 0; i < PROF_COUNTS; i++)
		fprintf(file, " %s", prof_counts[i].name);
	fputs("\n\n", file);
	for (size_t i = 0; i < report->n; i++) {
		const struct prof_kernel *kernel = &report->kernels[i];
		fprintf(file, "fl=%s\nfn=%s\n", file_of(kernel, name), kernel->name);
		for (size_t k = 0; k < kernel->n_instructions; k++) {
			const struct prof_instruction *one = &kernel->instructions[k];
			if (!one->counts[PROF_instructions])
				continue;
			fprintf(file, "0x%x %u", one->offset, one->line);
			put_events(file, one->counts);
		}
		fputc('\n', file);
		for (unsigned c = 0; c < PROF_COUNTS; c++)
			totals[c] += kernel->counts[c];
	}
	fputs("totals:", file);
	put_events(file, totals);
}

/* ---- folded stacks, which flame graphs are made of: kernel;line;instruction number ---- */

static void put_frame(FILE *file, const char *text)
{
	bool blank = false;

	for (text += strspn(text, " \t"); *text; text++) {
		bool is_blank = isspace((unsigned char)*text);
		if (is_blank && (blank || !text[1 + strspn(text + 1, " \t")]))
			continue;
		fputc(is_blank ? ' ' : *text == ';' ? ',' : *text, file);
		blank = is_blank;
	}
}

static void write_folded(FILE *file, const void *data)
{
	const struct prof_report *report = data;
	for (size_t i = 0; i < report->n; i++) {
		const struct prof_kernel *kernel = &report->kernels[i];
		for (size_t k = 0; k < kernel->n_instructions; k++) {
			const struct prof_instruction *one = &kernel->instructions[k];
			if (!one->counts[PROF_instructions])
				continue;
			put_frame(file, kernel->name);
			if (one->line && one->line <= kernel->n_lines) {
				fprintf(file, ";%u: ", one->line);
				put_frame(file, kernel->lines[one->line - 1]);
			}
			fprintf(file, ";0x%x ", one->offset);
			put_frame(file, one->text);
			fprintf(file, " %llu\n",
				(unsigned long long)one->counts[PROF_instructions]);
		}
	}
}

const struct tool_format prof_formats[] = {
	{ "text", write_text },
	{ "json", write_json },
	{ "callgrind", write_callgrind },
	{ "folded", write_folded },
	{ "html", prof_html },
	{ 0 },
};
