// SPDX-License-Identifier: MIT
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

/*
 * The commands of `zerocl`. argv[0] is the command's name. Each returns the exit status of the
 * process: 0 if all is well, 1 if what was asked for failed, 2 for wrong usage.
 */
#define COMMAND(name, what) int tool_##name(int argc, char **argv);
#include "tool/base/command.def"
#undef COMMAND

enum { TOOL_FAILED = 1, TOOL_USAGE = 2 };

#endif
