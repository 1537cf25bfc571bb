// SPDX-License-Identifier: MIT
#ifndef COMPILE_H
#define COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * OpenCL C or SPIR-V to SPIR-V and native code, by Intel's compiler, in the helper process
 * zerocl-cc: the application never runs LLVM, and a compiler that crashes is a build error with a
 * log. All functions are safe from any thread; several builds at once use several helpers.
 */

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
	bool is_foreign;    /* the SPIR-V is to be validated */
	bool implicit_args; /* for kernels that need them: compile_implicit.h */
	const struct compile_header *headers;
	size_t n_headers;
	const char *options;	/* the application's, verbatim; NULL is "" */
	const char *family;	/* "tgllp", "icllp", "skl" */
	const char *extensions; /* those that the device reports, separated by spaces; decides which
				   macros kernels see. NULL: all that the compiler knows there */
	const char *features;	/* the same for __opencl_c_*, seen under -cl-std=CL3.0 */
	unsigned outputs;	/* of enum compile_output */
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

/* Builds; blocks until done. Fills `result` in every case and returns result->status. */
enum compile_status compile_build(
	const struct compile_request *request, struct compile_result *result);

/* Frees what the result holds and zeroes it; also accepts a zeroed one. */
void compile_result_finish(struct compile_result *result);

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

enum compile_binary_kind {
	COMPILE_BINARY_EXECUTABLE,
	COMPILE_BINARY_OBJECT,
	COMPILE_BINARY_LIBRARY
};

/*
 * A program binary as clCreateProgramWithBinary gets it. On success the pointers are views into
 * `data` (not necessarily aligned; NULL if the binary has no such part).
 */
struct compile_binary {
	enum compile_binary_kind kind;
	const void *native; /* what zeModuleCreate gets; NULL too if it says to be for others */
	size_t native_size;
	const void *spirv;
	size_t spirv_size;
	const char *options; /* not NUL-terminated */
	size_t options_size;
	bool has_tokens; /* the native code is no zebin: it does not describe its kernels to us */
	bool is_other;	 /* nor is it that of the SPIR-V, which only tells of the arguments */
};

/*
 * Takes the binaries of ZeroCL, of Intel's driver, and of ocloc (zebin, patch tokens in an ELF
 * container, archives for several devices: the member for `family`, see compile_request), compiled
 * objects and libraries, and bare SPIR-V. COMPILE_OK or COMPILE_ERROR: none of them, or damaged;
 * CL_INVALID_BINARY then.
 */
enum compile_status compile_binary_open_for(
	const void *data, size_t size, const char *family, struct compile_binary *binary);

/* The same for what is no archive, whatever family it is for. */
enum compile_status compile_binary_open(
	const void *data, size_t size, struct compile_binary *binary);

/*
 * A program binary of these parts, which Intel's driver takes too, to be freed; NULL when out of
 * memory. With native code: that file, with the SPIR-V, the options and what we note added unless
 * they are there.
 */
void *compile_binary_make(const struct compile_binary *parts, const char *family, size_t *size);

/*
 * The binary of a program of one kernel for code generators that put theirs in its place (oneDNN's
 * of 2.6), to be freed; NULL when out of memory. `tokens` is what COMPILE_TOKENS gives;
 * `zebin`, a binary of compile_binary_make, is taken instead of it when nothing was changed.
 */
void *compile_binary_add_tokens(
	const void *tokens, size_t tokens_size, const void *zebin, size_t zebin_size, size_t *size);

#endif
