// SPDX-License-Identifier: MIT
#include "compile/base/request.h"
#include "compile/base/compile_options.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum form {
	EXACT,	  /* the word is the name */
	BEGINS,	  /* the word begins with the name; the compiler knows the rest */
	VALUE,	  /* the value is the rest of the word, one of `values` */
	FOLLOWED, /* the value is the next word, one of `values` if there are any */
	MACRO,	  /* a definition, in the rest of the word or in the next word */
	FOLDER	  /* a path, likewise */
};

struct option {
	const char *name;
	enum form form;
	const char *values; /* separated by spaces */
};

/* Section 5.8.6, and what Intel's compiler adds. */
static const struct option known[] = {
	{ "-D", MACRO, NULL },
	{ "-I", FOLDER, NULL },
	{ "-cl-single-precision-constant", EXACT, NULL },
	{ "-cl-denorms-are-zero", EXACT, NULL },
	{ "-cl-fp32-correctly-rounded-divide-sqrt", EXACT, NULL },
	{ "-cl-opt-disable", EXACT, NULL },
	{ "-cl-strict-aliasing", EXACT, NULL },
	{ "-cl-mad-enable", EXACT, NULL },
	{ "-cl-no-signed-zeros", EXACT, NULL },
	{ "-cl-unsafe-math-optimizations", EXACT, NULL },
	{ "-cl-finite-math-only", EXACT, NULL },
	{ "-cl-fast-relaxed-math", EXACT, NULL },
	{ "-cl-uniform-work-group-size", EXACT, NULL },
	{ "-cl-no-subgroup-ifp", EXACT, NULL },
	{ "-w", EXACT, NULL },
	{ "-Werror", EXACT, NULL },
	{ "-cl-std=", VALUE, "CL1.1 CL1.2 CL2.0 CL3.0 CL3.1" },
	{ "-cl-kernel-arg-info", EXACT, NULL },
	{ "-g", EXACT, NULL },
	{ "-gline-tables-only", EXACT, NULL },
	{ "-s", FOLLOWED, NULL },
	{ "-x", FOLLOWED, "spir" },
	{ "-spir-std=", VALUE, "1.2" },
	{ "-cl-intel-", BEGINS, NULL },
	{ "-ze-", BEGINS, NULL },
};

bool compile_options_next(const char **at, struct compile_word *word, bool *is_open)
{
	bool quoted = false;

	while (isspace((unsigned char)**at))
		(*at)++;
	word->text = *at;
	for (; **at && (quoted || !isspace((unsigned char)**at)); (*at)++)
		if (**at == '"')
			quoted = !quoted;
	word->size = (size_t)(*at - word->text);
	*is_open = quoted;
	return word->size > 0;
}

bool compile_word_is(struct compile_word word, const char *text)
{
	return word.size == strlen(text) && !memcmp(word.text, text, word.size);
}

bool compile_word_begins(struct compile_word word, const char *start)
{
	return word.size >= strlen(start) && !memcmp(word.text, start, strlen(start));
}

/* Whether one of the words between blanks or commas is that one. */
static bool is_one_of(const char *list, struct compile_word word)
{
	static const char separators[] = ", ";

	while (*(list += strspn(list, separators))) {
		const size_t size = strcspn(list, separators);

		if (size == word.size && !memcmp(list, word.text, size))
			return true;
		list += size;
	}
	return false;
}

bool compile_list_has(const char *list, const char *word)
{
	return is_one_of(list, (struct compile_word){ word, strlen(word) });
}

static bool have(
	const char *options, bool (*fits)(struct compile_word, const char *), const char *text)
{
	const char *at = options ? options : "";
	struct compile_word word;
	bool is_open;

	while (compile_options_next(&at, &word, &is_open))
		if (fits(word, text))
			return true;
	return false;
}

bool compile_options_have(const char *options, const char *start)
{
	return have(options, compile_word_begins, start);
}

bool compile_options_have_word(const char *options, const char *word)
{
	return have(options, compile_word_is, word);
}

static bool matches(const struct option *option, struct compile_word word)
{
	if (option->form == EXACT || option->form == FOLLOWED)
		return compile_word_is(word, option->name);
	return compile_word_begins(word, option->name);
}

/* Section 5.8.7. */
static const struct option linker[] = {
	{ "-create-library", EXACT, NULL },
	{ "-enable-link-options", EXACT, NULL },
	{ "-cl-denorms-are-zero", EXACT, NULL },
	{ "-cl-no-signed-zeros", EXACT, NULL },
	{ "-cl-unsafe-math-optimizations", EXACT, NULL },
	{ "-cl-finite-math-only", EXACT, NULL },
	{ "-cl-fast-relaxed-math", EXACT, NULL },
	{ "-cl-no-subgroup-ifp", EXACT, NULL },
	{ "-cl-intel-", BEGINS, NULL },
	{ "-ze-", BEGINS, NULL },
};

static const struct option *find(const struct option *options, size_t n, struct compile_word word)
{
	for (size_t i = 0; i < n; i++)
		if (matches(&options[i], word))
			return &options[i];
	return NULL;
}

/* An identifier, then nothing, "=…" or "(…"; quotes around it do not count. */
static bool is_macro(struct compile_word value)
{
	size_t i = 0;

	while (i < value.size && value.text[i] == '"')
		i++;
	if (i == value.size || !(isalpha((unsigned char)value.text[i]) || value.text[i] == '_'))
		return false;
	while (i < value.size && (isalnum((unsigned char)value.text[i]) || value.text[i] == '_'))
		i++;
	return i == value.size || strchr("=(\"", value.text[i]);
}

/* What is wrong with the value of the option, or NULL. */
static const char *judge(const struct option *option, struct compile_word value)
{
	if (!value.size)
		return "nothing follows";
	if (option->form == MACRO && !is_macro(value))
		return "no macro follows";
	if (option->values && !is_one_of(option->values, value))
		return "its value is not one that the specification has";
	return NULL;
}

static enum compile_status refuse(
	char *why, size_t size, struct compile_word word, const char *reason)
{
	if (why && size)
		snprintf(why, size, "build option %.*s: %s",
			(int)(word.size > 200 ? 200 : word.size), word.text, reason);
	return COMPILE_BAD_OPTIONS;
}

static enum compile_status check(
	const struct option *table, size_t n, const char *options, char *why, size_t size)
{
	const char *at = options ? options : "";
	struct compile_word word;
	bool is_open;

	while (compile_options_next(&at, &word, &is_open)) {
		const struct option *option = find(table, n, word);
		if (is_open)
			return refuse(why, size, word, "a quote is not closed");
		if (!option)
			return refuse(why, size, word, "unknown");
		if (option->form == EXACT || option->form == BEGINS)
			continue;
		struct compile_word value = { word.text + strlen(option->name),
			word.size - strlen(option->name) };
		if (!value.size && option->form != VALUE)
			compile_options_next(&at, &value, &is_open);
		const char *reason = is_open ? "a quote is not closed" : judge(option, value);
		if (reason)
			return refuse(why, size, word, reason);
	}
	return COMPILE_OK;
}

enum compile_status compile_check_options(const char *options, char *why, size_t size)
{
	return check(known, sizeof(known) / sizeof(*known), options, why, size);
}

enum compile_status compile_check_link_options(
	const char *options, bool *is_library, char *why, size_t size)
{
	const enum compile_status status =
		check(linker, sizeof(linker) / sizeof(*linker), options, why, size);

	*is_library = status == COMPILE_OK && compile_options_have(options, "-create-library");
	if (status == COMPILE_OK && !*is_library &&
		compile_options_have(options, "-enable-link-options"))
		return refuse(why, size, (struct compile_word){ "-enable-link-options", 20 },
			"goes with -create-library only");
	return status;
}

char *compile_link_options(char *options)
{
	const char *at = options;
	struct compile_word word;
	bool is_open;

	while (compile_options_next(&at, &word, &is_open))
		if (compile_word_is(word, "-create-library") ||
			compile_word_is(word, "-enable-link-options"))
			memset(options + (word.text - options), ' ', word.size);
	return options;
}
