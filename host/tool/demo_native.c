// SPDX-License-Identifier: MIT
#include "tool/demo_native.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES_MAX 96
#define NAME_MAX    64

/* How many instructions of a class both kernels have. */
struct tally {
	char name[NAME_MAX];
	int with;
	int without;
	int rank;  /* order of printing */
	int place; /* of the first one, among those of a rank */
};

struct tallies {
	struct tally rows[CLASSES_MAX];
	size_t count;
};

enum rank { RANK_MESSAGE, RANK_SYNC, RANK_CROSSING, RANK_REST };

/* Skips blanks and a prefix in parentheses such as "(W)" or "(f0.1)". */
static const char *skip_prefix(const char *line)
{
	while (isblank((unsigned char)*line))
		line++;
	if (*line == '(') {
		line += strcspn(line, ")\n");
		line += *line == ')';
	}
	while (isblank((unsigned char)*line))
		line++;
	return line;
}

/* Whether a region such as "<8;8,1>" takes its elements in another way than one after the other
 * or one for all. */
static bool is_crossing(const char *region)
{
	unsigned vertical, width, horizontal;

	if (sscanf(region, "<%u;%u,%u>", &vertical, &width, &horizontal) != 3)
		return false;
	if (vertical == 0 && horizontal == 0)
		return false;
	return !(width == 1 ? vertical == 1 : vertical == width && horizontal == 1);
}

/* Whether an operand of the line (that ends at end) crosses lanes. */
static bool has_crossing(const char *line, const char *end)
{
	for (const char *at = memchr(line, '<', (size_t)(end - line)); at;
		at = memchr(at + 1, '<', (size_t)(end - at - 1)))
		if (is_crossing(at))
			return true;
	return false;
}

/* "untyped surface read with x" from a message's comment "// wr:2+0, rd:2; untyped …". */
static void message_name(const char *line, char *name, size_t size)
{
	const char *comment = strstr(line, "//");
	const char *end = line + strcspn(line, "\n");
	const char *what =
		comment && comment < end ? memchr(comment, ';', (size_t)(end - comment)) : NULL;

	if (!what) {
		snprintf(name, size, "%.*s", (int)strcspn(line, " \n"), line);
		return;
	}
	what += 1 + strspn(what + 1, " ");
	while (end > what && isspace((unsigned char)end[-1]))
		end--;
	snprintf(name, size, "%.*s", (int)(end - what), what);
}

void demo_native_class(const char *line, char *name, size_t size)
{
	const char *op = skip_prefix(line);
	const char *end = op + strcspn(op, "\n");
	int length = (int)strcspn(op, " \n");
	const char *comment = strstr(op, "//");

	name[0] = 0;
	if (length == 0 || op[length - 1] == ':' || !strncmp(op, "//", 2))
		return;
	if (!strncmp(op, "send", 4)) {
		message_name(op, name, size);
		return;
	}
	if (comment && comment < end)
		end = comment;
	const char *how = "";
	if (memmem(op, (size_t)(end - op), "r[a0", 4))
		how = " r[a0]";
	else if (has_crossing(op, end))
		how = " region";
	snprintf(name, size, "%.*s%s", length, op, how);
}

static int rank_of(const char *line, const char *name)
{
	const char *op = skip_prefix(line);

	if (!strncmp(op, "send", 4))
		return RANK_MESSAGE;
	if (!strncmp(op, "sync.bar", 8) || !strncmp(op, "wait", 4))
		return RANK_SYNC;
	return strchr(name, ' ') ? RANK_CROSSING : RANK_REST;
}

static struct tally *tally_of(struct tallies *tallies, const char *name)
{
	for (size_t i = 0; i < tallies->count; i++)
		if (!strcmp(tallies->rows[i].name, name))
			return &tallies->rows[i];
	if (tallies->count == CLASSES_MAX)
		return NULL;
	struct tally *tally = &tallies->rows[tallies->count++];
	snprintf(tally->name, sizeof(tally->name), "%s", name);
	tally->place = (int)tallies->count;
	return tally;
}

static void count_lines(struct tallies *tallies, const char *text, bool with)
{
	char name[NAME_MAX];

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		demo_native_class(line, name, sizeof(name));
		struct tally *tally = name[0] ? tally_of(tallies, name) : NULL;
		if (!tally)
			continue;
		tally->rank = rank_of(line, name);
		*(with ? &tally->with : &tally->without) += 1;
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	return x->place - y->place;
}

size_t demo_native_difference(const char *with, const char *without, char *text, size_t size)
{
	struct tallies *tallies = calloc(1, sizeof(*tallies));
	size_t length = 0;

	text[0] = 0;
	if (!tallies)
		return 0;
	count_lines(tallies, with, true);
	count_lines(tallies, without, false);
	qsort(tallies->rows, tallies->count, sizeof(tallies->rows[0]), compare_rows);
	for (size_t i = 0; i < tallies->count && length < size; i++) {
		const struct tally *row = &tallies->rows[i];
		int more = row->with - row->without;
		const char *comma = length ? ", " : "";
		if (more == 1)
			length += (size_t)snprintf(
				text + length, size - length, "%s%s", comma, row->name);
		else if (more > 1)
			length += (size_t)snprintf(
				text + length, size - length, "%s%d %s", comma, more, row->name);
	}
	if (!length)
		length = (size_t)snprintf(text, size, "no instruction");
	free(tallies);
	return length;
}
