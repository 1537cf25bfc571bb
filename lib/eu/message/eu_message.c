// SPDX-License-Identifier: MIT
#include "eu/message/eu_message.h"

#include "eu/memory/eu_memory.h"
#include "eu/sampler/eu_image.h"

static eu_message_fn find_handler(const struct eu_send *send)
{
	static const eu_message_fn handlers[EU_ACCESS_KINDS] = {
		[EU_ACCESS_NONE] = eu_message_none,
		[EU_ACCESS_BLOCK] = eu_block_run,
		[EU_ACCESS_TYPED] = eu_typed_run,
		[EU_ACCESS_TYPED_ATOMIC] = eu_typed_atomic_run,
		[EU_ACCESS_TARGET] = eu_target_run,
		[EU_ACCESS_MEDIA] = eu_media_run,
		[EU_ACCESS_SAMPLER] = eu_sample_run,
		[EU_ACCESS_FENCE] = eu_message_fence,
		[EU_ACCESS_BARRIER] = eu_message_barrier,
		[EU_ACCESS_END] = eu_message_end,
	};

	if (send->access.kind == EU_ACCESS_SCATTER)
		return eu_scatter_handler(&send->access);
	if (send->access.kind == EU_ACCESS_ATOMIC)
		return eu_atomic_handler(&send->access);
	return handlers[send->access.kind];
}

int eu_message_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault)
{
	const unsigned end = gen_family_registers(device->family) * GEN_GRF_BYTES;
	const char *problem = eu_access_decode(device, send, &send->access);

	if (!problem && (send->src0 + send->mlen * (unsigned)GEN_GRF_BYTES > end ||
				send->src1 + send->xlen * (unsigned)GEN_GRF_BYTES > end ||
				send->dst + send->rlen * (unsigned)GEN_GRF_BYTES > end))
		problem = "its registers run past the last one";
	send->run = problem ? NULL : find_handler(send);
	if (!problem)
		return 0;
	gen_fault_add(fault, GEN_FAULT_BAD_MESSAGE,
		"%s (sfid %u, descriptor 0x%08x, extended 0x%08x, %u+%u registers in, %u out) on "
		"%s: %s",
		send->access.name, send->sfid, send->desc, send->exdesc, send->mlen, send->xlen,
		send->rlen, device->name, problem);
	return -1;
}
