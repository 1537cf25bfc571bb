// SPDX-License-Identifier: MIT
#include "cs/cs_state.h"

#include <string.h>

#include "gen/gen_inst.h"
#include "util/util_bits.h"

enum { DESCRIPTOR_DWORDS = 8, DESCRIPTOR_BYTES = 32 };

struct field {
	uint8_t dword, high, low;
};

/* Where an interface descriptor has what moved between generations; high 0: not there. */
struct layout {
	struct field binding_table, threads, slm, barrier, rounding, own, shared;
};

static const struct layout loaded = { { 4, 15, 5 }, { 6, 9, 0 }, { 6, 20, 16 }, { 6, 21, 21 },
	{ 6, 23, 22 }, { 5, 31, 16 }, { 7, 7, 0 } };

/* The one that is part of COMPUTE_WALKER. */
static const struct layout embedded = { { 4, 20, 5 }, { 5, 9, 0 }, { 5, 20, 16 }, { 5, 30, 28 },
	{ 5, 23, 22 }, { 0, 0, 0 }, { 0, 0, 0 } };

static uint32_t get(const uint32_t *d, struct field field)
{
	return field.high ? util_bits(d[field.dword], field.high, field.low) : 0;
}

/* Fields of the interface descriptor. Returns false with the fault set. */
static bool parse_descriptor(struct cs_stream *stream, const uint32_t *d,
	const struct layout *layout, struct eu_dispatch *dispatch)
{
	uint64_t start = (uint64_t)util_bits(d[1], 15, 0) << 32 | (d[0] & ~63u);
	unsigned slm_code = get(d, layout->slm);

	if (slm_code > 7) {
		cs_fail(stream, GEN_FAULT_BAD_STATE, stream->packet,
			"shared local memory of code %u", slm_code);
		return false;
	}
	dispatch->kernel = (stream->bases.instruction + start) & EU_ADDRESS_MASK;
	dispatch->cr0 = util_bits(d[2], 16, 16) | util_bits(d[2], 18, 18) << 2 |
			get(d, layout->rounding) << 4;
	dispatch->sampler_state = d[3] & ~31u;
	dispatch->binding_table = get(d, layout->binding_table) << 5;
	dispatch->per_thread_registers = get(d, layout->own);
	dispatch->threads_per_group = get(d, layout->threads);
	dispatch->slm_bytes = slm_code ? UINT32_C(512) << slm_code : 0;
	dispatch->barrier = get(d, layout->barrier) != 0;
	dispatch->cross_thread_registers = get(d, layout->shared);
	return true;
}

/* Reads the descriptor that GPGPU_WALKER names. Returns false with the fault set. */
static bool read_descriptor(struct cs_stream *stream, unsigned index, struct eu_dispatch *dispatch)
{
	uint32_t d[DESCRIPTOR_DWORDS];
	uint64_t address = stream->media.descriptors + index * DESCRIPTOR_BYTES;

	if ((index + 1) * DESCRIPTOR_BYTES > stream->media.descriptor_bytes) {
		cs_fail(stream, GEN_FAULT_BAD_STATE, stream->packet,
			"interface descriptor %u of %u", index,
			stream->media.descriptor_bytes / DESCRIPTOR_BYTES);
		return false;
	}
	if (!cs_read(stream, "interface descriptor", address, d, sizeof(d)) ||
		!parse_descriptor(stream, d, &loaded, dispatch))
		return false;
	if (cs_register_get(&stream->registers, CS_REG_GT_MODE) & CS_GT_MODE_TABLES_18_8)
		dispatch->binding_table <<= 3;
	return true;
}

/* `first`, `end`: in which dwords of the packet the numbers of groups are. */
static void read_groups(const struct cs_stream *stream, const uint32_t *p, const uint8_t first[3],
	const uint8_t end[3], struct eu_dispatch *dispatch)
{
	bool indirect = util_bits(p[0], 10, 10);

	for (unsigned i = 0; i < 3; i++) {
		dispatch->group_first[i] = p[first[i]];
		dispatch->group_end[i] =
			indirect ? cs_stream_register(stream, CS_REG_DISPATCH_X + 4 * i)
				 : p[end[i]];
	}
}

/* What holds for the walkers of all generations. */
static enum cs_status check(struct cs_stream *stream, const struct eu_dispatch *dispatch)
{
	uint32_t registers = dispatch->cross_thread_registers + dispatch->per_thread_registers;

	if (!dispatch->right_mask)
		return cs_bad_packet(stream, "the right execution mask leaves no channel");
	if (registers >= gen_family_registers(stream->config.device->family))
		return cs_fail(stream, GEN_FAULT_BAD_STATE, stream->packet,
			"%u registers of payload do not fit a thread", registers);
	if (!cs_bound(stream, dispatch->kernel, 16))
		return cs_fail(stream, GEN_FAULT_PAGE, dispatch->kernel,
			"kernel at 0x%012llx: nothing is bound there",
			(unsigned long long)dispatch->kernel);
	if (!cs_bound(stream, dispatch->payload, dispatch->payload_bytes))
		return cs_fail(stream, GEN_FAULT_PAGE, dispatch->payload,
			"indirect data at 0x%012llx, %u bytes: not all of it is bound",
			(unsigned long long)dispatch->payload, dispatch->payload_bytes);
	return CS_RUN;
}

static enum cs_status check_threads(
	struct cs_stream *stream, const struct eu_dispatch *dispatch, const uint32_t *p)
{
	unsigned threads = util_bits(p[4], 5, 0) + 1;

	if (util_bits(p[4], 13, 8) || util_bits(p[4], 21, 16))
		return cs_bad_packet(stream,
			"the device does not implement groups of more than one row of threads");
	if (util_bits(p[4], 31, 30) == 3)
		return cs_bad_packet(stream, "SIMD size 3 does not exist");
	if (dispatch->threads_per_group != threads)
		return cs_fail(stream, GEN_FAULT_BAD_STATE, stream->packet,
			"%u threads in a group, but its interface descriptor says %u", threads,
			dispatch->threads_per_group);
	return CS_RUN;
}

enum cs_status cs_walker_run(struct cs_stream *stream, const struct eu_dispatch *dispatch)
{
	static const atomic_int never;
	const struct cs_config *config = &stream->config;

	if (check(stream, dispatch) != CS_RUN)
		return CS_FAULT;
	stream->statistics.walkers++;
	if (config->null_execution)
		return CS_RUN;
	if (!stream->engine)
		return cs_fail(stream, GEN_FAULT_BAD_STATE, stream->packet,
			"this engine has no execution units");
	if (eu_engine_run(stream->engine, dispatch, config->stop ? config->stop : &never,
		    &stream->fault)) {
		gen_fault_add(&stream->fault, stream->fault.kind, "walker at 0x%012llx",
			(unsigned long long)stream->packet);
		return CS_FAULT;
	}
	return CS_RUN;
}

bool cs_walker_is_skipped(const struct cs_stream *stream, const uint32_t *p)
{
	return stream->skip_walkers ||
	       (util_bits(p[0], 8, 8) &&
		       !(cs_stream_register(stream, CS_REG_PREDICATE_RESULT) & 1));
}

struct eu_dispatch cs_walker_prepare(const struct cs_stream *stream)
{
	const struct cs_bases *bases = &stream->bases;

	return (struct eu_dispatch){
		.bus = stream->config.bus,
		.instruction_base = bases->instruction,
		.general_state_base = bases->general,
		.surface_state_base = bases->surface,
		.binding_table_base = bases->table_pool ? bases->table_pool : bases->surface,
		.dynamic_state_base = bases->dynamic,
		.bindless_surface_base = bases->bindless_surface,
		.bindless_sampler_base = bases->bindless_sampler,
	};
}

static struct eu_dispatch prepare(const struct cs_stream *stream, unsigned simd_code, uint32_t mask)
{
	struct eu_dispatch dispatch = cs_walker_prepare(stream);
	unsigned simd = 8u << simd_code;

	dispatch.simd = (uint8_t)simd;
	dispatch.right_mask = mask & (UINT32_MAX >> (simd < 32 ? 32 - simd : 0));
	return dispatch;
}

enum cs_status cs_gpgpu_walker(struct cs_stream *stream, const uint32_t *p)
{
	static const uint8_t first[3] = { 5, 8, 11 }, end[3] = { 7, 10, 12 };
	struct eu_dispatch dispatch = prepare(stream, util_bits(p[4], 31, 30), p[13]);

	if (cs_walker_is_skipped(stream, p))
		return CS_RUN;
	if (!read_descriptor(stream, util_bits(p[1], 5, 0), &dispatch))
		return CS_FAULT;
	read_groups(stream, p, first, end, &dispatch);
	dispatch.scratch = stream->media.scratch;
	dispatch.scratch_bytes_per_thread = stream->media.scratch_bytes_per_thread;
	dispatch.payload = (stream->bases.indirect + (p[3] & ~63u)) & EU_ADDRESS_MASK;
	dispatch.payload_bytes = util_bits(p[2], 16, 0);
	if (!dispatch.payload_bytes && stream->media.curbe_bytes) {
		dispatch.payload = stream->media.curbe;
		dispatch.payload_bytes = stream->media.curbe_bytes;
		dispatch.cross_first = true;
	}
	dispatch.payload_bytes = util_min_u32(dispatch.payload_bytes,
		GEN_GRF_BYTES *
			(dispatch.cross_thread_registers +
				dispatch.threads_per_group * dispatch.per_thread_registers));
	if (check_threads(stream, &dispatch, p) != CS_RUN)
		return CS_FAULT;
	return cs_walker_run(stream, &dispatch);
}

/*
 * ---- COMPUTE_WALKER: what threads start with is generated, or part of the packet. Their arguments
 * they load themselves. ----
 */

enum { MOST_LOCAL_IDS = 1024, INLINE_BYTES = 32 };

/* An inline register, then the local ids of all threads. */
struct generated {
	uint8_t bytes[INLINE_BYTES + 3 * 4 * MOST_LOCAL_IDS + 3 * GEN_GRF_BYTES];
};

/* The local id behind `id`: first `run` of them along x, then along order[0] and so on. */
static void count_id(uint32_t *id, const uint32_t *size, const uint8_t *order, unsigned run)
{
	if ((id[0] + 1) % run && id[0] + 1 < size[0]) {
		id[0]++;
		return;
	}
	id[0] -= id[0] % run;
	for (unsigned i = 0; i < 3; i++) {
		id[order[i]] += order[i] == 0 ? run : 1;
		if (id[order[i]] < size[order[i]])
			return;
		id[order[i]] = 0;
	}
}

/*
 * The registers of each of x, y and z of each thread's local ids, which are words. Those for a
 * tiled layout follow the texels of 4, 8 or 16 bytes as TileY has them: 16 bytes along x, then
 * down.
 */
static unsigned generate_ids(
	const uint32_t *p, const struct eu_dispatch *dispatch, struct generated *generated)
{
	/* The axis along which ids count first, then the next. */
	static const uint8_t orders[8][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 2, 0, 1 },
		{ 1, 2, 0 }, { 2, 1, 0 } };
	const uint8_t *order = orders[util_bits(p[4], 24, 22)];
	const uint32_t size[3] = { util_bits(p[6], 9, 0) + 1, util_bits(p[6], 19, 10) + 1,
		util_bits(p[6], 29, 20) + 1 };
	unsigned emit = util_bits(p[4], 28, 26), simd = dispatch->simd;
	unsigned bytes = simd == 32 ? 2 * GEN_GRF_BYTES : GEN_GRF_BYTES;
	unsigned layout = util_bits(p[4], 21, 19), run = layout ? 8u >> layout : 1;
	uint8_t *out = generated->bytes + INLINE_BYTES;
	uint32_t id[3] = { 0, 0, 0 };

	for (unsigned thread = 0; thread < dispatch->threads_per_group; thread++) {
		for (unsigned lane = 0; lane < simd; lane++) {
			uint8_t *at = out + lane * 2;

			for (unsigned i = 0; i < 3; i++) {
				if ((emit >> i & 1) == 0)
					continue;
				at[0] = (uint8_t)id[i];
				at[1] = (uint8_t)(id[i] >> 8);
				at += bytes;
			}
			count_id(id, size, order, run);
		}
		out += (unsigned)__builtin_popcount(emit) * bytes;
	}
	return (unsigned)__builtin_popcount(emit) * bytes / GEN_GRF_BYTES;
}

static enum cs_status check_compute(
	struct cs_stream *stream, const struct eu_dispatch *dispatch, const uint32_t *p)
{
	unsigned threads = dispatch->threads_per_group;

	if (util_bits(p[4], 31, 30) == 3)
		return cs_bad_packet(stream, "SIMD size 3 does not exist");
	if (util_bits(p[2], 31, 30))
		return cs_bad_packet(stream, "the device does not implement partitions");
	if (util_bits(p[4], 21, 19) > 3)
		return cs_bad_packet(
			stream, "tile layout %u does not exist", util_bits(p[4], 21, 19));
	if (util_bits(p[4], 24, 22) > 5)
		return cs_bad_packet(
			stream, "walk order %u does not exist", util_bits(p[4], 24, 22));
	if (threads == 0 || threads * dispatch->simd >= MOST_LOCAL_IDS + (unsigned)dispatch->simd)
		return cs_fail(stream, GEN_FAULT_BAD_STATE, stream->packet,
			"groups of %u threads of SIMD%u", threads, dispatch->simd);
	return CS_RUN;
}

/* POSTSYNC_DATA; timestamps are begin and end of the walker, each twice, of 32 bits. */
static enum cs_status post_sync(struct cs_stream *stream, const uint32_t *p, uint32_t begin)
{
	enum { NOTHING, IMMEDIATE, TIMESTAMPS = 3 };
	unsigned operation = util_bits(p[0], 1, 0);
	uint32_t end = cs_stream_register(stream, CS_REG_TIMESTAMP);
	uint64_t address = cs_address(p + 1);

	if (operation == NOTHING)
		return CS_RUN;
	if (operation == IMMEDIATE)
		return cs_done(
			cs_write64(stream, "post-sync destination", address, cs_qword(p + 3)));
	if (operation != TIMESTAMPS)
		return cs_bad_packet(stream, "post-sync operation %u does not exist", operation);
	return cs_done(cs_write64(stream, "post-sync destination", address,
			       (uint64_t)begin << 32 | begin) &&
		       cs_write64(stream, "post-sync destination", address + 8,
			       (uint64_t)end << 32 | end));
}

enum cs_status cs_compute_walker(struct cs_stream *stream, const uint32_t *p)
{
	static const uint8_t first[3] = { 10, 11, 12 }, end[3] = { 7, 8, 9 };
	struct eu_dispatch dispatch = prepare(stream, util_bits(p[4], 31, 30), p[5]);
	struct generated generated;
	uint32_t begin = cs_stream_register(stream, CS_REG_TIMESTAMP);

	if (cs_walker_is_skipped(stream, p))
		return CS_RUN;
	if (!parse_descriptor(stream, p + 18, &embedded, &dispatch) ||
		check_compute(stream, &dispatch, p) != CS_RUN)
		return CS_FAULT;
	read_groups(stream, p, first, end, &dispatch);
	dispatch.numbers_threads = true;
	dispatch.scratch_surface = stream->media.scratch_surface;
	dispatch.payload_pointer = p[3] & ~63u;
	dispatch.payload = (stream->bases.general + dispatch.payload_pointer) & EU_ADDRESS_MASK;
	dispatch.payload_bytes = util_bits(p[2], 16, 0);
	dispatch.start = generated.bytes;
	memset(&generated, 0, sizeof(generated));
	if (util_bits(p[4], 25, 25)) {
		memcpy(generated.bytes, p + 31, INLINE_BYTES);
		dispatch.cross_thread_registers = 1;
	} else {
		dispatch.start += INLINE_BYTES;
	}
	if (util_bits(p[4], 29, 29))
		dispatch.per_thread_registers = generate_ids(p, &dispatch, &generated);
	if (cs_walker_run(stream, &dispatch) != CS_RUN)
		return CS_FAULT;
	return post_sync(stream, p + 26, begin);
}
