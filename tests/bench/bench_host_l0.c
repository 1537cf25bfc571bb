// SPDX-License-Identifier: MIT
#include "bench_clock.h"
#include "bench_host.h"

#include "compile/compile.h"

#include <level_zero/ze_api.h>

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
static ze_command_queue_handle_t queue;
static ze_command_list_handle_t list, immediate;
static ze_kernel_handle_t kernel;
static ze_event_pool_handle_t pool;
static ze_event_handle_t events[BENCH_BATCH];
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

static void launch(ze_command_list_handle_t to, ze_event_handle_t event)
{
	static const ze_group_count_t groups = { BENCH_HOST_SIZE / BENCH_HOST_LOCAL, 1, 1 };

	ZE(zeCommandListAppendLaunchKernel(to, kernel, &groups, event, 0, NULL));
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

static struct bench_time measure(void (*batch)(void))
{
	struct bench_time times[BENCH_BATCHES];

	for (int i = -BENCH_WARM_UP; i < BENCH_BATCHES; i++) {
		struct bench_time start = bench_now();
		batch();
		struct bench_time time = bench_since(start);
		wait();
		if (i >= 0)
			times[i] = (struct bench_time){ time.wall / BENCH_BATCH,
				time.cpu / BENCH_BATCH };
	}
	return bench_median(times, BENCH_BATCHES);
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
	ZE(zeCommandListCreate(context, device, &list_desc, &list));
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
	const ze_kernel_desc_t kernel_desc = { .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
		.pKernelName = "nothing" };
	ZE(zeModuleCreate(context, device, &module_desc, &module, NULL));
	ZE(zeKernelCreate(module, &kernel_desc, &kernel));
	ZE(zeKernelSetGroupSize(kernel, BENCH_HOST_LOCAL, 1, 1));
	compile_result_finish(&result);
}

static void make_memory(void)
{
	const ze_device_mem_alloc_desc_t memory_desc = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC
	};
	const ze_event_pool_desc_t pool_desc = { .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
		.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
		.count = BENCH_BATCH };

	for (int i = 0; i < 2; i++)
		ZE(zeMemAllocDevice(context, &memory_desc, 4096, 64, device, &buffers[i]));
	ZE(zeEventPoolCreate(context, &pool_desc, 1, &device, &pool));
	for (uint32_t i = 0; i < BENCH_BATCH; i++) {
		const ze_event_desc_t event_desc = { .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
			.index = i,
			.signal = ZE_EVENT_SCOPE_FLAG_HOST };
		ZE(zeEventCreate(pool, &event_desc, &events[i]));
	}
}

int main(void)
{
	open_device();
	make_kernel();
	make_memory();
	set_args(buffers[0], 0);
	bench_print(BENCH_ROW_ENQUEUE, measure(batch_plain));
	bench_print(BENCH_ROW_EVENT, measure(batch_event));
	bench_print(BENCH_ROW_ARGS, measure(batch_args));
	struct bench_time by_queue = measure(batch_finish), by_list = measure(batch_immediate);
	bench_print(BENCH_ROW_FINISH, by_queue.wall < by_list.wall ? by_queue : by_list);
	return 0;
}
