// SPDX-License-Identifier: MIT
#include "tool/isa/isa_report.h"

#include <string.h>

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	"<style>\n"
	"body { margin: 0; display: flex; height: 100vh; font: 13px/1.45 sans-serif; }\n"
	"section { flex: 1 1 50%; overflow: auto; padding: 0 1em; }\n"
	"section + section { border-left: 1px solid #999; }\n"
	"ol { list-style: none; margin: 0; padding: 0; font-family: monospace;\n"
	"  white-space: pre; }\n"
	"li { min-height: 1.45em; }\n"
	"a { display: inline-block; width: 4em; text-align: right; margin-right: 1em;\n"
	"  color: #06c; text-decoration: none; }\n"
	"a.none, span { color: #aaa; }\n"
	"li:target { background: #fd6; }\n"
	"li.same { background: #fec; }\n"
	"p.warning { color: #a30; }\n"
	"table { border-collapse: collapse; } td { padding: 0 1em 0 0; }\n"
	"@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; }\n"
	"  a { color: #7bf; } li:target { background: #750; } li.same { background: #430; }\n"
	"  p.warning { color: #f96; } }\n"
	"</style>\n";

/* Shows all that belongs to the line under the pointer. */
static const char script[] =
	"<script>\n"
	"addEventListener('mouseover', e => {\n"
	"  const li = e.target.closest('li[data-line]');\n"
	"  for (const old of document.querySelectorAll('.same')) old.classList.remove('same');\n"
	"  if (li) for (const one of document.querySelectorAll(\n"
	"    'li[data-line=\"' + li.dataset.line + '\"]')) one.classList.add('same');\n"
	"});\n"
	"</script>\n";

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

/* The first instruction of a line; false if it has none. */
static bool find_first(
	const struct isa_program *program, unsigned line, size_t *kernel, size_t *index)
{
	for (size_t k = 0; k < program->n_kernels; k++)
		for (size_t i = 0; i < program->kernels[k].n; i++)
			if (program->kernels[k].instructions[i].line == line) {
				*kernel = k;
				*index = i;
				return true;
			}
	return false;
}

static void put_source(FILE *out, const struct isa_program *program)
{
	size_t kernel, index;

	fputs("<section id=\"source\"><h2>", out);
	put_escaped(out, program->path);
	fputs("</h2>\n<ol>\n", out);
	for (unsigned line = 1; line <= program->n_lines; line++) {
		fprintf(out, "<li id=\"s%u\" data-line=\"%u\">", line, line);
		if (find_first(program, line, &kernel, &index))
			fprintf(out, "<a href=\"#k%zui%zu\">%u</a>", kernel, index, line);
		else
			fprintf(out, "<a class=\"none\">%u</a>", line);
		put_escaped(out, program->lines[line - 1]);
		fputs("</li>\n", out);
	}
	fputs("</ol></section>\n", out);
}

static void put_calls(FILE *out, const struct isa_program *program, const struct isa_kernel *kernel)
{
	char text[512];

	fputs("<table>\n", out);
	for (size_t i = 0; i < program->n_calls; i++) {
		const struct isa_call *call = &program->calls[i];
		isa_program_became(kernel, call->line, text, sizeof text);
		if (!text[0])
			continue;
		fprintf(out, "<tr><td><a href=\"#s%u\">%u</a></td><td>", call->line, call->line);
		put_escaped(out, call->name);
		fputs("</td><td>", out);
		put_escaped(out, text);
		fputs("</td></tr>\n", out);
	}
	fputs("</table>\n", out);
}

static void put_listing(FILE *out, const struct isa_program *program, size_t k)
{
	const struct isa_kernel *kernel = &program->kernels[k];

	fputs("<ol>\n", out);
	for (size_t i = 0; i < kernel->n; i++) {
		const struct isa_instruction *one = &kernel->instructions[i];
		fprintf(out, "<li id=\"k%zui%zu\"", k, i);
		if (one->line && one->line <= program->n_lines)
			fprintf(out, " data-line=\"%u\"><a href=\"#s%u\">%u</a>", one->line,
				one->line, one->line);
		else
			fputs("><a class=\"none\"></a>", out);
		if (one->is_code)
			fprintf(out, "<span>0x%04lx</span>  ", one->address);
		put_escaped(out, one->text);
		fputs("</li>\n", out);
	}
	fputs("</ol>\n", out);
}

void isa_report_html(FILE *out, const struct isa_program *program)
{
	char text[512];

	fputs(head, out);
	fputs("<title>", out);
	put_escaped(out, program->path);
	fprintf(out, " on %s</title></head>\n<body>\n", program->family);
	put_source(out, program);
	fputs("<section id=\"native\">\n", out);
	for (size_t k = 0; k < program->n_kernels; k++) {
		const struct isa_kernel *kernel = &program->kernels[k];
		fputs("<h2>", out);
		put_escaped(out, kernel->info->name);
		isa_report_resources(kernel, text, sizeof text);
		fprintf(out, "</h2>\n<p>%s: %s</p>\n", program->family, text);
		for (unsigned i = 0; isa_program_warning(program, kernel, i, text, sizeof text);
			i++) {
			fputs("<p class=\"warning\">", out);
			put_escaped(out, text);
			fputs("</p>\n", out);
		}
		put_calls(out, program, kernel);
		put_listing(out, program, k);
	}
	fputs("</section>\n", out);
	fputs(script, out);
	fputs("</body></html>\n", out);
}
