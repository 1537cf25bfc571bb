// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#include <stdbool.h>
#include <stdio.h>

#include "compile/base/error_name.h"
#include "tool/base/tool_cl.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* From cl_khr_subgroups and cl_intel_subgroups. */
#define MAX_SUB_GROUP_SIZE 0x2033
#define SUB_GROUP_COUNT	   0x2034

/* Work-group sizes that are asked about: below, at and beyond the widths. */
static const struct {
	unsigned dims;
	size_t local[3];
} work_groups[] = {
	{ 1, { 1, 1, 1 } },
	{ 1, { 44, 1, 1 } },
	{ 1, { 256, 1, 1 } },
	{ 2, { 12, 5, 1 } },
	{ 2, { 1, 33, 1 } },
	{ 3, { 4, 3, 2 } },
	{ 3, { 5, 5, 5 } },
};

struct asking {
	const struct demo_device *device;
	cl_kernel kernel;
	demo_sub_group_info function;
	const char *name;
	unsigned *checks;
	char *why;
	size_t why_size;
};

/* One question. The answer's storage is poisoned, and its size checked too. */
static bool ask(
	const struct asking *asking, cl_kernel_sub_group_info param, unsigned row, size_t *answer)
{
	size_t bytes = 0;
	cl_int code;

	*answer = (size_t)-1;
	code = asking->function(asking->kernel, asking->device->cl.device, param,
		work_groups[row].dims * sizeof(size_t), work_groups[row].local, sizeof(*answer),
		answer, &bytes);
	if (code == CL_SUCCESS && bytes == sizeof(*answer))
		return true;
	snprintf(asking->why, asking->why_size, "%s(0x%04x): %s, %zu bytes", asking->name, param,
		error_name(code), bytes);
	return false;
}

static bool expect(
	const struct asking *asking, cl_kernel_sub_group_info param, unsigned row, size_t expected)
{
	const size_t *local = work_groups[row].local;
	size_t answer;

	*asking->checks += 1;
	if (!ask(asking, param, row, &answer))
		return false;
	if (answer == expected)
		return true;
	snprintf(asking->why, asking->why_size,
		"%s(0x%04x) for %zux%zux%zu says %zu, should say %zu", asking->name, param,
		local[0], local[1], local[2], answer, expected);
	return false;
}

static bool expect_all(const struct asking *asking, size_t size)
{
	for (unsigned row = 0; row < ARRAY_SIZE(work_groups); row++) {
		const size_t *local = work_groups[row].local;
		size_t count = (local[0] * local[1] * local[2] + size - 1) / size;
		if (!expect(asking, MAX_SUB_GROUP_SIZE, row, size) ||
			!expect(asking, SUB_GROUP_COUNT, row, count))
			return false;
	}
	return true;
}

size_t demo_query(const struct demo_device *device, cl_kernel kernel, size_t asked,
	unsigned *checks, char *why, size_t size)
{
	const struct asking functions[] = {
		{ device, kernel, device->info_khr, "clGetKernelSubGroupInfoKHR", checks, why,
			size },
		{ device, kernel, device->info_core, "clGetKernelSubGroupInfo", checks, why, size },
	};
	size_t width = asked;

	if (!device->info_khr && !device->info_core) {
		snprintf(why, size, "the platform has no clGetKernelSubGroupInfoKHR");
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (!functions[i].function)
			continue;
		if (!width && !ask(&functions[i], MAX_SUB_GROUP_SIZE, 0, &width))
			return 0;
		if (!width) {
			snprintf(why, size, "%s says 0 lanes", functions[i].name);
			return 0;
		}
		if (!expect_all(&functions[i], width))
			return 0;
	}
	return width;
}
