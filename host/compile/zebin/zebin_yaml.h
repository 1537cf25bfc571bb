// SPDX-License-Identifier: MIT
#ifndef ZEBIN_YAML_H
#define ZEBIN_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

/* Steps through a YAML document; NULL nodes are allowed everywhere and have nothing. */

/* The text of a scalar, else NULL. */
const char *compile_yaml_text(const yaml_node_t *node);

/* The value of the key; NULL if `map` is none or has no such key. */
yaml_node_t *compile_yaml_get(yaml_document_t *document, const yaml_node_t *map, const char *key);

/* Item `i` of a sequence; NULL after the last. */
yaml_node_t *compile_yaml_item(yaml_document_t *document, const yaml_node_t *list, size_t i);

/* Leaves `value` alone if the key is not there. False: its value is no number below 2^32. */
bool compile_yaml_number(
	yaml_document_t *document, const yaml_node_t *map, const char *key, size_t *value);

#endif
