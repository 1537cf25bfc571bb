// SPDX-License-Identifier: MIT
#include "corpus_text.h"

#include "cs/intel_group.h"

#include <stdio.h>

static char text[1 << 18];
static size_t length;

void corpus_begin(void)
{
	length = 0;
	text[0] = '\0';
}

void corpus_put(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	length += (size_t)vsnprintf(text + length, sizeof text - length, format, arguments);
	va_end(arguments);
	assert_true(length < sizeof text);
}

void corpus_build(const char *options)
{
	const char *all = text;

	intel_build_texts(&intel, 1, &all, options);
}
