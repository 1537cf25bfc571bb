// SPDX-License-Identifier: MIT
/*
 * Program binaries that were damaged, by accident or with skill: refused, or loaded, and their
 * kernels launched. The driver, which reads what was not refused, ends the process on what it does
 * not expect: that is how this test fails. Kernels are not executed. ZEROCL_MUTANTS says how many.
 */
#include "cl/cl_case.h"
#include "test_files.h"
#include "test_random.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sources[] = {
	"kernel void k(global int *a, local int *l, int n, float4 f) { l[get_local_id(0)] = n;\n"
	"barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = l[0] + (int)f.x; }\n"
	"kernel void m(global int *a) { a[1] = 2; }",
	"constant int t[4] = { 1, 2, 3, 4 }; global int g = 5; kernel void m(global int *a) {}\n"
	"kernel void k(global int *a) { a[0] = t[a[1]] + g++; printf(\"%d %s\\n\", a[0], \"x\"); }",
	"kernel void k(read_only image2d_t i, sampler_t s, global float4 *o)\n"
	"{ o[get_work_dim()] = read_imagef(i, s, (float2)(0, 0)); }\n"
	"kernel void m(global int *p, constant int *c, int x) { int b[40];\n"
	"for (int i = 0; i < 40; i++) b[i] = p[i]; p[0] = b[p[1] & 31] + c[x]; }",
	"int g(int x) { return x * 3; } kernel void m(global int *a) {}\n"
	"__attribute__((reqd_work_group_size(8, 1, 1), intel_reqd_sub_group_size(16)))\n"
	"kernel void k(global ulong *p, write_only image1d_buffer_t b)\n"
	"{ p[0] = sub_group_reduce_add((int)p[1]); write_imagei(b, 0, (int4)(g(3))); }",
};

#define N_SOURCES (sizeof sources / sizeof *sources)

static struct binary {
	unsigned char *bytes, *copy;
	size_t size;
	const Elf64_Shdr *sections;
	unsigned n_sections, info;
} binaries[N_SOURCES];

static uint64_t seed;

static unsigned roll(size_t n)
{
	return (unsigned)((test_random(&seed) >> 8) % n);
}

static void make_binary(struct binary *binary, const char *source)
{
	cl_program program = cl_build(source, "-cl-std=CL3.0 -cl-kernel-arg-info");
	const Elf64_Ehdr *head;

	CL(clGetProgramInfo(
		program, CL_PROGRAM_BINARY_SIZES, sizeof binary->size, &binary->size, NULL));
	binary->bytes = malloc(binary->size);
	binary->copy = malloc(binary->size);
	assert_true(binary->bytes && binary->copy);
	CL(clGetProgramInfo(
		program, CL_PROGRAM_BINARIES, sizeof binary->bytes, &binary->bytes, NULL));
	CL(clReleaseProgram(program));
	head = (const void *)binary->bytes;
	assert_int_equal(head->e_machine, 205);
	binary->sections = (const void *)(binary->bytes + head->e_shoff);
	binary->n_sections = head->e_shnum;
	for (unsigned i = 0; i < binary->n_sections; i++)
		if (binary->sections[i].sh_type == 0xff000011)
			binary->info = i;
}

/* In the text of .ze_info: a character, a number, words elsewhere, an indentation. */
static void damage_text(char *text, size_t size)
{
	static const char characters[] = "0123456789 -:'\n,[]{}abxyz#&*";
	size_t at = roll(size), to = roll(size), length = 1 + roll(12);

	switch (roll(4)) {
	case 0:
		text[at] = roll(4) ? characters[roll(sizeof characters - 1)] : (char)roll(256);
		break;
	case 1:
		for (; at + 1 < size && (text[at] < '0' || text[at] > '9'); at++)
			;
		text[at] = (char)('0' + roll(10));
		if (at > 1 && roll(2))
			text[at - 1] = (char)('0' + roll(10));
		break;
	case 2:
		if (at + length < size && to + length < size)
			memmove(text + to, text + at, length);
		break;
	default:
		for (; at + 1 < size && text[at] != ' ' && text[at] != '-'; at++)
			;
		text[at] = text[at] == ' ' ? '-' : ' ';
		break;
	}
}

static void damage(const struct binary *binary)
{
	const Elf64_Shdr *info = &binary->sections[binary->info];
	const unsigned number = roll(binary->n_sections);
	const Elf64_Shdr *section = &binary->sections[number];
	const size_t table = (size_t)((const unsigned char *)binary->sections - binary->bytes);
	const bool has_bytes = section->sh_size && section->sh_type != SHT_NOBITS &&
			       section->sh_type != 0xff000009 /* SPIR-V */;

	switch (roll(8)) {
	case 0:
		binary->copy[roll(sizeof(Elf64_Ehdr))] = (unsigned char)roll(256);
		break;
	case 1:
		binary->copy[table + number * sizeof(*section) + roll(sizeof(*section))] =
			(unsigned char)roll(256);
		break;
	case 2:
	case 3:
		if (has_bytes)
			binary->copy[section->sh_offset + roll(section->sh_size)] =
				(unsigned char)(roll(3) ? roll(256) : 255);
		break;
	default:
		damage_text((char *)binary->copy + info->sh_offset, info->sh_size);
		break;
	}
}

static void set_arguments(cl_kernel kernel, cl_mem buffer)
{
	static const char zeros[64];
	static const size_t sizes[] = { 4, 8, 16, 32, 64 };
	cl_uint n = 0;

	CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL));
	for (cl_uint i = 0; i < n; i++) {
		cl_int rc = clSetKernelArg(kernel, i, sizeof buffer, &buffer);

		for (size_t k = 0; rc && k < sizeof sizes / sizeof *sizes; k++)
			rc = clSetKernelArg(kernel, i, sizes[k], zeros);
		if (rc)
			clSetKernelArg(kernel, i, 64, NULL);
	}
}

/* Whether the binary is taken; its kernels are launched then. */
static bool use(const struct binary *binary, cl_mem buffer)
{
	const unsigned char *bytes = binary->copy;
	const size_t items = 8;
	cl_kernel kernels[4];
	cl_uint n = 0;
	cl_int rc, status;

	cl_program program = clCreateProgramWithBinary(
		cl.context, 1, &cl.device, &binary->size, &bytes, &status, &rc);
	if (!program) {
		assert_int_equal(rc, CL_INVALID_BINARY);
		assert_int_equal(status, CL_INVALID_BINARY);
		return false;
	}
	rc = clBuildProgram(program, 1, &cl.device, "", NULL, NULL);
	if (!rc && !clCreateKernelsInProgram(program, 4, kernels, &n))
		for (cl_uint i = 0; i < n; i++) {
			set_arguments(kernels[i], buffer);
			clEnqueueNDRangeKernel(
				cl.queue, kernels[i], 1, NULL, &items, NULL, 0, NULL, NULL);
			clFinish(cl.queue);
			clReleaseKernel(kernels[i]);
		}
	CL(clReleaseProgram(program));
	return !rc;
}

/* Texts of .ze_info on which the driver aborts or writes behind an array. Binaries of ours have
 * none. */
static void test_work_group_sizes(void **state)
{
	static const char right[] = "[ 8, 1, 1 ]";
	static const char *const wrong[] = { "[ 8, 0, 1 ]", "[ 0, 1, 1 ]", "[ 8, 1, 0 ]",
		"[8, 1, 1,1]", "[ 1111111 ]", "[ 8, 1, x ]", "[ 8,1,-11 ]", "[65536,1,1]",
		"[ 8,1,9e3 ]" };
	char folder[TEST_FOLDER_MAX], path[TEST_FOLDER_MAX + 32],
		command[2 * TEST_FOLDER_MAX + 128];
	cl_mem buffer = cl_make_buffer(4096, NULL);
	struct binary binary = { 0 };

	(void)state;
	test_folder_make(folder, "mutant");
	snprintf(path, sizeof path, "%s/k.cl", folder);
	test_write_text(path,
		"__attribute__((reqd_work_group_size(8, 1, 1)))\n"
		"kernel void k(global int *a) { a[get_global_id(0)] = get_local_id(0); }\n");
	snprintf(command, sizeof command,
		"cd %s && env -u LD_PRELOAD ocloc compile -q -device tgllp --format zebin "
		"-file k.cl -output k && mv k_*.bin k.bin",
		folder);
	assert_int_equal(system(command), 0);
	snprintf(path, sizeof path, "%s/k.bin", folder);
	binary.bytes = test_read_file(path, &binary.size);
	binary.copy = malloc(binary.size);
	assert_int_equal(test_folder_remove(folder), 0);
	memcpy(binary.copy, binary.bytes, binary.size);
	assert_true(use(&binary, buffer));
	unsigned char *end = binary.bytes + binary.size, *at = binary.bytes;
	unsigned places = 0;
	/* In the attributes of the source, and in what the kernel is started with. */
	for (; (at = memmem(at, (size_t)(end - at), right, sizeof right - 1)); at++, places++)
		for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
			assert_int_equal(strlen(wrong[i]), sizeof right - 1);
			memcpy(binary.copy, binary.bytes, binary.size);
			memcpy(binary.copy + (at - binary.bytes), wrong[i], sizeof right - 1);
			if (use(&binary, buffer))
				fail_msg("taken: %s", wrong[i]);
		}
	assert_int_equal(places, 2);
	free(binary.bytes);
	free(binary.copy);
	CL(clReleaseMemObject(buffer));
}

static void test_mutants(void **state)
{
	const char *asked = getenv("ZEROCL_MUTANTS");
	const unsigned n = asked ? (unsigned)strtoul(asked, NULL, 10) : 3000;
	cl_mem buffer = cl_make_buffer(4096, NULL);
	unsigned taken = 0;

	(void)state;
	for (size_t i = 0; i < N_SOURCES; i++) {
		make_binary(&binaries[i], sources[i]);
		memcpy(binaries[i].copy, binaries[i].bytes, binaries[i].size);
		assert_true(use(&binaries[i], buffer));
	}
	for (unsigned i = 0; i < n; i++) {
		const struct binary *binary = &binaries[i % N_SOURCES];

		seed = i + 1;
		roll(1);
		memcpy(binary->copy, binary->bytes, binary->size);
		for (unsigned k = roll(3) + 1; k--;)
			damage(binary);
		taken += use(binary, buffer);
	}
	/* Some are, or nothing was tested; and not all. */
	assert_in_range(taken, n / 20, n - n / 4);
	for (size_t i = 0; i < N_SOURCES; i++) {
		free(binaries[i].bytes);
		free(binaries[i].copy);
	}
	CL(clReleaseMemObject(buffer));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_work_group_sizes),
		cmocka_unit_test(test_mutants) };

	return CL_RUN(argc, argv, tests);
}
