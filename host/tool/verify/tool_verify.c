// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"
#include "tool/verify/verify_report.h"

/* A batch that takes longer is given up, with its process. A batch takes milliseconds. */
enum { SECONDS_OF_BATCH = 20, MOST_FAILURES = 20 };
enum { BATCHES = (VERIFY_MOST + VERIFY_BATCH - 1) / VERIFY_BATCH };

struct options {
	const char *device, *only, *output;
	bool is_virtual;
};

static bool take_device(void *to, const char *device)
{
	size_t digits = strspn(device, "0123456789");

	*(const char **)to = device;
	return !strcmp(device, "vgpu") || (digits && !device[digits]);
}

/* ---- processes that run batches ---- */

/* How one of the sides comes to its device: variables, NULL for as they are. */
struct place {
	const char *device, *visible, *vgpu, *engine;
};

static void set(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
}

static void set_place(const struct place *place)
{
	set("ZEROCL_DEVICE", place->device);
	set("ZEROCL_VISIBLE_DEVICES", place->visible);
	set("ZEROCL_VGPU", place->vgpu);
	set("ZEROCL_VGPU_ENGINE", place->engine);
}

static pid_t start(
	const struct place *place, struct verify_side *side, unsigned first, const char *only)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	set_place(place);
	_exit(verify_run(side, first, only) ? 0 : TOOL_FAILED);
}

/* Waits until the process ends, or makes no progress. Returns its status as waitpid gives it. */
static int watch(pid_t pid, struct verify_side *side)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	unsigned seen = atomic_load(&side->done);
	time_t since = time(NULL);
	int status;

	for (;;) {
		pid_t ended = waitpid(pid, &status, WNOHANG);
		if (ended == pid || (ended < 0 && errno != EINTR))
			return ended == pid ? status : -1;
		if (atomic_load(&side->done) != seen) {
			seen = atomic_load(&side->done);
			since = time(NULL);
		} else if (time(NULL) - since > SECONDS_OF_BATCH) {
			snprintf(side->why, sizeof side->why, "no answer for %d seconds",
				SECONDS_OF_BATCH);
			kill(pid, SIGKILL);
		}
		nanosleep(&pause, NULL);
	}
}

/*
 * Runs all batches, in a new process after each that fails, whose sentence goes to errors. False:
 * there is nothing to compare, with side->why.
 */
static bool run_side(
	const struct place *place, struct verify_side *side, const char *only, char **errors)
{
	unsigned failures = 0;

	for (unsigned first = 0; failures < MOST_FAILURES;) {
		side->why[0] = 0;
		pid_t pid = start(place, side, first, only);
		int status = pid < 0 ? -1 : watch(pid, side);
		if (!status)
			return true;
		if (status > 0 && WIFSIGNALED(status) && !side->why[0])
			snprintf(side->why, sizeof side->why, "the process ended by signal %d",
				WTERMSIG(status));
		unsigned started = atomic_load(&side->started);
		if (pid < 0 || started <= first || !atomic_load(&side->is_known))
			return false;
		free(errors[started - 1]);
		errors[started - 1] = strdup(side->why);
		first = started;
		failures++;
	}
	for (unsigned i = atomic_load(&side->started); i < BATCHES; i++)
		errors[i] = strdup("not run: too many batches failed before");
	return true;
}

/* ---- other commands on the device under test: info, and the demonstration, which checks itself
 * ---- */

enum { SECONDS_OF_COMMAND = 600 };

struct command {
	const struct place *place;
	const char *name;
};

static void become_command(const void *data)
{
	const struct command *command = data;

	set_place(command->place);
	alarm(SECONDS_OF_COMMAND);
	execl("/proc/self/exe", "zerocl", command->name, (char *)NULL);
}

/* What a command prints, to be freed; with a last line of how it ended, if by a signal. */
static char *run_command(const struct place *place, const char *name)
{
	int status;
	char *text = tool_child_text(become_command, &(struct command){ place, name }, &status),
	     *all;

	if (!text || status <= TOOL_SIGNAL)
		return text;
	if (asprintf(&all, "%s%s: it ended by signal %d\n", text, name, status - TOOL_SIGNAL) < 0)
		all = NULL;
	free(text);
	return all;
}

/* The last line of a text, without its end; "" for NULL. */
static const char *last_line(char *text)
{
	size_t length = text ? strlen(text) : 0;

	while (length && text[length - 1] == '\n')
		text[--length] = 0;
	char *start = length ? strrchr(text, '\n') : NULL;
	return start ? start + 1 : length ? text : "";
}

/* ---- both sides ---- */

/* The first model of the virtual device that is of a generation. */
static const char *model_of(int generation)
{
	for (unsigned i = 0; gen_device_row(i); i++)
		if ((int)gen_device_row(i)->family->generation == generation)
			return gen_device_row(i)->name;
	return NULL;
}

static struct place place_of(const struct options *options)
{
	if (options->is_virtual)
		return (struct place){ "vgpu", "0", NULL, "threaded" };
	return (struct place){ "gpu", options->device, NULL, NULL };
}

static bool run_both(const struct options *options, struct verify_side *sides, char **errors)
{
	const struct place device = place_of(options);
	struct place expected = { "vgpu", "0", NULL, "stencil" };
	char *none[BATCHES] = { 0 };

	if (!run_side(&device, &sides[0], options->only, errors)) {
		fprintf(stderr, "zerocl verify: %s\n",
			sides[0].why[0] ? sides[0].why : "the device does not work");
		return false;
	}
	if (!options->is_virtual)
		expected.vgpu = model_of(sides[0].generation);
	bool right = run_side(&expected, &sides[1], options->only, none);
	for (unsigned i = 0; i < BATCHES; i++) {
		right = right && !none[i];
		free(none[i]);
	}
	if (!right)
		fprintf(stderr, "zerocl verify: the virtual device: %s\n", sides[1].why);
	return right;
}

static bool write_report(const struct options *options, const json_t *report)
{
	if (!report) {
		fprintf(stderr, "zerocl verify: out of memory\n");
		return false;
	}
	if (options->output && json_dump_file(report, options->output, JSON_INDENT(1))) {
		fprintf(stderr, "zerocl verify: %s: %s\n", options->output, strerror(errno));
		return false;
	}
	if (options->output)
		printf("verify: the report is in %s\n", options->output);
	return true;
}

static int verify(const struct options *options, struct verify_side *sides)
{
	char *errors[BATCHES] = { 0 };
	struct verify_vectors vectors = { 0 };
	size_t different = 0;
	bool right = run_both(options, sides, errors) &&
		     verify_vectors_make(
			     &vectors, (enum gen_generation)sides[0].generation, options->only);

	if (right && !vectors.n) {
		fprintf(stderr, "zerocl verify: no vector has \"%s\" in its name or text\n",
			options->only);
		right = false;
	}
	if (right) {
		const struct place device = place_of(options);
		char *info = run_command(&device, "info");
		char *demo = options->only ? NULL : run_command(&device, "demo");
		const struct verify_outcome outcome = { &vectors, &sides[0], &sides[1], errors,
			info, last_line(demo) };
		printf("verify: %s against %s\n", sides[0].name, sides[1].name);
		if (outcome.demo[0])
			puts(outcome.demo);
		json_t *report = verify_report(stdout, &outcome, &different);
		right = write_report(options, report);
		json_decref(report);
		free(demo);
		free(info);
	}
	verify_vectors_finish(&vectors);
	for (unsigned i = 0; i < BATCHES; i++)
		free(errors[i]);
	return right && !different ? 0 : TOOL_FAILED;
}

int tool_verify(int argc, char **argv)
{
	struct options options = { .device = "0" };
	const struct tool_option rows[] = { { "device", 0, take_device, &options.device },
		{ "only", 0, tool_option_text, &options.only },
		{ "output", 'o', tool_option_output, &options.output }, { 0 } };
	int first = tool_options_read("verify", rows, 0, 0, argc, argv);

	if (first <= 0)
		return -first;
	options.is_virtual = !strcmp(options.device, "vgpu");
	if (!tool_env_need("verify"))
		return TOOL_FAILED;
	/* Pages that nobody writes to take no memory. */
	struct verify_side *sides = mmap(NULL, 2 * sizeof *sides, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sides == MAP_FAILED) {
		fprintf(stderr, "zerocl verify: %s\n", strerror(errno));
		return TOOL_FAILED;
	}
	int status = verify(&options, sides);
	munmap(sides, 2 * sizeof *sides);
	return status;
}
