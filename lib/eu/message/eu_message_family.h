// SPDX-License-Identifier: MIT
#ifndef EU_MESSAGE_FAMILY_H
#define EU_MESSAGE_FAMILY_H

#include <stdbool.h>

#include "eu/message/eu_memory.h"
#include "eu/state/eu_thread.h"
#include "util/util_bits.h"

/*
 * Families of messages: the table in eu_message.c binds a SEND through one of these. Each looks at
 * the descriptor once and returns the handler, or NULL when the descriptor asks for a form that
 * does not exist or is not implemented, or when the payload is shorter than the form needs.
 */
typedef eu_message_fn (*eu_message_bind_fn)(const struct eu_send *send);

eu_message_fn eu_message_bind_scatter(const struct eu_send *send);
eu_message_fn eu_message_bind_atomic(const struct eu_send *send);
eu_message_fn eu_message_bind_block(const struct eu_send *send);
eu_message_fn eu_message_bind_block_a64(const struct eu_send *send);
eu_message_fn eu_message_bind_scratch(const struct eu_send *send);
eu_message_fn eu_message_bind_typed(const struct eu_send *send);
eu_message_fn eu_message_bind_typed_atomic(const struct eu_send *send);
eu_message_fn eu_message_bind_media(const struct eu_send *send);
eu_message_fn eu_message_bind_sampler(const struct eu_send *send);
eu_message_fn eu_message_bind_fence(const struct eu_send *send);
eu_message_fn eu_message_bind_gateway(const struct eu_send *send);
eu_message_fn eu_message_bind_spawner(const struct eu_send *send);
eu_message_fn eu_message_bind_null(const struct eu_send *send);

/* desc[18:14] of a data port message. */
static inline unsigned eu_message_data_type(const struct eu_send *send)
{
	return util_bits(send->desc, 18, 14);
}

/*
 * Bytes of an A64 HWord block; 0 if there is no such size. Intel's assembler says 2^size registers,
 * oneDNN's code generator, whose kernels run on hardware, half of that: the message's lengths tell.
 */
static inline unsigned eu_message_hword_bytes(const struct eu_send *send)
{
	unsigned size = util_bits(send->desc, 10, 8);
	bool is_write = eu_message_data_type(send) == 0x15;
	unsigned has = is_write ? send->mlen + (unsigned)send->xlen - 1 : send->rlen;

	if (size > 4)
		return 0;
	return size > 0 && has < 1u << size ? 32u << (size - 1) : 32u << size;
}

static inline bool eu_message_has_header(const struct eu_send *send)
{
	return util_bits(send->desc, 19, 19) != 0;
}

/* The space that a binding table index means to a message of 32-bit offsets; false: none. */
static inline bool eu_message_space(const struct eu_send *send, enum eu_space *space)
{
	unsigned index = send->desc & 0xff;

	if (index == EU_BTI_SLM)
		*space = EU_SPACE_SLM;
	else if (index == EU_BTI_STATELESS || index == EU_BTI_STATELESS_CACHED)
		*space = EU_SPACE_STATELESS;
	else if (index <= EU_BTI_LAST || index == EU_BTI_BINDLESS)
		*space = EU_SPACE_SURFACE;
	else
		return false;
	return true;
}

/* Whether a message of 64-bit addresses has one of the indices that such a message may have. */
static inline bool eu_message_is_stateless(const struct eu_send *send)
{
	unsigned index = send->desc & 0xff;

	return index == EU_BTI_STATELESS || index == EU_BTI_STATELESS_CACHED;
}

/* Whether the payload has `in` bytes or more and the result room for `out`. */
static inline bool eu_message_fits(const struct eu_send *send, unsigned in, unsigned out)
{
	unsigned payload = (send->mlen + (unsigned)send->xlen) * GEN_GRF_BYTES;

	return payload >= in && send->rlen * (unsigned)GEN_GRF_BYTES >= out;
}

static inline uint32_t eu_message_dword(const uint8_t *bytes, unsigned index)
{
	uint32_t value;

	__builtin_memcpy(&value, bytes + index * 4, 4);
	return value;
}

/* GPU address of stateless offset 0, without what a header may add. */
static inline uint64_t eu_message_general_base(const struct eu_thread *thread)
{
	return thread->worker->dispatch->general_state_base;
}

#endif
