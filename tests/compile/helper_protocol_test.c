// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/base/helper_protocol.h"

#include <pthread.h>
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

static void fields_arrive(void **state)
{
	struct helper_message out = { .type = HELPER_MESSAGE_BUILD }, in = { 0 };
	struct helper_view view;
	size_t at = 0;

	(void)state;
	helper_message_put_text(&out, HELPER_FIELD_OPTIONS, "-w");
	helper_message_put(&out, HELPER_FIELD_SOURCE, "a\0b", 3);
	helper_message_put_number(&out, HELPER_FIELD_OUTPUTS, 0xdeadbeef);
	helper_message_put(&out, HELPER_FIELD_PREFIX, NULL, 0);
	assert_true(helper_message_send(ends[0], &out));
	assert_int_equal(helper_message_receive(ends[1], &in, -1), HELPER_RECEIVED);
	assert_int_equal(in.type, HELPER_MESSAGE_BUILD);
	assert_true(helper_message_next(&in, &at, &view));
	assert_int_equal(view.tag, HELPER_FIELD_OPTIONS);
	assert_string_equal(view.data, "-w");
	assert_true(helper_message_find(&in, HELPER_FIELD_SOURCE, &view));
	assert_int_equal(view.size, 3);
	assert_memory_equal(view.data, "a\0b\0", 4);
	assert_int_equal(helper_message_number(&in, HELPER_FIELD_OUTPUTS, 0), 0xdeadbeef);
	assert_true(helper_message_find(&in, HELPER_FIELD_PREFIX, &view));
	assert_int_equal(view.size, 0);
	assert_false(helper_message_find(&in, HELPER_FIELD_LOG, &view));
	assert_string_equal(view.data, "");
	/* A text is no number. */
	assert_int_equal(helper_message_number(&in, HELPER_FIELD_OPTIONS, 77), 77);
	helper_message_finish(&in);
	helper_message_finish(&out);
}

static void *send_large(void *message)
{
	return (void *)(intptr_t)helper_message_send(ends[0], message);
}

static void large_ones_arrive_in_pieces(void **state)
{
	static char bytes[3 << 20];
	struct helper_message out = { .type = HELPER_MESSAGE_RESULT }, in = { 0 };
	struct helper_view view;
	pthread_t thread;
	void *sent;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * 2654435761u >> 24);
	helper_message_put(&out, HELPER_FIELD_NATIVE, bytes, sizeof bytes);
	assert_int_equal(pthread_create(&thread, NULL, send_large, &out), 0);
	assert_int_equal(helper_message_receive(ends[1], &in, -1), HELPER_RECEIVED);
	pthread_join(thread, &sent);
	assert_true((intptr_t)sent);
	assert_true(helper_message_find(&in, HELPER_FIELD_NATIVE, &view));
	assert_int_equal(view.size, sizeof bytes);
	assert_memory_equal(view.data, bytes, sizeof bytes);
	helper_message_finish(&in);
	helper_message_finish(&out);
}

static void too_much_is_not_sent(void **state)
{
	struct helper_message out = { .type = HELPER_MESSAGE_BUILD };

	(void)state;
	helper_message_put(&out, HELPER_FIELD_SOURCE, "", HELPER_MESSAGE_LIMIT);
	assert_true(out.broken);
	helper_message_put_text(&out, HELPER_FIELD_OPTIONS, "-w");
	assert_false(helper_message_send(ends[0], &out));
	helper_message_finish(&out);
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

/* {magic, version, type, zero, size low, size high}, then a field {tag, zero, size, size}. */
static void heads_and_fields_are_checked(void **state)
{
	static const struct {
		uint32_t head[6];
		uint32_t field[4];
		char tail[4];
	} bad[] = {
		{ { 0x0063637b, HELPER_MESSAGE_VERSION, 2, 0, 20, 0 }, { 1, 0, 3, 0 }, "ab" },
		{ { 0x0063637a, HELPER_MESSAGE_VERSION + 1, 2, 0, 20, 0 }, { 1, 0, 3, 0 }, "ab" },
		{ { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 1, 20, 0 }, { 1, 0, 3, 0 }, "ab" },
		{ { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 0, 20, 1 }, { 1, 0, 3, 0 }, "ab" },
		{ { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 0, 20, 0 }, { 1, 0, 4, 0 }, "ab" },
		{ { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 0, 20, 0 }, { 1, 0, 3, 1 }, "ab" },
		{ { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 0, 20, 0 }, { 1, 0, 2, 0 }, "ab" },
		{ { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 0, 20, 0 }, { 1, 0, ~0u, ~0u }, "ab" },
		{ { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 0, 20, 0 }, { 1, 0, 3, 0 }, "abc" },
		{ { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 0, 12, 0 }, { 1, 0, 3, 0 }, "ab" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct helper_message in = { 0 };
		char bytes[44];
		memcpy(bytes, bad[i].head, 24);
		memcpy(bytes + 24, bad[i].field, 16);
		memcpy(bytes + 40, bad[i].tail, 4);
		if (i == 8)
			bytes[43] = 'x';
		assert_int_equal(send(ends[0], bytes, sizeof bytes, 0), sizeof bytes);
		enum helper_receive rc = helper_message_receive(ends[1], &in, -1);
		if (rc != HELPER_RECEIVE_GARBAGE)
			fail_msg("%zu: %d", i, rc);
		assert_null(in.data);
		while (recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT) > 0)
			;
	}
	/* And what they are the damaged forms of. */
	struct helper_message in = { 0 };
	static const uint32_t head[10] = { 0x0063637a, HELPER_MESSAGE_VERSION, 2, 0, 20, 0, 1, 0, 3,
		0 };
	assert_int_equal(send(ends[0], head, sizeof head, 0), sizeof head);
	assert_int_equal(send(ends[0], "abc", 4, 0), 4);
	assert_int_equal(helper_message_receive(ends[1], &in, -1), HELPER_RECEIVED);
	helper_message_finish(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fields_arrive, setup, teardown),
		cmocka_unit_test_setup_teardown(large_ones_arrive_in_pieces, setup, teardown),
		cmocka_unit_test_setup_teardown(too_much_is_not_sent, setup, teardown),
		cmocka_unit_test_setup_teardown(closed_and_late_are_told_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(heads_and_fields_are_checked, setup, teardown),
	};

	return cmocka_run_group_tests_name("helper_protocol", tests, NULL, NULL);
}
