// SPDX-License-Identifier: MIT
/* The opcodes of each generation are those that Intel's assembler knows for it. */
#include "test.h"

#include <dlfcn.h>
#include <string.h>

#include "gen/gen_inst.h"

struct opspec;

static struct {
	int (*enumerate)(uint32_t platform, const struct opspec **specs, size_t *size);
	int (*mnemonic)(const struct opspec *spec, char *text, size_t *size);
	int (*encoding)(const struct opspec *spec, uint32_t *opcode);
} iga;

static int load(void **state)
{
	void *library = dlopen("libiga64.so.1", RTLD_NOW);

	(void)state;
	if (!library)
		library = dlopen("libiga64.so.2", RTLD_NOW);
	if (!library)
		return -1;
	*(void **)&iga.enumerate = dlsym(library, "iga_opspec_enumerate");
	*(void **)&iga.mnemonic = dlsym(library, "iga_opspec_mnemonic");
	*(void **)&iga.encoding = dlsym(library, "iga_opspec_op_encoding");
	return iga.enumerate && iga.mnemonic && iga.encoding ? 0 : -1;
}

static const char *name_of(enum gen_generation generation, uint32_t opcode)
{
	enum gen_op op = gen_op_find(generation, opcode);

	return op == GEN_OP_COUNT ? "none" : gen_ops[op].name;
}

static void opcodes_are_the_assemblers(void **state)
{
	static const uint32_t platforms[GEN_GENERATIONS] = { [GEN_9] = 0x00090000,
		[GEN_11] = 0x000b0000,
		[GEN_12] = 0x01000000,
		[GEN_HPG] = 0x01000002 };

	(void)state;
	for (unsigned g = 0; g < GEN_GENERATIONS; g++) {
		const struct opspec *specs[128];
		size_t count = 128, known = 0;

		assert_int_equal(iga.enumerate(platforms[g], specs, &count), 0);
		assert_in_range(count, 50, 128);
		for (size_t i = 0; i < count; i++) {
			char mnemonic[32] = "";
			size_t size = sizeof(mnemonic);
			uint32_t opcode = 0;
			assert_int_equal(iga.mnemonic(specs[i], mnemonic, &size), 0);
			assert_int_equal(iga.encoding(specs[i], &opcode), 0);
			assert_string_equal(name_of((enum gen_generation)g, opcode), mnemonic);
		}
		for (unsigned op = 0; op < GEN_OP_COUNT; op++)
			known += gen_ops[op].opcode[g] != GEN_OPCODE_NONE;
		assert_int_equal(known, count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(opcodes_are_the_assemblers) };

	return cmocka_run_group_tests(tests, load, NULL);
}
