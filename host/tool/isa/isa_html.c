// SPDX-License-Identifier: MIT
#include "tool/isa/isa_report.h"

#include <stdlib.h>
#include <string.h>

#include "tool/page/page.h"

/* The prefix of ids of kernel k on device d. */
static void name_kernel(char name[64], size_t d, size_t k)
{
	snprintf(name, 64, "d%zuk%zu", d, k);
}

/* The id of the first instruction of a line, on the first device that has one. */
static bool find_first(const struct isa_program *programs, size_t n, unsigned line, char id[128])
{
	char kernel[64];

	for (size_t d = 0; d < n; d++)
		for (size_t k = 0; k < programs[d].n_kernels; k++)
			for (size_t i = 0; i < programs[d].kernels[k].n; i++) {
				const struct isa_instruction *one =
					&programs[d].kernels[k].instructions[i];
				if (one->line != line || !one->is_code)
					continue;
				name_kernel(kernel, d, k);
				snprintf(id, 128, "%sL%lu", kernel, one->address);
				return true;
			}
	return false;
}

static void put_source(FILE *out, const struct isa_program *programs, size_t n)
{
	char id[128];

	page_pane(out, "source", false, programs->path, "");
	page_rows(out);
	for (unsigned line = 1; line <= programs->n_lines; line++)
		page_source(out, (struct page_place){ 0, line }, programs->lines[line - 1],
			find_first(programs, n, line, id) ? id : NULL, NULL, 0);
	page_rows_end(out);
	page_pane_end(out);
}

static void put_calls(FILE *out, const struct isa_program *program, const struct isa_kernel *kernel)
{
	char text[512];
	bool any = false;

	for (size_t i = 0; i < program->n_calls; i++) {
		const struct isa_call *call = &program->calls[i];
		isa_program_became(kernel, call->line, text, sizeof text);
		if (!text[0])
			continue;
		fprintf(out, "%s<tr><td><a href=\"#s0l%u\">%u</a></td><td class=\"t\">",
			any ? "" : "<table>\n", call->line, call->line);
		page_text(out, call->name);
		fputs("</td><td class=\"t\">", out);
		page_text(out, text);
		fputs("</td></tr>\n", out);
		any = true;
	}
	if (any)
		fputs("</table>\n", out);
}

static void put_listing(FILE *out, const struct isa_program *program, size_t d, size_t k)
{
	const struct isa_kernel *kernel = &program->kernels[k];
	char name[64];

	name_kernel(name, d, k);
	page_rows(out);
	for (size_t i = 0; i < kernel->n; i++) {
		const struct isa_instruction *one = &kernel->instructions[i];
		const struct page_instruction row = { .kernel = name,
			.offset = one->address,
			.place.line = one->line <= program->n_lines ? one->line : 0,
			.text = one->text };
		if (one->is_code)
			page_code(out, &row, NULL, 0);
		else
			page_label(out, one->text);
	}
	page_rows_end(out);
}

static void put_device(FILE *out, const struct isa_program *program, size_t d)
{
	char text[512], id[64];

	snprintf(id, sizeof id, "native%zu", d);
	page_pane(out, id, true, program->family, "native code");
	for (size_t k = 0; k < program->n_kernels; k++) {
		const struct isa_kernel *kernel = &program->kernels[k];
		fputs("<h3>", out);
		page_text(out, kernel->info->name);
		isa_report_resources(kernel, text, sizeof text);
		fprintf(out, "</h3>\n<p class=\"note\">%s</p>\n", text);
		for (unsigned i = 0; isa_program_warning(program, kernel, i, text, sizeof text);
			i++) {
			fputs("<p class=\"warning\">", out);
			page_text(out, text);
			fputs("</p>\n", out);
		}
		put_calls(out, program, kernel);
		put_listing(out, program, d, k);
	}
	page_pane_end(out);
}

void isa_report_html(FILE *out, const struct isa_program *programs, size_t n)
{
	char names[256] = "on";

	for (size_t d = 0; d < n; d++)
		snprintf(names + strlen(names), sizeof names - strlen(names), " %s",
			programs[d].family);
	page_begin(out, programs->path, names);
	page_panes(out);
	put_source(out, programs, n);
	for (size_t d = 0; d < n; d++)
		put_device(out, &programs[d], d);
	page_end(out);
}
