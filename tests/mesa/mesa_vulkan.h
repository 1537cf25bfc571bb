// SPDX-License-Identifier: MIT
#ifndef MESA_VULKAN_H
#define MESA_VULKAN_H

#include "test.h"

#include <stdbool.h>
#include <vulkan/vulkan.h>

/* A Vulkan device and one queue of it that computes and copies. Failures fail the running test. */
struct mesa_vulkan {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkPhysicalDeviceProperties properties;
	VkPhysicalDeviceMemoryProperties memory;
	uint32_t simd_least, simd_most, simd_usual; /* sizes of sub-groups */
	uint32_t family;
	VkDevice device;
	VkQueue queue;
	VkCommandPool pool;
	bool external; /* has the extensions of external memory and semaphores */
};

/* Opens the first device. Returns whether there is one. */
bool mesa_vulkan_open(struct mesa_vulkan *vulkan);
void mesa_vulkan_close(struct mesa_vulkan *vulkan);

#define VK(call) assert_int_equal((call), VK_SUCCESS)

/* A buffer of words, mapped. Poisoned. */
struct mesa_buffer {
	VkBuffer buffer;
	VkDeviceMemory memory;
	uint32_t *words;
	uint32_t count;
};

struct mesa_buffer mesa_buffer_make(const struct mesa_vulkan *vulkan, uint32_t words);
/* The same, with memory that can be exported by handles of the type, or was: `fd` is imported then,
 * and -1 else. */
struct mesa_buffer mesa_buffer_share(const struct mesa_vulkan *vulkan, uint32_t words,
	VkExternalMemoryHandleTypeFlagBits type, int fd);
void mesa_buffer_free(const struct mesa_vulkan *vulkan, struct mesa_buffer *buffer);

/* A compute shader of the build's folder, with three buffers, two images, one image that is
 * sampled, and one constant. */
struct mesa_shader {
	VkShaderModule module;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkDescriptorPool pool;
	VkDescriptorSet set;
};

/* `simd`: the size of sub-groups, 0: the driver's choice. */
struct mesa_shader mesa_shader_make(
	const struct mesa_vulkan *vulkan, const char *name, uint32_t simd);
void mesa_shader_buffers(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	const struct mesa_buffer *buffers);
void mesa_shader_images(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	const VkImageView *views);
void mesa_shader_sampler(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	VkImageView view, VkSampler sampler);
void mesa_shader_free(const struct mesa_vulkan *vulkan, struct mesa_shader *shader);

/* A command buffer that is recorded. */
VkCommandBuffer mesa_begin(const struct mesa_vulkan *vulkan);
void mesa_bind(VkCommandBuffer commands, const struct mesa_shader *shader, uint32_t constant);
/* All that was before comes before all that follows, and before the host. */
void mesa_barrier(VkCommandBuffer commands);
/* Ends, submits, waits, frees. */
void mesa_finish(const struct mesa_vulkan *vulkan, VkCommandBuffer commands);

/* Memory of a type that the host sees. */
uint32_t mesa_memory_type(const struct mesa_vulkan *vulkan, uint32_t types, bool visible);

#endif
