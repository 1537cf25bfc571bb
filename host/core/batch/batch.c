// SPDX-License-Identifier: MIT
#include "core/batch/batch.h"

#include "core/base/error.h"
#include "core/batch/printf_buffer.h"
#include "core/memory/usm.h"
#include "l0/l0_memory.h"

#include <stdlib.h>
#include <string.h>

#define STAGE_SIZE (256 * 1024)

void batch_launch_init(struct batch_launch *out, uint64_t state, const struct ndrange *range)
{
	memset(out, 0, sizeof(*out)); /* padding is compared, too */
	out->state = state;
	memcpy(&out->range, range, sizeof(out->range));
}

cl_int batch_create(const struct batch_target *target, struct batch **out)
{
	struct batch *batch = calloc(1, sizeof(*batch));

	if (!batch)
		return CL_OUT_OF_HOST_MEMORY;
	batch->target = *target;
	cl_int rc = l0_list_create(target->l0, &batch->list);
	if (rc) {
		free(batch);
		return rc;
	}
	*out = batch;
	return CL_SUCCESS;
}

static void drop_stages(struct batch *batch, struct batch_stage *keep)
{
	while (batch->stages) {
		struct batch_stage *stage = batch->stages;

		batch->stages = stage->next;
		if (stage != keep)
			batch_stage_destroy(&batch->target, stage);
	}
	batch->stages = keep;
	if (keep) {
		keep->next = NULL;
		keep->used = 0;
	}
}

static void drop_references(struct batch *batch)
{
	print_end(batch, false);
	batch->prints = false;
	print_drop(batch);
	for (unsigned i = 0; i < batch->n_signals; i++)
		l0_event_release(batch->signals[i]);
	for (unsigned i = 0; i < batch->n_objs; i++)
		obj_put(batch->objs[i]);
	batch->n_signals = batch->n_objs = batch->n_epilogues = 0;
}

void batch_destroy(struct batch *batch)
{
	if (!batch)
		return;
	l0_list_destroy(batch->list);
	drop_references(batch);
	drop_stages(batch, NULL);
	free(batch->objs);
	free(batch->events);
	free(batch->signals);
	free(batch->epilogues);
	free(batch);
}

cl_int batch_reset(struct batch *batch)
{
	memset(&batch->launch, 0, sizeof(batch->launch));
	return l0_list_reset(batch->list);
}

cl_int batch_empty(struct batch *batch)
{
	struct batch_stage *keep = batch->stages;
	bool again = batch->launch.state && l0_list_status(batch->list, NULL) == L0_DONE;

	while (keep && keep->size != STAGE_SIZE)
		keep = keep->next;
	cl_int rc = again ? CL_SUCCESS : batch_reset(batch);
	drop_stages(batch, keep);
	drop_references(batch);
	batch->n_commands = batch->n_works = batch->n_ordered = 0;
	batch->order = 0;
	batch->signal = NULL;
	for (unsigned i = 0; i < BATCH_KNOWN; i++)
		batch->known[i].kernel = NULL;
	batch->retired = batch->prints = batch->driver_prints = false;
	return rc;
}

cl_int batch_barrier(struct batch *batch, struct l0_event *signal)
{
	cl_int rc = l0_list_barrier(batch->list, signal);

	if (!rc)
		batch->n_ordered = batch->n_works;
	return rc;
}

bool batch_reaches(const struct batch *batch, const void *address)
{
	return usm_is_reached(batch->target.context, batch->target.device, address);
}

/* Room for n more in an array of pointers or structs. */
static bool grow(void *array, unsigned used, unsigned *max, unsigned n, size_t size)
{
	void *old, *new;

	if (n <= *max - used)
		return true;
	unsigned wanted = *max * 2 > used + n ? *max * 2 : used + n + 16;
	__builtin_memcpy(&old, array, sizeof(old));
	new = reallocarray(old, wanted, size);
	if (!new)
		return false;
	__builtin_memcpy(array, &new, sizeof(new));
	*max = wanted;
	return true;
}

cl_int batch_reserve(
	struct batch *batch, unsigned objs, unsigned events, unsigned signals, unsigned epilogues)
{
	bool ok = grow(&batch->objs, batch->n_objs, &batch->max_objs, objs, sizeof(*batch->objs)) &&
		  grow(&batch->events, batch->n_events, &batch->max_events, events,
			  sizeof(*batch->events)) &&
		  grow(&batch->signals, batch->n_signals, &batch->max_signals, signals,
			  sizeof(*batch->signals)) &&
		  grow(&batch->epilogues, batch->n_epilogues, &batch->max_epilogues, epilogues,
			  sizeof(*batch->epilogues));

	return ok ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void batch_add_obj(struct batch *batch, struct obj *obj)
{
	obj_get(obj);
	batch->objs[batch->n_objs++] = obj;
}

void batch_add_event(struct batch *batch, struct event *event)
{
	batch->events[batch->n_events++] = event;
}

void batch_add_signal(struct batch *batch, struct l0_event *signal)
{
	batch->signals[batch->n_signals++] = signal;
}

void batch_add_epilogue(struct batch *batch, const struct box_copy *copy)
{
	batch->epilogues[batch->n_epilogues++] = *copy;
}

cl_int batch_stage_create(const struct batch_target *target, size_t size, struct batch_stage **out)
{
	struct batch_stage *stage = calloc(1, sizeof(*stage));
	void *address;

	if (!stage)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc = l0_memory_alloc(target->context->l0, L0_MEMORY_HOST, size, 64, &address);
	if (rc) {
		free(stage);
		return rc;
	}
	stage->size = size;
	stage->address = address;
	atomic_fetch_add(target->staged, size);
	*out = stage;
	return CL_SUCCESS;
}

void batch_stage_destroy(const struct batch_target *target, struct batch_stage *stage)
{
	if (!stage)
		return;
	atomic_fetch_sub(target->staged, stage->size);
	l0_memory_free(target->context->l0, stage->address);
	free(stage);
}

void batch_add_stage(struct batch *batch, struct batch_stage *stage)
{
	stage->used = stage->size;
	stage->next = batch->stages;
	batch->stages = stage;
}

cl_int batch_stage(struct batch *batch, size_t size, char **out)
{
	struct batch_stage *stage = batch->stages;

	size = (size + 63) & ~(size_t)63;
	if (!stage || stage->size - stage->used < size) {
		size_t wanted = size > STAGE_SIZE ? size : STAGE_SIZE;
		cl_int rc = batch_stage_create(&batch->target, wanted, &stage);

		if (rc)
			return rc;
		stage->next = batch->stages;
		batch->stages = stage;
	}
	*out = stage->address + stage->used;
	stage->used += size;
	return CL_SUCCESS;
}

cl_int batch_stage_box(struct batch *batch, const size_t region[3], struct box *out)
{
	*out = box_packed(NULL, region);
	return batch_stage(batch, box_bytes(region), &out->address);
}
