// SPDX-License-Identifier: MIT
#ifndef IMAGE_UPLOAD_H
#define IMAGE_UPLOAD_H

#include "core/memory/mem.h"

/* What first contents go through, kept by a context for the next one. */
struct image_uploader;

/* NULL is allowed. */
void image_uploader_destroy(struct image_uploader *uploader);

/*
 * The first content of an image, from the application's memory with the image's own pitches; it is
 * there when the call returns.
 */
cl_int image_upload(struct mem *mem, char *host_ptr);

#endif
