// SPDX-License-Identifier: MIT
#include "test.h"

#include <dlfcn.h>
#include <errno.h>
#include <level_zero/ze_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test_files.h"
#include "zerocl_vgpu.h"

/*
 * Intel's unmodified Level Zero driver on the device. "install" as the first argument: by
 * zerocl_vgpu_install, else the device is preloaded. Exit code 77: there is no driver.
 */

enum { NUMBERS = 1024, GUARD = 0x5a5a5a5a };

static const char source[] =
	"kernel void astray(global uint *p, ulong far)\n"
	"{ p[0] = *(global uint *)(far + p[1] + get_global_id(0) * 4); }\n"
	"kernel void good(global uint *p) { p[get_global_id(0)] += 5; }\n"
	"kernel void endless(global volatile uint *p) { while (p[0] != 0xffffffff) p[1]++; }\n";

static __typeof__(zerocl_vgpu_install) *install;
static __typeof__(zerocl_vgpu_take_fault) *take_fault;
static bool by_install;

static unsigned char code[1 << 18];
static size_t code_size;

static ze_driver_handle_t driver;
static ze_device_handle_t device;
static ze_context_handle_t context;
static ze_command_queue_handle_t queue;
static ze_module_handle_t module;
static uint32_t *numbers;

#define ZE(call) assert_int_equal(call, ZE_RESULT_SUCCESS)

/* The kernels as SPIR-V, by Intel's offline compiler. */
static int compile(void)
{
	char folder[TEST_FOLDER_MAX], command[256], path[80];

	test_folder_make(folder, "driver");
	snprintf(path, sizeof path, "%s/k.cl", folder);
	test_write_text(path, source);
	/* Without the device, which the compiler does not need. */
	snprintf(command, sizeof command,
		"cd %s && env -u LD_PRELOAD ocloc compile -file k.cl -device tgllp -q"
		" -output_no_suffix -output k >/dev/null 2>&1",
		folder);
	if (system(command) == 0) {
		snprintf(path, sizeof path, "%s/k.spv", folder);
		FILE *file = fopen(path, "rb");
		code_size = file ? fread(code, 1, sizeof code, file) : 0;
		if (file)
			fclose(file);
	}
	return test_folder_remove(folder) == 0 && code_size ? 0 : -1;
}

static void *install_again(void *unused)
{
	char reason[256] = "x";

	(void)unused;
	assert_int_equal(install(reason, sizeof reason), 0);
	assert_string_equal(reason, "");
	return NULL;
}

static int open_driver(void)
{
	uint32_t count = 1;
	const ze_context_desc_t context_desc = { .stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC };
	const ze_command_queue_desc_t queue_desc = {
		.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
		.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
	};
	const ze_module_desc_t module_desc = { .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
		.format = ZE_MODULE_FORMAT_IL_SPIRV,
		.inputSize = code_size,
		.pInputModule = code };
	const ze_device_mem_alloc_desc_t device_desc = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC
	};
	const ze_host_mem_alloc_desc_t host_desc = {
		.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC
	};

	if (by_install) {
		char reason[256] = "";
		pthread_t threads[4];
		/* A failure leaves everything as it was. */
		setenv("ZEROCL_VGPU", "nothing", 1);
		assert_int_equal(install(reason, sizeof reason), -ENODEV);
		assert_non_null(strstr(reason, "ZEROCL_VGPU"));
		unsetenv("ZEROCL_VGPU");
		for (int i = 0; i < 4; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, install_again, NULL), 0);
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
		assert_int_equal(install(NULL, 0), 0);
	}
	ZE(zeInit(ZE_INIT_FLAG_GPU_ONLY));
	ZE(zeDriverGet(&count, &driver));
	ZE(zeDeviceGet(driver, &count, &device));
	ZE(zeContextCreate(driver, &context_desc, &context));
	ZE(zeCommandQueueCreate(context, device, &queue_desc, &queue));
	ZE(zeModuleCreate(context, device, &module_desc, &module, NULL));
	ZE(zeMemAllocShared(
		context, &device_desc, &host_desc, NUMBERS * 4, 64, device, (void **)&numbers));
	return 0;
}

/* Submits one kernel over 32 items; gives its list. */
static ze_command_list_handle_t launch(const char *name, uint64_t far)
{
	const ze_kernel_desc_t kernel_desc = { .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
		.pKernelName = name };
	const ze_command_list_desc_t list_desc = { .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC };
	const ze_group_count_t groups = { 4, 1, 1 };
	ze_kernel_handle_t kernel;
	ze_command_list_handle_t list;

	ZE(zeKernelCreate(module, &kernel_desc, &kernel));
	ZE(zeKernelSetGroupSize(kernel, 8, 1, 1));
	ZE(zeKernelSetArgumentValue(kernel, 0, sizeof numbers, &numbers));
	if (far)
		ZE(zeKernelSetArgumentValue(kernel, 1, sizeof far, &far));
	ZE(zeCommandListCreate(context, device, &list_desc, &list));
	ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
	ZE(zeCommandListClose(list));
	ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
	return list;
}

static void expect_good(void)
{
	for (uint32_t i = 0; i < NUMBERS; i++)
		numbers[i] = i * 3;
	ze_command_list_handle_t list = launch("good", 0);
	ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
	for (uint32_t i = 0; i < NUMBERS; i++)
		assert_int_equal(numbers[i], i * 3 + (i < 32 ? 5 : 0));
	ZE(zeCommandListDestroy(list));
}

static void enumerates(void **state)
{
	ze_device_properties_t properties = { .stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES };

	(void)state;
	ZE(zeDeviceGetProperties(device, &properties));
	assert_int_equal(properties.vendorId, 0x8086);
	assert_int_equal(properties.deviceId, 0x9a49);
	assert_int_equal(properties.coreClockRate, 1300); /* read by std::ifstream from sysfs */
	assert_int_equal(properties.numSubslicesPerSlice * properties.numEUsPerSubslice, 96);
	/* The files are there for the driver alone, unless preloaded. */
	struct stat status;
	if (by_install && access("/dev/dri", F_OK))
		assert_int_equal(stat("/dev/dri/renderD128", &status), -1);
	else
		assert_int_equal(stat("/dev/dri/renderD128", &status), 0);
}

static void allocates(void **state)
{
	const ze_device_mem_alloc_desc_t device_desc = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC
	};
	const ze_host_mem_alloc_desc_t host_desc = {
		.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC
	};
	const ze_command_list_desc_t list_desc = { .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC };
	ze_command_list_handle_t list;
	void *on_device;
	uint32_t *host;

	(void)state;
	ZE(zeMemAllocDevice(context, &device_desc, 1 << 20, 64, device, &on_device));
	ZE(zeMemAllocHost(context, &host_desc, 1 << 20, 64, (void **)&host));
	ZE(zeCommandListCreate(context, device, &list_desc, &list));
	/* An empty list, then one that goes there and back. */
	ZE(zeCommandListClose(list));
	ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
	ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
	ZE(zeCommandListReset(list));
	for (uint32_t i = 0; i < 1 << 17; i++) {
		host[i] = i * 2654435761u;
		host[i + (1 << 17)] = GUARD;
	}
	ZE(zeCommandListAppendMemoryCopy(list, on_device, host, 1 << 19, NULL, 0, NULL));
	ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
	ZE(zeCommandListAppendMemoryCopy(
		list, host + (1 << 17), on_device, 1 << 19, NULL, 0, NULL));
	ZE(zeCommandListClose(list));
	ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
	ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
	assert_memory_equal(host, host + (1 << 17), 1 << 19);
	ZE(zeCommandListDestroy(list));
	ZE(zeMemFree(context, on_device));
	ZE(zeMemFree(context, host));
	expect_good();
}

static void loses_the_device_and_goes_on(void **state)
{
	const uint64_t far = UINT64_C(0x123456789000);
	char report[2048];

	(void)state;
	for (int round = 0; round < 3; round++) {
		memset(numbers, 0, NUMBERS * 4);
		ze_command_list_handle_t list = launch("astray", far);
		ze_command_list_handle_t behind = launch("good", 0);
		assert_int_equal(
			zeCommandQueueSynchronize(queue, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
		/* It stays so until the report is taken. */
		assert_int_equal(
			zeCommandQueueSynchronize(queue, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
		assert_int_equal(numbers[5], 0);
		memset(report, 0, sizeof report);
		size_t length = take_fault(0, report, sizeof report);
		assert_true(length > 0);
		assert_int_equal(length, strlen(report));
		assert_non_null(strstr(report, "0x1234567890"));
		assert_non_null(strstr(report, "send")); /* the instruction */
		if (take_fault(0, report, sizeof report))
			fail_msg("again: %s", report);
		expect_good();
		ZE(zeCommandListDestroy(list));
		ZE(zeCommandListDestroy(behind));
	}
}

/* What a child does with a kernel that never ends, by its number; it then exits. */
static void leave(int way)
{
	memset(numbers, 0, NUMBERS * 4);
	ze_command_list_handle_t list = launch("endless", 0);
	switch (way) {
	case 0:
		break;
	case 1:
		ZE(zeCommandListDestroy(list));
		break;
	case 2:
		ZE(zeCommandQueueDestroy(queue));
		ZE(zeContextDestroy(context));
		break;
	default:
		launch("astray", UINT64_C(0x123456789000));
		break;
	}
	exit(0);
}

/* The ways to leave, each in a process of its own: this program, started anew. */
static void leaves_an_endless_kernel(void **state)
{
	char command[512], self[256] = "";

	(void)state;
	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	for (int way = 0; way < 4; way++) {
		snprintf(command, sizeof command, "'%s' %s leave%d", self,
			by_install ? "install" : "preload", way);
		assert_int_equal(system(command), 0);
	}
}

/* Exit handlers run last to first: this one sees when exit began, and lives until the end. */
static void watch_exit(void)
{
	alarm(60);
}

/* A child has the driver's objects but no device; what its parent runs is not disturbed. (It must
 * not call exit: the driver then waits for a thread of its own, which fork does not copy.) */
static void forks(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		alarm(20);
		_exit(zeCommandQueueSynchronize(queue, UINT64_MAX) == ZE_RESULT_SUCCESS &&
					zeCommandQueueDestroy(queue) == ZE_RESULT_SUCCESS
				? 0
				: 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect_good();
}

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enumerates),
		cmocka_unit_test(allocates),
		cmocka_unit_test(loses_the_device_and_goes_on),
		cmocka_unit_test(forks),
		cmocka_unit_test(leaves_an_endless_kernel),
	};
	void *library = RTLD_DEFAULT;

	by_install = count > 1 && strcmp(arguments[1], "install") == 0;
	if (by_install)
		library = dlopen(getenv("I915_VGPU"), RTLD_NOW | RTLD_LOCAL);
	if (!library && by_install)
		return 1;
	*(void **)&install = dlsym(library, "zerocl_vgpu_install");
	*(void **)&take_fault = dlsym(library, "zerocl_vgpu_take_fault");
	if (!install || !take_fault)
		return 1;
	if (!dlopen("libze_intel_gpu.so.1", RTLD_LAZY | RTLD_LOCAL) || compile()) {
		puts("skipped: no Level Zero driver or no ocloc");
		return 77;
	}
	if (open_driver())
		return 1;
	if (count > 2) {
		atexit(watch_exit);
		leave(arguments[2][5] - '0');
	}
	return cmocka_run_group_tests_name("door_driver", tests, NULL, NULL);
}
