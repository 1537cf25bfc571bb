// SPDX-License-Identifier: MIT
#include "core/base/obj.h"

#include <CL/cl_ext.h>

#include "test.h"

#include <string.h>

static const char table[8];
static int destroyed;

struct thing {
	struct obj base;
};

static void thing_destroy(struct obj *obj)
{
	assert_int_equal(obj->kind, OBJ_DEAD);
	destroyed++;
}

static void thing_init(struct thing *thing, enum obj_kind kind)
{
	memset(thing, 0, sizeof *thing);
	obj_set_dispatch(table);
	obj_init(&thing->base, kind, NULL, thing_destroy);
	destroyed = 0;
}

static void test_abi_words(void **state)
{
	struct thing parent, child;
	void *words[2];

	(void)state;
	thing_init(&parent, OBJ_CONTEXT);
	parent.base.loader_data = &parent;
	parent.base.context = (struct context *)(void *)&parent;
	memset(&child, 0, sizeof child);
	obj_init(&child.base, OBJ_MEM, &parent.base, NULL);
	memcpy(words, &child, sizeof words);
	assert_ptr_equal(words[0], table);
	assert_ptr_equal(words[1], &parent);
	assert_ptr_equal(child.base.context, &parent);
}

static void test_from(void **state)
{
	struct thing thing;
	struct {
		const void *dispatch;
		char rest[128];
	} foreign = { &destroyed, { 0 } };

	(void)state;
	thing_init(&thing, OBJ_MEM);
	assert_ptr_equal(obj_from(&thing, OBJ_MEM), &thing);
	assert_null(obj_from(&thing, OBJ_KERNEL));
	assert_null(obj_from(NULL, OBJ_MEM));
	assert_null(obj_from((const char *)&thing + 1, OBJ_MEM));
	assert_null(obj_from(&foreign, OBJ_MEM));
	assert_ptr_equal(obj_any(&thing), &thing);
	thing.base.kind = OBJ_SEMAPHORE + 1;
	assert_null(obj_any(&thing));
}

static void test_two_counts(void **state)
{
	struct thing thing;

	(void)state;
	thing_init(&thing, OBJ_MEM);
	assert_int_equal(obj_retain(&thing, OBJ_MEM), CL_SUCCESS);
	assert_int_equal(thing.base.api_refs, 2);
	assert_int_equal(thing.base.refs, 1);
	obj_get(&thing.base);
	assert_int_equal(thing.base.api_refs, 2);
	assert_int_equal(obj_release(&thing, OBJ_MEM), CL_SUCCESS);
	assert_int_equal(obj_release(&thing, OBJ_MEM), CL_SUCCESS);
	assert_int_equal(destroyed, 0);
	assert_int_equal(obj_release(&thing, OBJ_MEM), CL_INVALID_MEM_OBJECT);
	/* What we still hold may be retained again, and is then the application's too. */
	assert_int_equal(obj_retain(&thing, OBJ_MEM), CL_SUCCESS);
	obj_put(&thing.base);
	assert_int_equal(destroyed, 0);
	assert_int_equal(obj_release(&thing, OBJ_MEM), CL_SUCCESS);
	assert_int_equal(destroyed, 1);
	assert_null(obj_any(&thing));
	obj_put(NULL);
}

static void test_codes(void **state)
{
	static const struct {
		enum obj_kind kind;
		cl_int code;
	} rows[] = {
		{ OBJ_PLATFORM, CL_INVALID_PLATFORM },
		{ OBJ_DEVICE, CL_INVALID_DEVICE },
		{ OBJ_CONTEXT, CL_INVALID_CONTEXT },
		{ OBJ_QUEUE, CL_INVALID_COMMAND_QUEUE },
		{ OBJ_MEM, CL_INVALID_MEM_OBJECT },
		{ OBJ_SAMPLER, CL_INVALID_SAMPLER },
		{ OBJ_PROGRAM, CL_INVALID_PROGRAM },
		{ OBJ_KERNEL, CL_INVALID_KERNEL },
		{ OBJ_EVENT, CL_INVALID_EVENT },
		{ OBJ_COMMAND_BUFFER, CL_INVALID_COMMAND_BUFFER_KHR },
		{ OBJ_RECORDED, CL_INVALID_MUTABLE_COMMAND_KHR },
		{ OBJ_SEMAPHORE, CL_INVALID_SEMAPHORE_KHR },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct thing thing;

		assert_int_equal(obj_retain(NULL, rows[i].kind), rows[i].code);
		assert_int_equal(obj_release(NULL, rows[i].kind), rows[i].code);
		thing_init(&thing, rows[(i + 1) % 9].kind);
		assert_int_equal(obj_retain(&thing, rows[i].kind), rows[i].code);
		assert_int_equal(obj_release(&thing, rows[i].kind), rows[i].code);
		assert_int_equal(thing.base.refs, 1);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_abi_words),
		cmocka_unit_test(test_from),
		cmocka_unit_test(test_two_counts),
		cmocka_unit_test(test_codes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
