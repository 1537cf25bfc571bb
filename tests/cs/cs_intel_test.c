// SPDX-License-Identifier: MIT
#include "intel_group.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "intel_items.h"

/* A sanitized device is slow. */
#ifdef __SANITIZE_ADDRESS__
enum { ITEMS = 100, RANGE_ITEMS = 128 };
#else
enum { ITEMS = 1000, RANGE_ITEMS = 1024 };
#endif

static const char *const variants[] = { "", "-cl-opt-disable", "-DSIMD=8", "-DSIMD=16",
	"-DSIMD=32" };
enum { PLAIN, UNOPTIMISED, SIMD8, SIMD16, SIMD32 };

static void build(unsigned variant)
{
	char options[128];

	snprintf(options, sizeof options, "-cl-std=CL3.0 %s", variants[variant]);
	intel_build(&intel, options);
}

/* Each item function against itself, compiled by the host's compiler. */
static const struct {
	const char *name;
	uint (*reference)(const uint *in, uint i, uint n);
} items[] = {
	{ "k_loops", loops },
	{ "k_cases", cases },
	{ "k_sorts", sorts },
	{ "k_spills", spills },
	{ "k_small_types", small_types },
	{ "k_wide_types", wide_types },
	{ "k_divisions", divisions },
	{ "k_floats", floats },
};

static void items_equal_the_host(void **state)
{
	static uint in[RANGE_ITEMS], out[RANGE_ITEMS];
	static const uint lengths[] = { ITEMS, 1, 17 };

	build(*(const unsigned *)*state);
	for (unsigned k = 0; k < sizeof items / sizeof *items; k++)
		for (unsigned j = 0; j < 3; j++) {
			uint n = lengths[j];
			for (unsigned i = 0; i < RANGE_ITEMS; i++) {
				in[i] = intel_random() >> (intel_random() % 3 * 8);
				out[i] = 0xdeadbeef;
			}
			assert_int_equal(INTEL_RUN(&intel, items[k].name, RANGE_ITEMS, 64,
						 BUFFER(in), BUFFER(out), VALUE(n)),
				0);
			for (uint i = 0; i < RANGE_ITEMS; i++) {
				uint want = i < n ? items[k].reference(in, i, n) : 0xdeadbeef;
				if (out[i] != want)
					fail_msg("%s, item %u of %u: 0x%08x, should be 0x%08x",
						items[k].name, i, n, out[i], want);
			}
		}
}

static void groups_share_memory_and_wait(void **state)
{
	static const uint sizes[] = { 1, 8, 32, 64, 128, 256, 512 };
	static int in[4096], out[4096], data[4096];

	(void)state;
	for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		uint size = sizes[k], times = 13;
		for (unsigned i = 0; i < 4096; i++) {
			in[i] = data[i] = (int)intel_random() >> 8;
			out[i] = -1;
		}
		assert_int_equal(INTEL_RUN(&intel, "reduce", 4096, size, BUFFER(in), BUFFER(out),
					 LOCAL(size * 4)),
			0);
		for (unsigned g = 0; g < 4096 / size; g++) {
			int sum = 0;
			for (unsigned i = 0; i < size; i++)
				sum += in[g * size + i];
			assert_int_equal(out[g], sum);
		}
		assert_int_equal(INTEL_RUN(&intel, "rotate_in_group", 4096, size, BUFFER(data),
					 LOCAL(size * 4), VALUE(times)),
			0);
		for (unsigned i = 0; i < 4096; i++) {
			unsigned from = i / size * size + (i % size + times) % size;
			assert_int_equal(data[i], in[from] + (int)times);
		}
	}
}

static void check_ids(
	unsigned dimensions, const size_t *offset, const size_t *global, const size_t *local)
{
	static uint out[6000 * 16];
	size_t at = 0;

	memset(out, 0xcd, sizeof out);
	const struct intel_argument argument = BUFFER(out);
	assert_int_equal(
		intel_run(&intel, "identify", dimensions, offset, global, local, 1, &argument), 0);
	for (size_t z = 0; z < global[2]; z++)
		for (size_t y = 0; y < global[1]; y++)
			for (size_t x = 0; x < global[0]; x++, at += 16) {
				const size_t id[3] = { x, y, z };
				for (unsigned d = 0; d < 3; d++) {
					size_t group = id[d] / local[d];
					size_t rest = global[d] - group * local[d];
					assert_int_equal(out[at + d], id[d] + offset[d]);
					assert_int_equal(out[at + 3 + d], id[d] % local[d]);
					assert_int_equal(out[at + 6 + d], group);
					assert_int_equal(
						out[at + 9 + d], rest < local[d] ? rest : local[d]);
					assert_int_equal(out[at + 12 + d],
						(global[d] + local[d] - 1) / local[d]);
				}
				assert_int_equal(out[at + 15], dimensions);
			}
	assert_int_equal(out[at], 0xcdcdcdcd);
}

static void ids_are_right(void **state)
{
	(void)state;
	check_ids(1, RANGE(0, 0, 0), RANGE(960, 1, 1), RANGE(96, 1, 1));
	check_ids(1, RANGE(77, 0, 0), RANGE(5, 1, 1), RANGE(5, 1, 1));
	check_ids(2, RANGE(3, 1000, 0), RANGE(24, 35, 1), RANGE(8, 7, 1));
	check_ids(3, RANGE(1, 2, 3), RANGE(12, 10, 18), RANGE(4, 5, 6));
	/* Groups at the edges are smaller. */
	check_ids(1, RANGE(0, 0, 0), RANGE(1001, 1, 1), RANGE(64, 1, 1));
	check_ids(3, RANGE(5, 0, 9), RANGE(13, 11, 7), RANGE(4, 4, 4));
}

static void atomics_add_up(void **state)
{
	static int g[16 + 4096], in[4096];
	static int64_t wide[8];
	int sum = 0, most = 0, least = 1 << 30, ors = 0, ands = -1, xors = 0;
	int64_t wide_xor = 0;
	long long tickets = 0;

	(void)state;
	memset(g, 0, sizeof g);
	memset(wide, 0, sizeof wide);
	g[4] = 1 << 30;
	g[6] = -1;
	wide[2] = INT64_MAX;
	for (unsigned i = 0; i < 4096; i++) {
		int v = in[i] = (int)(intel_random() % 100000) + 1;
		sum += v;
		most = v > most ? v : most;
		least = v < least ? v : least;
		ors |= (int)(1u << (v & 31));
		ands &= (int)~(1u << (v & 31));
		xors ^= v;
		wide_xor ^= (int64_t)v * 3 << 20;
	}
	assert_int_equal(
		INTEL_RUN(&intel, "atomics", 4096, 128, BUFFER(g), BUFFER(in), LOCAL(8)), 0);
	const int want[] = { sum, most, 4096, -4096, least, ors, ands, xors, -sum, sum, 4096 };
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++)
		assert_int_equal(g[i], want[i]);
	assert_int_equal(g[12], 1);
	for (unsigned i = 0; i < 4096; i++)
		tickets += g[16 + i];
	assert_int_equal(tickets, sum);
	assert_int_equal(INTEL_RUN(&intel, "atomics64", 4096, 128, BUFFER(wide), BUFFER(in)), 0);
	assert_int_equal(wide[0], (int64_t)sum << 20);
	assert_int_equal(wide[1], (int64_t)most << 20);
	assert_int_equal(wide[2], (int64_t)least << 20);
	assert_int_equal(wide[3], wide_xor);
	assert_int_equal(wide[4], (int64_t)sum << 20);
}

static void threads_wait_for_each_other(void **state)
{
	static int counter[1], out[64 * 32], tokens[32], order[32 * 64];

	(void)state;
	counter[0] = 0;
	assert_int_equal(INTEL_RUN(&intel, "meet", 64 * 32, 64, BUFFER(counter), BUFFER(out)), 0);
	for (unsigned i = 0; i < 64 * 32; i++)
		assert_int_equal(out[i], 32);
	build(SIMD16);
	memset(tokens, 0, sizeof tokens);
	memset(order, 0xcd, sizeof order);
	assert_int_equal(
		INTEL_RUN(&intel, "relay", 256 * 4, 256, BUFFER(tokens), BUFFER(order)), 0);
	for (int g = 0; g < 4; g++)
		for (int i = 0; i < 16; i++)
			assert_int_equal(order[g * 16 + i], i == 15 ? 0 : i + 1);
}

static void vectors_and_halves_move(void **state)
{
	static float in[3 * 256 + 16], out[3 * 256 + 16], wide[256];
	static uint8_t bytes[4 * 256];
	static uint16_t shorts[8 * 256], half_in[256], half_out[256];

	(void)state;
	for (unsigned i = 0; i < 3 * 256; i++) {
		in[i] = (float)(int)(intel_random() >> 12);
		out[i] = -1;
	}
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)intel_random();
	assert_int_equal(INTEL_RUN(&intel, "vectors", 256, 64, BUFFER(in), BUFFER(out),
				 BUFFER(bytes), BUFFER(shorts)),
		0);
	for (unsigned i = 0; i < 256; i++) {
		const float *v = in + 3 * i;
		const float want[3] = { v[2] * 2 + 1, v[0] * 2 + 2, v[1] * 2 + 3 };
		assert_memory_equal(out + 3 * i, want, sizeof want);
		for (unsigned k = 0; k < 4; k++) {
			float f = v[k < 3 ? k : 2];
			assert_int_equal(shorts[8 * i + k], bytes[4 * i + 3 - k] * 257);
			assert_int_equal(shorts[8 * i + 4 + k], f > 65535 ? 65535 : (uint16_t)f);
		}
	}
	/* 1.001 rounded towards zero: exact halves of 1 to 2 move up one step at most. */
	for (unsigned i = 0; i < 256; i++)
		half_in[i] = (uint16_t)(0x3c00 + i * 4);
	assert_int_equal(INTEL_RUN(&intel, "halves", 256, 64, BUFFER(half_in), BUFFER(half_out),
				 BUFFER(wide)),
		0);
	for (unsigned i = 0; i < 256; i++) {
		float f = 1 + (float)(i * 4) / 1024;
		assert_true(wide[i] == f);
		assert_int_equal(half_out[i], 0x3c00 + (int)((f * 1.001f - 1) * 1024));
	}
}

static void sub_groups_cooperate(void **state)
{
	enum { N = 512 };
	static int in[N], out[9 * N];
	unsigned size = 8u << (*(const unsigned *)*state - SIMD8);

	build(*(const unsigned *)*state);
	for (unsigned i = 0; i < N; i++)
		in[i] = (int)(intel_random() % 1000);
	memset(out, 0xcd, sizeof out);
	assert_int_equal(INTEL_RUN(&intel, "sub_groups", N, 128, BUFFER(in), BUFFER(out)), 0);
	for (unsigned i = 0; i < N; i++) {
		const int *v = in + i / size * size;
		unsigned lane = i % size;
		int sum = 0, before = 0, most = INT32_MIN, any = 0, all = 1;
		for (unsigned k = 0; k < size; k++) {
			sum += v[k];
			before += k <= lane ? v[k] : 0;
			most = k < lane && v[k] > most ? v[k] : most;
			any |= v[k] > 900;
			all &= v[k] > 3;
		}
		unsigned down = lane + 2;
		int want[9] = { sum, before, most, v[size - 3], any * 2 + all,
			v[(lane * 5 + 1) % size], v[lane ^ 3],
			down < size ? v[down] : in[(i / size * size + down - size + 1) % N],
			(int)size };
		for (unsigned k = 0; k < 9; k++)
			if (out[k * N + i] != want[k])
				fail_msg("row %u, item %u, SIMD%u: %d, should be %d", k, i, size,
					out[k * N + i], want[k]);
	}
	if (size > 16)
		return;
	static uint from[4 * N], to[4 * N];
	for (unsigned i = 0; i < 4 * N; i++)
		from[i] = intel_random();
	assert_int_equal(INTEL_RUN(&intel, "blocks", N, 128, BUFFER(from), BUFFER(to)), 0);
	static const unsigned place[4] = { 1, 0, 3, 2 };
	for (unsigned i = 0; i < 4 * N; i++) {
		unsigned base = i / (4 * size) * 4 * size, part = i / size % 4, lane = i % size;
		assert_int_equal(to[i], from[base + place[part] * size + lane] + lane);
	}
}

static void math_is_close(void **state)
{
	static float in[256], out[10 * 256];

	(void)state;
	for (unsigned i = 0; i < 256; i++)
		in[i] = ((float)(int)(intel_random() % 20001) - 10000) / 100;
	assert_int_equal(INTEL_RUN(&intel, "math", 256, 64, BUFFER(in), BUFFER(out)), 0);
	for (unsigned i = 0; i < 256; i++) {
		double x = in[i], next = in[(i + 1) % 256], far = in[(i + 7) % 256];
		const double want[10] = { sin(x), exp(in[i] * 0.1f), log(fabsf(in[i]) + 0.01f),
			sqrt(fabs(x)), x / (float)(next + 200.0), pow(fabs(x), 1.7f),
			floor(x) + 2 * ceil(x) + 4 * trunc(x) + 8 * rint(x), fma(x, 3.3f, far),
			atan2(x, 3), fmin(x, 2) + fmax(x, -2) + fmin(fmax(x, -1), 1) };
		for (unsigned k = 0; k < 10; k++) {
			double error = fabs(out[k * 256 + i] - want[k]);
			if (!(error <= 1e-6 * fabs(want[k]) + 1e-6))
				fail_msg("row %u of %g: %.9g, should be %.9g", k, x,
					(double)out[k * 256 + i], want[k]);
		}
	}
}

static void kernels_print(void **state)
{
	static int in[64];
	char text[4096] = "", want[4096] = "";
	FILE *file = tmpfile();

	(void)state;
	for (int i = 0; i < 64; i++)
		in[i] = i % 9 ? -1 : i * 3;
	for (int i = 0; i < 64; i += 9)
		sprintf(want + strlen(want), "item %d has %d and a half %.2f\n", i, in[i],
			in[i] + 0.5);
	assert_non_null(file);
	fflush(stdout);
	int saved = dup(1);
	dup2(fileno(file), 1);
	cl_int error = INTEL_RUN(&intel, "prints", 64, 8, BUFFER(in));
	fflush(stdout);
	dup2(saved, 1);
	close(saved);
	assert_int_equal(error, 0);
	rewind(file);
	text[fread(text, 1, sizeof text - 1, file)] = 0;
	fclose(file);
	/* Groups may print in any order, but lines stay whole. */
	assert_int_equal(strlen(text), strlen(want));
	for (char *line = strtok(want, "\n"); line; line = strtok(NULL, "\n"))
		assert_non_null(strstr(text, line));
}

static void transfers_and_fills_work(void **state)
{
	enum { BYTES = 300001 };
	static uint8_t data[BYTES], got[BYTES];
	cl_int error = 0;
	const uint32_t pattern = 0xa1b2c3d4;

	(void)state;
	for (unsigned i = 0; i < BYTES; i++)
		data[i] = (uint8_t)intel_random();
	cl_mem a = clCreateBuffer(intel.context, 0, BYTES, NULL, &error);
	cl_mem b = clCreateBuffer(intel.context, CL_MEM_COPY_HOST_PTR, BYTES, data, &error);
	assert_int_equal(error, 0);
	error |= clEnqueueFillBuffer(intel.queue, a, &pattern, 4, 0, BYTES / 4 * 4, 0, NULL, NULL);
	error |= clEnqueueCopyBuffer(intel.queue, b, a, 13, 1001, 200003, 0, NULL, NULL);
	const size_t from[3] = { 3, 2, 1 }, to[3] = { 5, 7, 0 }, region[3] = { 33, 9, 2 };
	error |= clEnqueueCopyBufferRect(
		intel.queue, b, a, from, to, region, 100, 1000, 120, 2400, 0, NULL, NULL);
	error |= clEnqueueReadBuffer(intel.queue, a, CL_TRUE, 0, BYTES / 4 * 4, got, 0, NULL, NULL);
	assert_int_equal(error, 0);
	static uint8_t want[BYTES];
	for (unsigned i = 0; i < BYTES; i++)
		want[i] = (uint8_t)(pattern >> i % 4 * 8);
	memcpy(want + 1001, data + 13, 200003);
	for (size_t z = 0; z < 2; z++)
		for (size_t y = 0; y < 9; y++)
			memcpy(want + 5 + (7 + y) * 120 + z * 2400,
				data + 3 + (2 + y) * 100 + (1 + z) * 1000, 33);
	assert_memory_equal(got, want, BYTES / 4 * 4);
	clReleaseMemObject(a);
	clReleaseMemObject(b);
}

/* Last of all: the driver takes the device for lost from here on. */
static void unmapped_addresses_end_in_an_error(void **state)
{
	static int out[64];
	uint64_t address = UINT64_C(0x123456789000);

	(void)state;
	assert_int_equal(INTEL_RUN(&intel, "wild", 64, 64, BUFFER(out), VALUE(address)),
		CL_OUT_OF_RESOURCES);
}

#define VARIANT(test, variant)                                                                     \
	{                                                                                          \
#test " (" #variant ")", test, NULL, NULL, &variant_numbers[variant]               \
	}

int main(void)
{
	static unsigned variant_numbers[] = { PLAIN, UNOPTIMISED, SIMD8, SIMD16, SIMD32 };
	const struct CMUnitTest tests[] = {
		VARIANT(items_equal_the_host, SIMD8),
		VARIANT(items_equal_the_host, SIMD16),
		VARIANT(items_equal_the_host, SIMD32),
		VARIANT(items_equal_the_host, UNOPTIMISED),
		VARIANT(sub_groups_cooperate, SIMD8),
		VARIANT(sub_groups_cooperate, SIMD16),
		VARIANT(sub_groups_cooperate, SIMD32),
		VARIANT(items_equal_the_host, PLAIN),
		cmocka_unit_test(groups_share_memory_and_wait),
		cmocka_unit_test(ids_are_right),
		cmocka_unit_test(atomics_add_up),
		cmocka_unit_test(vectors_and_halves_move),
		cmocka_unit_test(math_is_close),
		cmocka_unit_test(kernels_print),
		cmocka_unit_test(transfers_and_fills_work),
		cmocka_unit_test(threads_wait_for_each_other),
		cmocka_unit_test(unmapped_addresses_end_in_an_error),
	};

	return INTEL_RUN_TESTS(tests, intel_begin);
}
