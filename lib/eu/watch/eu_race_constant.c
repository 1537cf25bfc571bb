// SPDX-License-Identifier: MIT
#include <string.h>

#include "eu/memory/eu_surface.h"
#include "eu/ops/eu_kernel.h"
#include "eu/watch/eu_race_report.h"
#include "gen/gen_inst.h"

/* Whether the kernel's own messages are all that its walkers execute. */
static bool is_alone(const struct eu_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->program->count; i++)
		if (gen_inst_calls(&kernel->program->inst[i]))
			return false;
	return true;
}

/* The surface whose bytes the message touches; NULL: none, or it may be any memory. */
static const struct eu_surface *find_touched(struct eu_thread *thread, const struct eu_send *send)
{
	const struct eu_access *access = &send->access;
	const bool is_plain = access->kind == EU_ACCESS_SCATTER ||
			      access->kind == EU_ACCESS_ATOMIC || access->kind == EU_ACCESS_BLOCK;

	return is_plain && access->space == EU_SPACE_SURFACE && access->index <= EU_BTI_LAST
		       ? eu_surface_peek(thread, send)
		       : NULL;
}

static bool overlap(const struct eu_surface *a, const struct eu_surface *b)
{
	const uint64_t first = a->base & EU_ADDRESS_MASK, second = b->base & EU_ADDRESS_MASK;

	return first < second + b->size && second < first + a->size;
}

void eu_race_find_constants(struct eu_thread *thread, uint64_t constants[EU_SURFACES / 64])
{
	const struct eu_kernel *kernel = thread->worker->kernel;
	const struct eu_surface *written[EU_SURFACES] = { 0 };

	memset(constants, 0, EU_SURFACES / 64 * sizeof *constants);
	if (!is_alone(kernel))
		return;
	for (uint32_t i = 0; i < kernel->send_count; i++) {
		const struct eu_send *send = &kernel->sends[i];
		const struct eu_access *access = &send->access;
		if (send->run &&
			(!access->writes || access->is_scratch || access->space == EU_SPACE_SLM))
			continue;
		const struct eu_surface *surface = send->run ? find_touched(thread, send) : NULL;
		if (!surface)
			return;
		written[access->index] = surface;
	}
	for (uint32_t i = 0; i < kernel->send_count; i++) {
		const struct eu_send *send = &kernel->sends[i];
		const struct eu_surface *surface =
			send->access.writes ? NULL : find_touched(thread, send);
		bool is_written = !surface || surface->is_scratch;
		for (unsigned k = 0; k < EU_SURFACES && !is_written; k++)
			is_written = written[k] && overlap(surface, written[k]);
		if (!is_written)
			constants[send->access.index / 64] |= UINT64_C(1)
							      << send->access.index % 64;
	}
}
