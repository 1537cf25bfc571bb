// SPDX-License-Identifier: MIT
/* The memory of the fake Level Zero. */
#include "l0_fake_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)1 << 30)

struct memory {
	struct memory *next;
	char *address;
	size_t size;
	ze_memory_type_t type;
	bool resident;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory *memories; /* under lock */

/* The link to the memory that `address` is in, or NULL. The lock is held. */
static struct memory **find(const void *address)
{
	struct memory **link = &memories;

	while (*link && ((const char *)address < (*link)->address ||
				(const char *)address >= (*link)->address + (*link)->size))
		link = &(*link)->next;
	return *link ? link : NULL;
}

static ze_result_t allocate(ze_memory_type_t type, size_t size, void **out)
{
	CAN_FAIL;
	if (size > MAX_BYTES)
		return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
	struct memory *memory = l0_fake_make(sizeof(*memory));
	memory->address = l0_fake_alloc(NULL, (size + 4095) & ~(size_t)4095, 4096);
	memory->size = size;
	memory->type = type;
	memset(memory->address, 0xa5, size);
	*out = memory->address;
	pthread_mutex_lock(&lock);
	memory->next = memories;
	memories = memory;
	pthread_mutex_unlock(&lock);
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeMemAllocShared(ze_context_handle_t context,
	const ze_device_mem_alloc_desc_t *device_desc, const ze_host_mem_alloc_desc_t *desc,
	size_t size, size_t align, ze_device_handle_t device, void **out)
{
	(void)context;
	(void)device_desc;
	(void)desc;
	(void)align;
	(void)device;
	return allocate(ZE_MEMORY_TYPE_SHARED, size, out);
}

ze_result_t fake_zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc,
	size_t size, size_t align, void **out)
{
	(void)context;
	(void)desc;
	(void)align;
	return allocate(ZE_MEMORY_TYPE_HOST, size, out);
}

ze_result_t fake_zeMemAllocDevice(ze_context_handle_t context,
	const ze_device_mem_alloc_desc_t *desc, size_t size, size_t align,
	ze_device_handle_t device, void **out)
{
	(void)context;
	(void)desc;
	(void)align;
	(void)device;
	return allocate(ZE_MEMORY_TYPE_DEVICE, size, out);
}

ze_result_t fake_zeMemFree(ze_context_handle_t context, void *address)
{
	struct memory *memory = NULL;

	(void)context;
	pthread_mutex_lock(&lock);
	struct memory **link = find(address);
	if (link && (*link)->address == address) {
		memory = *link;
		*link = memory->next;
	}
	pthread_mutex_unlock(&lock);
	if (!memory) {
		l0_fake_misuse("memory was freed that was not allocated");
		return ZE_RESULT_ERROR_INVALID_ARGUMENT;
	}
	if (memory->resident)
		l0_fake_misuse("memory was freed that is resident");
	free(memory->address);
	return l0_fake_unmake(memory);
}

ze_result_t fake_zeMemGetAllocProperties(ze_context_handle_t context, const void *address,
	ze_memory_allocation_properties_t *properties, ze_device_handle_t *device)
{
	(void)context;
	(void)device;
	CAN_FAIL;
	pthread_mutex_lock(&lock);
	struct memory **link = find(address);
	properties->type = link ? (*link)->type : ZE_MEMORY_TYPE_UNKNOWN;
	pthread_mutex_unlock(&lock);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t set_resident(const void *address, size_t size, bool resident)
{
	pthread_mutex_lock(&lock);
	struct memory **link = find(address);
	bool is_right = link && (*link)->address == address && (*link)->size == size &&
			(*link)->resident != resident;
	if (is_right)
		(*link)->resident = resident;
	pthread_mutex_unlock(&lock);
	if (!is_right)
		l0_fake_misuse("no such memory to make resident or to evict, or done already");
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeContextMakeMemoryResident(
	ze_context_handle_t context, ze_device_handle_t device, void *address, size_t size)
{
	(void)context;
	(void)device;
	CAN_FAIL;
	return set_resident(address, size, true);
}

ze_result_t fake_zeContextEvictMemory(
	ze_context_handle_t context, ze_device_handle_t device, void *address, size_t size)
{
	(void)context;
	(void)device;
	return set_resident(address, size, false);
}

bool l0_fake_is_resident(const void *address)
{
	pthread_mutex_lock(&lock);
	struct memory **link = find(address);
	bool is = link && (*link)->resident;
	pthread_mutex_unlock(&lock);
	return is;
}
