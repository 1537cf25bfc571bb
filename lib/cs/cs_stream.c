// SPDX-License-Identifier: MIT
#include "cs/cs_stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cs/cs_packet.h"
#include "cs/cs_state.h"
#include "util/util_bits.h"
#include "util/util_log.h"
#include "util/util_settings.h"

enum { TIMESTAMP_BITS = 36, TRACE_DWORDS = 24 };

static bool trace_asked(void)
{
	return util_settings_lists(util_settings()->trace, "packets") &&
	       util_log_on(UTIL_LOG_TRACE);
}

struct cs_stream *cs_stream_create(const struct cs_config *config)
{
	struct cs_stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->config = *config;
	stream->status = CS_DONE;
	stream->trace = trace_asked();
	cs_register_set(&stream->registers, CS_REG_PREDICATE_RESULT, 1);
	cs_packet_index(&stream->packets, config->device->family->generation);
	return stream;
}

void cs_stream_destroy(struct cs_stream *stream)
{
	free(stream);
}

int cs_stream_start(struct cs_stream *stream, uint64_t address, uint64_t length)
{
	if (stream->status != CS_DONE)
		return -EBUSY;
	stream->ip = address & EU_ADDRESS_MASK & ~UINT64_C(3);
	stream->depth = 0;
	stream->batch = (struct eu_range){ 0 };
	stream->status = CS_RUN;
	if (stream->trace)
		util_log(UTIL_LOG_TRACE, "cs", "batch 0x%012llx, %llu bytes",
			(unsigned long long)stream->ip, (unsigned long long)length);
	return 0;
}

void cs_stream_set_engine(struct cs_stream *stream, struct eu_engine *engine)
{
	stream->engine = engine;
}

void cs_stream_skip_walkers(struct cs_stream *stream, bool skip)
{
	stream->skip_walkers = skip;
}

void cs_stream_reset(struct cs_stream *stream)
{
	stream->status = CS_DONE;
	stream->depth = 0;
	stream->is_off = false;
	memset(&stream->fault, 0, sizeof(stream)->fault);
}

const struct gen_fault *cs_stream_fault(const struct cs_stream *stream)
{
	return stream->status == CS_FAULT ? &stream->fault : NULL;
}

void cs_stream_statistics(const struct cs_stream *stream, struct cs_statistics *out)
{
	*out = stream->statistics;
}

static uint64_t timestamp(const struct cs_stream *stream)
{
	uint64_t ticks = 0;

	if (stream->config.timestamp)
		ticks = stream->config.timestamp(stream->config.timestamp_self);
	return ticks & ((UINT64_C(1) << TIMESTAMP_BITS) - 1);
}

uint32_t cs_stream_register(const struct cs_stream *stream, uint32_t offset)
{
	switch (offset) {
	case CS_REG_TIMESTAMP:
	case CS_REG_CONTEXT_TIMESTAMP:
		return (uint32_t)timestamp(stream);
	case CS_REG_TIMESTAMP + 4:
	case CS_REG_CONTEXT_TIMESTAMP + 4:
		return (uint32_t)(timestamp(stream) >> 32);
	default:
		return cs_register_get(&stream->registers, offset);
	}
}

void cs_stream_set_register(struct cs_stream *stream, uint32_t offset, uint32_t value)
{
	cs_register_set(&stream->registers, offset, value);
}

static void trace_packet(const struct cs_stream *stream, const uint32_t *p)
{
	char text[TRACE_DWORDS * 9 + 1] = "";

	for (unsigned i = 0; i < stream->length && i < TRACE_DWORDS; i++)
		snprintf(text + 9 * i, 10, " %08x", p[i]);
	util_log(UTIL_LOG_TRACE, "cs", "%012llx %-24s%s", (unsigned long long)stream->packet,
		stream->packet_name, text);
}

/* Reads `count` dwords of batch memory at `address`, from the cached buffer when it holds them. */
static bool fetch(struct cs_stream *stream, uint64_t address, uint32_t *out, unsigned count)
{
	struct eu_range *at = &stream->batch;
	size_t size = count * sizeof(*out);

	if (address < at->first || address >= at->end) {
		const struct eu_bus *bus = stream->config.bus;
		if (!bus->find(bus->self, address & EU_ADDRESS_MASK, at))
			*at = (struct eu_range){ 0 };
	}
	if (address >= at->first && address < at->end && at->end - address >= size) {
		memcpy(out, at->host + (address - at->first), size);
		return true;
	}
	return cs_read(stream, "batch", address, out, size);
}

static enum cs_status execute(struct cs_stream *stream)
{
	uint32_t p[CS_MAX_DWORDS];

	stream->packet = stream->ip;
	stream->packet_name = "fetch of a packet";
	if (!fetch(stream, stream->packet, p, 1))
		return CS_FAULT;
	const struct cs_packet *packet = cs_packet_find(&stream->packets, p[0]);
	if (!packet) {
		stream->packet_name = "unknown packet";
		return cs_bad_packet(stream, "0x%08x is no command that the device knows", p[0]);
	}
	stream->packet_name = packet->name;
	unsigned n = cs_packet_length(packet, p[0]);
	if (n < packet->min || n > packet->max)
		return cs_bad_packet(stream, "%u dwords long, but should be %u to %u", n,
			packet->min, packet->max);
	if (p[0] & packet->refused)
		return cs_bad_packet(stream,
			"the device does not implement what bits 0x%08x of 0x%08x ask for",
			p[0] & packet->refused, p[0]);
	if (n > 1 && !fetch(stream, stream->packet + 4, p + 1, n - 1))
		return CS_FAULT;
	stream->length = n;
	stream->ip = (stream->packet + 4 * n) & EU_ADDRESS_MASK;
	if (stream->trace)
		trace_packet(stream, p);
	enum cs_status status =
		cs_is_off(stream, packet->handler, p[0]) ? CS_RUN : packet->handler(stream, p);
	if (status == CS_BLOCKED)
		stream->ip = stream->packet;
	else
		stream->statistics.packets++;
	return status;
}

enum cs_status cs_stream_step(struct cs_stream *stream)
{
	const atomic_int *stop = stream->config.stop;

	if (stream->status == CS_DONE || stream->status == CS_FAULT)
		return stream->status;
	if (stop && atomic_load_explicit(stop, memory_order_relaxed)) {
		stream->packet = stream->ip;
		stream->packet_name = "batch";
		stream->status = cs_fail(stream, GEN_FAULT_HANG, stream->ip, "stopped at 0x%012llx",
			(unsigned long long)stream->ip);
	} else {
		stream->status = execute(stream);
	}
	return stream->status;
}

enum cs_status cs_stream_run(struct cs_stream *stream, unsigned budget)
{
	enum cs_status status = stream->status;

	if (status == CS_BLOCKED)
		status = CS_RUN;
	while (budget-- && status == CS_RUN)
		status = cs_stream_step(stream);
	return status;
}
