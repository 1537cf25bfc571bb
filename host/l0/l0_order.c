// SPDX-License-Identifier: MIT
#include "l0/l0_order.h"
#include "l0/l0_private.h"
#include "zerocl_vgpu.h"

_Static_assert(L0_ORDER_ALL == ZEROCL_VGPU_ALL_COMMANDS, "it is handed on");

bool l0_order_is_wanted(const struct l0_context *context)
{
	const struct l0_vgpu *vgpu = &context->device->vgpu;

	return vgpu->wants_names && (vgpu->wants_names() & ZEROCL_VGPU_NAMES_COMMANDS);
}

uint32_t l0_order_add(const struct l0_context *context, const char *name, uint32_t chain,
	const uint32_t *after, size_t n_after)
{
	return context->device->vgpu.order_command(name, chain, after, n_after);
}

void l0_order_see(const struct l0_context *context, uint32_t number)
{
	if (number)
		context->device->vgpu.see_command(number);
}

void l0_order_touch(const struct l0_context *context, uint32_t number, const void *address,
	size_t size, bool writes)
{
	if (number)
		context->device->vgpu.touch_memory(number, (uintptr_t)address, size, writes);
}

void l0_order_enter(const struct l0_context *context, uint32_t number)
{
	context->device->vgpu.enter_command(number);
}
