// SPDX-License-Identifier: MIT
/*
 * Every way of executing a kernel gives the same: machine code that Intel's compiler has made, and
 * mutants of it, run on one thread by each instruction set of this host, as micro-operations and as
 * stencils. Registers, memory, faults and the number of instructions must be equal.
 *
 * eu_engines_test MUTANTS SEEDS [RANDOM]: as many mutants, of the files in the device's folder in
 * SEEDS (tests/fuzz/seeds.sh). RANDOM chooses others. The first difference is printed with the
 * program that shows it.
 */
#include "test.h"

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/code/eu_code.h"
#include "eu/engine/eu_run.h"
#include "eu/engine/eu_worker.h"
#include "eu/sampler/eu_image.h"
#include "eu_mutant.h"
#include "fuzz/fuzz_gpu.h"
#include "gen/gen_decode.h"
#include "test_device.h"
#include "test_files.h"
#include "test_random.h"

#define SURFACES UINT64_C(0x20000)
#define DATA	 UINT64_C(0x7f0000000000)
#define SCRATCH	 UINT64_C(0x400000)

enum {
	DATA_BYTES = 16384, /* mapped again and again, 4 GiB to both sides of DATA */
	SCRATCH_BYTES = 4096,
	ARGUMENT_BYTES = 512, /* of these */
	SLM_BYTES = 4096,
	MOST_BYTES = 32 << 10, /* of a seed */
	MOST_SEEDS = 256,
	MOST_SLICES = 20,
	SLICE = 500, /* instructions */
};

static const char *seeds_root;
static unsigned mutants, first_random, with_other_nans;
static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
	return (uint32_t)(test_random(&random_state) >> 16) % below;
}

struct seed {
	uint8_t *code;
	size_t size;
};

static struct seed seeds[MOST_SEEDS];
static unsigned seed_count;

static int is_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int load_seeds(void **state)
{
	struct dirent **entries = NULL;
	char folder[2048];

	(void)state;
	snprintf(folder, sizeof(folder), "%s/%s", seeds_root, test_device()->name);
	int n = scandir(folder, &entries, is_file, alphasort);
	for (int i = 0; i < n; i++) {
		char path[4096];
		struct seed *seed = &seeds[seed_count];

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		free(entries[i]);
		if (seed_count == MOST_SEEDS)
			continue;
		seed->code = test_read_file(path, &seed->size);
		if (seed->code && seed->size <= MOST_BYTES)
			seed_count++;
		else
			free(seed->code);
	}
	free(entries);
	return seed_count ? 0 : -1;
}

static int free_seeds(void **state)
{
	(void)state;
	while (seed_count)
		free(seeds[--seed_count].code);
	return 0;
}

/* What a thread and all that it can reach starts with, and what it leaves. */
struct scene {
	struct eu_thread thread;
	struct eu_worker worker;
	struct eu_group group;
	struct eu_dispatch dispatch;
	struct gen_fault fault;
	struct eu_surface surfaces[EU_SURFACES];
	struct fuzz_gpu gpu;
	struct eu_bus bus;
	uint8_t *data, *scratch, *slm;
	enum eu_status status;
	uint64_t instructions;
};

static const struct eu_kernel *find_no_function(struct eu_worker *worker, uint64_t address)
{
	gen_fault_add(worker->fault, GEN_FAULT_PAGE, "no function at 0x%llx",
		(unsigned long long)address);
	return NULL;
}

static bool find(void *self, uint64_t address, struct eu_range *range)
{
	struct scene *scene = self;
	uint64_t first = address & ~(uint64_t)(DATA_BYTES - 1);

	if (address - (DATA - UINT32_MAX) > 2 * (uint64_t)UINT32_MAX)
		return scene->gpu.bus.find(scene->gpu.bus.self, address, range);
	*range = (struct eu_range){ first, first + DATA_BYTES, scene->data, 0, NULL };
	return true;
}

/* Numbers of every kind, and addresses of the buffer. */
static void fill(uint8_t *bytes, size_t size, uint64_t seed)
{
	for (size_t i = 0; i < size; i += 8) {
		uint64_t word = test_random(&seed), kind = test_random(&seed) >> 20;

		if (kind % 4 == 0)
			word = DATA + word % DATA_BYTES;
		else if (kind % 4 == 1)
			word = (word % SLM_BYTES) | (word >> 20) % SLM_BYTES << 32;
		else if (kind % 4 == 2)
			word &= UINT64_C(0x3f8000003f80ffff);
		memcpy(bytes + i, &word, 8);
	}
}

/* Of arguments, which Xe-HPG has there: some are offsets of the buffers among bindless surfaces. */
static void fill_arguments(uint8_t *bytes, uint64_t seed)
{
	for (size_t i = 0; i < ARGUMENT_BYTES; i += 8) {
		uint64_t which = test_random(&seed) >> 20;
		const uint32_t offset = 0x400 + 64 * (which >> 2 & 8);

		if (which % 2)
			memcpy(bytes + i, (uint32_t[]){ offset, offset }, 8);
	}
}

static struct scene *create_scene(const struct gen_device *device, uint64_t seed)
{
	struct scene *scene = aligned_alloc(64, (sizeof(*scene) + 63) & ~(size_t)63);

	assert_non_null(scene);
	memset(scene, 0, sizeof(*scene));
	seed |= 1;
	fuzz_gpu_init(&scene->gpu);
	fuzz_gpu_surfaces(fuzz_gpu_add(&scene->gpu, SURFACES, FUZZ_SURFACES_BYTES, NULL, 0), DATA,
		DATA_BYTES);
	scene->scratch = fuzz_gpu_add(&scene->gpu, SCRATCH, SCRATCH_BYTES, NULL, 0);
	scene->data = malloc(DATA_BYTES);
	scene->slm = aligned_alloc(64, GEN_SLM_BYTES);
	assert_true(scene->data && scene->slm);
	fill(scene->data, DATA_BYTES, seed);
	fill(scene->scratch, SCRATCH_BYTES, seed);
	fill_arguments(scene->scratch, seed + 2);
	fill(scene->slm, GEN_SLM_BYTES, seed);
	fill(scene->thread.grf, sizeof(scene->thread.grf), seed);
	memset(scene->thread.grf, 0, GEN_GRF_BYTES); /* Xe-HPG has the place of arguments there */
	scene->bus = (struct eu_bus){ .self = scene, .find = find };
	scene->dispatch = (struct eu_dispatch){
		.bus = &scene->bus,
		.simd = 32,
		.threads_per_group = 1,
		.group_end = { 1, 1, 1 },
		.right_mask = UINT32_MAX,
		.surface_state_base = SURFACES,
		.binding_table_base = SURFACES,
		.dynamic_state_base = SURFACES,
		.bindless_surface_base = SURFACES,
		.bindless_sampler_base = SURFACES,
		.general_state_base = SCRATCH,
		.scratch_bytes_per_thread = 1024,
		.slm_bytes = SLM_BYTES,
		.barrier = true,
	};
	scene->group = (struct eu_group){
		.dispatch = &scene->dispatch,
		.thread_count = 1,
		.live = 1,
		.slm = scene->slm,
		.slm_reach = SLM_BYTES,
	};
	scene->worker = (struct eu_worker){
		.dispatch = &scene->dispatch,
		.device = device,
		.surfaces = scene->surfaces,
		.fault = &scene->fault,
		.find_function = find_no_function,
	};
	scene->thread.worker = &scene->worker;
	scene->thread.group = &scene->group;
	return scene;
}

static void destroy_scene(struct scene *scene)
{
	eu_images_finish(&scene->worker);
	free(scene->worker.translations);
	fuzz_gpu_finish(&scene->gpu);
	free(scene->data);
	free(scene->slm);
	free(scene);
}

/* A group of one thread: its barriers are complete when it has signalled. */
static void pass_barrier(struct eu_group *group)
{
	if (group->arrived) {
		group->arrived = 0;
		group->generation++;
	}
}

static void run_scene(struct scene *scene, const struct eu_kernel *kernel, uint32_t lanes)
{
	static const atomic_int never;

	scene->worker.stop = &never;
	scene->worker.translations = calloc(kernel->send_count + 1, sizeof(struct eu_translation));
	assert_non_null(scene->worker.translations);
	eu_thread_start(&scene->thread, kernel, lanes, 0x4c0);
	for (unsigned i = 0; i < MOST_SLICES; i++) {
		scene->status = eu_thread_run(&scene->thread, SLICE);
		scene->instructions = scene->worker.instructions;
		if (scene->status == EU_DONE || scene->status == EU_FAULT)
			break;
		pass_barrier(&scene->group);
	}
}

/*
 * Whether there are different NaNs of some type at the same place. Of two NaNs the host's compiler
 * decides which an operation passes on, by the order in which it writes their sum: OpenCL leaves
 * that open, and what a program makes of their bits may differ then.
 */
static bool have_other_nans(const uint8_t *a, const uint8_t *b, size_t bytes)
{
	static const struct {
		uint32_t infinity, size;
	} types[] = { { 0x7c00, 2 }, { 0x7f800000, 4 } };

	for (unsigned i = 0; i < 2; i++)
		for (size_t at = 0; at + types[i].size <= bytes; at++) {
			const uint32_t infinity = types[i].infinity,
				       sign = 1u << (8 * types[i].size - 1);
			uint32_t x = 0, y = 0;

			memcpy(&x, a + at, types[i].size);
			memcpy(&y, b + at, types[i].size);
			if (x != y && (x & ~sign) > infinity && (y & ~sign) > infinity)
				return true;
		}
	return false;
}

/* The first thing that differs; NULL if nothing does. */
static const char *compare_scenes(
	const struct scene *a, const struct scene *b, bool keeps_acc, char *text, size_t size)
{
	static const char *const names[] = { "r%zu", "data byte %zu", "SLM byte %zu",
		"scratch byte %zu", "accumulator byte %zu", "a0, flags: byte %zu" };
	const struct {
		const void *a, *b;
		size_t size, unit;
	} parts[] = {
		{ a->thread.grf, b->thread.grf, GEN_GRF_COUNT * GEN_GRF_BYTES, GEN_GRF_BYTES },
		{ a->data, b->data, DATA_BYTES, 1 },
		{ a->slm, b->slm, GEN_SLM_BYTES, 1 },
		{ a->scratch, b->scratch, SCRATCH_BYTES, 1 },
		{ a->thread.acc, b->thread.acc, keeps_acc ? EU_ACC_BYTES : 0, 1 },
		{ a->thread.a0_words, b->thread.a0_words,
			sizeof(a->thread.a0_words) + sizeof(a->thread.flag), 1 },
	};

	if (a->status != b->status)
		snprintf(text, size, "status %d, not %d: %s%s", b->status, a->status,
			a->fault.report, b->fault.report);
	else if (a->status == EU_FAULT &&
		 (a->fault.kind != b->fault.kind ||
			 a->fault.place.has_instruction != b->fault.place.has_instruction ||
			 a->fault.place.instruction != b->fault.place.instruction))
		snprintf(text, size, "fault \"%s\", not \"%s\"", b->fault.report, a->fault.report);
	else if (a->status == EU_DONE && a->instructions != b->instructions)
		snprintf(text, size, "%llu instructions, not %llu",
			(unsigned long long)b->instructions, (unsigned long long)a->instructions);
	else {
		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
			for (size_t at = 0; at < parts[i].size; at++)
				if (((const uint8_t *)parts[i].a)[at] !=
					((const uint8_t *)parts[i].b)[at]) {
					int used =
						snprintf(text, size, names[i], at / parts[i].unit);
					snprintf(text + used, size - (size_t)used,
						", byte %zu: 0x%02x, not 0x%02x",
						at % parts[i].unit,
						((const uint8_t *)parts[i].b)[at],
						((const uint8_t *)parts[i].a)[at]);
					return text;
				}
		return NULL;
	}
	return text;
}

static void print_program(const struct gen_device *device, const struct gen_program *program)
{
	for (uint32_t i = 0; i < program->count; i++) {
		char text[512];

		gen_disassemble(device, program, i, text, sizeof(text));
		print_message("%6u  %s\n", (unsigned)program->inst[i].ip, text);
	}
}

/* Runs the program in every way; the first is the reference. Returns how that ended. */
static enum eu_status compare_program(
	const struct gen_device *device, const struct gen_program *program, uint64_t seed)
{
	enum eu_host best = eu_target_parse(NULL).host;
	uint32_t lanes =
		draw(2) ? UINT32_MAX : (uint32_t)test_random(&random_state) | 1u << draw(32);
	struct scene *reference = NULL;
	enum eu_status status = EU_RUN;

	lanes &= UINT32_MAX >> (32 - (8u << draw(3)));
	for (unsigned way = 0; lanes && way < 2 * EU_HOSTS; way++) {
		struct eu_options options = { .target = { (enum eu_host)(way / 2), way % 2 } };
		struct gen_fault fault = { 0 };
		char text[4096];

		if (options.target.host > best)
			break;
		struct eu_kernel *kernel = eu_kernel_create_for(device, program, options, &fault);
		if (!kernel)
			break;
		struct scene *scene = create_scene(device, seed);
		/* Else nothing may depend on it, and nobody clears it. */
		if (!kernel->keeps_acc)
			memset(scene->thread.acc, 17 * (int)way, EU_ACC_BYTES);
		run_scene(scene, kernel, lanes);
		bool keeps_acc = kernel->keeps_acc;
		eu_kernel_destroy(kernel);
		if (!reference) {
			reference = scene;
			status = scene->status;
			if (status != EU_DONE && status != EU_FAULT)
				break;
			continue;
		}
		const char *wrong = compare_scenes(reference, scene, keeps_acc, text, sizeof(text));
		bool other_nans = wrong && have_other_nans((const uint8_t *)&reference->thread,
						   (const uint8_t *)&scene->thread,
						   offsetof(struct eu_thread, acc_high));
		destroy_scene(scene);
		if (other_nans) {
			with_other_nans++;
		} else if (wrong) {
			print_program(device, program);
			fail_msg("host %u, %s, lanes 0x%x: %s", way / 2,
				way % 2 ? "stencils" : "handlers", lanes, wrong);
		}
	}
	if (reference)
		destroy_scene(reference);
	return status;
}

/* Whether it reads the time, which is never the same. */
static bool reads_time(const struct gen_program *program)
{
	for (uint32_t i = 0; i < program->count; i++)
		for (unsigned k = 0; k < 3; k++)
			if (program->inst[i].src[k].file == GEN_FILE_TM)
				return true;
	return false;
}

static void kernels_give_the_same(void **state)
{
	const struct gen_device *device = test_device();
	unsigned compared = 0;

	(void)state;
	random_state = 1;
	for (unsigned i = 0; i < seed_count; i++) {
		struct gen_fault fault = { 0 };
		struct gen_program *program =
			gen_decode(device, seeds[i].code, seeds[i].size, &fault);

		if (!program)
			fail_msg("%s", fault.report);
		for (unsigned k = 0; k < 4 && !reads_time(program); k++)
			compared += compare_program(device, program, k + 1) == EU_DONE;
		gen_program_destroy(program);
	}
	assert_true(compared > seed_count);
}

static void mutants_give_the_same(void **state)
{
	const struct gen_device *device = test_device();
	unsigned by_status[EU_FAULT + 1] = { 0 };

	(void)state;
	for (unsigned i = first_random; i < first_random + mutants; i++) {
		random_state = 0x9e3779b97f4a7c15 * (i + 1) | 1;
		const struct seed *seed = &seeds[draw(seed_count)];
		struct gen_fault fault = { 0 };
		struct gen_program *whole = gen_decode(device, seed->code, seed->size, &fault);
		struct gen_program *mutant =
			eu_mutant_create(device, seed->code, seed->size, whole, &random_state);

		if (mutant && !reads_time(mutant))
			by_status[compare_program(device, mutant, i)]++;
		gen_program_destroy(mutant);
		gen_program_destroy(whole);
	}
	print_message(
		"%u mutants of %u seeds: %u ended, %u faulted, %u ran on; %u met other NaNs\n",
		mutants, seed_count, by_status[EU_DONE], by_status[EU_FAULT],
		by_status[EU_YIELD] + by_status[EU_BLOCKED], with_other_nans);
	assert_true(by_status[EU_DONE] > mutants / 8);
	assert_true(with_other_nans < mutants / 20);
}

enum {
	GROUPS = 7,
	THREADS = 4,
	CROSS = 6,
	PATIENCE = 100, /* with what ended at once, however busy the host is */
};

/* Arguments, then the local ids of each thread. */
static uint8_t payload_memory[(CROSS + THREADS * 6) * GEN_GRF_BYTES];

/* Registers with the local ids of a thread. */
static unsigned id_registers(unsigned simd)
{
	return simd == 32 ? 6 : 3;
}

static void fill_payload(unsigned simd, uint64_t seed)
{
	unsigned row = id_registers(simd) / 3 * 16; /* ids of one dimension */
	/* Groups of one row, or of rows that end in the middle of a thread. */
	unsigned wide = seed % 2 ? THREADS * simd : 3 + (unsigned)(seed % 29);

	fill(payload_memory, CROSS * GEN_GRF_BYTES, seed | 1);
	/* Sizes and offsets with which all groups stay within their surfaces. */
	for (unsigned i = 0; i < CROSS * GEN_GRF_BYTES && seed % 4; i += 4)
		payload_memory[i + 1] &= 0xf, payload_memory[i + 2] = payload_memory[i + 3] = 0;
	for (unsigned i = 0; i < THREADS * 3 * row; i++) {
		unsigned number = i % row + i / (3 * row) * simd, axis = i / row % 3;
		uint16_t id = (uint16_t)(axis == 0 ? number % wide : axis == 1 ? number / wide : 0);
		memcpy(payload_memory + CROSS * GEN_GRF_BYTES + 2 * i, &id, 2);
	}
}

/* The width that a kernel was compiled for. */
static unsigned width_of(const struct eu_kernel *kernel)
{
	return kernel->lanes >> 16 ? 32 : kernel->lanes >> 8 ? 16 : 8;
}

/*
 * Runs the groups of a walker, which has `patience` times the usual time. Returns the memory that
 * it leaves, to be freed; NULL unless it ended.
 */
static uint8_t *run_walker(
	struct eu_host_worker *crew, struct eu_kernel *kernel, uint64_t seed, unsigned patience)
{
	static const atomic_int never;
	struct scene *scene = create_scene(kernel->device, seed);
	struct eu_payload payload = { 0 };
	uint8_t *left = NULL;
	struct eu_job job = {
		.dispatch = &scene->dispatch,
		.kernel = kernel,
		.cache = eu_cache_create(kernel->device),
		.payload = &payload,
		.stop = &never,
		.group_count = GROUPS,
		.chunk = GROUPS,
		.resident_threads = THREADS,
	};

	scene->dispatch.barrier = false; /* else threads execute it all */
	if (seed & 2)
		scene->dispatch.slm_bytes = 0; /* else each group begins on its own */
	scene->dispatch.threads_per_group = THREADS;
	scene->dispatch.group_end[0] = GROUPS;
	scene->dispatch.simd = (uint8_t)width_of(kernel);
	/* With the last thread whole, threads may follow each other from group to group. */
	scene->dispatch.right_mask = UINT32_MAX >> ((seed & 1 ? 34 : 32) - width_of(kernel));
	scene->dispatch.cross_thread_registers = CROSS;
	scene->dispatch.per_thread_registers = id_registers(width_of(kernel));
	scene->dispatch.start = payload_memory;
	scene->dispatch.payload_bytes = sizeof(payload_memory);
	scene->dispatch.cr0 = 0x4c0;
	eu_job_begin(&job);
	job.hang_ms *= patience;
	assert_true(
		eu_payload_prepare(&payload, &scene->dispatch, job.resident_threads, &job.fault));
	pthread_mutex_init(&job.lock, NULL);
	eu_host_worker_work(crew, &job);
	if (!job.failed) {
		left = malloc(DATA_BYTES);
		assert_non_null(left);
		memcpy(left, scene->data, DATA_BYTES);
	}
	pthread_mutex_destroy(&job.lock);
	eu_payload_finish(&payload);
	eu_cache_destroy(job.cache);
	destroy_scene(scene);
	return left;
}

enum { POISONS = 4, MANY_POISONS = 256 };

/* A probe that gives each thread other contents of the registers that its payload does not set. */
struct poison {
	struct eu_probe probe; /* first */
	uint64_t seed;	       /* 0: these are 0 */
	bool invert;	       /* the opposite of each bit, so that a maximum shows one of both */
};

static void poison_registers(const struct eu_probe *probe, struct eu_thread *thread)
{
	struct poison *poison = (struct poison *)probe;
	const struct eu_dispatch *dispatch = thread->group->dispatch;
	unsigned set = 1 + dispatch->cross_thread_registers + dispatch->per_thread_registers;

	uint8_t *rest = thread->grf + (size_t)set * GEN_GRF_BYTES;
	size_t bytes = (size_t)(GEN_GRF_COUNT - set) * GEN_GRF_BYTES;

	if (poison->seed)
		fill(rest, bytes, test_random(&poison->seed) | 1);
	else
		memset(rest, 0, bytes);
	for (size_t i = 0; poison->invert && i < bytes; i++)
		rest[i] = (uint8_t)~rest[i];
}

static void ignore_fault(const struct eu_probe *probe, struct eu_thread *thread)
{
	(void)probe, (void)thread;
}

/*
 * Runs the groups of a program without a prologue with that many contents of the registers of which
 * nobody says what is in them. NULL unless it ended and left the same memory each time. *simd is
 * its width.
 */
static uint8_t *run_defined(const struct gen_device *device, const struct gen_program *program,
	uint64_t seed, unsigned poisons, unsigned *simd)
{
	struct poison poison = { .probe = { .thread_begin = poison_registers,
					 .fault = ignore_fault } };
	struct eu_options options = { .target = { EU_HOST_BASE, false } };
	struct gen_fault fault = { 0 };
	struct eu_kernel *kernel = eu_kernel_create_for(device, program, options, &fault);
	uint8_t *first = NULL;

	if (!kernel) /* a branch leads nowhere */
		return NULL;
	struct eu_host_worker *crew = eu_host_worker_create(device, 0);
	assert_non_null(crew);
	*simd = width_of(kernel);
	fill_payload(*simd, seed);
	for (unsigned i = 0; i < poisons && (i == 0 || first); i++) {
		poison.seed = i / 2;
		poison.invert = i % 2;
		kernel->probe = &poison.probe;
		uint8_t *left = run_walker(crew, kernel, seed, 1);
		kernel->probe = NULL;
		if (i == 0) {
			first = left;
			continue;
		}
		if (!left || memcmp(first, left, DATA_BYTES) != 0) {
			free(first);
			first = NULL;
		}
		free(left);
	}
	eu_kernel_destroy(kernel);
	eu_host_worker_destroy(crew);
	return first;
}

/*
 * Whether two memories that a program left show a mistake: not if NaNs are others, nor if it
 * depends on what was in registers, which few contents of them did not show.
 */
static bool is_mistake(const struct gen_device *device, const struct gen_program *program,
	uint64_t seed, const uint8_t *first, const uint8_t *with)
{
	unsigned simd;

	if (with && !memcmp(first, with, DATA_BYTES))
		return false;
	if (with && have_other_nans(first, with, DATA_BYTES)) {
		with_other_nans++;
		return false;
	}
	uint8_t *again = run_defined(device, program, seed, MANY_POISONS, &simd);
	free(again);
	return again != NULL;
}

/*
 * Compares threads that pass over the prologue of their kernel with threads that execute it.
 * Returns whether the program says anything about that: it ends, no thread depends on what was in
 * the registers before it started, and it has a prologue.
 */
static bool compare_walkers(
	const struct gen_device *device, const struct gen_program *program, uint64_t seed)
{
	struct eu_options options = { 0 };
	struct gen_fault fault = { 0 };
	bool told = false;
	unsigned simd = 0;
	uint8_t *first = run_defined(device, program, seed, POISONS, &simd);

	options.layout.cross = CROSS;
	options.layout.thread = (uint16_t)id_registers(simd);
	options.layout.known = true;
	for (unsigned way = 0; first && way < 2 * EU_HOSTS; way++) {
		options.target = (struct eu_target){ (enum eu_host)(way / 2), way % 2 };
		if (options.target.host > eu_target_parse(NULL).host)
			break;
		struct eu_host_worker *crew = eu_host_worker_create(device, 0);
		struct eu_kernel *kernel = eu_kernel_create_for(device, program, options, &fault);
		assert_true(crew && kernel);
		told |= kernel->prologue.end > 0;
		uint8_t *with = run_walker(crew, kernel, seed, PATIENCE);
		if (is_mistake(device, program, seed, first, with)) {
			print_program(device, program);
			fail_msg("host %u, %s: with a prologue of %u %s", way / 2,
				way % 2 ? "stencils" : "handlers", kernel->prologue.end,
				with ? "memory is different" : "it does not end");
		}
		free(with);
		eu_kernel_destroy(kernel);
		eu_host_worker_destroy(crew);
	}
	free(first);
	return told;
}

static void prologues_change_nothing(void **state)
{
	const struct gen_device *device = test_device();
	unsigned told = 0;

	(void)state;
	with_other_nans = 0;
	for (unsigned i = first_random; i < first_random + mutants; i++) {
		random_state = 0xd1b54a32d192ed03 * (i + 1) | 1;
		const struct seed *seed = &seeds[i < seed_count ? i : draw(seed_count)];
		struct gen_fault fault = { 0 };
		struct gen_program *whole = gen_decode(device, seed->code, seed->size, &fault);
		struct gen_program *mutant = i < seed_count
						     ? whole
						     : eu_mutant_create(device, seed->code,
							       seed->size, whole, &random_state);

		if (mutant && !reads_time(mutant))
			told += compare_walkers(device, mutant, i + 1);
		if (mutant != whole)
			gen_program_destroy(mutant);
		gen_program_destroy(whole);
	}
	print_message("%u of %u programs have a prologue and end; %u met other NaNs\n", told,
		mutants, with_other_nans);
	assert_true(told > mutants / 20);
	assert_true(with_other_nans < mutants / 20);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_give_the_same),
		cmocka_unit_test(mutants_give_the_same),
		cmocka_unit_test(prologues_change_nothing),
	};

	if (argc < 3)
		return 2;
	mutants = (unsigned)strtoul(argv[1], NULL, 10);
	seeds_root = argv[2];
	setenv("ZEROCL_VGPU_HANG_MS", "200", 1); /* such programs are not compared */
	first_random = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
	return cmocka_run_group_tests(tests, load_seeds, free_seeds);
}
