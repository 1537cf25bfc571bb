// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_patch_info.h"

#include "compile/zebin/zebin_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRINTF "printf_buffer"
/* Memory through which functions that are called by pointers get such things. */
#define IMPLICIT "implicit_arg_buffer"

struct editor {
	yaml_document_t document;
	const char *text;
	size_t size;
	size_t done; /* of it, written */
	FILE *out;
	const struct compile_reflection *reflection;
	const unsigned *uses;
	struct compile_load_info *info;
};

static bool has(const char *text, size_t size, const char *word)
{
	return memmem(text, size, word, strlen(word));
}

/* Makes the argument, whose type is `node`, the last one of those that the application gives. */
static bool edit(struct editor *editor, const yaml_node_t *key, const yaml_node_t *node, size_t n)
{
	size_t start = node->start_mark.index, end = node->end_mark.index;
	int indent = (int)key->start_mark.column;

	/* marks count characters */
	if (start < editor->done || end > editor->size || end - start != strlen(PRINTF) ||
		memcmp(editor->text + start, PRINTF, end - start) != 0)
		return false;
	fwrite(editor->text + editor->done, 1, start - editor->done, editor->out);
	fprintf(editor->out,
		"arg_bypointer\n%*sarg_index: %zu\n%*saddrmode: stateless\n%*saddrspace: global\n"
		"%*saccess_type: readwrite",
		indent, "", n, indent, "", indent, "", indent, "");
	editor->done = end;
	return true;
}

/* The key and the value of "arg_type" in an argument. */
static bool find_type(struct editor *editor, const yaml_node_t *argument, const yaml_node_t **key,
	const yaml_node_t **value)
{
	if (!argument || argument->type != YAML_MAPPING_NODE)
		return false;
	for (const yaml_node_pair_t *pair = argument->data.mapping.pairs.start;
		pair < argument->data.mapping.pairs.top; pair++) {
		const char *name;

		*key = yaml_document_get_node(&editor->document, pair->key);
		*value = yaml_document_get_node(&editor->document, pair->value);
		name = compile_yaml_text(*key);
		if (name && !strcmp(name, "arg_type") && compile_yaml_text(*value))
			return true;
	}
	return false;
}

static bool edit_kernel(struct editor *editor, const yaml_node_t *kernel)
{
	const char *name = compile_yaml_text(compile_yaml_get(&editor->document, kernel, "name"));
	const yaml_node_t *args = compile_yaml_get(&editor->document, kernel, "payload_arguments");
	const struct compile_kernel *known =
		name ? compile_reflection_find(editor->reflection, name) : NULL;
	const yaml_node_t *argument, *key, *type;

	for (size_t i = 0; (argument = compile_yaml_item(&editor->document, args, i)); i++) {
		if (!find_type(editor, argument, &key, &type) ||
			strcmp(compile_yaml_text(type), PRINTF) != 0)
			continue;
		if (!known)
			return false;
		size_t number = (size_t)(known - editor->reflection->kernels);
		bool is_hidden = editor->uses && editor->uses[number];
		if (editor->info->prints[number] ||
			!edit(editor, key, type, known->n_args + is_hidden))
			return false;
		editor->info->prints[number] = true;
	}
	return true;
}

/* False if there is something that cannot be changed. */
static bool edit_all(struct editor *editor)
{
	yaml_node_t *root = yaml_document_get_root_node(&editor->document);
	const yaml_node_t *kernels = compile_yaml_get(&editor->document, root, "kernels");
	const yaml_node_t *kernel;

	for (size_t i = 0; (kernel = compile_yaml_item(&editor->document, kernels, i)); i++)
		if (!edit_kernel(editor, kernel))
			return false;
	fwrite(editor->text + editor->done, 1, editor->size - editor->done, editor->out);
	return true;
}

/* `editor->document` is there. False when memory is short. */
static bool write_all(struct editor *editor)
{
	struct compile_load_info *info = editor->info;

	info->prints = calloc(editor->reflection->n_kernels + 1, sizeof *info->prints);
	editor->out = open_memstream(&info->text, &info->size);
	bool ok = info->prints && editor->out;
	info->is_stuck = ok && !edit_all(editor);
	if (editor->out)
		ok = !fclose(editor->out) && ok;
	return ok;
}

bool compile_load_info(const char *text, size_t size, const struct compile_reflection *reflection,
	const unsigned *uses, struct compile_load_info *out)
{
	struct editor editor = {
		.text = text, .size = size, .reflection = reflection, .uses = uses, .info = out
	};
	yaml_parser_t parser;
	bool ok = false;

	*out = (struct compile_load_info){ 0 };
	if (!has(text, size, PRINTF))
		return true;
	out->is_stuck = has(text, size, IMPLICIT);
	if (out->is_stuck)
		return true;
	if (!yaml_parser_initialize(&parser))
		return false;
	yaml_parser_set_input_string(&parser, (const void *)text, size);
	if (yaml_parser_load(&parser, &editor.document)) {
		ok = write_all(&editor);
		yaml_document_delete(&editor.document);
	} else {
		/* the driver will complain */
		ok = parser.error != YAML_MEMORY_ERROR;
		out->is_stuck = true;
	}
	yaml_parser_delete(&parser);
	if (ok && !out->is_stuck)
		return true;
	free(out->text);
	free(out->prints);
	*out = (struct compile_load_info){ .is_stuck = out->is_stuck };
	return ok;
}
