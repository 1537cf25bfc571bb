// SPDX-License-Identifier: MIT
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

/*
 * The commands of `zerocl`. argv[0] is the command's name. Each returns the exit status of the
 * process: 0 if all is well, 1 if what was asked for failed, 2 for wrong usage.
 */
int tool_info(int argc, char **argv);
int tool_demo(int argc, char **argv);
int tool_run(int argc, char **argv);
int tool_check(int argc, char **argv);
int tool_isa(int argc, char **argv);
int tool_cache(int argc, char **argv);
int tool_doctor(int argc, char **argv);

enum { TOOL_FAILED = 1, TOOL_USAGE = 2 };

#endif
