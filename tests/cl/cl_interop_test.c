// SPDX-License-Identifier: MIT
/*
 * Program binaries that change hands: Intel's driver runs ours, and we run Intel's and those of
 * ocloc, on the same virtual device. Over Intel's driver this program is started again:
 *   cl_interop_test PLATFORM make FILE OPTIONS    builds the program and writes its binary
 *   cl_interop_test PLATFORM run FILE             runs it from there
 *   … make-line, run-line                         the same with a program of images of buffers
 */
#include "cl/cl_case.h"
#include "test_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 256, GROUP = 32 };

static const char source[] =
	"constant int table[4] = { 5, -7, 11, 1000 };\n"
	"struct pair { char small; long large; };\n"
	"int twist(int a, int b) { return (a ^ b) * 3 + table[b & 3]; }\n"
	"kernel void mix(global int *out, global const int *in, local int *part, int factor,\n"
	"	short small, struct pair pair)\n{\n"
	"	int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);\n"
	"	part[l] = in[i] * factor;\n	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	out[i] = twist(part[n - 1 - l], small) + pair.small + (int)pair.large;\n}\n"
	"#ifndef ALONE\n"
	"kernel void scale(global float4 *a, float by, global int *sum)\n{\n"
	"	int i = get_global_id(0);\n	a[i] = a[i] * by + (float4)(1, 2, 3, ADDED);\n"
	"	atomic_add(sum, i);\n}\n"
	"kernel void unused(read_only image2d_t i, sampler_t s, global float4 *o)\n"
	"{ o[0] = read_imagef(i, s, (float2)(0.5f, 0.25f)); }\n"
	"#endif\n";

/* What the two drivers have different images for. */
static const char line_source[] =
	"kernel void line(read_only image1d_buffer_t a, write_only image1d_buffer_t b,\n"
	"	global uint *o)\n{\n	int i = get_global_id(0);\n"
	"	write_imageui(b, i, read_imageui(a, i) + ADDED);\n"
	"	o[0] = get_image_width(a);\n}\n";

static const char *path; /* of the binary */
static const char *options;

/* Writes the binary and lets go of the program. */
static void keep_binary(cl_program program)
{
	size_t size = 0;

	CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	unsigned char *binary = malloc(size);
	assert_non_null(binary);
	CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
	test_write_file(path, binary, size);
	free(binary);
	CL(clReleaseProgram(program));
}

static void write_binary(void **state)
{
	(void)state;
	keep_binary(cl_build(source, options));
}

static cl_program read_program(void)
{
	cl_int rc, status = 4711;
	size_t size;
	unsigned char *binary = test_read_file(path, &size);
	const unsigned char *data = binary;
	cl_program program =
		clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &data, &status, &rc);
	/* Ours from here on; whoever took it has taken a copy. */
	memset(binary, 0xa5, size);
	free(binary);
	CL(rc);
	CL(status);
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	return program;
}

static void check_mix(cl_program program)
{
	const struct {
		cl_char small;
		cl_long large;
	} pair = { -3, 1 << 20 };
	const cl_int table[4] = { 5, -7, 11, 1000 };
	cl_int in[COUNT], out[COUNT];
	cl_short small = -6;

	for (int i = 0; i < COUNT; i++)
		in[i] = i * 77 - 5000;
	memset(out, 0xa5, sizeof out);
	cl_kernel kernel = cl_kernel_of(program, "mix");
	cl_mem to = cl_make_buffer(sizeof out, out), from = cl_make_buffer(sizeof in, in);
	cl_set_buffer(kernel, 0, to);
	cl_set_buffer(kernel, 1, from);
	CL(clSetKernelArg(kernel, 2, GROUP * sizeof(cl_int), NULL));
	cl_set_uint(kernel, 3, 9);
	CL(clSetKernelArg(kernel, 4, sizeof small, &small));
	CL(clSetKernelArg(kernel, 5, sizeof pair, &pair));
	cl_launch(kernel, COUNT, GROUP);
	cl_read(to, sizeof out, out);
	for (int i = 0; i < COUNT; i++) {
		cl_int a = in[i / GROUP * GROUP + GROUP - 1 - i % GROUP] * 9;
		assert_int_equal(out[i], (a ^ small) * 3 + table[small & 3] - 3 + (1 << 20));
	}
	CL(clReleaseMemObject(to));
	CL(clReleaseMemObject(from));
	CL(clReleaseKernel(kernel));
}

static void check_scale(cl_program program)
{
	cl_float values[4 * COUNT];
	cl_int sum = 17;
	const cl_float by = -2.5f, added[4] = { 1, 2, 3, 4 };

	for (int i = 0; i < 4 * COUNT; i++)
		values[i] = (cl_float)i;
	cl_kernel kernel = cl_kernel_of(program, "scale");
	cl_mem a = cl_make_buffer(sizeof values, values), total = cl_make_buffer(sizeof sum, &sum);
	cl_set_buffer(kernel, 0, a);
	CL(clSetKernelArg(kernel, 1, sizeof by, &by));
	cl_set_buffer(kernel, 2, total);
	cl_launch(kernel, COUNT, 0);
	memset(values, 0xa5, sizeof values);
	cl_read(a, sizeof values, values);
	cl_read(total, sizeof sum, &sum);
	for (int i = 0; i < 4 * COUNT; i++)
		assert_true(values[i] == (cl_float)i * by + added[i % 4]);
	assert_int_equal(sum, 17 + COUNT * (COUNT - 1) / 2);
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(total));
	CL(clReleaseKernel(kernel));
}

static void run_binary(void **state)
{
	cl_program program = read_program();
	cl_uint n_kernels = 0;

	(void)state;
	CL(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(size_t), &(size_t){ 0 }, NULL));
	CL(clCreateKernelsInProgram(program, 0, NULL, &n_kernels));
	/* Intel's driver counts a pseudo-kernel of the compiler's too when the binary is a zebin.
	 */
	check_mix(program);
	if (n_kernels != 1) {
		assert_true(n_kernels == 3 || (cl.intel && n_kernels == 4));
		check_scale(program);
	}
	CL(clReleaseProgram(program));
}

static cl_mem make_line(cl_mem buffer, size_t n)
{
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = n, .mem_object = buffer
	};
	cl_int rc;
	cl_mem image = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc);

	CL(rc);
	return image;
}

/* Runs the kernel over n pixels in groups of that size, or has them refused. */
static void check_line(cl_program program, size_t n, size_t local, cl_int want)
{
	const size_t size = n * sizeof(cl_uint);
	cl_uint *pixels = malloc(size), *got = malloc(size), width = 0xeeeeeeee;

	assert_true(pixels && got);
	for (size_t i = 0; i < n; i++)
		pixels[i] = (cl_uint)i * 2654435761u;
	memset(got, 0xa5, size);
	cl_kernel kernel = cl_kernel_of(program, "line");
	cl_mem from = cl_make_buffer(size, pixels), to = cl_make_buffer(size, got);
	cl_mem a = make_line(from, n), b = make_line(to, n), o = cl_make_buffer(4, &width);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof a, &a), want);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof b, &b), want);
	if (!want) {
		cl_set_buffer(kernel, 2, o);
		CL(clEnqueueNDRangeKernel(
			cl.queue, kernel, 1, NULL, &n, local ? &local : NULL, 0, NULL, NULL));
		cl_read(to, size, got);
		cl_read(o, 4, &width);
		assert_int_equal(width, n);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(got[i], (cl_uint)(pixels[i] + 4));
	}
	const cl_mem all[] = { a, b, o, from, to };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		CL(clReleaseMemObject(all[i]));
	CL(clReleaseKernel(kernel));
	free(pixels);
	free(got);
}

static void write_line(void **state)
{
	(void)state;
	keep_binary(cl_build(line_source, "-DADDED=4 -cl-std=CL3.0"));
}

/* Of ZeroCL's making, or run by Intel's driver: any size is right. */
static void run_line(void **state)
{
	cl_program program = read_program();

	(void)state;
	check_line(program, 3, 0, CL_SUCCESS);
	check_line(program, 50021, 0, CL_SUCCESS);
	check_line(program, 50021, 64, CL_SUCCESS);
	CL(clReleaseProgram(program));
}

/* What the file says that it is for: Intel's GPUs, in the form of its time. */
static bool is_zebin(void)
{
	unsigned char head[20] = { 0 };
	FILE *file = fopen(path, "rb");

	assert_non_null(file);
	assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
	fclose(file);
	return head[18] == 205 && !head[19];
}

/* From here on, in the process that is over ZeroCL. */

static char top[TEST_FOLDER_MAX], self[512];

static int start(void **state)
{
	(void)state;
	test_folder_make(top, "interop");
	return readlink("/proc/self/exe", self, sizeof self - 1) <= 0;
}

static int end(void **state)
{
	(void)state;
	return test_folder_remove(top);
}

/* This program over Intel's driver, with one more variable ("A=b"). */
static void on_intel(const char *what, const char *file, const char *with, const char *variable)
{
	char command[1200];

	snprintf(command, sizeof command,
		"%s OCL_ICD_VENDORS=/etc/OpenCL/vendors/intel.icd LD_PRELOAD='%s' '%s' Intel %s "
		"'%s' '%s' > '%s/out' 2>&1 || { cat '%s/out'; false; }",
		variable, VGPU_PATH, self, what, file, with, top, top);
	if (system(command))
		fail_msg("Intel's driver did not %s %s", what, file);
}

static const char *name_file(const char *name)
{
	static char text[128];

	assert_true(strlen(name) < 32);
	snprintf(text, sizeof text, "%s/%s", top, name);
	return path = text;
}

static void intel_runs_ours(void **state)
{
	options = "-DADDED=4";
	name_file("ours");
	write_binary(state);
	run_binary(state);
	on_intel("run", path, "", "");
}

static void intel_runs_our_cl_3(void **state)
{
	options = "-DADDED=4 -cl-std=CL3.0 -cl-fast-relaxed-math";
	name_file("fast");
	write_binary(state);
	on_intel("run", path, "", "");
}

/* Drivers of today make zebin only: neither they nor their compiler know patch tokens. */
static bool makes_tokens(void)
{
	name_file("form");
	on_intel("make", path, "-DADDED=4", "");
	return !is_zebin();
}

/* A program of one kernel has both forms of native code in its binary. */
static void intel_runs_our_tokens(void **state)
{
	skip_if(!makes_tokens());
	options = "-DADDED=4 -DALONE";
	name_file("alone");
	write_binary(state);
	assert_false(is_zebin());
	run_binary(state);
	on_intel("run", path, "", "");
	cl_program program = read_program();
	name_file("again");
	keep_binary(program);
	on_intel("run", path, "", "");
	run_binary(state);
}

static void we_run_intels(void **state)
{
	const bool has_tokens = makes_tokens();
	/* What the driver makes, and zebin, which it takes. */
	static const struct {
		const char *options, *variable;
	} rows[] = { { "-DADDED=4", "" }, { "-DADDED=4 -cl-std=CL2.0", "" },
		{ "-DADDED=4 -cl-kernel-arg-info -cl-mad-enable", "" },
		{ "-DADDED=4", "IGC_EnableZEBinary=1" } };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		name_file("theirs");
		on_intel("make", path, rows[i].options, rows[i].variable);
		assert_int_equal(is_zebin(), !has_tokens || *rows[i].variable);
		run_binary(NULL);
		cl_program program = read_program();
		name_file("back");
		keep_binary(program);
		on_intel("run", path, "", "");
	}
}

static void lines_are_right(void **state)
{
	static const char *const variables[] = { "", "IGC_EnableZEBinary=1" };

	name_file("our-lines");
	write_line(state);
	run_line(state);
	on_intel("run-line", path, "", "");
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		name_file("their-lines");
		on_intel("make-line", path, "", variables[i]);
		cl_program program = read_program();
		check_line(program, 3, 0, CL_SUCCESS);
		check_line(program, 16384, 64, CL_SUCCESS);
		/* What has patch tokens is built again, and then takes any size. */
		check_line(program, 16385, 0, is_zebin() ? CL_INVALID_ARG_VALUE : CL_SUCCESS);
		/* A form of the kernel of ours, next to theirs. */
		check_line(program, 1001, 64, CL_SUCCESS);
		check_line(program, 1024, 64, CL_SUCCESS);
		CL(clReleaseProgram(program));
	}
}

static void we_run_oclocs(void **state)
{
	static const char *const variants[] = { "-device tgllp", "-device tgllp --format zebin",
		"-device adls,tgllp", "-device tgllp -exclude_ir --format zebin", "-device dg2" };
	char command[1024], sources[128];

	skip_if(system("command -v ocloc > /dev/null"));
	snprintf(sources, sizeof sources, "%s/program.cl", top);
	test_write_text(sources, source);
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
		snprintf(command, sizeof command,
			"cd '%s' && mkdir out%zu && ocloc compile -q -file program.cl %s -options "
			"-DADDED=4 -out_dir out%zu -output made -output_no_suffix > log%zu 2>&1 && "
			"cp $(ls out%zu/made out%zu/made.bin out%zu/made.ar 2> "
			"/dev/null | head -1) made%zu",
			top, i, variants[i], i, i, i, i, i, i);
		if (system(command))
			fail_msg("ocloc does not %s", variants[i]);
		char name[16];
		snprintf(name, sizeof name, "made%zu", i);
		name_file(name);
		print_message("%s\n", variants[i]);
		run_binary(state);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest makes[] = { cmocka_unit_test(write_binary) };
	const struct CMUnitTest runs[] = { cmocka_unit_test(run_binary) };
	const struct CMUnitTest line_makes[] = { cmocka_unit_test(write_line) };
	const struct CMUnitTest line_runs[] = { cmocka_unit_test(run_line) };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intel_runs_ours),
		cmocka_unit_test(intel_runs_our_cl_3),
		cmocka_unit_test(intel_runs_our_tokens),
		cmocka_unit_test(we_run_intels),
		cmocka_unit_test(lines_are_right),
		cmocka_unit_test(we_run_oclocs),
	};

	path = argc > 3 ? argv[3] : NULL;
	options = argc > 4 ? argv[4] : "";
	if (path && !strcmp(argv[2], "make"))
		return CL_RUN(argc, argv, makes);
	if (path && !strcmp(argv[2], "run"))
		return CL_RUN(argc, argv, runs);
	if (path && !strcmp(argv[2], "make-line"))
		return CL_RUN(argc, argv, line_makes);
	if (path && !strcmp(argv[2], "run-line"))
		return CL_RUN(argc, argv, line_runs);
	if (start(NULL))
		return 1;
	int rc = CL_RUN(argc, argv, tests);
	end(NULL);
	return rc;
}
