// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/base/tool_env.h"

/* As shells say it. */
enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

static const char usage[] =
	"usage: zerocl run [--] PROGRAM [ARGUMENT…]\n"
	"Runs a program that sees ZeroCL as its only OpenCL platform, on the virtual device\n"
	"(ZEROCL_DEVICE=vgpu) unless ZEROCL_DEVICE says otherwise. The virtual device is "
	"preloaded,\n"
	"so that other drivers of Intel GPUs find it too: Mesa's Vulkan, for example.\n";

/* Preloads the virtual device before what is preloaded already. */
static void preload_device(void)
{
	const char *others = getenv("LD_PRELOAD");
	char library[PATH_MAX], *all;

	if (!tool_env_find(TOOL_FILE_VGPU, library) ||
		asprintf(&all, "%s%s%s", library, others ? ":" : "", others ? others : "") < 0)
		return;
	setenv("LD_PRELOAD", all, 1);
	free(all);
}

int tool_run(int argc, char **argv)
{
	char icd[PATH_MAX];
	int first = argc > 1 && !strcmp(argv[1], "--") ? 2 : 1;

	if (first == argc || (first == 1 && argv[1][0] == '-')) {
		bool help = first < argc && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"));
		fputs(usage, help ? stdout : stderr);
		return help ? 0 : TOOL_USAGE;
	}
	if (!tool_env_find(TOOL_FILE_ICD, icd)) {
		fprintf(stderr, "zerocl run: %s is not there\n", icd);
		return TOOL_FAILED;
	}
	unsetenv("OCL_ICD_VENDORS");
	unsetenv("OCL_ICD_FILENAMES");
	tool_env_prepare();
	setenv("ZEROCL_DEVICE", "vgpu", 0);
	if (!strcmp(getenv("ZEROCL_DEVICE"), "vgpu")) {
		preload_device();
		/* ANV copies by drawing, but on a queue that only computes. */
		setenv("ANV_QUEUE_OVERRIDE", "gc=0,c=1", 0);
	}
	execvp(argv[first], argv + first);
	fprintf(stderr, "zerocl run: %s: %s\n", argv[first], strerror(errno));
	return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}
