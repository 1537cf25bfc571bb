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
	if (!spirv_module_open(module, sizeof module, &fixture.spirv, NULL, 0))
		return 1;
	spirv_builder_init(&fixture.edit, &fixture.spirv);
	return 0;
}

static int close_module(void **state)
{
	struct fixture *fixture = *state;

	spirv_builder_finish(&fixture->edit);
	spirv_module_finish(&fixture->spirv);
	return 0;
}

static void copy_all(struct spirv_builder *edit)
{
	struct spirv_inst inst;

	spirv_words_put(&edit->out, module, SPIRV_START);
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
}

static void globals_go_in_front_of_functions(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;
	uint32_t want[sizeof module / 4 + 4];
	size_t size = 0;
	void *out = NULL;

	copy_all(edit);
	uint32_t type = SPIRV_BUILDER_TYPE(edit, SpvOpTypeInt, 64, 0);
	spirv_builder_join(edit, FUNCTION_AT);
	assert_int_equal(spirv_builder_take(edit, &out, &size), COMPILE_OK);
	memcpy(want, module, sizeof module);
	want[3] = ID_BOUND + 1;
	memcpy(want + FUNCTION_AT, (uint32_t[]){ OP(4, SpvOpTypeInt), type, 64, 0 }, 16);
	memcpy(want + FUNCTION_AT + 4, module + FUNCTION_AT, sizeof module - 4 * FUNCTION_AT);
	assert_int_equal(size, sizeof want);
	assert_memory_equal(out, want, size);
	free(out);
}

static void the_first_complaint_stays(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;
	size_t size = 77;
	void *out = edit;

	copy_all(edit);
	spirv_builder_complain(edit, "one", 8);
	spirv_builder_complain(edit, "two", 9);
	spirv_builder_join(edit, FUNCTION_AT);
	assert_string_equal(edit->complaint, "one");
	assert_int_equal(edit->complaint_at, 8);
	assert_int_equal(spirv_builder_take(edit, &out, &size), COMPILE_ERROR);
	assert_ptr_equal(out, edit);
	assert_int_equal(size, 77);
}

static void ids_end(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;

	edit->bound = SPIRV_MAX_BOUND - 1;
	assert_int_equal(spirv_builder_id(edit), SPIRV_MAX_BOUND - 1);
	assert_null(edit->complaint);
	assert_true(spirv_builder_id(edit) < SPIRV_MAX_BOUND);
	assert_non_null(edit->complaint);
	assert_int_equal(edit->bound, SPIRV_MAX_BOUND);
}

static void lost_memory_is_told(void **state)
{
	struct spirv_builder *edit = &((struct fixture *)*state)->edit;
	size_t size;
	void *out;

	copy_all(edit);
	spirv_builder_complain(edit, "one", 8);
	edit->globals.is_broken = true;
	spirv_builder_join(edit, FUNCTION_AT);
	assert_int_equal(spirv_builder_take(edit, &out, &size), COMPILE_NO_MEMORY);
	edit->globals.is_broken = false;
	edit->out.is_broken = true;
	spirv_builder_join(edit, FUNCTION_AT);
	assert_int_equal(spirv_builder_take(edit, &out, &size), COMPILE_NO_MEMORY);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_module, close_module)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(types_are_made_once),
		TEST(globals_go_in_front_of_functions),
		TEST(the_first_complaint_stays),
		TEST(ids_end),
		TEST(lost_memory_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
