// SPDX-License-Identifier: MIT
#include "eu_test_program.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eu/eu_message.h"

/* The engine's own tests need no memory: only the end of the thread is a real message. */
static enum eu_status end_thread(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	(void)thread, (void)send, (void)lanes;
	return EU_DONE;
}

int eu_message_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault)
{
	(void)device;
	if (send->sfid == GEN_SFID_THREAD_SPAWNER) {
		send->run = end_thread;
		return 0;
	}
	if (test_message) {
		send->run = test_message;
		return 0;
	}
	gen_fault_add(fault, GEN_FAULT_BAD_MESSAGE, "the test has no message 0x%x", send->desc);
	return -1;
}

const char *eu_message_name(const struct eu_send *send)
{
	return send->sfid == GEN_SFID_THREAD_SPAWNER ? "end of thread" : "a test's message";
}

static const char end_of_thread[] =
	"\n(W) send.ts (8|M0) null r127 null 0x10000000 0x02000010 {EOT}\n";

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fputs(end_of_thread, file);
	assert_int_equal(fclose(file), 0);
}

static size_t read_file(const char *path, uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	size = fread(data, 1, size, file);
	fclose(file);
	return size;
}

struct gen_program *test_assemble(const char *text)
{
	char directory[] = P_tmpdir "/zerocl-eu-XXXXXX", source[64], binary[64], command[256];
	static uint8_t code[1 << 20];
	assert_non_null(mkdtemp(directory));
	snprintf(source, sizeof source, "%s/a.asm", directory);
	snprintf(binary, sizeof binary, "%s/a.bin", directory);
	snprintf(command, sizeof command, "iga64 -a -p=12p1 -Xauto-deps %s -o %s", source, binary);
	write_file(source, text);
	int status = system(command);
	size_t size = status == 0 ? read_file(binary, code, sizeof code) : 0;
	unlink(source);
	unlink(binary);
	rmdir(directory);
	if (status != 0 || size == 0)
		fail_msg("iga64 cannot assemble:\n%s", text);
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct gen_program *program = gen_decode(gen_device_find(NULL), code, size, &fault);
	if (!program)
		fail_msg("%s", fault.report);
	return program;
}

uint64_t test_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

void test_thread_init(struct test_thread *t, uint64_t seed)
{
	memset(t, 0, sizeof *t);
	t->thread.worker = &t->worker;
	t->thread.group = &t->group;
	t->worker.fault = &t->fault;
	t->worker.device = gen_device_find(NULL);
	t->group.thread_count = t->group.live = 1;
	seed |= 1;
	for (size_t i = 0; i < sizeof t->thread.grf; i += 8) {
		uint64_t word = test_random(&seed);
		memcpy(t->thread.grf + i, &word, 8);
	}
}

enum eu_status test_thread_run(
	struct test_thread *t, const struct eu_kernel *kernel, uint32_t dispatch_mask)
{
	enum eu_status status;
	eu_thread_start(&t->thread, kernel, dispatch_mask, 0x4c0);
	for (unsigned slices = 0; slices < 10000; slices++) {
		status = eu_thread_run(&t->thread, 100);
		if (status != EU_YIELD)
			return status;
	}
	return status;
}
