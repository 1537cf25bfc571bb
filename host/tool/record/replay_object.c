// SPDX-License-Identifier: MIT
#include "tool/record/replay.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAID = 20 };

void replay_say(struct replay *replay, const char *format, ...)
{
	va_list list;
	uint64_t said = replay->differences + replay->failures;

	if (!replay->log || said > MOST_SAID)
		return;
	va_start(list, format);
	vfprintf(replay->log, format, list);
	va_end(list);
	fputs(said == MOST_SAID ? "\nfurther ones are not shown\n" : "\n", replay->log);
}

struct replay_object *replay_object(struct replay *replay, uint64_t id, char letter)
{
	return id && id < replay->n_objects && replay->objects[id].letter == letter
		       ? &replay->objects[id]
		       : NULL;
}

struct replay_object *replay_object_create(
	struct replay *replay, uint64_t id, char letter, uint64_t handle)
{
	if (!id || id > replay->record->n * CALL_MOST_PARAMS + 64)
		return NULL;
	if (id >= replay->n_objects) {
		uint64_t n = id + id / 2 + 64;
		struct replay_object *grown = realloc(replay->objects, n * sizeof *grown);
		if (!grown)
			return NULL;
		memset(grown + replay->n_objects, 0, (n - replay->n_objects) * sizeof *grown);
		replay->objects = grown;
		replay->n_objects = n;
	}
	replay->objects[id] =
		(struct replay_object){ .letter = letter, .references = 1, .handle = handle };
	return &replay->objects[id];
}

struct replay_output *replay_output(struct replay *replay, uint32_t number, bool make)
{
	if (number > replay->record->n || (!make && number >= replay->n_outputs))
		return NULL;
	if (number >= replay->n_outputs) {
		uint32_t n = number + number / 2 + 64;
		struct replay_output *grown = realloc(replay->outputs, n * sizeof *grown);
		if (!grown)
			return NULL;
		memset(grown + replay->n_outputs, 0, (n - replay->n_outputs) * sizeof *grown);
		replay->outputs = grown;
		replay->n_outputs = n;
	}
	return &replay->outputs[number];
}

void replay_output_finish(struct replay_output *output)
{
	if (output->event)
		clReleaseEvent(output->event);
	if (output->entered)
		clReleaseEvent(output->entered);
	free(output->memory);
	*output = (struct replay_output){ 0 };
}
