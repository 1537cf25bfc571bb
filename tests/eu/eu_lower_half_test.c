// SPDX-License-Identifier: MIT
/*
 * Results that are halves, of halves and of floats: each is rounded once, by every instruction set
 * of the host, as micro-operations and as stencils, in every mode, and by vectors. math.* goes
 * through all halves; sums and products are next to the middle of two halves, where that matters.
 */
#include "test.h"

#include "eu/code/eu_code.h"
#include "eu/ops/eu_math.h"
#include "eu/state/eu_half.h"
#include "eu_test_program.h"
#include "test_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 16, ROUNDS = 3000, HALVES = 20, FLOATS = 22, RESULT = 30, WAYS = 2 * EU_HOSTS };

#define COUNT(list) (sizeof(list) / sizeof(list[0]))

static uint64_t seed;

static uint64_t pick(uint64_t n)
{
	return (test_random(&seed) >> 20) % n;
}

static bool is_nan(uint16_t half)
{
	return (half & 0x7fff) > 0x7c00;
}

/* Denormals are kept, as in what Intel's compiler makes. */
static struct gen_program *assemble(const char *text, unsigned mode)
{
	char whole[300];

	snprintf(whole, sizeof whole, "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x%x:ud\n%s",
		0x4c0 | mode << 4, text);
	return test_assemble(whole);
}

/* The kernel for one of the ways, which the host may not have; no instruction takes the general
 * path. */
static struct eu_kernel *make(const struct gen_program *program, const char *text, unsigned way)
{
	struct eu_target best = eu_target_parse("stencil");
	struct eu_target target = { (enum eu_host)(way / 2), way % 2 };
	struct eu_options options = { .target = target };
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct eu_kernel *kernel;

	if (target.host > best.host || (target.stencils && !best.stencils))
		return NULL;
	kernel = eu_kernel_create_for(test_device(), program, options, &fault);
	assert_non_null(kernel);
	for (uint32_t i = 0; i < kernel->uop_count; i++)
		if (kernel->uops[i].code == EU_UOP_generic)
			fail_msg("takes the general path:\n%s", text);
	return kernel;
}

/* -- Functions ------------------------------------------------------------------------------ */

static const struct {
	const char *text;
	unsigned number;
	bool negates, saturates;
} functions[] = {
	{ "math.inv (16|M0) r30.0<1>:hf r20.0<16;16,1>:hf\n", GEN_MATH_INV, 0, 0 },
	{ "math.log (16|M0) r30.0<1>:hf r20.0<16;16,1>:hf\n", GEN_MATH_LOG, 0, 0 },
	{ "math.exp (16|M0) r30.0<1>:hf -r20.0<16;16,1>:hf\n", GEN_MATH_EXP, 1, 0 },
	{ "math.exp (16|M0) (sat)r30.0<1>:hf r20.0<16;16,1>:hf\n", GEN_MATH_EXP, 0, 1 },
	{ "math.sqt (16|M0) r30.0<1>:hf r20.0<16;16,1>:hf\n", GEN_MATH_SQT, 0, 0 },
	{ "math.rsqt (16|M0) r30.0<1>:hf r20.0<16;16,1>:hf\n", GEN_MATH_RSQT, 0, 0 },
	{ "math.sin (16|M0) r30.0<1>:hf r20.0<16;16,1>:hf\n", GEN_MATH_SIN, 0, 0 },
	{ "math.cos (16|M0) r30.0<1>:hf r20.0<16;16,1>:hf\n", GEN_MATH_COS, 0, 0 },
};

static uint16_t function_of(unsigned i, uint16_t half)
{
	double x = (double)eu_half_to_float(half);
	double y = eu_math_function(functions[i].number)(functions[i].negates ? -x : x, 0);

	if (functions[i].saturates)
		y = y > 0 ? fmin(y, 1) : 0;
	return eu_half_from_double(y, EU_ROUND_NEAREST, true);
}

static void try_all_halves(const struct eu_kernel *kernel, unsigned i, unsigned way)
{
	struct test_thread t;
	uint16_t in[LANES], out[LANES];

	for (uint32_t first = 0; first < 0x10000; first += LANES) {
		test_thread_init(&t, first + 1);
		for (unsigned k = 0; k < LANES; k++)
			in[k] = (uint16_t)(first + k);
		memcpy(t.thread.grf + HALVES * GEN_GRF_BYTES, in, sizeof in);
		assert_int_equal(test_thread_run(&t, kernel, UINT32_MAX), EU_DONE);
		memcpy(out, t.thread.grf + RESULT * GEN_GRF_BYTES, sizeof out);
		for (unsigned k = 0; k < LANES; k++) {
			uint16_t want = function_of(i, in[k]);
			if (out[k] != want && !(is_nan(out[k]) && is_nan(want)))
				fail_msg("way %u: of 0x%x 0x%x, not 0x%x\n%s", way, in[k], out[k],
					want, functions[i].text);
		}
	}
}

static void functions_are_rounded_once(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(functions); i++) {
		struct gen_program *program = assemble(functions[i].text, i % 4);
		for (unsigned k = 0; k < WAYS; k++) {
			struct eu_kernel *kernel = make(program, functions[i].text, k);
			if (!kernel)
				continue;
			try_all_halves(kernel, i, k);
			eu_kernel_destroy(kernel);
		}
		gen_program_destroy(program);
	}
}

/* -- Sums of products ----------------------------------------------------------------------- */

/* a + b * c, each a half or a float, of the registers from HALVES or FLOATS on. */
static const struct {
	const char *text;
	const char *kinds; /* h, f, or 1 for that number */
} sums[] = {
	{ "mad (16|M0) r30.0<1>:hf r20.0<1;0>:hf r21.0<1;0>:hf r26.0<1>:f\n", "hhf" },
	{ "mad (16|M0) r30.0<1>:hf r22.0<1;0>:f r21.0<1;0>:hf r26.0<1>:f\n", "fhf" },
	{ "mad (16|M0) r30.0<1>:hf r22.0<1;0>:f r24.0<1;0>:f r26.0<1>:f\n", "fff" },
	{ "add (16|M0) r30.0<1>:hf r22.0<8;8,1>:f r24.0<8;8,1>:f\n", "ff1" },
	{ "add (16|M0) r30.0<1>:hf r20.0<16;16,1>:hf r24.0<8;8,1>:f\n", "hf1" },
	{ "mad (16|M0) r30.0<1>:hf r20.0<1;0>:hf r21.0<1;0>:hf r28.0<1>:hf\n", "hhh" },
};

/* The sum as a double, odd where it is none. */
static double odd_sum(double a, double b, double c)
{
	__extension__ typedef __float128 wide;
	wide exact = (wide)a + (wide)b * (wide)c;
	double near = (double)exact;
	int64_t bits;

	if (!isfinite(near) || (wide)near == exact)
		return near;
	memcpy(&bits, &near, sizeof bits);
	if ((bits & 1) == 0)
		bits += ((wide)near < exact) == (near > 0) ? 1 : -1;
	memcpy(&near, &bits, sizeof bits);
	return near;
}

/* What the sum is to be: near the middle of two halves, mostly. */
static double pick_aim(void)
{
	uint16_t half = (uint16_t)pick(0x7c00);
	double x = (double)eu_half_to_float(half), y = (double)eu_half_to_float(half + 1);

	return (pick(2) ? -1 : 1) * (pick(4) && isfinite(y) ? (x + y) / 2 : x);
}

static double as_kind(char kind, double x)
{
	return kind == '1' ? 1
	       : kind == 'f'
		       ? (double)(float)x
		       : (double)eu_half_to_float(eu_half_from_double(x, EU_ROUND_NEAREST, true));
}

/* Three sources whose sum is, as nearly as these can say, what it is to be. */
static void pick_sources(const char *kinds, double v[3])
{
	double aim = pick_aim(), tiny = ldexp(1, -(int)pick(40));

	if (pick(2)) { /* a is most of it */
		v[0] = as_kind(kinds[0], aim);
		v[2] = as_kind(kinds[2], tiny * (pick(2) ? 1 : -1));
		v[1] = as_kind(kinds[1], pick(3) ? (aim - v[0]) / v[2] : tiny);
	} else {
		v[2] = as_kind(kinds[2], 1 + (double)pick(1 << 20) / (1 << 20));
		v[1] = as_kind(kinds[1], aim / v[2]);
		v[0] = as_kind(kinds[0], pick(3) ? aim - v[1] * v[2] : tiny * aim);
	}
	if (!pick(100))
		v[pick(2)] = as_kind(kinds[0], pick(2) ? INFINITY : -INFINITY);
}

static void put(struct test_thread *t, unsigned n, unsigned lane, char kind, double x)
{
	static const uint8_t halves[] = { HALVES, HALVES + 1, HALVES + 8 };
	uint16_t half = eu_half_from_double(x, EU_ROUND_NEAREST, true);
	float f = (float)x;

	if (kind == 'h')
		memcpy(t->thread.grf + halves[n] * GEN_GRF_BYTES + 2 * lane, &half, 2);
	if (kind == 'f')
		memcpy(t->thread.grf + (FLOATS + 2 * n) * GEN_GRF_BYTES + 4 * lane, &f, 4);
}

static void try_sums(const struct eu_kernel *kernel, unsigned i, unsigned mode, unsigned way)
{
	struct test_thread t;
	double v[LANES][3];
	uint16_t out[LANES];

	for (unsigned round = 0; round < ROUNDS; round++) {
		test_thread_init(&t, round + 1);
		for (unsigned k = 0; k < LANES; k++) {
			pick_sources(sums[i].kinds, v[k]);
			for (unsigned n = 0; n < 3; n++)
				put(&t, n, k, sums[i].kinds[n], v[k][n]);
		}
		assert_int_equal(test_thread_run(&t, kernel, UINT32_MAX), EU_DONE);
		memcpy(out, t.thread.grf + RESULT * GEN_GRF_BYTES, sizeof out);
		for (unsigned k = 0; k < LANES; k++) {
			double sum = odd_sum(v[k][0], v[k][1], v[k][2]);
			uint16_t want = eu_half_from_double(sum, (enum eu_rounding)mode, true);
			if ((out[k] | 0x8000) == 0x8000 && sum == 0)
				continue; /* the sign of nothing is eu_alu_test's */
			if (out[k] != want && !(is_nan(out[k]) && is_nan(want)))
				fail_msg("way %u, mode %u: %a + %a * %a is 0x%x, not 0x%x\n%s", way,
					mode, v[k][0], v[k][1], v[k][2], out[k], want,
					sums[i].text);
		}
	}
}

static void sums_are_rounded_once(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(sums); i++)
		for (unsigned mode = 0; mode < 4; mode++) {
			struct gen_program *program = assemble(sums[i].text, mode);
			for (unsigned k = 0; k < WAYS; k++) {
				struct eu_kernel *kernel = make(program, sums[i].text, k);
				if (!kernel)
					continue;
				seed = 1;
				try_sums(kernel, i, mode, k);
				eu_kernel_destroy(kernel);
			}
			gen_program_destroy(program);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_rounded_once),
		cmocka_unit_test(sums_are_rounded_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
