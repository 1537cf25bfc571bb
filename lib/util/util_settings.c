// SPDX-License-Identifier: MIT
#include "util/util_settings.h"

#include "util/util_bits.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Readings are never freed: a thread may still use the settings that were read before. */
struct reading {
	struct util_settings settings;
	const struct reading *previous;
};

static _Atomic(const struct reading *) current;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct {
	const char *program, *variable, *value;
} quirks[] = {
#define QUIRK(program, variable, value) { program, variable, value },
#include "util/util_quirk.def"
#undef QUIRK
};

static const char *quirk_of(const char *variable)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(quirks); i++)
		if (!strcmp(quirks[i].variable, variable) &&
			!fnmatch(quirks[i].program, program_invocation_short_name, 0))
			return quirks[i].value;
	return NULL;
}

static const char *read_variable(const char *name, bool is_path)
{
	const char *value = is_path ? secure_getenv(name) : getenv(name);

	return value && *value ? value : quirk_of(name);
}

static bool copy_text(const char **member, const char *name, bool is_path)
{
	const char *value = read_variable(name, is_path);

	*member = value ? strdup(value) : NULL;
	return !value || *member;
}

static bool copy_number(unsigned *member, const char *name)
{
	const char *value = read_variable(name, false);

	long long number = value ? strtoll(value, NULL, 10) : 0;

	*member = number > 0 && number <= INT_MAX ? (unsigned)number : 0;
	return true;
}

static bool copy_flag(bool *member, const char *name)
{
	const char *value = read_variable(name, false);

	*member = value && strcmp(value, "0") != 0;
	return true;
}

void util_settings_read(void)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	struct util_settings *settings = reading ? &reading->settings : NULL;
	bool whole = reading != NULL;

#define TEXT(member, name)	    copy_text(&settings->member, name, false)
#define PATH(member, name)	    copy_text(&settings->member, name, true)
#define NUMBER(member, name)	    copy_number(&settings->member, name)
#define FLAG(member, name)	    copy_flag(&settings->member, name)
#define SETTING(member, name, kind) whole = whole && kind(member, name);
#include "util/util_settings.def"
	if (!whole)
		return;
	reading->previous = atomic_load(&current);
	atomic_store(&current, reading);
}

const struct util_settings *util_settings(void)
{
	static const struct util_settings defaults;

	if (!atomic_load(&current))
		pthread_once(&once, util_settings_read);
	const struct reading *reading = atomic_load(&current);
	return reading ? &reading->settings : &defaults;
}

bool util_settings_lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (list && *list) {
		size_t part = strcspn(list, ",");
		if (part == length && !strncmp(list, word, length))
			return true;
		list += part + (list[part] != 0);
	}
	return false;
}
