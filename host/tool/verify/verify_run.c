// SPDX-License-Identifier: MIT
#include "tool/verify/verify_image.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/base/error_name.h"
#include "compile/zebin/elf_file.h"
#include "tool/base/disasm.h"
#include "tool/base/tool_cl.h"
#include "tool/base/tool_env.h"
#include "util/util_bits.h"

/*
 * What the compiler makes of this for the device under test is the binary whose machine code is
 * replaced: so all else in it is right for the device, whichever it is. Its arguments become the
 * entries of the binding table that have their numbers. The second kernel keeps the binary from the
 * form of programs of one kernel.
 */
static const char source[] =
	"#define SIZE __attribute__((intel_reqd_sub_group_size(16)))\n"
	"#define READ(n) intel_sub_group_block_read8(a + i + n * 128)\n"
	"#define WRITE(n, v) intel_sub_group_block_write8(b + i + n * 128, v);\n"
	"SIZE kernel void verify(global uint *a, global uint *b, global uint *c,\n"
	"  write_only image2d_t d, write_only image2d_t e)\n"
	"{ local uint l[1024]; size_t i = get_group_id(0) * 16;\n"
	"  l[i & 1023] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); b[i + 1] = l[(i + 9) & 1023];\n"
	"  intel_sub_group_block_write(b + i, intel_sub_group_block_read(a + i));\n"
	"  intel_sub_group_block_write(c + i, intel_sub_group_block_read(c + i) + 1);\n"
	"  write_imageui(d, (int2)(i), (uint4)(i)); write_imageui(e, (int2)(i), (uint4)(i));\n"
	"  *(volatile global uint *)((size_t)c + a[i]) = 1;\n" /* by its address too */
	/* More values than there are registers, for which there is scratch space. */
	"  uint8 l0 = READ(0), l1 = READ(1), l2 = READ(2), l3 = READ(3), l4 = READ(4);\n"
	"  uint8 l5 = READ(5), l6 = READ(6), l7 = READ(7), l8 = READ(8);\n"
	"  barrier(CLK_GLOBAL_MEM_FENCE);\n"
	"  WRITE(0, l8) WRITE(1, l7) WRITE(2, l6) WRITE(3, l5) WRITE(4, l4) WRITE(5, l3)\n"
	"  WRITE(6, l2) WRITE(7, l1) WRITE(8, l0) }\n"
	"SIZE kernel void other(global uint *a) { intel_sub_group_block_write(a, 0); }\n";

/* The code of a kernel is followed by what an EU may fetch and does not execute. */
enum { FETCHED_BEYOND = 256 };
enum { ARGUMENTS = 5, IMAGES = 2 }; /* the images are the last of them: of dwords, of words */

struct run {
	struct verify_side *side;
	struct verify_vectors vectors;
	struct disasm *disasm;
	uint32_t platform;
	struct tool_cl cl;
	unsigned char *zebin;
	size_t zebin_size;
	cl_mem operands, results, images_of_memory[IMAGES];
	struct verify_images images;
	uint8_t *memory; /* shared, because messages reach it by its address */
};

/* Notes what failed; false. */
static bool fail(struct run *run, const char *what, cl_int rc)
{
	snprintf(run->side->why, sizeof run->side->why, "%s: %s", what, error_name(rc));
	return false;
}

static bool fail_text(struct run *run, const char *what)
{
	snprintf(run->side->why, sizeof run->side->why, "%s", what);
	return false;
}

static bool open_device(struct run *run)
{
	struct verify_side *side = run->side;

	if (!tool_cl_open(&run->cl, TOOL_PLATFORM, side->why, sizeof side->why)) {
		size_t length = strlen(side->why);
		snprintf(side->why + length, sizeof side->why - length,
			"; `zerocl info` says what is found");
		return false;
	}
	char *version = tool_cl_device_text(run->cl.device, CL_DEVICE_VERSION);
	snprintf(side->name, sizeof side->name, "%s", run->cl.name);
	snprintf(side->driver, sizeof side->driver, "%s", run->cl.driver);
	snprintf(side->version, sizeof side->version, "%s", version ? version : "");
	free(version);
	return true;
}

/*
 * Gives each argument the entry of the binding table of its own number, in .ze_info: compilers
 * differ in how they number them. False: they are not all there.
 */
static bool number_entries(struct run *run)
{
	struct elf_file file;
	const struct elf_file_section *info = NULL;
	unsigned found = 0;

	if (elf_file_read(&file, run->zebin, run->zebin_size) == COMPILE_OK)
		info = elf_file_find(&file, ELF_FILE_ZE_INFO, NULL);
	char *text = info ? strndup(info->data, info->size) : NULL;
	for (char *at = text; at && (at = strstr(at, "bti_value:")) != NULL; at++) {
		int number = 0, entry, argument;
		if (sscanf(at, "bti_value: %n%d arg_index: %d", &number, &entry, &argument) != 2 ||
			entry >= ARGUMENTS || argument >= ARGUMENTS)
			continue;
		run->zebin[(const unsigned char *)info->data - run->zebin + (at - text) + number] =
			(unsigned char)('0' + argument);
		found |= 1u << argument;
	}
	free(text);
	elf_file_finish(&file);
	return found == (1u << ARGUMENTS) - 1;
}

/* Builds the template, and learns of which generation the device is. */
static bool make_template(struct run *run)
{
	const char *text = source;
	cl_int rc;
	cl_program program = clCreateProgramWithSource(run->cl.context, 1, &text, NULL, &rc);

	if (!rc)
		rc = clBuildProgram(program, 1, &run->cl.device, "-cl-std=CL1.2", NULL, NULL);
	if (!rc)
		run->zebin = tool_cl_binary(program, &run->zebin_size);
	clReleaseProgram(program);
	if (!run->zebin)
		return fail(run, "building the first kernel", rc);
	run->platform = disasm_platform(run->zebin, run->zebin_size);
	run->side->generation = -1;
	for (unsigned i = 0; gen_device_row(i); i++)
		if (gen_device_row(i)->family->iga_platform == run->platform)
			run->side->generation = (int)gen_device_row(i)->family->generation;
	atomic_store(&run->side->is_known, true);
	if (run->side->generation < 0)
		return fail_text(
			run, "ZeroCL's virtual device has no model of this device's generation");
	return number_entries(run) ||
	       fail_text(run, "the compiler makes no binding table for this device");
}

static cl_mem make_buffer(struct run *run, size_t size, cl_int *rc)
{
	return *rc ? NULL : clCreateBuffer(run->cl.context, CL_MEM_READ_WRITE, size, NULL, rc);
}

enum { MEMORY_BYTES = VERIFY_BATCH * VERIFY_GROUPS * VERIFY_MEMORY };

/* Memory whose addresses differ in their low 32 bits alone, as the vectors take for granted. */
static bool make_memory(struct run *run)
{
	void *refused[8] = { NULL };
	unsigned n = 0;

	for (; n < UTIL_ARRAY_SIZE(refused); n++) {
		run->memory = clSVMAlloc(run->cl.context, CL_MEM_READ_WRITE, MEMORY_BYTES, 64);
		uint64_t first = (uintptr_t)run->memory;
		if (first >> 32 == (first + MEMORY_BYTES) >> 32)
			break;
		refused[n] = run->memory;
	}
	bool right = run->memory && n < UTIL_ARRAY_SIZE(refused);
	while (n)
		clSVMFree(run->cl.context, refused[--n]);
	return right || fail_text(run, "no memory within four GiB of addresses");
}

static cl_mem make_image(struct run *run, unsigned texel, cl_int *rc)
{
	const cl_image_format format = { CL_R, texel == 2 ? CL_UNSIGNED_INT16 : CL_UNSIGNED_INT32 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = VERIFY_ROW / texel,
		.image_height = MEMORY_BYTES / VERIFY_ROW };

	return *rc ? NULL
		   : clCreateImage(run->cl.context, CL_MEM_READ_WRITE, &format, &desc, NULL, rc);
}

static bool make_buffers(struct run *run)
{
	static uint8_t bytes[VERIFY_OPERANDS_BYTES];
	cl_int rc = CL_SUCCESS;

	if (!make_memory(run))
		return false;
	for (unsigned i = 0; i < IMAGES; i++)
		run->images_of_memory[i] = make_image(run, 4 >> i, &rc);
	run->operands = make_buffer(run, sizeof bytes, &rc);
	run->results = make_buffer(run, (size_t)VERIFY_BATCH * VERIFY_GROUPS * VERIFY_RESULT, &rc);
	verify_operands_fill(bytes, (uintptr_t)run->memory);
	if (!rc)
		rc = clEnqueueWriteBuffer(run->cl.queue, run->operands, CL_TRUE, 0, sizeof bytes,
			bytes, 0, NULL, NULL);
	return !rc || fail(run, "buffers", rc);
}

enum { VECTOR_BYTES = VERIFY_GROUPS * VERIFY_MEMORY };

/* Reads or writes the memory of a vector of a batch if it is an image's. */
static cl_int move_texels(
	struct run *run, const struct verify_vector *vector, size_t index, bool reads, void *bytes)
{
	const size_t rows = VECTOR_BYTES / VERIFY_ROW, origin[3] = { 0, index * rows, 0 };
	cl_mem image = run->images_of_memory[vector->texel == 2];

	if (!vector->texel)
		return CL_SUCCESS;
	const size_t region[3] = { VERIFY_ROW / vector->texel, rows, 1 };
	return reads ? clEnqueueReadImage(run->cl.queue, image, CL_TRUE, origin, region, 0, 0,
			       bytes, 0, NULL, NULL)
		     : clEnqueueWriteImage(run->cl.queue, image, CL_TRUE, origin, region, 0, 0,
			       bytes, 0, NULL, NULL);
}

/* What memory holds before a batch. */
static cl_int fill_memory(struct run *run, const struct verify_vector *rows, size_t n)
{
	static uint32_t words[MEMORY_BYTES / 4];
	cl_int rc;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(words); i++)
		words[i] = (uint32_t)i * 2654435761u ^ (uint32_t)(i >> 3);
	rc = clEnqueueSVMMemcpy(
		run->cl.queue, CL_TRUE, run->memory, words, sizeof words, 0, NULL, NULL);
	for (size_t i = 0; i < n && !rc; i++)
		rc = move_texels(run, &rows[i], i, false, words + i * VECTOR_BYTES / 4);
	return rc;
}

/* What it holds then, to `bytes` of each vector. */
static cl_int read_memory(struct run *run, const struct verify_vector *rows, size_t n,
	uint8_t (*bytes)[VERIFY_GROUPS][VERIFY_MEMORY])
{
	cl_int rc = clEnqueueSVMMemcpy(
		run->cl.queue, CL_TRUE, bytes, run->memory, n * sizeof *bytes, 0, NULL, NULL);

	for (size_t i = 0; i < n && !rc; i++)
		rc = move_texels(run, &rows[i], i, true, bytes[i]);
	return rc;
}

/* The template with other machine code, to be freed. */
static void *put_code(struct run *run, const void *code, size_t code_size, size_t *size)
{
	struct elf_file file;
	void *all = calloc(1, code_size + FETCHED_BEYOND), *zebin = NULL;

	if (all && elf_file_read(&file, run->zebin, run->zebin_size) == COMPILE_OK) {
		struct elf_file_section *text = elf_file_find(&file, SHT_PROGBITS, ".text.verify");
		memcpy(all, code, code_size);
		/* Behind the sections of the compiler are ours: SPIR-V, and a note about it. */
		while (file.n && (file.sections[file.n - 1].head.sh_type == ELF_FILE_SPIRV ||
					 !strcmp(file.sections[file.n - 1].name, ".misc.zerocl")))
			file.n--;
		if (text) {
			text->data = all;
			text->size = code_size + FETCHED_BEYOND;
			zebin = elf_file_write(&file, size);
		}
		elf_file_finish(&file);
	}
	free(all);
	return zebin;
}

/* The program of a batch; NULL, with why. */
static cl_program make_program(struct run *run, size_t first, size_t n)
{
	char *text = verify_code(&run->vectors, first, n);
	void *code = NULL, *zebin = NULL;
	size_t code_size, size = 0;
	cl_program program = NULL;
	cl_int rc = CL_OUT_OF_HOST_MEMORY;

	if (text)
		code = disasm_assemble(run->disasm, run->platform, text, &code_size, run->side->why,
			sizeof run->side->why);
	if (code)
		zebin = put_code(run, code, code_size, &size);
	if (zebin) {
		const unsigned char *bytes = zebin;
		program = clCreateProgramWithBinary(
			run->cl.context, 1, &run->cl.device, &size, &bytes, NULL, &rc);
		if (!rc)
			rc = clBuildProgram(program, 1, &run->cl.device, "", NULL, NULL);
		if (rc)
			fail(run, "loading native code", rc);
	}
	free(zebin);
	free(code);
	free(text);
	if (rc && program)
		clReleaseProgram(program);
	return rc ? NULL : program;
}

static cl_int run_kernel(struct run *run, cl_kernel kernel)
{
	const size_t global = VERIFY_GROUPS * 16, local = 16;
	cl_int rc = CL_SUCCESS;

	for (cl_uint i = 0; i < IMAGES && !rc; i++)
		rc = clSetKernelArg(
			kernel, ARGUMENTS - IMAGES + i, sizeof(cl_mem), &run->images_of_memory[i]);
	if (!rc)
		rc = clSetKernelArg(kernel, 0, sizeof run->operands, &run->operands);
	if (!rc)
		rc = clSetKernelArg(kernel, 1, sizeof run->results, &run->results);
	if (!rc)
		rc = clSetKernelArgSVMPointer(kernel, 2, run->memory);
	if (!rc)
		rc = clEnqueueNDRangeKernel(
			run->cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
	return rc ? rc : clFinish(run->cl.queue);
}

/* Vectors of native code, as one kernel. */
static bool run_native(struct run *run, size_t first, size_t n)
{
	const struct verify_vector *rows = &run->vectors.rows[first];
	cl_int rc;
	cl_program program = make_program(run, first, n);

	if (!program)
		return false;
	cl_kernel kernel = clCreateKernel(program, "verify", &rc);
	if (!rc)
		rc = fill_memory(run, rows, n);
	if (!rc)
		rc = run_kernel(run, kernel);
	if (!rc)
		rc = clEnqueueReadBuffer(run->cl.queue, run->results, CL_TRUE, 0,
			n * sizeof *run->side->result, run->side->result[first], 0, NULL, NULL);
	if (!rc)
		rc = read_memory(run, rows, n, &run->side->memory[first]);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	return !rc || fail(run, "running native code", rc);
}

static bool run_batch(struct run *run, unsigned batch)
{
	const struct verify_vector *rows = run->vectors.rows;
	size_t first = (size_t)batch * VERIFY_BATCH, end = first + VERIFY_BATCH, i = first;
	cl_int rc = CL_SUCCESS;

	if (end > run->vectors.n)
		end = run->vectors.n;
	run->images.cl = &run->cl;
	while (i < end && !rows[i].image.kind)
		i++;
	if (i > first && !run_native(run, first, i - first))
		return false;
	for (; i < end && !rc; i++)
		rc = verify_image_run(&run->images, &rows[i], run->side->result[i]);
	return !rc || fail(run, "running a kernel with an image", rc);
}

bool verify_run(struct verify_side *side, unsigned first, const char *only)
{
	struct run run = { .side = side };

	run.disasm = disasm_open(side->why, sizeof side->why);
	if (!run.disasm || !open_device(&run) || !make_template(&run) ||
		!verify_vectors_make(&run.vectors, (enum gen_generation)side->generation, only) ||
		!make_buffers(&run))
		return false;
	for (unsigned batch = first; (size_t)batch * VERIFY_BATCH < run.vectors.n; batch++) {
		atomic_store(&side->started, batch + 1);
		if (!run_batch(&run, batch))
			return false;
		atomic_store(&side->done, batch + 1);
	}
	return true;
}
