// SPDX-License-Identifier: MIT
/*
 * Micro-operations read and write what uop.def says: bytes that it does not name stay as they are,
 * and make no difference to the others.
 */
#include "test.h"
#include "test_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/ops/eu_uop.h"

enum { RUNS = 8, PLACE = 640, CHANNELS = 8 };

static struct eu_thread before, after, other;
static uint8_t reads[sizeof(struct eu_thread)], writes[sizeof(struct eu_thread)];
static uint64_t seed;

static uint32_t next_random(void)
{
	return (uint32_t)(test_random(&seed) >> 32);
}

static void mark(uint8_t *set, struct eu_span span)
{
	memset(set + span.first, 1, span.bytes);
}

#define MARK(set, member)                                                                          \
	memset((set) + offsetof(struct eu_thread, member), 1,                                      \
		sizeof(((struct eu_thread *)0)->member))

static void mark_states(uint8_t *set, unsigned states)
{
	if (states & EU_FLAGS)
		MARK(set, flag);
	if (states & EU_ACC) {
		MARK(set, acc);
		MARK(set, acc_high);
	}
	if (states & EU_ACT)
		MARK(set, act);
	if (states & EU_PM)
		MARK(set, pm);
	if (states & EU_A0)
		MARK(set, a0_words);
	if (states & EU_CR)
		MARK(set, cr);
	if (states & EU_GRF)
		MARK(set, grf);
}

/* Operands that lie apart from each other. */
static struct eu_uop pick_operands(unsigned code)
{
	const struct eu_uop_info *info = eu_uop_info(code);
	struct eu_uop u = { .code = (uint16_t)code,
		.d = EU_OFFSET(grf),
		.a = EU_OFFSET(grf) + PLACE,
		.b = EU_OFFSET(grf) + 2 * PLACE,
		.c = EU_OFFSET(grf) + 3 * PLACE,
		.m = EU_OFFSET(grf) + 4 * PLACE };

	if (info->operand[3] == EU_OPERAND_NUMBER)
		u.c = CHANNELS;
	if (info->operand[1] >= EU_OPERAND_REGION_8 && info->operand[1] <= EU_OPERAND_REGION_32)
		u.imm = 16 | 4u << 16 | 2u << 24; /* rows of four */
	else if (info->operand[0] >= EU_OPERAND_ELEMENTS_8)
		u.imm = 8;
	if (info->first == EU_UOP_gather_indirect ||
		(info->first >= EU_UOP_scatter_indirect_8 && info->first < EU_UOP_copy_8))
		u.b = 0;
	if (info->first == EU_UOP_known_flags) {
		u.a = CHANNELS;
		u.b = next_random() & 1;
	}
	if (info->first == EU_UOP_predicate) {
		u.a = next_random() & 1;
		u.b = EU_OFFSET(flag);
		u.c = EU_PREDICATE(GEN_PRED_SEQUENTIAL, next_random() & 1);
		u.group = EU_GROUP_NONE;
	}
	return u;
}

static void run(struct eu_thread *thread, const struct eu_handlers *handlers, struct eu_uop u)
{
	struct eu_uop uops[2] = { u, { .code = EU_UOP_end } };
	const struct eu_uop *uop = uops;

	for (unsigned i = 0; i < 2; i++)
		uops[i].run = handlers->by_code[uops[i].code];
	while (uop)
		uop = uop->run(thread, uop);
	assert_int_equal(thread->status, EU_DONE);
	thread->resume = NULL;
}

/* Masks hold 0 or -1 for each lane. */
static void fill(struct eu_thread *thread, const struct eu_uop *u)
{
	uint8_t *bytes = (uint8_t *)thread;

	for (size_t i = 0; i < offsetof(struct eu_thread, act); i++)
		bytes[i] = (uint8_t)next_random();
	for (unsigned i = 0; i < GEN_MAX_LANES; i++) {
		int32_t lanes[2] = { -(int32_t)(next_random() & 1), -(int32_t)(next_random() & 1) };
		if (eu_uop_span(u, 4).bytes > 4 * i)
			memcpy(bytes + u->m + 4 * i, &lanes[0], 4);
		if (eu_uop_info(u->code)->operand[3] == EU_OPERAND_MASK &&
			eu_uop_span(u, 3).bytes > 4 * i)
			memcpy(bytes + u->c + 4 * i, &lanes[1], 4);
	}
	thread->act.bits = next_random();
	thread->full = UINT32_MAX;
}

static void check(enum eu_host host, unsigned code)
{
	const struct eu_handlers *handlers = eu_handlers_of(host);
	const struct eu_uop_info *info = eu_uop_info(code);
	struct eu_uop u = pick_operands(code);
	const uint8_t *x = (const uint8_t *)&before, *y = (const uint8_t *)&after;
	uint8_t *z = (uint8_t *)&other;
	char name[64];

	eu_uop_name(code, name, sizeof(name));
	memset(reads, 0, sizeof(reads));
	memset(writes, 0, sizeof(writes));
	for (unsigned i = 0; i < 5; i++)
		mark(i ? reads : writes, eu_uop_span(&u, i));
	mark_states(reads, info->reads);
	mark_states(writes, info->writes);
	MARK(writes, status);
	MARK(writes, instructions);
	MARK(writes, budget);
	fill(&before, &u);
	after = other = before;
	run(&after, handlers, u);
	for (size_t i = 0; i < offsetof(struct eu_thread, group); i++) {
		if (x[i] != y[i] && !writes[i])
			fail_msg("%s of host %d writes byte %zu", name, (int)host, i);
		if (i < offsetof(struct eu_thread, full) && !reads[i] && !writes[i])
			z[i] = (uint8_t)next_random();
	}
	run(&other, handlers, u);
	for (size_t i = 0; i < offsetof(struct eu_thread, group); i++)
		if (writes[i] && y[i] != z[i])
			fail_msg("%s of host %d: byte %zu depends on what it does not read", name,
				(int)host, i);
}

static void rows_say_what_is_reached(void **state)
{
	unsigned checked = 0;

	(void)state;
	seed = UINT64_C(0x9e3779b97f4a7c15);
	for (unsigned host = 0; host <= eu_target_parse(NULL).host; host++)
		for (unsigned code = 0; code < EU_UOP_CODES; code++) {
			const struct eu_uop_info *info = eu_uop_info(code);
			bool alone = !(info->does & ~EU_DOES_LOOP) && !(info->writes & EU_CR) &&
				     eu_handlers_of((enum eu_host)host)->by_code[code];
			for (unsigned n = 0; alone && n < RUNS; n++, checked++)
				check((enum eu_host)host, code);
		}
	assert_true(checked > 1000 * RUNS);
}

/* Hosts without vector code for a message lower it to another micro-operation. */
static void handlers_are_there(void **state)
{
	(void)state;
	for (unsigned host = 0; host <= eu_target_parse(NULL).host; host++)
		for (unsigned code = 0; code < EU_UOP_CODES; code++) {
			const struct eu_uop_info *info = eu_uop_info(code);
			bool optional = info->operand[0] == EU_OPERAND_PAYLOAD ||
					(code == info->first && /* one lane of another size */
						info->operand[1] >= EU_OPERAND_LANES_8 &&
						info->operand[1] <= EU_OPERAND_LANES_64);
			if (!optional && !eu_handlers_of((enum eu_host)host)->by_code[code])
				fail_msg("%s has no handler", info->name);
		}
}

static void names_tell_variants(void **state)
{
	char text[64];

	(void)state;
	eu_uop_name(eu_uop_code(EU_UOP_add_f, EU_WIDTH_16, 1) + 1u, text, sizeof(text));
	assert_string_equal(text, "add_f.16.SC.m");
	eu_uop_name(eu_uop_code(EU_UOP_mad_f, EU_WIDTH_8, 6), text, sizeof(text));
	assert_string_equal(text, "mad_f.8.CSS");
	eu_uop_name(EU_UOP_scatter_8 + 1, text, sizeof(text));
	assert_string_equal(text, "scatter_8.m");
	eu_uop_name(EU_UOP_end, text, sizeof(text));
	assert_string_equal(text, "end");
}

static void targets_are_what_is_asked_for(void **state)
{
	struct eu_target best = eu_target_parse(NULL);

	(void)state;
	assert_int_equal(eu_target_parse("base").host, EU_HOST_BASE);
	assert_true(eu_target_parse("avx2").host <= EU_HOST_AVX2);
	assert_int_equal(eu_target_parse("threaded").host, best.host);
	assert_false(eu_target_parse("threaded,avx2").stencils);
	assert_false(best.stencils && !eu_target_parse("stencil,base").stencils);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_say_what_is_reached),
		cmocka_unit_test(handlers_are_there),
		cmocka_unit_test(names_tell_variants),
		cmocka_unit_test(targets_are_what_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
