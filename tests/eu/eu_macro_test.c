// SPDX-License-Identifier: MIT
/*
 * The math macros of Gen9: what their steps come to is the quotient or root that the host's own
 * processor rounds, in every rounding mode, for denormals, overflow and exact results too.
 */
#include "test.h"
#include "test_random.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/code/eu_code.h"
#include "eu_macro_text.h"
#include "eu_test_program.h"

enum { A = 20, B = 24, RESULT = 30, ROUNDS = 600, CHANNELS = 8 };

static struct test_thread t;
static uint64_t seed = 9;

/* A number of any kind: bits, a small integer, a corner, or one with a moderate exponent. */
static double any_double(void)
{
	static const double corners[] = { 0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 0x1p-1074,
		0x1p-1022, 0x1.fffffffffffffp1023, 0x1.fffffffffffffp-1, 3, 0x1p1023 };
	uint64_t bits = test_random(&seed);
	double value;
	switch (test_random(&seed) >> 33 & 3) {
	case 0:
		return corners[bits >> 33 & 15 ? (bits >> 40) % 13 : 0];
	case 1:
		return (double)((int)(bits >> 40) - (1 << 23));
	case 2:
		bits = (bits & ~(UINT64_C(0x7ff) << 52)) | (1000 + (bits >> 52 & 63)) << 52;
		break;
	}
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static float any_float(void)
{
	static const float corners[] = { 0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 0x1p-149f,
		0x1p-126f, 0x1.fffffep127f, 0x1.fffffep-1f, 3, 0x1p127f };
	uint32_t bits = (uint32_t)(test_random(&seed) >> 32);
	float value;
	switch (test_random(&seed) >> 33 & 3) {
	case 0:
		return corners[bits % 13];
	case 1:
		return (float)((int)(bits >> 20) - (1 << 11));
	case 2:
		bits = (bits & 0x807fffff) | (110 + (bits >> 23 & 31)) << 23;
		break;
	}
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void put(unsigned reg, unsigned i, bool wide, double value)
{
	float narrow = (float)value;
	if (wide)
		memcpy(t.thread.grf + reg * 32 + i * 8, &value, 8);
	else
		memcpy(t.thread.grf + reg * 32 + i * 4, &narrow, 4);
}

static void check(unsigned i, bool wide, double a, double b, bool divides)
{
	volatile double x = a, y = b;
	volatile float u = (float)a, v = (float)b;
	double want = divides ? wide ? x / y : (double)(u / v) : wide ? sqrt(x) : (double)sqrtf(u);
	double got;
	float narrow;
	memcpy(&got, t.thread.grf + RESULT * 32 + i * 8, 8);
	memcpy(&narrow, t.thread.grf + RESULT * 32 + i * 4, 4);
	got = wide ? got : (double)narrow;
	if (isnan(want) ? !isnan(got) : memcmp(&got, &want, 8) != 0)
		fail_msg("%a %s %a: %a, not %a, in mode %d", a, divides ? "/" : "sqrt", b, got,
			want, fegetround());
}

static void run(const char *macro, bool wide, bool divides)
{
	static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
	unsigned channels = wide ? 4 : 8;
	for (unsigned mode = 0; mode < 4; mode++) {
		char text[2048];
		snprintf(text, sizeof(text),
			"(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x%x:uw {Switch}\n%s",
			0x4c0 | mode << 4, macro);
		struct gen_program *program = test_assemble(text);
		struct eu_kernel *kernel =
			eu_kernel_create(gen_device_find("skl"), program, &t.fault);
		assert_non_null(kernel);
		for (unsigned n = 0; n < ROUNDS; n++) {
			double a[CHANNELS], b[CHANNELS];
			test_thread_init(&t, 1);
			memset(t.thread.grf, 0xcd, sizeof(t.thread.grf));
			for (unsigned i = 0; i < channels; i++) {
				for (unsigned k = 0; k < 4; k++)
					put(6 + k, i, wide, atof(macro_constants[k]));
				a[i] = wide ? any_double() : (double)any_float();
				b[i] = wide ? any_double() : (double)any_float();
				if (n % 4 == 0 && divides) /* exact quotients */
					a[i] = wide ? b[i] * (int)(n + i)
						    : (double)((float)b[i] * (float)(n % 32 + i));
				put(A, i, wide, a[i]);
				put(B, i, wide, b[i]);
			}
			assert_int_equal(test_thread_run(&t, kernel, 0xff), EU_DONE);
			fesetround(modes[mode]);
			for (unsigned i = 0; i < channels; i++)
				check(i, wide, a[i], b[i], divides);
			fesetround(FE_TONEAREST);
		}
		eu_kernel_destroy(kernel);
		gen_program_destroy(program);
	}
}

static void divides_doubles(void **state)
{
	(void)state;
	run(macro_divide_double, true, true);
}

static void divides_floats(void **state)
{
	(void)state;
	run(macro_divide_float, false, true);
}

static void takes_roots_of_doubles(void **state)
{
	(void)state;
	run(macro_root_double, true, false);
}

static void takes_roots_of_floats(void **state)
{
	(void)state;
	run(macro_root_float, false, false);
}

/* mac of halves adds acc1 in channels 16 to 31; of singles, in channels 8 to 15. */
static void mac_adds_the_channels_accumulator(void **state)
{
	static const char text[] =
		"(W) mov (16|M0) acc0.0<1>:hf r20.0<16;16,1>:hf\n"
		"(W) mov (16|M0) acc1.0<1>:hf r21.0<16;16,1>:hf\n"
		"(W) mac (16|M0) r30.0<1>:hf r24.0<16;16,1>:hf r25.0<16;16,1>:hf\n"
		"(W) mac (16|M16) r31.0<1>:hf r24.0<16;16,1>:hf r25.0<16;16,1>:hf\n"
		"(W) mov (8|M0) acc0.0<1>:f r22.0<8;8,1>:f\n"
		"(W) mov (8|M0) acc1.0<1>:f r23.0<8;8,1>:f\n"
		"(W) mac (8|M0) r32.0<1>:f r24.0<8;8,1>:f r26.0<8;8,1>:f\n"
		"(W) mac (8|M8) r33.0<1>:f r24.0<8;8,1>:f r26.0<8;8,1>:f\n"
		"(W) mac (8|M16) r34.0<1>:f r24.0<8;8,1>:f r26.0<8;8,1>:f\n";
	struct gen_program *program = test_assemble(text);
	struct eu_kernel *kernel = eu_kernel_create(gen_device_find("skl"), program, &t.fault);
	static const unsigned from[] = { 20, 21, 22, 23, 22 };

	(void)state;
	assert_non_null(kernel);
	test_thread_init(&t, 1);
	memset(t.thread.grf + 24 * 32, 0, 3 * 32); /* products of 0 */
	for (unsigned i = 0; i < 16; i++) {
		uint16_t half = (uint16_t)(0x3c00 + i);
		float single = (float)i + 1;
		memcpy(t.thread.grf + 20 * 32 + 2 * i, &half, 2);
		half = (uint16_t)(half + 0x400);
		memcpy(t.thread.grf + 21 * 32 + 2 * i, &half, 2);
		memcpy(t.thread.grf + 22 * 32 + 4 * i, &single, 4);
	}
	assert_int_equal(test_thread_run(&t, kernel, 0xffffffff), EU_DONE);
	for (unsigned i = 0; i < 5; i++)
		assert_memory_equal(t.thread.grf + (30 + i) * 32, t.thread.grf + from[i] * 32, 32);
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(divides_doubles),
		cmocka_unit_test(divides_floats),
		cmocka_unit_test(takes_roots_of_doubles),
		cmocka_unit_test(takes_roots_of_floats),
		cmocka_unit_test(mac_adds_the_channels_accumulator),
	};

	setenv("ZEROCL_VGPU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
