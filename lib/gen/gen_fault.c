// SPDX-License-Identifier: MIT
#include "gen/gen_fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gen_fault_add(struct gen_fault *fault, enum gen_fault_kind kind, const char *format, ...)
{
	size_t used = strnlen(fault->report, sizeof(fault->report) - 1);
	size_t room = sizeof(fault->report) - used;
	va_list arguments;
	int written;

	if (fault->kind == GEN_FAULT_NONE)
		fault->kind = kind;
	if (room < 3) /* nothing but the end of a line would fit */
		return;
	va_start(arguments, format);
	written = vsnprintf(fault->report + used, room - 1, format, arguments);
	va_end(arguments);
	if (written < 0) {
		fault->report[used] = '\0';
		return;
	}
	used += (size_t)written < room - 2 ? (size_t)written : room - 2;
	if (fault->report[used - (used > 0)] != '\n') {
		fault->report[used++] = '\n';
		fault->report[used] = '\0';
	}
}

/* A text that grows up to its size. */
struct text {
	char *at;
	size_t used, size;
};

__attribute__((format(printf, 2, 3))) static void append(struct text *text, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text->at + text->used, text->size - text->used, format, arguments);
	va_end(arguments);
	if (length > 0)
		text->used += (size_t)length < text->size - text->used
				      ? (size_t)length
				      : text->size - text->used - 1;
}

size_t gen_fault_place_text(const struct gen_fault_place *place, char *at, size_t size)
{
	struct text text = { at, 0, size };

	if (size == 0)
		return 0;
	*at = 0;
	if (*place->name)
		append(&text, "kernel %s", place->name);
	if (*place->name && place->line)
		append(&text, ", line %u", place->line);
	if (place->has_instruction)
		append(&text, "%s%sinstruction at 0x%x%s%s", text.used ? ", " : "",
			place->in_function ? "in a called function, " : "", place->offset,
			*place->code ? ": " : "", place->code);
	return text.used;
}

size_t gen_fault_text(const struct gen_fault *fault, char *at, size_t size)
{
	const struct gen_fault_place *place = &fault->place;
	struct text text = { at, 0, size };
	int first = (int)strcspn(fault->report, "\n");
	const char *rest = fault->report + first;

	if (size == 0)
		return 0;
	append(&text, "%.*s\n", first, fault->report);
	text.used += gen_fault_place_text(place, at + text.used, size - text.used);
	if (place->has_instruction || *place->name)
		append(&text, "\n");
	if (place->has_thread)
		append(&text, "thread %u of group (%u, %u, %u), kernel at 0x%012llx\n",
			place->thread, place->group[0], place->group[1], place->group[2],
			(unsigned long long)place->kernel);
	append(&text, "%s", *rest ? rest + 1 : rest);
	return text.used;
}
