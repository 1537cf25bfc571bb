// SPDX-License-Identifier: MIT
#include "bench_device.h"

#include "bench_cl.h"
#include "bench_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * bench-device PLATFORM FOLDER [KERNEL or CLASS …]: how long kernels of FOLDER (kernels/bench) run
 * on the first device of a platform. Each result is compared with plain C before anything is
 * measured. Prints for each kernel, as CLASS/KERNEL, the milliseconds that pass and that the
 * process computes, and for the virtual device the millions of EU instructions that a host thread
 * executes in a second. A kernel that the device cannot run, for want of half precision, is left
 * out. BENCH_RUNS: how often each is run, where that takes long.
 */

enum { RUNS = 5, MOST_RUNS = 15, MOST_BUFFERS = 5 };

static struct bench_cl cl;
static cl_mem buffers[MOST_BUFFERS];
static size_t buffer_count, result_bytes;
static size_t result_region[3];				    /* of an image; else 0 */
static char statistics[] = P_tmpdir "/zerocl-bench-XXXXXX"; /* ZEROCL_VGPU_STATISTICS */

static char *read_file(const char *folder, const char *name)
{
	char path[4096];
	static char text[65536];

	snprintf(path, sizeof path, "%s/%s.cl", folder, name);
	FILE *file = fopen(path, "r");
	size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
	if (!size) {
		fprintf(stderr, "bench: cannot read %s\n", path);
		exit(1);
	}
	fclose(file);
	text[size] = '\0';
	return text;
}

static void set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	bench_check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

void bench_int(cl_kernel kernel, cl_uint index, cl_int value)
{
	set_arg(kernel, index, sizeof value, &value);
}

void bench_long(cl_kernel kernel, cl_uint index, cl_long value)
{
	set_arg(kernel, index, sizeof(value), &value);
}

void bench_float(cl_kernel kernel, cl_uint index, cl_float value)
{
	set_arg(kernel, index, sizeof value, &value);
}

void bench_buffer(cl_kernel kernel, cl_uint index, const void *data, size_t bytes)
{
	cl_int rc;
	cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
		(void *)(size_t)data, &rc);

	bench_check(rc, "clCreateBuffer");
	set_arg(kernel, index, sizeof buffer, &buffer);
	buffers[buffer_count++] = buffer;
	result_bytes = bytes;
	result_region[0] = 0;
}

void bench_image(cl_kernel kernel, cl_uint index, cl_image_format format, size_t width,
	size_t height, const void *pixels)
{
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height
	};
	size_t pixel;
	cl_int rc;
	cl_mem image = clCreateImage(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format,
		&desc, (void *)(size_t)pixels, &rc);

	bench_check(rc, "clCreateImage");
	set_arg(kernel, index, sizeof(image), &image);
	bench_check(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(pixel), &pixel, NULL),
		"clGetImageInfo");
	buffers[buffer_count++] = image;
	result_bytes = width * height * pixel;
	result_region[0] = width;
	result_region[1] = height;
	result_region[2] = 1;
}

void bench_result(cl_kernel kernel, cl_uint index, size_t bytes)
{
	void *nonsense = malloc(bytes);

	if (!nonsense)
		exit(1);
	memset(nonsense, 0xa5, bytes);
	bench_buffer(kernel, index, nonsense, bytes);
	free(nonsense);
}

cl_uint bench_random(cl_uint *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state ^ *state >> 15;
}

void bench_words(cl_uint *to, size_t count, cl_uint seed)
{
	for (size_t i = 0; i < count; i++)
		to[i] = bench_random(&seed);
}

void bench_floats(float *to, size_t count, cl_uint seed)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (float)(bench_random(&seed) % 65537) / 32768 - 1;
}

/* CPU time of all the process's threads, in `cpu`. */
static struct bench_time now(void)
{
	struct bench_time time = bench_now();
	struct timespec cpu;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	time.cpu = (double)cpu.tv_sec + (double)cpu.tv_nsec * 1e-9;
	return time;
}

static struct bench_time run(const struct bench_kernel *bench, cl_kernel kernel)
{
	struct bench_time start = now(), end;

	bench_check(clEnqueueNDRangeKernel(cl.queue, kernel, bench->dims, NULL, bench->size,
			    bench->local, 0, NULL, NULL),
		"clEnqueueNDRangeKernel");
	bench_check(clFinish(cl.queue), "clFinish");
	end = now();
	return (struct bench_time){ end.wall - start.wall, end.cpu - start.cpu };
}

static void check_result(const struct bench_kernel *bench)
{
	void *result = malloc(result_bytes);
	cl_mem memory = buffers[buffer_count - 1];
	size_t origin[3] = { 0 };

	if (!result)
		exit(1);
	if (result_region[0])
		bench_check(clEnqueueReadImage(cl.queue, memory, CL_TRUE, origin, result_region, 0,
				    0, result, 0, NULL, NULL),
			"clEnqueueReadImage");
	else
		bench_check(clEnqueueReadBuffer(cl.queue, memory, CL_TRUE, 0, result_bytes, result,
				    0, NULL, NULL),
			"clEnqueueReadBuffer");
	if (!bench->is_right(result)) {
		fprintf(stderr, "bench: the result of %s is wrong\n", bench->name);
		exit(1);
	}
	free(result);
}

/* Millions of instructions in a second of a worker, of the fastest walker; 0 when not known. */
static double instruction_rate(void)
{
	FILE *file = fopen(statistics, "r");
	unsigned long long instructions, nanoseconds;
	double best = 0;

	while (file && fscanf(file, "%*s %*u %*u %llu %llu", &instructions, &nanoseconds) == 2) {
		double rate = (double)instructions * 1e3 / (double)(nanoseconds + 1);
		best = rate > best ? rate : best;
	}
	if (file)
		fclose(file);
	return best;
}

static void measure(const struct bench_kernel *bench, cl_kernel kernel)
{
	struct bench_time times[MOST_RUNS];
	const char *asked = getenv("BENCH_RUNS");
	int count = asked && atoi(asked) > 0 && atoi(asked) <= RUNS ? atoi(asked) : RUNS;

	run(bench, kernel); /* makes the code */
	check_result(bench);
	if (truncate(statistics, 0))
		return;
	for (int i = 0; i < count; i++) {
		times[i] = run(bench, kernel);
		if (times[i].wall < 5e-3 && !asked)
			count = MOST_RUNS;
	}
	struct bench_time median = bench_median(times, (size_t)count);
	printf("%s/%s\tms\t%.4f\n", bench->class, bench->name, median.wall * 1e3);
	printf("%s/%s\tms cpu\t%.4f\n", bench->class, bench->name, median.cpu * 1e3);
	if (instruction_rate() > 0)
		printf("%s/%s\tM inst/s\t%.1f\n", bench->class, bench->name, instruction_rate());
	fflush(stdout);
}

static void run_bench(const char *platform, const char *folder, const struct bench_kernel *bench)
{
	cl_int rc;

	if (!strcmp(bench->class, "half") && !bench_cl_has(platform, "cl_khr_fp16"))
		return;
	bench_cl_open(platform, read_file(folder, bench->name), &cl);
	cl_kernel kernel = clCreateKernel(cl.program, bench->name, &rc);
	bench_check(rc, "clCreateKernel");
	bench->prepare(kernel);
	measure(bench, kernel);
	while (buffer_count > 0)
		clReleaseMemObject(buffers[--buffer_count]);
	clReleaseKernel(kernel);
	bench_cl_close(&cl);
}

static bool wanted(const struct bench_kernel *bench, int count, char **names)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(bench->name, names[i]) || !strcmp(bench->class, names[i]))
			return true;
	return count == 0;
}

int main(int argc, char **argv)
{
	static const struct bench_kernel *const tables[] = { bench_memory_kernels,
		bench_stream_kernels, bench_compute_kernels, bench_dense_kernels,
		bench_integer_kernels, bench_irregular_kernels };

	if (argc < 3) {
		fputs("usage: bench-device PLATFORM FOLDER [KERNEL or CLASS …]\n", stderr);
		return 2;
	}
	int file = mkstemp(statistics);
	if (file < 0) {
		perror("bench");
		return 1;
	}
	close(file);
	setenv("ZEROCL_VGPU_STATISTICS", statistics, 1);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (const struct bench_kernel *bench = tables[i]; bench->name; bench++)
			if (wanted(bench, argc - 3, argv + 3))
				run_bench(argv[1], argv[2], bench);
	unlink(statistics);
	return 0;
}
