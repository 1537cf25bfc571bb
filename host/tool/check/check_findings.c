// SPDX-License-Identifier: MIT
#include "tool/check/check.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_output.h"

const char *check_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

unsigned check_number(const json_t *object, const char *name)
{
	return (unsigned)json_integer_value(json_object_get(object, name));
}

/* Whether line `number` of the file begins with the text. */
static bool is_line(const char *path, unsigned number, const char *text)
{
	char *all = number && *text ? tool_output_read(path) : NULL;
	size_t n = 0;
	const char **lines = all ? tool_output_lines(all, &n) : NULL;
	bool is = lines && number <= n && !strncmp(lines[number - 1], text, strlen(text));

	free(lines);
	free(all);
	return is;
}

/* In the child: function and line of an offset in a module. */
static void become_addr2line(const void *place)
{
	char offset[32];

	snprintf(offset, sizeof offset, "0x%llx",
		(unsigned long long)json_integer_value(json_object_get(place, "offset")));
	if (freopen("/dev/null", "w", stderr))
		execlp("addr2line", "addr2line", "-fCe", check_text(place, "module"), offset,
			(char *)NULL);
}

/* Adds "line", and "function" where symbols have it, by addr2line where that is installed. */
static void name_place(json_t *place)
{
	static const char *const names[] = { "function", "line" };
	int status;
	char *text = *check_text(place, "module")
			     ? tool_child_text(become_addr2line, place, &status)
			     : NULL,
	     *rest = text, *line;

	for (unsigned i = 0; i < 2 && rest && (line = strsep(&rest, "\n")); i++) {
		if (i == 1)
			line[strcspn(line, " ")] = 0; /* of a discriminator */
		if (*line && strncmp(line, "??", 2) != 0)
			json_object_set_new(place, names[i], json_string(line));
	}
	free(text);
}

/* The side's "file": a source that has its line, or a name made of the kernel's. Commands have
 * none. */
static void name_file(json_t *side, const char *const *sources, size_t n_sources)
{
	const char *kernel = check_text(side, "kernel");
	char name[128];

	if (json_object_get(side, "command"))
		return;
	for (size_t i = 0; i < n_sources; i++)
		if (is_line(sources[i], check_number(side, "line"), check_text(side, "text"))) {
			json_object_set_new(side, "file", json_string(sources[i]));
			return;
		}
	snprintf(name, sizeof name, "%s.cl", *kernel ? kernel : "unknown");
	json_object_set_new(side, "file", json_string(name));
}

/* Whether both are of one kernel and one line or, without lines, one instruction. */
static bool is_same_place(const json_t *a, const json_t *b)
{
	const char *place = check_number(a, "line") ? "line" : "offset";

	return !strcmp(check_text(a, "kernel"), check_text(b, "kernel")) &&
	       !strcmp(check_text(a, "command"), check_text(b, "command")) &&
	       !strcmp(check_text(a, "text"), check_text(b, "text")) &&
	       check_number(a, "line") == check_number(b, "line") &&
	       check_number(a, place) == check_number(b, place);
}

static bool is_same(const json_t *a, const json_t *b)
{
	const json_t *x = json_object_get(a, "sides"), *y = json_object_get(b, "sides");
	bool same = !strcmp(check_text(a, "rule"), check_text(b, "rule")) &&
		    json_array_size(x) == json_array_size(y);

	for (size_t i = 0; same && i < json_array_size(x); i++)
		same = is_same_place(json_array_get(x, i), json_array_get(y, i));
	return same;
}

/* Notes that the process of `finding` found `known`, which is the same: one more if it is news. */
static void count_for(json_t *processes, json_t *known, const json_t *finding)
{
	json_t *ids = json_object_get(known, "processes"), *id, *process;
	size_t i;

	json_array_foreach(ids, i, id)
	{
		if (json_equal(id, json_object_get(finding, "process")))
			return;
	}
	json_array_append(ids, json_object_get(finding, "process"));
	json_array_foreach(processes, i, process)
	{
		if (check_number(process, "process") == check_number(finding, "process"))
			json_object_set_new(
				process, "found", json_integer(check_number(process, "found") + 1));
	}
}

/* Takes the finding over: as a new one, or as one more of one that is there. */
static void keep(struct check_findings *findings, json_t *finding)
{
	json_t *known;
	size_t i;

	json_array_foreach(findings->list, i, known)
	{
		if (!is_same(known, finding))
			continue;
		json_object_set_new(known, "count", json_integer(check_number(known, "count") + 1));
		count_for(findings->processes, known, finding);
		json_decref(finding);
		return;
	}
	json_object_set_new(finding, "count", json_integer(1));
	json_object_set_new(finding, "processes", json_array());
	count_for(findings->processes, finding, finding);
	json_array_append_new(findings->list, finding);
}

/* One rule of a suppression file: patterns of tool or rule, kernel, and line of the source. */
static bool rule_has(const char *rule, size_t length, const json_t *finding)
{
	char line[512], tool[64] = "*", kernel[128] = "*", text[256] = "*";
	const json_t *side;
	size_t i;

	if (length >= sizeof line)
		return false;
	memcpy(line, rule, length);
	line[length] = 0;
	if (sscanf(line, "%63s %127s %255[^\n]", tool, kernel, text) < 1 || tool[0] == '#')
		return false;
	if (fnmatch(tool, check_text(finding, "tool"), 0) &&
		fnmatch(tool, check_text(finding, "rule"), 0))
		return false;
	json_array_foreach(json_object_get(finding, "sides"), i, side)
	{
		const char *own = check_text(side, "text");
		if (!fnmatch(kernel, check_text(side, "kernel"), 0) &&
			!fnmatch(text, own + strspn(own, " \t"), 0))
			return true;
	}
	return false;
}

static bool is_suppressed(const char *suppressions, const json_t *finding)
{
	while (suppressions && *suppressions) {
		size_t length = strcspn(suppressions, "\n");
		if (rule_has(suppressions, length, finding))
			return true;
		suppressions += length + (suppressions[length] != 0);
	}
	return false;
}

bool check_findings_read(struct check_findings *findings, const char *path,
	const char *const *sources, size_t n_sources, const char *suppressions)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0, i;

	*findings = (struct check_findings){ .list = json_array(), .processes = json_array() };
	if (!file && errno != ENOENT) {
		fprintf(stderr, "zerocl check: %s: %s\n", path, strerror(errno));
		return false;
	}
	while (file && getline(&line, &size, file) >= 0) {
		json_t *finding = json_loads(line, 0, NULL), *side;
		if (!json_object_get(finding, "sides")) {
			if (finding)
				json_array_append_new(findings->processes, finding);
			continue;
		}
		if (is_suppressed(suppressions, finding)) {
			findings->suppressed++;
			json_decref(finding);
			continue;
		}
		json_array_foreach(json_object_get(finding, "sides"), i, side)
			name_file(side, sources, n_sources);
		name_place(json_object_get(json_object_get(finding, "memory"), "created"));
		name_place(json_object_get(json_object_get(finding, "memory"), "released"));
		keep(findings, finding);
	}
	free(line);
	if (file)
		fclose(file);
	return true;
}

void check_findings_finish(struct check_findings *findings)
{
	json_decref(findings->list);
	json_decref(findings->processes);
	findings->list = findings->processes = NULL;
}
