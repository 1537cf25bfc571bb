// SPDX-License-Identifier: MIT
#include "compile/zebin/zebin_check_info.h"

#include "compile/zebin/zebin_yaml.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 6, MAX_ARGS = 4096, MAX_PAYLOAD = 0xff00 };

/* Numbers that have limits wherever they are. */
static const struct {
	const char *key;
	size_t most;
} numbers[] = {
	{ "offset", MAX_PAYLOAD },
	{ "size", 1 << 27 },
	{ "source_offset", MAX_PAYLOAD },
	{ "arg_index", MAX_ARGS - 1 },
	{ "index", MAX_ARGS - 1 },
	{ "bti_value", 253 },
	{ "sampler_index", 31 },
	{ "slm_alignment", 1 << 16 },
	{ "slm_size", 1 << 20 },
	{ "slot", 1 },
	{ "barrier_count", 64 },
	{ "grf_count", 512 },
	{ "simd_size", 32 },
	{ "required_sub_group_size", 32 },
	{ "offset_to_skip_per_thread_data_load", 1 << 20 },
	{ "offset_to_skip_set_ffid_gp", 1 << 20 },
	{ "actual_kernel_start_offset", 1 << 20 },
};

/* Lists of three numbers. The driver has room for no more, and divides by sizes. */
static const struct {
	const char *key;
	unsigned least, most;
} triples[] = {
	{ "required_work_group_size", 1, 1024 },
	{ "reqd_work_group_size", 1, 1024 },
	{ "work_group_size_hint", 0, UINT16_MAX },
	{ "work_group_walk_order_dimensions", 0, 2 },
};

/* What an argument of a kernel is; all that is said of it must agree. */
enum class { NOTHING, VALUE, POINTER, IMAGE, SAMPLER };

/* By their start. Those without an argument are NOTHING. */
static const struct {
	const char *type;
	enum class class;
	bool is_address; /* its size is that of a pointer */
} types[] = {
	{ "arg_byvalue", VALUE, false },
	{ "buffer_address", POINTER, true },
	{ "buffer_", POINTER, false },
	{ "image_", IMAGE, false },
	{ "flat_image_", IMAGE, false },
	{ "sampler_", SAMPLER, false },
	{ "printf_buffer", NOTHING, true },
	{ "private_base_stateless", NOTHING, true },
};

static const struct {
	const char *space;
	enum class class;
} spaces[] = {
	{ "global", POINTER },
	{ "constant", POINTER },
	{ "local", POINTER },
	{ "image", IMAGE },
	{ "sampler", SAMPLER },
};

struct check {
	const struct elf_file *file;
	yaml_document_t document;
	size_t n_left;		   /* nodes: an alias would make one appear twice */
	uint8_t classes[MAX_ARGS]; /* of the kernel's arguments: enum class */
	bool is_simd32;		   /* the kernel is */
	const char *wrong;
};

static bool refuse(struct check *check, const char *what)
{
	if (!check->wrong)
		check->wrong = what;
	return false;
}

static const char *get(struct check *check, const yaml_node_t *map, const char *key)
{
	const char *text = zebin_yaml_text(zebin_yaml_get(&check->document, map, key));

	return text ? text : "";
}

static bool is_plain(const yaml_node_t *node)
{
	const char *text = zebin_yaml_text(node);
	const bool is_quoted = text && node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;

	if (!text || strlen(text) != node->data.scalar.length || (!*text && !is_quoted))
		return false;
	for (; *text; text++)
		if ((unsigned char)*text < ' ' ||
			strchr(is_quoted ? "'\"\\" : "'\"\\#[]{},&*!|>%@`", *text))
			return false;
	return true;
}

static bool is_number(const yaml_node_t *node, size_t least, size_t most)
{
	const char *text = zebin_yaml_text(node);
	char *end = NULL;

	if (!text || !isdigit((unsigned char)*text) || strlen(text) > 9)
		return false;
	size_t value = strtoul(text, &end, 10);
	return value >= least && value <= most && !*end;
}

static bool check_pair(struct check *check, const char *key, const yaml_node_t *value)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!strcmp(numbers[i].key, key) && !is_number(value, 0, numbers[i].most))
			return refuse(check, "a number is out of bounds");
	for (size_t i = 0; i < sizeof(triples) / sizeof(*triples); i++)
		for (size_t k = 0; !strcmp(triples[i].key, key) && k < 4; k++) {
			const yaml_node_t *item = zebin_yaml_item(&check->document, value, k);

			if (k == 3 ? item != NULL
				   : !is_number(item, triples[i].least, triples[i].most))
				return refuse(check, "three numbers are not three");
		}
	return true;
}

/* Maps, lists of maps, and lists of scalars in brackets, of plain texts; no key twice. */
static bool check_node(struct check *check, const yaml_node_t *node, unsigned depth)
{
	const yaml_node_t *item;

	if (!node || !check->n_left-- || depth > MAX_DEPTH)
		return refuse(check, "it is too deep");
	if (node->type == YAML_SCALAR_NODE)
		return is_plain(node) || refuse(check, "a text is not plain");
	if (node->type == YAML_SEQUENCE_NODE) {
		const bool is_flow = node->data.sequence.style == YAML_FLOW_SEQUENCE_STYLE;

		for (size_t i = 0; (item = zebin_yaml_item(&check->document, node, i)); i++)
			if (item->type != (is_flow ? YAML_SCALAR_NODE : YAML_MAPPING_NODE) ||
				!check_node(check, item, depth + 1))
				return refuse(check, "a list is not one");
		return zebin_yaml_item(&check->document, node, 0) ||
		       refuse(check, "a list is empty");
	}
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
		pair < node->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key = yaml_document_get_node(&check->document, pair->key);
		const yaml_node_t *value = yaml_document_get_node(&check->document, pair->value);
		const char *text = zebin_yaml_text(key);

		if (!is_plain(key) || strpbrk(text, " :") ||
			zebin_yaml_get(&check->document, node, text) != value)
			return refuse(check, "a key is none, or is there twice");
		if (!check_node(check, value, depth + 1) || !check_pair(check, text, value))
			return false;
	}
	return true;
}

/* Notes what the argument is; false if it is something else already. */
static bool set_class(struct check *check, const yaml_node_t *node, enum class class)
{
	const char *index = get(check, node, "arg_index");
	uint8_t *own = &check->classes[strtoul(index, NULL, 10)];

	if (class == NOTHING)
		return !*index || refuse(check, "an argument is of no kind");
	if (!*index || (*own && *own != class))
		return refuse(check, "an argument is of two kinds");
	*own = (uint8_t) class;
	return true;
}

static bool check_pointer(struct check *check, const yaml_node_t *node)
{
	const char *space = get(check, node, "addrspace"), *mode = get(check, node, "addrmode");
	const char *access = get(check, node, "access_type");
	enum class class = NOTHING;

	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
		if (!strcmp(spaces[i].space, space))
			class = spaces[i].class;
	if (strcmp(access, "readonly") && strcmp(access, "writeonly") &&
		strcmp(access, "readwrite"))
		return refuse(check, "an argument has no access_type");
	if ((!strcmp(mode, "stateless") || !strcmp(mode, "slm")) && class != POINTER)
		return refuse(check, "an argument is not where it can be");
	return class == NOTHING ? refuse(check, "an argument has no addrspace")
				: set_class(check, node, class);
}

static bool check_payload(struct check *check, const yaml_node_t *node)
{
	const char *type = get(check, node, "arg_type"), *size = get(check, node, "size");
	const char *mode = get(check, node, "addrmode");
	const bool is_pointer = !strcmp(type, "arg_bypointer");
	bool is_address = is_pointer && strcmp(mode, "stateful") != 0;
	enum class class = NOTHING;

	if (!*type || !*size || !*get(check, node, "offset") ||
		strtoul(size, NULL, 10) > MAX_PAYLOAD)
		return refuse(check, "an argument is not whole");
	for (size_t i = sizeof(types) / sizeof(*types); i--;)
		if (!strncmp(type, types[i].type, strlen(types[i].type))) {
			class = types[i].class;
			is_address = types[i].is_address;
		}
	if (is_address && strcmp(size, "8") != 0 && strcmp(size, "4") != 0)
		return refuse(check, "an address has another size");
	return is_pointer ? check_pointer(check, node) : set_class(check, node, class);
}

static bool check_binding(struct check *check, const yaml_node_t *node)
{
	const char *index = get(check, node, "arg_index");
	const unsigned class = check->classes[strtoul(index, NULL, 10)];

	return (*index && *get(check, node, "bti_value") && (class == POINTER || class == IMAGE)) ||
	       refuse(check, "an entry of the binding table is of no argument");
}

/* Whether what the key has, if it is there, is a list of maps that `check_item` accepts; NULL: of
 * any. */
static bool check_list(struct check *check, const yaml_node_t *map, const char *key,
	bool (*check_item)(struct check *, const yaml_node_t *))
{
	const yaml_node_t *list = zebin_yaml_get(&check->document, map, key), *item;

	if (list && list->type != YAML_SEQUENCE_NODE)
		return refuse(check, "something is no list");
	for (size_t i = 0; (item = zebin_yaml_item(&check->document, list, i)); i++)
		if (item->type != YAML_MAPPING_NODE || (check_item && !check_item(check, item)))
			return refuse(check, "an item of a list is none");
	return true;
}

/* Local ids have three dimensions. */
static bool check_thread(struct check *check, const yaml_node_t *node)
{
	const char *type = get(check, node, "arg_type"), *size = get(check, node, "size");
	const bool is_small = !strcmp(size, "96") && !check->is_simd32;

	if ((!strcmp(type, "local_id") && !is_small && strcmp(size, "192") != 0) ||
		(!strcmp(type, "packed_local_ids") && strcmp(size, "6") != 0))
		return refuse(check, "local ids are of another size");
	return true;
}

static bool check_kernel(struct check *check, const yaml_node_t *node)
{
	const yaml_node_t *env = zebin_yaml_get(&check->document, node, "execution_env");
	const char *simd = get(check, env, "simd_size"), *name = get(check, node, "name");

	memset(check->classes, NOTHING, sizeof(check->classes));
	if (!*name || !elf_file_code(check->file, name))
		return refuse(check, "a kernel has no code");
	if (!env || env->type != YAML_MAPPING_NODE ||
		(strcmp(simd, "1") && strcmp(simd, "8") && strcmp(simd, "16") &&
			strcmp(simd, "32")))
		return refuse(check, "a kernel has no simd_size");
	check->is_simd32 = !strcmp(simd, "32");
	return check_list(check, node, "payload_arguments", check_payload) &&
	       check_list(check, node, "binding_table_indices", check_binding) &&
	       check_list(check, node, "per_thread_payload_arguments", check_thread) &&
	       check_list(check, node, "per_thread_memory_buffers", NULL) &&
	       check_list(check, node, "inline_samplers", NULL);
}

/* Numbers of arguments count up from 0. */
static bool check_misc(struct check *check, const yaml_node_t *node)
{
	const yaml_node_t *list = zebin_yaml_get(&check->document, node, "args_info"), *item;
	char number[24];

	if (!elf_file_code(check->file, get(check, node, "name")))
		return refuse(check, "a kernel has no code");
	for (size_t i = 0; (item = zebin_yaml_item(&check->document, list, i)); i++) {
		snprintf(number, sizeof(number), "%zu", i);
		if (strcmp(get(check, item, "index"), number) != 0)
			return refuse(check, "an argument has the wrong number");
	}
	return check_list(check, node, "args_info", NULL);
}

static bool check_document(struct check *check)
{
	const yaml_node_t *root = yaml_document_get_root_node(&check->document);
	const char *version = get(check, root, "version");

	check->n_left = (size_t)(check->document.nodes.top - check->document.nodes.start);
	if (!root || root->type != YAML_MAPPING_NODE)
		return refuse(check, "it is no map");
	if (strspn(version, "0123456789.") != strlen(version) || !strchr(version, '.') ||
		strlen(version) > 15)
		return refuse(check, "it has no version");
	return check_node(check, root, 0) && check_list(check, root, "kernels", check_kernel) &&
	       check_list(check, root, "kernels_misc_info", check_misc) &&
	       check_list(check, root, "functions", NULL);
}

enum compile_status zebin_check_info(const struct elf_file *file, char *why, size_t why_size)
{
	const struct elf_file_section *info = elf_file_find(file, ELF_FILE_ZE_INFO, NULL);
	struct check *check;

	if (!info || !info->data)
		return COMPILE_OK;
	check = calloc(1, sizeof(*check));
	if (!check)
		return COMPILE_NO_MEMORY;
	check->file = file;
	enum compile_status status = zebin_yaml_load(&check->document, info->data, info->size);
	if (status == COMPILE_OK) {
		if (!check_document(check))
			status = COMPILE_ERROR;
		yaml_document_delete(&check->document);
	}
	if (status == COMPILE_ERROR)
		snprintf(why, why_size, "the native code's .ze_info is damaged: %s",
			check->wrong ? check->wrong : "it is not YAML");
	free(check);
	return status;
}
