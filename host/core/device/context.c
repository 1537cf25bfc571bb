// SPDX-License-Identifier: MIT
#include "core/device/context.h"

#include "compile/base/pool.h"
#include "core/base/error.h"
#include "core/base/info.h"
#include "core/device/device_ext.h"
#include "l0/l0_memory.h"
#include "util/util_log.h"

#include <stdlib.h>
#include <string.h>

struct context_destructor {
	struct context_destructor *next;
	void(CL_CALLBACK *call)(cl_context, void *);
	void *data;
};

static void context_destroy(struct obj *obj)
{
	struct context *context = (struct context *)(void *)obj;

	while (context->destructors) {
		struct context_destructor *destructor = context->destructors;

		context->destructors = destructor->next;
		destructor->call(context_handle(context), destructor->data);
		free(destructor);
	}
	struct context_service *next, *service = atomic_load(&context->services);
	for (; service; service = next) {
		next = service->next;
		service->type->finish(service, context);
		free(service);
	}
	/* the first, which owns the memory, is the last */
	for (cl_uint i = context->l0 ? context->n_devices : 0; i > 0; i--)
		l0_context_destroy(context->on[i - 1]);
	for (cl_uint i = 0; i < context->n_devices; i++)
		device_put(context->devices[i]);
	pthread_mutex_destroy(&context->lock);
	event_lock_finish(&context->user_events);
	free(context->properties);
	obj_free(context);
}

static size_t count_properties(const cl_context_properties *properties)
{
	size_t n = 0;

	if (!properties)
		return 0;
	while (properties[n])
		n += 2;
	return n + 1;
}

static cl_int check_properties(const cl_context_properties *properties)
{
	bool platform_seen = false;
	bool sync_seen = false;

	for (; properties && *properties; properties += 2) {
		switch (properties[0]) {
		case CL_CONTEXT_PLATFORM:
			REQUIRE(platform_from((cl_platform_id)properties[1]), CL_INVALID_PLATFORM);
			REQUIRE(!platform_seen, CL_INVALID_PROPERTY);
			platform_seen = true;
			break;
		case CL_CONTEXT_INTEROP_USER_SYNC:
			REQUIRE(properties[1] == CL_TRUE || properties[1] == CL_FALSE,
				CL_INVALID_PROPERTY);
			REQUIRE(!sync_seen, CL_INVALID_PROPERTY);
			sync_seen = true;
			break;
		default:
			return error_say(CL_INVALID_PROPERTY, "there is no context property 0x%lx",
				(unsigned long)properties[0]);
		}
	}
	return CL_SUCCESS;
}

/* Takes the devices over, each once. */
static cl_int take_devices(struct context *context, cl_uint n, const cl_device_id *devices)
{
	struct l0_device *l0[L0_CONTEXT_DEVICES];

	for (cl_uint i = 0; i < n; i++) {
		struct device *device = device_from(devices[i]);

		if (context_has_device(context, device))
			continue;
		REQUIRE(context->n_devices < L0_CONTEXT_DEVICES,
			error_say(CL_OUT_OF_RESOURCES, "a context has %d devices at most",
				L0_CONTEXT_DEVICES));
		l0[context->n_devices] = device->l0;
		context->devices[context->n_devices++] = device_get(device);
		REQUIRE(l0_device_has_driver_of(device->l0, l0[0]),
			error_say(CL_OUT_OF_RESOURCES,
				"devices of different Level Zero drivers share no memory"));
	}
	cl_int rc = l0_context_create(context->n_devices, l0, context->on);
	if (!rc)
		context->l0 = context->on[0];
	return rc;
}

/* The least of what two devices have, where both have images. */
static void least_images(struct device_images *least, const struct device_images *more)
{
#define LEAST(member)                                                                              \
	if (more->member < least->member)                                                          \
	least->member = more->member
	LEAST(size_2d);
	LEAST(size_3d);
	LEAST(layers);
	LEAST(buffer);
	LEAST(line);
#undef LEAST
}

static void fill_limits(struct context *context)
{
	context->max_alloc_size = context->global_mem_size = UINT64_MAX;
	for (cl_uint i = 0; i < context->n_devices; i++) {
		const struct device *device = context->devices[i];

		if (device->max_alloc_size < context->max_alloc_size)
			context->max_alloc_size = device->max_alloc_size;
		if (device->global_mem_size < context->global_mem_size)
			context->global_mem_size = device->global_mem_size;
		if (!device->has_images)
			continue;
		if (context->has_images)
			least_images(&context->images, &device->images);
		else
			context->images = device->images;
		context->has_images = true;
	}
}

cl_int context_create(const cl_context_properties *properties, cl_uint n_devices,
	const cl_device_id *devices, context_notify_fn notify, void *notify_data,
	struct context **out)
{
	struct platform *platform = platform_default();
	cl_int rc = check_properties(properties);

	if (rc)
		return rc;
	REQUIRE(devices, CL_INVALID_VALUE);
	REQUIRE(n_devices > 0, CL_INVALID_VALUE);
	REQUIRE(notify || !notify_data, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n_devices; i++)
		REQUIRE(device_from(devices[i]), CL_INVALID_DEVICE);

	struct context *context = calloc(1, sizeof *context);
	REQUIRE(context, CL_OUT_OF_HOST_MEMORY);
	error_set_reporter(context_report);
	obj_init(&context->base, OBJ_CONTEXT, &platform->base, context_destroy);
	context->base.context = context;
	pthread_mutex_init(&context->lock, NULL);
	event_lock_init(&context->user_events);
	context->notify = notify;
	context->notify_data = notify_data;
	context->n_properties = count_properties(properties);
	context->properties = bytes_copy(properties, context->n_properties * sizeof *properties);
	TRY(context->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	TRY(take_devices(context, n_devices, devices));
	fill_limits(context);
	*out = context;
	return CL_SUCCESS;
fail:
	context_put(context);
	return rc;
}

/* Those of the first one's driver. */
cl_int context_create_from_type(const cl_context_properties *properties, cl_device_type type,
	context_notify_fn notify, void *notify_data, struct context **out)
{
	cl_device_id *devices;
	cl_uint n, n_same = 0;
	cl_int rc = check_properties(properties);

	if (rc)
		return rc;
	REQUIRE(notify || !notify_data, CL_INVALID_VALUE);
	if ((rc = platform_devices(platform_default(), type, 0, NULL, &n)))
		return rc;
	devices = calloc(n, sizeof *devices);
	REQUIRE(devices, CL_OUT_OF_HOST_MEMORY);
	TRY(platform_devices(platform_default(), type, n, devices, NULL));
	for (cl_uint i = 0; i < n; i++)
		if (l0_device_has_driver_of(
			    device_from(devices[i])->l0, device_from(devices[0])->l0))
			devices[n_same++] = devices[i];
	rc = context_create(properties, n_same, devices, notify, notify_data, out);
fail:
	free(devices);
	return rc;
}

static cl_int answer_devices(const void *object, const struct info *info)
{
	const struct context *context = object;

	return info_bytes(info, context->devices, context->n_devices * sizeof context->devices[0]);
}

static const struct info_row rows[] = {
	INFO_FN(CL_CONTEXT_REFERENCE_COUNT, info_references),
	INFO_FIELD(CL_CONTEXT_NUM_DEVICES, struct context, n_devices),
	INFO_FN(CL_CONTEXT_DEVICES, answer_devices),
	INFO_LIST(CL_CONTEXT_PROPERTIES, struct context, properties, n_properties),
};

INFO_DEFINE(context, cl_context_info, CL_INVALID_CONTEXT)

cl_int context_add_destructor(
	struct context *context, void(CL_CALLBACK *call)(cl_context, void *), void *data)
{
	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(call, CL_INVALID_VALUE);

	struct context_destructor *destructor = malloc(sizeof *destructor);
	REQUIRE(destructor, CL_OUT_OF_HOST_MEMORY);
	destructor->call = call;
	destructor->data = data;
	pthread_mutex_lock(&context->lock);
	destructor->next = context->destructors;
	context->destructors = destructor;
	pthread_mutex_unlock(&context->lock);
	return CL_SUCCESS;
}

static struct context_service *find_service(
	struct context *context, const struct context_service_type *type)
{
	struct context_service *service = atomic_load(&context->services);

	while (service && service->type != type)
		service = service->next;
	return service;
}

void *context_service(struct context *context, const struct context_service_type *type)
{
	struct context_service *service = find_service(context, type);

	if (service)
		return service;
	pthread_mutex_lock(&context->lock);
	service = find_service(context, type);
	if (!service && (service = calloc(1, type->size))) {
		if (type->init)
			type->init(service);
		service->type = type;
		service->next = atomic_load(&context->services);
		atomic_store(&context->services, service);
	}
	pthread_mutex_unlock(&context->lock);
	return service;
}

bool context_has_device(const struct context *context, const struct device *device)
{
	for (cl_uint i = 0; device && i < context->n_devices; i++)
		if (context->devices[i] == device)
			return true;
	return false;
}

cl_int context_read_devices(
	const struct context *context, const cl_properties *list, size_t *n, struct device **last)
{
	for (*n = 0; list[*n]; ++*n) {
		struct device *device = device_from((cl_device_id)(uintptr_t)list[*n]);

		REQUIRE(context_has_device(context, device), CL_INVALID_DEVICE);
		*last = device;
	}
	return CL_SUCCESS;
}

cl_int context_check_alloc_size(const struct context *context, cl_bitfield flags, size_t size)
{
	bool is_free = flags & CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL;
	cl_ulong limit = is_free ? context->global_mem_size : context->max_alloc_size;

	REQUIRE(size > 0 && size <= limit,
		error_say(CL_INVALID_BUFFER_SIZE, "%zu bytes, but 1 to %llu can be allocated (%s)",
			size, (unsigned long long)limit,
			is_free ? "CL_DEVICE_GLOBAL_MEM_SIZE" : "CL_DEVICE_MAX_MEM_ALLOC_SIZE"));
	return CL_SUCCESS;
}

void context_evict_memory(struct context *context, void *address, size_t size)
{
	for (cl_uint i = 0; i < context->n_devices; i++)
		l0_memory_evict(context->on[i], address, size);
}

cl_int context_keep_memory(struct context *context, void *address, size_t size)
{
	for (cl_uint i = 0; i < context->n_devices; i++) {
		cl_int rc = l0_memory_keep(context->on[i], address, size);

		if (!rc)
			continue;
		while (i > 0)
			l0_memory_evict(context->on[--i], address, size);
		return rc;
	}
	return CL_SUCCESS;
}

void context_report(struct context *context, const char *text)
{
	util_log(UTIL_LOG_WARN, "cl", "%s", text);
	if (context->notify)
		context->notify(text, NULL, 0, context->notify_data);
}
