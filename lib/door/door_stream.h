// SPDX-License-Identifier: MIT
#ifndef DOOR_STREAM_H
#define DOOR_STREAM_H

#include <dirent.h>
#include <stdbool.h>

#include "door/door_file.h"

/*
 * Open folders of the virtual tree. A DIR * from door_stream_open is none that the C library knows;
 * the other functions return NULL or false for every DIR * that is not of these.
 */
struct door_stream;

/* As fdopendir(3): the stream owns the descriptor, which is a folder's. NULL: no memory. */
DIR *door_stream_open(int fd);
/* Lets the stream go on with what `machine`, of the same descriptor, has besides. Takes it. */
void door_stream_share(struct door_stream *stream, DIR *machine);

/* The stream behind a DIR *. Asking costs one load while there are none. */
struct door_stream *door_stream_of(DIR *stream);

int door_stream_fd(const struct door_stream *stream);
/* The next entry, NULL at the end. */
struct dirent *door_stream_read(struct door_stream *stream);
long door_stream_tell(const struct door_stream *stream);
void door_stream_seek(struct door_stream *stream, long position);
/* Frees the stream. Returns the machine's, if it has one; the caller closes it, or the descriptor.
 */
DIR *door_stream_close(struct door_stream *stream);

#endif
