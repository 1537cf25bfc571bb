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
#include <unistd.h>

/* Readings are never freed: a thread may still use the settings that were read before. */
struct reading {
	struct util_settings settings;
	const struct reading *previous;
	char texts[]; /* what the settings point to */
};

/* Where the next text goes. */
struct room {
	char *at, *end;
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

/* All that may be asked for. */
static size_t count_bytes(void)
{
	size_t bytes = 0;

	for (char **row = environ; row && *row; row++)
		bytes += strlen(*row) + 1;
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(quirks); i++)
		bytes += strlen(quirks[i].value) + 1;
	return bytes;
}

static void copy_text(const char **member, const char *name, bool is_path, struct room *room)
{
	const char *value = read_variable(name, is_path);
	size_t size = value ? strlen(value) + 1 : 0;

	/* unless the application's other threads change the environment, it fits */
	if (size && size <= (size_t)(room->end - room->at)) {
		*member = memcpy(room->at, value, size);
		room->at += size;
	}
}

static void copy_number(unsigned *member, const char *name)
{
	const char *value = read_variable(name, false);

	long long number = value ? strtoll(value, NULL, 10) : 0;

	*member = number > 0 && number <= INT_MAX ? (unsigned)number : 0;
}

static void copy_flag(bool *member, const char *name)
{
	const char *value = read_variable(name, false);

	*member = value && strcmp(value, "0") != 0;
}

void util_settings_read(void)
{
	size_t bytes = count_bytes();
	struct reading *reading = calloc(1, sizeof(*reading) + bytes);
	if (!reading)
		return;
	struct util_settings *settings = &reading->settings;
	struct room room = { reading->texts, reading->texts + bytes };
#define TEXT(member, name)	    copy_text(&settings->member, name, false, &room)
#define PATH(member, name)	    copy_text(&settings->member, name, true, &room)
#define NUMBER(member, name)	    copy_number(&settings->member, name)
#define FLAG(member, name)	    copy_flag(&settings->member, name)
#define SETTING(member, name, kind) kind(member, name);
#include "util/util_settings.def"
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
