// SPDX-License-Identifier: MIT
#include "tool/record/record_summary.h"

#include <stdlib.h>
#include <string.h>

/* Prints functions that the layer could not stand in for. */
static void note(const struct record *record, const struct record_item *item, FILE *file)
{
	struct record_cursor cursor;

	record_cursor_init(&cursor, record, item);
	bool is_unseen = !strcmp(record_get_text(&cursor), "unseen");
	if (file && is_unseen)
		fprintf(file, "  not seen: calls of %s, if there are any\n",
			record_get_text(&cursor));
}

struct record_summary record_summarize(const struct record *record, FILE *file)
{
	struct record_summary summary = { 0 };
	unsigned *counts = calloc(call_count, sizeof *counts);

	for (size_t i = 0; counts && i < record->n; i++) {
		const struct record_item *item = &record->items[i];
		struct record_cursor cursor;
		struct record_call call;

		record_cursor_init(&cursor, record, item);
		if (item->type == RECORD_NOTE)
			note(record, item, file);
		if (item->type == RECORD_CALL && record_get_call(&cursor, &call)) {
			summary.calls++;
			summary.kernels += call.call->signature[0] == 'K' && !call.error;
			summary.launches += !call.error && call_runs_kernels(call.call);
			counts[call.call - calls] += call.call->kind == CALL_UNKNOWN;
		}
		record_cursor_finish(&cursor);
	}
	for (unsigned i = 0; counts && i < call_count; i++) {
		summary.not_understood += counts[i];
		if (file && counts[i])
			fprintf(file, "  not recorded: %u of %s\n", counts[i], calls[i].name);
	}
	free(counts);
	return summary;
}

/* The name of a kernel, from the call that created it. */
static const char *name_of(const struct record *record, uint64_t id)
{
	const char *name = "?";

	for (size_t i = 0; i < record->n; i++) {
		struct record_cursor cursor;
		struct record_call call;

		record_cursor_init(&cursor, record, &record->items[i]);
		if (record->items[i].type == RECORD_KERNEL && record_get_number(&cursor) == id)
			name = record_get_text(&cursor);
		if (record->items[i].type == RECORD_CALL && record_get_call(&cursor, &call) &&
			call.result == id && call.call->signature[0] == 'K' && call.n) {
			int text = call_param_find(call.call, 'c');
			if (text >= 0)
				name = record_content_text(record, call.values[text].contents);
		}
		record_cursor_finish(&cursor);
	}
	return name;
}

void record_print_launches(const struct record *record, FILE *file)
{
	for (size_t i = 0; i < record->n; i++) {
		struct record_cursor cursor;
		struct record_call call;

		record_cursor_init(&cursor, record, &record->items[i]);
		if (record->items[i].type == RECORD_CALL && record_get_call(&cursor, &call) &&
			call_runs_kernels(call.call) && !call.error) {
			int kernel = call_param_find(call.call, 'K');
			fprintf(file, "  call %u: %s of %s\n", call.number, call.call->name,
				kernel >= 0 && call.n ? name_of(record, call.values[kernel].number)
						      : "a command buffer");
		}
		record_cursor_finish(&cursor);
	}
}
