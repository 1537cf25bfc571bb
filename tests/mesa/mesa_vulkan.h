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

/* Opens a device by its number, the first one's being 0. Returns whether there is one. */
bool mesa_vulkan_open(struct mesa_vulkan *vulkan, unsigned number);
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

/* What an image is seen as (2D, 2D_ARRAY, CUBE, CUBE_ARRAY), and how large it is. */
struct mesa_shape {
	VkImageViewType type;
	uint32_t width, height, levels, layers;
};

/* An image that is copied from and to, and a view of all of it. */
struct mesa_image {
	VkImage image;
	VkDeviceMemory memory;
	VkImageView view;
	VkImageAspectFlags aspect;
	struct mesa_shape shape;
};

struct mesa_image mesa_image_make_levels(const struct mesa_vulkan *vulkan, VkFormat format,
	VkImageTiling tiling, VkImageUsageFlags usage, struct mesa_shape shape);
/* One of one level and one layer. */
struct mesa_image mesa_image_make(const struct mesa_vulkan *vulkan, VkFormat format,
	VkImageTiling tiling, VkImageUsageFlags usage, uint32_t width, uint32_t height);
void mesa_image_free(const struct mesa_vulkan *vulkan, struct mesa_image *image);
/* Takes the image into the layout in which all is allowed; what it held is lost. */
void mesa_image_open(VkCommandBuffer commands, const struct mesa_image *image);
/* All texels of the first level, between the image and the buffer. */
void mesa_image_from_buffer(
	VkCommandBuffer commands, const struct mesa_image *image, const struct mesa_buffer *buffer);
void mesa_image_to_buffer(
	VkCommandBuffer commands, const struct mesa_image *image, const struct mesa_buffer *buffer);
/* Those of a level in all layers, which begin at the offset. */
void mesa_image_level_from_buffer(VkCommandBuffer commands, const struct mesa_image *image,
	uint32_t level, const struct mesa_buffer *buffer, VkDeviceSize offset);

/* A compute shader of the build's folder, and one constant. */
struct mesa_shader {
	VkShaderModule module;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkDescriptorPool pool;
	VkDescriptorSet set;
};

/* What a shader's bindings are. */
enum mesa_binding {
	MESA_BUFFERS = 0, /* three */
	MESA_IMAGES = 3,  /* two that are stored to */
	MESA_SAMPLED = 5, /* an image with its sampler */
	MESA_TEXELS = 6,  /* a buffer of texels that is read */
	MESA_TEXELS_OUT,  /* and one that is stored to */
	MESA_BINDINGS
};

/* `simd`: the size of sub-groups, 0: the driver's choice. `bindings`: the bit of each that it has
 * besides the buffers; all must be written before it runs, because lavapipe 22.3 needs that. */
struct mesa_shader mesa_shader_make(
	const struct mesa_vulkan *vulkan, const char *name, uint32_t simd, unsigned bindings);
void mesa_shader_buffers(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	const struct mesa_buffer *buffers);
/* `sampler`: for MESA_SAMPLED, else VK_NULL_HANDLE. */
void mesa_shader_image(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	uint32_t binding, const struct mesa_image *image, VkSampler sampler);
void mesa_shader_texels(const struct mesa_vulkan *vulkan, const struct mesa_shader *shader,
	uint32_t binding, VkBufferView view);
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
