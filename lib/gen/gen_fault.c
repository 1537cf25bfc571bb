// SPDX-License-Identifier: MIT
#include "gen/gen_fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gen_fault_add(struct gen_fault *fault, enum gen_fault_kind kind, const char *format, ...)
{
	size_t used = strnlen(fault->report, sizeof(fault->report) - 1);
	size_t room = sizeof(fault->report) - used;
	va_list arguments;
	int written;

	if (fault->kind == GEN_FAULT_NONE)
		fault->kind = kind;
	if (room < 3) /* nothing but the end of a line would fit */
		return;
	va_start(arguments, format);
	written = vsnprintf(fault->report + used, room - 1, format, arguments);
	va_end(arguments);
	if (written < 0) {
		fault->report[used] = '\0';
		return;
	}
	used += (size_t)written < room - 2 ? (size_t)written : room - 2;
	if (fault->report[used - (used > 0)] != '\n') {
		fault->report[used++] = '\n';
		fault->report[used] = '\0';
	}
}
