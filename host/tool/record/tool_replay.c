// SPDX-License-Identifier: MIT
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/base/tool_command.h"
#include "tool/base/tool_env.h"
#include "tool/record/record_summary.h"
#include "tool/record/replay.h"

static const char usage[] =
	"usage: zerocl replay [--platform NAME] FILE [COMMAND [OPTION…]]\n"
	"Makes the calls of a record again and compares all that the program has read. The exit\n"
	"status is 0 if nothing differs.\n"
	"  --platform NAME   part of a platform's name; else the one that was recorded, or the "
	"first\n"
	"  COMMAND           a command of zerocl that runs programs, with its options: the replay\n"
	"                    is that program. `zerocl replay FILE check --tools races`\n";

/* Becomes `zerocl COMMAND OPTION… -- zerocl replay FILE`. */
static int replay_under(const char *file, const char *platform, char **words, int n)
{
	char end[] = "--", replay[] = "replay", option[] = "--platform";
	char own[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
	char **argv = calloc((size_t)n + 8, sizeof *argv);
	int at = 0;

	if (length <= 0 || !argv)
		return TOOL_FAILED;
	own[length] = 0;
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
	execv(own, argv);
	free(argv);
	return TOOL_FAILED;
}

/* Whether the record is of a program that ran on our platform. */
static bool is_ours(const struct record *record)
{
	for (size_t i = 0; i < record->n; i++)
		if (record->items[i].type == RECORD_DEVICE) {
			struct record_cursor cursor;
			record_cursor_init(&cursor, record, &record->items[i]);
			record_get_number(&cursor);
			return !strcmp(record_get_text(&cursor), TOOL_PLATFORM);
		}
	return false;
}

int tool_replay(int argc, char **argv)
{
	static const struct option names[] = { { "platform", 1, NULL, 'p' },
		{ "help", 0, NULL, 'h' }, { 0 } };
	struct replay replay = { .log = stderr };
	char why[256];
	int letter;

	while ((letter = getopt_long(argc, argv, "+h", names, NULL)) != -1)
		if (letter == 'p') {
			replay.platform_name = optarg;
		} else {
			fputs(usage, letter == 'h' ? stdout : stderr);
			return letter == 'h' ? 0 : TOOL_USAGE;
		}
	if (optind >= argc) {
		fputs(usage, stderr);
		return TOOL_USAGE;
	}
	if (optind + 1 < argc)
		return replay_under(
			argv[optind], replay.platform_name, argv + optind + 1, argc - optind - 1);
	struct record *record = record_read(argv[optind], why, sizeof why);
	if (!record) {
		fprintf(stderr, "zerocl replay: %s: %s\n", argv[optind], why);
		return TOOL_FAILED;
	}
	if (replay.platform_name ? strcasestr(TOOL_PLATFORM, replay.platform_name) != NULL
				 : is_ours(record))
		tool_env_prepare();
	replay.record = record;
	bool done = replay_run(&replay);
	struct record_summary summary = record_summarize(record, stderr);
	fprintf(stderr, "zerocl replay: %llu calls, %llu launches, %llu of %llu results equal%s\n",
		(unsigned long long)replay.calls, (unsigned long long)replay.launches,
		(unsigned long long)(replay.results - replay.differences),
		(unsigned long long)replay.results,
		summary.not_understood ? "; calls that were not recorded may be why" : "");
	bool equal = done && !replay.differences && !replay.failures;
	replay_finish(&replay);
	record_destroy(record);
	return equal ? 0 : TOOL_FAILED;
}
