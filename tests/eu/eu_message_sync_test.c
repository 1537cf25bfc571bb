// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "eu_message_fixture.h"

#include "gen/gen_inst.h"

static enum eu_status run(struct fixture *fixture, struct eu_send *send, uint32_t lanes)
{
	assert_int_equal(eu_message_bind(fixture->worker.device, send, &fixture->fault), 0);
	return send->run(fixture->thread, send, lanes);
}

static void barriers_complete_with_the_last_thread(void **state)
{
	struct fixture *fixture = *state;
	struct eu_send send = { .sfid = GEN_SFID_GATEWAY, .desc = 0x02000004, .mlen = 1 };

	fixture->group.thread_count = 4;
	fixture->group.live = 3; /* one has ended */
	fixture->group.generation = 7;
	assert_int_equal(run(fixture, &send, 0), EU_RUN);
	assert_false(fixture->thread->barrier_pending);
	for (unsigned i = 1; i <= 3; i++) {
		fixture->thread->barrier_pending = false;
		assert_int_equal(run(fixture, &send, 1), EU_RUN);
		assert_true(fixture->thread->barrier_pending);
		assert_int_equal(fixture->thread->barrier_generation, 7);
		assert_int_equal(fixture->group.arrived, i == 3 ? 0 : i);
		assert_int_equal(fixture->group.generation, i == 3 ? 8 : 7);
	}
}

static void other_gateway_functions_are_refused(void **state)
{
	struct eu_send send = { .sfid = GEN_SFID_GATEWAY, .desc = 0x02000001, .mlen = 1 };

	fixture_expect_refused(*state, &send, "no such message");
}

static void threads_end(void **state)
{
	struct eu_send send = { .sfid = GEN_SFID_THREAD_SPAWNER, .desc = 0x02000010, .mlen = 1 };

	assert_int_equal(run(*state, &send, 0xff), EU_DONE);
}

static void fences_write_their_register(void **state)
{
	static const struct {
		unsigned sfid;
		uint32_t desc;
	} fences[] = { { GEN_SFID_DC0, 0x0219e0fe }, { GEN_SFID_DC0, 0x0219e000 },
		{ GEN_SFID_DC0, 0x0219e100 }, { GEN_SFID_SAMPLER, 0x021ff000 } };
	struct fixture *fixture = *state;

	for (unsigned i = 0; i < 4; i++) {
		struct eu_send send = { .sfid = fences[i].sfid,
			.desc = fences[i].desc,
			.mlen = 1,
			.rlen = 1,
			.dst = 5 * 32,
			.writes = true };

		fixture_shuffle(fixture);
		memset(fixture->grf_model + 5 * 32, 0, 32);
		fixture_expect(fixture, &send, 0xff);
		send.writes = false;
		send.rlen = 0;
		fixture_shuffle(fixture);
		fixture_expect(fixture, &send, 0xff);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			barriers_complete_with_the_last_thread, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			other_gateway_functions_are_refused, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(threads_end, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			fences_write_their_register, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
