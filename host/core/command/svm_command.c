// SPDX-License-Identifier: MIT
#include "core/command/svm_command.h"

#include "core/base/error.h"
#include "core/command/enqueue.h"
#include "core/memory/svm.h"
#include "core/memory/usm.h"
#include "core/base/callback_thread.h"
#include "core/queue/event.h"

#include <stdlib.h>
#include <string.h>

/* The pointers of a clEnqueueSVMFree whose turn has not come. */
struct free_job {
	struct callback base;
	struct queue *queue; /* a reference */
	struct event *done;  /* a user event, a reference: the command itself waits for it */
	svm_free_fn call;    /* NULL: the runtime frees the pointers */
	void *user_data;
	cl_uint n;
	void *pointers[];
};

cl_int svm_check_queue(struct queue *queue)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(usm_capabilities(queue->device, USM_SVM), CL_INVALID_OPERATION);
	return CL_SUCCESS;
}

static void job_destroy(struct free_job *job)
{
	event_put(job->done);
	queue_put(job->queue);
	free(job);
}

static void free_job_call(struct callback *base)
{
	struct free_job *job = (struct free_job *)(void *)base;

	job->call(queue_handle(job->queue), job->n, job->pointers, job->user_data);
}

static void free_job_finish(struct callback *base)
{
	struct free_job *job = (struct free_job *)(void *)base;

	(void)event_set_user_status(job->done, CL_COMPLETE);
	job_destroy(job);
}

/* Every command before is done. The application frees on the callback thread. */
static void free_job_run(cl_int status, void *data, struct deferred_work *work)
{
	struct free_job *job = data;

	if (status >= 0 && job->call) {
		callback_thread_add(&job->base, &job->base);
		return;
	}
	for (cl_uint i = 0; status >= 0 && i < job->n; i++)
		svm_free(job->queue->context, job->pointers[i]);
	(void)event_end_user(job->done, status < 0 ? status : CL_COMPLETE, work);
	job_destroy(job);
}

static cl_int job_create(struct queue *queue, cl_uint n, void *pointers[], svm_free_fn call,
	void *user_data, struct free_job **out)
{
	struct free_job *job = calloc(1, sizeof *job + n * sizeof *pointers);
	cl_int rc;

	REQUIRE(job, CL_OUT_OF_HOST_MEMORY);
	job->queue = queue_get(queue);
	job->base.call = free_job_call;
	job->base.finish = free_job_finish;
	job->call = call;
	job->user_data = user_data;
	job->n = n;
	if (n)
		memcpy(job->pointers, pointers, n * sizeof *pointers);
	rc = event_create_user(queue->context, &job->done);
	if (rc)
		job_destroy(job);
	else
		*out = job;
	return rc;
}

/*
 * Two commands: when the first is done, the pointers are freed; the second, whose event the
 * application gets, is done after that.
 */
cl_int svm_enqueue_free(struct queue *queue, cl_uint n, void *pointers[], svm_free_fn call,
	void *user_data, const struct event_args *events)
{
	cl_event turn = NULL, visible = NULL;
	struct event_callback *continuation = NULL;
	struct free_job *job = NULL;
	cl_int rc = svm_check_queue(queue);

	if (rc)
		return rc;
	REQUIRE(!n == !pointers, CL_INVALID_VALUE);

	TRY(job_create(queue, n, pointers, call, user_data, &job));
	continuation = event_continuation_create(free_job_run, job);
	TRY(continuation ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	TRY(command_marker(queue, CL_COMMAND_SVM_FREE,
		&(struct event_args){ events->n_waits, events->waits, &turn }));
	cl_event done = event_handle(job->done);
	TRY(command_marker(queue, CL_COMMAND_SVM_FREE, &(struct event_args){ 1, &done, &visible }));
	event_continue(event_from(turn), continuation);
	(void)obj_release(turn, OBJ_EVENT);
	if (events->event)
		*events->event = visible;
	else
		(void)obj_release(visible, OBJ_EVENT);
	return CL_SUCCESS;
fail:
	free(continuation);
	if (turn)
		(void)obj_release(turn, OBJ_EVENT);
	if (job)
		job_destroy(job);
	return rc;
}

cl_int svm_map(struct queue *queue, cl_bool blocking, cl_map_flags flags, void *pointer,
	size_t size, const struct event_args *events)
{
	cl_int rc = svm_check_queue(queue);

	if (rc)
		return rc;
	REQUIRE(pointer, CL_INVALID_VALUE);
	REQUIRE(size > 0, CL_INVALID_VALUE);
	if ((rc = mem_check_map(NULL, flags)))
		return rc;

	struct command command = {
		.kind = COMMAND_NOTHING, .type = CL_COMMAND_SVM_MAP, .blocking = blocking
	};
	struct usm_block block;
	/* The host may use fine-grained memory at any time. */
	if (usm_find(queue->context, pointer, &block) && block.type == USM_SVM &&
		!(block.flags & CL_MEM_SVM_FINE_GRAIN_BUFFER)) {
		command.map.address = pointer;
		command.map.size = size;
		command.map.writes = flags & ~(cl_map_flags)CL_MAP_READ;
	}
	return queue_submit(queue, &command, events);
}

cl_int svm_unmap(struct queue *queue, void *pointer, const struct event_args *events)
{
	cl_int rc = svm_check_queue(queue);

	if (rc)
		return rc;
	REQUIRE(pointer, CL_INVALID_VALUE);

	struct command command = {
		.kind = COMMAND_NOTHING, .type = CL_COMMAND_SVM_UNMAP, .map.address = pointer
	};
	return queue_submit(queue, &command, events);
}

static bool is_in_svm(struct context *context, const void *pointer, size_t size)
{
	struct usm_block block;

	if (!usm_find(context, pointer, &block) || !block.is_svm)
		return false;
	return size <= block.size - (size_t)((const char *)pointer - block.address);
}

cl_int svm_migrate(struct queue *queue, cl_uint n, const void **pointers, const size_t *sizes,
	cl_mem_migration_flags flags, const struct event_args *events)
{
	cl_int rc = svm_check_queue(queue);

	if (rc)
		return rc;
	REQUIRE(n > 0 && pointers, CL_INVALID_VALUE);
	REQUIRE(!(flags & ~COMMAND_MIGRATION_FLAGS), CL_INVALID_VALUE);
	for (cl_uint i = 0; sizes && i < n; i++)
		REQUIRE(!sizes[i] || is_in_svm(queue->context, pointers[i], sizes[i]),
			error_say(CL_INVALID_VALUE,
				"range %u is not within an allocation of shared memory", i));

	/* host and device share the memory, or the driver moves it when it is touched */
	return command_marker(queue, CL_COMMAND_SVM_MIGRATE_MEM, events);
}
