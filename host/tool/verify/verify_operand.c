// SPDX-License-Identifier: MIT
#include "tool/verify/verify.h"

#include <string.h>

#include "gen/gen_inst.h"

/* Corners, from which operands are taken so that the first two sources meet in all pairs. */

/* Of integers, before they are cut to the type's bits: n bits, the highest of them h. */
static uint64_t integer_corner(unsigned i, unsigned n)
{
	uint64_t h = UINT64_C(1) << (n - 1), half = UINT64_C(1) << n / 2;
	const uint64_t corners[] = { 0, 1, 2, 3, UINT64_MAX, UINT64_MAX - 1, h, h - 1, h + 1, half,
		half - 1, n - 1, n, 7, UINT64_C(0x5555555555555555), UINT64_C(0x8e3779b97f4a7c15),
		UINT64_C(0xd1b54a32d192ed03) };

	return corners[i];
}

enum { INTEGERS = 17 };

/* Of floats: sign, exponent above the bias (or how far from an end of its range), fraction's bits.
 */
enum { LOWEST = 10000, HIGHEST = 20000 };
static const struct float_corner {
	int sign, exponent;
	enum { NONE, LAST, ALL, THIRDS, TOP } fraction;
} float_corners[] = {
	{ 0, LOWEST, NONE },	 /* 0 */
	{ 1, LOWEST, NONE },	 /* -0 */
	{ 0, 0, NONE },		 /* 1 */
	{ 1, 0, NONE },		 /* -1 */
	{ 0, -1, NONE },	 /* 0.5 */
	{ 0, 1, TOP },		 /* 3 */
	{ 1, 1, THIRDS },	 /* -2.67 */
	{ 0, 0, LAST },		 /* above 1 */
	{ 0, -1, ALL },		 /* below 1 */
	{ 0, HIGHEST - 1, ALL }, /* the largest */
	{ 1, HIGHEST - 1, ALL }, /* the least */
	{ 0, LOWEST + 1, NONE }, /* the least normal one */
	{ 0, LOWEST, LAST },	 /* the least denormal one */
	{ 1, LOWEST, ALL },	 /* the largest denormal one */
	{ 0, HIGHEST, NONE },	 /* infinity */
	{ 1, HIGHEST, NONE },	 /* -infinity */
	{ 0, HIGHEST, TOP },	 /* a quiet NaN */
};

#define FLOATS (sizeof(float_corners) / sizeof(float_corners[0]))

static uint64_t float_corner(unsigned i, unsigned bits)
{
	const struct float_corner *c = &float_corners[i];
	unsigned fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
	int largest = (1 << (bits - fraction - 1)) - 1, bias = largest / 2;
	int exponent = c->exponent >= HIGHEST - 1 ? largest + c->exponent - HIGHEST
		       : c->exponent >= LOWEST	  ? c->exponent - LOWEST
						  : bias + c->exponent;
	const uint64_t all = (UINT64_C(1) << fraction) - 1;
	const uint64_t fractions[] = { [NONE] = 0,
		[LAST] = 1,
		[ALL] = all,
		[THIRDS] = UINT64_C(0x5555555555555555) & all,
		[TOP] = (all >> 1) + 1 };

	return (uint64_t)c->sign << (bits - 1) | (uint64_t)exponent << fraction |
	       fractions[c->fraction];
}

size_t verify_operand_at(uint8_t type, unsigned source)
{
	return ((size_t)type * VERIFY_SLOTS + source) * VERIFY_GROUPS * VERIFY_OPERAND;
}

static void fill(uint8_t *to, uint8_t type, unsigned source)
{
	unsigned size = gen_type_size(type), lanes = size == 8 ? 8 : 16;
	bool is_float = gen_type_is_float(type);
	unsigned n = is_float ? FLOATS : INTEGERS;

	for (unsigned g = 0; g < VERIFY_GROUPS; g++)
		for (unsigned lane = 0; lane < VERIFY_OPERAND / size; lane++) {
			unsigned k = g * lanes + lane % lanes;
			unsigned i = source == 0 ? k : source == 1 ? k / n : k * 7 + k / n * 3 + 5;
			uint64_t bits = is_float ? float_corner(i % n, 8 * size)
						 : integer_corner(i % n, 8 * size);
			memcpy(to + g * VERIFY_OPERAND + lane * size, &bits, size);
		}
}

void verify_operands_fill(uint8_t *bytes, uint64_t address)
{
	memset(bytes, 0, VERIFY_OPERANDS_BYTES);
	for (unsigned g = 0; g < VERIFY_GROUPS; g++)
		memcpy(bytes + g * VERIFY_OPERAND, &address, sizeof address);
	for (uint8_t type = GEN_TYPE_UB; type <= GEN_TYPE_DF; type++)
		for (unsigned source = 0; source < VERIFY_SLOTS; source++)
			fill(bytes + verify_operand_at(type, source), type, source);
}
