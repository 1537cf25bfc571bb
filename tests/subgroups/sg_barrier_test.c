// SPDX-License-Identifier: MIT
/*
 * sg_barrier_test PLATFORM [all]: barrier, work_group_barrier, sub_group_barrier and the split
 * barrier with every combination of flags and every scope, in loops, in conditionals that all or
 * none enter, nested and in functions, over work-groups of one to three dimensions and of one
 * work-item to the greatest size. Without "all", a third of the combinations.
 */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL  1
#define GLOBAL 2
#define IMAGE  4

static const char SPLIT[] = "intel_work_group_barrier_arrive(%1$s); x ^= 0x10000;"
			    "x ^= 0x10000; intel_work_group_barrier_wait(%1$s)";

enum context { PLAIN, LOOP, BRANCH, NESTED, FUNCTION, N_CONTEXTS };

/* A function, and the scopes that it takes ("" for the form without one). */
static const struct function {
	const char *name;
	const char *call; /* with flags and, behind a comma, the scope for %s */
	bool sub_group;
	const char *scopes[5];
	const char *extension;
} functions[] = {
	{ "barrier", "barrier(%s)", false, { "" }, NULL },
	{ "work_group_barrier", "work_group_barrier(%s)", false,
		{ "", "memory_scope_work_group", "memory_scope_device",
			"memory_scope_all_svm_devices", "memory_scope_sub_group" },
		NULL },
	{ "sub_group_barrier", "sub_group_barrier(%s)", true,
		{ "", "memory_scope_sub_group", "memory_scope_work_group", "memory_scope_device",
			"memory_scope_all_svm_devices" },
		"cl_intel_subgroups" },
	{ "split barrier", SPLIT, false,
		{ "", "memory_scope_work_group", "memory_scope_device",
			"memory_scope_all_svm_devices" },
		"cl_intel_split_work_group_barrier" },
};

/* One combination. Its kernels are k<index> and n<index>: the latter calls functions. */
struct combination {
	const struct function *function;
	unsigned flags;
	const char *scope;
	unsigned index;
};

static struct combination combinations[160];
static size_t n_combinations;

/* Global and local sizes; those that do not divide need non-uniform work-groups. */
static const struct shape {
	size_t global[3], local[3];
} shapes[] = {
	{ { 3, 1, 1 }, { 1, 1, 1 } },
	{ { 6, 1, 1 }, { 2, 1, 1 } },
	{ { 21, 1, 1 }, { 7, 1, 1 } },
	{ { 24, 1, 1 }, { 8, 1, 1 } },
	{ { 51, 1, 1 }, { 17, 1, 1 } },
	{ { 96, 1, 1 }, { 32, 1, 1 } },
	{ { 99, 1, 1 }, { 33, 1, 1 } },
	{ { 300, 1, 1 }, { 100, 1, 1 } },
	{ { 512, 1, 1 }, { 256, 1, 1 } },
	{ { 0, 1, 1 }, { 0, 1, 1 } }, /* two of the greatest */
	{ { 14, 6, 1 }, { 7, 3, 1 } },
	{ { 32, 32, 1 }, { 16, 16, 1 } },
	{ { 10, 5, 10 }, { 5, 5, 5 } },
	{ { 4, 4, 16 }, { 4, 2, 8 } },
	{ { 50, 1, 1 }, { 16, 1, 1 } },
	{ { 19, 9, 1 }, { 8, 4, 1 } },
	{ { 9, 7, 5 }, { 4, 3, 2 } },
};

#define N_SHAPES (sizeof shapes / sizeof *shapes)
#define TRIPS	 5

static unsigned cells;
static unsigned narrowed; /* kernels at 16 that require 32 */
static bool all;

static const char prelude[] =
	"#define KERNEL(name) __attribute__((intel_reqd_sub_group_size(S))) kernel void name(\\\n"
	"  global const uint *in, global uint *out, global uint *place, global uint *g,\\\n"
	"  local uint *l, uint context, uint trips)\n"
	"#define ARGUMENTS uint x, global uint *g, local uint *l, local uint *count,\\\n"
	"  uint p, uint n\n"
	/* A value of the next one, through what the barrier orders; if it orders nothing, that all
	 * were here, and fences order the count of them. */
	"#define STEP(name, BARRIER, FLAGS) uint name(ARGUMENTS) {\\\n"
	"  uint y = 0;\\\n"
	"  if (FLAGS & 1) l[p] = x; else if (!(FLAGS & 2)) atomic_inc(count);\\\n"
	"  if (!(FLAGS & 3)) mem_fence(CLK_LOCAL_MEM_FENCE);\\\n"
	"  if (FLAGS & 2) g[p] = x ^ 0x5a5a;\\\n"
	"  BARRIER;\\\n"
	"  if (FLAGS & 1) y = l[(p + 1) % n];\\\n"
	"  if (FLAGS & 2) y += g[(p + 2) % n];\\\n"
	"  if (!(FLAGS & 3)) { mem_fence(CLK_LOCAL_MEM_FENCE); y = atomic_or(count, 0);\\\n"
	"    mem_fence(CLK_LOCAL_MEM_FENCE); }\\\n"
	"  BARRIER;\\\n"
	"  return x * 3 + y; }\n"
	"#define BODY(f, TEAM_IS_SUB) {\\\n"
	"  size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) *\\\n"
	"    get_global_size(0) + get_global_id(0);\\\n"
	"  uint group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) *\\\n"
	"    get_num_groups(0) + get_group_id(0);\\\n"
	"  uint most = get_enqueued_local_size(0) * get_enqueued_local_size(1) *\\\n"
	"    get_enqueued_local_size(2);\\\n"
	"  uint size = get_local_size(0) * get_local_size(1) * get_local_size(2);\\\n"
	"  uint first = TEAM_IS_SUB ? get_sub_group_id() * get_max_sub_group_size() : 0;\\\n"
	"  uint p = TEAM_IS_SUB ? get_sub_group_local_id() : get_local_linear_id();\\\n"
	"  uint n = TEAM_IS_SUB ? get_sub_group_size() : size;\\\n"
	"  uint team = group + (TEAM_IS_SUB ? get_sub_group_id() : 0);\\\n"
	"  uint x = in[i];\\\n"
	"  local uint *count = l + most + (TEAM_IS_SUB ? get_sub_group_id() : 0);\\\n"
	"  if (p == 0) *count = 0;\\\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\\\n"
	"  place[i] = first + p;\\\n"
	"  g += group * most + first; l += first;\\\n"
	"  if (context == 0) x = f(x, g, l, count, p, n);\\\n"
	"  if (context == 1) for (uint t = 0; t < trips; t++) x = f(x, g, l, count, p, n);\\\n"
	"  if (context == 2 && (team & 1)) x = f(x, g, l, count, p, n);\\\n"
	"  if (context == 3) for (uint t = 0; t < trips; t++) {\\\n"
	"    if ((t + team) & 1) for (uint k = 0; k <= t; k++) x = f(x, g, l, count, p, n);\\\n"
	"    else x = f(x + 1, g, l, count, p, n); }\\\n"
	"  if (context == 4) x = f(f(x, g, l, count, p, n), g, l, count, p, n);\\\n"
	"  out[i] = x; }\n";

static void flags_text(unsigned flags, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s0", flags & LOCAL ? "CLK_LOCAL_MEM_FENCE | " : "",
		flags & GLOBAL ? "CLK_GLOBAL_MEM_FENCE | " : "",
		flags & IMAGE ? "CLK_IMAGE_MEM_FENCE | " : "");
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void put_kernel(FILE *out, const struct combination *c)
{
	char flags[96], arguments[160], call[400];

	flags_text(c->flags, flags, sizeof flags);
	snprintf(arguments, sizeof arguments, "%s%s%s", flags, *c->scope ? ", " : "", c->scope);
	snprintf(call, sizeof call, c->function->call, arguments);
	fprintf(out, "STEP(s%u, %s, %u)\n__attribute__((noinline)) STEP(f%u, %s, %u)\n", c->index,
		call, c->flags, c->index, call, c->flags);
	fprintf(out, "KERNEL(k%u) BODY(s%u, %d)\nKERNEL(n%u) BODY(f%u, %d)\n", c->index, c->index,
		c->function->sub_group, c->index, c->index, c->function->sub_group);
}
#pragma GCC diagnostic pop

/* The model: what a team's values become by one step. */
static void step(const struct combination *c, uint32_t *x, size_t n, unsigned *count)
{
	uint32_t old[4096];

	memcpy(old, x, n * sizeof *x);
	*count += (unsigned)n;
	for (size_t p = 0; p < n; p++) {
		uint32_t y = c->flags & LOCAL ? old[(p + 1) % n] : 0;
		if (c->flags & GLOBAL)
			y += old[(p + 2) % n] ^ 0x5a5a;
		if (!(c->flags & (LOCAL | GLOBAL)))
			y = *count;
		x[p] = old[p] * 3 + y;
	}
}

static void model(
	const struct combination *c, enum context context, uint32_t *x, size_t n, unsigned team)
{
	unsigned count = 0;

	switch (context) {
	case PLAIN:
		step(c, x, n, &count);
		break;
	case LOOP:
		for (unsigned t = 0; t < TRIPS; t++)
			step(c, x, n, &count);
		break;
	case BRANCH:
		if (team & 1)
			step(c, x, n, &count);
		break;
	case NESTED:
		for (unsigned t = 0; t < TRIPS; t++) {
			bool many = (t + team) & 1;
			for (size_t p = 0; p < n && !many; p++)
				x[p]++;
			for (unsigned k = 0; k <= (many ? t : 0); k++)
				step(c, x, n, &count);
		}
		break;
	default:
		step(c, x, n, &count);
		step(c, x, n, &count);
	}
}

/* A launch. */
struct range {
	size_t global[3], local[3], groups[3], items, most;
	unsigned simd;
};

/* The items of a work-group, in the order of their linear ids; returns how many. */
static size_t gather(const struct range *range, const size_t group[3], size_t *items)
{
	size_t begin[3], end[3], n = 0;

	for (int d = 0; d < 3; d++) {
		begin[d] = group[d] * range->local[d];
		end[d] = begin[d] + range->local[d];
		end[d] = end[d] < range->global[d] ? end[d] : range->global[d];
	}
	for (size_t z = begin[2]; z < end[2]; z++)
		for (size_t y = begin[1]; y < end[1]; y++)
			for (size_t x = begin[0]; x < end[0]; x++)
				items[n++] = (z * range->global[1] + y) * range->global[0] + x;
	return n;
}

/* Which work-items are a sub-group is the implementation's choice: takes them as they say. */
static void order_by_place(size_t *items, size_t n, const uint32_t *place)
{
	size_t ordered[4096];

	memset(ordered, 0xff, sizeof ordered);
	for (size_t i = 0; i < n; i++) {
		assert_in_range(place[items[i]], 0, n - 1);
		assert_true(ordered[place[items[i]]] == SIZE_MAX);
		ordered[place[items[i]]] = items[i];
	}
	memcpy(items, ordered, n * sizeof *items);
}

static void check_group(const struct combination *c, enum context context,
	const struct range *range, const size_t group[3], const uint32_t *in, const uint32_t *out,
	const uint32_t *place)
{
	size_t items[4096], n = gather(range, group, items);
	size_t number = (group[2] * range->groups[1] + group[1]) * range->groups[0] + group[0];
	size_t width = c->function->sub_group ? range->simd : n;
	uint32_t x[4096];

	if (c->function->sub_group)
		order_by_place(items, n, place);
	for (size_t first = 0; first < n; first += width) {
		size_t size = n - first < width ? n - first : width;
		for (size_t p = 0; p < size; p++)
			x[p] = in[items[first + p]];
		model(c, context, x, size,
			(unsigned)(number + (c->function->sub_group ? first / width : 0)));
		for (size_t p = 0; p < size; p++) {
			if (out[items[first + p]] != x[p])
				printf("%s flags %u scope %s context %d SIMD%u groups of "
				       "%zu x %zu x %zu, item %zu\n",
					c->function->name, c->flags, c->scope, (int)context,
					range->simd, range->local[0], range->local[1],
					range->local[2], items[first + p]);
			assert_int_equal(place[items[first + p]], first + p);
			assert_int_equal(out[items[first + p]], x[p]);
		}
	}
}

static void check(const struct combination *c, enum context context, const struct range *range,
	const uint32_t *in, const uint32_t *out, const uint32_t *place)
{
	size_t group[3];

	for (group[2] = 0; group[2] < range->groups[2]; group[2]++)
		for (group[1] = 0; group[1] < range->groups[1]; group[1]++)
			for (group[0] = 0; group[0] < range->groups[0]; group[0]++)
				check_group(c, context, range, group, in, out, place);
	cells++;
}

static bool make_range(struct range *range, const struct shape *shape, unsigned simd, bool ragged)
{
	size_t most;

	*range = (struct range){ .items = 1, .most = 1, .simd = simd };
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
	for (int d = 0; d < 3; d++) {
		range->local[d] = shape->local[d] ? shape->local[d] : most;
		range->global[d] = shape->global[d] ? shape->global[d] : 2 * most;
		if (range->global[d] % range->local[d] && !ragged)
			return false;
		range->groups[d] = (range->global[d] + range->local[d] - 1) / range->local[d];
		range->items *= range->global[d];
		range->most *= range->local[d];
	}
	return true;
}

static void run_range(
	const struct combination *c, cl_kernel kernel, const struct range *range, bool calls)
{
	size_t bytes = range->items * sizeof(uint32_t);
	size_t groups = range->groups[0] * range->groups[1] * range->groups[2];
	uint32_t *in = malloc(bytes), *out = malloc(bytes), *place = malloc(bytes);
	uint64_t seed = 1;

	assert_true(in && out && place);
	test_random_bytes(&seed, in, bytes);
	cl_mem a = cl_make_buffer(bytes, in), o = cl_make_buffer(bytes, in);
	cl_mem where = cl_make_buffer(bytes, in);
	cl_mem scratch = cl_make_buffer(groups * range->most * sizeof(uint32_t), NULL);
	cl_set_buffer(kernel, 0, a);
	cl_set_buffer(kernel, 1, o);
	cl_set_buffer(kernel, 2, where);
	cl_set_buffer(kernel, 3, scratch);
	CL(clSetKernelArg(kernel, 4, (range->most + range->most / 8 + 2) * sizeof(uint32_t), NULL));
	cl_set_uint(kernel, 6, TRIPS);
	for (unsigned context = 0; context < N_CONTEXTS; context++) {
		if (calls != (context == FUNCTION))
			continue;
		cl_set_uint(kernel, 5, context);
		CL(clEnqueueNDRangeKernel(
			cl.queue, kernel, 3, NULL, range->global, range->local, 0, NULL, NULL));
		memset(out, 0xee, bytes);
		cl_read(o, bytes, out);
		cl_read(where, bytes, place);
		check(c, context, range, in, out, place);
	}
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(o));
	CL(clReleaseMemObject(where));
	CL(clReleaseMemObject(scratch));
	free(in);
	free(out);
	free(place);
}

/*
 * Whether the kernel has the width that it requires. IGC gives 16 for 32 to kernels that call
 * functions, in which get_sub_group_size then is wrong: such a kernel cannot be run.
 */
static bool has_width(cl_kernel kernel, unsigned simd, bool calls)
{
	size_t one = 1, width = 0;

	CL(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
		sizeof one, &one, sizeof width, &width, NULL));
	if (calls && simd == 32 && width == 16)
		return false;
	assert_int_equal(width, simd);
	return true;
}

static void run_kernel(const struct combination *c, cl_program program, unsigned simd, bool calls)
{
	cl_bool ragged = CL_FALSE;
	char name[16];
	size_t most;
	cl_int rc;

	CL(clGetDeviceInfo(
		cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof ragged, &ragged, NULL));
	snprintf(name, sizeof name, "%c%u", calls ? 'n' : 'k', c->index);
	cl_kernel kernel = clCreateKernel(program, name, &rc);
	CL(rc);
	CL(clGetKernelWorkGroupInfo(
		kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
	bool runs = has_width(kernel, simd, calls);
	narrowed += !runs;
	for (size_t i = 0; i < N_SHAPES && runs; i++) {
		struct range range;
		if (make_range(&range, &shapes[i], simd, ragged) && range.most <= most)
			run_range(c, kernel, &range, calls);
	}
	CL(clReleaseKernel(kernel));
}

static bool has_all_devices(void)
{
	static cl_name_version list[128];
	size_t size = 0;

	CL(clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &size));
	for (size_t i = 0; i < size / sizeof *list; i++)
		if (!strcmp(list[i].name, "__opencl_c_atomic_scope_all_devices"))
			return true;
	return false;
}

/* The scope exists only with the feature. */
static bool is_there(const struct function *function, const char *scope)
{
	if (function->extension && !cl_has(function->extension))
		return false;
	if (function->call == SPLIT && cl.intel)
		return false; /* see test_unlinked */
	return strcmp(scope, "memory_scope_all_svm_devices") || has_all_devices();
}

static void list_combinations(void)
{
	n_combinations = 0;
	for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
		for (unsigned s = 0; s < 5 && functions[f].scopes[s]; s++)
			for (unsigned flags = 0; flags < 8; flags++)
				if (is_there(&functions[f], functions[f].scopes[s])) {
					combinations[n_combinations] =
						(struct combination){ &functions[f], flags,
							functions[f].scopes[s],
							(unsigned)n_combinations };
					n_combinations++;
				}
}

static bool is_chosen(const struct combination *c, unsigned simd)
{
	return all || c->index % 3 == simd / 8 % 3;
}

static void test_simd(void **state)
{
	unsigned simd = *(unsigned *)*state;
	char options[64], *source = NULL;
	size_t size;

	list_combinations();
	FILE *out = open_memstream(&source, &size);
	assert_non_null(out);
	fputs(prelude, out);
	for (size_t i = 0; i < n_combinations; i++)
		if (is_chosen(&combinations[i], simd))
			put_kernel(out, &combinations[i]);
	fclose(out);
	snprintf(options, sizeof options, "-cl-std=CL3.0 -DS=%u", simd);
	cl_program program = cl_build(source, options);
	for (size_t i = 0; i < n_combinations; i++)
		if (is_chosen(&combinations[i], simd))
			for (int calls = 0; calls < 2; calls++)
				run_kernel(&combinations[i], program, simd, calls);
	CL(clReleaseProgram(program));
	free(source);
	printf("barriers: %zu combinations of function, flags and scope; %u cells right; "
	       "%u kernels with calls are narrower than they require\n",
		n_combinations, cells, narrowed);
}

/* Intel's driver reports the split barrier; the compiler of 22.43 has no code for it, that of 26.27
 * has. */
static void test_unlinked(void **state)
{
	const char *source = "kernel void k(void) { intel_work_group_barrier_arrive(1);"
			     "intel_work_group_barrier_wait(1); }";
	cl_int rc;

	(void)state;
	skip_if(!cl.intel || !cl_has("cl_intel_split_work_group_barrier"));
	cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &rc);
	CL(rc);
	rc = clBuildProgram(program, 1, &cl.device, "", NULL, NULL);
	assert_true(rc == CL_INVALID_BINARY || rc == CL_SUCCESS);
	CL(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
	static unsigned simds[] = { 8, 16, 32 };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_simd, &simds[0]),
		cmocka_unit_test_prestate(test_simd, &simds[1]),
		cmocka_unit_test_prestate(test_simd, &simds[2]),
		cmocka_unit_test(test_unlinked),
	};

	all = argc > 2 && !strcmp(argv[2], "all");
	return CL_RUN(argc, argv, tests);
}
