// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "compile/compile.h"
#include "compile/compile_elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static struct compile_result program;

static int setup(void **state)
{
	static const char source[] = "kernel void k(global int *a) { a[0] = 1; }";
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.options = "-cl-mad-enable",
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

static void a_build_opens(void **state)
{
	struct compile_binary binary;

	(void)state;
	assert_int_equal(
		compile_binary_open(program.native, program.native_size, &binary), COMPILE_OK);
	assert_ptr_equal(binary.native, program.native);
	assert_int_equal(binary.native_size, program.native_size);
	assert_int_equal(binary.spirv_size, program.spirv_size);
	assert_memory_equal(binary.spirv, program.spirv, program.spirv_size);
	assert_true(binary.options_size >= 14);
	assert_non_null(memmem(binary.options, binary.options_size, "-cl-mad-enable", 14));
}

static void spirv_opens(void **state)
{
	struct compile_binary binary;

	(void)state;
	assert_int_equal(
		compile_binary_open(program.spirv, program.spirv_size, &binary), COMPILE_OK);
	assert_null(binary.native);
	assert_ptr_equal(binary.spirv, program.spirv);
	assert_int_equal(binary.spirv_size, program.spirv_size);
}

static void others_do_not(void **state)
{
	struct compile_binary binary;
	unsigned char *copy = malloc(program.native_size);

	(void)state;
	assert_int_equal(compile_binary_open(NULL, 0, &binary), COMPILE_ERROR);
	assert_int_equal(compile_binary_open("", 0, &binary), COMPILE_ERROR);
	assert_int_equal(compile_binary_open("garbage, not a program", 22, &binary), COMPILE_ERROR);
	/* Cut anywhere: sections and their table lie at the end. */
	for (size_t size = 0; size < program.native_size - 64; size += 7) {
		unsigned char *cut = malloc(size + 1);
		memcpy(cut, program.native, size);
		assert_int_equal(compile_binary_open(cut, size, &binary), COMPILE_ERROR);
		free(cut);
	}
	/* An ELF file of another machine. */
	memcpy(copy, program.native, program.native_size);
	copy[offsetof(Elf64_Ehdr, e_machine)] = EM_X86_64;
	assert_int_equal(compile_binary_open(copy, program.native_size, &binary), COMPILE_ERROR);
	memcpy(copy, program.native, program.native_size);
	memset(copy + offsetof(Elf64_Ehdr, e_shoff), 0xff, 8);
	assert_int_equal(compile_binary_open(copy, program.native_size, &binary), COMPILE_ERROR);
	free(copy);
}

static void sections_stay_inside(void **state)
{
	Elf64_Ehdr head;
	unsigned char *copy = malloc(program.native_size);

	(void)state;
	memcpy(&head, program.native, sizeof head);
	for (unsigned i = 1; i < head.e_shnum; i++) {
		struct compile_elf elf;
		Elf64_Shdr section;
		unsigned char *at = copy + head.e_shoff + i * sizeof section;
		memcpy(copy, program.native, program.native_size);
		memcpy(&section, at, sizeof section);
		section.sh_size = program.native_size - section.sh_offset + 1;
		memcpy(at, &section, sizeof section);
		assert_false(compile_elf_open(copy, program.native_size, &elf));
		section.sh_offset = UINT64_MAX - 3;
		section.sh_size = 8;
		memcpy(at, &section, sizeof section);
		assert_false(compile_elf_open(copy, program.native_size, &elf));
	}
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_opens),
		cmocka_unit_test(spirv_opens),
		cmocka_unit_test(others_do_not),
		cmocka_unit_test(sections_stay_inside),
	};

	return cmocka_run_group_tests_name("compile_binary", tests, setup, teardown);
}
