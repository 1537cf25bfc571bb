// SPDX-License-Identifier: MIT
/*
 * A device that is wrong on purpose, for tool_verify_test.sh: preloaded, it changes native code on
 * its way to the device under test, which is interpreted there (ZEROCL_VGPU_ENGINE=threaded), and
 * not to the one that says what is expected. VERIFY_WRONG says how: "asr" makes each asr an shr,
 * "while", "if" and "goto" let channels pass, "dpas" takes weights with a sign for such without,
 * and those for these, "typed" subtracts from texels what is to be added to them (on Gen9, where a
 * descriptor is as it is written); "crash" ends, and "hang" stops, a process that loads code with
 * an asr.
 */
#include <CL/cl.h>
#include <dlfcn.h>
#include <elf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/gen_device.h"
#include "gen/gen_inst.h"

enum { INSTRUCTION = 16, WEIGHTS_SIGN = 90, SUM_IS_FLOAT = 39 }; /* bits: bytes have a sign */

#define EXPORT __attribute__((visibility("default"))) CL_API_ENTRY

/* Whether this process has the device under test, and it is to be wrong like that. */
static bool is_wrong(const char *how)
{
	const char *engine = getenv("ZEROCL_VGPU_ENGINE"), *wanted = getenv("VERIFY_WRONG");

	return wanted && engine && !strcmp(engine, "threaded") && !strcmp(wanted, how);
}

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

static const struct {
	const char *how;
	enum gen_op from, to;
} changes[] = { { "asr", GEN_OP_asr, GEN_OP_shr }, { "while", GEN_OP_while, GEN_OP_endif },
	{ "if", GEN_OP_if, GEN_OP_endif }, { "goto", GEN_OP_goto, GEN_OP_join },
	{ "dpas", GEN_OP_dpas, GEN_OP_dpas }, { "typed", GEN_OP_sends, GEN_OP_sends } };

enum { DESCRIPTOR = 12, OF_OPERATION = 15 << 8, OF_TYPE = 31 << 14, TYPED_ATOMIC = 6 << 14 };
enum { ADD = 7 << 8, SUBTRACT = 8 << 8 };

/* Whether a message was an addition to texels. */
static bool subtract(unsigned char *instruction)
{
	uint32_t desc;

	memcpy(&desc, instruction + DESCRIPTOR, sizeof desc);
	if ((desc & (OF_TYPE | OF_OPERATION)) != (TYPED_ATOMIC | ADD))
		return false;
	desc ^= ADD ^ SUBTRACT;
	memcpy(instruction + DESCRIPTOR, &desc, sizeof desc);
	return true;
}

static bool has_bit(const unsigned char *instruction, unsigned bit)
{
	return instruction[bit / 8] >> bit % 8 & 1;
}

/* Changes each instruction of a kind; returns how many there were. Nothing is compacted. */
static unsigned change(unsigned char *bytes, enum gen_op from, enum gen_op to)
{
	enum gen_generation g = gen_device_find(getenv("ZEROCL_VGPU"))->family->generation;
	const Elf64_Shdr *code = find_code(bytes);
	unsigned n = 0;

	for (size_t i = 0; code && i + INSTRUCTION <= code->sh_size; i += INSTRUCTION) {
		unsigned char *opcode = bytes + code->sh_offset + i;
		if ((*opcode & 0x7f) != gen_ops[from].opcode[g])
			continue;
		if (from == GEN_OP_sends && !subtract(opcode))
			continue;
		*opcode = (unsigned char)((*opcode & 0x80) | gen_ops[to].opcode[g]);
		if (from == GEN_OP_dpas && !has_bit(opcode, SUM_IS_FLOAT))
			opcode[WEIGHTS_SIGN / 8] ^= 1 << WEIGHTS_SIGN % 8;
		n++;
	}
	return n;
}

EXPORT cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint n,
	const cl_device_id *devices, const size_t *sizes, const unsigned char **binaries,
	cl_int *status, cl_int *rc)
{
	__typeof__(clCreateProgramWithBinary) *next;
	bool crashes = is_wrong("crash"), hangs = is_wrong("hang");
	unsigned i = 0;

	*(void **)&next = dlsym(RTLD_NEXT, "clCreateProgramWithBinary");
	while (!crashes && !hangs && i < sizeof changes / sizeof *changes &&
		!is_wrong(changes[i].how))
		i++;
	if (i == sizeof changes / sizeof *changes)
		return next(context, n, devices, sizes, binaries, status, rc);
	unsigned char *copy = malloc(sizes[0]);
	memcpy(copy, binaries[0], sizes[0]);
	if (change(copy, changes[i].from, changes[i].to) && (crashes || hangs))
		raise(crashes ? SIGABRT : SIGSTOP);
	const unsigned char *changed = copy;
	cl_program program = next(context, n, devices, sizes, &changed, status, rc);
	free(copy);
	return program;
}

EXPORT cl_sampler CL_API_CALL clCreateSamplerWithProperties(
	cl_context context, const cl_sampler_properties *properties, cl_int *rc)
{
	__typeof__(clCreateSamplerWithProperties) *next;
	cl_sampler_properties copy[7];

	*(void **)&next = dlsym(RTLD_NEXT, "clCreateSamplerWithProperties");
	memcpy(copy, properties, sizeof copy);
	for (unsigned i = 0; i < 6; i += 2)
		if (copy[i] == CL_SAMPLER_ADDRESSING_MODE &&
			copy[i + 1] == CL_ADDRESS_MIRRORED_REPEAT && is_wrong("mirror"))
			copy[i + 1] = CL_ADDRESS_REPEAT;
	return next(context, copy, rc);
}

/* The first copy of a batch fills the shared memory, the second reads it. */
EXPORT cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to,
	const void *from, size_t size, cl_uint n, const cl_event *events, cl_event *event)
{
	__typeof__(clEnqueueSVMMemcpy) *next;
	static const void *filled;

	*(void **)&next = dlsym(RTLD_NEXT, "clEnqueueSVMMemcpy");
	cl_int rc = next(queue, blocking, to, from, size, n, events, event);
	if (is_wrong("memory") && from == filled)
		*(unsigned char *)to ^= 1;
	filled = to;
	return rc;
}
