// SPDX-License-Identifier: MIT
/* The observer that writes instructions and messages to the log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/message/eu_message.h"
#include "eu/watch/eu_observer.h"
#include "eu/watch/eu_watch.h"
#include "util/util_log.h"

enum { TEXT_BYTES = 160 };

static void log_registers(
	const struct eu_thread *thread, const char *what, unsigned first, unsigned count)
{
	char text[8 * 9 + 1];

	for (unsigned r = first; r < first + count && r < GEN_GRF_COUNT; r++) {
		for (unsigned i = 0; i < 8; i++) {
			uint32_t word;
			memcpy(&word, thread->grf + r * GEN_GRF_BYTES + i * 4, sizeof word);
			snprintf(text + i * 9, sizeof text - i * 9, " %08x", word);
		}
		util_log(UTIL_LOG_TRACE, "eu", "    %s r%u%s", what, r, text);
	}
}

/* Registers that an instruction writes, for its result to be shown after it. */
static unsigned written(const struct gen_inst *inst)
{
	const struct gen_operand *dst = &inst->dst;

	if (!inst->has_dst || dst->file != GEN_FILE_GRF || dst->addressing != GEN_DIRECT)
		return 0;
	unsigned end = gen_operand_start(dst) % GEN_GRF_BYTES +
		       gen_destination_bytes(dst, inst->exec_size);
	return (end + GEN_GRF_BYTES - 1) / GEN_GRF_BYTES;
}

/* What the instruction before this one left, now that it is done. */
static void log_result(struct eu_thread *thread)
{
	uint32_t index = thread->watched - 1;
	const struct gen_inst *inst = &thread->kernel->program->inst[index];

	thread->watched = 0;
	if (gen_ops[inst->op].class == GEN_CLASS_SEND)
		log_registers(thread, "got", inst->dst.reg, inst->rlen);
	else
		log_registers(thread, "is", inst->dst.reg, written(inst));
}

/* The observer's facts: the kernel disassembled. */
struct texts {
	unsigned wanted;
	char of[][TEXT_BYTES];
};

static void step(const struct eu_event *event)
{
	struct eu_thread *thread = event->thread;
	const struct texts *texts = event->facts;
	const struct gen_inst *inst = &thread->kernel->program->inst[event->inst];
	const struct eu_send *send = event->send;
	const uint32_t *id = thread->group->id;

	if (thread->watched)
		log_result(thread);
	if (!texts || (!(texts->wanted & EU_WATCH_INSTRUCTIONS) && !send))
		return;
	util_log(UTIL_LOG_TRACE, "eu",
		"group %u,%u,%u thread %u, channels %08x, flags %08x %08x, 0x%04x: %s", id[0],
		id[1], id[2], thread->index, thread->act.bits, thread->flag[0], thread->flag[1],
		inst->ip, texts->of[event->inst]);
	if (send && (texts->wanted & EU_WATCH_MESSAGES)) {
		util_log(UTIL_LOG_TRACE, "eu", "    %s",
			eu_access_name(thread->kernel->device, send));
		log_registers(thread, "sends", send->src0 / GEN_GRF_BYTES, send->mlen);
		log_registers(thread, "and", send->src1 / GEN_GRF_BYTES, send->xlen);
	}
	thread->watched = inst->end_of_thread ? 0 : event->inst + 1;
}

static void *create(const struct eu_watched *watched)
{
	const struct gen_program *program = watched->kernel->program;
	struct texts *texts = calloc(1, sizeof *texts + program->count * sizeof *texts->of);
	struct gen_disassembly *disassembly =
		gen_disassembly_create(watched->kernel->device, program);

	for (uint32_t i = 0; texts && disassembly && i < program->count; i++)
		gen_disassembly_text(disassembly, i, texts->of[i], TEXT_BYTES);
	gen_disassembly_destroy(disassembly);
	if (texts)
		texts->wanted = watched->wanted;
	return texts;
}

const struct eu_observer eu_trace_observer = { .wanted = EU_WATCH_INSTRUCTIONS | EU_WATCH_MESSAGES,
	.create = create,
	.destroy = free,
	.step = step };
