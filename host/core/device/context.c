// SPDX-License-Identifier: MIT
#include "core/device/context.h"

#include "core/base/error.h"
#include "core/base/info.h"
#include "l0/l0_context.h"
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
	if (context->l0)
		l0_context_destroy(context->l0);
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

/* A device that is named twice counts once. */
static cl_int check_devices(cl_uint n, const cl_device_id *devices)
{
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(device_from(devices[i]), CL_INVALID_DEVICE);
	for (cl_uint i = 1; i < n; i++)
		REQUIRE(devices[i] == devices[0],
			error_say(CL_OUT_OF_RESOURCES,
				"a context holds one device; make a context for each"));
	return CL_SUCCESS;
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
	rc = check_devices(n_devices, devices);
	if (rc)
		return rc;

	struct context *context = calloc(1, sizeof *context);
	REQUIRE(context, CL_OUT_OF_HOST_MEMORY);
	error_set_reporter(context_report);
	obj_init(&context->base, OBJ_CONTEXT, &platform->base, context_destroy);
	context->base.context = context;
	pthread_mutex_init(&context->lock, NULL);
	event_lock_init(&context->user_events);
	context->n_devices = 1;
	context->devices[0] = device_from(devices[0]);
	context->notify = notify;
	context->notify_data = notify_data;
	context->n_properties = count_properties(properties);
	if (context->n_properties) {
		size_t size = context->n_properties * sizeof *properties;

		context->properties = malloc(size);
		TRY(context->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
		memcpy(context->properties, properties, size);
	}
	TRY(l0_context_create(context->devices[0]->l0, &context->l0));
	*out = context;
	return CL_SUCCESS;
fail:
	context_put(context);
	return rc;
}

cl_int context_create_from_type(const cl_context_properties *properties, cl_device_type type,
	context_notify_fn notify, void *notify_data, struct context **out)
{
	cl_device_id device;
	cl_int rc = check_properties(properties);

	if (rc)
		return rc;
	REQUIRE(notify || !notify_data, CL_INVALID_VALUE);
	rc = platform_devices(platform_default(), type, 1, &device, NULL);
	if (rc)
		return rc;
	return context_create(properties, 1, &device, notify, notify_data, out);
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

cl_int context_info(
	struct context *context, cl_context_info param, size_t size, void *value, size_t *size_ret)
{
	REQUIRE(context, CL_INVALID_CONTEXT);

	return INFO_GET(rows, context, param, size, value, size_ret);
}

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
	return device && context->devices[0] == device;
}

void context_report(struct context *context, const char *text)
{
	util_log(UTIL_LOG_WARN, "cl", "%s", text);
	if (context->notify)
		context->notify(text, NULL, 0, context->notify_data);
}
