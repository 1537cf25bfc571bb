// SPDX-License-Identifier: MIT
#include "tool/tool_command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool_env.h"

/* As shells say it. */
enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

static const char usage[] =
	"usage: zerocl run [--] PROGRAM [ARGUMENT…]\n"
	"Runs a program that sees ZeroCL as its only OpenCL platform, on the virtual device\n"
	"(ZEROCL_DEVICE=vgpu) unless ZEROCL_DEVICE says otherwise.\n";

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
	execvp(argv[first], argv + first);
	fprintf(stderr, "zerocl run: %s: %s\n", argv[first], strerror(errno));
	return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}
