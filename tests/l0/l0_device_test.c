// SPDX-License-Identifier: MIT
#include "test.h"

#include "l0/l0_private.h"
#include "l0_fake.h"

#include <string.h>

static void what_the_driver_says_is_gathered(void **state)
{
	/* its version, nothing of the time */
	static const uint8_t driver_uuid[16] = { 0, 0, 3, 1 };
	char why[128] = "?";
	struct l0_device *device = l0_devices_find(why, sizeof(why));
	const struct l0_device_info *info = &device->info;

	(void)state;
	assert_string_equal(why, "");
	assert_null(device->next);
	assert_string_equal(info->name, "Fake Graphics");
	assert_int_equal(info->device_id, 0x9a49);
	assert_int_equal(info->api_major, 1);
	assert_int_equal(info->api_minor, 3);
	assert_int_equal(info->spirv_minor, 2);
	assert_true(info->integrated);
	assert_false(info->fp64);
	assert_true(info->fp16);
	assert_int_equal(info->fp32_config, CL_FP_DENORM | CL_FP_FMA);
	assert_true(info->tick_ns == 50.0); /* from 20 MHz, not from whole ns */
	assert_int_equal(info->kernel_timestamp_bits, 32);
	assert_int_equal(info->n_sub_group_sizes, 3);
	assert_int_equal(info->sub_group_sizes[2], 32);
	assert_int_equal(info->device_access, L0_ACCESS_RW | L0_ACCESS_ATOMIC);
	assert_int_equal(info->shared_access, L0_ACCESS_RW | L0_ACCESS_ATOMIC);
	assert_int_equal(info->image_2d, 16384);
	assert_int_equal(info->samplers, 16);
	assert_true(info->can.global_offset);
	assert_true(info->has_pci);
	assert_int_equal(info->pci_device, 2);
	assert_int_equal(device->ordinal, 1); /* the first group cannot compute */
	assert_memory_equal(info->driver_uuid, driver_uuid, sizeof driver_uuid);
	l0_devices_free(device);
}

/* Every GPU is there, in Level Zero's order; one that does not answer leaves the others. */
static void all_gpus_are_found(void **state)
{
	static const enum l0_fake_model_number listed[] = { L0_FAKE_BMG, L0_FAKE_TGL, L0_FAKE_NEW };
	char why[128] = "";
	uint32_t ids[3] = { 0 };
	unsigned n = 0;

	(void)state;
	l0_fake_list(listed, 3);
	struct l0_device *list = l0_devices_find(why, sizeof(why));
	for (struct l0_device *device = list; device; device = device->next) {
		assert_true(n < 3);
		ids[n++] = device->info.device_id;
	}
	l0_devices_free(list);
	assert_int_equal(n, 3);
	assert_int_equal(ids[0], 0xe20b);
	assert_int_equal(ids[1], 0x9a49);
	assert_int_equal(ids[2], 0xfafa);
	/* 5 calls list the devices and look at the first, of which the next one fails */
	l0_fake.fail_after = 7;
	list = l0_devices_find(why, sizeof(why));
	l0_fake.fail_after = 0;
	assert_non_null(list);
	assert_int_equal(list->info.device_id, 0x9a49);
	assert_non_null(list->next);
	assert_null(list->next->next);
	l0_devices_free(list);
	l0_fake_list(listed + 1, 1);
}

static void every_failure_has_a_reason(void **state)
{
	bool failed = true;
	unsigned n;

	(void)state;
	for (n = 1; failed; n++) {
		char why[128] = "";

		l0_fake.failed = false;
		l0_fake.fail_after = n;
		struct l0_device *list = l0_devices_find(why, sizeof(why));
		bool found = list;
		l0_devices_free(list);
		failed = l0_fake.failed;
		l0_fake.fail_after = 0;
		assert_int_equal(found, !failed);
		assert_int_equal(why[0] != '\0', failed);
	}
	assert_true(n > 10);
}

static void the_clocks_go_forward(void **state)
{
	uint64_t host, ticks, next, next_ticks;

	(void)state;
	l0_fake.ticks = 1234;
	struct l0_device *device = l0_device_open(0);
	assert_non_null(device);
	assert_ptr_equal(device, l0_device_open(0));
	assert_int_equal(l0_device_clock(device, &host, &ticks), CL_SUCCESS);
	assert_int_equal(ticks, 1234);
	assert_int_equal(l0_device_clock(device, &next, &next_ticks), CL_SUCCESS);
	assert_true(next >= host && next <= l0_host_clock());
	assert_string_equal(l0_report()->failure, "");
}

static void a_loss_is_counted_and_told(void **state)
{
	struct l0_device *device = l0_device_open(0);
	unsigned before = l0_device_losses(device);
	char text[8];

	(void)state;
	l0_device_check(device);
	assert_int_equal(l0_device_losses(device), before);
	device->vgpu.take_fault = l0_fake_take_fault;
	l0_device_check(device);
	assert_int_equal(l0_device_losses(device), before);
	l0_fake.fault = "something very long";
	l0_device_check(device);
	assert_int_equal(l0_device_losses(device), before + 1);
	l0_device_loss_report(device, text, sizeof(text));
	assert_string_equal(text, "somethi");
	/* only the first of those who saw the same loss counts it */
	l0_device_lost(device, before, "again");
	assert_int_equal(l0_device_losses(device), before + 1);
	l0_device_lost(device, before + 1, "again");
	assert_int_equal(l0_device_losses(device), before + 2);
	device->vgpu.take_fault = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_driver_says_is_gathered),
		cmocka_unit_test(all_gpus_are_found),
		cmocka_unit_test(every_failure_has_a_reason),
		cmocka_unit_test(the_clocks_go_forward),
		cmocka_unit_test(a_loss_is_counted_and_told),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
