// SPDX-License-Identifier: MIT
#ifndef ZEBIN_YAML_H
#define ZEBIN_YAML_H

#include "compile/base/request.h"

#include <yaml.h>

/*
 * .ze_info as a document of libyaml. NULL nodes are allowed everywhere and have nothing.
 */

/* COMPILE_ERROR if it is no YAML, COMPILE_NO_MEMORY. Call yaml_document_delete on success. */
enum compile_status zebin_yaml_load(yaml_document_t *document, const void *text, size_t size);

/*
 * The document as text, malloc'ed, in the subset of YAML that Intel's driver reads: blocks are
 * indented below their key, which libyaml's own emitter does not do, and only lists of scalars
 * stand in brackets. Sets *is_other, and no text, if it has what that subset has not. False without
 * memory.
 */
bool zebin_yaml_write(yaml_document_t *document, char **text, size_t *size, bool *is_other);

/* The text of a scalar, else NULL. */
const char *zebin_yaml_text(const yaml_node_t *node);

/* The value of the key; NULL if `map` is none or has no such key. */
yaml_node_t *zebin_yaml_get(yaml_document_t *document, const yaml_node_t *map, const char *key);

/* Item `i` of a sequence; NULL after the last. */
yaml_node_t *zebin_yaml_item(yaml_document_t *document, const yaml_node_t *list, size_t i);

/* Gives the key of map number `map` that value. False without memory. May move all nodes. */
bool zebin_yaml_set(yaml_document_t *document, int map, const char *key, const char *value);

/* Leaves `value` alone if the key is not there. False: its value is no number below 2^32. */
bool zebin_yaml_number(
	yaml_document_t *document, const yaml_node_t *map, const char *key, size_t *value);

#endif
