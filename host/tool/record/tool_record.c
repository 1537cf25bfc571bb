// SPDX-License-Identifier: MIT
/* `zerocl record` and `zerocl timeline`: a program under the layer, and what its records become. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/base/tool_command.h"
#include "tool/base/tool_child.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"
#include "tool/record/record.h"

enum { MOST_PROCESSES = 4096 };

/* What is to be done with the records of a program's processes. */
struct job {
	const char *name, *wishes;
	const char *output;
	bool has_buffers;
};

/* The layer before those that are there. */
static bool prepare(const struct job *job, const char *folder)
{
	char layer[PATH_MAX], output[PATH_MAX + 16];

	if (!tool_env_find(TOOL_FILE_LAYER, layer)) {
		fprintf(stderr, "zerocl %s: %s is not there\n", job->name, layer);
		return false;
	}
	if (!tool_env_put_first("OPENCL_LAYERS", layer))
		return false;
	snprintf(output, sizeof output, "%s/process", folder);
	setenv("ZEROCL_LAYER", job->has_buffers ? "record,buffers" : job->wishes, 1);
	setenv("ZEROCL_LAYER_OUTPUT", output, 1);
	return true;
}

static bool pack(const struct job *job, const struct record *record, unsigned number)
{
	char path[PATH_MAX], why[256];
	int length = number == 1 ? snprintf(path, sizeof path, "%s", job->output)
				 : snprintf(path, sizeof path, "%s.%u", job->output, number);
	struct record_summary summary = record_summarize(record, NULL);

	if (length >= (int)sizeof path)
		return false;
	if (!record_pack(path, record->raw, record->size, why, sizeof why)) {
		fprintf(stderr, "zerocl record: %s: %s\n", path, why);
		return false;
	}
	fprintf(stderr, "zerocl record: %s: %u calls, %u launch%s of %u kernel%s\n", path,
		summary.calls, summary.launches, summary.launches == 1 ? "" : "es", summary.kernels,
		summary.kernels == 1 ? "" : "s");
	record_summarize(record, stderr);
	return true;
}

static bool is_used(const struct record *record)
{
	for (size_t i = 0; i < record->n; i++)
		if (record->items[i].type == RECORD_CALL)
			return true;
	return false;
}

/* What is not whole at the end of a raw record is left out. */
static void trim(struct record *record)
{
	const struct record_item *last = &record->items[record->n - 1];

	record->size = (size_t)(last->data + last->size - record->raw);
}

/* Reads the records of all processes, and removes them. Returns how many called OpenCL. */
static unsigned collect(const struct job *job, const char *folder, struct record **records)
{
	struct dirent **names;
	int n = scandir(folder, &names, NULL, versionsort);
	char path[2 * PATH_MAX], why[256];
	unsigned used = 0;

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
		if (names[i]->d_name[0] != '.') {
			struct record *record = record_read(path, why, sizeof why);
			unlink(path);
			if (!record)
				fprintf(stderr, "zerocl %s: %s: %s\n", job->name, path, why);
			else if (is_used(record) && used < MOST_PROCESSES)
				records[used++] = record;
			else
				record_destroy(record);
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return used;
}

static bool finish(const struct job *job, const char *folder)
{
	struct record **records = calloc(MOST_PROCESSES, sizeof *records);
	unsigned n = records ? collect(job, folder, records) : 0;
	bool done = n > 0;

	if (!n)
		fprintf(stderr,
			"zerocl %s: no call of OpenCL was seen; loaders older than layers, and "
			"programs that load a driver themselves, show none\n",
			job->name);
	for (unsigned i = 0; i < n; i++) {
		trim(records[i]);
		if (!strcmp(job->name, "record"))
			done &= pack(job, records[i], i + 1);
	}
	if (n && !strcmp(job->name, "timeline"))
		done = timeline_write(job->output, (const struct record **)records, n);
	for (unsigned i = 0; i < n; i++)
		record_destroy(records[i]);
	free(records);
	return done;
}

static int command(struct job *job, int argc, char **argv)
{
	const struct tool_option rows[] = { { "output", 'o', tool_option_output, &job->output },
		{ strcmp(job->name, "record") ? NULL : "buffers", 0, tool_option_flag,
			&job->has_buffers },
		{ 0 } };
	char folder[PATH_MAX];
	int first = tool_options_read(job->name, rows, 1, INT_MAX, argc, argv);

	if (first <= 0)
		return -first;
	if (!job->output)
		return tool_help(job->name, TOOL_USAGE);
	if (!tool_child_folder(job->name, folder))
		return TOOL_FAILED;
	int status = prepare(job, folder) ? tool_child_run(job->name, argv + first) : -1;
	bool done = status >= 0 && finish(job, folder);
	tool_child_clean(folder);
	return done || status ? (status < 0 ? TOOL_FAILED : status) : TOOL_FAILED;
}

int tool_record(int argc, char **argv)
{
	struct job job = { .name = "record", .wishes = "record" };

	return command(&job, argc, argv);
}

int tool_timeline(int argc, char **argv)
{
	struct job job = { .name = "timeline", .wishes = "times" };

	return command(&job, argc, argv);
}
