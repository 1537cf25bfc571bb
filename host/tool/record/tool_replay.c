// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_command.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"
#include "tool/record/record.h"
#include "tool/record/replay.h"

enum { STATUS_MISSING = 3 };

/* Becomes `zerocl COMMAND OPTION… -- zerocl replay FILE`. */
static int replay_under(const char *file, const char *platform, char **words, int n)
{
	char end[] = "--", replay[] = "replay", option[] = "--platform";
	char own[PATH_MAX];
	char **argv = calloc((size_t)n + 8, sizeof *argv);
	int at = 0;

	if (!argv)
		return TOOL_FAILED;
	tool_child_own(own);
	argv[at++] = own;
	for (int i = 0; i < n; i++)
		argv[at++] = words[i];
	argv[at++] = end;
	argv[at++] = own;
	argv[at++] = replay;
	if (platform) {
		argv[at++] = option;
		argv[at++] = (char *)(uintptr_t)platform;
	}
	argv[at++] = (char *)(uintptr_t)file;
	int status = tool_child_become("replay", argv);
	free(argv);
	return status;
}

/* Whether the record is of a program that ran on our platform. */
static bool is_ours(const struct record *record)
{
	struct record_entry entry = { 0 };
	int is = -1;

	while (is < 0 && record_next(record, &entry))
		if (entry.type == RECORD_DEVICE)
			is = !strcmp(entry.texts[0], TOOL_PLATFORM);
	record_free(&entry.memory);
	return is > 0;
}

static bool take_lines(void *to, const char *path)
{
	FILE *file = fopen(path, "w");

	*(FILE **)to = file;
	return file;
}

/* ID=FILE */
static bool take_dump(void *to, const char *value)
{
	struct replay_state *state = to;
	char *end;

	state->dumped = strtoull(value, &end, 10);
	state->dump_path = end + 1;
	return *end == '=';
}

/* ID:BYTE */
static bool take_watch(void *to, const char *value)
{
	struct replay_watch *watch = to;
	char *end;

	watch->id = strtoull(value, &end, 10);
	return *end == ':' && tool_option_number(&watch->byte, end + 1);
}

static void look_at(struct replay *replay, uint64_t id)
{
	const struct replay_state *state = replay->data;

	replay_watch_created(&state->watch, id, &replay->objects[id]);
}

static void print_end(const struct replay *replay, bool lacks_calls)
{
	fprintf(stderr, "zerocl replay: %llu calls, %llu launch%s, ",
		(unsigned long long)replay->calls, (unsigned long long)replay->launches,
		replay->launches == 1 ? "" : "es");
	if (replay->ignores_results || !replay->results)
		fputs(replay->ignores_results
				? "results were not compared\n"
				: "nothing to compare: the record has no results of the program\n",
			stderr);
	else
		fprintf(stderr, "%llu of %llu results equal%s\n",
			(unsigned long long)(replay->results - replay->differences),
			(unsigned long long)replay->results,
			lacks_calls && replay->differences
				? "; calls that were not recorded may be why"
				: "");
}

int tool_replay(int argc, char **argv)
{
	struct replay_state state = { 0 };
	struct replay replay = { .log = stderr, .data = &state, .after_create = look_at };
	const struct tool_option rows[] = { { "platform", 0, tool_option_text,
						    &replay.platform_name },
		{ "options", 0, tool_option_text, &replay.options },
		{ "stop", 0, tool_option_number, &state.stop },
		{ "states", 0, take_lines, &state.lines },
		{ "failures", 0, tool_option_flag, &state.finds_failures },
		{ "dump", 0, take_dump, &state }, { "watch", 0, take_watch, &state.watch }, { 0 } };
	char why[256];
	int first = tool_options_read("replay", rows, 1, INT_MAX, argc, argv);

	if (first <= 0)
		return -first;
	if (first + 1 < argc)
		return replay_under(
			argv[first], replay.platform_name, argv + first + 1, argc - first - 1);
	struct record *record = record_read(argv[first], why, sizeof why);
	if (!record) {
		fprintf(stderr, "zerocl replay: %s: %s\n", argv[first], why);
		return STATUS_MISSING;
	}
	if (replay.platform_name ? strcasestr(TOOL_PLATFORM, replay.platform_name) != NULL
				 : is_ours(record))
		tool_env_prepare();
	replay.record = record;
	replay.ignores_results = state.finds_failures;
	if (state.stop || state.lines || state.finds_failures)
		replay.after_launch = replay_state_after_launch;
	bool done = replay_run(&replay);
	struct record_summary summary = record_summarize(record, stderr);
	print_end(&replay, summary.not_understood);
	if (state.lines)
		fclose(state.lines);
	bool equal = done && !replay.differences && !replay.failures;
	bool missing = !done || replay.missing;
	replay_finish(&replay);
	record_destroy(record);
	return missing ? STATUS_MISSING : equal ? 0 : TOOL_FAILED;
}
