// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "compile/spirv/spirv_builder.h"

#define OP(length, op) ((uint32_t)(length) << 16 | (uint32_t)(op))

enum { ID_VOID = 1, ID_UINT, ID_TYPE, ID_FUNCTION, ID_LABEL, ID_BOUND };

/* An empty function, at word 19. */
static const uint32_t module[] = { 0x07230203, 0x00010000, 0, ID_BOUND, 0, OP(3, SpvOpMemoryModel),
	SpvAddressingModelPhysical64, SpvMemoryModelOpenCL, OP(2, SpvOpTypeVoid), ID_VOID,
	OP(4, SpvOpTypeInt), ID_UINT, 32, 0, OP(3, SpvOpTypeFunction), ID_TYPE, ID_VOID,
	OP(1, SpvOpNop), OP(1, SpvOpNop), OP(5, SpvOpFunction), ID_VOID, ID_FUNCTION, 0, ID_TYPE,
	OP(2, SpvOpLabel), ID_LABEL, OP(1, SpvOpReturn), OP(1, SpvOpFunctionEnd) };

enum { FUNCTION_AT = 19 };

struct fixture {
	struct spirv_module spirv;
	struct spirv_builder edit;
};

static int open_module(void **state)
{
	static struct fixture fixture;

	*state = &fixture;
	if (spirv_module_open(module, sizeof module, &fixture.spirv) != COMPILE_OK)
		return 1;
	spirv_builder_init(&fixture.edit, &fixture.spirv);
	return 0;
}

static int close_module(void **state)
{
	struct fixture *fixture = *state;

	spirv_module_finish(&fixture->spirv);
	return 0;
}

static void copy_all(struct spirv_builder *edit)
{
	struct spirv_inst inst;

	for (uint32_t at = SPIRV_START; spirv_at(edit->from, at, &inst); at = inst.next)
		spirv_builder_copy(edit, &inst);
}

static void types_are_made_once(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;

	assert_int_equal(SPIRV_BUILDER_TYPE(edit, SpvOpTypeInt, 32, 0), ID_UINT);
	assert_int_equal(spirv_builder_type(edit, SpvOpTypeVoid, NULL, 0), ID_VOID);
	assert_int_equal(edit->globals.n, 0);
	assert_int_equal(SPIRV_BUILDER_TYPE(edit, SpvOpTypeVector, ID_UINT, 3), ID_BOUND);
	assert_int_equal(spirv_builder_type(edit, SpvOpTypeBool, NULL, 0), ID_BOUND + 1);
	assert_int_equal(SPIRV_BUILDER_TYPE(edit, SpvOpTypeVector, ID_UINT, 4), ID_BOUND + 2);
	assert_int_equal(SPIRV_BUILDER_TYPE(edit, SpvOpTypeVector, ID_UINT, 3), ID_BOUND);
	assert_int_equal(spirv_builder_type(edit, SpvOpTypeBool, NULL, 0), ID_BOUND + 1);
	assert_int_equal(spirv_builder_id(edit), ID_BOUND + 3);
	copy_all(edit);
	assert_int_equal(spirv_builder_finish(edit), COMPILE_OK);
}

static void globals_go_in_front_of_functions(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;
	uint32_t want[sizeof module / 4 + 13];
	const struct spirv_module *made = edit->from;

	copy_all(edit);
	uint32_t wide = spirv_builder_number(edit, 64, 0x500000003), type = wide - 1;
	uint32_t narrow = spirv_builder_number(edit, 32, 7);
	assert_int_equal(spirv_builder_finish(edit), COMPILE_OK);
	memcpy(want, module, sizeof module);
	want[3] = ID_BOUND + 3;
	memcpy(want + FUNCTION_AT,
		(uint32_t[]){ OP(4, SpvOpTypeInt), type, 64, 0, OP(5, SpvOpConstant), type, wide, 3,
			5, OP(4, SpvOpConstant), ID_UINT, narrow, 7 },
		13 * 4);
	memcpy(want + FUNCTION_AT + 13, module + FUNCTION_AT, sizeof module - 4 * FUNCTION_AT);
	assert_int_equal(made->n_words * 4, sizeof want);
	assert_memory_equal(made->words, want, sizeof want);
	assert_int_equal(made->functions[0].start, FUNCTION_AT + 13);
}

static void the_first_refusal_stays(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;
	const struct spirv_module *from = edit->from;

	copy_all(edit);
	spirv_builder_refuse(edit, "one", 8);
	spirv_builder_refuse(edit, "two", 9);
	assert_int_equal(spirv_builder_finish(edit), COMPILE_ERROR);
	assert_string_equal(from->why, "one (word 8 of the SPIR-V)");
	assert_memory_equal(from->words, module, sizeof module);
}

static void ids_end(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;

	edit->bound = SPIRV_MAX_BOUND - 1;
	assert_int_equal(spirv_builder_id(edit), SPIRV_MAX_BOUND - 1);
	assert_false(edit->is_refused);
	assert_true(spirv_builder_id(edit) < SPIRV_MAX_BOUND);
	assert_int_equal(edit->bound, SPIRV_MAX_BOUND);
	assert_int_equal(spirv_builder_finish(edit), COMPILE_ERROR);
}

static void lost_memory_is_told(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;

	copy_all(edit);
	edit->globals.is_broken = true;
	SPIRV_PUT(&edit->globals, SpvOpCapability, SpvCapabilityKernel);
	assert_int_equal(edit->globals.n, 0);
	assert_int_equal(spirv_builder_finish(edit), COMPILE_NO_MEMORY);
}

static void words_grow(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;
	const size_t start = edit->out.n;

	for (uint32_t i = 0; i < 10000; i++)
		spirv_words_put(&edit->out, &i, 1);
	assert_int_equal(edit->out.n, start + 10000);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(edit->out.at[start + i], i);
	edit->is_refused = true;
	assert_int_equal(spirv_builder_finish(edit), COMPILE_ERROR);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_module, close_module)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(types_are_made_once),
		TEST(globals_go_in_front_of_functions),
		TEST(the_first_refusal_stays),
		TEST(ids_end),
		TEST(lost_memory_is_told),
		TEST(words_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
