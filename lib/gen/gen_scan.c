// SPDX-License-Identifier: MIT
#include "gen/gen_scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/util_bits.h"

/* Bits of the 128-bit encoding that differ between generations. */
struct layout {
	uint8_t version;
	uint8_t end_of_thread; /* bit */
	uint8_t predicate;     /* lowest of 4 bits */
	uint8_t immediate;     /* bit: source 0 of a branch is an offset, not a register */
};

static const struct layout layouts[] = {
	{ .version = 12, .end_of_thread = 34, .predicate = 24, .immediate = 46 },
};

/* What an opcode says about where execution goes on. Opcodes 0x20-0x34 are the same everywhere. */
enum {
	HAS_JIP = 1,   /* dword 3: offset from the instruction itself */
	HAS_UIP = 2,   /* dword 2 */
	MAY_INDEX = 4, /* the target may be in a register instead */
	LEAVES = 8,    /* does not go on with the next instruction when not predicated */
	IS_SEND = 16,
};

static const uint8_t flow[128] = {
	[0x20] = HAS_JIP | MAY_INDEX | LEAVES,	/* jmpi */
	[0x21] = HAS_JIP | MAY_INDEX,		/* brd */
	[0x22] = HAS_JIP | HAS_UIP,		/* if */
	[0x23] = HAS_JIP | HAS_UIP | MAY_INDEX, /* brc */
	[0x24] = HAS_JIP | HAS_UIP,		/* else */
	[0x25] = HAS_JIP,			/* endif */
	[0x27] = HAS_JIP,			/* while */
	[0x28] = HAS_JIP | HAS_UIP,		/* break */
	[0x29] = HAS_JIP | HAS_UIP,		/* cont */
	[0x2a] = HAS_JIP | HAS_UIP,		/* halt */
	[0x2c] = HAS_JIP | MAY_INDEX,		/* call */
	[0x2d] = LEAVES,			/* ret */
	[0x2e] = HAS_JIP | HAS_UIP,		/* goto */
	[0x2f] = HAS_JIP,			/* join */
	[0x31] = IS_SEND,
	[0x32] = IS_SEND,
	[0x33] = IS_SEND,
	[0x34] = IS_SEND,
};

enum { OPCODE_MASK = 0x7f, COMPACT_BIT = 29, COMPACT_BYTES = 8, NATIVE_BYTES = 16 };

struct scan {
	const struct layout *layout;
	size_t limit;
	size_t reach; /* highest target of a branch so far */
	struct gen_fault *fault;
};

static bool reach_target(struct scan *scan, size_t ip, uint64_t word)
{
	int64_t target = (int64_t)ip + (int32_t)word;

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

/* Follows the native instruction `low`, `high`. Sets *ends when nothing comes after it. */
static bool follow(struct scan *scan, size_t ip, uint64_t low, uint64_t high, bool *ends)
{
	const struct layout *layout = scan->layout;
	unsigned kind = flow[low & OPCODE_MASK];
	bool indexed = (kind & MAY_INDEX) != 0 && (low >> layout->immediate & 1) == 0;

	*ends = false;
	if ((kind & IS_SEND) != 0 && (low >> layout->end_of_thread & 1) != 0)
		*ends = true;
	if ((kind & LEAVES) != 0 && (low >> layout->predicate & 0xf) == 0)
		*ends = true;
	if (indexed)
		return true;
	if ((kind & HAS_JIP) != 0 && !reach_target(scan, ip, high >> 32))
		return false;
	return (kind & HAS_UIP) == 0 || reach_target(scan, ip, high & UINT32_MAX);
}

static const struct layout *find_layout(unsigned version)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(layouts); i++) {
		if (layouts[i].version == version)
			return &layouts[i];
	}
	return NULL;
}

size_t gen_scan_kernel(
	const struct gen_device *device, const void *code, size_t limit, struct gen_fault *fault)
{
	struct scan scan = { find_layout(device->version), limit, 0, fault };
	const uint8_t *bytes = code;
	size_t ip = 0;

	if (!scan.layout) {
		gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION,
			"no decoder for machine code of generation %u", device->version);
		return 0;
	}
	while (limit - ip >= COMPACT_BYTES) {
		uint64_t words[2] = { 0, 0 };
		bool ends = false;
		size_t size = NATIVE_BYTES;

		memcpy(words, bytes + ip, COMPACT_BYTES);
		if ((words[0] >> COMPACT_BIT & 1) != 0)
			size = COMPACT_BYTES;
		if (limit - ip < size)
			break;
		memcpy(words, bytes + ip, size);
		if (size == COMPACT_BYTES && flow[words[0] & OPCODE_MASK] != 0) {
			gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION,
				"instruction at 0x%zx: a branch or SEND cannot be compacted", ip);
			return 0;
		}
		if (size == NATIVE_BYTES && !follow(&scan, ip, words[0], words[1], &ends))
			return 0;
		ip += size;
		if (ends && ip > scan.reach)
			return ip;
	}
	gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION,
		"the kernel has no end of thread within %zu bytes", limit);
	return 0;
}
