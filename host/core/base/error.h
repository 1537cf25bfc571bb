// SPDX-License-Identifier: MIT
#ifndef ERROR_H
#define ERROR_H

#include <CL/cl.h>

/*
 * Errors. A function returns the specification's code; the sentence that says what was wrong
 * waits in the thread until the entry point ends, where error_done hands both to the log and to
 * the pfn_notify of the context concerned.
 *
 *     REQUIRE(size > 0, CL_INVALID_BUFFER_SIZE);          the condition is the sentence
 *     REQUIRE(size <= max, error_say(CL_INVALID_BUFFER_SIZE, "%zu bytes, at most %zu", size, max));
 *     TRY(l0_memory_alloc(…));                            leaves by the label fail, with rc set
 *
 * REQUIRE stands before the first acquisition and in the order of the specification's error list,
 * TRY after it. No other macro changes the flow of control.
 */
#define REQUIRE(cond, code)                                                                        \
	do {                                                                                       \
		if (!(cond))                                                                       \
			return error_at((code), #cond);                                            \
	} while (0)

#define TRY(expr)                                                                                  \
	do {                                                                                       \
		if (__builtin_expect((rc = (expr)), 0))                                            \
			goto fail;                                                                 \
	} while (0)

/* Keeps a sentence (no newline, no period at its end) for `code`; returns `code`. */
cl_int error_say(cl_int code, const char *format, ...) __attribute__((cold, format(printf, 2, 3)));

/* Keeps a sentence of the condition for `code`, unless there is one for it; returns `code`. */
cl_int error_at(cl_int code, const char *cond) __attribute__((cold));

/* Returns the sentence that this thread keeps for `code`, or NULL. */
const char *error_sentence(cl_int code);

struct context;
typedef void (*error_reporter)(struct context *context, const char *text);

/* Sets what error_done passes the errors of a context's objects to, before a context exists. */
void error_set_reporter(error_reporter report);

/*
 * Ends the entry point `function`. An error becomes one line, which goes to the reporter if
 * `handle` is an object of a context, else to the log. Returns code.
 */
cl_int error_done(const char *function, const void *handle, cl_int code);

#endif
