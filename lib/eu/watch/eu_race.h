// SPDX-License-Identifier: MIT
#ifndef EU_RACE_H
#define EU_RACE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A command (eu_command.h) reads or writes these bytes without a kernel: the host does it, or may
 * do it from now on. Left out are ranges of more than 64 MiB, and what is not within one allocation
 * of the program. From any thread.
 */
void eu_race_touch(uint32_t command, uint64_t address, uint64_t bytes, bool writes);

#endif
