// SPDX-License-Identifier: MIT
#include "compile/cache/compile_cache.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tool/base/tool_command.h"
#include "tool/base/tool_options.h"

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
} actions[] = {
	{ "list", list_one, "kept" },
	{ "clear", clear_one, "removed" },
	{ "verify", verify_one, "checked" },
};

#define ACTION_COUNT (sizeof(actions) / sizeof(actions[0]))

int tool_cache(int argc, char **argv)
{
	const struct action *action = &actions[0];
	char folder[PATH_MAX];
	struct sum sum = { 0 };
	int first = tool_options_read("cache", NULL, 0, 1, argc, argv);

	if (first <= 0)
		return -first;
	if (first < argc)
		for (action = actions; action < actions + ACTION_COUNT; action++)
			if (!strcmp(argv[first], action->name))
				break;
	if (action == actions + ACTION_COUNT)
		return tool_help("cache", TOOL_USAGE);
	if (!compile_cache_each(action->visit, &sum, folder, sizeof folder)) {
		printf("no cache: %s\n", folder);
		return 0;
	}
	printf("%s: %zu entr%s %s, %zu KiB, %zu damaged\n", folder, sum.n, sum.n == 1 ? "y" : "ies",
		action->done, (sum.size + 1023) / 1024, sum.damaged);
	return action->visit == verify_one && sum.damaged ? TOOL_FAILED : 0;
}
