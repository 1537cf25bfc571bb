// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include "compile/zebin/zebin_patch.h"
#include "elf_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;

/* Section 0, then what the tests are about. */
enum { INFO = 1, TEXTS, CONSTANTS, SYMBOLS, NAMES, N_SECTIONS };

static const char names[] = "\0.ze_info\0.data.const.string\0.data.const\0.symtab\0."
			    "strtab\0digits\0numbers\0.bss.const";
enum {
	AT_INFO = 1,
	AT_TEXTS = 10,
	AT_CONSTANTS = 29,
	AT_SYMBOLS = 41,
	AT_NAMES = 49,
	AT_DIGITS = 57,
	AT_NUMBERS = 64,
	AT_BSS = 72
};

static const char info[] = "version: '1.20'\n"
			   "kernels:\n"
			   "  - name:            f\n"
			   "    execution_env:\n"
			   "      simd_size:       16\n"
			   "    payload_arguments:\n"
			   "      - arg_type:        printf_buffer\n"
			   "        offset:          48\n"
			   "        size:            8\n"
			   "  - name:            g\n"
			   "    execution_env:\n"
			   "      simd_size:       8\n";

struct file {
	Elf64_Ehdr head;
	Elf64_Shdr sections[N_SECTIONS];
	char info[1024];
	char texts[16];
	char constants[7];
	Elf64_Sym symbols[3];
	char names[sizeof names];
};

static struct compile_kernel kernels[] = { { .name = "f", .n_args = 3 }, { .name = "g" } };
static const struct reflection reflection = { .kernels = kernels, .n_kernels = 2 };

#define SECTION(member, at, type)                                                                  \
	(Elf64_Shdr)                                                                               \
	{                                                                                          \
		.sh_name = (at), .sh_type = (type), .sh_offset = offsetof(struct file, member),    \
		.sh_size = sizeof((struct file *)0)->member                                        \
	}

static struct file make(const char *text)
{
	struct file file = { .head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					       ELFDATA2LSB, EV_CURRENT },
				     .e_machine = 205,
				     .e_shoff = offsetof(struct file, sections),
				     .e_shentsize = sizeof(Elf64_Shdr),
				     .e_shnum = N_SECTIONS,
				     .e_shstrndx = NAMES },
		.texts = "0123456789abcde",
		.constants = "xyzxyz" };

	memcpy(file.names, names, sizeof names);
	strcpy(file.info, text);
	file.sections[INFO] = SECTION(info, AT_INFO, ELF_FILE_ZE_INFO);
	file.sections[INFO].sh_size = strlen(text);
	file.sections[TEXTS] = SECTION(texts, AT_TEXTS, SHT_PROGBITS);
	file.sections[CONSTANTS] = SECTION(constants, AT_CONSTANTS, SHT_PROGBITS);
	file.sections[SYMBOLS] = SECTION(symbols, AT_SYMBOLS, SHT_SYMTAB);
	file.sections[SYMBOLS].sh_link = NAMES;
	file.sections[NAMES] = SECTION(names, AT_NAMES, SHT_STRTAB);
	file.symbols[1] =
		(Elf64_Sym){ AT_DIGITS, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, TEXTS, 2, 5 };
	file.symbols[2] = (Elf64_Sym){ AT_NUMBERS, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0,
		CONSTANTS, 3, 4 };
	return file;
}

/* The section of that name in what is to be loaded. */
static Elf64_Shdr find(const struct zebin_patched *out, const char *name)
{
	Elf64_Ehdr head;
	Elf64_Shdr sections[N_SECTIONS], none = { 0 };

	memcpy(&head, out->code, sizeof head);
	assert_int_equal(head.e_shnum, N_SECTIONS);
	memcpy(sections, (char *)out->code + head.e_shoff, sizeof sections);
	for (unsigned i = 1; i < N_SECTIONS; i++)
		if (sections[i].sh_type != SHT_NULL &&
			!strcmp((char *)out->code + sections[NAMES].sh_offset + sections[i].sh_name,
				name))
			return sections[i];
	return none;
}

static Elf64_Sym symbol(const struct zebin_patched *out, unsigned i)
{
	Elf64_Shdr table = find(out, ".symtab");
	Elf64_Sym found;

	memcpy(&found, (char *)out->code + table.sh_offset + i * sizeof found, sizeof found);
	return found;
}

static void test_texts_join_constants(void **state)
{
	struct file file = make("kernels: []\n");
	struct zebin_patched out;

	(void)state;
	assert_true(zebin_patch(&file, sizeof file, false, &reflection, &out));
	assert_non_null(out.code);
	assert_false(out.by_driver);
	assert_null(out.prints);
	Elf64_Shdr constants = find(&out, ".data.const");
	assert_int_equal(find(&out, ".data.const.string").sh_size, 0);
	assert_memory_equal((char *)out.code + constants.sh_offset, file.constants, 7);
	Elf64_Sym digits = symbol(&out, 1), numbers = symbol(&out, 2);
	assert_int_equal(digits.st_shndx, CONSTANTS);
	assert_int_equal(numbers.st_value, 3);
	assert_true(digits.st_value + 14 <= constants.sh_size);
	assert_int_equal((digits.st_value - 2) % 16, 0);
	assert_string_equal(
		(char *)out.code + constants.sh_offset + digits.st_value, file.texts + 2);
	zebin_patched_finish(&out);
}

static void test_texts_become_constants(void **state)
{
	struct file file = make("kernels: []\n");
	struct zebin_patched out;

	(void)state;
	file.sections[CONSTANTS] = (Elf64_Shdr){ 0 };
	file.symbols[2] = (Elf64_Sym){ 0 };
	assert_true(zebin_patch(&file, sizeof file, false, &reflection, &out));
	assert_non_null(out.code);
	Elf64_Shdr constants = find(&out, ".data.const");
	assert_int_equal(constants.sh_size, sizeof file.texts);
	assert_string_equal((char *)out.code + constants.sh_offset, file.texts);
	assert_int_equal(symbol(&out, 1).st_shndx, TEXTS);
	zebin_patched_finish(&out);
}

/* Nothing to do, or nothing that can be done. */
static void test_left_alone(void **state)
{
	struct file file = make("kernels: []\n");
	struct zebin_patched out;

	(void)state;
	file.sections[TEXTS] = (Elf64_Shdr){ 0 };
	assert_true(zebin_patch(&file, sizeof file, false, &reflection, &out));
	assert_null(out.code);
	assert_false(out.by_driver);
	zebin_patched_finish(&out);

	file = make(info);
	file.sections[CONSTANTS].sh_name = AT_BSS;
	file.sections[CONSTANTS].sh_type = SHT_NOBITS;
	assert_true(zebin_patch(&file, sizeof file, false, &reflection, &out));
	assert_null(out.code);
	assert_null(out.prints);
	assert_true(out.by_driver);
	zebin_patched_finish(&out);

	assert_true(zebin_patch("CTNI", 4, false, &reflection, &out));
	assert_null(out.code);
	assert_true(out.by_driver);
	zebin_patched_finish(&out);
	assert_true(zebin_patch(NULL, 0, false, &reflection, &out));
	zebin_patched_finish(&out);
}

static char *info_of(const struct zebin_patched *out)
{
	const struct elf_file_section section =
		view_section(out->code, out->size, ELF_FILE_ZE_INFO, NULL);

	return strndup(section.data, section.size);
}

/* The buffer becomes the argument behind all others. */
static void test_prints(void **state)
{
	static const char after[] = "      - arg_type: arg_bypointer\n"
				    "        offset: 48\n"
				    "        size: 8\n"
				    "        arg_index: %d\n"
				    "        addrmode: stateless\n"
				    "        addrspace: global\n"
				    "        access_type: readwrite\n";
	static const char implicit[] = "version: '1.20'\n"
				       "kernels:\n"
				       "  - name:            f\n"
				       "    payload_arguments:\n"
				       "      - arg_type:        printf_buffer\n"
				       "        offset:          48\n"
				       "        size:            8\n"
				       "      - arg_type:        arg_byvalue\n"
				       "        offset:          64\n"
				       "        size:            128\n"
				       "        arg_index:       3\n"
				       "  - name:            g\n"
				       "    execution_env:\n"
				       "      simd_size:       8\n";
	struct zebin_patched out;
	char want[512];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct file file = make(i ? implicit : info);

		assert_true(zebin_patch(&file, sizeof file, false, &reflection, &out));
		assert_non_null(out.code);
		assert_false(out.by_driver);
		assert_true(out.prints[0] && !out.prints[1]);
		char *text = info_of(&out);
		snprintf(want, sizeof want, after, i ? 4 : 3);
		assert_non_null(strstr(text, want));
		assert_non_null(strstr(text, "  - name: g\n"));
		assert_null(strstr(text, "printf_buffer"));
		free(text);
		assert_string_equal(out.symbol, "digits");
		assert_string_equal(out.texts + out.value, file.texts + 2);
		zebin_patched_finish(&out);
	}
}

/* What only the driver can do, and what is no YAML. */
static void test_stuck(void **state)
{
	static const char *const texts[] = {
		"kernels: [ printf_buffer\n",
		"kernels:\n  - name: f\n    payload_arguments:\n      - arg_type: printf_buffer\n"
		"      - arg_type: implicit_arg_buffer\n",
		"kernels:\n  - name: h\n    payload_arguments:\n      - arg_type: printf_buffer\n",
		"kernels:\n  - name: f\n    payload_arguments:\n      - arg_type: printf_buffer\n"
		"      - arg_type: printf_buffer\n",
		"kernels:\n  - name: f\n    payload_arguments:\n      - arg_type: printf_buffer\n"
		"        more: &a { b: *a }\n",
	};
	struct zebin_patched out;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct file file = make(texts[i]);

		assert_true(zebin_patch(&file, sizeof file, false, &reflection, &out));
		assert_null(out.code);
		assert_null(out.prints);
		assert_true(out.by_driver);
		zebin_patched_finish(&out);
	}
}

/* Broken files end in one way or another. */
static void test_broken(void **state)
{
	struct zebin_patched out;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		struct file file = make(i % 2 ? info : "kernels: []\n");
		unsigned char *bytes = (unsigned char *)&file;

		for (int n = 1 + test_random(&seed) % 4; n--;) {
			size_t at =
				test_random(&seed) % 3
					? offsetof(struct file, sections) +
						  (size_t)test_random(&seed) % sizeof file.sections
					: (size_t)test_random(&seed) % sizeof file;
			bytes[at] =
				(unsigned char)(test_random(&seed) % 2 ? test_random(&seed)
								       : test_random(&seed) % 6);
		}
		void *copy = malloc(sizeof file);
		assert_non_null(copy);
		memcpy(copy, bytes, sizeof file);
		assert_true(zebin_patch(copy, sizeof file, false, &reflection, &out));
		zebin_patched_finish(&out);
		free(copy);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts_join_constants),
		cmocka_unit_test(test_texts_become_constants),
		cmocka_unit_test(test_left_alone),
		cmocka_unit_test(test_prints),
		cmocka_unit_test(test_stuck),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
