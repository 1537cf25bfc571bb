// SPDX-License-Identifier: MIT
/* A context over two fake devices of different kinds: queue on the first, other on the second. */
#include "queue_fixture.h"

#include "core/base/info.h"
#include "core/device/mem_address.h"
#include "core/memory/image.h"
#include "core/memory/usm.h"

#include <string.h>

#define OK(call) assert_int_equal((call), CL_SUCCESS)

/* What waits for another device's event is not appended before that is complete. */
static void test_waits(void **state)
{
	struct queue_fixture *f = *state;
	cl_event first, second, third;

	l0_fake.mode = L0_FAKE_BY_HAND;
	OK(queue_fixture_launch(f->queue, f->set, f->a, 7, 0, NULL, &first));
	OK(queue_flush(f->queue));
	unsigned appends = l0_fake.appends, submits = l0_fake.submits;
	OK(queue_fixture_launch(f->other, f->add, f->a, 100, 1, &first, &second));
	OK(queue_flush(f->other));
	/* and what comes behind it in its queue */
	OK(queue_fixture_launch(f->other, f->add, f->b, 1, 0, NULL, &third));
	assert_int_equal(l0_fake.appends, appends);
	assert_int_equal(l0_fake.submits, submits);
	assert_int_equal(event_stage(event_from(second)), EVENT_DEFERRED);
	assert_int_equal(event_stage(event_from(third)), EVENT_DEFERRED);
	assert_int_equal(l0_fake_run(1), 1);
	assert_int_equal(queue_fixture_status(first), CL_COMPLETE);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	const cl_event both[] = { second, third };
	OK(event_wait(2, both));
	queue_fixture_check(f->queue, f->a, 107);
	queue_fixture_release(first);
	queue_fixture_release(second);
	queue_fixture_release(third);
}

/* Back and forth without a wait of the host's. */
static void test_chain(void **state)
{
	struct queue_fixture *f = *state;
	cl_event last = NULL;

	OK(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, &last));
	for (uint32_t i = 1; i <= 20; i++) {
		cl_event next;

		OK(queue_fixture_launch(
			i % 2 ? f->other : f->queue, f->add, f->a, i, 1, &last, &next));
		queue_fixture_release(last);
		last = next;
	}
	OK(event_wait(1, &last));
	queue_fixture_check(f->other, f->a, 210);
	queue_fixture_release(last);
}

/* Kept memory is kept on both devices, that of one device on that one. */
static void test_memory(void **state)
{
	struct queue_fixture *f = *state;
	const cl_mem_properties properties[] = { CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0 };
	cl_mem_device_address_ext addresses[3] = { 0 };
	cl_device_id second = device_handle(f->context->devices[1]);
	void *pointer;
	struct mem *mem;
	size_t size;

	OK(mem_create_buffer(f->context, properties, 0, 64, NULL, &mem));
	assert_int_equal(l0_fake_n_resident(mem->address), 2);
	OK(mem_info(mem, CL_MEM_DEVICE_ADDRESS_EXT, INFO(sizeof addresses, addresses, &size)));
	assert_int_equal(size, 2 * sizeof *addresses);
	assert_int_equal(addresses[0], (uintptr_t)mem->address);
	assert_int_equal(addresses[1], (uintptr_t)mem->address);
	mem_put(mem);
	OK(usm_alloc(f->context, USM_DEVICE, second, NULL, 64, 0, &pointer));
	OK(usm_keep(f->context, pointer));
	assert_int_equal(l0_fake_n_resident(pointer), 1);
	assert_true(usm_is_reached(f->context, f->context->devices[1], pointer));
	assert_false(usm_is_reached(f->context, f->context->devices[0], pointer));
	OK(usm_free(f->context, pointer));
	OK(usm_alloc(f->context, USM_SHARED, NULL, NULL, 64, 0, &pointer));
	OK(usm_keep_type(f->context, USM_SHARED));
	assert_int_equal(l0_fake_n_resident(pointer), 2);
	for (cl_uint i = 0; i < 2; i++)
		assert_true(usm_is_reached(f->context, f->context->devices[i], pointer));
	OK(usm_free(f->context, pointer));
}

/* An image has linear bytes, and an image of each device; an image of it shares both. */
static void test_image(void **state)
{
	struct queue_fixture *f = *state;
	static const cl_image_format format = { CL_R, CL_UNSIGNED_INT8 };
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 4
	};
	char pixels[4][20];
	struct mem *image, *view;

	for (size_t i = 0; i < sizeof pixels; i++)
		pixels[i / 20][i % 20] = (char)(3 * i);
	desc.image_row_pitch = 20;
	OK(image_create(f->context, NULL, CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &image));
	assert_true(image->image->is_linear);
	assert_non_null(image->image->l0[0]);
	assert_non_null(image->image->l0[1]);
	assert_ptr_not_equal(image->image->l0[0], image->image->l0[1]);
	for (int y = 0; y < 4; y++)
		assert_memory_equal(image->address + y * 20, pixels[y], 16);
	desc.mem_object = mem_handle(image);
	OK(image_create(f->context, NULL, 0, &format, &desc, NULL, &view));
	assert_ptr_equal(view->address, image->address);
	assert_ptr_equal(view->image->l0[1], image->image->l0[1]);
	mem_put(view);
	mem_put(image);
}

int main(void)
{
	static const enum l0_fake_model_number models[] = { L0_FAKE_TGL, L0_FAKE_BMG };
	static const struct CMUnitTest tests[] = {
		TEST(test_waits),
		TEST(test_chain),
		TEST(test_memory),
		TEST(test_image),
	};

	l0_fake_install();
	l0_fake_list(models, 2);
	queue_fixture_devices = 2;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
