// SPDX-License-Identifier: MIT
/* Decodes descriptors: a row of eu_message.def says which message, a form how to read the rest. */
#include <string.h>

#include "eu/memory/eu_atomic.h"
#include "eu/message/eu_message.h"
#include "gen/gen_inst.h"
#include "util/util_bits.h"

/* A form fills the access from the descriptor; false when there is no such message. */
typedef bool (*decode_fn)(const struct eu_send *send, struct eu_access *access);

static unsigned bits(const struct eu_send *send, unsigned high, unsigned low)
{
	return util_bits(send->desc, high, low);
}

static bool decode_nothing(const struct eu_send *send, struct eu_access *access)
{
	(void)send, (void)access;
	return true;
}

static bool decode_barrier(const struct eu_send *send, struct eu_access *access)
{
	access->kind = EU_ACCESS_BARRIER;
	return send->mlen > 0;
}

static bool decode_end(const struct eu_send *send, struct eu_access *access)
{
	(void)send;
	access->kind = EU_ACCESS_END;
	return true;
}

static bool decode_fence(const struct eu_send *send, struct eu_access *access)
{
	access->kind = EU_ACCESS_FENCE;
	if (send->sfid == GEN_SFID_SLM ||
		(send->sfid == GEN_SFID_DC0 && access->index == EU_BTI_SLM))
		access->space = EU_SPACE_SLM;
	return true;
}

/* ---- lanes with addresses of their own ---- */

static bool scatter(struct eu_access *access, bool wide, unsigned size, unsigned count)
{
	access->kind = EU_ACCESS_SCATTER;
	access->lanes = wide ? 16 : 8;
	access->size = (uint8_t)size;
	access->count = (uint8_t)count;
	access->channels = (uint8_t)((1u << count) - 1);
	return true;
}

static bool decode_untyped(const struct eu_send *send, struct eu_access *access)
{
	unsigned mode = bits(send, 13, 12), enabled = ~bits(send, 11, 8) & 15;

	if ((mode != 1 && mode != 2) || enabled == 0)
		return false;
	scatter(access, mode == 1, 4, 32 - (unsigned)__builtin_clz(enabled));
	access->channels = (uint8_t)enabled;
	return true;
}

static bool decode_bytes(const struct eu_send *send, struct eu_access *access)
{
	return bits(send, 11, 10) <= 2 &&
	       scatter(access, bits(send, 8, 8), 1u << bits(send, 11, 10), 1);
}

static bool decode_dwords(const struct eu_send *send, struct eu_access *access)
{
	access->shift = 2;
	return bits(send, 9, 9) && scatter(access, bits(send, 8, 8), 4, 1);
}

static bool decode_qwords(const struct eu_send *send, struct eu_access *access)
{
	return scatter(access, bits(send, 8, 8), 8, 1u << bits(send, 11, 10));
}

static bool decode_a64_scattered(const struct eu_send *send, struct eu_access *access)
{
	unsigned element = bits(send, 9, 8), count = 1u << bits(send, 11, 10);

	if (element == 0) /* bytes are packed in one dword */
		return count <= 4 && scatter(access, bits(send, 12, 12), count, 1);
	return element <= 2 && scatter(access, bits(send, 12, 12), element == 1 ? 4 : 8, count);
}

/* Both kinds of atomics on buffers; the row says how many bytes an element has. */
static bool atomic(const struct eu_send *send, struct eu_access *access)
{
	bool bit = bits(send, 12, 12);

	access->kind = EU_ACCESS_ATOMIC;
	access->lanes = access->space == EU_SPACE_A64 || bit ? 8 : 16;
	if (access->space == EU_SPACE_A64 && bit) { /* 64-bit data, of dword integers only */
		if (access->is_float || access->size != 4)
			return false;
		access->size = 8;
	}
	access->count = access->channels = 1;
	access->returns = bits(send, 13, 13);
	return true;
}

static bool decode_atomic(const struct eu_send *send, struct eu_access *access)
{
	access->operation = (uint8_t)bits(send, 11, 8);
	access->operands = (uint8_t)eu_atomic_int_operands(access->operation);
	return atomic(send, access) && eu_atomic_int(access->operation, access->size);
}

/* `last`: the last operation that there is. */
static bool float_atomic(const struct eu_send *send, struct eu_access *access, unsigned last)
{
	access->is_float = true;
	access->operation = (uint8_t)bits(send, 10, 8);
	access->operands = access->operation == EU_ATOMIC_FCMPWR ? 2 : 1;
	return access->operation <= last && atomic(send, access) &&
	       eu_atomic_float(access->operation, access->size);
}

static bool decode_float_atomic(const struct eu_send *send, struct eu_access *access)
{
	return float_atomic(send, access, EU_ATOMIC_FCMPWR);
}

static bool decode_float_atomic_add(const struct eu_send *send, struct eu_access *access)
{
	return float_atomic(send, access, EU_ATOMIC_FADD);
}

/* ---- blocks ---- */

static bool block(struct eu_access *access, unsigned bytes)
{
	access->kind = EU_ACCESS_BLOCK;
	access->lanes = 1;
	access->bytes = (uint16_t)bytes;
	return bytes != 0 && access->has_header;
}

/* desc[10:8]: a size in OWords; 1 is the upper half of a register. */
static bool owords(const struct eu_send *send, struct eu_access *access)
{
	static const uint16_t sizes[8] = { 16, 16, 32, 64, 128, 256 };

	access->skip = bits(send, 10, 8) == 1 ? 16 : 0;
	return block(access, sizes[bits(send, 10, 8)]);
}

static bool decode_owords(const struct eu_send *send, struct eu_access *access)
{
	access->at = 8; /* dword 2 of the header, in units of the row's size */
	access->shift = access->size == 16 ? 4 : 0;
	access->alignment = access->writes ? 16 : access->shift ? 0 : 4;
	access->masked = access->writes || access->shift != 0;
	return owords(send, access);
}

/*
 * Blocks of one, two, four or eight registers. Intel's assembler numbers the sizes from 0 on,
 * oneDNN's code generator, whose kernels run on hardware, from 1 on: the message's lengths tell.
 */
static bool hwords(const struct eu_send *send, struct eu_access *access)
{
	unsigned size = bits(send, 10, 8), whole = 1u << size;
	unsigned registers = access->writes ? send->mlen + send->xlen - 1u : send->rlen;

	if (!access->writes && !send->writes)
		registers = whole / 2 + (whole == 1);
	if ((registers != whole && 2 * registers != whole) || registers > 8)
		return false;
	return block(access, registers * GEN_GRF_BYTES);
}

enum { A64_OWORDS, A64_OWORDS_UNALIGNED, A64_RESERVED, A64_HWORDS };

static bool decode_a64_block(const struct eu_send *send, struct eu_access *access)
{
	unsigned subtype = bits(send, 12, 11);

	access->alignment = access->writes ? 16 : 4; /* cl_intel_subgroups */
	access->masked = access->writes || subtype != A64_OWORDS_UNALIGNED;
	if (subtype == A64_RESERVED)
		return false;
	return subtype == A64_HWORDS ? hwords(send, access) : owords(send, access);
}

/* The thread's own memory, whose base is dword 5 of the header. */
static bool decode_scratch(const struct eu_send *send, struct eu_access *access)
{
	access->space = EU_SPACE_STATELESS;
	access->address = 0;
	access->offset = bits(send, 11, 0) * GEN_GRF_BYTES;
	access->writes = bits(send, 17, 17);
	access->reads = !access->writes;
	access->masked = access->writes && bits(send, 16, 16);
	access->is_scratch = true;
	return block(access, (unsigned)GEN_GRF_BYTES << bits(send, 13, 12));
}

/* The same in the surface that the walker has for scratch space. */
static bool decode_scratch_surface(const struct eu_send *send, struct eu_access *access)
{
	if (!decode_scratch(send, access))
		return false;
	access->space = EU_SPACE_SURFACE;
	access->index = EU_BTI_BINDLESS;
	access->from_state_base = true;
	return true;
}

/* ---- images ---- */

static bool names_image(const struct eu_access *access)
{
	return access->index <= EU_BTI_LAST || access->index == EU_BTI_BINDLESS;
}

/*
 * Eight lanes of the instruction; slot group 2 is the upper eight of sixteen. Coordinates that are
 * 0 may be missing at the payload's end, so the data are counted from there.
 */
static bool texels(const struct eu_send *send, struct eu_access *access, unsigned data)
{
	unsigned end = (send->mlen + (unsigned)send->xlen) * GEN_GRF_BYTES;
	unsigned begin = access->has_header ? GEN_GRF_BYTES : 0;

	access->lanes = 8;
	access->at = (uint16_t)begin;
	access->slot = 4;
	access->data = (uint16_t)(end - data * GEN_GRF_BYTES);
	return names_image(access) && end >= begin + (1 + data) * GEN_GRF_BYTES;
}

static bool decode_typed(const struct eu_send *send, struct eu_access *access)
{
	unsigned group = bits(send, 13, 12);

	access->kind = EU_ACCESS_TYPED;
	access->channels = (uint8_t)(~bits(send, 11, 8) & 15);
	access->count = (uint8_t)__builtin_popcount(access->channels);
	access->first = group == 2 && send->exec_size == 16 ? 8 : 0;
	if (access->channels == 0 || (group != 1 && group != 2) ||
		send->exec_size > access->first + 8)
		return false;
	return texels(send, access, access->writes ? access->count : 0);
}

static bool decode_typed_atomic(const struct eu_send *send, struct eu_access *access)
{
	access->kind = EU_ACCESS_TYPED_ATOMIC;
	access->operation = (uint8_t)bits(send, 11, 8);
	access->operands = (uint8_t)eu_atomic_int_operands(access->operation);
	access->returns = bits(send, 13, 13);
	access->count = access->channels = 1;
	return send->exec_size <= 8 && eu_atomic_int(access->operation, access->size) &&
	       texels(send, access, access->operands);
}

/* Four channels of the pixels of a thread, or one colour for all of them; no depth, no masks. */
static bool decode_target(const struct eu_send *send, struct eu_access *access)
{
	enum { LANES_16, REPLICATED, LANES_8 = 4 };
	unsigned control = bits(send, 10, 8), begin = access->has_header ? 2 * GEN_GRF_BYTES : 0;
	unsigned halves = bits(send, 30, 30);

	const unsigned given = (send->mlen + (unsigned)send->xlen) * GEN_GRF_BYTES;
	unsigned depth;

	access->kind = EU_ACCESS_TARGET;
	access->lanes = control == LANES_8 ? 8 : 16;
	depth = access->lanes * 4;
	access->slot = control == REPLICATED ? 0 : 4;
	access->first = bits(send, 11, 11) ? 16 : 0;
	access->count = 4;
	access->channels = 15;
	access->data = (uint16_t)begin;
	begin += access->slot ? 4u * access->slot * access->lanes : GEN_GRF_BYTES;
	return (control == LANES_16 || control == REPLICATED || control == LANES_8) && !halves &&
	       send->exec_size <= access->lanes && names_image(access) &&
	       (given == begin || given == begin + depth);
}

enum { MEDIA_BYTES = 1024 }; /* of a block, at most */

static bool decode_media(const struct eu_send *send, struct eu_access *access)
{
	unsigned data = send->mlen + (unsigned)send->xlen - 1;

	access->kind = EU_ACCESS_MEDIA;
	access->data = GEN_GRF_BYTES;
	access->bytes = (uint16_t)((access->writes ? data : send->rlen) * GEN_GRF_BYTES);
	/* desc[10:8]: vertical strides, of interlaced pictures */
	return access->has_header && send->mlen > 0 && names_image(access) &&
	       bits(send, 10, 8) == 0 && access->bytes <= MEDIA_BYTES &&
	       (!access->writes || data > 0);
}

static bool decode_sampler(const struct eu_send *send, struct eu_access *access)
{
	unsigned mode = bits(send, 18, 17);

	access->kind = EU_ACCESS_SAMPLER;
	access->lanes = mode == 2 ? 16 : 8;
	access->at = access->has_header ? GEN_GRF_BYTES : 0;
	access->slot = bits(send, 30, 30) ? 2 : 4;
	access->operation = (uint8_t)bits(send, 11, 8); /* the sampler's number */
	return (mode == 1 || mode == 2) && bits(send, 29, 29) == 0 && names_image(access) &&
	       (send->mlen + (unsigned)send->xlen) * GEN_GRF_BYTES >=
		       access->at + access->lanes * 4u;
}

/*
 * ---- the load-store cache: addresses in the first part of the payload, data in the second ----
 */

/* desc[11:9]: bytes of an element in memory; those of 1 and 2 bytes fill a dword in registers. */
static const uint8_t lsc_sizes[8] = { 0, 0, 4, 8, 1, 2 };

/* What addresses are relative to: desc[30:29] and desc[8:7]. */
static bool lsc_space(const struct eu_send *send, struct eu_access *access)
{
	enum { FLAT, BINDLESS, STATE, TABLE };
	enum { A32_ADDRESSES = 2, A64_ADDRESSES };
	unsigned type = bits(send, 30, 29), width = bits(send, 8, 7);

	access->has_header = false;
	access->address = width == A64_ADDRESSES ? 8 : 4;
	access->space = send->sfid == GEN_SFID_SLM ? EU_SPACE_SLM
			: width == A64_ADDRESSES   ? EU_SPACE_A64
						   : EU_SPACE_SURFACE;
	access->index = type == TABLE ? (uint8_t)(send->exdesc >> 24) : EU_BTI_BINDLESS;
	access->from_state_base = type == STATE;
	if (width != A32_ADDRESSES && width != A64_ADDRESSES)
		return false;
	/* Two ways to name the general state base. */
	if (access->space == EU_SPACE_SURFACE &&
		(type == FLAT || (type == TABLE && access->index == EU_BTI_STATELESS))) {
		access->space = EU_SPACE_STATELESS;
		access->index = EU_BTI_STATELESS;
		return true;
	}
	if (access->space == EU_SPACE_SURFACE)
		return type == BINDLESS || type == STATE ||
		       (type == TABLE && access->index <= EU_BTI_LAST);
	return type == FLAT && (width == A64_ADDRESSES) == (access->space == EU_SPACE_A64);
}

/* Lanes of the message; a register is the least that a row of elements takes. */
static bool lsc_lanes(const struct eu_send *send, struct eu_access *access, unsigned size)
{
	unsigned slot = size < 4 ? 4 : size, least = GEN_GRF_BYTES / slot;

	access->size = (uint8_t)size;
	access->lanes = (uint8_t)(send->exec_size > least ? send->exec_size : least);
	access->data = send->mlen * GEN_GRF_BYTES;
	return size != 0 && send->exec_size <= 16 &&
	       send->exec_size * access->address <= access->data;
}

/* Many elements from one address, in their order in memory. */
static bool lsc_block(const struct eu_send *send, struct eu_access *access, unsigned count)
{
	unsigned size = lsc_sizes[bits(send, 11, 9)], bytes = size * count;
	unsigned registers = (bytes + GEN_GRF_BYTES - 1) / GEN_GRF_BYTES;

	access->kind = EU_ACCESS_BLOCK;
	access->lanes = 1;
	access->bytes = (uint16_t)bytes;
	access->data = send->mlen * GEN_GRF_BYTES;
	access->alignment =
		size > 4 && !access->writes ? 4 : (uint8_t)size; /* cl_intel_subgroups */
	return size >= 4 && send->exec_size == 1 && send->mlen > 0 &&
	       (access->writes ? send->xlen >= registers
			       : !send->writes || send->rlen >= registers);
}

static bool decode_lsc(const struct eu_send *send, struct eu_access *access)
{
	static const uint8_t counts[8] = { 1, 2, 3, 4, 8, 16, 32, 64 };
	unsigned count = counts[bits(send, 14, 12)];

	if (!lsc_space(send, access))
		return false;
	if (bits(send, 15, 15))
		return lsc_block(send, access, count);
	if (count > 8)
		return false;
	access->kind = EU_ACCESS_SCATTER;
	access->count = (uint8_t)count;
	access->channels = (uint8_t)((1u << count) - 1);
	return lsc_lanes(send, access, lsc_sizes[bits(send, 11, 9)]);
}

/* desc[15:12]: which of four elements are moved. */
static bool decode_lsc_masked(const struct eu_send *send, struct eu_access *access)
{
	access->kind = EU_ACCESS_SCATTER;
	access->channels = (uint8_t)bits(send, 15, 12);
	access->count = access->channels ? (uint8_t)(32 - __builtin_clz(access->channels)) : 0;
	return access->count != 0 && lsc_space(send, access) &&
	       lsc_lanes(send, access, lsc_sizes[bits(send, 11, 9)]);
}

static bool decode_lsc_atomic(const struct eu_send *send, struct eu_access *access)
{
	enum { FIRST = 0x08, LAST = 0x1a };
	/* A load adds nothing. */
	static const struct {
		uint8_t operation, operands;
		bool is_float;
	} atomics[LAST + 1 - FIRST] = { { EU_ATOMIC_INC, 0, false }, { EU_ATOMIC_DEC, 0, false },
		{ EU_ATOMIC_ADD, 0, false }, { EU_ATOMIC_MOV, 1, false },
		{ EU_ATOMIC_ADD, 1, false }, { EU_ATOMIC_SUB, 1, false },
		{ EU_ATOMIC_IMIN, 1, false }, { EU_ATOMIC_IMAX, 1, false },
		{ EU_ATOMIC_UMIN, 1, false }, { EU_ATOMIC_UMAX, 1, false },
		{ EU_ATOMIC_CMPWR, 2, false }, { EU_ATOMIC_FADD, 1, true },
		{ EU_ATOMIC_FSUB, 1, true }, { EU_ATOMIC_FMIN, 1, true },
		{ EU_ATOMIC_FMAX, 1, true }, { EU_ATOMIC_FCMPWR, 2, true },
		{ EU_ATOMIC_AND, 1, false }, { EU_ATOMIC_OR, 1, false },
		{ EU_ATOMIC_XOR, 1, false } };
	unsigned row = access->type - FIRST, size = lsc_sizes[bits(send, 11, 9)];

	access->kind = EU_ACCESS_ATOMIC;
	access->operation = atomics[row].operation;
	access->operands = atomics[row].operands;
	access->is_float = atomics[row].is_float;
	access->count = access->channels = 1;
	access->returns = send->rlen > 0;
	return bits(send, 15, 12) == 0 && lsc_space(send, access) &&
	       lsc_lanes(send, access, size) &&
	       (access->is_float ? eu_atomic_float(access->operation, size)
				 : eu_atomic_int(access->operation, size)) != NULL;
}

#define decode_missing NULL

/* ---- rows ---- */

enum { A32, A64, LSC };
enum { N = 0, R = 1, W = 2, U = R | W };

static const struct row {
	uint8_t sfid, type, first, last; /* of enum gen_generation */
	const char *name;
	decode_fn decode; /* NULL: not implemented */
	uint8_t size, addresses, memory;
	const char *parameters;
} rows[] = {
#define MESSAGE(sfid, type, first, last, name, form, size, addresses, memory)                      \
	{ GEN_SFID_##sfid, type, GEN_##first, GEN_##last, name, decode_##form, size, addresses,    \
		memory, NULL },
#define SAMPLE(type, first, last, name, parameters, memory)                                        \
	{ GEN_SFID_SAMPLER, type, GEN_##first, GEN_##last, name, decode_sampler, 0, A32, memory,   \
		parameters },
#include "eu/message/eu_message.def"
#undef MESSAGE
};

/* The type of a message, and what else of its descriptor has a place that depends on that alone. */
static unsigned type_of(const struct eu_send *send)
{
	switch (send->sfid) {
	case GEN_SFID_NULL:
		return 0;
	case GEN_SFID_GATEWAY:
	case GEN_SFID_THREAD_SPAWNER:
		return bits(send, 2, 0);
	case GEN_SFID_UGML:
	case GEN_SFID_TGM:
	case GEN_SFID_SLM:
	case GEN_SFID_UGM:
		return bits(send, 5, 0);
	case GEN_SFID_SAMPLER:
		return bits(send, 16, 12);
	case GEN_SFID_DC0:
		return bits(send, 18, 18) ? 0x20 : bits(send, 17, 14);
	default:
		return bits(send, 18, 14);
	}
}

static const struct row *find_row(const struct gen_device *device, const struct eu_send *send)
{
	enum gen_generation generation = device->family->generation;
	unsigned type = type_of(send);

	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(rows); i++)
		if (rows[i].sfid == send->sfid && rows[i].type == type &&
			rows[i].first <= generation && generation <= rows[i].last)
			return &rows[i];
	return NULL;
}

/* The space that a binding table index names for these addresses; false: none. */
static bool find_space(struct eu_access *access, bool is_a64)
{
	bool stateless =
		access->index == EU_BTI_STATELESS || access->index == EU_BTI_STATELESS_CACHED;

	if (is_a64)
		access->space = EU_SPACE_A64;
	else if (access->index == EU_BTI_SLM)
		access->space = EU_SPACE_SLM;
	else if (stateless)
		access->space = EU_SPACE_STATELESS;
	else
		access->space = EU_SPACE_SURFACE;
	return stateless ||
	       (!is_a64 && (access->index <= EU_BTI_LAST || access->index == EU_BTI_BINDLESS ||
				   access->index == EU_BTI_SLM));
}

/*
 * Where addresses and data of lanes lie in the payload, unless the form says it, and whether it and
 * the result hold them.
 */
static bool place_lanes(const struct eu_send *send, struct eu_access *access)
{
	unsigned moved = (unsigned)__builtin_popcount(access->channels), in, out;

	access->slot = access->size < 4 ? 4 : access->size;
	access->bytes = access->size * access->count;
	access->at = access->has_header ? GEN_GRF_BYTES : 0;
	if (access->data == 0)
		access->data = (uint16_t)(access->at + access->lanes * access->address);
	in = access->data;
	out = moved * access->lanes * access->slot;
	if (access->kind == EU_ACCESS_ATOMIC)
		in += access->operands * access->lanes * access->slot;
	else if (access->writes)
		in += out;
	return (send->mlen + (unsigned)send->xlen) * GEN_GRF_BYTES >= in &&
	       (!access->returns || !send->writes || send->rlen * (unsigned)GEN_GRF_BYTES >= out);
}

static bool place_block(const struct eu_send *send, struct eu_access *access)
{
	unsigned end = access->skip + access->bytes;

	access->size = 1;
	if (access->data != 0)
		return true;
	access->data = GEN_GRF_BYTES + access->skip;
	if (send->mlen == 0)
		return false;
	if (access->writes)
		return (send->mlen + send->xlen - 1u) * GEN_GRF_BYTES >= end;
	return !send->writes || send->rlen * (unsigned)GEN_GRF_BYTES >= end;
}

/* `named`: the binding table index is one that the message may have. */
static bool place(const struct eu_send *send, struct eu_access *access, bool named)
{
	switch (access->kind) {
	case EU_ACCESS_SCATTER:
	case EU_ACCESS_ATOMIC:
		return named && place_lanes(send, access);
	case EU_ACCESS_BLOCK:
		return (named || access->address == 0) && place_block(send, access);
	case EU_ACCESS_TYPED:
	case EU_ACCESS_TYPED_ATOMIC:
		return !access->returns || !send->writes ||
		       send->rlen >= __builtin_popcount(access->channels);
	default:
		return true;
	}
}

const char *eu_access_decode(
	const struct gen_device *device, const struct eu_send *send, struct eu_access *access)
{
	const struct row *row = find_row(device, send);

	memset(access, 0, sizeof *access);
	access->name = row ? row->name : "message";
	if (!row)
		return "there is no such message";
	if (!row->decode)
		return "not implemented";
	access->type = row->type;
	access->index = send->desc & 0xff;
	access->handle = send->exdesc >> (send->wide_handle ? 6 : 12) << 6;
	access->has_header = bits(send, 19, 19);
	access->reads = access->returns = row->memory & R;
	access->writes = row->memory & W;
	access->size = row->size;
	access->address = row->addresses == A64 ? 8 : 4;
	access->parameters = row->parameters;
	bool named = row->addresses == LSC || find_space(access, row->addresses == A64);
	if (!row->decode(send, access) || !place(send, access, named))
		return "its descriptor asks for a form that does not exist";
	/* What nobody receives is not read. */
	if (access->reads && !access->writes && !send->writes)
		access->kind = EU_ACCESS_NONE;
	return NULL;
}

const char *eu_access_name(const struct gen_device *device, const struct eu_send *send)
{
	const struct row *row = find_row(device, send);

	return row ? row->name : "unknown message";
}

bool eu_access_is_plain(const struct eu_send *send, struct eu_access_plain *plain)
{
	const struct eu_access *access = &send->access;
	unsigned part = access->lanes / 8; /* registers of a dword for each lane */
	unsigned registers = part * (unsigned)__builtin_popcount(access->channels);
	unsigned begin = part * access->address / 4; /* of the data */

	if (access->kind != EU_ACCESS_SCATTER || access->lanes < 8 || access->size > 4 ||
		(access->size < 4 && access->count != 1) || access->shift != 0 ||
		access->count > 4 || access->has_header || send->exec_size != access->lanes ||
		send->mlen < begin)
		return false;
	if (access->space != EU_SPACE_SLM && access->space != EU_SPACE_A64 &&
		(access->space != EU_SPACE_SURFACE || access->index == EU_BTI_BINDLESS))
		return false;
	plain->write = access->writes;
	plain->space = access->space;
	plain->lanes = access->lanes;
	plain->channels = access->size == 1   ? EU_PLAIN_BYTES
			  : access->size == 2 ? EU_PLAIN_WORDS
					      : access->channels;
	plain->data =
		send->mlen == begin ? send->src1 : (uint16_t)(send->src0 + begin * GEN_GRF_BYTES);
	return !plain->write ||
	       (send->mlen == begin ? send->xlen : send->mlen - begin) >= registers;
}
