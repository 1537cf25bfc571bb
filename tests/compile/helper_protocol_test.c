// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/base/helper_protocol.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static int setup(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

static int teardown(void **state)
{
	(void)state;
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static void requests_arrive(void **state)
{
	static const char source[] = { 'a', 0, 'b' };
	static const struct compile_module modules[] = { { "abcde", 5 }, { NULL, 0 }, { "", 0 } };
	static const struct compile_header headers[] = { { "a/b.h", "int", 3 } };
	const struct helper_message out = { .type = HELPER_MESSAGE_BUILD,
		.number = 0xdeadbeef,
		.request = { .source = source,
			.source_size = sizeof source,
			.modules = modules,
			.n_modules = 3,
			.headers = headers,
			.n_headers = 1,
			.options = "-w",
			.outputs = 0xf00d,
			.soft_double = true } };
	struct helper_message in;

	(void)state;
	assert_true(helper_message_send(ends[0], &out));
	assert_int_equal(helper_message_receive(ends[1], &in, -1), HELPER_RECEIVED);
	const struct compile_request *request = &in.request;
	assert_int_equal(in.type, HELPER_MESSAGE_BUILD);
	assert_int_equal(in.number, 0xdeadbeef);
	assert_int_equal(request->source_size, sizeof source);
	assert_memory_equal(request->source, "a\0b\0", 4);
	assert_null(request->spirv);
	assert_string_equal(request->options, "-w");
	assert_string_equal(request->family, "");
	assert_int_equal(request->outputs, 0xf00d);
	assert_true(request->soft_double);
	assert_int_equal(request->n_modules, 3);
	assert_memory_equal(request->modules[0].spirv, "abcde", 6);
	assert_int_equal((uintptr_t)request->modules[0].spirv % 8, 0);
	assert_null(request->modules[1].spirv);
	assert_non_null(request->modules[2].spirv);
	assert_int_equal(request->n_headers, 1);
	assert_string_equal(request->headers[0].name, "a/b.h");
	assert_string_equal(request->headers[0].text, "int");
	assert_string_equal(in.result.log, "");
	assert_string_equal(in.text, "");
	helper_message_finish(&in);
}

/* As a signal handler sends them: all else is empty. */
static void heads_arrive(void **state)
{
	struct helper_message in;

	(void)state;
	assert_true(helper_message_send_head(ends[0], HELPER_MESSAGE_CRASH, 11));
	assert_int_equal(helper_message_receive(ends[1], &in, -1), HELPER_RECEIVED);
	assert_int_equal(in.type, HELPER_MESSAGE_CRASH);
	assert_int_equal(in.number, 11);
	assert_null(in.request.source);
	assert_int_equal(in.request.n_modules, 0);
	assert_string_equal(in.prefix, "");
	assert_string_equal(in.result.log, "");
	assert_null(in.result.native);
	helper_message_finish(&in);
}

static void *send_large(void *message)
{
	return (void *)(intptr_t)helper_message_send(ends[0], message);
}

static void large_ones_arrive_in_pieces(void **state)
{
	static char bytes[3 << 20];
	struct helper_message out = { .type = HELPER_MESSAGE_RESULT,
		.result = { .native = bytes, .native_size = sizeof bytes } };
	struct helper_message in;
	pthread_t thread;
	void *sent;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * 2654435761u >> 24);
	assert_int_equal(pthread_create(&thread, NULL, send_large, &out), 0);
	assert_int_equal(helper_message_receive(ends[1], &in, -1), HELPER_RECEIVED);
	pthread_join(thread, &sent);
	assert_true((intptr_t)sent);
	assert_int_equal(in.result.native_size, sizeof bytes);
	assert_memory_equal(in.result.native, bytes, sizeof bytes);
	helper_message_finish(&in);
}

static void too_much_is_not_sent(void **state)
{
	const struct helper_message out = { .type = HELPER_MESSAGE_BUILD,
		.request = { .source = "", .source_size = HELPER_MESSAGE_LIMIT } };
	size_t size;

	(void)state;
	assert_null(helper_message_pack(&out, &size));
	assert_false(helper_message_send(ends[0], &out));
}

static void closed_and_late_are_told_apart(void **state)
{
	struct helper_message in = { 0 }, out = { .type = HELPER_MESSAGE_BUILD };
	int64_t start = compile_clock_ms();

	(void)state;
	assert_int_equal(helper_message_receive(ends[1], &in, start + 50), HELPER_RECEIVE_TIMEOUT);
	assert_true(compile_clock_ms() >= start + 50);
	assert_true(send(ends[0], "zc", 2, 0) == 2);
	assert_int_equal(helper_message_receive(ends[1], &in, compile_clock_ms() + 50),
		HELPER_RECEIVE_TIMEOUT);
	close(ends[0]);
	assert_int_equal(helper_message_receive(ends[1], &in, -1), HELPER_RECEIVE_END);
	assert_null(in.data);
	/* No SIGPIPE. */
	assert_false(helper_message_send(ends[1], &out));
	ends[0] = dup(ends[1]);
}

/* Receives what the bytes say. */
static enum helper_receive receive(const void *bytes, size_t size, struct helper_message *in)
{
	char rest[64];

	assert_int_equal(send(ends[0], bytes, size, 0), size);
	const enum helper_receive rc = helper_message_receive(ends[1], in, -1);
	while (recv(ends[1], rest, sizeof rest, MSG_DONTWAIT) > 0)
		;
	return rc;
}

/* The head is magic, version, type, number, and the size of what follows in two words. */
static void heads_are_checked(void **state)
{
	static const uint32_t good[6] = { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 0, 0, 0 };
	static const uint32_t bad[][2] = { { 0, 0x0063637b }, { 1, HELPER_MESSAGE_VERSION + 1 },
		{ 5, 1 } };
	struct helper_message in;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		uint32_t head[6];

		memcpy(head, good, sizeof head);
		head[bad[i][0]] = bad[i][1];
		assert_int_equal(receive(head, sizeof head, &in), HELPER_RECEIVE_GARBAGE);
		assert_null(in.data);
	}
	assert_int_equal(receive(good, sizeof good, &in), HELPER_RECEIVED);
	helper_message_finish(&in);
}

/* Whatever a word behind the head is: refused, or all that arrives is there. */
static void bodies_are_checked(void **state)
{
	static const struct compile_module module = { "abcdefgh", 8 };
	const struct helper_message out = { .type = HELPER_MESSAGE_BUILD,
		.request = { .source = "source",
			.source_size = 6,
			.modules = &module,
			.n_modules = 1,
			.options = "-w" } };
	static const uint32_t values[] = { 0, 1, 7, 9, 100, 0x7fffffff, 0x80000000, ~0u };
	unsigned refused = 0, n = 0;
	size_t size;
	char *bytes = helper_message_pack(&out, &size);

	(void)state;
	assert_non_null(bytes);
	for (size_t at = 24; at + 4 <= size; at++)
		for (size_t i = 0; i < sizeof values / sizeof *values; i++, n++) {
			struct helper_message in;
			char damaged[512];

			assert_true(size <= sizeof damaged);
			memcpy(damaged, bytes, size);
			memcpy(damaged + at, &values[i], 4);
			const enum helper_receive rc = receive(damaged, size, &in);
			refused += rc == HELPER_RECEIVE_GARBAGE;
			if (rc != HELPER_RECEIVED)
				continue;
			const struct compile_request *request = &in.request;
			assert_true(!request->source || !request->source[request->source_size]);
			for (size_t k = 0; k < request->n_modules; k++)
				assert_true(request->modules[k].size < size);
			assert_true(strlen(request->options) < size);
			helper_message_finish(&in);
		}
	assert_in_range(refused, n / 4, n - 1);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(requests_arrive, setup, teardown),
		cmocka_unit_test_setup_teardown(heads_arrive, setup, teardown),
		cmocka_unit_test_setup_teardown(large_ones_arrive_in_pieces, setup, teardown),
		cmocka_unit_test_setup_teardown(too_much_is_not_sent, setup, teardown),
		cmocka_unit_test_setup_teardown(closed_and_late_are_told_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(heads_are_checked, setup, teardown),
		cmocka_unit_test_setup_teardown(bodies_are_checked, setup, teardown),
	};

	return cmocka_run_group_tests_name("helper_protocol", tests, NULL, NULL);
}
