// SPDX-License-Identifier: MIT
#include "l0/l0_private.h"

#include <stdlib.h>

cl_int l0_context_create(struct l0_device *device, struct l0_context **out)
{
	ze_context_desc_t desc = { .stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC };
	struct l0_context *context = calloc(1, sizeof(*context));

	if (!context)
		return CL_OUT_OF_HOST_MEMORY;
	context->device = device;
	cl_int rc = L0_CALL(zeContextCreate, device->driver, &desc, &context->ze);
	if (rc) {
		free(context);
		return rc;
	}
	pthread_mutex_init(&context->lock, NULL);
	pthread_mutex_init(&context->slab_lock, NULL);
	l0_event_stock_init(&context->stock, context);
	*out = context;
	return CL_SUCCESS;
}

void l0_context_destroy(struct l0_context *context)
{
	if (!context)
		return;
	l0_idle_lists_destroy(context);
	l0_event_pools_destroy(context);
	l0_slabs_destroy(context);
	(void)L0_CALL(zeContextDestroy, context->ze);
	pthread_mutex_destroy(&context->stock.lock);
	pthread_mutex_destroy(&context->slab_lock);
	pthread_mutex_destroy(&context->lock);
	free(context);
}

struct l0_device *l0_context_device(const struct l0_context *context)
{
	return context->device;
}
