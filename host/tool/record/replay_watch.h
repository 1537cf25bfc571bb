// SPDX-License-Identifier: MIT
#ifndef REPLAY_WATCH_H
#define REPLAY_WATCH_H

#include "tool/record/replay_object.h"

/* The byte whose writers the virtual device is asked for. */
struct replay_watch {
	uint64_t id; /* of a buffer or of shared memory; 0: none */
	uint64_t byte;
};

/*
 * Asks for the writers of the byte, if the object that was just created is the watch's. Does
 * nothing on other devices, and for images, whose order of pixels the device alone knows.
 */
void replay_watch_created(
	const struct replay_watch *watch, uint64_t id, const struct replay_object *object);

#endif
