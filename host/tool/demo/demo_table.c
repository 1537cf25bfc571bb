// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#include <stdio.h>
#include <string.h>

#define NATIVE_WIDTH 54

/* What a device may lack. */
static const struct lack {
	unsigned need;
	const char *what;
} lacks[] = {
	{ NEED_C20, "work_group_barrier: the device has no OpenCL C 2.0" },
	{ NEED_SUB_GROUPS, "sub-group kernels: the device reports no sub-groups" },
	{ NEED_INTEL, "shuffles, block reads and writes: the device has no cl_intel_subgroups" },
};

void demo_table_add_groups(struct demo_table_row *row, size_t groups)
{
	size_t length = strlen(row->groups);

	if (groups)
		snprintf(row->groups + length, sizeof(row->groups) - length,
			length ? " %zu" : "%zu", groups);
	else
		snprintf(row->groups + length, sizeof(row->groups) - length, length ? " -" : "-");
}

void demo_table_head(const struct demo_device *device, uint64_t seed, const char *no_native)
{
	char name[96];

	printf("platform  %s\ndevice    %s, driver %s\n", device->cl.platform_name, device->cl.name,
		device->cl.driver);
	printf("ranges   ");
	for (unsigned i = 0; i < demo_range_count; i++)
		printf(" %s", demo_range_name(&demo_ranges[i], name, sizeof(name)));
	printf("  (global/local+offset)\nseed      %llu\n", (unsigned long long)seed);
	if (no_native)
		printf("native    not shown: %s\n", no_native);
	printf("\n%-24s %-8s %-17s %-*s %8s  %s\n", "", "size", "sub-groups of a", NATIVE_WIDTH,
		"what the built-in became", "elements", "");
	printf("%-24s %-8s %-17s %-*s %8s  %s\n", "kernel", "want/got", "work-group", NATIVE_WIDTH,
		"in native code", "checked", "result");
}

/* The length of the part of text that fits into a line, cut behind a comma if need be. */
static int line_length(const char *text)
{
	int length = (int)strlen(text);

	if (length <= NATIVE_WIDTH)
		return length;
	for (int i = NATIVE_WIDTH; i > 0; i--)
		if (text[i] == ' ' && text[i - 1] == ',')
			return i;
	return NATIVE_WIDTH;
}

void demo_table_print(const struct demo_table_row *row)
{
	char asked[24] = "-", got[24] = "-", sizes[56];
	const char *native = row->native;
	int length = line_length(native);

	if (row->asked)
		snprintf(asked, sizeof(asked), "%zu", row->asked);
	if (row->got)
		snprintf(got, sizeof(got), "%zu", row->got);
	snprintf(sizes, sizeof(sizes), "%s/%s", asked, got);
	printf("%-24s %-8s %-17s %-*.*s %8lu  %s\n", row->kernel, sizes, row->groups, NATIVE_WIDTH,
		length, native, row->elements,
		row->wrong[0]  ? "WRONG"
		: row->refused ? "refused"
			       : "ok");
	for (native += length; *native; native += length) {
		native += *native == ' ';
		length = line_length(native);
		printf("%-24s %-8s %-17s %.*s\n", "", "", "", length, native);
	}
	if (row->wrong[0])
		printf("    %s\n", row->wrong);
	fflush(stdout);
}

void demo_table_foot(const struct demo_device *device)
{
	printf("\n");
	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++)
		if (lacks[i].need & ~device->can)
			printf("not run: %s\n", lacks[i].what);
	if (!device->size_count)
		printf("not asked for: sub-group sizes (no cl_intel_required_subgroup_size)\n");
	if (!device->non_uniform)
		printf("not run: ragged work-groups (the device reports no support for them)\n");
}
