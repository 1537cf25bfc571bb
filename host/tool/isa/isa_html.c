// SPDX-License-Identifier: MIT
#include "tool/isa/isa.h"

#include "tool/page/page.h"

extern const char isa_js[];

static json_t *make_warnings(const struct isa_program *program, const struct isa_kernel *kernel)
{
	json_t *array = json_array();
	char text[512];

	for (unsigned i = 0; isa_program_warning(program, kernel, i, text, sizeof text); i++)
		json_array_append_new(array, json_string(text));
	return array;
}

/* Calls, and what became of them: line, name, text. */
static json_t *make_calls(const struct isa_program *program, const struct isa_kernel *kernel)
{
	json_t *array = json_array();
	char text[512];

	for (size_t i = 0; i < program->n_calls; i++) {
		const struct isa_call *call = &program->calls[i];
		isa_program_became(kernel, call->line, text, sizeof text);
		if (text[0])
			json_array_append_new(
				array, json_pack("[i, s, s]", (int)call->line, call->name, text));
	}
	return array;
}

/* Instructions; labels have no offset. */
static json_t *make_code(const struct isa_program *program, const struct isa_kernel *kernel)
{
	json_t *array = json_array();

	for (size_t i = 0; i < kernel->n; i++) {
		const struct isa_instruction *one = &kernel->instructions[i];
		json_t *object = json_pack("{s:s, s:i}", "text", one->text, "line",
			one->line <= program->n_lines ? (int)one->line : 0);
		if (one->is_code)
			json_object_set_new(
				object, "offset", json_integer((json_int_t)one->address));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *make_kernels(const struct isa_program *program)
{
	json_t *array = json_array();
	char resources[512];

	for (size_t k = 0; k < program->n_kernels; k++) {
		const struct isa_kernel *kernel = &program->kernels[k];
		isa_report_resources(kernel, resources, sizeof resources);
		json_array_append_new(array,
			json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", kernel->info->name,
				"resources", resources, "warnings", make_warnings(program, kernel),
				"calls", make_calls(program, kernel), "code",
				make_code(program, kernel)));
	}
	return array;
}

void isa_report_html(FILE *out, const struct isa_program *programs, size_t n)
{
	json_t *devices = json_array();

	for (size_t d = 0; d < n; d++)
		json_array_append_new(devices, json_pack("{s:s, s:o}", "name", programs[d].family,
						       "kernels", make_kernels(&programs[d])));
	json_t *data = json_pack("{s:o, s:o, s:o}", "file", page_text(programs->path), "source",
		page_texts(programs->lines, programs->n_lines), "devices", devices);
	page_write(out, data, isa_js);
	json_decref(data);
}
