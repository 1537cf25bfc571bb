// SPDX-License-Identifier: MIT
#include "compile/build/compile_builtins.h"

#include <stdbool.h>
#include <string.h>

extern const char builtin_sub_group_rotate_cl[];
extern const char builtin_sub_group_mask_cl[];
extern const char builtin_sub_group_cluster_cl[];
extern const char builtin_local_block_cl[];
extern const char builtin_split_barrier_cl[];
extern const char builtin_work_group_arithmetic_cl[];
extern const char builtin_image_order_cl[];
extern const char builtin_bit_ops_cl[];
extern const char builtin_dot_product_cl[];
extern const char builtin_atomic_sub_cl[];

/* A text goes in where `word` is in the program, and the device reports the extension. */
static const struct builtin {
	const char *extension;
	const char *word;
	const char *text;
	unsigned version; /* of OpenCL C, from which on it is there, and the macro too */
	bool macro;	  /* the compiler does not define the extension's macro */
} builtins[] = {
	{ "cl_khr_subgroup_rotate", "_rotate", builtin_sub_group_rotate_cl, 100, true },
	{ "cl_khr_subgroup_ballot", "get_sub_group_g", builtin_sub_group_mask_cl, 100, false },
	{ "cl_khr_subgroup_clustered_reduce", "_clustered_reduce_", builtin_sub_group_cluster_cl,
		100, false },
	{ "cl_intel_subgroup_local_block_io", "_block_", builtin_local_block_cl, 100, true },
	{ "cl_intel_split_work_group_barrier", "intel_work_group_barrier_",
		builtin_split_barrier_cl, 100, false },
	{ "cl_khr_work_group_uniform_arithmetic", "work_group_", builtin_work_group_arithmetic_cl,
		200, true },
	{ "cl_khr_depth_images", "_depth_t", builtin_image_order_cl, 100, false },
	{ "cl_khr_extended_bit_ops", "bitfield_", builtin_bit_ops_cl, 100, true },
	{ "cl_khr_extended_bit_ops", "bit_reverse", builtin_bit_ops_cl, 100, true },
	{ "cl_khr_integer_dot_product", "dot", builtin_dot_product_cl, 100, true },
	{ "cl_ext_float_atomics", "atomic_fetch_sub", builtin_atomic_sub_cl, 100, true },
	{ "cl_khr_expect_assume", "__builtin_assume", "", 100, true },
};

enum { FAR_LINE = 10000000 };

static bool lists(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

static bool holds(const char *text, size_t size, const char *word)
{
	return text && memmem(text, size, word, strlen(word));
}

/* Files that the program includes may hold it, too, and are not looked at. */
static bool is_mentioned(const struct compile_request *request, const char *word)
{
	if (holds(request->source, request->source_size, word))
		return true;
	for (size_t i = 0; i < request->n_headers; i++)
		if (holds(request->headers[i].text, request->headers[i].size, word))
			return true;
	return holds(request->source, request->source_size, "include");
}

void compile_builtins_put(FILE *out, const struct compile_request *request)
{
	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
		const struct builtin *row = &builtins[i];

		const char *all = request->extensions;
		bool mentioned = is_mentioned(request, row->word);
		if (all ? !lists(all, row->extension) : !mentioned)
			continue;
		/* Their lines are not taken for those of the source. */
		if (mentioned)
			fprintf(out, "#line %d\n%s", FAR_LINE, row->text);
		if (row->macro)
			fprintf(out,
				"#if __OPENCL_C_VERSION__ >= %u && !defined(%s)\n"
				"#define %s 1\n#endif\n",
				row->version, row->extension, row->extension);
	}
}
