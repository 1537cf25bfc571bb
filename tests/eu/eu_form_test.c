// SPDX-License-Identifier: MIT
/*
 * eu_form_test OUT FILE…: every form of instruction that Intel's compiler made of the corpus
 * (ZEROCL_VGPU_FORMS wrote the files), each alone: with random registers through every engine and
 * through the reference, bit for bit. Messages are answered with made-up data, as long as their
 * payloads and channels agree. Into OUT go the forms that were compared: not control flow, which
 * eu_flow_test compares, nor what the reference does not know; but a loop of each width is, and
 * the macros of divisions and roots are, whose steps mean nothing alone.
 */
#include "test.h"
#include "test_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu_macro_text.h"
#include "eu/watch/eu_form.h"
#include "eu/message/eu_message.h"
#include "eu/code/eu_code.h"
#include "eu_test_numbers.h"

enum { RUNS = 8, BUDGET = 10000, MOST = 8192, TEXT = 240, LEAST = 1500 };

static struct form {
	char text[TEXT];
	uint8_t code[16];
	unsigned size;
} forms[MOST];
static unsigned count;
static uint8_t end_of_thread[16];

static const char *out_path;
static char **paths;
static int path_count;

static uint64_t seed;
static struct test_thread engine, other;
static struct reference reference;
static uint64_t engine_log, reference_log, *message_log;

static unsigned pick(unsigned n)
{
	return (unsigned)(test_random(&seed) >> 33) % n;
}

/* ---- the list ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct form *)a)->text, ((const struct form *)b)->text);
}

static void add(char *line)
{
	char *how = strtok(line, "\t"), *executed = strtok(NULL, "\t"), *text = strtok(NULL, "\t");
	char *code = strtok(NULL, "\n");
	struct form *form = &forms[count++];

	assert_true(how && executed && code && count <= MOST && strlen(text) < TEXT);
	memcpy(form->text, text, strlen(text) + 1);
	form->size = (unsigned)strlen(code) / 2;
	for (unsigned i = 0; i < form->size; i++) {
		unsigned byte;
		assert_int_equal(sscanf(code + 2 * i, "%2x", &byte), 1);
		form->code[i] = (uint8_t)byte;
	}
}

static int read_forms(void **state)
{
	char line[400];
	unsigned kept = 0;

	(void)state;
	struct gen_program *end = test_assemble("");
	memcpy(end_of_thread, end->code, sizeof end_of_thread);
	gen_program_destroy(end);
	for (int i = 0; i < path_count; i++) {
		FILE *file = fopen(paths[i], "r");
		if (!file)
			return -1;
		while (fgets(line, sizeof line, file) && count < MOST)
			add(line);
		fclose(file);
		qsort(forms, count, sizeof *forms, by_text);
		for (unsigned k = kept = 0; k < count; k++)
			if (kept == 0 || strcmp(forms[k].text, forms[kept - 1].text) != 0)
				forms[kept++] = forms[k];
		count = kept;
	}
	return 0;
}

/* ---- messages ---- */

static enum eu_status answer(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	unsigned width = send->exec_size < 8 ? 8 : send->exec_size;
	uint64_t log = *message_log ^ send->desc ^ (uint64_t)lanes << 32 ^ send->sfid;

	for (unsigned i = 0; i < (send->mlen + send->xlen) * 32u; i++) {
		bool first = i < send->mlen * 32u;
		unsigned at = first ? send->src0 + i : send->src1 + i - send->mlen * 32u;
		log = (log ^ thread->grf[at % 4096]) * UINT64_C(0x100000001b3);
	}
	*message_log = log;
	for (unsigned i = 0; send->writes && i < send->rlen * 8u; i++) {
		uint64_t bits = log + i;
		uint32_t word = (uint32_t)(test_random(&bits) >> 32);
		if (lanes >> i % width & 1)
			memcpy(thread->grf + (send->dst + 4 * i) % 4096, &word, 4);
	}
	return EU_RUN;
}

enum eu_status test_message(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	return answer(thread, send, lanes);
}

static bool reference_send(struct reference *r, const struct gen_inst *inst, uint32_t lanes)
{
	const struct eu_send send = test_send(inst);

	if (!inst->end_of_thread)
		answer(r->thread, &send, lanes);
	return inst->end_of_thread;
}

/* ---- one instruction ---- */

static void fill(void)
{
	test_thread_init(&engine, 1);
	test_fill_registers(&engine.thread, &seed);
	other = engine;
}

static bool is_known(const struct gen_inst *inst)
{
	bool is_send = inst->op == GEN_OP_send || inst->op == GEN_OP_sendc;
	uint32_t lanes = UINT32_MAX;

	if (inst->jip >= 0 || inst->uip >= 0 || inst->end_of_thread)
		return false;
	for (unsigned i = 0; i < inst->source_count; i++)
		if (inst->src[i].file > GEN_FILE_ACC && inst->src[i].file != GEN_FILE_F)
			return false; /* what threads differ in: time, state, identity */
	if (is_send)
		return !inst->desc_in_a0 && !inst->exdesc_in_a0;
	if (inst->op == GEN_OP_sync || inst->op == GEN_OP_nop)
		return true;
	if (inst->dst.file > GEN_FILE_ACC && inst->dst.file != GEN_FILE_F)
		return false;
	if (inst->op == GEN_OP_madm || inst->cond == GEN_COND_EO)
		return false;
	struct reference probe = reference;
	return reference_alu(&probe, inst, lanes);
}

static void report_registers(const struct form *form, const char *how, uint8_t type)
{
	const uint8_t *a = engine.thread.grf, *b = other.thread.grf;
	unsigned i = 0;
	uint64_t got, want;

	while (test_same_bits(type, a + i, b + i, 8))
		i += 8;
	memcpy(&got, a + i, 8);
	memcpy(&want, b + i, 8);
	fail_msg("%s, %s: register %u.%u:uq is 0x%016llx, not 0x%016llx", form->text, how, i / 32,
		i % 32 / 8, (unsigned long long)got, (unsigned long long)want);
}

/* `inst`: the first of the program; its type is that of the registers. */
static void compare(const struct form *form, const struct gen_inst *inst, const char *how)
{
	const struct eu_thread *t = &engine.thread;
	uint8_t type = inst->has_dst ? inst->dst.type : GEN_TYPE_UD;
	bool float_acc = gen_type_is_float(type) && inst->dst.file == GEN_FILE_ACC;

	if (engine_log != reference_log)
		fail_msg("%s, %s: payloads or channels differ", form->text, how);
	if (!test_same_bits(type, t->grf, other.thread.grf, 4096))
		report_registers(form, how, type);
	if (memcmp(t->flag, reference.flag, 8) != 0)
		fail_msg("%s, %s: flags differ", form->text, how);
	if (!test_same_bits(
		    float_acc ? type : GEN_TYPE_UD, t->acc, reference.acc, sizeof reference.acc))
		fail_msg("%s, %s: accumulators differ", form->text, how);
}

static void run(const struct form *form, const struct gen_program *program, enum eu_host host,
	bool stencils)
{
	uint32_t cr0 = pick(2) ? 0x4c0 : pick(4) << 4, dispatch = UINT32_MAX;
	char how[64];

	if (pick(2))
		dispatch = (uint32_t)(test_random(&seed) >> 32);
	snprintf(how, sizeof how, "%s of host %d, cr0 0x%x, channels 0x%x",
		stencils ? "stencils" : "interpreter", (int)host, cr0, dispatch);
	fill();
	struct eu_options options = { .target = { host, stencils } };
	struct eu_kernel *kernel =
		eu_kernel_create_for(test_device(), program, options, &engine.fault);
	if (!kernel)
		fail_msg("%s, %s: %s", form->text, how, engine.fault.report);
	assert_int_equal(kernel->code != NULL, stencils);
	engine_log = reference_log = seed;
	eu_thread_start(&engine.thread, kernel, dispatch, cr0);
	reference_start(&reference, program, &other.thread, dispatch, cr0);
	reference.send = reference_send;
	test_fill_files(&engine.thread, &reference, 1024, 256, &seed);
	message_log = &engine_log;
	if (eu_thread_run(&engine.thread, BUDGET) != EU_DONE)
		fail_msg("%s, %s: %s", form->text, how, engine.fault.report);
	message_log = &reference_log;
	reference_run(&reference, BUDGET);
	compare(form, &program->inst[0], how);
	eu_kernel_destroy(kernel);
}

/* Runs a program by each engine, some times with other registers. */
static void run_by_all(const struct form *form, const struct gen_program *program)
{
	struct eu_target best = eu_target_parse("stencil");

	for (unsigned n = 0; n < RUNS * 2 * EU_HOSTS; n++) {
		enum eu_host host = (enum eu_host)(n % EU_HOSTS);
		bool stencils = n / EU_HOSTS % 2;
		if (host <= best.host && (!stencils || best.stencils))
			run(form, program, host, stencils);
	}
}

/* True when it was compared. */
static bool test_form(const struct form *form)
{
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	uint8_t code[32];

	memcpy(code, form->code, form->size);
	memcpy(code + form->size, end_of_thread, sizeof end_of_thread);
	seed = 1;
	fill();
	struct gen_program *program =
		gen_decode(test_device(), code, form->size + sizeof end_of_thread, &fault);
	if (!program)
		return false; /* a branch to what is not there */
	reference_start(&reference, program, &other.thread, UINT32_MAX, 0x4c0);
	bool known = program->count == 2 && is_known(&program->inst[0]);
	if (known)
		run_by_all(form, program);
	gen_program_destroy(program);
	return known;
}

/* Each channel goes round as often as a number of its own says. */
static const char loop[] = "(W) and (16|M0) r30.0<1>:w r30.0<1;1,0>:w 7:w\n"
			   "(W) and (16|M16) r31.0<1>:w r31.0<1;1,0>:w 7:w\n"
			   "again:\n"
			   "add (%u|M0) r30.0<1>:w r30.0<1;1,0>:w -1:w\n"
			   "cmp (%u|M0) (lt)f0.0 null<1>:w r30.0<1;1,0>:w 0:w\n"
			   "(f0.0) if (%u|M0) outside outside\n"
			   "add (%u|M0) r20.0<1>:w r20.0<1;1,0>:w 3:w\n"
			   "break (%u|M0) outside end\n"
			   "outside:\n"
			   "endif (%u|M0) end\n"
			   "add (%u|M0) r22.0<1>:w r22.0<1;1,0>:w r30.0<1;1,0>:w\n"
			   "end:\n"
			   "while (%u|M0) again\n";

/* Compares a program, and notes its forms as compared, those of branches if they are what it is
 * about. */
static void compare_program(const char *name, const char *text, bool branches)
{
	FILE *file = fopen(out_path, "a");
	struct gen_program *program = test_assemble(text);
	struct form form;

	assert_non_null(file);
	snprintf(form.text, sizeof form.text, "%s", name);
	run_by_all(&form, program);
	struct eu_kernel *kernel = eu_kernel_create(test_device(), program, &engine.fault);
	assert_non_null(kernel);
	for (uint32_t i = 0; i + 1 < program->count; i++) {
		if (!branches && gen_ops[program->inst[i].op].class == GEN_CLASS_BRANCH)
			continue;
		eu_form_text(kernel, i, form.text, sizeof form.text);
		fprintf(file, "%s\n", form.text);
	}
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
	assert_int_equal(fclose(file), 0);
}

static void loops_of_every_width(void **state)
{
	(void)state;
	seed = 1;
	for (unsigned width = 8; width <= 32; width *= 2) {
		char text[sizeof loop + 64];
		snprintf(text, sizeof text, loop, width, width, width, width, width, width, width,
			width);
		compare_program("a loop", text, true);
	}
}

/*
 * The macros as a whole: what their steps leave in registers on the way is the engine's and the
 * reference's own, and is wiped out.
 */
static void macros(void **state)
{
	static const char wipe[] = "(W) mov (8|M0) r34.0<1>:ud 0:ud\n"
				   "(W) mov (8|M0) r38.0<1>:ud 0:ud\n"
				   "(W) mov (8|M0) r42.0<1>:ud 0:ud\n"
				   "(W) mov (8|M0) r46.0<1>:ud 0:ud\n"
				   "(W) mov (8|M0) r50.0<1>:ud 0:ud\n";
	static const struct {
		const char *name, *type, *text;
		unsigned width;
	} rows[] = {
		{ "a quotient", "f", macro_divide_float, 8 },
		{ "a root", "f", macro_root_float, 8 },
		{ "a quotient of doubles", "df", macro_divide_double, 4 },
		{ "a root of a double", "df", macro_root_double, 4 },
	};
	enum gen_generation generation = test_device()->family->generation;

	(void)state;
	seed = 1;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[2048], *at = text;
		bool is_double = !strcmp(rows[i].type, "df");
		if (generation > GEN_11 || (generation > GEN_9 && is_double))
			continue;
		for (unsigned k = 0; k < 4; k++)
			at += sprintf(at, "(W) mov (%u|M0) r%u.0<1>:%s %s:f\n", rows[i].width,
				6 + k, rows[i].type, macro_constants[k]);
		strcat(strcat(text, rows[i].text), wipe);
		compare_program(rows[i].name, text, false);
	}
}

static void every_form_alone(void **state)
{
	FILE *file = fopen(out_path, "w");
	unsigned compared = 0;

	(void)state;
	assert_non_null(file);
	if (eu_target_parse(NULL).host < EU_HOST_AVX512)
		test_lacks("no AVX-512");
	for (unsigned i = 0; i < count; i++)
		if (test_form(&forms[i])) {
			compared++;
			fprintf(file, "%s\n", forms[i].text);
		}
	assert_int_equal(fclose(file), 0);
	print_message("%u of %u forms compared\n", compared, count);
	assert_true(compared >= LEAST);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_alone),
		cmocka_unit_test(loops_of_every_width),
		cmocka_unit_test(macros),
	};

	if (argc < 3)
		return 2;
	out_path = argv[1];
	paths = argv + 2;
	path_count = argc - 2;
	return cmocka_run_group_tests(tests, read_forms, NULL);
}
