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
		if ((rc = (expr)))                                                                 \
			goto fail;                                                                 \
	} while (0)

/* Keeps a sentence (no newline, no period at its end) for `code`; returns `code`. */
cl_int error_say(cl_int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keeps "<cond> is not so" for `code`, unless a sentence is there already; returns `code`. */
cl_int error_at(cl_int code, const char *cond);

/* Whether error_say or error_at left a sentence for `code` in this thread that is still there. */
const char *error_sentence(cl_int code);

/* "CL_INVALID_VALUE" and so on; a number for a code that has no name. Static storage or thread's.
 */
const char *error_name(cl_int code);

struct context;
typedef void (*error_reporter)(struct context *context, const char *text);

/* Sets what error_done passes the errors of a context's objects to, before a context exists. */
void error_set_reporter(error_reporter report);

/*
 * The end of entry point `function`: nothing for code >= 0; else one line for the log and for the
 * pfn_notify of the context that `handle` (any of our objects, or NULL) belongs to. Returns code.
 */
cl_int error_done(const char *function, const void *handle, cl_int code);

#endif
