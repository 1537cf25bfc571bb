// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"
#include "compile/build/helper_build.h"
#include "compile/zebin/reflect.h"

#include "spirv_fixture.h"
#include "test_files.h"
#include "test_settings.h"

#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Builds by the real compiler. */

static struct compile_result result;

static enum compile_status build(const char *source, const char *options, unsigned outputs)
{
	const struct compile_request request = {
		.source = source,
		.source_size = strlen(source),
		.options = options,
		.family = "tgllp",
		.outputs = outputs,
	};

	compile_result_finish(&result);
	memset(&result, 0xa5, sizeof result);
	return compile_build(&request, &result);
}

static int finish(void **state)
{
	(void)state;
	compile_result_finish(&result);
	return 0;
}

static void assert_log(const char *part)
{
	assert_non_null(result.log);
	if (!strstr(result.log, part))
		fail_msg("no \"%s\" in the log: %s", part, result.log);
}

static void assert_no_log(const char *part)
{
	assert_non_null(result.log);
	if (strstr(result.log, part))
		fail_msg("\"%s\" is in the log: %s", part, result.log);
}

static void source_becomes_both(void **state)
{
	uint32_t magic;
	Elf64_Ehdr head;

	(void)state;
	assert_int_equal(build("kernel void k(global int *a)\n{\n\ta[0] = 1;\n}\n", NULL,
				 COMPILE_SPIRV | COMPILE_NATIVE),
		COMPILE_OK);
	assert_string_equal(result.log, "");
	assert_true(result.spirv_size > 20 && result.native_size > sizeof head);
	memcpy(&magic, result.spirv, sizeof magic);
	assert_int_equal(magic, 0x07230203);
	memcpy(&head, result.native, sizeof head);
	assert_memory_equal(head.e_ident, ELFMAG, SELFMAG);
	assert_int_equal(head.e_machine, 205);
}

static void spirv_becomes_native(void **state)
{
	struct compile_result native;

	(void)state;
	assert_int_equal(
		build("kernel void k(global int *a) { a[0] = 1; }", "", COMPILE_SPIRV), COMPILE_OK);
	assert_null(result.native);
	const struct compile_request request = {
		.spirv = result.spirv,
		.spirv_size = result.spirv_size,
		.family = "tgllp",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE,
	};
	assert_int_equal(compile_build(&request, &native), COMPILE_OK);
	assert_string_equal(native.log, "");
	assert_int_equal(native.spirv_size, result.spirv_size);
	assert_memory_equal(native.spirv, result.spirv, result.spirv_size);
	assert_non_null(native.native);
	compile_result_finish(&native);
}

/* IGC takes such a module and makes nothing of it without a word. */
static void cut_spirv_is_refused(void **state)
{
	struct compile_result native;

	(void)state;
	assert_int_equal(
		build("kernel void k(global int *a) { a[0] = 1; }", "", COMPILE_SPIRV), COMPILE_OK);
	for (size_t cut = 4; cut <= 16; cut += 4) {
		const struct compile_request request = {
			.spirv = result.spirv,
			.spirv_size = result.spirv_size - cut,
			.family = "tgllp",
			.outputs = COMPILE_NATIVE,
		};
		assert_int_equal(compile_build(&request, &native), COMPILE_ERROR);
		assert_non_null(strstr(native.log, "SPIR-V is malformed"));
		compile_result_finish(&native);
	}
}

/* A function that reverses the bits of a constant of the type, which has a decoration. */
#define REVERSES(type, decoration)                                                                 \
	"OpCapability Shader\nOpCapability Kernel\nOpCapability Linkage\nOpCapability Addresses\n" \
	"OpMemoryModel Physical64 OpenCL\n"                                                        \
	"OpDecorate %r " decoration "\n"                                                           \
	"%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"                    \
	"%c = OpConstant %" type " 1\n"                                                            \
	"%fn = OpTypeFunction %void\n%f = OpFunction %void None %fn\n%l = OpLabel\n"               \
	"%r = OpBitReverse %" type " %c\nOpReturn\nOpFunctionEnd\n"

static enum compile_status validate(const char *text)
{
	struct spirv_module module;

	spirv_open_text(text, &module);
	const struct compile_request request = {
		.spirv = module.words,
		.spirv_size = module.n_words * sizeof *module.words,
		.family = "tgllp",
	};
	compile_result_finish(&result);
	memset(&result, 0, sizeof result);
	helper_build(&request, -1, &result);
	spirv_module_finish(&module);
	return result.status;
}

/* What is younger than the validator may be right; a wrong operand is not. */
static void modules_are_validated(void **state)
{
	(void)state;
	assert_int_equal(validate(REVERSES("uint", "RelaxedPrecision")), COMPILE_OK);
	assert_int_equal(validate(REVERSES("uint", "!6999")), COMPILE_OK);
	assert_int_equal(validate(REVERSES("float", "RelaxedPrecision")), COMPILE_ERROR);
	assert_log("operand: BitReverse");
}

static void empty_source_builds(void **state)
{
	(void)state;
	assert_int_equal(build("", "", COMPILE_SPIRV | COMPILE_NATIVE), COMPILE_OK);
	assert_non_null(result.native);
}

static void error_names_its_line(void **state)
{
	(void)state;
	assert_int_equal(build("kernel void k(global int *a)\n{\n\ta[0] = nosuch(1);\n}\n", "",
				 COMPILE_SPIRV | COMPILE_NATIVE),
		COMPILE_ERROR);
	assert_null(result.spirv);
	assert_null(result.native);
	assert_int_equal(strncmp(result.log, "1:3:9: error: ", 14), 0);
	assert_log("'nosuch'");
	assert_no_log("Build failed");
	assert_no_log("Command was");
}

/* The number of the source and the lines are the same for every build and every prefix. */
static void logs_do_not_depend_on_history(void **state)
{
	static const char source[] = "#warning watch out\nkernel void k(global int *a) { a[0]=1; }";
	struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.family = "tgllp",
		.outputs = COMPILE_SPIRV };
	char *first;

	(void)state;
	assert_int_equal(build(source, "", COMPILE_SPIRV), COMPILE_OK);
	assert_int_equal(strncmp(result.log, "1:1:2: warning: watch out\n", 26), 0);
	first = strdup(result.log);
	request.extensions = "cl_intel_subgroups";
	request.features = "__opencl_c_int64";
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_OK);
	assert_string_equal(result.log, first);
	free(first);
}

static void options_are_obeyed(void **state)
{
	static const char version[] = "#define STR_(x) #x\n"
				      "#define STR(x) STR_(x)\n"
				      "#pragma message STR(__OPENCL_C_VERSION__)\n"
				      "kernel void k(global int *a) { a[0] = X; }";

	(void)state;
	assert_int_equal(build(version, "-D X=1", COMPILE_SPIRV), COMPILE_OK);
	assert_log("warning: 120");
	assert_int_equal(build(version, "-cl-std=CL1.1 -DX=1", COMPILE_SPIRV), COMPILE_OK);
	assert_log("warning: 110");
	assert_int_equal(build(version, "-cl-std=CL2.0 -D \"X=1 + 2\"", COMPILE_SPIRV), COMPILE_OK);
	assert_log("warning: 200");
	assert_int_equal(build(version, "-cl-std=CL3.0 -DX", COMPILE_SPIRV), COMPILE_OK);
	assert_log("warning: 300");
	assert_int_equal(build(version, "", COMPILE_SPIRV), COMPILE_ERROR);
	assert_log("1:4:39: error: ");
	assert_int_equal(build(version, "-DX=1 -Werror", COMPILE_SPIRV), COMPILE_OK);
	assert_int_equal(
		build("#warning w\nkernel void k() {}", "-Werror", COMPILE_SPIRV), COMPILE_ERROR);
}

static void bad_options_are_told_apart(void **state)
{
	static const char source[] = "kernel void k() {}";

	(void)state;
	assert_int_equal(build(source, "-nosuch", COMPILE_SPIRV), COMPILE_BAD_OPTIONS);
	assert_log("-nosuch");
	/* This one only the compiler knows not to be one. */
	assert_int_equal(build(source, "-cl-intel-nosuch", COMPILE_SPIRV), COMPILE_BAD_OPTIONS);
	assert_log("-cl-intel-nosuch");
}

/* Each ends where it ends, though no line end stands there. */
static void embedded_headers_are_apart(void **state)
{
	static const char source[] = "#include \"one.h\"\n#include \"two.h\"\n"
				     "kernel void k(global int *a) { a[0] = two(one(a[0])); }";
	static const char one[] = "int one(int x) { return x * x; }";
	static const char two[] = "int two(int x) { return x / 2; }";
	const struct compile_header headers[] = {
		{ "one.h", one, sizeof(one) - 1 },
		{ "two.h", two, sizeof(two) - 1 },
	};
	struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.family = "tgllp",
		.headers = headers,
		.n_headers = 2,
		.outputs = COMPILE_SPIRV };

	(void)state;
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_OK);
}

static void embedded_headers_are_found(void **state)
{
	static const char source[] = "#include \"inc/one.h\"\n#include \"two.h\"\n"
				     "kernel void k(global int *a) { a[0] = ONE + TWO; }";
	const struct compile_header headers[] = {
		{ "inc/one.h", "#define ONE 1\n", 14 },
		{ "two.h", "#define TWO 2\nint f() { return nosuch; }\n", 14 },
	};
	struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.family = "tgllp",
		.headers = headers,
		.outputs = COMPILE_SPIRV };
	struct compile_header bad[2] = { headers[0], headers[1] };

	(void)state;
	/* Only `size` bytes of a header count. */
	compile_result_finish(&result);
	request.n_headers = 2;
	assert_int_equal(compile_build(&request, &result), COMPILE_OK);
	bad[1].size = strlen(bad[1].text);
	request.headers = bad;
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_ERROR);
	assert_log("In file included from 1:2:");
	assert_log("two.h:2:18: error: ");
	request.n_headers = 1;
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_ERROR);
	assert_log("'two.h' file not found");
}

/* A relative -I means the folder that the application is in now. */
static void folders_are_relative_to_the_application(void **state)
{
	char folder[TEST_FOLDER_MAX], path[128];
	char *before = getcwd(NULL, 0);

	(void)state;
	test_folder_make(folder, "build");
	snprintf(path, sizeof path, "%s/inc", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/inc/three.h", folder);
	test_write_text(path, "#define THREE 3\n");
	static const char source[] = "#include \"three.h\"\n"
				     "kernel void k(global int *a) { a[0] = THREE; }";
	assert_int_equal(build(source, "-I inc", COMPILE_SPIRV), COMPILE_ERROR);
	assert_int_equal(chdir(folder), 0);
	enum compile_status status = build(source, "-I inc", COMPILE_SPIRV);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(status, COMPILE_OK);
	unlink(path);
	snprintf(path, sizeof path, "%s/inc", folder);
	rmdir(path);
	/* Fails if the compiler left a file there. */
	assert_int_equal(rmdir(folder), 0);
	free(before);
}

static void macros_are_those_of_the_device(void **state)
{
	static const char source[] = "#ifdef cl_intel_subgroups\n"
				     "#warning has_intel_subgroups\n#endif\n"
				     "#ifdef cl_intel_subgroups_char\n"
				     "#warning has_intel_char\n#endif\n"
				     "#ifdef cl_khr_fp16\n#warning has_fp16\n#endif\n"
				     "#ifdef __IMAGE_SUPPORT__\n#warning has_images\n#endif\n"
				     "#ifdef __opencl_c_subgroups\n#warning has_subgroups\n#endif\n"
				     "#ifdef __opencl_c_pipes\n#warning has_pipes\n#endif\n"
				     "kernel void k() {}";
	struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.family = "tgllp",
		.options = "-cl-std=CL3.0",
		.outputs = COMPILE_SPIRV };

	(void)state;
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_OK);
	assert_log("has_intel_subgroups");
	assert_log("has_intel_char");
	assert_log("has_fp16");
	assert_log("has_images");
	assert_log("has_subgroups");
	compile_result_finish(&result);
	request.extensions = "cl_khr_fp64 cl_intel_subgroups";
	request.features = "__opencl_c_int64 __opencl_c_subgroups";
	assert_int_equal(compile_build(&request, &result), COMPILE_OK);
	assert_log("has_intel_subgroups");
	assert_log("has_subgroups");
	assert_no_log("has_intel_char");
	assert_no_log("has_fp16");
	assert_no_log("has_images");
	assert_no_log("has_pipes");
}

static void every_sub_group_size_builds(void **state)
{
	static const char source[] =
		"__attribute__((intel_reqd_sub_group_size(SIZE)))\n"
		"kernel void k(global uint *a)\n{\n"
		"\tsize_t i = get_global_id(0);\n"
		"\ta[i] = intel_sub_group_shuffle(a[i], 3) + sub_group_reduce_add(a[i]);\n}\n";
	static const int sizes[] = { 8, 16, 32 };
	struct reflection reflection;
	char options[16], why[128];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		snprintf(options, sizeof options, "-DSIZE=%d", sizes[i]);
		assert_int_equal(
			build(source, options, COMPILE_SPIRV | COMPILE_NATIVE), COMPILE_OK);
		assert_int_equal(compile_reflect(result.spirv, result.spirv_size, result.native,
					 result.native_size, &reflection, why, sizeof why),
			COMPILE_OK);
		assert_int_equal(reflection.n_kernels, 1);
		assert_int_equal(reflection.kernels[0].simd_size, sizes[i]);
		assert_int_equal(reflection.kernels[0].sub_group_size, sizes[i]);
		reflection_finish(&reflection);
	}
	assert_int_equal(build(source, "-DSIZE=4", COMPILE_SPIRV | COMPILE_NATIVE), COMPILE_ERROR);
}

static void block_reads_of_32_lanes_are_refused(void **state)
{
	(void)state;
	assert_int_equal(build("__attribute__((intel_reqd_sub_group_size(32)))\n"
			       "kernel void k(global uint *a)\n"
			       "{ a[0] = intel_sub_group_block_read(a + 4); }",
				 "", COMPILE_SPIRV | COMPILE_NATIVE),
		COMPILE_ERROR);
	assert_log("Block reads not supported in SIMD32");
	assert_log("'k'");
	assert_null(result.native);
}

static void every_family_builds(void **state)
{
	static const char source[] = "kernel void k(global int *a) { a[0] = 1; }";
	static const char *const families[] = { "tgllp", "icllp", "skl" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char command[64];
		const struct compile_request request = { .source = source,
			.source_size = strlen(source),
			.family = families[i],
			.outputs = COMPILE_SPIRV | COMPILE_NATIVE };
		compile_result_finish(&result);
		/* Newer compilers know Gen12 and later. */
		snprintf(command, sizeof command, "ocloc ids %s >/dev/null 2>&1", families[i]);
		const bool is_known = !i || !system(command);
		assert_int_equal(
			compile_build(&request, &result), is_known ? COMPILE_OK : COMPILE_ERROR);
	}
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.family = "nosuch",
		.outputs = COMPILE_NATIVE };
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_ERROR);
	assert_log("nosuch");
}

/* A GPU is named by its PCI id, and what it reports is declared: one without gets no declaration.
 */
static void the_systolic_array_is_reached(void **state)
{
	static const char source[] =
		"__attribute__((intel_reqd_sub_group_size(8)))\n"
		"kernel void k(global int8 *d, global int8 *a, global int8 *b) {\n"
		"#ifndef cl_intel_subgroup_matrix_multiply_accumulate\n#error none\n#endif\n"
		"	*d = intel_sub_group_i8_i8_matrix_mad_k32(*a, *b, *d); }\n";
	static const char macro[] =
		"#ifndef cl_intel_subgroup_matrix_multiply_accumulate\n#error none\n#endif\n"
		"kernel void k(global int *d) { *d = 1; }\n";
	struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.options = "-cl-std=CL3.0",
		.family = "0x56a0",
		.extensions = "cl_intel_subgroups cl_intel_subgroup_matrix_multiply_accumulate",
		.features = "__opencl_c_int64 __opencl_c_images __opencl_c_read_write_images",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE };

	(void)state;
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_OK);
	assert_non_null(result.native);
	/* The macro is there for who does not call the functions, too. */
	request.source = macro;
	request.source_size = strlen(macro);
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_OK);
	request.extensions = "cl_intel_subgroups";
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_ERROR);
	assert_log("none");
	request.source = source;
	request.source_size = strlen(source);
	compile_result_finish(&result);
	assert_int_equal(compile_build(&request, &result), COMPILE_ERROR);
	assert_log("none");
}

static void *build_one(void *argument)
{
	int number = *(int *)argument;
	struct compile_result own;
	struct reflection reflection = { 0 };
	char source[128];

	snprintf(source, sizeof source, "kernel void k%d(global int *a) { a[0] = %d; }", number,
		number);
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.family = "tgllp",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE };
	snprintf(source + 64, 16, "k%d", number);
	*(int *)argument = -1;
	if (compile_build(&request, &own) == COMPILE_OK &&
		compile_reflect(own.spirv, own.spirv_size, own.native, own.native_size, &reflection,
			NULL, 0) == COMPILE_OK &&
		reflection_find(&reflection, source + 64))
		*(int *)argument = number;
	reflection_finish(&reflection);
	compile_result_finish(&own);
	return NULL;
}

static void builds_run_side_by_side(void **state)
{
	pthread_t threads[6];
	int numbers[6];

	(void)state;
	for (int i = 0; i < 6; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, build_one, &numbers[i]), 0);
	}
	for (int i = 0; i < 6; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 6; i++)
		assert_int_equal(numbers[i], i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(source_becomes_both),
		cmocka_unit_test(spirv_becomes_native),
		cmocka_unit_test(cut_spirv_is_refused),
		cmocka_unit_test(modules_are_validated),
		cmocka_unit_test(empty_source_builds),
		cmocka_unit_test(error_names_its_line),
		cmocka_unit_test(logs_do_not_depend_on_history),
		cmocka_unit_test(options_are_obeyed),
		cmocka_unit_test(bad_options_are_told_apart),
		cmocka_unit_test(embedded_headers_are_found),
		cmocka_unit_test(embedded_headers_are_apart),
		cmocka_unit_test(folders_are_relative_to_the_application),
		cmocka_unit_test(macros_are_those_of_the_device),
		cmocka_unit_test(every_sub_group_size_builds),
		cmocka_unit_test(block_reads_of_32_lanes_are_refused),
		cmocka_unit_test(every_family_builds),
		cmocka_unit_test(the_systolic_array_is_reached),
		cmocka_unit_test(builds_run_side_by_side),
	};

	/* The compiler is what is tested here. */
	test_setting("ZEROCL_CACHE", "0");
	return cmocka_run_group_tests_name("compile_build", tests, NULL, finish);
}
