// SPDX-License-Identifier: MIT
/* Every work-item function over ranges of all kinds, ragged ones above all, against plain C. */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum value {
	WORK_DIM,
	GLOBAL_SIZE, /* three each, by dimension */
	GLOBAL_ID = GLOBAL_SIZE + 3,
	LOCAL_SIZE = GLOBAL_ID + 3,
	ENQUEUED_SIZE = LOCAL_SIZE + 3,
	LOCAL_ID = ENQUEUED_SIZE + 3,
	NUM_GROUPS = LOCAL_ID + 3,
	GROUP_ID = NUM_GROUPS + 3,
	OFFSET = GROUP_ID + 3,
	GLOBAL_LINEAR = OFFSET + 3,
	LOCAL_LINEAR,
	SUB_GROUP_SIZE,
	MAX_SUB_GROUP_SIZE,
	NUM_SUB_GROUPS,
	ENQUEUED_SUB_GROUPS,
	SUB_GROUP_ID,
	SUB_GROUP_LOCAL,
	N_VALUES
};

/* "fixed" names dimensions by constants, "indexed" by a variable in a function of its own, so that
 * both forms of access to the built-in variables are there. */
static const char ids_source[] =
	"#define VALUES 33\n"
	"#ifdef WIDTH\n"
	"#define WIDE __attribute__((intel_reqd_sub_group_size(WIDTH)))\n"
	"#else\n"
	"#define WIDE\n"
	"#endif\n"
	"ulong at(uint3 size, ulong3 offset) {\n"
	"	return ((get_global_id(2) - offset.z) * size.y + get_global_id(1) - offset.y)\n"
	"		* size.x + get_global_id(0) - offset.x;\n"
	"}\n"
	"void rest(global ulong *to) {\n"
	"	to[25] = get_global_linear_id(); to[26] = get_local_linear_id();\n"
	"	to[27] = get_sub_group_size(); to[28] = get_max_sub_group_size();\n"
	"	to[29] = get_num_sub_groups(); to[30] = get_enqueued_num_sub_groups();\n"
	"	to[31] = get_sub_group_id(); to[32] = get_sub_group_local_id();\n"
	"}\n"
	"__attribute__((noinline)) void dim(global ulong *to, uint i) {\n"
	"	to[1 + i] = get_global_size(i); to[4 + i] = get_global_id(i);\n"
	"	to[7 + i] = get_local_size(i); to[10 + i] = get_enqueued_local_size(i);\n"
	"	to[13 + i] = get_local_id(i); to[16 + i] = get_num_groups(i);\n"
	"	to[19 + i] = get_group_id(i); to[22 + i] = get_global_offset(i);\n"
	"}\n"
	"WIDE kernel void indexed(global ulong *out, uint3 size, ulong3 offset) {\n"
	"	global ulong *to = out + at(size, offset) * VALUES;\n"
	"	to[0] = get_work_dim();\n"
	"	for (uint i = 0; i < 3; i++)\n"
	"		dim(to, i);\n"
	"	rest(to);\n"
	"}\n"
	"#define DIM(i) to[1 + i] = get_global_size(i); to[4 + i] = get_global_id(i);\\\n"
	"	to[7 + i] = get_local_size(i); to[10 + i] = get_enqueued_local_size(i);\\\n"
	"	to[13 + i] = get_local_id(i); to[16 + i] = get_num_groups(i);\\\n"
	"	to[19 + i] = get_group_id(i); to[22 + i] = get_global_offset(i);\n"
	"WIDE kernel void fixed(global ulong *out, uint3 size, ulong3 offset) {\n"
	"	global ulong *to = out + at(size, offset) * VALUES;\n"
	"	to[0] = get_work_dim();\n"
	"	DIM(0) DIM(1) DIM(2)\n"
	"	rest(to);\n"
	"}\n";

struct range {
	cl_uint dims;
	size_t global[3], local[3], offset[3];
};

/*
 * How work-items of a group are mapped to sub-groups is up to the implementation, the same for
 * all groups of one size (OpenCL 3.0, 3.2.2). Ours fills them in the order of one dimension after
 * the other: x, y, z, but on Xe-HPG, where the walker generates local ids, in the order of these
 * that the driver chooses for the size. Scans over groups should go by linear ids there, too, but
 * go by sub-groups (docs/CONFORMANCE.md).
 */
static const unsigned char orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 },
	{ 2, 0, 1 }, { 2, 1, 0 } };

enum { N_ORDERS = sizeof orders / sizeof *orders };

/* The orders that groups may have, as bits. */
static unsigned orders_of_device(void)
{
	cl_uint version = 0;

	if (clGetDeviceInfo(cl.device, CL_DEVICE_IP_VERSION_INTEL, sizeof version, &version, NULL))
		return 1;
	return version >= (12u << 22 | 50u << 14) ? (1u << N_ORDERS) - 1 : 1;
}

/* The orders that the groups of the item's size have, as far as its sub-groups told. */
static unsigned *orders_of_group(unsigned of_sizes[8], const struct range *r, const size_t item[3])
{
	unsigned size = 0;

	for (int i = 0; i < 3; i++)
		size |= (unsigned)((item[i] / r->local[i] + 1) * r->local[i] > r->global[i]) << i;
	return &of_sizes[size];
}

/* What the work-item with that global id (without the offset) should see in groups of an order. */
static void model(const struct range *r, const size_t item[3], size_t width,
	const unsigned char order[3], cl_ulong *v)
{
	size_t members = 1, whole = 1, row = 1, lane = 0, before = 1;

	v[WORK_DIM] = r->dims;
	v[GLOBAL_LINEAR] = v[LOCAL_LINEAR] = 0;
	for (int i = 0; i < 3; i++) {
		size_t group = item[i] / r->local[i], left = r->global[i] - group * r->local[i];
		size_t local = left < r->local[i] ? left : r->local[i];

		v[GLOBAL_SIZE + i] = r->global[i];
		v[GLOBAL_ID + i] = item[i] + r->offset[i];
		v[LOCAL_SIZE + i] = local;
		v[ENQUEUED_SIZE + i] = r->local[i];
		v[LOCAL_ID + i] = item[i] % r->local[i];
		v[NUM_GROUPS + i] = (r->global[i] + r->local[i] - 1) / r->local[i];
		v[GROUP_ID + i] = group;
		v[OFFSET + i] = r->offset[i];
		v[GLOBAL_LINEAR] += item[i] * row;
		v[LOCAL_LINEAR] += item[i] % r->local[i] * members;
		members *= local;
		whole *= r->local[i];
		row *= r->global[i];
	}
	for (int i = 0; i < 3; i++) {
		lane += (size_t)v[LOCAL_ID + order[i]] * before;
		before *= (size_t)v[LOCAL_SIZE + order[i]];
	}
	v[SUB_GROUP_ID] = lane / width;
	v[SUB_GROUP_LOCAL] = lane % width;
	v[MAX_SUB_GROUP_SIZE] = width;
	v[NUM_SUB_GROUPS] = (members + width - 1) / width;
	v[ENQUEUED_SUB_GROUPS] = (whole + width - 1) / width;
	size_t left = members - v[SUB_GROUP_ID] * width;
	v[SUB_GROUP_SIZE] = left < width ? left : width;
}

static void describe(const struct range *r)
{
	fprintf(stderr, "%u dimensions, %zux%zux%zu by %zux%zux%zu from %zu,%zu,%zu: ", r->dims,
		r->global[0], r->global[1], r->global[2], r->local[0], r->local[1], r->local[2],
		r->offset[0], r->offset[1], r->offset[2]);
}

static size_t width_of(cl_kernel kernel, const struct range *r)
{
	size_t width = 0;

	CL(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
		r->dims * sizeof(size_t), r->local, sizeof width, &width, NULL));
	return width;
}

static size_t items_of(const struct range *r)
{
	return r->global[0] * r->global[1] * r->global[2];
}

/* Calls `check` for every work-item; item[] is its id without the offset. */
#define EACH_ITEM(r, item)                                                                         \
	for (item[2] = 0; item[2] < (r)->global[2]; item[2]++)                                     \
		for (item[1] = 0; item[1] < (r)->global[1]; item[1]++)                             \
			for (item[0] = 0; item[0] < (r)->global[0]; item[0]++)

/* Takes the orders that do not fit from *possible; fails when none is left. */
static void check_item(const struct range *r, const size_t item[3], size_t width,
	unsigned *possible, const cl_ulong *got)
{
	cl_ulong want[N_VALUES];
	int wrong = 0;

	for (unsigned o = 0; o < N_ORDERS; o++) {
		if (!(*possible >> o & 1))
			continue;
		model(r, item, width, orders[o], want);
		int i = 0;
		while (i < N_VALUES && got[i] == want[i])
			i++;
		if (i == N_VALUES)
			continue;
		*possible &= ~(1u << o);
		wrong = i;
		if (!*possible)
			break;
	}
	if (*possible)
		return;
	describe(r);
	fail_msg("work-item %zu,%zu,%zu, value %d: %llu, not %llu", item[0], item[1], item[2],
		wrong, (unsigned long long)got[wrong], (unsigned long long)want[wrong]);
}

/*
 * The range as its first work-item was told of it. Intel's driver shortens groups to the range:
 * newer ones tell that as the enqueued size if it makes the range uniform, where OpenCL wants what
 * was given.
 */
static struct range as_told(const struct range *r, const cl_ulong *first)
{
	struct range told = *r;

	for (cl_uint i = 0; cl.intel && i < r->dims; i++)
		if (r->global[i] < r->local[i] && first[ENQUEUED_SIZE + i] == r->global[i])
			told.local[i] = r->global[i];
	return told;
}

static void check_ids(cl_kernel kernel, const struct range *r)
{
	const size_t guard = 64;
	size_t n = items_of(r) * N_VALUES, item[3];
	size_t size = (n + guard) * sizeof(cl_ulong);
	cl_ulong *got = malloc(size);
	cl_uint sizes[4] = { (cl_uint)r->global[0], (cl_uint)r->global[1], (cl_uint)r->global[2] };
	cl_ulong offsets[4] = { r->offset[0], r->offset[1], r->offset[2] };
	const cl_ulong *at = got;

	assert_non_null(got);
	memset(got, 0xee, size);
	cl_mem out = cl_make_buffer(size, got);
	cl_set_buffer(kernel, 0, out);
	CL(clSetKernelArg(kernel, 1, sizeof sizes, sizes));
	CL(clSetKernelArg(kernel, 2, sizeof offsets, offsets));
	CL(clEnqueueNDRangeKernel(
		cl.queue, kernel, r->dims, r->offset, r->global, r->local, 0, NULL, NULL));
	cl_read(out, size, got);
	size_t width = width_of(kernel, r);
	const struct range told = as_told(r, got);
	unsigned of_sizes[8];
	for (int i = 0; i < 8; i++)
		of_sizes[i] = orders_of_device();
	EACH_ITEM(r, item)
	{
		check_item(&told, item, width, orders_of_group(of_sizes, &told, item), at);
		at += N_VALUES;
	}
	for (size_t i = 0; i < guard; i++)
		assert_int_equal(got[n + i], 0xeeeeeeeeeeeeeeee);
	clReleaseMemObject(out);
	free(got);
}

static const struct range ranges[] = {
	{ 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } },
	{ 1, { 1, 1, 1 }, { 64, 1, 1 }, { 0 } },
	{ 1, { 64, 1, 1 }, { 16, 1, 1 }, { 0 } },
	{ 1, { 7, 1, 1 }, { 3, 1, 1 }, { 5, 0, 0 } },
	{ 1, { 97, 1, 1 }, { 32, 1, 1 }, { 0 } },
	{ 1, { 1009, 1, 1 }, { 251, 1, 1 }, { 17, 0, 0 } },
	{ 1, { 513, 1, 1 }, { 256, 1, 1 }, { 1, 0, 0 } },
	{ 2, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } },
	{ 2, { 32, 1, 1 }, { 8, 1, 1 }, { 3, 4, 0 } },
	{ 2, { 1, 37, 1 }, { 1, 16, 1 }, { 0 } },
	{ 2, { 50, 9, 1 }, { 16, 4, 1 }, { 0 } },
	{ 2, { 48, 9, 1 }, { 16, 4, 1 }, { 100, 200, 0 } },
	{ 2, { 13, 17, 1 }, { 16, 16, 1 }, { 1, 2, 0 } },
	{ 3, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } },
	{ 3, { 5, 1, 1 }, { 2, 1, 1 }, { 0 } },
	{ 3, { 8, 6, 4 }, { 4, 3, 2 }, { 3, 2, 1 } },
	{ 3, { 9, 7, 5 }, { 4, 3, 2 }, { 3, 2, 1 } },
	{ 3, { 8, 7, 4 }, { 4, 3, 2 }, { 0 } },
	{ 3, { 8, 6, 5 }, { 4, 3, 2 }, { 0, 0, 9 } },
	{ 3, { 3, 5, 7 }, { 8, 8, 4 }, { 0 } },
	{ 3, { 1, 1, 11 }, { 1, 1, 4 }, { 0 } },
};

/* Sizes of all kinds, always the same ones. */
static struct range random_range(uint64_t *seed)
{
	static const size_t most[] = { 600, 24, 9 };
	struct range r = { .dims = 1 + (cl_uint)test_random(seed) % 3,
		.global = { 1, 1, 1 },
		.local = { 1, 1, 1 } };
	size_t room = 256;

	for (cl_uint i = 0; i < r.dims; i++) {
		r.global[i] = 1 + (size_t)test_random(seed) % most[r.dims - 1];
		size_t max = room < most[r.dims - 1] + 3 ? room : most[r.dims - 1] + 3;
		r.local[i] = 1 + (size_t)test_random(seed) % max;
		r.offset[i] = (size_t)test_random(seed) % 2 ? (size_t)test_random(seed) % 1000 : 0;
		room /= r.local[i];
	}
	return r;
}

static bool is_ragged(const struct range *r)
{
	return r->global[0] % r->local[0] || r->global[1] % r->local[1] ||
	       r->global[2] % r->local[2];
}

/*
 * Whether functions that are called learn of the size that groups were given: in the last groups of
 * a range Intel's newer drivers tell them how long those are, from which they work out wrong ids,
 * and the kernel itself the right one.
 */
static bool functions_know_size(const char *options)
{
	static const char source[] = "__attribute__((noinline)) ulong told(void) { return "
				     "get_enqueued_local_size(0); }\n"
				     "kernel void probe(global ulong *out) { out[0] = told(); }\n";
	const size_t global = 1, local = 64;
	cl_kernel kernel = cl_make_kernel(source, options, "probe");
	cl_ulong got = 0;
	cl_mem out = cl_make_buffer(sizeof got, &got);

	cl_set_buffer(kernel, 0, out);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
	cl_read(out, sizeof got, &got);
	clReleaseMemObject(out);
	cl_kernel_done(kernel);
	return got == local;
}

static void check_widths(const char *name)
{
	static const char *const options[] = { "-cl-std=CL3.0", "-cl-std=CL3.0 -DWIDTH=8",
		"-cl-std=CL3.0 -DWIDTH=16", "-cl-std=CL3.0 -DWIDTH=32",
		"-cl-std=CL2.0 -cl-opt-disable", "-cl-std=CL3.0 -g" };

	for (size_t w = 0; w < sizeof options / sizeof *options; w++) {
		cl_kernel kernel = cl_make_kernel(ids_source, options[w], name);
		uint64_t seed = 20240 + (unsigned)w;
		bool even_only = cl.intel && !functions_know_size(options[w]);

		if (even_only)
			test_lacks("Intel's driver tells functions wrong ids at the edge");
		for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
			if (!even_only || !is_ragged(&ranges[i]))
				check_ids(kernel, &ranges[i]);
		for (int i = 0; i < 24; i++) {
			struct range r = random_range(&seed);
			if (!even_only || !is_ragged(&r))
				check_ids(kernel, &r);
		}
		cl_kernel_done(kernel);
	}
}

static void fixed_dimensions(void **state)
{
	(void)state;
	check_widths("fixed");
}

static void indexed_dimensions(void **state)
{
	(void)state;
	check_widths("indexed");
}

/* Each group does what needs all of it, twice, so that edge groups that are not in step fail. */
static const char group_source[] =
	"__attribute__((intel_reqd_sub_group_size(WIDTH)))\n"
	"kernel void group(global int *out, local int *tile, uint3 size, global const int *in) {\n"
	"	size_t i = (get_global_id(2) * size.y + get_global_id(1)) * size.x\n"
	"		+ get_global_id(0);\n"
	"	size_t k = get_local_linear_id();\n"
	"	size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
	"	global int *to = out + i * 10;\n"
	"	int x = in[i];\n"
	"	for (int turn = 0; turn < 2; turn++) {\n"
	"		tile[k] = x + turn;\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		to[turn] = tile[n - 1 - k];\n"
	"		work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
	"	}\n"
	"	to[2] = work_group_reduce_add(x);\n"
	"	to[3] = work_group_scan_inclusive_add(x);\n"
	"	to[4] = work_group_broadcast(x, get_local_size(0) - 1, get_local_size(1) - 1,\n"
	"		get_local_size(2) - 1);\n"
	"	to[5] = work_group_any(x > 900);\n"
	"	to[6] = sub_group_reduce_add(x);\n"
	"	to[7] = sub_group_scan_exclusive_add(x);\n"
	"	to[8] = sub_group_broadcast(x, get_sub_group_size() - 1);\n"
	"	sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	to[9] = intel_sub_group_shuffle_xor(x, 1u);\n"
	"}\n";

/* The values of the group's members in that order, and which of them the item is. */
static size_t gather(const struct range *r, const size_t item[3], const unsigned char order[3],
	const int *in, int *members, size_t *self)
{
	size_t first[3], end[3], at[3], n = 0;
	const unsigned char a = order[0], b = order[1], c = order[2];

	for (int i = 0; i < 3; i++) {
		first[i] = item[i] / r->local[i] * r->local[i];
		end[i] = first[i] + r->local[i] < r->global[i] ? first[i] + r->local[i]
							       : r->global[i];
	}
	for (at[c] = first[c]; at[c] < end[c]; at[c]++)
		for (at[b] = first[b]; at[b] < end[b]; at[b]++)
			for (at[a] = first[a]; at[a] < end[a]; at[a]++) {
				if (!memcmp(at, item, sizeof at))
					*self = n;
				members[n++] =
					in[(at[2] * r->global[1] + at[1]) * r->global[0] + at[0]];
			}
	return n;
}

/* x: the members in linear order. */
static void model_group(const int *x, size_t n, size_t self, int want[10])
{
	memset(want, 0, 10 * sizeof *want);
	want[0] = x[n - 1 - self];
	want[1] = x[n - 1 - self] + 1;
	for (size_t i = 0; i < n; i++) {
		want[2] += x[i];
		want[5] |= x[i] > 900;
	}
	want[4] = x[n - 1];
}

/* x: the members in the order of sub-groups. */
static void model_sub_group(const int *x, size_t n, size_t self, size_t width, int want[10])
{
	size_t sub = self / width * width, sub_end = sub + width < n ? sub + width : n;

	want[3] = want[6] = want[7] = 0;
	for (size_t i = 0; i <= self; i++)
		want[3] += x[i];
	for (size_t i = sub; i < sub_end; i++) {
		want[6] += x[i];
		want[7] += i < self ? x[i] : 0;
	}
	want[8] = x[sub_end - 1];
	size_t other = sub + ((self - sub) ^ 1);
	want[9] = other < sub_end ? x[other] : 0;
}

/* Takes the orders that do not fit from *possible; fails when none is left. */
static void check_member(const struct range *r, const size_t item[3], size_t width,
	unsigned *possible, const int *in, const int got[10])
{
	int want[10], members[512], wrong = 0;
	size_t self = 0, count = gather(r, item, orders[0], in, members, &self);

	model_group(members, count, self, want);
	for (unsigned o = 0; o < N_ORDERS && *possible; o++) {
		if (!(*possible >> o & 1))
			continue;
		gather(r, item, orders[o], in, members, &self);
		model_sub_group(members, count, self, width, want);
		bool has_other = (self ^ 1) < count;
		int i = 0;
		while (i < 10 && (got[i] == want[i] || (i == 9 && !has_other)))
			i++;
		if (i == 10)
			continue;
		*possible &= ~(1u << o);
		wrong = i;
	}
	if (*possible)
		return;
	describe(r);
	fail_msg("width %zu, work-item %zu,%zu,%zu, result %d: %d, not %d", width, item[0], item[1],
		item[2], wrong, got[wrong], want[wrong]);
}

static void check_groups(cl_kernel kernel, size_t width, const struct range *r)
{
	size_t n = items_of(r), item[3];
	unsigned of_sizes[8];
	int *in = malloc(n * sizeof *in), *got = malloc(n * 10 * sizeof *got);
	const int *at = got;
	cl_uint sizes[4] = { (cl_uint)r->global[0], (cl_uint)r->global[1], (cl_uint)r->global[2] };
	uint64_t seed = 7;

	for (size_t i = 0; i < n; i++)
		in[i] = test_random(&seed) % 1000;
	memset(got, 0xee, n * 10 * sizeof *got);
	cl_mem out = cl_make_buffer(n * 10 * sizeof *got, got);
	cl_mem from = cl_make_buffer(n * sizeof *in, in);
	cl_set_buffer(kernel, 0, out);
	CL(clSetKernelArg(
		kernel, 1, r->local[0] * r->local[1] * r->local[2] * sizeof(cl_int), NULL));
	CL(clSetKernelArg(kernel, 2, sizeof sizes, sizes));
	cl_set_buffer(kernel, 3, from);
	CL(clEnqueueNDRangeKernel(
		cl.queue, kernel, r->dims, NULL, r->global, r->local, 0, NULL, NULL));
	cl_read(out, n * 10 * sizeof *got, got);
	for (int i = 0; i < 8; i++)
		of_sizes[i] = orders_of_device();
	EACH_ITEM(r, item)
	{
		check_member(r, item, width, orders_of_group(of_sizes, r, item), in, at);
		at += 10;
	}
	clReleaseMemObject(out);
	clReleaseMemObject(from);
	free(in);
	free(got);
}

static void groups_at_the_edge(void **state)
{
	(void)state;
	for (size_t width = 8; width <= 32; width *= 2) {
		char options[64];
		uint64_t seed = 99;

		snprintf(options, sizeof options, "-cl-std=CL3.0 -DWIDTH=%zu", width);
		cl_kernel kernel = cl_make_kernel(group_source, options, "group");
		for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
			check_groups(kernel, width, &ranges[i]);
		for (int i = 0; i < 12; i++) {
			struct range r = random_range(&seed);
			check_groups(kernel, width, &r);
		}
		cl_kernel_done(kernel);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_dimensions),
		cmocka_unit_test(indexed_dimensions),
		cmocka_unit_test(groups_at_the_edge),
	};

	return CL_RUN(argc, argv, tests);
}
