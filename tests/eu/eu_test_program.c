// SPDX-License-Identifier: MIT
#include "eu_test_program.h"
#include "test_files.h"

#include "test.h"
#include "test_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/message/eu_message.h"
#include "eu/ops/eu_symbols.h"

/* The engine's own tests need no memory: only the end of the thread is a real message. */
static enum eu_status end_thread(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	(void)thread, (void)send, (void)lanes;
	return EU_DONE;
}

int eu_message_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault)
{
	bool ends = send->sfid == GEN_SFID_GATEWAY && (send->desc & 7) == 0;

	if (send->sfid == GEN_SFID_THREAD_SPAWNER || ends) {
		send->run = end_thread;
		send->access.kind = EU_ACCESS_END; /* nobody reads registers behind it */
		return 0;
	}
	if (test_bind)
		return test_bind(device, send, fault);
	if (test_message) {
		send->run = test_message;
		return 0;
	}
	gen_fault_add(fault, GEN_FAULT_BAD_MESSAGE, "the test has no message 0x%x", send->desc);
	return -1;
}

/* The instruction that ends a thread. */
static const char *const end_of_thread[GEN_GENERATIONS] = {
	[GEN_9] = "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}",
	[GEN_11] = "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}",
	[GEN_12] = "(W) send.ts (8|M0) null r127 null 0x10000000 0x02000010 {EOT}",
	[GEN_HPG] = "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}",
};

struct gen_program *test_assemble(const char *text)
{
	return test_assemble_for(test_device(), text);
}

struct gen_program *test_assemble_for(const struct gen_device *device, const char *text)
{
	char directory[TEST_FOLDER_MAX], source[80], binary[80], command[256];
	char *whole;
	uint8_t *code = NULL;
	size_t size = 0;

	assert_true(
		asprintf(&whole, "%s\n%s\n", text, end_of_thread[device->family->generation]) > 0);
	test_folder_make(directory, "eu");
	snprintf(source, sizeof source, "%s/a.asm", directory);
	snprintf(binary, sizeof binary, "%s/a.bin", directory);
	snprintf(command, sizeof command, "iga64 -a -p=%s -Xauto-deps %s -o %s",
		test_assembler(device), source, binary);
	test_write_text(source, whole);
	free(whole);
	if (system(command) == 0)
		code = test_read_file(binary, &size);
	assert_int_equal(test_folder_remove(directory), 0);
	if (size == 0)
		fail_msg("iga64 cannot assemble:\n%s", text);
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct gen_program *program = gen_decode(device, code, size, &fault);
	free(code);
	if (!program)
		fail_msg("%s", fault.report);
	return program;
}

void test_thread_init(struct test_thread *t, uint64_t seed)
{
	memset(t, 0, sizeof *t);
	t->thread.worker = &t->worker;
	t->thread.group = &t->group;
	t->worker.fault = &t->fault;
	t->worker.device = test_device();
	t->group.thread_count = t->group.live = 1;
	seed |= 1;
	for (size_t i = 0; i < sizeof t->thread.grf; i += 8) {
		uint64_t word = test_random(&seed);
		memcpy(t->thread.grf + i, &word, 8);
	}
}

uint32_t test_dword(const struct test_thread *t, unsigned reg, unsigned i)
{
	uint32_t value;

	memcpy(&value, t->thread.grf + reg * 32 + i * 4, 4);
	return value;
}

void test_set_dword(struct test_thread *t, unsigned reg, unsigned i, uint32_t value)
{
	memcpy(t->thread.grf + reg * 32 + i * 4, &value, 4);
}

enum eu_status test_thread_run(
	struct test_thread *t, const struct eu_kernel *kernel, uint32_t dispatch_mask)
{
	enum eu_status status;
	eu_thread_start(&t->thread, kernel, dispatch_mask, 0x4c0);
	for (unsigned slices = 0; slices < 10000; slices++) {
		status = eu_thread_run(&t->thread, 100);
		if (status != EU_YIELD)
			break;
	}
	if (status == EU_FAULT && t->fault.place.has_instruction)
		eu_name_find(
			&t->worker, t->thread.kernel, t->fault.place.instruction, &t->fault.place);
	return status;
}
