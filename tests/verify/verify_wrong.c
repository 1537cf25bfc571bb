// SPDX-License-Identifier: MIT
/*
 * A device that is wrong on purpose, for tool_verify_test.sh: preloaded, it changes native code on
 * its way to the device under test, which is interpreted there (ZEROCL_VGPU_ENGINE=threaded), and
 * not to the one that says what is expected. VERIFY_WRONG says how: "asr" makes each asr an shr;
 * "crash" ends, and "hang" stops, a process that loads code with an asr.
 */
#include <CL/cl.h>
#include <dlfcn.h>
#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/gen_device.h"
#include "gen/gen_inst.h"

enum { INSTRUCTION = 16 };

/* The largest section with code. */
static const Elf64_Shdr *find_code(const unsigned char *bytes)
{
	const Elf64_Ehdr *head = (const void *)bytes;
	const Elf64_Shdr *sections = (const void *)(bytes + head->e_shoff), *code = NULL;

	for (unsigned i = 0; i < head->e_shnum; i++)
		if (sections[i].sh_flags & SHF_EXECINSTR &&
			(!code || sections[i].sh_size > code->sh_size))
			code = &sections[i];
	return code;
}

/* Changes each asr to an shr; returns how many there were. Nothing in the code is compacted. */
static unsigned change(unsigned char *bytes)
{
	enum gen_generation g = gen_device_find(getenv("ZEROCL_VGPU"))->family->generation;
	const Elf64_Shdr *code = find_code(bytes);
	unsigned n = 0;

	for (size_t i = 0; code && i + INSTRUCTION <= code->sh_size; i += INSTRUCTION) {
		unsigned char *opcode = bytes + code->sh_offset + i;
		if ((*opcode & 0x7f) != gen_ops[GEN_OP_asr].opcode[g])
			continue;
		*opcode = (unsigned char)((*opcode & 0x80) | gen_ops[GEN_OP_shr].opcode[g]);
		n++;
	}
	return n;
}

__attribute__((visibility("default"))) CL_API_ENTRY cl_program CL_API_CALL
clCreateProgramWithBinary(cl_context context, cl_uint n, const cl_device_id *devices,
	const size_t *sizes, const unsigned char **binaries, cl_int *status, cl_int *rc)
{
	__typeof__(clCreateProgramWithBinary) *next;
	const char *engine = getenv("ZEROCL_VGPU_ENGINE"), *how = getenv("VERIFY_WRONG");

	*(void **)&next = dlsym(RTLD_NEXT, "clCreateProgramWithBinary");
	if (!how || !engine || strcmp(engine, "threaded") != 0)
		return next(context, n, devices, sizes, binaries, status, rc);
	unsigned char *copy = malloc(sizes[0]);
	memcpy(copy, binaries[0], sizes[0]);
	if (change(copy) && strcmp(how, "asr") != 0)
		raise(strcmp(how, "crash") == 0 ? SIGABRT : SIGSTOP);
	const unsigned char *changed = copy;
	cl_program program = next(context, n, devices, sizes, &changed, status, rc);
	free(copy);
	return program;
}
