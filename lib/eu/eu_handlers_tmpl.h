// SPDX-License-Identifier: MIT
/* All handlers for one instruction set of the host. The includer defines EU_HANDLERS. */
#include "eu/eu_uop_flow_tmpl.h"

const struct eu_handlers EU_HANDLERS = {
	.by_id = {
		[EU_UOP_COUNT] = flow_count,
		[EU_UOP_LABEL] = flow_label,
		[EU_UOP_LEAVE] = flow_leave,
		[EU_UOP_LOOP] = flow_loop,
		[EU_UOP_JUMP] = flow_jump,
		[EU_UOP_SKIP] = flow_skip,
		[EU_UOP_CALL] = flow_call,
		[EU_UOP_RETURN] = flow_return,
		[EU_UOP_BARRIER] = flow_barrier,
		[EU_UOP_GENERAL] = flow_general,
		[EU_UOP_SEND] = flow_send,
		[EU_UOP_FAULT] = flow_fault,
	},
};
