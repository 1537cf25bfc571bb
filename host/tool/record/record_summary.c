// SPDX-License-Identifier: MIT
#include "tool/record/record.h"

#include <stdlib.h>
#include <string.h>

struct record_summary record_summarize(const struct record *record, FILE *file)
{
	struct record_summary summary = { 0 };
	unsigned *counts = calloc(call_count, sizeof *counts);
	struct record_entry entry = { 0 };

	while (counts && record_next(record, &entry)) {
		if (entry.type == RECORD_NOTE && file && !strcmp(entry.texts[0], "unseen"))
			fprintf(file, "  not seen: calls of %s, if there are any\n",
				entry.texts[1]);
		if (!entry.call)
			continue;
		const struct call *call = entry.call->call;
		summary.calls++;
		summary.kernels += call->signature[0] == 'K' && !entry.call->error;
		summary.launches += !entry.call->error && call_runs_kernels(call);
		counts[call - calls] += call->kind == CALL_UNKNOWN;
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
	struct record_entry entry = { 0 };
	const char *name = "?";

	while (record_next(record, &entry)) {
		if (entry.type == RECORD_KERNEL && entry.numbers[0] == id)
			name = entry.texts[0];
		if (!entry.call || entry.call->result != id ||
			entry.call->call->signature[0] != 'K' || !entry.call->n)
			continue;
		int text = call_param_find(entry.call->call, 'c');
		if (text >= 0)
			name = record_content_text(record, entry.call->values[text].contents);
	}
	return name;
}

void record_print_launches(const struct record *record, FILE *file)
{
	struct record_entry entry = { 0 };

	while (record_next_call(record, &entry)) {
		const struct record_call *call = entry.call;
		int kernel = call_param_find(call->call, 'K');
		if (call_runs_kernels(call->call) && !call->error)
			fprintf(file, "  call %u: %s of %s\n", call->number, call->call->name,
				kernel >= 0 && call->n
					? name_of(record, call->values[kernel].number)
					: "a command buffer");
	}
}
