// SPDX-License-Identifier: MIT
#ifndef CONTEXT_H
#define CONTEXT_H

#include "core/base/event_lock.h"
#include "core/base/obj.h"
#include "core/device/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct l0_context;
struct context_destructor;
struct queue;

typedef void(CL_CALLBACK *context_notify_fn)(
	const char *text, const void *data, size_t size, void *user_data);

/*
 * Something that another room keeps for each context: a table of allocations, spare buffers. The
 * room defines a struct of `size` bytes that begins with a struct context_service, and a type.
 */
struct context_service_type {
	size_t size;
	void (*init)(void *service); /* the memory is zeroed */
	/* Before the Level Zero context is destroyed. */
	void (*finish)(void *service, struct context *context);
};

struct context_service {
	struct context_service *next;
	const struct context_service_type *type;
};

struct context {
	struct obj base;
	struct l0_context *l0;		   /* memory, modules and lists are made in it */
	cl_context_properties *properties; /* as given, with the 0 at the end; NULL if none */
	size_t n_properties;		   /* with the 0 at the end */
	cl_uint n_devices;
	struct device *devices[1];
	context_notify_fn notify; /* NULL if none */
	void *notify_data;

	struct event_lock user_events;
	pthread_mutex_t lock;
	struct context_destructor *destructors;	    /* under lock; the newest first */
	struct queue *queues;			    /* under lock; not references */
	atomic_uint n_spare_batches;		    /* that its queues keep */
	_Atomic(struct context_service *) services; /* added to under lock */
};

OBJ_DEFINE(context, cl_context, OBJ_CONTEXT)

/* clCreateContext after its handles were converted; see section 4.4 of the specification. */
cl_int context_create(const cl_context_properties *properties, cl_uint n_devices,
	const cl_device_id *devices, context_notify_fn notify, void *notify_data,
	struct context **out);

/* clCreateContextFromType. */
cl_int context_create_from_type(const cl_context_properties *properties, cl_device_type type,
	context_notify_fn notify, void *notify_data, struct context **out);

cl_int context_info(
	struct context *context, cl_context_info param, size_t size, void *value, size_t *size_ret);

/* clSetContextDestructorCallback; called in reverse order when the context is destroyed. */
cl_int context_add_destructor(
	struct context *context, void(CL_CALLBACK *call)(cl_context, void *), void *data);

/*
 * Returns the context's service of that type; the first call makes it. NULL when out of memory. Any
 * thread, without the context's lock.
 */
void *context_service(struct context *context, const struct context_service_type *type);

bool context_has_device(const struct context *context, const struct device *device);

/* Passes a text to the application's pfn_notify, if any, and to the log: an error of an entry
 * point, or a fault of the device. Any thread. Locks: none that an entry point takes may be held.
 */
void context_report(struct context *context, const char *text);

#endif
