// SPDX-License-Identifier: MIT
#include "door/door_stream.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/util_thread.h"

struct door_stream {
	struct door_stream *next;
	const struct door_node *node;
	int fd;
	unsigned dots; /* entries "." and ".." returned so far */
	size_t position;
	struct dirent entry;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)
static _Atomic(struct door_stream *) streams; /* open ones; changes under lock */

DIR *door_stream_open(int fd)
{
	struct door_file *file = door_file_get(fd);
	struct door_stream *stream = file ? calloc(1, sizeof(*stream)) : NULL;

	if (stream) {
		stream->node = file->node;
		stream->fd = fd;
		pthread_mutex_lock(&lock);
		stream->next = atomic_load(&streams);
		atomic_store(&streams, stream);
		pthread_mutex_unlock(&lock);
	}
	if (file)
		door_file_put(file);
	return (DIR *)(void *)stream;
}

struct door_stream *door_stream_of(DIR *wanted)
{
	struct door_stream *stream = atomic_load_explicit(&streams, memory_order_relaxed);

	if (!stream)
		return NULL;
	pthread_mutex_lock(&lock);
	stream = atomic_load(&streams);
	while (stream && (void *)stream != (void *)wanted)
		stream = stream->next;
	pthread_mutex_unlock(&lock);
	return stream;
}

int door_stream_fd(const struct door_stream *stream)
{
	return stream->fd;
}

struct dirent *door_stream_read(struct door_stream *stream)
{
	static const unsigned char types[] = {
		[DOOR_FOLDER] = DT_DIR,
		[DOOR_TEXT] = DT_REG,
		[DOOR_LINK] = DT_LNK,
		[DOOR_DEVICE] = DT_CHR,
	};
	const struct door_node *child = NULL;
	const char *name = NULL;

	if (stream->dots < 2)
		name = &".."[1 - stream->dots++];
	else
		child = door_tree_next(stream->node, &stream->position, &name);
	if (!name)
		return NULL;
	stream->entry.d_ino = stream->position + 1;
	stream->entry.d_off = (off_t)(stream->position + stream->dots);
	stream->entry.d_reclen = sizeof(stream->entry);
	stream->entry.d_type = child ? types[child->kind] : DT_DIR;
	snprintf(stream->entry.d_name, sizeof(stream->entry.d_name), "%s", name);
	return &stream->entry;
}

long door_stream_tell(const struct door_stream *stream)
{
	return (long)(stream->position + stream->dots);
}

void door_stream_seek(struct door_stream *stream, long position)
{
	if (position < 0)
		return;
	stream->dots = position < 2 ? (unsigned)position : 2;
	stream->position = (size_t)position - stream->dots;
}

int door_stream_close(struct door_stream *stream)
{
	struct door_stream *other;
	int fd = stream->fd;

	pthread_mutex_lock(&lock);
	other = atomic_load(&streams);
	if (other == stream)
		atomic_store(&streams, stream->next);
	while (other->next && other->next != stream)
		other = other->next;
	if (other->next)
		other->next = stream->next;
	pthread_mutex_unlock(&lock);
	free(stream);
	return fd;
}
