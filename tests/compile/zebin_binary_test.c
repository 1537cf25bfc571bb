// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"
#include "elf_view.h"
#include "compile/zebin/reflect.h"
#include "test_files.h"

#include <elf.h>
#include <stdio.h>
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

	size_t size;

	(void)state;
	assert_int_equal(compile_build(&request, &program), COMPILE_OK);
	const struct compile_binary parts = { .native = program.native,
		.native_size = program.native_size,
		.spirv = program.spirv,
		.spirv_size = program.spirv_size };
	void *whole = compile_binary_make(&parts, "tgllp", &size);
	assert_non_null(whole);
	assert_true(size > program.native_size + program.spirv_size);
	free(program.native);
	program.native = whole;
	program.native_size = size;
	return 0;
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
		compile_binary_open_for(program.native, program.native_size, "tgllp", &binary),
		COMPILE_OK);
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
		compile_binary_open_for(program.spirv, program.spirv_size, "tgllp", &binary),
		COMPILE_OK);
	assert_null(binary.native);
	assert_ptr_equal(binary.spirv, program.spirv);
	assert_int_equal(binary.spirv_size, program.spirv_size);
}

static void others_do_not(void **state)
{
	struct compile_binary binary;
	unsigned char *copy = malloc(program.native_size);

	(void)state;
	assert_int_equal(compile_binary_open_for(NULL, 0, "tgllp", &binary), COMPILE_ERROR);
	assert_int_equal(compile_binary_open_for("", 0, "tgllp", &binary), COMPILE_ERROR);
	assert_int_equal(compile_binary_open_for("garbage, not a program", 22, "tgllp", &binary),
		COMPILE_ERROR);
	/* Cut anywhere: sections and their table lie at the end. */
	for (size_t size = 0; size < program.native_size - 64; size += 7) {
		unsigned char *cut = malloc(size + 1);
		memcpy(cut, program.native, size);
		assert_int_equal(
			compile_binary_open_for(cut, size, "tgllp", &binary), COMPILE_ERROR);
		free(cut);
	}
	/* An ELF file of another machine. */
	memcpy(copy, program.native, program.native_size);
	copy[offsetof(Elf64_Ehdr, e_machine)] = EM_X86_64;
	assert_int_equal(compile_binary_open_for(copy, program.native_size, "tgllp", &binary),
		COMPILE_ERROR);
	memcpy(copy, program.native, program.native_size);
	memset(copy + offsetof(Elf64_Ehdr, e_shoff), 0xff, 8);
	assert_int_equal(compile_binary_open_for(copy, program.native_size, "tgllp", &binary),
		COMPILE_ERROR);
	free(copy);
}

static void sections_stay_inside(void **state)
{
	Elf64_Ehdr head;
	unsigned char *copy = malloc(program.native_size);

	(void)state;
	memcpy(&head, program.native, sizeof head);
	for (unsigned i = 1; i < head.e_shnum; i++) {
		struct elf_file file;
		Elf64_Shdr section;
		unsigned char *at = copy + head.e_shoff + i * sizeof section;
		memcpy(copy, program.native, program.native_size);
		memcpy(&section, at, sizeof section);
		if (section.sh_type == SHT_NULL)
			continue;
		section.sh_size = program.native_size - section.sh_offset + 1;
		memcpy(at, &section, sizeof section);
		assert_int_equal(elf_file_read(&file, copy, program.native_size), COMPILE_ERROR);
		section.sh_offset = UINT64_MAX - 3;
		section.sh_size = 8;
		memcpy(at, &section, sizeof section);
		assert_int_equal(elf_file_read(&file, copy, program.native_size), COMPILE_ERROR);
	}
	free(copy);
}

/* What a program is made into is what it was, and more. */
static void made_binaries_open(void **state)
{
	struct compile_binary parts = { .native = program.native,
		.native_size = program.native_size,
		.spirv = program.spirv,
		.spirv_size = program.spirv_size,
		.options = "-DX=1",
		.options_size = 6 };
	struct compile_binary binary;
	struct elf_file_section notes;
	size_t size = 0, again_size = 0;
	void *made = compile_binary_make(&parts, "tgllp", &size);

	(void)state;
	assert_non_null(made);
	/* nothing is added twice */
	assert_int_equal(size, program.native_size);
	assert_int_equal(compile_binary_open_for(made, size, "tgllp", &binary), COMPILE_OK);
	assert_int_equal(binary.kind, COMPILE_BINARY_EXECUTABLE);
	assert_false(binary.is_other);
	assert_ptr_equal(binary.native, made);
	assert_int_equal(binary.native_size, size);
	assert_int_equal(binary.spirv_size, program.spirv_size);
	assert_memory_equal(binary.spirv, program.spirv, program.spirv_size);
	notes = view_section(made, size, ELF_FILE_MISC, ".misc.zerocl");
	assert_int_equal(notes.size, 22);
	assert_memory_equal(notes.data, "zerocl 1\nfamily tgllp\n", notes.size);
	/* For another family only the SPIR-V is of use. */
	assert_int_equal(compile_binary_open_for(made, size, "skl", &binary), COMPILE_OK);
	assert_null(binary.native);
	assert_memory_equal(binary.spirv, program.spirv, program.spirv_size);
	parts.native = made;
	parts.native_size = size;
	void *again = compile_binary_make(&parts, "skl", &again_size);
	notes = view_section(again, again_size, ELF_FILE_MISC, ".misc.zerocl");
	assert_int_equal(notes.size, 22);
	assert_memory_equal(notes.data, "zerocl 1\nfamily tgllp\n", notes.size);
	/* Every cut and damaged byte is either refused or harmless. */
	for (size_t i = 0; i < size; i++) {
		unsigned char *copy = malloc(size);
		memcpy(copy, made, size);
		copy[i] ^= 0xff;
		compile_binary_open_for(copy, size, "tgllp", &binary);
		compile_binary_open_for(copy, i, "tgllp", &binary);
		free(copy);
	}
	free(again);
	free(made);
}

static void objects_and_libraries_open(void **state)
{
	(void)state;
	for (int i = COMPILE_BINARY_OBJECT; i <= COMPILE_BINARY_LIBRARY; i++) {
		const struct compile_binary parts = { .kind = (enum compile_binary_kind)i,
			.spirv = program.spirv,
			.spirv_size = program.spirv_size,
			.options = "-DX=1",
			.options_size = 6 };
		struct compile_binary binary;
		size_t size;
		void *made = compile_binary_make(&parts, "tgllp", &size);
		assert_int_equal(compile_binary_open_for(made, size, "tgllp", &binary), COMPILE_OK);
		assert_int_equal(binary.kind, i);
		assert_null(binary.native);
		assert_int_equal(binary.options_size, 5);
		assert_memory_equal(binary.options, "-DX=1", 5);
		assert_int_equal(binary.spirv_size, program.spirv_size);
		assert_memory_equal(binary.spirv, program.spirv, program.spirv_size);
		free(made);
	}
}

/* What Intel's own tool writes. */
static void *run_ocloc(const char *arguments, size_t *size)
{
	char folder[TEST_FOLDER_MAX], command[512], path[128];
	void *data = NULL;

	test_folder_make(folder, "ocloc");
	snprintf(path, sizeof path, "%s/p.cl", folder);
	test_write_text(
		path, "kernel void k(global int *a, float4 f, local long *l) { a[0] = (int)f.x; }");
	/* Of one device, the output's name ends in that, by a name that depends on the version. */
	snprintf(command, sizeof command,
		"cd %s && ocloc compile -q -file p.cl %s >log 2>&1 && { [ -e o ] || mv o_*.bin o; "
		"}",
		folder, arguments);
	if (!system(command)) {
		snprintf(path, sizeof path, "%s/o", folder);
		data = test_read_file(path, size);
	}
	assert_int_equal(test_folder_remove(folder), 0);
	if (!data)
		skip_because("ocloc makes no such binary");
	return data;
}

static void check_arguments(const struct reflection *read)
{
	assert_int_equal(read->n_kernels, 1);
	assert_string_equal(read->kernels[0].name, "k");
	assert_int_equal(read->kernels[0].n_args, 3);
	const struct compile_arg *args = read->kernels[0].args;
	assert_int_equal(args[0].kind, COMPILE_ARG_BUFFER);
	assert_int_equal(args[0].address, CL_KERNEL_ARG_ADDRESS_GLOBAL);
	assert_int_equal(args[1].kind, COMPILE_ARG_VALUE);
	assert_int_equal(args[1].size, 16);
	assert_int_equal(args[2].kind, COMPILE_ARG_LOCAL);
}

/* All that newer compilers make. */
static bool is_zebin(const void *data)
{
	return ((const Elf64_Ehdr *)data)->e_type == ET_REL;
}

static void patch_tokens_open(void **state)
{
	size_t size;
	void *data = run_ocloc("-device tgllp -output o", &size);
	struct compile_binary binary;
	struct reflection read;
	char why[128];

	(void)state;
	if (is_zebin(data)) {
		free(data);
		skip_because("the compiler makes no patch tokens");
	}
	assert_int_equal(compile_binary_open_for(data, size, "tgllp", &binary), COMPILE_OK);
	/* they are not shown to the driver */
	assert_false(binary.is_other);
	assert_null(binary.native);
	assert_int_equal(compile_reflect(binary.spirv, binary.spirv_size, data, size, &read, why,
				 sizeof why),
		COMPILE_OK);
	check_arguments(&read);
	assert_int_equal(read.kernels[0].simd_size, 0);
	reflection_finish(&read);
	/* They alone do not describe their kernels. */
	assert_int_equal(
		compile_reflect(NULL, 0, data, size, &read, why, sizeof why), COMPILE_ERROR);
	assert_non_null(strstr(why, "does not describe its kernels"));
	free(data);
}

/* Made for another family: of the native code nothing is left, of the SPIR-V everything. */
static void other_families_are_noticed(void **state)
{
	static const char *const forms[] = { "--format zebin", "" };
	struct compile_binary binary;
	size_t size;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char arguments[64];
		snprintf(arguments, sizeof arguments, "-device dg2 -output o %s", forms[i]);
		void *data = run_ocloc(arguments, &size);
		assert_int_equal(compile_binary_open_for(data, size, "tgllp", &binary), COMPILE_OK);
		assert_null(binary.native);
		assert_non_null(binary.spirv);
		assert_false(binary.is_other);
		bool has_zebin = is_zebin(data);
		assert_int_equal(compile_binary_open_for(data, size, "dg2", &binary), COMPILE_OK);
		assert_ptr_equal(binary.native, has_zebin ? data : NULL);
		free(data);
	}
}

static void archives_open(void **state)
{
	size_t size;
	char *data = run_ocloc("-device tgllp,dg2 --format zebin -output o", &size);
	struct compile_binary binary;

	(void)state;
	assert_memory_equal(data, "!<arch>\n", 8);
	assert_int_equal(compile_binary_open_for(data, size, "tgllp", &binary), COMPILE_OK);
	const void *tgllp = binary.native;
	assert_int_equal(compile_binary_open_for(data, size, "dg2", &binary), COMPILE_OK);
	assert_non_null(tgllp);
	assert_non_null(binary.native);
	assert_ptr_not_equal(tgllp, binary.native);
	assert_int_equal(compile_binary_open_for(data, size, "icllp", &binary), COMPILE_ERROR);
	for (size_t cut = 0; cut < size; cut += 3) {
		char *copy = malloc(cut + 1);
		memcpy(copy, data, cut);
		compile_binary_open_for(copy, cut, "dg2", &binary);
		free(copy);
	}
	free(data);
}

/* Native code alone, which happens to tell names and types. */
static void bare_native_code_is_reflected(void **state)
{
	struct reflection read;
	char why[128];
	size_t size;
	void *data = run_ocloc("-device tgllp --format zebin -output o "
			       "-options -cl-kernel-arg-info",
		&size);

	(void)state;
	enum compile_status status = compile_reflect(NULL, 0, data, size, &read, why, sizeof why);
	if (status != COMPILE_OK)
		fail_msg("%s", why);
	check_arguments(&read);
	assert_int_equal(read.kernels[0].simd_size, 32);
	assert_string_equal(read.kernels[0].args[1].name, "f");
	assert_string_equal(read.kernels[0].args[1].type, "float4");
	reflection_finish(&read);
	free(data);
}

/* Both forms in one file: the zebin counts, until somebody changes the tokens. */
static void tokens_are_taken_when_they_were_changed(void **state)
{
	const struct compile_request request = { .spirv = program.spirv,
		.spirv_size = program.spirv_size,
		.family = "tgllp",
		.outputs = COMPILE_NATIVE | COMPILE_TOKENS };
	struct compile_result tokens;
	struct compile_binary binary;
	size_t size;

	(void)state;
	enum compile_status status = compile_build(&request, &tokens);
	if (status == COMPILE_ERROR && strstr(tokens.log, "native code of another kind")) {
		compile_result_finish(&tokens);
		skip_because("the compiler makes no patch tokens");
	}
	assert_int_equal(status, COMPILE_OK);
	assert_null(compile_binary_add_tokens(
		program.native, program.native_size, program.native, program.native_size, &size));
	unsigned char *made = compile_binary_add_tokens(
		tokens.native, tokens.native_size, program.native, program.native_size, &size);
	assert_non_null(made);
	assert_int_equal(compile_binary_open_for(made, size, "tgllp", &binary), COMPILE_OK);
	assert_int_equal(binary.native_size, program.native_size);
	assert_memory_equal(binary.native, program.native, program.native_size);
	assert_false(binary.is_other);
	assert_memory_equal(binary.spirv, program.spirv, program.spirv_size);
	/* another family has the SPIR-V alone */
	assert_int_equal(compile_binary_open_for(made, size, "skl", &binary), COMPILE_OK);
	assert_null(binary.native);
	const struct elf_file_section code = view_section(made, size, ELF_FILE_TOKENS, NULL);
	assert_non_null(code.data);
	/* the table comes first, and the sections in its order */
	uint64_t last = sizeof(Elf64_Ehdr);
	for (uint32_t i = 1; i < ((Elf64_Ehdr *)made)->e_shnum; i++) {
		Elf64_Shdr section;
		memcpy(&section, made + sizeof(Elf64_Ehdr) + i * sizeof section, sizeof section);
		assert_true(section.sh_offset >= last);
		last = section.sh_offset + section.sh_size;
	}
	made[(size_t)((const unsigned char *)code.data - made) + code.size - 1] ^= 1;
	assert_int_equal(compile_binary_open_for(made, size, "tgllp", &binary), COMPILE_OK);
	assert_ptr_equal(binary.native, made);
	assert_true(binary.is_other);
	free(made);
	compile_result_finish(&tokens);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_opens),
		cmocka_unit_test(spirv_opens),
		cmocka_unit_test(others_do_not),
		cmocka_unit_test(sections_stay_inside),
		cmocka_unit_test(tokens_are_taken_when_they_were_changed),
		cmocka_unit_test(made_binaries_open),
		cmocka_unit_test(objects_and_libraries_open),
		cmocka_unit_test(patch_tokens_open),
		cmocka_unit_test(other_families_are_noticed),
		cmocka_unit_test(archives_open),
		cmocka_unit_test(bare_native_code_is_reflected),
	};

	return cmocka_run_group_tests_name("zebin_binary", tests, setup, teardown);
}
