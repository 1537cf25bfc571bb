// SPDX-License-Identifier: MIT
/* `zerocl diff`: a record replayed with two settings, and where they part. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_options.h"
#include "tool/base/tool_command.h"

enum { STATUS_DIFFERS = 1, STATUS_CANNOT = 3 };

struct side {
	const char *name;
	struct tool_list settings;
	char states[PATH_MAX + 16], dump[PATH_MAX + 16], writes[PATH_MAX + 16];
};

/* A line of struct replay_state. */
struct line {
	unsigned long long launch, id, hash;
	unsigned call;
	size_t size;
	char kernel[128];
};

/*
 * Becomes a replay with the settings of the side. It ends after the launch of `stop`, and if `byte`
 * is not NULL the device says who writes that one of the object.
 */
static void become(
	const struct side *side, const char *file, const struct line *stop, const size_t *byte)
{
	char own[PATH_MAX], number[32], dump[2 * PATH_MAX], watch[64];
	const char *words[2 * sizeof side->settings.items / sizeof(char *) + 16] = { own, "replay",
		"--states", side->states };
	int n = 4;

	tool_child_own(own);
	if (stop) {
		snprintf(number, sizeof number, "%llu", stop->launch);
		snprintf(dump, sizeof dump, "%llu=%s", stop->id, side->dump);
		words[2] = "--stop";
		words[3] = number;
		words[n++] = "--dump";
		words[n++] = dump;
	}
	if (stop && byte) {
		snprintf(watch, sizeof watch, "%llu:%zu", stop->id, *byte);
		words[n++] = "--watch";
		words[n++] = watch;
		setenv("ZEROCL_VGPU_CHECK", "writes", 1);
		setenv("ZEROCL_VGPU_CHECK_OUTPUT", side->writes, 1);
	}
	for (size_t i = 0; i < side->settings.n; i++) {
		const char *setting = side->settings.items[i], *value = strchr(setting, '=') + 1;
		char *name = strndup(setting, (size_t)(value - setting - 1));
		if (!strcmp(name, "options") || !strcmp(name, "platform")) {
			words[n++] = *name == 'o' ? "--options" : "--platform";
			words[n++] = value;
		} else {
			setenv(name, value, 1);
		}
		free(name);
	}
	words[n++] = file;
	_exit(tool_child_become("diff", (char **)(uintptr_t)words));
}

/* False if the replay could not be made. That its results differ from the record does not count. */
static bool replay(
	const struct side *side, const char *file, const struct line *stop, const size_t *byte)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(TOOL_CANNOT_RUN);
		become(side, file, stop, byte);
	}
	int status = tool_child_wait(pid);
	if (status > TOOL_SIGNAL)
		fprintf(stderr, "zerocl diff: the replay with settings %s ends by signal %d\n",
			side->name, status - TOOL_SIGNAL);
	else if (status > 1)
		fprintf(stderr,
			"zerocl diff: the replay with settings %s fails; `zerocl replay` says "
			"why\n",
			side->name);
	return status <= 1;
}

static bool read_line(FILE *file, struct line *line)
{
	return fscanf(file, "%llu %u %llu %zu %llx %127s", &line->launch, &line->call, &line->id,
		       &line->size, &line->hash, line->kernel) == 6;
}

/* 1: `line` is the first that differs; 0: none does; -1: they are not of the same launches. */
static int compare(const struct side *sides, struct line *line, unsigned long long *launches)
{
	FILE *files[2] = { fopen(sides[0].states, "r"), fopen(sides[1].states, "r") };
	struct line other;
	int result = files[0] && files[1] ? 0 : -1;

	while (!result && read_line(files[0], line)) {
		*launches = line->launch;
		if (!read_line(files[1], &other) || line->launch != other.launch ||
			line->id != other.id)
			result = -1;
		else if (line->hash != other.hash || line->size != other.size)
			result = 1;
	}
	for (int i = 0; i < 2; i++)
		if (files[i])
			fclose(files[i]);
	return result;
}

/* The bytes around the first that differs, of both sides. Returns where that is. */
static size_t show_bytes(const struct side *sides, const struct line *line)
{
	FILE *files[2] = { fopen(sides[0].dump, "rb"), fopen(sides[1].dump, "rb") };
	unsigned char words[2][16] = { 0 };
	size_t at = 0, differ = 0, first = 0;

	if (files[0] && files[1]) {
		int a, b;
		for (; (a = getc(files[0])) != EOF && (b = getc(files[1])) != EOF; at++) {
			first = a != b && !differ ? at : first;
			differ += a != b;
		}
	}
	printf("  first at byte %zu of %zu, %zu bytes differ\n", first, line->size, differ);
	for (int i = 0; i < 2; i++) {
		size_t begin = first / 16 * 16, n = 0;
		if (files[i] && !fseek(files[i], (long)begin, SEEK_SET))
			n = fread(words[i], 1, 16, files[i]);
		printf("  %s %08zx:", sides[i].name, begin);
		for (size_t k = 0; k < n; k++)
			printf(begin + k == first ? " [%02x]" : " %02x", words[i][k]);
		puts("");
		if (files[i])
			fclose(files[i]);
	}
	return first;
}

/* Who wrote it, from the last line of the device's file that says so. */
static void show_writer(const struct side *side)
{
	FILE *file = fopen(side->writes, "r");
	json_t *found = NULL, *line;

	while (file && (line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
		bool is_write = json_object_get(line, "sides");
		json_decref(is_write ? found : line);
		found = is_write ? line : found;
	}
	if (file)
		fclose(file);
	const json_t *writer = json_array_get(json_object_get(found, "sides"), 0);
	const char *kernel = json_string_value(json_object_get(writer, "kernel"));
	const char *text = json_string_value(json_object_get(writer, "text"));
	const char *code = json_string_value(json_object_get(writer, "code"));
	json_int_t number = json_integer_value(json_object_get(writer, "line")), item[3], group[3];
	json_t *items = json_object_get(writer, "item"), *groups = json_object_get(writer, "group");
	for (size_t i = 0; i < 3; i++) {
		item[i] = json_integer_value(json_array_get(items, i));
		group[i] = json_integer_value(json_array_get(groups, i));
	}
	if (!kernel || !text || !code)
		printf("  %s: who wrote it is not known\n", side->name);
	else
		printf("  %s: written in %s, line %lld, by work-item (%lld, %lld, %lld) of group "
		       "(%lld, %lld, %lld)\n      %s\n",
			side->name, *kernel ? kernel : "code without a name", (long long)number,
			(long long)item[0], (long long)item[1], (long long)item[2],
			(long long)group[0], (long long)group[1], (long long)group[2],
			*text ? text + strspn(text, " \t") : code + strspn(code, " "));
	json_decref(found);
}

static int diff(struct side *sides, const char *file, const char *folder, bool is_brief)
{
	struct line line = { 0 };
	unsigned long long launches = 0;

	for (int i = 0; i < 2; i++) {
		snprintf(sides[i].states, sizeof sides[i].states, "%s/%s.states", folder,
			sides[i].name);
		snprintf(sides[i].dump, sizeof sides[i].dump, "%s/%s.dump", folder, sides[i].name);
		snprintf(sides[i].writes, sizeof sides[i].writes, "%s/%s.writes", folder,
			sides[i].name);
		if (!replay(&sides[i], file, NULL, NULL))
			return STATUS_CANNOT;
	}
	int result = compare(sides, &line, &launches);
	if (result < 0) {
		fprintf(stderr, "zerocl diff: not the same launches were made\n");
		return STATUS_CANNOT;
	}
	if (!result) {
		printf("zerocl diff: the same after each of %llu launches\n", launches);
		return 0;
	}
	printf("zerocl diff: launch %llu (call %u) of kernel %s: object %llu differs\n",
		line.launch, line.call, line.kernel, line.id);
	if (is_brief)
		return STATUS_DIFFERS;
	if (!replay(&sides[0], file, &line, NULL) || !replay(&sides[1], file, &line, NULL))
		return STATUS_CANNOT;
	size_t byte = show_bytes(sides, &line);
	for (int i = 0; i < 2; i++)
		if (replay(&sides[i], file, &line, &byte))
			show_writer(&sides[i]);
	return STATUS_DIFFERS;
}

static bool take_setting(void *to, const char *setting)
{
	return strchr(setting, '=') && tool_option_list(to, setting);
}

int tool_diff(int argc, char **argv)
{
	static struct side sides[2] = { { .name = "a" }, { .name = "b" } };
	char folder[PATH_MAX];
	bool is_brief = false;
	const struct tool_option rows[] = { { "a", 'a', take_setting, &sides[0].settings },
		{ "b", 'b', take_setting, &sides[1].settings },
		{ "brief", 0, tool_option_flag, &is_brief }, { 0 } };
	int first = tool_options_read("diff", rows, 1, 1, argc, argv);

	if (first <= 0)
		return -first;
	if (access(argv[first], R_OK)) {
		fprintf(stderr, "zerocl diff: %s: %s\n", argv[first], strerror(errno));
		return STATUS_CANNOT;
	}
	if (!tool_child_folder("diff", folder))
		return STATUS_CANNOT;
	int status = diff(sides, argv[first], folder, is_brief);
	tool_child_clean(folder);
	return status;
}
