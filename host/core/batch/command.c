// SPDX-License-Identifier: MIT
#include "core/batch/command.h"

#include "core/batch/recording.h"
#include "core/base/error.h"

#include <stdlib.h>
#include <string.h>

void command_fill_run(const struct command_fill *fill)
{
	size_t done = fill->pattern_size < fill->size ? fill->pattern_size : fill->size;

	memcpy(fill->to, fill->pattern, done);
	while (done < fill->size) {
		size_t part = fill->size - done < done ? fill->size - done : done;

		memcpy(fill->to + done, fill->to, part);
		done += part;
	}
}

bool command_prints(const struct command *command, unsigned place)
{
	if (command->kind == COMMAND_REPLAY)
		return command->recording->batch->print;
	return command->kind == COMMAND_LAUNCH && command->launch.kernel->forms[place].prints;
}

static void drop_args(struct kernel_arg *args, cl_uint n)
{
	for (cl_uint i = 0; args && i < n; i++) {
		obj_put(kernel_arg_obj(&args[i]));
		if (args[i].kind == KERNEL_ARG_VALUE)
			free(args[i].value);
	}
	free(args);
}

/* A copy of the arguments as they are, with references and memory of its own. */
static struct kernel_arg *keep_args(const struct kernel_arg *args, cl_uint n)
{
	struct kernel_arg *copy = calloc(n + 1, sizeof(*copy));

	for (cl_uint i = 0; copy && i < n; i++) {
		copy[i] = args[i];
		copy[i].value = NULL;
		if (kernel_arg_obj(&args[i]))
			obj_get(kernel_arg_obj(&args[i]));
		if (args[i].kind != KERNEL_ARG_VALUE)
			continue;
		copy[i].value = malloc(args[i].size + 1);
		if (!copy[i].value) {
			drop_args(copy, i);
			return NULL;
		}
		memcpy(copy[i].value, args[i].value, args[i].size);
	}
	return copy;
}

cl_int command_keep(const struct command *command, struct command **out)
{
	struct command *copy = malloc(sizeof(*copy));

	if (!copy)
		return CL_OUT_OF_HOST_MEMORY;
	*copy = *command;
	if (command->kind == COMMAND_LAUNCH) {
		struct kernel *kernel = command->launch.kernel;
		const struct kernel_arg *args =
			command->launch.args ? command->launch.args : kernel->args;

		pthread_mutex_lock(&kernel->lock);
		copy->launch.args = keep_args(args, kernel->n_args);
		pthread_mutex_unlock(&kernel->lock);
		if (!copy->launch.args) {
			free(copy);
			return CL_OUT_OF_HOST_MEMORY;
		}
		kernel_get(kernel);
	}
	if (command->kind == COMMAND_REPLAY)
		recording_get(copy->recording);
	for (int i = 0; i < COMMAND_MAX_MEMS; i++)
		if (copy->mems[i])
			mem_get(copy->mems[i]);
	*out = copy;
	return CL_SUCCESS;
}

void command_drop(struct command *command)
{
	if (!command)
		return;
	for (int i = 0; i < COMMAND_MAX_MEMS; i++)
		mem_put(command->mems[i]);
	if (command->kind == COMMAND_REPLAY)
		recording_put(command->recording);
	if (command->kind == COMMAND_LAUNCH) {
		drop_args(command->launch.args, command->launch.kernel->n_args);
		kernel_put(command->launch.kernel);
	}
	free(command);
}
