// SPDX-License-Identifier: MIT
#include "l0/l0_private.h"

#include <stdlib.h>

static cl_int make(struct l0_device *device, struct l0_context **out)
{
	struct l0_context *context = calloc(1, sizeof(*context));

	if (!context)
		return CL_OUT_OF_HOST_MEMORY;
	context->device = device;
	pthread_mutex_init(&context->lock, NULL);
	pthread_mutex_init(&context->slab_lock, NULL);
	*out = context;
	return CL_SUCCESS;
}

cl_int l0_context_create(unsigned n, struct l0_device *const *devices, struct l0_context **out)
{
	ze_context_desc_t desc = { .stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC };
	ze_device_handle_t handles[L0_CONTEXT_DEVICES];
	ze_context_handle_t ze = NULL;
	cl_int rc = CL_SUCCESS;
	unsigned made = 0;

	for (; !rc && made < n; made += !rc) {
		handles[made] = devices[made]->ze;
		rc = make(devices[made], &out[made]);
	}
	if (!rc)
		rc = L0_CALL(zeContextCreateEx, devices[0]->driver, &desc, n, handles, &ze);
	for (unsigned i = 0; i < made; i++) {
		out[i]->ze = ze;
		out[i]->owner = i ? out[0] : NULL;
		out[i]->is_shared = n > 1;
	}
	while (rc && made)
		l0_context_destroy(out[--made]);
	bool is_mapped = !rc && n > 2 && l0_memory_maps(out[0]);
	for (unsigned i = 0; i < made; i++)
		out[i]->is_mapped = is_mapped;
	return rc;
}

void l0_context_destroy(struct l0_context *context)
{
	if (!context)
		return;
	l0_idle_lists_destroy(context);
	l0_event_pools_destroy(context);
	l0_slabs_destroy(context);
	if (!context->owner && context->ze)
		(void)L0_CALL(zeContextDestroy, context->ze);
	pthread_mutex_destroy(&context->slab_lock);
	pthread_mutex_destroy(&context->lock);
	free(context);
}
