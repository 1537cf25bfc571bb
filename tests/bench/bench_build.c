// SPDX-License-Identifier: MIT
/*
 * bench-build PLATFORM MODE: what it takes to build programs.
 *   cold    each for the first time, ten at once, and the memory that the process has then
 *   cached  the same programs again, when a run before has left them in a cache
 *   floor   from SPIR-V to native code alone
 */
#include "bench_cl.h"
#include "bench_clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_BY_SIDE 10

static struct bench_cl cl;

/* How many kernels a program has, from trivial to large. */
static const struct {
	const char *row;
	unsigned kernels;
} sizes[] = { { "build: empty kernel", 0 }, { "build: 1 kernel", 1 }, { "build: 4 kernels", 4 },
	{ "build: 12 kernels", 12 }, { "build: 30 kernels", 30 } };

static const char head[] = "kernel void nothing(global int *a) { a[get_global_id(0)] = 1; }\n";

static const char body[] =
	"kernel void work%u(global float4 *a, global const int *b, local float4 *l, int n)\n{\n"
	"\tsize_t i = get_global_id(0), j = get_local_id(0);\n\tfloat4 s = a[i];\n"
	"\tfor (int k = 0; k < n; k++) {\n\t\tl[j] = s * %u.5f + sin(s) * b[k];\n"
	"\t\tbarrier(CLK_LOCAL_MEM_FENCE);\n"
	"\t\ts += mad(l[(j + k) & 15], native_exp(s), s.wzyx) / (s + 2);\n"
	"\t\tif (b[k] > %u)\n\t\t\ts = fmax(s, sqrt(l[j ^ 1]));\n"
	"\t\tbarrier(CLK_LOCAL_MEM_FENCE);\n\t}\n\ta[i] = s;\n}\n";

static char *make_source(unsigned kernels, unsigned number)
{
	size_t room = sizeof head + 64 + kernels * (sizeof body + 32);
	char *text = malloc(room);
	size_t size;

	if (!text)
		exit(1);
	size = (size_t)snprintf(text, room, "constant int number = %u;\n%s", number, head);
	for (unsigned i = 0; i < kernels; i++)
		size += (size_t)snprintf(text + size, room - size, body, i, i, i);
	return text;
}

static cl_program make_program(unsigned kernels, unsigned number)
{
	char *text = make_source(kernels, number);
	const char *source = text;
	cl_int rc;
	cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &rc);

	bench_check(rc, "clCreateProgramWithSource");
	free(text);
	return program;
}

static void print(const char *row, struct bench_time start)
{
	printf("%s\tus\t%.0f\n", row, bench_since(start).wall * 1e6);
}

static void *build_one(void *number)
{
	cl_program program = make_program(1, 100 + *(unsigned *)number);

	bench_check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "clBuildProgram");
	clReleaseProgram(program);
	return NULL;
}

static void build_side_by_side(void)
{
	pthread_t threads[SIDE_BY_SIDE];
	unsigned numbers[SIDE_BY_SIDE];
	struct bench_time start = bench_now();

	for (unsigned i = 0; i < SIDE_BY_SIDE; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, build_one, &numbers[i]))
			exit(1);
	}
	for (unsigned i = 0; i < SIDE_BY_SIDE; i++)
		pthread_join(threads[i], NULL);
	print("build: ten programs at once", start);
}

static void print_memory(void)
{
	char line[256];
	unsigned long kib = 0;
	FILE *file = fopen("/proc/self/status", "r");

	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, "VmRSS:", 6))
			kib = strtoul(line + 6, NULL, 10);
	if (file)
		fclose(file);
	printf("memory after builds\tKiB\t%lu\n", kib);
}

static void build_all(const char *prefix)
{
	char row[64];

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		cl_program program = make_program(sizes[i].kernels, 7);
		struct bench_time start = bench_now();
		bench_check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "clBuildProgram");
		snprintf(row, sizeof row, "%s%s", prefix, sizes[i].row);
		print(row, start);
		clReleaseProgram(program);
	}
}

static void link_all(void)
{
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		cl_program object = make_program(sizes[i].kernels, 7);
		cl_int rc = clCompileProgram(object, 0, NULL, "", 0, NULL, NULL, NULL, NULL);
		bench_check(rc, "clCompileProgram");
		struct bench_time start = bench_now();
		cl_program program =
			clLinkProgram(cl.context, 0, NULL, "", 1, &object, NULL, NULL, &rc);
		bench_check(rc, "clLinkProgram");
		print(sizes[i].row, start);
		clReleaseProgram(program);
		clReleaseProgram(object);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: bench-build PLATFORM cold|cached|floor\n");
		return 2;
	}
	/* One build first: what is loaded or started once is not what is compared. */
	bench_cl_open(argv[1], head, &cl);
	if (!strcmp(argv[2], "floor")) {
		link_all();
	} else if (!strcmp(argv[2], "cached")) {
		build_all("cached ");
	} else {
		build_all("");
		build_side_by_side();
		print_memory();
	}
	bench_cl_close(&cl);
	return 0;
}
