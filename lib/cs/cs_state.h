// SPDX-License-Identifier: MIT
#ifndef CS_STATE_H
#define CS_STATE_H

#include <stddef.h>

#include "cs/cs_register.h"
#include "cs/cs_stream.h"

/* What the handlers of packets share. Nothing outside lib/cs includes this. */

enum {
	CS_MAX_DWORDS = 1025, /* a 10-bit length field plus 2 */
	CS_MAX_NESTING = 8,   /* second-level batches inside one another */
	CS_DUMP_DWORDS = 16,  /* of a packet, in a report */
	CS_PACKET_KEYS = 512, /* values of bits 31:23 of a packet's first dword */
};

/* The packet table (cs_packet.h) as one generation has it. */
struct cs_packet_index {
	enum gen_generation generation;
	uint8_t first_row[CS_PACKET_KEYS];
};

/* STATE_BASE_ADDRESS, 3DSTATE_BINDING_TABLE_POOL_ALLOC. GPU addresses of 48 bits. */
struct cs_bases {
	uint64_t general, surface, dynamic, indirect, instruction;
	uint64_t bindless_surface, bindless_sampler;
	uint64_t table_pool; /* of binding tables; 0: they are relative to the surface base */
};

/* MEDIA_VFE_STATE, MEDIA_CURBE_LOAD and MEDIA_INTERFACE_DESCRIPTOR_LOAD, or CFE_STATE. */
struct cs_media {
	uint64_t scratch; /* offset from the general state base; 0 when there is none */
	uint32_t scratch_bytes_per_thread;
	uint64_t descriptors;	   /* address of interface descriptor 0 */
	uint32_t descriptor_bytes; /* of all of them; 0 when none were loaded */
	uint64_t curbe;		   /* address of the constants of walkers without indirect data */
	uint32_t curbe_bytes;
	uint32_t scratch_surface; /* CFE_STATE: offset of its state; 0 when there is none */
};

/* The packets that say what 3DPRIMITIVE draws, as they came. */
struct cs_drawing {
	uint32_t vertex[9], setup[4], inputs[6], pixel[12], pixel_extra[2]; /* 3DSTATE_VS, _SF … */
	uint32_t colours[2], blend[2], depth[4], depth_buffer[8], multisample[2], clear[5];
	uint32_t generated[2], table[2], samplers[2], rectangle[4];
	uint32_t buffers[33][4]; /* 3DSTATE_VERTEX_BUFFERS */
	uint32_t elements[34][2];
	uint32_t element_count;
};

struct cs_stream {
	struct cs_config config;
	struct eu_engine *engine;
	struct cs_registers registers;
	struct cs_bases bases;
	struct cs_media media;
	struct cs_drawing drawing;

	enum cs_status status;
	uint64_t ip;	 /* address of the next packet */
	uint64_t packet; /* address of the packet being executed, and its name, for reports */
	const char *packet_name;
	unsigned length; /* of that packet, in dwords */
	uint64_t returns[CS_MAX_NESTING];
	unsigned depth;
	struct eu_range batch; /* that the last packet was read from; empty at the start */
	struct gen_fault fault;
	struct cs_statistics statistics;
	bool trace;
	bool is_off;	   /* packets do nothing, until MI_SET_PREDICATE */
	bool skip_walkers; /* for now; config.null_execution is for ever */
	struct cs_packet_index packets;
};

/*
 * Memory. Each says what it is about in `what` ("tag", "interface descriptor" …) and, when the
 * address is not bound, fills the fault and returns false. Addresses may be canonical.
 */
bool cs_read(struct cs_stream *stream, const char *what, uint64_t address, void *out, size_t size);
bool cs_write(struct cs_stream *stream, const char *what, uint64_t address, const void *data,
	size_t size);
/* Within one buffer, the ranges may overlap. */
bool cs_copy(struct cs_stream *stream, uint64_t to, uint64_t from, uint64_t size);
/* 32 and 64-bit stores; visible to the host only after all stores before them. A 64-bit store to
 * an address that is a multiple of 8 is one store. */
bool cs_write32(struct cs_stream *stream, const char *what, uint64_t address, uint32_t value);
bool cs_write64(struct cs_stream *stream, const char *what, uint64_t address, uint64_t value);
/* The post-sync operation of a packet, a field of 2 bits: writes `value` or the timestamp. */
enum cs_status cs_post_sync(
	struct cs_stream *stream, unsigned operation, uint64_t address, uint64_t value);
/* Host address of `size` bytes that lie in one buffer at a multiple of size; NULL with a fault. */
void *cs_map(struct cs_stream *stream, const char *what, uint64_t address, size_t size);
/* Whether all of [address, address + size) is bound. */
bool cs_bound(const struct cs_stream *stream, uint64_t address, uint64_t size);

/* Puts the packet's name and address before the sentence, sets the fault, returns CS_FAULT. */
enum cs_status cs_fail(struct cs_stream *stream, enum gen_fault_kind kind, uint64_t address,
	const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The same for a packet that means nothing or is not implemented. */
#define cs_bad_packet(stream, ...)                                                                 \
	cs_fail(stream, GEN_FAULT_BAD_PACKET, (stream)->packet, __VA_ARGS__)

/* The address of two dwords, low first, 48 bits. */
static inline uint64_t cs_address(const uint32_t *dwords)
{
	return ((uint64_t)dwords[1] << 32 | dwords[0]) & EU_ADDRESS_MASK;
}

static inline uint64_t cs_qword(const uint32_t *dwords)
{
	return (uint64_t)dwords[1] << 32 | dwords[0];
}

/*
 * A packet's handler: p[0 … stream->length-1] are its dwords, stream->ip is already behind it.
 * Returns CS_RUN, CS_BLOCKED (the packet will be executed again), CS_DONE or CS_FAULT.
 */
typedef enum cs_status cs_handler(struct cs_stream *stream, const uint32_t *p);

#define PACKET(kind, opcode, name, least, most, bits, handler, generations) cs_handler cs_##handler;
#include "cs/cs_packet.def"
#undef PACKET

/* What a handler returns that has done its work, or has not, with the fault set. */
static inline enum cs_status cs_done(bool done)
{
	return done ? CS_RUN : CS_FAULT;
}

/* Whether the packet does nothing, because the last MI_SET_PREDICATE says so. */
bool cs_is_off(const struct cs_stream *stream, cs_handler *handler, uint32_t header);
/* A dispatch with the bases of the stream, and no more. */
struct eu_dispatch cs_walker_prepare(const struct cs_stream *stream);
/* Checks the dispatch and runs it to its end. */
enum cs_status cs_walker_run(struct cs_stream *stream, const struct eu_dispatch *dispatch);
/* Whether the walker or primitive is passed over: by whoever drives the stream, or by predication.
 */
bool cs_walker_is_skipped(const struct cs_stream *stream, const uint32_t *p);

#endif
