// SPDX-License-Identifier: MIT
/*
 * Memory that Vulkan and OpenCL share by dma_buf, in one process and between two: Vulkan computes,
 * OpenCL reads that and computes with it, Vulkan reads the result.
 */
#include "mesa_vulkan.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cl/cl_case.h"
#include "mesa_case.h"

#define CHILD_VARIABLE "MESA_SHARE_CHILD"
enum { WORDS = MESA_MOST_ITEMS * MESA_OUTS + 8 };

static const char source[] =
	"kernel void step(global uint *p) { uint i = get_global_id(0); p[i] = p[i] * 3 + i; }\n";

static struct mesa_vulkan vulkan;
static const struct mesa_case *const which = &mesa_cases[0];
static uint32_t a[MESA_MOST_ITEMS], b[MESA_MOST_ITEMS], result[WORDS];

static void *function_of(const char *name)
{
	return clGetExtensionFunctionAddressForPlatform(cl.platform, name);
}

/* OpenCL's part: checks what Vulkan has computed, and computes with it. */
static void compute_by_opencl(int fd)
{
	const clEnqueueAcquireExternalMemObjectsKHR_fn acquire =
		(clEnqueueAcquireExternalMemObjectsKHR_fn)(uintptr_t)function_of(
			"clEnqueueAcquireExternalMemObjectsKHR");
	const clEnqueueReleaseExternalMemObjectsKHR_fn release =
		(clEnqueueReleaseExternalMemObjectsKHR_fn)(uintptr_t)function_of(
			"clEnqueueReleaseExternalMemObjectsKHR");
	const cl_mem_properties list[] = { CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
		(cl_mem_properties)fd, 0 };
	cl_kernel step = cl_make_kernel(source, "", "step");
	cl_int rc;
	cl_mem mem = clCreateBufferWithProperties(
		cl.context, list, CL_MEM_READ_WRITE, which->words * sizeof *result, NULL, &rc);

	CL(rc);
	CL(acquire(cl.queue, 1, &mem, 0, NULL, NULL));
	memset(result, 0x55, sizeof result);
	cl_read(mem, which->words * sizeof *result, result);
	mesa_case_inputs(which, a, b);
	mesa_case_check(which, MESA_VULKAN, 8, a, b, result);
	cl_set_buffer(step, 0, mem);
	cl_launch(step, which->words, 0);
	CL(release(cl.queue, 1, &mem, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	CL(clReleaseMemObject(mem));
	cl_kernel_done(step);
}

static void child(void **state)
{
	(void)state;
	compute_by_opencl(atoi(getenv(CHILD_VARIABLE)));
}

static void compute_by_child(int fd)
{
	extern char **environ;
	char number[16], *const argv[] = { "mesa_share_test", NULL };
	int status = -1;
	pid_t pid;

	snprintf(number, sizeof number, "%d", fd);
	assert_int_equal(setenv(CHILD_VARIABLE, number, 1), 0);
	assert_int_equal(posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ), 0);
	assert_int_equal(unsetenv(CHILD_VARIABLE), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(fd);
}

/* A descriptor of the buffer's memory, which other processes inherit. */
static int export_buffer(const struct mesa_buffer *buffer)
{
	const VkMemoryGetFdInfoKHR info = { .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
		.memory = buffer->memory,
		.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT };
	const PFN_vkGetMemoryFdKHR get = (PFN_vkGetMemoryFdKHR)(uintptr_t)vkGetDeviceProcAddr(
		vulkan.device, "vkGetMemoryFdKHR");
	int fd = -1, copy;

	VK(get(vulkan.device, &info, &fd));
	copy = dup(fd);
	assert_true(copy >= 0);
	close(fd);
	return copy;
}

static void share(void (*compute)(int fd))
{
	struct mesa_buffer buffers[3] = { mesa_buffer_make(&vulkan, which->items),
		mesa_buffer_make(&vulkan, which->items),
		mesa_buffer_share(&vulkan, which->words,
			VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, -1) };
	struct mesa_buffer copy = mesa_buffer_make(&vulkan, which->words);
	struct mesa_shader shader = mesa_shader_make(&vulkan, which->name, 0);
	const VkBufferCopy all = { 0, 0, which->words * sizeof *result };

	mesa_case_inputs(which, a, b);
	memcpy(buffers[0].words, a, which->items * sizeof *a);
	memcpy(buffers[1].words, b, which->items * sizeof *b);
	mesa_shader_buffers(&vulkan, &shader, buffers);
	VkCommandBuffer commands = mesa_begin(&vulkan);
	mesa_bind(commands, &shader, which->items);
	vkCmdDispatch(commands, (which->items + which->group - 1) / which->group, 1, 1);
	mesa_finish(&vulkan, commands);
	memcpy(result, buffers[2].words, all.size);

	uint32_t *wanted = malloc(all.size);
	for (uint32_t i = 0; i < which->words; i++)
		wanted[i] = result[i] * 3 + i;
	compute(export_buffer(&buffers[2]));
	commands = mesa_begin(&vulkan);
	vkCmdCopyBuffer(commands, buffers[2].buffer, copy.buffer, 1, &all);
	mesa_finish(&vulkan, commands);
	assert_memory_equal(copy.words, wanted, all.size);
	free(wanted);
	for (unsigned i = 0; i < 3; i++)
		mesa_buffer_free(&vulkan, &buffers[i]);
	mesa_buffer_free(&vulkan, &copy);
	mesa_shader_free(&vulkan, &shader);
}

static void in_one_process(void **state)
{
	(void)state;
	share(compute_by_opencl);
}

static void between_two(void **state)
{
	(void)state;
	share(compute_by_child);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest children[] = { cmocka_unit_test(child) };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_one_process),
		cmocka_unit_test(between_two),
		cmocka_unit_test(in_one_process),
	};

	if (getenv(CHILD_VARIABLE))
		return CL_RUN(argc, argv, children);
	if (!mesa_vulkan_open(&vulkan) || !vulkan.external) {
		printf("skipped: no Vulkan device exports dma_bufs\n");
		return 77;
	}
	int rc = CL_RUN(argc, argv, tests);
	mesa_vulkan_close(&vulkan);
	return rc;
}
