// SPDX-License-Identifier: MIT
#include "compile/base/compile_macros.h"

#include "compile/base/compile_options.h"
#include "util/util_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Intel's front end must be given all extensions that it knows for a family, or its own headers do
 * not compile. It defines the macros of all of them; those that the device does not report are
 * undefined again before the application's first line.
 */
static const char *const macros[] = {
#define EXTENSION(name, ...) #name,
#define FEATURE(name, ...)   #name,
#define COMPILER_MACRO(name) #name,
#include "compile/base/extension.def"
};

/* Macros that it does not define, from some version of OpenCL C on. */
static const struct {
	unsigned version;
	const char *name;
} own_macros[] = {
#define MACRO_SINCE(version, extension) { version, #extension },
#include "compile/base/extension.def"
};

#define BUILTIN(text, words, missing, extension) extern const char builtin_##text##_cl[];
#include "compile/base/extension.def"

/* Built-in functions that it lacks, or gets wrong. Bits of masks are by this index. */
static const struct builtin {
	const char *extension, *words, *missing, *text;
} builtins[] = {
#define BUILTIN(text, words, missing, extension)                                                   \
	{ #extension, words, missing, builtin_##text##_cl },
#include "compile/base/extension.def"
};

static const struct {
	const char *words, *extension;
} headers[] = {
#define HEADER(words, extension) { words, #extension },
#include "compile/base/extension.def"
};

/* The application may define such a macro itself; that is its business. */
static bool is_defined_by(const char *options, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = options; (at = strstr(at, name)); at += length) {
		char after = at[length];
		if (at == options || (after && !strchr(" \t=\"", after)))
			continue;
		if (at[-1] == 'D' || at[-1] == ' ' || at[-1] == '"')
			return true;
	}
	return false;
}

static bool is_reported(const struct compile_request *request, const char *name)
{
	const char *list = *name == '_' ? request->features : request->extensions;

	return !list || compile_list_has(list, name);
}

static bool holds(const char *text, size_t size, const char *word, size_t length)
{
	return text && memmem(text, size, word, length);
}

/* Whether the source or one of its headers holds one of the words. */
static bool is_mentioned(const struct compile_request *request, const char *words)
{
	for (size_t length; *words; words += length + (words[length] == ' ')) {
		length = strcspn(words, " ");
		bool found = holds(request->source, request->source_size, words, length);

		for (size_t i = 0; !found && i < request->n_headers; i++)
			found = holds(
				request->headers[i].text, request->headers[i].size, words, length);
		if (found)
			return true;
	}
	return false;
}

unsigned compile_macros_mentioned(const struct compile_request *request)
{
	unsigned mask = 0;

	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (is_mentioned(request, builtins[i].words))
			mask |= 1u << i;
	return mask;
}

unsigned compile_macros_missing(const struct compile_request *request, const char *log)
{
	unsigned mask = 0;

	for (size_t i = 0; request->source && log && i < sizeof(builtins) / sizeof(*builtins); i++)
		if (*builtins[i].missing && is_reported(request, builtins[i].extension) &&
			strstr(log, builtins[i].missing))
			mask |= 1u << i;
	return mask;
}

/* Line numbers of the source must be set anew behind it. */
static void put_builtins(FILE *out, const struct compile_request *request, unsigned defined)
{
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (is_reported(request, builtins[i].extension))
			fprintf(out, "%s#line %d\n%s#undef ZEROCL_MACROS_ONLY\n",
				defined & 1u << i ? "" : "#define ZEROCL_MACROS_ONLY\n",
				COMPILE_FAR_LINE, builtins[i].text);
	for (size_t i = 0; i < sizeof(own_macros) / sizeof(*own_macros); i++)
		if (is_reported(request, own_macros[i].name))
			fprintf(out,
				"#if __OPENCL_C_VERSION__ >= %u && !defined(%s)\n"
				"#define %s 1\n#endif\n",
				own_macros[i].version, own_macros[i].name, own_macros[i].name);
}

/* The compiler knows OpenCL C 3.0. What 3.1 has more is in extensions, all of which are reported.
 */
#define C31 "-cl-std=CL3.1"
#define C30 "-cl-std=CL3.0"

/* That of the language follows the options, that of OpenCL the device. */
static void put_versions(FILE *out, const struct compile_request *request, const char *options)
{
	if (compile_options_have(options, C31))
		fputs("#undef __OPENCL_C_VERSION__\n#define __OPENCL_C_VERSION__ 310\n"
		      "#undef CL_VERSION_3_1\n#define CL_VERSION_3_1 310\n",
			out);
	if (request->version && !is_defined_by(options, "__OPENCL_VERSION__"))
		fprintf(out, "#undef __OPENCL_VERSION__\n#define __OPENCL_VERSION__ %u\n",
			request->version);
}

char *compile_macros_prefix(const struct compile_request *request, unsigned defined)
{
	const char *options = request->options ? request->options : "";
	char *text = NULL;
	size_t size = 0;

	if (!request->source)
		return strdup("");
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = 0; i < sizeof(macros) / sizeof(*macros); i++) {
		const char *list = macros[i][0] == '_' ? request->features : request->extensions;

		if (list && !compile_list_has(list, macros[i]) &&
			!is_defined_by(options, macros[i]))
			fprintf(out, "#undef %s\n", macros[i]);
	}
	if (request->features && !compile_list_has(request->features, "__opencl_c_images") &&
		!is_defined_by(options, "__IMAGE_SUPPORT__"))
		fputs("#undef __IMAGE_SUPPORT__\n", out);
	put_builtins(out, request, defined);
	put_versions(out, request, options);
	fputs("#line 1\n", out);
	return util_file_text(out, &text);
}

char *compile_macros_options(const struct compile_request *request)
{
	const char *at = request->options ? request->options : "", *start = at;
	struct compile_word word;
	char *text = NULL;
	size_t size = 0;
	bool is_open;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		if (request->extensions &&
			compile_list_has(request->extensions, headers[i].extension) &&
			is_mentioned(request, headers[i].words))
			fprintf(out, "-D%s=1 ", headers[i].extension);
	for (; compile_options_next(&at, &word, &is_open); start = at) {
		fwrite(start, 1, (size_t)(word.text - start), out);
		if (compile_word_is(word, C31))
			fputs(C30, out);
		else
			fwrite(word.text, 1, word.size, out);
	}
	fputs(start, out);
	return util_file_text(out, &text);
}
