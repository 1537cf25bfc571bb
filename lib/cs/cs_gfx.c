// SPDX-License-Identifier: MIT
#include "cs/cs_state.h"
#include "util/util_bits.h"

/* A base address changes only when its own modify bit is set. */
static void modify(uint64_t *base, const uint32_t *p)
{
	if (p[0] & 1)
		*base = cs_address(p) & ~UINT64_C(0xfff);
}

enum cs_status cs_state_base_address(struct cs_stream *stream, const uint32_t *p)
{
	struct cs_bases *bases = &stream->bases;

	modify(&bases->general, p + 1);
	modify(&bases->surface, p + 4);
	modify(&bases->dynamic, p + 6);
	modify(&bases->indirect, p + 8);
	modify(&bases->instruction, p + 10);
	if (stream->length >= 18)
		modify(&bases->bindless_surface, p + 16);
	if (stream->length >= 21)
		modify(&bases->bindless_sampler, p + 19);
	return CS_RUN;
}

enum cs_status cs_media_vfe_state(struct cs_stream *stream, const uint32_t *p)
{
	struct cs_media *media = &stream->media;
	unsigned code = util_bits(p[1], 3, 0);

	/* The largest per-thread space is 2 MiB. */
	if (code > 11)
		return cs_fail(stream, GEN_FAULT_BAD_STATE, stream->packet,
			"per-thread scratch space of code %u does not exist", code);
	media->scratch = (uint64_t)util_bits(p[2], 15, 0) << 32 | (p[1] & 0xfffffc00u);
	media->scratch_bytes_per_thread = media->scratch ? UINT32_C(1024) << code : 0;
	media->curbe_bytes = 0; /* they were in the URB, which is divided anew */
	return CS_RUN;
}

enum cs_status cs_binding_table_pool(struct cs_stream *stream, const uint32_t *p)
{
	stream->bases.table_pool = cs_address(p + 1) & ~UINT64_C(0xfff);
	return CS_RUN;
}

enum cs_status cs_binding_table_switch(struct cs_stream *stream, const uint32_t *p)
{
	cs_binding_table_pool(stream, p);
	if (!util_bits(p[1], 11, 11))
		stream->bases.table_pool = 0;
	return CS_RUN;
}

enum cs_status cs_curbe_load(struct cs_stream *stream, const uint32_t *p)
{
	stream->media.curbe_bytes = util_bits(p[2], 16, 0);
	stream->media.curbe = (stream->bases.dynamic + p[3]) & EU_ADDRESS_MASK;
	return CS_RUN;
}

enum cs_status cs_cfe_state(struct cs_stream *stream, const uint32_t *p)
{
	/* Bits 31:10 are bits 25:4 of the offset of the surface's state. */
	stream->media.scratch_surface = p[1] & 0xfffffc00u;
	return CS_RUN;
}

enum cs_status cs_interface_descriptor_load(struct cs_stream *stream, const uint32_t *p)
{
	stream->media.descriptor_bytes = util_bits(p[2], 16, 0);
	stream->media.descriptors = (stream->bases.dynamic + p[3]) & EU_ADDRESS_MASK;
	return CS_RUN;
}

enum cs_status cs_post_sync(
	struct cs_stream *stream, unsigned operation, uint64_t address, uint64_t value)
{
	enum { NOTHING, IMMEDIATE, DEPTH_COUNT, TIMESTAMP };

	if (operation == NOTHING)
		return CS_RUN;
	if (operation == DEPTH_COUNT)
		return cs_bad_packet(
			stream, "the device does not implement post-sync operation %u", operation);
	if (operation == TIMESTAMP)
		value = cs_stream_register(stream, CS_REG_TIMESTAMP) |
			(uint64_t)cs_stream_register(stream, CS_REG_TIMESTAMP + 4) << 32;
	return cs_done(cs_write64(stream, "post-sync destination", address, value));
}

enum cs_status cs_pipe_control(struct cs_stream *stream, const uint32_t *p)
{
	enum { STORE_DATA_INDEX = 1 << 21, REGISTER_WRITE = 1 << 23, GLOBAL_GTT = 1 << 24 };
	unsigned operation = util_bits(p[1], 15, 14);
	uint32_t refused = p[1] & (STORE_DATA_INDEX | REGISTER_WRITE | GLOBAL_GTT);

	/* Walkers have ended when their packet has, so caches and stalls mean nothing here. */
	if (operation && refused)
		return cs_bad_packet(
			stream, "the device does not implement post-sync flags 0x%08x", refused);
	return cs_post_sync(stream, operation, cs_address(p + 2) & ~UINT64_C(3), cs_qword(p + 4));
}
