// SPDX-License-Identifier: MIT
#include "compile/cc/builtin_prune_subset.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * What the names of functions begin with ('^') or hold that a subset lacks, unless others that it
 * has call them; of the words that hold, the first one counts, and one after '!' says that it has
 * the function. "_Z": functions of the old form of OpenCL C; SPIR-V names only those of Intel's
 * extensions so. f64: few devices have double precision. RTE and the like: conversions with a
 * rounding mode. The first is for the programs that most are.
 */
static const char subset_names[COMPILE_BIF_SUBSETS][320] = {
	"^_Z i8 i16 i64 f16 f64 v3 v8 v16 Async prefetch vload vstore lgamma remquo modf frexp "
	"fract "
	"sincos shuffle bitselect Sat _RT Image Media media vme matrix svml simd Pipe NamedBarrier "
	"Extended BitField WorkGroup SubGroup Group Scan Reduce Complex intel",
	"matrix_mad vme media !intel_ ^_Z f64 _RTE_ _RTP_ _RTN_ _RTZ_ _Sat_ ^__ocl_svml Media "
	"Image simd_block v3 v8 "
	"v16",
	"vme media !intel_ ^_Z f64 _RTE_ _RTP_ _RTN_ ^__ocl_svml",
};

const char *compile_bif_subset_name(unsigned number)
{
	return subset_names[number];
}

uint64_t compile_bif_hash(const char *name, size_t size)
{
	return XXH3_64bits(name, size);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

bool compile_bif_lacks(const struct compile_bif_subset *subset, uint64_t hash)
{
	return bsearch(&hash, subset->dropped, subset->n_dropped, sizeof hash, by_value);
}

static bool is_to_go(const char *name, const char *words)
{
	while (*words) {
		const size_t size = strcspn(words, " ");
		const bool is_start = *words == '^', is_kept = *words == '!';
		char word[32];

		memcpy(word, words, size);
		word[size] = '\0';
		if (is_start ? !strncmp(name, word + 1, size - 1)
			     : strstr(name, word + is_kept) != NULL)
			return !is_kept;
		words += size + strspn(words + size, " ");
	}
	return false;
}

/* The hashes of the names of all functions, in order, to be freed. */
static uint64_t *list_names(const struct compile_llvm *llvm, void *module, size_t *n)
{
	size_t room = 0, size;

	for (void *f = llvm->first_function(module); f; f = llvm->next_function(f))
		room++;
	uint64_t *names = malloc((room + 1) * sizeof *names);
	*n = 0;
	for (void *f = llvm->first_function(module); names && f; f = llvm->next_function(f)) {
		const char *name = llvm->name(f, &size);
		names[(*n)++] = compile_bif_hash(name, size);
	}
	if (names)
		qsort(names, *n, sizeof *names, by_value);
	return names;
}

/* Takes out of the module what the words name, unless something that stays calls it. */
static void prune(const struct compile_llvm *llvm, void *module, const char *words)
{
	size_t size, n;

	/* What goes makes room for what only that called. */
	do {
		void *next;

		n = 0;
		for (void *f = llvm->first_function(module); f; f = next) {
			next = llvm->next_function(f);
			if (llvm->is_declaration(f) || llvm->first_use(f) ||
				!is_to_go(llvm->name(f, &size), words))
				continue;
			llvm->delete_function(f);
			n++;
		}
	} while (n);
}

/* What the module has, and those of `names` that it lacks. */
static bool take(const struct compile_llvm *llvm, void *module, const uint64_t *names, size_t n,
	struct compile_bif_subset *subset)
{
	size_t n_left;
	uint64_t *left = list_names(llvm, module, &n_left);
	void *buffer = llvm->write(module);

	subset->dropped = malloc((n + 1) * sizeof *subset->dropped);
	if (!left || !buffer || !subset->dropped)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!bsearch(&names[i], left, n_left, sizeof *left, by_value))
			subset->dropped[subset->n_dropped++] = names[i];
	subset->size = llvm->buffer_size(buffer);
	subset->code = malloc(subset->size);
	if (!subset->code)
		return false;
	memcpy(subset->code, llvm->buffer_start(buffer), subset->size);
	return true;
}

bool compile_bif_make(const struct compile_llvm *llvm, const char *code, size_t size,
	struct compile_bif_subset subsets[COMPILE_BIF_SUBSETS])
{
	void *context = llvm->context_create(), *module = NULL;
	void *buffer = llvm->buffer_over(code, size, "functions", 0);
	size_t n;

	if (!context || !buffer || llvm->parse(context, buffer, &module) || !module)
		return false;
	uint64_t *names = list_names(llvm, module, &n);
	/* A smaller one is a part of the next larger one. */
	for (unsigned i = COMPILE_BIF_SUBSETS; names && i-- > 0;) {
		prune(llvm, module, subset_names[i]);
		if (!take(llvm, module, names, n, &subsets[i]))
			return false;
	}
	free(names);
	return names;
}
