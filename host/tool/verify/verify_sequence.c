// SPDX-License-Identifier: MIT
#include "tool/verify/verify.h"

#include <stdio.h>

#include "gen/gen_inst.h"

/*
 * Small programs. Control flow over 8 or 16 channels that part by their operands: what is left in
 * r40 and r41 says which channels went where, and how often. And the systolic array, of integers,
 * for which registers of weights are made first. '#' is the number of channels, '@' a number of the
 * vector's own, for labels; a label of a join stands in the line of its instruction.
 */
static const struct {
	const char *name, *text;
} sequences[] = {
	{ "if", "cmp (#|M0) (lt)f0.0 null<1>:d r20.0<1;1,0>:d r22.0<1;1,0>:d\n"
		"(f0.0) if (#|M0) end@ end@\n"
		"mov (#|M0) r40.0<1>:ud r20.0<1;1,0>:ud\n"
		"end@: endif (#|M0) after@\n"
		"after@: xor (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud 0x55:uw" },
	{ "else", "cmp (#|M0) (lt)f0.0 null<1>:ud r20.0<1;1,0>:ud r22.0<1;1,0>:ud\n"
		  "(~f0.0) if (#|M0) other@ end@\n"
		  "mov (#|M0) r40.0<1>:ud r20.0<1;1,0>:ud\n"
		  "else (#|M0) end@ end@\n"
		  "other@: not (#|M0) r40.0<1>:ud r22.0<1;1,0>:ud\n"
		  "end@: endif (#|M0) after@\n"
		  "after@: xor (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud 0x55:uw" },
	{ "if.nested", "cmp (#|M0) (lt)f0.0 null<1>:d r20.0<1;1,0>:d r22.0<1;1,0>:d\n"
		       "cmp (#|M0) (lt)f1.0 null<1>:ud r20.0<1;1,0>:ud r22.0<1;1,0>:ud\n"
		       "(f0.0) if (#|M0) end@ end@\n"
		       "mov (#|M0) r40.0<1>:ud 0x1:uw\n"
		       "(f1.0) if (#|M0) inner@ inner@\n"
		       "add (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud 0x2:uw\n"
		       "inner@: endif (#|M0) end@\n"
		       "add (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud 0x4:uw\n"
		       "end@: endif (#|M0) after@\n"
		       "after@: xor (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud 0x50:uw" },
	{ "while", "and (#|M0) r44.0<1>:ud r20.0<1;1,0>:ud 0x1F:uw\n"
		   "mov (#|M0) r40.0<1>:ud 0x0:uw\n"
		   "top@:\n"
		   "add (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud 0x3:uw\n"
		   "add (#|M0) r44.0<1>:d r44.0<1;1,0>:d -1:w\n"
		   "cmp (#|M0) (gt)f0.0 null<1>:d r44.0<1;1,0>:d 0x0:w\n"
		   "(f0.0) while (#|M0) top@" },
	{ "while.break", "and (#|M0) r44.0<1>:ud r20.0<1;1,0>:ud 0xF:uw\n"
			 "mov (#|M0) r40.0<1>:ud 0x0:uw\n"
			 "top@:\n"
			 "cmp (#|M0) (le)f0.0 null<1>:d r44.0<1;1,0>:d 0x0:w\n"
			 "(f0.0) break (#|M0) end@ end@\n"
			 "add (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud 0x3:uw\n"
			 "add (#|M0) r44.0<1>:d r44.0<1;1,0>:d -1:w\n"
			 "end@: while (#|M0) top@" },
	{ "goto", "cmp (#|M0) (lt)f0.0 null<1>:d r20.0<1;1,0>:d r22.0<1;1,0>:d\n"
		  "(f0.0) goto (#|M0) end@ end@\n"
		  "mov (#|M0) r40.0<1>:ud r22.0<1;1,0>:ud\n"
		  "end@: join (#|M0) after@\n"
		  "after@: xor (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud 0x55:uw" },
	{ "call", "mov (#|M0) r40.0<1>:ud r20.0<1;1,0>:ud\n"
		  "call (#|M0) r46.0 function@\n"
		  "add (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud 0x7:uw\n"
		  "call (#|M0) r46.0 function@\n"
		  "jmpi end@\n"
		  "function@:\n"
		  "xor (#|M0) r40.0<1>:ud r40.0<1;1,0>:ud r22.0<1;1,0>:ud\n"
		  "ret (#|M0) r46.0\n"
		  "end@:" },
};

static bool add_flow(struct verify_vectors *vectors, size_t i, unsigned lanes, const char *only)
{
	struct verify_vector v = { .types = { GEN_TYPE_UD, GEN_TYPE_UD } };

	snprintf(v.name, sizeof v.name, "%s", sequences[i].name);
	for (const char *at = sequences[i].text; *at; at++)
		if (*at == '#')
			verify_put(&v, "%u", lanes);
		else if (*at == '@')
			verify_put(&v, "_%zu_%u", i, lanes);
		else
			verify_put(&v, "%c", *at);
	return verify_vectors_add(vectors, &v, only);
}

/* Sums of products of `a` and `b`: of eight registers, for one register or two. */
static bool add_systolic(struct verify_vectors *vectors, const char *sum, const char *a,
	const char *b, unsigned repeats, const char *only)
{
	struct verify_vector v = { .types = { GEN_TYPE_UD, GEN_TYPE_UD }, .out_of_order = true };

	snprintf(v.name, sizeof v.name, "dpas.%s%s", a, b);
	verify_put(&v, "mov (16|M0) r50.0<1>:ud r20.0<1;1,0>:ud\n"
		       "mov (16|M0) r52.0<1>:ud r22.0<1;1,0>:ud\n"
		       "not (16|M0) r54.0<1>:ud r20.0<1;1,0>:ud\n"
		       "xor (16|M0) r56.0<1>:ud r20.0<1;1,0>:ud r22.0<1;1,0>:ud\n");
	verify_put(&v, "dpas.8x%u (8|M0) r40:%s r20:%s r50:%s r22.0:%s", repeats, sum, sum, a, b);
	return verify_vectors_add(vectors, &v, only);
}

bool verify_sequences_add(struct verify_vectors *vectors, const char *only)
{
	static const char *const types[] = { "b", "ub", "s4", "u4", "s2", "u2" };
	bool is_right = true;

	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
		for (unsigned lanes = 8; lanes <= 16; lanes *= 2)
			is_right = is_right && add_flow(vectors, i, lanes, only);
	if (gen_ops[GEN_OP_dpas].opcode[vectors->generation] == GEN_OPCODE_NONE)
		return is_right;
	for (unsigned i = 0; i < 36; i++)
		for (unsigned repeats = 1; repeats <= 2; repeats++)
			is_right = is_right && add_systolic(vectors, i % 2 ? "ud" : "d",
						       types[i / 6], types[i % 6], repeats, only);
	return is_right;
}
