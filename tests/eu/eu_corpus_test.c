// SPDX-License-Identifier: MIT
/*
 * What IGC makes of real kernels, through the engine and through the reference. Messages are
 * answered with made-up data that depends on nothing but what came before, and all payloads sent
 * must agree.
 */
#include "test.h"

#include <elf.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/message/eu_message.h"
#include "eu_test_numbers.h"
#include "test_files.h"

enum { RUNS = 12, BUDGET = 2000000 };

/* The other side of messages: what was sent so far, and what kind of numbers to answer with. */
static struct side {
	uint64_t log;
	unsigned kind;
} engine_side, reference_side, *side;

static struct test_thread engine, other;
static unsigned kernels, completed, unfinished, lost, instructions, generics;

static uint32_t made_up(uint64_t seed, unsigned kind)
{
	uint64_t x = test_random(&(uint64_t){ seed });
	switch (kind) {
	case 0:
		return (uint32_t)(x >> 32) & 0x4fffffff; /* no NaN */
	case 1:
		return (uint32_t)(x >> 60);
	case 2:
		return 0x3f800000 + (uint32_t)(x >> 41) % 0x1800000;
	}
	return (0x3c003c00 + (uint32_t)(x >> 50)) ^ (uint32_t)(x >> 20 & 0x80008000);
}

static bool halves; /* of the kernel at hand: does it compute with these? */

/* A dword with all NaNs made alike: arithmetic may choose their payloads. */
static uint32_t plain_dword(const uint8_t *p)
{
	uint32_t x;
	memcpy(&x, p, 4);
	if (halves && (x & 0x7fff) > 0x7c00)
		x = (x & 0xffff0000) | 0x7e00;
	if (halves && (x & 0x7fff0000) > 0x7c000000)
		return 0x7e000000;
	return (x & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : x;
}

/* Logs the payload, all NaNs alike; fills the answer for the channels that are on. */
static enum eu_status answer(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	const uint8_t *part[2] = { thread->grf + send->src0, thread->grf + send->src1 };
	unsigned bytes[2] = { send->mlen * 32u, send->xlen * 32u };
	side->log = (side->log ^ send->desc ^ lanes) * UINT64_C(0x100000001b3) + send->sfid;
	for (unsigned p = 0; p < 2; p++)
		for (unsigned i = 0; i < bytes[p] && part[p] + i < thread->grf + 4096; i += 4)
			side->log =
				(side->log ^ plain_dword(part[p] + i)) * UINT64_C(0x100000001b3);
	unsigned width = send->exec_size < 8 ? 8 : send->exec_size;
	for (unsigned i = 0; send->writes && i < send->rlen * 8u; i++) {
		uint32_t word = made_up(side->log + i, side->kind);
		if (lanes >> i % width & 1)
			memcpy(thread->grf + send->dst + 4 * i, &word, 4);
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

	if (inst->sfid != GEN_SFID_THREAD_SPAWNER)
		answer(r->thread, &send, lanes);
	return inst->end_of_thread;
}

/* A payload: made-up dwords, and local ids that count up. */
static void fill(struct test_thread *t, uint64_t seed, unsigned kind)
{
	test_thread_init(t, seed);
	for (unsigned i = 0; i < 1024; i++) {
		uint32_t word = made_up(seed * 4096 + i, kind);
		memcpy(t->thread.grf + 4 * i, &word, 4);
	}
	for (unsigned i = 0; i < 32; i++)
		memcpy(t->thread.grf + 32 + 2 * i, &(uint16_t){ (uint16_t)i }, 2);
}

/* Equal, but for the payloads of NaNs. */
static bool same_registers(const uint8_t *a, const uint8_t *b)
{
	for (unsigned i = 0; i < 4096; i += 4)
		if (plain_dword(a + i) != plain_dword(b + i))
			return false;
	return true;
}

static void print_differences(void)
{
	for (unsigned i = 0; i < 4096; i += 4) {
		uint32_t a = plain_dword(engine.thread.grf + i);
		uint32_t b = plain_dword(other.thread.grf + i);
		if (a != b)
			print_error(
				"r%u.%u: engine %08x, reference %08x\n", i / 32, i % 32 / 4, a, b);
	}
}

/*
 * Whether the thread has returned to an address that it has read from memory: what is in memory is
 * made up, and some compilers keep addresses there.
 */
static bool is_lost(enum eu_status status)
{
	return status == EU_FAULT && strstr(engine.fault.report, "which no call has left there");
}

/* Runs both sides; false when the engine does not come to an end. */
static bool run_both(const char *name, const struct gen_program *program, unsigned run)
{
	static struct reference reference;
	static const uint32_t masks[] = { UINT32_MAX, 0xffff, 0xff, 0x5a5a5a5b };
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find(NULL), program, &fault);
	if (!kernel)
		fail_msg("%s: %s", name, fault.report);
	uint32_t dispatch = masks[run % 4] & kernel->lanes;
	engine_side = (struct side){ .log = run, .kind = run % 4 };
	reference_side = engine_side;
	fill(&engine, run + 1, run % 4);
	other = engine;
	side = &engine_side;
	eu_thread_start(&engine.thread, kernel, dispatch, 0);
	enum eu_status status = EU_YIELD;
	for (unsigned n = 0; n < 20 && status == EU_YIELD; n++)
		status = eu_thread_run(&engine.thread, BUDGET / 20);
	eu_kernel_destroy(kernel);
	lost += is_lost(status);
	if (status == EU_YIELD || is_lost(status))
		return false;
	if (status != EU_DONE)
		fail_msg("%s: status %d: %s", name, status, engine.fault.report);
	side = &reference_side;
	reference_start(&reference, program, &other.thread, dispatch, 0);
	reference.send = reference_send;
	reference_run(&reference, 4 * BUDGET);
	memcpy(other.thread.flag, reference.flag, sizeof reference.flag);
	return true;
}

static bool sides_agree(void)
{
	return engine_side.log == reference_side.log &&
	       same_registers(engine.thread.grf, other.thread.grf) &&
	       !memcmp(engine.thread.flag, other.thread.flag, sizeof other.thread.flag);
}

/* Ends the program earlier and earlier to find the instruction that makes the difference. */
static void fail_at_first_difference(
	const char *name, const struct gen_program *program, unsigned run)
{
	struct gen_program part = *program;
	char text[256] = "nowhere";
	part.inst = malloc(program->count * sizeof *part.inst);
	assert_non_null(part.inst);
	for (uint32_t end = 1; end < program->count; end++) {
		memcpy(part.inst, program->inst, program->count * sizeof *part.inst);
		part.inst[end].op = GEN_OP_send;
		part.inst[end].sfid = GEN_SFID_THREAD_SPAWNER;
		part.inst[end].end_of_thread = part.inst[end].no_mask = true;
		part.inst[end].exec_size = 8;
		part.inst[end].predicate = GEN_PRED_NONE;
		if (!run_both(name, &part, run) || sides_agree())
			continue;
		gen_disassemble(gen_device_find(NULL), program, end - 1, text, sizeof text);
		break;
	}
	free(part.inst);
	print_differences();
	fail_msg("%s, run %u differs after %s", name, run, text);
}

static void test_code(const char *name, const uint8_t *code, size_t size)
{
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct gen_program *program = gen_decode(gen_device_find(NULL), code, size, &fault);
	if (!program)
		fail_msg("%s: %s", name, fault.report);
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find(NULL), program, &fault);
	if (!kernel)
		fail_msg("%s: %s", name, fault.report);
	halves = strncmp(name, "hal", 3) == 0;
	kernels++;
	instructions += program->count;
	generics += kernel->generic_count;
	for (unsigned run = 0; run < RUNS; run++) {
		if (halves && run % 2 == 0)
			continue; /* dwords that are two NaNs and get taken apart */
		unsigned lost_before = lost;
		if (!run_both(name, program, run)) {
			unfinished += lost == lost_before;
			continue;
		}
		completed++;
		if (!sides_agree())
			fail_at_first_difference(name, program, run);
	}
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
}

/* All code sections of a native binary. */
static void test_binary(const char *path)
{
	size_t size;
	uint8_t *data = test_read_file(path, &size);
	assert_true(size > sizeof(Elf64_Ehdr) && !memcmp(data, ELFMAG, SELFMAG));
	Elf64_Ehdr header;
	memcpy(&header, data, sizeof header);
	static Elf64_Shdr sections[1024];
	assert_true(header.e_shnum <= 1024);
	memcpy(sections, data + header.e_shoff, header.e_shnum * sizeof sections[0]);
	const char *names = (const char *)data + sections[header.e_shstrndx].sh_offset;
	for (unsigned i = 0; i < header.e_shnum; i++) {
		const char *name = names + sections[i].sh_name;
		if (strncmp(name, ".text.", 6) == 0 &&
			strcmp(name, ".text.Intel_Symbol_Table_Void_Program"))
			test_code(name + 6, data + sections[i].sh_offset, sections[i].sh_size);
	}
	free(data);
}

static void test_source(const char *source, const char *options)
{
	char directory[TEST_FOLDER_MAX], command[1024];
	glob_t found;
	test_folder_make(directory, "corpus");
	snprintf(command, sizeof command,
		"IGC_EnableDPEmulation=1 ocloc compile -q -file %s/%s -device tgllp --format zebin "
		"-out_dir %s "
		"-options '-cl-std=CL3.0 %s' "
		"-internal_options '-cl-ext=+cl_khr_fp64,+__opencl_c_fp64' >%s/log 2>&1",
		CORPUS, source, directory, options, directory);
	if (system(command) != 0) {
		snprintf(command, sizeof command, "cat %s/log >&2", directory);
		(void)!system(command);
		fail_msg("ocloc does not compile %s", source);
	}
	snprintf(command, sizeof command, "%s/*.bin", directory);
	assert_int_equal(glob(command, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		test_binary(found.gl_pathv[i]);
	globfree(&found);
	assert_int_equal(test_folder_remove(directory), 0);
}

static void corpus(void **state)
{
	static const char *const sources[] = { "integers.cl", "floats.cl", "flow.cl",
		"doubles.cl" };
	kernels = completed = unfinished = lost = instructions = generics = 0;
	for (unsigned i = 0; i < sizeof sources / sizeof sources[0]; i++)
		test_source(sources[i], *state);
	print_message(
		"%u kernels, %u instructions (%u through the general path), %u runs agree, %u "
		"did not end, %u returned by memory\n",
		kernels, instructions, generics, completed, unfinished, lost);
	assert_true(completed > 10 * unfinished && completed > lost);
}

#define WITH(options)                                                                              \
	{                                                                                          \
		"corpus " options, corpus, NULL, NULL, (void *)(uintptr_t)options                  \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH(""),
		WITH("-cl-opt-disable"),
		WITH("-cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt"),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
