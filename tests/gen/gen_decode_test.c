// SPDX-License-Identifier: MIT
/*
 * Compiles kernels with ocloc and compares every field of every decoded instruction with the text
 * that iga64 writes for it. Needs both tools.
 */
#include "test.h"
#include "test_device.h"
#include "test_random.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen_text.h"
#include "test_files.h"

#include "gen/gen_decode.h"

enum { MAX_SECTIONS = 64, COMMAND = 1024 };

/* What Intel's tools call each generation, and a SEND that ends a thread there. */
static const struct {
	const char *compiler;
	uint8_t end_of_thread[16];
} tools[GEN_GENERATIONS] = {
	[GEN_9] = { "skl",
		{ 0x31, 0, 0x60, 7, 4, 2, 0, 0x20, 0xe0, 0x0f, 0, 6, 0x10, 0, 0, 0x82 } },
	[GEN_11] = { "icllp",
		{ 0x31, 0, 0x60, 7, 4, 2, 0, 0x20, 0xe0, 0x0f, 0, 6, 0x10, 0, 0, 0x82 } },
	[GEN_12] = { "tgllp", { 0x31, 0, 3, 0x80, 4, 0, 0, 0, 0x0c, 0x7f, 0x20, 0x70 } },
	[GEN_HPG] = { "dg2", { 0x31, 0, 3, 0x80, 4, 0, 0, 0, 0x0c, 0x7f, 0x20, 0x30 } },
};

struct kernel {
	char name[64];
	const uint8_t *code;
	size_t size;
};

struct corpus {
	char folder[TEST_FOLDER_MAX];
	uint8_t *elf;
	struct kernel kernels[MAX_SECTIONS];
	unsigned count;
	unsigned instructions;
};

static void find_kernels(struct corpus *corpus, size_t size)
{
	Elf64_Ehdr header;
	Elf64_Shdr section, names;

	assert_true(size > sizeof(header));
	memcpy(&header, corpus->elf, sizeof(header));
	memcpy(&names, corpus->elf + header.e_shoff + header.e_shstrndx * sizeof(names),
		sizeof(names));
	for (unsigned i = 0; i < header.e_shnum; i++) {
		const char *name;

		memcpy(&section, corpus->elf + header.e_shoff + i * sizeof(section),
			sizeof(section));
		name = (const char *)corpus->elf + names.sh_offset + section.sh_name;
		if (strncmp(name, ".text.", 6) != 0 || strstr(name, "Symbol_Table"))
			continue;
		assert_true(corpus->count < MAX_SECTIONS);
		snprintf(corpus->kernels[corpus->count].name, 64, "%s", name + 6);
		corpus->kernels[corpus->count].code = corpus->elf + section.sh_offset;
		corpus->kernels[corpus->count].size = section.sh_size;
		corpus->count++;
	}
}

static enum gen_generation generation(void)
{
	return test_device()->family->generation;
}

static int compile(void **state)
{
	struct corpus *corpus = calloc(1, sizeof(*corpus));
	char command[COMMAND], path[128];
	size_t size;

	assert_non_null(corpus);
	test_folder_make(corpus->folder, "decode");
	snprintf(command, sizeof(command),
		"ocloc compile -file '%s' -device %s -q -options -cl-std=CL3.0 --format zebin "
		"-output kernels -output_no_suffix -out_dir %s > /dev/null",
		GEN_DECODE_KERNELS, tools[generation()].compiler, corpus->folder);
	assert_int_equal(system(command), 0);
	/* Newer ones have a suffix nevertheless. */
	snprintf(path, sizeof(path), "%s/kernels", corpus->folder);
	if (access(path, F_OK))
		strcat(path, ".bin");
	corpus->elf = test_read_file(path, &size);
	find_kernels(corpus, size);
	assert_true(corpus->count >= 10);
	*state = corpus;
	return 0;
}

static int discard(void **state)
{
	struct corpus *corpus = *state;
	int status = test_folder_remove(corpus->folder);

	free(corpus->elf);
	free(corpus);
	return status;
}

/* ---- comparison ---- */

static const struct {
	const char *name;
	uint8_t file;
} files[] = { { "r", GEN_FILE_GRF }, { "a", GEN_FILE_A }, { "acc", GEN_FILE_ACC },
	{ "f", GEN_FILE_F }, { "sr", GEN_FILE_SR }, { "cr", GEN_FILE_CR }, { "n", GEN_FILE_N },
	{ "ip", GEN_FILE_IP }, { "tm", GEN_FILE_TM }, { "ce", GEN_FILE_CE } };

static unsigned file_of(const char *name)
{
	for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (strcmp(files[i].name, name) == 0)
			return files[i].file;
	}
	fail_msg("register file '%s'", name);
	return 0;
}

/* Element i of a source, in elements from its start, as the text says. */
static unsigned text_element(const struct text_operand *operand, unsigned i)
{
	const unsigned *n = operand->region;

	switch (operand->region_count) {
	case 0:
		return 0;
	case 1:
		return i * n[0];
	case 2: /* <v;h> */
		if (n[0] == 0)
			return 0;
		return n[1] == 0 ? i / n[0] * n[0]
				 : i / (n[0] / n[1]) * n[0] + i % (n[0] / n[1]) * n[1];
	default:
		return i / n[1] * n[0] + i % n[1] * n[2];
	}
}

/* Channels that are wider than a word skip elements. */
static void compare_packed(const struct gen_inst *inst, uint64_t got, uint64_t bits)
{
	unsigned bytes = inst->dst.hstride * gen_type_size((enum gen_type)inst->dst.type);

	for (unsigned i = 0; i < inst->exec_size && i * bytes < 16; i++) {
		unsigned word = bytes > 2 ? i * bytes / 2 : i;
		assert_int_equal(got >> 4 * i & 15, bits >> 4 * word & 15);
	}
}

static void compare_source(const struct gen_inst *inst, const struct gen_operand *source,
	const struct text_operand *text)
{
	if (*text->type)
		assert_string_equal(gen_type_name((enum gen_type)source->type), text->type);
	if (text->immediate) {
		unsigned size = source->type >= GEN_TYPE_V ? 4 : gen_type_size(source->type);
		uint64_t mask = size == 8 ? UINT64_MAX : (UINT64_C(1) << size * 8) - 1;

		assert_int_equal(source->file, GEN_FILE_IMM);
		if (source->type == GEN_TYPE_V || source->type == GEN_TYPE_UV)
			compare_packed(inst, source->imm, text->bits);
		else
			assert_true((source->imm & mask) == (text->bits & mask));
		if (gen_type_is_signed(source->type) && !gen_type_is_float(source->type) &&
			size < 8 && source->type != GEN_TYPE_V)
			assert_true((int64_t)source->imm ==
				    (int64_t)(source->imm << (64 - size * 8)) >> (64 - size * 8));
		return;
	}
	assert_int_equal(source->neg, text->negated);
	assert_int_equal(source->abs, text->absolute);
	assert_int_equal(source->file, text->null ? GEN_FILE_NULL : file_of(text->file));
	assert_int_equal(source->sub, text->sub);
	if (text->indirect && text->separator == ',' && text->region_count == 2) {
		assert_int_equal(source->addressing, GEN_INDIRECT_VXH);
		assert_int_equal(source->width, text->region[0]);
		assert_int_equal(source->hstride, text->region[1]);
		assert_int_equal(source->offset, text->offset);
		return;
	}
	assert_int_equal(source->addressing, text->indirect ? GEN_INDIRECT_1X1 : GEN_DIRECT);
	assert_int_equal(source->offset, text->offset);
	if (!text->indirect)
		assert_int_equal(source->reg, text->reg);
	assert_true(source->width > 0);
	for (unsigned i = 0; i < inst->exec_size && !text->null; i++)
		assert_int_equal(
			i / source->width * source->vstride + i % source->width * source->hstride,
			text_element(text, i));
	if (inst->exec_size == 1 || text_element(text, inst->exec_size - 1u) == 0)
		assert_true(source->vstride == 0 && source->width == 1 && source->hstride == 0);
}

static void compare_destination(const struct gen_inst *inst, const struct text_operand *text)
{
	const struct gen_operand *dst = &inst->dst;

	assert_int_equal(inst->saturate, text->saturated);
	assert_int_equal(dst->file, text->null ? GEN_FILE_NULL : file_of(text->file));
	assert_int_equal(dst->sub, text->sub);
	assert_int_equal(dst->addressing, text->indirect ? GEN_INDIRECT_1X1 : GEN_DIRECT);
	assert_int_equal(dst->offset, text->offset);
	if (!text->indirect)
		assert_int_equal(dst->reg, text->reg);
	if (*text->type)
		assert_string_equal(gen_type_name((enum gen_type)dst->type), text->type);
	if (text->region_count)
		assert_int_equal(dst->hstride, text->region[0]);
}

static const char *const sfids[16] = { [GEN_SFID_SAMPLER] = "smpl",
	[GEN_SFID_GATEWAY] = "gtwy",
	[GEN_SFID_THREAD_SPAWNER] = "ts",
	[GEN_SFID_DC0] = "dc0",
	[GEN_SFID_DC1] = "dc1",
	[GEN_SFID_TGM] = "tgm",
	[GEN_SFID_SLM] = "slm",
	[GEN_SFID_UGM] = "ugm" };

/*
 * "send.dc1 (8|M0) dst src0 src1 exdesc desc {…} // wr:2h+1, rd:1; …"; before Gen12 "sends" without
 * a shared function, which exdesc names, and "send" without src1. Xe-HPG: "src1:length".
 */
static void compare_send(
	const struct gen_inst *inst, const struct text_inst *text, const char *line)
{
	unsigned mlen, xlen, rlen;
	int consumed = 0;
	const char *note = strstr(line, "wr:");

	unsigned sources = text->operand_count - 3;
	const struct text_operand *exdesc = &text->operand[sources + 1], *desc = exdesc + 1;

	assert_in_range(sources, 1, 2);
	if (*text->function)
		assert_string_equal(sfids[inst->sfid], text->function);
	else if (exdesc->immediate)
		assert_int_equal(inst->sfid, exdesc->bits & 15);
	assert_true(inst->has_dst);
	assert_int_equal(inst->source_count, sources);
	for (unsigned i = 0; i < 1 + sources; i++) {
		const struct gen_operand *operand = i == 0 ? &inst->dst : &inst->src[i - 1];

		assert_int_equal(
			operand->file, text->operand[i].null ? GEN_FILE_NULL : GEN_FILE_GRF);
		assert_int_equal(operand->reg, text->operand[i].reg);
	}
	assert_int_equal(inst->exdesc_in_a0, !exdesc->immediate);
	assert_int_equal(inst->desc_in_a0, !desc->immediate);
	assert_int_equal(inst->desc, desc->bits);
	if (inst->exdesc_in_a0)
		assert_int_equal(inst->exdesc_sub, exdesc->sub);
	assert_non_null(note);
	assert_int_equal(sscanf(note, "wr:%u%n", &mlen, &consumed), 1);
	note += consumed + (note[consumed] == 'h');
	xlen = text->operand[sources].length;
	if (!inst->exdesc_in_a0)
		assert_int_equal(sscanf(note, "+%u", &xlen), 1);
	note = strstr(note, "rd:");
	assert_non_null(note);
	assert_int_equal(sscanf(note, "rd:%u", &rlen), 1);
	assert_int_equal(inst->mlen, mlen);
	assert_int_equal(inst->xlen, xlen);
	assert_int_equal(inst->rlen, rlen);
	if (!inst->exdesc_in_a0) /* the text leaves the target out, bits 3:0, and EOT, bit 5 */
		assert_int_equal(inst->exdesc & ~0x2fu, exdesc->bits & ~0x2fu);
}

static const char *const conds[] = { "", "eq", "ne", "gt", "ge", "lt", "le", "ov", "un", "eo" };
static const char *const groups[] = { "", "", "anyv", "allv", "any2h", "all2h", "any4h", "all4h",
	"any8h", "all8h", "any16h", "all16h", "any32h", "all32h" };
static const char *const maths[] = { "", "inv", "log", "exp", "sqt", "rsqt", "sin", "cos", "",
	"fdiv", "pow", "idiv", "iqot", "irem", "invm", "rsqtm" };

static void compare_controls(const struct gen_inst *inst, const struct text_inst *text)
{
	static const struct {
		const char *text;
		enum gen_op op;
	} settled[] = { { "mach", GEN_OP_macl }, { "sends", GEN_OP_send },
		{ "sendsc", GEN_OP_sendc }, { "wait", GEN_OP_sync } };
	const char *mnemonic = gen_ops[inst->op].name;

	for (size_t i = 0; i < sizeof(settled) / sizeof(*settled); i++)
		if (settled[i].op == inst->op && !strcmp(settled[i].text, text->mnemonic))
			mnemonic = text->mnemonic;
	assert_string_equal(mnemonic, text->mnemonic);
	assert_int_equal(inst->size, text->compacted ? 8 : 16);
	if (inst->op == GEN_OP_illegal || inst->op == GEN_OP_nop || inst->op == GEN_OP_sync)
		return;
	assert_int_equal(inst->exec_size, text->exec_size);
	assert_int_equal(inst->channel_offset, text->channel_offset);
	assert_int_equal(inst->no_mask, text->no_mask);
	assert_int_equal(inst->predicate != GEN_PRED_NONE, text->predicated);
	assert_int_equal(inst->predicate_invert, text->inverted);
	assert_string_equal(groups[inst->predicate], text->group);
	assert_string_equal(conds[inst->cond], text->cond);
	if (text->predicated)
		assert_int_equal(inst->flag, text->predicate_flag);
	if (*text->cond)
		assert_int_equal(inst->flag, text->cond_flag);
	assert_int_equal(inst->acc_wr_en, text->acc_wr_en);
	assert_int_equal(inst->end_of_thread, text->end_of_thread);
	if (inst->op == GEN_OP_mach || inst->op == GEN_OP_macl)
		assert_int_equal(inst->op == GEN_OP_mach, text->acc_wr_en);
	if (inst->op == GEN_OP_bfn)
		assert_int_equal(inst->function, text->truth);
	if (inst->op == GEN_OP_math)
		assert_string_equal(maths[inst->function], text->function);
	if (inst->op == GEN_OP_goto)
		assert_int_equal(inst->backward, strcmp(text->function, "b") == 0);
}

static void compare_operands(const struct gen_program *program, const struct gen_inst *inst,
	const struct text_inst *text)
{
	const int32_t targets[2] = { inst->jip, inst->uip };
	unsigned at = 0, source = 0, target = 0;

	if (inst->op == GEN_OP_sync || inst->op == GEN_OP_illegal) {
		assert_int_equal(inst->source_count, 0);
		return;
	}
	if (inst->has_dst)
		compare_destination(inst, &text->operand[at++]);
	for (; at < text->operand_count; at++) {
		if (!text->operand[at].label) {
			assert_true(source < inst->source_count);
			compare_source(inst, &inst->src[source++], &text->operand[at]);
			continue;
		}
		assert_true(target < 2);
		assert_in_range(targets[target], 0, program->count - 1);
		assert_int_equal(program->inst[targets[target]].ip, text->operand[at].target);
		target++;
	}
	assert_int_equal(source, inst->source_count);
	for (; target < 2; target++)
		assert_int_equal(targets[target], -1);
}

static void compare_sync(const struct gen_inst *inst, const struct text_inst *text)
{
	static const struct {
		const char *name;
		unsigned function;
	} functions[] = { { "nop", GEN_SYNC_NOP }, { "allrd", GEN_SYNC_ALLRD },
		{ "allwr", GEN_SYNC_ALLWR }, { "bar", GEN_SYNC_BAR }, { "host", GEN_SYNC_HOST } };

	if (!*text->function) { /* wait n0.0 */
		assert_int_equal(inst->function, GEN_SYNC_BAR);
		return;
	}
	for (unsigned i = 0; i < 5; i++) {
		if (strcmp(text->function, functions[i].name) == 0) {
			assert_int_equal(inst->function, functions[i].function);
			return;
		}
	}
	fail_msg("sync.%s", text->function);
}

static void compare_kernel(struct corpus *corpus, const struct kernel *kernel)
{
	char command[COMMAND], path[128], line[1024], disassembled[1024];
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct gen_program *program = gen_decode(test_device(), kernel->code, kernel->size, &fault);
	uint32_t index = 0;
	FILE *file;

	if (!program)
		fail_msg("%s: %s", kernel->name, fault.report);
	snprintf(path, sizeof(path), "%s/code", corpus->folder);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(kernel->code, 1, kernel->size, file), kernel->size);
	fclose(file);
	snprintf(command, sizeof(command),
		"iga64 -d -p=%s -Xprint-pc -Xprint-hex-floats %s 2>/dev/null",
		test_assembler(test_device()), path);
	file = popen(command, "r");
	assert_non_null(file);
	while (index < program->count && fgets(line, sizeof(line), file)) {
		const struct gen_inst *inst = &program->inst[index];
		struct text_inst text;

		if (!text_parse(line, &text))
			continue;
		if (index % 16 == 0) {
			gen_disassemble(
				test_device(), program, index, disassembled, sizeof(disassembled));
			assert_non_null(strstr(disassembled, text.mnemonic));
		}
		assert_int_equal(inst->ip, text.pc);
		compare_controls(inst, &text);
		if (inst->op == GEN_OP_send || inst->op == GEN_OP_sendc)
			compare_send(inst, &text, line);
		else
			compare_operands(program, inst, &text);
		if (inst->op == GEN_OP_sync)
			compare_sync(inst, &text);
		index++;
	}
	while (fgets(line, sizeof(line), file)) { /* what follows does nothing, whoever pads */
		struct text_inst text;

		if (text_parse(line, &text) && strcmp(text.mnemonic, "illegal") != 0 &&
			strcmp(text.mnemonic, "nop") != 0 && !text.operand[0].null)
			fail_msg("%s goes on: %s", kernel->name, line);
	}
	pclose(file);
	assert_int_equal(index, program->count);
	corpus->instructions += program->count;
	gen_program_destroy(program);
}

static void equals_the_disassembly(void **state)
{
	struct corpus *corpus = *state;

	for (unsigned i = 0; i < corpus->count; i++)
		compare_kernel(corpus, &corpus->kernels[i]);
	assert_true(corpus->instructions > 1000);
	print_message("%u instructions of %u kernels\n", corpus->instructions, corpus->count);
}

/* Another kernel after the end, or nothing at all, makes no difference. */
static void stops_at_the_end(void **state)
{
	struct corpus *corpus = *state;

	for (unsigned i = 0; i < corpus->count; i++) {
		const struct kernel *kernel = &corpus->kernels[i];
		struct gen_fault fault = { .kind = GEN_FAULT_NONE };
		struct gen_program *whole =
			gen_decode(test_device(), kernel->code, kernel->size, &fault);
		uint8_t *copy = malloc(kernel->size + 4096);
		struct gen_program *exact, *followed;
		uint32_t size;

		assert_non_null(whole);
		assert_non_null(copy);
		size = whole->code_size;
		memset(copy, 0x5a, kernel->size + 4096);
		memcpy(copy, kernel->code, size);
		followed = gen_decode(test_device(), copy, kernel->size + 4096, &fault);
		exact = gen_decode(test_device(), copy, size, &fault);
		assert_non_null(followed);
		assert_non_null(exact);
		assert_int_equal(followed->count, whole->count);
		assert_int_equal(exact->count, whole->count);
		assert_memory_equal(
			followed->inst, whole->inst, whole->count * sizeof(*whole->inst));
		assert_null(gen_decode(test_device(), copy, size - 8, &fault));
		assert_int_equal(fault.kind, GEN_FAULT_BAD_INSTRUCTION);
		gen_program_destroy(whole);
		gen_program_destroy(followed);
		gen_program_destroy(exact);
		free(copy);
	}
}

/* Damaged code is refused or decoded, whatever it says. */
static void survives_damage(void **state)
{
	struct corpus *corpus = *state;
	const uint8_t *end_of_thread = tools[generation()].end_of_thread;
	unsigned refused = 0, accepted = 0;
	uint64_t random = 20221;

	for (unsigned round = 0; round < 1500; round++) {
		const struct kernel *kernel = &corpus->kernels[round % corpus->count];
		size_t size = kernel->size < 1024 ? kernel->size : 1024;
		uint8_t code[1024];
		struct gen_fault fault = { .kind = GEN_FAULT_NONE };
		struct gen_program *program;

		memcpy(code, kernel->code, size);
		if (round % 3 == 0) {
			for (size_t i = 0; i < size; i++)
				code[i] = (uint8_t)test_random(&random);
		}
		for (unsigned i = 0; i < 4; i++)
			code[test_random(&random) % size] ^=
				(uint8_t)(1u << test_random(&random) % 8);
		if (round % 2 == 0) /* an end, so that the scan lets more pass */
			memcpy(code + size - 16, end_of_thread, 16);
		program = gen_decode(test_device(), code, size, &fault);
		if (program) {
			accepted++;
			gen_program_destroy(program);
			continue;
		}
		refused++;
		assert_int_equal(fault.kind, GEN_FAULT_BAD_INSTRUCTION);
		assert_true(strlen(fault.report) > 10);
	}
	assert_true(refused > 100);
	print_message("%u refused, %u decoded\n", refused, accepted);
}

static void refuses_trivial_input(void **state)
{
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	static const uint8_t zeros[64];

	(void)state;
	assert_null(gen_decode(test_device(), zeros, 0, &fault));
	assert_int_equal(fault.kind, GEN_FAULT_BAD_INSTRUCTION);
	assert_null(gen_decode(test_device(), zeros, 7, &fault));
	assert_null(gen_decode(test_device(), zeros, sizeof(zeros), &fault));
}

/* Code that never ends is refused after a bound, and decoding stops when it is told to. */
static void is_bounded(void **state)
{
	const uint8_t nop[16] = { gen_ops[GEN_OP_nop].opcode[generation()] };
	const uint8_t *end_of_thread = tools[generation()].end_of_thread;
	const size_t size = GEN_PROGRAM_BYTES + 16;
	uint8_t *code = malloc(size);
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	const atomic_int stop = 1;

	(void)state;
	assert_non_null(code);
	for (size_t i = 0; i < size; i += sizeof(nop))
		memcpy(code + i, nop, sizeof(nop));
	memcpy(code + GEN_PROGRAM_BYTES, end_of_thread, 16);
	assert_null(gen_decode(test_device(), code, size, &fault));
	assert_int_equal(fault.kind, GEN_FAULT_BAD_INSTRUCTION);
	memset(&fault, 0, sizeof(fault));
	memcpy(code + 64, end_of_thread, 16);
	assert_null(gen_decode_until(test_device(), code, size, &stop, &fault));
	assert_int_equal(fault.kind, GEN_FAULT_HANG);
	free(code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_the_disassembly),
		cmocka_unit_test(stops_at_the_end),
		cmocka_unit_test(survives_damage),
		cmocka_unit_test(refuses_trivial_input),
		cmocka_unit_test(is_bounded),
	};

	return cmocka_run_group_tests(tests, compile, discard);
}
