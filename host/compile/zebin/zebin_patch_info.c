// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_patch_info.h"

#include "compile/zebin/zebin_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The argument types concerned: the memory that the driver prints from, and the memory through
 * which functions that are called by pointers get such things. */
#define PRINTF	 "printf_buffer"
#define IMPLICIT "implicit_arg_buffer"

static bool has(const char *text, size_t size, const char *word)
{
	return memmem(text, size, word, strlen(word));
}

/* Whether the kernel has the n-th argument: beyond those of the application, the implicit one. */
static bool has_argument(yaml_document_t *document, const yaml_node_t *kernel, size_t n)
{
	const yaml_node_t *list = zebin_yaml_get(document, kernel, "payload_arguments"), *argument;
	size_t index;

	for (size_t i = 0; (argument = zebin_yaml_item(document, list, i)); i++)
		if (zebin_yaml_number(document, argument, "arg_index", &index) && index == n)
			return true;
	return false;
}

/* Makes the argument the one of number `n` of those that the application gives. */
static bool set_argument(yaml_document_t *document, yaml_node_t *argument, size_t n)
{
	char number[24];
	const char *const pairs[][2] = { { "arg_type", "arg_bypointer" }, { "arg_index", number },
		{ "addrmode", "stateless" }, { "addrspace", "global" },
		{ "access_type", "readwrite" } };
	const int node = (int)(argument - document->nodes.start) + 1;

	snprintf(number, sizeof(number), "%zu", n);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (!zebin_yaml_set(document, node, pairs[i][0], pairs[i][1]))
			return false;
	return true;
}

/* Changes the arguments of one kernel; sets is_stuck if one cannot be. False without memory. */
static bool edit_kernel(yaml_document_t *document, const yaml_node_t *kernel,
	const struct reflection *reflection, struct zebin_patch_info *info)
{
	const char *name = zebin_yaml_text(zebin_yaml_get(document, kernel, "name"));
	const struct compile_kernel *known = name ? reflection_find(reflection, name) : NULL;
	const size_t number = known ? (size_t)(known - reflection->kernels) : 0;
	/* Adding nodes moves them: the list is looked up each time. */
	const ptrdiff_t place = kernel - document->nodes.start;

	for (size_t i = 0;; i++) {
		kernel = document->nodes.start + place;
		yaml_node_t *argument = zebin_yaml_item(
			document, zebin_yaml_get(document, kernel, "payload_arguments"), i);
		const char *type = zebin_yaml_text(zebin_yaml_get(document, argument, "arg_type"));

		if (!argument)
			return true;
		if (!type || strcmp(type, PRINTF) != 0)
			continue;
		if (!known || info->prints[number]) {
			info->is_stuck = true;
			return true;
		}
		info->prints[number] = true;
		if (!set_argument(document, argument,
			    known->n_args + has_argument(document, kernel, known->n_args)))
			return false;
	}
}

static bool edit(yaml_document_t *document, const struct reflection *reflection,
	struct zebin_patch_info *info)
{
	info->prints = calloc(reflection->n_kernels + 1, sizeof(*info->prints));
	if (!info->prints)
		return false;
	for (size_t i = 0; !info->is_stuck; i++) {
		const yaml_node_t *kernel = zebin_yaml_item(document,
			zebin_yaml_get(document, yaml_document_get_root_node(document), "kernels"),
			i);
		if (!kernel)
			break;
		if (!edit_kernel(document, kernel, reflection, info))
			return false;
	}
	if (info->is_stuck)
		return true;
	return zebin_yaml_write(document, &info->text, &info->size, &info->is_stuck);
}

bool zebin_patch_info(const char *text, size_t size, bool is_foreign,
	const struct reflection *reflection, struct zebin_patch_info *out)
{
	yaml_document_t document;
	bool is_other = false, ok = true;
	const bool prints = text && reflection && has(text, size, PRINTF);

	*out = (struct zebin_patch_info){ 0 };
	if (!text || (!is_foreign && !prints))
		return true;
	out->is_stuck = prints && has(text, size, IMPLICIT);
	if (out->is_stuck && !is_foreign)
		return true;
	enum compile_status status = zebin_yaml_load(&document, text, size);
	if (status != COMPILE_OK) {
		/* The driver will complain of what is no YAML. */
		out->is_stuck = true;
		return status == COMPILE_ERROR;
	}
	if (!out->is_stuck && prints)
		ok = edit(&document, reflection, out);
	if (ok && is_foreign && !out->text)
		ok = zebin_yaml_write(&document, &out->text, &out->size, &is_other);
	yaml_document_delete(&document);
	if (!ok || out->is_stuck) {
		free(out->prints);
		out->prints = NULL;
	}
	if (!ok || (out->is_stuck && !is_foreign)) {
		free(out->text);
		*out = (struct zebin_patch_info){ .is_stuck = out->is_stuck };
	}
	return ok;
}
