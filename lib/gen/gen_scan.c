// SPDX-License-Identifier: MIT
#include "gen/gen_scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { OPCODE_MASK = 0x7f, COMPACT_BIT = 29, COMPACT_BYTES = 8, NATIVE_BYTES = 16 };

struct scan {
	const struct gen_family *family;
	size_t limit;
	size_t reach;	 /* highest target of a branch so far */
	bool comes_back; /* the instruction before notes where a jump comes back */
	struct gen_fault *fault;
};

/* Bits `lowest` and up of an instruction. */
static uint64_t bits_from(const uint64_t words[2], unsigned lowest)
{
	return words[lowest / 64] >> lowest % 64;
}

/* `origin`: what the offset counts from. */
static bool reach_target(struct scan *scan, size_t ip, size_t origin, uint64_t offset)
{
	int64_t target = (int64_t)origin + (int32_t)offset;

	if (target < 0 || (uint64_t)target >= scan->limit || target % COMPACT_BYTES != 0) {
		gen_fault_add(scan->fault, GEN_FAULT_BAD_INSTRUCTION,
			"instruction at 0x%zx: its branch to 0x%llx leaves the kernel", ip,
			(unsigned long long)target);
		return false;
	}
	if ((size_t)target > scan->reach)
		scan->reach = (size_t)target;
	return true;
}

/*
 * Whether it adds 32 to ip: that is behind the next instruction. Where calls are jumps by a
 * register, before Gen12, IGC has that right before the jump, for the function to come back.
 */
static bool notes_return(const struct scan *scan, const uint64_t words[2])
{
	enum { FILE_BIT = 41, IP = 0xa0 << 5, SOURCE_BITS = 0x7fff };

	return scan->family->jumps_from_next &&
	       gen_op_find(scan->family->generation, words[0] & OPCODE_MASK) == GEN_OP_add &&
	       (words[0] >> FILE_BIT & 3) == 0 && (words[1] & SOURCE_BITS) == IP &&
	       words[1] >> 32 == (uint64_t)2 * NATIVE_BYTES;
}

/* What a branch or SEND says about where execution goes on; 0 for other opcodes. */
static unsigned flow_flags(const struct scan *scan, uint64_t low, bool *is_send)
{
	enum gen_op op = gen_op_find(scan->family->generation, low & OPCODE_MASK);

	*is_send = op != GEN_OP_COUNT && gen_ops[op].class == GEN_CLASS_SEND;
	return op == GEN_OP_COUNT || gen_ops[op].class != GEN_CLASS_BRANCH ? 0 : gen_ops[op].flags;
}

/* Follows a native instruction. Sets *ends when nothing comes after it. */
static bool follow(struct scan *scan, size_t ip, const uint64_t words[2], bool *ends)
{
	const struct gen_family *family = scan->family;
	bool is_send;
	unsigned flags = flow_flags(scan, words[0], &is_send);
	bool jumps = (flags & GEN_DOES_LEAVES) != 0;
	bool converges = (flags & (GEN_DOES_LEAVES | GEN_DOES_CALLS)) != 0;
	unsigned immediate = converges ? family->immediate : family->immediate_divergent;
	bool in_register =
		(flags & GEN_DOES_REGISTER) != 0 && (bits_from(words, immediate) & 1) == 0;
	size_t origin = jumps && family->jumps_from_next ? ip + NATIVE_BYTES : ip;

	/* Padding behind a kernel that loops for ever: its last goto has channels wait there. */
	bool is_padding = ip > 0 && ip == scan->reach &&
			  gen_op_find(family->generation, words[0] & OPCODE_MASK) == GEN_OP_illegal;

	*ends = (is_send && (bits_from(words, family->end_of_thread) & 1) != 0) || is_padding ||
		(jumps && (bits_from(words, family->predicate) & 0xf) == 0 &&
			!(in_register && scan->comes_back));
	scan->comes_back = notes_return(scan, words);
	if (in_register)
		return true;
	if ((flags & GEN_DOES_JIP) != 0 && !reach_target(scan, ip, origin, words[1] >> 32))
		return false;
	return (flags & GEN_DOES_UIP) == 0 || reach_target(scan, ip, ip, words[1] & UINT32_MAX);
}

size_t gen_scan_kernel(
	const struct gen_device *device, const void *code, size_t limit, struct gen_fault *fault)
{
	struct scan scan = { .family = device->family, .limit = limit, .fault = fault };
	const uint8_t *bytes = code;
	size_t ip = 0;

	while (limit - ip >= COMPACT_BYTES) {
		uint64_t words[2] = { 0, 0 };
		bool ends = false, is_send;
		size_t size = NATIVE_BYTES;

		memcpy(words, bytes + ip, COMPACT_BYTES);
		if ((words[0] >> COMPACT_BIT & 1) != 0)
			size = COMPACT_BYTES;
		if (limit - ip < size)
			break;
		memcpy(words, bytes + ip, size);
		if (size == COMPACT_BYTES &&
			(flow_flags(&scan, words[0], &is_send) != 0 || is_send)) {
			gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION,
				"instruction at 0x%zx: a branch or SEND cannot be compacted", ip);
			return 0;
		}
		if (size == COMPACT_BYTES)
			scan.comes_back = false;
		else if (!follow(&scan, ip, words, &ends))
			return 0;
		ip += size;
		if (ends && ip > scan.reach)
			return ip;
	}
	gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION,
		"the kernel has no end of thread within %zu bytes", limit);
	return 0;
}
