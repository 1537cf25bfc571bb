// SPDX-License-Identifier: MIT
#include "tool/base/native_tally.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES_MAX 96
#define NAME_MAX    64

struct class_count {
	char name[NAME_MAX];
	int count;
	int rank;  /* enum rank: order of printing */
	int place; /* of the first instruction of the class, among those of a rank */
};

struct native_tally {
	struct class_count rows[CLASSES_MAX];
	size_t n;
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

void native_tally_class(const char *line, char *name, size_t size)
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

static struct class_count *find_class(struct native_tally *tally, const char *name)
{
	for (size_t i = 0; i < tally->n; i++)
		if (!strcmp(tally->rows[i].name, name))
			return &tally->rows[i];
	if (tally->n == CLASSES_MAX)
		return NULL;
	struct class_count *row = &tally->rows[tally->n++];
	snprintf(row->name, sizeof(row->name), "%s", name);
	row->place = (int)tally->n;
	return row;
}

struct native_tally *native_tally_create(void)
{
	return calloc(1, sizeof(struct native_tally));
}

void native_tally_destroy(struct native_tally *tally)
{
	free(tally);
}

void native_tally_add(struct native_tally *tally, const char *text, int times)
{
	char name[NAME_MAX];

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		native_tally_class(line, name, sizeof(name));
		struct class_count *row = name[0] ? find_class(tally, name) : NULL;
		if (!row)
			continue;
		row->rank = rank_of(line, name);
		row->count += times;
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct class_count *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	return x->place - y->place;
}

void native_tally_write(struct native_tally *tally, char *text, size_t size)
{
	size_t length = 0;

	text[0] = 0;
	qsort(tally->rows, tally->n, sizeof(tally->rows[0]), compare_rows);
	for (size_t i = 0; i < tally->n && length < size; i++) {
		const struct class_count *row = &tally->rows[i];
		char count[16] = "";

		if (row->count < 1)
			continue;
		if (row->count > 1)
			snprintf(count, sizeof(count), "%d ", row->count);
		length += (size_t)snprintf(text + length, size - length, "%s%s%s",
			length ? ", " : "", count, row->name);
	}
}
