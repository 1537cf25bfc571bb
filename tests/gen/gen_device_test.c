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
	assert_int_equal(device->family->timestamp_hz, 19200000);
}

/* Names and PCI ids are unique, and a topology fits the numbers that the hardware has for it. */
static void rows_are_sound(void **state)
{
	const struct gen_device *row, *other;

	(void)state;
	for (unsigned i = 0; (row = gen_device_row(i)); i++) {
		assert_ptr_equal(gen_device_find(row->name), row);
		assert_in_range(gen_device_threads(row), 1, 1 << 12);
		assert_int_equal(row->subslices % row->slices, 0);
		assert_true(row->family->engines >> GEN_ENGINE_RCS0 & 1);
		assert_true(row->max_frequency_mhz >= 300);
		assert_int_equal(
			row->local_memory_bytes != 0, row->family->engines >> GEN_ENGINE_CCS0 & 1);
		for (unsigned j = 0; j < i && (other = gen_device_row(j)); j++)
			assert_int_not_equal(other->pci_id, row->pci_id);
	}
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
		cmocka_unit_test(rows_are_sound),
		cmocka_unit_test(refuses_unknown_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
