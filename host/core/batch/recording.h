// SPDX-License-Identifier: MIT
#ifndef RECORDING_H
#define RECORDING_H

#include "core/base/obj.h"
#include "core/batch/batch.h"

/*
 * What a queue knows of a recording, the part of a command buffer that one replay executes: a batch
 * whose list is closed. command_buffer_recording.h makes it.
 */
struct recording {
	struct obj base;
	struct batch *batch; /* in no queue's list, and never submitted itself */
};

OBJ_DEFINE(recording, void *, OBJ_RECORDING)

#endif
