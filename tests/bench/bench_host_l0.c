// SPDX-License-Identifier: MIT
#include "bench_clock.h"
#include "bench_crew.h"
#include "bench_host.h"

#include "compile/build/compile.h"

#include <level_zero/ze_api.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * bench-host-l0: the same launches by the best sequence of Level Zero calls that does what OpenCL
 * promises of an in-order queue: a barrier after each launch, a list per batch, and a way to know
 * that it is done (the queue's fence).
 */

static ze_context_handle_t context;
static ze_device_handle_t device;
static ze_command_queue_handle_t queue, other;
static ze_command_list_handle_t list, immediate, recorded, links[2];
static ze_kernel_handle_t kernel, many;
static ze_event_handle_t events[BENCH_BATCH], timed[BENCH_BATCH];
static void *buffers[2];

static void check(ze_result_t code, const char *call)
{
	if (code == ZE_RESULT_SUCCESS)
		return;
	fprintf(stderr, "bench: %s: 0x%x\n", call, (unsigned)code);
	exit(1);
}

#define ZE(call) check(call, #call)

static void set_args(void *buffer, int number)
{
	ZE(zeKernelSetArgumentValue(kernel, 0, sizeof buffer, &buffer));
	ZE(zeKernelSetArgumentValue(kernel, 1, sizeof number, &number));
}

static void launch_kernel(
	ze_command_list_handle_t to, ze_kernel_handle_t what, ze_event_handle_t event)
{
	static const ze_group_count_t groups = { BENCH_HOST_SIZE / BENCH_HOST_LOCAL, 1, 1 };

	ZE(zeCommandListAppendLaunchKernel(to, what, &groups, event, 0, NULL));
}

static void launch(ze_command_list_handle_t to, ze_event_handle_t event)
{
	launch_kernel(to, kernel, event);
}

static void submit(void)
{
	ZE(zeCommandListClose(list));
	ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
}

static void wait(void)
{
	ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
}

static void batch_plain(void)
{
	ZE(zeCommandListReset(list));
	for (int i = 0; i < BENCH_BATCH; i++) {
		launch(list, NULL);
		ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
	}
	submit();
}

static void batch_event(void)
{
	ZE(zeCommandListReset(list));
	for (int i = 0; i < BENCH_BATCH; i++) {
		ZE(zeEventHostReset(events[i]));
		launch(list, events[i]);
		ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
	}
	submit();
}

static void batch_args(void)
{
	ZE(zeCommandListReset(list));
	for (int i = 0; i < BENCH_BATCH; i++) {
		set_args(buffers[i & 1], i);
		launch(list, NULL);
		ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
	}
	submit();
}

static void batch_pointer(void)
{
	ZE(zeCommandListReset(list));
	for (int i = 0; i < BENCH_BATCH; i++) {
		ZE(zeKernelSetArgumentValue(kernel, 0, sizeof(void *), &buffers[i & 1]));
		launch(list, NULL);
		ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
	}
	submit();
}

static void batch_finish(void)
{
	for (int i = 0; i < BENCH_BATCH; i++) {
		ZE(zeCommandListReset(list));
		launch(list, NULL);
		submit();
		wait();
	}
}

/* The other way to launch and wait: a list that submits and waits by itself. */
static void batch_immediate(void)
{
	for (int i = 0; i < BENCH_BATCH; i++)
		launch(immediate, NULL);
}

static int n_changed;

static void batch_values(void)
{
	ZE(zeCommandListReset(list));
	for (int i = 0; i < BENCH_BATCH; i++) {
		for (uint32_t a = 0; a < (uint32_t)n_changed; a++)
			ZE(zeKernelSetArgumentValue(many, a, sizeof i, &i));
		launch_kernel(list, many, NULL);
		ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
	}
	submit();
}

/*
 * The lists of one queue run one after the other: only a submission per launch goes to and fro. A
 * list is made anew when its queue has done with it; an event says less, that its launch is over.
 */
static void batch_chain(void)
{
	for (int i = 0; i < BENCH_BATCH; i++) {
		ze_command_list_handle_t link = links[i & 1];

		ZE(zeCommandQueueSynchronize(i & 1 ? other : queue, UINT64_MAX));
		ZE(zeEventHostReset(events[i]));
		ZE(zeCommandListReset(link));
		if (i)
			ZE(zeCommandListAppendWaitOnEvents(link, 1, &events[i - 1]));
		launch(link, events[i]);
		ZE(zeCommandListClose(link));
		ZE(zeCommandQueueExecuteCommandLists(i & 1 ? other : queue, 1, &link, NULL));
	}
	ZE(zeEventHostSynchronize(events[BENCH_BATCH - 1], UINT64_MAX));
	wait();
	ZE(zeCommandQueueSynchronize(other, UINT64_MAX));
}

static void batch_fan(void)
{
	ZE(zeCommandListReset(list));
	launch(list, NULL);
	ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
	for (int i = 0; i < BENCH_FAN; i++)
		launch(list, NULL);
	submit();
	wait();
}

static int called;

static void __attribute__((noinline)) callback(void)
{
	called++;
	__asm__ volatile("");
}

static void batch_callback(void)
{
	batch_event();
	for (int i = 0; i < BENCH_BATCH; i++) {
		ZE(zeEventHostSynchronize(events[i], UINT64_MAX));
		callback();
	}
}

static void batch_profiled(void)
{
	ze_kernel_timestamp_result_t result;

	ZE(zeCommandListReset(list));
	for (int i = 0; i < BENCH_BATCH; i++) {
		ZE(zeEventHostReset(timed[i]));
		launch(list, timed[i]);
		ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
	}
	submit();
	wait();
	for (int i = 0; i < BENCH_BATCH; i++)
		ZE(zeEventQueryKernelTimestamp(timed[i], &result));
}

static void batch_replay(void)
{
	ZE(zeCommandQueueExecuteCommandLists(queue, 1, &recorded, NULL));
	wait();
}

static struct bench_time measure_per(void (*batch)(void), int batches, int per)
{
	struct bench_time times[BENCH_BATCHES];
	int warm_up = batches < BENCH_WARM_UP ? 1 : BENCH_WARM_UP;

	for (int i = -warm_up; i < batches; i++) {
		struct bench_time start = bench_now();
		batch();
		struct bench_time time = bench_since(start);
		wait();
		if (i >= 0)
			times[i] = (struct bench_time){ time.wall / per, time.cpu / per };
	}
	return bench_median(times, (size_t)batches);
}

static struct bench_time measure(void (*batch)(void))
{
	return measure_per(batch, BENCH_BATCHES, BENCH_BATCH);
}

/* A thread with a queue and lists of its own, which the first round makes. */
#define CREW_LISTS 4

static struct {
	ze_command_queue_handle_t queue;
	ze_command_list_handle_t lists[CREW_LISTS];
} crew[BENCH_THREADS];

static void make_crew_member(int number)
{
	const ze_command_queue_desc_t queue_desc = { .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
		.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS };
	const ze_command_list_desc_t list_desc = { .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC };

	ZE(zeCommandQueueCreate(context, device, &queue_desc, &crew[number].queue));
	for (int i = 0; i < CREW_LISTS; i++)
		ZE(zeCommandListCreate(context, device, &list_desc, &crew[number].lists[i]));
}

static void enqueue_many(int number)
{
	if (!crew[number].queue)
		make_crew_member(number);
	for (int i = 0; i < CREW_LISTS; i++) {
		ze_command_list_handle_t own = crew[number].lists[i];

		ZE(zeCommandListReset(own));
		for (int k = 0; k < 10 * BENCH_BATCH / CREW_LISTS; k++) {
			launch(own, NULL);
			ZE(zeCommandListAppendBarrier(own, NULL, 0, NULL));
		}
		ZE(zeCommandListClose(own));
		ZE(zeCommandQueueExecuteCommandLists(crew[number].queue, 1, &own, NULL));
	}
	ZE(zeCommandQueueSynchronize(crew[number].queue, UINT64_MAX));
}

static char *shared, *plain;
static size_t size;
static int times_each;

static void batch_read(void)
{
	for (int i = 0; i < times_each; i++) {
		memcpy(plain, shared, size);
		__asm__ volatile("" ::: "memory");
	}
}

static void batch_write(void)
{
	for (int i = 0; i < times_each; i++) {
		memcpy(shared, plain, size);
		__asm__ volatile("" ::: "memory");
	}
}

/* What host and device share is copied by the host; a map of it is nothing at all: no row. */
static void measure_transfers(void)
{
	static const struct bench_transfer transfers[] = BENCH_TRANSFERS;
	const ze_device_mem_alloc_desc_t device_desc = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC
	};
	const ze_host_mem_alloc_desc_t host_desc = {
		.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC
	};
	void *memory;
	char row[64];

	for (size_t t = 0; t < sizeof transfers / sizeof *transfers; t++) {
		size = transfers[t].size;
		times_each = transfers[t].times;
		ZE(zeMemAllocShared(context, &device_desc, &host_desc, size, 64, device, &memory));
		shared = memory;
		plain = malloc(size);
		if (!plain)
			exit(1);
		memset(plain, 1, size);
		snprintf(row, sizeof row, BENCH_ROW_TRANSFER, "read", transfers[t].name);
		bench_print(row, measure_per(batch_read, 7, times_each));
		snprintf(row, sizeof row, BENCH_ROW_TRANSFER, "write", transfers[t].name);
		bench_print(row, measure_per(batch_write, 7, times_each));
		free(plain);
		ZE(zeMemFree(context, memory));
	}
}

static void open_device(void)
{
	const ze_context_desc_t context_desc = { .stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC };
	const ze_command_queue_desc_t queue_desc = { .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
		.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS };
	const ze_command_queue_desc_t waiting_desc = { .stype =
							       ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
		.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS };
	const ze_command_list_desc_t list_desc = { .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC };
	ze_driver_handle_t driver;
	uint32_t n = 1;

	ZE(zeInit(ZE_INIT_FLAG_GPU_ONLY));
	ZE(zeDriverGet(&n, &driver));
	n = 1;
	ZE(zeDeviceGet(driver, &n, &device));
	ZE(zeContextCreate(driver, &context_desc, &context));
	ZE(zeCommandQueueCreate(context, device, &queue_desc, &queue));
	ZE(zeCommandQueueCreate(context, device, &queue_desc, &other));
	ZE(zeCommandListCreate(context, device, &list_desc, &list));
	ZE(zeCommandListCreate(context, device, &list_desc, &recorded));
	ZE(zeCommandListCreate(context, device, &list_desc, &links[0]));
	ZE(zeCommandListCreate(context, device, &list_desc, &links[1]));
	ZE(zeCommandListCreateImmediate(context, device, &waiting_desc, &immediate));
}

static void make_kernel(void)
{
	const struct compile_request request = { .source = BENCH_HOST_KERNEL,
		.source_size = strlen(BENCH_HOST_KERNEL),
		.family = "tgllp",
		.outputs = COMPILE_NATIVE };
	struct compile_result result;
	ze_module_handle_t module;

	if (compile_build(&request, &result) != COMPILE_OK) {
		fprintf(stderr, "bench: %s\n", result.log);
		exit(1);
	}
	const ze_module_desc_t module_desc = { .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
		.format = ZE_MODULE_FORMAT_NATIVE,
		.inputSize = result.native_size,
		.pInputModule = result.native };
	ze_kernel_desc_t kernel_desc = { .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
		.pKernelName = "nothing" };
	ZE(zeModuleCreate(context, device, &module_desc, &module, NULL));
	ZE(zeKernelCreate(module, &kernel_desc, &kernel));
	ZE(zeKernelSetGroupSize(kernel, BENCH_HOST_LOCAL, 1, 1));
	kernel_desc.pKernelName = "many";
	ZE(zeKernelCreate(module, &kernel_desc, &many));
	ZE(zeKernelSetGroupSize(many, BENCH_HOST_LOCAL, 1, 1));
	compile_result_finish(&result);
}

static void make_events(bool is_timed, ze_event_handle_t *out)
{
	const ze_event_pool_desc_t pool_desc = { .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
		.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE |
			 (is_timed ? ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP : 0),
		.count = BENCH_BATCH };
	ze_event_pool_handle_t pool;

	ZE(zeEventPoolCreate(context, &pool_desc, 1, &device, &pool));
	for (uint32_t i = 0; i < BENCH_BATCH; i++) {
		const ze_event_desc_t event_desc = { .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
			.index = i,
			.signal = ZE_EVENT_SCOPE_FLAG_HOST };
		ZE(zeEventCreate(pool, &event_desc, &out[i]));
	}
}

static void make_memory(void)
{
	const ze_device_mem_alloc_desc_t memory_desc = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC
	};
	const int number = 0;

	for (int i = 0; i < 2; i++)
		ZE(zeMemAllocDevice(context, &memory_desc, 4096, 64, device, &buffers[i]));
	make_events(false, events);
	make_events(true, timed);
	set_args(buffers[0], 0);
	for (uint32_t a = 0; a < BENCH_HOST_VALUES; a++)
		ZE(zeKernelSetArgumentValue(many, a, sizeof number, &number));
	ZE(zeKernelSetArgumentValue(many, BENCH_HOST_VALUES, sizeof buffers[0], &buffers[0]));
	for (int i = 0; i < BENCH_BATCH; i++) {
		launch(recorded, NULL);
		ZE(zeCommandListAppendBarrier(recorded, NULL, 0, NULL));
	}
	ZE(zeCommandListClose(recorded));
}

static void measure_values(void)
{
	static const int counts[] = { 1, 8, BENCH_HOST_VALUES };
	char row[64];

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		n_changed = counts[i];
		snprintf(row, sizeof row, BENCH_ROW_ARGS_N, n_changed, n_changed > 1 ? "s" : "");
		bench_print(row, measure(batch_values));
	}
}

int main(void)
{
	open_device();
	make_kernel();
	make_memory();
	bench_print(BENCH_ROW_ENQUEUE, measure(batch_plain));
	struct bench_time event = measure(batch_event);
	bench_print(BENCH_ROW_EVENT, event);
	/* how many there are makes no difference here */
	bench_print("enqueue+event, 1 outstanding", event);
	bench_print("enqueue+event, 1000 outstanding", event);
	bench_print("enqueue+event, 100000 outstanding", event);
	bench_print("enqueue+event, 1000000 outstanding", event);
	struct bench_time pointer = measure(batch_pointer);
	bench_print("enqueue, 10 live buffers", pointer);
	bench_print("enqueue, 1000 live buffers", pointer);
	bench_print("enqueue, 100000 live buffers", pointer);
	bench_print(BENCH_ROW_ARGS, measure(batch_args));
	measure_values();
	struct bench_time by_queue = measure(batch_finish), by_list = measure(batch_immediate);
	bench_print(BENCH_ROW_FINISH, by_queue.wall < by_list.wall ? by_queue : by_list);
	bench_print(BENCH_ROW_CHAIN, measure_per(batch_chain, 20, BENCH_BATCH));
	bench_print(BENCH_ROW_FAN, measure_per(batch_fan, 10, BENCH_FAN));
	bench_print(BENCH_ROW_CALLBACK, measure_per(batch_callback, 20, BENCH_BATCH));
	bench_print(BENCH_ROW_PROFILE, measure_per(batch_profiled, 20, BENCH_BATCH));
	bench_print(BENCH_ROW_REPLAY, measure_per(batch_replay, 20, BENCH_BATCH));
	bench_crew(
		BENCH_ROW_THREADS, enqueue_many, BENCH_THREADS, BENCH_THREADS * 10 * BENCH_BATCH);
	measure_transfers();
	return 0;
}
