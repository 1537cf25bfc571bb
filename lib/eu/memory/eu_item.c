// SPDX-License-Identifier: MIT
#include "eu/memory/eu_item.h"

#include "eu/memory/eu_memory.h"

bool eu_item_find(
	const struct eu_dispatch *dispatch, uint32_t thread, unsigned channel, uint16_t id[3])
{
	unsigned stride = dispatch->simd == 32 ? 2 * GEN_GRF_BYTES : GEN_GRF_BYTES;
	uint64_t own = (uint64_t)dispatch->per_thread_registers * GEN_GRF_BYTES;
	uint64_t from = dispatch->cross_thread_registers * (uint64_t)GEN_GRF_BYTES;
	uint16_t found[3];

	if (own < 3 * stride || !dispatch->bus || channel >= dispatch->simd)
		return false;
	from += own * thread + 2 * channel;
	for (unsigned i = 0; i < 3; i++)
		if (dispatch->start)
			memcpy(&found[i], dispatch->start + from + i * stride, sizeof found[i]);
		else if (!eu_memory_copy_from(dispatch->bus, dispatch->payload + from + i * stride,
				 &found[i], sizeof found[i], NULL))
			return false;
	memcpy(id, found, sizeof found);
	return true;
}

void eu_item_sizes(const struct eu_dispatch *dispatch, uint32_t size[3])
{
	uint16_t id[3];

	memset(size, 0, 3 * sizeof *size);
	for (uint32_t thread = 0; thread < dispatch->threads_per_group; thread++) {
		bool is_last = thread + 1 == dispatch->threads_per_group;
		for (unsigned channel = 0; channel < dispatch->simd; channel++) {
			if ((is_last && !(dispatch->right_mask >> channel & 1)) ||
				!eu_item_find(dispatch, thread, channel, id))
				continue;
			for (unsigned i = 0; i < 3; i++)
				if (size[i] <= id[i])
					size[i] = id[i] + UINT32_C(1);
		}
	}
}
