// SPDX-License-Identifier: MIT
#ifndef EU_IMAGE_CACHE_H
#define EU_IMAGE_CACHE_H

#include "eu/sampler/eu_image.h"
#include "eu/sampler/eu_sampler.h"

enum { EU_BINDLESS_IMAGES = 16, EU_SAMPLERS = 16 };

/* What a worker knows of images and samplers. An entry counts when its `walker` is the cache's. */
struct eu_images {
	uint32_t walker; /* never 0 */
	struct eu_image bound[EU_SURFACES];
	struct eu_image bindless[EU_BINDLESS_IMAGES];
	struct eu_image depth;
	struct eu_sampler samplers[EU_SAMPLERS]; /* by address */
};

/* Makes worker->images if there is none; false, with worker->fault filled, without memory. */
bool eu_images_ready(struct eu_worker *worker);

#endif
