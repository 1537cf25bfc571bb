// SPDX-License-Identifier: MIT
#include "compile/cc/cc_log.h"

#include <string.h>

/* Lines that ocloc adds around the compiler's; all begin a line. */
static const char *const noise[] = {
	"Build succeeded.",
	"Build failed with error code: ",
	"Command was: ",
	"Compilation from IR - skipping loading of FCL",
};

static const char unknown_option[] = "Unrecognized build options: ";

static bool starts(const char *line, size_t size, const char *with)
{
	return size >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* The bytes of the line, with its end. */
static size_t line_size(const char *line, size_t left)
{
	const char *end = memchr(line, '\n', left);

	return end ? (size_t)(end - line) + 1 : left;
}

static bool is_noise(const char *line, size_t size)
{
	for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
		if (starts(line, size, noise[i]))
			return true;
	return false;
}

static size_t digits(const char *text, size_t size)
{
	size_t n = 0;

	while (n < size && text[n] >= '0' && text[n] <= '9')
		n++;
	return n;
}

/* Digits of the source's number if "<number>:<line>:" begins here, else 0. */
static size_t source_number(const char *text, size_t size)
{
	size_t number = digits(text, size);

	if (!number || number == size || text[number] != ':')
		return 0;
	size_t line = digits(text + number + 1, size - number - 1);
	size_t end = number + 1 + line;
	return line && end < size && text[end] == ':' ? number : 0;
}

/* Whether this is a line of the compiler rather than one that it quotes from the source. */
static bool is_diagnostic(const char *line, size_t size)
{
	static const char *const kinds[] = {
		": error: ", ": warning: ", ": note: ", ": fatal error: ", ": remark: "
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (memmem(line, size, kinds[i], strlen(kinds[i])))
			return true;
	return false;
}

static size_t clean_line(char *to, const char *line, size_t size)
{
	static const char included[] = "In file included from ";
	static const char including[] = "                 from ";
	size_t skip = 0;

	if (starts(line, size, included) || starts(line, size, including))
		skip = sizeof included - 1;
	size_t number = source_number(line + skip, size - skip);
	if (!number || (!skip && !is_diagnostic(line, size))) {
		memmove(to, line, size);
		return size;
	}
	size_t rest = size - skip - number;
	memmove(to, line, skip);
	to[skip] = '1';
	memmove(to + skip + 1, line + skip + number, rest);
	return skip + 1 + rest;
}

size_t cc_log_clean(char *log, size_t size)
{
	size_t out = 0;

	for (size_t at = 0, length; at < size; at += length) {
		length = line_size(log + at, size - at);
		bool is_empty = log[at] == '\n' || log[at] == '\0';
		if (!is_noise(log + at, length) && (out || !is_empty))
			out += clean_line(log + out, log + at, length);
	}
	while (out && (log[out - 1] == '\n' || log[out - 1] == '\0') &&
		(out == 1 || log[out - 2] == '\n' || log[out - 1] == '\0'))
		out--;
	return out;
}

bool cc_log_bad_options(const char *log, size_t size)
{
	for (size_t at = 0; at < size; at += line_size(log + at, size - at))
		if (starts(log + at, size - at, unknown_option))
			return true;
	return false;
}
