// SPDX-License-Identifier: MIT
#include "eu/message/eu_message.h"

#include "eu/message/eu_message_family.h"

struct row {
	const char *name;
	eu_message_bind_fn bind; /* NULL: known, but not implemented */
};

enum { SFIDS = 16, TYPES = 32, SCRATCH = 0x10 };

/* Rows by shared function and type of message; what `type` is depends on the function. */
static const struct row rows[SFIDS][TYPES] = {
	[GEN_SFID_NULL] = { { "null", eu_message_bind_null } },
	[GEN_SFID_GATEWAY] = { [4] = { "barrier", eu_message_bind_gateway } },
	[GEN_SFID_THREAD_SPAWNER] = { { "end of thread", eu_message_bind_spawner } },
	[GEN_SFID_DC_READ_ONLY] = {
		[0x00] = { "constant OWord block read", eu_message_bind_block },
		[0x01] = { "constant unaligned OWord block read", eu_message_bind_block },
		[0x03] = { "constant dword scattered read", eu_message_bind_scatter },
	},
	[GEN_SFID_DC0] = {
		[0x00] = { "OWord block read", eu_message_bind_block },
		[0x01] = { "unaligned OWord block read", eu_message_bind_block },
		[0x03] = { "dword scattered read", eu_message_bind_scatter },
		[0x04] = { "byte scattered read", eu_message_bind_scatter },
		[0x05] = { "qword scattered read", eu_message_bind_scatter },
		[0x07] = { "memory fence", eu_message_bind_fence },
		[0x08] = { "OWord block write", eu_message_bind_block },
		[0x0b] = { "dword scattered write", eu_message_bind_scatter },
		[0x0c] = { "byte scattered write", eu_message_bind_scatter },
		[0x0d] = { "qword scattered write", eu_message_bind_scatter },
		[SCRATCH] = { "scratch block", eu_message_bind_scratch },
	},
	[GEN_SFID_DC1] = {
		[0x01] = { "untyped surface read", eu_message_bind_scatter },
		[0x02] = { "untyped atomic", eu_message_bind_atomic },
		[0x03] = { "untyped atomic on words", eu_message_bind_atomic },
		[0x04] = { "media block read", eu_message_bind_media },
		[0x05] = { "typed surface read", eu_message_bind_typed },
		[0x06] = { "typed atomic", eu_message_bind_typed_atomic },
		[0x07] = { "typed atomic on words", eu_message_bind_typed_atomic },
		[0x09] = { "untyped surface write", eu_message_bind_scatter },
		[0x0a] = { "media block write", eu_message_bind_media },
		[0x0d] = { "typed surface write", eu_message_bind_typed },
		[0x10] = { "A64 scattered read", eu_message_bind_scatter },
		[0x11] = { "A64 untyped surface read", eu_message_bind_scatter },
		[0x12] = { "A64 untyped atomic", eu_message_bind_atomic },
		[0x13] = { "A64 untyped atomic on words", eu_message_bind_atomic },
		[0x14] = { "A64 block read", eu_message_bind_block_a64 },
		[0x15] = { "A64 block write", eu_message_bind_block_a64 },
		[0x19] = { "A64 untyped surface write", eu_message_bind_scatter },
		[0x1a] = { "A64 scattered write", eu_message_bind_scatter },
		[0x1b] = { "untyped atomic on floats", eu_message_bind_atomic },
		[0x1c] = { "untyped atomic on halfs", eu_message_bind_atomic },
		[0x1d] = { "A64 untyped atomic on floats", eu_message_bind_atomic },
		[0x1e] = { "A64 untyped atomic on halfs", eu_message_bind_atomic },
	},
	[GEN_SFID_SAMPLER] = {
		[0x00] = { "sample", NULL },
		[0x02] = { "sample_l", eu_message_bind_sampler },
		[0x04] = { "sample_d", eu_message_bind_sampler },
		[0x07] = { "ld", eu_message_bind_sampler },
		[0x0a] = { "resinfo", eu_message_bind_sampler },
		[0x18] = { "sample_lz", eu_message_bind_sampler },
		[0x1a] = { "ld_lz", eu_message_bind_sampler },
		[0x1f] = { "sampler cache flush", eu_message_bind_fence },
	},
};

static const struct row *find_row(const struct eu_send *send)
{
	unsigned type;

	if (send->sfid >= SFIDS)
		return NULL;
	switch (send->sfid) {
	case GEN_SFID_NULL:
		type = 0;
		break;
	case GEN_SFID_GATEWAY:
	case GEN_SFID_THREAD_SPAWNER:
		type = util_bits(send->desc, 2, 0);
		break;
	case GEN_SFID_SAMPLER:
		type = util_bits(send->desc, 16, 12);
		break;
	default:
		type = eu_message_data_type(send);
		if (send->sfid == GEN_SFID_DC0 && type > SCRATCH)
			type = SCRATCH;
		break;
	}
	return rows[send->sfid][type].name ? &rows[send->sfid][type] : NULL;
}

const char *eu_message_name(const struct eu_send *send)
{
	const struct row *row = find_row(send);

	return row ? row->name : "unknown message";
}

int eu_message_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault)
{
	const struct row *row = find_row(send);
	const char *problem = NULL;

	send->run = NULL;
	if (!row)
		problem = "there is no such message";
	else if (!row->bind)
		problem = "not implemented";
	else if (send->src0 + send->mlen * GEN_GRF_BYTES > GEN_GRF_COUNT * GEN_GRF_BYTES ||
		 send->src1 + send->xlen * GEN_GRF_BYTES > GEN_GRF_COUNT * GEN_GRF_BYTES ||
		 send->dst + send->rlen * GEN_GRF_BYTES > GEN_GRF_COUNT * GEN_GRF_BYTES)
		problem = "its registers run past the last one";
	else
		send->run = row->bind(send);
	if (send->run)
		return 0;
	if (!problem)
		problem = "its descriptor asks for a form that does not exist";
	gen_fault_add(fault, GEN_FAULT_BAD_MESSAGE,
		"%s (sfid %u, descriptor 0x%08x, extended 0x%08x, %u+%u registers in, %u out) on "
		"%s: %s",
		row ? row->name : "message", send->sfid, send->desc, send->exdesc, send->mlen,
		send->xlen, send->rlen, device->name, problem);
	return -1;
}
