// SPDX-License-Identifier: MIT
/*
 * eu_builtins LIST FILE…: compares the built-ins of corpus/builtins.txt, with each of their types
 * and ways to be compiled, with what the corpus notes that it has driven (corpus_rows.h). Prints
 * the rows that nobody drove, and how many there are of each section; fails if any is missing, if
 * a test drives what is on no list, or if the list has hardly any. The way "long" counts with
 * ZEROCL_TEST_LONG only.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 13000, LINE_BYTES = 8192, WORDS = 1024 };

struct row {
	char text[80]; /* built-in, type and way, with tabs between */
	const char *section;
	bool driven;
};

static struct row *rows;
static size_t count, capacity;

/* Types and ways that have a name in the list. */
static struct group {
	char name[32];
	char words[1024];
} groups[64];
static unsigned group_count;

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->text, ((const struct row *)b)->text);
}

static bool add(const char *section, const char *builtin, const char *type, const char *way)
{
	if (!strcmp(way, "long") && !getenv("ZEROCL_TEST_LONG"))
		return true;
	if (count == capacity) {
		capacity = capacity ? 2 * capacity : 4096;
		struct row *more = realloc(rows, capacity * sizeof *rows);
		if (!more)
			return false;
		rows = more;
	}
	rows[count].section = section;
	rows[count].driven = false;
	int length =
		snprintf(rows[count].text, sizeof rows->text, "%s\t%s\t%s", builtin, type, way);
	count++;
	return length > 0 && (size_t)length < sizeof rows->text;
}

/* Cuts at blanks, with groups replaced by what they stand for. `room` is for the words. */
static unsigned expand(const char *text, char *room, char **words)
{
	unsigned n = 0;
	char part[64];
	int length;

	for (; sscanf(text, " %63s%n", part, &length) == 1; text += length) {
		const struct group *group = NULL;
		for (unsigned i = 0; i < group_count; i++)
			if (!strcmp(groups[i].name, part))
				group = &groups[i];
		if (group) {
			unsigned more = expand(group->words, room, words + n);
			for (unsigned i = 0; i < more; i++)
				room += strlen(words[n + i]) + 1;
			n += more;
			continue;
		}
		words[n++] = strcpy(room, part);
		room += strlen(part) + 1;
	}
	return n;
}

/* "section | types | ways | built-ins", or "group = words". */
static bool read_line(char *line)
{
	static char type_room[LINE_BYTES], way_room[LINE_BYTES], name_room[LINE_BYTES];
	char *types[WORDS], *ways[WORDS], *names[WORDS], *equals = strchr(line, '=');

	if (equals && !strchr(line, '|')) {
		struct group *group = &groups[group_count++];
		*equals = 0;
		return group_count < sizeof groups / sizeof *groups &&
		       sscanf(line, "%31s", group->name) == 1 &&
		       strlen(equals + 1) < sizeof group->words && strcpy(group->words, equals + 1);
	}
	char *section = strtok(line, "|"), *type = strtok(NULL, "|"), *way = strtok(NULL, "|"),
	     *name = strtok(NULL, "|");
	if (!name)
		return false;
	section[strcspn(section, " \t")] = 0;
	unsigned n_types = expand(type, type_room, types), n_ways = expand(way, way_room, ways),
		 n_names = expand(name, name_room, names);
	section = strdup(section);
	bool good = section != NULL;
	for (unsigned n = 0; n < n_names; n++)
		for (unsigned t = 0; t < n_types; t++)
			for (unsigned w = 0; w < n_ways; w++)
				good = good && add(section, names[n], types[t], ways[w]);
	return good;
}

static bool read_list(const char *path)
{
	char line[LINE_BYTES];
	FILE *file = fopen(path, "r");
	bool good = file != NULL;

	while (good && fgets(line, sizeof line, file)) {
		line[strcspn(line, "#\n")] = 0;
		if (line[strspn(line, " \t")])
			good = read_line(line);
	}
	if (file)
		fclose(file);
	qsort(rows, count, sizeof *rows, by_text);
	return good;
}

/* Marks what a test has driven. False if the file cannot be read or has a row that nobody knows. */
static bool read_rows(const char *path)
{
	struct row key;
	FILE *file = fopen(path, "r");
	bool good = file != NULL;

	if (!file) /* a test that drives no built-in by itself */
		return true;
	while (fgets(key.text, sizeof key.text, file)) {
		key.text[strcspn(key.text, "\n")] = 0;
		struct row *row = bsearch(&key, rows, count, sizeof *rows, by_text);
		if (row)
			row->driven = true;
		else if (!strstr(key.text, "\t-")) /* options are listed for some types only */
			printf("on no list: %s\n", key.text), good = false;
	}
	fclose(file);
	return good;
}

static void print_sections(void)
{
	for (size_t i = 0; i < count; i++) {
		size_t all = 0, driven = 0;
		bool is_first = true;
		for (size_t k = 0; k < count; k++) {
			bool same = !strcmp(rows[k].section, rows[i].section);
			is_first = is_first && !(same && k < i);
			all += same;
			driven += same && rows[k].driven;
		}
		if (is_first)
			printf("%s: %zu of %zu\n", rows[i].section, driven, all);
	}
}

int main(int argc, char **argv)
{
	size_t missing = 0;
	bool good = argc > 1 && read_list(argv[1]);

	if (!good)
		printf("the list cannot be read\n");
	for (int i = 2; i < argc; i++)
		good = read_rows(argv[i]) && good;
	for (size_t i = 0; i < count; i++)
		if (!rows[i].driven && missing++ < 100)
			printf("not driven: %s\n", rows[i].text);
	print_sections();
	printf("%zu rows of built-in, type and way; %zu not driven\n", count, missing);
	return good && !missing && count >= LEAST_ROWS ? 0 : 1;
}
