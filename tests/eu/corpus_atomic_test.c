// SPDX-License-Identifier: MIT
/*
 * Every atomic built-in of OpenCL C, old, of 64 bits and of C11, for every type, in global and in
 * local memory, where several items want the same cell; with the old value and without. Through
 * Intel's compiler and driver on the device. Of the old values all is asked that there is to ask:
 * that there is an order of the operations in which each found what the one before it had left.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "corpus_rows.h"
#include "corpus_text.h"
#include "cs/intel_group.h"

enum { CELLS = 7, PLAIN = 8, ROOM = 16, GROUP = 64, GROUPS = 7, N = GROUP * GROUPS, WAYS = 3 };

static const struct type {
	const char *name, *atomic;
	unsigned size, bit;
	bool is_float, is_signed;
} types[] = {
	{ "int", "atomic_int", 4, 1, false, true },
	{ "uint", "atomic_uint", 4, 2, false, false },
	{ "long", "atomic_long", 8, 4, false, true },
	{ "ulong", "atomic_ulong", 8, 8, false, false },
	{ "float", "atomic_float", 4, 16, true, true },
	{ "-", "atomic_flag", 4, 32, false, true },
};

enum { INTS = 3, LONGS = 12, WHOLE = 15, FLOAT = 16, FLAG = 32 };

/* What becomes of a cell that has `old`, of operands v and e. */
enum effect { ADD, SUB, INC, DEC, MIN, MAX, AND, OR, XOR, SWAP, CAS, LOAD, STORE };

static const struct operation {
	const char *name, *call; /* over p, v, e; has the old value */
	enum effect effect;
	unsigned types;
	bool is_new; /* C11's */
} operations[] = {
#define OLD(name, call, effect, types)                                                             \
	{                                                                                          \
		"atom" name, "atom" name call, effect, types, false                                \
	}
	OLD("ic_add", "(p, v)", ADD, INTS),
	OLD("ic_sub", "(p, v)", SUB, INTS),
	OLD("ic_inc", "(p)", INC, INTS),
	OLD("ic_dec", "(p)", DEC, INTS),
	OLD("ic_min", "(p, v)", MIN, INTS),
	OLD("ic_max", "(p, v)", MAX, INTS),
	OLD("ic_and", "(p, v)", AND, INTS),
	OLD("ic_or", "(p, v)", OR, INTS),
	OLD("ic_xor", "(p, v)", XOR, INTS),
	OLD("ic_xchg", "(p, v)", SWAP, INTS | FLOAT),
	OLD("ic_cmpxchg", "(p, e, v)", CAS, INTS),
	OLD("_add", "(p, v)", ADD, WHOLE),
	OLD("_sub", "(p, v)", SUB, WHOLE),
	OLD("_inc", "(p)", INC, WHOLE),
	OLD("_dec", "(p)", DEC, WHOLE),
	OLD("_min", "(p, v)", MIN, WHOLE),
	OLD("_max", "(p, v)", MAX, WHOLE),
	OLD("_and", "(p, v)", AND, WHOLE),
	OLD("_or", "(p, v)", OR, WHOLE),
	OLD("_xor", "(p, v)", XOR, WHOLE),
	OLD("_xchg", "(p, v)", SWAP, WHOLE),
	OLD("_cmpxchg", "(p, e, v)", CAS, WHOLE),
#define ORDER "memory_order_"
#define SCOPE ", memory_scope_"
#define NEW(name, operands, order, effect, types)                                                  \
	{ "atomic_" name, "atomic_" name "(" operands ")", effect, types, true },                  \
	{                                                                                          \
		"atomic_" name "_explicit", "atomic_" name "_explicit(" operands ", " order ")",   \
			effect, types, true                                                        \
	}
	NEW("fetch_add", "p, v", ORDER "relaxed" SCOPE "work_group", ADD, WHOLE),
	NEW("fetch_sub", "p, v", ORDER "acq_rel", SUB, WHOLE),
	NEW("fetch_min", "p, v", ORDER "acquire" SCOPE "device", MIN, WHOLE | FLOAT),
	NEW("fetch_max", "p, v", ORDER "release" SCOPE "device", MAX, WHOLE | FLOAT),
	NEW("fetch_and", "p, v", ORDER "seq_cst" SCOPE "all_svm_devices", AND, WHOLE),
	NEW("fetch_or", "p, v", ORDER "relaxed", OR, WHOLE),
	NEW("fetch_xor", "p, v", ORDER "acq_rel" SCOPE "device", XOR, WHOLE),
	NEW("exchange", "p, v", ORDER "acq_rel" SCOPE "device", SWAP, WHOLE | FLOAT),
	NEW("load", "p", ORDER "acquire" SCOPE "device", LOAD, WHOLE | FLOAT),
	NEW("flag_test_and_set", "p", ORDER "acq_rel" SCOPE "device", SWAP, FLAG),
#define NONE(name, operands, effect, types)                                                        \
	{                                                                                          \
		name, "({ " name "(" operands "); v; })", effect, types, true                      \
	}
	NONE("atomic_init", "p, v", STORE, WHOLE | FLOAT),
	NONE("atomic_store", "p, v", STORE, WHOLE | FLOAT),
	NONE("atomic_store_explicit", "p, v, memory_order_release, memory_scope_device", STORE,
		WHOLE | FLOAT),
	NONE("atomic_flag_clear", "p", STORE, FLAG),
	NONE("atomic_flag_clear_explicit", "p, memory_order_release, memory_scope_work_group",
		STORE, FLAG),
/*
 * What it says and what it leaves in w must agree: 77 is in no cell. Not of floats, with which the
 * compiler (its translator to SPIR-V) fails an assertion.
 */
#define COMPARE(name, more)                                                                        \
	{                                                                                          \
		name,                                                                              \
			"({ T w = e; bool ok = " name "(p, &w, v" more                             \
			"); ok == (w == e) ? w : (T)77; })",                                       \
			CAS, WHOLE, true                                                           \
	}
	COMPARE("atomic_compare_exchange_strong", ""),
	COMPARE("atomic_compare_exchange_weak", ""),
	COMPARE("atomic_compare_exchange_strong_explicit",
		", memory_order_seq_cst, memory_order_relaxed, memory_scope_device"),
	COMPARE("atomic_compare_exchange_weak_explicit",
		", memory_order_acq_rel, memory_order_acquire"),
};

enum { COUNT = sizeof operations / sizeof *operations, TYPES = sizeof types / sizeof *types };

static bool has(const struct operation *operation, const struct type *type)
{
	return operation->types & type->bit;
}

/* ---- programs ---- */

static void put_macros(const struct type *type)
{
	bool is_flag = type->bit == FLAG;

	corpus_begin();
	corpus_put("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
		   "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
		   "#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))\n#define T %s\n",
		is_flag ? "int" : type->name);
	if (is_flag)
		corpus_put("#define START(p, s) do { if (s) atomic_flag_test_and_set(p); else"
			   " atomic_flag_clear(p); } while (0)\n"
			   "#define END(p) atomic_flag_test_and_set(p)\n");
	else
		corpus_put(
			"#define START(p, s) atomic_init(p, s)\n#define END(p) atomic_load(p)\n");
}

/* The cells of `rest` are the groups' local ones; of either, the second half gives nothing back. */
static void put_kernel(const struct operation *operation, const struct type *type)
{
	const char *cell = operation->is_new ? type->atomic : type->name;

	corpus_put(
		"#define OP(space, cells, k) ({ volatile space %s *p = &cells[k]; %s; })\n"
		"WIDTH kernel void k_%s(volatile global %s *t, global const T *in, global T *out,"
		" global T *rest) {\n local %s l[%d]; size_t n = get_global_size(0),"
		" i = get_global_id(0), m = get_local_id(0); T v = in[i], e = in[n + i]; (void)e;\n"
		" if (m < %d) { %s }\n barrier(CLK_LOCAL_MEM_FENCE);\n"
		" out[i] = OP(global, t, i %% %d); (void)OP(global, t, %d + i %% %d);\n"
		" out[n + i] = OP(local, l, m %% %d); (void)OP(local, l, %d + m %% %d);\n"
		" barrier(CLK_LOCAL_MEM_FENCE);\n"
		" if (m < %d) rest[get_group_id(0) * %d + m] = %s; }\n#undef OP\n",
		cell, operation->call, operation->name, cell, cell, ROOM, ROOM,
		operation->is_new ? "START(&l[m], in[2 * n + m]);" : "l[m] = in[2 * n + m];", CELLS,
		PLAIN, CELLS, CELLS, PLAIN, CELLS, ROOM, ROOM,
		operation->is_new ? "END(&l[m])" : "l[m]");
}

/* ---- operands and results ---- */

static uint8_t in[(2 * N + ROOM) * 8], out[2 * N * 8], cells[ROOM * 8], rest[GROUPS * ROOM * 8];

static uint64_t value(const struct type *type, const uint8_t *bytes, unsigned i)
{
	uint64_t bits = 0;

	memcpy(&bits, bytes + (size_t)i * type->size, type->size);
	return bits;
}

static uint64_t of_float(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static float as_float(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float f;

	memcpy(&f, &low, 4);
	return f;
}

static void fill(const struct operation *operation, const struct type *type)
{
	for (unsigned i = 0; i < 2 * N + ROOM; i++) {
		uint64_t bits = (uint64_t)intel_random() << 32 | intel_random();
		if (operation->effect == CAS)
			bits &= 3;
		else if (operation->effect == MIN || operation->effect == MAX)
			bits = (uint64_t)((int64_t)bits >> (bits & 7) * (type->size == 8 ? 9 : 4));
		if (type->is_float)
			bits = of_float(
				operation->effect == CAS ? (float)bits : (float)(int32_t)bits / 64);
		if (type->bit == FLAG) /* from clear to set, or the other way */
			bits = (operation->effect == SWAP) == (i < 2 * N);
		memcpy(in + (size_t)i * type->size, &bits, type->size);
	}
	memcpy(cells, in + 2 * N * (size_t)type->size, (size_t)ROOM * type->size);
	memset(out, 0xcd, sizeof out);
	memset(rest, 0xcd, sizeof rest);
}

static bool less(const struct type *type, uint64_t a, uint64_t b)
{
	if (type->is_float)
		return as_float(a) < as_float(b);
	if (type->is_signed)
		return type->size == 8 ? (int64_t)a < (int64_t)b : (int32_t)a < (int32_t)b;
	return a < b;
}

static uint64_t after(
	enum effect effect, const struct type *type, uint64_t old, uint64_t v, uint64_t e)
{
	uint64_t mask = type->size == 8 ? UINT64_MAX : UINT32_MAX;

	switch (effect) {
	case ADD:
		return (old + v) & mask;
	case SUB:
		return (old - v) & mask;
	case INC:
		return (old + 1) & mask;
	case DEC:
		return (old - 1) & mask;
	case MIN:
		return less(type, v, old) ? v : old;
	case MAX:
		return less(type, old, v) ? v : old;
	case AND:
		return old & v;
	case OR:
		return old | v;
	case XOR:
		return old ^ v;
	case CAS:
		return old == e ? v : old;
	case LOAD:
		return old;
	case SWAP:
	case STORE:
		break;
	}
	return v;
}

/* One step of a cell: from what it was to what it became. */
struct step {
	uint64_t from, to;
};

static bool take(uint64_t *values, unsigned *count, uint64_t wanted)
{
	for (unsigned i = 0; i < *count; i++)
		if (values[i] == wanted) {
			values[i] = values[--*count];
			return true;
		}
	return false;
}

/*
 * Whether the steps can be put in a row from `start` to `end`: each value is left as often as it is
 * come to, and all can be reached (a path of Euler's).
 */
static bool can_be_ordered(const struct step *steps, unsigned count, uint64_t start, uint64_t end)
{
	uint64_t come[N + 1] = { start }, seen[N + 1] = { start };
	unsigned n_come = 1, n_seen = 1;
	bool done[N] = { false };

	for (unsigned i = 0; i < count; i++)
		come[n_come++] = steps[i].to;
	for (unsigned i = 0; i < count; i++)
		if (!take(come, &n_come, steps[i].from))
			return false;
	if (come[0] != end)
		return false;
	for (bool more = true; more;) {
		more = false;
		for (unsigned i = 0; i < count; i++)
			for (unsigned k = 0; k < n_seen && !done[i]; k++)
				if (seen[k] == steps[i].from) {
					seen[n_seen++] = steps[i].to;
					done[i] = more = true;
				}
	}
	return n_seen == count + 1;
}

/* A cell whose operations gave nothing back, among items first, first + CELLS … up to end. */
static bool end_is_right(const struct operation *operation, const struct type *type, unsigned first,
	unsigned last, uint64_t start, uint64_t end)
{
	enum effect effect = operation->effect;
	bool found = effect == CAS && end == start;
	uint64_t at = start;

	for (unsigned i = first; i < last; i += CELLS) {
		uint64_t v = value(type, in, i);
		at = after(effect, type, at, v, value(type, in, N + i));
		found |= end == v;
	}
	return effect == SWAP || effect == STORE || effect == CAS ? found : at == end;
}

/* The two cells k of items [first, last), which start as in `in` says and end as in `ends`. */
static bool cell_is_right(const struct operation *operation, const struct type *type,
	const uint8_t *olds, unsigned k, unsigned first, unsigned last, const uint8_t *ends)
{
	struct step steps[N];
	unsigned count = 0;
	uint64_t start = value(type, in, 2 * N + k), end = value(type, ends, k);

	if (!end_is_right(operation, type, first + k, last, value(type, in, 2 * N + PLAIN + k),
		    value(type, ends, PLAIN + k)))
		return false;
	if (operation->effect == STORE)
		return end_is_right(operation, type, first + k, last, start, end);
	for (unsigned i = first + k; i < last; i += CELLS, count++) {
		steps[count].from = value(type, olds, i);
		steps[count].to = after(operation->effect, type, steps[count].from,
			value(type, in, i), value(type, in, N + i));
	}
	return can_be_ordered(steps, count, start, end);
}

static unsigned check(const struct operation *operation, const struct type *type)
{
	const uint8_t *locals = out + (size_t)N * type->size;
	unsigned bad = 0;

	for (unsigned k = 0; k < CELLS; k++) {
		bool right = cell_is_right(operation, type, out, k, 0, N, cells);
		if (!right)
			print_error("%s, %s: cell %u of global memory is wrong\n", operation->name,
				type->name, k);
		bad += !right;
		for (unsigned g = 0; g < GROUPS; g++) {
			right = cell_is_right(operation, type, locals, k, g * GROUP,
				(g + 1) * GROUP, rest + (size_t)g * ROOM * type->size);
			if (!right)
				print_error("%s, %s: cell %u of group %u is wrong\n",
					operation->name, type->name, k, g);
			bad += !right;
		}
	}
	return bad;
}

static void run(const struct operation *operation, const struct type *type, const char *way)
{
	const size_t size = type->size;
	const struct intel_argument arguments[] = {
		{ INTEL_BUFFER, cells, ROOM * size },
		{ INTEL_BUFFER, in, (2 * N + ROOM) * size },
		{ INTEL_BUFFER, out, 2 * N * size },
		{ INTEL_BUFFER, rest, GROUPS * ROOM * size },
	};
	char kernel[64];

	snprintf(kernel, sizeof kernel, "k_%s", operation->name);
	fill(operation, type);
	assert_int_equal(
		intel_run(&intel, kernel, 1, NULL, RANGE(N), RANGE(GROUP), 4, arguments), 0);
	if (check(operation, type))
		fail_msg("%s, %s, %s", operation->name, type->name, way);
	corpus_row(operation->name, type->name, way);
}

static void atomics(void **state)
{
	const struct type *type = *state;
	static const unsigned simds[WAYS] = { 8, 16, 32 };
	char options[256], way[16];

	put_macros(type);
	for (unsigned k = 0; k < COUNT; k++)
		if (has(&operations[k], type))
			put_kernel(&operations[k], type);
	for (unsigned s = 0; s < WAYS; s++) {
		/* The driver does not tell of the last, but the compiler has them. */
		snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIMD=%u%s", simds[s],
			type->is_float ? " -D__opencl_c_ext_fp32_global_atomic_min_max"
					 " -D__opencl_c_ext_fp32_local_atomic_min_max"
				       : "");
		snprintf(way, sizeof way, "simd%u", simds[s]);
		corpus_build(options);
		for (unsigned k = 0; k < COUNT; k++)
			if (has(&operations[k], type)) {
				intel_choose("stencil");
				run(&operations[k], type, way);
				intel_choose(NULL);
				run(&operations[k], type, way);
			}
	}
}

/* What one item wrote another reads, behind each of the fences. */
static void fences(void **state)
{
	static const char *const names[] = { "sub_group_barrier", "mem_fence", "read_mem_fence",
		"write_mem_fence", "wait_group_events", "prefetch" };
	const char *source = "WIDTH kernel void pass(global const int *in, global int *out,"
			     " global int *back) { local int t[64], u[64];\n"
			     " size_t i = get_global_id(0), m = get_local_id(0);\n"
			     " prefetch(in + i - m, 64); t[m] = in[i]; out[i] = 5;\n"
			     " write_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
			     " sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
			     " read_mem_fence(CLK_LOCAL_MEM_FENCE); int x = t[m ^ 1];\n"
			     " mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
			     " out[i ^ 3] += x; barrier(CLK_GLOBAL_MEM_FENCE);\n"
			     " event_t e = async_work_group_copy(u, out + i - m, 64, 0);\n"
			     " wait_group_events(1, &e); back[i] = u[63 - m]; }\n";
	static int32_t from[N], to[N], back[N];
	char options[128], way[16];

	(void)state;
	for (unsigned simd = 8; simd <= 32; simd *= 2) {
		snprintf(options, sizeof options,
			"-cl-std=CL3.0 "
			"-DWIDTH=__attribute__((intel_reqd_sub_group_size(%u)))",
			simd);
		snprintf(way, sizeof way, "simd%u", simd);
		intel_build_texts(&intel, 1, &source, options);
		for (unsigned i = 0; i < N; i++)
			from[i] = (int32_t)intel_random() >> 4;
		memset(back, 0xcd, sizeof back);
		assert_int_equal(
			INTEL_RUN(&intel, "pass", N, GROUP, BUFFER(from), BUFFER(to), BUFFER(back)),
			0);
		for (unsigned i = 0; i < N; i++)
			assert_int_equal(back[i], 5 + from[(i ^ 63) ^ 3 ^ 1]);
		for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
			corpus_row(names[k], "-", way);
	}
}

/* The order of steps is looked for rightly. */
static void orders_are_found(void **state)
{
	const struct step good[] = { { 3, 4 }, { 1, 2 }, { 2, 3 }, { 2, 2 } };
	const struct step apart[] = { { 1, 2 }, { 7, 8 }, { 8, 7 } };
	const struct step twice[] = { { 1, 2 }, { 1, 2 } };

	(void)state;
	assert_true(can_be_ordered(good, 4, 1, 4));
	assert_false(can_be_ordered(good, 4, 1, 3));
	assert_false(can_be_ordered(good, 4, 2, 4));
	assert_false(can_be_ordered(apart, 3, 1, 2));
	assert_false(can_be_ordered(twice, 2, 1, 2));
	assert_true(can_be_ordered(NULL, 0, 5, 5));
}

static int begin_group(void **state)
{
	intel_begin(state);
	intel_compares = false; /* the order of a cell's operations is any */
	return 0;
}

#define OF(name, index)                                                                            \
	{                                                                                          \
		"atomics of " name, atomics, NULL, NULL, (void *)(uintptr_t)&types[index]          \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_are_found),
		cmocka_unit_test(fences),
		OF("int", 0),
		OF("uint", 1),
		OF("long", 2),
		OF("ulong", 3),
		OF("float", 4),
		OF("flags", 5),
	};

	return INTEL_RUN_TESTS(tests, begin_group);
}
