// SPDX-License-Identifier: MIT
/*
 * What processes do: fork, exit, unload, spawn, be interrupted. Each scenario is a process of its
 * own, `cl_life_test --run NAME`, which must end by itself, well and in time.
 */
#include "cl/cl_case.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ITEMS	      4096
#define PATIENCE_SECS 250

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			_exit(3);                                                                  \
		}                                                                                  \
	} while (0)
#define OK(call) MUST((call) == CL_SUCCESS)

extern char **environ;

static const char source[] =
	"kernel void add(global uint *p, uint v) { p[get_global_id(0)] += v; }\n"
	"kernel void slow(global uint *p, uint n)\n"
	"{ uint x = p[0]; for (uint i = 0; i < n; i++) x = x * 1664525 + 1013904223;\n"
	"  p[get_global_id(0)] = x; }\n";

/* What a program has. */
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel add, slow;
static cl_mem buffer;

static void find(void)
{
	cl_uint n = 0;

	OK(clGetPlatformIDs(1, &platform, &n));
	OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
}

static void launch(cl_kernel kernel, cl_uint value, cl_event *event)
{
	size_t global = ITEMS;

	OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
	OK(clSetKernelArg(kernel, 1, sizeof value, &value));
	OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, event));
}

static void create(void)
{
	const char *text = source;
	cl_int rc;

	find();
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	OK(rc);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &rc);
	OK(rc);
	program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
	OK(rc);
	OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
	add = clCreateKernel(program, "add", &rc);
	OK(rc);
	slow = clCreateKernel(program, "slow", &rc);
	OK(rc);
	buffer = clCreateBuffer(context, 0, ITEMS * sizeof(cl_uint), NULL, &rc);
	OK(rc);
}

static void compute(void)
{
	static cl_uint data[ITEMS];
	cl_uint first = 5;

	OK(clEnqueueFillBuffer(queue, buffer, &first, sizeof first, 0, sizeof data, 0, NULL, NULL));
	launch(add, 37, NULL);
	memset(data, 0xcd, sizeof data);
	OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
	for (size_t i = 0; i < ITEMS; i++)
		MUST(data[i] == 42);
}

static void release(void)
{
	OK(clReleaseMemObject(buffer));
	OK(clReleaseKernel(add));
	OK(clReleaseKernel(slow));
	OK(clReleaseProgram(program));
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
}

static void use(void)
{
	create();
	compute();
	release();
}

static void nap(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/* Ends well within PATIENCE_SECS. */
static bool ends_well(pid_t child)
{
	int status = 0;

	for (int i = 0; i < PATIENCE_SECS * 100; i++) {
		pid_t done = waitpid(child, &status, WNOHANG);

		if (done == child && WIFEXITED(status) && !WEXITSTATUS(status))
			return true;
		if (done) {
			fprintf(stderr, "the process ended with status 0x%x\n", (unsigned)status);
			return false;
		}
		nap(10);
	}
	fprintf(stderr, "the process hangs\n");
	/* it may be a group, and not be one yet */
	kill(-child, SIGKILL);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return false;
}

/* A child of one that has not used OpenCL can; so can the parent then. */
static void fork_before(void)
{
	for (int round = 0; round < 2; round++) {
		pid_t child = fork();

		MUST(child >= 0);
		if (!child) {
			use();
			exit(0);
		}
		MUST(ends_well(child));
	}
	use();
}

/*
 * A child of one that has used OpenCL has the platform. All other handles of its parent are dead:
 * it gets errors, and hangs nowhere. It can have devices of its own.
 */
static void orphan(void)
{
	cl_event event = NULL;
	cl_uint n = 0, value = 1;
	size_t global = 1;
	cl_int rc = 0;
	char text[64];

	OK(clGetPlatformIDs(1, &platform, &n));
	OK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL));
	MUST(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, NULL) == CL_INVALID_DEVICE);
	MUST(!clCreateContext(NULL, 1, &device, NULL, NULL, &rc) && rc == CL_INVALID_DEVICE);
	MUST(!clCreateBuffer(context, 0, 64, NULL, &rc) && rc == CL_INVALID_CONTEXT);
	MUST(!clCreateUserEvent(context, &rc) && rc == CL_INVALID_CONTEXT);
	MUST(!clCreateCommandQueueWithProperties(context, device, NULL, &rc) && rc < 0);
	MUST(!clCreateKernel(program, "add", &rc) && rc == CL_INVALID_PROGRAM);
	MUST(!clSVMAlloc(context, 0, 64, 0));
	MUST(clSetKernelArg(add, 1, sizeof value, &value) == CL_INVALID_KERNEL);
	MUST(clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 0, NULL, &event) ==
		CL_INVALID_COMMAND_QUEUE);
	MUST(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL) ==
		CL_INVALID_COMMAND_QUEUE);
	MUST(clFlush(queue) == CL_INVALID_COMMAND_QUEUE);
	MUST(clFinish(queue) == CL_INVALID_COMMAND_QUEUE);
	MUST(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_INVALID_PROGRAM);
	MUST(clReleaseMemObject(buffer) == CL_INVALID_MEM_OBJECT);
	MUST(clReleaseKernel(add) == CL_INVALID_KERNEL);
	MUST(clReleaseProgram(program) == CL_INVALID_PROGRAM);
	MUST(clReleaseCommandQueue(queue) == CL_INVALID_COMMAND_QUEUE);
	MUST(clReleaseContext(context) == CL_INVALID_CONTEXT);
}

/* What a child can do first with its parent's platform. */
static void take_over(int way)
{
	const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (intptr_t)platform, 0 };
	cl_platform_id before = platform, after;
	cl_int rc;
	char text[4096];

	if (way == 1) {
		memset(text, 0xcd, sizeof text);
		OK(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
		MUST(strstr(text, "cl_khr_icd"));
	}
	if (way == 2) {
		MUST(clGetExtensionFunctionAddressForPlatform(platform, "clHostMemAllocINTEL"));
		cl_context own =
			clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, &rc);
		OK(rc);
		OK(clReleaseContext(own));
	}
	use();
	MUST(platform == before);
	OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof after, &after, NULL));
	MUST(after == before);
}

/* Both compute, and so does a child of the child. */
static void fork_after(void)
{
	create();
	compute();
	launch(slow, 1000, NULL); /* and something on its way */
	OK(clFlush(queue));
	for (int round = 0; round < 4; round++) {
		pid_t child = fork();

		MUST(child >= 0);
		if (!child) {
			orphan();
			take_over(round);
			create(); /* what its child has dead handles of */
			compute();
			if (round == 3 && !(child = fork())) {
				orphan();
				take_over(0);
				exit(0);
			}
			MUST(round < 3 || ends_well(child));
			compute();
			release();
			exit(0);
		}
		compute();
		MUST(ends_well(child));
	}
	release();
}

/* A loader's list of the platforms asks for their extensions, which opens the device. */
static void fork_listed(void)
{
	cl_uint n = 0;

	OK(clGetPlatformIDs(1, &platform, &n));
	for (int round = 0; round < 3; round++) {
		pid_t child = fork();

		MUST(child >= 0);
		if (!child) {
			use();
			exit(0);
		}
		if (round)
			use();
		MUST(ends_well(child));
	}
}

static void CL_CALLBACK count(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	__atomic_fetch_add((int *)data, 1, __ATOMIC_RELAXED);
}

static bool stop;
static int counted;

static void *work(void *data)
{
	cl_int rc;
	cl_command_queue mine = clCreateCommandQueueWithProperties(context, device, NULL, &rc);
	char bytes[1000] = { 0 };

	OK(rc);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		cl_event event;
		cl_mem memory = clCreateBuffer(context, 0, sizeof bytes, NULL, &rc);

		OK(rc);
		OK(clEnqueueWriteBuffer(
			mine, memory, CL_FALSE, 0, sizeof bytes, bytes, 0, NULL, &event));
		OK(clSetEventCallback(event, CL_COMPLETE, count, &counted));
		OK(clFinish(mine));
		OK(clReleaseEvent(event));
		OK(clReleaseMemObject(memory));
	}
	OK(clReleaseCommandQueue(mine));
	return data;
}

/* Locks may be taken at the moment of the fork. */
static inline void fork_busy(void)
{
	pthread_t threads[3];

	create();
	for (int i = 0; i < 3; i++)
		MUST(!pthread_create(&threads[i], NULL, work, NULL));
	for (int round = 0; round < 40; round++) {
		pid_t child = fork();

		MUST(child >= 0);
		if (!child) {
			orphan();
			if (round % 2)
				exit(0);
			_exit(0);
		}
		MUST(ends_well(child));
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	compute();
	release();
}

static void *open_device(void *data)
{
	find();
	return data;
}

/*
 * A thread opens the device, and another forks meanwhile. The loader has been loaded by then: it
 * does not bear to be forked before. The child leaves by _exit: exit waits for glibc's lock of exit
 * handlers, which the driver's libraries take as they are loaded, and which stays held in a child
 * that was forked then (POSIX, fork: only functions that are safe in signal handlers).
 */
static void fork_while_opening(long us)
{
	pthread_t thread;
	cl_uint n_platforms = 0;

	OK(clGetPlatformIDs(1, &platform, &n_platforms));
	MUST(!pthread_create(&thread, NULL, open_device, NULL));
	nanosleep(&(struct timespec){ 0, us * 1000 }, NULL);
	pid_t child = fork();
	MUST(child >= 0);
	if (!child) {
		cl_uint n = 0;

		OK(clGetPlatformIDs(1, &platform, &n));
		cl_int rc = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &n);
		MUST(rc == CL_DEVICE_NOT_FOUND || rc == CL_SUCCESS);
		_exit(0);
	}
	MUST(ends_well(child));
	pthread_join(thread, NULL);
	use();
}

static inline void fork_opening(void)
{
	for (long us = 0; us < 40000; us += 1 + us / 3) {
		pid_t child = fork();

		MUST(child >= 0);
		if (!child) {
			fork_while_opening(us);
			exit(0);
		}
		MUST(ends_well(child));
	}
}

static void exit_live(void)
{
	create();
	compute();
	MUST(clSVMAlloc(context, 0, 1000, 0));
}

/* Work on the device, in a batch, and behind an event that nobody will set. */
static void exit_unfinished(void)
{
	cl_event user, event;
	cl_uint data[4];
	cl_int rc;

	create();
	launch(slow, 30000, &event);
	OK(clSetEventCallback(event, CL_COMPLETE, count, &counted));
	OK(clFlush(queue));
	launch(add, 1, NULL);
	user = clCreateUserEvent(context, &rc);
	OK(rc);
	OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof data, data, 1, &user, &event));
	OK(clSetEventCallback(event, CL_COMPLETE, count, &counted));
}

/* The same, with everything released: the library looks after it. */
static void exit_released(void)
{
	create();
	for (int i = 0; i < 20; i++)
		launch(slow, 3000, NULL);
	release();
}

static void CL_CALLBACK built(cl_program which, void *data)
{
	(void)which;
	(void)data;
}

/* Threads that build are about to give code to the driver, or do. */
static void exit_building(void)
{
	unsigned char *binary;
	size_t size;
	cl_int rc;

	create();
	OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	MUST((binary = malloc(size)));
	OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
	for (int i = 0; i < 64; i++) {
		const unsigned char *bytes = binary;
		cl_program one =
			clCreateProgramWithBinary(context, 1, &device, &size, &bytes, NULL, &rc);

		OK(rc);
		OK(clBuildProgram(one, 1, &device, "", built, NULL));
		OK(clReleaseProgram(one));
	}
	free(binary);
}

static int running;

static void CL_CALLBACK busy_callback(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	__atomic_store_n(&running, 1, __ATOMIC_RELAXED);
	for (;;) {
		cl_int rc;
		cl_mem memory = clCreateBuffer(context, 0, 1000, NULL, &rc);

		if (data)
			nap(1000);
		if (memory)
			clReleaseMemObject(memory);
		(void)clFlush(queue);
	}
}

static void run_callback(void (*callback)(cl_event, cl_int, void *), void *data)
{
	cl_event event;

	create();
	launch(add, 1, &event);
	OK(clSetEventCallback(event, CL_COMPLETE, callback, data));
	OK(clFlush(queue));
	while (!__atomic_load_n(&running, __ATOMIC_RELAXED))
		nap(1);
}

static void exit_callback(void)
{
	run_callback(busy_callback, NULL);
}

static void exit_sleeping_callback(void)
{
	run_callback(busy_callback, &running);
}

static void CL_CALLBACK exiting_callback(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	(void)data;
	exit(0);
}

static void exit_in_callback(void)
{
	run_callback(exiting_callback, NULL);
}

/* Handlers of the application's, before and after ours. */
static void late(void)
{
	if (buffer)
		compute();
	if (buffer)
		release();
	buffer = NULL;
}

static void exit_handlers(void)
{
	create();
	atexit(late);
	compute();
}

/* Without a loader between us and the library. */
static void *load_library(void)
{
	char path[1024] = "";
	FILE *file = fopen(getenv("OCL_ICD_VENDORS"), "r");

	MUST(file && fgets(path, sizeof path, file));
	path[strcspn(path, "\n")] = '\0';
	fclose(file);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	MUST(library);
	return library;
}

static void function(void *library, const char *name, void *out)
{
	void *(*get)(const char *);
	void *found = dlsym(library, "clGetExtensionFunctionAddress");

	MUST(found);
	memcpy(&get, &found, sizeof get);
	found = get(name);
	MUST(found);
	memcpy(out, &found, sizeof found);
}

static void unload(void)
{
	for (int round = 0; round < 3; round++) {
		void *library = load_library();
		clIcdGetPlatformIDsKHR_fn ids;
		__typeof__(clGetDeviceIDs) *devices;
		__typeof__(clCreateContext) *create_context;
		__typeof__(clCreateCommandQueue) *create_queue;
		__typeof__(clCreateUserEvent) *create_event;
		__typeof__(clSetEventCallback) *call;
		__typeof__(clSetUserEventStatus) *set;
		__typeof__(clReleaseEvent) *release_event;
		__typeof__(clReleaseCommandQueue) *release_queue;
		__typeof__(clReleaseContext) *release_context;
		cl_int rc;

		function(library, "clIcdGetPlatformIDsKHR", &ids);
		function(library, "clGetDeviceIDs", &devices);
		function(library, "clCreateContext", &create_context);
		function(library, "clCreateCommandQueue", &create_queue);
		function(library, "clCreateUserEvent", &create_event);
		function(library, "clSetEventCallback", &call);
		function(library, "clSetUserEventStatus", &set);
		function(library, "clReleaseEvent", &release_event);
		function(library, "clReleaseCommandQueue", &release_queue);
		function(library, "clReleaseContext", &release_context);
		OK(ids(1, &platform, NULL));
		OK(devices(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
		context = create_context(NULL, 1, &device, NULL, NULL, &rc);
		OK(rc);
		queue = create_queue(context, device, 0, &rc);
		OK(rc);
		cl_event user = create_event(context, &rc);
		OK(rc);
		OK(call(user, CL_COMPLETE, count, &counted));
		OK(set(user, CL_COMPLETE));
		OK(release_event(user));
		OK(release_queue(queue));
		OK(release_context(context));
		MUST(!dlclose(library));
		nap(round == 1 ? 2500 : 20);
	}
	MUST(__atomic_load_n(&counted, __ATOMIC_RELAXED) > 0);
}

static bool is_loaded(const char *name)
{
	return dlopen(name, RTLD_NOW | RTLD_NOLOAD);
}

/* Loading and asking for the platform opens no device and loads no driver; asking what all of its
 * devices have does, and ICD loaders ask that. */
static void light(void)
{
	void *library = load_library();
	clIcdGetPlatformIDsKHR_fn ids;
	__typeof__(clGetPlatformInfo) *info;
	struct timespec begin, end;
	cl_uint n = 0;
	char text[8192];

	function(library, "clIcdGetPlatformIDsKHR", &ids);
	function(library, "clGetPlatformInfo", &info);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	OK(ids(1, &platform, &n));
	clock_gettime(CLOCK_MONOTONIC, &end);
	OK(info(platform, CL_PLATFORM_NAME, sizeof text, text, NULL));
	printf("first clIcdGetPlatformIDsKHR: %.3f ms\n",
		(double)(end.tv_sec - begin.tv_sec) * 1e3 +
			(double)(end.tv_nsec - begin.tv_nsec) * 1e-6);
	MUST(!is_loaded("libze_loader.so.1"));
	MUST(!is_loaded("libze_intel_gpu.so.1"));
	MUST(!is_loaded("libzerocl-vgpu.so.1"));
	OK(info(platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
	MUST(is_loaded("libze_loader.so.1"));
	MUST(strstr(text, "cl_intel_unified_shared_memory"));
}

static void build_fresh(int salt)
{
	char text[256];
	const char *texts = text;
	cl_int rc;

	snprintf(text, sizeof text, "kernel void k%d_%d(global int *p) { *p = %d; }", salt,
		(int)getpid(), salt);
	cl_program fresh = clCreateProgramWithSource(context, 1, &texts, NULL, &rc);
	OK(rc);
	OK(clBuildProgram(fresh, 1, &device, "", NULL, NULL));
	OK(clReleaseProgram(fresh));
}

/* Other processes are started in all ways, and nobody waits for ours in our place. */
static void spawn(void)
{
	char *arguments[] = { "true", NULL };
	pthread_t thread;
	int status;

	create();
	MUST(!pthread_create(&thread, NULL, work, NULL));
	for (int round = 0; round < 10; round++) {
		pid_t child;

		MUST(!posix_spawnp(&child, "true", NULL, NULL, arguments, environ));
		MUST(waitpid(child, &status, 0) == child && !status);
		child = vfork();
		if (!child) {
			execvp("true", arguments);
			_exit(127);
		}
		MUST(waitpid(child, &status, 0) == child && !status);
		MUST(!system("true"));
		compute();
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	signal(SIGCHLD, SIG_IGN);
	build_fresh(1);
	/* those that we started are nobody else's children */
	signal(SIGCHLD, SIG_DFL);
	build_fresh(2);
	MUST(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD);
	compute();
	release();
}

static volatile sig_atomic_t ticks;

static void tick(int number)
{
	(void)number;
	ticks++;
}

/* A signal each millisecond, which restarts nothing. */
static void interrupt(void)
{
	struct sigaction action = { .sa_handler = tick };
	struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };

	MUST(!sigaction(SIGALRM, &action, NULL));
	MUST(!setitimer(ITIMER_REAL, &timer, NULL));
	create();
	build_fresh(3);
	for (int round = 0; round < 20; round++) {
		launch(slow, 300, NULL);
		compute();
	}
	release();
	MUST(!setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL));
	MUST(ticks > 20);
}

/* The application's signals are not for threads of ours. */
static void signal_threads(void)
{
	struct sigaction action = { .sa_handler = tick };
	sigset_t set;
	cl_event event;

	MUST(!sigaction(SIGUSR1, &action, NULL));
	create();
	launch(add, 1, &event);
	OK(clSetEventCallback(event, CL_COMPLETE, count, &counted));
	OK(clFinish(queue));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	MUST(!pthread_sigmask(SIG_BLOCK, &set, NULL));
	MUST(!kill(getpid(), SIGUSR1));
	nap(50);
	MUST(ticks == 0);
	MUST(!pthread_sigmask(SIG_UNBLOCK, &set, NULL));
	MUST(ticks == 1);
	OK(clReleaseEvent(event));
	release();
}

static const struct {
	const char *name;
	void (*run)(void);
} scenarios[] = {
	{ "fork_before", fork_before },
	{ "fork_after", fork_after },
	{ "fork_listed", fork_listed },
#ifndef __SANITIZE_ADDRESS__ /* whose allocator's locks stay held in the child */
	{ "fork_busy", fork_busy },
#ifndef __SANITIZE_THREAD__ /* which bears no threads in the child of one with threads */
	{ "fork_opening", fork_opening },
#endif
#endif
	{ "exit_live", exit_live },
	{ "exit_unfinished", exit_unfinished },
	{ "exit_released", exit_released },
	{ "exit_building", exit_building },
	{ "exit_callback", exit_callback },
	{ "exit_sleeping_callback", exit_sleeping_callback },
	{ "exit_in_callback", exit_in_callback },
	{ "exit_handlers", exit_handlers },
	{ "unload", unload },
	{ "light", light },
	{ "spawn", spawn },
	{ "interrupt", interrupt },
	{ "signal_threads", signal_threads },
};
#define N_SCENARIOS (sizeof scenarios / sizeof *scenarios)

static void test_scenario(void **state)
{
	char *arguments[] = { "cl_life_test", "--run", *state, NULL };
	posix_spawnattr_t attributes;
	pid_t child;

	fflush(NULL);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	assert_int_equal(
		posix_spawn(&child, "/proc/self/exe", NULL, &attributes, arguments, environ), 0);
	posix_spawnattr_destroy(&attributes);
	assert_true(ends_well(child));
}

static void run(const char *name)
{
	for (size_t i = 0; i < N_SCENARIOS; i++) {
		if (strcmp(scenarios[i].name, name))
			continue;
		scenarios[i].run();
		exit(0);
	}
	exit(4);
}

int main(int argc, char **argv)
{
	static struct CMUnitTest tests[N_SCENARIOS];

	if (argc == 3 && !strcmp(argv[1], "--run"))
		run(argv[2]);
	for (size_t i = 0; i < N_SCENARIOS; i++) {
		tests[i].name = scenarios[i].name;
		tests[i].test_func = test_scenario;
		tests[i].initial_state = (void *)(uintptr_t)scenarios[i].name;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
