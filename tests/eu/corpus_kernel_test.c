// SPDX-License-Identifier: MIT
/*
 * Whole kernels through Intel's compiler and driver on the device, in all the ways to compile them,
 * against PoCL, which runs the same source on the host; atomics against plain C.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus_rows.h"
#include "cs/intel_group.h"
#include "test.h"

enum { N = 1024, CELLS = 16 };

static struct intel pocl;
static uint32_t in[N], out[N];

static const char *const names[] = { "switches", "deep_loops", "early_return", "calls",
	"private_arrays", "private_bytes", "spills", "structs", "constants", "program_scope",
	"generic_pointers", "async_copies", "local_uchar", "local_ushort", "local_uint",
	"local_ulong", "loads_and_stores", "shuffles", "relations", "geometry", "parts_of_floats",
	"half_memory", "wide_integers" };

enum { KERNELS = sizeof names / sizeof *names };

static uint32_t wanted[KERNELS][N];

static void run(struct intel *cl, unsigned kernel, uint32_t *result)
{
	cl_uint n = N;

	memset(out, 0xcd, sizeof out);
	assert_int_equal(INTEL_RUN(cl, names[kernel], N, 64, BUFFER(in), BUFFER(out), VALUE(n)), 0);
	memcpy(result, out, sizeof out);
}

/* In plain C: PoCL 3.1 has another idea of local memory behind an asynchronous copy. */
static void copy_of_async_copies(uint32_t *result)
{
	for (unsigned i = 0; i < N; i++) {
		unsigned base = i & ~63u, l = i & 63;
		result[i] = in[base + 63 - l] ^ in[base % (N / 4) + 3 * l] * 3 ^
			    (uint8_t)(in[base + (l * 5 & 63)] + 1);
	}
}

static int open_both(void **state)
{
	for (unsigned i = 0; i < N; i++)
		in[i] = intel_random() >> (i % 5 == 4 ? 20 : 0);
	intel_begin(state);
	intel_open_platform(&pocl, "Portable Computing Language");
	intel_build_file(&pocl, "kernels.cl", "-cl-std=CL1.2");
	for (unsigned k = 0; k < KERNELS; k++)
		if (strcmp(names[k], "async_copies") != 0)
			run(&pocl, k, wanted[k]);
		else
			copy_of_async_copies(wanted[k]);
	return 0;
}

static int close_both(void **state)
{
	intel_close(&pocl);
	return intel_end(state);
}

/* The native code of the program, with a zero behind it; the caller frees it. */
static char *native_code(size_t *size)
{
	char *code;

	assert_int_equal(
		clGetProgramInfo(intel.program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL),
		0);
	code = calloc(1, *size + 1);
	assert_non_null(code);
	assert_int_equal(
		clGetProgramInfo(intel.program, CL_PROGRAM_BINARIES, sizeof code, &code, NULL), 0);
	return code;
}

/* The first `text` in a string, which may be NULL; NULL if there is none. */
static const char *find(const char *string, const char *text)
{
	return string ? strstr(string, text) : NULL;
}

/*
 * Whether the kernel has calls through the stack, to functions with fewer channels than itself: the
 * channels beyond have no result then. Newer compilers make functions that are called by pointer
 * for SIMD8, whatever calls them, and .ze_info says so. (Patch tokens do not.)
 */
static bool calls_narrower(const char *code, size_t size, const char *name)
{
	static const char width[] = "\n      simd_size: ";
	const char *info = memmem(code, size, "\nkernels:\n", 10), *kernel, *end, *calls, *function;
	char line[64];
	int of_kernel, of_function;

	snprintf(line, sizeof line, "\n  - name:            %s\n", name);
	kernel = find(info, line);
	end = kernel ? find(kernel + 1, "\n  - name: ") : NULL;
	calls = find(kernel, "\n      has_stack_calls: true\n");
	function = find(find(info, "\nfunctions:\n"), width);
	kernel = find(kernel, width);
	return end && calls && calls < end && kernel && kernel < end && function &&
	       sscanf(kernel + sizeof width - 1, "%d", &of_kernel) == 1 &&
	       sscanf(function + sizeof width - 1, "%d", &of_function) == 1 &&
	       of_function < of_kernel;
}

static void kernels_equal_pocl(void **state)
{
	static uint32_t got[N];
	unsigned bad = 0;
	char *code;
	size_t size;

	intel_build_file(&intel, "kernels.cl", *state);
	code = native_code(&size);
	for (unsigned k = 0; k < KERNELS; k++) {
		unsigned different = 0;
		/* The compiler drops stores to a structure that a called function returns. */
		if (getenv("IGC_FunctionControl") && !strcmp(names[k], "structs"))
			continue;
		if (calls_narrower(code, size, names[k])) {
			test_lacks("functions that are called, with the channels of the kernel");
			continue;
		}
		run(&intel, k, got);
		for (unsigned i = 0; i < N; i++)
			if (got[i] != wanted[k][i] && different++ < 3)
				print_error("%s, item %u of 0x%08x: 0x%08x, PoCL has 0x%08x\n",
					names[k], i, in[i], got[i], wanted[k][i]);
		bad += different != 0;
	}
	free(code);
	assert_int_equal(bad, 0);
}

/* What the 16 cells hold when the first `count` items have been there; what they got, in all. */
static uint32_t expect(uint32_t *t, unsigned count)
{
	uint32_t got = 0;

	for (unsigned i = 0; i < count; i++) {
		uint32_t x = in[i];
		t[0] += x;
		t[1] -= x;
		t[2]++;
		t[3]--;
		t[4] = (int32_t)x < (int32_t)t[4] ? x : t[4];
		t[5] = (int32_t)x > (int32_t)t[5] ? x : t[5];
		t[6] &= x | 0xff00ff00;
		t[7] |= x & 0x00f0f0f0;
		t[8] ^= x;
		t[9] = x < t[9] ? x : t[9];
		t[10] = x > t[10] ? x : t[10];
		got += t[11]++;
		got += (uint32_t)(t[12] == 7) << 20;
		t[12] = 7;
		got += (uint32_t)(t[13] == 0) << 24;
		t[13] = 1;
		got += t[14];
		t[14] += 2;
	}
	return got;
}

static void start_cells(uint32_t *t)
{
	for (unsigned i = 0; i < CELLS; i++)
		t[i] = i == 4 ? 1 << 30 : i == 5 ? 0x80000000u : i == 6 || i == 9 ? 0xffffffff : 0;
}

static void check_atomics(const char *kernel, unsigned items, unsigned local, unsigned groups)
{
	uint32_t t[CELLS], sum[1] = { 0 }, want[CELLS], want_sum = 0;

	start_cells(t);
	start_cells(want);
	assert_int_equal(
		INTEL_RUN(&intel, kernel, items, local, BUFFER(in), BUFFER(t), BUFFER(sum)), 0);
	want_sum = expect(want, groups ? local : items);
	for (unsigned i = 0; i < CELLS; i++)
		if (t[i] != want[i])
			fail_msg("%s: cell %u is 0x%x, should be 0x%x", kernel, i, t[i], want[i]);
	if (!groups || groups == 1)
		assert_int_equal(sum[0], want_sum);
}

/* Rows of built-ins, with blanks between, that the kernels of a test call. */
static void note(const char *builtins, const char *type, const char *options)
{
	const char *simd = strstr(options, "SIMD=");
	char way[16], name[64];
	int length;

	if (!simd)
		return;
	snprintf(way, sizeof way, "simd%.2s", simd + 5);
	way[strcspn(way, " ")] = 0;
	for (; sscanf(builtins, " %63s%n", name, &length) == 1; builtins += length)
		corpus_row(name, type, way);
}

static void note_atomics(const char *options)
{
	note("atomic_add atomic_sub atomic_inc atomic_dec atomic_min atomic_max atomic_and "
	     "atomic_or atomic_xor atomic_xchg atomic_cmpxchg",
		"int", options);
	note("atomic_min atomic_max atomic_add", "uint", options);
	if (!strstr(options, "C11"))
		return;
	note("atomic_init atomic_load atomic_store atomic_exchange atomic_compare_exchange_strong "
	     "atomic_compare_exchange_weak atomic_fetch_add atomic_fetch_sub atomic_fetch_and "
	     "atomic_fetch_or atomic_fetch_xor atomic_fetch_min atomic_fetch_max "
	     "atomic_fetch_add_explicit atomic_fetch_sub_explicit atomic_load_explicit "
	     "atomic_store_explicit",
		"int", options);
	note("barrier work_group_barrier atomic_work_item_fence", "-", options);
}

static void atomics_add_up(void **state)
{
	intel_build_file(&intel, "atomics.cl", *state);
	check_atomics("old_global", N, 128, 0);
	check_atomics("old_global", N - 24, 8, 0);
	check_atomics("old_local", 256, 256, 1);
	check_atomics("old_local", 64, 64, 1);
	if (!strstr(*state, "C11"))
		return;
	check_atomics("new_global", N, 128, 0);
	check_atomics("new_local", 256, 256, 1);
	uint32_t t[CELLS] = { 0 }, sum[1] = { 0 };
	assert_int_equal(
		INTEL_RUN(&intel, "flags", 1024, 256, BUFFER(in), BUFFER(t), BUFFER(sum)), 0);
	assert_int_equal(t[15], 4 * 256 / 32);
	assert_int_equal(sum[0], 4);
	note_atomics(*state);
}

#define WITH(test, options)                                                                        \
	{                                                                                          \
#test " " options, test, NULL, NULL, (void *)(uintptr_t)options                    \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -DSIMD=8"),
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -DSIMD=16"),
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -DSIMD=32"),
		WITH(kernels_equal_pocl, "-cl-std=CL1.2"),
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -cl-opt-disable -DSIMD=8"),
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -cl-opt-disable -DSIMD=16"),
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -cl-opt-disable -DSIMD=32"),
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -g -DSIMD=8"),
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -g -DSIMD=16"),
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -g -DSIMD=32"),
		WITH(kernels_equal_pocl,
			"-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required -DSIMD=8"),
		WITH(kernels_equal_pocl,
			"-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required -DSIMD=16"),
		WITH(kernels_equal_pocl,
			"-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required -DSIMD=32"),
		WITH(kernels_equal_pocl, "-cl-std=CL3.0 -cl-intel-256-GRF-per-thread"),
		WITH(atomics_add_up, "-cl-std=CL3.0 -DC11 -DSIMD=8"),
		WITH(atomics_add_up, "-cl-std=CL3.0 -DC11 -DSIMD=16"),
		WITH(atomics_add_up, "-cl-std=CL3.0 -DC11 -DSIMD=32"),
		WITH(atomics_add_up, "-cl-std=CL3.0 -DC11 -cl-opt-disable"),
		WITH(atomics_add_up,
			"-cl-std=CL3.0 -DC11 -cl-intel-greater-than-4GB-buffer-required"),
		WITH(atomics_add_up, "-cl-std=CL1.2"),
	};

	return cmocka_run_group_tests(tests, open_both, close_both);
}
