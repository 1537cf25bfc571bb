// SPDX-License-Identifier: MIT
#include "mesa_vulkan.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesa_case.h"

/*
 * Vulkan's compute, copies and synchronization, on whichever device comes first: ANV on the virtual
 * device, lavapipe on the host's processor. All that is computed is compared with mesa_case.c.
 */

static struct mesa_vulkan vulkan;

/* One case with sub-groups of one size, 0: the driver's choice. */
struct row {
	const struct mesa_case *which;
	uint32_t simd;
	char name[32];
};

static void compute(void **state)
{
	const struct row *row = *state;
	const struct mesa_case *which = row->which;
	uint32_t a[MESA_MOST_ITEMS], b[MESA_MOST_ITEMS];
	struct mesa_buffer buffers[3] = { mesa_buffer_make(&vulkan, which->items),
		mesa_buffer_make(&vulkan, which->items), mesa_buffer_make(&vulkan, which->words) };
	struct mesa_shader shader = mesa_shader_make(&vulkan, which->name, row->simd, 0);

	mesa_case_inputs(which, a, b);
	memcpy(buffers[0].words, a, which->items * sizeof *a);
	memcpy(buffers[1].words, b, which->items * sizeof *b);
	if (which->prepare)
		which->prepare(buffers[2].words);
	mesa_shader_buffers(&vulkan, &shader, buffers);
	VkCommandBuffer commands = mesa_begin(&vulkan);
	mesa_bind(commands, &shader, which->items);
	vkCmdDispatch(commands, (which->items + which->group - 1) / which->group, 1, 1);
	mesa_finish(&vulkan, commands);
	mesa_case_check(which, MESA_VULKAN, row->simd ? row->simd : vulkan.simd_usual, a, b,
		buffers[2].words);
	for (unsigned i = 0; i < 3; i++)
		mesa_buffer_free(&vulkan, &buffers[i]);
	mesa_shader_free(&vulkan, &shader);
}

/* The number of groups comes from memory that the device itself has written. */
static void indirect(void **state)
{
	const struct mesa_case *which = &mesa_cases[0];
	uint32_t a[MESA_MOST_ITEMS], b[MESA_MOST_ITEMS];
	const uint32_t groups[3] = { (which->items + which->group - 1) / which->group, 1, 1 };
	struct mesa_buffer buffers[3] = { mesa_buffer_make(&vulkan, which->items),
		mesa_buffer_make(&vulkan, which->items), mesa_buffer_make(&vulkan, which->words) };
	struct mesa_buffer sizes = mesa_buffer_make(&vulkan, 8);
	struct mesa_shader shader = mesa_shader_make(&vulkan, which->name, 0, 0);
	const VkQueryPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_TIMESTAMP,
		.queryCount = 2 };
	uint64_t times[2] = { 0, 0 };
	VkQueryPool queries;

	(void)state;
	mesa_case_inputs(which, a, b);
	memcpy(buffers[0].words, a, which->items * sizeof *a);
	memcpy(buffers[1].words, b, which->items * sizeof *b);
	mesa_shader_buffers(&vulkan, &shader, buffers);
	VK(vkCreateQueryPool(vulkan.device, &info, NULL, &queries));
	VkCommandBuffer commands = mesa_begin(&vulkan);
	vkCmdResetQueryPool(commands, queries, 0, 2);
	vkCmdUpdateBuffer(commands, sizes.buffer, 4, sizeof groups, groups);
	mesa_barrier(commands);
	vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
	mesa_bind(commands, &shader, which->items);
	vkCmdDispatchIndirect(commands, sizes.buffer, 4);
	vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
	mesa_finish(&vulkan, commands);
	mesa_case_check(which, MESA_VULKAN, vulkan.simd_usual, a, b, buffers[2].words);
	VK(vkGetQueryPoolResults(vulkan.device, queries, 0, 2, sizeof times, times, 8,
		VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
	assert_true(times[0] > 0 && times[1] >= times[0]);
	vkDestroyQueryPool(vulkan.device, queries, NULL);
	for (unsigned i = 0; i < 3; i++)
		mesa_buffer_free(&vulkan, &buffers[i]);
	mesa_buffer_free(&vulkan, &sizes);
	mesa_shader_free(&vulkan, &shader);
}

/* Copies, fills and updates leave alone what is around them. */
static void copies(void **state)
{
	enum { WORDS = 5000 };
	struct mesa_buffer from = mesa_buffer_make(&vulkan, WORDS),
			   to = mesa_buffer_make(&vulkan, WORDS);
	const VkBufferCopy regions[] = { { 0, 40, 4 }, { 7, 101, 1 }, { 64, 256, 4096 },
		{ 5001, 9003, 777 }, { 13, 12000, 16 } };
	const uint32_t update[] = { 1, 2, 3, 4, 5 };
	uint8_t wanted[WORDS * 4];

	(void)state;
	for (uint32_t i = 0; i < WORDS; i++)
		from.words[i] = i * 0x9e3779b9u;
	memcpy(wanted, to.words, sizeof wanted);
	for (unsigned i = 0; i < sizeof regions / sizeof *regions; i++)
		memcpy(wanted + regions[i].dstOffset, (uint8_t *)from.words + regions[i].srcOffset,
			regions[i].size);
	for (uint32_t i = 3001; i < 3501; i++)
		memcpy(wanted + i * 4, &(uint32_t){ 0x12345678 }, 4);
	memcpy(wanted + 4000 * 4, update, sizeof update);
	memset(wanted + 4900 * 4, 0, (WORDS - 4900) * 4);
	VkCommandBuffer commands = mesa_begin(&vulkan);
	vkCmdCopyBuffer(
		commands, from.buffer, to.buffer, sizeof regions / sizeof *regions, regions);
	vkCmdFillBuffer(commands, to.buffer, 3001 * 4, 500 * 4, 0x12345678);
	vkCmdUpdateBuffer(commands, to.buffer, 4000 * 4, sizeof update, update);
	vkCmdFillBuffer(commands, to.buffer, 4900 * 4, VK_WHOLE_SIZE, 0);
	mesa_finish(&vulkan, commands);
	for (uint32_t i = 0; i < sizeof wanted; i++) {
		uint8_t got = ((uint8_t *)to.words)[i];
		if (got != wanted[i])
			fail_msg("byte %u: 0x%02x, should be 0x%02x", i, got, wanted[i]);
	}
	mesa_buffer_free(&vulkan, &from);
	mesa_buffer_free(&vulkan, &to);
}

/* Buffers to images, a shader that reads and writes them, a clear of one corner by a copy, and
 * back, in whatever order of texels the driver wants. */
static void images_of(VkImageTiling tiling)
{
	enum { WIDTH = 67, HEIGHT = 41, TEXELS = WIDTH * HEIGHT, ADDED = 17 };
	struct mesa_image images[2] = { mesa_image_make(&vulkan, VK_FORMAT_R32_UINT, tiling,
						VK_IMAGE_USAGE_STORAGE_BIT, WIDTH, HEIGHT),
		mesa_image_make(&vulkan, VK_FORMAT_R8G8B8A8_UNORM, tiling,
			VK_IMAGE_USAGE_STORAGE_BIT, WIDTH, HEIGHT) };
	struct mesa_buffer from = mesa_buffer_make(&vulkan, TEXELS),
			   to[2] = { mesa_buffer_make(&vulkan, TEXELS),
				   mesa_buffer_make(&vulkan, TEXELS) };
	struct mesa_shader shader = mesa_shader_make(&vulkan, "image", 0, 3u << MESA_IMAGES);

	for (uint32_t i = 0; i < TEXELS; i++)
		from.words[i] = i * 0x9e3779b9u + 1;
	mesa_shader_buffers(&vulkan, &shader, (struct mesa_buffer[]){ from, to[0], to[1] });
	for (uint32_t i = 0; i < 2; i++)
		mesa_shader_image(&vulkan, &shader, MESA_IMAGES + i, &images[i], VK_NULL_HANDLE);
	VkCommandBuffer commands = mesa_begin(&vulkan);
	for (unsigned i = 0; i < 2; i++) {
		mesa_image_open(commands, &images[i]);
		mesa_image_from_buffer(commands, &images[i], &from);
	}
	mesa_barrier(commands);
	mesa_bind(commands, &shader, ADDED);
	vkCmdDispatch(commands, (WIDTH + 7) / 8, (HEIGHT + 7) / 8, 1);
	mesa_barrier(commands);
	for (unsigned i = 0; i < 2; i++)
		mesa_image_to_buffer(commands, &images[i], &to[i]);
	mesa_finish(&vulkan, commands);
	for (uint32_t i = 0; i < TEXELS; i++) {
		assert_int_equal(to[0].words[i], from.words[i] * 3 + ADDED);
		assert_int_equal(to[1].words[i], __builtin_bswap32(from.words[i]));
	}
	mesa_shader_free(&vulkan, &shader);
	mesa_buffer_free(&vulkan, &from);
	for (unsigned i = 0; i < 2; i++) {
		mesa_buffer_free(&vulkan, &to[i]);
		mesa_image_free(&vulkan, &images[i]);
	}
}

static void tiled_images(void **state)
{
	(void)state;
	images_of(VK_IMAGE_TILING_OPTIMAL);
}

static void linear_images(void **state)
{
	VkImageFormatProperties properties;

	(void)state;
	skip_if(vkGetPhysicalDeviceImageFormatProperties(vulkan.physical, VK_FORMAT_R8G8B8A8_UNORM,
			VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_LINEAR, VK_IMAGE_USAGE_STORAGE_BIT, 0,
			&properties) != VK_SUCCESS);
	images_of(VK_IMAGE_TILING_LINEAR);
}

/* The mean of four bytes at `shift`, of texels that do not lie beyond the edge. */
static unsigned mean(const uint32_t *texels, unsigned width, unsigned height, unsigned x,
	unsigned y, unsigned shift)
{
	unsigned right = x + 1 < width ? x + 1 : x, below = y + 1 < height ? y + 1 : y, sum = 2;

	sum += texels[y * width + x] >> shift & 255;
	sum += texels[y * width + right] >> shift & 255;
	sum += texels[below * width + x] >> shift & 255;
	sum += texels[below * width + right] >> shift & 255;
	return sum / 4;
}

/* An image that is only copied to and sampled, which a driver may compress: single texels, and
 * halfway between four, where the weights of the filter may be a 256th off. */
static void sampled_images(void **state)
{
	enum { WIDTH = 67, HEIGHT = 41, TEXELS = WIDTH * HEIGHT, LEEWAY = 2 };
	struct mesa_image image = mesa_image_make(&vulkan, VK_FORMAT_R8G8B8A8_UNORM,
		VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, WIDTH, HEIGHT);
	struct mesa_buffer buffers[3] = { mesa_buffer_make(&vulkan, TEXELS),
		mesa_buffer_make(&vulkan, TEXELS), mesa_buffer_make(&vulkan, 2 * TEXELS) };
	struct mesa_shader shader = mesa_shader_make(&vulkan, "sample", 0, 1u << MESA_SAMPLED);
	const VkSamplerCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
		.magFilter = VK_FILTER_LINEAR,
		.minFilter = VK_FILTER_LINEAR,
		.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
		.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
		.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE };
	VkSampler sampler;

	(void)state;
	for (uint32_t i = 0; i < TEXELS; i++)
		buffers[0].words[i] = i * 0x9e3779b9u + 1;
	VK(vkCreateSampler(vulkan.device, &info, NULL, &sampler));
	mesa_shader_buffers(&vulkan, &shader, buffers);
	mesa_shader_image(&vulkan, &shader, MESA_SAMPLED, &image, sampler);
	VkCommandBuffer commands = mesa_begin(&vulkan);
	mesa_image_open(commands, &image);
	mesa_image_from_buffer(commands, &image, &buffers[0]);
	mesa_barrier(commands);
	mesa_bind(commands, &shader, 0);
	vkCmdDispatch(commands, (WIDTH + 7) / 8, (HEIGHT + 7) / 8, 1);
	mesa_image_to_buffer(commands, &image, &buffers[1]);
	mesa_finish(&vulkan, commands);
	for (uint32_t i = 0; i < TEXELS; i++) {
		assert_int_equal(buffers[1].words[i], buffers[0].words[i]);
		assert_int_equal(buffers[2].words[2 * i], buffers[0].words[i]);
		for (unsigned shift = 0; shift < 32; shift += 8) {
			unsigned right =
				mean(buffers[0].words, WIDTH, HEIGHT, i % WIDTH, i / WIDTH, shift);
			unsigned got = buffers[2].words[2 * i + 1] >> shift & 255;
			if (got + LEEWAY < right || got > right + LEEWAY)
				fail_msg(
					"texel %u, bit %u: %u, should be %u", i, shift, got, right);
		}
	}
	vkDestroySampler(vulkan.device, sampler, NULL);
	mesa_shader_free(&vulkan, &shader);
	mesa_image_free(&vulkan, &image);
	for (unsigned i = 0; i < 3; i++)
		mesa_buffer_free(&vulkan, &buffers[i]);
}

/* A rectangle of a cleared image, in another one that was cleared to another colour. */
static void clear_and_copy(unsigned width, unsigned height)
{
	enum { X = 5, Y = 11, W = 33, H = 7 };
	static const VkClearColorValue colours[2] = { { .float32 = { 0.2f, 0.4f, 0.6f, 1 } },
		{ .float32 = { 1, 0, 0.8f, 0 } } };
	static const uint32_t words[2] = { 0xff996633, 0x00cc00ff };
	const VkImageSubresourceRange whole = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
	const VkImageSubresourceLayers layer = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 };
	const VkImageCopy copy = { layer, { 1, 2, 0 }, layer, { X, Y, 0 }, { W, H, 1 } };
	struct mesa_buffer to = mesa_buffer_make(&vulkan, width * height);
	VkCommandBuffer commands = mesa_begin(&vulkan);
	struct mesa_image images[2];

	for (unsigned i = 0; i < 2; i++) {
		images[i] = mesa_image_make(&vulkan, VK_FORMAT_R8G8B8A8_UNORM,
			VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, width, height);
		mesa_image_open(commands, &images[i]);
		vkCmdClearColorImage(
			commands, images[i].image, VK_IMAGE_LAYOUT_GENERAL, &colours[i], 1, &whole);
	}
	mesa_barrier(commands);
	vkCmdCopyImage(commands, images[1].image, VK_IMAGE_LAYOUT_GENERAL, images[0].image,
		VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
	mesa_barrier(commands);
	mesa_image_to_buffer(commands, &images[0], &to);
	mesa_finish(&vulkan, commands);
	for (unsigned i = 0; i < width * height; i++) {
		unsigned x = i % width, y = i / width;
		bool copied = x >= X && x < X + W && y >= Y && y < Y + H;
		assert_int_equal(to.words[i], words[copied]);
	}
	mesa_buffer_free(&vulkan, &to);
	mesa_image_free(&vulkan, &images[0]);
	mesa_image_free(&vulkan, &images[1]);
}

/* Of one tile, and of many. */
static void cleared_images(void **state)
{
	(void)state;
	clear_and_copy(67, 41);
	if (getenv("ANV_QUEUE_OVERRIDE") &&
		vulkan.properties.driverVersion >= VK_MAKE_VERSION(26, 0, 0))
		skip_because("ANV (Mesa 26) has the pixels of a clear written where nothing draws");
	clear_and_copy(1031, 517);
}

static VkSemaphore make_semaphore(
	VkSemaphoreType type, VkExternalSemaphoreHandleTypeFlagBits exported)
{
	const VkExportSemaphoreCreateInfo external = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, .handleTypes = exported
	};
	const VkSemaphoreTypeCreateInfo kind = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.pNext = exported ? &external : NULL,
		.semaphoreType = type,
		.initialValue = 0
	};
	const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &kind };
	VkSemaphore semaphore;

	VK(vkCreateSemaphore(vulkan.device, &info, NULL, &semaphore));
	return semaphore;
}

/* A batch that fills the buffer. */
static VkCommandBuffer fill_with(const struct mesa_buffer *buffer, uint32_t value)
{
	VkCommandBuffer commands = mesa_begin(&vulkan);

	vkCmdFillBuffer(commands, buffer->buffer, 0, VK_WHOLE_SIZE, value);
	mesa_barrier(commands);
	VK(vkEndCommandBuffer(commands));
	return commands;
}

static void submit(VkCommandBuffer commands, VkSemaphore wait, uint64_t wait_value,
	VkSemaphore signal, uint64_t signal_value)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkTimelineSemaphoreSubmitInfo values = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = wait != VK_NULL_HANDLE,
		.pWaitSemaphoreValues = &wait_value,
		.signalSemaphoreValueCount = signal != VK_NULL_HANDLE,
		.pSignalSemaphoreValues = &signal_value
	};
	const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &values,
		.waitSemaphoreCount = wait != VK_NULL_HANDLE,
		.pWaitSemaphores = &wait,
		.pWaitDstStageMask = &stage,
		.commandBufferCount = 1,
		.pCommandBuffers = &commands,
		.signalSemaphoreCount = signal != VK_NULL_HANDLE,
		.pSignalSemaphores = &signal };

	VK(vkQueueSubmit(vulkan.queue, 1, &info, VK_NULL_HANDLE));
}

static VkResult wait_value(VkSemaphore semaphore, uint64_t value, uint64_t timeout)
{
	const VkSemaphoreWaitInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &semaphore,
		.pValues = &value };

	return vkWaitSemaphores(vulkan.device, &info, timeout);
}

/* The host lets a batch go that waits for it, and then waits for the batch. */
static void timeline_semaphores(void **state)
{
	VkSemaphore line = make_semaphore(VK_SEMAPHORE_TYPE_TIMELINE, 0);
	struct mesa_buffer buffer = mesa_buffer_make(&vulkan, 64);
	VkCommandBuffer commands = fill_with(&buffer, 5);
	const VkSemaphoreSignalInfo go = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = line, .value = 3
	};
	uint64_t value = 99;

	(void)state;
	submit(commands, line, 2, line, 10);
	assert_int_equal(wait_value(line, 10, 10000000), VK_TIMEOUT);
	VK(vkGetSemaphoreCounterValue(vulkan.device, line, &value));
	assert_int_equal(value, 0);
	assert_int_equal(buffer.words[0], MESA_POISON);
	VK(vkSignalSemaphore(vulkan.device, &go));
	VK(wait_value(line, 10, UINT64_MAX));
	VK(vkGetSemaphoreCounterValue(vulkan.device, line, &value));
	assert_int_equal(value, 10);
	assert_int_equal(buffer.words[63], 5);
	VK(vkQueueWaitIdle(vulkan.queue));
	vkDestroySemaphore(vulkan.device, line, NULL);
	mesa_buffer_free(&vulkan, &buffer);
}

static void binary_semaphores(void **state)
{
	VkSemaphore first = make_semaphore(VK_SEMAPHORE_TYPE_BINARY, 0),
		    second = make_semaphore(VK_SEMAPHORE_TYPE_BINARY, 0);
	struct mesa_buffer buffer = mesa_buffer_make(&vulkan, 64);

	(void)state;
	submit(fill_with(&buffer, 1), VK_NULL_HANDLE, 0, first, 0);
	submit(fill_with(&buffer, 2), first, 0, second, 0);
	submit(fill_with(&buffer, 3), second, 0, VK_NULL_HANDLE, 0);
	VK(vkQueueWaitIdle(vulkan.queue));
	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(buffer.words[i], 3);
	vkDestroySemaphore(vulkan.device, first, NULL);
	vkDestroySemaphore(vulkan.device, second, NULL);
	mesa_buffer_free(&vulkan, &buffer);
}

/* The entry point of an extension. */
#define PROC(name) PFN_##name name = (PFN_##name)vkGetDeviceProcAddr(vulkan.device, #name)

/* A semaphore that goes out as a sync file and comes back as another semaphore. */
static void sync_files(void **state)
{
	const VkExternalSemaphoreHandleTypeFlagBits type =
		VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
	PROC(vkGetSemaphoreFdKHR);
	PROC(vkImportSemaphoreFdKHR);
	int fd = -1;

	(void)state;
	skip_if(!vulkan.external);
	if (vulkan.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
		skip_because("lavapipe (Mesa 26.2) waits for ever here");
	VkSemaphore out = make_semaphore(VK_SEMAPHORE_TYPE_BINARY, type),
		    in = make_semaphore(VK_SEMAPHORE_TYPE_BINARY, 0);
	struct mesa_buffer buffer = mesa_buffer_make(&vulkan, 64);
	const VkSemaphoreGetFdInfoKHR get = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
		.semaphore = out,
		.handleType = type };

	submit(fill_with(&buffer, 7), VK_NULL_HANDLE, 0, out, 0);
	VK(vkGetSemaphoreFdKHR(vulkan.device, &get, &fd));
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	assert_int_equal(poll(&poll_fd, 1, -1), 1);
	assert_int_equal(buffer.words[63], 7);
	const VkImportSemaphoreFdInfoKHR import = {
		.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
		.semaphore = in,
		.flags = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
		.handleType = type,
		.fd = fd
	};
	VK(vkImportSemaphoreFdKHR(vulkan.device, &import));
	submit(fill_with(&buffer, 8), in, 0, VK_NULL_HANDLE, 0);
	VK(vkQueueWaitIdle(vulkan.queue));
	assert_int_equal(buffer.words[0], 8);
	vkDestroySemaphore(vulkan.device, out, NULL);
	vkDestroySemaphore(vulkan.device, in, NULL);
	mesa_buffer_free(&vulkan, &buffer);
}

/* The same memory in two buffers, by a descriptor: what one gets, the other has. */
static void shared_memory(void **state)
{
	static const VkExternalMemoryHandleTypeFlagBits types[] = {
		VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
		VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
	};
	PROC(vkGetMemoryFdKHR);

	(void)state;
	skip_if(!vulkan.external);
	for (unsigned i = 0; i < 2; i++) {
		if (i == 1 && vulkan.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU &&
			access("/dev/udmabuf", R_OK | W_OK))
			skip_because("there is no /dev/udmabuf, which lavapipe exports by");
		struct mesa_buffer first = mesa_buffer_share(&vulkan, 4096, types[i], -1);
		const VkMemoryGetFdInfoKHR get = { .sType =
							   VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
			.memory = first.memory,
			.handleType = types[i] };
		int fd = -1;
		VK(vkGetMemoryFdKHR(vulkan.device, &get, &fd));
		struct mesa_buffer second = mesa_buffer_share(&vulkan, 4096, types[i], fd);
		assert_ptr_not_equal(first.words, second.words);
		submit(fill_with(&second, 0x5eed + i), VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0);
		VK(vkQueueWaitIdle(vulkan.queue));
		assert_int_equal(first.words[0], 0x5eed + i);
		assert_int_equal(first.words[4095], 0x5eed + i);
		mesa_buffer_free(&vulkan, &first);
		mesa_buffer_free(&vulkan, &second);
	}
}

int main(int argc, char **argv)
{
	static struct row rows[64];
	static struct CMUnitTest tests[64 + 16];
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(indirect),
		cmocka_unit_test(copies),
		cmocka_unit_test(tiled_images),
		cmocka_unit_test(linear_images),
		cmocka_unit_test(sampled_images),
		cmocka_unit_test(timeline_semaphores),
		cmocka_unit_test(binary_semaphores),
		cmocka_unit_test(sync_files),
		cmocka_unit_test(shared_memory),
		/* last, since a driver that only notes what is cleared loses the device */
		cmocka_unit_test(cleared_images),
	};
	size_t count = 0;

	if (!mesa_vulkan_open(&vulkan, 0) ||
		!strstr(vulkan.properties.deviceName, argc > 1 ? argv[1] : "")) {
		printf("skipped: there is no Vulkan device %s\n", argc > 1 ? argv[1] : "");
		return 77;
	}
	for (unsigned i = 0; i < mesa_case_count; i++)
		for (uint32_t simd = vulkan.simd_least; simd <= vulkan.simd_most; simd *= 2) {
			struct row *row = &rows[count];
			row->which = &mesa_cases[i];
			row->simd = simd;
			snprintf(row->name, sizeof row->name, "%s at %u", row->which->name, simd);
			tests[count++] = (struct CMUnitTest){
				.name = row->name, .test_func = compute, .initial_state = row
			};
		}
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		tests[count++] = others[i];
	int failed = _cmocka_run_group_tests("mesa_vulkan", tests, count, NULL, NULL);
	mesa_vulkan_close(&vulkan);
	return failed;
}
