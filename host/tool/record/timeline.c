// SPDX-License-Identifier: MIT
#include "tool/record/record.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tool/base/tool_output.h"

enum { MOST_LANES = 64, QUEUE_TRACKS = 1000 };

/* A command, with its times on the clock of the host when `offset` of its queue is added. */
struct command {
	uint32_t number, thread;
	uint64_t queue, begin, end; /* of the call */
	uint64_t times[4];	    /* queued, submitted, started, ended; 0: not known */
	const char *name;
	unsigned lane;
};

struct process {
	const struct record *record;
	unsigned pid;
	const char **kernels; /* names by id */
	uint64_t n_kernels;
	struct command *commands; /* in the order of calls */
	size_t n_commands;
	FILE *file;
	uint64_t start; /* of the whole timeline */
	bool *is_first;
};

static void write_event(struct process *process, json_t *event)
{
	fputs(*process->is_first ? "\n" : ",\n", process->file);
	*process->is_first = false;
	if (event)
		json_dumpf(event, process->file, JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(event);
}

static double microseconds(const struct process *process, uint64_t time)
{
	return (double)(time - process->start) / 1000;
}

static void write_name(struct process *process, const char *what, uint64_t track, const char *name)
{
	write_event(process,
		json_pack("{s:s,s:s,s:i,s:I,s:{s:s}}", "name", what, "ph", "M", "pid",
			(int)process->pid, "tid", (json_int_t)track, "args", "name", name));
}

static void name_kernel(struct process *process, uint64_t id, const char *name)
{
	if (id >= process->n_kernels && id <= process->record->n * CALL_MOST_PARAMS) {
		const char **grown = realloc(process->kernels, (2 * id + 1) * sizeof(const char *));
		if (!grown)
			return;
		memset(grown + process->n_kernels, 0,
			(2 * id + 1 - process->n_kernels) * sizeof(const char *));
		process->kernels = grown;
		process->n_kernels = 2 * id + 1;
	}
	if (id < process->n_kernels)
		process->kernels[id] = name;
}

static const char *kernel_name(const struct process *process, uint64_t id)
{
	const char *name = id < process->n_kernels ? process->kernels[id] : NULL;

	return name && *name ? name : NULL;
}

/* The value of the first parameter with that letter. */
static uint64_t number_of(const struct record_call *call, char letter)
{
	int i = call_param_find(call->call, letter);

	return i < 0 || i >= (int)call->n ? 0 : call->values[i].number;
}

static void add_command(struct process *process, const struct record_call *call, const char *name)
{
	struct command *grown =
		realloc(process->commands, (process->n_commands + 1) * sizeof *process->commands);

	if (!grown)
		return;
	process->commands = grown;
	size_t at = process->n_commands++;
	/* By their numbers, which follow queues: blocking calls have returned later. */
	for (; at > 0 && grown[at - 1].number > call->number; at--)
		grown[at] = grown[at - 1];
	grown[at] = (struct command){ .number = call->number,
		.thread = call->thread,
		.queue = number_of(call, 'Q'),
		.begin = call->begin,
		.end = call->end,
		.name = name };
}

static void write_call(struct process *process, const struct record_call *call)
{
	uint64_t kernel = number_of(call, 'K');
	int name = call_param_find(call->call, 'c');

	if (call->call->signature[0] == 'K' && !call->error && name >= 0 && call->n)
		name_kernel(process, call->result,
			record_content_text(process->record, call->values[name].contents));
	else if (call->call->signature[0] == 'K' && !call->error)
		name_kernel(process, call->result, kernel_name(process, kernel));
	const char *what = kernel_name(process, kernel);
	bool is_command = call->call->kind == CALL_ENQUEUE && !call->error;
	if (is_command)
		add_command(process, call, what ? what : call->call->name + strlen("clEnqueue"));
	json_t *args = json_pack("{s:i}", "error", (int)call->error);
	if (what)
		json_object_set_new(args, "kernel", json_string(what));
	double begin = microseconds(process, call->begin);
	write_event(
		process, json_pack("{s:s,s:s,s:s,s:i,s:i,s:f,s:f,s:o}", "name", call->call->name,
				 "cat", "host", "ph", "X", "pid", (int)process->pid, "tid",
				 (int)call->thread + 1, "ts", begin, "dur",
				 (double)(call->end - call->begin) / 1000, "args", args));
}

static int by_number(const void *a, const void *b)
{
	const struct command *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static void read_times(struct process *process, const struct record_entry *entry)
{
	struct command key = { .number = (uint32_t)entry->numbers[0] };
	struct command *command = process->commands
					  ? bsearch(&key, process->commands, process->n_commands,
						    sizeof key, by_number)
					  : NULL;

	if (command)
		memcpy(command->times, entry->numbers + 1, sizeof command->times);
}

static int by_queue_and_start(const void *a, const void *b)
{
	const struct command *x = a, *y = b;

	if (x->queue != y->queue)
		return x->queue < y->queue ? -1 : 1;
	return x->times[2] < y->times[2] ? -1 : x->times[2] > y->times[2];
}

/*
 * What to add to the device's clock: as much as makes no command of the queue be queued before its
 * call began.
 */
static uint64_t offset_of(const struct command *commands, size_t n)
{
	int64_t offset = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		int64_t least = (int64_t)(commands[i].begin - commands[i].times[0]);
		offset = least > offset ? least : offset;
	}
	return (uint64_t)offset;
}

static void write_command(struct process *process, const struct command *command, uint64_t offset)
{
	uint64_t times[4];
	json_int_t track = (json_int_t)(QUEUE_TRACKS + command->queue * MOST_LANES + command->lane);

	for (unsigned i = 0; i < 4; i++)
		times[i] = command->times[i] + offset;
	double begin = microseconds(process, times[2]);
	write_event(process,
		json_pack("{s:s,s:s,s:s,s:i,s:I,s:f,s:f,s:{s:i,s:f,s:f}}", "name", command->name,
			"cat", "device", "ph", "X", "pid", (int)process->pid, "tid", track, "ts",
			begin, "dur", (double)(times[3] - times[2]) / 1000, "args", "call",
			(int)command->number, "queued", microseconds(process, times[0]),
			"submitted", microseconds(process, times[1])));
	json_int_t id = (json_int_t)((uint64_t)process->pid << 32 | command->number);
	write_event(process,
		json_pack("{s:s,s:s,s:s,s:i,s:i,s:f,s:I}", "name", "command", "cat", "command",
			"ph", "s", "pid", (int)process->pid, "tid", (int)command->thread + 1, "ts",
			microseconds(process, command->begin), "id", id));
	write_event(process, json_pack("{s:s,s:s,s:s,s:s,s:i,s:I,s:f,s:I}", "name", "command",
				     "cat", "command", "ph", "f", "bp", "e", "pid",
				     (int)process->pid, "tid", track, "ts", begin, "id", id));
}

/* The commands of one queue, each on the first track on which nothing else runs then. */
static void write_queue(struct process *process, struct command *commands, size_t n)
{
	uint64_t offset = offset_of(commands, n), ends[MOST_LANES] = { 0 };
	unsigned lanes = 0;
	char name[64];

	for (size_t i = 0; i < n; i++) {
		struct command *command = &commands[i];
		while (command->lane < lanes && ends[command->lane] > command->times[2])
			command->lane++;
		if (command->lane == MOST_LANES)
			continue;
		if (command->lane == lanes) {
			snprintf(name, sizeof name, lanes ? "queue %llu, at once" : "queue %llu",
				(unsigned long long)command->queue);
			write_name(process, "thread_name",
				QUEUE_TRACKS + command->queue * MOST_LANES + lanes++, name);
		}
		ends[command->lane] = command->times[3];
		write_command(process, command, offset);
	}
}

/* Commands whose times are known and in order. */
static void write_commands(struct process *process)
{
	size_t n = 0;

	for (size_t i = 0; i < process->n_commands; i++) {
		const uint64_t *times = process->commands[i].times;
		if (times[2] && times[2] <= times[3] && times[0] <= times[2])
			process->commands[n++] = process->commands[i];
	}
	if (n)
		qsort(process->commands, n, sizeof *process->commands, by_queue_and_start);
	for (size_t first = 0, i = 1; i <= n; i++)
		if (i == n || process->commands[i].queue != process->commands[first].queue) {
			write_queue(process, process->commands + first, i - first);
			first = i;
		}
}

static void write_process(struct process *process)
{
	struct record_entry entry = { 0 };
	uint32_t threads = 0;
	char name[64];

	while (record_next(process->record, &entry))
		if (entry.call) {
			write_call(process, entry.call);
			threads = entry.call->thread >= threads ? entry.call->thread + 1 : threads;
		} else if (entry.type == RECORD_TIMES) {
			read_times(process, &entry);
		} else if (entry.type == RECORD_KERNEL) {
			name_kernel(process, entry.numbers[0], entry.texts[0]);
		}
	for (uint32_t i = 0; i < threads && i < 10000; i++) {
		snprintf(name, sizeof name, "host thread %u", i);
		write_name(process, "thread_name", i + 1, name);
	}
	write_commands(process);
	free(process->kernels);
	free(process->commands);
}

/* When the first call of all began. */
static uint64_t start_of(const struct record **records, unsigned n)
{
	uint64_t start = UINT64_MAX;

	for (unsigned r = 0; r < n; r++) {
		struct record_entry entry = { 0 };
		while (record_next_call(records[r], &entry))
			start = entry.call->begin < start ? entry.call->begin : start;
	}
	return start;
}

bool timeline_write(const char *path, const struct record **records, unsigned n)
{
	FILE *file = tool_output_open("timeline", path, NULL);
	bool is_first = true;

	if (!file)
		return false;
	uint64_t start = start_of(records, n);
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", file);
	for (unsigned i = 0; i < n; i++) {
		struct process process = { .record = records[i],
			.pid = i + 1,
			.file = file,
			.start = start,
			.is_first = &is_first };
		write_name(&process, "process_name", 0, "OpenCL");
		write_process(&process);
	}
	fputs("\n]}\n", file);
	return tool_output_close("timeline", path, file);
}
