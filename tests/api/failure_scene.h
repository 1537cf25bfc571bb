// SPDX-License-Identifier: MIT
#ifndef FAILURE_SCENE_H
#define FAILURE_SCENE_H

#include <CL/cl.h>

/*
 * What a program does, from its first object to its last: gives the first error that it got, and
 * goes on only as far as that lets it, but gives back all that it has. FAILURE_BAD_DATA: something
 * was computed wrongly, or not at all, without an error.
 */
typedef cl_int (*failure_scene)(const void *data);
#define FAILURE_BAD_DATA (-9999)

/*
 * Plays it once with nothing failing, and then again and again: each time another one of its calls
 * of Level Zero fails, then another one of its allocations, of each `step` of them one. Asserts
 * that it gets an error or right results and gives everything back, and that what follows works;
 * that at least so many calls and allocations could fail.
 */
void failure_play(
	failure_scene scene, const void *data, unsigned step, unsigned calls, unsigned allocations);

#endif
