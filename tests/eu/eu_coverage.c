// SPDX-License-Identifier: MIT
/*
 * eu_coverage PAGE ALONE COMPARED FILE…: reads what ZEROCL_VGPU_FORMS wrote into the files,
 * and which of those forms eu_form_test compared with its reference (COMPARED), and writes a table
 * of all forms to PAGE. Prints what is wrong, and fails if anything is: a form that the device does
 * not implement, files with hardly any, a form that no test has executed, or a difference from
 * ALONE, the committed list of forms that are not compared alone, beside messages whose descriptor
 * is in a register (eu_message_lsc_test and others compare those).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_BYTES = 400,
	LEAST_FORMS = 2000, /* of a corpus worth its name */
};

struct form {
	char how[16];
	bool executed, compared; /* by the corpus; with a reference, by itself */
	bool excepted;		 /* named by ALONE */
	char *text;		 /* as the file has it */
	char *key;		 /* in it: by which forms are sorted, without the predicate */
};

static struct form *forms;
static size_t count, capacity;

/* The form without its predicate, so that one opcode's stay together. */
static char *key_of(char *text)
{
	char *end = text[0] == '(' ? strchr(text, ')') : NULL;

	return end && end[1] == ' ' ? end + 2 : text;
}

static int by_key(const void *a, const void *b)
{
	const struct form *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : strcmp(x->text, y->text);
}

static bool add(char *line)
{
	char *how = strtok(line, "\t"), *executed = strtok(NULL, "\t"), *text = strtok(NULL, "\t");

	if (!text)
		return false;
	if (count == capacity) {
		capacity = capacity ? 2 * capacity : 1024;
		forms = realloc(forms, capacity * sizeof *forms);
		if (!forms)
			return false;
	}
	struct form *form = &forms[count++];
	snprintf(form->how, sizeof form->how, "%s", how);
	form->executed = strcmp(executed, "0") != 0;
	form->compared = form->excepted = false;
	form->text = strdup(text);
	form->key = form->text ? key_of(form->text) : NULL;
	return form->text != NULL;
}

static bool read_file(const char *path)
{
	char line[LINE_BYTES];
	FILE *file = fopen(path, "r");
	bool good = file != NULL;

	while (good && fgets(line, sizeof line, file))
		good = add(line);
	if (file)
		fclose(file);
	if (!good)
		fprintf(stderr, "%s: cannot be read\n", path);
	return good;
}

static bool is(const struct form *form, const char *how)
{
	return !strcmp(form->how, how);
}

/* From the best to the worst. */
static const char *const hows[] = { "vector", "inline", "call", "dynamic", "loop", "general",
	"missing" };
enum { HOWS = sizeof(hows) / sizeof(*hows) };

static unsigned rank(const struct form *form)
{
	unsigned i = 0;

	while (i < HOWS && !is(form, hows[i]))
		i++;
	return i;
}

/* One form is one row: lowered in two ways it counts as the worse one. */
static void merge(void)
{
	size_t kept = 0;

	qsort(forms, count, sizeof *forms, by_key);
	for (size_t i = 0; i < count; i++) {
		struct form *last = kept ? &forms[kept - 1] : NULL;
		if (!last || strcmp(last->text, forms[i].text) != 0) {
			forms[kept++] = forms[i];
			continue;
		}
		last->executed |= forms[i].executed;
		if (rank(&forms[i]) > rank(last))
			memcpy(last->how, forms[i].how, sizeof last->how);
		free(forms[i].text);
	}
	count = kept;
}

static size_t counted(const char *how, bool executed, bool compared)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += is(&forms[i], how) && forms[i].executed == executed &&
		     forms[i].compared == compared;
	return n;
}

/* Sets the flag at `offset` of the forms that the file names, one a line; "#" begins a comment. */
static bool mark(const char *path, size_t offset)
{
	char line[LINE_BYTES];
	FILE *file = fopen(path, "r");
	bool good = file != NULL;

	while (good && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = 0;
		struct form wanted = { .text = line, .key = key_of(line) };
		struct form *form = bsearch(&wanted, forms, count, sizeof *forms, by_key);
		if (form)
			*(bool *)((char *)form + offset) = true;
	}
	if (file)
		fclose(file);
	if (!good)
		fprintf(stderr, "%s: cannot be read\n", path);
	return good;
}

static void print_table(FILE *page)
{
	fprintf(page,
		"# Coverage\n\nMade by the tests of what the corpus in `tests/eu` was compiled "
		"to by Intel's compiler, and\n`tests/mesa` by Mesa's: every\ndistinct opcode with "
		"its execution size, types and "
		"modifiers, and every distinct message. `vector`:\nmicro-operations with "
		"vector code; `loop`: one of them goes from channel to channel; `general`: the\n"
		"path for any types and regions; `inline`: a message with a micro-operation of its "
		"own; `call`: one with a\nfunction; `dynamic`: one whose descriptor is in a "
		"register; `missing`: not implemented. `corpus`: the corpus "
		"executed the form, and its\nresults were compared with independent references. "
		"`alone`: an instruction of the form was executed by\n`eu_form_test`, by each "
		"engine, and all it changes compared bit for bit with the plain device of\n"
		"`tests/eu/eu_reference.c`; of messages, to which channels they apply and what "
		"they "
		"carry.\n\n| how | both | corpus | alone | neither |\n|---|---|---|---|---|\n");
	for (unsigned i = 0; i < HOWS; i++)
		fprintf(page, "| %s | %zu | %zu | %zu | %zu |\n", hows[i],
			counted(hows[i], true, true), counted(hows[i], true, false),
			counted(hows[i], false, true), counted(hows[i], false, false));
	fprintf(page, "\n| form | how | corpus | alone |\n|---|---|---|---|\n");
	for (size_t i = 0; i < count; i++)
		fprintf(page, "| `%s` | %s | %s | %s |\n", forms[i].text, forms[i].how,
			forms[i].executed ? "yes" : "no", forms[i].compared ? "yes" : "no");
}

static bool check(void)
{
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		if (is(&forms[i], "missing")) {
			printf("not implemented: %s\n", forms[i].text);
			good = false;
		}
		if (forms[i].compared == (forms[i].excepted || is(&forms[i], "dynamic"))) {
			printf("%s: %s\n",
				forms[i].compared
					? "compared alone, and in the list of exceptions"
					: "not compared alone, nor in the list of exceptions",
				forms[i].text);
			good = false;
		}
		if (!forms[i].executed && !forms[i].compared) {
			printf("no test executes: %s\n", forms[i].text);
			good = false;
		}
	}
	if (count < LEAST_FORMS) {
		printf("only %zu forms: this is not the corpus\n", count);
		good = false;
	}
	return good;
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	for (int i = 4; i < argc; i++)
		if (!read_file(argv[i]))
			return 2;
	merge();
	if (!mark(argv[2], offsetof(struct form, excepted)) ||
		!mark(argv[3], offsetof(struct form, compared)))
		return 2;
	FILE *page = fopen(argv[1], "w");
	if (!page)
		return 2;
	print_table(page);
	return !fclose(page) && check() ? 0 : 1;
}
