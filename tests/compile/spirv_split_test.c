// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/zebin/buffer_image_mark.h"
#include "compile/build/compile.h"
#include "compile/build/compile_helper.h"
#include "compile/build/helper_build.h"
#include "compile/zebin/elf_file.h"
#include "compile/zebin/zebin_merge.h"
#include "compile/zebin/zebin_yaml.h"
#include "compile/spirv/lower_buffer_image.h"
#include "compile/spirv/spirv_module.h"
#include "compile/spirv/spirv_split.h"
#include "test_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs cut by kernels, compiled in parts and joined, against the same compiled as one. */

/* A kernel that is worth something; #n stands for its number. */
#define WORK(n)                                                                                    \
	"kernel void work" #n "(global float4 *a, global const int *b, local float4 *l, int n)\n"  \
	"{\n\tsize_t i = get_global_id(0), j = get_local_id(0);\n\tfloat4 s = a[i];\n"             \
	"\tfor (int k = 0; k < n; k++) {\n\t\tl[j] = s * " #n ".5f + half_sqrt(s) * b[k];\n"       \
	"\t\tbarrier(CLK_LOCAL_MEM_FENCE);\n\t\ts += mad(l[(j + k) & 15], s, s.wzyx);\n"           \
	"\t\tif (b[k] > " #n ")\n\t\t\ts = fmax(s, HELP(l[j ^ 1]));\n"                             \
	"\t\tbarrier(CLK_LOCAL_MEM_FENCE);\n\t}\n\ta[i] = s;\n}\n"
#define PLAIN "#define HELP sqrt\n"

static const char *const joined[] = {
	PLAIN WORK(1) WORK(2),
	PLAIN "constant int unused = 7;\n" WORK(1) WORK(2) WORK(3) WORK(4) WORK(5),
	/* Functions of theirs, shared and not, and a kernel that calls another. */
	"float4 help(float4 x) { return x * x + 1; }\nfloat4 never(float4 x) { return x; }\n"
	"static float4 more(float4 x) { return help(x) * 3; }\n"
	"#define HELP more\n" WORK(1) "#undef HELP\n#define HELP help\n" WORK(2)
		WORK(3) "kernel void last(global float4 *a, global const int *b, local float4 *l)\n"
			"{ work1(a, b, l, 4); }\n",
	/* Local memory of their own, attributes, sub-groups, images. */
	PLAIN WORK(1) WORK(
		2) "__attribute__((reqd_work_group_size(16, 1, 1)))\n"
		   "kernel void block(global int *a) { local int l[64]; l[get_local_id(0)] = "
		   "a[0];\n"
		   "  barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = l[15 - get_local_id(0)]; "
		   "}\n"
		   "__attribute__((intel_reqd_sub_group_size(8)))\n"
		   "kernel void group(global int *a) { a[get_global_id(0)] = "
		   "sub_group_reduce_add(a[1]); }\n"
		   "kernel void image(read_only image2d_t i, sampler_t s, write_only image2d_t o)\n"
		   "{ write_imagef(o, (int2)(1, 2), read_imagef(i, s, (float2)(0.5f))); }\n" WORK(
			   9),
	/* Images of buffers, in one of the parts only. */
	PLAIN WORK(1) WORK(2) WORK(3) WORK(
		4) "kernel void line(read_only image1d_buffer_t i, write_only image1d_buffer_t o)\n"
		   "{ write_imagef(o, 2, read_imagef(i, get_image_width(i) - 1)); }\n" WORK(5),
};

static const char *const whole[] = {
	/* One kernel, little, and what all kernels share. */
	PLAIN WORK(1),
	"kernel void a(global int *o) { o[0] = 1; }\nkernel void b(global int *o) { o[0] = 2; }",
	PLAIN "constant int table[4] = { 1, 2, 3, 4 };\n" WORK(1)
		WORK(2) "kernel void t(global int *a) { a[0] = table[a[1]]; }\n",
	PLAIN WORK(1) WORK(2) "kernel void p(int x) { printf(\"%d\\n\", x); }\n",
	PLAIN "global int count;\nint next(void) { return atomic_inc(&count); }\n" WORK(1)
		WORK(2) "kernel void c(global int *a) { a[0] = next(); }\n",
};

static void build(struct compile_request request, struct compile_result *result)
{
	request.family = "tgllp";
	request.options = "-cl-std=CL3.0";
	memset(result, 0xa5, sizeof *result);
	compile_build(&request, result);
	if (result->status != COMPILE_OK)
		fail_msg("not built: %s", result->log);
}

static void build_source(const char *source, unsigned outputs, struct compile_result *result)
{
	build(
		(struct compile_request){
			.source = source, .source_size = strlen(source), .outputs = outputs },
		result);
}

/* As one, and validated. */
static void build_module(const void *spirv, size_t size, struct compile_result *result)
{
	struct compile_request request = {
		.spirv = spirv, .spirv_size = size, .family = "tgllp", .options = "-cl-std=CL3.0"
	};

	memset(result, 0, sizeof *result);
	helper_build(&request, -1, result);
	if (result->status != COMPILE_OK)
		fail_msg("not valid: %s", result->log);
	compile_result_finish(result);
	request.outputs = COMPILE_NATIVE;
	helper_build(&request, -1, result);
	if (result->status != COMPILE_OK)
		fail_msg("not built: %s", result->log);
}

/* The section after *at that is code or .ze_info; its name. */
/*
 * The place where code differs from `size` bytes of other code, or `size`. IGC 2 writes a hash of
 * the whole program behind the end of the thread: mov (16|M0) null:ud, hash.
 */
static size_t differing_byte(const unsigned char *one, const unsigned char *two, size_t size)
{
	static const unsigned char hash[] = { 0x61, 0, 4, 0x80, 0x20, 0x42, 1, 0, 0, 0, 0, 0 };

	for (size_t i = 0; i < size; i++) {
		bool is_hash = false;

		if (one[i] == two[i])
			continue;
		for (size_t back = sizeof hash; back < sizeof hash + 4 && back <= i; back++)
			is_hash |= !memcmp(one + i - back, hash, sizeof hash) &&
				   !memcmp(two + i - back, hash, sizeof hash);
		if (!is_hash)
			return i;
	}
	return size;
}

/* .ze_info as zebin_yaml_write has it. */
static char *write_info(const struct elf_file *file)
{
	const struct elf_file_section *section = elf_file_find(file, ELF_FILE_ZE_INFO, NULL);
	yaml_document_t document;
	bool is_other = false;
	char *text = NULL;
	size_t size;

	assert_int_equal(zebin_yaml_load(&document, section->data, section->size), COMPILE_OK);
	assert_true(zebin_yaml_write(&document, &text, &size, &is_other));
	assert_false(is_other);
	yaml_document_delete(&document);
	return text;
}

static void assert_same_code(const void *one, size_t one_size, const void *two, size_t two_size)
{
	struct elf_file left, right;
	size_t n = 0;

	assert_int_equal(elf_file_read(&left, one, one_size), COMPILE_OK);
	assert_int_equal(elf_file_read(&right, two, two_size), COMPILE_OK);
	for (size_t i = 0; i < left.n; i++) {
		const struct elf_file_section *code = &left.sections[i];

		if (code->head.sh_type != SHT_PROGBITS)
			continue;
		const struct elf_file_section *same =
			elf_file_find(&right, SHT_PROGBITS, code->name);
		assert_non_null(same);
		assert_int_equal(same->size, code->size);
		size_t place = differing_byte(code->data, same->data, code->size);
		if (place != code->size)
			fail_msg("%s differs at 0x%zx", code->name, place);
		n++;
	}
	assert_true(n > 1);
	for (size_t i = 0; i < right.n; i++)
		n -= right.sections[i].head.sh_type == SHT_PROGBITS;
	assert_int_equal(n, 0);
	char *info = write_info(&left), *same = write_info(&right);
	assert_string_equal(info, same);
	free(info);
	free(same);
	elf_file_finish(&left);
	elf_file_finish(&right);
}

static void parts_make_the_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
		struct compile_result front, one, parts[SPIRV_SPLIT_MAX];
		struct compile_module modules[SPIRV_SPLIT_MAX];
		struct zebin_bytes natives[SPIRV_SPLIT_MAX];
		size_t size;

		build_source(joined[i], COMPILE_SPIRV, &front);
		build_module(front.spirv, front.spirv_size, &one);
		size_t n = spirv_split(front.spirv, front.spirv_size, 2 + i % 2, modules);
		assert_true(n >= 2);
		for (size_t k = 0; k < n; k++) {
			build_module(modules[k].spirv, modules[k].size, &parts[k]);
			natives[k] = (struct zebin_bytes){ parts[k].native, parts[k].native_size };
			assert_true(modules[k].size < front.spirv_size);
		}
		void *file = zebin_merge(natives, n, &size);
		assert_non_null(file);
		assert_same_code(one.native, one.native_size, file, size);
		assert_int_equal(buffer_image_is_marked(file, size),
			strstr(joined[i], "image1d_buffer_t") != NULL);

		struct compile_binary binary;
		assert_int_equal(compile_binary_open(file, size, &binary), COMPILE_OK);
		/* what goes with it is the whole module's, which the caller has */
		assert_null(binary.spirv);
		for (size_t k = 0; k < n; k++) {
			free((void *)(uintptr_t)modules[k].spirv);
			compile_result_finish(&parts[k]);
		}
		free(file);
		compile_result_finish(&front);
		compile_result_finish(&one);
	}
}

static void what_belongs_together_stays(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
		struct compile_module modules[SPIRV_SPLIT_MAX];
		struct compile_result front;

		build_source(whole[i], COMPILE_SPIRV, &front);
		if (spirv_split(front.spirv, front.spirv_size, 2, modules))
			fail_msg("source %zu was split", i);
		compile_result_finish(&front);
	}
}

/* The kernels of another program do not make up for those that are missing. */
static void what_cannot_be_joined_is_not(void **state)
{
	struct compile_result good, data;
	size_t size;

	(void)state;
	build_source(joined[0], COMPILE_NATIVE, &good);
	build_source("constant int t[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };\n"
		     "kernel void k(global int *a) { a[0] = t[a[1]]; }",
		COMPILE_NATIVE, &data);
	const struct zebin_bytes parts[2] = { { good.native, good.native_size },
		{ data.native, data.native_size } };
	assert_null(zebin_merge(parts, 2, &size));
	for (size_t cut = 0; cut < good.native_size; cut += 1 + good.native_size / 200) {
		const struct zebin_bytes damaged[2] = { { good.native, good.native_size },
			{ good.native, cut } };
		assert_null(zebin_merge(damaged, 2, &size));
	}
	compile_result_finish(&good);
	compile_result_finish(&data);
}

static void builds_side_by_side_are_equal(void **state)
{
	struct compile_helper *helpers[2];
	struct compile_result front, one, source;
	char *why;

	(void)state;
	test_setting("ZEROCL_CACHE", "0");
	/* Both run by now, so that they are worth it. */
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(compile_helper_acquire(false, -1, &helpers[i], &why), COMPILE_OK);
	for (size_t i = 0; i < 2; i++)
		compile_helper_release(helpers[i], true);
	build_source(joined[2], COMPILE_SPIRV | COMPILE_NATIVE, &source);
	build_source(joined[2], COMPILE_SPIRV, &front);
	build_module(front.spirv, front.spirv_size, &one);
	assert_int_equal(source.spirv_size, front.spirv_size);
	assert_memory_equal(source.spirv, front.spirv, front.spirv_size);
	assert_same_code(one.native, one.native_size, source.native, source.native_size);
	assert_string_equal(source.log, "");
	compile_result_finish(&front);
	compile_result_finish(&one);
	compile_result_finish(&source);
	test_setting("ZEROCL_CACHE", NULL);
}

static const char two_kernels[] =
	"__attribute__((reqd_work_group_size(8, 1, 1))) kernel void a(global int *p)\n"
	"{ *p = 1; }\n"
	"__attribute__((reqd_work_group_size(4, 1, 1))) kernel void abcd(global int *p)\n"
	"{ *p = 2; }\n";

/* The size of groups that its only kernel requires. */
static uint32_t required_size(const struct spirv_module *module)
{
	struct spirv_inst inst;
	uint32_t size = 0, n = 0;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		if (inst.op == SpvOpExecutionMode &&
			inst.operands[1] == SpvExecutionModeLocalSize) {
			size = inst.operands[2];
			n++;
		}
	assert_int_equal(n, 1);
	return size;
}

static void others_are_left_out(void **state)
{
	static const char *const names[] = { "a", "abcd" };
	struct compile_result program;

	(void)state;
	build_source(two_kernels, COMPILE_SPIRV, &program);
	for (size_t i = 0; i < 2; i++) {
		struct spirv_module module;
		size_t size = 0;
		void *only = spirv_split_kernel(program.spirv, program.spirv_size, names[i], &size);

		assert_non_null(only);
		assert_true(size < program.spirv_size);
		assert_int_equal(spirv_module_open(only, size, &module), COMPILE_OK);
		assert_int_equal(module.n_kernels, 1);
		assert_string_equal(spirv_text(&module, module.kernels[0] + 3), names[i]);
		assert_int_equal(required_size(&module), i ? 4 : 8);
		spirv_module_finish(&module);
		free(only);
	}
	compile_result_finish(&program);
}

static void damage_is_refused(void **state)
{
	struct compile_result program;
	size_t size;

	(void)state;
	build_source(two_kernels, COMPILE_SPIRV, &program);
	uint32_t *copy = malloc(program.spirv_size);
	assert_null(spirv_split_kernel(program.spirv, program.spirv_size, "abc", &size));
	assert_null(spirv_split_kernel(program.spirv, 0, "a", &size));
	assert_null(spirv_split_kernel(program.spirv, 12, "a", &size));
	assert_null(spirv_split_kernel(program.spirv, program.spirv_size - 1, "a", &size));
	memcpy(copy, program.spirv, program.spirv_size);
	copy[5] = 17; /* of no words */
	assert_null(spirv_split_kernel(copy, program.spirv_size, "a", &size));
	free(copy);
	compile_result_finish(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_belongs_together_stays),
		cmocka_unit_test(parts_make_the_whole),
		cmocka_unit_test(what_cannot_be_joined_is_not),
		cmocka_unit_test(builds_side_by_side_are_equal),
		cmocka_unit_test(others_are_left_out),
		cmocka_unit_test(damage_is_refused),
	};

	return cmocka_run_group_tests_name("spirv_split", tests, NULL, NULL);
}
