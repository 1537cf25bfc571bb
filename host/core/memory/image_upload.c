// SPDX-License-Identifier: MIT
#include "core/memory/image_upload.h"

#include "core/base/error.h"
#include "core/memory/image.h"
#include "l0/l0_list.h"
#include "l0/l0_memory.h"

#include <stdatomic.h>
#include <stdlib.h>

#define WAIT_NS	  1000000000ull
#define KEEP_SIZE ((size_t)1024 * 1024)

/* What the first contents of images go through. */
struct image_uploader {
	struct l0_context *l0;
	struct l0_queue *queue;
	struct l0_list *list;
	void *packed; /* memory that the device reaches */
	size_t size;
};

static void uploader_destroy(struct image_uploader *uploader)
{
	if (!uploader)
		return;
	l0_list_destroy(uploader->list);
	l0_queue_destroy(uploader->queue);
	l0_memory_free(uploader->l0, uploader->packed);
	free(uploader);
}

/* The uploader that a context keeps for the next image. */
struct image_uploads {
	struct context_service base;
	_Atomic(struct image_uploader *) spare;
};

static void uploads_finish(void *service, struct context *context)
{
	(void)context;
	uploader_destroy(atomic_load(&((struct image_uploads *)service)->spare));
}

static const struct context_service_type uploads_type = {
	.size = sizeof(struct image_uploads),
	.finish = uploads_finish,
};

/* The spare one, or a new one: two threads may upload at once. */
static cl_int uploader_acquire(struct context *context, size_t size, struct image_uploader **out)
{
	struct image_uploads *uploads = context_service(context, &uploads_type);
	cl_int rc;

	REQUIRE(uploads, CL_OUT_OF_HOST_MEMORY);
	struct image_uploader *uploader = atomic_exchange(&uploads->spare, NULL);
	if (!uploader) {
		uploader = calloc(1, sizeof *uploader);
		if (!uploader)
			return CL_OUT_OF_HOST_MEMORY;
		uploader->l0 = context->l0;
		TRY(l0_queue_create(context->l0, L0_PRIORITY_NORMAL, &uploader->queue));
		TRY(l0_list_create(uploader->queue, &uploader->list));
	}
	if (uploader->size < size) {
		l0_memory_free(uploader->l0, uploader->packed);
		uploader->packed = NULL;
		uploader->size = 0;
		TRY(l0_memory_alloc(uploader->l0, L0_MEMORY_HOST, size, 64, &uploader->packed));
		uploader->size = size;
	}
	*out = uploader;
	return CL_SUCCESS;
fail:
	uploader_destroy(uploader);
	return rc;
}

/* Keeps it, unless there is one already, it is large, or its list cannot be used again. */
static void uploader_release(struct context *context, struct image_uploader *uploader)
{
	struct image_uploads *uploads = context_service(context, &uploads_type);

	if (uploader->size <= KEEP_SIZE && !l0_list_reset(uploader->list))
		uploader = atomic_exchange(&uploads->spare, uploader);
	uploader_destroy(uploader);
}

static cl_int submit_and_wait(struct l0_list *list)
{
	enum l0_progress progress;
	cl_int rc = l0_list_submit(list);

	if (rc)
		return rc;
	do
		progress = l0_list_wait_host(list, NULL, WAIT_NS);
	while (progress == L0_PENDING);
	return progress == L0_DONE
		       ? CL_SUCCESS
		       : error_say(CL_OUT_OF_RESOURCES, "the device was lost during the copy");
}

cl_int image_upload(struct mem *mem, char *host_ptr)
{
	static const size_t origin[3];
	struct image *image = mem->image;
	struct l0_image_box box = image_l0_box(origin, image->extent);
	struct box_copy copy = { .from = image_box(image, host_ptr, origin) };
	struct image_uploader *uploader = NULL;
	cl_int rc =
		uploader_acquire(mem->context, image_region_bytes(image, image->extent), &uploader);

	if (rc)
		return rc;
	image_byte_region(image, image->extent, copy.region);
	copy.to = box_packed(uploader->packed, copy.region);
	box_copy_run(&copy);
	rc = l0_list_image_write(uploader->list, image->own, &box, uploader->packed, NULL);
	if (!rc)
		rc = submit_and_wait(uploader->list);
	uploader_release(mem->context, uploader);
	return rc;
}
