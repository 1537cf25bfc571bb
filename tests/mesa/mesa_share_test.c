// SPDX-License-Identifier: MIT
/*
 * Memory that Vulkan and OpenCL share by dma_buf and by opaque descriptor, in one process and
 * between two: Vulkan computes, OpenCL reads that and computes with it, Vulkan reads the result.
 * Between two processes, Vulkan shares memory by opaque descriptors too, and semaphores not at all.
 */
#include "mesa_vulkan.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cl/cl_case.h"
#include "mesa_case.h"

#define CHILD_VARIABLE "MESA_SHARE_CHILD"
enum { WORDS = MESA_MOST_ITEMS * MESA_OUTS + 8 };

static const char source[] =
	"kernel void step(global uint *p) { uint i = get_global_id(0); p[i] = p[i] * 3 + i; }\n"
	"kernel void turn(read_write image2d_t t)\n"
	"{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"  write_imageui(t, at, read_imageui(t, at) * 3 + (uint4)(at.x + 100 * at.y)); }\n";

static struct mesa_vulkan vulkan;
static const struct mesa_case *const which = &mesa_cases[0];
static uint32_t a[MESA_MOST_ITEMS], b[MESA_MOST_ITEMS], result[WORDS];

/* The handles of Vulkan that OpenCL takes. */
static const struct handle {
	VkExternalMemoryHandleTypeFlagBits type;
	cl_external_memory_handle_type_khr cl_type;
	char child; /* the process that computes with such a one */
} handles[] = {
	{ VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
		'd' },
	{ VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
		'o' },
};

/* Room for a descriptor in a message. */
union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr header;
};

static void send_descriptor(int socket, int fd)
{
	union control control = { .header = { CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS } };
	char byte = 0;
	const struct msghdr message = { .msg_iov = &(struct iovec){ &byte, 1 },
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control };

	memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
	assert_int_equal(sendmsg(socket, &message, 0), 1);
}

/* What the parent sends to this process; its variable tells the socket. */
static int receive_descriptor(void)
{
	union control control;
	char byte;
	struct msghdr message = { .msg_iov = &(struct iovec){ &byte, 1 },
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control };
	int fd;

	assert_int_equal(recvmsg(atoi(getenv(CHILD_VARIABLE) + 1), &message, 0), 1);
	assert_int_equal(control.header.cmsg_type, SCM_RIGHTS);
	memcpy(&fd, CMSG_DATA(&control.header), sizeof fd);
	return fd;
}

/* Gives the object to OpenCL, or back. */
static void hand_over(const char *name, cl_mem mem)
{
	const clEnqueueAcquireExternalMemObjectsKHR_fn function =
		(clEnqueueAcquireExternalMemObjectsKHR_fn)(uintptr_t)
			clGetExtensionFunctionAddressForPlatform(cl.platform, name);

	CL(function(cl.queue, 1, &mem, 0, NULL, NULL));
}
#define ACQUIRE "clEnqueueAcquireExternalMemObjectsKHR"
#define RELEASE "clEnqueueReleaseExternalMemObjectsKHR"

/* OpenCL's part: checks what Vulkan has computed, and computes with it. */
static void compute_by_opencl(const struct handle *handle, int fd)
{
	const cl_mem_properties list[] = { handle->cl_type, (cl_mem_properties)fd, 0 };
	cl_kernel step = cl_make_kernel(source, "-cl-std=CL3.0", "step");
	cl_int rc;
	cl_mem mem = clCreateBufferWithProperties(
		cl.context, list, CL_MEM_READ_WRITE, which->words * sizeof *result, NULL, &rc);

	CL(rc);
	hand_over(ACQUIRE, mem);
	memset(result, 0x55, sizeof result);
	cl_read(mem, which->words * sizeof *result, result);
	mesa_case_inputs(which, a, b);
	mesa_case_check(which, MESA_VULKAN, 8, a, b, result);
	cl_set_buffer(step, 0, mem);
	cl_launch(step, which->words, 0);
	hand_over(RELEASE, mem);
	CL(clFinish(cl.queue));
	CL(clReleaseMemObject(mem));
	cl_kernel_done(step);
}

/* Another process with a device of its own, and with a descriptor: what it does is named. */
static void child_opencl(void **state)
{
	(void)state;
	compute_by_opencl(
		&handles[*getenv(CHILD_VARIABLE) == handles[1].child], receive_descriptor());
}

static void child_memory(void **state)
{
	const int fd = receive_descriptor();
	struct mesa_buffer buffer =
		mesa_buffer_share(&vulkan, WORDS, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, fd);

	(void)state;
	for (uint32_t i = 0; i < WORDS; i++)
		assert_int_equal(buffer.words[i], i);
	VkCommandBuffer commands = mesa_begin(&vulkan);
	vkCmdFillBuffer(commands, buffer.buffer, 0, VK_WHOLE_SIZE, 0x5eed);
	mesa_finish(&vulkan, commands);
	mesa_buffer_free(&vulkan, &buffer);
}

static VkSemaphore make_semaphore(VkExternalSemaphoreHandleTypeFlagBits type)
{
	const VkExportSemaphoreCreateInfo exported = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, .handleTypes = type
	};
	const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &exported };
	VkSemaphore semaphore;

	VK(vkCreateSemaphore(vulkan.device, &info, NULL, &semaphore));
	return semaphore;
}

static VkResult import_semaphore(
	VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type, int fd)
{
	const VkImportSemaphoreFdInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
		.semaphore = semaphore,
		.flags = type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT
				 ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT
				 : 0,
		.handleType = type,
		.fd = fd
	};
	const PFN_vkImportSemaphoreFdKHR import =
		(PFN_vkImportSemaphoreFdKHR)(uintptr_t)vkGetDeviceProcAddr(
			vulkan.device, "vkImportSemaphoreFdKHR");

	return import(vulkan.device, &info);
}

static const VkExternalSemaphoreHandleTypeFlagBits semaphores[] = {
	VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
	VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT
};

static void child_semaphore(void **state)
{
	const VkExternalSemaphoreHandleTypeFlagBits type =
		semaphores[*getenv(CHILD_VARIABLE) == 'f'];
	VkSemaphore semaphore = make_semaphore(type);

	(void)state;
	/* Mesa 22.3 names the kernel's refusal VK_ERROR_UNKNOWN */
	assert_true(import_semaphore(semaphore, type, receive_descriptor()) < 0);
	/* the device works on */
	struct mesa_buffer buffer = mesa_buffer_make(&vulkan, 64);
	VkCommandBuffer commands = mesa_begin(&vulkan);
	vkCmdFillBuffer(commands, buffer.buffer, 0, VK_WHOLE_SIZE, 0x5eed);
	mesa_finish(&vulkan, commands);
	assert_int_equal(buffer.words[63], 0x5eed);
	mesa_buffer_free(&vulkan, &buffer);
	vkDestroySemaphore(vulkan.device, semaphore, NULL);
}

/* Sends the descriptor, which it closes, to a new process. */
static void run_child(char what, int fd)
{
	extern char **environ;
	char number[16], *const argv[] = { "mesa_share_test", NULL };
	int status = -1, ends[2];
	pid_t pid;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
	send_descriptor(ends[0], fd);
	snprintf(number, sizeof number, "%c%d", what, ends[1]);
	assert_int_equal(setenv(CHILD_VARIABLE, number, 1), 0);
	assert_int_equal(posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ), 0);
	assert_int_equal(unsetenv(CHILD_VARIABLE), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(ends[0]);
	close(ends[1]);
	close(fd);
}

static void compute_by_child(const struct handle *handle, int fd)
{
	run_child(handle->child, fd);
}

static int export_memory(VkDeviceMemory memory, VkExternalMemoryHandleTypeFlagBits type)
{
	const VkMemoryGetFdInfoKHR info = { .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
		.memory = memory,
		.handleType = type };
	const PFN_vkGetMemoryFdKHR get = (PFN_vkGetMemoryFdKHR)(uintptr_t)vkGetDeviceProcAddr(
		vulkan.device, "vkGetMemoryFdKHR");
	int fd = -1;

	VK(get(vulkan.device, &info, &fd));
	return fd;
}

static void share(const struct handle *handle, void (*compute)(const struct handle *, int fd))
{
	struct mesa_buffer buffers[3] = { mesa_buffer_make(&vulkan, which->items),
		mesa_buffer_make(&vulkan, which->items),
		mesa_buffer_share(&vulkan, which->words, handle->type, -1) };
	struct mesa_buffer copy = mesa_buffer_make(&vulkan, which->words);
	struct mesa_shader shader = mesa_shader_make(&vulkan, which->name, 0, 0);
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
	compute(handle, export_memory(buffers[2].memory, handle->type));
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
	share(*state, compute_by_opencl);
}

static void between_two(void **state)
{
	share(*state, compute_by_child);
}

static void opaque_memory(void **state)
{
	const VkExternalMemoryHandleTypeFlagBits type =
		VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
	struct mesa_buffer buffer = mesa_buffer_share(&vulkan, WORDS, type, -1);

	(void)state;
	for (uint32_t i = 0; i < WORDS; i++)
		buffer.words[i] = i;
	run_child('m', export_memory(buffer.memory, type));
	for (uint32_t i = 0; i < WORDS; i++)
		assert_int_equal(buffer.words[i], 0x5eed);
	mesa_buffer_free(&vulkan, &buffer);
}

/* Signals a semaphore, and waits for it if it is the second. */
static void submit(VkSemaphore signal, VkSemaphore wait)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.waitSemaphoreCount = wait != VK_NULL_HANDLE,
		.pWaitSemaphores = &wait,
		.pWaitDstStageMask = &stage,
		.signalSemaphoreCount = signal != VK_NULL_HANDLE,
		.pSignalSemaphores = &signal };

	VK(vkQueueSubmit(vulkan.queue, 1, &info, VK_NULL_HANDLE));
}

/* Another process is told that a semaphore's descriptor means nothing to it, and it is as before.
 */
static void semaphores_stay(void **state)
{
	const PFN_vkGetSemaphoreFdKHR get = (PFN_vkGetSemaphoreFdKHR)(uintptr_t)vkGetDeviceProcAddr(
		vulkan.device, "vkGetSemaphoreFdKHR");

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		VkSemaphore semaphore = make_semaphore(semaphores[i]), other;
		const VkSemaphoreGetFdInfoKHR info = {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
			.semaphore = semaphore,
			.handleType = semaphores[i]
		};
		int fd = -1;

		submit(semaphore, VK_NULL_HANDLE);
		VK(get(vulkan.device, &info, &fd));
		run_child(i ? 'f' : 's', dup(fd));
		other = make_semaphore(semaphores[i]);
		VK(import_semaphore(other, semaphores[i], fd));
		submit(VK_NULL_HANDLE, other);
		VK(vkQueueWaitIdle(vulkan.queue));
		vkDestroySemaphore(vulkan.device, semaphore, NULL);
		vkDestroySemaphore(vulkan.device, other, NULL);
	}
}

enum { WIDTH = 67, HEIGHT = 41, TEXELS = WIDTH * HEIGHT };

/* An image with its texels in rows, in memory that can be exported. */
static VkImage make_image(const struct handle *handle, VkDeviceMemory *memory, size_t *row_pitch)
{
	const VkExternalMemoryImageCreateInfo external = {
		.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
		.handleTypes = handle->type
	};
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.pNext = &external,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R32_UINT,
		.extent = { WIDTH, HEIGHT, 1 },
		.mipLevels = 1,
		.arrayLayers = 1,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.tiling = VK_IMAGE_TILING_LINEAR,
		.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	const VkImageSubresource first = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 };
	VkSubresourceLayout layout;
	VkMemoryRequirements needs;
	VkImage image;

	VK(vkCreateImage(vulkan.device, &info, NULL, &image));
	vkGetImageMemoryRequirements(vulkan.device, image, &needs);
	const VkExportMemoryAllocateInfo exported = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = handle->type
	};
	const VkMemoryAllocateInfo allocate = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = &exported,
		.allocationSize = needs.size,
		.memoryTypeIndex = mesa_memory_type(&vulkan, needs.memoryTypeBits, true) };
	VK(vkAllocateMemory(vulkan.device, &allocate, NULL, memory));
	VK(vkBindImageMemory(vulkan.device, image, *memory, 0));
	vkGetImageSubresourceLayout(vulkan.device, image, &first, &layout);
	assert_int_equal(layout.offset, 0);
	*row_pitch = layout.rowPitch;
	return image;
}

static void turn_image(const struct handle *handle, int fd, size_t row_pitch)
{
	const cl_mem_properties list[] = { handle->cl_type, (cl_mem_properties)fd, 0 };
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = WIDTH,
		.image_height = HEIGHT,
		.image_row_pitch = row_pitch };
	const size_t global[2] = { WIDTH, HEIGHT };
	cl_kernel turn = cl_make_kernel(source, "-cl-std=CL3.0", "turn");
	cl_int rc;
	cl_mem image = clCreateImageWithProperties(
		cl.context, list, CL_MEM_READ_WRITE, &format, &desc, NULL, &rc);

	CL(rc);
	hand_over(ACQUIRE, image);
	CL(clSetKernelArg(turn, 0, sizeof image, &image));
	CL(clEnqueueNDRangeKernel(cl.queue, turn, 2, NULL, global, NULL, 0, NULL, NULL));
	hand_over(RELEASE, image);
	CL(clFinish(cl.queue));
	CL(clReleaseMemObject(image));
	cl_kernel_done(turn);
}

/* Texels that Vulkan has copied into an image are OpenCL's image, and Vulkan copies the result. */
static void images(void **state)
{
	const VkBufferImageCopy all = { .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.imageExtent = { WIDTH, HEIGHT, 1 } };
	const VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
	const struct handle *handle = *state;
	struct mesa_buffer from = mesa_buffer_make(&vulkan, TEXELS),
			   to = mesa_buffer_make(&vulkan, TEXELS);
	VkDeviceMemory memory;
	size_t row_pitch;
	VkImage image = make_image(handle, &memory, &row_pitch);
	const VkImageMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.newLayout = layout,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = image,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 } };

	for (uint32_t i = 0; i < TEXELS; i++)
		from.words[i] = i * 0x9e3779b9u + 1;
	VkCommandBuffer commands = mesa_begin(&vulkan);
	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
	vkCmdCopyBufferToImage(commands, from.buffer, image, layout, 1, &all);
	mesa_finish(&vulkan, commands);
	turn_image(handle, export_memory(memory, handle->type), row_pitch);
	commands = mesa_begin(&vulkan);
	vkCmdCopyImageToBuffer(commands, image, layout, to.buffer, 1, &all);
	mesa_finish(&vulkan, commands);
	for (uint32_t i = 0; i < TEXELS; i++)
		assert_int_equal(to.words[i], from.words[i] * 3 + i % WIDTH + 100 * (i / WIDTH));
	vkDestroyImage(vulkan.device, image, NULL);
	vkFreeMemory(vulkan.device, memory, NULL);
	mesa_buffer_free(&vulkan, &from);
	mesa_buffer_free(&vulkan, &to);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest opencl[] = { cmocka_unit_test(child_opencl) };
	const struct CMUnitTest memory[] = { cmocka_unit_test(child_memory) };
	const struct CMUnitTest semaphore[] = { cmocka_unit_test(child_semaphore) };
	const char *as_child = getenv(CHILD_VARIABLE);
	const struct CMUnitTest tests[] = {
#define SHARED(test, i) { #test, test, NULL, NULL, (void *)(uintptr_t)&handles[i] }
		SHARED(in_one_process, 0),
		SHARED(between_two, 0),
		SHARED(images, 0),
		SHARED(in_one_process, 1),
		SHARED(between_two, 1),
		SHARED(images, 1),
		cmocka_unit_test(opaque_memory),
		cmocka_unit_test(semaphores_stay),
		SHARED(in_one_process, 0),
	};

	if (as_child && (as_child[0] == handles[0].child || as_child[0] == handles[1].child))
		return CL_RUN(argc, argv, opencl);
	if (!mesa_vulkan_open(&vulkan, 0) || !vulkan.external) {
		printf("skipped: no Vulkan device exports dma_bufs\n");
		return 77;
	}
	int rc = !as_child	      ? CL_RUN(argc, argv, tests)
		 : as_child[0] == 'm' ? cmocka_run_group_tests(memory, NULL, NULL)
				      : cmocka_run_group_tests(semaphore, NULL, NULL);
	mesa_vulkan_close(&vulkan);
	return rc;
}
