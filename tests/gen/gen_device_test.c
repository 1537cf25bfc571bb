// SPDX-License-Identifier: MIT
#include "test.h"

#include "gen/gen_device.h"

static void finds_the_default(void **state)
{
	const struct gen_device *device = gen_device_find(NULL);

	(void)state;
	assert_non_null(device);
	assert_string_equal(device->name, "tgllp");
	assert_ptr_equal(device, gen_device_find("tgllp"));
	assert_int_equal(device->pci_id, 0x9a49);
	assert_int_equal(gen_device_threads(device), 768);
	assert_int_equal(device->timestamp_hz, 19200000);
}

static void refuses_unknown_names(void **state)
{
	(void)state;
	assert_null(gen_device_find(""));
	assert_null(gen_device_find("tgl"));
	assert_null(gen_device_find("TGLLP"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_default),
		cmocka_unit_test(refuses_unknown_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
