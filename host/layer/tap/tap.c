// SPDX-License-Identifier: MIT
#include "layer/tap/tap.h"

#include <stdlib.h>
#include <string.h>

#include "layer/tap/tap_header.h"
#include "layer/tap/tap_map.h"
#include "layer/tap/tap_memory.h"

static struct tap_map timed; /* queues: 2 if the program asked for times, else 1 */

void tap_passed(const struct call *call, uint64_t begin, uint64_t end)
{
	struct record_call record = { .call = call, .begin = begin, .end = end };

	tap_write_call(&record);
}

bool tap_has_times(cl_command_queue queue)
{
	tap_lock();
	bool has = tap_map_get(&timed, (struct tap_key){ (uintptr_t)queue, 0 }) != 1;
	tap_unlock();
	return has;
}

/* A new queue measures the times of its commands, which the program does not see. */
static void ask_for_times(struct tap_call *call)
{
	int list = call_param_find(call->call, 'y');

	if (call->call->signature[0] != 'Q')
		return;
	if (list < 0) {
		call->had_times = call->words[2] & CL_QUEUE_PROFILING_ENABLE;
		call->words[2] |= CL_QUEUE_PROFILING_ENABLE;
		return;
	}
	const uint64_t *asked = (const uint64_t *)(uintptr_t)call->words[list];
	size_t n = 0, at = 0;
	while (asked && asked[n])
		n += 2;
	uint64_t *changed = record_allocate(&call->memory, n + 3, sizeof *changed);
	if (!changed)
		return;
	memcpy(changed, asked ? asked : changed, n * sizeof *changed);
	while (at < n && changed[at] != CL_QUEUE_PROPERTIES)
		at += 2;
	changed[at] = CL_QUEUE_PROPERTIES;
	call->had_times = changed[at + 1] & CL_QUEUE_PROFILING_ENABLE;
	changed[at + 1] |= CL_QUEUE_PROFILING_ENABLE;
	call->words[list] = (uintptr_t)changed;
}

/* Whether commands may use shared memory now. */
static bool uses_shared(const struct tap_call *call)
{
	return tap_wishes.contents && call->call->kind == CALL_ENQUEUE && tap_shared_any();
}

static uint64_t word_of(const struct tap_call *call, char letter)
{
	int i = call_param_find(call->call, letter);

	return i < 0 ? 0 : call->words[i];
}

/*
 * Writes what a buffer, or shared memory, holds: read through a queue of our own, since the host
 * may not look there.
 */
static void write_memory(cl_context context, cl_mem buffer, const void *shared, uint64_t id,
	size_t size, enum record_type type)
{
	cl_device_id devices[64] = { NULL };
	cl_int error = CL_SUCCESS;
	void *bytes = id ? malloc(size) : NULL;

	if (!bytes)
		return;
	tap_next->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL);
	cl_command_queue queue = tap_next->clCreateCommandQueue(context, devices[0], 0, &error);
	if (queue && !(buffer ? tap_next->clEnqueueReadBuffer(
					queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL)
			      : tap_next->clEnqueueSVMMemcpy(
					queue, CL_TRUE, bytes, shared, size, 0, NULL, NULL)))
		tap_write_content(type, id, (struct tap_place){ 0 }, bytes, size);
	if (queue)
		tap_next->clReleaseCommandQueue(queue);
	free(bytes);
}

static void write_buffer(cl_mem buffer, enum record_type type)
{
	cl_context context = NULL;
	cl_mem_flags flags = 0;
	size_t size = 0;

	tap_next->clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
	tap_next->clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, NULL);
	tap_next->clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof context, &context, NULL);
	if (!(flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
		write_memory(
			context, buffer, NULL, tap_id_known("M", (uintptr_t)buffer), size, type);
}

/* What a buffer holds when the program's last reference goes. */
static void write_last(cl_mem buffer)
{
	cl_uint references = 0;
	cl_mem_object_type type = 0;

	tap_next->clGetMemObjectInfo(
		buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL);
	tap_next->clGetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof type, &type, NULL);
	if (type == CL_MEM_OBJECT_BUFFER && references == 1)
		write_buffer(buffer, RECORD_BUFFER);
}

/* What a new buffer holds by chance, which the program may come to see. */
static void write_first(struct tap_call *call)
{
	int host = call_param_find(call->call, 'h');

	if (!strncmp(call->call->name, "clCreateBuffer", 14) && !call->words[host])
		write_buffer((cl_mem)(uintptr_t)call->result, RECORD_HOST_WROTE);
}

/* What must be known before the call changes it. */
static void look_before(struct tap_call *call)
{
	if (!strcmp(call->call->name, "clBuildProgram") ||
		!strcmp(call->call->name, "clCompileProgram"))
		tap_headers((cl_program)(uintptr_t)word_of(call, 'G'),
			(const char *)(uintptr_t)word_of(call, 'c'));
	if (tap_wishes.buffers && !strcmp(call->call->name, "clReleaseMemObject"))
		write_last((cl_mem)(uintptr_t)call->words[0]);
	if (!strcmp(call->call->name, "clEnqueueSVMUnmap"))
		tap_shared_scan_one(word_of(call, 'a'), 0);
	if (uses_shared(call))
		tap_shared_scan(0);
}

/* Shared memory that the call frees is not looked at again. */
static void forget_freed(const struct tap_call *call)
{
	bool is_queued = !strcmp(call->call->name, "clEnqueueSVMFree");
	const uint64_t *array = (const uint64_t *)(uintptr_t)call->words[2];

	if (strstr(call->call->name, "Free") && call->call->kind == CALL_WAIT)
		tap_shared_remove(word_of(call, 'a'));
	for (uint64_t i = 0; is_queued && array && i < (uint32_t)call->words[1]; i++)
		tap_shared_remove(array[i]);
}

static bool is_signal(const struct tap_call *call)
{
	return !strcmp(call->call->name, "clSetUserEventStatus");
}

void tap_before(struct tap_call *call)
{
	int blocking = call_param_find(call->call, 'B');
	int event = call_param_find(call->call, 'e'), error = call_param_find(call->call, 'r');
	int target = call_param_find(call->call, 'o');

	call->is_blocking = blocking >= 0 && call->words[blocking];
	call->record.call = call->call;
	if (tap_wishes.contents)
		look_before(call);
	tap_values(call);
	forget_freed(call);
	if (tap_wishes.times)
		ask_for_times(call);
	bool reads = tap_wishes.contents && (target >= 0 || call->call->signature[0] == 'A' ||
						    !strcmp(call->call->name, "clEnqueueSVMMap"));
	if (call->is_blocking)
		call->words[blocking] = CL_FALSE;
	if (event >= 0 && !call->words[event] &&
		(call->is_blocking || tap_wishes.times || (reads && !call->is_blocking) ||
			uses_shared(call))) {
		call->words[event] = (uintptr_t)&call->event;
		call->owns_event = true;
	}
	if (error >= 0 && !call->words[error])
		call->words[error] = (uintptr_t)&call->error;
	/* Others stop waiting before the call returns: it must stand before what they do then. */
	call->is_written = tap_wishes.contents && is_signal(call);
	if (call->is_written) {
		call->record.begin = call->record.end = tap_now();
		tap_write_call(&call->record);
	}
}

static bool has_failed(struct tap_call *call)
{
	int error = call_param_find(call->call, 'r');
	char result = call->call->signature[0];

	call->record.error = result == 'i' ? (cl_int)call->result
			     : error >= 0  ? *(const cl_int *)(uintptr_t)call->words[error]
			     : result == 'V' && !call->result ? CL_OUT_OF_RESOURCES
							      : CL_SUCCESS;
	return call->record.error != CL_SUCCESS;
}

void tap_entered(struct tap_call *call)
{
	call->record.number = tap_call_number();
	if (tap_wishes.contents)
		tap_write(&(struct record_entry){
			.type = RECORD_ENTERED, .numbers = { call->record.number } });
}

void tap_wait_blocking(struct tap_call *call)
{
	int event = call_param_find(call->call, 'e'), error = call_param_find(call->call, 'r');
	const cl_event *made = (const cl_event *)(uintptr_t)call->words[event];
	cl_int failure = CL_SUCCESS;

	if (has_failed(call) || !tap_next->clWaitForEvents(1, made))
		return;
	tap_next->clGetEventInfo(
		*made, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(failure), &failure, NULL);
	call->result = error >= 0 ? 0 : (uint64_t)failure;
	if (error >= 0)
		*(cl_int *)(uintptr_t)call->words[error] = failure;
}

/* A context of a type is recorded as one of the devices that it got. */
static void context_of_type(struct tap_call *call)
{
	static const struct call *plain;
	cl_context context = (cl_context)(uintptr_t)call->result;
	struct record_value *values = call->record.values;
	cl_device_id devices[64];
	size_t size = 0;

	if (strcmp(call->call->name, "clCreateContextFromType") != 0 ||
		tap_next->clGetContextInfo(
			context, CL_CONTEXT_DEVICES, sizeof devices, devices, &size))
		return;
	plain = plain ? plain : call_find("clCreateContext");
	uint64_t *ids = record_allocate(&call->memory, size / sizeof *devices, sizeof *ids);
	for (size_t i = 0; ids && i < size / sizeof *devices; i++)
		ids[i] = tap_id('D', (uintptr_t)devices[i]);
	if (!ids)
		return;
	call->record.call = plain;
	call->record.n = 6;
	values[1] = (struct record_value){ .tag = RECORD_NUMBER, .number = size / sizeof *devices };
	values[2] = (struct record_value){
		.tag = RECORD_NUMBERS, .numbers = ids, .count = (uint32_t)(size / sizeof *devices)
	};
}

/* Of cl_khr_unified_svm, which not all headers have. */
enum { SVM_TYPE_CAPABILITIES = 0x1077, SVM_HOST_READ = 1 << 6 };

/* Whether the host may look into shared memory of a type. A device without the type says 0. */
static bool is_type_visible(cl_context context, uint64_t type)
{
	cl_device_id devices[64] = { NULL };
	cl_bitfield can[64], all = 0;

	tap_next->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL);
	for (size_t i = 0; i < 64 && devices[i]; i++) {
		memset(can, 0, sizeof can);
		tap_next->clGetDeviceInfo(devices[i], SVM_TYPE_CAPABILITIES, sizeof can, can, NULL);
		all |= type < 64 ? can[type] : 0;
	}
	return all & SVM_HOST_READ;
}

/* Whether the host may look at any time into what the call has allocated. */
static bool is_visible(const struct tap_call *call)
{
	const char *name = call->call->name;

	if (!strcmp(name, "clSVMAlloc"))
		return call->words[1] & CL_MEM_SVM_FINE_GRAIN_BUFFER;
	if (!strcmp(name, "clSVMAllocWithPropertiesKHR"))
		return is_type_visible(
			(cl_context)(uintptr_t)call->words[0], (cl_uint)word_of(call, 'i'));
	return strcmp(name, "clDeviceMemAllocINTEL") != 0;
}

static void allocated(struct tap_call *call)
{
	const bool is_svm = !strncmp(call->call->name, "clSVMAlloc", 10);
	const bool visible = is_visible(call);

	tap_shared_add(call->record.result, call->result, word_of(call, 'z'), visible);
	if (is_svm && !visible &&
		tap_wishes.contents) /* before its base: what is there by chance */
		write_memory((cl_context)(uintptr_t)call->words[0], NULL,
			(const void *)(uintptr_t)call->result, call->record.result,
			word_of(call, 'z'), RECORD_HOST_WROTE);
	tap_write(&(struct record_entry){ .type = RECORD_BASE,
		.numbers = { call->record.result, call->result, word_of(call, 'z') } });
}

/* The box of what the call wrote, or will write, to the host; false if it does not. */
static bool target_of(struct tap_call *call, uint64_t *address, struct call_box *box)
{
	int target = call_param_find(call->call, 'o');
	bool is_map = call->call->signature[0] == 'A';
	cl_map_flags flags = is_map ? call->words[3] : 0;

	if (is_map && call_box_mapped(call->call, call->words, tap_pixel, box)) {
		*address = call->result;
		tap_mapped_add(call->record.result, call->result, box,
			flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION));
		return !(flags & CL_MAP_WRITE_INVALIDATE_REGION);
	}
	if (target < 0 || call->record.values[target].tag != RECORD_ADDRESS)
		return false;
	*address = call->words[target];
	return call_box_find(call->call, call->words, (unsigned)target, tap_pixel, box);
}

/* What is to be done when the command has ended, or at once if the call has waited for it. */
static void follow(struct tap_call *call)
{
	int event = call_param_find(call->call, 'e');
	cl_event *made = event < 0 ? NULL : (cl_event *)(uintptr_t)call->words[event];
	struct call_box box = { 0 };
	uint64_t address = 0;
	unsigned wishes = tap_wishes.times ? TAP_TIMES : 0;

	if (tap_wishes.contents && target_of(call, &address, &box))
		wishes |= TAP_RESULT;
	if (tap_wishes.contents && !strcmp(call->call->name, "clEnqueueSVMMap")) {
		address = word_of(call, 'a');
		wishes |= TAP_SCAN;
	}
	if (call->is_blocking && wishes & TAP_RESULT)
		tap_result(call->record.number, address, &box);
	if (call->is_blocking && wishes & TAP_SCAN)
		tap_shared_scan_one(address, call->record.number);
	wishes &= call->is_blocking ? TAP_TIMES : ~0u;
	if (!made)
		return;
	if (uses_shared(call) && tap_wait(*made))
		tap_shared_scan(call->record.number);
	if (!wishes && !call->owns_event)
		return;
	if (!call->owns_event)
		tap_next->clRetainEvent(*made);
	tap_pending_add(*made, call->record.number, wishes, address, &box);
}

void tap_after(struct tap_call *call)
{
	bool failed = has_failed(call);

	tap_values_created(call);
	if (!failed)
		context_of_type(call);
	if (!failed && call->call->signature[0] == 'Q' && tap_wishes.times)
		tap_map_set(&timed, (struct tap_key){ call->result, 0 }, call->had_times ? 2 : 1);
	if (!call->is_written)
		tap_write_call(&call->record);
	if (!failed && call->call->signature[0] == 'V')
		allocated(call);
	if (!failed && call->call->signature[0] == 'M' && tap_wishes.contents)
		write_first(call);
	if (!failed && call->call->kind == CALL_ENQUEUE)
		follow(call);
	if (call->call->kind == CALL_WAIT || call->is_blocking)
		tap_pending_poll();
	record_free(&call->memory);
}
