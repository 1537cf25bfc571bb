// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "tool/page/page.h"
#include "tool/prof/prof_format.h"
#include "tool/prof/prof_model.h"

/* The columns beside source and code: those of these in which the report has anything. */
static const enum prof_count columns[] = { PROF_instructions, PROF_lanes, PROF_lines,
	PROF_conflicts, PROF_contended, PROF_scratch };
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool has_column(const struct prof_report *report, unsigned column)
{
	for (size_t i = 0; i < report->n; i++)
		if (report->kernels[i].counts[columns[column]])
			return true;
	return false;
}

/* Lanes as a part of the channels, other counts in short. */
static void fill_cell(
	struct page_cell *cell, enum prof_count which, const uint64_t *counts, const uint64_t *most)
{
	double count = (double)counts[which];

	*cell = (struct page_cell){ .text = "" };
	if (counts[which] == 0)
		return;
	if (which == PROF_lanes) {
		snprintf(cell->text, sizeof cell->text, "%.0f%%",
			100 * count / (double)counts[PROF_channels]);
		return;
	}
	prof_short(count, cell->text);
	cell->heat = count / (double)most[which];
}

static size_t fill_cells(const struct prof_report *report, struct page_cell cells[COLUMNS],
	const uint64_t *counts, const uint64_t *most)
{
	size_t n = 0;

	for (unsigned i = 0; i < COLUMNS; i++)
		if (has_column(report, i))
			fill_cell(&cells[n++], columns[i], counts, most);
	return n;
}

/* The greatest count of a row, which is the hottest. */
static void raise(uint64_t most[PROF_COUNTS], const uint64_t *counts)
{
	for (unsigned i = 0; i < PROF_COUNTS; i++)
		most[i] = counts[i] > most[i] ? counts[i] : most[i];
}

static void put_heads(FILE *out, const struct prof_report *report)
{
	fputs("<li class=\"heads\">", out);
	for (unsigned i = 0; i < COLUMNS; i++) {
		if (!has_column(report, i))
			continue;
		fputs("<span class=\"v d\" title=\"", out);
		page_text(out, prof_counts[columns[i]].what);
		fprintf(out, "\">%s</span>", prof_counts[columns[i]].title);
	}
	fputs("</li>\n", out);
}

/* ---- the summary: a table of kernels, the roofline ---- */

static void put_number(FILE *out, double number)
{
	char text[24];

	fprintf(out, "<td data-v=\"%.17g\">%s</td>", number, prof_short(number, text));
}

static void put_kernel_row(FILE *out, const struct prof_kernel *kernel, size_t index)
{
	struct prof_model model = prof_model_of(kernel);
	const uint64_t *counts = kernel->counts;
	double line_bytes = prof_device(kernel, "line_bytes"), least = 1;

	for (size_t i = 0; i < kernel->n_shapes; i++)
		least = fmin(least, prof_occupancy(kernel, &kernel->shapes[i]));
	fprintf(out, "<tr><td><a href=\"#k%zu\">", index);
	page_text(out, kernel->name);
	fprintf(out, "</a></td><td>%u</td><td>%u</td>", kernel->simd, kernel->registers);
	put_number(out, (double)kernel->total.launches);
	put_number(out, (double)kernel->total.items);
	fprintf(out, "<td data-v=\"%g\">%.0f%%</td>", least, 100 * least);
	put_number(out, (double)counts[PROF_instructions]);
	fprintf(out, "<td data-v=\"%g\">%.0f%%</td>",
		counts[PROF_channels] ? (double)counts[PROF_lanes] / (double)counts[PROF_channels]
				      : 0,
		counts[PROF_channels]
			? 100.0 * (double)counts[PROF_lanes] / (double)counts[PROF_channels]
			: 0);
	static const enum prof_count rest[] = { PROF_divergent, PROF_messages, PROF_bytes,
		PROF_lines };
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		put_number(out, (double)counts[rest[i]]);
	double used = counts[PROF_lines] ? (double)counts[PROF_bytes] /
						   ((double)counts[PROF_lines] * line_bytes)
					 : 0;
	fprintf(out, "<td data-v=\"%g\">%.0f%%</td>", used, 100 * used);
	static const enum prof_count more[] = { PROF_conflicts, PROF_contended, PROF_scratch,
		PROF_barriers };
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		put_number(out, (double)counts[more[i]]);
	fprintf(out, "<td data-v=\"%g\">%.3g</td><td class=\"t\">%s</td></tr>\n",
		model.microseconds, model.microseconds, prof_part_names[model.bound]);
}

static void put_table(FILE *out, const struct prof_report *report)
{
	static const char *const heads[] = { "kernel", "SIMD", "registers", "launches", "items",
		"occupancy", "executed", "lanes on", "divergent", "messages", "bytes", "lines",
		"used", "conflicts", "contended", "scratch", "barriers", "model: us", "bound" };

	fputs("<div class=\"scroll\"><table class=\"sorts\" id=\"kernels\"><thead><tr>", out);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		fprintf(out, "<th>%s</th>", heads[i]);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t i = 0; i < report->n; i++)
		put_kernel_row(out, &report->kernels[i], i);
	fputs("</tbody></table></div>\n", out);
}

/* Logarithmic axes of the roofline, in pixels. */
enum { WIDTH = 420, HEIGHT = 190, LEFT = 46, BOTTOM = 30, TOP = 12, RIGHT = 8 };
struct axes {
	double x_least, x_most, y_least, y_most; /* logarithms to the base 10 */
};

static double x_of(const struct axes *axes, double value)
{
	double part = (log10(value) - axes->x_least) / (axes->x_most - axes->x_least);

	return LEFT + fmin(fmax(part, 0), 1) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct axes *axes, double value)
{
	double part = (log10(value) - axes->y_least) / (axes->y_most - axes->y_least);

	return HEIGHT - BOTTOM - fmin(fmax(part, 0), 1) * (HEIGHT - BOTTOM - TOP);
}

/* The slope of so many gigabytes in a second, up to where arithmetic is the limit. */
static void put_roof(
	FILE *out, const struct axes *axes, double gigabytes, double peak, const char *name)
{
	double from = pow(10, axes->x_least), knee = peak / gigabytes;
	double y = pow(10, axes->y_least);

	if (gigabytes <= 0)
		return;
	from = fmax(from, y / gigabytes);
	fprintf(out,
		"<path class=\"roof\" d=\"M%.1f %.1f L%.1f %.1f H%d\"/>"
		"<text x=\"%.1f\" y=\"%.1f\">%s, %.0f GB/s</text>\n",
		x_of(axes, from), y_of(axes, from * gigabytes), x_of(axes, knee), y_of(axes, peak),
		WIDTH - RIGHT, x_of(axes, from) + 26, y_of(axes, from * gigabytes) - 2, name,
		gigabytes);
}

static void put_dots(FILE *out, const struct prof_report *report, const struct axes *axes)
{
	for (size_t i = 0; i < report->n; i++) {
		struct prof_model model = prof_model_of(&report->kernels[i]);
		if (model.intensity <= 0 || model.reached <= 0)
			continue;
		double x = x_of(axes, model.intensity), y = y_of(axes, model.reached);
		bool right = x > WIDTH * 3 / 4;
		fprintf(out,
			"<a href=\"#k%zu\"><circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>"
			"<text x=\"%.1f\" y=\"%.1f\"%s>",
			i, x, y, right ? x - 6 : x + 6, y + 4, right ? " text-anchor=\"end\"" : "");
		page_text(out, report->kernels[i].name);
		fputs("</text></a>\n", out);
	}
}

static void put_roofline(FILE *out, const struct prof_report *report)
{
	const struct axes axes = { -2, 3.1, -1, 4.5 };
	struct prof_model model = { .peak = 0 };

	if (report->n)
		model = prof_model_of(&report->kernels[0]);
	if (model.peak <= 0)
		return;
	fprintf(out,
		"<div><p class=\"note\">Model: operations in a second over operations for each "
		"byte of lines touched, by published rates of %s</p>\n<svg id=\"roofline\" "
		"viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n",
		prof_device_text(&report->kernels[0], "product"), WIDTH, HEIGHT, WIDTH, HEIGHT);
	fprintf(out, "<path class=\"axis\" d=\"M%d %d V%d H%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM,
		WIDTH - RIGHT);
	for (int i = -2; i <= 3; i++)
		fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
			x_of(&axes, pow(10, i)), HEIGHT - BOTTOM + 13, pow(10, i));
	for (int i = -1; i <= 4; i++)
		fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 4,
			y_of(&axes, pow(10, i)) + (i < 0 ? 0 : 4), pow(10, i));
	fprintf(out,
		"<text x=\"%d\" y=\"%d\" text-anchor=\"end\">operations / byte</text>"
		"<text x=\"%d\" y=\"%d\">Gop/s</text>\n",
		WIDTH - RIGHT, HEIGHT - 4, 4, TOP);
	put_roof(out, &axes, model.cache_gigabytes, model.peak, "level 3 cache");
	put_roof(out, &axes, model.memory_gigabytes, model.peak, "memory");
	put_dots(out, report, &axes);
	fputs("</svg></div>\n", out);
}

/* ---- kernels ---- */

static void put_facts(FILE *out, const struct prof_kernel *kernel)
{
	struct prof_model model = prof_model_of(kernel);
	char text[24];

	fputs("<p class=\"facts\">", out);
	for (unsigned i = 0; i < PROF_COUNTS; i++)
		if (kernel->counts[i])
			fprintf(out, "<span title=\"%llu %s\">%s <b>%s</b></span>",
				(unsigned long long)kernel->counts[i], prof_counts[i].what,
				prof_counts[i].title, prof_short((double)kernel->counts[i], text));
	fputs("</p>\n<p class=\"facts note\">model, cycles of the device: ", out);
	for (unsigned i = 0; i < PROF_PARTS; i++)
		if (model.cycles[i] > 0)
			fprintf(out, "<span>%s <b>%s</b></span>", prof_part_names[i],
				prof_short(model.cycles[i], text));
	fputs("</p>\n", out);
}

/* The first kernel of the same source, which stands for it on the page. */
static size_t source_of(const struct prof_report *report, size_t index)
{
	const struct prof_kernel *own = &report->kernels[index];

	for (size_t i = 0; i < index; i++) {
		const struct prof_kernel *other = &report->kernels[i];
		size_t line = 0;
		if (other->n_lines != own->n_lines)
			continue;
		while (line < own->n_lines && !strcmp(own->lines[line], other->lines[line]))
			line++;
		if (line == own->n_lines)
			return i;
	}
	return index;
}

/* A line's sums over all kernels of the source, and the first instruction of it. */
static bool count_line(const struct prof_report *report, struct page_place place,
	uint64_t counts[PROF_COUNTS], char link[64])
{
	uint64_t own[PROF_COUNTS];
	bool any = false;

	memset(counts, 0, PROF_COUNTS * sizeof *counts);
	for (size_t k = place.source; k < report->n; k++) {
		const struct prof_kernel *kernel = &report->kernels[k];
		if (source_of(report, k) != place.source ||
			!prof_line_counts(kernel, place.line, own))
			continue;
		for (unsigned i = 0; i < PROF_COUNTS; i++)
			counts[i] += own[i];
		for (size_t i = 0; !any; i++)
			if (kernel->instructions[i].line == place.line) {
				snprintf(link, 64, "k%zuL%u", k,
					kernel->instructions[i].offset -
						kernel->instructions[0].offset);
				any = true;
			}
	}
	return any;
}

static void put_source(FILE *out, const struct prof_report *report, size_t source)
{
	const struct prof_kernel *kernel = &report->kernels[source];
	uint64_t counts[PROF_COUNTS], most[PROF_COUNTS] = { 0 };
	struct page_cell cells[COLUMNS];
	char link[64];

	for (unsigned line = 1; line <= kernel->n_lines; line++)
		if (count_line(report, (struct page_place){ source, line }, counts, link))
			raise(most, counts);
	fputs("<h3>", out);
	page_text(out, kernel->file ? kernel->file : kernel->name);
	fputs("</h3>\n", out);
	page_rows(out);
	put_heads(out, report);
	for (unsigned line = 1; line <= kernel->n_lines; line++) {
		struct page_place place = { source, line };
		bool any = count_line(report, place, counts, link);
		size_t n = fill_cells(report, cells, counts, most);
		page_source(out, place, kernel->lines[line - 1], any ? link : NULL, cells, n);
	}
	page_rows_end(out);
}

static void put_code(FILE *out, const struct prof_report *report, size_t index)
{
	const struct prof_kernel *kernel = &report->kernels[index];
	uint64_t most[PROF_COUNTS] = { 0 };
	struct page_cell cells[COLUMNS];
	size_t source = source_of(report, index);
	char name[32];

	snprintf(name, sizeof name, "k%zu", index);
	for (size_t i = 0; i < kernel->n_instructions; i++)
		raise(most, kernel->instructions[i].counts);
	page_rows(out);
	put_heads(out, report);
	for (size_t i = 0; i < kernel->n_instructions; i++) {
		const struct prof_instruction *one = &kernel->instructions[i];
		unsigned line = one->line <= kernel->n_lines ? one->line : 0;
		const struct page_instruction row = { .kernel = name,
			.offset = one->offset - kernel->instructions[0].offset,
			.place = { source, line },
			.text = one->text };
		page_code(out, &row, cells, fill_cells(report, cells, one->counts, most));
	}
	page_rows_end(out);
}

static void put_kernel(FILE *out, const struct prof_report *report, size_t index)
{
	const struct prof_kernel *kernel = &report->kernels[index];
	char digits[32];

	fprintf(out, "<h3 id=\"k%zu\">", index);
	page_text(out, kernel->name);
	fprintf(out, "</h3>\n<p class=\"note\">SIMD%u, %u of %.0f registers</p>\n", kernel->simd,
		kernel->registers, prof_device(kernel, "registers"));
	for (size_t i = 0; i < kernel->n_shapes && !kernel->is_function; i++) {
		const struct prof_shape *shape = &kernel->shapes[i];
		fprintf(out,
			"<p class=\"note\">%llu %s, %s %s of %u thread%s; occupancy "
			"%.0f%%, limited by %s</p>\n",
			(unsigned long long)shape->launches,
			shape->launches == 1 ? "launch" : "launches",
			prof_digits(shape->groups, digits), shape->groups == 1 ? "group" : "groups",
			shape->group_threads, shape->group_threads == 1 ? "" : "s",
			100 * prof_occupancy(kernel, shape), shape->limit);
	}
	put_facts(out, kernel);
	put_code(out, report, index);
}

void prof_html(FILE *out, const struct prof_report *report, const char *command)
{
	char title[256];

	snprintf(title, sizeof title, "zerocl prof: %s", command);
	page_begin(out, title, report->n ? prof_device_text(report->kernels, "product") : "");
	fputs("<div class=\"summary\">\n", out);
	put_table(out, report);
	put_roofline(out, report);
	fputs("</div>\n", out);
	page_panes(out);
	page_pane(out, "source", false, "source", "a line's counts are those of its instructions");
	for (size_t i = 0; i < report->n; i++)
		if (report->kernels[i].n_lines && source_of(report, i) == i)
			put_source(out, report, i);
	page_pane_end(out);
	page_pane(out, "native", true, "native code", "");
	for (size_t i = 0; i < report->n; i++)
		put_kernel(out, report, i);
	page_pane_end(out);
	page_end(out);
}
