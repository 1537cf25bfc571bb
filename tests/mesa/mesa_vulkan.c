// SPDX-License-Identifier: MIT
#include "mesa_vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesa_case.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static bool has_extension(VkPhysicalDevice physical, const char *name)
{
	uint32_t count = 0;
	bool found = false;

	vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
	VkExtensionProperties *all = calloc(count, sizeof *all);
	vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all);
	for (uint32_t i = 0; i < count; i++)
		found |= !strcmp(all[i].extensionName, name);
	free(all);
	return found;
}

/* A family that computes, preferably one that does not draw. */
static uint32_t choose_family(VkPhysicalDevice physical)
{
	VkQueueFamilyProperties families[16];
	uint32_t count = LENGTH(families), chosen = UINT32_MAX;

	vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
	for (uint32_t i = 0; i < count; i++) {
		bool draws = families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT;
		if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) &&
			(chosen == UINT32_MAX || !draws))
			chosen = i;
	}
	assert_int_not_equal(chosen, UINT32_MAX);
	return chosen;
}

static void make_device(struct mesa_vulkan *vulkan)
{
	static const char *const extensions[] = { "VK_KHR_external_memory_fd",
		"VK_EXT_external_memory_dma_buf", "VK_KHR_external_semaphore_fd",
		"VK_KHR_external_fence_fd" };
	const float priority = 1;
	VkPhysicalDeviceVulkan11Features features11 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES
	};
	VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &features11
	};
	VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &features12
	};
	VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features13
	};
	const VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueFamilyIndex = vulkan->family,
		.queueCount = 1,
		.pQueuePriorities = &priority };
	VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &features,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.ppEnabledExtensionNames = extensions };

	vulkan->external = true;
	for (size_t i = 0; i < LENGTH(extensions); i++)
		vulkan->external &= has_extension(vulkan->physical, extensions[i]);
	info.enabledExtensionCount = vulkan->external ? LENGTH(extensions) : 0;
	vkGetPhysicalDeviceFeatures2(vulkan->physical, &features);
	features.features.robustBufferAccess = VK_FALSE;
	VK(vkCreateDevice(vulkan->physical, &info, NULL, &vulkan->device));
	vkGetDeviceQueue(vulkan->device, vulkan->family, 0, &vulkan->queue);
}

bool mesa_vulkan_open(struct mesa_vulkan *vulkan, unsigned number)
{
	const VkApplicationInfo application = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_3 };
	const VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &application };
	VkPhysicalDeviceVulkan13Properties properties13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES
	};
	VkPhysicalDeviceVulkan11Properties properties11 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
		.pNext = &properties13
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &properties11
	};
	VkPhysicalDevice devices[8];
	uint32_t count = sizeof devices / sizeof *devices;

	memset(vulkan, 0, sizeof *vulkan);
	if (vkCreateInstance(&info, NULL, &vulkan->instance))
		return false;
	if (vkEnumeratePhysicalDevices(vulkan->instance, &count, devices) < 0 || number >= count)
		return false;
	vulkan->physical = devices[number];
	vkGetPhysicalDeviceProperties2(vulkan->physical, &properties);
	vkGetPhysicalDeviceMemoryProperties(vulkan->physical, &vulkan->memory);
	vulkan->properties = properties.properties;
	vulkan->simd_least = properties13.minSubgroupSize;
	vulkan->simd_most = properties13.maxSubgroupSize;
	vulkan->simd_usual = properties11.subgroupSize;
	vulkan->family = choose_family(vulkan->physical);
	make_device(vulkan);
	const VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.queueFamilyIndex = vulkan->family };
	VK(vkCreateCommandPool(vulkan->device, &pool, NULL, &vulkan->pool));
	return true;
}

void mesa_vulkan_close(struct mesa_vulkan *vulkan)
{
	vkDestroyCommandPool(vulkan->device, vulkan->pool, NULL);
	vkDestroyDevice(vulkan->device, NULL);
	vkDestroyInstance(vulkan->instance, NULL);
}

uint32_t mesa_memory_type(const struct mesa_vulkan *vulkan, uint32_t types, bool visible)
{
	const VkMemoryPropertyFlags wanted =
		visible ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
			: 0;

	for (uint32_t i = 0; i < vulkan->memory.memoryTypeCount; i++)
		if ((types >> i & 1) &&
			(vulkan->memory.memoryTypes[i].propertyFlags & wanted) == wanted)
			return i;
	fail_msg("no type of memory");
	return 0;
}

struct mesa_buffer mesa_buffer_make(const struct mesa_vulkan *vulkan, uint32_t words)
{
	return mesa_buffer_share(vulkan, words, 0, -1);
}

struct mesa_buffer mesa_buffer_share(const struct mesa_vulkan *vulkan, uint32_t words,
	VkExternalMemoryHandleTypeFlagBits type, int fd)
{
	const VkExternalMemoryBufferCreateInfo external = {
		.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = type
	};
	const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.pNext = type ? &external : NULL,
		.size = words * sizeof(uint32_t),
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
			 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
			 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
			 VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT };
	const VkExportMemoryAllocateInfo exported = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = type
	};
	const VkImportMemoryFdInfoKHR imported = {
		.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, .handleType = type, .fd = fd
	};
	struct mesa_buffer buffer = { .count = words };
	VkMemoryRequirements needs;

	VK(vkCreateBuffer(vulkan->device, &info, NULL, &buffer.buffer));
	vkGetBufferMemoryRequirements(vulkan->device, buffer.buffer, &needs);
	const VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = !type	  ? NULL
			 : fd < 0 ? (const void *)&exported
				  : &imported,
		.allocationSize = needs.size,
		.memoryTypeIndex = mesa_memory_type(vulkan, needs.memoryTypeBits, true) };
	VK(vkAllocateMemory(vulkan->device, &memory, NULL, &buffer.memory));
	VK(vkBindBufferMemory(vulkan->device, buffer.buffer, buffer.memory, 0));
	VK(vkMapMemory(vulkan->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, (void **)&buffer.words));
	for (uint32_t i = 0; i < words && fd < 0; i++)
		buffer.words[i] = MESA_POISON;
	return buffer;
}

void mesa_buffer_free(const struct mesa_vulkan *vulkan, struct mesa_buffer *buffer)
{
	vkDestroyBuffer(vulkan->device, buffer->buffer, NULL);
	vkFreeMemory(vulkan->device, buffer->memory, NULL);
}

struct mesa_image mesa_image_make_levels(const struct mesa_vulkan *vulkan, VkFormat format,
	VkImageTiling tiling, VkImageUsageFlags usage, struct mesa_shape shape)
{
	const bool cube = shape.type == VK_IMAGE_VIEW_TYPE_CUBE ||
			  shape.type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = format,
		.extent = { shape.width, shape.height, 1 },
		.mipLevels = shape.levels,
		.arrayLayers = shape.layers,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.tiling = tiling,
		.usage =
			usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	const bool depth = format == VK_FORMAT_D16_UNORM || format == VK_FORMAT_D32_SFLOAT;
	struct mesa_image image = { .shape = shape,
		.aspect = depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT };
	VkMemoryRequirements needs;

	VK(vkCreateImage(vulkan->device, &info, NULL, &image.image));
	vkGetImageMemoryRequirements(vulkan->device, image.image, &needs);
	const VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needs.size,
		.memoryTypeIndex = mesa_memory_type(vulkan, needs.memoryTypeBits, false) };
	VK(vkAllocateMemory(vulkan->device, &memory, NULL, &image.memory));
	VK(vkBindImageMemory(vulkan->device, image.image, image.memory, 0));
	const VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.image = image.image,
		.viewType = shape.type,
		.format = format,
		.subresourceRange = { image.aspect, 0, shape.levels, 0, shape.layers } };
	VK(vkCreateImageView(vulkan->device, &view, NULL, &image.view));
	return image;
}

struct mesa_image mesa_image_make(const struct mesa_vulkan *vulkan, VkFormat format,
	VkImageTiling tiling, VkImageUsageFlags usage, uint32_t width, uint32_t height)
{
	return mesa_image_make_levels(vulkan, format, tiling, usage,
		(struct mesa_shape){ VK_IMAGE_VIEW_TYPE_2D, width, height, 1, 1 });
}

void mesa_image_free(const struct mesa_vulkan *vulkan, struct mesa_image *image)
{
	vkDestroyImageView(vulkan->device, image->view, NULL);
	vkDestroyImage(vulkan->device, image->image, NULL);
	vkFreeMemory(vulkan->device, image->memory, NULL);
}

void mesa_image_open(VkCommandBuffer commands, const struct mesa_image *image)
{
	const VkImageMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
		.newLayout = VK_IMAGE_LAYOUT_GENERAL,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = image->image,
		.subresourceRange = {
			image->aspect, 0, image->shape.levels, 0, image->shape.layers } };

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static VkBufferImageCopy whole_level(const struct mesa_image *image, uint32_t level)
{
	const struct mesa_shape *shape = &image->shape;

	return (VkBufferImageCopy){ .imageSubresource = { image->aspect, level, 0, shape->layers },
		.imageExtent = { shape->width >> level, shape->height >> level, 1 } };
}

void mesa_image_level_from_buffer(VkCommandBuffer commands, const struct mesa_image *image,
	uint32_t level, const struct mesa_buffer *buffer, VkDeviceSize offset)
{
	VkBufferImageCopy all = whole_level(image, level);

	all.bufferOffset = offset;
	vkCmdCopyBufferToImage(
		commands, buffer->buffer, image->image, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
}

void mesa_image_from_buffer(
	VkCommandBuffer commands, const struct mesa_image *image, const struct mesa_buffer *buffer)
{
	mesa_image_level_from_buffer(commands, image, 0, buffer, 0);
}

void mesa_image_to_buffer(
	VkCommandBuffer commands, const struct mesa_image *image, const struct mesa_buffer *buffer)
{
	const VkBufferImageCopy all = whole_level(image, 0);

	vkCmdCopyImageToBuffer(
		commands, image->image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1, &all);
}

static VkShaderModule load_module(const struct mesa_vulkan *vulkan, const char *name)
{
	static uint32_t code[1 << 16];
	char path[512];
	VkShaderModule module;

	snprintf(path, sizeof path, "%s/%s.spv", MESA_SHADERS, name);
	FILE *file = fopen(path, "rb");
	if (!file)
		fail_msg("%s is not there", path);
	const VkShaderModuleCreateInfo info = { .sType =
							VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = fread(code, 1, sizeof code, file),
		.pCode = code };
	fclose(file);
	VK(vkCreateShaderModule(vulkan->device, &info, NULL, &module));
	return module;
}

static const VkDescriptorType binding_types[MESA_BINDINGS] = {
	[MESA_BUFFERS] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
	[MESA_BUFFERS + 1] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
	[MESA_BUFFERS + 2] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
	[MESA_IMAGES] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
	[MESA_IMAGES + 1] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
	[MESA_SAMPLED] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
	[MESA_TEXELS] = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
	[MESA_TEXELS_OUT] = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
};

static void make_layout(
	const struct mesa_vulkan *vulkan, struct mesa_shader *shader, unsigned bindings)
{
	VkDescriptorSetLayoutBinding all[MESA_BINDINGS];
	VkDescriptorPoolSize sizes[MESA_BINDINGS];
	VkDescriptorSetLayoutCreateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .pBindings = all
	};
	const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint32_t) };
	VkPipelineLayoutCreateInfo layout = { .sType =
						      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1,
		.pSetLayouts = &shader->set_layout,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &range };
	VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.pPoolSizes = sizes };

	for (uint32_t i = 0; i < MESA_BINDINGS; i++)
		if (i < MESA_IMAGES || (bindings >> i & 1)) {
			all[set.bindingCount++] = (VkDescriptorSetLayoutBinding){ i,
				binding_types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
			sizes[pool.poolSizeCount++] = (VkDescriptorPoolSize){ binding_types[i], 1 };
		}
	VK(vkCreateDescriptorSetLayout(vulkan->device, &set, NULL, &shader->set_layout));
	VK(vkCreatePipelineLayout(vulkan->device, &layout, NULL, &shader->layout));
	VK(vkCreateDescriptorPool(vulkan->device, &pool, NULL, &shader->pool));
	const VkDescriptorSetAllocateInfo allocate = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = shader->pool,
		.descriptorSetCount = 1,
		.pSetLayouts = &shader->set_layout
	};
	VK(vkAllocateDescriptorSets(vulkan->device, &allocate, &shader->set));
}

struct mesa_shader mesa_shader_make(
	const struct mesa_vulkan *vulkan, const char *name, uint32_t simd, unsigned bindings)
{
	struct mesa_shader shader = { .module = load_module(vulkan, name) };
	const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
		.requiredSubgroupSize = simd
	};

	make_layout(vulkan, &shader, bindings);
	const VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.pNext = simd ? &size : NULL,
			.stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = shader.module,
			.pName = "main" },
		.layout = shader.layout
	};
	VK(vkCreateComputePipelines(
		vulkan->device, VK_NULL_HANDLE, 1, &info, NULL, &shader.pipeline));
	return shader;
}

static void write_binding(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	uint32_t binding, const VkDescriptorBufferInfo *buffer, const VkDescriptorImageInfo *image,
	const VkBufferView *texels)
{
	const VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.dstSet = shader->set,
		.dstBinding = binding,
		.descriptorCount = 1,
		.descriptorType = binding_types[binding],
		.pBufferInfo = buffer,
		.pImageInfo = image,
		.pTexelBufferView = texels };

	vkUpdateDescriptorSets(vulkan->device, 1, &write, 0, NULL);
}

void mesa_shader_buffers(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	const struct mesa_buffer *buffers)
{
	for (uint32_t i = 0; i < 3; i++) {
		const VkDescriptorBufferInfo buffer = { buffers[i].buffer, 0, VK_WHOLE_SIZE };
		write_binding(vulkan, shader, MESA_BUFFERS + i, &buffer, NULL, NULL);
	}
}

void mesa_shader_image(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	uint32_t binding, const struct mesa_image *image, VkSampler sampler)
{
	const VkDescriptorImageInfo info = { sampler, image->view, VK_IMAGE_LAYOUT_GENERAL };

	write_binding(vulkan, shader, binding, NULL, &info, NULL);
}

void mesa_shader_texels(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	uint32_t binding, VkBufferView view)
{
	write_binding(vulkan, shader, binding, NULL, NULL, &view);
}

void mesa_shader_free(const struct mesa_vulkan *vulkan, struct mesa_shader *shader)
{
	vkDestroyPipeline(vulkan->device, shader->pipeline, NULL);
	vkDestroyDescriptorPool(vulkan->device, shader->pool, NULL);
	vkDestroyPipelineLayout(vulkan->device, shader->layout, NULL);
	vkDestroyDescriptorSetLayout(vulkan->device, shader->set_layout, NULL);
	vkDestroyShaderModule(vulkan->device, shader->module, NULL);
}

VkCommandBuffer mesa_begin(const struct mesa_vulkan *vulkan)
{
	const VkCommandBufferAllocateInfo allocate = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = vulkan->pool,
		.commandBufferCount = 1
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
	};
	VkCommandBuffer commands;

	VK(vkAllocateCommandBuffers(vulkan->device, &allocate, &commands));
	VK(vkBeginCommandBuffer(commands, &begin));
	return commands;
}

void mesa_bind(VkCommandBuffer commands, const struct mesa_shader *shader, uint32_t constant)
{
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, shader->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, shader->layout, 0, 1,
		&shader->set, 0, NULL);
	vkCmdPushConstants(commands, shader->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
		sizeof constant, &constant);
}

void mesa_barrier(VkCommandBuffer commands)
{
	const VkMemoryBarrier all = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT };

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0,
		NULL, 0, NULL);
}

void mesa_finish(const struct mesa_vulkan *vulkan, VkCommandBuffer commands)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &commands };
	VkFence fence;

	mesa_barrier(commands);
	VK(vkEndCommandBuffer(commands));
	VK(vkCreateFence(vulkan->device, &info, NULL, &fence));
	VK(vkQueueSubmit(vulkan->queue, 1, &submit, fence));
	VK(vkWaitForFences(vulkan->device, 1, &fence, VK_TRUE, UINT64_MAX));
	vkDestroyFence(vulkan->device, fence, NULL);
	vkFreeCommandBuffers(vulkan->device, vulkan->pool, 1, &commands);
}
