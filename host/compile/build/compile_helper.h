// SPDX-License-Identifier: MIT
#ifndef COMPILE_HELPER_H
#define COMPILE_HELPER_H

#include "compile/build/compile.h"
#include "compile/base/compile_hash.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * The helper processes, zerocl-cc, of this process: at most one per processor, started when a
 * build finds none idle. They end when their socket closes, when this process ends, or by
 * themselves when idle for a minute.
 */
struct compile_helper {
	int channel; /* socket; -1: not running */
	int output;  /* the file in memory that is its stdout and stderr */
	pid_t pid;   /* as it told us; nobody's child, so only good for showing */
	bool is_busy;
	char *fingerprint; /* compiler_fingerprint.h; NULL if it is not known */
	unsigned char environment[COMPILE_HASH_SIZE]; /* what it was started with */
};

/*
 * Takes an idle helper, starts one, or waits for one, at most until the deadline (of
 * compile_clock_ms; negative: none). COMPILE_OK, or the reason and in `why` a text to be freed
 * (NULL when out of memory). `fresh` asks for a newly started one. A helper that was started with
 * other variables for the compiler, or from files that are not there any more, is started anew.
 */
enum compile_status compile_helper_acquire(
	bool fresh, int64_t deadline_ms, struct compile_helper **out, char **why);

/* How many could be had now without waiting for other builds. */
size_t compile_helper_room(void);

/* Gives it back; one that is not `healthy` is ended at once, also in the middle of a build. */
void compile_helper_release(struct compile_helper *helper, bool healthy);

/* What the helper printed during this build, to be freed; NULL if nothing. */
char *compile_helper_output(const struct compile_helper *helper);

/* The processes that run now, at most `n` of them; for tests and diagnostics. */
size_t compile_helper_pids(pid_t *pids, size_t n);

/*
 * Where zerocl-cc is: ZEROCL_CC; beside this library or at most two folders above (the build
 * tree); in libexec/zerocl as installed. Text to be freed; NULL and the sentence `why`, to be
 * freed too, if it is nowhere. A file that another user could have put there does not count.
 */
char *compile_helper_find(char **why);

#endif
