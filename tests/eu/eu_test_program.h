// SPDX-License-Identifier: MIT
#ifndef EU_TEST_PROGRAM_H
#define EU_TEST_PROGRAM_H

#include "eu/code/eu_code.h"
#include "eu/engine/eu_run.h"

#include "test_random.h"

/*
 * Programs for tests: assembles text with iga64 (Debian: libigc-tools) for test_device() and
 * decodes it. An EOT is appended. Fails the running test when the text does not assemble. The
 * caller destroys the program.
 */
struct gen_program *test_assemble(const char *text);

/* The same for another device. */
struct gen_program *test_assemble_for(const struct gen_device *device, const char *text);

/* A thread with all that it needs around it. */
struct test_thread {
	struct eu_thread thread;
	struct eu_worker worker;
	struct eu_group group;
	struct gen_fault fault;
};

/* Clears `t` and fills its registers with pseudo-random bits from `seed`. */
void test_thread_init(struct test_thread *t, uint64_t seed);

/* The i-th dword of a general register, of 32 bytes. */
uint32_t test_dword(const struct test_thread *t, unsigned reg, unsigned i);
void test_set_dword(struct test_thread *t, unsigned reg, unsigned i, uint32_t value);

/* Starts the kernel (cr0: denormals kept) and runs it to its end. Returns how that was. */
enum eu_status test_thread_run(
	struct test_thread *t, const struct eu_kernel *kernel, uint32_t dispatch_mask);

/* What messages other than the end of the thread do; a test may define it, else they are faults. */
enum eu_status test_message(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
	__attribute__((weak));

/* How they are bound, instead, as eu_message_bind does. */
int test_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault)
	__attribute__((weak));

#endif
