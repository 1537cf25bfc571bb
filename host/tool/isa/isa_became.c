// SPDX-License-Identifier: MIT
/* What calls became, and what is to be warned of. */
#include "tool/isa/isa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/base/native_tally.h"

void isa_program_became(const struct isa_kernel *kernel, unsigned line, char *text, size_t size)
{
	struct native_tally *tally = native_tally_create();

	text[0] = 0;
	for (size_t i = 0; tally && i < kernel->n; i++) {
		const struct isa_instruction *one = &kernel->instructions[i];

		if (one->is_code && one->line == line)
			native_tally_add(tally, one->text, 1);
	}
	if (tally)
		native_tally_write(tally, text, size);
	native_tally_destroy(tally);
}

static bool line_has(const struct isa_kernel *kernel, unsigned line, const char *text)
{
	for (size_t i = 0; i < kernel->n; i++)
		if (kernel->instructions[i].line == line &&
			strstr(kernel->instructions[i].text, text))
			return true;
	return false;
}

/* A block read or write whose line scatters or gathers instead. */
static const struct isa_call *find_scattered(
	const struct isa_program *program, const struct isa_kernel *kernel, unsigned nth)
{
	for (size_t i = 0; i < program->n_calls; i++) {
		const struct isa_call *call = &program->calls[i];
		if (!strstr(call->name, "_block_") || line_has(kernel, call->line, "block"))
			continue;
		if (!line_has(kernel, call->line, "scatter") &&
			!line_has(kernel, call->line, "untyped"))
			continue;
		if (!nth--)
			return call;
	}
	return NULL;
}

bool isa_program_warning(const struct isa_program *program, const struct isa_kernel *kernel,
	unsigned i, char *text, size_t size)
{
	const struct compile_kernel *info = kernel->info;

	if (info->sub_group_size && info->sub_group_size != info->simd_size && !i--)
		return snprintf(text, size,
			"sub-groups of %zu are required, and the compiler made %zu",
			info->sub_group_size, info->simd_size);
	if (info->spill_bytes && !i--)
		return snprintf(text, size,
			"%zu bytes of registers for each thread are spilled to memory",
			info->spill_bytes);
	if (info->simd_size == 32 && !i--)
		return snprintf(text, size,
			"SIMD32: messages and most instructions are split into two of 16 lanes");
	if (!kernel->has_lines && !i--)
		return snprintf(text, size, "the compiler tells no source lines of this code");
	const struct isa_call *call = find_scattered(program, kernel, i);
	if (!call)
		return false;
	return snprintf(text, size, "line %u: %s fell back to messages that scatter", call->line,
		call->name);
}
