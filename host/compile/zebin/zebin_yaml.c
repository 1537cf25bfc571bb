// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_yaml.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *compile_yaml_text(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
						      : NULL;
}

yaml_node_t *compile_yaml_get(yaml_document_t *document, const yaml_node_t *map, const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
		pair < map->data.mapping.pairs.top; pair++) {
		const char *name = compile_yaml_text(yaml_document_get_node(document, pair->key));
		if (name && !strcmp(name, key))
			return yaml_document_get_node(document, pair->value);
	}
	return NULL;
}

yaml_node_t *compile_yaml_item(yaml_document_t *document, const yaml_node_t *list, size_t i)
{
	if (!list || list->type != YAML_SEQUENCE_NODE ||
		i >= (size_t)(list->data.sequence.items.top - list->data.sequence.items.start))
		return NULL;
	return yaml_document_get_node(document, list->data.sequence.items.start[i]);
}

bool compile_yaml_number(
	yaml_document_t *document, const yaml_node_t *map, const char *key, size_t *value)
{
	const yaml_node_t *node = compile_yaml_get(document, map, key);
	const char *digits = compile_yaml_text(node);
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
