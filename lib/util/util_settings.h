// SPDX-License-Identifier: MIT
#ifndef UTIL_SETTINGS_H
#define UTIL_SETTINGS_H

#include <stdbool.h>

/*
 * The environment as it was when it was read, and what util_quirk.def sets for this program where
 * it sets nothing: rows of util_settings.def.
 */
struct util_settings {
#define TEXT				const char *
#define PATH				const char *
#define NUMBER				unsigned
#define FLAG				bool
#define SETTING(member, variable, kind) kind member;
#include "util/util_settings.def"
#undef SETTING
#undef TEXT
#undef PATH
#undef NUMBER
#undef FLAG
};

/*
 * The settings that were read last; the environment is read if it never was. Never NULL. Valid for
 * the life of the process. From any thread.
 */
const struct util_settings *util_settings(void);

/*
 * Reads the environment again. For whoever installs the device, and for tests, on the application's
 * thread: nothing else reads it, so that no thread of ours races the application's setenv.
 * When memory is short the settings stay as they were.
 */
void util_settings_read(void);

/* Whether a list with commas has the word. NULL has none. */
bool util_settings_lists(const char *list, const char *word);

#endif
