// SPDX-License-Identifier: MIT
/* What cl_mutant_test, which damages what the compiler makes, does not reach: what it makes today.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "compile/build/compile.h"
#include "compile/zebin/elf_file.h"
#include "compile/zebin/zebin_check.h"

static const char source[] = "kernel void k(global int *p) { p[get_global_id(0)] += 3; }\n";

struct note {
	Elf64_Nhdr head;
	char owner[8];
	uint32_t value;
};

/* What is said of the compiler's code with that note behind its own; "" if nothing is. */
static const char *with_note(uint32_t type, uint32_t size)
{
	static struct compile_result built;
	static char why[256];
	const struct compile_request request = { .source = source,
		.source_size = sizeof source - 1,
		.family = "tgllp",
		.outputs = COMPILE_NATIVE };
	const struct note note = { { 8, size, type }, "IntelGT", 0 };
	struct elf_file file;

	assert_int_equal(compile_build(&request, &built), COMPILE_OK);
	assert_int_equal(elf_file_read(&file, built.native, built.native_size), COMPILE_OK);
	struct elf_file_section *notes = elf_file_find(&file, SHT_NOTE, ".note.intelgt.compat");
	assert_non_null(notes);
	char *longer = malloc(notes->size + sizeof(note));
	memcpy(longer, notes->data, notes->size);
	memcpy(longer + notes->size, &note, sizeof(note));
	notes->data = longer;
	notes->size += sizeof(note);
	strcpy(why, "");
	enum compile_status status = zebin_check(&file, why, sizeof(why));
	assert_int_equal(status == COMPILE_OK, !why[0]);
	free(longer);
	elf_file_finish(&file);
	compile_result_finish(&built);
	return why;
}

/* Compilers of later years add notes, each a number. */
static void newer_notes_are_read(void **state)
{
	(void)state;
	for (uint32_t type = 5; type <= 9; type++)
		assert_string_equal(with_note(type, 4), "");
	assert_non_null(strstr(with_note(0, 4), "its notes are none"));
	assert_non_null(strstr(with_note(7, 3), "its notes are none"));
	assert_non_null(strstr(with_note(7, 8), "its notes are none"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newer_notes_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
