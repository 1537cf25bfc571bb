// SPDX-License-Identifier: MIT
/*
 * Messages that move whole blocks, without lanes: OWord blocks, A64 blocks, scratch blocks. Their
 * address is in a header. Lanes enable dwords, in turn, of stores, as compilers spill registers
 * under the execution mask, and of loads from aligned addresses, of which oneDNN's kernels leave
 * out what is behind a matrix. Of other loads a mask only says whether the message is executed at
 * all.
 */
#include "eu/memory/eu_memory.h"

enum { MAX_BLOCK_BYTES = 256 };

/*
 * Lane i of the message enables dwords i, i + exec_size … of the block: `data` is stored or, if it
 * is NULL, `out` is loaded. The other dwords keep their values, and their memory need not be there.
 */
static bool move_dwords(
	struct eu_view *view, uint64_t offset, uint8_t *out, const uint8_t *data, uint32_t lanes)
{
	const struct eu_send *send = view->send;

	for (unsigned i = 0; i < send->access.bytes; i += 4) {
		unsigned lane = i / 4 % send->exec_size;

		if (!(lanes >> lane & 1))
			continue;
		if (!(data ? eu_view_store(view, lane, offset + i, data + i, 4)
			   : eu_view_load(view, lane, offset + i, out + i, 4)))
			return false;
	}
	return true;
}

enum eu_status eu_block_run(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	const struct eu_access *access = &send->access;
	const unsigned bytes = access->bytes;
	uint8_t copy[MAX_BLOCK_BYTES], *memory, *out = thread->grf + send->dst + access->skip;
	const uint8_t *data = NULL;
	struct eu_view view;
	uint64_t offset;

	if (lanes == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send))
		return EU_FAULT;
	offset = eu_access_block(thread, send);
	if (access->writes)
		data = eu_payload(thread, send, access->data, bytes, copy);
	if (access->masked && (~lanes & (UINT32_MAX >> (32 - send->exec_size))) != 0)
		return move_dwords(&view, offset, out, data, lanes) ? EU_RUN : EU_FAULT;
	memory = eu_view_at(&view, offset, bytes);
	if (!data) {
		if (memory)
			memcpy(out, memory, bytes);
		return memory || eu_view_load(&view, 0, offset, out, bytes) ? EU_RUN : EU_FAULT;
	}
	if (memory)
		memcpy(memory, data, bytes);
	return memory || eu_view_store(&view, 0, offset, data, bytes) ? EU_RUN : EU_FAULT;
}
