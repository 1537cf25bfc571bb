// SPDX-License-Identifier: MIT
/* `zerocl record` and `zerocl timeline`: a program under the layer, and what is made of its
 * records. */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/base/tool_command.h"
#include "tool/base/tool_env.h"
#include "tool/record/record_summary.h"
#include "tool/record/timeline.h"

/* As shells say it. */
enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };
enum { MOST_PROCESSES = 4096 };

static const char record_usage[] =
	"usage: zerocl record -o FILE [--buffers] -- PROGRAM [ARGUMENT…]\n"
	"Runs a program, over any OpenCL driver, and writes what it asks of OpenCL into FILE:\n"
	"programs, arguments, contents, commands in their order, and what it read back.\n"
	"  -o FILE      for the first process that calls OpenCL; others get FILE.2, FILE.3 …\n"
	"  --buffers    also what buffers hold when the program releases them\n"
	"The exit status is the program's. `zerocl replay FILE` makes the calls again.\n";

static const char timeline_usage[] =
	"usage: zerocl timeline -o FILE -- PROGRAM [ARGUMENT…]\n"
	"Runs a program, over any OpenCL driver, and writes when each of its calls and commands\n"
	"began and ended, as JSON for ui.perfetto.dev or chrome://tracing.\n"
	"The exit status is the program's.\n";

/* What is to be done with the records of a program's processes. */
struct job {
	const char *name, *usage, *wishes, *output;
};

/* Runs the program to its end; returns its exit status as shells tell it. */
static int run(const struct job *job, char **argv)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[0], argv);
		fprintf(stderr, "zerocl %s: %s: %s\n", job->name, argv[0], strerror(errno));
		_exit(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			pid = -1;
	if (pid < 0)
		return STATUS_CANNOT_RUN;
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL + WTERMSIG(status);
}

/* The layer before those that are there. */
static bool prepare(const struct job *job, const char *folder)
{
	const char *others = getenv("OPENCL_LAYERS");
	char layer[PATH_MAX], *all = NULL, *output = NULL;

	if (!tool_env_find(TOOL_FILE_LAYER, layer)) {
		fprintf(stderr, "zerocl %s: %s is not there\n", job->name, layer);
		return false;
	}
	if (asprintf(&all, "%s%s%s", layer, others ? ":" : "", others ? others : "") < 0 ||
		asprintf(&output, "%s/process", folder) < 0)
		return false;
	setenv("OPENCL_LAYERS", all, 1);
	setenv("ZEROCL_LAYER", job->wishes, 1);
	setenv("ZEROCL_LAYER_OUTPUT", output, 1);
	free(all);
	free(output);
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
	fprintf(stderr, "zerocl record: %s: %u calls, %u launches of %u kernels\n", path,
		summary.calls, summary.launches, summary.kernels);
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
	static const struct option names[] = { { "output", 1, NULL, 'o' },
		{ "buffers", 0, NULL, 'b' }, { "help", 0, NULL, 'h' }, { 0 } };
	const char *base = getenv("TMPDIR");
	char folder[PATH_MAX];
	int letter;

	while ((letter = getopt_long(argc, argv, "+o:h", names, NULL)) != -1)
		if (letter == 'o') {
			job->output = optarg;
		} else if (letter == 'b') {
			job->wishes = "record,buffers";
		} else {
			fputs(job->usage, letter == 'h' ? stdout : stderr);
			return letter == 'h' ? 0 : TOOL_USAGE;
		}
	if (!job->output || optind >= argc) {
		fputs(job->usage, stderr);
		return TOOL_USAGE;
	}
	if (snprintf(folder, sizeof folder, "%s/zerocl-%s-XXXXXX", base ? base : "/tmp",
		    job->name) >= (int)sizeof folder ||
		!mkdtemp(folder)) {
		fprintf(stderr, "zerocl %s: %s: %s\n", job->name, folder, strerror(errno));
		return TOOL_FAILED;
	}
	int status = prepare(job, folder) ? run(job, argv + optind) : -1;
	bool done = status >= 0 && finish(job, folder);
	rmdir(folder);
	return done || status ? (status < 0 ? TOOL_FAILED : status) : TOOL_FAILED;
}

int tool_record(int argc, char **argv)
{
	struct job job = { "record", record_usage, "record", NULL };

	return command(&job, argc, argv);
}

int tool_timeline(int argc, char **argv)
{
	struct job job = { "timeline", timeline_usage, "times", NULL };

	return command(&job, argc, argv);
}
