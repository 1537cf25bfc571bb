// SPDX-License-Identifier: MIT
#ifndef IMAGE_UPLOAD_H
#define IMAGE_UPLOAD_H

#include "core/memory/mem.h"

/*
 * Writes the first content of an image, from the application's memory with the image's own pitches,
 * and waits until the device has done so. CL_OUT_OF_*.
 */
cl_int image_upload(struct mem *mem, char *host_ptr);

#endif
