// SPDX-License-Identifier: MIT
#include "tool/isa/isa.h"

#include <string.h>

void isa_report_resources(const struct isa_kernel *kernel, char *text, size_t size)
{
	const struct compile_kernel *info = kernel->info;
	size_t length = 0, code = 0;

	for (size_t i = 0; i < kernel->n; i++)
		code += kernel->instructions[i].is_code;
	const struct {
		size_t value;
		const char *format;
		bool always;
	} parts[] = {
		{ info->simd_size, "SIMD%zu", true },
		{ code, ", %zu instructions", true },
		{ info->grf_count, ", %zu registers", true },
		{ info->spill_bytes, ", %zu bytes spilled", true },
		{ info->private_bytes, ", %zu private bytes per work-item", false },
		{ info->local_bytes, ", %zu bytes of local memory", false },
		{ info->barriers, ", barriers", false },
	};
	text[0] = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	for (size_t i = 0; i < sizeof parts / sizeof *parts && length < size; i++)
		if (parts[i].value || parts[i].always)
			length += (size_t)snprintf(
				text + length, size - length, parts[i].format, parts[i].value);
#pragma GCC diagnostic pop
}

/* Of the instructions' lines, the least and the greatest. */
static void span(const struct isa_kernel *kernel, unsigned *first, unsigned *last)
{
	*first = ~0u;
	*last = 0;
	for (size_t i = 0; i < kernel->n; i++) {
		unsigned line = kernel->instructions[i].line;
		if (line && line < *first)
			*first = line;
		if (line > *last)
			*last = line;
	}
}

static void print_calls(
	FILE *out, const struct isa_program *program, const struct isa_kernel *kernel)
{
	unsigned first, last;
	char text[512];

	span(kernel, &first, &last);
	for (size_t i = 0; i < program->n_calls; i++) {
		const struct isa_call *call = &program->calls[i];
		if (call->line < first || call->line > last)
			continue;
		isa_program_became(kernel, call->line, text, sizeof text);
		fprintf(out, "  line %u: %s: %s\n", call->line, call->name,
			text[0] ? text : "no instruction");
	}
}

void isa_report_text(FILE *out, const struct isa_program *program)
{
	char text[512];

	for (size_t k = 0; k < program->n_kernels; k++) {
		const struct isa_kernel *kernel = &program->kernels[k];
		isa_report_resources(kernel, text, sizeof text);
		fprintf(out, "%skernel %s on %s: %s\n", k ? "\n" : "", kernel->info->name,
			program->family, text);
		for (unsigned i = 0; isa_program_warning(program, kernel, i, text, sizeof text);
			i++)
			fprintf(out, "  warning: %s\n", text);
		print_calls(out, program, kernel);
		for (size_t i = 0; i < kernel->n; i++) {
			const struct isa_instruction *one = &kernel->instructions[i];
			if (one->line)
				fprintf(out, "%6u | ", one->line);
			else
				fputs("       | ", out);
			if (one->is_code)
				fprintf(out, "0x%04lx  ", one->address);
			fprintf(out, "%s\n", one->text);
		}
	}
}
