// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "compile/zebin/reflect.h"
#include "core/base/info.h"
#include "core/program/program_code.h"
#include "l0/l0_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_uint queue_fixture_devices = 1;

static void CL_CALLBACK notify(const char *text, const void *data, size_t size, void *user_data)
{
	struct queue_fixture *f = user_data;

	(void)data;
	(void)size;
	f->reports++;
	snprintf(f->report, sizeof(f->report), "%s", text);
}

static void kernel_destroy(struct obj *obj)
{
	struct kernel *kernel = (struct kernel *)(void *)obj;

	for (cl_uint i = 0; i < kernel->base.context->n_devices; i++) {
		kernel_destroy_instances(&kernel->forms[i]);
		free(kernel->forms[i].code);
	}
	free(kernel->forms);
	pthread_mutex_destroy(&kernel->lock);
	free(kernel->args[1].value);
	free(kernel->args);
	free(kernel);
}

static const struct compile_kernel *find_info(const char *name)
{
	static const struct compile_kernel infos[] = { { .name = "set", .n_args = 2 },
		{ .name = "add", .n_args = 2 }, { .name = "copy", .n_args = 2 } };
	size_t i = 0;

	while (strcmp(infos[i].name, name) != 0)
		i++;
	return &infos[i];
}

struct kernel *queue_fixture_kernel(struct queue_fixture *f, const char *name)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));
	struct kernel_instance *instance;

	obj_init(&kernel->base, OBJ_KERNEL, &f->context->base, kernel_destroy);
	pthread_mutex_init(&kernel->lock, NULL);
	kernel->info = find_info(name);
	kernel->forms = calloc(f->context->n_devices, sizeof(*kernel->forms));
	for (cl_uint i = 0; i < f->context->n_devices; i++) {
		struct kernel_form *form = &kernel->forms[i];

		form->device = f->context->devices[i];
		form->code = calloc(1, sizeof(*form->code));
		form->code->module = f->modules[i];
		form->info = kernel->info;
		assert_int_equal(kernel_take(form, &instance), CL_SUCCESS);
		form->l0 = instance->l0;
		kernel_give(instance);
	}
	kernel_touch(kernel);
	kernel->n_args = 2;
	kernel->args = calloc(2, sizeof(*kernel->args));
	kernel->args[0].kind = KERNEL_ARG_BUFFER;
	kernel->args[1].kind = KERNEL_ARG_VALUE;
	kernel->args[1].size = 4;
	kernel->args[1].value = calloc(1, 4);
	return kernel;
}

int queue_fixture_setup(void **state)
{
	static struct queue_fixture f;
	static int table;
	cl_device_id devices[L0_CONTEXT_DEVICES];
	struct device *device;

	obj_set_dispatch(&table);
	f = (struct queue_fixture){ 0 };
	l0_fake = (struct l0_fake){ .mode = L0_FAKE_AT_QUERY, .ticks = 0xfffffff00 };
	device = platform_device(platform_default(), NULL);
	assert_non_null(device);
	struct device *last = device;
	for (cl_uint i = 0; i < queue_fixture_devices; i++) {
		last = i ? last->next : device;
		devices[i] = device_handle(last);
	}
	assert_int_equal(
		context_create(NULL, queue_fixture_devices, devices, notify, &f, &f.context),
		CL_SUCCESS);
	assert_int_equal(queue_create_flags(f.context, device, 0, &f.queue), CL_SUCCESS);
	assert_int_equal(queue_create_flags(f.context, last, CL_QUEUE_PROFILING_ENABLE, &f.other),
		CL_SUCCESS);
	assert_int_equal(
		mem_create_buffer(f.context, NULL, 0, FIXTURE_BYTES, NULL, &f.a), CL_SUCCESS);
	assert_int_equal(
		mem_create_buffer(f.context, NULL, 0, FIXTURE_BYTES, NULL, &f.b), CL_SUCCESS);
	for (cl_uint i = 0; i < queue_fixture_devices; i++)
		assert_int_equal(l0_module_create(f.context->on[i], L0_MODULE_NATIVE, "x", 1, NULL,
					 &f.modules[i], NULL),
			CL_SUCCESS);
	f.set = queue_fixture_kernel(&f, "set");
	f.add = queue_fixture_kernel(&f, "add");
	f.copy = queue_fixture_kernel(&f, "copy");
	l0_device_open(0)->vgpu.take_fault = l0_fake_take_fault;
	*state = &f;
	return 0;
}

int queue_fixture_teardown(void **state)
{
	struct queue_fixture *f = *state;

	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_release(f->queue), CL_SUCCESS);
	assert_int_equal(queue_release(f->other), CL_SUCCESS);
	kernel_put(f->set);
	kernel_put(f->add);
	kernel_put(f->copy);
	mem_put(f->a);
	mem_put(f->b);
	/* the watcher may still hold something for a moment */
	for (int i = 0; i < 2000 && atomic_load(&f->context->base.refs) > 1; i++)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	assert_int_equal(atomic_load(&f->context->base.refs), 1);
	for (cl_uint i = 0; i < queue_fixture_devices; i++)
		l0_module_destroy(f->modules[i]);
	context_put(f->context);
	assert_int_equal(l0_fake.live, 0);
	assert_int_equal(l0_fake.errors, 0);
	return 0;
}

void queue_fixture_set_args(struct kernel *kernel, struct mem *mem, uint32_t value)
{
	/* a thread of the library may be appending a held launch of it */
	pthread_mutex_lock(&kernel->lock);
	kernel_touch(kernel);
	kernel->version += kernel->args[0].mem != mem;
	kernel->args[0].mem = mem;
	memcpy(kernel->args[1].value, &value, sizeof(value));
	kernel->args[0].set = kernel->args[1].set = true;
	kernel->args[0].state = kernel->args[1].state = kernel->state;
	pthread_mutex_unlock(&kernel->lock);
}

cl_int queue_fixture_launch(struct queue *queue, struct kernel *kernel, struct mem *mem,
	uint32_t value, cl_uint n_wait, const cl_event *wait, cl_event *event)
{
	struct command command = { .kind = COMMAND_LAUNCH, .type = CL_COMMAND_NDRANGE_KERNEL };

	command.launch.kernel = kernel;
	command.launch.range = (struct ndrange){ .dims = 1,
		.global = { FIXTURE_ITEMS, 1, 1 },
		.local = { 64, 1, 1 },
		.groups = { FIXTURE_ITEMS / 64, 1, 1 } };
	queue_fixture_set_args(kernel, mem, value);
	return queue_submit(queue, &command, &(struct event_args){ n_wait, wait, event });
}

void queue_fixture_check(struct queue *queue, struct mem *mem, uint32_t first)
{
	static uint32_t data[FIXTURE_ITEMS];

	memset(data, 0xcd, sizeof(data));
	assert_int_equal(
		copy_read(queue, mem, CL_TRUE, 0, sizeof(data), data, NO_EVENTS), CL_SUCCESS);
	for (uint32_t i = 0; i < FIXTURE_ITEMS; i++)
		assert_int_equal(data[i], first + i);
}

cl_int queue_fixture_status(cl_event event)
{
	cl_int status = 12345;

	assert_int_equal(event_info(event_from(event), CL_EVENT_COMMAND_EXECUTION_STATUS,
				 INFO(sizeof(status), &status, NULL)),
		CL_SUCCESS);
	return status;
}

void queue_fixture_release(cl_event event)
{
	assert_int_equal(obj_release(event, OBJ_EVENT), CL_SUCCESS);
}
