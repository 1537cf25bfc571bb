// SPDX-License-Identifier: MIT
#include "test.h"

#include "l0/l0_memory.h"
#include "l0/l0_module.h"
#include "l0/l0_private.h"
#include "l0_fake.h"
#include "zerocl_vgpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct l0_context *context;

static int setup(void **state)
{
	(void)state;
	l0_fake = (struct l0_fake){ 0 };
	return l0_context_create(1, &(struct l0_device *){ l0_device_open(0) }, &context);
}

static int teardown(void **state)
{
	(void)state;
	l0_context_destroy(context);
	assert_int_equal(l0_fake.live, 0);
	return 0;
}

static void a_build_has_a_log(void **state)
{
	struct l0_module *module = NULL;
	char *log = (char *)1;

	(void)state;
	l0_fake.log = "1:1: error: no";
	l0_fake.build_result = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
	assert_int_equal(l0_module_create(context, L0_MODULE_SPIRV, "x", 1, "", &module, &log),
		CL_BUILD_PROGRAM_FAILURE);
	assert_null(module);
	assert_string_equal(log, "1:1: error: no");
	free(log);
	l0_fake.build_result = 0;
	l0_fake.log = NULL;
	assert_int_equal(l0_module_create(context, L0_MODULE_SPIRV, "x", 1, "", &module, &log), 0);
	assert_string_equal(log, "");
	free(log);
	l0_module_destroy(module);
	l0_module_destroy(NULL);
}

static struct {
	unsigned named, forgotten;
	uint64_t address, memory;
	size_t size, n_lines;
	uint32_t last_line;
	char kernel[16];
} told;
static int names_wanted;

static int wants_names(void)
{
	return names_wanted;
}

static int name_code(uint64_t address, size_t size, const struct zerocl_vgpu_code *code)
{
	told.named++;
	told.address = address;
	told.size = size;
	told.n_lines = code->n_lines;
	told.last_line = code->n_lines ? code->lines[code->n_lines - 1].line : 0;
	snprintf(told.kernel, sizeof told.kernel, "%s", code->kernel);
	return strcmp(code->kernel, "unlucky") ? 0 : -12;
}

static void forget_code(uint64_t address)
{
	assert_true(address == 0x3000 || address == 0x4000);
	told.forgotten++;
}

static int name_memory(uint64_t address, size_t size)
{
	told.memory = address;
	told.size = size;
	return 0;
}

static void forget_memory(uint64_t address)
{
	assert_int_equal(address, told.memory);
	told.memory = 0;
}

/* The device is told how large allocations are, if it wants to know. */
static void memory_has_a_size_while_it_is_there(void **state)
{
	struct l0_vgpu *vgpu = &l0_device_open(0)->vgpu, old = *vgpu;
	void *address;

	(void)state;
	*vgpu = (struct l0_vgpu){ .wants_names = wants_names,
		.name_memory = name_memory,
		.forget_memory = forget_memory };
	for (int wanted = 0; wanted < 2; wanted++) {
		names_wanted = wanted ? ZEROCL_VGPU_NAMES_MEMORY : ZEROCL_VGPU_NAMES_CODE;
		assert_int_equal(l0_memory_alloc(context, L0_MEMORY_SHARED, 77, 0, &address), 0);
		assert_int_equal(l0_memory_is_checked(context), wanted);
		assert_int_equal(told.memory, wanted ? (uintptr_t)address : 0);
		assert_int_equal(told.size, wanted ? 77 : 0);
		l0_memory_free(context, address);
		assert_int_equal(told.memory, 0);
	}
	l0_memory_free(context, NULL);
	names_wanted = 0;
	*vgpu = old;
}

static void name(struct l0_module *module, const char *kernel, size_t size,
	const struct l0_line *lines, size_t n_lines)
{
	const struct l0_code code = {
		.kernel = kernel, .size = size, .lines = lines, .n_lines = n_lines
	};

	l0_module_name_kernel(module, &code);
}

static void code_has_names_while_it_is_there(void **state)
{
	const struct l0_line lines[2] = { { 0, 5, 1 }, { 32, 7, 3 } };
	struct l0_vgpu *vgpu = &l0_device_open(0)->vgpu, old = *vgpu;
	struct l0_module *module = NULL;

	(void)state;
	assert_int_equal(l0_module_create(context, L0_MODULE_NATIVE, "x", 1, "", &module, NULL), 0);
	vgpu->wants_names = NULL;
	assert_false(l0_module_wants_names(module));
	*vgpu = (struct l0_vgpu){
		.wants_names = wants_names, .name_code = name_code, .forget_code = forget_code
	};
	assert_false(l0_module_wants_names(module));
	names_wanted = ZEROCL_VGPU_NAMES_CODE;
	assert_true(l0_module_wants_names(module));
	name(module, "one", 96, lines, 2);
	assert_int_equal(told.address, 0x3000);
	assert_int_equal(told.size, 96);
	assert_int_equal(told.n_lines, 2);
	assert_int_equal(told.last_line, 7);
	assert_string_equal(told.kernel, "one");
	name(module, "nobody", 96, lines, 2);
	name(module, "two", 0, NULL, 0);
	assert_int_equal(told.named, 1);
	name(module, "unlucky", 96, NULL, 0);
	name(module, "four", 32, NULL, 0);
	assert_int_equal(told.named, 3);
	assert_int_equal(told.n_lines, 0);
	l0_module_destroy(module);
	assert_int_equal(told.forgotten, 2);
	names_wanted = 0;
	*vgpu = old;
}

static void kernels_keep_what_was_set(void **state)
{
	struct l0_module *module;
	struct l0_kernel *kernel;
	const size_t size[3] = { 8, 1, 1 }, none[3] = { 0 }, far[3] = { 0, (size_t)1 << 32, 0 };
	const size_t offset[3] = { 4, 0, 0 };
	uint32_t group[3];

	(void)state;
	assert_int_equal(
		l0_module_create(context, L0_MODULE_NATIVE, "x", 1, NULL, &module, NULL), 0);
	assert_int_equal(l0_kernel_create(module, "nothing", &kernel), CL_INVALID_KERNEL_NAME);
	assert_int_equal(l0_kernel_create(module, "set", &kernel), CL_SUCCESS);
	assert_int_equal(l0_kernel_info(kernel)->n_args, 2);
	assert_int_equal(l0_kernel_info(kernel)->max_sub_group_size, 16);
	assert_int_equal(l0_kernel_max_group_size(kernel), 512);
	assert_int_equal(l0_kernel_set_arg(kernel, 99, 4, size), CL_INVALID_ARG_INDEX);
	assert_int_equal(l0_kernel_set_arg(kernel, 0, 1000, size), CL_INVALID_ARG_SIZE);
	assert_int_equal(
		l0_kernel_suggest_group_size(kernel, far, group), CL_INVALID_GLOBAL_WORK_SIZE);
	assert_int_equal(l0_kernel_set_offset(kernel, far), CL_INVALID_GLOBAL_OFFSET);

	unsigned calls = l0_fake.calls;
	assert_int_equal(l0_kernel_set_offset(kernel, none), CL_SUCCESS);
	assert_int_equal(l0_fake.calls, calls);
	assert_int_equal(l0_kernel_set_group_size(kernel, size), CL_SUCCESS);
	assert_int_equal(l0_kernel_set_group_size(kernel, size), CL_SUCCESS);
	assert_int_equal(l0_fake.calls, calls + 1);
	/* what a failure left is not taken for set */
	l0_fake.fail_after = 1;
	assert_int_equal(l0_kernel_set_offset(kernel, offset), CL_OUT_OF_HOST_MEMORY);
	assert_int_equal(l0_kernel_set_offset(kernel, none), CL_SUCCESS);
	assert_int_equal(l0_fake.calls, calls + 3);
	/* a driver without the extension */
	l0_device_open(0)->info.can.global_offset = false;
	assert_int_equal(l0_kernel_set_offset(kernel, offset), CL_INVALID_GLOBAL_OFFSET);
	assert_int_equal(l0_kernel_set_offset(kernel, none), CL_SUCCESS);
	l0_device_open(0)->info.can.global_offset = true;
	l0_kernel_destroy(kernel);
	l0_module_destroy(module);
}

static void memory_of_each_kind(void **state)
{
	void *memory;

	(void)state;
	for (int kind = L0_MEMORY_SHARED; kind <= L0_MEMORY_DEVICE; kind++) {
		assert_int_equal(
			l0_memory_alloc(context, (enum l0_memory_kind)kind, 100, 64, &memory),
			CL_SUCCESS);
		memset(memory, kind, kind == L0_MEMORY_DEVICE ? 0 : 100);
		l0_memory_free(context, memory);
	}
	assert_int_equal(l0_memory_alloc(context, L0_MEMORY_SHARED, (size_t)1 << 40, 64, &memory),
		CL_INVALID_BUFFER_SIZE);
	l0_memory_free(context, NULL);
}

static void events_are_recycled(void **state)
{
	struct l0_event *events[300];
	struct l0_queue *queue;

	assert_int_equal(l0_queue_create(context, L0_PRIORITY_NORMAL, &queue), CL_SUCCESS);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 300; i++) {
			assert_int_equal(l0_queue_event(queue, i % 2, &events[i]), CL_SUCCESS);
			assert_false(l0_event_signalled(events[i]));
			for (int j = 0; j < i; j++)
				assert_ptr_not_equal(events[i], events[j]);
			l0_event_release(l0_event_retain(events[i]));
		}
		if (round)
			assert_int_equal(l0_fake.live, *(int *)*state);
		static int live;
		live = l0_fake.live;
		*state = &live;
		for (int i = 0; i < 300; i++)
			l0_event_release(events[i]);
	}
	l0_queue_destroy(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_build_has_a_log, setup, teardown),
		cmocka_unit_test_setup_teardown(
			memory_has_a_size_while_it_is_there, setup, teardown),
		cmocka_unit_test_setup_teardown(code_has_names_while_it_is_there, setup, teardown),
		cmocka_unit_test_setup_teardown(kernels_keep_what_was_set, setup, teardown),
		cmocka_unit_test_setup_teardown(memory_of_each_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(events_are_recycled, setup, teardown),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
