// SPDX-License-Identifier: MIT
/* The memory of the fake Level Zero. */
#include "l0_fake_private.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)1 << 30)

#define MAX_RESIDENT 4

struct memory {
	struct memory *next;
	char *address;
	size_t size;
	ze_memory_type_t type;
	bool is_given;				   /* the address: not allocated here */
	ze_device_handle_t resident[MAX_RESIDENT]; /* on these devices; or NULL */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory *memories; /* under lock */
/* Under lock: what was given and freed last. */
static void *freed;
static size_t freed_size;

/* The link to the memory that `address` is in, or NULL. The lock is held. */
static struct memory **find(const void *address)
{
	struct memory **link = &memories;

	while (*link && ((const char *)address < (*link)->address ||
				(const char *)address >= (*link)->address + (*link)->size))
		link = &(*link)->next;
	return *link ? link : NULL;
}

/* `given`: the address, or NULL. */
static ze_result_t allocate(ze_memory_type_t type, size_t size, void *given, void **out)
{
	CAN_FAIL;
	if (size > MAX_BYTES)
		return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
	struct memory *memory = l0_fake_make(sizeof(*memory));
	memory->is_given = given;
	l0_fake.n_given += memory->is_given;
	memory->address = given ? given : l0_fake_alloc(NULL, (size + 4095) & ~(size_t)4095, 4096);
	memory->size = size;
	memory->type = type;
	memset(memory->address, 0xa5, size); /* memory that is given is there */
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
	return allocate(ZE_MEMORY_TYPE_SHARED, size, NULL, out);
}

ze_result_t fake_zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc,
	size_t size, size_t align, void **out)
{
	const bool is_given = desc->flags & (ze_host_mem_alloc_flags_t)1 << 30;
	void *given = is_given && !l0_fake.allocates ? *out : NULL;

	(void)context;
	(void)align;
	if (!is_given && l0_fake.recycles && freed_size == size) {
		given = freed;
		freed = NULL;
	}
	return allocate(ZE_MEMORY_TYPE_HOST, size, given, out);
}

ze_result_t fake_zeMemAllocDevice(ze_context_handle_t context,
	const ze_device_mem_alloc_desc_t *desc, size_t size, size_t align,
	ze_device_handle_t device, void **out)
{
	const ze_external_memory_import_fd_t *import = desc->pNext;

	(void)context;
	(void)align;
	(void)device;
	if (import && import->stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD &&
		(import->flags != ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF ||
			fcntl(import->fd, F_GET_SEALS) < 0))
		return ZE_RESULT_ERROR_INVALID_ARGUMENT;
	return allocate(ZE_MEMORY_TYPE_DEVICE, size, NULL, out);
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
	for (int i = 0; i < MAX_RESIDENT; i++)
		if (memory->resident[i])
			l0_fake_misuse("memory was freed that is resident");
	if (!memory->is_given)
		free(memory->address);
	freed = memory->is_given ? memory->address : freed;
	freed_size = memory->is_given ? memory->size : freed_size;
	l0_fake.n_given -= memory->is_given;
	return l0_fake_unmake(memory);
}

/* Changes one of its devices from `old` to `new`. */
static ze_result_t set_resident(
	const void *address, size_t size, ze_device_handle_t old, ze_device_handle_t new)
{
	ze_device_handle_t device = old ? old : new;
	bool is_right = false;

	pthread_mutex_lock(&lock);
	struct memory **link = find(address);
	if (link && (*link)->address == address && (*link)->size == size) {
		ze_device_handle_t *on = (*link)->resident;
		ze_device_handle_t *place = NULL;
		bool is_there = false;

		for (int i = 0; i < MAX_RESIDENT; i++) {
			is_there |= on[i] == device;
			place = !place && on[i] == old ? &on[i] : place;
		}
		is_right = is_there == (old != NULL) && place;
		if (is_right)
			*place = new;
	}
	pthread_mutex_unlock(&lock);
	if (!is_right)
		l0_fake_misuse("no such memory to make resident or to evict, or done already");
	return ZE_RESULT_SUCCESS;
}

ze_result_t fake_zeContextMakeMemoryResident(
	ze_context_handle_t context, ze_device_handle_t device, void *address, size_t size)
{
	(void)context;
	CAN_FAIL;
	return set_resident(address, size, NULL, device);
}

ze_result_t fake_zeContextEvictMemory(
	ze_context_handle_t context, ze_device_handle_t device, void *address, size_t size)
{
	(void)context;
	return set_resident(address, size, device, NULL);
}

unsigned l0_fake_n_resident(const void *address)
{
	unsigned n = 0;

	pthread_mutex_lock(&lock);
	struct memory **link = find(address);
	for (int i = 0; link && i < MAX_RESIDENT; i++)
		n += (*link)->resident[i] != NULL;
	pthread_mutex_unlock(&lock);
	return n;
}
