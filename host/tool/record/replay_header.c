// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/base/tool_child.h"
#include "tool/record/replay.h"

/* A record may come from anywhere: no file of it is written outside of our folder. */
static bool stays_inside(const char *name)
{
	const char *at = name;

	while (at && *at) {
		if (*at == '/' || (at[0] == '.' && at[1] == '.' && (!at[2] || at[2] == '/')))
			return false;
		at = strchr(at, '/');
		at += at != NULL;
	}
	return *name;
}

/* The number of a folder of options. -1: no memory. */
static int number_of(struct replay *replay, const char *folder)
{
	for (size_t i = 0; i < replay->n_headers; i++)
		if (!strcmp(replay->headers[i], folder))
			return (int)i;
	char **grown = realloc(replay->headers, (replay->n_headers + 1) * sizeof *grown);
	if (!grown)
		return -1;
	replay->headers = grown;
	grown[replay->n_headers] = strdup(folder);
	return grown[replay->n_headers] ? (int)replay->n_headers++ : -1;
}

static void make_folders(char *path, size_t from)
{
	for (char *at = path + from; (at = strchr(at, '/')); at++) {
		*at = 0;
		mkdir(path, 0700);
		*at = '/';
	}
}

void replay_header(struct replay *replay, struct record_entry *entry)
{
	const char *folder = entry->texts[0], *name = entry->texts[1];
	void *text = record_allocate(&entry->memory, entry->content.size + 1, 1);
	int number = entry->is_bad || !text ? -1 : number_of(replay, folder);
	char path[2 * PATH_MAX];

	if (!*replay->folder && !tool_child_folder("replay", replay->folder))
		*replay->folder = 0;
	int length = snprintf(path, sizeof path, "%s/%d/%s", replay->folder, number, name);
	if (number >= 0 && *replay->folder && stays_inside(name) && length < (int)sizeof path) {
		record_content_copy(replay->record, &entry->content, text);
		make_folders(path, strlen(replay->folder) + 1);
		FILE *file = fopen(path, "wx");
		if (file) {
			fwrite(text, 1, entry->content.size, file);
			fclose(file);
		}
	} else {
		replay_say(replay, "the header \"%s\" cannot be restored", name);
	}
}

/* Our folders first, then the options as they are: folders of the record's machine are elsewhere.
 */
char *replay_options(struct replay *replay, struct record_memory *memory, const char *options)
{
	const char *added = replay->options ? replay->options : "";
	size_t room = strlen(options ? options : "") + strlen(added) + 3 + replay->n_headers * 96;
	bool is_changed = replay->n_headers || *added;
	char *ours = is_changed ? record_allocate(memory, room, 1) : NULL;
	size_t length = 0;

	for (size_t i = 0; ours && i < replay->n_headers; i++)
		length += (size_t)snprintf(
			ours + length, room - length, "-I %s/%zu ", replay->folder, i);
	if (ours)
		snprintf(ours + length, room - length, "%s %s", options ? options : "", added);
	return ours;
}

void replay_headers_finish(struct replay *replay)
{
	if (*replay->folder)
		tool_child_clean(replay->folder);
	while (replay->n_headers)
		free(replay->headers[--replay->n_headers]);
	free(replay->headers);
	replay->headers = NULL;
	*replay->folder = 0;
}
