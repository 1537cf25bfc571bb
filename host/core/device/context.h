// SPDX-License-Identifier: MIT
#ifndef CONTEXT_H
#define CONTEXT_H

#include "core/base/event_lock.h"
#include "core/base/obj.h"
#include "core/device/device.h"
#include "l0/l0_context.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

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

/*
 * A context, of one device or several (L0_CONTEXT_DEVICES at most) of one Level Zero driver. With
 * several, its memory is host memory that all of them reach, so that nothing moves between them.
 * What Level Zero makes for one device alone (modules, images, samplers, queues) is there once for
 * each: such an object has an array by the device's place in `devices`.
 */
struct context {
	struct obj base;
	struct l0_context *l0;		   /* of the first device; memory is made in it */
	cl_context_properties *properties; /* as given, with the 0 at the end; NULL if none */
	size_t n_properties;		   /* with the 0 at the end */
	cl_uint n_devices;
	struct device *devices[L0_CONTEXT_DEVICES]; /* each once, as they were given */
	/* Of each device: what is made for it alone is made in it. */
	struct l0_context *on[L0_CONTEXT_DEVICES];
	struct device_images images; /* the least of what the devices have that have images */
	bool has_images;	     /* one of them has */
	cl_ulong max_alloc_size;     /* the least of all devices', as is … */
	cl_ulong global_mem_size;    /* … this */
	atomic_bool has_wide;	     /* memory beyond max_alloc_size that kernels get by pointers */
	context_notify_fn notify;    /* NULL if none */
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

cl_int context_info(struct context *context, cl_context_info param, const struct info *info);

/* clSetContextDestructorCallback; called in reverse order when the context is destroyed. */
cl_int context_add_destructor(
	struct context *context, void(CL_CALLBACK *call)(cl_context, void *), void *data);

/*
 * Returns the context's service of that type; the first call makes it. NULL when out of memory. Any
 * thread, without the context's lock.
 */
void *context_service(struct context *context, const struct context_service_type *type);

/*
 * A list of devices of the context that ends with 0, as a property has it: stores how many there
 * are, and the last. CL_INVALID_DEVICE.
 */
cl_int context_read_devices(
	const struct context *context, const cl_properties *list, size_t *n, struct device **last);

bool context_has_device(const struct context *context, const struct device *device);

/* The place of one of the context's devices among them. */
static inline unsigned context_place(const struct context *context, const struct device *device)
{
	unsigned place = 0;

	while (place + 1 < context->n_devices && context->devices[place] != device)
		place++;
	return place;
}

/*
 * Whether one allocation may have `size` bytes: 1 to CL_DEVICE_MAX_MEM_ALLOC_SIZE of every device,
 * or to CL_DEVICE_GLOBAL_MEM_SIZE with CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL among the flags.
 * CL_INVALID_BUFFER_SIZE.
 */
cl_int context_check_alloc_size(const struct context *context, cl_bitfield flags, size_t size);

/* l0_memory_keep for every device, and l0_memory_evict. */
cl_int context_keep_memory(struct context *context, void *address, size_t size);
void context_evict_memory(struct context *context, void *address, size_t size);

/* Passes a text to the application's pfn_notify, if any, and to the log: an error of an entry
 * point, or a fault of the device. Any thread. Locks: none that an entry point takes may be held.
 */
void context_report(struct context *context, const char *text);

#endif
