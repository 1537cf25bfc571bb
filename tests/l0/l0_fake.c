// SPDX-License-Identifier: MIT
#include "l0_fake_private.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_ARGS 8
#define TICKS	 10
#define make	 l0_fake_make
#define unmake	 l0_fake_unmake

struct l0_fake l0_fake;

struct _ze_kernel_handle_t {
	char name[16];
	unsigned char args[MAX_ARGS][128];
	uint32_t group[3];
	uint32_t offset[3];
};

struct _ze_event_handle_t {
	bool timed;
	bool signalled;
	uint64_t start, end;
};

struct _ze_fence_handle_t {
	bool used;
	bool signalled;
	unsigned asked; /* since its list ran, in mode EVENTS_FIRST */
};

enum kind { LAUNCH, COPY, REGION, BARRIER, WAIT, IMAGE };

struct fake_command {
	enum kind kind;
	struct _ze_kernel_handle_t kernel; /* as it was when appended */
	ze_group_count_t groups;
	char *to;
	const char *from;
	size_t size;
	struct l0_fake_image_copy image;
	ze_copy_region_t region;
	size_t to_pitch, to_slice, from_pitch, from_slice;
	ze_event_handle_t event;
};

struct _ze_command_list_handle_t {
	bool closed;
	unsigned n, max;
	struct fake_command *commands;
};

struct submission {
	struct submission *next;
	ze_command_list_handle_t list;
	ze_fence_handle_t fence;
	bool has_run; /* and its fence is still to come */
};

static pthread_mutex_t lock; /* everything; recursive */
static struct submission *first, **last = &first;
static bool stopped; /* by a fault */

void l0_fake_misuse(const char *what)
{
	fprintf(stderr, "fake Level Zero: %s\n", what);
	pthread_mutex_lock(&lock);
	l0_fake.errors++;
	pthread_mutex_unlock(&lock);
}

bool l0_fake_fails(void)
{
	pthread_mutex_lock(&lock);
	l0_fake.calls++;
	bool now = l0_fake.fail_after && !--l0_fake.fail_after;
	l0_fake.failed |= now;
	pthread_mutex_unlock(&lock);
	return now;
}

/* volatile: the compiler knows that calloc does not look at it, and here it does */
static _Thread_local volatile bool allocates;

bool l0_fake_allocates(void)
{
	return allocates;
}

void *l0_fake_alloc(void *old, size_t size, size_t align)
{
	allocates = true;
	void *memory = align ? aligned_alloc(align, size)
		       : old ? realloc(old, size)
			     : calloc(1, size);
	allocates = false;
	return memory;
}

void *l0_fake_make(size_t size)
{
	pthread_mutex_lock(&lock);
	l0_fake.live++;
	pthread_mutex_unlock(&lock);
	return l0_fake_alloc(NULL, size, 0);
}

ze_result_t l0_fake_unmake(void *object)
{
	if (!object)
		l0_fake_misuse("NULL was destroyed");
	pthread_mutex_lock(&lock);
	l0_fake.live--;
	pthread_mutex_unlock(&lock);
	free(object);
	return ZE_RESULT_SUCCESS;
}

/* The device */

static void run_kernel(const struct fake_command *command)
{
	const struct _ze_kernel_handle_t *kernel = &command->kernel;
	uint32_t *to, *from, value;
	size_t n = (size_t)kernel->group[0] * command->groups.groupCountX;

	memcpy(&to, kernel->args[0], sizeof(to));
	memcpy(&from, kernel->args[1], sizeof(from));
	memcpy(&value, kernel->args[1], sizeof(value));
	for (size_t i = kernel->offset[0]; i < kernel->offset[0] + n; i++) {
		if (!strcmp(kernel->name, "set"))
			to[i] = value + (uint32_t)i;
		else if (!strcmp(kernel->name, "add"))
			to[i] += value;
		else
			to[i] = from[i];
	}
}

static void run_command(const struct fake_command *command)
{
	const ze_copy_region_t *region = &command->region;

	if (command->kind == LAUNCH)
		run_kernel(command);
	if (command->kind == IMAGE)
		l0_fake_image_run(&command->image);
	if (command->kind == COPY)
		memmove(command->to, command->from, command->size);
	for (size_t z = 0; command->kind == REGION && z < region->depth; z++)
		for (size_t y = 0; y < region->height; y++)
			memmove(command->to + z * command->to_slice + y * command->to_pitch,
				command->from + z * command->from_slice + y * command->from_pitch,
				region->width);
	if (command->kind != WAIT && command->event) {
		command->event->start = l0_fake.ticks & UINT32_MAX;
		command->event->end = (l0_fake.ticks + TICKS) & UINT32_MAX;
		command->event->signalled = true;
	}
	l0_fake.ticks += TICKS;
}

/* Commands between two barriers may run in any order: the last runs first. */
static void run_list(const struct _ze_command_list_handle_t *list)
{
	unsigned begin = 0;

	while (begin < list->n) {
		unsigned end = begin;

		while (end < list->n && list->commands[end].kind != BARRIER)
			end++;
		for (unsigned i = end; i-- > begin;)
			run_command(&list->commands[i]);
		if (end < list->n)
			run_command(&list->commands[end]);
		begin = end + 1;
	}
}

static bool is_ready(const struct _ze_command_list_handle_t *list)
{
	for (unsigned i = 0; i < list->n; i++)
		if (list->commands[i].kind == WAIT && !list->commands[i].event->signalled)
			return false;
	return true;
}

/* After a fault, the work that was stopped ends without being done; `lost`: it never ends. */
static void skip_all(bool lost)
{
	while (first) {
		struct submission *submission = first;

		for (unsigned i = 0; !lost && i < submission->list->n; i++)
			if (submission->list->commands[i].event)
				submission->list->commands[i].event->signalled = true;
		if (submission->fence && !lost)
			submission->fence->signalled = true;
		first = submission->next;
		free(submission);
	}
	last = &first;
}

static bool is_lost(void)
{
	return l0_fake.status_lost || l0_fake.calls_lost;
}

void l0_fake_recover(void)
{
	pthread_mutex_lock(&lock);
	l0_fake.status_lost = l0_fake.calls_lost = false;
	skip_all(false);
	pthread_mutex_unlock(&lock);
}

static ze_result_t fake_zeDeviceGetStatus(ze_device_handle_t device)
{
	(void)device;
	return l0_fake.status_lost ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

static unsigned run(unsigned n)
{
	unsigned done = 0;

	while (first && done < n && !stopped && !is_lost() && is_ready(first->list)) {
		struct submission *submission = first;

		if (l0_fake.fault_next) {
			l0_fake.fault_next = false;
			l0_fake.fault = "a fault of the fake device";
			stopped = true;
			break;
		}
		if (!submission->has_run)
			run_list(submission->list);
		submission->has_run = true;
		if (submission->fence) {
			if (l0_fake.mode == L0_FAKE_EVENTS_FIRST && ++submission->fence->asked < 20)
				break;
			submission->fence->signalled = true;
		}
		first = submission->next;
		if (!first)
			last = &first;
		free(submission);
		done++;
	}
	return done;
}

unsigned l0_fake_run(unsigned n)
{
	pthread_mutex_lock(&lock);
	unsigned done = run(n);
	pthread_mutex_unlock(&lock);
	return done;
}

unsigned l0_fake_pending(void)
{
	unsigned n = 0;

	pthread_mutex_lock(&lock);
	for (struct submission *submission = first; submission; submission = submission->next)
		n++;
	pthread_mutex_unlock(&lock);
	return n;
}

size_t l0_fake_take_fault(unsigned number, char *report, size_t size)
{
	(void)number;
	pthread_mutex_lock(&lock);
	const char *fault = l0_fake.fault;
	l0_fake.fault = NULL;
	if (fault) {
		snprintf(report, size, "%s", fault);
		stopped = false;
		skip_all(false);
	}
	pthread_mutex_unlock(&lock);
	return fault ? strlen(fault) : 0;
}

static void asked(void)
{
	if (l0_fake.mode == L0_FAKE_AT_QUERY || l0_fake.mode == L0_FAKE_EVENTS_FIRST)
		run(1);
}

static ze_result_t fake_zeDeviceGetGlobalTimestamps(
	ze_device_handle_t device, uint64_t *host, uint64_t *ticks)
{
	(void)device;
	CAN_FAIL;
	pthread_mutex_lock(&lock);
	*host = 0;
	*ticks = l0_fake.ticks & ((UINT64_C(1) << 36) - 1);
	pthread_mutex_unlock(&lock);
	return ZE_RESULT_SUCCESS;
}

/* Contexts */

static ze_result_t fake_zeContextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t *desc,
	uint32_t n, ze_device_handle_t *devices, ze_context_handle_t *out)
{
	(void)driver;
	(void)desc;
	(void)devices;
	if (!n)
		l0_fake_misuse("a context of all devices");
	CAN_FAIL;
	*out = make(1);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeContextDestroy(ze_context_handle_t context)
{
	return unmake(context);
}

/* Kernels */

static ze_result_t fake_zeKernelCreate(
	ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *out)
{
	(void)module;
	CAN_FAIL;
	if (strcmp(desc->pKernelName, "set") && strcmp(desc->pKernelName, "add") &&
		strcmp(desc->pKernelName, "copy"))
		return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
	*out = make(sizeof(**out));
	snprintf((*out)->name, sizeof((*out)->name), "%s", desc->pKernelName);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeKernelDestroy(ze_kernel_handle_t kernel)
{
	return unmake(kernel);
}

static ze_result_t fake_zeKernelGetProperties(ze_kernel_handle_t kernel, ze_kernel_properties_t *p)
{
	(void)kernel;
	CAN_FAIL;
	p->numKernelArgs = 2 + l0_fake.n_more_args;
	p->maxSubgroupSize = 16;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeKernelSetArgumentValue(
	ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value)
{
	CAN_FAIL;
	if (index >= MAX_ARGS)
		return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
	if (size > sizeof(kernel->args[0]))
		return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
	pthread_mutex_lock(&lock);
	l0_fake.kernel_sets++;
	pthread_mutex_unlock(&lock);
	memset(kernel->args[index], 0, sizeof(kernel->args[0]));
	if (value)
		memcpy(kernel->args[index], value, size);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeKernelSetGroupSize(
	ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z)
{
	CAN_FAIL;
	memcpy(kernel->group, (uint32_t[]){ x, y, z }, sizeof(kernel->group));
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeKernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y,
	uint32_t z, uint32_t *sx, uint32_t *sy, uint32_t *sz)
{
	(void)kernel;
	(void)y;
	(void)z;
	CAN_FAIL;
	*sx = x % 64 ? 1 : 64;
	*sy = *sz = 1;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeKernelSetGlobalOffsetExp(
	ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z)
{
	CAN_FAIL;
	memcpy(kernel->offset, (uint32_t[]){ x, y, z }, sizeof(kernel->offset));
	return ZE_RESULT_SUCCESS;
}

/* Queues, fences, lists */

static ze_result_t fake_zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
	const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *out)
{
	(void)context;
	(void)device;
	CAN_FAIL;
	if (desc->ordinal != 1)
		l0_fake_misuse("a queue of the wrong group");
	*out = make(1);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeCommandQueueDestroy(ze_command_queue_handle_t queue)
{
	return unmake(queue);
}

/* Level Zero: the device must not reference a list that is executed, reset or destroyed. */
static void check_not_pending(ze_command_list_handle_t list)
{
	if (is_lost())
		skip_all(true);
	for (struct submission *submission = first; submission; submission = submission->next)
		if (submission->list == list)
			l0_fake_misuse("a list was used that is on the device");
}

static ze_result_t fake_zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue,
	uint32_t n, ze_command_list_handle_t *lists, ze_fence_handle_t fence)
{
	(void)queue;
	CAN_FAIL;
	pthread_mutex_lock(&lock);
	if (fence->used)
		l0_fake_misuse("a fence was used twice");
	fence->used = true;
	for (uint32_t i = 0; i < n; i++) {
		struct submission *submission = l0_fake_alloc(NULL, sizeof(*submission), 0);

		if (!lists[i]->closed)
			l0_fake_misuse("a list was submitted that is not closed");
		check_not_pending(lists[i]);
		submission->list = lists[i];
		submission->fence = i == n - 1 ? fence : NULL;
		*last = submission;
		last = &submission->next;
	}
	l0_fake.submits++;
	if (l0_fake.mode == L0_FAKE_AT_SUBMIT)
		run(UINT32_MAX);
	pthread_mutex_unlock(&lock);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeCommandQueueSynchronize(ze_command_queue_handle_t queue, uint64_t timeout)
{
	(void)queue;
	(void)timeout;
	/* of any queue, which is more than was asked */
	return l0_fake_pending() ? ZE_RESULT_NOT_READY : ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeFenceCreate(
	ze_command_queue_handle_t queue, const ze_fence_desc_t *desc, ze_fence_handle_t *out)
{
	(void)queue;
	(void)desc;
	CAN_FAIL;
	*out = make(sizeof(**out));
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeFenceDestroy(ze_fence_handle_t fence)
{
	return unmake(fence);
}

static ze_result_t fake_zeFenceReset(ze_fence_handle_t fence)
{
	CAN_FAIL;
	fence->used = fence->signalled = false;
	fence->asked = 0;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeFenceQueryStatus(ze_fence_handle_t fence)
{
	pthread_mutex_lock(&lock);
	asked();
	ze_result_t result = fence->signalled ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
	pthread_mutex_unlock(&lock);
	return result;
}

static ze_result_t fake_zeFenceHostSynchronize(ze_fence_handle_t fence, uint64_t timeout)
{
	(void)timeout;
	return is_lost() ? ZE_RESULT_ERROR_DEVICE_LOST : fake_zeFenceQueryStatus(fence);
}

static ze_result_t fake_zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
	const ze_command_list_desc_t *desc, ze_command_list_handle_t *out)
{
	(void)context;
	(void)device;
	CAN_FAIL;
	if (desc->commandQueueGroupOrdinal != 1)
		l0_fake_misuse("a list of the wrong group");
	*out = make(sizeof(**out));
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeCommandListDestroy(ze_command_list_handle_t list)
{
	pthread_mutex_lock(&lock);
	check_not_pending(list);
	pthread_mutex_unlock(&lock);
	free(list->commands);
	return unmake(list);
}

static ze_result_t fake_zeCommandListClose(ze_command_list_handle_t list)
{
	CAN_FAIL;
	list->closed = true;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeCommandListReset(ze_command_list_handle_t list)
{
	CAN_FAIL;
	pthread_mutex_lock(&lock);
	check_not_pending(list);
	pthread_mutex_unlock(&lock);
	list->closed = false;
	list->n = 0;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t append(ze_command_list_handle_t list, const struct fake_command *command)
{
	CAN_FAIL;
	pthread_mutex_lock(&lock);
	if (list->closed)
		l0_fake_misuse("an append to a closed list");
	check_not_pending(list);
	if (list->n == list->max) {
		list->max = list->max * 2 + 16;
		list->commands = l0_fake_alloc(list->commands, list->max * sizeof(*command), 0);
	}
	list->commands[list->n++] = *command;
	l0_fake.barriers += command->kind == BARRIER;
	l0_fake.appends += command->kind != BARRIER && command->kind != WAIT;
	pthread_mutex_unlock(&lock);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
	ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t event,
	uint32_t n_waits, ze_event_handle_t *waits)
{
	struct fake_command command = { .kind = LAUNCH, .groups = *groups, .event = event };

	(void)n_waits;
	(void)waits;
	if (l0_fake.on_launch)
		l0_fake.on_launch();
	command.kernel = *kernel;
	return append(list, &command);
}

static ze_result_t fake_zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *to,
	const void *from, size_t size, ze_event_handle_t event, uint32_t n_waits,
	ze_event_handle_t *waits)
{
	struct fake_command command = {
		.kind = COPY, .to = to, .from = from, .size = size, .event = event
	};

	(void)n_waits;
	(void)waits;
	return append(list, &command);
}

static ze_result_t fake_zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t list, void *to,
	const ze_copy_region_t *to_region, uint32_t to_pitch, uint32_t to_slice, const void *from,
	const ze_copy_region_t *from_region, uint32_t from_pitch, uint32_t from_slice,
	ze_event_handle_t event, uint32_t n_waits, ze_event_handle_t *waits)
{
	struct fake_command command = { .kind = REGION,
		.to = to,
		.from = from,
		.region = *from_region,
		.to_pitch = to_pitch,
		.to_slice = to_slice,
		.from_pitch = from_pitch,
		.from_slice = from_slice,
		.event = event };

	(void)n_waits;
	(void)waits;
	if (memcmp(to_region, from_region, sizeof(*to_region)) || to_region->originX ||
		to_region->originY || to_region->originZ)
		l0_fake_misuse("regions with origins are not done");
	return append(list, &command);
}

ze_result_t l0_fake_append_image(ze_command_list_handle_t list,
	const struct l0_fake_image_copy *copy, ze_event_handle_t event)
{
	struct fake_command command = { .kind = IMAGE, .image = *copy, .event = event };

	return append(list, &command);
}

static ze_result_t fake_zeCommandListAppendBarrier(ze_command_list_handle_t list,
	ze_event_handle_t event, uint32_t n_waits, ze_event_handle_t *waits)
{
	struct fake_command command = { .kind = BARRIER, .event = event };

	(void)n_waits;
	(void)waits;
	return append(list, &command);
}

static ze_result_t fake_zeCommandListAppendWaitOnEvents(
	ze_command_list_handle_t list, uint32_t n, ze_event_handle_t *events)
{
	for (uint32_t i = 0; i < n; i++) {
		struct fake_command command = { .kind = WAIT, .event = events[i] };
		ze_result_t result = append(list, &command);

		if (result)
			return result;
	}
	return ZE_RESULT_SUCCESS;
}

/* Events */

static ze_result_t fake_zeEventPoolCreate(ze_context_handle_t context,
	const ze_event_pool_desc_t *desc, uint32_t n, ze_device_handle_t *devices,
	ze_event_pool_handle_t *out)
{
	(void)context;
	(void)n;
	(void)devices;
	CAN_FAIL;
	ze_event_pool_flags_t *pool = make(sizeof(*pool));
	*pool = desc->flags;
	*out = (ze_event_pool_handle_t)(void *)pool;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeEventPoolDestroy(ze_event_pool_handle_t pool)
{
	return unmake(pool);
}

static ze_result_t fake_zeEventCreate(
	ze_event_pool_handle_t pool, const ze_event_desc_t *desc, ze_event_handle_t *out)
{
	(void)desc;
	CAN_FAIL;
	*out = make(sizeof(**out));
	(*out)->timed =
		*(ze_event_pool_flags_t *)(void *)pool & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeEventDestroy(ze_event_handle_t event)
{
	return unmake(event);
}

static ze_result_t fake_zeEventQueryStatus(ze_event_handle_t event)
{
	pthread_mutex_lock(&lock);
	asked();
	ze_result_t result = event->signalled ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
	pthread_mutex_unlock(&lock);
	return result;
}

static ze_result_t fake_zeEventHostReset(ze_event_handle_t event)
{
	CAN_FAIL;
	pthread_mutex_lock(&lock);
	for (struct submission *submission = first; submission; submission = submission->next)
		for (unsigned i = 0; i < submission->list->n; i++)
			if (submission->list->commands[i].event == event)
				l0_fake_misuse("an event was reset that is on the device");
	event->signalled = false;
	pthread_mutex_unlock(&lock);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t fake_zeEventQueryKernelTimestamp(
	ze_event_handle_t event, ze_kernel_timestamp_result_t *times)
{
	CAN_FAIL;
	if (!event->timed)
		l0_fake_misuse("an event that is not timed was asked for its times");
	times->global.kernelStart = event->start;
	times->global.kernelEnd = event->end;
	return ZE_RESULT_SUCCESS;
}

void l0_fake_install(void)
{
	pthread_mutexattr_t recursive;

	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &recursive);
	pthread_mutexattr_destroy(&recursive);
#define L0_NEED(name) l0_ze.name = fake_##name;
#define L0_MAY(name)  l0_ze.name = fake_##name;
#include "l0/l0_api.def"
#undef L0_NEED
#undef L0_MAY
}
