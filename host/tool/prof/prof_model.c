// SPDX-License-Identifier: MIT
#include "tool/prof/prof.h"

#include <string.h>

const char *const prof_part_names[PROF_PARTS] = {
	[PROF_ARITHMETIC] = "arithmetic",
	[PROF_SECOND] = "second arithmetic port",
	[PROF_BRANCH] = "branches",
	[PROF_SEND] = "messages",
	[PROF_SYSTOLIC] = "systolic array",
	[PROF_CACHE] = "level 3 cache",
	[PROF_LOCAL] = "local memory",
	[PROF_MEMORY] = "memory",
};

double prof_occupancy(const struct prof_kernel *kernel, const struct prof_shape *shape)
{
	double threads =
		prof_device(kernel, "eus_per_subslice") * prof_device(kernel, "threads_per_eu");
	double resident = (double)shape->resident_groups * shape->group_threads;

	return threads > 0 ? resident / threads : 0;
}

struct prof_model prof_model_of(const struct prof_kernel *kernel)
{
	double subslices = prof_device(kernel, "subslices"), mhz = prof_device(kernel, "mhz");
	double eus = subslices * prof_device(kernel, "eus_per_subslice");
	double lines = (double)(kernel->counts[PROF_lines] + kernel->counts[PROF_scratch_lines]);
	struct prof_model model = { .line_bytes = lines * prof_device(kernel, "line_bytes") };
	double operations = (double)kernel->counts[PROF_operations];

	if (eus <= 0 || mhz <= 0)
		return model;
	for (size_t i = 0; i < kernel->n_instructions; i++) {
		const struct prof_instruction *one = &kernel->instructions[i];
		model.cycles[one->port] += (double)one->counts[PROF_cycles] / eus;
	}
	model.cache_gigabytes = prof_device(kernel, "data_bytes") * subslices * mhz / 1000;
	model.memory_gigabytes = prof_device(kernel, "gigabytes");
	model.cycles[PROF_CACHE] = model.line_bytes / prof_device(kernel, "data_bytes") / subslices;
	model.cycles[PROF_LOCAL] =
		((double)kernel->counts[PROF_local_bytes] / prof_device(kernel, "local_bytes") +
			(double)kernel->counts[PROF_conflicts]) /
		subslices;
	if (model.memory_gigabytes > 0)
		model.cycles[PROF_MEMORY] = model.line_bytes / model.memory_gigabytes / 1000 * mhz;
	for (unsigned i = 0; i < PROF_MEMORY; i++)
		if (model.cycles[i] > model.cycles[model.bound])
			model.bound = (enum prof_part)i;
	model.microseconds = model.cycles[model.bound] / mhz;
	model.peak = eus * 8 * 2 * mhz / 1000;
	model.intensity = model.line_bytes > 0 ? operations / model.line_bytes : 0;
	model.reached = model.microseconds > 0 ? operations / model.microseconds / 1000 : 0;
	return model;
}
