// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_yaml.h"

#include "util/util_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum compile_status zebin_yaml_load(yaml_document_t *document, const void *text, size_t size)
{
	enum compile_status status = COMPILE_OK;
	yaml_parser_t parser;

	if (!yaml_parser_initialize(&parser))
		return COMPILE_NO_MEMORY;
	yaml_parser_set_input_string(&parser, text, size);
	if (!yaml_parser_load(&parser, document))
		status = parser.error == YAML_MEMORY_ERROR ? COMPILE_NO_MEMORY : COMPILE_ERROR;
	yaml_parser_delete(&parser);
	return status;
}

struct writer {
	yaml_document_t *document;
	FILE *out;
	size_t n_left; /* nodes: an alias would make one appear twice */
	bool is_other;
};

static void write_scalar(struct writer *writer, const yaml_node_t *node)
{
	const char *text = zebin_yaml_text(node);
	const bool is_plain = text && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	const char *quote = is_plain ? "" : "'";

	if (!text || strpbrk(text, "'\n"))
		writer->is_other = true;
	else
		fprintf(writer->out, "%s%s%s", quote, text, quote);
}

static void write_block(struct writer *writer, const yaml_node_t *node, int indent);

static void write_list(struct writer *writer, const yaml_node_t *list)
{
	const yaml_node_t *item;

	fputs(" [", writer->out);
	for (size_t i = 0; (item = zebin_yaml_item(writer->document, list, i)); i++) {
		fputs(i ? ", " : "", writer->out);
		write_scalar(writer, item);
	}
	fputs("]\n", writer->out);
}

/* What stands behind a key or the dash of an item, to the end of its line and below. */
static void write_value(struct writer *writer, const yaml_node_t *node, int indent)
{
	if (!node || !writer->n_left) {
		writer->is_other = true;
		return;
	}
	writer->n_left--;
	if (node->type == YAML_SCALAR_NODE) {
		fputc(' ', writer->out);
		write_scalar(writer, node);
		fputc('\n', writer->out);
	} else if (node->type == YAML_SEQUENCE_NODE &&
		   node->data.sequence.style == YAML_FLOW_SEQUENCE_STYLE) {
		write_list(writer, node);
	} else {
		fprintf(writer->out, "\n%*s", indent, "");
		write_block(writer, node, indent);
	}
}

/* A map or a list whose first line is indented already. */
static void write_block(struct writer *writer, const yaml_node_t *node, int indent)
{
	const yaml_node_t *item;

	if (node->type == YAML_SEQUENCE_NODE) {
		for (size_t i = 0; (item = zebin_yaml_item(writer->document, node, i)); i++) {
			fprintf(writer->out, "%*s-", i ? indent : 0, "");
			if (item->type == YAML_MAPPING_NODE && writer->n_left) {
				writer->n_left--;
				fputc(' ', writer->out);
				write_block(writer, item, indent + 2);
			} else {
				write_value(writer, item, indent + 2);
			}
		}
		return;
	}
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
		pair < node->data.mapping.pairs.top; pair++) {
		const char *key =
			zebin_yaml_text(yaml_document_get_node(writer->document, pair->key));

		fprintf(writer->out, "%*s%s:", pair > node->data.mapping.pairs.start ? indent : 0,
			"", key ? key : "");
		writer->is_other |= !key || strpbrk(key, ":'\"\n");
		write_value(
			writer, yaml_document_get_node(writer->document, pair->value), indent + 2);
	}
}

bool zebin_yaml_write(yaml_document_t *document, char **text, size_t *size, bool *is_other)
{
	const yaml_node_t *root = yaml_document_get_root_node(document);
	struct writer writer = { .document = document,
		.out = open_memstream(text, size),
		.n_left = (size_t)(document->nodes.top - document->nodes.start) };

	if (!writer.out)
		return false;
	if (root && root->type == YAML_MAPPING_NODE)
		write_block(&writer, root, 0);
	else
		writer.is_other = true;
	bool ok = util_file_text(writer.out, text);
	if (writer.is_other) {
		free(*text);
		*text = NULL;
	}
	*is_other |= writer.is_other;
	return ok;
}

bool zebin_yaml_set(yaml_document_t *document, int map, const char *key, const char *value)
{
	const int text = yaml_document_add_scalar(
		document, NULL, (const yaml_char_t *)value, -1, YAML_PLAIN_SCALAR_STYLE);
	const yaml_node_t *node = yaml_document_get_node(document, map);

	if (!text)
		return false;
	for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
		pair < node->data.mapping.pairs.top; pair++) {
		const char *name = zebin_yaml_text(yaml_document_get_node(document, pair->key));
		if (name && !strcmp(name, key)) {
			pair->value = text;
			return true;
		}
	}
	const int name = yaml_document_add_scalar(
		document, NULL, (const yaml_char_t *)key, -1, YAML_PLAIN_SCALAR_STYLE);
	return name && yaml_document_append_mapping_pair(document, map, name, text);
}

const char *zebin_yaml_text(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
						      : NULL;
}

yaml_node_t *zebin_yaml_get(yaml_document_t *document, const yaml_node_t *map, const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
		pair < map->data.mapping.pairs.top; pair++) {
		const char *name = zebin_yaml_text(yaml_document_get_node(document, pair->key));
		if (name && !strcmp(name, key))
			return yaml_document_get_node(document, pair->value);
	}
	return NULL;
}

yaml_node_t *zebin_yaml_item(yaml_document_t *document, const yaml_node_t *list, size_t i)
{
	if (!list || list->type != YAML_SEQUENCE_NODE ||
		i >= (size_t)(list->data.sequence.items.top - list->data.sequence.items.start))
		return NULL;
	return yaml_document_get_node(document, list->data.sequence.items.start[i]);
}

bool zebin_yaml_number(
	yaml_document_t *document, const yaml_node_t *map, const char *key, size_t *value)
{
	const yaml_node_t *node = zebin_yaml_get(document, map, key);
	const char *digits = zebin_yaml_text(node);
	char *end;

	if (!node)
		return true;
	errno = 0;
	unsigned long long number = digits ? strtoull(digits, &end, 0) : 0;
	if (!digits || end == digits || *end || errno || strchr(digits, '-') || number > UINT32_MAX)
		return false;
	*value = (size_t)number;
	return true;
}
