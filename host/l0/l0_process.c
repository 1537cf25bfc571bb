// SPDX-License-Identifier: MIT
#include "l0/l0_process.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum state { LIVES, ENDS, ORPHAN };

#define LONG_SECONDS 2 /* an exit has no more to do by then, or waits for this thread */

atomic_int l0_process_state;
static int exit_status;
static atomic_bool has_begun;
static bool is_heir;
static _Thread_local bool is_ours, has_slept;

static void forked(void)
{
	if (atomic_load(&has_begun))
		atomic_store(&l0_process_state, ORPHAN);
}

static void note_status(int status, void *data)
{
	(void)data;
	exit_status = status;
}

void l0_process_begin(void)
{
	atomic_store(&has_begun, true);
	(void)pthread_atfork(NULL, NULL, forked);
	(void)on_exit(note_status, NULL);
}

void l0_process_cancel(void)
{
	atomic_store(&has_begun, false);
}

/* Whether the process has a thread besides this one that is neither ours nor the driver's. */
static bool others_live(void)
{
	pid_t self = (pid_t)syscall(SYS_gettid);
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;
	bool any = !tasks;

	while (!any && (task = readdir(tasks))) {
		char path[64], name[32] = "";

		if (task->d_name[0] == '.' || atoi(task->d_name) == self)
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%.20s/comm", task->d_name);
		FILE *file = fopen(path, "re");
		any = file && fgets(name, sizeof(name), file) &&
		      strncmp(name, L0_PROCESS_THREAD, strlen(L0_PROCESS_THREAD)) != 0;
		if (file)
			fclose(file);
	}
	if (tasks)
		closedir(tasks);
	return any;
}

/*
 * When the process exits, what the application registered has run by now. The driver would follow.
 * In an orphan its destructor waits for threads that are the parent's: 22.43 hangs in it. While
 * other threads of the application live, they may be inside of the driver, which would go under
 * their feet. So the process ends here. Libraries are ended in the order in which they were loaded,
 * and we were loaded before the driver.
 */
__attribute__((destructor)) static void end_process(void)
{
	if (!l0_process_is_orphan() && !(atomic_load(&has_begun) && others_live()))
		return;
	(void)fcloseall();
	_exit(exit_status);
}

void l0_process_end(void)
{
	int lives = LIVES;

	/* exit may be called in a callback: its thread does what is still to be done */
	is_ours = false;
	(void)atomic_compare_exchange_strong(&l0_process_state, &lives, ENDS);
}

void l0_process_adopt_thread(void)
{
	is_ours = true;
	(void)prctl(PR_SET_NAME, L0_PROCESS_THREAD "host");
}

bool l0_process_is_orphan(void)
{
	return atomic_load(&l0_process_state) == ORPHAN;
}

void l0_process_inherit(void)
{
	is_heir = true;
}

bool l0_process_is_heir(void)
{
	return is_heir;
}

static void sleep_long(void)
{
	nanosleep(&(struct timespec){ LONG_SECONDS, 0 }, NULL);
}

bool l0_process_is_over_slowly(void)
{
	if (l0_process_is_orphan())
		return true;
	if (is_ours && !has_slept)
		sleep_long();
	has_slept = is_ours;
	return is_ours;
}

void l0_process_stop_here(void)
{
	while (is_ours && atomic_load_explicit(&l0_process_state, memory_order_relaxed) == ENDS)
		sleep_long();
}
