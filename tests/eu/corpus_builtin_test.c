// SPDX-License-Identifier: MIT
/*
 * Built-ins of OpenCL C that are not of numbers with a point, for vectors of every width and
 * scalars at every SIMD width: integer functions and conversions against what scalars give (which
 * corpus_int_test.c and corpus_convert_test.c compare with exact values), vector loads and stores,
 * asynchronous copies, shuffles, collectives and work-item functions against plain C. Through
 * Intel's compiler and driver on the device.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus_rows.h"
#include "corpus_text.h"
#include "cs/intel_group.h"

enum { N = 768, GROUP = 64, TYPES = 10, WIDTHS = 6, WAYS = 3 };

static uint8_t in[3][N * 16 + 64], out[N * 16 + 64], wanted[N * 16 + 64];

static const struct type {
	const char *name, *bits; /* its integer twin without sign */
	const char *wide;	 /* of twice the size, for upsample; NULL: none */
	unsigned size;
	bool is_float, is_signed;
} types[TYPES] = {
	{ "char", "uchar", "short", 1, false, true },
	{ "uchar", "uchar", "ushort", 1, false, false },
	{ "short", "ushort", "int", 2, false, true },
	{ "ushort", "ushort", "uint", 2, false, false },
	{ "int", "uint", "long", 4, false, true },
	{ "uint", "uint", "ulong", 4, false, false },
	{ "long", "ulong", NULL, 8, false, true },
	{ "ulong", "ulong", NULL, 8, false, false },
	{ "half", "ushort", NULL, 2, true, true },
	{ "float", "uint", NULL, 4, true, true },
};

static const unsigned widths[WIDTHS] = { 1, 2, 3, 4, 8, 16 };
static const unsigned simds[WAYS] = { 8, 16, 32 };
static const char *const ways[WAYS] = { "simd8", "simd16", "simd32" };

/* ---- programs ---- */

static void begin(const char *name, const char *bits, unsigned width)
{
	char w[12] = "";

	corpus_begin();
	if (width > 1)
		snprintf(w, sizeof w, "%u", width);
	corpus_put("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
		   "#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))\n"
		   "#define S %s\n#define T %s%s\n#define U %s%s\n#define AS_U(e) as_%s%s(e)\n"
		   "#define AS_T(e) as_%s%s(e)\n",
		name, name, w, bits, w, bits, w, name, w);
	if (width == 1)
		corpus_put("#define LOAD(p) p[i]\n#define STORE(v) o[i] = v\n");
	else
		corpus_put("#define LOAD(p) vload%s(i, p)\n#define STORE(v) vstore%s(v, i, o)\n", w,
			w);
}

static void build(unsigned simd)
{
	char options[64];

	snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIMD=%u", simd);
	corpus_build(options);
}

static void put_kernel(const char *name, const char *result, const char *body)
{
	corpus_put("WIDTH kernel void k_%s(global const S *a, global const S *b, global const S *c,"
		   " global %s *o) {\nsize_t i = get_global_id(0); T x = LOAD(a), y = LOAD(b),"
		   " z = LOAD(c); (void)x; (void)y; (void)z; %s; }\n",
		name, result, body);
}

static void run(const char *name, unsigned items, unsigned local)
{
	char kernel[64];

	snprintf(kernel, sizeof kernel, "k_%s", name);
	memset(out, 0xcd, sizeof out);
	assert_int_equal(INTEL_RUN(&intel, kernel, items, local, BUFFER(in[0]), BUFFER(in[1]),
				 BUFFER(in[2]), BUFFER(out)),
		0);
}

/* Notes the row, or says what differs. */
static unsigned compare(const char *builtin, const struct type *type, unsigned width,
	const char *way, unsigned bytes)
{
	char name[32];

	if (width > 1)
		snprintf(name, sizeof name, "%s%u", type->name, width);
	else
		snprintf(name, sizeof name, "%s", type->name);
	for (unsigned i = 0; i < bytes; i++)
		if (out[i] != wanted[i]) {
			print_error("%s, %s, %s: byte %u is %02x, should be %02x\n", builtin, name,
				way, i, out[i], wanted[i]);
			return 1;
		}
	corpus_row(builtin, name, way);
	return 0;
}

static void fill(const struct type *type)
{
	for (unsigned k = 0; k < 3; k++)
		for (unsigned i = 0; i < N * 2; i++) {
			uint64_t bits = (uint64_t)intel_random() << 32 | intel_random();
			float f = (float)(int32_t)bits / (float)(1u << (bits >> 40 & 31));
			if (type->is_float && type->size == 4)
				memcpy(&bits, &f, 4);
			else if (type->is_float) /* no NaN */
				bits &= 0xbbff;
			else if (i % 3)
				bits = (uint64_t)((int64_t)bits >> (bits & 63));
			memcpy(in[k] + i * type->size, &bits, type->size);
		}
}

/* ---- element by element ---- */

struct row {
	const char *name, *expression, *result; /* U, T or W (of twice the size) */
	unsigned sizes;				/* of operands, or-ed */
};

static const struct row rows[] = {
	{ "abs", "abs(x)", "U", 15 },
	{ "abs_diff", "abs_diff(x, y)", "U", 15 },
	{ "add_sat", "add_sat(x, y)", "T", 15 },
	{ "sub_sat", "sub_sat(x, y)", "T", 15 },
	{ "hadd", "hadd(x, y)", "T", 15 },
	{ "rhadd", "rhadd(x, y)", "T", 15 },
	{ "clamp", "clamp(x, min(y, z), max(y, z))", "T", 15 },
	{ "clz", "clz(x)", "T", 15 },
	{ "ctz", "ctz(x)", "T", 15 },
	{ "mad_hi", "mad_hi(x, y, z)", "T", 15 },
	{ "mad_sat", "mad_sat(x, y, z)", "T", 15 },
	{ "max", "max(x, y)", "T", 15 },
	{ "max__scalar", "max(x, (S)9)", "T", 15 },
	{ "min", "min(x, y)", "T", 15 },
	{ "min__scalar", "min(x, (S)9)", "T", 15 },
	{ "mul_hi", "mul_hi(x, y)", "T", 15 },
	{ "rotate", "rotate(x, y)", "T", 15 },
	{ "popcount", "popcount(x)", "T", 15 },
	{ "bitselect", "bitselect(x, y, z)", "T", 15 },
	{ "select", "select(x, y, AS_U((T)-(z & (S)1)))", "T", 15 },
	{ "mul24", "mul24(x >> 8, y >> 8)", "T", 4 },
	{ "mad24", "mad24(x >> 8, y >> 8, z)", "T", 4 },
	{ "upsample", "upsample(x, AS_U(y))", "W", 7 },
};

enum { ROWS = sizeof rows / sizeof *rows };

static bool has(const struct row *row, const struct type *type)
{
	return row->sizes & type->size;
}

/* The functions that no other test compares with their exact values. */
static void put_exact(const struct row *row, const struct type *type)
{
	for (unsigned i = 0; i < N; i++) {
		uint64_t x = 0, y = 0, z = 0;
		memcpy(&x, in[0] + i * type->size, type->size);
		memcpy(&y, in[1] + i * type->size, type->size);
		memcpy(&z, in[2] + i * type->size, type->size);
		if (!strcmp(row->name, "upsample")) {
			x = x << 8 * type->size | y;
			memcpy(wanted + 2 * i * type->size, &x, 2 * type->size);
			continue;
		}
		int64_t p = type->is_signed ? (int32_t)x >> 8 : (int64_t)(x >> 8);
		int64_t q = type->is_signed ? (int32_t)y >> 8 : (int64_t)(y >> 8);
		uint32_t product =
			(uint32_t)(p * q + (strcmp(row->name, "mad24") ? 0 : (int64_t)z));
		memcpy(wanted + 4 * i, &product, 4);
	}
}

static void put_rows(const struct type *type, unsigned width)
{
	begin(type->name, type->bits, width);
	for (unsigned k = 0; k < ROWS; k++) {
		const struct row *row = &rows[k];
		char body[96];
		if (!has(row, type))
			continue;
		snprintf(body, sizeof body, "STORE(%s)", row->expression);
		put_kernel(row->name,
			row->result[0] == 'U'	? type->bits
			: row->result[0] == 'W' ? type->wide
						: type->name,
			body);
	}
}

static void integers_of_all_widths(void **state)
{
	static uint8_t scalar[ROWS][N * 16];
	unsigned bad = 0;

	(void)state;
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned w = 0; w < WIDTHS + WAYS - 1 && !types[t].is_float; w++) {
			unsigned width = w < WAYS ? 1 : widths[w - WAYS + 1];
			if (w == 0)
				fill(&types[t]);
			put_rows(&types[t], width);
			build(w < WAYS ? simds[w] : 16);
			for (unsigned k = 0; k < ROWS; k++) {
				const struct type *type = &types[t];
				unsigned bytes =
					N * type->size * (rows[k].result[0] == 'W' ? 2 : 1);
				if (!has(&rows[k], type))
					continue;
				run(rows[k].name, N / width, 16);
				if (rows[k].sizes != 15)
					put_exact(&rows[k], type);
				else if (w)
					memcpy(wanted, scalar[k], bytes);
				else
					memcpy(scalar[k], out, bytes), memcpy(wanted, out, bytes);
				bad += compare(rows[k].name, type, width,
					w < WAYS ? ways[w] : "vector", bytes);
			}
		}
	assert_int_equal(bad, 0);
}

/* What is out of range is undefined, so that only saturated ones take every operand. */
static void conversions_of_all_widths(void **state)
{
	static uint8_t scalar[TYPES][N * 8];
	unsigned bad = 0;
	char name[32], body[64];

	(void)state;
	for (unsigned f = 0; f < TYPES; f++)
		for (unsigned w = 0; w < WIDTHS; w++) {
			const struct type *from = &types[f];
			char suffix[12] = "";
			if (widths[w] > 1)
				snprintf(suffix, sizeof suffix, "%u", widths[w]);
			else
				fill(from);
			begin(from->name, from->bits, widths[w]);
			for (unsigned t = 0; t < TYPES; t++) {
				const char *saturated = types[t].is_float ? "" : "_sat";
				snprintf(body, sizeof body, "STORE(convert_%s%s%s(x))",
					types[t].name, suffix, saturated);
				put_kernel(types[t].name, types[t].name, body);
			}
			build(16);
			for (unsigned t = 0; t < TYPES; t++) {
				unsigned bytes = N * types[t].size;
				run(types[t].name, N / widths[w], 16);
				if (w == 0)
					memcpy(scalar[t], out, bytes);
				memcpy(wanted, scalar[t], bytes);
				snprintf(name, sizeof name, "convert_%s", types[t].name);
				bad += w && compare(name, from, widths[w], "vector", bytes);
			}
		}
	assert_int_equal(bad, 0);
}

/* Same bits: between types of one size. */
static void bits_stay_as_they_are(void **state)
{
	unsigned bad = 0;
	char name[32], body[64];

	(void)state;
	for (unsigned f = 0; f < TYPES; f++)
		for (unsigned w = 0; w < WIDTHS; w++) {
			const struct type *from = &types[f];
			fill(from);
			begin(from->name, from->bits, widths[w]);
			for (unsigned t = 0; t < TYPES; t++) {
				char suffix[12] = "";
				if (types[t].size != from->size)
					continue;
				if (widths[w] > 1)
					snprintf(suffix, sizeof suffix, "%u", widths[w]);
				snprintf(body, sizeof body, "STORE(as_%s%s(x))", types[t].name,
					suffix);
				put_kernel(types[t].name, types[t].name, body);
			}
			build(16);
			memcpy(wanted, in[0], sizeof wanted);
			for (unsigned t = 0; t < TYPES; t++) {
				if (types[t].size != from->size)
					continue;
				run(types[t].name, N / widths[w], 16);
				snprintf(name, sizeof name, "as_%s", types[t].name);
				bad += compare(name, from, widths[w], "vector", N * from->size);
			}
		}
	assert_int_equal(bad, 0);
}

/* ---- memory ---- */

static void put_names(void)
{
	corpus_put("#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n");
	for (unsigned w = 1; w < WIDTHS; w++)
		corpus_put("#define S%u CAT(S, %u)\n", widths[w], widths[w]);
}

/* From a place that is aligned to one element only, through each kind of memory. */
static void put_memory(const struct type *type)
{
	begin(type->name, type->bits, 1);
	put_names();
	for (unsigned w = 1; w < WIDTHS; w++) {
		unsigned n = widths[w];
		corpus_put("WIDTH kernel void k_global%u(global const S *a, global const S *b,"
			   " constant S *c, global S *o) {\nsize_t i = get_global_id(0);"
			   " vstore%u(vload%u(i, a + 1), i, o + 1); }\n",
			n, n, n);
		corpus_put("WIDTH kernel void k_constant%u(constant S *a, global const S *b,"
			   " constant S *c, global S *o) {\nsize_t i = get_global_id(0);"
			   " vstore%u(vload%u(i, a + 1), i, o + 1); }\n",
			n, n, n);
		corpus_put("WIDTH kernel void k_local%u(global const S *a, global const S *b,"
			   " constant S *c, global S *o) {\nlocal S t[%u * 16 + 1];"
			   " size_t i = get_global_id(0), l = get_local_id(0);"
			   " vstore%u(vload%u(i, a + 1), l, t + 1); barrier(CLK_LOCAL_MEM_FENCE);"
			   " vstore%u(vload%u(l, t + 1), i, o + 1); }\n",
			n, n, n, n, n, n);
		corpus_put("WIDTH kernel void k_private%u(global const S *a, global const S *b,"
			   " constant S *c, global S *o) {\nS t[%u * 4 + 1];"
			   " size_t i = get_global_id(0); for (int k = 0; k < %u * 4 + 1; k++) "
			   "t[k] = 0;"
			   " vstore%u(vload%u(i, a + 1), i & 3, t + 1);"
			   " vstore%u(vload%u(i & 3, t + 1), i, o + 1); }\n",
			n, n, n, n, n, n, n);
		corpus_put(
			"WIDTH kernel void k_async%u(global const S *a, global const S *b,"
			" constant S *c, global S *o) {\nlocal S%u t[16], u[16];"
			" size_t l = get_local_id(0), g = get_group_id(0) * 16;"
			" event_t e = async_work_group_copy(t, (global const S%u *)a + g, 16, 0);"
			" wait_group_events(1, &e); u[l] = t[l]; barrier(CLK_LOCAL_MEM_FENCE);"
			" e = async_work_group_copy((global S%u *)o + g, u, 16, 0);"
			" wait_group_events(1, &e); }\n",
			n, n, n, n);
		corpus_put("WIDTH kernel void k_strided%u(global const S *a, global const S *b,"
			   " constant S *c, global S *o) {\nlocal S%u t[16], u[16];"
			   " size_t l = get_local_id(0), g = get_group_id(0);"
			   " size_t k = get_num_groups(0); event_t e ="
			   " async_work_group_strided_copy(t, (global const S%u *)a + g, 16, k, 0);"
			   " wait_group_events(1, &e); u[l] = t[l]; barrier(CLK_LOCAL_MEM_FENCE);"
			   " e = async_work_group_strided_copy((global S%u *)o + g, u, 16, k, 0);"
			   " wait_group_events(1, &e); prefetch((global const S%u *)a, 1); }\n",
			n, n, n, n, n);
	}
	corpus_put("WIDTH kernel void k_async1(global const S *a, global const S *b,"
		   " constant S *c, global S *o) {\nlocal S t[16];"
		   " event_t e = async_work_group_copy(t, a + get_group_id(0) * 16, 16, 0);"
		   " wait_group_events(1, &e);"
		   " e = async_work_group_copy(o + get_group_id(0) * 16, t, 16, 0);"
		   " wait_group_events(1, &e); }\n");
}

static void memory_of_all_kinds(void **state)
{
	static const char *const spaces[] = { "global", "constant", "local", "private" };
	char name[32];
	unsigned bad = 0;

	(void)state;
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned s = 0; s < WAYS; s++) {
			const struct type *type = &types[t];
			fill(type);
			put_memory(type);
			build(simds[s]);
			for (unsigned w = 0; w < WIDTHS; w++) {
				unsigned n = widths[w], items = N / n / 16 * 16;
				unsigned bytes = items * n * type->size;
				for (unsigned k = 0; w && k < 4; k++) {
					snprintf(name, sizeof name, "%s%u", spaces[k], n);
					run(name, items, 16);
					memset(wanted, 0xcd, type->size);
					memcpy(wanted + type->size, in[0] + type->size, bytes);
					snprintf(name, sizeof name, "vload%u__%s", n, spaces[k]);
					bad += compare(name, type, 1, ways[s], bytes + type->size);
					snprintf(name, sizeof name, "vstore%u__%s", n, spaces[k]);
					bad += compare(name, type, 1, ways[s], 0);
				}
				if (n == 3)
					items = N / 4 / 16 * 16, bytes = items * 4 * type->size;
				memcpy(wanted, in[0], bytes);
				snprintf(name, sizeof name, "async%u", n);
				run(name, items, 16);
				/* The fourth of three is nobody's. */
				for (unsigned i = 0; n == 3 && i < items; i++)
					memcpy(wanted + (i * 4 + 3) * type->size,
						out + (i * 4 + 3) * type->size, type->size);
				bad += compare("async_work_group_copy", type, n, ways[s], bytes);
				snprintf(name, sizeof name, "strided%u", n);
				if (w)
					run(name, items, 16);
				for (unsigned i = 0; n == 3 && i < items; i++)
					memcpy(wanted + (i * 4 + 3) * type->size,
						out + (i * 4 + 3) * type->size, type->size);
				if (w)
					bad += compare("async_work_group_strided_copy", type, n,
						ways[s], bytes);
			}
		}
	assert_int_equal(bad, 0);
}

/* ---- shuffles ---- */

static void shuffles(void **state)
{
	static const unsigned some[] = { 2, 4, 8, 16 };
	unsigned bad = 0;

	(void)state;
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned w = 0; w < 4; w++) {
			const struct type *type = &types[t];
			unsigned n = some[w];
			fill(type);
			begin(type->name, type->bits, n);
			put_kernel("one", type->name, "STORE(shuffle(x, AS_U(z)))");
			put_kernel("two", type->name, "STORE(shuffle2(x, y, AS_U(z)))");
			build(16);
			for (unsigned two = 0; two < 2; two++) {
				run(two ? "two" : "one", N / n, 16);
				for (unsigned i = 0; i < N; i++) {
					unsigned mask =
						in[2][i * type->size] & (two ? 2 * n - 1 : n - 1);
					unsigned from = i / n * n + mask % n;
					memcpy(wanted + i * type->size,
						in[mask / n] + from * type->size, type->size);
				}
				bad += compare(two ? "shuffle2" : "shuffle", type, n, "vector",
					N * type->size);
			}
		}
	assert_int_equal(bad, 0);
}

/* ---- collectives ---- */

static const char *const operations[] = { "add", "min", "max" };
static const char *const forms[] = { "reduce", "scan_inclusive", "scan_exclusive" };

/* Small numbers, which all types hold, also their sums. */
static double value_of(unsigned i)
{
	return (double)((i * 29 + i / 7) % 7 + 1);
}

static double identity(unsigned operation, const struct type *type)
{
	double highest = type->size == 8   ? (type->is_signed ? 0x1p63 : 0x1p64)
			 : type->is_signed ? 2147483647.0
					   : 4294967295.0;
	double lowest = type->size == 8 ? -0x1p63 : -2147483648.0;

	if (operation == 0)
		return 0;
	if (type->is_float)
		return operation == 1 ? (double)__builtin_inf() : -(double)__builtin_inf();
	return operation == 1 ? highest : type->is_signed ? lowest : 0;
}

static double combine(unsigned operation, double a, double b)
{
	return operation == 0 ? a + b : operation == 1 ? (a < b ? a : b) : (a > b ? a : b);
}

/* What item i of parts of `size` items gets. */
static double expect(
	unsigned form, unsigned operation, const struct type *type, unsigned i, unsigned size)
{
	unsigned first = i / size * size;
	unsigned end = form == 0 ? first + size : form == 1 ? i + 1 : i;
	double result = identity(operation, type);

	for (unsigned k = first; k < end; k++)
		result = combine(operation, result, value_of(k));
	return result;
}

static void put_collectives(const char *part, const char *type)
{
	for (unsigned f = 0; f < 3; f++)
		for (unsigned o = 0; o < 3; o++)
			corpus_put("WIDTH kernel void %s_%s_%s(global %s *o) { uint i = "
				   "get_global_id(0);"
				   " o[i] = %s_group_%s_%s((%s)((i * 29 + i / 7) %% 7 + 1)); }\n",
				part, forms[f], operations[o], type, part, forms[f], operations[o],
				type);
	corpus_put("WIDTH kernel void %s_broadcast(global %s *o) { uint i = get_global_id(0);"
		   " o[i] = %s_group_broadcast((%s)((i * 29 + i / 7) %% 7 + 1), 5); }\n",
		part, type, part, type);
}

static unsigned check_collective(const struct type *type, const char *part, unsigned s,
	const char *what, unsigned f, unsigned o)
{
	unsigned size = !strcmp(part, "work") ? GROUP : simds[s];
	char name[64];

	snprintf(name, sizeof name, "%s_%s", part, what);
	memset(out, 0xcd, sizeof out);
	assert_int_equal(INTEL_RUN(&intel, name, 256, GROUP, BUFFER(out)), 0);
	for (unsigned i = 0; i < 256; i++) {
		double want = f == 3 ? value_of(i / size * size + 5) : expect(f, o, type, i, size);
		int64_t whole = want >= 0x1p63 ? (type->is_signed ? INT64_MAX : -1) : (int64_t)want;
		__extension__ _Float16 half = (_Float16)want;
		float f32 = (float)want;
		memcpy(wanted + i * type->size,
			!type->is_float	  ? (void *)&whole
			: type->size == 2 ? (void *)&half
					  : &f32,
			type->size);
	}
	snprintf(name, sizeof name, "%s_group_%s", part, what);
	return compare(name, type, 1, ways[s], 256 * type->size);
}

static void collectives(void **state)
{
	static const char *const parts[] = { "work", "sub" };
	unsigned bad = 0;
	char what[32];

	(void)state;
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned s = 0; s < WAYS && types[t].size * 2u >= 4; s++) {
			const struct type *type = &types[t];
			if (type->size == 2 && !type->is_float)
				continue;
			begin(type->name, type->bits, 1);
			put_collectives("work", type->name);
			put_collectives("sub", type->name);
			build(simds[s]);
			for (unsigned p = 0; p < 2; p++) {
				for (unsigned f = 0; f < 3; f++)
					for (unsigned o = 0; o < 3; o++) {
						snprintf(what, sizeof what, "%s_%s", forms[f],
							operations[o]);
						bad += check_collective(
							type, parts[p], s, what, f, o);
					}
				bad += check_collective(type, parts[p], s, "broadcast", 3, 0);
			}
		}
	assert_int_equal(bad, 0);
}

/* ---- work-item functions ---- */

static const char *const items[] = { "get_work_dim()", "get_global_size(0)", "get_global_size(1)",
	"get_global_id(0)", "get_global_id(1)", "get_local_size(0)", "get_local_size(1)",
	"get_enqueued_local_size(0)", "get_local_id(0)", "get_local_id(1)", "get_num_groups(0)",
	"get_num_groups(1)", "get_group_id(0)", "get_group_id(1)", "get_global_offset(0)",
	"get_global_offset(1)", "get_global_linear_id()", "get_local_linear_id()",
	"get_sub_group_size()", "get_max_sub_group_size()", "get_num_sub_groups()",
	"get_enqueued_num_sub_groups()", "get_sub_group_id()", "get_sub_group_local_id()",
	"work_group_all(get_local_id(0) < 31)", "work_group_all(get_local_id(0) < 32)",
	"work_group_any(get_local_id(0) == 31)", "work_group_any(get_local_id(0) == 32)",
	"sub_group_all(get_sub_group_local_id() < 7)",
	"sub_group_all(get_sub_group_local_id() < 32)",
	"sub_group_any(get_sub_group_local_id() == 7)",
	"sub_group_any(get_sub_group_local_id() == 32)" };

enum { ITEMS = sizeof items / sizeof *items };

/* 64 x 4 items in groups of 32 x 2, from (5, 7) on. */
static unsigned item_value(unsigned which, unsigned x, unsigned y, unsigned simd)
{
	unsigned lx = x % 32, ly = y % 2, local = ly * 32 + lx;
	const unsigned values[ITEMS] = { 2, 64, 4, x + 5, y + 7, 32, 2, 32, lx, ly, 2, 2, x / 32,
		y / 2, 5, 7, y * 64 + x, local, simd, simd, 64 / simd, 64 / simd, local / simd,
		local % simd, 0, 1, 1, 0, 0, 1, 1, 0 };

	return values[which];
}

static void work_items(void **state)
{
	static uint32_t got[256 * ITEMS];
	const size_t offset[] = { 5, 7 }, global[] = { 64, 4 }, local[] = { 32, 2 };

	(void)state;
	for (unsigned s = 0; s < WAYS; s++) {
		const struct intel_argument argument = BUFFER(got);
		begin("uint", "uint", 1);
		corpus_put("WIDTH kernel void all(global uint *o) {"
			   " o += get_global_linear_id() * %u;\n",
			ITEMS);
		for (unsigned k = 0; k < ITEMS; k++)
			corpus_put("o[%u] = (uint)(%s) %s;\n", k, items[k], k < 24 ? "" : "!= 0");
		corpus_put("}\n");
		build(simds[s]);
		memset(got, 0xcd, sizeof got);
		assert_int_equal(
			intel_run(&intel, "all", 2, offset, global, local, 1, &argument), 0);
		for (unsigned k = 0; k < ITEMS; k++) {
			char name[64];
			for (unsigned i = 0; i < 256; i++) {
				unsigned want = item_value(k, i % 64, i / 64, simds[s]);
				if (got[i * ITEMS + k] != want)
					fail_msg("%s of item %u: %u, should be %u", items[k], i,
						got[i * ITEMS + k], want);
			}
			snprintf(name, sizeof name, "%.*s", (int)strcspn(items[k], "("), items[k]);
			corpus_row(name, "-", ways[s]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_of_all_widths),
		cmocka_unit_test(conversions_of_all_widths),
		cmocka_unit_test(bits_stay_as_they_are),
		cmocka_unit_test(memory_of_all_kinds),
		cmocka_unit_test(shuffles),
		cmocka_unit_test(collectives),
		cmocka_unit_test(work_items),
	};

	return INTEL_RUN_TESTS(tests, intel_begin);
}
