// SPDX-License-Identifier: MIT
#ifndef TIMELINE_H
#define TIMELINE_H

#include "layer/call/record_file.h"

/*
 * Writes when the calls and commands of processes began and ended, in the trace event format of
 * Chrome, which Perfetto reads: a track for each host thread and each queue, several where commands
 * of a queue overlap, and an arrow from each call to its command. False, with a sentence on
 * standard error, if the file cannot be written.
 */
bool timeline_write(const char *path, const struct record **records, unsigned n);

#endif
