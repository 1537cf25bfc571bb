// SPDX-License-Identifier: MIT
#include "mesa_vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Kernels of Mesa's that fault: one reads memory that is gone, one does not end. Vulkan loses that
 * device with VK_ERROR_DEVICE_LOST, and another device of the same process computes. It needs
 * ZEROCL_VGPU_HANG_MS.
 */

enum { WORDS = 64, GO = 7 };

/* Runs the kernel, on a device of its own. `free_source`: the buffer that it reads has no memory.
 */
static VkResult run(bool free_source, uint32_t go, bool *copied)
{
	struct mesa_vulkan vulkan;
	struct mesa_buffer buffers[3];

	assert_true(mesa_vulkan_open(&vulkan, 0));
	struct mesa_shader shader = mesa_shader_make(&vulkan, "endless", 0, 0);
	for (unsigned i = 0; i < 3; i++)
		buffers[i] = mesa_buffer_make(&vulkan, WORDS);
	buffers[0].words[0] = go;
	for (uint32_t i = 0; i < WORDS; i++)
		buffers[1].words[i] = i * 3;
	mesa_shader_buffers(&vulkan, &shader, buffers);
	VkCommandBuffer commands = mesa_begin(&vulkan);
	mesa_bind(commands, &shader, GO);
	vkCmdDispatch(commands, WORDS / 8, 1, 1);
	mesa_barrier(commands);
	VK(vkEndCommandBuffer(commands));
	if (free_source) {
		vkFreeMemory(vulkan.device, buffers[1].memory, NULL);
		buffers[1].memory = VK_NULL_HANDLE;
	}
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &commands };
	VkResult result = vkQueueSubmit(vulkan.queue, 1, &submit, VK_NULL_HANDLE);
	if (result == VK_SUCCESS)
		result = vkQueueWaitIdle(vulkan.queue);
	*copied = true;
	for (uint32_t i = 0; i < WORDS; i++)
		*copied &= buffers[2].words[i] == i * 3;
	for (unsigned i = 0; i < 3; i++)
		mesa_buffer_free(&vulkan, &buffers[i]);
	mesa_shader_free(&vulkan, &shader);
	mesa_vulkan_close(&vulkan);
	return result;
}

static void a_kernel_computes(void **state)
{
	bool copied;

	(void)state;
	assert_int_equal(run(false, GO, &copied), VK_SUCCESS);
	assert_true(copied);
}

static void memory_is_gone(void **state)
{
	bool copied;

	(void)state;
	assert_int_equal(run(true, GO, &copied), VK_ERROR_DEVICE_LOST);
	assert_false(copied);
}

static void a_kernel_does_not_end(void **state)
{
	bool copied;

	(void)state;
	assert_int_equal(run(false, GO + 1, &copied), VK_ERROR_DEVICE_LOST);
	assert_false(copied);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_computes),
		cmocka_unit_test(memory_is_gone),
		cmocka_unit_test(a_kernel_computes),
		cmocka_unit_test(a_kernel_does_not_end),
		cmocka_unit_test(a_kernel_computes),
	};
	struct mesa_vulkan vulkan;

	if (!mesa_vulkan_open(&vulkan, 0) ||
		!strstr(vulkan.properties.deviceName, argc > 1 ? argv[1] : "")) {
		printf("skipped: there is no Vulkan device %s\n", argc > 1 ? argv[1] : "");
		return 77;
	}
	mesa_vulkan_close(&vulkan);
	return cmocka_run_group_tests_name("mesa_fault", tests, NULL, NULL);
}
