// SPDX-License-Identifier: MIT
/* `zerocl reduce`: the smallest part of a record that still fails. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_options.h"
#include "tool/base/tool_command.h"
#include "tool/record/record.h"

enum { MOST_TESTS = 5000, MOST_SECONDS = 120, STATUS_USELESS = 3 };

struct reduction {
	struct record_cut cut;
	const char **command;
	size_t words;
	char path[PATH_MAX + 8]; /* of the record that is tried */
	int status;		 /* of the whole */
	unsigned tests;
};

/* The status of the command for the record at `path`; a signal as shells say it. */
static int run(const struct reduction *reduction, const char *path)
{
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		reduction->command[reduction->words] = path;
		alarm(MOST_SECONDS);
		_exit(tool_child_become("reduce", (char **)(uintptr_t)reduction->command));
	}
	return tool_child_wait(pid);
}

/* Whether the cut still fails as the whole does. */
static bool still_fails(struct reduction *reduction)
{
	char why[256];

	return reduction->tests++ < MOST_TESTS &&
	       record_cut_write(&reduction->cut, reduction->path, why, sizeof why) &&
	       run(reduction, reduction->path) == reduction->status;
}

/*
 * Sets as many flags of the items as it can, in ever smaller pieces, from the end: what comes last
 * depends on more.
 */
static void set_flags(struct reduction *reduction, bool *flags, const size_t *items, size_t n)
{
	for (size_t piece = n; piece > 0; piece /= 2)
		for (size_t end = n; end > 0;) {
			size_t begin = end > piece ? end - piece : 0, changed = 0;
			for (size_t i = begin; i < end; i++)
				changed += !flags[items[i]];
			if (changed) {
				bool *old = malloc((end - begin) * sizeof *old);
				for (size_t i = begin; old && i < end; i++) {
					old[i - begin] = flags[items[i]];
					flags[items[i]] = true;
				}
				if (old && !still_fails(reduction))
					for (size_t i = begin; i < end; i++)
						flags[items[i]] = old[i - begin];
				free(old);
			}
			end = begin;
		}
}

static void reduce(struct reduction *reduction)
{
	const struct record *record = reduction->cut.record;
	size_t *items = calloc(record->n, sizeof *items);

	for (unsigned pass = 0; pass < 2 && items; pass++) {
		size_t n = 0;
		for (size_t i = 0; i < record->n; i++) {
			bool is_choice[2];
			record_cut_choices(record, i, &is_choice[0], &is_choice[1]);
			if (is_choice[pass] && !reduction->cut.drops[i])
				items[n++] = i;
		}
		set_flags(reduction, pass ? reduction->cut.clears : reduction->cut.drops, items, n);
	}
	free(items);
}

/* The launches that are left, and how large the file is. */
static void report(const char *path)
{
	char why[256];
	struct stat status = { 0 };
	struct record *record = record_read(path, why, sizeof why);

	if (!record)
		return;
	stat(path, &status);
	struct record_summary summary = record_summarize(record, NULL);
	printf("zerocl reduce: %s: %u calls, %u launch%s, %lld bytes\n", path, summary.calls,
		summary.launches, summary.launches == 1 ? "" : "es", (long long)status.st_size);
	record_print_launches(record, stdout);
	record_destroy(record);
}

static int begin(struct reduction *reduction, const char *file, const char *output)
{
	char why[256];
	struct record *record = record_read(file, why, sizeof why);

	if (!record) {
		fprintf(stderr, "zerocl reduce: %s: %s\n", file, why);
		return TOOL_FAILED;
	}
	reduction->cut = (struct record_cut){ .record = record,
		.drops = calloc(record->n, sizeof(bool)),
		.clears = calloc(record->n, sizeof(bool)) };
	bool done = false;
	reduction->status = run(reduction, file);
	snprintf(reduction->path, sizeof reduction->path, "%s.part", output);
	if (!reduction->status || reduction->status == STATUS_USELESS ||
		reduction->status == TOOL_CANNOT_RUN || reduction->status == TOOL_NOT_FOUND) {
		fprintf(stderr, "zerocl reduce: %s does not fail (status %d)\n", file,
			reduction->status);
		goto out;
	}
	if (reduction->cut.drops && reduction->cut.clears) {
		if (!still_fails(reduction)) {
			fprintf(stderr,
				"zerocl reduce: %s does not fail without results and releases\n",
				file);
			goto out;
		}
		reduce(reduction);
		done = record_cut_write(&reduction->cut, output, why, sizeof why);
		if (!done)
			fprintf(stderr, "zerocl reduce: %s: %s\n", output, why);
		else
			report(output);
	}
out:
	unlink(reduction->path);
	free(reduction->cut.drops);
	free(reduction->cut.clears);
	record_destroy(record);
	return done ? 0 : TOOL_FAILED;
}

int tool_reduce(int argc, char **argv)
{
	const char *plain[] = { "/proc/self/exe", "replay", "--failures", NULL, NULL };
	struct reduction reduction = { .command = plain, .words = 3 };
	const char *given = NULL;
	char own[PATH_MAX], output[PATH_MAX];
	const struct tool_option rows[] = { { "output", 'o', tool_option_output, &given }, { 0 } };
	int first = tool_options_read("reduce", rows, 1, INT_MAX, argc, argv);

	if (first <= 0)
		return -first;
	int rest = argc - first;
	if (rest > 1 && (rest == 2 || strcmp(argv[first + 1], "--") != 0))
		return tool_help("reduce", TOOL_USAGE);
	tool_child_own(own);
	plain[0] = own;
	snprintf(output, sizeof output, "%s%s", given ? given : argv[first],
		given ? "" : ".reduced");
	if (rest > 2) {
		reduction.words = (size_t)rest - 2;
		reduction.command = calloc((size_t)rest, sizeof(const char *));
		if (!reduction.command)
			return TOOL_FAILED;
		memcpy(reduction.command, argv + first + 2, reduction.words * sizeof *argv);
	}
	int status = begin(&reduction, argv[first], output);
	if (rest > 2)
		free(reduction.command);
	return status;
}
