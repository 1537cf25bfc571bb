// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"
#include "compile/zebin/elf_file.h"
#include "compile/spirv/implicit_args.h"
#include "compile/spirv/spirv_look.h"
#include "compile/zebin/reflect.h"
#include "compile/zebin/zebin_binary.h"

#include <stdlib.h>
#include <string.h>

static struct compile_result program;

static int setup(void **state)
{
	static const char source[] =
		"typedef struct { int a; float4 b; } pair;\n"
		"__attribute__((reqd_work_group_size(8, 2, 1)))\n"
		"kernel void one(global int *restrict a, constant float *b, local long *c, pair "
		"d)\n"
		"{ c[0] = a[1]; a[get_global_size(0)] = d.a + (int)b[0] + (int)c[0]; }\n"
		"kernel void none(void) {}\n"
		"__attribute__((intel_reqd_sub_group_size(16)))\n"
		"kernel void two(read_only image2d_t i, sampler_t s, global uint *o,\n"
		"  write_only image1d_buffer_t n)\n"
		"{ intel_sub_group_block_write(o, (uint)read_imagef(i, s, (float2)(0)).x);\n"
		"  write_imageui(n, 3, (uint4)(1, 2, 3, 4));\n"
		"  printf(\"%u\\n\", o[0]); }\n";
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.options = "-cl-std=CL3.0",
		.family = "tgllp",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE };

	(void)state;
	return compile_build(&request, &program);
}

static int teardown(void **state)
{
	(void)state;
	compile_result_finish(&program);
	return 0;
}

static void assert_args_equal(const struct compile_kernel *a, const struct compile_kernel *b)
{
	assert_int_equal(a->n_args, b->n_args);
	for (size_t i = 0; i < a->n_args; i++) {
		const struct compile_arg *left = &a->args[i], *right = &b->args[i];
		assert_int_equal(left->kind, right->kind);
		assert_int_equal(left->size, right->size);
		assert_int_equal(left->address, right->address);
		assert_int_equal(left->access, right->access);
		assert_int_equal(left->qualifiers, right->qualifiers);
		assert_int_equal(left->is_buffer_image, right->is_buffer_image);
		assert_string_equal(left->type, right->type);
		assert_string_equal(left->name, right->name);
	}
}

static void assert_equal(const struct reflection *a, const struct reflection *b)
{
	assert_int_equal(a->n_kernels, b->n_kernels);
	assert_int_equal(a->global_bytes, b->global_bytes);
	assert_true(a->has_rows && b->has_rows);
	assert_int_equal(a->is_uniform, b->is_uniform);
	assert_int_equal(a->prints, b->prints);
	for (size_t i = 0; i < a->n_kernels; i++) {
		struct compile_kernel left = a->kernels[i];
		struct compile_kernel right = b->kernels[i];
		assert_args_equal(&left, &right);
		assert_string_equal(left.name, right.name);
		assert_string_equal(left.attributes, right.attributes);
		left.args = right.args = NULL;
		left.name = right.name = left.attributes = right.attributes = NULL;
		assert_memory_equal(&left, &right, sizeof left);
	}
}

/* A build notes what its SPIR-V and native code tell, and reading gives that back. */
static void facts_of_a_build_are_those_of_its_code(void **state)
{
	struct reflection seen, kept;

	(void)state;
	memset(&seen, 0xa5, sizeof seen);
	memset(&kept, 0xa5, sizeof kept);
	assert_int_equal(compile_reflect(program.spirv, program.spirv_size, program.native,
				 program.native_size, &seen, NULL, 0),
		COMPILE_OK);
	assert_true(reflection_read(program.facts, program.facts_size, &kept));
	assert_equal(&seen, &kept);
	/* Not all of it is zero. */
	assert_int_equal(kept.n_kernels, 3);
	assert_string_equal(kept.kernels[0].args[0].name, "a");
	assert_int_equal(kept.kernels[0].work_group_size[1], 2);
	assert_int_equal(kept.kernels[2].simd_size, 16);
	assert_int_equal(kept.kernels[0].uses, IMPLICIT_ARGS_GLOBAL_SIZE);
	assert_true(kept.prints);
	assert_false(kept.is_uniform);
	assert_int_equal(kept.kernels[1].blocks, 0);
	assert_int_equal(kept.kernels[2].blocks, COMPILE_BLOCKS_WRITE);
	reflection_finish(&seen);
	reflection_finish(&kept);
	reflection_finish(&kept);
}

/* Each byte damaged, and each length: refused, or of strings and arrays that are all there. */
static void damaged_facts_are_refused_or_whole(void **state)
{
	struct reflection facts;
	char *copy = malloc(program.facts_size);
	size_t sum = 0;

	(void)state;
	for (size_t i = 0; i < program.facts_size; i++) {
		memcpy(copy, program.facts, program.facts_size);
		copy[i] ^= 0xff;
		if (reflection_read(copy, program.facts_size, &facts))
			for (size_t k = 0; k < facts.n_kernels; k++) {
				const struct compile_kernel *one = &facts.kernels[k];
				sum += strlen(one->name) + strlen(one->attributes);
				for (size_t n = 0; n < one->n_args; n++)
					sum += strlen(one->args[n].name) +
					       strlen(one->args[n].type);
				sum += one->uses;
			}
		reflection_finish(&facts);
		char *cut = malloc(i + 1);
		memcpy(cut, program.facts, i);
		assert_false(reflection_read(cut, i, &facts));
		free(cut);
	}
	assert_true(sum > 0);
	assert_false(reflection_read(NULL, 0, &facts));
	free(copy);
}

/* The native code comes without the SPIR-V, and all else of it is there. */
static void sections_can_be_left_out(void **state)
{
	struct elf_file before, after;
	size_t whole_size;
	struct compile_binary parts = { .native = program.native,
		.native_size = program.native_size,
		.spirv = program.spirv,
		.spirv_size = program.spirv_size };
	void *whole = compile_binary_make(&parts, "tgllp", &whole_size);

	(void)state;
	assert_non_null(whole);
	assert_int_equal(elf_file_read(&before, program.native, program.native_size), COMPILE_OK);
	assert_int_equal(elf_file_read(&after, whole, whole_size), COMPILE_OK);
	assert_null(elf_file_find(&before, ELF_FILE_SPIRV, NULL));
	assert_non_null(elf_file_find(&before, ELF_FILE_ZE_INFO, NULL));
	const struct elf_file_section *spirv = elf_file_find(&after, ELF_FILE_SPIRV, NULL);
	assert_int_equal(spirv->size, program.spirv_size);
	assert_memory_equal(spirv->data, program.spirv, program.spirv_size);
	for (size_t i = 1; i < before.n; i++) {
		const struct elf_file_section *one = &before.sections[i];
		const struct elf_file_section *two = &after.sections[i];

		assert_string_equal(one->name, two->name);
		assert_int_equal(one->head.sh_type, two->head.sh_type);
		assert_int_equal(one->head.sh_link, two->head.sh_link);
		/* that of names grows */
		assert_true(two->size >= one->size);
		if (one->size)
			assert_memory_equal(one->data, two->data, one->size);
	}
	elf_file_finish(&before);
	elf_file_finish(&after);
	free(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_of_a_build_are_those_of_its_code),
		cmocka_unit_test(damaged_facts_are_refused_or_whole),
		cmocka_unit_test(sections_can_be_left_out),
	};

	return cmocka_run_group_tests_name("reflection", tests, setup, teardown);
}
