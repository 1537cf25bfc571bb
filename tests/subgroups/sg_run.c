// SPDX-License-Identifier: MIT
#include "subgroups/sg_run.h"
#include "test_random.h"

#include "cl/cl_case.h"
#include "subgroups/sg_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run's data on the host. */
struct run {
	const struct sg_cell *cell;
	unsigned simd, local, groups, teams; /* teams: sub-groups of a work-group */
	size_t items, input_bytes, results, output_bytes;
	unsigned rows;	/* of the image, if there is one */
	uint8_t *image; /* that is read */
	uint8_t *a, *b, *want, *got, *known;
	uint32_t *w;
};

static uint8_t poison(size_t at)
{
	return (uint8_t)(0xa5 ^ at * 37);
}

static void *room(size_t size)
{
	void *bytes = calloc(1, size);

	assert_non_null(bytes);
	return bytes;
}

static void prepare(struct run *run)
{
	const struct sg_cell *cell = run->cell;
	size_t blocks = run->groups * run->teams * sg_cell_block(cell, run->simd);
	size_t scalar = sg_types[cell->type].size;

	if (cell->row->shape->image)
		run->rows = cell->row->shape->result == SG_IMAGE
				    ? (run->groups * run->teams - 1) * SG_IMAGE_BAND
				    : SG_IMAGE_ROWS;
	run->items = (size_t)run->local * run->groups;
	run->input_bytes = run->items * sg_cell_size(cell);
	if (cell->row->width_in_name && run->input_bytes < (blocks + 16) * scalar)
		run->input_bytes = (blocks + 16) * scalar;
	run->results = run->items * cell->row->shape->results;
	if (cell->row->shape->result == SG_BLOCKS)
		run->results = blocks;
	if (cell->row->shape->result == SG_IMAGE)
		run->results = (size_t)run->rows * SG_IMAGE_PITCH;
	run->image = room(((size_t)run->rows + 1) * SG_IMAGE_PITCH);
	run->output_bytes = run->results * sg_cell_result_size(cell);
	run->a = room(run->input_bytes);
	run->b = room(run->input_bytes);
	run->want = room(run->output_bytes);
	run->got = room(run->output_bytes);
	run->known = room(run->results);
	run->w = room(run->items * sizeof *run->w);
	for (size_t i = 0; i < run->output_bytes; i++)
		run->want[i] = run->got[i] = poison(i);
}

static void finish(struct run *run)
{
	free(run->image);
	free(run->a);
	free(run->b);
	free(run->want);
	free(run->got);
	free(run->known);
	free(run->w);
}

/* Every scalar of the inputs; vote and equal data come in stretches that now and then agree. */
static void fill(struct run *run, uint64_t *state)
{
	const struct sg_cell *cell = run->cell;
	enum sg_data data = cell->row->shape->data;
	size_t scalar = sg_types[cell->type].size, vector = sg_cell_size(cell);
	int op = data == SG_DATA_OP ? cell->row->op : -1;

	for (size_t i = 0; i < run->input_bytes / scalar; i++) {
		sg_random_value(cell->type, op, state, run->a + i * scalar);
		sg_random_value(cell->type, op, state, run->b + i * scalar);
	}
	for (size_t i = 0; i < (size_t)run->rows * SG_IMAGE_PITCH; i++)
		run->image[i] = (uint8_t)test_random(state);
	for (size_t i = 0; i < run->items; i++) {
		size_t team = i % run->local / run->simd + i / run->local * run->teams;
		size_t first = i / run->local * run->local + i % run->local / run->simd * run->simd;
		bool rare = test_random(state) % 16 == 0;
		if (data == SG_DATA_VOTE && team % 3 != 1 && (team % 3 == 0) != rare)
			memset(run->a + i * vector, 0, vector);
		if (data == SG_DATA_UNIFORM || (data == SG_DATA_EQUAL && (team % 2 || !rare)))
			memcpy(run->a + i * vector, run->a + first * vector, vector);
	}
}

/* The words of a sub-group's lanes, see struct sg_team. */
static void choose(struct run *run, size_t first, unsigned size, size_t number, uint64_t *state)
{
	const struct sg_shape *shape = run->cell->row->shape;
	unsigned active[32], n = 0;
	uint32_t shared = 0;

	for (unsigned lane = 0; lane < size; lane++) {
		/* Of every five sub-groups, all of one and a single lane of another take part. */
		bool on = number % 5 == 1   ? true
			  : number % 5 == 2 ? lane == size / 2
					    : test_random(state) % 8 < 5;
		run->w[first + lane] = (uint32_t)on << 31;
		if (on || !shape->divergent)
			active[n++] = lane;
	}
	for (unsigned lane = 0; lane < size; lane++) {
		uint64_t bits = test_random(state);
		uint32_t word = (n ? active[bits % n] : 0) |
				(uint32_t)(bits >> 32) % run->simd << 8 |
				(uint32_t)(bits >> 17 & 0x7fff) << 16;
		shared = lane ? shared : word;
		run->w[first + lane] |= shape->uniform ? shared : word;
	}
}

/* Goes through the sub-groups: chooses words, or lets the model compute. */
static void each_team(struct run *run, uint64_t *state)
{
	bool by_group = !state && run->cell->row->shape->by_group;

	for (unsigned group = 0; group < run->groups; group++) {
		for (unsigned id = 0; id < (by_group ? 1 : run->teams); id++) {
			unsigned rest = run->local - id * run->simd;
			struct sg_team team = { .id = id,
				.size = by_group || rest < run->simd ? rest : run->simd,
				.width = run->simd,
				.number = group * run->teams + id,
				.groups = run->teams,
				.first = (size_t)group * run->local + id * run->simd,
				.items = run->items,
				.a = run->a,
				.b = run->b,
				.w = run->w,
				.image = run->image,
				.rows = run->rows,
				.want = run->want,
				.known = run->known };
			if (state)
				choose(run, team.first, team.size, team.number, state);
			else
				run->cell->row->shape->model(run->cell, &team);
		}
	}
}

/* What is read, or what is written around. Texels of four bytes, in two forms. */
static cl_mem make_image(const struct run *run)
{
	const cl_image_format formats[] = { { CL_R, CL_UNSIGNED_INT32 },
		{ CL_RGBA, CL_UNORM_INT8 } };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = SG_IMAGE_PITCH / 4,
		.image_height = run->rows };
	bool writes = run->cell->row->shape->result == SG_IMAGE;
	cl_int rc;
	cl_mem image = clCreateImage(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
		&formats[run->cell->index % 2], &desc, writes ? run->got : run->image, &rc);

	CL(rc);
	return image;
}

static void read_image(const struct run *run, cl_mem image)
{
	const size_t origin[3] = { 0 }, region[3] = { SG_IMAGE_PITCH / 4, run->rows, 1 };

	memset(run->got, 0xee, run->output_bytes);
	CL(clEnqueueReadImage(
		cl.queue, image, CL_TRUE, origin, region, 0, 0, run->got, 0, NULL, NULL));
}

static void execute(struct run *run, cl_program program)
{
	const struct sg_cell *cell = run->cell;
	char name[16];
	cl_int rc;

	snprintf(name, sizeof name, "c%u", cell->index);
	cl_kernel kernel = clCreateKernel(program, name, &rc);
	CL(rc);
	cl_mem a = cl_make_buffer(run->input_bytes, run->a);
	cl_mem b = cl_make_buffer(run->input_bytes, run->b);
	cl_mem w = cl_make_buffer(run->items * sizeof *run->w, run->w);
	cl_mem o = cl_make_buffer(run->output_bytes, run->got);
	size_t block = run->teams * sg_cell_block(cell, run->simd) + 16;
	cl_set_buffer(kernel, 0, a);
	cl_set_buffer(kernel, 1, b);
	cl_set_buffer(kernel, 2, w);
	cl_set_buffer(kernel, 3, o);
	CL(clSetKernelArg(kernel, 4, block * sg_types[cell->type].size, NULL));
	cl_mem image = run->rows ? make_image(run) : NULL;
	if (image)
		CL(clSetKernelArg(kernel, 5, sizeof image, &image));
	cl_launch(kernel, run->items, run->local);
	if (cell->row->shape->result == SG_IMAGE)
		read_image(run, image);
	else
		cl_read(o, run->output_bytes, run->got);
	if (image)
		CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
	CL(clReleaseMemObject(w));
	CL(clReleaseMemObject(o));
	CL(clReleaseKernel(kernel));
}

/* Equal as bits, or, where an operation made it, as values: minus zero is zero. */
static bool is_right(const struct run *run, size_t at)
{
	const struct sg_cell *cell = run->cell;
	size_t size = sg_cell_result_size(cell), scalar = sg_types[cell->type].size;
	const uint8_t *want = run->want + at * size, *got = run->got + at * size;
	bool by_value =
		cell->row->shape->data == SG_DATA_OP && sg_types[cell->type].kind == SG_REAL;

	if (run->known[at] == SG_UNDEFINED)
		return true;
	if (run->known[at] == SG_WANTED && cell->row->shape->result == SG_SAME)
		size = sg_cell_defined(cell, run->simd) * scalar; /* not the fourth of three */
	if (run->known[at] == SG_WANTED && by_value)
		return sg_load(cell->type, want).f == sg_load(cell->type, got).f;
	return !memcmp(want, got, size);
}

static bool compare(const struct run *run, char *why, size_t room_for_why)
{
	size_t size = sg_cell_result_size(run->cell), length;

	for (size_t at = 0; at < run->results; at++) {
		if (is_right(run, at))
			continue;
		length = (size_t)snprintf(why, room_for_why,
			"%u groups of %u: result %zu of item %zu (word %08x)%s: is", run->groups,
			run->local, at / run->items, at % run->items, run->w[at % run->items],
			run->known[at] == SG_UNTOUCHED ? " was written" : "");
		for (size_t i = size; i-- && length < room_for_why;)
			length += (size_t)snprintf(why + length, room_for_why - length, " %02x",
				run->got[at * size + i]);
		if (length < room_for_why)
			length += (size_t)snprintf(why + length, room_for_why - length, " not");
		for (size_t i = size; i-- && length < room_for_why;)
			length += (size_t)snprintf(why + length, room_for_why - length, " %02x",
				run->want[at * size + i]);
		return false;
	}
	return true;
}

bool sg_run(const struct sg_cell *cell, cl_program program, unsigned simd, unsigned local,
	unsigned groups, uint64_t seed, char *why, size_t size)
{
	struct run run = { .cell = cell,
		.simd = simd,
		.local = local,
		.groups = groups,
		.teams = (local + simd - 1) / simd };

	sg_compiler_alone = cl.intel;
	prepare(&run);
	fill(&run, &seed);
	each_team(&run, &seed);
	each_team(&run, NULL);
	execute(&run, program);
	bool right = compare(&run, why, size);
	finish(&run);
	return right;
}
