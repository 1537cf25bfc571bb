// SPDX-License-Identifier: MIT
#include "core/batch/append.h"

#include "core/batch/image_append.h"
#include "core/batch/kernel_launch.h"
#include "core/batch/printf_buffer.h"
#include "core/batch/recording.h"

#define TILE_BYTES ((size_t)64 * 1024)

cl_int append_box(struct l0_list *list, const struct box_copy *copy, struct l0_event *signal)
{
	if (box_copy_is_plain(copy))
		return l0_list_copy(list, box_start(&copy->to), box_start(&copy->from),
			box_bytes(copy->region), signal);
	const struct l0_box box = {
		.to = box_start(&copy->to),
		.from = box_start(&copy->from),
		.region = { (uint32_t)copy->region[0], (uint32_t)copy->region[1],
			(uint32_t)copy->region[2] },
		.to_row_pitch = (uint32_t)copy->to.row_pitch,
		.to_slice_pitch = (uint32_t)copy->to.slice_pitch,
		.from_row_pitch = (uint32_t)copy->from.row_pitch,
		.from_slice_pitch = (uint32_t)copy->from.slice_pitch,
	};
	return l0_list_copy_box(list, &box, signal);
}

static cl_int append_copy(struct batch *batch, const struct box_copy *copy, struct l0_event *signal)
{
	struct box_copy device = *copy, host = *copy;
	cl_int rc;

	if (copy->from_host && !batch_reaches(batch, copy->from.address)) {
		if ((rc = batch_stage_box(batch, copy->region, &host.to)))
			return rc;
		box_copy_run(&host);
		device.from = host.to;
	} else if (copy->to_host && !batch_reaches(batch, copy->to.address)) {
		if ((rc = batch_stage_box(batch, copy->region, &device.to)) ||
			(rc = append_box(batch->list, &device, signal)))
			return rc;
		host.from = device.to;
		batch_add_epilogue(batch, &host);
		return CL_SUCCESS;
	}
	return append_box(batch->list, &device, signal);
}

/* A tile of the pattern is copied in, then what is there is copied on, twice as much each time. */
static cl_int append_fill(
	struct batch *batch, const struct command_fill *fill, struct l0_event *signal)
{
	struct command_fill tile = *fill;
	cl_int rc;

	tile.size = fill->size < TILE_BYTES ? fill->size : TILE_BYTES;
	if ((rc = batch_stage(batch, tile.size, &tile.to)))
		return rc;
	command_fill_run(&tile);
	size_t done = tile.size;
	rc = l0_list_copy(batch->list, fill->to, tile.to, done, done == fill->size ? signal : NULL);
	while (!rc && done < fill->size) {
		size_t part = fill->size - done < done ? fill->size - done : done;

		if ((rc = l0_list_barrier(batch->list, NULL)))
			return rc;
		rc = l0_list_copy(batch->list, fill->to + done, fill->to, part,
			done + part == fill->size ? signal : NULL);
		done += part;
	}
	return rc;
}

/* The kernel between what its images of buffers need; `begin` comes when it may start. */
static cl_int append_among_shadows(struct batch *batch, const struct command_launch *launch,
	struct l0_kernel *l0, void *print, struct l0_event *begin, struct l0_event *signal)
{
	const struct kernel_form *form = &launch->kernel->forms[batch->target.place];
	cl_int rc = image_append_shadows(batch, launch, COMMAND_IMAGE_WRITE);

	if (!rc)
		rc = l0_list_barrier(batch->list, begin);
	if (!rc)
		rc = kernel_launch(batch->list, form, l0, &launch->range, print, NULL, NULL);
	if (!rc)
		rc = l0_list_barrier(batch->list, NULL);
	if (!rc)
		rc = image_append_shadows(batch, launch, COMMAND_IMAGE_READ);
	return rc ? rc : l0_list_barrier(batch->list, signal);
}

void append_launch_objects(
	struct batch *batch, struct kernel *kernel, const struct kernel_arg *args)
{
	const struct kernel_form *form = &kernel->forms[batch->target.place];
	struct batch_known *known =
		&batch->known[(uintptr_t)kernel / sizeof(*kernel) % BATCH_KNOWN];

	batch->driver_prints |= form->driver_prints;
	batch->prints |= form->driver_prints || form->prints;
	if (!args && known->kernel == kernel && known->version == kernel->version)
		return;
	if (!args)
		*known = (struct batch_known){ kernel, kernel->version };
	batch_add_obj(batch, &kernel->base);
	for (cl_uint i = 0; i < kernel->n_args; i++) {
		struct obj *obj = kernel_arg_obj(args ? &args[i] : &kernel->args[i]);

		if (obj)
			batch_add_obj(batch, obj);
	}
}

/* An event whose time is when what follows began; the batch holds it. */
static cl_int make_begin(struct batch *batch, struct l0_event **out)
{
	cl_int rc = l0_queue_event(batch->target.l0, true, out);

	if (!rc)
		batch_add_signal(batch, l0_event_retain(*out));
	return rc;
}

/* Appends the launch by an instance that has its arguments. */
static cl_int append_instance(struct batch *batch, const struct command_launch *launch,
	struct l0_kernel *l0, bool shadows, struct l0_event *signal, struct l0_event **begin)
{
	const struct kernel_form *form = &launch->kernel->forms[batch->target.place];
	cl_int rc = CL_SUCCESS;

	if (form->prints && (rc = print_begin(batch)))
		return rc;
	void *print = batch->print ? batch->print->address : NULL;
	if (begin && (shadows || ndrange_n_parts(&launch->range) > 1) &&
		(rc = make_begin(batch, begin)))
		return rc;
	if (shadows)
		return append_among_shadows(
			batch, launch, l0, print, begin ? *begin : NULL, signal);
	return kernel_launch(
		batch->list, form, l0, &launch->range, print, begin ? *begin : NULL, signal);
}

/* Remembers the launch for others like it, unless prints or copies of images belong to it. */
static void learn_launch(struct kernel_instance *instance, const struct command_launch *launch,
	const struct kernel_form *form)
{
	if (launch->kernel->has_images || form->prints || form->driver_prints)
		return;
	instance->range = launch->range;
	instance->is_chosen = launch->is_chosen;
}

/*
 * The lock keeps the arguments as they are until an instance has them. Shadows are copied by the
 * arguments, so that it is kept longer for them.
 */
static cl_int append_launch(struct batch *batch, const struct command_launch *launch,
	struct l0_event *signal, struct l0_event **begin)
{
	struct kernel *kernel = launch->kernel;
	bool alone = !batch->n_works && !batch->n_signals && !signal && !launch->args;
	struct kernel_instance *instance;

	pthread_mutex_lock(&kernel->lock);
	bool shadows = image_has_shadows(launch);
	append_launch_objects(batch, kernel, launch->args);
	cl_int rc = kernel_launch_begin(kernel, batch->target.place, launch->args, &instance);
	if (rc || !shadows)
		pthread_mutex_unlock(&kernel->lock);
	if (rc)
		return rc;
	instance->range.is_whole = false;
	rc = append_instance(batch, launch, instance->l0, shadows, signal, begin);
	if (shadows)
		pthread_mutex_unlock(&kernel->lock);
	if (!rc && alone && !kernel->has_images && !batch->prints)
		batch_launch_init(&batch->launch, instance->state, &launch->range);
	if (!rc)
		learn_launch(instance, launch, &kernel->forms[batch->target.place]);
	kernel_give(instance);
	return rc;
}

/* The recording ends with a barrier; it has no times of its own. */
static cl_int append_replay(struct batch *batch, const struct recording *recording,
	struct l0_event *signal, struct l0_event **begin)
{
	cl_int rc = CL_SUCCESS;

	if (begin && !(rc = make_begin(batch, begin)))
		rc = batch_barrier(batch, *begin);
	if (!rc)
		rc = l0_list_call(batch->list, recording->batch->list);
	return !rc && signal ? batch_barrier(batch, signal) : rc;
}

/* What the command uses lives until the batch is done. */
static void add_objects(struct batch *batch, const struct command *command)
{
	for (int i = 0; i < COMMAND_MAX_MEMS; i++)
		if (command->mems[i])
			batch_add_obj(batch, &command->mems[i]->base);
	if (command->kind == COMMAND_REPLAY) {
		batch_add_obj(batch, &command->recording->base);
		batch->prints |= command->recording->batch->prints;
		batch->driver_prints |= command->recording->batch->driver_prints;
	}
}

static cl_int append_kind(struct batch *batch, const struct command *command,
	struct l0_event *signal, struct l0_event **begin)
{
	switch (command->kind) {
	case COMMAND_NOTHING:
		return signal ? batch_barrier(batch, signal) : CL_SUCCESS;
	case COMMAND_COPY:
		return append_copy(batch, &command->copy, signal);
	case COMMAND_FILL:
		return append_fill(batch, &command->fill, signal);
	case COMMAND_IMAGE:
		return image_append(batch, &command->image, signal);
	case COMMAND_LAUNCH:
		return append_launch(batch, &command->launch, signal, begin);
	case COMMAND_REPLAY:
		return append_replay(batch, command->recording, signal, begin);
	}
	return CL_INVALID_OPERATION;
}

cl_int append_reserve(
	struct batch *batch, const struct command *command, unsigned n_events, unsigned n_signals)
{
	unsigned n_args = command->kind == COMMAND_LAUNCH ? command->launch.kernel->n_args : 0;

	return batch_reserve(batch, COMMAND_MAX_MEMS + 1 + n_args, n_events, n_signals, 1);
}

cl_int append_command(struct batch *batch, const struct command *command, struct l0_event *signal,
	struct l0_event **begin)
{
	add_objects(batch, command);
	cl_int rc = append_kind(batch, command, signal, begin);
	if (begin && *begin && rc) {
		l0_event_release(*begin);
		*begin = NULL;
	}
	batch->n_works += command->kind != COMMAND_NOTHING;
	if (command->kind == COMMAND_REPLAY)
		batch->n_ordered = batch->n_works;
	return rc;
}

cl_int append_record(struct batch *batch, const struct command *command, bool barrier)
{
	cl_int rc = append_reserve(batch, command, 0, 0);

	if (!rc && barrier && batch->n_works > batch->n_ordered)
		rc = batch_barrier(batch, NULL);
	if (rc || command->kind == COMMAND_NOTHING)
		return rc;
	return append_command(batch, command, NULL, NULL);
}
