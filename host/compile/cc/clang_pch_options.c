// SPDX-License-Identifier: MIT
#include "compile/cc/clang_pch_options.h"
#include "compile/base/compile_options.h"

#include <ctype.h>
#include <string.h>

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the text holds the name as a whole word. */
static bool holds(const struct clang_pch_text *text, const char *name, size_t size)
{
	const char *end = text->text + text->size;

	for (const char *at = text->text; (at = memmem(at, (size_t)(end - at), name, size)); at++) {
		bool begins = at == text->text || !is_letter(at[-1]);
		if (begins && (at + size == end || !is_letter(at[size])))
			return true;
	}
	return false;
}

/* Whether the definition, "NAME…", means nothing to the texts. */
static bool is_harmless(
	struct compile_word word, const struct clang_pch_text *texts, size_t n_texts)
{
	size_t size = 0;

	while (word.size && *word.text == '"') {
		word.text++;
		word.size--;
	}
	while (size < word.size && is_letter(word.text[size]))
		size++;
	if (!size || isdigit((unsigned char)*word.text))
		return false;
	for (size_t i = 0; i < n_texts; i++)
		if (holds(&texts[i], word.text, size))
			return false;
	return true;
}

/* Options of which the header is independent: each gives the same SPIR-V with a header that was
 * compiled without it. */
static const char *const indifferent[] = { "-w", "-Werror", "-cl-kernel-arg-info", "-cl-mad-enable",
	"-cl-no-signed-zeros", "-cl-denorms-are-zero", "-cl-fp32-correctly-rounded-divide-sqrt",
	"-cl-strict-aliasing", "-cl-uniform-work-group-size", "-cl-no-subgroup-ifp",
	"-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math", "-cl-single-precision-constant",
	"-cl-opt-disable" };

static bool is_indifferent(struct compile_word word)
{
	for (size_t i = 0; i < sizeof indifferent / sizeof *indifferent; i++)
		if (compile_word_is(word, indifferent[i]))
			return true;
	return false;
}

bool clang_pch_options(
	const char *options, const struct clang_pch_text *texts, size_t n_texts, char *kept)
{
	const char *at = options;
	struct compile_word word, value;
	bool is_open;

	*kept = '\0';
	/* A backslash joins words for the front end, and not for us. */
	if (strchr(options, '\\'))
		return false;
	while (compile_options_next(&at, &word, &is_open)) {
		if (is_open || *word.text == '"' || compile_word_begins(word, "-g") ||
			compile_word_begins(word, "-s") || compile_word_begins(word, "-x"))
			return false;
		if (!compile_word_begins(word, "-D") && !compile_word_begins(word, "-I")) {
			if (is_indifferent(word))
				continue;
			strncat(kept, word.text, word.size);
			strcat(kept, " ");
			continue;
		}
		value = (struct compile_word){ word.text + 2, word.size - 2 };
		if (!value.size && (!compile_options_next(&at, &value, &is_open) || is_open))
			return false;
		if (compile_word_begins(word, "-D") && !is_harmless(value, texts, n_texts))
			return false;
	}
	return true;
}
