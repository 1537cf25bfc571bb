// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"

int tool_run(int argc, char **argv)
{
	int first = tool_options_read("run", NULL, 1, INT_MAX, argc, argv);

	if (first <= 0)
		return -first;
	unsetenv("OCL_ICD_VENDORS");
	unsetenv("OCL_ICD_FILENAMES");
	if (!tool_env_need("run"))
		return TOOL_FAILED;
	tool_env_put_vgpu();
	return tool_child_become("run", argv + first);
}
