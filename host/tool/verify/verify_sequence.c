// SPDX-License-Identifier: MIT
#include "tool/verify/verify.h"

#include <stdio.h>

#include "gen/gen_inst.h"

/*
 * Small programs. Control flow over 8 or 16 channels that part by their operands: what is left in
 * r40 and r41 says which channels went where, and how often. '#' is the number of channels, '@' a
 * number of the vector's own, for labels; a label of a join stands in the line of its instruction.
 */
static const struct sequence {
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

/*
 * Quotients and roots that are rounded correctly, in steps between which numbers are wider than a
 * register. Channels whose flag is set have their result from the first step.
 */
static const struct sequence macros[] = {
	{ "math.invm", "mov (8|M0) r50.0<1>:f 0x0:f\n"
		       "mov (8|M0) r51.0<1>:f 0x3F800000:f\n"
		       "math.invm (8|M0) (eo)f0.0 r40.mme0:f r20.nomme:f r22.nomme:f\n"
		       "(~f0.0) if (8|M0) end@ end@\n"
		       "madm (8|M0) r52.mme1:f r50.nomme:f r20.nomme:f r40.mme0:f\n"
		       "madm (8|M0) r53.mme2:f r51.nomme:f -r22.nomme:f r40.mme0:f\n"
		       "madm (8|M0) r54.mme3:f r40.mme0:f r53.mme2:f r40.mme0:f\n"
		       "madm (8|M0) r55.mme4:f r20.nomme:f -r22.nomme:f r52.mme1:f\n"
		       "madm (8|M0) r56.mme5:f r52.mme1:f r55.mme4:f r54.mme3:f\n"
		       "madm (8|M0) r57.mme6:f r20.nomme:f -r22.nomme:f r56.mme5:f\n"
		       "madm (8|M0) r40.nomme:f r56.mme5:f r57.mme6:f r54.mme3:f\n"
		       "end@: endif (8|M0) after@\n"
		       "after@: mov (8|M0) r40.0<1>:ud r40.0<1;1,0>:ud" },
	{ "math.rsqtm", "mov (8|M0) r50.0<1>:f 0x0:f\n"
			"mov (8|M0) r51.0<1>:f 0x3F000000:f\n"
			"math.rsqtm (8|M0) (eo)f0.0 r40.mme0:f r20.nomme:f\n"
			"(~f0.0) if (8|M0) end@ end@\n"
			"madm (8|M0) r52.mme1:f r50.nomme:f r51.nomme:f r40.mme0:f\n"
			"madm (8|M0) r53.mme2:f r50.nomme:f r20.nomme:f r40.mme0:f\n"
			"madm (8|M0) r54.mme3:f r51.nomme:f -r53.mme2:f r52.mme1:f\n"
			"madm (8|M0) r55.mme4:f r52.mme1:f r54.mme3:f r52.mme1:f\n"
			"madm (8|M0) r56.mme5:f r53.mme2:f r54.mme3:f r53.mme2:f\n"
			"madm (8|M0) r57.mme6:f r20.nomme:f -r56.mme5:f r56.mme5:f\n"
			"madm (8|M0) r40.nomme:f r56.mme5:f r55.mme4:f r57.mme6:f\n"
			"end@: endif (8|M0) after@\n"
			"after@: mov (8|M0) r40.0<1>:ud r40.0<1;1,0>:ud" },
};

/* The sequence, numbered i, with the operands and the result that `v` says. */
static bool add_sequence(struct verify_vectors *vectors, const struct sequence *sequence, size_t i,
	unsigned lanes, struct verify_vector v, const char *only)
{
	snprintf(v.name, sizeof v.name, "%s", sequence->name);
	for (const char *at = sequence->text; *at; at++)
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

/*
 * The same of floats. How hardware rounds is not documented, so every operand is 1, 1.25, 1.5 or
 * 1.75 with either sign, of which all products and sums are exact.
 */
static bool add_systolic_floats(struct verify_vectors *vectors, const char *type, uint32_t kept,
	uint32_t one, unsigned repeats, const char *only)
{
	static const unsigned from[] = { 22, 20, 54, 20, 22 };
	struct verify_vector v = { .types = { GEN_TYPE_UD, GEN_TYPE_UD }, .out_of_order = true };

	snprintf(v.name, sizeof v.name, "dpas.%s", type);
	verify_put(&v, "xor (16|M0) r54.0<1>:ud r20.0<1;1,0>:ud r22.0<1;1,0>:ud\n");
	for (unsigned i = 0; i < 5; i++)
		verify_put(&v, "and (16|M0) r%u.0<1>:ud r%u.0<1;1,0>:ud 0x%x:ud\n", 50 + 2 * i,
			from[i], kept);
	for (unsigned i = 0; i < 5; i++)
		verify_put(&v, "or (16|M0) r%u.0<1>:ud r%u.0<1;1,0>:ud 0x%x:ud\n", 50 + 2 * i,
			50 + 2 * i, one);
	verify_put(&v,
		"and (16|M0) r60.0<1>:ud r22.0<1;1,0>:ud 0x80600000:ud\n"
		"or (16|M0) r60.0<1>:ud r60.0<1;1,0>:ud 0x3F800000:ud\n"
		"dpas.8x%u (8|M0) r40:f r60:f r50:%s r58.0:%s",
		repeats, type, type);
	return verify_vectors_add(vectors, &v, only);
}

static bool add_systolics(struct verify_vectors *vectors, const char *only)
{
	static const char *const types[] = { "b", "ub", "s4", "u4", "s2", "u2" };
	bool is_right = true;

	for (unsigned repeats = 1; repeats <= 2; repeats++) {
		for (unsigned i = 0; i < 36; i++)
			is_right = is_right && add_systolic(vectors, i % 2 ? "ud" : "d",
						       types[i / 6], types[i % 6], repeats, only);
		is_right =
			is_right &&
			add_systolic_floats(vectors, "hf", 0x83008300, 0x3c003c00, repeats, only) &&
			add_systolic_floats(vectors, "bf", 0x80608060, 0x3f803f80, repeats, only);
	}
	return is_right;
}

bool verify_sequences_add(struct verify_vectors *vectors, const char *only)
{
	const struct verify_vector flow = { .types = { GEN_TYPE_UD, GEN_TYPE_UD } };
	const struct verify_vector macro = { .types = { GEN_TYPE_F, GEN_TYPE_F },
		.type = GEN_TYPE_F,
		.stride = 1,
		.lanes = 8,
		.out_of_order = true };
	const size_t n = sizeof(sequences) / sizeof(sequences[0]);
	bool is_right = true;

	for (size_t i = 0; i < n; i++)
		for (unsigned lanes = 8; lanes <= 16; lanes *= 2)
			is_right = is_right &&
				   add_sequence(vectors, &sequences[i], i, lanes, flow, only);
	if (gen_ops[GEN_OP_madm].opcode[vectors->generation] != GEN_OPCODE_NONE)
		for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++)
			is_right = is_right &&
				   add_sequence(vectors, &macros[i], n + i, 8, macro, only);
	if (gen_ops[GEN_OP_dpas].opcode[vectors->generation] != GEN_OPCODE_NONE)
		is_right = is_right && add_systolics(vectors, only);
	return is_right;
}
