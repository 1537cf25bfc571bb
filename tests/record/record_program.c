// SPDX-License-Identifier: MIT
/*
 * record_program PLATFORM PART…: a program that uses OpenCL in as many ways as a record must know,
 * each part in turn. It checks its own results and ends with 3, so that a status is seen to pass
 * through; 77 if the platform is not there; 1 if something is wrong.
 */
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <time.h>

#define N 1024u

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("line %d: %s\n", __LINE__, #condition);                             \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)
#define OK(call) CHECK((call) == CL_SUCCESS)

static const char source[] =
	"kernel void add(global uint *a, uint b) { a[get_global_id(0)] += b; }\n"
	"kernel void twice(global uint *a) { a[get_global_id(0)] *= 2; }\n"
	"kernel void turn(global const uint *a, global uint *b, local uint *t) {\n"
	"  uint l = get_local_id(0), n = get_local_size(0);\n"
	"  t[l] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  b[get_global_id(0)] = t[n - 1 - l]; }\n"
	"kernel void invert(read_only image2d_t a, write_only image2d_t b, sampler_t s) {\n"
	"  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"  write_imageui(b, at, 255 - read_imageui(a, s, at)); }\n"
	"kernel void follow(global uint *a, global ulong *links) {\n"
	"  global uint *p = (global uint *)links[get_global_id(0)]; a[get_global_id(0)] = *p; }\n";

static cl_program build(const char *text, const char *options)
{
	cl_int error;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);

	OK(error);
	OK(clBuildProgram(program, 1, &device, options, NULL, NULL));
	return program;
}

static cl_kernel kernel_of(const char *name)
{
	static cl_program program;
	cl_int error;

	if (!program)
		program = build(source, "");
	cl_kernel kernel = clCreateKernel(program, name, &error);
	OK(error);
	return kernel;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	OK(clSetKernelArg(kernel, index, size, value));
}

static void launch(cl_command_queue on, cl_kernel kernel, size_t n, cl_uint waits,
	const cl_event *list, cl_event *event)
{
	const size_t local = 64;

	OK(clEnqueueNDRangeKernel(on, kernel, 1, NULL, &n, &local, waits, list, event));
}

static void fill(cl_uint *words, cl_uint seed)
{
	for (cl_uint i = 0; i < N; i++)
		words[i] = i * 2654435761u + seed;
}

static void buffers(void)
{
	cl_uint words[N], got[N];
	cl_int error;

	fill(words, 1);
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
	OK(error);
	cl_mem b = clCreateBuffer(context, 0, sizeof words, NULL, &error);
	OK(error);
	cl_kernel add = kernel_of("add"), turn = kernel_of("turn");
	set(add, 0, sizeof a, &a);
	set(add, 1, sizeof(cl_uint), &(cl_uint){ 7 });
	launch(queue, add, N, 0, NULL, NULL);
	set(turn, 0, sizeof a, &a);
	set(turn, 1, sizeof b, &b);
	set(turn, 2, 64 * sizeof(cl_uint), NULL);
	launch(queue, turn, N, 0, NULL, NULL);
	OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	for (cl_uint i = 0; i < N; i++)
		CHECK(got[i] == words[i / 64 * 64 + 63 - i % 64] + 7);
	/* Rectangles with gaps, which nobody writes; not waited for. */
	const size_t at[] = { 16, 2, 0 }, host[] = { 4, 1, 0 }, region[] = { 32, 4, 1 };
	cl_uint gaps[64] = { 0 };
	OK(clEnqueueReadBufferRect(
		queue, b, CL_FALSE, at, host, region, 256, 0, 48, 0, gaps, 0, NULL, NULL));
	OK(clEnqueueFillBuffer(queue, a, &(cl_uint){ 5 }, 4, 0, sizeof words, 0, NULL, NULL));
	OK(clEnqueueCopyBuffer(queue, a, b, 64, 128, 256, 0, NULL, NULL));
	OK(clFinish(queue));
	CHECK(gaps[13] == got[2 * 64 + 4] && !gaps[12] && gaps[12 + 9] == 0);
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
	OK(clReleaseKernel(add));
	OK(clReleaseKernel(turn));
}

static void parts(void)
{
	cl_uint words[N], got[N];
	cl_int error;

	/* A mistake, which PoCL does not see: the context is one still. */
	char name[256] = "";
	OK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL));
	if (!strstr(name, "Portable"))
		CHECK(clFlush((cl_command_queue)context) == CL_INVALID_COMMAND_QUEUE);
	fill(words, 2);
	cl_mem all = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof words, words, &error);
	OK(error);
	const cl_buffer_region half = { sizeof words / 2, sizeof words / 2 };
	cl_mem part = clCreateSubBuffer(all, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error);
	OK(error);
	cl_kernel twice = kernel_of("twice");
	set(twice, 0, sizeof part, &part);
	launch(queue, twice, N / 2, 0, NULL, NULL);
	cl_uint *mapped = clEnqueueMapBuffer(queue, all, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
		sizeof words, 0, NULL, NULL, &error);
	OK(error);
	CHECK(mapped[N - 1] == ((N - 1) * 2654435761u + 2) * 2);
	mapped[5] = 99;
	OK(clEnqueueUnmapMemObject(queue, all, mapped, 0, NULL, NULL));
	mapped = clEnqueueMapBuffer(queue, part, CL_FALSE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 256,
		0, NULL, NULL, &error);
	OK(error);
	OK(clFinish(queue));
	memset(mapped, 0x11, 256);
	OK(clEnqueueUnmapMemObject(queue, part, mapped, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, all, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	CHECK(got[5] == 99 && got[N / 2] == 0x11111111);
	OK(clReleaseMemObject(part));
	OK(clReleaseMemObject(all));
	OK(clReleaseKernel(twice));
}

static void images(void)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 30, .image_height = 20
	};
	const size_t zero[3] = { 0 }, region[] = { 30, 20, 1 }, global[] = { 30, 20 };
	unsigned char pixels[30 * 20 * 4], got[20 * 128];
	cl_bool has_images = CL_FALSE;
	cl_int error;

	clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL);
	if (!has_images) {
		puts("not here");
		return;
	}
	for (unsigned i = 0; i < sizeof pixels; i++)
		pixels[i] = (unsigned char)(i * 7);
	cl_mem a = clCreateImage(
		context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, &format, &desc, pixels, &error);
	OK(error);
	cl_mem b = clCreateImage(context, CL_MEM_WRITE_ONLY, &format, &desc, NULL, &error);
	OK(error);
	cl_sampler sampler = clCreateSampler(
		context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
	OK(error);
	cl_kernel invert = kernel_of("invert");
	set(invert, 0, sizeof a, &a);
	set(invert, 1, sizeof b, &b);
	set(invert, 2, sizeof sampler, &sampler);
	OK(clEnqueueNDRangeKernel(queue, invert, 2, NULL, global, NULL, 0, NULL, NULL));
	memset(got, 0, sizeof got);
	OK(clEnqueueReadImage(queue, b, CL_TRUE, zero, region, 128, 0, got, 0, NULL, NULL));
	for (unsigned i = 0; i < sizeof pixels; i++)
		CHECK(got[i / 120 * 128 + i % 120] == 255 - pixels[i]);
	size_t row = 0;
	unsigned char *mapped = clEnqueueMapImage(
		queue, a, CL_TRUE, CL_MAP_WRITE, zero, region, &row, NULL, 0, NULL, NULL, &error);
	OK(error);
	mapped[row * 3 + 8] = 42;
	OK(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
	const cl_uint color[4] = { 1, 2, 3, 4 };
	const size_t corner[3] = { 1, 1, 1 };
	OK(clEnqueueFillImage(queue, a, color, zero, corner, 0, NULL, NULL));
	OK(clEnqueueWriteImage(queue, a, CL_TRUE, (size_t[]){ 4, 4, 0 }, (size_t[]){ 10, 2, 1 }, 64,
		0, got, 0, NULL, NULL));
	OK(clEnqueueReadImage(queue, a, CL_TRUE, zero, region, 0, 0, pixels, 0, NULL, NULL));
	CHECK(pixels[3 * 120 + 8] == 42 && pixels[1] == 2 && pixels[5 * 120 + 17] == got[65]);
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
	OK(clReleaseSampler(sampler));
	OK(clReleaseKernel(invert));
}

typedef cl_int (*set_pointer_function)(cl_kernel kernel, cl_uint index, const void *pointer);

static void *function_of(const char *name)
{
	return clGetExtensionFunctionAddressForPlatform(platform, name);
}

/*
 * Memory in which the host writes at any time, also addresses into the memory itself: of SVM with
 * fine grain, or of cl_intel_unified_shared_memory.
 */
static void *allocate(size_t size, bool is_svm)
{
	clSharedMemAllocINTEL_fn shared;
	void *found = function_of("clSharedMemAllocINTEL");
	cl_int error = CL_SUCCESS;

	if (is_svm)
		return clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, size, 0);
	memcpy(&shared, &found, sizeof found);
	return shared(context, device, NULL, size, 0, &error);
}

static void release(void *memory, bool is_svm)
{
	clMemFreeINTEL_fn release_shared;
	void *found = function_of("clMemFreeINTEL");

	memcpy(&release_shared, &found, sizeof found);
	if (is_svm)
		clSVMFree(context, memory);
	else
		OK(release_shared(context, memory));
}

static void svm(void)
{
	set_pointer_function set_pointer = clSetKernelArgSVMPointer;
	cl_device_svm_capabilities can = 0;

	clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL);
	bool is_svm = can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
	void *found = function_of("clSetKernelArgMemPointerINTEL");
	if (!is_svm && !found) {
		puts("not here");
		return;
	}
	if (!is_svm)
		memcpy(&set_pointer, &found, sizeof found);
	cl_uint *words = allocate(N * sizeof(cl_uint), is_svm);
	cl_ulong *links = allocate(N * sizeof(cl_ulong), is_svm);
	cl_uint *out = clSVMAlloc(context, 0, N * sizeof(cl_uint), 0), got[N];
	CHECK(words && links && out);
	cl_kernel twice = kernel_of("twice"), follow = kernel_of("follow");
	fill(words, 3);
	OK(set_pointer(twice, 0, words));
	launch(queue, twice, N, 0, NULL, NULL);
	OK(clFinish(queue));
	CHECK(words[9] == (9 * 2654435761u + 3) * 2);
	words[9] = 4711;
	for (cl_uint i = 0; i < N; i++)
		links[i] = (cl_ulong)(size_t)&words[N - 1 - i];
	OK(clSetKernelArgSVMPointer(follow, 0, out));
	OK(set_pointer(follow, 1, links));
	const cl_bool yes = CL_TRUE;
	if (is_svm)
		OK(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof words, &words));
	else
		OK(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
			sizeof yes, &yes));
	launch(queue, follow, N, 0, NULL, NULL);
	OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, out, N * sizeof(cl_uint), 0,
		NULL, NULL));
	CHECK(out[N - 1 - 9] == 4711);
	out[0] = 12;
	OK(clEnqueueSVMUnmap(queue, out, 0, NULL, NULL));
	OK(clEnqueueSVMMemcpy(queue, CL_FALSE, got, out, sizeof got, 0, NULL, NULL));
	OK(clFinish(queue));
	CHECK(got[0] == 12 && got[N - 1 - 9] == 4711);
	release(words, is_svm);
	release(links, is_svm);
	clSVMFree(context, out);
	OK(clReleaseKernel(twice));
	OK(clReleaseKernel(follow));
}

/* Shared memory in which nobody has written: the program sees what is there by chance. */
static void chance(void)
{
	static const size_t sizes[] = { 1 << 14, 24 << 10, 100 << 10, 300 << 10 };

	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		/* What PoCL allocates next may be this. */
		void *before = malloc(sizes[i] + 4096);
		memset(before, (int)(getpid() + i), sizes[i] + 4096);
		free(before);
		void *memory = clSVMAlloc(context, 0, sizes[i], 0);
		CHECK(memory);
		OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, sizes[i], 0, NULL, NULL));
		OK(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));
		OK(clFinish(queue));
		clSVMFree(context, memory);
	}
}

/* Of cl_khr_unified_svm, which not all headers have. */
enum {
	SVM_TYPES = 0x1077,
	OF_DEVICE = 0x2078,
	HOST_READ = 1 << 6,
	HOST_MAP = 1 << 8,
};

typedef void *(CL_API_CALL *allocate_function)(
	cl_context, const cl_ulong *, cl_uint, size_t, cl_int *);

/* Memory of each type of cl_khr_unified_svm, in some of which the host may not look. */
static void types(void)
{
	const cl_ulong properties[] = { OF_DEVICE, (cl_ulong)(size_t)device, 0 };
	cl_ulong can[16];
	size_t size = 0;
	allocate_function allocate_type;
	void *found = function_of("clSVMAllocWithPropertiesKHR");

	if (!found || clGetDeviceInfo(device, SVM_TYPES, sizeof can, can, &size)) {
		puts("not here");
		return;
	}
	memcpy(&allocate_type, &found, sizeof found);
	cl_kernel twice = kernel_of("twice");
	for (cl_uint type = 0; type < size / sizeof *can; type++) {
		cl_uint words[N], got[N];
		cl_int error;
		cl_uint *memory = allocate_type(context, properties, type, sizeof words, &error);

		OK(error);
		fill(words, type);
		if (can[type] & HOST_MAP)
			OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, memory,
				sizeof words, 0, NULL, NULL));
		if (can[type] & (HOST_READ | HOST_MAP))
			memcpy(memory, words, sizeof words);
		else
			OK(clEnqueueSVMMemcpy(
				queue, CL_TRUE, memory, words, sizeof words, 0, NULL, NULL));
		if (can[type] & HOST_MAP)
			OK(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));
		OK(clSetKernelArgSVMPointer(twice, 0, memory));
		launch(queue, twice, N, 0, NULL, NULL);
		OK(clEnqueueSVMMemcpy(queue, CL_TRUE, got, memory, sizeof got, 0, NULL, NULL));
		for (cl_uint i = 0; i < N; i++)
			CHECK(got[i] == words[i] * 2);
		clSVMFree(context, memory);
	}
	OK(clReleaseKernel(twice));
}

static cl_command_queue out_of_order(void)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
	cl_int error;
	cl_command_queue made = clCreateCommandQueueWithProperties(context, device, list, &error);
	cl_command_queue_properties properties = 0;

	OK(error);
	/* What a timeline switches on must not show. */
	OK(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
	CHECK(!(properties & CL_QUEUE_PROFILING_ENABLE));
	return made;
}

/* A diamond over two queues, one out of order, begun by a user event. */
static void events(void)
{
	cl_uint words[N], got[N];
	cl_event start, first[3], last;
	cl_ulong time;
	cl_int error;

	fill(words, 4);
	cl_command_queue other = out_of_order();
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
	OK(error);
	start = clCreateUserEvent(context, &error);
	OK(error);
	cl_kernel add = kernel_of("add"), twice = kernel_of("twice");
	set(add, 0, sizeof a, &a);
	set(add, 1, sizeof(cl_uint), &(cl_uint){ 1 });
	set(twice, 0, sizeof a, &a);
	launch(other, add, N, 1, &start, &first[0]);
	launch(other, twice, N, 1, &first[0], &first[1]);
	launch(queue, add, N, 1, &first[1], &first[2]);
	launch(other, twice, N, 1, &first[2], &last);
	OK(clEnqueueReadBuffer(other, a, CL_FALSE, 0, sizeof got, got, 1, &last, NULL));
	OK(clFlush(queue));
	OK(clFlush(other));
	OK(clSetUserEventStatus(start, CL_COMPLETE));
	OK(clFinish(other));
	for (cl_uint i = 0; i < N; i++)
		CHECK(got[i] == ((words[i] + 1) * 2 + 1) * 2);
	CHECK(clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL) ==
		CL_PROFILING_INFO_NOT_AVAILABLE);
	for (unsigned i = 0; i < 3; i++)
		OK(clReleaseEvent(first[i]));
	OK(clReleaseEvent(last));
	OK(clReleaseEvent(start));
	OK(clReleaseMemObject(a));
	OK(clReleaseCommandQueue(other));
	OK(clReleaseKernel(add));
	OK(clReleaseKernel(twice));
}

/* A program from its binary, one from headers, one of several kernels. */
/* A kernel that stores 9, compiled with a header of its own and linked. */
static cl_program link_parts(void)
{
	const char *name = "nine.h", *header_text = "#define NINE 9\n";
	const char *text = "#include \"nine.h\"\n"
			   "kernel void nine(global uint *a) { a[get_global_id(0)] = NINE; }\n";
	cl_int error;
	cl_program header = clCreateProgramWithSource(context, 1, &header_text, NULL, &error);
	OK(error);
	cl_program part = clCreateProgramWithSource(context, 1, &text, NULL, &error);
	OK(error);
	OK(clCompileProgram(part, 1, &device, "", 1, &header, &name, NULL, NULL));
	cl_program whole = clLinkProgram(context, 1, &device, "", 1, &part, NULL, NULL, &error);
	OK(error);
	OK(clReleaseProgram(part));
	OK(clReleaseProgram(header));
	return whole;
}

/* A kernel keeps its program, which can be asked for and used when the program's last reference is
 * gone. */
static void outlive(cl_mem a)
{
	cl_int error;
	cl_uint n = 0;
	cl_program program = build(source, "-DX=2"), again = NULL;
	cl_kernel kernels[8], other, clone;

	OK(clCreateKernelsInProgram(program, 8, kernels, &n));
	OK(clReleaseProgram(program));
	OK(clGetKernelInfo(kernels[0], CL_KERNEL_PROGRAM, sizeof(cl_program), &again, NULL));
	OK(clRetainProgram(again));
	for (cl_uint i = 0; i < n; i++)
		OK(clReleaseKernel(kernels[i]));
	other = clCreateKernel(again, "twice", &error);
	OK(error);
	OK(clReleaseProgram(again));
	clone = clCloneKernel(other, &error);
	OK(error);
	OK(clReleaseKernel(other));
	OK(clGetKernelInfo(clone, CL_KERNEL_PROGRAM, sizeof(cl_program), &again, NULL));
	other = clCreateKernel(again, "add", &error);
	OK(error);
	set(clone, 0, sizeof a, &a);
	launch(queue, clone, 64, 0, NULL, NULL);
	OK(clReleaseKernel(clone));
	set(other, 0, sizeof a, &a);
	set(other, 1, sizeof(cl_uint), &(cl_uint){ 7 });
	launch(queue, other, 64, 0, NULL, NULL);
	OK(clReleaseKernel(other));
}

static void programs(void)
{
	cl_uint words[N], got[N];
	cl_int error, status;
	size_t size;
	cl_kernel kernels[8];
	cl_uint n = 0;

	fill(words, 5);
	cl_program first = build(source, "-DX=1");
	OK(clGetProgramInfo(first, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	unsigned char *binary = malloc(size);
	OK(clGetProgramInfo(first, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
	cl_program second = clCreateProgramWithBinary(
		context, 1, &device, &size, (const unsigned char **)&binary, &status, &error);
	OK(error);
	OK(clBuildProgram(second, 1, &device, NULL, NULL, NULL));
	OK(clCreateKernelsInProgram(second, 8, kernels, &n));
	cl_program third = build(
		"#include \"a/first.h\"\n#include \"a/empty.h\"\nkernel void k(global uint *a) "
		"{ a[get_global_id(0)] = VALUE; }",
		"-I record_headers");
	cl_kernel k = clCreateKernel(third, "k", &error);
	OK(error);
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
	OK(error);
	cl_program fourth = link_parts();
	cl_kernel nine = clCreateKernel(fourth, "nine", &error);
	OK(error);
	set(nine, 0, sizeof a, &a);
	launch(queue, nine, 128, 0, NULL, NULL);
	set(k, 0, sizeof a, &a);
	launch(queue, k, 64, 0, NULL, NULL);
	outlive(a);
	for (cl_uint i = 0; i < n; i++) {
		char name[64];
		OK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
		if (!strcmp(name, "twice")) {
			set(kernels[i], 0, sizeof a, &a);
			launch(queue, kernels[i], N, 0, NULL, NULL);
		}
		OK(clReleaseKernel(kernels[i]));
	}
	OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	CHECK(got[100] == 18 && got[3] == 2 * (2 * 1234 + 7) && got[700] == 2 * words[700]);
	free(binary);
	OK(clReleaseMemObject(a));
	OK(clReleaseKernel(k));
	OK(clReleaseProgram(first));
	OK(clReleaseProgram(second));
	OK(clReleaseProgram(third));
	OK(clReleaseKernel(nine));
	OK(clReleaseProgram(fourth));
}

static void *one_thread(void *data)
{
	cl_uint words[N], got[N], *seed = data;
	cl_int error;

	fill(words, *seed);
	cl_command_queue own = clCreateCommandQueueWithProperties(context, device, NULL, &error);
	OK(error);
	cl_program program = build(source, "");
	cl_kernel add = clCreateKernel(program, "add", &error);
	OK(error);
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
	OK(error);
	set(add, 0, sizeof a, &a);
	set(add, 1, sizeof *seed, seed);
	for (unsigned i = 0; i < 10; i++) {
		launch(own, add, N, 0, NULL, NULL);
		OK(clEnqueueReadBuffer(own, a, i % 2, 0, sizeof got, got, 0, NULL, NULL));
	}
	OK(clFinish(own));
	CHECK(got[8] == words[8] + 10 * *seed);
	OK(clReleaseMemObject(a));
	OK(clReleaseKernel(add));
	OK(clReleaseProgram(program));
	OK(clReleaseCommandQueue(own));
	return NULL;
}

static void threads(void)
{
	pthread_t ids[3];
	cl_uint seeds[] = { 11, 12, 13 };

	for (unsigned i = 0; i < 3; i++)
		CHECK(!pthread_create(&ids[i], NULL, one_thread, &seeds[i]));
	for (unsigned i = 0; i < 3; i++)
		pthread_join(ids[i], NULL);
}

static atomic_int gate_step;

static void *read_behind(void *data)
{
	cl_uint *got = data;

	atomic_store(&gate_step, 1);
	OK(clEnqueueReadBuffer(queue, *(cl_mem *)(void *)(got + N), CL_TRUE, 0, N * sizeof(*got),
		got, 0, NULL, NULL));
	atomic_store(&gate_step, 2);
	return NULL;
}

static void pause_for(long milliseconds)
{
	nanosleep(&(struct timespec){ 0, milliseconds * 1000000 }, NULL);
}

/*
 * A thread reads behind a kernel that waits for one user event; another thread enqueues a kernel
 * behind it that waits for a second one, which is only set when the read has returned.
 */
static void gates(void)
{
	struct {
		cl_uint got[N];
		cl_mem buffer;
	} behind;
	cl_uint words[N], got[N];
	pthread_t id;
	cl_int error;

	fill(words, 3);
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(words), words, &error);
	OK(error);
	behind.buffer = a;
	cl_kernel twice = kernel_of("twice");
	set(twice, 0, sizeof(a), &a);
	cl_event first = clCreateUserEvent(context, &error);
	OK(error);
	cl_event second = clCreateUserEvent(context, &error);
	OK(error);
	launch(queue, twice, N, 1, &first, NULL);
	CHECK(!pthread_create(&id, NULL, read_behind, &behind));
	while (atomic_load(&gate_step) == 0)
		pause_for(10);
	pause_for(300);
	launch(queue, twice, N, 1, &second, NULL);
	OK(clSetUserEventStatus(first, CL_COMPLETE));
	/* Should the read have been slower than that, it is behind the second kernel as well. */
	for (unsigned i = 0; i < 500 && atomic_load(&gate_step) != 2; i++)
		pause_for(10);
	CHECK(atomic_load(&gate_step) != 2 || behind.got[9] == words[9] * 2);
	OK(clSetUserEventStatus(second, CL_COMPLETE));
	OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL));
	CHECK(got[9] == words[9] * 4);
	pthread_join(id, NULL);
	OK(clReleaseEvent(first));
	OK(clReleaseEvent(second));
	OK(clReleaseKernel(twice));
	OK(clReleaseMemObject(a));
}

/* A kernel whose result depends on how it was compiled. */
static void wrong(void)
{
	static const char text[] =
		"kernel void fine(global uint *a) { a[get_global_id(0)] += 1; }\n"
		"kernel void faulty(global uint *a) {\n"
		"  uint i = get_global_id(0);\n"
		"#ifdef WRONG\n"
		"  if (i == 77)\n"
		"    a[i] = 0x1234;\n"
		"#endif\n"
		"  a[i] += 5;\n"
		"}\n";
	cl_uint words[N], got[N];
	cl_int error;
	cl_program program = build(text, "");
	cl_kernel fine = clCreateKernel(program, "fine", &error);
	OK(error);
	cl_kernel faulty = clCreateKernel(program, "faulty", &error);
	OK(error);
	fill(words, 6);
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
	OK(error);
	cl_mem b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
	OK(error);
	set(fine, 0, sizeof a, &a);
	set(faulty, 0, sizeof b, &b);
	for (unsigned i = 0; i < 20; i++) {
		launch(queue, fine, N, 0, NULL, NULL);
		if (i == 11)
			launch(queue, faulty, N, 0, NULL, NULL);
	}
	OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
	OK(clReleaseKernel(fine));
	OK(clReleaseKernel(faulty));
	OK(clReleaseProgram(program));
}

/* Among launches that are right, one that writes to where nothing is. */
static void fault(void)
{
	static const char text[] =
		"kernel void fine(global uint *a) { a[get_global_id(0)] += 1; }\n"
		"kernel void beyond(global uint *a, ulong at) {\n"
		"  *(global uint *)(at + get_global_id(0) * 4) = a[0];\n"
		"}\n";
	cl_uint words[N];
	cl_int error;
	cl_program program = build(text, "");
	cl_kernel fine = clCreateKernel(program, "fine", &error);
	OK(error);
	cl_kernel beyond = clCreateKernel(program, "beyond", &error);
	OK(error);
	fill(words, 8);
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
	OK(error);
	set(fine, 0, sizeof a, &a);
	set(beyond, 0, sizeof a, &a);
	set(beyond, 1, sizeof(cl_ulong), &(cl_ulong){ 0x123400000000 });
	for (unsigned i = 0; i < 9; i++) {
		launch(queue, fine, N, 0, NULL, NULL);
		if (i == 5)
			launch(queue, beyond, 64, 0, NULL, NULL);
		clFinish(queue);
	}
	OK(clReleaseMemObject(a));
	OK(clReleaseKernel(fine));
	OK(clReleaseKernel(beyond));
	OK(clReleaseProgram(program));
}

/* Results that a replay cannot give again: bytes that only this process has. */
static void other(void)
{
	cl_uint words[N];
	cl_int error;

	fill(words, 7);
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
	OK(error);
	OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
	OK(clReleaseMemObject(a));
	abort();
}

static bool find(const char *wanted)
{
	cl_platform_id platforms[16];
	cl_uint n = 0;
	char name[256];

	if (clGetPlatformIDs(16, platforms, &n))
		return false;
	for (cl_uint i = 0; i < n && i < 16; i++)
		if (!clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) &&
			strstr(name, wanted)) {
			platform = platforms[i];
			return !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
		}
	return false;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = { { "buffers", buffers }, { "parts", parts }, { "images", images },
		{ "svm", svm }, { "chance", chance }, { "types", types }, { "events", events },
		{ "programs", programs }, { "threads", threads }, { "gates", gates },
		{ "wrong", wrong }, { "fault", fault }, { "abort", other } };
	cl_int error;

	if (argc < 3 || !find(argv[1]))
		return 77;
	const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM,
		(cl_context_properties)platform, 0 };
	context = clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, &error);
	OK(error);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
	OK(error);
	for (int i = 2; i < argc; i++)
		for (unsigned p = 0; p < sizeof all / sizeof *all; p++)
			if (!strcmp(all[p].name, argv[i]))
				all[p].run();
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	return 3;
}
