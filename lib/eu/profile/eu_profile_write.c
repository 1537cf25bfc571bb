// SPDX-License-Identifier: MIT
/* Kernels and their counts as JSON, a line each: docs/PROF.md has the members. */
#include <string.h>
#include <unistd.h>

#include "eu/ops/eu_symbols.h"
#include "eu/profile/eu_profile.h"
#include "util/util_json.h"
#include "util/util_log.h"
#include "util/util_settings.h"

static void close_line(struct util_json_line *line, int64_t *at)
{
	const char *path = util_settings()->profile;

	if (!util_json_line_close(line, path ? path : "/dev/null", at))
		util_log(UTIL_LOG_ERROR, "prof", "%s cannot be written", path ? path : "");
}

/* ---- the kernel ---- */

static void use(bool *used, unsigned first, unsigned count)
{
	for (unsigned i = first; i < first + count && i < GEN_GRF_COUNT; i++)
		used[i] = true;
}

static void use_operand(bool *used, const struct gen_operand *o, unsigned bytes)
{
	unsigned at = gen_operand_start(o), end = at + bytes;

	if (o->file == GEN_FILE_GRF && o->addressing == GEN_DIRECT)
		use(used, at / GEN_GRF_BYTES, (end - 1) / GEN_GRF_BYTES - at / GEN_GRF_BYTES + 1);
}

/* Registers that some instruction names, those of the payload that it reads included. */
static unsigned count_registers(const struct gen_program *program)
{
	bool used[GEN_GRF_COUNT] = { false };
	unsigned count = 0;

	for (uint32_t i = 0; i < program->count; i++) {
		const struct gen_inst *inst = &program->inst[i];
		if (gen_ops[inst->op].class == GEN_CLASS_SEND) {
			use(used, inst->src[0].reg, inst->mlen);
			use(used, inst->src[1].reg, inst->xlen);
			if (inst->has_dst && inst->dst.file == GEN_FILE_GRF)
				use(used, inst->dst.reg, inst->rlen);
			continue;
		}
		if (inst->has_dst)
			use_operand(used, &inst->dst,
				gen_destination_bytes(&inst->dst, inst->exec_size));
		for (unsigned k = 0; k < inst->source_count; k++)
			use_operand(used, &inst->src[k],
				gen_operand_bytes(&inst->src[k], inst->exec_size));
	}
	for (unsigned i = 0; i < GEN_GRF_COUNT; i++)
		count += used[i];
	return count;
}

static uint64_t hash_code(const struct gen_program *program)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (uint32_t i = 0; i < program->code_size; i++)
		hash = (hash ^ program->code[i]) * UINT64_C(1099511628211);
	return hash;
}

static void put_device(FILE *out, const struct gen_device *device)
{
	struct eu_limits limits = eu_limits_of(device);
	const struct {
		const char *name;
		uint32_t value;
	} members[] = {
		{ "subslices", device->subslices },
		{ "eus_per_subslice", device->eus_per_subslice },
		{ "threads_per_eu", device->family->threads_per_eu },
		{ "registers", gen_family_registers(device->family) },
		{ "mhz", device->max_frequency_mhz },
		{ "gigabytes", limits.gigabytes },
#define LIMIT(name, ...) { #name, limits.name },
#include "eu/profile/eu_rate.def"
	};

	fputs("\"device\":{\"name\":", out);
	util_json_text(out, device->name);
	fputs(",\"product\":", out);
	util_json_text(out, device->product);
	fputs(",\"family\":", out);
	util_json_text(out, device->family->name);
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		fprintf(out, ",\"%s\":%u", members[i].name, members[i].value);
	fputc('}', out);
}

static void put_instruction(FILE *out, const struct eu_kernel *kernel, uint32_t index,
	const struct gen_disassembly *text, const struct eu_send *send,
	const struct eu_name_line *line)
{
	const struct gen_inst *inst = &kernel->program->inst[index];
	struct eu_rate rate = eu_rate_of(kernel->device, inst);
	char code[512] = "";

	if (text)
		gen_disassembly_text(text, index, code, sizeof code);
	fprintf(out, "%s{\"offset\":%u,\"text\":", index ? "," : "",
		line->offset ? line->offset : inst->ip);
	util_json_text(out, code);
	fprintf(out,
		",\"line\":%u,\"column\":%u,\"width\":%u,\"pipe\":\"%s\",\"port\":%u,"
		"\"cycles\":%u,\"operations\":%u,\"group\":%u",
		line->line, line->column, inst->exec_size, rate.pipe, rate.port, rate.cycles,
		rate.operations, kernel->tally[index].block / EU_TALLY_BLOCK);
	if (send) {
		fputs(",\"message\":", out);
		util_json_text(out, send->run ? send->access.name : "dynamic message");
		fprintf(out, ",\"space\":\"%s\",\"atomic\":%s",
			send->run ? eu_profile_space(send) : "global",
			send->access.kind == EU_ACCESS_ATOMIC ||
					send->access.kind == EU_ACCESS_TYPED_ATOMIC
				? "true"
				: "false");
	}
	if (inst->op == GEN_OP_wait || (inst->op == GEN_OP_sync && inst->function == GEN_SYNC_BAR))
		fputs(",\"barrier\":true", out);
	fputc('}', out);
}

static void put_instructions(
	FILE *out, const struct eu_kernel *kernel, const struct eu_name_program *names)
{
	struct gen_disassembly *text = gen_disassembly_create(kernel->device, kernel->program);
	uint32_t message = 0;

	fputs(",\"instructions\":[", out);
	for (uint32_t i = 0; i < kernel->program->count; i++) {
		bool is_send = message < kernel->send_count && kernel->sends[message].inst == i;
		put_instruction(out, kernel, i, text, is_send ? &kernel->sends[message] : NULL,
			&names->lines[i]);
		message += is_send;
	}
	fputc(']', out);
	gen_disassembly_destroy(text);
}

void eu_profile_describe(
	const struct eu_kernel *kernel, const struct eu_worker *worker, unsigned number)
{
	struct eu_name_program names;
	struct util_json_line line;

	util_json_line_open(&line);
	if (line.stream && eu_name_program(worker, kernel, &names)) {
		FILE *out = line.stream;
		fprintf(out, "{\"kernel\":%u,\"process\":%d,\"name\":", number, (int)getpid());
		util_json_text(out, names.kernel ? names.kernel : "");
		fprintf(out, ",\"code\":\"%016llx\",\"function\":%s,\"simd\":%u,\"registers\":%u,",
			(unsigned long long)hash_code(kernel->program),
			kernel == worker->kernel ? "false" : "true", worker->dispatch->simd,
			count_registers(kernel->program));
		put_device(out, kernel->device);
		if (names.source) {
			fputs(",\"source\":", out);
			util_json_text(out, names.source);
		}
		put_instructions(out, kernel, &names);
		fputc('}', out);
		eu_name_program_finish(&names);
	}
	close_line(&line, NULL);
}

/* ---- its counts ---- */

/* Channels of the block that instruction's mask has, in sum over the block's executions. */
static uint64_t sum_lanes(
	const struct eu_kernel *kernel, const struct gen_inst *inst, const uint64_t *block)
{
	uint32_t channels = gen_inst_channels(inst);
	uint64_t sum;

	if (inst->no_mask)
		return (block[EU_TALLY_FULL] + block[EU_TALLY_PART]) * inst->exec_size;
	sum = block[EU_TALLY_FULL] * (unsigned)__builtin_popcount(channels & kernel->lanes);
	for (unsigned i = 0; i < 4; i++)
		if (channels >> 8 * i & 0xff)
			sum += block[EU_TALLY_CHANNELS + i];
	return sum;
}

void eu_profile_instruction(const struct eu_kernel *kernel, uint32_t index, const uint64_t *counts,
	uint64_t numbers[EU_PROFILE_NUMBERS])
{
	const struct gen_inst *inst = &kernel->program->inst[index];
	const struct eu_tally *tally = &kernel->tally[index];
	const uint64_t *block = counts + tally->block, *bits = counts + tally->bits;
	bool is_branch = gen_ops[inst->op].class == GEN_CLASS_BRANCH;
	bool is_send = gen_ops[inst->op].class == GEN_CLASS_SEND;

	numbers[EU_PROFILE_EXECUTIONS] = block[EU_TALLY_FULL] + block[EU_TALLY_PART];
	numbers[EU_PROFILE_CHANNELS] =
		tally->bits && !is_send ? bits[EU_TALLY_ON] : sum_lanes(kernel, inst, block);
	numbers[EU_PROFILE_SPLIT] = tally->bits && is_branch ? bits[EU_TALLY_SPLIT] : 0;
}

/* Of the same width at all times, so that the line can be written over. */
static void put_number(FILE *out, uint64_t number)
{
	enum { DIGITS = 16 };
	char text[DIGITS + 1];
	unsigned i = DIGITS + 1;

	do
		text[--i] = (char)('0' + number % 10);
	while ((number /= 10) != 0 && i > 1);
	while (i > 1)
		text[--i] = ' ';
	text[0] = ',';
	fwrite(text, 1, sizeof text, out);
}

static void put_counts(FILE *out, const struct eu_kernel *kernel, const uint64_t *counts)
{
	const uint64_t *own = counts + kernel->tally_count;
	uint64_t numbers[EU_PROFILE_NUMBERS];
	uint32_t message = 0;

	for (uint32_t i = 0; i < kernel->program->count; i++) {
		bool is_send = message < kernel->send_count && kernel->sends[message].inst == i;
		bool is_branch = gen_ops[kernel->program->inst[i].op].class == GEN_CLASS_BRANCH;
		eu_profile_instruction(kernel, i, counts, numbers);
		if (is_send && !kernel->tally[i].is_plain)
			numbers[EU_PROFILE_CHANNELS] = own[EU_PROFILE_LANES];
		fprintf(out, "%s[%u", i ? "," : "", i);
		for (unsigned k = 0; k < EU_PROFILE_NUMBERS; k++)
			if (k != EU_PROFILE_SPLIT || is_branch || is_send)
				put_number(out, numbers[k]);
		for (unsigned k = EU_PROFILE_BYTES; is_send && k < EU_PROFILE_MESSAGE; k++)
			put_number(out, own[k]);
		fputc(']', out);
		own += is_send ? EU_PROFILE_MESSAGE : 0;
		message += is_send;
	}
}

void eu_profile_write(const struct eu_kernel *kernel, struct eu_profile_row *row)
{
	size_t places = kernel->tally_count + (size_t)kernel->send_count * EU_PROFILE_MESSAGE;
	const uint64_t totals[] = { row->launches, row->groups, row->threads, row->items };
	struct util_json_line line;

	util_json_line_open(&line);
	if (line.stream) {
		fprintf(line.stream,
			"{\"counts\":%u,\"process\":%d,\"group_threads\":%u,\"slm\":%u,"
			"\"scratch\":%u,\"resident_groups\":%u,\"limit\":\"%s\",\"totals\":[0",
			row->number, (int)getpid(), row->group_threads, row->slm_bytes,
			row->scratch_bytes, row->residence.groups, row->residence.limit);
		for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
			put_number(line.stream, totals[i]);
		fputs("],\"rows\":[", line.stream);
		put_counts(line.stream, kernel, row->counts);
		fputs("]}", line.stream);
	}
	close_line(&line, &row->at);
	if (row->at >= 0)
		return;
	/* The file is no file: what follows is counted anew. */
	row->launches = row->groups = row->threads = row->items = 0;
	memset(row->counts, 0, places * sizeof *row->counts);
}
