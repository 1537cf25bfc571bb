// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cs/cs_state.h"

/* Adds the dwords of the packet, as far as they are in the buffer that was read last. */
static void add_dwords(struct cs_stream *stream)
{
	char text[CS_DUMP_DWORDS * 9 + 1] = "";
	const struct eu_range *at = &stream->batch;

	for (unsigned i = 0; i < CS_DUMP_DWORDS; i++) {
		uint64_t address = stream->packet + 4 * i;
		uint32_t dword;
		if (address < at->first || address + 4 > at->end)
			break;
		memcpy(&dword, at->host + (address - at->first), sizeof(dword));
		snprintf(text + 9 * i, 10, " %08x", dword);
	}
	if (*text)
		gen_fault_add(&stream->fault, stream->fault.kind, "packet 0x%012llx:%s",
			(unsigned long long)stream->packet, text);
}

enum cs_status cs_fail(struct cs_stream *stream, enum gen_fault_kind kind, uint64_t address,
	const char *format, ...)
{
	char sentence[512];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	stream->fault.address = address;
	gen_fault_add(&stream->fault, kind, "%s: %s", stream->packet_name, sentence);
	add_dwords(stream);
	return CS_FAULT;
}

enum cs_status cs_ignore(struct cs_stream *stream, const uint32_t *p)
{
	(void)stream;
	(void)p;
	return CS_RUN;
}

enum cs_status cs_refuse(struct cs_stream *stream, const uint32_t *p)
{
	(void)p;
	return cs_bad_packet(stream, "the device does not implement this packet");
}
