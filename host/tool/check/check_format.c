// SPDX-License-Identifier: MIT
#include "tool/check/check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The column that the side has, or that of the first word of its line. */
static unsigned column_of(const json_t *side)
{
	unsigned column = check_number(side, "column");

	return column ? column : (unsigned)strspn(check_text(side, "text"), " \t") + 1;
}

static const json_t *sides_of(const json_t *finding)
{
	return json_object_get(finding, "sides");
}

/* "(1, 2, 3)", of an array of three numbers. */
static const char *triple(const json_t *side, const char *name, char text[64])
{
	const json_t *array = json_object_get(side, name);
	json_int_t at[3];

	for (size_t i = 0; i < 3; i++)
		at[i] = json_integer_value(json_array_get(array, i));
	snprintf(text, 64, "(%lld, %lld, %lld)", (long long)at[0], (long long)at[1],
		(long long)at[2]);
	return text;
}

/* ---- text, as compilers print it ---- */

static void write_line(FILE *file, const json_t *side)
{
	const char *text = check_text(side, "text");
	unsigned column = column_of(side);

	if (!*text)
		return;
	fprintf(file, "%6u | %s\n       | ", check_number(side, "line"), text);
	for (unsigned i = 1; i < column && text[i - 1]; i++)
		fputc(text[i - 1] == '\t' ? '\t' : ' ', file);
	fputs("^\n", file);
}

static void write_side(FILE *file, const json_t *side, const char *kind, const char *rule)
{
	char group[64], item[64];
	unsigned line = check_number(side, "line");

	if (json_object_get(side, "command")) {
		fprintf(file, "%s: %s: %s\n", check_text(side, "command"), kind,
			check_text(side, "what"));
		return;
	}
	fputs(check_text(side, "file"), file);
	if (line)
		fprintf(file, ":%u:%u", line, column_of(side));
	fprintf(file, ": %s: %s", kind, check_text(side, "what"));
	if (*rule)
		fprintf(file, " [%s]", rule);
	fputc('\n', file);
	write_line(file, side);
	fprintf(file, "       = in kernel %s", check_text(side, "kernel"));
	if (json_object_get(side, "thread"))
		fprintf(file, ", group %s, thread %u", triple(side, "group", group),
			check_number(side, "thread"));
	if (json_object_get(side, "item"))
		fprintf(file, ", work-item %s of it", triple(side, "item", item));
	if (json_object_get(side, "offset"))
		fprintf(file, ", instruction at 0x%x", check_number(side, "offset"));
	if (json_is_true(json_object_get(side, "by_compiler")))
		fputs(", which the compiler has added", file);
	fputc('\n', file);
}

/* Where in the program memory was made or released: "main.c:42 in main", or as much as is known. */
static void write_place(FILE *file, const json_t *memory, const char *name, const char *what)
{
	const json_t *place = json_object_get(memory, name), *line = json_object_get(place, "line");
	unsigned long long offset =
		(unsigned long long)json_integer_value(json_object_get(place, "offset"));

	if (!place)
		return;
	fprintf(file, ", %s ", what);
	if (*check_text(place, "function"))
		fprintf(file, "in %s, ", check_text(place, "function"));
	if (line)
		fprintf(file, "at %s", json_string_value(line));
	else
		fprintf(file, "at 0x%llx of %s", offset, check_text(place, "module"));
}

static void write_memory(FILE *file, const json_t *memory)
{
	if (!json_object_get(memory, "created") && !json_object_get(memory, "released"))
		return;
	fprintf(file, "       = of a buffer of %llu bytes",
		(unsigned long long)json_integer_value(json_object_get(memory, "bytes")));
	write_place(file, memory, "created", "created");
	write_place(file, memory, "released", "released");
	fputc('\n', file);
}

static void write_finding(FILE *file, const json_t *finding)
{
	const json_t *side;
	size_t i;

	json_array_foreach(sides_of(finding), i, side)
		write_side(file, side, i ? "note" : "error", i ? "" : check_text(finding, "rule"));
	write_memory(file, json_object_get(finding, "memory"));
}

/* The end of the summary: in how many processes, and which of several found how much; or in none.
 */
static void write_processes(FILE *file, const json_t *processes)
{
	const json_t *process;
	size_t i;

	if (json_array_size(processes) < 2) {
		fputs(json_array_size(processes) ? "\n" : ": no kernel has run\n", file);
		return;
	}
	fprintf(file, ", in %zu processes\n", json_array_size(processes));
	json_array_foreach(processes, i, process)
	{
		if (check_number(process, "found"))
			fprintf(file, "%6u in %s (process %u)\n", check_number(process, "found"),
				check_text(process, "program"), check_number(process, "process"));
	}
}

static void write_text(FILE *file, const void *report)
{
	const struct check_findings *findings = report;
	const json_t *finding;
	size_t i;

	json_array_foreach(findings->list, i, finding) write_finding(file, finding);
	fprintf(file, "zerocl check: %zu found", json_array_size(findings->list));
	if (findings->suppressed)
		fprintf(file, ", %u suppressed", findings->suppressed);
	write_processes(file, findings->processes);
}

/* ---- JSON ---- */

static void write_json(FILE *file, const void *report)
{
	const struct check_findings *findings = report;
	json_t *root = json_pack("{s:O, s:i, s:O}", "findings", findings->list, "suppressed",
		(int)findings->suppressed, "processes", findings->processes);

	json_dumpf(root, file, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	fputc('\n', file);
	json_decref(root);
}

/* ---- SARIF 2.1.0 (OASIS) ---- */

/* A path as a URI reference. */
static json_t *make_uri(const char *path)
{
	char *uri = malloc(3 * strlen(path) + 1), *to = uri;
	json_t *made;

	for (; uri && *path; path++) {
		unsigned char c = (unsigned char)*path;
		bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
			     (c >= 'A' && c <= 'Z') || strchr("-._~/", c);
		to += sprintf(to, plain ? "%c" : "%%%02X", c);
	}
	made = json_string(uri ? uri : "");
	free(uri);
	return made;
}

static json_t *make_location(const json_t *side)
{
	bool is_command = json_object_get(side, "command");
	json_t *location = json_pack("{s:[{s:s, s:s}], s:{s:s}}", "logicalLocations", "name",
		check_text(side, is_command ? "command" : "kernel"), "kind", "function", "message",
		"text", check_text(side, "what"));
	unsigned line = check_number(side, "line");

	if (!is_command)
		json_object_set_new(location, "physicalLocation",
			json_pack("{s:{s:o}}", "artifactLocation", "uri",
				make_uri(check_text(side, "file"))));

	if (line)
		json_object_set_new(json_object_get(location, "physicalLocation"), "region",
			json_pack("{s:i, s:i, s:{s:s}}", "startLine", (int)line, "startColumn",
				(int)column_of(side), "snippet", "text", check_text(side, "text")));
	return location;
}

static json_t *make_result(const json_t *finding)
{
	const json_t *sides = sides_of(finding);
	json_t *result = json_pack("{s:s, s:s, s:{s:s}, s:[o], s:i}", "ruleId",
		check_text(finding, "rule"), "level", "error", "message", "text",
		check_text(json_array_get(sides, 0), "what"), "locations",
		make_location(json_array_get(sides, 0)), "occurrenceCount",
		(int)check_number(finding, "count"));

	if (json_array_size(sides) > 1)
		json_object_set_new(result, "relatedLocations",
			json_pack("[o]", make_location(json_array_get(sides, 1))));
	return result;
}

static void write_sarif(FILE *file, const void *report)
{
	const struct check_findings *findings = report;
	json_t *results = json_array(), *rules = json_array(), *seen = json_object();
	const json_t *finding;
	size_t i;

	json_array_foreach(findings->list, i, finding)
	{
		const char *rule = check_text(finding, "rule");
		json_array_append_new(results, make_result(finding));
		if (!json_object_get(seen, rule))
			json_array_append_new(
				rules, json_pack("{s:s, s:{s:s}}", "id", rule, "properties", "tool",
					       check_text(finding, "tool")));
		json_object_set_new(seen, rule, json_true());
	}
	json_t *root = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "$schema",
		"https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", "tool",
		"driver", "name", "zerocl check", "version", ZEROCL_VERSION, "rules", rules,
		"results", results);
	json_dumpf(root, file, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	fputc('\n', file);
	json_decref(root);
	json_decref(seen);
}

/* ---- JUnit XML: a test case for each finding, which fails ---- */

static void put_xml(FILE *file, const char *text)
{
	for (; *text; text++) {
		const char *at = strchr("&<>\"", *text);
		static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;" };
		if (at)
			fputs(names[at - "&<>\""], file);
		else if ((unsigned char)*text >= 0x20 || *text == '\t' || *text == '\n')
			fputc(*text, file);
	}
}

static void write_case(FILE *file, const json_t *finding)
{
	const json_t *side = json_array_get(sides_of(finding), 0);
	char *text = NULL;
	size_t size = 0;
	FILE *all = open_memstream(&text, &size);

	if (all) {
		write_finding(all, finding);
		fclose(all);
	}
	fputs("    <testcase classname=\"", file);
	put_xml(file, check_text(finding, "tool"));
	fputs("\" name=\"", file);
	put_xml(file, check_text(side, "kernel"));
	fprintf(file, ":%u\">\n      <failure type=\"", check_number(side, "line"));
	put_xml(file, check_text(finding, "rule"));
	fputs("\" message=\"", file);
	put_xml(file, check_text(side, "what"));
	fputs("\">", file);
	put_xml(file, text ? text : "");
	fputs("</failure>\n    </testcase>\n", file);
	free(text);
}

static void write_junit(FILE *file, const void *report)
{
	const struct check_findings *findings = report;
	size_t count = json_array_size(findings->list), i;
	const json_t *finding;

	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites>\n  <testsuite name=\"zerocl check\" tests=\"%zu\" "
		"failures=\"%zu\">\n",
		count ? count : 1, count);
	json_array_foreach(findings->list, i, finding) write_case(file, finding);
	if (!count)
		fputs("    <testcase classname=\"check\" name=\"all\"/>\n", file);
	fputs("  </testsuite>\n</testsuites>\n", file);
}

const struct tool_format check_formats[] = {
	{ "text", write_text },
	{ "json", write_json },
	{ "sarif", write_sarif },
	{ "junit", write_junit },
	{ 0 },
};
