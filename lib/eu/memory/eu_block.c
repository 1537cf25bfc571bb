// SPDX-License-Identifier: MIT
/*
 * Messages that move whole blocks, without lanes: OWord blocks, A64 blocks, scratch blocks. Their
 * address is in a header. A lane mask only says whether the message is executed at all, but for
 * masked stores: compilers spill registers under the execution mask, Intel's by scratch blocks,
 * Mesa's by OWord blocks.
 */
#include "eu/memory/eu_memory.h"

enum { MAX_BLOCK_BYTES = 256 };

/* Lane i of the message enables dwords i, i + exec_size … of the block. */
static bool store_dwords(struct eu_view *view, uint64_t offset, const uint8_t *data, uint32_t lanes)
{
	const struct eu_send *send = view->send;

	for (unsigned i = 0; i < send->access.bytes / 4u; i++) {
		unsigned lane = i % send->exec_size;

		if ((lanes >> lane & 1) &&
			!eu_view_store(view, lane, offset + 4 * i, data + 4 * i, 4))
			return false;
	}
	return true;
}

enum eu_status eu_block_run(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	const struct eu_access *access = &send->access;
	const unsigned bytes = access->bytes;
	uint8_t copy[MAX_BLOCK_BYTES], *memory;
	const uint8_t *data;
	struct eu_view view;
	uint64_t offset;

	if (lanes == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send))
		return EU_FAULT;
	offset = eu_access_block(thread, send);
	memory = eu_view_at(&view, offset, bytes);
	if (!access->writes) {
		uint8_t *out = thread->grf + send->dst + access->skip;

		if (memory)
			memcpy(out, memory, bytes);
		return memory || eu_view_load(&view, 0, offset, out, bytes) ? EU_RUN : EU_FAULT;
	}
	data = eu_payload(thread, send, access->data, bytes, copy);
	if (access->masked && (~lanes & (UINT32_MAX >> (32 - send->exec_size))) != 0)
		return store_dwords(&view, offset, data, lanes) ? EU_RUN : EU_FAULT;
	if (memory)
		memcpy(memory, data, bytes);
	return memory || eu_view_store(&view, 0, offset, data, bytes) ? EU_RUN : EU_FAULT;
}
