// SPDX-License-Identifier: MIT
#ifndef EU_COMMAND_H
#define EU_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Which commands of the program in front are before which, as it has told. A command has a number,
 * from 1 on, in the order in which they are added; 0 is none, and ordered with all. Of many
 * commands the older ones are forgotten: those are before all others. From any thread.
 */

/*
 * A command, called `name` in reports (a constant; NULL: it runs a kernel of the program), that
 * comes after the `n` commands in `after` (EU_COMMAND_ALL: all of them), after all that
 * eu_command_see has been told of, and after what those come after. Of commands with the same
 * `chain` (not 0), each comes after the one before it. Returns its number; 0 when memory is short.
 */
#define EU_COMMAND_ALL UINT32_MAX
uint32_t eu_command_add(const char *name, uint32_t chain, const uint32_t *after, size_t n);

/* The program has seen the command end: what it adds from now on comes after it. */
void eu_command_see(uint32_t number);

/*
 * What this thread submits or, of the device's threads, executes from now on is the command's; and
 * whose that is.
 */
void eu_command_enter(uint32_t number);
uint32_t eu_command_entered(void);

/* Whether `earlier` is before `later`, or the same, or one is 0 or forgotten. */
bool eu_command_is_before(uint32_t earlier, uint32_t later);

/* Its name; NULL as above, or forgotten. */
const char *eu_command_name(uint32_t number);

#endif
