// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"

static const char usage[] =
	"usage: zerocl run [--] PROGRAM [ARGUMENT…]\n"
	"Runs a program that sees ZeroCL as its only OpenCL platform, on the virtual device\n"
	"(ZEROCL_DEVICE=vgpu) unless ZEROCL_DEVICE says otherwise. The virtual device is "
	"preloaded,\n"
	"so that other drivers of Intel GPUs find it too: Mesa's Vulkan, for example.\n";

int tool_run(int argc, char **argv)
{
	int first = tool_options_read(usage, NULL, 1, INT_MAX, argc, argv);

	if (first <= 0)
		return -first;
	unsetenv("OCL_ICD_VENDORS");
	unsetenv("OCL_ICD_FILENAMES");
	if (!tool_env_need("run"))
		return TOOL_FAILED;
	tool_env_put_vgpu();
	return tool_child_become("run", argv + first);
}
