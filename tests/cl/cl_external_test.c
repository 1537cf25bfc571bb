// SPDX-License-Identifier: MIT
/*
 * cl_khr_external_memory_dma_buf and _opaque_fd. The virtual device takes a memory file that cannot
 * shrink for a dma_buf, so that the test sees and changes what is in it; where the device is a GPU,
 * the kernel makes a dma_buf of the file, if it has /dev/udmabuf.
 */
#include "cl/cl_case.h"
#include "cl/cl_error.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEM_DEVICE_LIST 0x2051
#define LINEAR_IMAGES	0x2052
#define PRIVATE_ADDRESS 0x5000
#define POISON		0xccccccccu
#define CHILD_VARIABLE	"CL_EXTERNAL_CHILD"
enum { N = 1 << 20, BYTES = N * sizeof(cl_uint) };

static const char source[] =
	"kernel void step(global uint *p) { uint i = get_global_id(0); p[i] = p[i] * 3 + i; }\n"
	"kernel void shift(read_only image2d_t from, write_only image2d_t to)\n"
	"{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"  write_imageui(to, at, read_imageui(from, at) + (uint4)(1, 2, 3, 4)); }\n";

static cl_kernel step, shift;

/* A dma_buf and its memory. */
struct shared {
	int fd; /* for OpenCL */
	cl_uint *words;
};

static struct shared share(void)
{
	struct shared shared;
	int file = memfd_create("external", MFD_ALLOW_SEALING);

	assert_true(file >= 0);
	assert_int_equal(ftruncate(file, BYTES), 0);
	assert_int_equal(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	shared.words = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	assert_ptr_not_equal(shared.words, MAP_FAILED);
	for (cl_uint i = 0; i < N; i++)
		shared.words[i] = i * 7;
	if (strcmp(getenv("ZEROCL_DEVICE") ? getenv("ZEROCL_DEVICE") : "", "gpu")) {
		shared.fd = file;
		return shared;
	}
	struct udmabuf_create create = { .memfd = (unsigned)file, .size = BYTES };
	int device = open("/dev/udmabuf", O_RDWR);
	skip_if(device < 0);
	shared.fd = ioctl(device, UDMABUF_CREATE, &create);
	assert_true(shared.fd >= 0);
	close(device);
	close(file);
	return shared;
}

static void unshare_words(struct shared *shared)
{
	assert_int_equal(munmap(shared->words, BYTES), 0);
}

static cl_mem import(int fd, cl_mem_flags flags, cl_int *rc)
{
	const cl_mem_properties list[] = { CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
		(cl_mem_properties)fd, 0 };

	return clCreateBufferWithProperties(cl.context, list, flags, BYTES, NULL, rc);
}

static cl_mem import_well(int fd)
{
	cl_int rc;
	cl_mem mem = import(fd, 0, &rc);

	CL(rc);
	CL(EXT(clEnqueueAcquireExternalMemObjectsKHR)(cl.queue, 1, &mem, 0, NULL, NULL));
	return mem;
}

/* Nobody but the test uses the memory from now on. */
static void leave(cl_mem mem)
{
	CL(EXT(clEnqueueReleaseExternalMemObjectsKHR)(cl.queue, 1, &mem, 0, NULL, NULL));
	CL(clFinish(cl.queue));
}

static unsigned count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(folder);
	while (readdir(folder))
		n++;
	closedir(folder);
	return n;
}

static void launches(void **state)
{
	struct shared shared = share();
	cl_mem mem = import_well(shared.fd);

	(void)state;
	cl_set_buffer(step, 0, mem);
	cl_launch(step, N, 0);
	cl_launch(step, N, 0);
	leave(mem);
	for (cl_uint i = 0; i < N; i++)
		assert_int_equal(shared.words[i], (i * 7 * 3 + i) * 3 + i);
	CL(clReleaseMemObject(mem));
	unshare_words(&shared);
}

/* Reads, writes, copies and fills, of more than is staged at a time, and pieces of it. */
static void transfers(void **state)
{
	enum { PART = 5000, AT = 777 };
	struct shared shared = share();
	cl_mem mem = import_well(shared.fd), other = cl_make_buffer(BYTES, NULL);
	static const char text[] = "rows and slices, one after other";
	cl_uint *host = malloc(BYTES), *want = malloc(BYTES);
	const cl_uint pattern = 0xabcdef01;
	const size_t origin[3] = { 4, 3, 0 }, zero[3] = { 0, 0, 0 }, region[3] = { 8, 2, 2 };

	(void)state;
	memset(host, 0xcc, BYTES);
	cl_read(mem, BYTES, host);
	assert_memory_equal(host, shared.words, BYTES);
	for (cl_uint i = 0; i < N; i++)
		host[i] = ~i;
	CL(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, AT * 4, PART * 4, host, 0, NULL, NULL));
	CL(clEnqueueCopyBuffer(cl.queue, mem, other, 0, 0, BYTES, 0, NULL, NULL));
	CL(clEnqueueFillBuffer(cl.queue, mem, &pattern, 4, 0, AT * 4, 0, NULL, NULL));
	CL(clEnqueueCopyBuffer(cl.queue, other, mem, 0, (N - AT) * 4, AT * 4, 0, NULL, NULL));
	CL(clEnqueueWriteBufferRect(cl.queue, mem, CL_TRUE, origin, zero, region, 100, 1000, 0, 0,
		text, 0, NULL, NULL));
	leave(mem);
	for (cl_uint i = 0; i < N; i++)
		want[i] = i < AT	  ? pattern
			  : i < AT + PART ? ~(i - AT)
			  : i >= N - AT	  ? (i - (N - AT)) * 7
					  : i * 7;
	memcpy((char *)want + 304, text, 8);
	memcpy((char *)want + 404, text + 8, 8);
	memcpy((char *)want + 1304, text + 16, 8);
	memcpy((char *)want + 1404, text + 24, 8);
	assert_memory_equal(shared.words, want, BYTES);
	free(want);
	free(host);
	CL(clReleaseMemObject(other));
	CL(clReleaseMemObject(mem));
	unshare_words(&shared);
}

static void maps(void **state)
{
	enum { AT = 4096, COUNT = 1000 };
	struct shared shared = share();
	cl_mem mem = import_well(shared.fd);
	cl_event event;
	cl_uint count;
	cl_int rc;

	(void)state;
	cl_uint *words = clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
		AT * 4, COUNT * 4, 0, NULL, &event, &rc);
	CL(rc);
	for (cl_uint i = 0; i < COUNT; i++) {
		assert_int_equal(words[i], (AT + i) * 7);
		words[i] = POISON - i;
	}
	CL(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
	assert_int_equal(count, 1);
	CL(clEnqueueUnmapMemObject(cl.queue, mem, words, 1, &event, NULL));
	CL(clReleaseEvent(event));
	words = clEnqueueMapBuffer(
		cl.queue, mem, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 64, 0, NULL, NULL, &rc);
	CL(rc);
	for (cl_uint i = 0; i < 16; i++)
		words[i] = i;
	CL(clEnqueueUnmapMemObject(cl.queue, mem, words, 0, NULL, NULL));
	leave(mem);
	for (cl_uint i = 0; i < N; i++)
		assert_int_equal(shared.words[i], i < 16		      ? i
						  : i >= AT && i < AT + COUNT ? POISON - (i - AT)
									      : i * 7);
	CL(clReleaseMemObject(mem));
	unshare_words(&shared);
}

/* A sub-buffer, which outlives the import's own object. */
static void sub_buffers(void **state)
{
	const cl_buffer_region region = { 4096, 8192 };
	struct shared shared = share();
	cl_mem mem = import_well(shared.fd);
	cl_int rc;
	cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);

	(void)state;
	CL(rc);
	assert_int_equal(
		EXT(clEnqueueAcquireExternalMemObjectsKHR)(cl.queue, 1, &sub, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
	cl_set_buffer(step, 0, sub);
	CL(clReleaseMemObject(mem));
	cl_launch(step, 2048, 0);
	CL(clFinish(cl.queue));
	for (cl_uint i = 0; i < N; i++)
		assert_int_equal(
			shared.words[i], i >= 1024 && i < 3072 ? i * 21 + (i - 1024) : i * 7);
	CL(clReleaseMemObject(sub));
	unshare_words(&shared);
}

/* What the kernel does to a row of pixels, rows of ROW bytes. */
enum { WIDTH = 60, HEIGHT = 40, ROW = 1024 };

static void check_pixels(const cl_uint *words, const cl_uint *before)
{
	for (cl_uint y = 0; y < HEIGHT; y++)
		for (cl_uint x = 0; x < ROW / 4; x++) {
			cl_uint i = y * ROW / 4 + x;
			cl_uint add = x < WIDTH * 4 ? x % 4 + 1 : 0;

			if (words[i] != before[i] + add)
				fail_msg("channel %u of row %u is 0x%x, not 0x%x", x, y, words[i],
					before[i] + add);
		}
}

static cl_image_desc describe(size_t row_pitch, cl_mem memory)
{
	return (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = WIDTH,
		.image_height = HEIGHT,
		.image_row_pitch = row_pitch,
		.mem_object = memory };
}

/* An image in the memory of the dma_buf: of its own, or of an imported buffer. */
static void images(void **state)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT32 };
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { WIDTH, HEIGHT, 1 };

	(void)state;
	skip_if(!cl_has_images());
	for (int own = 0; own < 2; own++) {
		struct shared shared = share();
		const cl_mem_properties list[] = { CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
			(cl_mem_properties)shared.fd, 0 };
		cl_mem buffer = own ? NULL : import_well(shared.fd);
		const cl_image_desc desc = describe(ROW, buffer), plain = describe(0, NULL);
		size_t pitch, map_pitch;
		cl_int rc;
		cl_mem image = clCreateImageWithProperties(
			cl.context, own ? list : NULL, 0, &format, &desc, NULL, &rc);
		CL(rc);
		CL(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof pitch, &pitch, NULL));
		assert_int_equal(pitch, ROW);
		if (own)
			CL(EXT(clEnqueueAcquireExternalMemObjectsKHR)(
				cl.queue, 1, &image, 0, NULL, NULL));
		cl_mem middle = clCreateImage(cl.context, 0, &format, &plain, NULL, &rc);
		CL(rc);
		cl_uint *before = malloc(BYTES);
		memcpy(before, shared.words, BYTES);
		CL(clSetKernelArg(shift, 0, sizeof image, &image));
		CL(clSetKernelArg(shift, 1, sizeof middle, &middle));
		CL(clEnqueueNDRangeKernel(cl.queue, shift, 2, NULL, region, NULL, 0, NULL, NULL));
		CL(clEnqueueCopyImage(
			cl.queue, middle, image, origin, origin, region, 0, NULL, NULL));
		cl_uint *mapped = clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_WRITE, origin,
			region, &map_pitch, NULL, 0, NULL, NULL, &rc);
		CL(rc);
		assert_int_equal(mapped[map_pitch / 4 + 5], before[ROW / 4 + 5] + 2);
		CL(clEnqueueUnmapMemObject(cl.queue, image, mapped, 0, NULL, NULL));
		leave(own ? image : buffer);
		check_pixels(shared.words, before);
		free(before);
		CL(clReleaseMemObject(middle));
		CL(clReleaseMemObject(image));
		if (buffer)
			CL(clReleaseMemObject(buffer));
		unshare_words(&shared);
	}
}

/* Two objects of one dma_buf are the same bytes, and the descriptors are closed with them. */
static void twice(void **state)
{
	struct shared shared = share();
	unsigned before = count_descriptors();
	int copy = dup(shared.fd);
	cl_mem first = import_well(shared.fd), second = import_well(copy);
	cl_uint word = 0;

	(void)state;
	assert_ptr_not_equal(first, second);
	/* a descriptor that was imported is OpenCL's */
	assert_int_equal(fcntl(copy, F_GETFD), -1);
	CL(clEnqueueWriteBuffer(cl.queue, first, CL_TRUE, 40, 4, &before, 0, NULL, NULL));
	CL(clReleaseMemObject(first));
	CL(clEnqueueReadBuffer(cl.queue, second, CL_TRUE, 40, 4, &word, 0, NULL, NULL));
	assert_int_equal(word, before);
	leave(second);
	CL(clReleaseMemObject(second));
	assert_int_equal(count_descriptors(), before - 1);
	unshare_words(&shared);
}

/* A dma_buf is one context's at a time, and the next one's afterwards. */
static void contexts(void **state)
{
	struct shared shared = share();
	const cl_mem_properties list[] = { CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
		(cl_mem_properties)shared.fd, MEM_DEVICE_LIST, (cl_mem_properties)cl.device, 0, 0 };
	int copy = dup(shared.fd);
	cl_int rc;
	cl_context context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);

	(void)state;
	CL(rc);
	cl_mem mem = import_well(copy);
	assert_null(clCreateBufferWithProperties(context, list, 0, BYTES, NULL, &rc));
	assert_int_equal(rc, CL_OUT_OF_RESOURCES);
	CL(clReleaseMemObject(mem));
	mem = clCreateBufferWithProperties(context, list, 0, BYTES, NULL, &rc);
	CL(rc);
	CL(clReleaseMemObject(mem));
	CL(clReleaseContext(context));
	unshare_words(&shared);
}

static void queries(void **state)
{
	struct shared shared = share();
	cl_mem mem = import_well(shared.fd);
	cl_external_memory_handle_type_khr types[4];
	cl_mem_properties list[4];
	cl_command_type type;
	cl_event events[2];
	size_t size;
	void *pointer;

	(void)state;
	for (cl_device_info param = 0; param < 3; param++) {
		static const cl_uint params[] = { CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
			LINEAR_IMAGES, CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR };

		CL(param < 2 ? clGetDeviceInfo(cl.device, params[param], sizeof types, types, &size)
			     : clGetPlatformInfo(
				       cl.platform, params[param], sizeof types, types, &size));
		assert_int_equal(size, 2 * sizeof *types);
		assert_int_equal(types[0], CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR);
		assert_int_equal(types[1], CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
	}
	CL(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof list, list, &size));
	assert_int_equal(size, 3 * sizeof *list);
	assert_int_equal(list[0], CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR);
	assert_int_equal(list[1], shared.fd);
	assert_int_equal(list[2], 0);
	CL(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
	assert_null(pointer);
	CL(EXT(clEnqueueAcquireExternalMemObjectsKHR)(cl.queue, 0, NULL, 0, NULL, &events[0]));
	CL(EXT(clEnqueueReleaseExternalMemObjectsKHR)(cl.queue, 1, &mem, 1, events, &events[1]));
	CL(clWaitForEvents(2, events));
	CL(clGetEventInfo(events[0], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
	assert_int_equal(type, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR);
	CL(clGetEventInfo(events[1], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
	assert_int_equal(type, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR);
	CL(clReleaseEvent(events[0]));
	CL(clReleaseEvent(events[1]));
	CL(clReleaseMemObject(mem));
	unshare_words(&shared);
}

static void errors(void **state)
{
	struct shared shared = share();
	const cl_mem_properties device = (cl_mem_properties)cl.device;
	const cl_mem_properties fd = (cl_mem_properties)shared.fd;
	const cl_mem_properties name = CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR;
	cl_mem plain = cl_make_buffer(64, NULL);
	cl_ulong word[8] = { 0 }; /* no device: what a handle begins with is read */
	cl_int rc;
	const struct {
		cl_int code;
		cl_mem_flags flags;
		size_t size;
		void *host;
		cl_mem_properties list[8];
	} rows[] = {
		{ CL_INVALID_PROPERTY, 0, 64, NULL, { name, (cl_mem_properties)-1 } },
		{ CL_INVALID_PROPERTY, 0, 64, NULL, { name, 99999 } },
		{ CL_INVALID_PROPERTY, 0, 64, NULL, { name, fd, name, fd } },
		{ CL_INVALID_PROPERTY, 0, 64, NULL, { name, fd, PRIVATE_ADDRESS, 1 } },
		{ CL_INVALID_PROPERTY, 0, 64, NULL, { MEM_DEVICE_LIST, device, 0 } },
		{ CL_INVALID_PROPERTY, 0, 64, NULL, { name, fd, MEM_DEVICE_LIST, 0 } },
		{ CL_INVALID_PROPERTY, 0, 64, NULL,
			{ name, fd, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, fd } },
		{ CL_INVALID_PROPERTY, 0, 64, NULL,
			{ CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 99999 } },
		{ CL_INVALID_PROPERTY, 0, 64, NULL,
			{ CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_WIN32_KHR, fd } },
		{ CL_INVALID_DEVICE, 0, 64, NULL,
			{ name, fd, MEM_DEVICE_LIST, (cl_mem_properties)word, 0 } },
		{ CL_INVALID_DEVICE, 0, 64, NULL,
			{ name, fd, MEM_DEVICE_LIST, device, device, 0 } },
		{ CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR, 64, word, { name, fd } },
		{ CL_INVALID_VALUE, CL_MEM_COPY_HOST_PTR, 4, word, { name, fd } },
		{ CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, 4, NULL, { name, fd } },
		{ CL_INVALID_HOST_PTR, 0, 4, word, { name, fd } },
		{ CL_INVALID_BUFFER_SIZE, 0, 0, NULL, { name, fd } },
		{ CL_INVALID_BUFFER_SIZE, 0, BYTES + 1, NULL, { name, fd } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CL_ROW_MADE(rows[i].code, clCreateBufferWithProperties(cl.context, rows[i].list,
						  rows[i].flags, rows[i].size, rows[i].host, &rc));
	/* none of them took the descriptor */
	cl_mem mem = import_well(shared.fd);
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		EXT(clEnqueueAcquireExternalMemObjectsKHR)(NULL, 1, &mem, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clEnqueueAcquireExternalMemObjectsKHR)(cl.queue, 0, &mem, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clEnqueueReleaseExternalMemObjectsKHR)(cl.queue, 1, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		EXT(clEnqueueAcquireExternalMemObjectsKHR)(cl.queue, 1, &plain, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		EXT(clEnqueueReleaseExternalMemObjectsKHR)(cl.queue, 1, &mem, 1, NULL, NULL));
	cl_rows_end();
	CL(clReleaseMemObject(plain));
	CL(clReleaseMemObject(mem));
	unshare_words(&shared);
}

/* A descriptor of something else, by either name. */
static void strangers(void **state)
{
	static const cl_mem_properties names[] = { CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
		CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR };
	int file = memfd_create("stranger", 0), ends[2];
	cl_int rc;

	(void)state;
	assert_int_equal(ftruncate(file, BYTES), 0);
	assert_int_equal(pipe(ends), 0);
	for (unsigned i = 0; i < 4; i++) {
		const int fd = i / 2 ? ends[0] : file;
		const cl_mem_properties list[] = { names[i % 2], (cl_mem_properties)fd, 0 };

		assert_null(clCreateBufferWithProperties(cl.context, list, 0, 64, NULL, &rc));
		assert_int_equal(rc, CL_INVALID_PROPERTY);
		assert_true(fcntl(fd, F_GETFD) >= 0);
	}
	close(file);
	close(ends[0]);
	close(ends[1]);
}

/* The other process of `processes`: one step of its own. */
static void child(void **state)
{
	cl_mem mem = import_well(atoi(getenv(CHILD_VARIABLE)));

	(void)state;
	cl_set_buffer(step, 0, mem);
	cl_launch(step, N, 0);
	leave(mem);
	CL(clReleaseMemObject(mem));
}

/* One process writes, another one computes with it, the first reads. */
static void processes(void **state)
{
	extern char **environ;
	char number[16], *const argv[] = { "cl_external_test", NULL };
	struct shared shared = share();
	int inherited = dup(shared.fd), status;
	cl_mem mem = import_well(shared.fd);
	cl_uint *host = malloc(BYTES);
	pid_t pid;

	(void)state;
	cl_set_buffer(step, 0, mem);
	cl_launch(step, N, 0);
	leave(mem);
	snprintf(number, sizeof number, "%d", inherited);
	assert_int_equal(setenv(CHILD_VARIABLE, number, 1), 0);
	assert_int_equal(posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	CL(EXT(clEnqueueAcquireExternalMemObjectsKHR)(cl.queue, 1, &mem, 0, NULL, NULL));
	cl_read(mem, BYTES, host);
	for (cl_uint i = 0; i < N; i++)
		assert_int_equal(host[i], (i * 7 * 3 + i) * 3 + i);
	free(host);
	CL(clReleaseMemObject(mem));
	close(inherited);
	unshare_words(&shared);
}

static int open_external(void **state)
{
	(void)state;
	if (!cl_has("cl_khr_external_memory_dma_buf"))
		exit(cl.ours ? 1 : 77);
	step = cl_make_kernel(source, "", "step");
	shift = cl_make_kernel(source, "", "shift");
	return 0;
}

static int close_external(void **state)
{
	(void)state;
	cl_kernel_done(step);
	cl_kernel_done(shift);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
#define EXTERNAL(test) cmocka_unit_test_setup_teardown(test, open_external, close_external)
		EXTERNAL(launches),
		EXTERNAL(transfers),
		EXTERNAL(maps),
		EXTERNAL(sub_buffers),
		EXTERNAL(images),
		EXTERNAL(twice),
		EXTERNAL(contexts),
		EXTERNAL(queries),
		EXTERNAL(errors),
		EXTERNAL(strangers),
		EXTERNAL(processes),
	};
	const struct CMUnitTest children[] = { EXTERNAL(child) };

	return getenv(CHILD_VARIABLE) ? CL_RUN(argc, argv, children) : CL_RUN(argc, argv, tests);
}
