// SPDX-License-Identifier: MIT
#ifndef REQUEST_H
#define REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked of the compiler and what it answers. */

enum compile_status {
	COMPILE_OK,
	COMPILE_ERROR,	     /* the source or the SPIR-V is wrong; the log says why */
	COMPILE_BAD_OPTIONS, /* CL_INVALID_BUILD_OPTIONS (or _COMPILER_, _LINKER_); see the log */
	COMPILE_CRASHED,     /* the compiler died, or ran into ZEROCL_BUILD_TIMEOUT; see the log */
	COMPILE_MISSING,     /* no compiler on this machine; the log names the package to install */
	COMPILE_NO_MEMORY    /* of the host; no log */
};

/* What to make, to be or-ed. TOKENS: native code in the older form, with patch tokens, in a
 * container with its SPIR-V and options: see compile_binary_add_tokens. */
enum compile_output { COMPILE_SPIRV = 1, COMPILE_NATIVE = 2, COMPILE_TOKENS = 4 };

/* An embedded header, clCompileProgram's. `name` is what #include says; may hold slashes. */
struct compile_header {
	const char *name;
	const char *text;
	size_t size;
};

/* A SPIR-V module to be linked. */
struct compile_module {
	const void *spirv;
	size_t size; /* bytes */
};

/*
 * A request. Everything belongs to the caller and is only read during the call. Exactly one of
 * `source` (OpenCL C; need not end in NUL), `spirv` and `modules` (which are linked first) is set.
 * An empty source is not NULL.
 */
struct compile_request {
	const char *source;
	size_t source_size;
	const void *spirv;
	size_t spirv_size; /* bytes */
	const struct compile_module *modules;
	size_t n_modules;
	bool implicit_args; /* for kernels that need them: compile_rewrite.h */
	bool soft_double;   /* the device has no doubles: native code makes them of integers */
	const struct compile_header *headers;
	size_t n_headers;
	const char *options;	/* the application's, verbatim; NULL is "" */
	const char *family;	/* "tgllp", "icllp", "skl" */
	const char *extensions; /* those that the device reports, separated by spaces; decides which
				   macros kernels see. NULL: all that the compiler knows there */
	const char *features;	/* the same for __opencl_c_*, seen under -cl-std=CL3.0 */
	unsigned version; /* what __OPENCL_VERSION__ is: 310 for 3.1. 0: what the compiler says */
	unsigned outputs; /* of enum compile_output */
};

/*
 * The answer. `log` is never NULL after compile_build, COMPILE_NO_MEMORY aside (empty if the
 * compiler said nothing), and holds warnings on success. `spirv` and `native` are there when asked
 * for and status is COMPILE_OK. `native` is a zebin (ELF, machine 205; no .ze_info if it has no
 * kernels), ready for zeModuleCreate in the native format and for CL_PROGRAM_BINARIES (see
 * compile_binary_open).
 */
struct compile_result {
	enum compile_status status;
	void *spirv;
	size_t spirv_size; /* bytes */
	void *native;
	size_t native_size; /* bytes */
	void *facts;
	size_t facts_size; /* bytes */
	char *log;
};

/* Frees what the result holds and zeroes it; also accepts a zeroed one. */
void compile_result_finish(struct compile_result *result);

/* Replaces the result by this status and text for the log. Returns the status. */
enum compile_status compile_fail(struct compile_result *result, enum compile_status status,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Looks at options alone (section 5.8.6): COMPILE_OK, or COMPILE_BAD_OPTIONS with a sentence,
 * without a period, in `why` (at most `size` bytes with the NUL; `why` may be NULL).
 */
enum compile_status compile_check_options(const char *options, char *why, size_t size);

/*
 * The same for clLinkProgram (section 5.8.7): CL_INVALID_LINKER_OPTIONS. *is_library: they ask for
 * a library.
 */
enum compile_status compile_check_link_options(
	const char *options, bool *is_library, char *why, size_t size);

/* Takes out of checked linker options what the compiler does not know, in place. */
char *compile_link_options(char *options);

#endif
