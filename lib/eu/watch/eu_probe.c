// SPDX-License-Identifier: MIT
#include "eu/watch/eu_probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/watch/eu_check.h"
#include "eu/watch/eu_form.h"
#include "eu/message/eu_message.h"
#include "util/util_log.h"

enum { TEXT_BYTES = 160 };

struct eu_watch {
	struct eu_probe probe; /* the first member */
	const struct eu_kernel *kernel;
	unsigned what;
	struct eu_form **forms;	      /* of each instruction, or NULL */
	char (*texts)[TEXT_BYTES];    /* disassembled, or NULL */
	const struct eu_send **sends; /* of each instruction that is one */
	struct eu_check_plan *plan;   /* or NULL */
};

/* How instruction `index` was lowered. */
static enum eu_form_how how_lowered(const struct eu_watch *watch, uint32_t index)
{
	const struct eu_kernel *kernel = watch->kernel;
	const struct eu_send *send = watch->sends[index];
	const struct gen_inst *inst = &kernel->program->inst[index];

	if (send)
		return send->run				? EU_FORM_SPECIAL
		       : inst->desc_in_a0 || inst->exdesc_in_a0 ? EU_FORM_DYNAMIC
								: EU_FORM_MISSING;
	uint32_t end = index + 1 < kernel->program->count ? kernel->inst_uop[index + 1]
							  : kernel->uop_count - 1;
	for (uint32_t i = kernel->inst_uop[index]; i < end; i++) {
		if (kernel->uops[i].code == EU_UOP_fault)
			return EU_FORM_MISSING;
		if (kernel->uops[i].code == EU_UOP_generic)
			return EU_FORM_GENERAL;
	}
	return EU_FORM_SPECIAL;
}

static void find_forms(struct eu_watch *watch)
{
	char text[256];

	for (uint32_t i = 0; i < watch->kernel->program->count; i++) {
		const struct gen_program *program = watch->kernel->program;
		const struct gen_inst *inst = &program->inst[i];
		eu_form_text(watch->kernel, i, text, sizeof text);
		watch->forms[i] = eu_form_find(
			text, how_lowered(watch, i), program->code + inst->ip, inst->size);
	}
}

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
	unsigned size = gen_type_size(dst->type);

	if (!inst->has_dst || dst->file != GEN_FILE_GRF || dst->addressing != GEN_DIRECT)
		return 0;
	unsigned end = dst->sub * size + ((inst->exec_size - 1u) * dst->hstride + 1) * size;
	return (end + GEN_GRF_BYTES - 1) / GEN_GRF_BYTES;
}

/* What the instruction before this one left, now that it is done. */
static void log_result(struct eu_thread *thread, const struct eu_watch *watch)
{
	uint32_t index = thread->watched - 1;
	const struct gen_inst *inst = &watch->kernel->program->inst[index];

	thread->watched = 0;
	if (watch->sends[index])
		log_registers(thread, "got", inst->dst.reg, inst->rlen);
	else
		log_registers(thread, "is", inst->dst.reg, written(inst));
}

static void log_step(struct eu_thread *thread, const struct eu_watch *watch, uint32_t index)
{
	const struct gen_inst *inst = &watch->kernel->program->inst[index];
	const struct eu_send *send = watch->sends[index];
	const uint32_t *id = thread->group->id;

	if (thread->watched)
		log_result(thread, watch);
	if (!(watch->what & EU_WATCH_INSTRUCTIONS) && !send)
		return;
	util_log(UTIL_LOG_TRACE, "eu",
		"group %u,%u,%u thread %u, channels %08x, flags %08x %08x, 0x%04x: %s", id[0],
		id[1], id[2], thread->index, thread->act.bits, thread->flag[0], thread->flag[1],
		inst->ip, watch->texts[index]);
	if (send && (watch->what & EU_WATCH_MESSAGES)) {
		util_log(UTIL_LOG_TRACE, "eu", "    %s",
			eu_access_name(watch->kernel->device, send));
		log_registers(thread, "sends", send->src0 / GEN_GRF_BYTES, send->mlen);
		log_registers(thread, "and", send->src1 / GEN_GRF_BYTES, send->xlen);
	}
	thread->watched = inst->end_of_thread ? 0 : index + 1;
}

static void step(struct eu_thread *thread, uint32_t index)
{
	const struct eu_watch *watch = (const struct eu_watch *)thread->kernel->probe;

	if (watch->forms[index])
		eu_form_execute(watch->forms[index]);
	if (watch->plan)
		eu_check_step(thread, watch->plan, index, watch->sends[index]);
	if (watch->texts)
		log_step(thread, watch, index);
}

static void disassemble(struct eu_watch *watch)
{
	const struct gen_program *program = watch->kernel->program;
	struct gen_disassembly *disassembly =
		gen_disassembly_create(watch->kernel->device, program);

	for (uint32_t i = 0; disassembly && i < program->count; i++)
		gen_disassembly_text(disassembly, i, watch->texts[i], TEXT_BYTES);
	gen_disassembly_destroy(disassembly);
}

static void destroy(struct eu_probe *probe)
{
	struct eu_watch *watch = (struct eu_watch *)probe;

	free(watch->sends);
	free(watch->forms);
	free(watch->texts);
	eu_check_plan_destroy(watch->plan);
	free(watch);
}

struct eu_probe *eu_watch_create(const struct eu_kernel *kernel, unsigned wanted)
{
	struct eu_watch *watch = calloc(1, sizeof *watch);
	uint32_t count = kernel->program->count;

	if (!watch)
		return NULL;
	watch->probe = (struct eu_probe){ step, destroy };
	watch->kernel = kernel;
	watch->what = wanted;
	watch->sends = calloc(count, sizeof(*watch->sends));
	watch->forms = calloc(count, sizeof(*watch->forms));
	if (wanted & (EU_WATCH_INSTRUCTIONS | EU_WATCH_MESSAGES))
		watch->texts = calloc(count, sizeof *watch->texts);
	if (!watch->sends || !watch->forms) {
		destroy(&watch->probe);
		return NULL;
	}
	for (uint32_t i = 0; i < kernel->send_count; i++)
		watch->sends[kernel->sends[i].inst] = &kernel->sends[i];
	if (wanted & EU_WATCH_FORMS)
		find_forms(watch);
	if (wanted & EU_WATCH_CHECK)
		watch->plan = eu_check_plan_create(kernel);
	if (watch->texts)
		disassemble(watch);
	return &watch->probe;
}

struct eu_options eu_options_select(void)
{
	unsigned wanted = eu_watch_wanted();

	return (struct eu_options){ .target = eu_target_select(),
		.create_probe = wanted ? eu_watch_create : NULL,
		.probes = wanted };
}
