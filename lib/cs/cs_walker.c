// SPDX-License-Identifier: MIT
#include "cs/cs_state.h"

#include "gen/gen_inst.h"
#include "util/util_bits.h"
#include "util/util_log.h"

enum { DESCRIPTOR_DWORDS = 8, DESCRIPTOR_BYTES = 32, MAX_THREADS_PER_GROUP = 64 };

/* Fields of the interface descriptor. Returns false with the fault set. */
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
	if (!cs_read(stream, "interface descriptor", address, d, sizeof(d)))
		return false;
	uint64_t start = (uint64_t)util_bits(d[1], 15, 0) << 32 | (d[0] & ~63u);
	unsigned slm_code = util_bits(d[6], 20, 16);
	if (slm_code > 7) {
		cs_fail(stream, GEN_FAULT_BAD_STATE, address, "shared local memory of code %u",
			slm_code);
		return false;
	}
	dispatch->kernel = (stream->bases.instruction + start) & EU_ADDRESS_MASK;
	dispatch->cr0 = util_bits(d[2], 16, 16) | util_bits(d[2], 18, 18) << 2 |
			util_bits(d[6], 23, 22) << 4;
	dispatch->sampler_state = d[3] & ~31u;
	dispatch->binding_table = d[4] & 0xffe0;
	if (cs_register_get(&stream->registers, CS_REG_GT_MODE) & CS_GT_MODE_TABLES_18_8)
		dispatch->binding_table <<= 3;
	dispatch->per_thread_registers = util_bits(d[5], 31, 16);
	dispatch->threads_per_group = util_bits(d[6], 9, 0);
	dispatch->slm_bytes = slm_code ? UINT32_C(512) << slm_code : 0;
	dispatch->barrier = util_bits(d[6], 21, 21);
	dispatch->cross_thread_registers = util_bits(d[7], 7, 0);
	return true;
}

static void read_groups(
	const struct cs_stream *stream, const uint32_t *p, struct eu_dispatch *dispatch)
{
	static const uint8_t first[3] = { 5, 8, 11 }, end[3] = { 7, 10, 12 };
	bool indirect = util_bits(p[0], 10, 10);

	for (unsigned i = 0; i < 3; i++) {
		dispatch->group_first[i] = p[first[i]];
		dispatch->group_end[i] =
			indirect ? cs_stream_register(stream, CS_REG_DISPATCH_X + 4 * i)
				 : p[end[i]];
	}
}

static enum cs_status check(
	struct cs_stream *stream, const struct eu_dispatch *dispatch, const uint32_t *p)
{
	unsigned threads = util_bits(p[4], 5, 0) + 1;

	if (util_bits(p[4], 13, 8) || util_bits(p[4], 21, 16))
		return cs_bad_packet(stream,
			"the device does not implement groups of more than one row of threads");
	if (util_bits(p[4], 31, 30) == 3)
		return cs_bad_packet(stream, "SIMD size 3 does not exist");
	if (dispatch->threads_per_group != threads || threads > MAX_THREADS_PER_GROUP)
		return cs_fail(stream, GEN_FAULT_BAD_STATE, stream->packet,
			"%u threads in a group, but its interface descriptor says %u", threads,
			dispatch->threads_per_group);
	if (!dispatch->right_mask)
		return cs_bad_packet(stream, "the right execution mask leaves no channel");
	uint32_t registers = dispatch->cross_thread_registers + dispatch->per_thread_registers;
	if (registers >= GEN_GRF_COUNT)
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

static void trace_walker(const struct eu_dispatch *d)
{
	util_log(UTIL_LOG_TRACE, "cs",
		"walker: kernel 0x%012llx simd%u, %u threads a group, groups "
		"[%u,%u)x[%u,%u)x[%u,%u), "
		"right mask 0x%x, payload 0x%012llx %u+%u registers, binding table 0x%x, slm %u, "
		"scratch 0x%llx %u%s",
		(unsigned long long)d->kernel, d->simd, d->threads_per_group, d->group_first[0],
		d->group_end[0], d->group_first[1], d->group_end[1], d->group_first[2],
		d->group_end[2], d->right_mask, (unsigned long long)d->payload,
		d->cross_thread_registers, d->per_thread_registers, d->binding_table, d->slm_bytes,
		(unsigned long long)d->scratch, d->scratch_bytes_per_thread,
		d->barrier ? ", barrier" : "");
}

static enum cs_status run(struct cs_stream *stream, const struct eu_dispatch *dispatch)
{
	static const atomic_int never;
	const struct cs_config *config = &stream->config;

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

enum cs_status cs_gpgpu_walker(struct cs_stream *stream, const uint32_t *p, unsigned n)
{
	const struct cs_bases *bases = &stream->bases;
	unsigned simd = 8u << util_bits(p[4], 31, 30);
	struct eu_dispatch dispatch = {
		.bus = stream->config.bus,
		.instruction_base = bases->instruction,
		.simd = (uint8_t)simd,
		.right_mask = p[13] & (UINT32_MAX >> (simd < 32 ? 32 - simd : 0)),
		.payload = (bases->indirect + (p[3] & ~63u)) & EU_ADDRESS_MASK,
		.general_state_base = bases->general,
		.surface_state_base = bases->surface,
		.binding_table_base = bases->table_pool ? bases->table_pool : bases->surface,
		.dynamic_state_base = bases->dynamic,
		.bindless_surface_base = bases->bindless_surface,
		.bindless_sampler_base = bases->bindless_sampler,
		.scratch = stream->media.scratch,
		.scratch_bytes_per_thread = stream->media.scratch_bytes_per_thread,
	};

	(void)n;
	if (stream->skip_walkers)
		return CS_RUN;
	if (util_bits(p[0], 8, 8) && !(cs_stream_register(stream, CS_REG_PREDICATE_RESULT) & 1))
		return CS_RUN;
	if (!read_descriptor(stream, util_bits(p[1], 5, 0), &dispatch))
		return CS_FAULT;
	read_groups(stream, p, &dispatch);
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
	if (check(stream, &dispatch, p) != CS_RUN)
		return CS_FAULT;
	if (stream->trace)
		trace_walker(&dispatch);
	return run(stream, &dispatch);
}
