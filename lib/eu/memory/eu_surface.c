// SPDX-License-Identifier: MIT
#include "eu/memory/eu_surface.h"

#include <string.h>

#include "eu/memory/eu_memory.h"
#include "gen/gen_state.h"

/* Slots of worker->surfaces that no binding table index uses. */
enum { FIRST_BINDLESS_SLOT = EU_BTI_LAST + 1, BINDLESS_SLOTS = 12 };

/* Offsets have 32 bits. */
#define MOST_REACH (UINT64_C(1) << 32)

static bool fail(struct eu_thread *thread, const struct eu_send *send, uint64_t address,
	enum gen_fault_kind kind, const char *what)
{
	struct gen_fault *fault = thread->worker->fault;

	fault->address = address;
	gen_fault_add(fault, kind, "%s: %s (binding table index 0x%x, address 0x%llx)",
		send->access.name, what, send->access.index, (unsigned long long)address);
	return false;
}

bool eu_surface_state(struct eu_thread *thread, const struct eu_send *send, uint64_t *state)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	uint64_t entry =
		(dispatch->binding_table_base + dispatch->binding_table + send->access.index * 4u) &
		EU_ADDRESS_MASK;
	uint32_t dword;

	if (!eu_memory_copy_from(dispatch->bus, entry, &dword, sizeof(dword), NULL))
		return fail(thread, send, entry, GEN_FAULT_PAGE,
			"no buffer holds its binding table entry");
	*state = (dispatch->surface_state_base + gen_binding_table_entry_offset(dword)) &
		 EU_ADDRESS_MASK;
	return true;
}

static bool resolve(struct eu_thread *thread, const struct eu_send *send, uint64_t address,
	struct eu_surface *surface)
{
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	uint32_t dwords[GEN_SURFACE_STATE_DWORDS];
	struct gen_surface_state state;

	if (!eu_memory_copy_from(bus, address, dwords, sizeof(dwords), NULL))
		return fail(
			thread, send, address, GEN_FAULT_PAGE, "no buffer holds its surface state");
	gen_surface_state_parse(thread->worker->device->family->generation, dwords, &state);
	if (state.type != GEN_SURFACE_BUFFER && state.type != GEN_SURFACE_STRUCTURED_BUFFER &&
		state.type != GEN_SURFACE_SCRATCH && state.type != GEN_SURFACE_NULL)
		return fail(thread, send, address, GEN_FAULT_BAD_STATE,
			"its surface is an image, not a buffer");
	*surface = (struct eu_surface){
		.base = state.base,
		.size = gen_surface_state_bytes(&state),
	};
	if (state.type == GEN_SURFACE_SCRATCH)
		surface->base += thread->fftid * surface->size;
	if (surface->size > 0 && !bus->find(bus->self, surface->base, &surface->range))
		memset(&surface->range, 0, sizeof(surface->range));
	if (surface->range.end != 0) {
		uint64_t reach = surface->range.end - surface->base;

		surface->host = surface->range.host + (surface->base - surface->range.first);
		reach = reach < surface->size ? reach : surface->size;
		surface->reach = reach < MOST_REACH ? reach : MOST_REACH;
	}
	surface->state = address;
	surface->is_scratch = state.type == GEN_SURFACE_SCRATCH;
	surface->fftid = thread->fftid;
	return true;
}

const struct eu_surface *eu_surface_find(struct eu_thread *thread, const struct eu_send *send)
{
	struct eu_worker *worker = thread->worker;
	unsigned index = send->access.index;
	uint64_t address;
	struct eu_surface *surface;

	if (index != EU_BTI_BINDLESS) {
		surface = &worker->surfaces[index];
		if (surface->state != 0)
			return surface;
		if (!eu_surface_state(thread, send, &address))
			return NULL;
	} else {
		uint32_t offset = send->access.is_scratch ? worker->dispatch->scratch_surface >> 4
							  : send->access.handle;

		address =
			((send->access.from_state_base ? worker->dispatch->surface_state_base
						       : worker->dispatch->bindless_surface_base) +
				offset) &
			EU_ADDRESS_MASK;
		surface = &worker->surfaces[FIRST_BINDLESS_SLOT + (offset >> 6) % BINDLESS_SLOTS];
		if (surface->state == address && address != 0 &&
			(!surface->is_scratch || surface->fftid == thread->fftid))
			return surface;
	}
	return resolve(thread, send, address, surface) ? surface : NULL;
}

const struct eu_surface *eu_surface_peek(struct eu_thread *thread, const struct eu_send *send)
{
	struct eu_worker *worker = thread->worker;
	struct gen_fault *own = worker->fault, ignored = { .kind = GEN_FAULT_NONE };

	worker->fault = &ignored;
	const struct eu_surface *surface = eu_surface_find(thread, send);
	worker->fault = own;
	return surface;
}
