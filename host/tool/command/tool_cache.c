// SPDX-License-Identifier: MIT
#include "compile/cache/compile_cache.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tool/base/tool_command.h"

struct sum {
	size_t n, size, damaged;
};

static void add(struct sum *sum, const struct compile_cache_entry *entry)
{
	sum->n++;
	sum->size += entry->size;
	sum->damaged += !entry->is_sound;
}

static bool list_one(const struct compile_cache_entry *entry, void *data)
{
	struct tm local;
	char used[32] = "";

	add(data, entry);
	if (localtime_r(&entry->used.tv_sec, &local))
		strftime(used, sizeof used, "%Y-%m-%d %H:%M:%S", &local);
	printf("%.12s %8zu KiB  %s  %s\n", entry->name, (entry->size + 1023) / 1024, used,
		entry->is_sound ? entry->title : "damaged");
	return false;
}

static bool clear_one(const struct compile_cache_entry *entry, void *data)
{
	add(data, entry);
	return true;
}

static bool verify_one(const struct compile_cache_entry *entry, void *data)
{
	add(data, entry);
	if (!entry->is_sound)
		printf("%s is damaged: removed\n", entry->name);
	return !entry->is_sound;
}

static const struct action {
	const char *name;
	compile_cache_visit_fn visit;
	const char *done;
	const char *what;
} actions[] = {
	{ "list", list_one, "kept", "the entries, oldest use first (also without a word)" },
	{ "clear", clear_one, "removed", "remove all entries" },
	{ "verify", verify_one, "checked", "check all entries and remove those that are damaged" },
};

#define ACTION_COUNT (sizeof(actions) / sizeof(actions[0]))

static int print_help(FILE *file, int status)
{
	fputs("usage: zerocl cache [list|clear|verify]\n"
	      "What builds made, kept for the next time (ZEROCL_CACHE_DIR, ZEROCL_CACHE=0).\n",
		file);
	for (size_t i = 0; i < ACTION_COUNT; i++)
		fprintf(file, "  %-6s  %s\n", actions[i].name, actions[i].what);
	return status;
}

int tool_cache(int argc, char **argv)
{
	const struct action *action = &actions[0];
	char folder[PATH_MAX];
	struct sum sum = { 0 };

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return print_help(stdout, 0);
	if (argc == 2)
		for (action = actions; action < actions + ACTION_COUNT; action++)
			if (!strcmp(argv[1], action->name))
				break;
	if (argc > 2 || action == actions + ACTION_COUNT)
		return print_help(stderr, TOOL_USAGE);
	if (!compile_cache_each(action->visit, &sum, folder, sizeof folder)) {
		printf("no cache: %s\n", folder);
		return 0;
	}
	printf("%s: %zu entr%s %s, %zu KiB, %zu damaged\n", folder, sum.n, sum.n == 1 ? "y" : "ies",
		action->done, (sum.size + 1023) / 1024, sum.damaged);
	return action->visit == verify_one && sum.damaged ? TOOL_FAILED : 0;
}
