// SPDX-License-Identifier: MIT
#ifndef IMAGE_APPEND_H
#define IMAGE_APPEND_H

#include "core/batch/batch.h"
#include "core/batch/command.h"

/* Images on the device; queue->lock is held. `signal` may be NULL, it comes when all is done. */

/* A command of kind COMMAND_IMAGE. There is room for one `after`. */
cl_int image_append(
	struct batch *batch, const struct command_image *command, struct l0_event *signal);

/* The two that follow are called with the lock of the launch's kernel held. */

/* Whether an argument of the launch is an image of a buffer. */
bool image_has_shadows(const struct command_launch *launch);

/*
 * What such images need: before the launch their pixels are brought (COMMAND_IMAGE_WRITE), and
 * behind it those are carried back that the kernel may have written (COMMAND_IMAGE_READ).
 */
cl_int image_append_shadows(
	struct batch *batch, const struct command_launch *launch, enum command_image_op op);

#endif
