// SPDX-License-Identifier: MIT
#include "test.h"

#include "l0/l0_image.h"
#include "l0/l0_memory.h"
#include "l0/l0_private.h"
#include "l0_fake.h"

#include <string.h>

struct fixture {
	struct l0_context *context;
	struct l0_queue *queue;
	struct l0_list *list;
	uint8_t *memory;
};

static int setup(void **state)
{
	static struct fixture f;
	void *memory;

	l0_fake = (struct l0_fake){ .mode = L0_FAKE_AT_SUBMIT };
	f = (struct fixture){ 0 };
	assert_int_equal(
		l0_context_create(1, &(struct l0_device *){ l0_device_open(0) }, &f.context),
		CL_SUCCESS);
	assert_int_equal(l0_queue_create(f.context, L0_PRIORITY_NORMAL, &f.queue), CL_SUCCESS);
	assert_int_equal(l0_list_create(f.queue, &f.list), CL_SUCCESS);
	assert_int_equal(
		l0_memory_alloc(f.context, L0_MEMORY_SHARED, 4096, 64, &memory), CL_SUCCESS);
	f.memory = memory;
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	l0_memory_free(f->context, f->memory);
	l0_list_destroy(f->list);
	l0_queue_destroy(f->queue);
	l0_context_destroy(f->context);
	assert_int_equal(l0_fake.live, 0);
	assert_int_equal(l0_fake.errors, 0);
	return 0;
}

static const struct l0_image_desc rgba = { .type = L0_IMAGE_2D,
	.format = { L0_LAYOUT_8_8_8_8, L0_UNORM, "rgba" },
	.width = 5,
	.height = 4,
	.depth = 1,
	.writable = true };

/* In, to another place, and out again. */
static void test_copies(void **state)
{
	static const struct l0_image_box all = { { 0, 0, 0 }, { 5, 4, 1 } };
	static const struct l0_image_box part = { { 1, 1, 0 }, { 2, 3, 1 } };
	static const uint32_t place[3] = { 3, 0, 0 };
	struct fixture *f = *state;
	struct l0_image *a, *b, *view;
	uint8_t *out = f->memory + 1024;

	for (int i = 0; i < 80; i++)
		f->memory[i] = (uint8_t)i;
	assert_int_equal(l0_image_create(f->context, &rgba, &a), CL_SUCCESS);
	assert_int_equal(l0_image_create(f->context, &rgba, &b), CL_SUCCESS);
	assert_int_equal(l0_image_view(f->context, b, &rgba, &view), CL_SUCCESS);
	assert_int_equal(l0_list_image_write(f->list, a, &all, f->memory, NULL), CL_SUCCESS);
	assert_int_equal(l0_list_barrier(f->list, NULL), CL_SUCCESS);
	assert_int_equal(l0_list_image_write(f->list, b, &all, f->memory, NULL), CL_SUCCESS);
	assert_int_equal(l0_list_barrier(f->list, NULL), CL_SUCCESS);
	assert_int_equal(l0_list_image_copy(f->list, b, place, a, &part, NULL), CL_SUCCESS);
	assert_int_equal(l0_list_barrier(f->list, NULL), CL_SUCCESS);
	assert_int_equal(l0_list_image_read(f->list, out, view, &all, NULL), CL_SUCCESS);
	memset(out, 0xee, 128);
	assert_int_equal(l0_list_submit(f->list), CL_SUCCESS);
	for (uint32_t i = 0; i < 80; i++) {
		uint32_t x = i / 4 % 5, y = i / 20;
		uint32_t want = x >= 3 && y < 3 ? i + 20 - 8 : i;

		assert_int_equal(out[i], want);
	}
	assert_int_equal(out[80], 0xee);
	l0_image_destroy(view);
	l0_image_destroy(a);
	l0_image_destroy(b);
}

/* Whatever fails, nothing stays behind: the teardown counts what lives. */
static void test_failures(void **state)
{
	static const struct l0_sampler_desc desc = { L0_ADDRESS_BORDER, true, true };
	struct fixture *f = *state;
	struct l0_image *image = NULL;
	struct l0_sampler *sampler = NULL;

	l0_fake.fail_after = 1;
	assert_int_equal(l0_image_create(f->context, &rgba, &image), CL_OUT_OF_HOST_MEMORY);
	assert_null(image);
	l0_fake.fail_after = 1;
	assert_int_equal(l0_sampler_create(f->context, &desc, &sampler), CL_OUT_OF_HOST_MEMORY);
	assert_null(sampler);
	assert_int_equal(l0_sampler_create(f->context, &desc, &sampler), CL_SUCCESS);
	l0_sampler_destroy(sampler);
	l0_sampler_destroy(NULL);
	l0_image_destroy(NULL);

	__typeof__(l0_ze.zeImageViewCreateExp) view = l0_ze.zeImageViewCreateExp;
	l0_ze.zeImageViewCreateExp = NULL;
	assert_int_equal(l0_image_create(f->context, &rgba, &image), CL_SUCCESS);
	struct l0_image *other = NULL;
	assert_int_equal(l0_image_view(f->context, image, &rgba, &other), CL_INVALID_OPERATION);
	assert_null(other);
	l0_ze.zeImageViewCreateExp = view;
	l0_image_destroy(image);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_copies, setup, teardown),
		cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
