// SPDX-License-Identifier: MIT
#include "door/door_stream.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "door/door_entry.h"
#include "util/util_thread.h"

struct door_stream {
	struct door_stream *next;
	const struct door_node *node;
	int fd;
	DIR *machine;	 /* of a shared folder */
	long told;	 /* entries returned so far; the first two are "." and ".." */
	size_t position; /* of the tree's next */
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

void door_stream_share(struct door_stream *stream, DIR *machine)
{
	stream->machine = machine;
}

/* Whether an entry of the machine's folder is hidden, or one of the tree's. */
static bool is_ours(const struct door_stream *stream, const char *name)
{
	struct door_place place;

	return !strcmp(name, ".") || !strcmp(name, "..") ||
	       door_tree_find(stream->node, name, false, &place) != DOOR_PASS || place.node;
}

static struct dirent *read_machine(struct door_stream *stream)
{
	struct dirent *(*next)(DIR *);
	struct dirent *entry;

	DOOR_REAL(next, "readdir64");
	do
		entry = next ? next(stream->machine) : NULL;
	while (entry && is_ours(stream, entry->d_name));
	return entry;
}

struct dirent *door_stream_read(struct door_stream *stream)
{
	static const unsigned char types[] = {
		[DOOR_FOLDER] = DT_DIR,
		[DOOR_TEXT] = DT_REG,
		[DOOR_LINK] = DT_LNK,
		[DOOR_DEVICE] = DT_CHR,
		[DOOR_SHARED] = DT_DIR,
	};
	const struct door_node *child = NULL;
	struct dirent *entry = &stream->entry;
	const char *name = NULL;

	if (stream->told < 2)
		name = &".."[1 - stream->told];
	else
		child = door_tree_next(stream->node, &stream->position, &name);
	if (name) {
		entry->d_ino = stream->position + 1;
		entry->d_off = stream->told + 1;
		entry->d_reclen = sizeof(*entry);
		entry->d_type = child ? types[child->kind] : DT_DIR;
		snprintf(entry->d_name, sizeof(entry->d_name), "%s", name);
	} else {
		entry = stream->machine ? read_machine(stream) : NULL;
	}
	stream->told += entry != NULL;
	return entry;
}

long door_stream_tell(const struct door_stream *stream)
{
	return stream->told;
}

void door_stream_seek(struct door_stream *stream, long position)
{
	void (*rewind)(DIR *);

	if (position < 0)
		return;
	DOOR_REAL(rewind, "rewinddir");
	if (stream->machine && rewind)
		rewind(stream->machine);
	stream->told = 0;
	stream->position = 0;
	while (stream->told < position && door_stream_read(stream))
		;
}

DIR *door_stream_close(struct door_stream *stream)
{
	struct door_stream *other;
	DIR *machine = stream->machine;

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
	return machine;
}
